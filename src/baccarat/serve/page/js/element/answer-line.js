// The house's answer, next to the act: its words, with the clauses that decide.
import { clauseTags } from "/page/js/element/clause-tag.js";
import { told, toldProblem } from "/page/js/words.js";

export class AnswerLine extends HTMLElement {
  connectedCallback() {
    this.setAttribute("role", "alert");
  }

  /**
   * Shows a refusal, a problem or an error; null clears the line.
   * @param {unknown} [reason]
   */
  show(reason = null) {
    if (reason === null) {
      this.replaceChildren();
      return;
    }
    const answer = /** @type {Page.Reason} */ (reason);
    const found = toldProblem(answer);
    this.replaceChildren(told(found) || String(answer), clauseTags(found.cites));
  }
}
customElements.define("answer-line", AnswerLine);
