// A second window: a visitor of a practice house is another person there, so that acts of two persons can be tried
// alone. Its session belongs to the window, not to the browser: its token is kept by the window and sent with each
// request.
import { make } from "/page/js/dom.js";
import { named, t } from "/page/js/words.js";

const TOKEN = "second window",
  ROLE = "role of the second window",
  PARAMETER = "as";

/** Whether this is a second window. */
export const isSecond = () => sessionStorage.getItem(ROLE) !== null;

/** Begins a second window if its address asks for one: the role is taken out of the address and kept. */
function begin() {
  const address = new URL(location.href),
    role = address.searchParams.get(PARAMETER);
  if (role === null) return;
  address.searchParams.delete(PARAMETER);
  history.replaceState(null, "", address);
  sessionStorage.setItem(ROLE, role);
  sessionStorage.removeItem(TOKEN); // a window that was copied has the token of the first
}
begin();

/** What a visit or a change of role says in a second window; nothing in the browser's own. */
export const asSecond = () => (isSecond() ? { second_window: true } : {});

/**
 * How one visits; undefined where there is nothing to say, as in the browser's own windows.
 * @returns {House.Visit | undefined}
 */
export function secondVisit() {
  const role = /** @type {House.Role | null} */ (sessionStorage.getItem(ROLE));
  return role === null ? undefined : { role, second_window: true };
}

/**
 * Keeps the session of a second window.
 * @param {House.VisitorAnswer} session
 */
export function keepSecond({ role, token }) {
  if (!isSecond() || !token) return;
  sessionStorage.setItem(ROLE, role);
  sessionStorage.setItem(TOKEN, token);
}

/** The roles in which visitors come, as the bar knows them; none in a house for real tables. */
let visited = /** @type {string[]} */ ([]);
/** @param {House.Welcome} session */
export function rememberRoles({ practice, roles }) {
  visited = practice ? roles : [];
}

/** Whether people come without signing on: they have no password by which they could approve at another's console. */
export const visitorsCome = () => visited.length > 0;

/**
 * How to be the second person in a second window, in one of some roles; "" in a house for real tables.
 * @param {string[]} roles
 */
export function secondWindow(roles) {
  const open = roles.filter((role) => visited.includes(role));
  if (!open.length) return "";
  const link = (/** @type {string} */ role) =>
    make(
      "a",
      { class: "button small", target: "_blank", rel: "noopener", href: `/floor?${PARAMETER}=${role}` },
      t("second.as", { role: named("role", role) }),
    );
  return make(
    "div",
    { class: "second-window" },
    make("p", { class: "quiet small" }, t("second.about")),
    make("div", { class: "row" }, open.map(link)),
  );
}
