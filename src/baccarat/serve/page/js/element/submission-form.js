// A Submission as a form: every option of its edition with what is allowed and its clause; the input is only
// collected here, and the house says what is wrong with it.
import { make } from "/page/js/dom.js";
import { sum } from "/page/js/house.js";
import { language, lawText, listed, named, t, textIfAny } from "/page/js/words.js";
import { clauseTags } from "/page/js/element/clause-tag.js";

const PARTS = ["play", "procedure", "layout", "equipment"];

/**
 * A value of an option, for people.
 * @param {unknown} value
 * @returns {string}
 */
export function shownValue(value) {
  if (value === null || value === undefined) return t("office.not_stated");
  if (value === true || value === false) return t(value ? "office.yes" : "office.no");
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([key, each]) => `${choiceText(key)} ${typeof each === "object" ? `(${shownValue(each)})` : each}`)
      .join(", ");
  return choiceText(String(value));
}

/**
 * A choice by its name.
 * @param {string} name
 */
const choiceText = (name) =>
  textIfAny(`choice.${name}`) ||
  (language === "en" ? "" : textIfAny(`table.wager.${name}`)) ||
  name.replaceAll("_", " ");

/**
 * What an option may be, as the house says it in English: a choice, a floor and a ceiling, or a form.
 * @param {string} allowed
 */
function allowedText(allowed) {
  const [, choices] = /^one of (.*)$/.exec(allowed) ?? [],
    [, least, most] = /^at least (\d+(?: to \d+)?)(?: and at most (\d+))?$/.exec(allowed) ?? [];
  if (language === "en") return allowed;
  if (choices) return t("said.one_of", { choices: listed(choices.split(", ").map(choiceText)) });
  if (least) return most ? t("said.least_most", { least, most }) : t("said.at_least", { least });
  return lawText(allowed).text;
}

export class SubmissionForm extends HTMLElement {
  /** @type {House.FiledWager[]} */
  wagers = [];
  /** @type {Page.Draft} */
  draft = {};
  /** @type {Page.Draft} */
  inForce = {};
  /**
   * The parts of every option's line, by its key.
   * @typedef {{ row: HTMLElement, fault: HTMLElement, held: HTMLElement, control: HTMLElement }} Parts
   * @type {Map<string, Parts & { option: House.OptionShown }>}
   */
  rows = new Map();

  /**
   * Shows the options of an edition; typing changes `draft` and sends a `change` event.
   * @param {House.EditionOptions} edition
   * @param {Page.Draft} draft
   * @param {Page.Draft} inForce
   */
  show({ options, wagers }, draft, inForce) {
    [this.wagers, this.draft, this.inForce] = [wagers, draft, inForce];
    this.rows.clear();
    this.replaceChildren(
      ...PARTS.flatMap((part) => {
        const rows = options.filter((option) => option.part === part).map((option) => this.row(option));
        if (!rows.length) return [];
        const title = make("h2", {}, t(`office.part_${part}`));
        return [make("section", { class: "options" }, title, make("div", { class: "panel" }, rows))];
      }),
    );
  }

  /** @param {House.OptionShown} option */
  row(option) {
    const fault = make("p", { class: "fault", id: `fault-${option.key}` }),
      held = make("span", { class: "held" }),
      label = `label-${option.key}`;
    const control = make("div", {
      class: "control",
      role: "group",
      "aria-labelledby": label,
      "aria-describedby": fault.id,
    });
    const row = make(
      "div",
      { class: `option of-${option.kind}`, id: `option-${option.key}` },
      make("span", { class: "says", id: label, lang: lawText(option.say).lang }, lawText(option.say).text),
      control,
      make(
        "div",
        { class: "law" },
        make("code", { class: "quiet" }, option.key),
        option.sort === "may"
          ? null
          : make("span", { class: "quiet" }, option.sort === "fixed" ? t("office.fixed") : allowedText(option.allowed)),
        clauseTags(option.cites),
        held,
      ),
      fault,
    );
    this.rows.set(option.key, { row, fault, held, control, option });
    this.fillControl(option, control);
    return row;
  }

  /**
   * @param {House.OptionShown} option
   * @param {HTMLElement} control
   */
  fillControl(option, control) {
    const draw = DRAW[option.sort === "fixed" ? "fixed" : option.kind];
    control.replaceChildren(
      ...[draw(option, this.draft[option.key], (value) => this.set(option.key, value), this)].flat(),
    );
  }

