// The lobby: every table with what one has to know before sitting down.
import { ask, sum } from "/page/js/house.js";

const list = document.querySelector("#tables"), note = document.querySelector("#note");

function cardOf(table) {
  const item = document.createElement("li");
  const head = document.createElement("h2"), about = document.createElement("p"), seats = document.createElement("p");
  const link = document.createElement("a");
  head.textContent = table.table;
  about.textContent = table.title;
  const least = Math.min(...Object.values(table.limits).map((limit) => limit.min));
  seats.textContent = `${table.free.length} of ${table.seats} seats free · wagers from ${sum(least)}`;
  link.href = `/table/${encodeURIComponent(table.table)}`;
  link.textContent = "Go to the table";
  item.append(head, about, seats, link);
  return item;
}

/** In a practice house one is somebody at once; elsewhere people sign on. */
async function comeIn() {
  const about = document.querySelector("#about");
  try {
    await ask("POST", "/api/visit");
    about.textContent = "Play money. Pick a table and sit down.";
  } catch {
    const link = document.createElement("a");
    link.href = "/sign-on";
    link.textContent = "Sign on";
    about.replaceChildren(link);
  }
}

async function show() {
  try {
    await comeIn();
    const { tables } = await ask("GET", "/api/tables");
    list.replaceChildren(...tables.map(cardOf));
    note.textContent = "";
  } catch (error) {
    note.textContent = error.message;
  }
}

await show();
setInterval(show, 5000);
