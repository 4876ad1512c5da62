// What is typed at the console: cards as rank and suit, by hand or by a scanning shoe, and the key of the act.
// A scanner types faster than a house answers: what comes meanwhile waits in order.
import { rankTyped, suitTyped } from "/page/js/element/card-pad.js";

const PATIENCE = 2000; // how long a rank waits for its suit, in milliseconds

/**
 * A card, or the key of the act that was shown.
 * @typedef {{ card?: string, act?: string | null }} Keyed
 */

export class Typed {
  rank = "";
  since = 0;
  /** @type {Keyed[]} */
  queue = [];
  /** @type {Keyed} */
  current = {};
  isBusy = false;

  /**
   * `take(card)` and `enter(act)` are called one after the other, each when the one before is done.
   * @param {object} to
   * @param {(card: string) => Promise<void>} to.take
   * @param {(act: string | null) => Promise<void>} to.enter
   * @param {() => void} to.clear
   */
  constructor({ take, enter, clear }) {
    this.take = take;
    this.enter = enter;
    this.clear = clear;
  }

  /**
   * Takes a key, if it belongs to a card; returns whether it did.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const suit = suitTyped(event.key);
    if (this.rank && suit && event.timeStamp - this.since < PATIENCE) {
      this.add({ card: this.rank + suit });
      this.rank = "";
      return true;
    }
    const rank = event.key.length === 1 ? rankTyped(event.key) : "";
    if (rank) [this.rank, this.since] = [rank, event.timeStamp];
    return Boolean(rank);
  }

  /**
   * The key of the act, for the act that is shown: if another act is next when its turn comes, it is ignored, so that
   * nobody pays twice by mistake. After a card it belongs to the card.
   * @param {string | null} shown
   */
  press(shown) {
    const isBehindCard = Boolean((this.queue.at(-1) ?? (this.isBusy ? this.current : {})).card);
    this.add({ act: isBehindCard ? null : shown });
  }

  back() {
    this.rank = "";
    this.queue = [];
    this.clear();
  }

  /** @param {Keyed} what */
  async add(what) {
    this.queue.push(what);
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      while (this.queue.length) {
        this.current = this.queue.shift() ?? {};
        await (this.current.card ? this.take(this.current.card) : this.enter(this.current.act ?? null));
      }
    } finally {
      this.isBusy = false;
    }
  }
}
