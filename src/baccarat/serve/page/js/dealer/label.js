// Texts with numbers and seats filled in; the server names the text.
import { named } from "/page/js/words.js";

/**
 * A text with its {values} filled in.
 * @param {string} text
 * @param {Page.Params} [values]
 */
export const filled = (text, values = {}) => text.replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));

/**
 * A card of the shoe by its number, from 1, and the hand in which it lies.
 * @param {House.TableState} state
 * @param {number} position
 */
export function cardLabel({ round }, position) {
  const side = round.player.includes(position) ? "player" : round.banker.includes(position) ? "banker" : "shoe";
  return filled(named("dealer.card_of", side), { number: position + 1 });
}
