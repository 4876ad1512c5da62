// The cards that the user holds: peel them, turn them, or give up the right. The house sends their values only to the
// holder.
import { make } from "/page/js/dom.js";
import "/page/js/element/card-squeeze.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { ask } from "/page/js/house.js";
import { t, toldDue } from "/page/js/words.js";

const KEYS = [
  [["↑", "→", "↓", "←"], "squeeze.lifts"],
  [["T"], "squeeze.thumbs"],
  [["⏎"], "squeeze.turns"],
  [["Esc"], "squeeze.lays_back"],
];

export class SqueezePanel extends HTMLElement {
  connectedCallback() {
    if (this.title_) return;
    this.setAttribute("role", "dialog");
    this.title_ = make("h2", { id: "squeeze-title" });
    this.setAttribute("aria-labelledby", "squeeze-title");
    this.why = make("p", { class: "soft" });
    this.time = make("span", { class: "time", role: "timer" });
    this.cards = make("div", { class: "cards" });
    this.turn = make("button", { type: "button", class: "button main", onclick: () => this.give("return_cards") });
    this.giveUp = make(
      "button",
      { type: "button", class: "button", onclick: () => this.give("relinquish") },
      t("squeeze.give_up"),
    );
    this.append(
      make("div", { class: "top" }, make("div", {}, this.title_, this.why), this.time),
      this.cards,
      make(
        "p",
        { class: "hint" },
        make("span", {}, t("squeeze.drag")),
        make(
          "span",
          { class: "keys" },
          KEYS.map(([keys, words]) => [keys.map((key) => make("kbd", {}, key)), make("span", {}, t(words))]).flat(2),
        ),
      ),
      make("div", { class: "foot" }, this.turn, this.giveUp),
    );
    this.addEventListener("turned", () => this.turnedOne());
    this.hidden = true;
    this.timer = setInterval(() => this.tick(), 250);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  /** due: the act of giving the cards back, or null; side: whose hand; positions: its cards that lie face down. */
  async show({ due, seat, table, side, positions, wait }) {
    this.wait = wait;
    const key = due ? positions.join() : "";
    if (key === this.key) return;
    this.key = key;
    this.seat = seat;
    this.isGiven = false;
    const back = this.hidden && key ? document.activeElement : null;
    if (!key) {
      this.hidden = true;
      this.cards.replaceChildren();
      if (this.contains(document.activeElement) || document.activeElement === document.body)
        this.before?.focus?.({ preventScroll: true });
      return;
    }
    this.before = back ?? this.before;
    this.title_.textContent = t("squeeze.title", { hand: t(`table.${side}`) });
    this.why.replaceChildren(toldDue(due, { hand: side }), " ", clauseTags(due.cites));
    this.turn.textContent = positions.length > 1 ? t("squeeze.turn_both") : t("squeeze.turn");
    const { cards } = await ask("GET", `/api/tables/${encodeURIComponent(table)}/held`).catch(() => ({ cards: [] }));
    if (this.key !== key) return;
    const made = cards
      .filter((held) => positions.includes(held.position))
      .map((held) => {
        const card = make("card-squeeze");
        card.card = held.card;
        return card;
      });
    this.cards.replaceChildren(...made);
    this.classList.toggle("unseen-cards", !made.length);
    this.hidden = false;
    (made[0] ?? this.turn).focus({ preventScroll: true });
    this.tick();
  }

  turnedOne() {
    if ([...this.cards.children].every((card) => card.turned)) setTimeout(() => this.give("return_cards"), 350);
  }

  give(act) {
    if (!this.key || this.isGiven) return;
    this.isGiven = true;
    this.dispatchEvent(new CustomEvent("command", { detail: { do: act, seat: this.seat }, bubbles: true }));
  }

  /** The house did not accept the cards: they may be returned again. */
  refused() {
    this.isGiven = false;
  }

  tick() {
    if (this.hidden || !this.wait) {
      this.time.textContent = "";
      return;
    }
    const left = Math.max(0, Math.ceil((this.wait.until - performance.now()) / 1000));
    this.time.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    this.time.setAttribute("aria-label", t("squeeze.time", { seconds: left }));
  }
}
customElements.define("squeeze-panel", SqueezePanel);
