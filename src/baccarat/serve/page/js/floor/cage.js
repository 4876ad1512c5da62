// The cage: bankroll, trays and drop boxes, fills, credits and counts, and the slips that say who did them.
import { fill, make } from "/page/js/dom.js";
import { ask, sum } from "/page/js/house.js";
import { timeOf } from "/page/js/time.js";
import { named, t, told } from "/page/js/words.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { streamActs } from "/page/js/floor/act-dialog.js";

const AT_A_TABLE = ["open_tray", "fill_tray", "credit_tray", "count_tray", "close_tray", "count_drop"];

/**
 * @param {House.OpenAct} act
 * @returns {string[]}
 */
const tablesOf = (act) => act.fields.find((field) => field.name === "table")?.choices?.map((each) => each.value) ?? [];

/**
 * What the user may do at a table's tray or drop box.
 * @param {House.OpenAct[]} acts
 * @param {string} table
 */
const actsAt = (acts, table) =>
  acts.filter((act) => act.open && AT_A_TABLE.includes(act.act) && tablesOf(act).includes(table));

/**
 * @param {House.OpenAct[]} acts
 * @param {string} table
 * @param {Page.FloorPage} here
 */
function acting(acts, table, here) {
  return actsAt(acts, table).map((act) =>
    make(
      "button",
      { type: "button", class: "button small", onclick: () => here.dialog.open(act, { values: { table } }) },
      named("act", act.act),
    ),
  );
}

/**
 * @param {string} name
 * @param {House.CageShown | null} cage
 * @param {House.OpenAct[]} acts
 * @param {Page.FloorPage} here
 */
function trayRow(name, cage, acts, here) {
  const tray = cage?.trays[name],
    over = cage?.over_short[name] ?? 0;
  const cells = cage
    ? [
        make("td", {}, t(tray?.open ? "floor.tray_open" : "floor.tray_closed")),
        make("td", { class: "sum" }, sum(tray?.sent ?? 0)),
        make("td", { class: "sum" }, tray?.counted === null || tray?.counted === undefined ? "–" : sum(tray.counted)),
        make("td", { class: "sum" }, sum(cage.drops[name] ?? 0)),
        make("td", { class: "sum" }, over ? sum(over, { sign: true }) : "–"),
      ]
    : [];
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, name),
    ...cells,
    make("td", {}, make("div", { class: "acts" }, acting(acts, name, here))),
  );
}

/**
 * What the user may not do now, each with the reason: an empty page would not say what the work here is.
 * @param {House.OpenAct[]} acts
 */
function notNow(acts) {
  const shut = acts.filter((act) => !act.open && act.refused);
  if (!shut.length) return null;
  return make(
    "details",
    { class: "panel padded not-now" },
    make("summary", {}, t("floor.not_now", { count: shut.length })),
    make(
      "ul",
      {},
      shut.map((act) =>
        make(
          "li",
          {},
          make("b", {}, named("act", act.act)),
          ": ",
          act.refused?.say,
          " ",
          clauseTags(act.refused?.cites),
        ),
      ),
    ),
  );
}

/** @param {House.CageSlip[]} slips */
function slipsPanel(slips) {
  const items = slips.map((slip) =>
    make(
      "li",
      {},
      make("time", { class: "quiet" }, timeOf(slip.at)),
      slip.done.map((each) => make("p", {}, told(each), " ", clauseTags(each.cites))),
    ),
  );
  return make(
    "section",
    { class: "panel" },
    make(
      "header",
      {},
      make("h2", {}, t("floor.slips")),
      make("button", { type: "button", class: "button small", onclick: () => print() }, t("floor.print")),
    ),
    make("ul", { class: "slips" }, items.length ? items : make("li", { class: "empty quiet" }, t("floor.no_slips"))),
  );
}

/**
 * Shows the cage as the user may see it, with what the user may do there.
 * @param {Page.FloorPage} here
 * @param {HTMLElement} view
 */
export async function showCage(here, view) {
  const sees = here.session.can.includes("see_cage");
  const [cage, slips, ...both] = await Promise.all([
    sees ? ask("GET", "/api/cage") : null,
    sees ? ask("GET", "/api/cage/slips?limit=30") : null,
    streamActs("cage"),
    streamActs("coupons"),
  ]);
  const acts = both.flat();
  view.className = "view";
  fill(view, JSON.stringify([cage, slips, acts]), () => {
    const heads = cage
      ? ["floor.tray", "floor.tray_sent", "floor.tray_counted", "floor.drop_counted", "floor.over_short"]
      : [];
    const whole = acts.filter((act) => act.open && !AT_A_TABLE.includes(act.act)),
      names = cage ? here.tables : here.tables.filter((name) => actsAt(acts, name).length);
    return [
      cage &&
        make(
          "dl",
          { class: "sums" },
          make("div", {}, make("dt", {}, t("floor.bankroll")), make("dd", {}, sum(cage.bankroll))),
          make("div", {}, make("dt", {}, t("floor.redeemed")), make("dd", {}, sum(cage.redeemed))),
          make("div", {}, make("dt", {}, t("floor.slip_count")), make("dd", {}, cage.slips)),
        ),
      whole.length
        ? make(
            "div",
            { class: "buttons" },
            whole.map((act) =>
              make(
                "button",
                { type: "button", class: "button", onclick: () => here.dialog.open(act) },
                named("act", act.act),
              ),
            ),
          )
        : null,
      names.length ? null : make("p", { class: "quiet" }, t("floor.nothing_in_cage")),
      !names.length
        ? null
        : make(
            "section",
            { class: "panel wide" },
            make(
              "table",
              {},
              make(
                "thead",
                {},
                make(
                  "tr",
                  {},
                  make("th", { scope: "col" }, t("floor.table")),
                  heads.map((key, index) => make("th", { scope: "col", class: index ? "sum" : null }, t(key))),
                  make("th", { scope: "col" }, t("floor.acts")),
                ),
              ),
              make(
                "tbody",
                {},
                names.map((name) => trayRow(name, cage, acts, here)),
              ),
            ),
          ),
      notNow(acts),
      slips && slipsPanel(slips.slips),
    ].filter(Boolean);
  });
}
