// How an exercise is answered: by one choice, by a number or a sum, or by choices in order. Sends `answer` with the
// text.
import { make, targetOf, within } from "/page/js/dom.js";
import { lawText, t } from "/page/js/words.js";

const KEYS_OF_A_BUTTON = new Set(["Enter", " "]);

export class DrillAnswer extends HTMLElement {
  /** @type {House.Question | null} */
  #question = null;
  /** @type {string[]} */
  #order = [];
  /** @param {KeyboardEvent} event */
  keys = (event) => this.#key(event);

  connectedCallback() {
    document.addEventListener("keydown", this.keys);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.keys);
  }

  /**
   * Asks a question, which can be answered once.
   * @param {House.Question} question
   */
  show(question) {
    this.#question = question;
    this.#order = [];
    /** @type {Record<string, () => HTMLElement[]>} */
    const forms = {
      choice: () => this.#choices(question),
      order: () => this.#choices(question),
      number: () => this.#typed("numeric", t("drill.number_label")),
      sum: () => this.#typed("decimal", t("drill.sum_label")),
    };
    this.replaceChildren(...forms[question.form]());
    this.querySelector("input")?.focus();
  }

  close() {
    this.#question = null;
    for (const control of this.querySelectorAll("button, input")) control.toggleAttribute("disabled", true);
    for (const acts of this.querySelectorAll(".acts")) acts.hidden = true;
  }

  /** @param {string} text */
  #say(text) {
    this.dispatchEvent(new CustomEvent("answer", { detail: text, bubbles: true }));
  }

  /** @param {House.Question} question */
  #choices(question) {
    const isOrder = question.form === "order";
    const buttons = question.choices.map(({ key, say }) =>
      make(
        "button",
        {
          type: "button",
          class: "answer",
          "data-key": key,
          "data-say": say,
          "aria-keyshortcuts": key,
          onclick: () => this.#chosen(key),
        },
        make("kbd", {}, key.toUpperCase()),
        make("span", {}, lawText(say).text),
        isOrder ? make("span", { class: "place" }) : null,
      ),
    );
    const list = make("div", { class: `answers by-${question.form}` }, buttons);
    if (!isOrder) return [list, make("div", { class: "acts" }, this.#pass())];
    const again = make(
      "button",
      { type: "button", class: "button", onclick: () => this.#back(this.#order.length) },
      t("drill.again"),
    );
    return [
      make("p", { class: "quiet" }, t("drill.order_hint")),
      list,
      make("div", { class: "acts" }, again, this.#pass()),
    ];
  }

  /**
   * @param {string} mode
   * @param {string} label
   */
  #typed(mode, label) {
    const input = make("input", { type: "text", inputmode: mode, autocomplete: "off", maxlength: 20, required: true });
    const form = make(
      "form",
      { class: "typed" },
      make("label", { class: "field" }, make("span", {}, label), input),
      make("button", { class: "button main", type: "submit" }, t("drill.answer")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (input.value.trim()) this.#say(input.value);
    });
    return [form, make("div", { class: "acts" }, this.#pass())];
  }

  #pass() {
    return make("button", { type: "button", class: "button", onclick: () => this.#say("") }, t("drill.pass"));
  }

  /** @param {string} key */
  #chosen(key) {
    if (this.#question?.form !== "order") {
      this.#say(key);
      return;
    }
    if (this.#order.includes(key)) return;
    this.#order.push(key);
    this.#number();
    if (this.#order.length === this.#question.choices.length) this.#say(this.#order.join(""));
  }

  /** @param {number} count */
  #back(count) {
    this.#order.splice(this.#order.length - count, count);
    this.#number();
  }

  #number() {
    for (const button of this.querySelectorAll("button.answer")) {
      const place = this.#order.indexOf(button.dataset.key ?? "");
      button.setAttribute("aria-pressed", String(place >= 0));
      within(button, ".place").textContent = place >= 0 ? String(place + 1) : "";
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (
      !this.#question ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      targetOf(event).closest("input, select, textarea")
    )
      return;
    if (KEYS_OF_A_BUTTON.has(event.key)) return;
    if (event.key === "Backspace" && this.#order.length) this.#back(1);
    else if (this.#question.choices.some(({ key }) => key === event.key.toLowerCase()))
      this.#chosen(event.key.toLowerCase());
    else return;
    event.preventDefault();
  }
}
customElements.define("drill-answer", DrillAnswer);
