// A table: it shows the house's view, what is due and what is said, and knows no rules of its own.
import { at, fill, make, targetOf } from "/page/js/dom.js";
import { addressPart, ask, commandId, Problem, sum } from "/page/js/house.js";
import { beside, consoleOf, shell, showConnected, turnAway } from "/page/js/shell.js";
import { takeChosenSeat } from "/page/js/table/chosen_seat.js";
import { OwnWagers } from "/page/js/table/own_wagers.js";
import { remindOfTime } from "/page/js/table/play_reminder.js";
import { purseOf } from "/page/js/table/purse.js";
import { direction, signed, slipOf } from "/page/js/table/slip.js";
import { ReceiptKeeper } from "/page/js/table/receipts.js";
import { showHistory } from "/page/js/table/history.js";
import { sound } from "/page/js/table/sounds.js";
import { Voice } from "/page/js/table/voice.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { TableSocket } from "/page/js/table_socket.js";
import { shownTime, timeOf } from "/page/js/time.js";
import { tablePlace, tableSign, tableTitle } from "/page/js/table_title.js";
import { listed, named, readMore, t, told, toldProblem, toldTo, wagerTitles } from "/page/js/words.js";
import { CHIPS } from "/page/js/element/chip-tray.js";
import "/page/js/element/bac-felt.js";
import "/page/js/element/dealer-call.js";
import "/page/js/element/due-act.js";
import "/page/js/element/hand-cards.js";
import "/page/js/element/road-board.js";
import "/page/js/element/round-slip.js";
import "/page/js/element/squeeze-panel.js";
import "/page/js/element/why-drawer.js";

const name = addressPart(2),
  here = /** @type {const} */ (`/api/tables/${encodeURIComponent(name)}`);
const KEPT_HERE = ["place_wager", "return_cards", "sit"];
/**
 * A participant may contribute a text to the order of the cards; hardly anybody does, so this is offered discreetly.
 */
const CONTRIBUTE = "contribute";
const SLOW = 1000;
/** Waits that are answered by a button. */
const ANSWERED = ["answer", "cut", "deal", "press"];
/** A slip is shown until the next one, also when a new shoe has begun meanwhile. */
const FORMER_SHOES = 1;
const FORBIDDEN = 403,
  ELSEWHERE = "elsewhere";
const BUY_IN = [100000, 500000];
/** @type {House.Side[]} */
const SIDES = ["player", "banker"];
/**
 * The hands of a round that is over.
 * @typedef {{ round: HandsOfRound, hands: Record<string, House.HandCount>, winner: House.Side | null,
 *   announced: boolean }} Former
 * @typedef {Pick<House.Round, "player" | "banker" | "turned"> & Partial<House.Round>} HandsOfRound
 */

/** @type {House.SpokenMoment} */
const nothingSaid = {
  table: name,
  at: { step: "", shoe: 0, round: 0, kind: "wagered", closed: false, stopped: false },
  call: { say: "", cites: [], what: "", params: {}, calls: [] },
  then: { say: "", cites: [], what: "", params: {} },
  topic: "",
  question: "",
  rulings: [],
  tableau: null,
  hands: {},
  closed_by: [],
  lines: [],
  clauses: {},
  witness_wait: null,
};
const session = await shell({ page: "lobby", isLit: false, cards: true, sounds: true });

history.replaceState(null, "", location.pathname);
const page = {
  /** The seat that was chosen in the lobby, until the user sits there. */
  asked: takeChosenSeat(name),
  card: await readCard().catch(turnAway),
  /**
   * What the house says of this moment.
   * @type {House.SpokenMoment}
   */
  moment: nothingSaid,
  /** @type {Page.Wait[]} */
  waits: [],
  /**
   * The slip of the user's last round.
   * @type {Page.Slip | null}
   */
  slip: null,
  /** What awards have added in this round, in cents. */
  awarded: 0,
  /**
   * The hands of the round before, which lie there until the next card.
   * @type {Former | null}
   */
  former: null,
  cardsAsked: 0,
  isContributing: false,
  isPresenting: false,
  /** The round in which a time for wagers ran. */
  waitedIn: "",
  isSeen: false,
  wasUp: false,
};
const table = new TableSocket(name, { before: staySame, words: "moment" }),
  own = new OwnWagers(name, (command) => table.do(command));