  /**
   * @param {string} key
   * @param {unknown} value
   */
  set(key, value) {
    if (value === undefined || value === null || value === "") delete this.draft[key];
    else this.draft[key] = value;
    this.dispatchEvent(new CustomEvent("change", { bubbles: true }));
  }

  /**
   * Shows only the options that have some words in their text, their key or their clauses.
   * @param {string} words
   */
  find(words) {
    const wanted = words.trim().toLowerCase();
    for (const { row, option } of this.rows.values())
      row.hidden = !`${lawText(option.say).text} ${option.say} ${option.key} ${option.cites.join(" ")}`
        .toLowerCase()
        .includes(wanted);
    for (const section of this.querySelectorAll(".options"))
      section.hidden = !section.querySelector(".option:not([hidden])");
  }

  /**
   * Redraws an option's control, after its value was changed elsewhere.
   * @param {string} key
   */
  redraw(key) {
    const found = this.rows.get(key);
    if (found) this.fillControl(found.option, found.control);
  }

  /**
   * Shows what the house says of the draft: faults at their options, what differs, what does not apply.
   * @param {{ faults: House.FaultShown[], differences: House.OptionDifference[], noPlace: string[] }} answer
   */
  tell({ faults, differences, noPlace }) {
    const wrong = Map.groupBy(faults, (fault) => fault.option.split(".")[0]),
      differs = new Map(differences.map((each) => [each.option, each]));
    for (const [key, { row, fault, held }] of this.rows) {
      const found = wrong.get(key) ?? [];
      row.toggleAttribute("data-wrong", found.length > 0);
      row.toggleAttribute("data-differs", !found.length && differs.has(key));
      row.toggleAttribute("data-idle", !found.length && noPlace.includes(key) && !(key in this.draft));
      fault.replaceChildren(
        ...found.map((each) =>
          make(
            "span",
            {},
            `✕ ${each.option === key ? "" : `${each.option.slice(key.length + 1)}: `}${each.say}`,
            each.allowed ? t("office.allowed", { allowed: allowedText(each.allowed) }) : "",
          ),
        ),
      );
      const before = this.inForce[key];
      held.textContent = row.hasAttribute("data-idle")
        ? t("office.no_place")
        : JSON.stringify(before) !== JSON.stringify(this.draft[key])
          ? t("office.filed_now", { value: shownValue(before) })
          : "";
    }
  }
}
customElements.define("submission-form", SubmissionForm);

// ----------------------------------------------------------------------------------------------- controls

/**
 * @param {unknown[]} values
 * @param {unknown} value
 * @param {Page.SetValue} set
 * @param {string[]} texts
 */
function segments(values, value, set, texts) {
  const buttons = values.map((each, index) =>
    make(
      "button",
      {
        type: "button",
        "aria-pressed": String(JSON.stringify(each) === JSON.stringify(value)),
        onclick: () => {
          buttons.forEach((button, other) => button.setAttribute("aria-pressed", String(other === index)));
          set(each);
        },
      },
      texts[index],
    ),
  );
  return make("div", { class: "choice" }, buttons);
}

/**
 * @param {any} value
 * @param {Page.Attributes} attributes
 * @param {(text: string) => unknown} read
 * @param {Page.SetValue} set
 * @param {string} name
 */
function typed(value, attributes, read, set, name) {
  /** @type {HTMLInputElement} */
  const input = make("input", {
    class: "line",
    "aria-label": name,
    ...attributes,
    oninput: () => set(input.value.trim() === "" ? undefined : read(input.value.trim())),
  });
  input.value = value ?? "";
  return input;
}

/** @param {string} text */
const wholeOrText = (text) => (/^-?\d+$/.test(text) ? Number(text) : text);

/**
 * @param {House.OptionShown} option
 * @param {unknown} value
 * @param {Page.SetValue} set
 */
function choiceOf(option, value, set) {
  const values = option.must_be_stated ? option.choices : [...option.choices, null];
  const texts = values.map((each) =>
    each === null
      ? t(option.default === null ? "office.not_stated" : "office.usual", { value: shownValue(option.default) })
      : shownValue(each),
  );
  return segments(values, value ?? null, set, texts);
}

/**
 * @param {House.OptionShown} _option
 * @param {Record<string, any>} value
 * @param {Page.SetValue} set
 * @param {SubmissionForm} form
 */
