// The form of an act, made from what the house says of its fields; the answer is shown next to the act.
import { make } from "/page/js/dom.js";
import { ask, commandId, sum } from "/page/js/house.js";
import { shortId } from "/page/js/id_text.js";
import { secondWindow } from "/page/js/second_window.js";
import { named, t } from "/page/js/words.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { rolesText } from "/page/js/element/approval-card.js";
import "/page/js/element/answer-line.js";

export class HouseForm extends HTMLElement {
  answer = make("answer-line");
  body = make("div", { class: "fields" });
  id_ = "";
  /** @type {House.OpenAct} */
  act;
  /** @type {string[]} */
  tables = [];
  /** @type {Page.Control[]} */
  inputs = [];

  /**
   * Shows an act that is open; `values` fill its form, `tables` are those to choose from, if several.
   * @param {House.OpenAct} act
   * @param {{ values?: Record<string, any>, tables?: string[] }} [how]
   */
  show(act, { values = act.drafts[0] ?? {}, tables = [] } = {}) {
    [this.act, this.tables, this.id_] = [act, tables, commandId()];
    this.answer.show(null);
    this.form = make(
      "form",
      {
        onsubmit: (event) => this.submit(event),
        oninput: () => {
          this.id_ = commandId();
          this.answer.show(null);
        },
      },
      make("p", { class: "soft" }, act.say, " ", clauseTags(act.cites)),
      this.draftChoice(),
      this.body,
      this.answer,
      act.approvers.length
        ? make("p", { class: "quiet small" }, t("floor.second_approves", { roles: rolesText(act.approvers) }))
        : "",
      act.approvers.length ? secondWindow(act.approvers) : "",
      make(
        "div",
        { class: "do" },
        make("button", { class: "button main" }, t(act.approvers.length ? "floor.propose" : "floor.do_it")),
        make("button", { class: "button", type: "button", onclick: () => this.tell("closed") }, t("floor.cancel")),
      ),
    );
    this.fillIn(values);
    this.replaceChildren(this.form);
  }

  draftChoice() {
    const { drafts } = this.act;
    if (drafts.length < 2) return "";
    /** @type {HTMLSelectElement} */
    const choice = make(
      "select",
      { onchange: () => this.fillIn(drafts[choice.selectedIndex]) },
      drafts.map((draft, index) => new Option(draftText(draft), String(index))),
    );
    return make("label", { class: "field" }, t("floor.which"), choice);
  }

  /** @param {Record<string, any>} values */
  fillIn(values) {
    this.inputs = this.act.fields.map((field) => inputOf(field, values[field.name], this.tables));
    this.body.replaceChildren(...this.inputs.map(({ element }) => element));
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    const { act } = this;
    /** @type {Record<string, unknown>} */
    const command = { do: act.act };
    for (const { field, read } of this.inputs) {
      const value = read();
      if (value !== undefined) command[field.name] = value;
    }
    const headers = { "Idempotency-Key": this.id_ };
    try {
      const done = act.approvers.length
        ? await ask("POST", "/api/proposals", { stream: act.stream, command }, headers)
        : await ask("POST", addressOf(act.stream), command, headers);
      this.tell("done", { act, proposal: act.approvers.length ? done : null });
    } catch (error) {
      this.id_ = commandId();
      this.answer.show(error);
    }
  }

  /**
   * @param {string} type
   * @param {unknown} [detail]
   */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }
}
customElements.define("house-form", HouseForm);

/**
 * The address to which an act in a stream is sent.
 * @param {string} stream
 * @returns {`/api/tables/${string}/acts` | `/api/books/${string}/acts`}
 */
export function addressOf(stream) {
  const [kind, ...name] = stream.split(" ");
  return kind === "table"
    ? `/api/tables/${encodeURIComponent(name.join(" "))}/acts`
    : `/api/books/${encodeURIComponent(stream)}/acts`;
}

