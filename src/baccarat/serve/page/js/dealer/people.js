// People at the table: who sits where with which chips and wagers, who deals, and who relieves whom.
import { make } from "/page/js/dom.js";
import { sum } from "/page/js/house.js";
import { named, t } from "/page/js/words.js";

/**
 * @param {House.Round} round
 * @param {number} seat
 */
const wagersOf = (round, seat) => (round.wagers ?? []).filter((wager) => wager.seat === seat);
/** @param {{ on: string, stake: number }} wager */
const words = (wager) => `${named("table.wager", wager.on)} ${sum(wager.stake, { short: true })}`;

/**
 * The wagers on the layout, and spoken ones that wait for the dealer's confirmation.
 * @param {Page.Desk} desk
 */
export function wagersPanel(desk) {
  const { round, seats } = desk.view.state;
  const rows = seats.participants
    .filter((seat) => seat.taken)
    .map(({ seat, chips }) =>
      make(
        "tr",
        {},
        make("td", {}, make("b", { class: "seat" }, String(seat))),
        make("td", {}, wagersOf(round, seat).map(words).join(" · ") || "–"),
        make("td", { class: "sum" }, chips === undefined ? "" : sum(chips)),
      ),
    );
  const spoken = (round.spoken ?? []).map((wager) =>
    make(
      "li",
      {},
      make("span", {}, t("dealer.spoken", { seat: wager.seat, wager: words(wager) })),
      make(
        "button",
        {
          class: "button",
          type: "button",
          onclick: () => desk.send({ do: "confirm_wager", seat: wager.seat, on: wager.on, stake: wager.stake }),
        },
        t("dealer.confirm_wager"),
      ),
    ),
  );
  return make(
    "section",
    { class: "panel" },
    make("header", {}, make("h2", {}, t("dealer.on_the_layout"))),
    make(
      "table",
      {},
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("th", {}, t("dealer.seat_head")),
          make("th", {}, t("dealer.wagers")),
          make("th", { class: "sum" }, t("dealer.chips")),
        ),
      ),
      make("tbody", {}, rows),
    ),
    spoken.length ? make("ul", { class: "spoken-wagers" }, spoken) : null,
  );
}

/**
 * House Money, seat by seat in its sweep.
 * @param {House.WorkShown} work
 */
export function houseMoneyPanel({ house_money: lines }) {
  /** @type {Record<string, string>} */
  const marks = { done: "✓", now: "▶", later: "○" };
  return make(
    "section",
    { class: "panel pays" },
    make("header", {}, make("h2", {}, t("dealer.house_money"))),
    make(
      "table",
      {},
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("th", {}, make("span", { class: "unseen" }, t("dealer.progress_head"))),
          make("th", {}, t("dealer.seat_head")),
          make("th", { class: "sum" }, t("dealer.stake")),
          make("th", { class: "sum" }, t("dealer.pay")),
          make("th", {}, t("dealer.goes_onto")),
        ),
      ),
      make(
        "tbody",
        {},
        lines.map((line) =>
          make(
            "tr",
            { class: line.state },
            make(
              "td",
              {},
              make(
                "span",
                { class: "mark", role: "img", "aria-label": named("dealer.progress", line.state) },
                marks[line.state],
              ),
            ),
            make("td", {}, make("b", { class: "seat" }, String(line.seat))),
            make("td", { class: "sum" }, sum(line.stake)),
            make("td", { class: "sum" }, line.win === null ? sum(-line.stake) : sum(line.win)),
            make("td", {}, line.onto || "–"),
          ),
        ),
      ),
    ),
  );
}

/**
 * Chips for cash, and people who sit down or are seen to have left.
 * @param {Page.Desk} desk
 */
