// Every text of the pages, from one catalogue; what a translation lacks is in English.
import { sum } from "/page/js/house.js";

const LANGUAGES = { en: "English", "zh-Hant": "繁體中文" };
/**
 * @param {string} code
 * @returns {code is keyof typeof LANGUAGES}
 */
const isLanguage = (code) => Object.hasOwn(LANGUAGES, code);
/**
 * @param {string} language
 * @returns {Promise<Record<string, string>>}
 */
const read = async (language) => (await fetch(`/page/words/${language}.json`)).json();

/**
 * The further catalogues that this page needs, by its own list: what the house says in sentences (`house`), what
 * the rules say (`law`), how we read them (`readings`). In English the house says all of it itself.
 */
const parts = document.querySelector?.('meta[name="words"]')?.getAttribute("content")?.split(" ") ?? [];

function preferred() {
  const kept = localStorage.getItem("language") ?? "";
  if (isLanguage(kept)) return kept;
  return /^zh-(hant|tw|hk|mo)/i.test(navigator.language) ? "zh-Hant" : "en";
}

export const language = preferred();
const english = await read("en");
const catalogues = language === "en" ? [] : [language, ...parts.map((part) => `${language}.${part}`)];
/** @type {Record<string, string>} */
const words = Object.assign({}, english, ...(await Promise.all(catalogues.map(read))));

/**
 * Reads a further catalogue later: a page that is small at first and seldom needs it.
 * @param {string} part
 */
export async function readMore(part) {
  if (language !== "en" && !parts.includes(part)) Object.assign(words, await read(`${language}.${part}`));
  parts.push(part);
}
document.documentElement.lang = language;

const HAN = /\p{Script=Han}/u,
  LATIN = /[\p{Script=Latin}\d$%]/u;
/**
 * @param {string} left
 * @param {string} right
 */
const isApart = (left, right) => (HAN.test(left) && LATIN.test(right)) || (LATIN.test(left) && HAN.test(right));

/** A full stop after a value that ends with a mark of its own, such as a question. */
const DOUBLED = /([.?!…。？！])[.。](?=\s|$)/gu;

/**
 * A text with its placeholders filled; between Chinese and Latin letters or numbers a space is added.
 * @param {string} text
 * @param {RegExp} places
 * @param {(name: string, written: string, many?: string) => unknown} valueOf
 */
function filledIn(text, places, valueOf) {
  const parts = [];
  let from = 0;
  for (const { 0: place, index, ...found } of text.matchAll(places)) {
    parts.push(text.slice(from, index), String(valueOf(found[1], found[2], found[3])));
    from = index + place.length;
  }
  parts.push(text.slice(from));
  return parts
    .filter(Boolean)
    .reduce((made, part) => `${made}${isApart(made.at(-1) ?? "", part[0]) ? " " : ""}${part}`, "")
    .replace(DOUBLED, "$1");
}

/**
 * The text of a key, with {names} filled in.
 * @param {string} key
 * @param {Page.Params} [values]
 */
export function t(key, values = {}) {
  const text = words[key];
  if (text === undefined) throw new Error(`no text for ${key}`);
  return filledIn(text, PLACES, (name, one, many) =>
    many === undefined ? values[name] : counted(values[name], one, many),
  );
}

/** A place in a text: {name}, or {count:table|tables}, a number with the word for one or for several. */
const PLACES = /\{(\w+)(?::([^{}|]+)\|([^{}|]+))?\}/g;
/**
 * @param {unknown} count
 * @param {string} one
 * @param {string} many
 */
const counted = (count, one, many) => `${count} ${Number(String(count).replaceAll(",", "")) === 1 ? one : many}`;

/**
 * The text of a key that contains the server's name of a thing; the name itself if there is no such key.
 * @param {string} prefix
 * @param {unknown} name
 */
export const named = (prefix, name) => words[`${prefix}.${name}`] ?? String(name).replaceAll("_", " ");

/**
 * A text of the rules in our own words, with its language: a clause, an option, a title; in English if this language
 * has none, or has not been read.
 * @param {string} text
 */
