// Calls for the floorperson: which table waits, since when, who asked; and who has answered.
import { at, fill, make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { timeOf } from "/page/js/time.js";
import { t } from "/page/js/words.js";

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/**
 * How long a table has waited.
 * @param {number} since
 * @param {number} now
 */
function waited(since, now) {
  const seconds = Math.max(0, Math.floor((now - since / 1000) / 1000));
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

/** @param {House.CallShown} call */
async function answer(call) {
  try {
    await ask("DELETE", `/api/tables/${encodeURIComponent(call.table)}/floor-call`);
  } catch (error) {
    at("answer").show(error);
  }
}

/**
 * @param {House.CallShown} call
 * @param {House.Welcome} session
 */
function callItem(call, { can }) {
  return make(
    "li",
    { class: "call", "data-table": call.table },
    make(
      "div",
      { class: "who" },
      make("b", {}, call.table),
      make("span", {}, t("floor.waits_since"), " ", make("time", { "data-since": call.since })),
    ),
    make("p", {}, t("floor.called_by", { who: nameOf(call.name), time: timeOf(call.since) })),
    make(
      "div",
      { class: "do" },
      can.includes("answer_floor_call")
        ? make("button", { type: "button", class: "button main", onclick: () => void answer(call) }, t("floor.i_come"))
        : null,
      can.includes("go_to_calling_table")
        ? make("a", { class: "button", href: `/dealer/${encodeURIComponent(call.table)}` }, t("floor.to_console"))
        : null,
    ),
  );
}

/** @param {string} name */
const nameOf = (name) => name || t("floor.somebody");

/** @param {House.CallShown} call */
const answeredItem = (call) =>
  make(
    "li",
    { class: "answered quiet" },
    t("floor.answered", { table: call.table, who: nameOf(call.answered_name), time: timeOf(call.answered_at) }),
  );

/** @param {House.CallShown} call */
const withdrawnItem = (call) =>
  make(
    "li",
    { class: "withdrawn quiet" },
    t("floor.withdrawn", { table: call.table, who: nameOf(call.name), time: timeOf(call.withdrawn_at) }),
  );

/**
 * Shows the calls; the panel is hidden if there are none.
 * @param {Page.FloorPage} here
 */
export function showCalls(here) {
  const { calls = [], answered = [], withdrawn = [] } = here.line.get("calls") ?? {},
    panel = at("calls");
  panel.hidden = !calls.length && !answered.length && !withdrawn.length;
  panel.toggleAttribute("data-waits", calls.length > 0);
  at("calls-count").hidden = !calls.length;
  at("calls-count").textContent = String(calls.length);
  fill(at("calls-list"), JSON.stringify([calls, answered, withdrawn]), () => [
    ...calls.map((call) => callItem(call, here.session)),
    ...answered.map(answeredItem),
    ...withdrawn.map(withdrawnItem),
  ]);
  tick(here);
}

/** @param {Page.FloorPage} here */
function tick(here) {
  for (const each of at("calls-list").querySelectorAll("[data-since]"))
    each.textContent = waited(Number(each.dataset.since), here.line.now);
}

/**
 * Updates how long tables have waited.
 * @param {Page.FloorPage} here
 */
export const runCalls = (here) => setInterval(() => tick(here), 1000);
