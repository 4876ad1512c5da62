// A table as it was: both hands with their announced counts, and what lay on the felt.
import { make } from "/page/js/dom.js";
import { sum } from "/page/js/house.js";
import { cardPicture, chipStackGroup, draw, feltAddress, nameFelt, PicturePlace } from "/page/js/picture.js";
import { listed, t } from "/page/js/words.js";

/** @type {House.Side[]} */
const SIDES = ["player", "banker"];

export class TableThen extends HTMLElement {
  /** @type {Record<House.Side, { count: HTMLElement, cards: HTMLElement, box: HTMLElement }>} */
  hands = { player: this.hand("player", "P"), banker: this.hand("banker", "B") };
  /** @type {{ wagers: House.Wager[], seats: House.SeatView[] }} */
  bets = { wagers: [], seats: [] };
  /** @type {SVGGElement | null} */
  chips = null;
  drawn = "";
  cloth = make("div", { class: "cloth" });
  place = new PicturePlace((picture) => picture && this.lay(picture));
  people = make("p", { class: "people soft" });

  connectedCallback() {
    if (this.firstChild) return;
    this.append(make("div", { class: "hands" }, this.hands.player.box, this.hands.banker.box), this.cloth, this.people);
  }

  /**
   * @param {House.Side} side
   * @param {string} letter
   */
  hand(side, letter) {
    const count = make("b", {}, "–"),
      cards = make("div", { class: "cards" });
    return {
      count,
      cards,
      box: make(
        "div",
        { class: "hand" },
        make("span", { class: `disc ${side}`, "aria-hidden": "true" }, letter),
        make("span", { class: "unseen" }, t(`watch.${side}`)),
        count,
        cards,
      ),
    };
  }

  /**
   * view: the table as a role sees it; counts: of the hands, as they were announced; wagers: those that lie there.
   * @param {Page.Then} then
   * @param {string} rulebook
   */
  async show({ view, counts, wagers }, rulebook) {
    const round = view.state.round;
    for (const side of SIDES) {
      const { count, cards } = this.hands[side];
      count.textContent = String(counts[side] ?? "–");
      const laid = round[side].map((position) => round.turned[position] ?? null),
        shown = JSON.stringify(laid);
      if (cards.dataset.cards === shown) continue;
      cards.dataset.cards = shown;
      cards.replaceChildren(...laid.map((card) => cardPicture(card)));
    }
    const seats = view.state.seats.participants,
      taken = seats.filter((seat) => seat.taken);
    this.people.textContent = taken.length
      ? t("watch.seated", { seats: listed(taken.map((seat) => String(seat.seat))) })
      : t("watch.nobody_sits");
    this.bets = { wagers, seats };
    const felt = rulebook || view.state.rules;
    if (felt) await this.place.ask(feltAddress(felt)).catch(() => {}); // the hands are shown all the same
    this.showBets();
  }

  /** @param {SVGSVGElement} picture */
  lay(picture) {
    this.chips = draw("g", { class: "bets" });
    nameFelt(picture);
    this.cloth.replaceChildren(picture);
    const { x, y, width, height } = picture.getBBox(); // without the space for hands, which are above here
    picture.setAttribute("viewBox", `${x - 4} ${y - 4} ${width + 8} ${height + 8}`);
    for (const name of ["width", "height"]) picture.removeAttribute(name);
    picture.append(this.chips);
    this.drawn = "";
  }

  showBets() {
    if (!this.chips) return;
    const drawn = JSON.stringify(this.bets);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const areas = [...this.cloth.querySelectorAll(".area")];
    for (const seat of this.cloth.querySelectorAll(".seat"))
      seat.classList.toggle("free", !this.bets.seats[Number(seat.dataset.seat) - 1]?.taken);
    this.chips.replaceChildren(
      ...this.bets.wagers.flatMap((wager) => {
        const area = areas.find((each) => Number(each.dataset.seat) === wager.seat && each.dataset.on === wager.on);
        if (!area) return [];
        const { x, y } = area.dataset,
          words = sum(wager.stake, { short: true }),
          wide = words.length * 9 + 12;
        return [
          draw(
            "g",
            { class: "bet", transform: `translate(${x} ${y})` },
            chipStackGroup(wager.stake, { radius: 18 }),
            draw(
              "g",
              { class: "bet-sum", transform: "translate(0 27)" },
              draw("rect", { x: -wide / 2, y: -11, width: wide, height: 22, rx: 11 }),
              draw("text", { y: 5.5 }, words),
            ),
          ),
        ];
      }),
    );
  }
}
customElements.define("table-then", TableThen);
