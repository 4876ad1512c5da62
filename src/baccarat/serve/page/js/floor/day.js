// The gaming day: the figures of each table compared with theory, what keeps the day open, and its close.
import { fill, make } from "/page/js/dom.js";
import { sum } from "/page/js/house.js";
import { named, t, told } from "/page/js/words.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { streamActs } from "/page/js/floor/act-dialog.js";

const COLUMNS = [
  "floor.rounds",
  "floor.drop",
  "floor.win",
  "floor.hold",
  "floor.expected",
  "floor.two_deviations",
  "floor.vigorish",
];

/**
 * @param {string} name
 * @param {House.FloorBand} figures
 */
function figuresRow(name, figures) {
  const cells = [
    figures.rounds,
    sum(figures.drop),
    sum(figures.win),
    figures.hold ? t("floor.percent", { value: figures.hold }) : "–",
    sum(figures.theoretical),
    `± ${sum(2 * figures.deviation)}`,
    sum(figures.vigorish),
  ];
  return make(
    "tr",
    { class: figures.within ? null : "far" },
    make("th", { scope: "row" }, name),
    cells.map((each) => make("td", { class: "sum" }, each)),
  );
}

/**
 * @param {House.OpenAct[]} acts
 * @param {Page.FloorPage} here
 */
function standing(acts, here) {
  const open = acts.filter((act) => act.open);
  if (open.length)
    return make(
      "div",
      { class: "buttons" },
      open.map((act) =>
        make(
          "button",
          { type: "button", class: "button main", onclick: () => here.dialog.open(act) },
          named("act", act.act),
        ),
      ),
    );
  const refused = acts.find((act) => act.act === "close_day" && act.refused)?.refused;
  return refused
    ? make(
        "div",
        { class: "notice" },
        make("b", {}, t("floor.day_kept_open")),
        " ",
        clauseTags(refused.cites),
        make(
          "ul",
          { class: "reasons" },
          (refused.parts.length
            ? refused.parts.map((say, index) => ({ say, ...refused.part_notes[index] }))
            : [refused]
          ).map((each) => make("li", {}, told(each))),
        ),
      )
    : null;
}

/**
 * Shows the day, with what the user may do about it.
 * @param {Page.FloorPage} here
 * @param {HTMLElement} view
 */
export async function showDay(here, view) {
  const { floor } = here,
    acts = (await streamActs("day")).filter((act) => act.group === "day");
  view.className = "view";
  fill(
    view,
    JSON.stringify([floor.day, floor.closed, floor.figures, floor.tables.map((table) => table.figures), acts]),
    () => [
      standing(acts, here) ?? make("p", { class: "quiet" }, t("floor.day_of_others")),
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
              make("th", { scope: "col" }, t("floor.table")),
              COLUMNS.map((key) => make("th", { scope: "col", class: "sum" }, t(key))),
            ),
          ),
          make(
            "tbody",
            {},
            floor.tables.map(({ card, figures }) => (figures ? figuresRow(card.table, figures) : null)),
          ),
          floor.figures ? make("tfoot", {}, figuresRow(t("floor.all_tables"), floor.figures)) : null,
        ),
      ),
      make(
        "p",
        { class: "links" },
        make("a", { class: "button", href: "/api/exports/day.csv" }, t("floor.export_csv")),
      ),
    ],
  );
}
