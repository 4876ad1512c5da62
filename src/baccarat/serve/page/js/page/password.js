// Setting a password by a link that works once.
import { at } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { shell } from "/page/js/shell.js";
import { t } from "/page/js/words.js";

const link = decodeURIComponent(location.hash.slice(1));
history.replaceState(null, "", location.pathname); // the link is a secret: it does not stay in the address
await shell({ page: "password" });

at("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { password, again } = Object.fromEntries(new FormData(at("form")));
  if (password !== again) {
    at("answer").show({ say: t("office.password_differs") });
    at("form").elements.again.focus();
    return;
  }
  try {
    await ask("POST", "/api/password", { link, password });
    location.assign("/sign-on");
  } catch (error) {
    at("answer").show(error);
  }
});
