// @ts-check
// The slip of one round: what somebody staked and won, the vigorish with its sum, and why.
import { make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { sum } from "/page/js/house.js";
import { named, t } from "/page/js/words.js";

const MOST_CITES = 3;

/** @param {House.WagerLine} line */
const gainOf = ({ result, stake, win, vigorish }) =>
  result === "win" ? win - vigorish : result === "lose" ? -stake : 0;

/**
 * A slip from the lines of a round that is being settled; `more` is what awards have added.
 * @param {House.WagerLine[]} lines
 * @param {{ table: string, shoe: number, round: number, staked: number, more: number }} about
 * @returns {Page.Slip}
 */
export function slipOf(lines, { more, ...about }) {
  const won = lines.reduce((total, { win }) => total + win, 0),
    vigorish = lines.reduce((total, line) => total + line.vigorish, 0);
  return { ...about, lines, won, vigorish, net: lines.reduce((total, line) => total + gainOf(line), more) };
}

/** @param {number} cents */
export const signed = (cents) => sum(cents, { sign: cents > 0 });

/** @param {number} cents */
export const direction = (cents) => (cents > 0 ? "up" : cents < 0 ? "down" : "even");

/**
 * The vigorish of a wager as a sum: rate times what it won, raised to whole coins where the table does that.
 * @param {House.WagerLine} line
 */
export function vigorishSum({ rate, win, coin, vigorish }) {
  const parts = { rate, base: sum(win), vigorish: sum(vigorish), coin: sum(coin) };
  return t(coin ? "slip.vigorish_raised" : "slip.vigorish_sum", parts);
}

/**
 * A slip as a table: each wager with its outcome and the clauses behind it, the vigorish, and what is left.
 * @param {Page.Slip} slip
 * @param {Record<string, string>} titles the names of wagers
 */
export function slipTable({ lines, net }, titles) {
  const other = net - lines.reduce((total, line) => total + gainOf(line), 0);
  /** @param {House.WagerLine} line */
  const rows = (line) => [
    make(
      "tr",
      {},
      make("th", { scope: "row" }, `${titles[line.on] ?? named("table.wager", line.on)} ${sum(line.stake)}`),
      make("td", {}, t(`why.${line.result}`), " ", clauseTags(line.cites.slice(0, MOST_CITES))),
      make("td", { class: "sum" }, signed(gainOf({ ...line, vigorish: 0 }))),
    ),
    line.vigorish
      ? make(
          "tr",
          { class: "of-it" },
          make("th", { scope: "row" }, t("why.vigorish")),
          make("td", {}, vigorishSum(line)),
          make("td", { class: "sum" }, sum(-line.vigorish)),
        )
      : null,
  ];
  /**
   * @param {string} key
   * @param {number} cents
   */
  const end = (key, cents) =>
    make(
      "tr",
      { class: direction(cents) },
      make("th", { scope: "row", colspan: 2 }, t(key)),
      make("td", { class: "sum" }, signed(cents)),
    );
  return make(
    "table",
    { class: "slip-table" },
    make("tbody", {}, lines.flatMap(rows), other ? end("slip.other", other) : null),
    make("tfoot", {}, end("slip.net", net)),
  );
}
