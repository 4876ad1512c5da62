// A table that is followed over a socket.
import { ask, commandId } from "/page/js/house.js";

function holderOf(value, path) {
  const way = path.split("."), key = way.pop();
  for (const step of way) value = value[step];
  return [value, key];
}

/** Answers by which the house says that one may not come to this table. */
const DENIALS = [400, 401, 403, 404];

/** After so long without a word the table is asked whether it is there; whoever then says nothing for so long is gone. */
const QUIET = 5000, SILENT = 3000, LOOK = 500;

/** Brings a view to what it is after a patch. */
export function applyPatch(view, patch) {
  for (const [path, [start, count, ...more]] of Object.entries(patch.splice ?? {})) {
    const [holder, key] = holderOf(view.state, path);
    holder[key].splice(start, count, ...more);
  }
  for (const [path, value] of Object.entries(patch.set ?? {})) {
    const [holder, key] = holderOf(view.state, path);
    holder[key] = value;
  }
  for (const path of patch.drop ?? []) {
    const [holder, key] = holderOf(view.state, path);
    delete holder[key];
  }
  view.due = patch.due ?? view.due;
}

/** A table that is followed: it comes back by itself, and sends again what was not answered, under the same id. */
export class TableSocket extends EventTarget {
  constructor(name) {
    super();
    this.name = name;
    this.view = null;
    this.seq = -1;
    this.run = "";
    this.waiting = new Map();
    this.pause = 200;
    this.isUp = false;
    this.lostAt = 0;
    this.denied = null;
    this.heardAt = Date.now();
    this.askedAt = 0;
    this.watch = setInterval(() => this.listen(), LOOK);
    void this.connect();
  }

  async connect() {
    try {
      const { ticket, socket } = await ask("POST", "/api/tickets", { table: this.name }, {}, { within: QUIET + SILENT });
      const where = new URL(socket, location.href);
      where.protocol = location.protocol === "https:" ? "wss:" : "ws:";
      this.socket = new WebSocket(where);
      this.askedAt = Date.now(); // whoever is called has to answer, too
      this.socket.onopen = () => {
        const had = this.seq < 0 ? {} : { run: this.run, after: this.seq };
        this.socket.send(JSON.stringify({ type: "join", ticket, ...had }));
        for (const [text] of this.waiting.values()) this.socket.send(text);
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

  ping() {
    this.askedAt = Date.now();
    this.socket.send(JSON.stringify({ type: "ping" }));
  }

  /**
   * A table that says nothing is asked; one that does not answer is lost, since it was heard last. Only a question without
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

  /** The house does not let one in: asking again would not change that. */
  turnedAway(problem) {
    [this.denied, this.isUp] = [problem, false];
    clearInterval(this.watch);
    this.tell("link", problem.message);
  }

  again(why = "") {
    if (this.isUp || !this.lostAt) this.lostAt = this.heardAt;
    [this.isUp, this.askedAt] = [false, 0];
    this.tell("link", `connection lost, coming back … ${why}`);
    setTimeout(() => this.connect(), this.pause * (0.5 + Math.random()));
    this.pause = Math.min(5000, this.pause * 2);
  }

  /** The table has answered: what is shown is how it stands. */
  came() {
    if (this.isUp) return;
    [this.isUp, this.lostAt] = [true, 0];
    this.tell("link", "at the table");
  }

  take(said) {
    if (said.type === "view" || said.type === "patch" || said.type === "waits" || said.type === "pong") this.came();
    if (said.type === "waits") {
      this.tell("waits", said.waits ?? []);
    } else if (said.type === "view") {
      [this.run, this.seq, this.view] = [said.run, said.seq, said.view];
      this.tell("change", []);
    } else if (said.type === "patch") {
      if (said.from !== this.seq) {
        this.seq = -1;
        this.socket.close();
        return;
      }
      applyPatch(this.view, said);
      this.seq = said.seq;
      this.tell("change", said.events ?? []);
    } else if (said.type === "noted") {
      this.tell("noted", said.seq);
    } else if (said.type === "bye") {
      this.tell("link", said.say);
    } else if (said.type === "problem" && said.again) {
      return; // the house closes or hands the table over: the line ends, and whoever has the table next is sent it again
    } else if (said.id && this.waiting.has(said.id)) {
      const [, answered] = this.waiting.get(said.id);
      this.waiting.delete(said.id);
      answered(said);
    }
  }

  do(command) {
    const id = commandId(), text = JSON.stringify({ type: "do", id, command });
    return new Promise((answered) => {
      this.waiting.set(id, [text, answered]);
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    });
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
