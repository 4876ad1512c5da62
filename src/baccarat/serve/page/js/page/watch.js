// Surveillance of one table: its journal as it grows, any round of any shoe shown again, alerts, records, audits, papers.
import { at, fill, make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { SIGNS } from "/page/js/element/journal-list.js";
import { addressPart, ask } from "/page/js/house.js";
import { shell } from "/page/js/shell.js";
import { TableSocket } from "/page/js/table_socket.js";
import { auditNow } from "/page/js/watch/audit.js";
import { Film } from "/page/js/watch/film.js";
import { dayOf, timeOf } from "/page/js/watch/time.js";
import { named, t } from "/page/js/words.js";
import "/page/js/element/alert-list.js";
import "/page/js/element/table-then.js";
import "/page/js/element/time-scrub.js";

const PACE = 700, ALERTS_EVERY = 3000, SEARCH_AFTER = 250;
const name = addressPart(2);
const table = `/api/tables/${encodeURIComponent(name)}`, stream = encodeURIComponent(`table ${name}`);
const journal = at("journal"), scrub = at("scrub"), answer = at("answer"), then = at("then"), search = at("search");

/**
 * What is looked at: the shoe and the film of its round, at the live edge also of the round before; `stop` is null at
 * the live edge; what is left out of the list; what a search found.
 */
const now = { shoe: null, film: null, earlier: null, stop: null, without: new Set(), clause: "", found: null, link: "", playing: 0 };
const isLive = () => now.stop === null && now.found === null;

// ------------------------------------------------------------------------------------------- asking

const round = (shoe, number, after = 0) => ask("GET", `${table}/shoes/${shoe}/replay?round=${number}&after=${after}`);

/** All records of a round, however many answers they take. */
async function filmOf(shoe, number) {
  let told = await round(shoe, number);
  const film = new Film(told);
  while (told.more) {
    told = await round(shoe, number, film.last);
    film.add(told);
  }
  return film;
}

async function loadShoe(number = 0) {
  const card = await ask("GET", table);
  now.shoes = card.shoe;
  now.title = card.title;
  now.shoe = await ask("GET", `${table}/shoes/${number || card.shoe}`);
}

/** Goes to a round; at its last event, its first, at the record `seq`, or to the live edge. */
async function goTo(shoe, number, { seq = 0, first = false, live = false } = {}) {
  try {
    if (now.shoe?.shoe !== shoe) await loadShoe(shoe);
    const film = await filmOf(shoe, number);
    now.earlier = live && now.film?.round === number - 1 && now.film.shoe === shoe ? now.film : live ? await before(shoe, number) : null;
    now.film = film;
    now.found = null;
    search.value = "";
    const stops = film.stops, exact = stops.findIndex((index) => film.lines[index].act.seq >= seq);
    now.stop = live ? null : seq && exact >= 0 ? exact : first ? 0 : Math.max(0, stops.length - 1);
    answer.show();
    draw();
  } catch (problem) {
    answer.show(problem);
  }
}

/** The round before one, which stands above it at the live edge; none where it cannot be shown. */
async function before(shoe, number) {
  if (!now.shoe.rounds.some((each) => each.round === number - 1)) return null;
  return filmOf(shoe, number - 1).catch(() => null);
}

/** The newest round of the newest shoe, and on with it. */
async function goLive() {
  try {
    await loadShoe();
    await goTo(now.shoe.shoe, now.shoe.round, { live: true });
  } catch (problem) {
    answer.show(problem);
  }
}

let following = false, again = false;

/** Takes what has come to the journal since; one question at a time. */
async function follow() {
  if (following) {
    again = true;
    return;
  }
  following = true;
  try {
    do {
      again = false;
      await catchUp();
    } while (again);
  } catch (problem) {
    if (problem.status !== 404) answer.show(problem);
  } finally {
    following = false;
  }
}

async function catchUp() {
  const film = now.film;
  if (film === null || film.over || now.shoe.over) {
    if (isLive()) await goLive();
    else await keepShoe();
    return;
  }
  const told = await round(film.shoe, film.round, film.last);
  if (now.film !== film) return;
  film.add(told);
  again ||= told.more;
  if (film.over && isLive()) await goLive();
  else if (film.over) await keepShoe();
  else draw();
}

/** The rounds of the shoe in play, for whoever looks at an earlier moment. */
async function keepShoe() {
  const { shoe } = now.shoe, card = await ask("GET", table);
  now.shoes = card.shoe;
  now.shoe = await ask("GET", `${table}/shoes/${shoe}`);
  drawShoe();
}

async function showAlerts() {
  const { alerts } = await ask("GET", "/api/alerts");
  at("alerts").show(alerts, name);
}

// ------------------------------------------------------------------------------------------- drawing

const stopAt = () => (now.film ? now.stop ?? now.film.stops.length - 1 : -1);
const lineAt = () => (now.film ? now.film.lines[now.film.stops[stopAt()]] : undefined);

function listed() {
  if (now.found) return now.found.map((found, index) => ({ ...found, key: `${found.seq} ${found.number} ${found.sort}`, index, number: found.sort === "refusal" ? null : found.number }));
  const lines = [...isLive() && now.earlier ? linesOf(now.earlier).map((line) => ({ ...line, index: -1 - line.index, key: `earlier ${line.key}` })) : [], ...linesOf(now.film)];
  const wanted = (line) => line.sort === "step" || (!now.without.has(line.sort) && (now.clause === "" || line.cites.includes(now.clause)));
  const kept = lines.filter(wanted);
  return kept.filter((line, index) => line.sort !== "step" || (kept[index + 1] !== undefined && kept[index + 1].sort !== "step"));
}

function linesOf(film) {
  const heads = isLive() && now.earlier ? { round: film.round } : {};
  return film.lines.map((line, index) => ({ ...line, ...heads, index, at: line.act.at, key: `${heads.round ?? ""} ${line.act.seq} ${line.number} ${line.sort}` }));
}

function draw() {
  drawShoe();
  drawHead();
  drawSorts();
  drawClauses();
  journal.show(listed(), { empty: t(now.found ? "watch.nothing_found" : "watch.nothing") });
  journal.mark(now.found ? null : now.film?.stops[stopAt()] ?? null);
  drawStop();
  drawPapers();
}

function drawShoe() {
  scrub.showShoe({ shoe: now.shoe.shoe, shoes: now.shoes, rounds: now.shoe.rounds, last: now.shoe.round, over: now.shoe.over });
  scrub.showRound(now.film?.round);
}

function drawHead() {
  at("name").textContent = name;
  at("about").textContent = now.film ? t("watch.about", { round: now.film.round, shoe: now.film.shoe, rulebook: now.film.rulebook.slice(0, 12) }) : "";
  const stopped = now.film?.tableAfter(now.film.lines.length - 1)?.view.state.stopped, tag = at("state");
  tag.className = `tag ${now.link || stopped || !isLive() ? "held" : "live"}`;
  tag.textContent = now.link || (stopped && isLive() ? t("watch.stopped") : isLive() ? t("watch.live_now") : now.found ? t(now.found.more ? "watch.found_more" : "watch.found", { count: now.found.length }) : t("watch.replayed"));
}

function drawSorts() {
  const counts = new Map(Object.keys(SIGNS).map((sort) => [sort, 0]));
  for (const line of now.film?.lines ?? []) if (counts.has(line.sort)) counts.set(line.sort, counts.get(line.sort) + 1);
  fill(at("sorts").querySelector("ul"), JSON.stringify([[...counts], [...now.without]]), () => [...counts].map(([sort, count]) => {
    const box = make("input", { type: "checkbox", "data-sort": sort, checked: !now.without.has(sort), onchange: () => {
      if (box.checked) now.without.delete(sort);
      else now.without.add(sort);
      draw();
      at("sorts").querySelector(`[data-sort="${sort}"]`).focus();
    } });
    return make("li", {}, make("label", {}, box, make("span", { class: `sign ${sort}`, "aria-hidden": "true" }, SIGNS[sort]), named("watch.sort", sort), make("em", {}, String(count))));
  }));
}

function drawClauses() {
  const cites = [...new Set((now.film?.lines ?? []).filter((line) => line.sort !== "step").flatMap((line) => line.cites))].sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  if (now.clause && !cites.includes(now.clause)) cites.unshift(now.clause);
  fill(at("clauses").querySelector("div"), JSON.stringify([cites, now.clause]), () => cites.map((cite) => make("button", {
    type: "button", class: "clause", "aria-pressed": String(cite === now.clause), title: cite, onclick: () => {
      now.clause = now.clause === cite ? "" : cite;
      draw();
    },
  }, cite.includes(" §") ? cite.slice(cite.indexOf("§")) : cite)));
}

function drawStop() {
  const line = lineAt();
  if (!line) {
    at("then-title").textContent = t("watch.not_begun");
    scrub.showStops([], 0, [t("watch.not_begun"), ""]);
    const last = now.earlier?.lines.length - 1, found = now.earlier?.tableAfter(last);
    if (found) void then.show(found, now.earlier.rulebook);
    if (found) drawRecord(now.earlier.lines[last]);
    return;
  }
  const { film } = now, words = line.number === null ? t("watch.refusal_at", { seq: line.act.seq }) : t("watch.event", { number: line.number });
  scrub.showStops(film.stops.map((index) => film.lines[index].sort), stopAt(), [words, timeOf(line.act.at)]);
  const found = film.tableAfter(film.stops[stopAt()]);
  at("then-title").textContent = line.number === null ? t("watch.as_at_refusal", { seq: line.act.seq }) : t("watch.as_after", { number: line.number });
  if (found) {
    at("then-step").textContent = named("step", found.view.state.step);
    void then.show(found, film.rulebook);
  }
  drawRecord(line);
  if (!isLive()) history.replaceState(null, "", `#${film.shoe}/${film.round}/${line.act.seq}`);
  else if (location.hash) history.replaceState(null, "", location.pathname);
}

function drawRecord({ act, number, cites }) {
  const who = [act.who.replace(/^person-([0-9a-f]{6})[0-9a-f]{26}$/, "person $1"), named("role", act.role || act.origin)].filter(Boolean);
  const facts = [
    ["watch.seq_event", number === null ? String(act.seq) : `${act.seq.toLocaleString("en-US")} · ${number}`],
    ["watch.time", dayOf(act.at)],
    ["watch.command", make("code", {}, act.act)],
    ["watch.who", make("span", { title: act.who }, [...new Set(who)].join(", "))],
    act.approvals?.length ? ["watch.approved_by", act.approvals.map((each) => `${each.who}, ${named("role", each.role)}`).join("; ")] : null,
    ["watch.device", act.device || t("watch.no_device")],
    ["watch.clauses", cites.length ? clauseTags(cites) : "–"],
    ["watch.hash", make("code", { title: act.hash }, `${act.hash.slice(0, 12)} … ${act.hash.slice(-8)}`)],
  ].filter(Boolean);
  at("record").replaceChildren(...facts.map(([key, value]) => make("div", {}, make("dt", {}, t(key)), make("dd", {}, value))));
  at("chain").replaceChildren(make("span", { class: act.follows ? "good" : "bad" }, act.follows ? t("watch.follows") : t("watch.broken")));
}

// --------------------------------------------------------------------------------------- signed, papers

async function showSigned() {
  const found = await ask("GET", `/api/streams/${stream}/signed`).catch(() => null);
  at("signed-panel").hidden = found === null;
  if (found === null) return;
  const facts = [["watch.entries", found.entries.toLocaleString("en-US")]];
  if (found.newest === null) facts.push(["watch.checkpoint", t("watch.unsigned")]);
  else {
    facts.push(["watch.checkpoint", t("watch.signed_upto", { size: found.newest.size.toLocaleString("en-US") })], ["watch.signed_by", found.newest.signed[0].name], ["watch.root", make("code", { title: found.newest.root }, `${found.newest.root.slice(0, 20)} …`)]);
  }
  for (const note of found.cosigned) {
    for (const each of note.signed.filter((made) => made.at)) facts.push(["watch.cosigned_by", t("watch.cosigned_at", { name: each.name, size: note.size.toLocaleString("en-US"), when: dayOf(each.at * 1e6) })]);
  }
  if (found.newest && !found.cosigned.length) facts.push(["watch.cosigned_by", found.witnesses.length ? t("watch.not_cosigned") : t("watch.no_witness")]);
  at("signed").replaceChildren(...facts.map(([key, value]) => make("div", {}, make("dt", {}, t(key)), make("dd", {}, value))));
}

function drawPapers() {
  const film = now.film, shoe = `${table}/shoes/${film?.shoe ?? 1}`;
  const links = [
    film?.over ? ["watch.dispute_card", `${shoe}/rounds/${film.round}/card`] : null,
    film?.over ? ["watch.round_bundle", `${shoe}/rounds/${film.round}/bundle`] : null,
    ["watch.shoe_bundle", `${shoe}/bundle`], ["watch.journal_file", `/api/streams/${stream}/journal`],
    ["watch.rounds_csv", `/api/exports/tables/${encodeURIComponent(name)}/rounds.csv`], ["watch.rounds_lines", `/api/exports/tables/${encodeURIComponent(name)}/rounds.jsonl`],
  ].filter(Boolean);
  fill(at("exports"), JSON.stringify(links), () => links.map(([key, href]) => make("a", { class: "button", href, target: key === "watch.dispute_card" ? "_blank" : null, rel: "noopener", download: key === "watch.dispute_card" ? null : true }, t(key))));
}

// -------------------------------------------------------------------------------------------- steering

function move(steps) {
  if (!now.film) return;
  const count = now.film.stops.length, to = stopAt() + steps;
  if (to < 0) void roundFrom(-1);
  else if (to >= count) void roundFrom(1);
  else stopAtOnly(to);
}

/** Stops at an event; from the live edge the list is drawn anew, without the round before. */
function stopAtOnly(stop) {
  const wasLive = isLive();
  now.stop = stop;
  if (wasLive) draw();
  else refresh();
}

/** One round further or back, over the edge of a shoe; past the last is the live edge. */
async function roundFrom(steps, { first = steps > 0 } = {}) {
  const numbers = roundsShown(), index = numbers.indexOf(now.film?.round) + steps;
  if (index >= 0 && index < numbers.length) {
    const last = numbers[index] === now.shoe.round && !now.shoe.over;
    await goTo(now.shoe.shoe, numbers[index], { first: first && !last, live: last });
  } else if (index < 0 && now.shoe.shoe > 1) {
    await loadShoe(now.shoe.shoe - 1);
    await goTo(now.shoe.shoe, now.shoe.round);
  } else if (index >= numbers.length && now.shoe.shoe < now.shoes) {
    await loadShoe(now.shoe.shoe + 1);
    await goTo(now.shoe.shoe, roundsShown()[0] ?? now.shoe.round, { first: true });
  } else if (index >= numbers.length) await goLive();
}

const roundsShown = () => [...new Set([...now.shoe.rounds.map((each) => each.round), ...(now.shoe.over ? [] : [now.shoe.round])])];

function refresh() {
  drawHead();
  journal.mark(now.found ? null : now.film.stops[stopAt()]);
  drawStop();
  drawPapers();
}

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

const ACTS = { round_before: () => roundFrom(-1, { first: true }), back: () => move(-1), play, forward: () => move(1), live: goLive };
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", PageUp: "round_before", End: "live", " ": "play" };

function keyed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input[type=search], select")) {
    if (event.key === "Escape" && event.target === search) void clearSearch();
    return;
  }
  if (event.key === "/") {
    event.preventDefault();
    search.focus();
    return;
  }
  if (event.key === " " && event.target.closest("button, a, input")) return;
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
      const asked = words.startsWith("§") && !words.includes(" ") ? `clause=${encodeURIComponent(words)}` : `words=${encodeURIComponent(words)}`;
      const { found, more } = await ask("GET", `${table}/shoes/${now.shoe.shoe}/search?${asked}`);
      if (search.value.trim() !== words) return;
      now.found = Object.assign(found, { more });
      draw();
    } catch (problem) {
      answer.show(problem);
    }
  }, SEARCH_AFTER);
}

