// Going back and forth in time: keys, the timeline, a line of the journal, a search, the address.
import { at, targetOf } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { goLive, goTo, goToShoe } from "/page/js/watch/asking.js";
import { auditNow } from "/page/js/watch/audit.js";
import { draw, refresh } from "/page/js/watch/drawing.js";
import { isLive, name, now, stopAt, table } from "/page/js/watch/looked_at.js";
import { drawPapers } from "/page/js/watch/papers.js";

const PACE = 700,
  SEARCH_AFTER = 250;
const journal = at("journal"),
  scrub = at("scrub"),
  answer = at("answer"),
  search = at("search");

/** @param {number} steps */
function move(steps) {
  if (!now.film) return;
  const count = now.film.stops.length,
    to = stopAt() + steps;
  if (to < 0) void roundFrom(-1);
  else if (to >= count) void roundFrom(1);
  else stopAtOnly(to);
}

/**
 * Stops at an event; from the live edge the list is redrawn, without the round before.
 * @param {number} stop
 */
function stopAtOnly(stop) {
  const wasLive = isLive();
  now.stop = stop;
  if (wasLive) draw();
  else refresh();
}

/**
 * One round forward or back, across shoes; past the last is the live edge.
 * @param {number} steps
 * @param {{ first?: boolean }} [how]
 */
async function roundFrom(steps, { first = steps > 0 } = {}) {
  if (!now.shoe) return;
  const numbers = roundsShown(),
    index = numbers.indexOf(now.film?.round ?? -1) + steps;
  if (index >= 0 && index < numbers.length) {
    const last = numbers[index] === now.shoe.round && !now.shoe.over;
    await goTo(now.shoe.shoe, numbers[index], { first: first && !last, live: last });
  } else if (index < 0 && now.shoe.shoe > 1) {
    await goToShoe(now.shoe.shoe - 1, (shoe) => [shoe.round]);
  } else if (index >= numbers.length && now.shoe.shoe < now.shoes) {
    await goToShoe(now.shoe.shoe + 1, (shoe) => [roundsShown()[0] ?? shoe.round, { first: true }]);
  } else if (index >= numbers.length) await goLive();
}

const roundsShown = () => [
  ...new Set([
    ...(now.shoe?.rounds ?? []).map((each) => each.round),
    ...(now.shoe && !now.shoe.over ? [now.shoe.round] : []),
  ]),
];

function play() {
  if (now.playing) stopPlaying();
  else {
    now.playing = setInterval(() => (isLive() ? stopPlaying() : move(1)), PACE);
    scrub.playing(true);
    if (isLive()) stopAtOnly(0);
  }
}

function stopPlaying() {
  clearInterval(now.playing);
  now.playing = 0;
  scrub.playing(false);
}

/** @type {Record<string, () => unknown>} */
const ACTS = {
  round_before: () => roundFrom(-1, { first: true }),
  back: () => move(-1),
  play,
  forward: () => move(1),
  live: goLive,
};
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", PageUp: "round_before", End: "live", " ": "play" };

/** @param {KeyboardEvent} event */
function keyed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || targetOf(event).matches("input[type=search], select")) {
    if (event.target === search && event.key === "Escape") leaveSearch();
    else if (event.target === search && event.key === "Enter") journal.focus();
    return;
  }
  if (event.key === "/") {
    event.preventDefault();
    search.focus();
    return;
  }
  if (event.key === "Escape" && now.found) leaveSearch();
  if (event.key === " " && targetOf(event).closest("button, a, input")) return;
  const act = event.key === "PageDown" ? () => roundFrom(1, { first: true }) : ACTS[KEYS[event.key]];
  if (!act) return;
  event.preventDefault();
  if (event.key !== " ") stopPlaying();
  void act();
}

async function clearSearch() {
  search.value = "";
  now.found = null;
  draw();
}

/** Ends the search; the keys move in the journal again. */
function leaveSearch() {
  clearTimeout(waiting);
  void clearSearch();
  journal.focus();
}

let waiting = 0;
function searched() {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    const words = search.value.trim();
    if (words === "") {
      await clearSearch();
      return;
    }
    try {
      const asked =
        words.startsWith("§") && !words.includes(" ")
          ? `clause=${encodeURIComponent(words)}`
          : `words=${encodeURIComponent(words)}`;
      const { found, more } = await ask("GET", `${table}/shoes/${now.shoe?.shoe ?? 0}/search?${asked}`);
      if (search.value.trim() !== words) return;
      now.found = Object.assign(found, { more });
      draw();
    } catch (problem) {
      answer.show(problem);
    }
  }, SEARCH_AFTER);
}

/** @param {number} index */
function sought(index) {
  stopPlaying();
  if (now.found) {
    const { round: number, seq } = now.found[index];
    if (now.shoe) void goTo(now.shoe.shoe, number, { seq });
    return;
  }
  if (index >= 0) {
    if (now.film) stopAtOnly(now.film.stops.indexOf(index));
  } else if (now.earlier) {
    const { round: number, shoe, lines } = now.earlier;
    void goTo(shoe, number, { seq: lines[-1 - index].act.seq });
  }
}

/** Keys, buttons, the list and the search lead to other moments. */
export function steer() {
  journal.addEventListener("seek", ({ detail }) => sought(detail));
  scrub.addEventListener("go", ({ detail }) => void ACTS[detail]());
  scrub.addEventListener("round", ({ detail }) => {
    if (!now.shoe) return;
    const isLast = detail === now.shoe.round && !now.shoe.over;
    void goTo(now.shoe.shoe, detail, isLast ? { live: true } : { first: true });
  });
  scrub.addEventListener("shoe", ({ detail }) => void goToShoe(detail, (shoe) => [shoe.round, { live: !shoe.over }]));
  scrub.addEventListener("stop", ({ detail }) => stopAtOnly(detail));
  addEventListener("keydown", keyed);
  addEventListener("hashchange", () => void fromAddress());
  search.addEventListener("input", searched);
  at("audit").addEventListener("click", () => void auditNow(`table ${name}`, at("audited"), at("audit"), answer));
}

/** Goes to the shoe, round and record that the address names, or to the live edge. */
export async function fromAddress() {
  const [shoe, number, seq] = location.hash.slice(1).split("/").map(Number);
  if (shoe && Number.isFinite(number)) await goTo(shoe, number, { seq: seq || 0 });
  else await goLive();
  drawPapers();
}
