// The one act that is next: what to say, one large button with its sum and its key, and what follows.
import { make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { t } from "/page/js/words.js";

export class NextAct extends HTMLElement {
  constructor() {
    super();
    this.go = make("button", { class: "go", type: "button", onclick: () => this.dispatchEvent(new CustomEvent("do")) });
    this.heading = make("div", { class: "act-head" });
    this.calls = make("div", { class: "calls" });
    this.following = make("p", { class: "act-next" });
    this.instead = make("div", { class: "act-instead" });
  }

  connectedCallback() {
    this.classList.add("act");
    this.replaceChildren(this.heading, this.calls, this.go, this.following, this.instead);
  }

  /**
   * Shows an act: head, cites, calls (said aloud), label, sum, follows; `can` is whether it can be done now, `warns`
   * that it is part of a remedy, `instead` buttons for acts on somebody's behalf.
   * @param {Page.ShownAct} act
   */
  show({ head, cites = [], calls = [], label = "", sum = "", follows = "", can = true, warns = false, instead = [] }) {
    this.classList.toggle("warns", warns);
    this.heading.replaceChildren(make("span", {}, head), clauseTags(cites));
    this.calls.replaceChildren(...calls.map((call) => make("p", { class: "say" }, `“${call}”`)));
    this.go.hidden = !label;
    this.go.setAttribute("aria-disabled", String(!can));
    this.go.replaceChildren(
      make("span", { class: "go-say" }, label),
      sum ? make("span", { class: "go-sum" }, sum) : "",
      make("kbd", { "aria-hidden": "true", title: t("dealer.enter") }, "⏎"),
    );
    this.following.hidden = !follows;
    this.following.textContent = follows;
    this.instead.replaceChildren(...instead);
  }
}
customElements.define("next-act", NextAct);
