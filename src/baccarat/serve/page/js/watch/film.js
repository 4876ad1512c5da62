// A replayed round: its records in order, and the table as it was after any of them.
import { applyPatch } from "/page/js/table_socket.js";
import { told } from "/page/js/words.js";

/**
 * One line of the journal for each event that has a sentence, and for each refusal.
 * @param {House.NarratedAct} act
 * @returns {Page.FilmLine[]}
 */
function linesOf(act) {
  if (act.refused)
    return [
      {
        act,
        sort: "refusal",
        say: told(act.refused),
        cites: act.refused.cites,
        number: null,
        counts: {},
        taken: [],
        changes: [],
      },
    ];
  /** @type {Page.FilmLine[]} */
  const lines = [];
  /** @type {House.Patch[]} */
  let hidden = [];
  for (const event of act.events ?? []) {
    const changes = event.patch ? [...hidden, event.patch] : hidden;
    if (event.sort === "hidden") {
      hidden = changes;
      continue;
    }
    lines.push({
      act,
      sort: event.sort,
      say: told(event),
      cites: event.cites ?? [],
      number: event.number,
      step: event.step ?? "",
      counts: event.counts ?? {},
      taken: event.taken ?? [],
      changes,
    });
    hidden = [];
  }
  return lines;
}

export class Film {
  /**
   * The table after the line `at`, with the counts that were announced and the wagers that were taken up to then.
   * @type {House.TableView}
   */
  view;
  /** @type {Record<string, number>} */
  counts = {};
  /** @type {House.WagerTaken[]} */
  taken = [];
  over = false;

  /** @param {House.Replay} told */
  constructor(told) {
    this.shoe = told.shoe;
    this.round = told.round;
    this.rulebook = told.rulebook;
    this.base = told.view;
    /** @type {Page.FilmLine[]} */
    this.lines = [];
    this.last = 0;
    this.at = -1;
    this.add(told);
  }

  /**
   * Adds more records of the same round.
   * @param {House.Replay} told
   */
  add(told) {
    if (this.base === null && told.view) [this.base, this.rulebook] = [told.view, told.rulebook];
    this.over = told.over;
    for (const act of told.acts) if (act.seq > this.last) this.lines.push(...linesOf(act));
    this.last = Math.max(this.last, told.last);
  }

  /** The lines at which the replay can stop: all but the headings of steps. */
  get stops() {
    return this.lines.flatMap((line, index) => (line.sort === "step" ? [] : [index]));
  }

  /**
   * The table after a line, with the counts that were announced up to then and the wagers that are still there.
   * @param {number} index
   * @returns {Page.Then | null}
   */
  tableAfter(index) {
    if (this.base === null) return null;
    if (index < this.at || this.at < 0)
      [this.view, this.counts, this.taken, this.at] = [structuredClone(this.base), {}, [], -1];
    for (; this.at < index; this.at += 1) {
      const { changes, counts, taken } = this.lines[this.at + 1];
      for (const change of changes) applyPatch(this.view, structuredClone(change));
      Object.assign(this.counts, counts);
      this.taken.push(...taken);
    }
    const { round } = this.view.state,
      isTaken = (/** @type {House.Wager} */ { seat, on }) =>
        this.taken.some((each) => each.seat === seat && each.on === on);
    if (round.player.length === 0) [this.counts, this.taken] = [{}, []];
    return { view: this.view, counts: this.counts, wagers: (round.wagers ?? []).filter((wager) => !isTaken(wager)) };
  }
}
