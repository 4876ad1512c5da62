// @ts-check
// The slip of the user's last round: one line near the chips until the next round is settled, and all of it on request.
import { fill, make } from "/page/js/dom.js";
import { sum } from "/page/js/house.js";
import { roundAddress } from "/page/js/table/history.js";
import { direction, signed, slipTable } from "/page/js/table/slip.js";
import { t } from "/page/js/words.js";

const WHOLE = "slip-whole";

export class RoundSlip extends HTMLElement {
  /**
   * Shows a slip; none before the user's first round.
   * @param {Page.Slip | null} slip
   * @param {Record<string, string>} titles the names of wagers
   */
  show(slip, titles) {
    fill(this, JSON.stringify([slip, titles]), () => (slip ? [this.line(slip), this.whole(slip, titles)] : []));
  }

  /** @param {Page.Slip} slip */
  line({ round, staked, won, vigorish, net }) {
    const part = (/** @type {string} */ key, /** @type {number} */ cents) =>
      make("span", { class: key }, t(`slip.${key}`), " ", make("b", {}, sum(cents)));
    return make(
      "button",
      { type: "button", class: "slip-line", popovertarget: WHOLE },
      make("span", { class: "which" }, t("slip.round", { round })),
      part("staked", staked),
      part("won", won),
      vigorish ? part("vigorish", vigorish) : null,
      make("span", { class: `net ${direction(net)}` }, t("slip.net"), " ", make("b", {}, signed(net))),
    );
  }

  /**
   * @param {Page.Slip} slip
   * @param {Record<string, string>} titles
   */
  whole(slip, titles) {
    return make(
      "div",
      { id: WHOLE, class: "slip-whole", popover: "auto", role: "dialog", "aria-label": t("slip.title") },
      make(
        "header",
        {},
        make("h2", {}, t("slip.of_round", { round: slip.round, shoe: slip.shoe })),
        make(
          "button",
          {
            type: "button",
            class: "icon",
            popovertarget: WHOLE,
            popovertargetaction: "hide",
            "aria-label": t("slip.close"),
          },
          "×",
        ),
      ),
      slipTable(slip, titles),
      make(
        "p",
        { class: "links" },
        make("a", { href: `${roundAddress(slip.table, slip)}#receipts` }, t("slip.receipt")),
        make("a", { href: "/my-rounds" }, t("slip.all")),
      ),
    );
  }
}
customElements.define("round-slip", RoundSlip);
