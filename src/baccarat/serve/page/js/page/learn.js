// @ts-check
// The first lesson: a few rounds without a clock, a guided squeeze, and a check of the shuffle at the end.
import { at, make } from "/page/js/dom.js";
import { ask, sum } from "/page/js/house.js";
import { cardName } from "/page/js/picture.js";
import { checkShoe } from "/page/js/proof.js";
import { shell } from "/page/js/shell.js";
import { t } from "/page/js/words.js";
import "/page/js/element/answer-line.js";
import "/page/js/element/card-squeeze.js";
import "/page/js/element/hand-cards.js";

/** @typedef {"player" | "banker"} Side */
/** @typedef {{ card: House.Card, position: number }} Laid */

const SIDES = /** @type {const} */ (["player", "banker"]);
const ROUNDS = 3,
  NATURAL = 8,
  NEXT = "learn.next";

const state = {
  lesson: "",
  commitment: "",
  chips: 0,
  stake: 0,
  round: 0,
  /** @type {{ on: House.WagerKind, stake: number }[][]} */
  wagers: [],
  /** @type {Record<Side, (House.Card | null)[]>} */
  cards: { player: [], banker: [] },
  /** @type {Record<Side, number | null>} */
  counts: { player: null, banker: null },
  /** @type {Side | ""} */
  winner: "",
};

await shell({ page: "learn", isLit: false, cards: true });

// ------------------------------------------------------------------------------------------------- the scene

function lay() {
  for (const side of SIDES)
    at(side).show({
      cards: state.cards[side],
      count: state.counts[side],
      won: state.winner === side,
      beaten: Boolean(state.winner) && state.winner !== side,
    });
  const part = (/** @type {string} */ label, /** @type {number} */ cents) =>
    make("div", {}, make("dt", {}, label), make("dd", {}, sum(cents, { short: true })));
  at("learn-purse").replaceChildren(part(t("table.chips"), state.chips), part(t("table.staked"), state.stake));
}

/**
 * Tells something, and waits for one of the acts; returns which.
 * @template {string} Act
 * @param {string} key of the title
 * @param {string[]} sentences
 * @param {Record<Act, string>} acts by what they return
 * @returns {Promise<Act>}
 */
function tell(key, sentences, acts) {
  at("learn-title").textContent = t(key);
  at("learn-step").textContent = state.round ? t("learn.step", { round: state.round, of: ROUNDS }) : t("learn.begin");
  at("learn-text").replaceChildren(...sentences.filter(Boolean).map((sentence) => make("p", {}, sentence)));
  return new Promise((chosen) => {
    const entries = /** @type {[Act, string][]} */ (Object.entries(acts));
    const buttons = entries.map(([act, label], index) =>
      make(
        "button",
        {
          type: "button",
          class: index === 0 ? "button main" : "button",
          "data-act": act,
          onclick: () => {
            at("learn-acts").replaceChildren();
            chosen(act);
          },
        },
        label,
      ),
    );
    at("learn-acts").replaceChildren(...buttons);
    (buttons[0] ?? at("learn-title")).focus({ preventScroll: true });
  });
}

/** @param {string} key @param {string[]} sentences */
const go = (key, ...sentences) => tell(key, sentences, { next: t(NEXT) });

// ------------------------------------------------------------------------------------------------- one round

/**
 * The cards of a hand, in the order in which they were dealt.
 * @param {House.TableEvent[]} events
 * @param {Side} side
 * @returns {House.Card[]}
 */
function cardsOf(events, side) {
  const turned = new Map(
    events.flatMap((event) => (event.event === "card_turned" ? [[event.position, event.card]] : [])),
  );
  return events.flatMap((event) =>
    event.event === "card_drawn" && event.to === side ? [/** @type {House.Card} */ (turned.get(event.position))] : [],
  );
}

/** @param {House.Card} card */
const value = ({ rank }) => (rank === "A" ? 1 : /[2-9]/.test(rank) ? Number(rank) : 0);
/** @param {House.Card[]} cards */
const count = (cards) => cards.reduce((total, card) => total + value(card), 0) % 10;

/** The learner turns two cards, peeling them or at once. @param {Side} side @param {House.Card[]} cards */
async function squeeze(side, cards) {
  const made = cards.slice(0, 2).map((card) => {
    const place = make("card-squeeze");
    place.card = `${card.rank}${card.suit}`;
    return place;
  });
  at("learn-squeeze").replaceChildren(...made);
  const peeled = new Promise((done) =>
    at("learn-squeeze").addEventListener("turned", () => made.every((card) => card.turned) && setTimeout(done, 350)),
  );
  const hand = t(`table.${side}`);
  const turned = tell("learn.squeeze_title", [t("learn.squeeze", { hand }), t("learn.squeeze_how")], {
    turn: t("squeeze.turn_both"),
  });
  await Promise.race([peeled, turned]);
  at("learn-squeeze").replaceChildren();
  at("learn-acts").replaceChildren();
}

