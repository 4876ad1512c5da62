// Surveillance of the whole house: every table, alerts, audits and papers.
import { at, fill, make } from "/page/js/dom.js";
import { showLink } from "/page/js/floor/lost.js";
import { ask } from "/page/js/house.js";
import { HouseLine } from "/page/js/house_line.js";
import { shell } from "/page/js/shell.js";
import { witnessWaitText } from "/page/js/witness_wait.js";
import { auditNow } from "/page/js/watch/audit.js";
import { lawText, named, t } from "/page/js/words.js";
import "/page/js/element/alert-list.js";

const grid = /** @type {HTMLTableElement} */ (at("tables"));
const HEADS = ["watch.table", "watch.shoe_round", "watch.step", "watch.last_rounds", "watch.taken", "watch.alerts"];
/** @type {Record<string, string>} */
const LETTERS = { player: "P", banker: "B", tie: "T" };

/**
 * The last results of a table, as everybody saw them.
 * @param {House.LastRound[]} rounds
 */
function lastRounds(rounds) {
  return make(
    "span",
    { class: "beads" },
    rounds.map(({ round, outcome }) =>
      make(
        "span",
        {
          class: `disc ${outcome}`,
          role: "img",
          "aria-label": t("watch.round_was", { round, words: named("watch.outcome", outcome) }),
        },
        LETTERS[outcome],
      ),
    ),
  );
}

/**
 * @param {House.FloorTable} table
 * @param {House.Alert[]} alerts
 */
function rowOf({ card: table, last, stopped, program_stopped: isDown, witness_wait: wait }, alerts) {
  const own = alerts.filter((alert) => alert.table === table.table),
    held = stopped || (isDown ? t("watch.alert.program_stopped") : witnessWaitText(wait));
  return make(
    "tr",
    { class: own.length ? "alerted" : null },
    make(
      "td",
      {},
      make(
        "div",
        {},
        make("a", { class: "name", href: `/watch/${encodeURIComponent(table.table)}` }, table.table),
        make("span", { class: "quiet" }, lawText(table.title).text),
      ),
    ),
    make("td", {}, `${table.shoe} · ${table.round}`),
    make(
      "td",
      {},
      held
        ? make(
            "span",
            { class: "tag held", title: held },
            t(stopped || isDown ? "watch.stopped" : "watch.waits_for_witness"),
          )
        : named("step", table.step),
    ),
    make("td", {}, lastRounds(last)),
    make("td", {}, t("watch.taken_of", { taken: table.seats - table.free.length, seats: table.seats })),
    make(
      "td",
      {},
      own.length
        ? make(
            "span",
            { class: "tag held" },
            t("watch.alert_count", { count: own.length, kind: named("watch.alert", own[0].kind) }),
          )
        : make("span", { class: "quiet" }, "–"),
    ),
  );
}

/** @param {HouseLine} line */
function show(line) {
  const { tables } = line,
    alerts = line.get("alerts") ?? [];
  at("alerts").show(alerts);
  at("about").textContent = t("watch.tables_about", { tables: tables.length, alerts: alerts.length });
  fill(grid.tBodies[0], JSON.stringify([tables, alerts.map((alert) => alert.id)]), () =>
    tables.map((table) => rowOf(table, alerts)),
  );
}

async function showStreams() {
  const { streams } = await ask("GET", "/api/streams");
  at("stream").replaceChildren(
    ...streams.filter((each) => each.name.startsWith("table ")).map((each) => new Option(each.name, each.name)),
  );
}

const PAPERS = [
  ["watch.house_journal", "/api/journal"],
  ["watch.day_csv", "/api/exports/day.csv"],
  ["watch.day_lines", "/api/exports/day.jsonl"],
  ["watch.access_log", "/api/access-log"],
  ["watch.keys", "/api/keys"],
];

const session = await shell({ page: "watch" });
/** The access log is for people who sign on; visitors of a practice house do not. */
const papers = PAPERS.filter(([, href]) => !session.practice || href !== "/api/access-log");
document.title = t("watch.title", { name: t("watch.tables") });
grid.tHead?.rows[0].replaceChildren(...HEADS.map((key) => make("th", { scope: "col" }, t(key))));
if (!session.pages.includes("watch")) at("answer").show({ say: t("watch.not_for_you") });
else {
  at("exports").replaceChildren(
    ...papers.map(([key, href]) => make("a", { class: "button", href, download: true }, t(key))),
  );
  at("audit").addEventListener(
    "click",
    () => void auditNow(at("stream").value, at("audited"), at("audit"), at("answer")),
  );
  const line = new HouseLine();
  line.addEventListener("change", () => show(line));
  line.addEventListener("link", () => showLink(at("answer"), line));
  await Promise.all([line.first(), showStreams().catch((problem) => at("answer").show(problem))]);
}
