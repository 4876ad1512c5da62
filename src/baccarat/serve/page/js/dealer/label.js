// Names of the server's things in words, with numbers and seats filled in.
import { named } from "/page/js/words.js";

/** The text of a prefix and a name of the server's, with {values} filled in. */
export const told = (prefix, name, values = {}) => named(prefix, name).replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));

/** A card of the shoe by its number, as people count, and the hand in which it lies. */
export function cardLabel(state, position) {
  const side = state.round.player.includes(position) ? "player" : state.round.banker.includes(position) ? "banker" : "shoe";
  return told("dealer.card_of", side, { number: position + 1 });
}
