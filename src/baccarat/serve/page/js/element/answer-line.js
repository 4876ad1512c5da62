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
    const say = answer.say ?? answer.message ?? String(answer), cites = answer.cites ?? answer.clauses ?? [];
    const what = answer.what ?? (answer.code && !cites.length ? `denied_${answer.code}` : ""); // a denial is known by its code
    this.replaceChildren(told({ ...answer, say, what }), clauseTags(cites));
  }
}
customElements.define("answer-line", AnswerLine);