beside(
  make("span", { class: "tag live" }, tableTitle(page.card)),
  make("span", { class: "wide quiet" }, tablePlace(page.card)),
  ...(page.card.cards && page.card.cards !== "automated"
    ? [make("span", { class: "tag wide" }, named("cards", page.card.cards))]
    : []),
);
document.title = `${tableTitle(page.card)} · ${tableSign(page.card)} · baccarat`;
at("title").textContent = `${tableTitle(page.card)} · ${tableSign(page.card)}`;

/**
 * A lost connection is reopened only for the same session: another tab may have entered again in another role.
 * @param {Page.Patience} how
 */
async function staySame(how) {
  if (!table.view) return;
  const { who, role } = await ask("GET", "/api/welcome", undefined, {}, how);
  if (who && (who !== session.who || role !== session.role))
    throw new Problem({ detail: t("table.elsewhere", { role: named("role", role) }), code: ELSEWHERE }, FORBIDDEN);
}

// ------------------------------------------------------------------------------------------------------- acts

/**
 * Shows the house's answer to an act, and, if that takes long, that there is none yet.
 * @param {Promise<Page.Answered | null>} act
 */
async function answered(act) {
  const slow = setTimeout(() => at("answer").show({ say: t("table.no_answer_yet") }), SLOW);
  const said = await act;
  clearTimeout(slow);
  at("answer").show(!said || said.type === "done" ? null : said);
  return said;
}

/** @param {House.Command} command */
const bring = (command) => answered(table.do(command));

/** @param {number} amount */
async function buyIn(amount) {
  try {
    await ask("POST", `${here}/chips`, { amount }, { "Idempotency-Key": commandId() });
    at("answer").show(null);
  } catch (problem) {
    at("answer").show(problem);
  }
}

/**
 * One more chip on an area; if the house fixes the stake, that stake.
 * @param {string} on
 */
function place(on) {
  const { min, max } = page.card.limits[on] ?? {};
  void answered(min === max ? own.set(on, min) : own.add(on, at("tray").chosen));
}

at("felt").addEventListener("place", (event) => place(event.detail));
at("felt").addEventListener("sit", (event) => bring({ do: "sit", seat: event.detail }));
at("tray").addEventListener("act", (event) => answered(own.act(event.detail)));
document.addEventListener("command", async (event) => {
  const { detail } = /** @type {CustomEvent<House.Command>} */ (event),
    asker = /** @type {Partial<HTMLElementTagNameMap["squeeze-panel"]>} */ (event.target);
  if (detail.do === CONTRIBUTE) page.isContributing = false;
  const said = await bring(detail);
  if (said?.type !== "done") asker.refused?.();
});

// on small screens these acts stand in a menu: it closes after an act, unless a form took the place of the button
at("more").addEventListener("click", (event) => {
  const button = targetOf(event).closest("button");
  if (button?.isConnected && !button.form) at("more").hidePopover();
});

/** @type {Record<string, string>} */
const ACT_KEYS = { u: "undo", d: "double", r: "rebet", c: "clear" };
/** @type {Record<string, string>} */
const PLACE_KEYS = { p: "player", b: "banker", t: "tie" };
document.addEventListener("keydown", (event) => {
  if (
    event.defaultPrevented ||
    event.metaKey ||
    event.ctrlKey ||
    event.altKey ||
    targetOf(event).closest("input, select, textarea, card-squeeze")
  )
    return;
  const key = event.key.toLowerCase(),
    isOpen = !at("tray").hidden;
  if (key === "w") at("why").question.focus();
  else if (key === "m") voice.tellMoney(table.view, own.total);
  else if (key === "l") voice.repeat();
  else if (key === "enter" && event.target === document.body) at("due").doFirst();
  else if (isOpen && CHIPS[Number(key) - 1]) at("tray").choose(CHIPS[Number(key) - 1]);
  else if (isOpen && ACT_KEYS[key]) answered(own.act(ACT_KEYS[key]));
  else if (isOpen && PLACE_KEYS[key] && page.card.limits[PLACE_KEYS[key]]) place(PLACE_KEYS[key]);
  else if (PLACE_KEYS[key] || ACT_KEYS[key] || CHIPS[Number(key) - 1]) at("answer").show({ say: whyNoWager() });
});

