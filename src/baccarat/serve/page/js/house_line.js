// The whole house, followed over a socket: each topic, such as a table or the alerts, comes whole whenever it changes.
import { ask } from "/page/js/house.js";
import { Line } from "/page/js/line.js";

const TABLE = "table ";

export class HouseLine extends Line {
  run = "";
  seq = -1;
  /** @type {Map<string, any>} */
  topics = new Map();
  stream = "";
  /** How far the house's clock is ahead of this one, in milliseconds. */
  offset = 0;

  /** @param {Page.Patience} how */
  ticket(how) {
    return ask("POST", "/api/house-tickets", undefined, {}, how);
  }

  had() {
    return this.seq < 0 ? {} : { run: this.run, after: this.seq };
  }

  opened() {
    if (this.stream) this.send({ type: "follow", stream: this.stream });
  }

  /**
   * From now on what the user may do in a stream is followed too, as the topic `acts`.
   * @param {string} stream
   */
  follow(stream) {
    if (this.stream === stream) return;
    this.stream = stream;
    if (this.socket?.readyState === WebSocket.OPEN) this.opened();
  }

  /**
   * What the user may do in the stream that is followed; null if that has not come yet.
   * @returns {House.OpenAct[] | null}
   */
  get acts() {
    const found = this.topics.get("acts");
    return found?.stream === this.stream ? found.acts : null;
  }

  /** @param {House.ToClient} said */
  hear(said) {
    if (said.type !== "house") return;
    if (said.after === undefined) this.topics.clear();
    else if (said.after !== this.seq) {
      this.seq = -1;
      this.socket?.close();
      return;
    }
    [this.run, this.seq, this.offset] = [said.run, said.seq, said.now / 1000 - Date.now()];
    for (const [topic, value] of Object.entries(said.set)) this.topics.set(topic, value);
    this.tell("change", new Set(Object.keys(said.set)));
  }

  /**
   * What is known of a topic; undefined if it is not for this person, or has not come yet.
   * @template {keyof House.Topics} Topic
   * @param {Topic} topic
   * @returns {House.Topics[Topic]}
   */
  get(topic) {
    return this.topics.get(topic);
  }

  /**
   * All tables, in the order of their names.
   * @returns {House.FloorTable[]}
   */
  get tables() {
    return [...this.topics]
      .filter(([topic]) => topic.startsWith(TABLE))
      .map(([, table]) => table)
      .sort((one, other) => (one.card.table < other.card.table ? -1 : 1));
  }

  get now() {
    return Date.now() + this.offset;
  }

  /** Waits until the house has been shown once, or admission is denied. */
  first() {
    if (this.seq >= 0 || this.denied) return Promise.resolve();
    return new Promise((shown) => {
      const once = () => {
        if (this.seq >= 0 || this.denied) shown(undefined);
      };
      for (const type of ["change", "link"]) this.addEventListener(type, once);
    });
  }
}

/** @param {string} topic */
export const isTable = (topic) => topic.startsWith(TABLE);
