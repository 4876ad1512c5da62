// What stands where the house does not answer: since when, that nobody is signed on any more, or that the console is locked.
import { make } from "/page/js/dom.js";
import { ask, Problem } from "/page/js/house.js";
import { t } from "/page/js/words.js";
import "/page/js/element/answer-line.js";

const NOBODY = 401, LOCKED = 423;

/** Whoever is signed on at a console that has locked gives the password, and goes on. */
function unlocking(again) {
  const said = make("answer-line"), password = make("input", { type: "password", name: "password", required: true, maxlength: 1000, autocomplete: "current-password" });
  const form = make("form", { class: "fields", onsubmit: async (event) => {
    event.preventDefault();
    try {
      await ask("POST", "/api/session/unlock", { password: password.value });
      dialog.remove();
      again();
    } catch (error) {
      said.show(error);
    }
  } }, make("p", {}, t("floor.locked_about")), make("label", { class: "field" }, t("floor.your_password"), password), said, make("div", { class: "do" }, make("button", { class: "button main" }, t("floor.unlock"))));
  const dialog = make("dialog", { class: "act-dialog", id: "locked", oncancel: (event) => event.preventDefault() }, make("h2", {}, t("floor.locked")), form);
  document.body.append(dialog);
  dialog.showModal();
}

let since = null;

/** Shows why the house was not heard, in the page's line of answers; null where it was. */
export function showLost(line, error, again) {
  if (error === null) {
    since = null;
    line.show(null);
  } else if (!(error instanceof Problem)) {
    since ??= new Date();
    line.show({ say: t("floor.lost", { time: since.toLocaleTimeString() }) });
  } else if (error.status === NOBODY) location.assign("/sign-on");
  else if (error.status === LOCKED) {
    if (!document.getElementById("locked")) unlocking(again);
  } else line.show(error);
}