/** Why a key that would put chips on the felt does nothing now. */
function whyNoWager() {
  const { seat, state } = table.view ?? { seat: 0, state: null };
  if (!seat || !state) return t(session.can.includes("take_seat") ? "table.no_seat_yet" : "table.only_watching");
  const { chips = 0 } = state.seats.participants[seat - 1];
  if (state.stopped) return t("table.no_wager_stopped");
  if (!chips && !own.total) return t(session.practice ? "table.no_chips_yet" : "table.no_chips_real");
  return t(state.round.closed ? "table.wagers_stand" : "table.wagers_later");
}

// ------------------------------------------------------------------------------------------------------ views

table.addEventListener("link", () => {
  show();
  // what happened meanwhile was not received
  if (table.isUp && !page.wasUp && page.isSeen) lookAgain(refreshCard, lookBack);
  page.wasUp = table.isUp;
  showConnected(page.wasUp);
});
table.addEventListener("waits", (event) => {
  page.waits = event.detail.map((wait) => ({
    ...wait,
    until: performance.now() + wait.left * 1000,
    of: Math.max(1, wait.of * 1000),
  }));
  if (table.view && waitFor("betting", 0)) page.waitedIn = roundKey();
  show();
});
const receipts = new ReceiptKeeper(name);
const voice = new Voice({ titleOf: (on) => page.card.titles[on] ?? named("table.wager", on) });
table.addEventListener("entered", ({ detail }) => receipts.add(detail));
table.addEventListener("result", () => receipts.resultAnnounced());
table.addEventListener("change", (event) => {
  const { seat, state } = seen();
  page.moment = table.words; // what the house says of this moment comes with the view of it
  voice.look(tableTitle(page.card), seen());
  for (const happened of event.detail) heard(happened);
  if (own.round && own.round !== roundKey()) at("answer").show(null); // the refusal was about the round before
  own.see({
    seat,
    wagers: state.round.wagers ?? [],
    round: roundKey(),
    isClosed: state.round.closed,
  });
  show();
  if (!page.isSeen && seat) lookAgain(readSlip);
  if (!page.isSeen && session.can.includes("take_seat")) void remindOfTime();
  page.isSeen = true;
  if (page.asked && !seat && session.can.includes("take_seat")) void bring({ do: "sit", seat: page.asked });
  page.asked = 0;
});

/** The view, once it has come. */
const seen = () => /** @type {House.TableView} */ (table.view);

function roundKey() {
  const { shoe, round } = seen().state;
  return `${shoe.number} ${round.number}`;
}

/**
 * @param {string} what
 * @param {number | undefined} seat
 */
const waitFor = (what, seat) =>
  page.waits.find((wait) => wait.what === what && (wait.seat === seat || wait.seat === 0)) ?? null;

/**
 * What an event changes outside the view: the slip of the round, and the hands of the round before.
 * @param {House.TableEvent} event
 */
function heard(event) {
  voice.hear(event, seen());
  sound(event, seen().seat);
  if (event.event === "no_more_bets_called") page.awarded = 0;
  if (event.event === "awarded" && event.seat === seen().seat) page.awarded += event.amount;
  if (event.event === "table_cleared" || event.event === "shoe_closed") lookAgain(lookBack, readSlip);
  if (["rules_adopted", "sat", "left"].includes(event.event)) lookAgain(refreshCard);
}

/**
 * Asks for what may have changed; without an answer, again after a while, or when the connection is back.
 * @param {(() => Promise<unknown>)[]} looks
 */
