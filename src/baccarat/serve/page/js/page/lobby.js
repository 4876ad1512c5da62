// The lobby: every table with what a participant has to know before sitting down, updated without redrawing it.
import { at, fill, make } from "/page/js/dom.js";
import { ask, sum } from "/page/js/house.js";
import { PicturePlace, roadAddress } from "/page/js/picture.js";
import { beside, consoleOf, shell } from "/page/js/shell.js";
import { chooseSeat } from "/page/js/table/chosen_seat.js";
import { language, named, t, wagerTitles } from "/page/js/words.js";

const EVERY = 2500,
  HANDS = ["banker", "player", "tie"];
const session = await shell({ page: "lobby" });
if (session.practice) beside(make("span", { class: "tag" }, t("lobby.play_money")));
const wanted = { jurisdiction: "", form: "", free: false };
const cards = new Map();
let tables = [];

const addressOf = (table) => `/table/${encodeURIComponent(table.table)}`;

/** The wagers besides the main ones and the tie, in the reader's language. */
function sideWagers({ side_wagers: sides, titles }) {
  if (language === "en") return sides;
  return Object.entries(wagerTitles(titles))
    .filter(([on]) => !HANDS.includes(on))
    .map(([, title]) => title);
}

function newCard(table) {
  const parts = {
    phase: make("li", { class: "phase" }),
    counts: HANDS.map((hand) => make("span")),
    road: make("div", { class: "road-box" }),
    seats: make("ol", { class: "seats" }),
    free: make("span", { class: "free" }),
    sit: make("a", { class: "button main" }, t("lobby.sit")),
  };
  const { min, max } = table.stakes ?? { min: 0, max: 0 };
  const element = make(
    "li",
    { class: "panel card", "data-table": table.table },
    make(
      "header",
      {},
      make("div", {}, make("h2", {}, table.table), make("p", { class: "quiet" }, table.title)),
      make(
        "div",
        { class: "limits" },
        make("b", {}, sum(min, { short: true })),
        make("span", {}, t("lobby.up_to", { sum: sum(max, { short: true }) })),
      ),
    ),
    parts.road,
    make(
      "ul",
      { class: "counts" },
      HANDS.map((hand, index) =>
        make(
          "li",
          {},
          make("span", { class: `disc ${hand}`, "aria-hidden": "true" }, hand[0].toUpperCase()),
          make("span", { class: "unseen" }, t(`road.count_${hand}`)),
          parts.counts[index],
        ),
      ),
      parts.phase,
    ),
    make(
      "p",
      { class: "form" },
      language === "en" ? table.form_say : named("form", table.form),
      table.cards ? ` ${named("cards", table.cards)}.` : "",
    ),
    make(
      "ul",
      { class: "wagers" },
      sideWagers(table).map((title) => make("li", {}, title)),
    ),
    make(
      "footer",
      {},
      parts.seats,
      parts.free,
      make(
        "span",
        { class: "go" },
        make(
          "a",
          { class: "button", href: addressOf(table), "aria-label": t("lobby.watch_table", { table: table.table }) },
          t("lobby.watch"),
        ),
        parts.sit,
      ),
    ),
  );
  return { element, parts, road: new PicturePlace((picture) => parts.road.replaceChildren(picture)) };
}

