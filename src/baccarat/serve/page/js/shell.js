// The bar on top of every page: pages, person, role and theme; and entering the house.
import { at, make, within } from "/page/js/dom.js";
import { ask, askAlone, Problem, sum } from "/page/js/house.js";
import { asSecond, isSecond, keepSecond, rememberRoles, secondVisit } from "/page/js/second_window.js";
import { tableTitle } from "/page/js/table_title.js";
import { fillWords, named, t, told, toldProblem } from "/page/js/words.js";
import "/page/js/element/answer-line.js";
import "/page/js/element/clause-tag.js";
import "/page/js/element/settings-menu.js";

/**
 * The address of a page in the bar, which is named after it.
 * @param {string} page
 */
const addressOf = (page) => (page === "lobby" ? "/" : `/${page}`);

const NOBODY = 401,
  WRONG_PASSWORD = "wrong_sign_on";

/** How long, in milliseconds, the house may take to change a role: other tabs wait for it. */
const PATIENCE = 10_000;

/**
 * Does what changes the session of this browser, or depends on it, while no other tab does. Without a secure connection
 * a browser has no locks; then a tab may find that its session is over because another tab has just changed the role.
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
const byTurns = (work) => (navigator.locks && !isSecond() ? navigator.locks.request("session", work) : work());

/** Notifies the other tabs of this browser of a change of role: what they show is for the old one. */
const otherTabs = new BroadcastChannel("role");

/**
 * Who the user is in this house: {title, practice, who, role, table, roles, pages, can, sign_on_roles}. In a practice
 * house a newcomer becomes a visitor immediately; elsewhere the user has to sign on.
 */
async function comeIn() {
  const welcome = () => ask("GET", "/api/welcome"),
    needsOwn = () => isSecond() && !sessionStorage.getItem("second window"),
    isAtHome = (/** @type {House.Welcome} */ { who, practice }) => (who && !needsOwn()) || !practice;
  const house = await welcome();
  if (isAtHome(house)) return house;
  return byTurns(async () => {
    const now = await welcome(); // another tab may have entered, or changed the role, meanwhile
    if (isAtHome(now)) return now;
    keepSecond(await ask("POST", "/api/visit", secondVisit()));
    return welcome();
  });
}

/** The page of each staff role: the first that it may use. */
const WORKPLACES = ["floor", "watch", "dealer"];

/**
 * Whether visitors of a practice house may work at a table: at the first training table, and at those named after it.
 * @param {House.Welcome} session
 * @param {string} table
 */
const isForTraining = ({ table: first }, table) => table === first || table.startsWith(`${first}-`);

/**
 * The tables at which a session may act, of all in the house.
 * @param {House.Welcome} session
 * @param {string[]} tables
 */
export const reachedBy = (session, tables) =>
  !session.table
    ? tables
    : tables.filter((table) => (session.practice ? isForTraining(session, table) : table === session.table));

/**
 * The console of a table, for those who may work there; "" for everybody else.
 * @param {House.Welcome} session
 * @param {string} table
 */
export function consoleOf(session, table) {
  const isOwn = session.pages.includes("dealer") && reachedBy(session, [table]).length > 0;
  return isOwn ? `/dealer/${encodeURIComponent(table)}` : "";
}

/**
 * What is left behind in another role: every seat of the user, also in another tab; "" if there is none.
 * @param {House.Welcome} session
 */
async function leftBehind({ can, practice }) {
  if (!can.includes("take_seat")) return "";
  const { tables } = await ask("GET", "/api/tables");
  const seen = await Promise.all(
    tables.map(({ table }) => ask("GET", `/api/tables/${encodeURIComponent(table)}/view`)),
  );
  const words = seen.flatMap(({ seat, view }, index) => {
    const chips = seat ? (view.state.seats.participants[seat - 1].chips ?? 0) : 0;
    return seat ? [t("bar.leaves_seat", { seat, table: tableTitle(tables[index]), sum: sum(chips) })] : [];
  });
  return words.length ? [...words, t(practice ? "bar.as_another" : "bar.seat_waits")].join(t("said.sentences")) : "";
}

/** The pending change of role on this page: one that succeeds never settles, because the page is left. */
let change = Promise.resolve();

/**
 * Continues in a role: goes to its own page from the lobby and its tables, and from a page that the role may not use.
 * @param {{ role: House.Role, password?: string }} choice
 * @param {string} page
 */