function lookAgain(...looks) {
  for (const look of looks)
    look().catch(() => {
      if (table.isUp || !page.isSeen) setTimeout(() => lookAgain(look), SLOW);
    });
}

/** The roads of the shoe, and the last rounds. */
function lookBack() {
  const roads = /** @type {HTMLElementTagNameMap["road-board"]} */ (at("roads"));
  return Promise.all([roads.show(name), showHistory(at("history"), name)]);
}

/** The slip of the user's last round at this table, by the books of the house; a round in play has one of its own. */
async function readSlip() {
  if (!session.who) return;
  const query = new URLSearchParams({ table: name, limit: "1" });
  const [last] = (await ask("GET", `/api/own/rounds?${query}`)).rounds;
  if (!last || !table.view || last.shoe < table.view.state.shoe.number + 1 - FORMER_SHOES) return;
  if (!page.slip || placeOf(last) >= placeOf(page.slip)) page.slip = last;
  show();
}

/** @param {{ shoe: number, round: number }} of */
const placeOf = ({ shoe, round }) => shoe * 1e6 + round;

/**
 * While a round is being settled, its slip is what the house says of each wager.
 * @param {House.TableState} state
 * @param {number} seat
 */
function followSlip({ shoe, round }, seat) {
  const lines = page.moment.lines.filter((line) => line.seat === seat && seat);
  if (!lines.length || !round.announced || round.void) return;
  const staked = (round.wagers ?? []).reduce((total, wager) => total + (wager.seat === seat ? wager.stake : 0), 0);
  page.slip = slipOf(lines, { table: name, shoe: shoe.number + 1, round: round.number, staked, more: page.awarded });
}

/** What the lobby says of this table, with the names of its wagers in the reader's language. */
async function readCard() {
  const found = await ask("GET", here);
  return { ...found, titles: wagerTitles(found.titles) };
}

async function refreshCard() {
  const mine = ++page.cardsAsked,
    found = await readCard();
  if (mine !== page.cardsAsked) return; // a later card is coming, or has come
  page.card = found;
  await layFelt();
}

async function layFelt() {
  await at("felt").lay(page.card);
  fill(at("legend"), page.card.rules, () =>
    at("felt").legend.map(([letters, title]) => make("span", {}, make("b", {}, letters), ` ${title}`)),
  );
}

function show() {
  if (!table.view) {
    showCall();
    return;
  }
  const { state, seat } = table.view;
  showCall(seat);
  showHands(state, seat);
  showFelt(state, seat);
  followSlip(state, seat);
  at("slip").show(seat ? page.slip : null, page.card.titles);
  showRail(state, seat);
  showDue(state, seat);
  showMeters(state);
  at("order").textContent = [automatedNote(page.card), orderNote(state.shoe.commitment, seat)]
    .filter(Boolean)
    .join(t("said.sentences"));
  at("why").show(page.moment, { titles: page.card.titles, own: seat, round: state.round.number });
}

/** @param {{ step: string, closed: boolean, stopped?: string | boolean }} at */
function stateOf({ step, closed, stopped }) {
  if (table.denied) return "denied";
  if (!table.isUp) return table.lostAt ? "lost" : "waiting";
  if (stopped) return "stopped";
  return closed ? "closed" : step === "wager" ? "open" : "between";
}

