// @ts-check
// The words of a plot in the reader's language: the house draws them in English.
import { language, t } from "/page/js/words.js";

/**
 * What a plot says, and the names of its sentences; a group is a wager, the others are figures.
 * @type {[pattern: RegExp, name: string][]}
 */
const SAID = [
  [/^House edge of a unit staked$/, "edges"],
  [/^How often a wager wins$/, "hits"],
  [/^House edge, %, by stake$/, "stakes"],
  [/^stake, dollars$/, "dollars"],
  [/^coloured: wins$/, "coloured"],
  [/^darker: is pushed$/, "darker"],
  [/^light: loses$/, "light"],
  [/^dashed, without rounding: (?<edge>.+)$/, "dashed"],
  [/^(?<wager>.+): what a unit gains in a round, and how often$/, "gains"],
  [/^(?<wager>.+) wins (?<wins>[\d.]+ %) and is pushed (?<pushed>[\d.]+ %)$/, "wins"],
  [/^(?<wager>.+): lowest (?<low>.+) at (?<low_at>\S+), highest (?<high>.+) at (?<high_at>\S+)$/, "range"],
  [/^(?<wager>\D+) (?<edge>[−-]?[\d.]+ %)$/, "edge"],
];

/**
 * @param {string} words
 * @param {Record<string, string>} titles
 */
function inOwnWords(words, titles) {
  if (titles[words]) return titles[words];
  for (const [pattern, name] of SAID) {
    const { groups } = pattern.exec(words) ?? {};
    if (pattern.test(words))
      return t(`said.plot_${name}`, { ...groups, wager: titles[groups?.wager ?? ""] ?? groups?.wager });
  }
  return words;
}

/**
 * Names a plot; titles: the wagers' names in English, each with its name in the reader's language.
 * @param {Element} plot
 * @param {Record<string, string>} titles
 */
export function namePlot(plot, titles) {
  if (language === "en") return;
  /** @param {string} words */
  const said = (words) =>
    words
      .replace(/\.$/, "")
      .split("; ")
      .map((part) => inOwnWords(part, titles))
      .join(t("said.semicolon"));
  for (const element of [plot, ...plot.querySelectorAll("[aria-label]")]) {
    const label = element.getAttribute("aria-label");
    if (label) element.setAttribute("aria-label", said(label));
  }
  for (const element of plot.querySelectorAll("text, title, desc"))
    if (/[A-Za-z]{2}/.test(element.textContent ?? ""))
      element.textContent = said([...element.childNodes].map((part) => part.textContent?.trim()).join(" "));
}
