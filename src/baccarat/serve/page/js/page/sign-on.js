// Signing on in a role; or, by the link of a new house, making its first administrator.
import { at } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { shell } from "/page/js/shell.js";
import { named, t } from "/page/js/words.js";

const form = at("form"),
  link = decodeURIComponent(location.hash.slice(1));
history.replaceState(null, "", location.pathname); // the link is a secret: it does not stay in the address
const { sign_on_roles: roles } = await shell({ page: "sign-on" });

for (const role of roles) form.elements.role.append(new Option(named("role", role), role));
if (link) {
  at("title").textContent = t("sign_on.first");
  at("about").textContent = t("sign_on.choose");
  at("roles").hidden = true;
  at("twice").hidden = false;
  Object.assign(form.elements.password, { minLength: 12, autocomplete: "new-password" });
  form.elements.again.required = true;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, password, again, role } = Object.fromEntries(new FormData(form));
  if (link && password !== again) {
    at("answer").show({ say: t("office.password_differs") });
    form.elements.again.focus();
    return;
  }
  try {
    const made = link ? await ask("POST", "/api/administrator", { link, name, password }) : { role };
    await ask("POST", "/api/session", { name, password, role: made.role });
    location.assign("/");
  } catch (problem) {
    at("answer").show(problem);
  }
});