function limitsOf(_option, value, set, form) {
  const limits = structuredClone(value ?? {});
  const names = form.wagers.filter((wager) => !wager.fixed_stake).map((wager) => wager.name);
  /**
   * @param {string} name
   * @param {string} key
   */
  const cell = (name, key) => {
    const held = limits[name]?.[key];
    return make(
      "td",
      {},
      typed(
        held === undefined
          ? ""
          : typeof held === "number"
            ? sum(held, { short: true }).slice(1).replaceAll(",", "")
            : held.replace("$", ""),
        { inputmode: "decimal" },
        (text) => `$${text.replace("$", "")}`,
        (given) => {
          limits[name] = { ...limits[name], [key]: given };
          if (given === undefined) delete limits[name][key];
          if (!Object.keys(limits[name]).length) delete limits[name];
          set(structuredClone(limits));
        },
        t("office.limit_of", { wager: named("table.wager", name), limit: t(`office.limit_${key}`) }),
      ),
    );
  };
  const keys = ["min", "max", "increment", "aggregate_payout"];
  return make(
    "div",
    { class: "wide" },
    make(
      "table",
      { class: "limits" },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("th", { scope: "col" }, t("office.wager")),
          keys.map((key) => make("th", { scope: "col" }, t(`office.limit_${key}`))),
        ),
      ),
      make(
        "tbody",
        {},
        names.map((name) =>
          make(
            "tr",
            {},
            make("th", { scope: "row" }, named("table.wager", name)),
            keys.map((key) => cell(name, key)),
          ),
        ),
      ),
    ),
  );
}

/**
 * A table of values, of any depth; stating it begins with the values of a shipped Submission.
 * @param {House.OptionShown} option
 * @param {any} value
 * @param {Page.SetValue} set
 * @param {SubmissionForm} form
 */
function tableOf(option, value, set, form) {
  if (value === undefined || value === null) {
    return [
      make("span", { class: "quiet" }, t("office.not_stated")),
      make(
        "button",
        {
          type: "button",
          class: "button small",
          onclick: () => {
            set(structuredClone(option.example ?? {}));
            form.redraw(option.key);
          },
        },
        t("office.state_it"),
      ),
    ];
  }
  const held = structuredClone(value);
  /**
   * @param {Record<string, any>} part
   * @param {string[]} path
   * @returns {HTMLElement[]}
   */
  const lines = (part, path) =>
    Object.entries(part).map(([key, each]) =>
      each !== null && typeof each === "object"
        ? make("fieldset", { class: "nested" }, make("legend", {}, choiceText(key)), lines(each, [...path, key]))
        : make(
            "label",
            { class: "nested-line" },
            make("span", {}, choiceText(key)),
            typed(
              each,
              {},
              wholeOrText,
              (given) => {
                const where = path.reduce((found, step) => found[step], held);
                where[key] = given ?? "";
                set(structuredClone(held));
              },
              `${option.key} ${[...path, key].join(" ")}`,
            ),
          ),
    );
  return [
    make("div", { class: "nested-table" }, lines(held, [])),
    make(
      "button",
      {
        type: "button",
        class: "button small",
        onclick: () => {
          set(undefined);
          form.redraw(option.key);
        },
      },
      t("office.leave_out"),
    ),
  ];
}

/** @type {Record<string, Page.DrawOption>} */
const DRAW = {
  fixed: (option) => make("strong", {}, shownValue(option.default)),
  flag: (_option, value, set) => segments([true, false], value ?? false, set, [t("office.yes"), t("office.no")]),
  choice: choiceOf,
  number: (option, value, set) =>
    typed(
      value,
      { type: "number", min: 0, inputmode: "numeric", class: "line number", placeholder: option.default ?? "" },
      wholeOrText,
      set,
      lawText(option.say).text,
    ),
  odds: (option, value, set) => [
    typed(value, { class: "line number" }, wholeOrText, set, lawText(option.say).text),
    make("span", {}, t("office.to_one")),
  ],
  text: (option, value, set) => typed(value, {}, String, set, lawText(option.say).text),
  list: (option, value, set) =>
    typed(
      (value ?? []).join(", "),
      {},
      (text) => text.split(",").map((each) => each.trim()),
      set,
      lawText(option.say).text,
    ),
  part: (option, value, set) =>
    typed(
      value ? value.join("/") : "",
      { class: "line number", placeholder: (option.default ?? []).join("/") },
      (text) => text.split("/").map((each) => Number(each)),
      set,
      lawText(option.say).text,
    ),
  limits: limitsOf,
  table: tableOf,
};