function seatsPanel(desk) {
  const { participants } = desk.view.state.seats;
  const taken = participants.filter((seat) => seat.taken),
    free = participants.filter((seat) => !seat.taken);
  /** @param {House.SeatView[]} seats */
  const seatChoice = (seats) =>
    make(
      "select",
      { name: "seat", "aria-label": t("dealer.seat_head") },
      seats.map(({ seat }) => new Option(t("dealer.seat", { seat }), String(seat))),
    );
  /**
   * @param {Node[]} fields
   * @param {string} button
   * @param {(given: Record<string, any>) => House.Command} command
   */
  const form = (fields, button, command) => {
    const made = make("form", { class: "row" }, fields, make("button", { class: "button main" }, button));
    made.addEventListener("submit", (event) => {
      event.preventDefault();
      desk.send(command(Object.fromEntries(new FormData(made))));
    });
    return made;
  };
  return make(
    "section",
    { class: "panel people" },
    make("header", {}, make("h2", {}, t("dealer.seats"))),
    make(
      "div",
      { class: "hint" },
      taken.length
        ? make(
            "fieldset",
            {},
            make("legend", {}, t("dealer.chips_for_cash")),
            form(
              [
                seatChoice(taken),
                make("input", {
                  class: "line",
                  name: "amount",
                  type: "number",
                  min: "0.01",
                  step: "0.01",
                  required: true,
                  "aria-label": t("dealer.dollars"),
                  placeholder: t("dealer.dollars"),
                }),
              ],
              t("dealer.sell_chips"),
              ({ seat, amount }) => ({ do: "buy_in", seat: Number(seat), amount: Math.round(Number(amount) * 100) }),
            ),
          )
        : null,
      free.length
        ? make(
            "fieldset",
            {},
            make("legend", {}, t("dealer.somebody_sits")),
            form(
              [
                seatChoice(free),
                make("input", {
                  class: "line",
                  name: "person",
                  required: true,
                  maxlength: 200,
                  "aria-label": t("dealer.name"),
                  placeholder: t("dealer.name"),
                }),
              ],
              t("dealer.seat_them"),
              ({ seat, person }) => ({ do: "sit", seat: Number(seat), person }),
            ),
          )
        : null,
      taken.length
        ? make(
            "fieldset",
            {},
            make("legend", {}, t("dealer.somebody_left")),
            form([seatChoice(taken)], t("dealer.seen_to_leave"), ({ seat }) => ({ do: "leave", seat: Number(seat) })),
          )
        : null,
    ),
  );
}

/**
 * Who is on the game; others may come on, as a relief or in addition.
 * @param {Page.Desk} desk
 */
function reliefPanel(desk) {
  const { dealers } = desk.work,
    isOn = dealers.some((dealer) => dealer.is_you);
  /** @param {House.Command} command */
  const done = async (command) => {
    if (await desk.send(command)) desk.leave();
  };
  /** @param {House.DealerOnGame} dealer */
  const row = (dealer) =>
    make(
      "li",
      {},
      make("span", { title: dealer.who }, dealer.name, dealer.is_you ? make("em", {}, t("dealer.you")) : null),
      !isOn && desk.deals
        ? make(
            "button",
            { class: "button main", type: "button", onclick: () => done({ do: "come_on", instead_of: dealer.who }) },
            t("dealer.relieve", { name: dealer.name }),
          )
        : null,
      desk.session.can.includes("send_dealer_off") || dealer.is_you
        ? make(
            "button",
            { class: "button", type: "button", onclick: () => done({ do: "go_off", person: dealer.who }) },
            t("dealer.go_off"),
          )
        : null,
    );
  return make(
    "section",
    { class: "panel people" },
    make("header", {}, make("h2", {}, t("dealer.on_the_game"))),
    make("ul", { class: "on-game" }, dealers.map(row)),
    make(
      "div",
      { class: "hint" },
      !isOn && desk.deals
        ? make(
            "button",
            { class: "button", type: "button", onclick: () => done({ do: "come_on" }) },
            t("dealer.come_on_beside"),
          )
        : null,
      isOn ? make("p", { class: "soft" }, t("dealer.how_relief")) : null,
    ),
  );
}

/** The console shows who is on the game, and who relieves whom, instead of the work of the act. */
export class Relief {
  /** @param {Page.Desk} desk */
  constructor(desk) {
    this.desk = desk;
  }
  /** @returns {Page.Part[]} */
  panels() {
    return [["relief", this.desk.work.dealers, () => reliefPanel(this.desk)]];
  }
}

/** The same with the seats and what lies before them. */
export class Seats {
  /** @param {Page.Desk} desk */
  constructor(desk) {
    this.desk = desk;
  }
  /** @returns {Page.Part[]} */
  panels() {
    const { round, seats } = this.desk.view.state,
      taken = seats.participants.map((seat) => seat.taken);
    return [
      ["seats", taken, () => seatsPanel(this.desk)],
      ["wagers", [round.wagers, round.spoken, seats.participants], () => wagersPanel(this.desk)],
    ];
  }
}
