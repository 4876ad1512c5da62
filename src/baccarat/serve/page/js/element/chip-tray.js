// The tray: chips to choose from, and what can be done with all the user's wagers.
import { make } from "/page/js/dom.js";
import { sum } from "/page/js/house.js";
import { chipPicture } from "/page/js/picture.js";
import { t } from "/page/js/words.js";

export const CHIPS = [100, 500, 2500, 10000, 50000, 100000];
const ACTS = { undo: "U", double: "D", rebet: "R", clear: "C" };

export class ChipTray extends HTMLElement {
  chosen = CHIPS[2];
  chips = CHIPS.map((cents, index) =>
    make(
      "button",
      {
        type: "button",
        class: "pick",
        "data-cents": cents,
        "aria-label": t("table.chip", { sum: sum(cents, { short: true }), key: index + 1 }),
        onclick: () => this.choose(cents),
      },
      chipPicture(cents),
      make("kbd", { "aria-hidden": "true" }, String(index + 1)),
    ),
  );
  acts = Object.entries(ACTS).map(([act, key]) =>
    make(
      "button",
      {
        type: "button",
        class: "button",
        "data-act": act,
        "aria-keyshortcuts": key,
        onclick: () => this.dispatchEvent(new CustomEvent("act", { detail: act, bubbles: true })),
      },
      t(`table.${act}`),
      make("kbd", { "aria-hidden": "true" }, key),
    ),
  );

  connectedCallback() {
    if (this.firstChild) return;
    this.append(
      make("div", { class: "chips", role: "group", "aria-label": t("table.chips_to_choose") }, this.chips),
      make("div", { class: "acts" }, this.acts),
    );
    this.choose(this.chosen);
  }

  /** @param {number} cents */
  choose(cents) {
    this.chosen = cents;
    for (const chip of this.chips) chip.setAttribute("aria-pressed", String(Number(chip.dataset.cents) === cents));
  }

  /**
   * Which acts would have an effect now.
   * @param {Record<string, boolean>} acts
   */
  allow(acts) {
    for (const button of this.acts) button.disabled = !acts[button.dataset.act ?? ""];
  }
}
customElements.define("chip-tray", ChipTray);
