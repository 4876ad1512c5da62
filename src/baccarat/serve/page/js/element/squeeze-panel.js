// The cards that the user holds: peel them, turn them, or give up the right. The house sends their values only to the
// holder.
import { make } from "/page/js/dom.js";
import "/page/js/element/card-squeeze.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { ask } from "/page/js/house.js";
import { t, toldDue } from "/page/js/words.js";

/** So long before the time ends, cards of which one was turned or lifted are handed back: else they would not count. */
const LAST_MOMENT = 900;
/** How long both faces are seen before the cards go back to the dealer. */
const SHOWN = 350;
/** @type {[keys: string[], words: string][]} */
const KEYS = [
  [["↑", "→", "↓", "←"], "squeeze.lifts"],
  [["⇧"], "squeeze.leans"],
  [["T"], "squeeze.thumbs"],
  [["⏎"], "squeeze.turns"],
  [["Esc"], "squeeze.lays_back"],
];

export class SqueezePanel extends HTMLElement {
  /** @type {Page.Wait | null} */
  wait = null;
  /** Which cards are shown: their positions. */
  key = "";
  seat = 0;
  isGiven = false;
  /**
   * What had the focus before.
   * @type {HTMLElement | null}
   */
  focused = null;
  title_ = make("h2", { id: "squeeze-title" });
  why = make("p", { class: "soft" });
  time = make("span", { class: "time", role: "timer" });
  cards = make("div", { class: "cards" });
  turn = make("button", { type: "button", class: "button main", onclick: () => this.give("return_cards") });
  cover = make(
    "button",
    { type: "button", class: "quiet-act", "aria-pressed": "true", onclick: () => this.coverCorners() },
    t("squeeze.cover"),
  );
  giveUp = make(
    "button",
    { type: "button", class: "button", onclick: () => this.give("relinquish") },
    t("squeeze.give_up"),
  );

  connectedCallback() {
    if (this.firstChild) return;
    this.setAttribute("role", "dialog");
    this.setAttribute("aria-labelledby", "squeeze-title");
    this.append(
      make("div", { class: "top" }, make("div", {}, this.title_, this.why), this.time),
      this.cards,
      make(
        "div",
        { class: "hint" },
        make("span", {}, t("squeeze.drag")),
        this.cover,
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

  /**
   * due: the act of giving the cards back, or null; side: whose hand; positions: its cards that lie face down.
   * @param {Page.Squeezed} what
   */
  async show({ due, seat, table, side, positions, wait }) {
    this.wait = wait;
    const key = due ? positions.join() : "";
    if (key === this.key) return;
    this.key = key;
    this.seat = seat;
    this.isGiven = false;
    const back = this.hidden && key ? /** @type {HTMLElement | null} */ (document.activeElement) : null;
    if (!key) {
      this.hidden = true;
      this.cards.replaceChildren();
      if (this.contains(document.activeElement) || document.activeElement === document.body)
        this.focused?.focus({ preventScroll: true });
      return;
    }
    this.focused = back ?? this.focused;
    this.title_.textContent = t("squeeze.title", { hand: t(`table.${side}`) });
    if (due) this.why.replaceChildren(toldDue(due, { hand: side }), " ", clauseTags(due.cites));
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
    this.nameTurn(positions.length);
    this.cover.setAttribute("aria-pressed", "true");
    this.classList.toggle("unseen-cards", !made.length);
    this.hidden = false;
    (made[0] ?? this.turn).focus({ preventScroll: true });
    this.tick();
  }

  /** The cards that are shown to peel. */
  get peeled() {
    return [...this.cards.querySelectorAll("card-squeeze")];
  }

  /** The focus goes on to the next card; when none lies face down any more, they are handed back. */
  turnedOne() {
    const left = this.peeled.filter((card) => !card.turned),
      isHere = this.contains(document.activeElement);
    if (isHere) (left[0] ?? this.turn).focus({ preventScroll: true });
    if (left.length) this.nameTurn(left.length);
    else setTimeout(() => this.give("return_cards"), SHOWN);
  }

  /** @param {number} count */
  nameTurn(count) {
    this.turn.textContent = t(count > 1 ? "squeeze.turn_both" : "squeeze.turn");
  }

  /** Thumbs on the corners of all cards, or on none. */
  coverCorners() {
    const isCovered = this.cover.getAttribute("aria-pressed") !== "true";
    this.cover.setAttribute("aria-pressed", String(isCovered));
    for (const card of this.peeled) card.cover(isCovered);
  }

  /** Whether the user has begun: a card is turned, or lifted. */
  get hasBegun() {
    return this.peeled.some((card) => card.turned || card.lifted);
  }

  /** @param {"return_cards" | "relinquish"} act */
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
    const remaining = this.wait.until - performance.now(),
      left = Math.max(0, Math.ceil(remaining / 1000));
    if (remaining < LAST_MOMENT && this.hasBegun) this.give("return_cards");
    this.time.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    this.time.setAttribute("aria-label", t("squeeze.time", { seconds: left }));
  }
}
customElements.define("squeeze-panel", SqueezePanel);
