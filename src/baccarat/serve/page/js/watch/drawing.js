// Draws what is shown: the journal with its filters, the table as it was, and the timeline at the bottom.
import { at, fill, make, within } from "/page/js/dom.js";
import { SIGNS } from "/page/js/element/journal-list.js";
import { settlesOwed } from "/page/js/owed.js";
import { isLive, lineAt, name, now, stopAt } from "/page/js/watch/looked_at.js";
import { drawPapers } from "/page/js/watch/papers.js";
import { drawRecord } from "/page/js/watch/record.js";
import { clockOf } from "/page/js/time.js";
import { named, t, told } from "/page/js/words.js";
import "/page/js/element/table-then.js";
import "/page/js/element/time-scrub.js";

const journal = at("journal"),
  scrub = at("scrub"),
  then = at("then");

/** @returns {Page.JournalLine[]} */
function listed() {
  if (now.found)
    return now.found.map((found, index) => ({
      ...found,
      say: told(found),
      key: `${found.seq} ${found.number} ${found.sort}`,
      index,
      number: found.sort === "refusal" ? null : found.number,
    }));
  const lines = [
    ...(isLive() && now.earlier
      ? linesOf(now.earlier).map((line) => ({ ...line, index: -1 - line.index, key: `earlier ${line.key}` }))
      : []),
    ...(now.film ? linesOf(now.film) : []),
  ];
  /** @param {Page.JournalLine} line */
  const wanted = (line) =>
    line.sort === "step" || (!now.without.has(line.sort) && (now.clause === "" || line.cites.includes(now.clause)));
  const kept = lines.filter(wanted);
  return kept.filter((line, index) => line.sort !== "step" || headsSome(line, kept[index + 1]));
}

/**
 * Whether a step is followed by a line of its own; the next round has a head of its own.
 * @param {Page.JournalLine} step
 * @param {Page.JournalLine | undefined} next
 */
const headsSome = (step, next) => next !== undefined && next.sort !== "step" && next.round === step.round;

/**
 * @param {Page.Film} film
 * @returns {Page.JournalLine[]}
 */
function linesOf(film) {
  const heads = isLive() && now.earlier ? { round: film.round } : {};
  return film.lines.map((line, index) => ({
    ...line,
    ...heads,
    index,
    at: line.act.at,
    key: `${heads.round ?? ""} ${line.act.seq} ${line.number} ${line.sort}`,
  }));
}

/** Draws everything. */
export function draw() {
  drawShoe();
  drawHead();
  drawSorts();
  drawClauses();
  journal.show(listed(), { empty: t(now.found ? "watch.nothing_found" : "watch.nothing") });
  journal.mark(now.found ? null : (now.film?.stops[stopAt()] ?? null));
  drawStop();
  drawPapers();
}

export function drawShoe() {
  if (!now.shoe) return;
  scrub.showShoe({
    shoe: now.shoe.shoe,
    shoes: now.shoes,
    rounds: now.shoe.rounds,
    last: now.shoe.round,
    over: now.shoe.over,
  });
  scrub.showRound(now.film?.round);
}

export function drawHead() {
  at("name").textContent = name;
  at("about").textContent = now.film
    ? t("watch.about", { round: now.film.round, shoe: now.film.shoe, rulebook: now.film.rulebook.slice(0, 12) })
    : "";
  at("about").title = now.film?.rulebook ?? "";
  const view = now.film?.tableAfter(now.film.lines.length - 1)?.view,
    stopped = view?.state.stopped,
    tag = at("state");
  const owed = isLive() ? (view?.due ?? []).filter(({ act }) => settlesOwed(act)).map(({ say }) => say) : [];
  at("owed").hidden = !owed.length;
  at("owed").textContent = owed.join(" ");
  tag.className = `tag ${now.link || stopped || !isLive() ? "held" : "live"}`;
  tag.textContent =
    now.link ||
    (stopped && isLive()
      ? t("watch.stopped")
      : isLive()
        ? t("watch.live_now")
        : now.found
          ? t(now.found.more ? "watch.found_more" : "watch.found", { count: now.found.length })
          : t("watch.replayed"));
}

function drawSorts() {
  const counts = new Map(Object.keys(SIGNS).map((sort) => [sort, 0]));
  for (const line of now.film?.lines ?? [])
    if (counts.has(line.sort)) counts.set(line.sort, (counts.get(line.sort) ?? 0) + 1);
  fill(within(at("sorts"), "ul"), JSON.stringify([[...counts], [...now.without]]), () =>
    [...counts].map(([sort, count]) => {
      /** @type {HTMLInputElement} */
      const box = make("input", {
        type: "checkbox",
        "data-sort": sort,
        checked: !now.without.has(sort),
        onchange: () => {
          if (box.checked) now.without.delete(sort);
          else now.without.add(sort);
          draw();
          within(at("sorts"), `[data-sort="${sort}"]`).focus();
        },
      });
      return make(
        "li",
        {},
        make(
          "label",
          {},
          box,
          make("span", { class: `sign ${sort}`, "aria-hidden": "true" }, SIGNS[sort]),
          named("watch.sort", sort),
          make("em", {}, String(count)),
        ),
      );
    }),
  );
}

function drawClauses() {
  const cites = [
    ...new Set((now.film?.lines ?? []).filter((line) => line.sort !== "step").flatMap((line) => line.cites)),
  ].sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  if (now.clause && !cites.includes(now.clause)) cites.unshift(now.clause);
  fill(within(at("clauses"), "div"), JSON.stringify([cites, now.clause]), () =>
    cites.map((cite) =>
      make(
        "button",
        {
          type: "button",
          class: "clause",
          "aria-pressed": String(cite === now.clause),
          title: cite,
          onclick: () => {
            now.clause = now.clause === cite ? "" : cite;
            draw();
          },
        },
        cite.includes(" §") ? cite.slice(cite.indexOf("§")) : cite,
      ),
    ),
  );
}

function drawStop() {
  const line = lineAt(),
    { film, earlier } = now;
  if (!line || !film) {
    at("then-title").textContent = t("watch.not_begun");
    scrub.showStops([], 0, [t("watch.not_begun"), ""]);
    const last = (earlier?.lines.length ?? 0) - 1,
      found = earlier?.tableAfter(last);
    at("then-step").textContent = found ? named("step", found.view.state.step) : "";
    if (earlier && found) {
      void then.show(found, earlier.rulebook);
      drawRecord(earlier.lines[last]);
    }
    return;
  }
  const words =
    line.number === null ? t("watch.refusal_at", { seq: line.act.seq }) : t("watch.event", { number: line.number });
  scrub.showStops(
    film.stops.map((index) => film.lines[index].sort),
    stopAt(),
    [words, clockOf(line.act.at)],
  );
  const found = film.tableAfter(film.stops[stopAt()]);
  at("then-title").textContent =
    line.number === null
      ? t("watch.as_at_refusal", { seq: line.act.seq })
      : t("watch.as_after", { number: line.number });
  if (found) {
    at("then-step").textContent = named("step", found.view.state.step);
    void then.show(found, film.rulebook);
  }
  drawRecord(line);
  if (!isLive()) history.replaceState(null, "", `#${film.shoe}/${film.round}/${line.act.seq}`);
  else if (location.hash) history.replaceState(null, "", location.pathname);
}

/** Shows another event of the same round. */
export function refresh() {
  drawHead();
  journal.mark(now.found ? null : (now.film?.stops[stopAt()] ?? null));
  drawStop();
  drawPapers();
}
