// Below the act, its work: the card to key, what is to be entered, payouts in the filed order, a remedy.
import { houseMoneyPanel, wagersPanel } from "/page/js/dealer/people.js";
import { proposalPanel } from "/page/js/dealer/proposals.js";
import { at, keep, make } from "/page/js/dom.js";
import "/page/js/element/card-pad.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import "/page/js/element/draw-stay.js";
import "/page/js/element/pay-table.js";
import "/page/js/element/remedy-steps.js";
import { cardName, cardPicture } from "/page/js/picture.js";
import { named, t, told, toldOf } from "/page/js/words.js";

/** @param {Page.Desk} desk */
export function showWork(desk) {
  const parts = desk.mode ? desk.mode.panels() : workOfTheAct(desk);
  /** @type {Page.Part[]} */
  const waiting = desk.proposals.map((proposal) => [
    `proposal ${proposal.id}`,
    proposal,
    () => proposalPanel(proposal, desk),
  ]);
  keep(at("work"), [...waiting, .../** @type {Page.Part[]} */ (parts.filter(Boolean))]);
}

/**
 * The parts of the work as [name, data, how it is made]; one whose data are unchanged stays as it is.
 * @param {Page.Desk} desk
 */
function workOfTheAct(desk) {
  const { work, act, card, outlook, wantsCard } = desk,
    { ruled } = work,
    { step, round, seats } = desk.view.state;
  return [
    wantsCard && ["card", [act, card, outlook, work.ruled], () => cardPanel(desk)],
    act?.fields.length && !wantsCard && !desk.comesOn && ["form", [act.command, act.fields], () => formPanel(desk)],
    work.house_money.length && ["house money", work.house_money, () => houseMoneyPanel(work)],
    work.settlement.length &&
      step === "settle" && [
        "settlement",
        work.settlement,
        () => shown("pay-table", { class: "pays" }, work.settlement, work.settlement_cites),
      ],
    (work.remedy_done.length || work.remedy_ahead.length) && [
      "remedy",
      [work.remedy_done, work.remedy_ahead],
      () => remedyPanel(work),
    ],
    ruled && !wantsCard && step !== "settle" && ["ruled", ruled, () => shown("draw-stay", {}, ruled)],
    step === "wager" && ["wagers", [round.wagers, round.spoken, seats.participants], () => wagersPanel(desk)],
  ];
}

/**
 * An element that shows something.
 * @template {"pay-table" | "draw-stay" | "remedy-steps"} Name
 * @param {Name} element
 * @param {Page.Attributes} attributes
 * @param {Parameters<HTMLElementTagNameMap[Name]["show"]>} what
 */
function shown(element, attributes, ...what) {
  const made = make(element, attributes);
  /** @type {(...what: any[]) => void} */ (made.show).apply(made, what);
  return made;
}

/** @param {Page.Desk} desk */
const formPanel = (desk) =>
  make(
    "section",
    { class: "panel" },
    make("header", {}, make("h2", {}, t("dealer.enter_this"))),
    make("div", { class: "asked" }, desk.form),
  );

/** @param {House.WorkShown} work */
const remedyPanel = ({ remedy_done: done, remedy_ahead: ahead }) =>
  make(
    "section",
    { class: "panel remedy" },
    make("header", {}, make("h2", {}, t("dealer.remedy"))),
    shown("remedy-steps", {}, done, ahead),
  );

/**
 * The keys of the cards, the same from card to card, so that a key keeps the focus.
 * @param {Page.Desk} desk
 */
function cardPad(desk) {
  if (!desk.pad) {
    desk.pad = make("card-pad", {});
    desk.pad.addEventListener("key", (event) => desk.typed.add({ card: event.detail }));
  }
  desk.pad.choose(desk.card);
  return desk.pad;
}

/** @param {Page.Desk} desk */
function cardPanel(desk) {
  const { act, card } = desk;
  return make(
    "section",
    { class: "panel pad" },
    make(
      "header",
      {},
      make("h2", {}, t("dealer.what_shows", { number: (act?.position ?? 0) + 1 })),
      make(
        "span",
        { class: "quiet" },
        t("dealer.type_rank_suit"),
        " ",
        make("kbd", {}, "8"),
        " ",
        make("kbd", {}, "S"),
      ),
    ),
    cardPad(desk),
    make("footer", {}, card ? keyedCard(desk) : make("p", { class: "soft" }, toldOf(act ?? undefined))),
  );
}

/**
 * The card that was keyed, and what follows from it: the count, and whether the hands draw.
 * @param {Page.Desk} desk
 */
function keyedCard({ act, card, outlook, view, work }) {
  const after = outlook?.counts ?? {},
    { round } = view.state;
  const position = act?.position ?? -1;
  const side = round.player.includes(position) ? "player" : round.banker.includes(position) ? "banker" : "";
  const count =
    side && after[side] !== undefined
      ? t("dealer.count_then", { side: named("dealer.side", side), count: after[side] })
      : "";
  const ruledBefore = new Set(work.ruled?.hands.map((hand) => hand.side) ?? []);
  const soon = (outlook?.ruled?.hands ?? []).filter((hand) => !ruledBefore.has(hand.side));
  return [
    make(
      "div",
      { class: "keyed" },
      cardPicture(card),
      make("div", {}, make("strong", {}, cardName(card)), make("span", { class: "soft" }, count)),
    ),
    outlook?.refused
      ? make("p", { class: "refused" }, told(outlook.refused), " ", clauseTags(outlook.refused.cites))
      : null,
    ...soon.map((hand) =>
      make(
        "p",
        { class: "soon" },
        make(
          "b",
          { class: `verdict ${hand.act}` },
          t("dealer.verdict", { side: named("dealer.side", hand.side), act: named("dealer.hand", hand.act) }),
        ),
        make("span", {}, toldOf(hand)),
        clauseTags(hand.cites),
      ),
    ),
  ];
}