export const lawText = (text) => {
  const own = words[`law.${text}`];
  return { text: own ?? text, lang: own === undefined ? "en" : language };
};

/**
 * The text of an optional key, such as an example; empty if there is none.
 * @param {string} key
 */
export const textIfAny = (key) => words[key] ?? "";

/**
 * How a parameter of the house's sentence is written: {stake:money}, {on:wager}, {seat:who}, {hand:hand} …
 * @type {Record<string, (value: any) => string>}
 */
const WRITTEN = {
  money: (cents) => sum(cents, { short: true }),
  wager: (on) => named("table.wager", wagerKey(on)),
  wagers: (list) => anyOf(list, WRITTEN.wager),
  names: (list) => listed(list.split(", ")),
  hand: (side) => t(`table.${side.toLowerCase()}`),
  act: (act) => t(`why.${act}`),
  rank: (rank) => named("rank", rank),
  step: (step) => named("step", step),
  who: (seat) => (seat ? t("said.seat", { seat }) : t("role.dealer")),
  card: (card) => cardText(card),
  cards: (cards) => listed(cards.map(cardText)),
  number: (position) => String(position + 1),
  numbers: (positions) => listed(positions.map((/** @type {number} */ position) => String(position + 1))),
  sums: (amounts) =>
    listed(Object.entries(amounts).map(([seat, cents]) => `${WRITTEN.who(Number(seat))} ${WRITTEN.money(cents)}`)),
  most: (cents) => sum(Math.abs(cents), { short: true }),
  micro: (amount) => sum(Math.trunc(Math.abs(amount) / MICRO), { short: true }),
  meters: (meters) =>
    listed(Object.entries(meters).map(([name, amount]) => `${named("meter", name)} ${WRITTEN.micro(amount)}`)),
  meter: (name) => named("meter", name),
  wins: (figures) =>
    listed(
      Object.entries(figures).map(([table, { win }]) => t("said.table_won", { table, win: sum(win, { short: true }) })),
    ),
  role: (role) => namedWords("role", role.replaceAll("_", " ")),
  roles: (roles) => anyOf(roles, (role) => WRITTEN.role(role.replace(/^the /, ""))),
  deed: (act) => deedText(act),
  deeds: (acts) => anyOf(acts, deedText),
  person: (name) =>
    `role.${name}` in words ? named("role", name) : name.replace(/^(person|remark) (?=[0-9a-f]{6}$)/, "#"),
  people: (names) => listed(names.split(", ").map(WRITTEN.person)),
  list: (items) => listed(items.map(String)),
  short: (digits) => `${digits.slice(0, 16)}…`,
  brief: (digits) => digits.slice(0, 12),
  name: (key) => String(key).split("+")[0],
  keys: (keys) => listed(keys.map(WRITTEN.name)),
  moves: (steps) => listed(steps.map((/** @type {string} */ step) => namedWords("dealer.element", step))),
  option: (name) => namedWords("option", name.replaceAll(" ", "_")),
  tables: (tables) => listed(Object.keys(tables).sort()),
  changes: (changes) =>
    listed(Object.entries(changes).map(([name, value]) => t("said.option_is", { name: WRITTEN.option(name), value }))),
  count: (items) => String(items.length),
  row: (row) => words[`odds.row.${row}`] ?? words[`said.row.${row}`] ?? row,
  outcome: (outcome) => t(`round.won_${outcome}`),
  cardskind: (kind) => namedWords("cards", kind),
  notice: (whom) => named("notice", whom),
  meternames: (names) => listed(names.split(", ").map(WRITTEN.meter)),
  meterlist: (names) => listed(names.map((/** @type {string} */ name) => named("meter", name))),
  moves1: (step) => namedWords("dealer.element", step),
  movelist: (steps) => listed(steps.split(", ").map(WRITTEN.moves1)),
  fields: (names) =>
    listed(names.split(", ").map((/** @type {string} */ name) => named("field", name.replaceAll(" ", "_")))),
  allroles: (roles) => listed(roles.split(", ").map(WRITTEN.role)),
  where: (place) => words[`said.where.${place}`] ?? place.replace(/^tray of /, `${t("said.where.tray")} `),
  gate: (fault) => namedWords("said.gate", fault),
  foul: (why) => namedWords("said.foul", why),
  bad: (why) => namedWords("said.bad", why),
  stopped: (why) => stoppedText(why),
  wait: (seconds) => t("said.minutes", { minutes: Math.trunc(seconds / 60), seconds: seconds % 60 }),
  notes: (notes) => listed(notes.map(noteText), t("said.semicolon")),
};
const MICRO = 1_000_000;

