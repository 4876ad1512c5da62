// The bar on top of every page: where one can go, who one is, the theme; and coming in to the house.
import { at, make } from "/page/js/dom.js";
import { ask, sum } from "/page/js/house.js";
import { chooseDeck, draw } from "/page/js/picture.js";
import { chooseLanguage, fillWords, language, LANGUAGES, named, t } from "/page/js/words.js";
import "/page/js/element/answer-line.js";
import "/page/js/element/clause-tag.js";

const PAGES = {
  lobby: "/", dealer: "/dealer", drill: "/drill", floor: "/floor", watch: "/watch", office: "/office", rules: "/rules", odds: "/odds",
};

/**
 * Who one is in this house: {title, practice, who, role, table, roles, pages}. In a practice house a newcomer is
 * somebody at once; elsewhere one is nobody until one signs on.
 */
async function comeIn() {
  const house = await ask("GET", "/api/welcome");
  if (house.who || !house.practice) return house;
  await ask("POST", "/api/visit");
  return ask("GET", "/api/welcome");
}

function changeTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

const stroked = (d, fill) => draw("path", { d, fill, stroke: "currentColor", "stroke-width": 1.8, "stroke-linejoin": "round" });

function iconButton(label, onclick, ...shapes) {
  const button = make("button", { class: "icon", type: "button", "aria-label": label, title: label, onclick });
  button.append(draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, shapes));
  return button;
}

const themeButton = () => iconButton(t("bar.theme"), changeTheme, stroked("M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16z", "none"), stroked("M12 4a8 8 0 0 0 0 16z", "currentColor"));

/** Diamonds and clubs get colours of their own, or not; on every page with cards. */
const suitsButton = () => iconButton(t("bar.suits"), () => chooseDeck(document.documentElement.dataset.suits === "four" ? 2 : 4), stroked("M12 3l6 9-6 9-6-9z", "none"), stroked("M12 3l6 9-6 9z", "currentColor"));

/** Where each role that works has its own page, the first that is of use to it. */
const WORKPLACES = ["floor", "watch", "dealer"];

/** The console of a table, for whoever may work there; "" for everybody else. */
export function consoleOf(session, table) {
  const isOwn = session.pages.includes("dealer") && (!session.table || session.table === table);
  return isOwn ? `${PAGES.dealer}/${encodeURIComponent(table)}` : "";
}

/** What is left behind in another role: every seat one has, also one that another tab shows; "" where one has none. */
async function leftBehind({ role }) {
  if (role !== "participant") return "";
  const { tables } = await ask("GET", "/api/tables");
  const seen = await Promise.all(tables.map(({ table }) => ask("GET", `/api/tables/${encodeURIComponent(table)}/view`)));
  const words = seen.filter(({ seat }) => seat).map(({ table, seat, view }) => t("bar.leaves_seat", { seat, table, sum: sum(view.state.seats.participants[seat - 1].chips ?? 0) }));
  return words.length ? [...words, t("bar.as_another")].join(" ") : "";
}

let isBetween = false;

/** Whether one has left in one role and is about to come in in another: then nobody is signed on, and that is no fault. */
export const isBetweenRoles = () => isBetween;

/** Comes in anew in a role: to its own page from the lobby and its tables, and from a page that is of no use to it. */
async function comeInAs(role, page) {
  isBetween = true;
  await ask("DELETE", "/api/session");
  await ask("POST", "/api/visit", { role });
  const { pages } = await ask("GET", "/api/welcome");
  const workplace = WORKPLACES.find((each) => pages.includes(each)), isOfUse = pages.includes(page);
  if (workplace && (page === "lobby" || !isOfUse)) location.assign(PAGES[workplace]);
  else if (isOfUse) location.reload();
  else location.assign(PAGES.lobby);
}

/** Asks once more, in a window of the page; whether to go on. */
function isMeant(words) {
  return new Promise((answered) => {
    const close = (isYes) => () => { window_.close(); window_.remove(); answered(isYes); };
    const window_ = make("dialog", { class: "ask", "aria-label": t("bar.role"), oncancel: close(false) }, make("p", {}, words),
      make("div", { class: "acts" }, make("button", { type: "button", class: "button", onclick: close(false) }, t("bar.stay")), make("button", { type: "button", class: "button main", onclick: close(true) }, t("bar.go_on"))));
    document.body.append(window_);
    window_.showModal();
  });
}

/** In a practice house everybody may look at the house in any role. */
function roleChoice(session, page) {
  if (!session.practice || session.roles.length < 2) return session.role ? make("span", {}, named("role", session.role)) : null;
  const choice = make("select", { id: "role", "aria-label": t("bar.role") }, session.roles.map((role) => new Option(named("role", role), role, false, role === session.role)));
  choice.addEventListener("change", async () => {
    const words = await leftBehind(session);
    if (words && !await isMeant(words)) {
      choice.value = session.role;
      return;
    }
    await comeInAs(choice.value, page);
  });
  return choice;
}

function signing(session) {
  if (session.practice) return null;
  if (!session.who) return make("a", { class: "button main", href: "/sign-on" }, t("bar.sign_on"));
  const leave = async () => {
    await ask("DELETE", "/api/session");
    location.assign("/sign-on");
  };
  return make("button", { class: "button", type: "button", onclick: leave }, t("bar.sign_off"));
}

function languageChoice() {
  const choice = make("select", { id: "language", "aria-label": t("bar.language") }, Object.entries(LANGUAGES).map(([code, name]) => new Option(name, code, false, code === language)));
  choice.addEventListener("change", () => chooseLanguage(choice.value));
  return choice;
}

/** Draws the bar of a page and fills its texts; who one is. `beside` are elements of the page's own in the bar; `cards`: it shows some. */
export async function shell({ page, beside = [], cards = false }) {
  const session = await comeIn();
  fillWords();
  const links = session.pages.map((name) => make("a", { href: PAGES[name], "aria-current": name === page ? "page" : null }, t(`bar.${name}`)));
  document.querySelector(".bar").replaceChildren(
    make("a", { class: "mark", href: "/", "aria-label": t("bar.to_lobby") }, make("img", { src: "/page/icon.svg", alt: "" }), make("span", {}, "baccarat")),
    make("nav", { "aria-label": t("bar.pages") }, links),
    make("div", { class: "about" }, make("span", { id: "beside" }, beside), roleChoice(session, page), signing(session), languageChoice(), cards ? suitsButton() : null, themeButton()),
  );
  const nav = document.querySelector(".bar nav"), current = nav.querySelector("[aria-current]");
  if (current) nav.scrollLeft = current.offsetLeft - nav.offsetLeft - nav.clientWidth / 2 + current.clientWidth / 2; // on a phone there are more than it shows
  document.body.prepend(make("a", { class: "skip", href: "#content" }, t("bar.skip")));
  return session;
}

/** What stands in the bar beside the person, such as the table's name; a page may change it. */
export const beside = (...children) => at("beside").replaceChildren(...children);

/** In place of a page: why there is none, and the way to the lobby. Nothing of the page is done after it. */
export function turnAway(problem) {
  at("content").replaceChildren(make("section", { class: "panel nothing", role: "alert" }, make("h1", {}, t("nothing.title")), make("p", {}, problem.message), make("a", { class: "button main", href: "/" }, t("nothing.to_lobby"))));
  at("content").className = "";
  document.body.classList.remove("at-table");
  return new Promise(() => {}); // whoever waits for what is not there waits for ever
}