/** Why a hand drew a third card, or stayed. @param {Record<Side, House.Card[]>} hands @param {Side} side */
function thirdCard(hands, side) {
  const two = count(hands[side].slice(0, 2)),
    third = hands[side][2],
    hand = t(`table.${side}`);
  if (side === "player" || hands.player.length === 2)
    return third
      ? t("learn.draws", { hand, count: two, card: cardName(third) })
      : t("learn.stays", { hand, count: two });
  const against = value(/** @type {House.Card} */ (hands.player[2]));
  return third
    ? t("learn.banker_draws", { count: two, value: against, card: cardName(third) })
    : t("learn.banker_stays", { count: two, value: against });
}

/** What the round brought. @param {House.TableEvent[]} events @param {number} before */
function money(events, before) {
  const taken = events.find((event) => event.event === "vigorish_taken"),
    net = state.chips - before;
  const on = /** @type {string} */ (state.wagers.at(-1)?.[0]?.on);
  if (!net) return [t("learn.back")];
  if (net < 0) return [t("learn.lost", { sum: sum(-net, { short: true }) })];
  const won = t("learn.won", { sum: sum(net, { short: true }) });
  if (taken?.event !== "vigorish_taken") return [won, on === "tie" ? t("learn.tie_pays") : ""];
  const paid = sum(net + taken.amount, { short: true });
  return [won, t("learn.vigorish", { paid, sum: sum(taken.amount, { short: true }) })];
}

/** @param {number} stake */
async function round(stake) {
  Object.assign(state, { cards: { player: [], banker: [] }, counts: { player: null, banker: null }, winner: "" });
  state.round += 1;
  lay();
  const label = (/** @type {string} */ on) =>
    t("learn.bet", { sum: sum(stake, { short: true }), wager: t(`table.${on}`) });
  const on = await tell(
    "learn.wager_title",
    state.round === 1 ? [t("learn.wager"), t("learn.no_clock")] : [t(`learn.wager_${state.round}`)],
    { banker: label("banker"), player: label("player"), tie: t("learn.bet_tie", { sum: sum(stake, { short: true }) }) },
  );
  const before = state.chips;
  state.wagers.push([{ on, stake }]);
  Object.assign(state, { chips: before - stake, stake });
  const dealt = await ask("POST", `/api/lessons/${state.lesson}/round`, { wagers: state.wagers });
  const events = dealt.events.map(({ event }) => event);
  const hands = { player: cardsOf(events, "player"), banker: cardsOf(events, "banker") };
  const own = on === "player" ? "player" : "banker",
    other = own === "player" ? "banker" : "player";
  state.cards = { player: [null, null], banker: [null, null] };
  state.cards[other] = hands[other].slice(0, 2);
  state.counts[other] = count(hands[other].slice(0, 2));
  lay();
  await squeeze(own, hands[own]);
  state.cards[own] = hands[own].slice(0, 2);
  state.counts[own] = count(hands[own].slice(0, 2));
  lay();
  const counts = t("learn.counts", { player: state.counts.player, banker: state.counts.banker });
  if (Math.max(state.counts.player ?? 0, state.counts.banker ?? 0) >= NATURAL)
    await go("learn.natural_title", counts, t("learn.natural"));
  else {
    for (const side of SIDES) {
      const sentence = thirdCard(hands, side);
      state.cards[side] = hands[side];
      state.counts[side] = count(hands[side]);
      lay();
      await go(`learn.third_${side}`, side === "player" ? counts : "", sentence);
    }
  }
  const result = events.find((event) => event.event === "result_announced");
  if (result?.event !== "result_announced") throw new Error("a round has a result");
  state.winner = result.outcome === "tie" ? "" : /** @type {Side} */ (result.outcome);
  Object.assign(state, { chips: dealt.chips, stake: 0 });
  lay();
  const said = state.winner
    ? t("learn.wins", { hand: t(`table.${state.winner}`), player: result.player, banker: result.banker })
    : t("learn.tie", { count: result.player });
  await go("learn.result_title", said, ...money(events, before));
}

// ------------------------------------------------------------------------------------------------ the lesson

async function proof() {
  const shown = await ask("POST", `/api/lessons/${state.lesson}/end`, { wagers: state.wagers });
  const { faults, cards, isWhole } = checkShoe(shown);
  const isRight = isWhole && !faults.length && shown.commitment === state.commitment;
  return isRight
    ? [t("learn.proved", { count: shown.decks * 52, cards }), t("learn.proved_how"), t("learn.proved_not")]
    : [t("learn.not_proved")];
}

async function lesson() {
  const begun = await ask("POST", "/api/lessons");
  Object.assign(state, {
    lesson: begun.lesson,
    commitment: begun.commitment,
    chips: begun.chips,
    round: 0,
    wagers: [],
  });
  Object.assign(state, { cards: { player: [], banker: [] }, counts: { player: null, banker: null }, winner: "" });
  lay();
  await go("learn.game_title", t("learn.game"), t("learn.names"), t("learn.payment"));
  await go("learn.values_title", t("learn.values"), t("learn.digit"));
  await go("learn.sealed_title", t("learn.sealed", { start: begun.commitment.slice(0, 8) }), t("learn.sealed_check"));
  const stake = Math.max(begun.least, 10_000);
  for (let played = 0; played < ROUNDS; played += 1) await round(stake);
  const sentences = await proof();
  const chosen = await tell("learn.proof_title", sentences, { table: t("learn.to_table"), again: t("learn.again") });
  if (chosen === "table") location.assign("/");
  else await lesson();
}

lesson().catch((problem) => at("problem").show(problem));