/**
 * A wager by its name, or by its title in the document: "Dragon 7".
 * @param {string} on
 */
const wagerKey = (on) =>
  on
    .toLowerCase()
    .replace(/ (?=\d)/, "")
    .replaceAll(" ", "_");

/**
 * Why a table has stopped: what the program says of a shoe has a text, what a person gave as a reason has none.
 * @param {string} why
 */
export function stoppedText(why) {
  if (language === "en") return why;
  const [, begin = "", rest = ""] = /^(the electronic shoe failed its check|foul shoe): (.*)$/.exec(why) ?? [];
  if (!begin) return words[`said.stopped.${why}`] ?? why;
  const [, card = "", what = rest] = /^(\w\w) (.*)$/.exec(rest) ?? [];
  const text = words[`said.foul.${what}`] ?? words[`said.gate.${rest}`] ?? rest;
  return t(`said.stopped.${begin}`, { card: card && cardText(card), why: text });
}

/** @param {string} card */
const cardText = (card) => t("card.name", { rank: named("rank", card[0]), suit: t(`suit.${card[1]}`) });

/**
 * A name in the reader's language; `NoText` if it has none.
 * @param {string} prefix
 * @param {string} name
 */
function namedWords(prefix, name) {
  const text = words[`${prefix}.${name}`];
  if (text === undefined && name) throw new NoText(name);
  return text ?? "";
}

/** A part of a sentence has no text in this language: the whole sentence is in the house's own words. */
class NoText extends Error {}

/**
 * An act, or a step, by its name.
 * @param {string} name
 */
function deedText(name) {
  const key = name.replaceAll(" ", "_");
  return words[`act.${key}`] ?? words[`said.deed.${key}`] ?? words[`step.${key}`] ?? namedWords("dealer.step", key);
}

/**
 * Several names, of which one is meant: "dealer, floorperson".
 * @param {string} names
 * @param {(name: string) => string} written
 */
const anyOf = (names, written) =>
  names
    .split(/, | or | and /)
    .map(written)
    .join(t("said.or"));

/** @param {Page.Sentence} note */
function noteText(note) {
  const made = inOwnLanguage(note);
  if (made === null) throw new NoText(note.what);
  return made.replace(/。$/, "");
}

const SECTION = /\[(!?)(\w+)(?:([=<>])([\w ]*))?\?([^[\]]*)\]/g;

/** @type {Record<string, (value: any, other: string) => boolean>} */
const COMPARED = {
  "=": (value, other) => String(value) === other,
  "<": (value, other) => value < Number(other),
  ">": (value, other) => value > Number(other),
};

/** @param {any} value */
const isGiven = (value) =>
  value !== null && typeof value === "object" ? Object.keys(value).length > 0 : Boolean(value);

/**
 * A text without the parts that do not hold: [again?again] where the parameter is given, [!again?for the first time]
 * where it is not, [seat=0?the dealer] where it has that value, [amount<0?less] where it is below.
 * @param {string} text
 * @param {Page.Params} params
 */
const withParts = (text, params) =>
  text.replace(SECTION, (_, not, name, sign, other, part) => {
    const value = params[name];
    const holds = sign ? COMPARED[sign](value, other) : isGiven(value);
    return holds === (not === "") ? part : "";
  });

/**
 * A sentence of the house in the reader's language; null if the translation does not have it.
 * @param {Page.Sentence} sentence
 * @returns {string | null}
 */