/** @param {Record<string, any>} draft */
const draftText = (draft) =>
  [
    draft.seat && t("floor.seat", { seat: draft.seat }),
    draft.booked && t("floor.form", { serial: draft.booked.serial }),
    draft.person && shortId(draft.person),
  ]
    .filter(Boolean)
    .join(" · ");

// ------------------------------------------------------------------------------------------------- fields

/**
 * @param {House.FieldShown} field
 * @param {HTMLElement} input
 */
const labelled = (field, input) =>
  make(
    "label",
    { class: "field" },
    make("span", {}, named("field", field.name), " ", make("span", { class: "quiet" }, field.say)),
    input,
  );

/**
 * @param {House.FieldShown} field
 * @param {any} value
 * @param {Page.Attributes} attributes
 * @param {(text: string) => unknown} read
 * @returns {Page.Control}
 */
function plain(field, value, attributes, read) {
  const input = make("input", { name: field.name, required: field.required, maxlength: field.longest, ...attributes });
  if (value !== undefined && value !== null) input.value = value;
  return { field, element: labelled(field, input), read: () => read(input.value.trim()) };
}

/**
 * @param {(text: string) => unknown} read
 * @returns {(text: string) => unknown}
 */
const orNothing = (read) => (text) => (text === "" ? undefined : read(text));
/** @param {string} text */
const dollars = (text) =>
  `${text.startsWith("-") || text.startsWith("−") ? "-" : ""}$${text.replace(/^[-−]/, "").replace("$", "")}`;

/**
 * @param {House.FieldShown} field
 * @param {any} value
 * @returns {Page.Control}
 */
function choice(field, value) {
  const choices = field.choices ?? [];
  const input = make(
    "select",
    { name: field.name, required: field.required },
    choices.length > 1 && value === undefined ? new Option("", "") : null,
    choices.map((each, index) => new Option(choiceText(field, each.value), String(index), false, each.value === value)),
  );
  return {
    field,
    element: labelled(field, input),
    read: () => (input.value === "" ? undefined : choices[Number(input.value)].value),
  };
}

/**
 * @param {House.FieldShown} field
 * @param {any} value
 */
const choiceText = (field, value) =>
  field.kind === "seat"
    ? value === 0
      ? t("floor.dealer")
      : t("floor.seat", { seat: value })
    : field.kind === "wager"
      ? named("table.wager", value)
      : String(value);

/**
 * @param {House.FieldShown} field
 * @param {{ chips?: Record<string, number> } | undefined} value
 * @returns {Page.Control}
 */
function countSheet(field, value) {
  const held = value?.chips ?? {};
  const total = make("output", {}, sum(0));
  /** @type {[worth: number, input: HTMLInputElement][]} */
  const rows = (field.choices ?? []).map(({ value: worth }) => {
    const input = make("input", {
      type: "number",
      min: 0,
      max: 1000000,
      inputmode: "numeric",
      "aria-label": t("floor.chips_of", { worth: sum(worth) }),
    });
    if (held[worth]) input.value = String(held[worth]);
    return [worth, input];
  });
  const chips = () =>
    Object.fromEntries(
      rows.filter(([, input]) => Number(input.value) > 0).map(([worth, input]) => [worth, Number(input.value)]),
    );
  const count = () => {
    total.textContent = sum(Object.entries(chips()).reduce((all, [worth, many]) => all + Number(worth) * many, 0));
  };
  const sheet = make(
    "div",
    { class: "count-sheet", oninput: count },
    rows.map(([worth, input]) => make("label", {}, make("span", {}, sum(worth, { short: true })), input)),
    make("p", {}, t("floor.total"), " ", total),
  );
  count();
  return {
    field,
    element: make(
      "fieldset",
      { class: "field" },
      make("legend", {}, named("field", field.name), " ", make("span", { class: "quiet" }, field.say)),
      sheet,
    ),
    read: () => ({ chips: chips() }),
  };
}

/**
 * @param {House.FieldShown} field
 * @param {Record<string, any> | undefined} value
 * @param {string[]} tables
 * @returns {Page.Control}
 */
