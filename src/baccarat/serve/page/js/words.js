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

function preferred() {
  const kept = localStorage.getItem("language") ?? "";
  if (isLanguage(kept)) return kept;
  return /^zh-(hant|tw|hk|mo)/i.test(navigator.language) ? "zh-Hant" : "en";
}

export const language = preferred();
const english = await read("en");
const words = language === "en" ? english : { ...english, ...(await read(language)) };
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
  wager: (on) => named("table.wager", on),
  wagers: (list) =>
    list
      .split(", ")
      .map((/** @type {string} */ on) => named("table.wager", on))
      .join(t("said.or")),
  names: (list) => listed(list.split(", ")),
  hand: (side) => t(`table.${side}`),
  act: (act) => t(`why.${act}`),
  rank: (rank) => named("rank", rank),
  step: (step) => named("step", step),
  who: (seat) => (seat ? t("said.seat", { seat }) : t("role.dealer")),
};

/**
 * What the house says, in the reader's language: its sentence has a name and parameters, {say, what, params}. If the
 * translation does not have it, and always in English, the house's own words are used.
 * @param {Page.Sentence} sentence
 */
export function told({ say = "", what = "", params = {} }) {
  const isOwn = what.startsWith("own_"); // the house speaks of seats; the page tells the reader what is his own
  const text = language === "en" && !isOwn ? undefined : words[`said.${what}`];
  const places = [...(text ?? "").matchAll(/\{(\w+)(?::(\w+))?\}/g)];
  if (!text || places.some(([, name]) => params[name] === undefined)) return say;
  return filledIn(text, /\{(\w+)(?::(\w+))?\}/g, (name, written) =>
    written ? WRITTEN[written](params[name]) : params[name],
  );
}

/**
 * Several things, one after the other.
 * @param {string[]} items
 */
export const listed = (items) => items.join(t("said.comma"));

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
