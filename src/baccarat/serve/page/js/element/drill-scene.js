// What is seen on the table of an exercise: both hands, the wagers, and what has happened.
import { make, shown } from "/page/js/dom.js";
import { sum } from "/page/js/house.js";
import { cardPicture, chipStack } from "/page/js/picture.js";
import { t } from "/page/js/words.js";

/**
 * @param {House.Side} side
 * @param {string} title
 * @param {(string | null)[]} cards
 */
function hand(side, title, cards) {
  if (!cards.length) return null;
  return make(
    "div",
    { class: `hand ${side}` },
    make("h2", {}, make("span", { class: `disc ${side}`, "aria-hidden": "true" }, title[0]), title),
    make(
      "div",
      { class: "cards" },
      cards.map((card, index) => make("span", { class: index === 2 ? "third" : null }, cardPicture(card))),
    ),
  );
}

/** @param {House.DrillWager[]} list */
function wagers(list) {
  if (!list.length) return null;
  return make(
    "ul",
    { class: "wagers", "aria-label": t("drill.wagers") },
    list.map((wager) =>
      make(
        "li",
        {},
        chipStack(wager.stake),
        make("span", { class: "quiet" }, t("drill.seat", { seat: wager.seat })),
        make("span", {}, wager.title),
        make("span", { class: "figure" }, sum(wager.stake)),
      ),
    ),
  );
}

export class DrillScene extends HTMLElement {
  /**
   * Shows the scene of a question.
   * @param {House.Scene} scene
   */
  show(scene) {
    const hands = [
      hand("player", t("drill.player"), scene.player),
      hand("banker", t("drill.banker"), scene.banker),
    ].filter(Boolean);
    this.replaceChildren(
      ...shown([
        hands.length ? make("div", { class: "hands" }, hands) : null,
        wagers(scene.wagers),
        ...scene.notes.map((note) => make("p", { class: "note" }, note)),
      ]),
    );
  }
}
customElements.define("drill-scene", DrillScene);
