// A journal: every act as a sentence with its clauses, under the steps in which it was done. Refusals are highlighted.
import { make, targetOf } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { clockOf } from "/page/js/time.js";
import { named, t } from "/page/js/words.js";

/**
 * A sign for each sort, next to its word: never colour alone.
 * @type {Record<string, string>}
 */
export const SIGNS = {
  wager: "◇",
  card: "▭",
  call: "“",
  payment: "$",
  refusal: "✕",
  irregularity: "!",
  correction: "↺",
  other: "·",
};

export class JournalList extends HTMLElement {
  list = make("ol", { tabindex: 0, "aria-label": t("watch.journal") });
  /** @type {Map<number, HTMLElement>} */
  rows = new Map();
  /** @type {Page.JournalLine[]} */
  shown = [];

  connectedCallback() {
    if (this.firstChild) return;
    this.append(this.list);
    this.list.addEventListener("click", (event) => {
      const row = targetOf(event).closest("[data-index]");
      if (row && !targetOf(event).closest("a"))
        this.dispatchEvent(new CustomEvent("seek", { detail: Number(row.dataset.index) }));
    });
  }

  /**
   * lines: [{index, sort, say, cites, number, at, step, round}]; a step is the heading of what follows it, and a new
   * round has a heading too. Existing lines stay as they are.
   * @param {Page.JournalLine[]} lines
   * @param {{ empty?: string }} [how]
   */
  show(lines, { empty = t("watch.nothing") } = {}) {
    const kept = this.shown;
    const same = lines.length >= kept.length && kept.every((line, index) => line.key === lines[index].key);
    if (!same) {
      this.list.replaceChildren();
      this.rows.clear();
    }
    for (let index = same ? kept.length : 0; index < lines.length; index += 1)
      this.list.append(...this.made(lines[index], lines[index - 1]));
    this.shown = lines;
    this.querySelector(".empty")?.remove();
    if (lines.length === 0) this.append(make("p", { class: "empty soft" }, empty));
  }

  /**
   * @param {Page.JournalLine} line
   * @param {Page.JournalLine | undefined} before
   */
  made(line, before) {
    const heads =
      line.round !== undefined && line.round !== before?.round
        ? [this.head(t("watch.round", { round: line.round }))]
        : [];
    if (line.sort === "step") return [...heads, this.head(named("step", line.step))];
    const row = make(
      "li",
      { class: line.index < 0 ? `${line.sort} earlier` : line.sort, "data-index": line.index },
      make("span", { class: "number" }, line.number === null ? "" : String(line.number)),
      make("time", {}, clockOf(line.at)),
      make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[line.sort]),
      make(
        "p",
        {},
        line.sort === "refusal" ? make("b", {}, t("watch.refused")) : null,
        line.sort === "refusal" ? " " : null,
        line.say,
      ),
      clauseTags(line.cites),
    );
    this.rows.set(line.index, row);
    return [...heads, row];
  }

  /** @param {string} words */
  head(words) {
    return make("li", { class: "step" }, make("span", {}, words));
  }

  /** Moves the focus to the list. */
  focus() {
    this.list.focus();
  }

  /**
   * Marks the current line; what comes after it is pale.
   * @param {number | null} index
   * @param {{ scroll?: boolean }} [how]
   */
  mark(index, { scroll = true } = {}) {
    for (const [at, row] of this.rows) {
      row.classList.toggle("now", at === index);
      row.classList.toggle("later", index !== null && at > index);
      if (at === index) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
    const row = index === null ? undefined : this.rows.get(index);
    if (row && scroll)
      this.list.scrollTop = row.offsetTop - this.list.offsetTop - this.list.clientHeight / 2 + row.clientHeight / 2;
  }
}
customElements.define("journal-list", JournalList);
