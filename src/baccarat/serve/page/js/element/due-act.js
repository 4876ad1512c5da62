// What is due from the user: the house's sentence with its clause, and a button for each answer.
import { fill, make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { sum } from "/page/js/house.js";
import { named, t, textIfAny, toldDue } from "/page/js/words.js";

export class DueAct extends HTMLElement {
  /** @type {Page.Wait | null} */
  wait = null;
  head = make("h2");
  time = make("time", { class: "left", "aria-hidden": "true" });
  bar = make("progress", { "aria-hidden": "true" });
  say = make("p", { class: "spoken", role: "status" });
  buttons = make("div", { class: "answers" });

  connectedCallback() {
    if (this.firstChild) return;
    this.hidden = true;
    this.append(make("header", {}, this.head, this.time), this.say, this.buttons, this.bar);
    this.timer = setInterval(() => this.tick(), 200);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  /** How much longer the house waits, in seconds and as a bar. */
  tick() {
    const wait = this.hidden ? null : this.wait;
    this.time.hidden = this.bar.hidden = !wait;
    if (!wait) return;
    const left = Math.max(0, wait.until - performance.now());
    this.time.textContent = t("due.left", { seconds: Math.ceil(left / 1000) });
    [this.bar.max, this.bar.value] = [wait.of, left];
  }

  /**
   * due: what the user may or must do; about: {seat, cards, depth, offering, wagers, press, titles, wait}. An answer is
   * a `command` event.
   * @param {House.Due | null} due
   * @param {Page.AboutDue} about
   */
  show(due, about) {
    this.hidden = !due;
    this.wait = about.wait;
    this.tick();
    if (!due) return;
    const asks = textIfAny(`due.asks.${due.act}`);
    this.head.textContent = asks || t("due.your_turn");
    this.classList.toggle("asks", Boolean(asks));
    fill(this.say, `${due.act} ${due.say}`, () => [
      toldDue(due, { depth: about.depth, hand: about.offering }),
      " ",
      clauseTags(due.cites),
    ]);
    fill(this.buttons, JSON.stringify([due.act, due.seat, due.position, about.cards, about.wagers]), () =>
      this.answers(due, about),
    );
  }

  /**
   * A button for each answer; the usual one is emphasized, and Enter gives it.
   * @param {House.Due} due
   * @param {Page.AboutDue} about
   */
  answers({ act }, { seat, cards, depth = 1, wagers, press, titles }) {
    /**
     * @param {string} words
     * @param {Record<string, unknown>} command
     * @param {boolean} [main]
     */
    const give = (words, command, main = false) =>
      make(
        "button",
        { type: "button", class: main ? "button main" : "button", onclick: () => this.give({ seat, ...command }) },
        words,
      );
    switch (act) {
      case "answer_cut":
        return [
          give(t("due.take_cut"), { do: act, accept: true }, true),
          give(t("due.leave_cut"), { do: act, accept: false }),
        ];
      case "answer_turn":
        return [
          give(t("due.take"), { do: act, accept: true }, true),
          give(t("due.decline"), { do: act, accept: false }),
        ];
      case "answer_shoe":
        return [
          give(t("due.take_shoe"), { do: act, accept: true }, true),
          give(t("due.dealer_deals"), { do: act, accept: true, dealer_deals: true }),
          give(t("due.decline"), { do: act, accept: false }),
        ];
      case "cut_cards":
        return this.cut(seat, cards, depth);
      case "press_house_money":
        return wagers
          .filter((wager) => press.includes(wager.on))
          .map((wager) =>
            give(
              t("due.press", { wager: titles[wager.on], stake: sum(wager.stake, { short: true }) }),
              { do: act, onto: wager.on },
              true,
            ),
          );
      case "contribute":
        return this.contribute(seat);
      default:
        return [give(named("due", act), { do: act }, true)];
    }
  }

  /**
   * The cut, no closer to either end than the document allows.
   * @param {number} seat
   * @param {number} cards
   * @param {number} least
   */
  cut(seat, cards, least) {
    const depth = make("input", {
      type: "range",
      min: least,
      max: cards - least,
      value: Math.round(cards / 2),
      "aria-label": t("due.cut_depth"),
    });
    const shown = make("output", {}, depth.value);
    depth.addEventListener("input", () => {
      shown.textContent = depth.value;
    });
    return [
      make("label", { class: "depth" }, t("due.cut_depth"), depth, shown),
      make(
        "button",
        {
          type: "button",
          class: "button main",
          onclick: () => this.give({ do: "cut_cards", seat, in_front: Number(depth.value) }),
        },
        t("due.cut"),
      ),
      make(
        "button",
        { type: "button", class: "button", onclick: () => this.give({ do: "give_up_cut", seat }) },
        t("due.give_up"),
      ),
    ];
  }

  /** @param {number} seat */
  contribute(seat) {
    const text = make("input", {
      class: "line",
      required: true,
      maxlength: 64,
      "aria-label": t("due.own_text"),
      placeholder: t("due.own_text"),
    });
    return [
      text,
      make(
        "button",
        {
          type: "button",
          class: "button",
          onclick: () => text.reportValidity() && this.give({ do: "contribute", seat, value: text.value }),
        },
        t("due.contribute"),
      ),
    ];
  }

  /** Does what the first button does. */
  doFirst() {
    if (!this.hidden) this.buttons.querySelector(".main")?.click();
  }

  /** @param {Record<string, unknown>} command */
  give(command) {
    this.dispatchEvent(new CustomEvent("command", { detail: command, bubbles: true }));
  }
}
customElements.define("due-act", DueAct);
