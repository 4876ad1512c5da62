// The act that is next, as the large button shows it: its words, its sum, its clauses, and what may be done instead.
import { filled } from "/page/js/dealer/label.js";
import { at, make } from "/page/js/dom.js";
import { printed } from "/page/js/element/card-pad.js";
import "/page/js/element/next-act.js";
import { sum } from "/page/js/house.js";
import { named, t, toldFollows, toldOf } from "/page/js/words.js";

/** @param {House.PreparedAct} act */
const labelOf = (act) => filled(named("dealer.act", act.what), { number: (act.position ?? 0) + 1, seat: act.seat });
/** @param {House.AwaitedAct} waiting */
const whoIs = (waiting) => (waiting.seat ? t("dealer.seat", { seat: waiting.seat }) : named("role", waiting.by));

/** @param {Page.Desk} desk */
export function showAct(desk) {
  desk.shown = desk.identity;
  const { act } = desk;
  if (desk.mode?.act) at("act").show(desk.mode.act());
  else if (desk.comesOn)
    at("act").show({
      head: t("dealer.nobody_on_the_game"),
      label: t("dealer.come_on"),
      follows: toldOf(act ?? desk.work.waiting[0]),
    });
  else at("act").show(act ? dueNow(desk, act) : waitingFor(desk));
  speak(desk);
}

/**
 * @param {Page.Desk} desk
 * @param {House.PreparedAct} act
 * @returns {Page.ShownAct}
 */
function dueNow(desk, act) {
  const { work, card, wantsCard } = desk,
    mends = work.remedy_ahead.length > 0;
  return {
    head: remedyStep(work) + (act.calls.length ? t("dealer.say_aloud") : toldOf(act)),
    cites: act.cites,
    calls: act.calls,
    label: labelOf(act),
    sum: wantsCard ? (card ? printed(card) : "") : act.amount ? sum(act.amount) : "",
    follows: toldFollows(wantsCard ? (desk.outlook ?? undefined) : act),
    can: desk.isComplete,
    warns: mends,
    instead: insteadButtons(desk),
  };
}

/**
 * @param {Page.Desk} desk
 * @returns {Page.ShownAct}
 */
function waitingFor(desk) {
  const waiting = desk.work.waiting[0];
  return {
    head: waiting ? t("dealer.waiting_for", { who: whoIs(waiting) }) : t("dealer.nothing_due"),
    cites: waiting?.cites,
    follows: toldOf(waiting),
    warns: desk.work.remedy_ahead.length > 0,
    instead: insteadButtons(desk),
  };
}

/**
 * Which step of a remedy this is, if one is under way.
 * @param {House.WorkShown} work
 */
function remedyStep({ remedy_done: done, remedy_ahead: ahead }) {
  if (!ahead.length) return "";
  return `${t("dealer.remedy_step", { step: done.length + 1, of: done.length + ahead.length })} · `;
}

/**
 * @param {Page.Desk} desk
 * @returns {HTMLElement[]}
 */
function insteadButtons(desk) {
  /** @type {HTMLElement[]} */
  const choices = desk.work.choices.map((choice) => make("p", { class: "choice-open" }, toldOf(choice)));
  const optional = desk.work.acts.filter((act) => act.is_optional && !act.fields.length);
  return choices.concat(
    optional.map((act) =>
      make(
        "button",
        { class: "button", type: "button", onclick: () => desk.send(/** @type {House.Command} */ (act.command)) },
        labelOf(act),
      ),
    ),
  );
}

/**
 * What a screen reader says: the call, or the act.
 * @param {Page.Desk} desk
 */
function speak({ act, work }) {
  const text = act ? act.calls.join(", ") || toldOf(act) : toldOf(work.waiting[0]);
  if (at("spoken").textContent !== text) at("spoken").textContent = text;
}
