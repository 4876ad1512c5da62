// A console that nobody used for a while is locked: the person who is signed on gives the password.
import { at, make, within } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { t } from "/page/js/words.js";

/**
 * What cannot be used while the console is locked.
 * @type {("act" | "work" | "others")[]}
 */
const PARTS = ["act", "work", "others"];

/**
 * Locks the page, or unlocks it.
 * @param {Page.Desk} desk
 * @param {boolean} isLocked
 */
export function lock(desk, isLocked) {
  for (const part of PARTS) at(part).inert = isLocked;
  if (!isLocked) at("locked").replaceChildren();
  else if (!at("locked").childElementCount) {
    at("locked").replaceChildren(lockedForm(desk));
    within(at("locked"), "input").focus();
  }
}

/** @param {Page.Desk} desk */
function lockedForm(desk) {
  const form = make(
    "form",
    { class: "notice step-up" },
    make("p", {}, t("dealer.locked")),
    make(
      "label",
      { class: "field" },
      t("dealer.second_password"),
      make("input", {
        name: "password",
        type: "password",
        required: true,
        maxlength: 1000,
        autocomplete: "current-password",
      }),
    ),
    make("button", { class: "button main" }, t("dealer.unlock")),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const password = String(new FormData(form).get("password"));
    form.reset();
    if (!(await desk.tried(() => ask("POST", "/api/session/unlock", { password })))) return;
    for (const each of [desk.table, desk.line]) each.retry();
    lock(desk, false);
  });
  return form;
}
