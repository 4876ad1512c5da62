// Signing on in a role; or, by the link of a new house, making its first administrator.
import { at } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { shell } from "/page/js/shell.js";
import { named, t } from "/page/js/words.js";

const form = at("form"),
  link = decodeURIComponent(location.hash.slice(1));
history.replaceState(null, "", location.pathname); // the link is a secret: it does not stay in the address
const { sign_on_roles: roles } = await shell({ page: "sign-on" });

/**
 * A field of the form.
 * @param {string} name
 */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

for (const role of roles) field("role").append(new Option(named("role", role), role));
if (link) {
  at("title").textContent = t("sign_on.first");
  at("about").textContent = t("sign_on.choose");
  at("roles").hidden = true;
  at("twice").hidden = false;
  Object.assign(field("password"), { minLength: 12, autocomplete: "new-password" });
  field("again").required = true;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [name, password, role] = ["name", "password", "role"].map((each) => field(each).value);
  if (link && password !== field("again").value) {
    at("answer").show({ say: t("office.password_differs") });
    field("again").focus();
    return;
  }
  try {
    const made = link ? await ask("POST", "/api/administrator", { link, name, password }) : { role };
    await ask("POST", "/api/session", { name, password, role: /** @type {House.Role} */ (made.role) });
    location.assign("/");
  } catch (problem) {
    at("answer").show(problem);
  }
});
