// A table in the lobby: what a participant has to know before sitting down, updated without redrawing it.
import { fill, make } from "/page/js/dom.js";
import { sum } from "/page/js/house.js";
import { PicturePlace, roadAddress } from "/page/js/picture.js";
import { consoleOf } from "/page/js/shell.js";
import { lastResults, resultDisc } from "/page/js/element/table-strip.js";
import { chooseSeat } from "/page/js/table/chosen_seat.js";
import { phaseText } from "/page/js/table/phase.js";
import { paymentText, tablePlace, tableSign, tableTitle } from "/page/js/table_title.js";
import { language, named, t, wagerTitles } from "/page/js/words.js";

const HANDS = ["banker", "player", "tie"];
const COLUMNS = 28,
  CELL = 11;

/** @param {string} table */
const addressOf = (table) => `/table/${encodeURIComponent(table)}`;

/**
 * The wagers besides the main ones and the tie, in the reader's language.
 * @param {House.TableCard} card
 */
function sideWagers({ side_wagers: sides, titles }) {
  if (language === "en") return sides;
  return Object.entries(wagerTitles(titles))
    .filter(([on]) => !HANDS.includes(on))
    .map(([, title]) => title);
}

export class LobbyCard extends HTMLElement {
  /** @type {House.TableCard} */
  card;
  roadBox = make("div", { class: "road-box" });
  road = new PicturePlace((picture) => picture && this.roadBox.replaceChildren(picture));
  parts = {
    phase: make("span", { class: "phase" }),
    last: make("span", { class: "last" }),
    counts: HANDS.map(() => make("span")),
    seats: make("ol", { class: "seats", "aria-hidden": "true" }),
    free: make("span", { class: "free" }),
    follow: make(
      "button",
      { type: "button", class: "button", onclick: () => this.follow() },
      make("span", { class: "star", "aria-hidden": "true" }),
      t("lobby.follow"),
    ),
    sit: make("a", { class: "button main" }),
  };

  /**
   * Shows a table: its card, what moves there, and whether it is followed.
   * @param {House.TableCard} card
   * @param {Page.News} now
   * @param {{ session: House.Welcome, isFollowed: boolean }} about
   */
  show(card, now, { session, isFollowed }) {
    if (!this.firstChild || this.card.rules !== card.rules) this.build(card);
    this.card = card;
    this.road.show(roadAddress("big_road", now.marks, { columns: COLUMNS, size: CELL }));
    const letters = lastResults(now.marks, Infinity);
    HANDS.forEach((hand, index) => {
      const count = letters.filter((letter) => letter === hand[0].toUpperCase()).length;
      this.parts.counts[index].textContent = String(count);
    });
    fill(this.parts.last, `${now.round} ${letters.length}`, () =>
      letters.length ? [t("lobby.last"), resultDisc(letters[letters.length - 1], true)] : [],
    );
    this.showPhase(now);
    this.showSeats(now);
    this.parts.follow.setAttribute("aria-pressed", String(isFollowed));
    this.showSit(now, session);
  }

  /** @param {Page.News} now */
  showPhase(now) {
    this.parts.phase.className = `phase ${now.phase}`;
    this.parts.phase.textContent = phaseText(now);
  }

  /** @param {Page.News} now */
  showSeats({ free, automated }) {
    const count = free.length;
    this.parts.free.textContent = [
      count ? t("lobby.free_seats", { count }) : t("lobby.full"),
      ...(automated.length ? [t("lobby.automated_seats", { count: automated.length })] : []),
    ].join(" · ");
    fill(this.parts.seats, `${free.join()} ${automated.join()}`, () =>
      Array.from({ length: this.card.seats }, (_, index) => {
        const seat = index + 1,
          kind = free.includes(seat) ? "empty" : automated.includes(seat) ? "automated" : "taken";
        return make("li", { class: kind });
      }),
    );
  }

  /**
   * Where the main button leads: to the console, to a seat, or to signing on; nowhere if there is no free seat.
   * @param {Page.News} now
   * @param {House.Welcome} session
   */
  showSit({ free }, session) {
    const { sit } = this.parts,
      console_ = consoleOf(session, this.card.table),
      name = `${tableTitle(this.card)}, ${tableSign(this.card)}`;
    sit.hidden = !console_ && !session.can.includes("seat_button");
    sit.onclick = null;
    sit.textContent = t(console_ ? "lobby.console" : "lobby.sit");
    sit.setAttribute("aria-label", t(console_ ? "lobby.console_of" : "lobby.sit_at_table", { table: name }));
    if (console_) sit.href = console_;
    else if (free.length && session.can.includes("take_seat")) {
      sit.href = addressOf(this.card.table);
      sit.onclick = () => chooseSeat(this.card.table, free[0]);
    } else if (!session.who && !session.practice) sit.href = "/sign-on";
    else sit.removeAttribute("href");
    if (sit.href) sit.removeAttribute("aria-disabled");
    else sit.setAttribute("aria-disabled", "true");
  }

  /** @param {House.TableCard} card */
  build(card) {
    const name = `${tableTitle(card)}, ${tableSign(card)}`;
    this.parts.follow.setAttribute("aria-label", t("lobby.follow_table", { table: name }));
    const { min, max } = card.stakes ?? { min: 0, max: 0 };
    this.className = "panel card";
    this.dataset.table = card.table;
    this.replaceChildren(
      make(
        "header",
        {},
        make("div", {}, make("h2", {}, tableTitle(card)), make("p", { class: "quiet" }, tablePlace(card))),
        make(
          "div",
          { class: "limits" },
          make("b", {}, sum(min, { short: true })),
          make("span", {}, t("lobby.up_to", { sum: sum(max, { short: true }) })),
        ),
      ),
      this.roadBox,
      make(
        "div",
        { class: "counts" },
        make(
          "ul",
          {},
          HANDS.map((hand, index) =>
            make(
              "li",
              {},
              make("span", { class: `disc ${hand}`, "aria-hidden": "true" }, hand[0].toUpperCase()),
              make("span", { class: "unseen" }, t(`road.count_${hand}`)),
              this.parts.counts[index],
            ),
          ),
        ),
        this.parts.last,
        this.parts.phase,
      ),
      make("p", { class: "form" }, paymentText(card)),
      make(
        "ul",
        { class: "wagers" },
        [...sideWagers(card), ...(card.cards && card.cards !== "automated" ? [named("cards", card.cards)] : [])].map(
          (title) => make("li", {}, title),
        ),
      ),
      make(
        "footer",
        {},
        make("div", { class: "places" }, this.parts.seats, this.parts.free),
        make(
          "span",
          { class: "go" },
          this.parts.follow,
          make(
            "a",
            { class: "button", href: addressOf(card.table), "aria-label": t("lobby.watch_table", { table: name }) },
            t("lobby.watch"),
          ),
          this.parts.sit,
        ),
      ),
    );
  }

  follow() {
    const isFollowed = this.parts.follow.getAttribute("aria-pressed") !== "true";
    this.dispatchEvent(new CustomEvent("follow", { detail: { table: this.card.table, isFollowed }, bubbles: true }));
  }
}
customElements.define("lobby-card", LobbyCard);
