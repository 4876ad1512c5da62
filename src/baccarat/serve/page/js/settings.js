// What the person at this browser has chosen for the pages. It stays in the browser; theme.js shows it before the first
// paint.
// @ts-check

/**
 * Each setting with its choices; the first one holds until another is chosen.
 * @type {Record<"theme" | "suits" | "speed" | "voice" | "sounds", string[]>}
 */
export const CHOICES = {
  theme: ["system", "light", "dark"],
  suits: ["two", "four"],
  speed: ["usual", "quick", "still"],
  voice: ["full", "short"],
  sounds: ["off", "on"],
};

/** @typedef {keyof typeof CHOICES} Setting */

/** Settings that stylesheets depend on: an attribute of the document says which choice holds. */
const SEEN = ["theme", "suits", "speed"];

/** Tells of a setting that was changed on this page: a `change` event with its name. */
export const settings = new EventTarget();

/** @param {Setting} name */
export function chosen(name) {
  const kept = localStorage.getItem(name) ?? "";
  return CHOICES[name].includes(kept) ? kept : CHOICES[name][0];
}

/**
 * @param {Setting} name
 * @param {string} choice
 */
export function choose(name, choice) {
  localStorage.setItem(name, choice);
  if (SEEN.includes(name)) document.documentElement.dataset[name] = choice;
  settings.dispatchEvent(new CustomEvent("change", { detail: name }));
}
