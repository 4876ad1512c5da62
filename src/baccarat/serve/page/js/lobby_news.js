// What moves at the tables: asked for every two seconds while the page is seen and somebody is there.
import { ask } from "/page/js/house.js";
import { heardNow } from "/page/js/table/phase.js";

const EVERY = 2000;
/** After how many milliseconds without any sign of the user the page stops asking: company does not play for nobody. */
const PATIENCE = 15 * 60_000;
const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "scroll"];

/** Calls `show` with what moves, {table name: …}, and `failed` if the house does not answer. */
export class LobbyNews {
  /**
   * @param {{ show: (found: Record<string, Page.News>) => Promise<void>, failed: (problem: unknown) => void }} to
   */
  constructor({ show, failed }) {
    this.show = show;
    this.failed = failed;
    this.asked = 0;
    this.actedAt = performance.now();
  }

  /** Asks once, and again from time to time; resolves after the first answer. */
  start() {
    for (const sign of SIGNS) addEventListener(sign, () => void this.noteSign(), { passive: true, capture: true });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) void this.look();
    });
    setInterval(() => {
      if (!document.hidden && !this.isLeft) void this.look();
    }, EVERY);
    return this.look();
  }

  get isLeft() {
    return performance.now() - this.actedAt > PATIENCE;
  }

  noteSign() {
    const wasLeft = this.isLeft;
    this.actedAt = performance.now();
    if (wasLeft) void this.look();
  }

  async look() {
    const mine = ++this.asked;
    try {
      const { tables } = await ask("GET", "/api/lobby");
      if (mine !== this.asked) return; // a later request gives a newer answer
      await this.show(Object.fromEntries(tables.map((now) => [now.table, heardNow(now)])));
    } catch (problem) {
      this.failed(problem);
    }
  }
}
