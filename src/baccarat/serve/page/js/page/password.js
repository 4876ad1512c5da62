// Setting a password by a link that works once.
import { at } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { shell } from "/page/js/shell.js";
import { t } from "/page/js/words.js";

const link = decodeURIComponent(location.hash.slice(1));
history.replaceState(null, "", location.pathname); // the link is a secret: it does not stay in the address
await shell({ page: "password" });

const form = /** @type {HTMLFormElement} */ (at("form")),
  typed = (/** @type {unknown} */ field) => /** @type {HTMLInputElement} */ (field);

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [password, again] = ["password", "again"].map((name) => form.elements.namedItem(name)).map(typed);
  if (password.value !== again.value) {
    at("answer").show({ say: t("office.password_differs") });
    again.focus();
    return;
  }
  try {
    await ask("POST", "/api/password", { link, password: password.value });
    location.assign("/sign-on");
  } catch (error) {
    at("answer").show(error);
  }
});
