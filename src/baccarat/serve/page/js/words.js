// Every text of the pages, from one catalogue; what a translation lacks is said in English.
const LANGUAGES = { en: "English", "zh-Hant": "繁體中文" };
const read = async (language) => (await fetch(`/page/words/${language}.json`)).json();

function preferred() {
  const kept = localStorage.getItem("language");
  if (kept in LANGUAGES) return kept;
  return /^zh-(hant|tw|hk|mo)/i.test(navigator.language) ? "zh-Hant" : "en";
}

export const language = preferred();
const english = await read("en");
const words = language === "en" ? english : { ...english, ...await read(language) };
document.documentElement.lang = language;

/** The text of a key, with {names} filled in. */
export function t(key, values = {}) {
  const text = words[key];
  if (text === undefined) throw new Error(`no text for ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** The text of a key that is put together from the server's own name of a thing; the name where there is none. */
export const named = (prefix, name) => words[`${prefix}.${name}`] ?? String(name).replaceAll("_", " ");

/** What the dealer calls: the document's own words in English, and in another language what they mean, where that is known. */
export function spokenCall(call) {
  const isKnown = ({ name }) => `call.${name}` in words;
  if (language === "en" || !call.calls?.length || !call.calls.every(isKnown)) return call.say;
  const side = (name) => (name ? t(`call.won_${name}`) : t("call.won_nobody"));
  return call.calls.map((each) => t(`call.${each.name}`, { ...each, winner: side(each.winner) })).join(t("call.between"));
}

/** The names of wagers: the document's own in English, and in another language those that are known there. */
export function wagerTitles(titles) {
  if (language === "en") return titles;
  const known = (on) => `table.wager.${on}` in words;
  return Object.fromEntries(Object.entries(titles).map(([on, title]) => [on, known(on) ? named("table.wager", on) : title]));
}

/** Fills the elements of a page that name their text. */
export function fillWords(root = document) {
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(element.dataset.tLabel));
}

export function chooseLanguage(chosen) {
  localStorage.setItem("language", chosen);
  location.reload();
}

export { LANGUAGES };
