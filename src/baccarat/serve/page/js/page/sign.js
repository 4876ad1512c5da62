// The sign over a table, for a television: limits, roads, the last result and meters. Nobody signs on at it.
import { at, fill, make } from "/page/js/dom.js";
import { addressPart, ask, Problem, sum } from "/page/js/house.js";
import { PicturePlace, roadAddress } from "/page/js/picture.js";
import { tableSign, tableTitle } from "/page/js/table_title.js";
import { heardNow, phaseText } from "/page/js/table/phase.js";
import { fillWords, listed, named, t, wagerTitles } from "/page/js/words.js";

const EVERY = 1500,
  SECOND = 1000,
  MICRO = 1_000_000,
  NOT_FOUND = 404;
const HANDS = ["banker", "player", "tie"];
/** @type {("player" | "banker")[]} */
const MAIN = ["player", "banker"];
const ON_A_HAND = / on (Player|Banker)$/;
/** The marks of results, by their letters. */
const MARKS = { b: "road.banker_pairs", p: "road.player_pairs", n: "road.naturals" };
/** The roads, each with its columns and the size of its cells. */
const ROADS = {
  bead_plate: [12, 32],
  big_road: [27, 32],
  big_eye_boy: [16, 20],
  small_road: [16, 20],
  cockroach_pig: [16, 20],
};
/** What goes on at the table, in words. */
const phase = make("span");
const name = addressPart(2);
const theme = new URLSearchParams(location.search).get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
fillWords();

const places = Object.fromEntries(
  Object.keys(ROADS).map((road) => {
    const box = make("div", { class: "road-box" });
    at("roads").append(
      make(
        "figure",
        { class: road.replaceAll("_", "-") },
        box,
        make("figcaption", { class: "unseen" }, t(`road.${road}`)),
      ),
    );
    return [road, new PicturePlace((picture) => picture && box.replaceChildren(picture))];
  }),
);
const page = {
  /**
   * What moves at the table.
   * @type {Page.News | null}
   */
  now: null,
};

/** @param {House.TableSign} shown */
function show({ card, now: heard, last, meters }) {
  page.now = heardNow(heard);
  document.title = `${tableTitle(card)} · ${tableSign(card)} · baccarat`;
  at("title").textContent = tableTitle(card);
  at("place").textContent = tableSign(card);
  showLimits(card);
  showLast(last);
  showCounts(card);
  for (const [road, [columns, size]] of Object.entries(ROADS))
    places[road].show(roadAddress(road, card.marks, { columns, size }));
  showMeters(meters);
}

/** @param {House.Limits} limits */
const textOf = ({ min, max }) =>
  min === max
    ? sum(min, { short: true })
    : t("sign.from_to", { min: sum(min, { short: true }), max: sum(max, { short: true }) });

/**
 * Wagers with the same limits in one line: [their names, the limits].
 * @param {House.TableCard} card
 */
function groupedLimits(card) {
  const titles = wagerTitles(card.titles),
    /** @type {Map<string, string[]>} */
    groups = new Map();
  for (const [on, limits] of Object.entries(card.limits)) {
    if (on === "player" || on === "banker") continue;
    const text = textOf(limits);
    groups.set(text, [...(groups.get(text) ?? []), titles[on] ?? on]);
  }
  /** @param {string[]} names */
  const plain = (names) => [...new Set(names.map((each) => each.replace(ON_A_HAND, "")))];
  return [...groups].map(([text, names]) => [listed(plain(names)), text]);
}

/**
 * The limits of the hands, large; those of the other wagers below.
 * @param {House.TableCard} card
 */
function showLimits(card) {
  /** @type {(key: string, cents: number) => HTMLElement[]} */
  const part = (key, cents) => [make("span", {}, t(key)), make("b", {}, sum(cents, { short: true }))];
  fill(at("limits"), JSON.stringify([card.stakes, card.limits]), () => [
    card.stakes
      ? make("p", { class: "main" }, part("sign.min", card.stakes.min), part("sign.max", card.stakes.max))
      : "",
    make(
      "dl",
      {},
      groupedLimits(card).map(([names, text]) => make("div", {}, make("dt", {}, names), make("dd", {}, text))),
    ),
  ]);
}

/** @param {House.IndexedRound | null} last */
function showLast(last) {
  const result = last?.result;
  fill(at("last"), JSON.stringify([last?.round, result]), () =>
    last && result
      ? [
          make("p", { class: `won ${result.outcome}` }, t(`sign.won_${result.outcome}`)),
          make(
            "p",
            { class: "counted" },
            MAIN.map((side) =>
              make(
                "span",
                { class: side },
                `${t(`table.${side}`)} `,
                make("b", {}, String(result[side]?.count ?? "–")),
              ),
            ),
          ),
          make(
            "p",
            { class: "round" },
            t("table.round", { round: last.round }),
            result.natural ? ` · ${t("table.natural")}` : "",
          ),
        ]
      : [make("p", { class: "won none" }, t("lobby.no_result"))],
  );
}

/**
 * How often each result has come, and the marks that go with it.
 * @param {House.TableCard} card
 */
function showCounts({ marks }) {
  /** @param {string} letter */
  const countOf = (letter) => String([...marks].filter((each) => each === letter).length);
  fill(at("counts"), marks, () => [
    make(
      "ul",
      {},
      HANDS.map((hand) =>
        make(
          "li",
          {},
          make("span", { class: `disc ${hand}`, "aria-hidden": "true" }, hand[0].toUpperCase()),
          make("span", { class: "unseen" }, t(`road.count_${hand}`)),
          make("b", {}, countOf(hand[0].toUpperCase())),
        ),
      ),
    ),
    make(
      "dl",
      {},
      Object.entries(MARKS).map(([letter, words]) =>
        make("div", {}, make("dt", {}, t(words)), make("dd", {}, countOf(letter))),
      ),
    ),
    phase,
  ]);
  showPhase();
}

function showPhase() {
  if (!page.now) return;
  phase.className = `phase ${page.now.phase}`;
  phase.textContent = phaseText(page.now);
}

/** @param {House.Meters} meters */
function showMeters(meters) {
  /** @type {[meter: string, cents: number][]} */
  const shown = Object.entries(meters.amounts ?? {}).map(([meter, micro]) => [
    named("meter", meter),
    Math.floor(micro / MICRO),
  ]);
  if (meters.must_hit) shown.push([t("table.must_hit"), meters.must_hit]);
  at("meters").hidden = !shown.length;
  fill(at("meters"), JSON.stringify(shown), () =>
    shown.map(([meter, cents]) => make("div", {}, make("dt", {}, meter), make("dd", {}, sum(cents)))),
  );
}

async function look() {
  try {
    show(await ask("GET", `/api/tables/${encodeURIComponent(name)}/sign`));
    at("lost").hidden = true;
  } catch (problem) {
    at("lost").hidden = false;
    const isNone = problem instanceof Problem && problem.status === NOT_FOUND;
    at("lost").textContent = isNone ? problem.message : t("sign.lost");
  }
}

await look();
setInterval(() => void look(), EVERY);
setInterval(showPhase, SECOND);
