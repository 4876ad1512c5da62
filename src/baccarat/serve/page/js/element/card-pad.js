// The 52 keys: a card is chosen by a press, or typed as rank and suit; the chosen one stands out.
import { make } from "/page/js/dom.js";
import { cardName } from "/page/js/picture.js";
import { t } from "/page/js/words.js";

export const RANKS = [..."A23456789TJQK"],
  SUITS = [..."shdc"];
/** @type {Record<string, string>} */
export const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
/**
 * What is typed for a rank: a ten is T, 1 or 0.
 * @param {string} key
 * @returns {string}
 */
export const rankTyped = (key) =>
  key === "1" || key === "0" ? "T" : RANKS.includes(key.toUpperCase()) ? key.toUpperCase() : "";
/** @param {string} key */
export const suitTyped = (key) => (SUITS.includes(key.toLowerCase()) ? key.toLowerCase() : "");
/**
 * A card as it is printed on a key.
 * @param {string} card
 */
export const printed = (card) => `${card[0] === "T" ? "10" : card[0]}\u2009${SIGNS[card[1]]}`;

export class CardPad extends HTMLElement {
  /** @type {Map<string, HTMLElement>} */
  keys = new Map();
  /** @type {string | null} */
  chosen = null;

  connectedCallback() {
    if (this.firstChild) return;
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
    this.choose(this.chosen);
  }

  /** @param {string} card */
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

  /**
   * Marks the chosen card, if any.
   * @param {string | null} card
   */
  choose(card) {
    this.chosen = card;
    for (const [name, key] of this.keys) key.setAttribute("aria-pressed", String(name === card));
  }
}
customElements.define("card-pad", CardPad);
