// A remedy, step by step: what has been done or would be, what is next, and what comes after that; each with its
// clauses.
import { make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { t, told } from "/page/js/words.js";

export class RemedySteps extends HTMLElement {
  /**
   * Shows the steps that are done and those ahead; with `wouldBe` none of them is done yet.
   * @param {House.RemedyStep[]} done
   * @param {House.RemedyStep[]} ahead
   * @param {{ wouldBe?: boolean }} [how]
   */
  show(done, ahead, { wouldBe = false } = {}) {
    const steps = [
      ...done.map((step) => ({ ...step, state: wouldBe ? "later" : "done" })),
      ...ahead.map((step, index) => ({ ...step, state: !wouldBe && index === 0 ? "now" : "later" })),
    ];
    this.replaceChildren(
      make(
        "ol",
        { class: "todo" },
        steps.map((step, index) =>
          make(
            "li",
            { class: step.state, "aria-current": step.state === "now" ? "step" : null },
            make("i", { "aria-hidden": "true" }, step.state === "done" ? "✓" : String(index + 1)),
            make(
              "div",
              {},
              make(
                "p",
                {},
                step.state === "done" ? make("span", { class: "unseen" }, `${t("dealer.done")}: `) : null,
                told(step),
              ),
              clauseTags(step.cites),
            ),
          ),
        ),
      ),
    );
  }
}
customElements.define("remedy-steps", RemedySteps);
