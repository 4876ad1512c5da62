// Complimentary Vigorish Forms: every number and what became of it; forms are printed in as many parts as they have.
import { at, fill, make } from "/page/js/dom.js";
import { ask, sum } from "/page/js/house.js";
import { named, t } from "/page/js/words.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { streamActs } from "/page/js/floor/act-dialog.js";

/**
 * @param {string} key
 * @param {string} value
 */
const line = (key, value) =>
  make("div", {}, make("dt", {}, t(key)), make("dd", {}, value || make("span", { class: "blank" })));

/**
 * @param {House.FormPaper} form
 * @param {number} part
 */
function partOf(form, part) {
  return make(
    "article",
    { class: "paper" },
    make(
      "header",
      {},
      make("h2", {}, t("floor.form_title")),
      make("p", {}, t("floor.form_number", { serial: form.serial })),
    ),
    make(
      "p",
      {},
      t(part ? "floor.form_duplicate" : "floor.form_original"),
      " · ",
      form.edition,
      " ",
      clauseTags(form.cites, { plain: true }),
    ),
    make(
      "dl",
      {},
      line("floor.form_table", form.table),
      line("floor.form_amount", sum(form.amount)),
      line("floor.form_patron", form.patron),
      line(
        "floor.form_patron_signature",
        form.patron_signed
          ? t("floor.form_signed")
          : form.why_not_signed
            ? t("floor.form_not_signed", { why: form.why_not_signed, who: form.stated_by })
            : "",
      ),
      line("floor.form_dealer", form.dealer),
      line("floor.form_pit_boss", form.pit_boss),
      line("floor.form_pit_clerk", form.pit_clerk),
    ),
  );
}

/**
 * @param {number} serial
 * @param {Page.FloorPage} here
 */
async function printForm(serial, here) {
  try {
    const form = await ask("GET", `/api/forms/${serial}`);
    at("paper").replaceChildren(...Array.from({ length: Math.max(1, form.copies) }, (_, part) => partOf(form, part)));
    document.documentElement.dataset.print = "paper";
    print();
  } catch (error) {
    at("answer").show(error);
  } finally {
    delete document.documentElement.dataset.print;
    void here;
  }
}

/**
 * @param {House.FormShown} form
 * @param {Page.FloorPage} here
 */
function formRow(form, here) {
  const button =
    form.state === "used" && here.session.can.includes("print_form")
      ? make(
          "button",
          { type: "button", class: "button small", onclick: () => void printForm(form.serial, here) },
          t("floor.print"),
        )
      : null;
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, form.serial),
    make("td", {}, form.table),
    make("td", {}, named("form_state", form.state)),
    make("td", { class: "sum" }, form.amount ? sum(form.amount) : "–"),
    make("td", {}, t(form.forwarded ? "floor.yes" : "floor.no")),
    make("td", {}, button),
  );
}

/**
 * Shows the forms, with what the user may do about them.
 * @param {Page.FloorPage} here
 * @param {HTMLElement} view
 */
export async function showForms(here, view) {
  const [{ series, forms, blank }, ofForms, ofDay] = await Promise.all([
    ask("GET", "/api/forms"),
    streamActs("forms"),
    streamActs("day"),
  ]);
  const acts = [...ofForms, ...ofDay.filter((act) => act.group === "forms")];
  /** @type {[key: string, value: string | number][]} */
  const sums = [
    ["floor.forms_received", series.reduce((all, each) => all + each.last - each.first + 1, 0)],
    ["floor.forms_blank", blank],
    ["floor.forms_waived", sum(forms.reduce((all, each) => all + each.amount, 0))],
  ];
  view.className = "view";
  fill(view, JSON.stringify([series, forms, blank, acts]), () => [
    make(
      "dl",
      { class: "sums" },
      sums.map(([key, value]) => make("div", {}, make("dt", {}, t(key)), make("dd", {}, value))),
    ),
    make(
      "div",
      { class: "buttons", hidden: !acts.some((act) => act.open) },
      acts
        .filter((act) => act.open)
        .map((act) =>
          make(
            "button",
            { type: "button", class: "button", onclick: () => here.dialog.open(act) },
            named("act", act.act),
          ),
        ),
    ),
    make(
      "section",
      { class: "panel wide" },
      make(
        "table",
        {},
        make(
          "thead",
          {},
          make(
            "tr",
            {},
            ["floor.serial", "floor.table", "floor.form_state", "floor.amount", "floor.forwarded", "floor.acts"].map(
              (key) => make("th", { scope: "col", class: key === "floor.amount" ? "sum" : null }, t(key)),
            ),
          ),
        ),
        make(
          "tbody",
          {},
          forms.length
            ? forms.map((form) => formRow(form, here))
            : make("tr", {}, make("td", { colspan: 6, class: "quiet" }, t("floor.no_forms"))),
        ),
      ),
    ),
    make(
      "ul",
      { class: "series quiet" },
      series.map((each) => make("li", {}, t("floor.series", each))),
    ),
  ]);
}
