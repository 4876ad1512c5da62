// The entry form of an act, made from the fields that the server names; it knows what is still missing.
import { make, within } from "/page/js/dom.js";
import "/page/js/element/card-pad.js";
import { named, t, textIfAny } from "/page/js/words.js";

/** @param {House.InputField} field */
const label = (field) => named("dealer.field", field.name);

export class EntryForm extends HTMLElement {
  /** @type {House.InputField[]} */
  fields = [];
  /** @type {Record<string, any>} */
  values = {};
  /** @type {(field: House.InputField, value: unknown) => string} */
  names = (_field, value) => String(value);

  /**
   * Shows fields; `names` has the texts of choices.
   * @param {House.InputField[]} fields
   * @param {{ names?: (field: House.InputField, value: unknown) => string }} [how]
   */
  ask(fields, { names = (_field, value) => String(value) } = {}) {
    this.fields = fields;
    this.names = names;
    this.values = Object.fromEntries(fields.map((field) => [field.name, field.value ?? null]));
    this.replaceChildren(...fields.map((field) => this.made(field)));
    this.leaveOut();
  }

  /**
   * The control of a field, by its kind.
   * @param {House.InputField} field
   */
  made(field) {
    const kind = /** @type {"text" | "number" | "sum" | "flag" | "choice" | "series" | "card"} */ (field.kind);
    return this[kind](field);
  }

  /** What was entered; a sum is in cents. Empty fields are left out. */
  get entered() {
    /** @type {Record<string, any>} */
    const found = {};
    for (const field of this.fields) {
      const value = this.values[field.name];
      if (!this.isLeftOut(field) && value !== null && value !== "") found[field.name] = value;
    }
    return found;
  }

  /** The first required field that is empty, if any. */
  get missing() {
    return (
      this.fields.find(
        (field) =>
          !field.is_optional &&
          !this.isLeftOut(field) &&
          (this.values[field.name] === null || this.values[field.name] === ""),
      ) ?? null
    );
  }

  get isComplete() {
    return this.missing === null;
  }

  /** Goes to the first required field that is empty, and says which it is; nothing if there is none. */
  pointOut() {
    const { missing } = this;
    if (missing === null) return null;
    this.querySelector(`[data-field="${missing.name}"] :is(input, button)`)?.focus();
    return { say: t("dealer.still_missing", { field: label(missing) }) };
  }

  get pad() {
    return this.querySelector("card-pad");
  }

  /**
   * Sets a value for a field, from any source.
   * @param {string} name
   * @param {any} value
   */
  set(name, value) {
    this.values[name] = value;
    if (this.fields.find((field) => field.name === name)?.kind === "card") this.showCard(value);
    this.leaveOut();
    this.dispatchEvent(new CustomEvent("entered", { bubbles: true }));
  }

  /** @param {House.InputField} field */
  isLeftOut(field) {
    return this.fields.some((other) => other.leaves_out === field.name && this.values[other.name]);
  }

  leaveOut() {
    for (const field of this.fields) within(this, `[data-field="${field.name}"]`).hidden = this.isLeftOut(field);
  }

  /**
   * @param {House.InputField} field
   * @param {Page.Children} children
   */
  box(field, ...children) {
    return make("div", { class: `field is-${field.kind}`, "data-field": field.name }, ...children);
  }

  /**
   * @param {House.InputField} field
   * @param {Page.Attributes} attributes
   * @param {(input: HTMLInputElement) => unknown} read
   */
  input(field, attributes, read) {
    const input = make("input", {
      ...attributes,
      "aria-label": label(field),
      value: field.value === null ? null : String(field.value),
    });
    input.addEventListener("input", () => this.set(field.name, input.value === "" ? null : read(input)));
    return this.box(field, make("span", {}, label(field)), input);
  }

  /** @param {House.InputField} field */
  text(field) {
    return this.input(
      field,
      { type: "text", maxlength: 200, autocomplete: "off", placeholder: textIfAny(`dealer.example.${field.name}`) },
      (input) => input.value,
    );
  }

  /** @param {House.InputField} field */
  number(field) {
    const made = this.input(
      field,
      { type: "number", min: field.least, max: field.most, step: 1, inputmode: "numeric" },
      (input) => Math.round(Number(input.value)),
    );
    if (field.least !== null)
      made.append(make("small", { class: "quiet" }, t("dealer.from_to", { least: field.least, most: field.most })));
    return made;
  }

  /** @param {House.InputField} field */
  sum(field) {
    return this.input(field, { type: "number", step: "0.01", inputmode: "decimal" }, (input) =>
      Math.round(Number(input.value) * 100),
    );
  }

  /** @param {House.InputField} field */
  flag(field) {
    const input = make("input", { type: "checkbox" });
    input.checked = Boolean(field.value);
    input.addEventListener("change", () => this.set(field.name, input.checked));
    return this.box(field, make("label", {}, input, " ", label(field)));
  }

  /** @param {House.InputField} field */
  choice(field) {
    const values = field.is_optional ? [...field.choices, null] : field.choices;
    const buttons = values.map((value) =>
      make(
        "button",
        {
          type: "button",
          "aria-pressed": String(value === (field.value ?? null)),
          onclick: () => {
            buttons.forEach((each, index) => each.setAttribute("aria-pressed", String(values[index] === value)));
            this.set(field.name, value);
          },
        },
        value === null ? t("dealer.none") : this.names(field, value),
      ),
    );
    return this.box(
      field,
      make("span", {}, label(field)),
      make("span", { class: "choice", role: "group", "aria-label": label(field) }, buttons),
    );
  }

  /** @param {House.InputField} field */
  series(field) {
    const done = make("ol", { class: "series" });
    const show = () =>
      done.replaceChildren(
        ...this.values[field.name].map((/** @type {string} */ step) => make("li", {}, named("dealer.element", step))),
      );
    /** @param {string[]} steps */
    const change = (steps) => {
      this.set(field.name, steps);
      show();
    };
    show();
    const add = field.choices.map((step) =>
      make(
        "button",
        { class: "button", type: "button", onclick: () => change([...this.values[field.name], step]) },
        `+ ${named("dealer.element", step)}`,
      ),
    );
    const back = make(
      "button",
      { class: "button", type: "button", onclick: () => change(this.values[field.name].slice(0, -1)) },
      t("dealer.take_back"),
    );
    return this.box(field, make("span", {}, label(field)), done, make("div", { class: "row" }, add, back));
  }

  /** @param {House.InputField} field */
  card(field) {
    const pad = make("card-pad", {});
    pad.addEventListener("key", (event) => this.set(field.name, event.detail));
    const unseen = field.is_optional
      ? make(
          "button",
          {
            type: "button",
            class: "button unseen-card",
            "aria-pressed": "true",
            onclick: () => this.set(field.name, null),
          },
          t("dealer.not_seen"),
        )
      : "";
    return this.box(
      field,
      make(
        "div",
        { class: "row" },
        make("span", {}, label(field)),
        unseen,
        make("small", { class: "quiet" }, t("dealer.type_a_card")),
      ),
      pad,
    );
  }

  /** @param {string | null} card */
  showCard(card) {
    this.pad?.choose(card);
    this.querySelector(".unseen-card")?.setAttribute("aria-pressed", String(card === null));
  }
}
customElements.define("entry-form", EntryForm);