/** The bar shows one consistent moment: the state of the table when the words next to it were said. */
function showCall(seat = 0) {
  const stood = page.moment.at,
    found = stood.step || !table.isUp ? stateOf(stood) : "waiting",
    wait = found === "open" ? waitFor("betting", 0) : null;
  const lost = (found === "lost" && table.view) || found === "denied";
  const since = table.lostAt ? shownTime(new Date(table.lostAt)) : "";
  const isWithout = found === "closed" && stood.kind !== "wagered"; // a round without wagers says which kind
  const isLying = found === "open" && Boolean(table.view?.state.round.wagers?.length),
    isClosing = isLying && !wait && page.waitedIn === roundKey();
  /** @type {Record<string, string>} */
  const unders = {
    lost: since ? t("table.since", { time: since }) : "",
    stopped: "",
    open: isClosing
      ? t("table.dealer_closes")
      : wait || isLying
        ? t("table.closes_soon")
        : t("table.first_wager_starts"),
    between: page.moment.witness_wait
      ? t("table.waits_since", { time: timeOf(page.moment.witness_wait.since) })
      : t(`table.kind_${stood.kind}`.replace(" ", "_")),
  };
  const under = isWithout ? t(`table.kind_${stood.kind}`.replace(" ", "_")) : (unders[found] ?? "");
  const title = isClosing ? t("table.state_closing") : t(`table.state_${found}`);
  voice.tell(found, title, wait);
  at("call").show({
    state: found,
    title,
    under,
    underCites: found === "closed" && !isWithout ? page.moment.closed_by : [],
    call: lost || found === "stopped" ? null : page.moment.call,
    then: lost
      ? {
          say:
            (table.denied && told(toldProblem(table.denied))) ??
            (seat ? told({ say: page.card.when_away, what: "when_away" }) : t("table.coming_back")),
          cites: [],
        }
      : toldTo(seat, page.moment.then),
    round: stood.step ? stood.round : "–",
    shoe: stood.shoe + 1,
    step: stood.step,
    wait,
  });
}

/**
 * Which seats a program plays, so that nobody takes it for company of flesh and blood.
 * @param {House.TableCard} card
 */
function automatedNote({ automated }) {
  if (!automated.length) return "";
  return t(automated.length === 1 ? "table.automated_seat" : "table.automated_seats", {
    seats: listed(automated.map(String)),
  });
}

/**
 * Who had a part in the order of the shoe that the house could not know, and whether it was fixed before the user sat.
 * @param {House.Commitment | null} held
 * @param {number} seat
 */
function orderNote(held, seat) {
  if (!held?.inputs) return "";
  const count = held.witnesses.length,
    isOpen = held.shares.length >= count;
  const [one, many] = isOpen
    ? ["table.order_witness", "table.order_witnesses"]
    : ["table.order_promise", "table.order_promises"];
  const witnesses = count ? t(count === 1 ? one : many, { count }) : t("table.order_house");
  return seat && !held.seated.includes(seat) ? `${witnesses} ${t("table.order_before_you")}` : witnesses;
}

/**
 * Between two rounds the cards of the last one stay visible.
 * @param {House.TableState} state
 * @param {number} seat
 */
function showHands(state, seat) {
  const { round } = state,
    dealt = round.player.length || round.banker.length;
  if (dealt)
    page.former = structuredClone({
      round: { player: round.player, banker: round.banker, turned: round.turned },
      hands: page.moment.hands,
      winner: round.winner,
      announced: round.announced,
    });
  else if (page.former && !round.closed) {
    for (const side of SIDES)
      layHand(side, page.former.round, page.former.hands, {
        winner: page.former.winner,
        announced: page.former.announced,
        former: true,
        seat,
      });
    return;
  } else page.former = null;
  for (const side of SIDES)
    layHand(side, round, dealt ? page.moment.hands : {}, {
      winner: round.winner,
      announced: round.announced,
      former: false,
      seat,
    });
}

/**
 * @param {House.Side} side
 * @param {HandsOfRound} round
 * @param {Record<string, House.HandCount>} hands
 * @param {{ winner: House.Side | null, announced: boolean, former: boolean, seat: number }} how
 */
function layHand(side, round, hands, { winner, announced, former, seat }) {
  const cards = round[side].map((position) => round.turned[position] ?? null),
    counted = hands[side];
  const holder = (round.holders ?? {})[side],
    isHeld = !former && (round.handed ?? []).includes(side) && !(round.returned ?? []).includes(side);
  const note =
    winner === side
      ? t("table.wins")
      : announced && !winner
        ? t("table.tie_result")
        : counted?.natural
          ? t("table.natural")
          : former
            ? t("table.last_round")
            : "";
  at(side).show({
    cards,
    count: counted ? counted.count : null,
    note,
    holder: isHeld && holder ? (holder === seat ? t("table.you_hold") : t("table.seat_turns", { seat: holder })) : "",
    wait: waitFor("squeeze", holder),
    won: winner === side,
    beaten: announced && winner !== side && winner !== null,
    former,
  });
}

