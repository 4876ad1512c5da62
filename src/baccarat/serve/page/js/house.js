// What every page needs: requests to the house, sums, and ids of commands.

/** Why the house does not answer: its words, the status, the code and the clauses. */
export class Problem extends Error {
  /**
   * @param {Partial<House.ProblemDetail>} said
   * @param {number} status
   */
  constructor(said, status) {
    super(said.detail || said.title || String(status));
    this.status = status;
    this.code = said.code ?? "";
    this.clauses = said.clauses ?? [];
    this.what = said.what ?? "";
    this.params = said.params ?? {};
    this.faults = said.faults ?? [];
  }
}

/** Pending requests; and, while one must be alone, what all others wait for. */
const underway = new Set();
/** @type {Promise<void> | null} */
let alone = null;

/** How long, in milliseconds, a request that must be alone waits for the answers to earlier ones. */
const LATE = 2000;

/**
 * Asks the house; a request fails when it has not been answered `within` a time, in milliseconds.
 * @type {Page.Ask}
 */
export async function ask(...question) {
  while (alone) await alone;
  const answer = fetched(...question);
  underway.add(answer);
  return answer.finally(() => underway.delete(answer));
}

/**
 * Sends a request that may end the session of this page, such as changing the role or signing off: earlier requests are
 * answered first, and nothing else is sent in a session that is over. If the house denies it, the page continues;
 * otherwise it must be left.
 * @type {Page.Ask}
 */
export async function askAlone(...question) {
  /** @type {() => void} */
  let goOn = () => {};
  alone = new Promise((freed) => {
    goOn = freed;
  });
  await Promise.race([Promise.allSettled(underway), new Promise((late) => setTimeout(late, LATE))]);
  try {
    return await fetched(...question);
  } catch (problem) {
    alone = null;
    goOn();
    throw problem;
  }
}

/**
 * A second window sends its own token (`second_window.js`); all others have the browser's cookie.
 * @returns {Record<string, string>}
 */
function bearer() {
  const token = globalThis.sessionStorage?.getItem("second window");
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** @type {(...question: Parameters<Page.Ask>) => Promise<any>} */
async function fetched(method, path, body, headers = {}, { within = 0 } = {}) {
  const answer = await fetch(path, {
    method,
    headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...bearer(), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "same-origin",
    signal: within ? AbortSignal.timeout(within) : undefined,
  });
  if (answer.status === 204) return null;
  const said = await answer.json().catch(() => ({ detail: answer.statusText }));
  if (!answer.ok) throw new Problem(said, answer.status);
  return said;
}

/**
 * A sum of money, in cents; `short` leaves out the cents if there are none.
 * @param {number} cents
 * @param {{ short?: boolean, sign?: boolean }} [how]
 */
export function sum(cents, { short = false, sign = false } = {}) {
  const whole =
    short && cents % 100 === 0 ? { maximumFractionDigits: 0 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const digits = (Math.abs(cents) / 100).toLocaleString("en-US", whole);
  return (cents < 0 ? "−$" : sign ? "+$" : "$") + digits;
}

/**
 * A part of the page's address, counted from 1; a slash at the end changes nothing.
 * @param {number} index
 */
export function addressPart(index) {
  const part = location.pathname.split("/")[index] ?? "";
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a literal percent sign
  }
}

let last = 0n;

/** An id for a command: a UUID, version 7, greater than all before it on this page. */
export function commandId() {
  const now = BigInt(Date.now()) << 12n;
  last = now > last ? now : last + 1n;
  const chance = crypto.getRandomValues(new Uint8Array(8));
  chance[0] = (chance[0] & 0x3f) | 0x80;
  const hex =
    (last >> 12n).toString(16).padStart(12, "0") +
    "7" +
    (last & 0xfffn).toString(16).padStart(3, "0") +
    [...chance].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
