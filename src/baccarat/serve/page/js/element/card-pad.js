// The 52 keys: a card is chosen by a press, or typed as rank and suit; the chosen one stands out.
import { make } from "/page/js/dom.js";
import { cardName } from "/page/js/picture.js";
import { t } from "/page/js/words.js";

export const RANKS = [..."A23456789TJQK"],
  SUITS = [..."shdc"];
export const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
/** What is typed for a rank: a ten is T, 1 or 0. */
export const rankTyped = (key) =>
  ({ 1: "T", 0: "T" })[key] ?? (RANKS.includes(key.toUpperCase()) ? key.toUpperCase() : "");
export const suitTyped = (key) => (SUITS.includes(key.toLowerCase()) ? key.toLowerCase() : "");
/** A card as it is printed on a key. */
export const printed = (card) => `${card[0] === "T" ? "10" : card[0]}\u2009${SIGNS[card[1]]}`;

export class CardPad extends HTMLElement {
  connectedCallback() {
    if (this.keys) return;
    this.keys = new Map();
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", t("dealer.all_cards"));
    this.append(
      ...SUITS.map((suit) =>
        make(
          "div",
          { class: "suit" },
          RANKS.map((rank) => this.key(rank + suit)),
        ),
      ),
    );
    this.choose(this.chosen ?? null);
  }

  key(card) {
    const made = make(
      "button",
      {
        type: "button",
        class: `key ${card[1]}`,
        "aria-label": cardName(card),
        "aria-pressed": "false",
        "data-card": card,
        onclick: () => this.dispatchEvent(new CustomEvent("key", { detail: card, bubbles: true })),
      },
      make("b", {}, card[0] === "T" ? "10" : card[0]),
      make("span", { "aria-hidden": "true" }, SIGNS[card[1]]),
    );
    this.keys.set(card, made);
    return made;
  }

  /** Marks the chosen card, if any. */
  choose(card) {
    this.chosen = card;
    for (const [name, key] of this.keys ?? []) key.setAttribute("aria-pressed", String(name === card));
  }
}
customElements.define("card-pad", CardPad);
