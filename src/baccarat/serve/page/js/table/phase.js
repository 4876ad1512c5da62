// What is going on at a table, in a few words that are counted down between two answers of the house.
import { t } from "/page/js/words.js";

/**
 * What the house says of a table, with the time at which no more wagers are accepted.
 * @param {House.LobbyTable} now
 * @returns {Page.News}
 */
export const heardNow = (now) => ({
  ...now,
  until: now.closes_in === null ? null : performance.now() + now.closes_in * 1000,
});

/**
 * How many seconds are left for wagers; null if no time is running.
 * @param {Page.News} now
 */
export const secondsLeft = ({ until }) =>
  until === null || until === undefined ? null : Math.max(0, Math.ceil((until - performance.now()) / 1000));

/**
 * The phase of a table in words.
 * @param {Page.News} now
 */
export function phaseText(now) {
  const seconds = now.phase === "open" ? secondsLeft(now) : null;
  return !seconds ? t(`lobby.phase_${now.phase}`) : t("lobby.phase_closing", { seconds });
}