function inOwnLanguage({ what = "", params = {} }) {
  const whole = words[`said.${what}`];
  if (!whole) return null;
  const text = withParts(whole, params),
    places = [...text.matchAll(PLACE)];
  if (places.some(([, name]) => params[name] === undefined || params[name] === null)) return null;
  try {
    return filledIn(text, PLACE, (name, written) => (written ? WRITTEN[written](params[name]) : params[name]));
  } catch (lacks) {
    if (lacks instanceof NoText) return null;
    throw lacks;
  }
}
const PLACE = /\{(\w+)(?::(\w+))?\}/g;

/**
 * What the house says, in the reader's language: its sentence has a name and parameters, {say, what, params}. If the
 * translation does not have it, and always in English, the house's own words are used.
 * @param {Page.Sentence} sentence
 */
export function told({ say = "", what = "", params = {} }) {
  const isOwn = what.startsWith("own_"); // the house speaks of seats; the page tells the reader what is his own
  if (language === "en" && !isOwn) return say;
  return inOwnLanguage({ what, params }) ?? say;
}

/**
 * Why the house does not answer, as a sentence; a denial is identified by its code.
 * @param {Page.Reason} reason
 */
export function toldProblem({ say, message, what, code, params = {}, ...others }) {
  const cites = others.cites ?? others.clauses ?? [];
  return { say: say ?? message ?? "", what: what || (code && !cites.length ? `denied_${code}` : ""), params, cites };
}

/**
 * Several things, one after the other.
 * @param {string[]} items
 */
export const listed = (items, between = t("said.comma")) => items.join(between);

/**
 * What the work at a table says of an act, as {say, sentence: {what, params}}; the sentences of what follows it have
 * keys of their own.
 * @param {{ say?: string, sentence?: Page.Sentence }} [act]
 */
export const toldOf = ({ say = "", sentence = {} } = {}) => told({ say, ...sentence });
/** @param {{ follows?: string, follows_sentence?: Page.Sentence }} [act] */
export const toldFollows = ({ follows = "", follows_sentence: sentence = {} } = {}) =>
  told({ say: follows, ...sentence });

/**
 * What is due from the user, in the same way; `more` are parameters that the page knows.
 * @param {House.Due} due
 * @param {Page.Params} [more]
 */
export const toldDue = (due, more = {}) =>
  told({ say: due.say, what: `own_${due.act}`, params: { ...due, number: (due.position ?? 0) + 1, ...more } });

/**
 * A sentence of the house about a seat, said to the reader who sits there.
 * @param {number} seat
 * @param {Page.Sentence} sentence
 */
export function toldTo(seat, sentence) {
  const { what = "", params = {} } = sentence;
  return seat && params.seat === seat && textIfAny(`said.own_${what}`)
    ? { ...sentence, what: `own_${what}` }
    : sentence;
}

/**
 * What the dealer calls: the document's own words in English, and in another language their translation, if there is
 * one.
 * @param {House.DealerCall} call
 */
export function spokenCall(call) {
  /** @param {House.SpokenCall} call */
  const isKnown = ({ name }) => `call.${name}` in words;
  if (language === "en" || !call.calls?.length || !call.calls.every(isKnown)) return call.say;
  /** @param {string} name */
  const side = (name) => (name ? t(`call.won_${name}`) : t("call.won_nobody"));
  return call.calls
    .map((each) => t(`call.${each.name}`, { ...each, winner: side(each.winner) }))
    .join(t("call.between"));
}

/**
 * The names of wagers: the document's own in English, and in another language their translations, if there are any.
 * @param {Record<string, string>} titles
 */
export function wagerTitles(titles) {
  /** @param {string} on */
  if (language === "en") return titles;
  /** @param {string} on */
  const known = (on) => `table.wager.${on}` in words;
  return Object.fromEntries(
    Object.entries(titles).map(([on, title]) => [on, known(on) ? named("table.wager", on) : title]),
  );
}

/**
 * Fills the elements of a page that name their text.
 * @param {ParentNode} [root]
 */
export function fillWords(root = document) {
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t ?? "");
  for (const element of root.querySelectorAll("[data-t-label]"))
    element.setAttribute("aria-label", t(element.dataset.tLabel ?? ""));
}

/** @param {string} chosen */
export function chooseLanguage(chosen) {
  localStorage.setItem("language", chosen);
  location.reload();
}

export { LANGUAGES };
