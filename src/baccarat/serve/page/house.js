// What both pages need: coming in, sums, ids of commands, and a table that is followed over a socket.

export async function ask(method, path, body, headers = {}) {
  const answer = await fetch(path, {
    method, headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body), credentials: "same-origin",
  });
  const said = await answer.json().catch(() => ({ detail: answer.statusText }));
  if (!answer.ok) throw new Error(said.detail || said.title || answer.statusText);
  return said;
}

export const sum = (cents) => (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });

let last = 0n;

/** An id for a command: a UUID, version 7, greater than all before it on this page. */
export function commandId() {
  const now = BigInt(Date.now()) << 12n;
  last = now > last ? now : last + 1n;
  const chance = crypto.getRandomValues(new Uint8Array(8));
  chance[0] = (chance[0] & 0x3f) | 0x80;
  const hex = (last >> 12n).toString(16).padStart(12, "0") + "7" + (last & 0xfffn).toString(16).padStart(3, "0")
    + [...chance].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function holderOf(value, path) {
  const way = path.split("."), key = way.pop();
  for (const step of way) value = value[step];
  return [value, key];
}

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
    this.connect();
  }

  async connect() {
    try {
      const { ticket, socket } = await ask("POST", "/api/tickets", { table: this.name });
      const where = new URL(socket, location.href);
      where.protocol = location.protocol === "https:" ? "wss:" : "ws:";
      this.socket = new WebSocket(where);
      this.socket.onopen = () => {
        const had = this.seq < 0 ? {} : { run: this.run, after: this.seq };
        this.socket.send(JSON.stringify({ type: "join", ticket, ...had }));
        for (const [text] of this.waiting.values()) this.socket.send(text);
        this.pause = 200;
        this.tell("link", "at the table");
      };
      this.socket.onmessage = (message) => this.take(JSON.parse(message.data));
      this.socket.onclose = () => this.again();
    } catch (error) {
      this.again(error.message);
    }
  }

  again(why = "") {
    this.tell("link", `connection lost, coming back … ${why}`);
    setTimeout(() => this.connect(), this.pause * (0.5 + Math.random()));
    this.pause = Math.min(5000, this.pause * 2);
  }

  take(said) {
    if (said.type === "view") {
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
    } else if (said.type === "bye") {
      this.tell("link", said.say);
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
