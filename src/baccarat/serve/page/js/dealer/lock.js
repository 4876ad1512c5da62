// A console that nobody used for a while is locked: whoever is signed on gives the password.
import { make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { t } from "/page/js/words.js";

export function lockedForm(desk) {
  const form = make("form", { class: "notice step-up" }, make("p", {}, t("dealer.locked")),
    make("label", { class: "field" }, t("dealer.second_password"), make("input", { name: "password", type: "password", required: true, maxlength: 1000, autocomplete: "current-password" })),
    make("button", { class: "button main" }, t("dealer.unlock")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { password } = Object.fromEntries(new FormData(form));
    form.reset();
    await desk.tried(() => ask("POST", "/api/session/unlock", { password }));
    await desk.refresh();
  });
  return form;
}
