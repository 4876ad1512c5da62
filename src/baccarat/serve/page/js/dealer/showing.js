// Draws the whole console: steps, notices, the act with its work, what lies on the table, rare acts.
import { otherActs } from "/page/js/dealer/keys.js";
import { cardLabel } from "/page/js/dealer/label.js";
import { showAct } from "/page/js/dealer/shown_act.js";
import { showSight } from "/page/js/dealer/sight.js";
import { showWork } from "/page/js/dealer/work_panels.js";
import { at, fill, make } from "/page/js/dom.js";
import { witnessWaitText } from "/page/js/witness_wait.js";
import { named, stoppedText, t } from "/page/js/words.js";

/** @param {Page.Desk} desk */
export function showDesk(desk) {
  showSteps(desk.work);
  showNotices(desk);
  prepareForm(desk);
  showAct(desk);
  showWork(desk);
  showSight(desk.view, desk.work);
  showOthers(desk);
}

/** @param {House.WorkShown} work */
function showSteps({ steps }) {
  fill(at("steps"), JSON.stringify(steps), () =>
    steps.map((step) =>
      make(
        "li",
        { class: step.state, "aria-current": step.state === "now" ? "step" : null },
        named("dealer.step", step.name),
      ),
    ),
  );
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
/** @param {number} micros */
const timeOf = (micros) => clock.format(new Date(micros / 1000));

/**
 * Since when the floorperson has been called, or who has answered.
 * @param {House.WorkShown} work
 */
function floorNotice({ floor_called: called, floor_answered: answered }) {
  if (called) return t("dealer.floor_called", { time: timeOf(called.since) });
  if (!answered || arrived === answered.answered_at) return null;
  return t("dealer.floor_comes", {
    who: answered.answered_name || t("dealer.the_floorperson"),
    time: timeOf(answered.answered_at),
  });
}

/** How long, in milliseconds, somebody is on the way to a table: after that the notice would tell nothing. */
const ON_THE_WAY = 3 * 60_000;
/** The answered call whose floorperson is there, by the time of the answer; and the one whose time runs. */
let arrived = 0,
  comes = 0;

/**
 * Whoever answered a call is there when the dealer says so, or after a while.
 * @param {Page.Desk} desk
 * @param {number} answeredAt
 */
function hasCome(desk, answeredAt) {
  arrived = answeredAt;
  desk.show();
}

/**
 * @param {Page.Desk} desk
 * @param {House.WorkShown["floor_answered"]} answered
 */
function awaitFloor(desk, answered) {
  if (!answered || comes === answered.answered_at) return;
  comes = answered.answered_at;
  setTimeout(() => hasCome(desk, answered.answered_at), ON_THE_WAY);
}

/** @param {Page.Desk} desk */
function showNotices(desk) {
  const { work, view, deals, comesOn } = desk,
    answered = work.floor_called ? null : work.floor_answered;
  awaitFloor(desk, answered);
  const isOn = work.dealers.some((dealer) => dealer.is_you),
    { round, shoe } = view.state;
  const notices = [
    work.stopped ? t("dealer.stopped", { why: stoppedText(work.stopped) }) : null,
    deals && !isOn && !comesOn ? t("dealer.not_on_the_game") : null,
    round.kind === "simulated"
      ? t("dealer.simulated_round")
      : round.kind === "free hand"
        ? t("dealer.free_hand")
        : null,
    shoe.is_last ? t("dealer.last_hand") : null,
    witnessWaitText(work.witness_wait) || null,
  ].filter(Boolean);
  const floor = floorNotice(work),
    isHere = { class: "button small", type: "button", onclick: () => hasCome(desk, answered?.answered_at ?? 0) };
  fill(at("notices"), JSON.stringify([notices, isOn, floor]), () => [
    ...notices.map((text) => make("p", { class: "notice" }, text)),
    floor
      ? make("p", { class: "notice" }, floor, " ", answered && make("button", isHere, t("dealer.floor_is_here")))
      : "",
  ]);
}

/**
 * The fields of an act are shown once, and stay as they were filled in while the table changes.
 * @param {Page.Desk} desk
 */
function prepareForm(desk) {
  const { act, card, wantsCard } = desk,
    summary = act && !wantsCard ? JSON.stringify([act.command, act.fields]) : "";
  if (summary !== desk.formOf) {
    desk.formOf = summary;
    if (act && summary)
      desk.form.ask(act.fields, {
        names: (field, value) =>
          field.name === "position" ? cardLabel(desk.view.state, Number(value)) : String(value),
      });
  }
  if (desk.outlook && (desk.outlook.position !== act?.position || desk.outlook.card !== card)) desk.outlook = null;
  if (act && wantsCard && card && !desk.outlook && desk.lookedAt !== `${act.position}${card}`) desk.lookAtCard();
}

/** @param {Page.Desk} desk */
function showOthers(desk) {
  const others = otherActs(desk);
  fill(at("others"), JSON.stringify(others.map(({ key, text, isOn, sign }) => [key, text, isOn, sign])), () =>
    others.map(({ key, text, isOn, sign, act }) =>
      make(
        "button",
        {
          class: "button",
          type: "button",
          "aria-pressed": String(isOn),
          onclick: act,
        },
        text,
        make("kbd", { "aria-hidden": "true" }, sign ?? key.toUpperCase()),
      ),
    ),
  );
}
