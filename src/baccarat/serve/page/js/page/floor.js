// The floor: every table compared with theory, what waits for a second person, notices, orders; cage, forms, meters,
// the day.
import { at, fill, make } from "/page/js/dom.js";
import { Problem, sum } from "/page/js/house.js";
import { HouseLine } from "/page/js/house_line.js";
import { reachedBy, shell } from "/page/js/shell.js";
import { named, t } from "/page/js/words.js";
import { actDialog } from "/page/js/floor/act-dialog.js";
import { runCalls, showCalls } from "/page/js/floor/calls.js";
import { showCage } from "/page/js/floor/cage.js";
import { showDay } from "/page/js/floor/day.js";
import { showForms } from "/page/js/floor/forms.js";
import { showLink, showProblem } from "/page/js/floor/lost.js";
import { showMeters } from "/page/js/floor/meters.js";
import { showOrders } from "/page/js/floor/orders.js";
import { viewsOf } from "/page/js/floor/views.js";
import "/page/js/element/approval-card.js";
import "/page/js/element/notice-clock.js";
import "/page/js/element/table-tile.js";

/** How long after an event the page asks for what is not sent to it. */
const PAUSE = 600;
const session = await shell({ page: "floor" });
const views = viewsOf(session);
const line = /** @type {HouseLine} */ (session.who ? new HouseLine() : null);
const here = /** @type {Page.FloorPage} */ (
  /** @type {unknown} */ ({
    session,
    view: views.includes(location.hash.slice(1)) ? location.hash.slice(1) : views[0],
    pit: "",
    table: "",
    tables: [],
    proposals: [],
    notices: [],
    asking: null,
    again: false,
    rests: 0,
    line,
    dialog: actDialog(() => void look()),
    refresh: () => look(),
  })
);
const now = () => line.now / 1000;

// -------------------------------------------------------------------------------------------------- views

function showViews() {
  /** @param {string} name */
  const choose = (name) => {
    here.view = name;
    history.replaceState(null, "", `#${name}`);
    at("view").replaceChildren();
    delete at("view").dataset.summary;
    showViews();
    void look();
  };
  at("views").replaceChildren(
    ...views.map((name) =>
      make(
        "button",
        { type: "button", "aria-pressed": String(name === here.view), onclick: () => choose(name) },
        t(`floor.view_${name}`),
      ),
    ),
  );
  at("views").hidden = views.length < 2;
}

function showPits() {
  const names = [...new Set(here.floor.tables.map((table) => table.pit))].sort();
  at("pits").hidden = names.length < 2 || names.length > 4 || here.view !== "tables";
  /**
   * @param {string} name
   * @param {string} say
   */
  const button = (name, say) =>
    make(
      "button",
      {
        type: "button",
        "aria-pressed": String(here.pit === name),
        onclick: () => {
          here.pit = name;
          show();
        },
      },
      say,
    );
  fill(at("pits"), JSON.stringify([names, here.pit]), () => [
    button("", t("floor.all_pits")),
    ...names.map((name) => button(name, name)),
  ]);
}

function showHead() {
  const { floor, pit } = here,
    pits = [...new Set(floor.tables.map((table) => table.pit))];
  at("title").textContent = pit || pits.length === 1 ? t("floor.pit", { pit: pit || pits[0] }) : t("floor.title");
  at("day").textContent = t(floor.closed ? "floor.day_closed" : "floor.day_open", {
    day: floor.day,
    tables: floor.tables.length,
  });
  at("history").hidden = !floor.history;
  at("history").textContent = floor.history ? t("floor.history_wrong", { what: floor.history }) : "";
  const { figures } = floor;
  const lines =
    figures === null
      ? []
      : [
          ["floor.win", sum(round(figures.win), { short: true })],
          [
            "floor.theoretical",
            t("floor.plus_minus", {
              mean: sum(round(figures.theoretical), { short: true }),
              wide: sum(round(2 * figures.deviation), { short: true }),
            }),
          ],
          ["floor.drop", sum(round(figures.drop), { short: true })],
          ["floor.hold", figures.hold ? t("floor.percent", { value: figures.hold }) : "–"],
          ["floor.marked", sum(floor.marked, { short: true })],
        ];
  fill(at("sums"), JSON.stringify(lines), () =>
    lines.map(([key, value]) => make("div", {}, make("dt", {}, t(key)), make("dd", {}, value))),
  );
}

/** @param {number} cents */
const round = (cents) => Math.round(cents / 100) * 100;

function showTiles() {
  const shown = here.floor.tables.filter((table) => !here.pit || table.pit === here.pit);
  const view = at("view");
  view.className = "view tiles";
  const held = new Map([...view.querySelectorAll("table-tile")].map((tile) => [tile.dataset.table, tile]));
  const tiles = shown.map(
    (table) =>
      held.get(table.card.table) ??
      make("table-tile", { "data-table": table.card.table, onchoose: (event) => void chooseTable(event.detail) }),
  );
  if (tiles.length !== view.children.length || tiles.some((tile, index) => view.children[index] !== tile))
    view.replaceChildren(...tiles);
  tiles.forEach((tile, index) =>
    tile.show(shown[index], { waits: waitsAt(shown[index]), chosen: here.table === shown[index].card.table }),
  );
}

