// A settlement in the filed order: each line with its sums ready; what is done, what is next, what comes later.
import { make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { sum } from "/page/js/house.js";
import { listed, named, t, wagerTitles } from "/page/js/words.js";

/** @type {Record<string, string>} */
const MARKS = { done: "✓", now: "▶", later: "○" };
/**
 * @param {number | null | undefined} cents
 * @param {(cents: number) => string} [shown]
 */
const cell = (cents, shown = sum) =>
  make("td", { class: "sum" }, cents === null || cents === undefined ? "–" : shown(cents));

export class PayTable extends HTMLElement {
  /**
   * Shows the lines of a settlement, with the clauses of its order.
   * @param {House.SettlementLine[]} lines
   * @param {string[]} cites
   */
  show(lines, cites) {
    const marked = lines.some((line) => line.is_marked);
    const here = lines.find((line) => line.state === "now") ?? lines[0];
    this.classList.add("panel");
    this.replaceChildren(
      make("header", {}, make("h2", {}, t("dealer.settlement")), clauseTags(cites)),
      make(
        "table",
        {},
        make(
          "thead",
          {},
          make(
            "tr",
            {},
            make("th", {}, make("span", { class: "unseen" }, t("dealer.progress_head"))),
            make("th", {}, t("dealer.seat_head")),
            make("th", {}, t("dealer.wagers")),
            make("th", { class: "sum" }, t("dealer.vigorish")),
            marked ? make("th", { class: "sum box" }, t("dealer.box_then")) : null,
            make("th", { class: "sum" }, t("dealer.pay")),
          ),
        ),
        make(
          "tbody",
          {},
          lines.map((line) => this.line(line, marked)),
        ),
      ),
      here.say ? make("footer", { class: "soft" }, make("span", { lang: "en" }, here.say), clauseTags(here.cites)) : "",
    );
  }

  /**
   * @param {House.SettlementLine} line
   * @param {boolean} marked
   */
  line(line, marked) {
    const seat = line.seat ? make("b", { class: "seat" }, String(line.seat)) : t("dealer.all_seats");
    const moved = line.seat ? cell(line.award ?? line.pay) : make("td", { class: "sum" }, sum(-(line.collect ?? 0)));
    return make(
      "tr",
      { class: line.state, "aria-current": line.state === "now" ? "step" : null },
      make(
        "td",
        {},
        make(
          "span",
          { class: "mark", role: "img", "aria-label": named("dealer.progress", line.state) },
          MARKS[line.state],
        ),
      ),
      make("td", {}, seat),
      make("td", {}, this.words(line)),
      cell(line.vigorish),
      marked ? make("td", { class: "sum box" }, line.box === null ? "–" : sum(line.box)) : null,
      moved,
    );
  }

  /** @param {House.SettlementLine} line */
  words(line) {
    if (!line.seat)
      return t(line.seats.length === 1 ? "dealer.losing_wagers_one" : "dealer.losing_wagers", {
        seats: listed(line.seats.map(String)),
      });
    if (line.row) return t("dealer.award", { row: line.row.replaceAll("_", " ") });
    return line.wagers
      .map((wager) => `${wagerTitles({ [wager.on]: wager.title })[wager.on]} ${sum(wager.stake, { short: true })}`)
      .join(" · ");
  }
}
customElements.define("pay-table", PayTable);