function group(field, value, tables) {
  const inputs = (field.fields ?? []).map((each) => inputOf(each, value?.[each.name], tables));
  const read = () =>
    Object.fromEntries(inputs.map((each) => [each.field.name, each.read()]).filter(([, found]) => found !== undefined));
  return {
    field,
    element: make(
      "fieldset",
      { class: "group" },
      make("legend", {}, field.say),
      inputs.map(({ element }) => element),
    ),
    read,
  };
}

/**
 * @param {House.FieldShown} field
 * @param {string[] | undefined} value
 * @param {string[]} tables
 * @returns {Page.Control}
 */
function several(field, value, tables) {
  /** @type {[table: string, box: HTMLInputElement][]} */
  const boxes = tables.map((table) => [
    table,
    make("input", { type: "checkbox", checked: (value ?? []).includes(table) }),
  ]);
  const read = () => boxes.filter(([, box]) => box.checked).map(([table]) => table);
  return {
    field,
    element: make(
      "fieldset",
      { class: "group" },
      make("legend", {}, field.say),
      boxes.map(([table, box]) => make("label", { class: "check" }, box, table)),
    ),
    read,
  };
}

/**
 * A value as data: a number, true or false, otherwise a text.
 * @param {string} text
 */
function anything(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Numbers such as "3, 7–9".
 * @param {string} text
 */
function numbers(text) {
  return text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean)
    .flatMap((each) => {
      const [first, last = first] = each.split(/[-–]/).map(Number);
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
    });
}

/** @param {number[]} found */
function ranges(found) {
  /** @type {[first: number, last: number][]} */
  const parts = [];
  for (const number of found) {
    const last = parts.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else parts.push([number, number]);
  }
  return parts.map(([first, last]) => (first === last ? first : `${first}–${last}`)).join(", ");
}

/**
 * The control of a field: its element, and how its value is read.
 * @param {House.FieldShown} field
 * @param {any} value
 * @param {string[]} [tables]
 * @returns {Page.Control}
 */
function inputOf(field, value, tables = []) {
  const given = value ?? (field.required ? undefined : field.default) ?? undefined;
  if (field.kind === "chips") return countSheet(field, given);
  if (field.choices) return choice(field, given);
  switch (field.kind) {
    case "group":
      return group(field, given, tables);
    case "tables":
      return several(field, given, tables);
    case "flag": {
      const box = make("input", { type: "checkbox", checked: Boolean(given) });
      return { field, element: make("label", { class: "check" }, box, field.say), read: () => box.checked };
    }
    case "sum":
    case "micro":
      return plain(
        field,
        given === undefined ? undefined : given / (field.kind === "sum" ? 100 : 1e8),
        { inputmode: "decimal", placeholder: "0.00" },
        orNothing(dollars),
      );
    case "number":
    case "position":
    case "seat":
      return plain(field, given, { type: "number", min: field.least, max: field.most }, orNothing(Number));
    case "serials":
      return plain(field, given ? ranges(given) : "", { maxlength: null }, numbers);
    case "keys":
      return plain({ ...field, required: false }, given?.join(" "), { maxlength: null }, (text) =>
        text.trim() || field.required ? text.split(/\s+/).filter(Boolean).sort() : undefined,
      );
    case "remark": {
      const input = make("textarea", { name: field.name, required: field.required, maxlength: field.longest, rows: 2 });
      if (given) input.value = given;
      return { field, element: labelled(field, input), read: () => input.value };
    }
    case "any":
      return plain(
        field,
        given === undefined || typeof given === "string" ? given : JSON.stringify(given),
        {},
        orNothing(anything),
      );
    case "moment":
      return plain(
        { ...field, required: false },
        undefined,
        { type: "datetime-local" },
        orNothing((text) => Math.floor(new Date(text).getTime() / 1000)),
      );
    case "options":
      return { field, element: "", read: () => given };
    default:
      return plain(field, given, {}, orNothing(String));
  }
}
