// The house's answer, next to the act: its words, with the clauses that decide.
import { clauseTags } from "/page/js/element/clause-tag.js";
import { told } from "/page/js/words.js";

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
    const say = answer.say ?? answer.message ?? String(answer),
      cites = answer.cites ?? answer.clauses ?? [];
    // a denial is identified by its code
    const what = answer.what ?? (answer.code && !cites.length ? `denied_${answer.code}` : "");
    this.replaceChildren(told({ ...answer, say, what }), clauseTags(cites));
  }
}
customElements.define("answer-line", AnswerLine);
