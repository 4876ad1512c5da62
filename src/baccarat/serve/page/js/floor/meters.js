// Progressive meters: what each table shows, and which tables share theirs.
import { fill, make } from "/page/js/dom.js";
import { ask, sum } from "/page/js/house.js";
import { named, t } from "/page/js/words.js";
import { streamActs } from "/page/js/floor/act-dialog.js";

const MICRO = 1e6;
/** @param {unknown} micro */
const shownSum = (micro) => sum(Math.floor(Number(micro) / MICRO));

/**
 * @param {string} name
 * @param {{ amounts?: Record<string, number>, must_hit?: number }} meters
 * @param {Record<string, string[]>} links
 */
function meterRows(name, meters, links) {
  const link = Object.entries(links).find(([, tables]) => tables.includes(name))?.[0];
  const found = Object.entries(meters.amounts ?? {}).map(([meter, micro]) => [meter, shownSum(micro)]);
  if (meters.must_hit) found.push([t("floor.must_hit"), sum(meters.must_hit)]);
  return found.map(([meter, amount], index) =>
    make(
      "tr",
      {},
      index ? null : make("th", { scope: "rowgroup", rowspan: found.length }, name),
      make("td", {}, named("meter", meter)),
      make("td", { class: "sum" }, amount),
      make("td", {}, link ? t("floor.shares", { link }) : ""),
    ),
  );
}

/**
 * Shows every meter, and the acts of links that the user may do.
 * @param {Page.FloorPage} here
 * @param {HTMLElement} view
 */
export async function showMeters(here, view) {
  const { tables, links } = await ask("GET", "/api/meters");
  const streams = ["house", ...Object.keys(links).map((name) => `link ${name}`)];
  const acts = (await Promise.all(streams.map(streamActs)))
    .flat()
    .filter((act) => ["link_tables", "set_next_terms"].includes(act.act) && (act.open || !act.refused));
  const rows = Object.entries(tables).flatMap(([name, meters]) => meterRows(name, meters, links));
  view.className = "view";
  fill(view, JSON.stringify([tables, links, acts]), () => [
    make(
      "div",
      { class: "buttons", hidden: !acts.length },
      acts.map((act) =>
        make(
          "button",
          { type: "button", class: "button", onclick: () => here.dialog.open(act, { tables: here.tables }) },
          named("act", act.act),
          act.stream.startsWith("link ") ? ` ${act.stream.slice(5)}` : "",
        ),
      ),
    ),
    make(
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
            ["floor.table", "floor.meter", "floor.shows", "floor.link"].map((key) =>
              make("th", { scope: "col", class: key === "floor.shows" ? "sum" : null }, t(key)),
            ),
          ),
        ),
        make(
          "tbody",
          {},
          rows.length ? rows : make("tr", {}, make("td", { colspan: 4, class: "quiet" }, t("floor.no_meters"))),
        ),
      ),
    ),
  ]);
}