/**
 * The wagers on the felt, including House Money that was pressed onto one.
 * @param {House.Round} round
 * @returns {House.Wager[]}
 */
const lying = ({ wagers = [], presses = {}, pressed = {} }) =>
  wagers.map((wager) =>
    presses[wager.seat] === wager.on && pressed[wager.seat]
      ? { ...wager, stake: wager.stake + pressed[wager.seat] }
      : wager,
  );

/**
 * @param {House.TableState} state
 * @param {number} seat
 */
function showFelt(state, seat) {
  at("felt").show({
    taken: Object.fromEntries(state.seats.participants.map((held) => [held.seat, held.taken])),
    own: seat,
    wagers: lying(state.round),
    lines: page.moment.lines,
    open: Boolean(seat) && state.step === "wager" && !state.stopped && table.isUp,
    curator: state.seats.curator,
    maySit: !seat && session.can.includes("take_seat"),
    markers: state.money.markers ?? {},
  });
}

const MICRO = 1e6;

/**
 * What the progressive meters show, if the table has any.
 * @param {House.TableState} state
 */
function showMeters({ meters }) {
  /** @type {[meter: string, cents: number][]} */
  const shown = Object.entries(meters.amounts ?? {}).map(([meter, micro]) => [
    named("meter", meter),
    Math.floor(micro / MICRO),
  ]);
  if (meters.must_hit) shown.push([t("table.must_hit"), meters.must_hit]);
  at("meters").hidden = !shown.length;
  fill(at("meters"), JSON.stringify(shown), () =>
    shown.map(([meter, cents]) => make("div", {}, make("dt", {}, meter), make("dd", {}, sum(cents)))),
  );
}

// ---------------------------------------------------------------------------------------------- the rail

/**
 * @param {House.TableState} state
 * @param {number} seat
 */
function showRail(state, seat) {
  const held = seat ? state.seats.participants[seat - 1] : null,
    isOpen =
      stateOf({ step: state.step, closed: state.round.closed && !state.round.void, stopped: state.stopped }) === "open";
  const { chips, lying, due, marked } = purseOf(state, seat);
  /**
   * @param {string} label
   * @param {string} value
   * @param {string} [kind]
   */
  const part = (label, value, kind = "") => make("div", { class: kind }, make("dt", {}, label), make("dd", {}, value));
  const free = state.seats.participants.filter((each) => !each.taken).length;
  fill(at("purse"), JSON.stringify([seat, chips, lying, due, marked, page.slip?.net, held ? 0 : free]), () =>
    held
      ? [
          part(t("table.chips"), sum(chips)),
          part(t("table.staked"), sum(lying)),
          due || !page.slip
            ? part(t("table.due"), sum(due), due ? "up" : "")
            : part(t("table.last_round_net"), signed(page.slip.net), direction(page.slip.net)),
          marked ? part(t("table.marked"), sum(marked), "narrow") : null,
        ].filter(Boolean)
      : [
          make(
            "div",
            {},
            make("dt", {}, t("table.watching")),
            make("dd", {}, t(free === 1 ? "table.seat_free" : "table.seats_free", { count: free })),
          ),
        ],
  );
  const broke = held !== null && !held.chips && !own.total;
  at("tray").hidden = !(seat && isOpen && !broke);
  at("tray").allow(own.open);
  showInstead(state, seat, { isOpen, broke });
  const mayContribute = table.isUp && seen().due.some((due) => due.act === CONTRIBUTE && due.seat === seat);
  fill(
    at("more"),
    JSON.stringify([
      seat,
      isOpen,
      broke,
      own.total,
      state.seats.curator === seat,
      mayContribute,
      page.isPresenting,
      own.coupon,
    ]),
    () => moreActs(state, seat, { isOpen, broke, mayContribute }),
  );
}

/**
 * What is shown in place of the chips while the user cannot wager.
 * @param {House.TableState} state
 * @param {number} seat
 * @param {{ isOpen: boolean, broke: boolean }} how
 */
