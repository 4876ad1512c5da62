// @ts-check
// My rounds: every round in which the user wagered, all of them together, and what the exact odds expect of them.
import { at, make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { ask, sum } from "/page/js/house.js";
import { shell } from "/page/js/shell.js";
import { roundAddress } from "/page/js/table/history.js";
import { direction, signed, vigorishSum } from "/page/js/table/slip.js";
import { tableTitle } from "/page/js/table_title.js";
import { timeOf } from "/page/js/time.js";
import { named, t } from "/page/js/words.js";
import "/page/js/element/answer-line.js";
import "/page/js/element/player-protection.js";
import "/page/js/element/win-band.js";

const AT_ONCE = 20,
  MOST_CITES = 2;
const session = await shell({ page: "my-rounds" });
document.title = t("title.my_rounds");
/** @type {Map<string, House.TableCard>} */
const tables = new Map();
let next = "";

/**
 * One figure, with words for it.
 * @param {string} key
 * @param {string} value
 * @param {string} [kind]
 */
const figure = (key, value, kind = "") =>
  make("div", { class: `figure ${kind}` }, make("dt", {}, t(key)), make("dd", {}, value));

/** @param {House.OwnTotals} totals */
function sumsOf({ rounds, staked, vigorish, net, expected, two_deviations: band, unpriced }) {
  const isInside = Math.abs(net - expected) <= band;
  const theory = t("mine.theory", {
    expected: signed(expected),
    low: signed(expected - band),
    high: signed(expected + band),
  });
  const drawn = make("win-band");
  drawn.show({ win: net, theoretical: expected, deviation: Math.max(1, Math.round(band / 2)) });
  return [
    make(
      "dl",
      { class: "panel figures" },
      figure("mine.net", signed(net), `first ${direction(net)}`),
      figure("mine.expected", signed(expected)),
      figure("mine.staked", sum(staked)),
      figure("mine.vigorish", sum(vigorish)),
      figure("mine.rounds", String(rounds)),
    ),
    make(
      "div",
      { class: "panel theory" },
      make("h2", {}, t("mine.against_theory")),
      drawn,
      make("p", {}, theory, " ", make("strong", {}, t(isInside ? "mine.inside" : "mine.outside"))),
      unpriced ? make("p", { class: "quiet" }, t("mine.unpriced", { sum: sum(unpriced) })) : null,
    ),
  ];
}

/**
 * The rounds that moved most.
 * @param {string} key
 * @param {House.OwnRound[]} rounds
 */
const swing = (key, rounds) =>
  rounds.length
    ? make(
        "section",
        { class: "panel" },
        make("header", {}, make("h2", {}, t(key))),
        make(
          "ol",
          {},
          rounds.map((played) =>
            make(
              "li",
              {},
              make(
                "a",
                { href: roundAddress(played.table, played) },
                make("span", {}, t("round.of_shoe", played)),
                make("span", { class: "quiet" }, timeOf(played.at)),
                make("b", { class: direction(played.net) }, signed(played.net)),
              ),
            ),
          ),
        ),
      )
    : null;

/** @param {House.WagerLine} line */
const wagerLine = (line) =>
  make(
    "li",
    {},
    make("span", {}, `${named("table.wager", line.on)} ${sum(line.stake, { short: true })}`),
    make("span", { class: `result ${line.result}` }, t(`why.${line.result}`)),
    line.vigorish ? make("span", { class: "quiet" }, `${t("slip.vigorish")} ${vigorishSum(line)}`) : null,
    clauseTags(line.cites.slice(0, MOST_CITES)),
  );

/** @param {string} table */
function nameOf(table) {
  const card = tables.get(table);
  return card ? tableTitle(card) : table;
}

/** @param {House.OwnRound} played */
function row(played) {
  const { table, shoe, at: time, staked, vigorish, net, lines } = played;
  const bundle = `/api/tables/${encodeURIComponent(table)}/shoes/${shoe}/bundle`;
  const way = make("a", { href: roundAddress(table, played) }, t("round.of_shoe", played));
  return make(
    "tr",
    {},
    make("td", { "data-label": t("mine.when") }, timeOf(time), make("span", { class: "quiet" }, nameOf(table))),
    make(
      "th",
      { scope: "row" },
      way,
      session.practice ? make("a", { class: "bundle", href: bundle, download: "" }, t("mine.bundle")) : null,
    ),
    make("td", { class: "why" }, make("ul", {}, lines.map(wagerLine))),
    make("td", { class: "sum", "data-label": t("mine.staked") }, sum(staked)),
    make("td", { class: "sum", "data-label": t("mine.vigorish") }, sum(vigorish)),
    make("td", { class: `sum net ${direction(net)}`, "data-label": t("mine.net") }, signed(net)),
  );
}

const heads = () => {
  const columns = /** @type {const} */ ([
    ["mine.when", ""],
    ["mine.round", ""],
    ["mine.wagers", ""],
    ["mine.staked", "sum"],
    ["mine.vigorish", "sum"],
    ["mine.net", "sum"],
  ]);
  return make(
    "thead",
    {},
    make(
      "tr",
      {},
      columns.map(([key, kind]) => make("th", { scope: "col", class: kind }, t(key))),
    ),
  );
};

/** The next rounds of the list. */
async function showMore() {
  const query = new URLSearchParams({ limit: String(AT_ONCE), cursor: next });
  const found = /** @type {House.OwnRounds} */ (await ask("GET", `/api/own/rounds?${query}`));
  const list = at("list");
  if (!list.tBodies.length && found.rounds.length) list.append(heads(), make("tbody", {}));
  list.tBodies[0]?.append(...found.rounds.map(row));
  at("none").hidden = list.tBodies.length > 0;
  next = found.next;
  at("more").hidden = !next;
}

async function showTotals() {
  const totals = /** @type {House.OwnTotals} */ (await ask("GET", "/api/own/totals"));
  for (const each of ["csv", "json"]) at(/** @type {"csv" | "json"} */ (each)).hidden = !totals.rounds;
  if (!totals.rounds) return;
  at("sums").replaceChildren(...sumsOf(totals));
  at("swings").replaceChildren(
    ...[swing("mine.best", totals.best), swing("mine.worst", totals.worst)].filter((each) => each !== null),
  );
}

at("more").addEventListener("click", () => showMore().catch((problem) => at("answer").show(problem)));
async function begin() {
  const found = await ask("GET", "/api/tables");
  for (const card of found.tables) tables.set(card.table, card);
  await Promise.all([showMore(), showTotals()]);
}

await begin().catch((problem) => at("answer").show(problem));