/**
 * Shows the orders at a table; if the desk is below the tables, the page scrolls there.
 * @param {string} name
 */
async function chooseTable(name) {
  here.table = name;
  await look();
  at("orders").scrollIntoView({ block: "nearest" });
}

/** @param {House.FloorTable} table */
function waitsAt({ card, coming, due }) {
  if (line.get("calls")?.calls.some((call) => call.table === card.table)) return t("floor.calls_you");
  if (here.proposals.some((each) => each.stream === `table ${card.table}` || each.command.table === card.table))
    return t("floor.approval_waits");
  const own = due.find((each) => each.by === session.role);
  if (own) return t("floor.waits_for", { act: named("act", own.name) });
  return coming?.holds ? t("floor.rules_wait") : "";
}

// --------------------------------------------------------------------------------------------------- desk

function showAsks() {
  const { proposals } = here,
    list = at("asks");
  at("waiting-count").hidden = !proposals.length;
  at("waiting-count").textContent = String(proposals.length);
  const held = new Map([...list.querySelectorAll("approval-card")].map((card) => [card.dataset.proposal, card]));
  const who = here.person;
  const items = proposals.map((proposal) => {
    const card =
      held.get(proposal.id) ?? make("approval-card", { "data-proposal": proposal.id, ondecided: () => void look() });
    const summary = JSON.stringify(proposal);
    if (card.dataset.summary !== summary && !card.hasAttribute("data-open")) {
      card.dataset.summary = summary;
      card.show(proposal, { who, role: session.role });
    }
    return card.parentElement ?? make("li", {}, card);
  });
  const shown = items.length
    ? items
    : [list.querySelector(".empty") ?? make("li", { class: "empty quiet" }, t("floor.nothing_waits"))];
  if (shown.length !== list.children.length || shown.some((item, index) => list.children[index] !== item))
    list.replaceChildren(...shown);
}

/** Notices whose time still runs, or that no change has used yet; older ones are history. */
function showNotices() {
  const fresh = here.notices
    .filter((notice) => !notice.served && (notice.minutes > 0 || !notice.cites.length) && notice.sent > now() - 86400)
    .slice(0, 8);
  at("notices").hidden = !session.can.includes("floor_notices");
  fill(at("notes"), JSON.stringify(fresh), () => {
    if (!fresh.length) return [make("li", { class: "empty quiet" }, t("floor.no_notice"))];
    return fresh.map((notice) => {
      const clock = make("notice-clock");
      clock.show(notice, now);
      return make("li", {}, clock);
    });
  });
}

// ---------------------------------------------------------------------------------------------- all of it

/** @type {Record<string, (here: Page.FloorPage, view: HTMLElement) => Promise<void>>} */
const SHOW = { cage: showCage, forms: showForms, meters: showMeters, day: showDay };

/**
 * The tables at which the user works before all others.
 * @param {House.FloorTable[]} tables
 */
function ownFirst(tables) {
  const own = new Set(
    reachedBy(
      session,
      tables.map(({ card }) => card.table),
    ),
  );
  const isOwn = (/** @type {House.FloorTable} */ { card }) => own.has(card.table);
  return [...tables.filter(isOwn), ...tables.filter((table) => !isOwn(table))];
}

/** Shows what the house sends by itself. */
function show() {
  if (!line.get("day")) {
    at("answer").show({ say: t("floor.not_for_you") });
    return;
  }
  Object.assign(here, {
    floor: { ...line.get("day"), tables: ownFirst(line.tables) },
    proposals: line.get("proposals") ?? [],
    notices: line.get("notices") ?? [],
  });
  here.table ||= session.table || here.floor.tables[0]?.card.table || "";
  here.tables = here.floor.tables.map((table) => table.card.table);
  showHead();
  showPits();
  showCalls(here);
  showAsks();
  showNotices();
  if (here.view === "tables") showTiles();
}

/** Shows what has to be requested: the chosen view, and the orders at the chosen table. */
async function askMore() {
  if (!line.get("day")) return;
  try {
    if (here.view !== "tables") await SHOW[here.view](here, at("view"));
    await showOrders(here, at("orders"));
  } catch (error) {
    // the connection notices by itself that the house is gone
    if (error instanceof Problem) showProblem(at("answer"), error, () => line.retry());
  }
}

/** Asks for more now; a call during a request makes it ask once more afterwards. */
function look() {
  if (line.seq >= 0) show();
  if (here.asking) {
    here.again = true;
    return here.asking;
  }
  here.asking = (async () => {
    do {
      here.again = false;
      await askMore();
    } while (here.again);
  })().finally(() => {
    here.asking = null;
  });
  return here.asking;
}

/** The same, but throttled: much happens at tables. */
function lookSoon() {
  here.rests ||= setTimeout(() => {
    here.rests = 0;
    void look();
  }, PAUSE);
}

showViews();
at("training").hidden = !(session.practice && session.table);
at("training").textContent = t("floor.training", { table: session.table });
if (!session.who) location.assign("/sign-on");
else {
  here.person = session.name;
  line.addEventListener("change", () => {
    show();
    lookSoon();
  });
  line.addEventListener("link", () => showLink(at("answer"), line));
  at("view").replaceChildren(make("p", { class: "quiet loading", role: "status" }, t("floor.loading")));
  runCalls(here);
  await line.first();
  await look();
}