function showInstead(state, seat, { isOpen, broke }) {
  const place = at("instead"),
    mine = page.moment.lines.filter((line) => line.seat === seat);
  place.hidden = !at("tray").hidden;
  if (place.hidden) return;
  const free = state.seats.participants.find((each) => !each.taken);
  const summary = JSON.stringify([
    seat,
    isOpen,
    broke,
    free?.seat,
    mine,
    state.round.closed,
    state.stopped,
    state.shoe.commitment?.overdue,
    page.moment.closed_by,
    session.role,
    table.isUp,
    table.denied?.code,
  ]);
  fill(place, summary, () => {
    if (table.denied)
      return table.denied.code === ELSEWHERE
        ? [
            make(
              "button",
              { type: "button", class: "button main", onclick: () => location.reload() },
              t("table.look_anew"),
            ),
          ]
        : [];
    if (state.stopped)
      return [
        make(
          "span",
          { class: "soft" },
          t(
            state.shoe.commitment?.overdue && !state.shoe.commitment.seed && !state.shoe.commitment.lost
              ? "table.stopped_overdue"
              : "table.stopped",
          ),
        ),
      ];
    if (consoleOf(session, name))
      return [make("a", { class: "button main", href: consoleOf(session, name) }, t("lobby.console"))];
    if (!seat)
      return session.can.includes("take_seat") && free
        ? [
            make(
              "button",
              { type: "button", class: "button main", onclick: () => bring({ do: "sit", seat: free.seat }) },
              t("table.take_seat"),
            ),
          ]
        : [make("span", { class: "soft" }, t("table.only_watching"))];
    if (broke)
      return [
        make("span", { class: "soft" }, session.practice ? t("table.play_money") : t("table.real_money")),
        ...(session.practice ? BUY_IN.map((amount, index) => buyButton(amount, index === 0)) : []),
      ];
    if (mine.length) return [make("ul", { class: "paid" }, mine.map(paidLine))];
    const isClosed = table.isUp && state.round.closed;
    return [
      make(
        "span",
        { class: "soft" },
        !table.isUp ? t("table.coming_back") : isClosed ? t("table.wagers_stand") : t("table.wagers_later"),
      ),
      isClosed ? clauseTags(page.moment.closed_by.slice(0, 1)) : "",
    ];
  });
}

/**
 * The outcome of one of the user's wagers: its name, what it pays, and the clause.
 * @param {House.WagerLine} line
 */
function paidLine(line) {
  const name = make(
    "span",
    {},
    page.card.titles[line.on] ?? line.on,
    line.vigorish ? make("small", {}, ` ${t("table.less_vigorish", { sum: sum(line.vigorish) })}`) : null,
  );
  return make(
    "li",
    {},
    name,
    make("b", {}, line.result === "win" ? sum(line.win, { sign: true }) : t(`table.result_${line.result}`)),
    clauseTags(line.cites.slice(0, 1)),
  );
}

/**
 * @param {number} amount
 * @param {boolean} [main]
 */
const buyButton = (amount, main = false) =>
  make(
    "button",
    { type: "button", class: main ? "button main" : "button", onclick: () => buyIn(amount) },
    t("table.buy", { sum: sum(amount, { short: true }) }),
  );

/**
 * Rare acts: a Free Hand, the shoe, a text for the shuffle, more chips, leaving.
 * @param {House.TableState} state
 * @param {number} seat
 * @param {{ isOpen: boolean, broke: boolean, mayContribute: boolean }} how
 */
