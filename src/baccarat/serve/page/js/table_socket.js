// A table that is followed over a socket.
import { ask, commandId } from "/page/js/house.js";
import { Line } from "/page/js/line.js";

/**
 * @param {any} value
 * @param {string} path
 * @returns {[any, string]}
 */
function holderOf(value, path) {
  const way = path.split("."),
    key = way.pop() ?? "";
  for (const step of way) value = value[step];
  return [value, key];
}

/**
 * Applies what has changed in a document: the state of a view, or words.
 * @param {object} document
 * @param {House.Changes} changes
 */
export function applyChanges(document, { splice = {}, set = {}, drop = [] }) {
  for (const [path, [start, count, ...more]] of Object.entries(splice)) {
    const [holder, key] = holderOf(document, path);
    holder[key].splice(start, count, ...more);
  }
  for (const [path, value] of Object.entries(set)) {
    const [holder, key] = holderOf(document, path);
    holder[key] = value;
  }
  for (const path of drop) {
    const [holder, key] = holderOf(document, path);
    delete holder[key];
  }
}

/**
 * Applies a patch to a view.
 * @param {House.TableView} view
 * @param {House.Patch} patch
 */
export function applyPatch(view, patch) {
  applyChanges(view.state, patch);
  view.due = patch.due ?? view.due;
}

/** A table that is followed: it reconnects by itself, and sends unanswered commands again under the same id. */
export class TableSocket extends Line {
  /**
   * `before` is called before each connection to the table; if it throws a Problem, none is made. `words` is what else
   * is followed: the "moment" of the table, or its "work".
   * @param {string} name
   * @param {{ before?: (how: Page.Patience) => Promise<void>, words?: House.WordsKind }} [how]
   */
  constructor(name, { before = async () => {}, words = "" } = {}) {
    super();
    this.name = name;
    this.before = before;
    this.kind = words;
    /** @type {House.TableView | null} */
    this.view = null;
    /** @type {any} */
    this.words = null;
    this.wordsSeq = 0;
    this.seq = -1;
    this.run = "";
    /** @type {Map<string, [text: string, answered: (said: Page.Answered) => void]>} */
    this.waiting = new Map();
  }

  /** @param {Page.Patience} how */
  async ticket(how) {
    await this.before(how);
    return ask("POST", "/api/tickets", { table: this.name }, {}, how);
  }

  /** @returns {Partial<House.Join>} */
  had() {
    return { ...(this.seq < 0 ? {} : { run: this.run, after: this.seq }), ...(this.kind ? { words: this.kind } : {}) };
  }

  /**
   * Admission is denied: unanswered commands are not sent later, when somebody else may be here.
   * @param {Page.Reason} problem
   */
  turnedAway(problem) {
    for (const [, answered] of this.waiting.values()) answered({ type: "problem", say: problem.message ?? "" });
    this.waiting.clear();
    super.turnedAway(problem);
  }

  opened() {
    for (const [text] of this.waiting.values()) this.socket?.send(text);
  }

  /** @param {House.ToClient} said */
  hear(said) {
    if (said.type === "waits") {
      this.tell("waits", said.waits ?? []);
    } else if (said.type === "view") {
      [this.run, this.seq, this.view] = [said.run, said.seq, said.view];
      this.takeWords(said.words);
      this.tell("change", []);
    } else if (said.type === "patch" || said.type === "words") {
      const from = said.type === "patch" ? said.from : said.seq;
      if (from !== this.seq || !this.takeWords(said.words)) {
        this.seq = -1;
        this.socket?.close();
        return;
      }
      if (said.type === "patch" && this.view) applyPatch(this.view, said);
      this.seq = said.seq;
      const events = (said.type === "patch" && said.events) || [];
      if (events.some(({ event }) => event === "result_announced")) this.tell("result");
      this.tell("change", events);
    } else if (said.type === "noted") {
      this.tell("noted", said.seq);
    } else if (said.type === "problem" && said.again) {
      // the house closes or hands the table over: the connection ends, and the next owner of the table is sent it again
      return;
    } else if (said.type === "done" || said.type === "refused" || said.type === "problem") {
      const [, answered] = this.waiting.get(said.id ?? "") ?? [];
      if (!answered) return;
      this.waiting.delete(said.id ?? "");
      if (said.type !== "problem" && said.seq) this.tell("entered", said.seq);
      answered(said);
    }
  }

  /**
   * Follows the words; false if a change of them was missed. Without `from` they are whole.
   * @param {House.WordsChange | undefined} said
   * @returns {boolean}
   */
  takeWords(said) {
    if (!said) return true;
    if (said.from === undefined) this.words = {};
    else if (said.from !== this.wordsSeq) return false;
    applyChanges(this.words, said);
    this.wordsSeq = said.seq;
    return true;
  }

  /**
   * @param {House.Command} command
   * @returns {Promise<Page.Answered>}
   */
  do(command) {
    const id = commandId(),
      text = JSON.stringify({ type: "do", id, command });
    return new Promise((answered) => {
      this.waiting.set(id, [text, answered]);
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    });
  }
}
