// Orders at one table: what is open now, and why the rest is not.
import { at, fill, make } from "/page/js/dom.js";
import { named, t, told } from "/page/js/words.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { openCorrection, PICKED } from "/page/js/floor/correcting.js";
import { streamActs } from "/page/js/floor/act-dialog.js";

const GROUPS = ["due", "rules", "orders", "vigorish", "people", "corrections", "table"];

/**
 * An order is filled in; what is to be corrected is picked from a list.
 * @param {House.OpenAct} act
 * @param {Page.FloorPage} here
 */
function give(act, here) {
  if (PICKED.has(act.act)) void openCorrection(here, act).catch((error) => at("answer").show(error));
  else here.dialog.open(act, { tables: here.tables });
}

/**
 * @param {House.OpenAct} act
 * @param {Page.FloorPage} here
 */
function orderButton(act, here) {
  return make(
    "button",
    {
      type: "button",
      class: act.due ? "button main order" : "button order",
      title: act.say,
      onclick: () => give(act, here),
    },
    make("span", {}, named("act", act.name)),
    clauseTags(act.cites.slice(0, 1), { plain: true }),
  );
}

/**
 * @param {string} name
 * @param {House.OpenAct[]} acts
 * @param {Page.FloorPage} here
 */
function groupOf(name, acts, here) {
  const open = acts.filter((act) => act.open),
    shut = acts.filter((act) => !act.open && act.refused);
  if (!open.length && !shut.length) return null;
  const closed = shut.length
    ? make(
        "details",
        {},
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
              act.refused ? told(act.refused) : "",
              " ",
              clauseTags(act.refused?.cites),
            ),
          ),
        ),
      )
    : null;
  if (name === "corrections" && open.length)
    return make(
      "section",
      {},
      make(
        "details",
        {},
        make("summary", {}, t("floor.group_corrections")),
        make(
          "div",
          { class: "buttons" },
          open.map((act) => orderButton(act, here)),
        ),
      ),
    );
  return make(
    "section",
    {},
    make("h3", {}, t(`floor.group_${name}`)),
    open.length
      ? make(
          "div",
          { class: "buttons" },
          open.map((act) => orderButton(act, here)),
        )
      : null,
    closed,
  );
}

/**
 * Shows the orders that the user may give at the chosen table.
 * @param {Page.FloorPage} here
 * @param {HTMLElement} panel
 */
export async function showOrders(here, panel) {
  const choice = at("orders-table"),
    names = here.tables;
  if (choice.dataset.summary !== JSON.stringify(names)) {
    choice.dataset.summary = JSON.stringify(names);
    choice.replaceChildren(...names.map((name) => new Option(name, name)));
    choice.onchange = () => {
      here.table = choice.value;
      void here.refresh();
    };
  }
  choice.value = here.table;
  const stream = `table ${here.table}`;
  if (here.table) here.line.follow(stream);
  const acts = here.table ? (here.line.acts ?? (await streamActs(stream))) : []; // later they come by themselves
  panel.hidden = !here.table;
  const summary = JSON.stringify([here.table, acts]);
  const list = at("orders-list");
  if (list.dataset.summary === summary) return;
  const shown = new Set(
    [...list.querySelectorAll("details[open]")].map((each) => each.querySelector("summary")?.textContent),
  );
  fill(list, summary, () => {
    const groups = GROUPS.map((name) =>
      groupOf(
        name,
        acts.filter((act) => (act.due ? "due" : act.group) === name),
        here,
      ),
    ).filter(Boolean);
    return groups.length ? groups : [make("p", { class: "quiet" }, t("floor.no_orders"))];
  });
  for (const each of list.querySelectorAll("details"))
    each.open = shown.has(each.querySelector("summary")?.textContent);
}