function sought(index) {
  stopPlaying();
  if (now.found) {
    const { round: number, seq } = now.found[index];
    void goTo(now.shoe.shoe, number, { seq });
    return;
  }
  if (index < 0) {
    const { round: number, shoe, lines } = now.earlier;
    void goTo(shoe, number, { seq: lines[-1 - index].act.seq });
    return;
  }
  stopAtOnly(now.film.stops.indexOf(index));
}

function steer() {
  journal.addEventListener("seek", ({ detail }) => sought(detail));
  scrub.addEventListener("go", ({ detail }) => void ACTS[detail]());
  scrub.addEventListener("round", ({ detail }) => void goTo(now.shoe.shoe, detail, detail === now.shoe.round && !now.shoe.over ? { live: true } : { first: true }));
  scrub.addEventListener("shoe", async ({ detail }) => {
    await loadShoe(detail);
    await goTo(detail, now.shoe.round, { live: !now.shoe.over });
  });
  scrub.addEventListener("stop", ({ detail }) => stopAtOnly(detail));
  addEventListener("keydown", keyed);
  addEventListener("hashchange", () => void fromAddress());
  search.addEventListener("input", searched);
  at("audit").addEventListener("click", () => void auditNow(`table ${name}`, at("audited"), at("audit"), answer));
}

/** The place that the address names, shoe, round and record, or the live edge. */
async function fromAddress() {
  const [shoe, number, seq] = location.hash.slice(1).split("/").map(Number);
  if (shoe && Number.isFinite(number)) await goTo(shoe, number, { seq: seq || 0 });
  else await goLive();
  drawPapers();
}

const session = await shell({ page: "watch", cards: true });
document.title = t("watch.title", { name });
search.placeholder = t("watch.search");
steer();
if (!["surveillance", "regulator", "administrator"].includes(session.role)) answer.show({ say: t("watch.not_for_you") });
else {
  await fromAddress();
  const socket = new TableSocket(name);
  socket.addEventListener("noted", () => void follow());
  socket.addEventListener("change", () => void follow());
  socket.addEventListener("link", ({ detail }) => {
    now.link = detail === "at the table" ? "" : t("watch.lost");
    if (!now.link && now.film) void follow();
    if (now.film) drawHead();
  });
  const look = () => Promise.all([showAlerts(), showSigned()]).then(drawPapers).catch((problem) => answer.show(problem));
  await look();
  setInterval(look, ALERTS_EVERY);
}
