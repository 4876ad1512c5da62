// Ids of people and devices as they are shown: the beginning, with the whole id as the title.
import { make } from "/page/js/dom.js";

/**
 * An id, short enough to be read; other texts stay as they are.
 * @param {unknown} text
 */
export const shortId = (text) =>
  String(text).replace(/\b(person|remark|device|session)-([0-9a-f]{6})[0-9a-f]{26}\b/g, "$1 $2");

/**
 * An id in a page; nothing if there is none.
 * @param {string | null | undefined} id
 * @param {Page.Attributes} [attributes]
 */
export const idText = (id, attributes = {}) => (id ? make("code", { title: id, ...attributes }, shortId(id)) : "");

/**
 * The beginning of a hash, with the whole hash as its title.
 * @param {string} hash
 */
export const hashText = (hash) => make("code", { title: hash }, hash.slice(0, 12));