async function goOnAs({ role, password }, page) {
  try {
    const change = { role, password, ...asSecond() };
    keepSecond(await byTurns(() => askAlone("PUT", "/api/session/role", change, {}, { within: PATIENCE })));
  } catch (problem) {
    const isOver = problem instanceof Problem && problem.status === NOBODY && problem.code !== WRONG_PASSWORD;
    if (!isOver) throw problem;
    location.reload(); // the session was over before: reload for the present user
    return new Promise(() => {});
  }
  if (!isSecond()) otherTabs.postMessage(role);
  const { pages } = await askAlone("GET", "/api/welcome");
  const workplace = WORKPLACES.find((each) => pages.includes(each)),
    isOfUse = pages.includes(page);
  if (workplace && (page === "lobby" || !isOfUse)) location.assign(addressOf(workplace));
  else if (isOfUse) location.reload();
  else location.assign("/");
  return new Promise(() => {});
}

/**
 * The session of this page is over: it is reloaded for the present user, who may be the same person in another role;
 * without a session it goes to the sign-on page. A change that this page is making itself comes first.
 */
export async function comeAnew() {
  await change.catch(() => {});
  const { who, practice } = await byTurns(() => ask("GET", "/api/welcome"));
  if (who || practice) location.reload();
  else location.assign("/sign-on");
}

// A table says itself what happened to the seat there. Elsewhere the connections of the old session would only come
// back in the new one.
otherTabs.onmessage = () => {
  if (!isSecond() && !document.body.classList.contains("at-table")) void comeAnew();
};

const passwordField = () =>
  make(
    "label",
    { class: "field" },
    t("bar.password"),
    make("input", {
      type: "password",
      name: "password",
      required: true,
      maxlength: 1000,
      autocomplete: "current-password",
    }),
  );

/**
 * A dialog before a change of role: what it means, what it needs, and why it was denied. The user stays, or continues
 * and the page is left.
 * @param {{ words?: string, needsPassword?: boolean, problem?: unknown, goOn: (password?: string) => Promise<unknown>
 * }} about
 * @returns {Promise<void>}
 */
function askFirst({ words, needsPassword = false, problem = null, goOn }) {
  return new Promise((stayed) => {
    const close = () => {
      window_.close();
      window_.remove();
      stayed(undefined);
    };
    const said = make("answer-line");
    let isAsking = false;
    const form = make(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          if (isAsking) return;
          isAsking = true;
          said.show(null);
          goOn(new FormData(form).get("password")?.toString()).catch((error) => {
            isAsking = false;
            said.show(error);
            const typed = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("password"));
            typed?.select(); // so that it can be typed again
          });
        },
      },
      words ? make("p", {}, words) : null,
      needsPassword ? passwordField() : null,
      said,
      make(
        "div",
        { class: "acts" },
        make("button", { type: "button", class: "button", onclick: close }, t("bar.stay")),
        make(
          "button",
          { class: "button main" },
          t(needsPassword ? "bar.change_role" : problem ? "bar.try_again" : "bar.go_on"),
        ),
      ),
    );
    const window_ = make("dialog", { class: "ask", "aria-label": t("bar.role"), oncancel: close }, form);
    if (problem) said.show(problem);
    document.body.append(window_);
    window_.showModal();
  });
}

/**
 * The roles that the user may change to: in a practice house those of visitors, elsewhere the person's own, for the
 * password.
 * @param {House.Welcome} session
 * @param {string} page
 */
function roleChoice(session, page) {
  if (session.roles.length < 2) return session.role ? make("span", {}, named("role", session.role)) : null;
  const choice = make(
    "select",
    { id: "role", "aria-label": t("bar.role") },
    session.roles.map((role) => new Option(named("role", role), role, false, role === session.role)),
  );
  let wanted = "";
  choice.addEventListener("change", async () => {
    if (wanted) {
      // arrow keys are faster than answers: one role at a time
      choice.value = wanted;
      return;
    }
    const role = (wanted = /** @type {House.Role} */ (choice.value)),
      needsPassword = !session.practice;
    /** @param {string} [password] */
    const goOn = (password) => (change = goOnAs({ role, password }, page));
    try {
      const left = await leftBehind(session),
        words = [needsPassword ? t("bar.role_takes_password", { role: named("role", role) }) : "", left]
          .filter(Boolean)
          .join(t("said.sentences"));
      if (words) await askFirst({ words, needsPassword, goOn });
      else await goOn();
    } catch (problem) {
      await askFirst({ problem, goOn });
    }
    choice.value = session.role;
    wanted = "";
  });
  return choice;
}

