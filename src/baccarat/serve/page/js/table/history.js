// The last rounds of a table, each with a link to its page.
import { make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { t } from "/page/js/words.js";

const SHOWN = 8;

/**
 * @param {string} name
 * @param {{ shoe: number, round: number }} of
 */
export const roundAddress = (name, { shoe, round }) => `/round/${encodeURIComponent(name)}/${shoe}/${round}`;

let asked = 0;

/**
 * Shows the last rounds; the latest request counts.
 * @param {HTMLElement} element
 * @param {string} name
 */
export async function showHistory(element, name) {
  const mine = ++asked,
    { rounds } = await ask("GET", `/api/tables/${encodeURIComponent(name)}/rounds?limit=${SHOWN}`);
  if (mine !== asked) return;
  /** @param {House.RoundCard} played */
  const line = (played) => {
    const { outcome, player, banker, kind } = played.result;
    const words = outcome ? t(`round.won_${outcome}`) : t("round.no_result");
    return make(
      "li",
      {},
      make(
        "a",
        { href: roundAddress(name, played) },
        outcome
          ? make("span", { class: `disc ${outcome}`, "aria-hidden": "true" }, outcome[0].toUpperCase())
          : make("span", { class: "disc none", "aria-hidden": "true" }, "–"),
        make("span", { class: "which" }, t("round.of_shoe", { round: played.round, shoe: played.shoe })),
        make("span", {}, player && banker ? t("round.counts", { player: player.count, banker: banker.count }) : words),
        kind !== "wagered" ? make("span", { class: "tag" }, kind) : null,
      ),
    );
  };
  element.replaceChildren(
    make("header", {}, make("h2", {}, t("round.history"))),
    rounds.length ? make("ol", {}, rounds.map(line)) : make("p", { class: "quiet" }, t("round.none_yet")),
  );
}
