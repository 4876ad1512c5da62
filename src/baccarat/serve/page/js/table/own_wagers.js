// The user's wagers as commands: one more chip, undo, double, rebet, clear.

export class OwnWagers {
  /**
   * `send` sends a command to the table and returns the answer; `name` is the table's.
   * @param {string} name
   * @param {(command: House.Command) => Promise<Page.Answered>} send
   */
  constructor(name, send) {
    this.send = send;
    this.key = `last wagers ${name}`;
    this.seat = 0;
    /** @type {Record<string, number>} */
    this.lie = {};
    /** @type {Page.Coupon | null} */
    this.coupon = null;
    /** @type {Record<string, number>[]} */
    this.past = [];
    this.round = "";
    /** @type {Promise<Page.Answered | null>} */
    this.turn = Promise.resolve(null);
  }

  /**
   * One act after the other: each begins when the one before has been answered.
   * @param {() => Promise<Page.Answered | null>} act
   */
  inTurn(act) {
    this.turn = this.turn.then(act, act);
    return this.turn;
  }

  /**
   * Takes what is on the felt now: undo ends with the round, and the last wagers are remembered for the next.
   * @param {{ seat: number, wagers: House.Wager[], round: string, isClosed: boolean }} what
   */
  see({ seat, wagers, round, isClosed }) {
    this.seat = seat;
    this.lie = Object.fromEntries(
      wagers.filter((wager) => wager.seat === seat).map((wager) => [wager.on, wager.stake]),
    );
    if (round !== this.round) [this.round, this.past] = [round, []];
    if (isClosed && seat && Object.keys(this.lie).length) sessionStorage.setItem(this.key, JSON.stringify(this.lie));
  }

  get total() {
    return Object.values(this.lie).reduce((sum, stake) => sum + stake, 0);
  }

  get before() {
    return JSON.parse(sessionStorage.getItem(this.key) ?? "{}");
  }

  /** Which acts would have an effect now. */
  get open() {
    const lies = Object.keys(this.lie).length > 0;
    return {
      undo: this.past.length > 0,
      double: lies,
      clear: lies,
      rebet: !lies && Object.keys(this.before).length > 0,
    };
  }

  /**
   * @param {string} on
   * @param {number} cents
   */
  add(on, cents) {
    return this.inTurn(() => this.change({ [on]: (this.lie[on] ?? 0) + cents }));
  }

  /**
   * @param {string} on
   * @param {number} cents
   */
  set(on, cents) {
    return this.inTurn(() => this.change({ [on]: cents }));
  }

  /** @param {string} name */
  act(name) {
    return this.inTurn(() => this.acted(name));
  }

  /**
   * @param {string} name
   * @returns {Promise<Page.Answered | null>}
   */
  async acted(name) {
    if (!this.open[/** @type {keyof typeof this.open} */ (name)]) return null;
    if (name === "undo") return this.change(this.past.pop() ?? {}, { isUndo: true });
    if (name === "double")
      return this.change(Object.fromEntries(Object.entries(this.lie).map(([on, stake]) => [on, 2 * stake])));
    if (name === "rebet") return this.change(this.before);
    return this.change(Object.fromEntries(Object.keys(this.lie).map((on) => [on, 0])));
  }

  /**
   * A coupon, by its number and its value in cents, goes with the next wager that is placed; null: none does.
   * @param {Page.Coupon | null} coupon
   */
  present(coupon) {
    this.coupon = coupon;
  }

  /**
   * Changes stakes to the wanted ones; the first refusal ends it. What was changed can be undone.
   * @param {Record<string, number>} stakes
   * @param {{ isUndo?: boolean }} [how]
   * @returns {Promise<Page.Answered | null>}
   */
  async change(stakes, { isUndo = false } = {}) {
    /** @type {Record<string, number>} */
    const changed = {};
    /** @type {Page.Answered | null} */
    let answer = null;
    for (const [on, stake] of Object.entries(stakes)) {
      const had = this.lie[on] ?? 0;
      if (had === stake) continue;
      answer = await this.send(this.command(/** @type {House.WagerKind} */ (on), had, stake));
      if (answer.type !== "done") break;
      if (!had) this.coupon = null;
      changed[on] = had;
      this.lie = { ...this.lie, [on]: stake };
      if (!stake) delete this.lie[on];
    }
    if (!isUndo && Object.keys(changed).length) this.past.push(changed);
    return answer;
  }

  /**
   * @param {House.WagerKind} on
   * @param {number} had
   * @param {number} stake
   * @returns {House.Command}
   */
  command(on, had, stake) {
    if (!had) return { do: "place_wager", seat: this.seat, on, stake, ...this.coupon };
    return stake ? { do: "change_wager", seat: this.seat, on, stake } : { do: "withdraw_wager", seat: this.seat, on };
  }
}
