// One hand: two cards and a place for the third, its count, and who holds it. Every place exists before its card.
import { make } from "/page/js/dom.js";
import { cardCode, cardPicture } from "/page/js/picture.js";
import { t } from "/page/js/words.js";

/** @type {Record<string, string>} */
const LETTERS = { player: "P", banker: "B" };

export class HandCards extends HTMLElement {
  side = "";
  note = make("span", { class: "note" });
  slots = [0, 1, 2].map((index) => make("div", { class: index === 2 ? "slot third" : "slot" }));
  count = make("div", { class: "count none" }, "–");

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
      this.count,
    );
  }

  /**
   * cards: what is turned, null face down; count: null until it is called; note: words next to the name.
   * @param {Page.HandShown} hand
   */
  show({ cards, count = null, note = "", won = false, beaten = false, former = false }) {
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
