// One hand: two cards and a place for the third, its count, and who holds it. Every place exists before its card.
import { make } from "/page/js/dom.js";
import { cardCode, cardPicture } from "/page/js/picture.js";
import { t } from "/page/js/words.js";

const SECOND = 1000;
/** @type {Record<string, string>} */
const LETTERS = { player: "P", banker: "B" };

export class HandCards extends HTMLElement {
  side = "";
  note = make("span", { class: "note" });
  slots = [0, 1, 2].map((index) => make("div", { class: index === 2 ? "slot third" : "slot" }));
  count = make("div", { class: "count none" }, "–");
  held = make("div", { class: "held-by" });
  left = make("span", { class: "left" });
  /** @type {Page.Wait | null} */
  wait = null;

  connectedCallback() {
    if (this.firstChild) return;
    this.side = this.getAttribute("side") ?? "";
    this.append(
      make(
        "div",
        { class: "head" },
        make("span", { class: `disc ${this.side}`, "aria-hidden": "true" }, LETTERS[this.side]),
        make("span", { class: "word" }, t(`table.${this.side}`)),
        this.note,
      ),
      make("div", { class: "two" }, this.slots[0], this.slots[1]),
      this.slots[2],
      this.held,
      this.count,
    );
    this.timer = setInterval(() => this.tick(), SECOND / 4);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  /**
   * cards: what is turned, null face down; count: null until it is called; note: words next to the name; holder: who
   * has the cards, in words, and wait: how long. All see that cards are peeled, and only the holder what is on them.
   * @param {Page.HandShown} hand
   */
  show({ cards, count = null, note = "", holder = "", wait = null, won = false, beaten = false, former = false }) {
    this.wait = holder ? wait : null;
    this.classList.toggle("held", Boolean(holder));
    if (this.held.dataset.words !== holder) {
      this.held.dataset.words = holder;
      this.held.replaceChildren(...(holder ? [holder, " ", this.left] : []));
    }
    this.tick();
    this.classList.toggle("won", won);
    this.classList.toggle("beaten", beaten);
    this.classList.toggle("former", former);
    this.note.textContent = note;
    this.count.textContent = count === null ? "–" : String(count);
    this.count.classList.toggle("none", count === null);
    this.count.setAttribute(
      "aria-label",
      count === null ? t("table.not_counted") : t("table.counted", { hand: t(`table.${this.side}`), count }),
    );
    this.count.setAttribute("role", "img");
    this.slots.forEach((slot, index) => this.lay(slot, index < cards.length ? cards[index] : undefined));
  }

  tick() {
    const seconds = this.wait ? Math.max(0, Math.ceil((this.wait.until - performance.now()) / SECOND)) : 0,
      words = this.wait ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` : "";
    if (this.left.textContent !== words) this.left.textContent = words;
  }

  /**
   * @param {HTMLElement} slot
   * @param {Page.Card} card
   */
  lay(slot, card) {
    const shown = card === undefined ? "" : (cardCode(card) ?? "back");
    if (slot.dataset.card === shown) return;
    const turned = slot.dataset.card === "back" && shown !== "";
    slot.dataset.card = shown;
    slot.classList.toggle("turned", turned);
    slot.replaceChildren(...(shown ? [cardPicture(card)] : []));
  }
}
customElements.define("hand-cards", HandCards);