/**
 * Whether the user came to play, and has no workplace: a list of the house's jobs would only be in the way.
 * @param {House.Welcome} session
 */
const isGuest = ({ pages }) => !pages.includes("office") && !WORKPLACES.some((name) => pages.includes(name));

/**
 * The role of the user; for a guest of a practice house the jobs stand behind a button, with what they are for.
 * @param {House.Welcome} session
 * @param {string} page
 */
function ownRole(session, page) {
  const choice = roleChoice(session, page);
  if (!session.practice || !isGuest(session) || session.roles.length < 2) return choice;
  const jobs = make(
    "details",
    { class: "jobs" },
    make("summary", {}, t("bar.jobs")),
    make("div", { class: "panel" }, make("p", { class: "soft" }, t("bar.jobs_about")), choice),
  );
  const close = () => {
    jobs.open = false;
  };
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.isConnected && !jobs.contains(target) && !target.closest("dialog")) close();
  });
  jobs.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    close();
    within(jobs, "summary").focus();
  });
  return jobs;
}

/** @param {House.Welcome} session */
function signing(session) {
  if (session.practice) return null;
  if (!session.who) return make("a", { class: "button main", href: "/sign-on" }, t("bar.sign_on"));
  const leave = async () => {
    await askAlone("DELETE", "/api/session");
    location.assign("/sign-on");
  };
  return make("button", { class: "button", type: "button", onclick: leave }, t("bar.sign_off"));
}

/**
 * Shows in the bar whether the connection to the house is up.
 * @param {boolean} isUp
 */
export function showConnected(isUp) {
  const dot = at("beside").querySelector(".live, .held");
  dot?.classList.toggle("live", isUp);
  dot?.classList.toggle("held", !isUp);
}

/**
 * Draws the bar of a page and fills its texts; returns who the user is. `beside` are the page's own elements in the
 * bar; `cards` and `sounds`: it has some, so that their settings are offered.
 * @param {{ page: string, isLit?: boolean, beside?: Page.Child[], cards?: boolean, sounds?: boolean }} about
 */
export async function shell({ page, isLit = true, beside = [], cards = false, sounds = false }) {
  const session = await comeIn();
  rememberRoles(session);
  const workplace = WORKPLACES.find((each) => session.pages.includes(each));
  if (isSecond() && workplace && WORKPLACES.includes(page) && !session.pages.includes(page)) {
    location.replace(addressOf(workplace)); // the link to a second window does not know where its role works
    return new Promise(() => {});
  }
  fillWords();
  const links = session.pages.map((name) =>
    make("a", { href: addressOf(name), "aria-current": isLit && name === page ? "page" : null }, t(`bar.${name}`)),
  );
  within(document, ".bar").replaceChildren(
    make(
      "a",
      { class: "mark", href: "/", "aria-label": t("bar.to_lobby") },
      make("img", { src: "/page/icon.svg", alt: "" }),
      make("span", {}, "baccarat"),
    ),
    make("nav", { "aria-label": t("bar.pages") }, links),
    make(
      "div",
      { class: "about" },
      make("span", { id: "beside" }, beside),
      isSecond()
        ? make("span", { class: "tag held", title: t("bar.second_window_about") }, t("bar.second_window"))
        : null,
      ownRole(session, page),
      signing(session),
      make("settings-menu", { cards, sounds }),
    ),
  );
  const nav = within(document, ".bar nav"),
    current = nav.querySelector("[aria-current]");
  // on a phone not all fit
  if (current) nav.scrollLeft = current.offsetLeft - nav.offsetLeft - nav.clientWidth / 2 + current.clientWidth / 2;
  document.body.prepend(make("a", { class: "skip", href: "#content" }, t("bar.skip")));
  return session;
}

/**
 * What the bar shows next to the person, such as the table's name; a page may change it.
 * @param {Node[]} children
 */
export const beside = (...children) => at("beside").replaceChildren(...children);

/**
 * In place of a page: why there is none, and a link to the lobby. Nothing of the page is done after it.
 * @param {Page.Reason} problem
 * @returns {Promise<never>}
 */
export function turnAway(problem) {
  at("content").replaceChildren(
    make(
      "section",
      { class: "panel nothing", role: "alert" },
      make("h1", {}, t("nothing.title")),
      make("p", {}, told(toldProblem(problem))),
      make("a", { class: "button main", href: "/" }, t("nothing.to_lobby")),
    ),
  );
  at("content").className = "";
  document.body.classList.remove("at-table");
  return new Promise(() => {}); // never settles, so that the page does nothing more
}
