// What a table is called for people: its game, what its rules elect, and its place; file names are for the office.
import { sum } from "/page/js/house.js";
import { language, listed, named, t, textIfAny } from "/page/js/words.js";

/**
 * Numbers stay with the word that they belong to, in whichever line.
 * @param {string} text
 */
const unbroken = (text) => text.replace(/(?<!,) (?=[\d%])/g, "\u00a0");

/**
 * The title of a table, such as "Midi Baccarat, EZ, no commission".
 * @param {Page.Titled} card
 */
export function tableTitle({ heading }) {
  if (language === "en") return unbroken(heading.say);
  const game = textIfAny(`game.${heading.game}`) || heading.say.split(", ")[0];
  return listed([game, ...heading.traits.map((trait) => t(`trait.${trait}`, heading))]);
}

/**
 * Which table of the house it is: its number, or the name that the house has given it.
 * @param {Page.Titled} card
 */
export const tableSign = ({ number, table }) => (number ? t("lobby.table_number", { number }) : table);

/**
 * A jurisdiction by its own name, or as the reader's language has it.
 * @param {string} name
 */
export const jurisdictionName = (name) => textIfAny(`jurisdiction.${name.toLowerCase().replaceAll(" ", "_")}`) || name;

/**
 * Where a table's rules are from, and which table it is.
 * @param {Page.Titled} card
 */
export function tablePlace(card) {
  const { edition } = card.heading;
  return [jurisdictionName(card.jurisdiction), edition ? named("edition", edition) : "", tableSign(card)]
    .filter(Boolean)
    .join(" · ");
}

/**
 * How a Banker win is paid, in a plain sentence.
 * @param {House.TableCard} card
 */
export function paymentText({ form, heading }) {
  const { rate, coin, deferred } = heading;
  const key = form === "vigorish" && !coin ? "lobby.pays_vigorish_exactly" : `lobby.pays_${form}`;
  const later = deferred ? [t("lobby.paid_later")] : [];
  return [t(key, { rate, coin: sum(coin) }), ...later].join(t("said.sentences"));
}

/**
 * The number of tables, as people count them.
 * @param {number} count
 */
export const tablesText = (count) => t(count === 1 ? "lobby.one_table" : "lobby.count", { count });