function update(shown, table) {
  const { parts } = shown,
    free = table.free.length;
  shown.road.show(roadAddress("big_road", table.marks, { columns: 28, size: 11 }));
  HANDS.forEach((hand, index) => {
    parts.counts[index].textContent = String(
      [...table.results].filter((letter) => letter === hand[0].toUpperCase()).length,
    );
  });
  const phase = table.open ? "open" : table.round === 1 && !table.results ? "shoe" : "play";
  parts.phase.className = `phase ${phase}`;
  parts.phase.textContent = t(`lobby.phase_${phase}`);
  parts.free.textContent = free ? t("lobby.free_seats", { count: free }) : t("lobby.full");
  fill(parts.seats, table.free.join() + table.seats, () =>
    Array.from({ length: table.seats }, (_, index) =>
      make("li", { class: table.free.includes(index + 1) ? "empty" : "taken" }),
    ),
  );
  parts.seats.setAttribute("aria-hidden", "true");
  const console_ = consoleOf(session, table.table),
    mayEverSit = session.can.includes("seat_button");
  parts.sit.hidden = !console_ && !mayEverSit;
  parts.sit.onclick = null;
  if (console_) {
    parts.sit.href = console_;
    parts.sit.textContent = t("lobby.console");
    parts.sit.setAttribute("aria-label", t("lobby.console_of", { table: table.table }));
    return;
  }
  if (free && session.can.includes("take_seat")) {
    parts.sit.href = addressOf(table);
    parts.sit.onclick = () => chooseSeat(table.table, table.free[0]);
    parts.sit.removeAttribute("aria-disabled");
  } else {
    parts.sit.removeAttribute("href");
    parts.sit.setAttribute("aria-disabled", "true");
  }
  parts.sit.setAttribute("aria-label", t("lobby.sit_at_table", { table: table.table }));
}

const isWanted = (table) =>
  (!wanted.jurisdiction || table.jurisdiction === wanted.jurisdiction) &&
  (!wanted.form || table.form === wanted.form) &&
  (!wanted.free || table.free.length > 0);

function showTables() {
  for (const table of tables) {
    if (cards.get(table.table)?.rules !== table.rules)
      cards.set(table.table, { ...newCard(table), rules: table.rules });
    update(cards.get(table.table), table);
  }
  const shown = tables.filter(isWanted).map((table) => cards.get(table.table).element);
  const now = [...at("tables").children];
  if (now.length !== shown.length || now.some((element, index) => element !== shown[index]))
    at("tables").replaceChildren(...shown);
  at("none").hidden = tables.length > 0;
  if (at("count")) at("count").textContent = t("lobby.count", { count: shown.length });
}

/** Filters offer what exists: the jurisdictions and the forms of the tables. */
function showFilters() {
  const choice = (key, label, values, word) =>
    make(
      "div",
      { class: "choice", role: "group", "aria-label": label },
      ["", ...values].map((value) =>
        make(
          "button",
          {
            type: "button",
            "aria-pressed": String(wanted[key] === value),
            onclick: () => {
              wanted[key] = value;
              showFilters();
              showTables();
            },
          },
          value ? word(value) : t(`lobby.any_${key}`),
        ),
      ),
    );
  const all = (key) => [...new Set(tables.map((table) => table[key]))];
  const free = make("input", { type: "checkbox", id: "with-free-seat" });
  free.checked = wanted.free;
  free.addEventListener("change", () => {
    wanted.free = free.checked;
    showTables();
  });
  const focused = [...at("pick").querySelectorAll("button")].indexOf(document.activeElement);
  at("pick").replaceChildren(
    choice("jurisdiction", t("lobby.jurisdiction"), all("jurisdiction"), String),
    choice("form", t("lobby.form"), all("form"), (form) => named("form", form)),
    make("label", { class: "check" }, free, t("lobby.with_free_seat")),
    make("span", { id: "count", class: "quiet", role: "status" }),
  );
  if (focused >= 0) at("pick").querySelectorAll("button")[focused]?.focus();
}

let asked = 0;

async function look() {
  const mine = ++asked;
  try {
    const before = tables.map((table) => table.jurisdiction + table.form).join(),
      found = await ask("GET", "/api/tables");
    if (mine !== asked) return; // a later request gives a newer answer
    ({ tables } = found);
    if (before !== tables.map((table) => table.jurisdiction + table.form).join()) showFilters();
    showTables();
    at("note").show(null);
  } catch (problem) {
    at("note").show(problem);
  }
}

await look();
setInterval(() => {
  if (!document.hidden) void look();
}, EVERY);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void look();
});
