// What is announced at a table: calls, cards by their names, the result, and one's own money. Screen readers read it
// from one log, in order; nothing else on the page announces the course of a round.
// @ts-check
import { make } from "/page/js/dom.js";
import { sum } from "/page/js/house.js";
import { cardName } from "/page/js/picture.js";
import { chosen } from "/page/js/settings.js";
import { t } from "/page/js/words.js";

/** How many announcements stay in the log, for those who read it again. */
const KEPT = 30;
/** When the time for wagers is nearly over, in seconds. */
const NEARLY_OVER = 5;
const SIDES = /** @type {const} */ (["player", "banker"]);
/** @type {Record<string, "player" | "banker">} */
const OTHER = { player: "banker", banker: "player" };

/** @param {string} side */
const hand = (side) => t(`table.${side}`);

/** What the events of a round bring somebody at a seat: what is won, what is lost, and the vigorish. */
class OwnRound {
  won = 0;
  lost = 0;
  vigorish = 0;
  isWagered = false;

  /**
   * @param {House.TableEvent} event
   * @param {number} seat
   */
  hear(event, seat) {
    if (event.event === "losers_collected" || event.event === "wagers_returned") {
      const amount = event.amounts[seat];
      this.isWagered ||= amount !== undefined;
      if (event.event === "losers_collected") this.lost += amount ?? 0;
    }
    if (!("seat" in event) || event.seat !== seat) return;
    if (event.event === "paid" || event.event === "house_money_paid") this.won += event.win;
    else if (event.event === "awarded") this.won += event.amount ?? 0;
    else if (event.event === "house_money_collected") this.lost += event.stake;
    else if (event.event === "vigorish_taken") this.vigorish += event.amount;
    else return;
    this.isWagered = true;
  }

  /** What is said of it; nothing where there was no wager. */
  get sentences() {
    if (!this.isWagered) return [];
    const net = this.won - this.lost - this.vigorish;
    const result = net
      ? t(net > 0 ? "voice.won" : "voice.lost", { sum: sum(Math.abs(net), { short: true }) })
      : t("voice.even");
    return this.vigorish ? [result, t("voice.vigorish", { sum: sum(this.vigorish, { short: true }) })] : [result];
  }
}

