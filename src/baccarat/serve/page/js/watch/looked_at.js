// What surveillance of one table shows: the table, the shoe, the film of its round, and the position in it.
import { addressPart } from "/page/js/house.js";

export const name = addressPart(2);
export const table = /** @type {const} */ (`/api/tables/${encodeURIComponent(name)}`),
  stream = encodeURIComponent(`table ${name}`);

/** @type {Page.Watched} */
export const now = {
  title: "",
  shoes: 0,
  shoe: null,
  film: null,
  earlier: null,
  stop: null,
  without: new Set(),
  clause: "",
  found: null,
  link: "",
  playing: 0,
};
export const isLive = () => now.stop === null && now.found === null;
export const stopAt = () => (now.film ? (now.stop ?? now.film.stops.length - 1) : -1);
export const lineAt = () => (now.film ? now.film.lines[now.film.stops[stopAt()]] : undefined);
