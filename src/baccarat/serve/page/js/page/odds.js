// The odds of a table, or of a shipped Submission: exact, as the house computes them.
import { at, make, within } from "/page/js/dom.js";
import { addressPart, ask, Problem } from "/page/js/house.js";
import { inlinePicture } from "/page/js/picture.js";
import { namePlot } from "/page/js/plot_words.js";
import { shell } from "/page/js/shell.js";
import { tablePlace, tableTitle } from "/page/js/table_title.js";
import { lawText, named, t, wagerTitles } from "/page/js/words.js";

const PLOTS = ["edges", "hits", "stakes"];
const NOT_FOUND = 404;

/**
 * The names of wagers in English, each with its name in the reader's language.
 * @type {Record<string, string>}
 */
const titles = {};

/**
 * The prices of the table of a name; if there is none, of the Submission.
 * @param {string} name
 */
async function prices(name) {
  try {
    return await ask("GET", `/api/tables/${encodeURIComponent(name)}/odds`);
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== NOT_FOUND) throw problem;
    return ask("GET", `/api/submissions/${encodeURIComponent(name)}/odds`);
  }
}

/**
 * @param {Page.Child[]} cells
 * @param {{ head?: boolean, total?: boolean }} [how]
 */
const row = (cells, { head = false, total = false } = {}) =>
  make(
    "tr",
    { class: total ? "total" : null },
    cells.map((cell, index) => {
      const isHead = head || index === 0;
      return make(
        isHead ? "th" : "td",
        { scope: head ? "col" : isHead ? "row" : null, class: index ? "sum" : null },
        cell,
      );
    }),
  );

/**
 * The cells of a row in the reader's language: what happens, and what is paid for it, such as "1 to 1 less vigorish".
 * @param {string[]} cells
 */
function cellsOf([event, pays, ...numbers]) {
  const [, many, one, less] = /^(.+) to (\d+)( less vigorish)?$/.exec(pays) ?? [];
  const odds = many ? t("odds.to_one", { many, one }) : pays;
  return [named("odds.row", event.replaceAll("_", " ")), less ? t("odds.less_vigorish", { odds }) : odds, ...numbers];
}

/** @param {House.RulebookPrices} found */
function overview(found) {
  const heads = ["wager", "edge", "resolved", "deviation", "hit", "push"].map((key) => t(`odds.column_${key}`));
  at("all").replaceChildren(
    make("thead", {}, row(heads, { head: true })),
    make(
      "tbody",
      {},
      found.wagers.map(({ wager, name: title, measures }) =>
        row([
          make("a", { href: `#${wager}` }, title),
          measures.edge,
          measures.edge_resolved,
          measures.deviation,
          measures.hit,
          measures.push,
        ]),
      ),
    ),
  );
}

/** @param {House.WagerPrice} price */
function payTable({ wager, name: title, measures, table, edge }) {
  const heads = ["event", "pays", "combinations", "probability", "return"].map((key) => t(`odds.column_${key}`));
  const plot = make("figure", { class: "plot" });
  return make(
    "section",
    { class: "panel", id: wager, "aria-labelledby": `head-${wager}` },
    make(
      "header",
      {},
      make("h2", { id: `head-${wager}` }, title),
      make("span", { class: "figure" }, t("odds.edge_is", { edge: measures.edge })),
    ),
    make(
      "div",
      { class: "halves" },
      make(
        "div",
        { class: "wide", tabindex: 0, role: "group", "aria-labelledby": `head-${wager}` },
        make(
          "table",
          {},
          make("thead", {}, row(heads, { head: true })),
          make(
            "tbody",
            {},
            table.map((cells, index) => row(cellsOf(cells), { total: index === table.length - 1 })),
          ),
        ),
      ),
      plot,
    ),
    make("p", { class: "exact quiet" }, t("odds.exact"), " ", make("code", {}, edge)),
  );
}

/**
 * Shows a picture, if the house has one.
 * @param {HTMLElement} figure
 * @param {string} address
 */
async function picture(figure, address) {
  try {
    const drawn = await inlinePicture(address);
    namePlot(drawn, titles);
    figure.replaceChildren(drawn);
  } catch {
    figure.remove();
  }
}

/** @param {House.RulebookPrices} found */
async function plots(found) {
  const where = `/picture/odds/${found.rulebook}`;
  /** @type {[figure: HTMLElement, address: string][]} */
  const figures = PLOTS.map((plot) => [make("figure", { class: "panel plot" }), `${where}/${plot}.svg`]);
  at("plots").replaceChildren(...figures.map(([figure]) => figure));
  /** @type {[figure: HTMLElement, address: string][]} */
  const ofWagers = found.wagers.map(({ wager }) => [
    within(document, `#${CSS.escape(wager)} .plot`),
    `${where}/${wager}.svg`,
  ]);
  await Promise.all([...figures, ...ofWagers].map(([figure, address]) => picture(figure, address)));
}

/** The available odds, and the chosen ones: the first if the address names none. */
async function others() {
  const [{ submissions }, { tables }] = await Promise.all([ask("GET", "/api/submissions"), ask("GET", "/api/tables")]);
  const cards = new Map(tables.map((card) => [card.table, card]));
  /**
   * A table by its title and its place in the house; what is filed and not played by its name.
   * @param {string} each
   */
  const called = (each) => {
    const card = cards.get(each);
    return card ? `${tableTitle(card)} · ${tablePlace(card)}` : each;
  };
  const names = [
    ...new Set(submissions.flatMap((each) => [...each.tables, ...(each.shipped ? [each.name] : [])])),
  ].sort();
  const name =
    addressPart(2) ||
    (names.includes(session.table)
      ? session.table
      : (submissions.flatMap((each) => each.tables).sort()[0] ?? names[0]));
  history.replaceState(null, "", `/odds/${encodeURIComponent(name)}${location.hash}`);
  at("which").replaceChildren(...names.map((each) => new Option(called(each), each, false, each === name)));
  at("which").addEventListener("change", () => location.assign(`/odds/${encodeURIComponent(at("which").value)}`));
  const card = cards.get(name);
  return { name, title: card ? tableTitle(card) : name };
}

async function show() {
  const { name, title } = await others(),
    found = await prices(name);
  at("title").textContent = t("odds.title", { name: title });
  at("about").textContent = t("odds.about", { title: lawText(found.title).text, cards: found.cards });
  at("rules").href = `/rules?edition=${encodeURIComponent(found.edition)}`;
  at("remarks").replaceChildren(
    ...[...found.remarks, ...Object.values(found.missing), ...found.notes].map((text) =>
      make("p", { class: "notice" }, text),
    ),
  );
  for (const { wager, name: title } of found.wagers) titles[title] = wagerTitles({ [wager]: title })[wager];
  for (const each of found.wagers) each.name = wagerTitles({ [each.wager]: each.name })[each.wager];
  overview(found);
  at("wagers").replaceChildren(...found.wagers.map(payTable));
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  await plots(found);
}

const session = await shell({ page: "odds" });
await show().catch((problem) => at("problem").show(problem));