/** Says what happens at a table. */
export class Voice {
  /**
   * @param {{titleOf: (wager: string) => string}} about what the page knows: the name of a wager in the user's language
   */
  constructor({ titleOf }) {
    this.titleOf = titleOf;
    this.log = make("div", { class: "unseen", role: "log", "aria-live": "polite", "aria-label": t("voice.title") });
    document.body.append(this.log);
    this.own = new OwnRound();
    this.last = t("voice.no_round");
    this.state = "";
    /** @type {number | null} */
    this.seat = null; // until the table is seen
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** @param {string[]} sentences */
  say(...sentences) {
    const text = sentences.filter(Boolean).join(t("said.sentences"));
    if (!text) return;
    this.log.append(make("p", {}, text));
    while (this.log.children.length > KEPT) this.log.firstElementChild?.remove();
  }

  /**
   * Said only to those who want to hear everything.
   * @param {string[]} sentences
   */
  add(...sentences) {
    if (chosen("voice") === "full") this.say(...sentences);
  }

  /**
   * Says where the user is, when the table is seen first, and when the user has sat down.
   * @param {string} table
   * @param {House.TableView} view
   */
  look(table, { seat }) {
    if (seat === this.seat) return;
    const place = seat ? t("voice.seat", { seat }) : t("voice.watching");
    this.say(this.seat === null ? t("voice.joined", { table }) : "", place);
    this.seat = seat;
  }

  /**
   * What an event says, with the view after it.
   * @param {House.TableEvent} event
   * @param {House.TableView} view
   */
  hear(event, view) {
    const { seat } = view;
    if (seat) this.own.hear(event, seat);
    switch (event.event) {
      case "card_drawn":
        if (view.state.round[event.to].indexOf(event.position) === 2)
          this.add(t("voice.draws", { hand: hand(event.to) }));
        return;
      case "card_turned":
        this.card(event, view.state.round);
        return;
      case "count_announced":
        this.add(t("voice.count", { hand: hand(event.side), count: event.count }));
        return;
      case "hand_stays":
        if (!event.natural) this.add(t("voice.stays", { hand: hand(event.side), count: event.count }));
        else if (event.count >= 8) this.add(t("voice.natural", { hand: hand(event.side), count: event.count }));
        return;
      case "cards_handed":
        if (seat && event.seat === seat) this.say(t("voice.handed", { hand: hand(event.side) }));
        return;
      case "no_more_bets_called":
        this.own = new OwnRound();
        this.say(t("voice.no_more_bets"));
        return;
      case "result_announced":
        this.result(event);
        return;
      case "table_cleared":
        this.money(view);
        return;
    }
    if (seat && "seat" in event && event.seat === seat) this.ownAct(event, view);
  }

  /**
   * @param {House.TableEvent} event
   * @param {House.TableView} view
   */
  ownAct(event, view) {
    if (event.event === "bought_in") this.say(this.chips(view));
    else if (event.event === "wager_placed" || event.event === "wager_changed")
      this.say(t("voice.placed", { sum: sum(event.stake, { short: true }), wager: this.titleOf(event.on) }));
    else if (event.event === "wager_withdrawn") this.say(t("voice.withdrawn", { wager: this.titleOf(event.on) }));
  }

  /**
   * @param {House.CardTurned} event
   * @param {House.TableView["state"]["round"]} round
   */
  card({ position, card }, round) {
    for (const side of SIDES) {
      const index = round[side].indexOf(position);
      if (index >= 0) this.add(t("voice.card", { hand: hand(side), number: index + 1, card: cardName(card) }));
    }
  }

  /** @param {House.ResultAnnounced} event */
  result({ outcome, player, banker }) {
    const side = SIDES.find((each) => each === outcome),
      counts = { player, banker };
    this.last = side
      ? t("voice.wins", { hand: hand(side), count: counts[side], other: counts[OTHER[side]] })
      : t("voice.tie", { count: counts.player });
    this.say(this.last);
  }

  /**
   * What the round brought, once its cards are gone and everybody is paid.
   * @param {House.TableView} view
   */
  money(view) {
    const sentences = this.own.sentences;
    this.own = new OwnRound();
    if (!view.seat || !sentences.length) return;
    this.last = [this.last, ...sentences].join(t("said.sentences"));
    this.say(...sentences, this.chips(view));
  }

  /**
   * The state of the table: whether wagers are taken, and for how long, and whether the connection stands.
   * @param {string} state
   * @param {string} title
   * @param {Page.Wait | null} wait
   */
  tell(state, title, wait) {
    if (state !== this.state) {
      const former = this.state;
      this.state = state;
      if (state === "open") this.add(t("voice.open"));
      else if (["lost", "denied", "stopped"].includes(state) || former === "lost") this.say(`${title}.`);
    }
    clearTimeout(this.timer);
    if (state !== "open" || !wait) return;
    const until = wait.until - performance.now() - NEARLY_OVER * 1000;
    if (until > 0) this.timer = setTimeout(() => this.add(t("voice.seconds", { seconds: NEARLY_OVER })), until);
  }

  /** @param {House.TableView} view */
  chips({ seat, state }) {
    return t("voice.chips", { chips: sum(state.seats.participants[seat - 1].chips ?? 0, { short: true }) });
  }

  /**
   * Answers a key: what somebody has, or how the last round ended.
   * @param {House.TableView | null} view
   * @param {number} staked
   */
  tellMoney(view, staked) {
    const held = view?.seat ? view.state.seats.participants[view.seat - 1] : null;
    const [chips, lying] = [held?.chips ?? 0, staked].map((cents) => sum(cents, { short: true }));
    this.say(held ? t("voice.money", { chips, staked: lying }) : t("voice.watching"));
  }

  repeat() {
    this.say(this.last);
  }
}
