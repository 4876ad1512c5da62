// What the house answers, where somebody has acted: its words, with the clauses that decide.
import { clauseTags } from "/page/js/element/clause-tag.js";
import { told } from "/page/js/words.js";

class AnswerLine extends HTMLElement {
  connectedCallback() {
    this.setAttribute("role", "alert");
  }

  /** Shows a refusal, a problem or an error; nothing clears the line. */
  show(answer = null) {
    if (answer === null) {
      this.replaceChildren();
      return;
    }
    const say = answer.say ?? answer.message ?? String(answer);
    this.replaceChildren(told({ ...answer, say }), clauseTags(answer.cites ?? answer.clauses));
  }
}
customElements.define("answer-line", AnswerLine);
