// Receipts of one's own acts, stored in this browser: the newest of each log, for the day when they are needed.

const KEPT = "receipts ",
  MOST = 100,
  MOST_PENDING = 200,
  AFTER_RESULT = 1500,
  AGAIN = 5000;
const MOST_UNCOSIGNED = 20,
  COSIGNED_AFTER = 35_000; // a house asks its witnesses every half minute

/**
 * The status of an answer where no checkpoint covers the act yet; those of a house that is busy or of a locked console;
 * the first of faults; and those of a house that gives this person none at all.
 */
const NOT_SIGNED_YET = 409,
  BUSY = [408, 421, 423, 429],
  FAULT = 500,
  NEVER = [401, 404];

/**
 * @param {string} key
 * @returns {Page.Receipt[]}
 */
const kept = (key) => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "[]");
  } catch {
    return []; // somebody else wrote there
  }
};

/**
 * The name of the log that a receipt is of: the first line of its checkpoint, after the proof and an empty line.
 * @param {string} text
 */
const originOf = (text) => text.slice(text.indexOf("\n\n") + 2).split("\n", 1)[0];

/**
 * Whether somebody has signed a receipt's checkpoint besides the house, which alone could sign two histories.
 * @param {string} text
 */
const isCosigned = (text) => text.split("\n— ").length > 2;

/**
 * Keep a receipt; the oldest of its log are dropped.
 * @param {string} table
 * @param {number} seq
 * @param {string} text
 */
function keepReceipt(table, seq, text) {
  const key = KEPT + originOf(text),
    others = kept(key).filter((each) => each.seq !== seq);
  try {
    localStorage.setItem(key, JSON.stringify([...others, { table, seq, text }].slice(-MOST)));
  } catch {
    // no room, or the browser keeps nothing: a receipt less
  }
}

/** Every receipt that this browser keeps, each with its `table`, `seq` and `text`. */
export function keptReceipts() {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(KEPT))
    .flatMap(kept);
}

/** Asks for the receipts of acts at a table once a result is announced, when a signed checkpoint covers them. */
export class ReceiptKeeper {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    /** @type {Set<number>} */
    this.pending = new Set();
    /** @type {Set<number>} */
    this.covered = new Set();
    /** @type {Set<number>} */
    this.uncosigned = new Set();
    this.timer = 0;
    /**
     * Whether the house signs this table's journal, once that is known.
     * @type {boolean | undefined}
     */
    this.signed = undefined;
  }

  /**
   * An act of one's own has this number in the table's journal.
   * @param {number} seq
   */
  add(seq) {
    if (seq > 0 && this.pending.size < MOST_PENDING) this.pending.add(seq);
  }

  /** A checkpoint is signed with each result: it covers the acts so far, and none of the next round. */
  resultAnnounced() {
    this.covered = new Set(this.pending);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fetchPending(), AFTER_RESULT);
  }

  /**
   * Whether the house signs this table's journal: asked once, so that a house without a key is not asked for receipts.
   */
  async isSigned() {
    const answer = await fetch("/api/keys").catch(() => null);
    if (!answer?.ok) return undefined;
    const { logs, witnesses = [] } = await answer.json();
    this.hasWitness = witnesses.length > 0;
    return `table ${this.table}` in logs;
  }

  async fetchPending() {
    this.signed ??= await this.isSigned();
    if (this.signed === undefined) return this.tryLater();
    if (!this.signed) return this.forget();
    for (const seq of [...this.uncosigned, ...this.covered]) {
      const answer = await fetch(`/api/tables/${encodeURIComponent(this.table)}/receipts/${seq}`).catch(() => null);
      if (answer?.status === NOT_SIGNED_YET) return; // asked again after the next result
      const text = answer?.ok ? await answer.text().catch(() => null) : "";
      if (!answer || text === null || answer.status >= FAULT || BUSY.includes(answer.status)) return this.tryLater();
      for (const each of [this.covered, this.pending, this.uncosigned]) each.delete(seq);
      if (answer.ok) this.keep(seq, text);
      else if (NEVER.includes(answer.status)) return this.forget(); // this house signs nothing, or the person has left
    }
    if (!this.uncosigned.size) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fetchPending(), COSIGNED_AFTER);
  }

  /**
   * Keep a receipt; without the cosignature of a witness it is asked for again, when there may be one.
   * @param {number} seq
   * @param {string} text
   */
  keep(seq, text) {
    keepReceipt(this.table, seq, text);
    if (this.hasWitness && !isCosigned(text))
      this.uncosigned = new Set([...this.uncosigned, seq].slice(-MOST_UNCOSIGNED));
  }

  /**
   * The house does not answer, or not now. Nothing is given up for that: others may keep it busy, and it may wish that
   * nobody had a receipt.
   */
  tryLater() {
    clearTimeout(this.timer);
    if (this.covered.size || this.uncosigned.size) this.timer = setTimeout(() => this.fetchPending(), AGAIN);
  }

  forget() {
    for (const each of [this.covered, this.pending, this.uncosigned]) each.clear();
  }
}
