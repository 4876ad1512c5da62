// The keys of the console: the key of the act, cards as they are typed, and a key for each rare act.
import { Correction, Irregular } from "/page/js/dealer/correcting.js";
import { Relief, Seats } from "/page/js/dealer/people.js";
import { at, targetOf } from "/page/js/dom.js";
import { t } from "/page/js/words.js";

/**
 * Rare acts, each with its key: {key, sign, text, isOn, act}.
 * @param {Page.Desk} desk
 * @returns {Page.OtherAct[]}
 */
export function otherActs(desk) {
  /**
   * @param {string} key
   * @param {string} text
   * @param {new (desk: Page.Desk) => Page.Mode} made
   */
  const mode = (key, text, made) => ({
    key,
    text,
    isOn: desk.mode instanceof made,
    act: () => desk.enterMode(new made(desk)),
  });
  const called = desk.work?.floor_called;
  return [
    mode("i", t("dealer.irregularity"), Irregular),
    {
      key: "f",
      text: called ? t("dealer.withdraw_call") : t("dealer.call_floor"),
      isOn: Boolean(called),
      act: () => desk.callFloor(),
    },
    mode("e", t("dealer.correct"), Correction), // K is a king, whether or not a card is wanted
    mode("l", t("dealer.relief"), Relief),
    mode("b", t("dealer.seats"), Seats),
    {
      key: "n",
      text: t("dealer.scanner"),
      isOn: desk.scans,
      act: () => {
        desk.scans = !desk.scans;
        desk.show();
      },
    },
    ...(desk.wantsCard && !desk.mode
      ? [{ key: "", sign: "⌫", text: t("dealer.clear_card"), isOn: false, act: () => desk.typed.back() }]
      : []),
  ];
}

export class Keys {
  /** @param {Page.Desk} desk */
  constructor(desk) {
    this.desk = desk;
    document.addEventListener("keydown", (event) => this.keydown(event));
    at("content").addEventListener("click", (event) => {
      // after a click the key of the act is free again
      if (event.detail > 0) targetOf(event).closest("button")?.blur();
    });
    at("content").addEventListener("input", () => at("answer").show(null)); // the refusal was about the earlier input
  }

  /** @param {KeyboardEvent} event */
  keydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.desk.work || at("act").inert) return;
    const isField = targetOf(event).closest?.("input:not([type=checkbox]), textarea, select");
    if (event.key === "Escape") this.desk.leave();
    else if (event.key === "Enter") this.enter(event);
    else if (isField) return;
    else if (event.key === "Backspace") this.desk.typed.back();
    else if ((this.cardsAreWanted && this.desk.typed.key(event)) || this.shortcut(event.key.toLowerCase()))
      event.preventDefault();
  }

  get cardsAreWanted() {
    const { mode, wantsCard, scans, typed } = this.desk;
    return mode
      ? Boolean(mode.chosen?.fields.some((field) => field.kind === "card"))
      : wantsCard || scans || typed.isBusy;
  }

  /** @param {KeyboardEvent} event */
  enter(event) {
    const on = targetOf(event).closest?.("button, a, summary, form");
    if (event.repeat || (on && !on.classList.contains("go") && !on.classList.contains("key"))) return;
    event.preventDefault();
    this.desk.typed.press(this.desk.shown);
  }

  /** @param {string} key */
  shortcut(key) {
    const found = otherActs(this.desk).find((other) => other.key === key);
    if (found) found.act();
    return Boolean(found);
  }
}
