// A line to the house that comes back by itself and notices silence; over it a table or the whole house is followed.

/** Answers by which the house says that one may not come: asking again would not change that. */
const LOCKED = 423, DENIALS = [400, 401, 403, 404, LOCKED];

/** After so long without a word the house is asked whether it is there; whoever then says nothing for so long is gone. */
const QUIET = 5000, SILENT = 3000, LOOK = 500;

/**
 * A line that is kept up. What is made of it says how a ticket is asked for (`ticket`), what it has already (`had`), what
 * is sent once it is open (`opened`), and what it does with what is said (`hear`).
 */
export class Line extends EventTarget {
  constructor() {
    super();
    this.pause = 200;
    this.isUp = false;
    this.lostAt = 0;
    this.denied = null;
    this.heardAt = Date.now();
    this.askedAt = 0;
    this.watch = setInterval(() => this.listen(), LOOK);
    queueMicrotask(() => void this.connect()); // what is made of this is not whole before
  }

  async connect() {
    try {
      const { ticket, socket } = await this.ticket({ within: QUIET + SILENT });
      const where = new URL(socket, location.href);
      where.protocol = location.protocol === "https:" ? "wss:" : "ws:";
      this.socket = new WebSocket(where);
      this.askedAt = Date.now(); // whoever is called has to answer, too
      this.socket.onopen = () => {
        this.socket.send(JSON.stringify({ type: "join", ticket, ...this.had() }));
        this.opened();
        this.ping(); // who has missed nothing is sent nothing else
        this.pause = 200;
      };
      this.socket.onmessage = (message) => {
        [this.heardAt, this.askedAt] = [Date.now(), 0];
        this.take(JSON.parse(message.data));
      };
      this.socket.onclose = () => this.again();
    } catch (error) {
      if (DENIALS.includes(error.status)) this.turnedAway(error);
      else this.again(error.message);
    }
  }

  opened() {}

  ping() {
    this.askedAt = Date.now();
    this.socket.send(JSON.stringify({ type: "ping" }));
  }

  /**
   * A house that says nothing is asked; one that does not answer is lost, since it was heard last. Only a question without
   * an answer counts: the timers of a page that nobody looks at run late.
   */
  listen() {
    const now = Date.now();
    if (this.askedAt && now - this.askedAt >= SILENT) this.lose();
    else if (!this.askedAt && this.socket?.readyState === WebSocket.OPEN && now - this.heardAt >= QUIET) this.ping();
  }

  /** Lets a silent line go, without waiting for its end: that would need an answer, too. */
  lose() {
    const { socket } = this;
    Object.assign(socket, { onopen: null, onmessage: null, onclose: null });
    socket.close();
    this.again();
  }

  /** The house does not let one in: `retry` asks again, when whoever is here has changed that. */
  turnedAway(problem) {
    [this.denied, this.isUp] = [problem, false];
    clearInterval(this.watch);
    this.tell("link", problem.message);
  }

  /** Asks again to be let in, once, however often it is wanted; a line that nobody denied needs no other beside it. */
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
    this.tell("link", `connection lost, coming back … ${why}`);
    setTimeout(() => this.connect(), this.pause * (0.5 + Math.random()));
    this.pause = Math.min(5000, this.pause * 2);
  }

  /** The house has answered: what is shown is how it stands. */
  came() {
    if (this.isUp) return;
    [this.isUp, this.lostAt] = [true, 0];
    this.tell("link", "at the table");
  }

  take(said) {
    if (said.type !== "bye" && said.type !== "problem") this.came();
    if (said.type === "bye") this.hungUp(said);
    else this.hear(said);
  }

  /** The house hangs up. A console that it has locked is not let in again before somebody unlocks it. */
  hungUp({ why, say }) {
    if (why !== "locked") {
      this.tell("link", say);
      return;
    }
    this.socket.onclose = null;
    this.socket.close();
    this.turnedAway({ status: LOCKED, message: say });
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
