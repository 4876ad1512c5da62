// A table: it shows the server's view and what is due, and knows no rules of its own.
import { ask, commandId, sum } from "/page/js/house.js";
import { TableSocket } from "/page/js/table_socket.js";

const name = decodeURIComponent(location.pathname.split("/").pop());
const at = (id) => document.getElementById(id);
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
at("name").textContent = name;
document.title = `${name} · baccarat`;

await ask("POST", "/api/visit");
const { tables } = await ask("GET", "/api/tables");
const limits = tables.find((table) => table.table === name)?.limits ?? {};
const table = new TableSocket(name);
table.addEventListener("link", (event) => { at("link").textContent = event.detail; });
table.addEventListener("change", (event) => show(event.detail));

function button(text, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

async function doIt(command) {
  const said = await table.do(command);
  at("answer").textContent = said.type === "done" ? "" : `${said.say} ${(said.cites ?? []).join(", ")}`;
}

async function buyIn(amount) {
  try {
    await ask("POST", `/api/tables/${encodeURIComponent(name)}/chips`, { amount }, { "Idempotency-Key": commandId() });
    at("answer").textContent = "";
  } catch (error) {
    at("answer").textContent = error.message;
  }
}

// Between two rounds the cards of the last one stay in sight.
function showHands(state) {
  if (!state.round.player.length && !state.round.banker.length) return;
  showHand("player", state);
  showHand("banker", state);
}

function showHand(side, state) {
  const cards = state.round[side].map((position) => {
    const item = document.createElement("li"), card = state.round.turned[position];
    if (card) {
      item.textContent = (card.rank === "T" ? "10" : card.rank) + SUITS[card.suit];
      item.setAttribute("aria-label", `${card.rank === "T" ? "10" : card.rank} of ${SUIT_NAMES[card.suit]}`);
      item.classList.toggle("red", card.suit === "d" || card.suit === "h");
    } else {
      item.className = "down";
      item.setAttribute("aria-label", "face down");
    }
    return item;
  });
  at(side).replaceChildren(...cards);
}

let shownSeat = -1, shownStep = "";

function showActs(view) {
  const { state, seat } = view;
  if (shownSeat === seat && shownStep === state.step + JSON.stringify(state.seats.participants.map((held) => held.taken))) return;
  [shownSeat, shownStep] = [seat, state.step + JSON.stringify(state.seats.participants.map((held) => held.taken))];
  if (!seat) {
    const free = state.seats.participants.filter((held) => !held.taken);
    at("seats").replaceChildren(...free.map((held) => button(`Sit at seat ${held.seat}`, () => doIt({ do: "sit", seat: held.seat }))));
    at("acts").replaceChildren();
    return;
  }
  at("seats").replaceChildren(button("$1,000 of play money", () => buyIn(100000)));
  const stake = document.createElement("input");
  stake.id = "stake";
  stake.type = "number";
  stake.min = "1";
  stake.value = at("stake")?.value ?? "25";
  const label = document.createElement("label");
  label.append("Stake in dollars ", stake);
  const spots = Object.keys(limits).map((on) => {
    const made = button(on.replaceAll("_", " "), () => doIt({ do: "place_wager", seat, on, stake: Math.round(Number(stake.value) * 100) }));
    made.disabled = state.step !== "wager";
    made.title = `${sum(limits[on].min)} to ${sum(limits[on].max)}`;
    return made;
  });
  at("acts").replaceChildren(label, ...spots);
}

function show(events) {
  const view = table.view, { state, seat } = view;
  at("call").textContent = view.due.map((due) => due.say).find(Boolean) ?? `Step: ${state.step.replaceAll("_", " ")}`;
  showHands(state);
  const own = seat ? state.seats.participants[seat - 1] : null;
  at("purse").textContent = own ? `Seat ${seat}: ${sum(own.chips)} in chips` : "You are watching.";
  at("wagers").replaceChildren(...(state.round.wagers ?? []).map((wager) => {
    const item = document.createElement("li");
    item.textContent = `Seat ${wager.seat}: ${sum(wager.stake)} on ${wager.on.replaceAll("_", " ")}`;
    return item;
  }));
  showActs(view);
  for (const event of events) {
    const item = document.createElement("li");
    item.textContent = `${event.event.replaceAll("_", " ")} ${(event.cites ?? []).join(", ")}`;
    at("events").prepend(item);
  }
  while (at("events").children.length > 120) at("events").lastChild.remove();
}
