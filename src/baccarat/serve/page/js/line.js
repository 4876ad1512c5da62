// A connection to the house that reconnects by itself and notices silence; over it a table or the whole house is
// followed.

/** Answers by which the house denies admission: asking again would not change that. */
const LOCKED = 423,
  DENIALS = [400, 401, 403, 404, LOCKED];

/** After how long a silence the house is pinged; without an answer in the same time it is gone. */
const QUIET = 5000,
  SILENT = 3000,
  LOOK = 500;

/**
 * A connection that is kept open. Subclasses say how to get a ticket (`ticket`), what they have already (`had`), what
 * is sent once it is open (`opened`), and how messages are handled (`hear`).
 */
export class Line extends /** @type {new () => Page.LineTarget} */ (EventTarget) {
  /**
   * The connection, once there has been a ticket for it.
   * @type {WebSocket | undefined}
   */
  socket;

  constructor() {
    super();
    this.pause = 200;
    this.isUp = false;
    this.lostAt = 0;
    /** @type {Page.Reason | null} */
    this.denied = null;
    this.heardAt = Date.now();
    this.askedAt = 0;
    this.watch = setInterval(() => this.listen(), LOOK);
    queueMicrotask(() => void this.connect()); // the subclass is not complete before
  }

  async connect() {
    try {
      const { ticket, socket } = await this.ticket({ within: QUIET + SILENT });
      const where = new URL(socket, location.href);
      where.protocol = location.protocol === "https:" ? "wss:" : "ws:";
      const opening = new WebSocket(where);
      this.socket = opening;
      this.askedAt = Date.now(); // opening counts as a ping
      opening.onopen = () => {
        this.send({ type: "join", ticket, ...this.had() });
        this.opened();
        this.ping(); // a client that has missed nothing is sent nothing else
        this.pause = 200;
      };
      opening.onmessage = (message) => {
        [this.heardAt, this.askedAt] = [Date.now(), 0];
        this.take(JSON.parse(message.data));
      };
      opening.onclose = () => this.again();
    } catch (problem) {
      const error = /** @type {Page.Reason} */ (problem);
      if (DENIALS.includes(error.status ?? 0)) this.turnedAway(error);
      else this.again(error.message);
    }
  }

  /**
   * A ticket for this connection.
   * @abstract
   * @param {Page.Patience} _how
   * @returns {Promise<House.TicketAnswer>}
   */
  ticket(_how) {
    throw new Error("which ticket?");
  }

  /**
   * Where to resume, and what is wanted.
   * @returns {Partial<House.Join>}
   */
  had() {
    return {};
  }

  opened() {}

  /**
   * A message has come.
   * @param {House.ToClient} _said
   */
  hear(_said) {}

  /** @param {House.FromClient} said */
  send(said) {
    this.socket?.send(JSON.stringify(said));
  }

  ping() {
    this.askedAt = Date.now();
    this.send({ type: "ping" });
  }

  /**
   * A silent house is pinged; one that does not answer is lost, since it was last heard. Only a ping without an answer
   * counts: the timers of a hidden page run late.
   */
  listen() {
    const now = Date.now();
    if (this.askedAt && now - this.askedAt >= SILENT) this.lose();
    else if (!this.askedAt && this.socket?.readyState === WebSocket.OPEN && now - this.heardAt >= QUIET) this.ping();
  }

  /** Drops a silent connection, without waiting for it to close: that would need an answer too. */
  lose() {
    const { socket } = this;
    if (socket) {
      Object.assign(socket, { onopen: null, onmessage: null, onclose: null });
      socket.close();
    }
    this.again();
  }

  /**
   * The house denies admission: `retry` asks again, once the person has changed that.
   * @param {Page.Reason} problem
   */
  turnedAway(problem) {
    [this.denied, this.isUp] = [problem, false];
    clearInterval(this.watch);
    this.tell("link", problem.message);
  }

  /**
   * Asks for admission again, once, however often it is called; a connection that was not denied needs no second one.
   */
  retry() {
    if (!this.denied) return;
    clearInterval(this.watch);
    [this.denied, this.askedAt, this.heardAt] = [null, 0, Date.now()];
    this.watch = setInterval(() => this.listen(), LOOK);
    void this.connect();
  }

  again(why = "") {
    if (this.isUp || !this.lostAt) this.lostAt = this.heardAt;
    [this.isUp, this.askedAt] = [false, 0];
    this.tell("link", `connection lost, reconnecting … ${why}`);
    setTimeout(() => this.connect(), this.pause * (0.5 + Math.random()));
    this.pause = Math.min(5000, this.pause * 2);
  }

  /** @param {string} [why] */
  /** The house has answered: what is shown is current. */
  came() {
    if (this.isUp) return;
    [this.isUp, this.lostAt] = [true, 0];
    this.tell("link", "at the table");
  }

  /** @param {House.ToClient} said */
  take(said) {
    if (said.type !== "bye" && said.type !== "problem") this.came();
    if (said.type === "bye") this.hungUp(said);
    else this.hear(said);
  }

  /**
   * The house closes the connection. A console that it has locked is not admitted again before it is unlocked.
   * @param {House.Bye} said
   */
  hungUp({ why, say }) {
    if (why !== "locked") {
      this.tell("link", say);
      return;
    }
    if (this.socket) {
      this.socket.onclose = null;
      this.socket.close();
    }
    this.turnedAway({ status: LOCKED, message: say });
  }

  /**
   * @param {keyof Page.LineEvents} type
   * @param {unknown} [detail]
   */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