function moreActs(state, seat, { isOpen, broke, mayContribute }) {
  if (!seat) return [];
  /**
   * @param {string} words
   * @param {{ do: "request_free_hand" | "ask_banker_first" | "pass_shoe" | "leave" }} command
   */
  const act = (words, command) =>
    make(
      "button",
      { type: "button", class: "quiet-act", onclick: () => bring(/** @type {House.Command} */ ({ seat, ...command })) },
      words,
    );
  return [
    isOpen && page.card.free_hand && !own.total ? act(t("table.free_hand"), { do: "request_free_hand" }) : null,
    isOpen && page.card.banker_first ? act(t("table.banker_first"), { do: "ask_banker_first" }) : null,
    isOpen && state.seats.curator === seat ? act(t("table.pass_shoe"), { do: "pass_shoe" }) : null,
    isOpen && page.card.match_play ? couponAct() : null,
    mayContribute
      ? make(
          "button",
          {
            type: "button",
            class: "quiet-act",
            onclick: () => {
              page.isContributing = !page.isContributing;
              show();
            },
          },
          t("table.own_text"),
        )
      : null,
    session.practice && !broke
      ? make(
          "button",
          { type: "button", class: "quiet-act", onclick: () => buyIn(BUY_IN[0]) },
          t("table.buy", { sum: sum(BUY_IN[0], { short: true }) }),
        )
      : null,
    act(t("table.leave"), { do: "leave" }),
  ].filter(Boolean);
}

/** A coupon is presented by its number: it goes with the next wager. */
function couponAct() {
  if (own.coupon)
    return make(
      "span",
      { class: "soft", role: "status" },
      t("table.coupon_next", { number: own.coupon.coupon_number }),
    );
  if (!page.isPresenting)
    return make(
      "button",
      {
        type: "button",
        class: "quiet-act",
        onclick: () => {
          page.isPresenting = true;
          show();
        },
      },
      t("table.coupon"),
    );
  /**
   * @param {string} key
   * @param {Page.Attributes} more
   */
  const field = (key, more) =>
    make("input", {
      inputmode: "decimal",
      required: true,
      size: "6",
      autocomplete: "off",
      "aria-label": t(key),
      placeholder: t(key),
      ...more,
    });
  const number = field("table.coupon_number", { pattern: "[0-9]{1,15}" }),
    value = field("table.coupon_value", { pattern: "[0-9]{1,7}([.][0-9]{2})?" });
  return make(
    "form",
    {
      class: "coupon",
      onsubmit: (event) => {
        event.preventDefault();
        own.present({ coupon: Math.round(Number(value.value) * 100), coupon_number: Number(number.value) });
        page.isPresenting = false;
        show();
      },
    },
    number,
    value,
    make("button", { type: "submit", class: "quiet-act" }, t("table.coupon_present")),
  );
}

// ---------------------------------------------------------------------------------------------- what is due

/**
 * @param {House.TableState} state
 * @param {number} seat
 */
function showDue(state, seat) {
  const mine = table.isUp ? seen().due.filter((due) => due.by === session.role && due.seat === seat && seat) : [];
  const { round } = state,
    wagers = (round.wagers ?? []).filter((wager) => wager.seat === seat);
  const mayPress = !round.presses?.[seat] && wagers.some((wager) => page.card.press.includes(wager.on)); // offered once
  const others = mine.filter((due) => !KEPT_HERE.includes(due.act) && (due.act !== "press_house_money" || mayPress));
  const other = others.find((due) => due.act !== CONTRIBUTE) ?? (page.isContributing ? others[0] : null);
  at("due").show(other ?? null, {
    seat,
    cards: state.shoe.decks * 52,
    depth: page.card.cut_depth,
    offering: round.offering,
    wagers,
    press: page.card.press,
    titles: page.card.titles,
    wait: other ? (page.waits.find((wait) => wait.seat === seat && ANSWERED.includes(wait.what)) ?? null) : null,
  });
  const back = mine.find((due) => due.act === "return_cards") ?? null;
  const side = (round.handed ?? []).find((hand) => !(round.returned ?? []).includes(hand)) ?? "player";
  const positions = back ? round[side].filter((position) => !round.turned[position]) : [];
  void at("squeeze").show({ due: back, seat, table: name, side, positions, wait: waitFor("squeeze", seat) });
}

// ------------------------------------------------------------------------------------------------------ start

show();
lookAgain(layFelt, lookBack);
// The clauses and the sentences that are seldom needed here come later; until they are read they are in English.
void Promise.all(["house", "law"].map(readMore)).then(show, () => {});
