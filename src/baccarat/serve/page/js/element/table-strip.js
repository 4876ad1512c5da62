// Several tables at a glance: the last results of each, and how long wagers are still accepted there.
import { fill, make } from "/page/js/dom.js";
import { tablePlace, tableSign, tableTitle } from "/page/js/table_title.js";
import { phaseText } from "/page/js/table/phase.js";
import { t } from "/page/js/words.js";

const LAST = 5;
/** @type {Record<string, string>} */
const HANDS = { B: "banker", P: "player", T: "tie" };

/**
 * The last results of a shoe, in letters.
 * @param {string} marks
 * @param {number} [count]
 */
export const lastResults = (marks, count = LAST) => [...marks].filter((letter) => HANDS[letter]).slice(-count);

/**
 * The disc of a result; `fresh` for one that has just come.
 * @param {string} letter
 * @param {boolean} [fresh]
 */
export const resultDisc = (letter, fresh = false) =>
  make("span", { class: `disc ${HANDS[letter]}${fresh ? " fresh" : ""}` }, letter);

export class TableStrip extends HTMLElement {
  /** @type {Map<string, ReturnType<TableStrip["newTile"]>>} */
  tiles = new Map();
  list = make("ul");

  connectedCallback() {
    this.setAttribute("role", "group");
    this.setAttribute("aria-label", t("lobby.followed"));
    if (!this.firstChild) this.append(make("h2", {}, t("lobby.followed")), this.list);
  }

  /**
   * Shows tables, each [its card, what moves there].
   * @param {[card: House.TableCard, now: Page.News][]} tables
   */
  show(tables) {
    this.hidden = !tables.length;
    const shown = tables.map(([card, now]) => {
      const tile = this.tiles.get(card.table) ?? this.newTile(card);
      this.tiles.set(card.table, tile);
      this.update(tile, card, now);
      return tile.element;
    });
    if (this.list.children.length !== shown.length || shown.some((each, index) => this.list.children[index] !== each))
      this.list.replaceChildren(...shown);
  }

  /** @param {House.TableCard} card */
  newTile(card) {
    const parts = {
      sign: make("b"),
      title: make("span", { class: "quiet" }),
      last: make("span", { class: "last" }),
      phase: make("span", { class: "phase" }),
    };
    const link = make(
      "a",
      { href: `/table/${encodeURIComponent(card.table)}` },
      make("span", { class: "name" }, parts.sign, parts.title),
      parts.last,
      parts.phase,
    );
    const label = t("lobby.unfollow_table", { table: `${tableTitle(card)}, ${tableSign(card)}` });
    const leave = make(
      "button",
      { type: "button", class: "leave", "aria-label": label, title: label, onclick: () => this.leave(card.table) },
      "×",
    );
    return { element: make("li", {}, link, leave), parts, link };
  }

  /**
   * @param {ReturnType<TableStrip["newTile"]>} tile
   * @param {House.TableCard} card
   * @param {Page.News} now
   */
  update({ parts, link }, card, now) {
    parts.title.textContent = tableTitle(card);
    parts.sign.textContent = tableSign(card);
    link.title = `${tableTitle(card)} · ${tablePlace(card)}`;
    const letters = lastResults(now.marks);
    fill(parts.last, letters.join("") + now.round, () =>
      letters.length
        ? letters.map((letter, index) => resultDisc(letter, index === letters.length - 1))
        : [make("span", { class: "quiet" }, t("lobby.no_result"))],
    );
    parts.phase.className = `phase ${now.phase}`;
    parts.phase.textContent = phaseText(now);
  }

  /** @param {string} table */
  leave(table) {
    this.dispatchEvent(new CustomEvent("unfollow", { detail: table, bubbles: true }));
  }
}
customElements.define("table-strip", TableStrip);
