// The lobby: every table of the house, its roads and its results as they come, and what one may filter them by.
import { at, fill, make } from "/page/js/dom.js";
import { ask, sum } from "/page/js/house.js";
import { LobbyNews } from "/page/js/lobby_news.js";
import { beside, shell } from "/page/js/shell.js";
import { followedTables, followTable } from "/page/js/table/followed.js";
import { jurisdictionName, tablesText } from "/page/js/table_title.js";
import { named, t } from "/page/js/words.js";
import "/page/js/element/lobby-card.js";
import "/page/js/element/table-strip.js";

const SECOND = 1000;
/** What somebody may want to wager on one hand, in cents; the tables are filtered by it. */
const STAKES = [500, 1000, 2500, 5000, 10_000, 50_000, 100_000, 500_000];
const session = await shell({ page: "lobby" });
if (session.practice) beside(make("span", { class: "tag" }, t("lobby.play_money")));
at("game").open = !matchMedia("(max-width: 760px)").matches;
const page = {
  /** What the user has filtered. */
  wanted: { jurisdiction: "", form: "", stake: 0, free: false },
  /**
   * The cards that are shown, by table.
   * @type {Map<string, HTMLElementTagNameMap["lobby-card"]>}
   */
  elements: new Map(),
  /** @type {House.TableCard[]} */
  cards: [],
  /**
   * What moves, by table.
   * @type {Record<string, Page.News>}
   */
  news: {},
  followed: followedTables(),
};

/** @param {House.TableCard} card */
const isWanted = (card) =>
  (!page.wanted.jurisdiction || card.jurisdiction === page.wanted.jurisdiction) &&
  (!page.wanted.form || card.form === page.wanted.form) &&
  (!page.wanted.stake ||
    (card.stakes && card.stakes.min <= page.wanted.stake && page.wanted.stake <= card.stakes.max)) &&
  (!page.wanted.free || page.news[card.table]?.free.length > 0);

function showTables() {
  const known = page.cards.filter(({ table }) => page.news[table]);
  for (const card of known) {
    const element = page.elements.get(card.table) ?? make("lobby-card");
    if (!element.parentElement) make("li", {}, element);
    page.elements.set(card.table, element);
    element.show(card, page.news[card.table], { session, isFollowed: page.followed.includes(card.table) });
  }
  const shown = known.filter(isWanted).flatMap(({ table }) => page.elements.get(table)?.parentElement ?? []);
  const now = [...at("tables").children];
  if (now.length !== shown.length || now.some((element, index) => element !== shown[index]))
    at("tables").replaceChildren(...shown);
  at("tables").classList.toggle("one", known.length === 1);
  at("none").hidden = shown.length > 0;
  fill(at("none"), String(page.cards.length > 0), () =>
    page.cards.length
      ? [t("lobby.none_wanted")]
      : [
          t("lobby.no_table"),
          make(
            "span",
            { class: "go" },
            make("a", { class: "button", href: "/rules" }, t("lobby.read_rules")),
            make("a", { class: "button", href: "/odds" }, t("lobby.see_odds")),
          ),
        ],
  );
  at("pick").hidden = page.cards.length < 2;
  at("company").hidden = !known.some(({ table }) => page.news[table].automated.length);
  at("count").textContent = tablesText(shown.length);
  showStrip();
}

const showStrip = () =>
  at("strip").show(
    page.followed.flatMap((name) => {
      const card = page.cards.find(({ table }) => table === name);
      return card && page.news[name] ? [/** @type {[House.TableCard, Page.News]} */ ([card, page.news[name]])] : [];
    }),
  );

/**
 * @param {string} table
 * @param {boolean} isFollowed
 */
function follow(table, isFollowed) {
  followTable(table, isFollowed);
  page.followed = followedTables();
  showTables();
}

/**
 * A choice of one of several values, as buttons; nothing if there is only one.
 * @param {"jurisdiction" | "form"} key
 * @param {string} label
 * @param {string[]} values
 * @param {(value: string) => string} word
 */
function choice(key, label, values, word) {
  if (values.length < 2) return null;
  return make(
    "div",
    { class: "choice", role: "group", "aria-label": label },
    ["", ...values].map((value) =>
      make(
        "button",
        { type: "button", "aria-pressed": String(page.wanted[key] === value), onclick: () => choose(key, value) },
        value ? word(value) : t(`lobby.any_${key}`),
      ),
    ),
  );
}

/**
 * @param {"jurisdiction" | "form"} key
 * @param {string} value
 */
function choose(key, value) {
  page.wanted[key] = value;
  showFilters();
  showTables();
}

/** The stakes that some table takes and another does not, or a few usual ones. */
function stakeChoice() {
  const select = make(
    "select",
    { id: "stake" },
    new Option(t("lobby.any_stake"), "0"),
    STAKES.map((stake) => new Option(sum(stake, { short: true }), String(stake), false, stake === page.wanted.stake)),
  );
  select.addEventListener("change", () => {
    page.wanted.stake = Number(select.value);
    showTables();
  });
  return make("label", { class: "check" }, t("lobby.stake"), select);
}

/** Filters offer what exists: the jurisdictions and the forms of the tables. */
function showFilters() {
  /** @param {"jurisdiction" | "form"} key */
  const all = (key) => [...new Set(page.cards.map((card) => card[key]))];
  const free = make("input", { type: "checkbox", id: "with-free-seat" });
  free.checked = page.wanted.free;
  free.addEventListener("change", () => {
    page.wanted.free = free.checked;
    showTables();
  });
  const focused = [...at("pick").querySelectorAll("button")].findIndex((button) => button === document.activeElement);
  const filters = [
    choice("jurisdiction", t("lobby.jurisdiction"), all("jurisdiction"), jurisdictionName),
    choice("form", t("lobby.form"), all("form"), (form) => named("form", form)),
    stakeChoice(),
    make("label", { class: "check" }, free, t("lobby.with_free_seat")),
    make("span", { id: "count", class: "quiet", role: "status" }),
  ];
  at("pick").replaceChildren(...filters.filter((filter) => filter !== null));
  if (focused >= 0) at("pick").querySelectorAll("button")[focused]?.focus();
}

/** @param {House.TableCard[]} found */
const summaryOf = (found) => found.map(({ jurisdiction, form, rules }) => [jurisdiction, form, rules].join()).join();

/** The cards of the tables are read once, and again where a table was opened or plays by other rules. */
async function readCards() {
  const before = summaryOf(page.cards);
  ({ tables: page.cards } = await ask("GET", "/api/tables"));
  if (!at("count") || before !== summaryOf(page.cards)) showFilters();
}

/** @param {Record<string, Page.News>} found */
const isComplete = (found) =>
  Object.keys(found).length === page.cards.length &&
  page.cards.every(({ table, rules }) => found[table]?.rules === rules);

const feed = new LobbyNews({
  show: async (found) => {
    if (!isComplete(found)) await readCards();
    page.news = found;
    showTables();
    at("note").show(null);
  },
  failed: (problem) => at("note").show(problem),
});

document.addEventListener("follow", ({ detail }) => follow(detail.table, detail.isFollowed));
document.addEventListener("unfollow", ({ detail }) => follow(detail, false));
await readCards().catch((problem) => at("note").show(problem));
await feed.start();
setInterval(() => {
  for (const { table } of page.cards) if (page.news[table]) page.elements.get(table)?.showPhase(page.news[table]);
  showStrip();
}, SECOND);
