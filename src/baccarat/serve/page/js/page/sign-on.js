// Signing on in a role; or, by the link of a new house, making its first administrator.
import { ask } from "/page/js/house.js";

const ROLES = ["participant", "dealer", "floorperson", "casino supervisor", "pit boss", "pit clerk", "cage cashier",
  "administrator", "surveillance", "regulator"];
const form = document.querySelector("#form"), answer = document.querySelector("#answer");
const link = decodeURIComponent(location.hash.slice(1));
history.replaceState(null, "", location.pathname); // the link is a secret: it does not stay in the address

for (const role of ROLES) form.elements.role.append(new Option(role, role));
if (link) {
  document.querySelector("#title").textContent = "The first administrator";
  document.querySelector("#about").textContent = "Choose a name and a password of twelve characters or more.";
  document.querySelector("#roles").hidden = true;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, password, role } = Object.fromEntries(new FormData(form));
  try {
    if (link) await ask("POST", "/api/administrator", { link, name, password });
    await ask("POST", "/api/session", { name, password, role: link ? "administrator" : role });
    location.assign("/");
  } catch (error) {
    answer.textContent = error.message;
  }
});
