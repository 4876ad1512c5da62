// Pictures that the house draws: cards, chips, marks, felts and roads. A page combines them, and draws none itself.
import { shown } from "/page/js/dom.js";
import { settings } from "/page/js/settings.js";
import { language, listed, named, t } from "/page/js/words.js";

const SVG = "http://www.w3.org/2000/svg";
/** The version of the house's drawing: pictures that are requested with it are cached for ever. */
const DRAWING = 2;
const WRITTEN_OUT = ["player", "banker", "tie"];
/** @type {Record<string, string>} */
const ROAD_WORDS = {
  Banker: "table.banker",
  Player: "table.player",
  Tie: "table.tie_result",
  natural: "table.natural",
  red: "road.red",
  blue: "road.blue",
  "Banker pair": "road.banker_pair",
  "Player pair": "road.player_pair",
};
const MOST_CHIPS = 12,
  RISE = 9;

/**
 * An element of a picture.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, unknown>} [attributes]
 * @param {Page.Children} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function draw(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, String(value));
  made.append(...shown(children));
  return made;
}

/**
 * An address under which a picture may be cached for ever.
 * @param {string} address
 */
export const kept = (address) => `${address}${address.includes("?") ? "&" : "?"}drawing=${DRAWING}`;

/**
 * A picture of the house as an element of this page, so that the page's colours and listeners reach it.
 * @param {string} address
 */
export async function inlinePicture(address) {
  const answer = await fetch(kept(address), { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`no picture at ${address}: ${answer.status}`);
  const found = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  if (found.namespaceURI !== SVG || found.localName !== "svg") throw new Error(`no picture at ${address}`);
  const picture = /** @type {SVGSVGElement} */ (/** @type {Element} */ (document.importNode(found, true)));
  if (language !== "en" && picture.classList.contains("road")) nameRoad(picture);
  return picture;
}

/**
 * The house's English words about a road, in the reader's language; unknown words stay.
 * @param {Element} picture
 */
function nameRoad(picture) {
  /** @param {string} words */
  const part = (words) => {
    const [, ties, first] = /^(\d+) ties?( before the first result)?$/.exec(words) ?? [];
    if (ties) return t(first ? "road.ties_first" : "road.ties", { count: ties });
    return ROAD_WORDS[words] ? t(ROAD_WORDS[words]) : words;
  };
  for (const cell of picture.querySelectorAll(".cell")) {
    const [, round, words] = /^(?:Round (\d+): )?(.*)$/.exec(cell.getAttribute("aria-label") ?? "") ?? [];
    const said = listed([...(round ? [t("table.round", { round })] : []), ...words.split(", ").map(part)]);
    cell.setAttribute("aria-label", said);
    cell.querySelector("title")?.replaceChildren(said);
  }
  const [, road, count] = /^(.*), (\d+) rounds?$/.exec(picture.getAttribute("aria-label") ?? "") ?? [];
  if (road)
    picture.setAttribute(
      "aria-label",
      t("road.of_rounds", { road: named("road", road.toLowerCase().replaceAll(" ", "_")), count }),
    );
}

/**
 * Names on a felt in the reader's language: the hands and the tie as text, other wagers as tooltips.
 * @param {Element} picture
 * @param {Record<string, string>} [titles]
 */
export function nameFelt(picture, titles = {}) {
  if (language === "en") return;
  for (const area of picture.querySelectorAll(".area")) {
    const { on = "" } = area.dataset,
      isWritten = WRITTEN_OUT.includes(on);
    for (const text of area.querySelectorAll(isWritten ? "title, .p-area-name" : "title"))
      text.textContent = titles[on] ?? named("table.wager", on);
  }
  picture.setAttribute("aria-label", t("table.layout", { seats: picture.querySelectorAll(".seat").length }));
}

/** A place for a picture that changes: it shows the last one requested, in whichever order the answers come. */
export class PicturePlace {
  /**
   * `put` is called with each picture to be shown, or null for none.
   * @param {(picture: SVGSVGElement | null) => unknown} put
   */
  constructor(put) {
    this.put = put;
    this.address = "";
    /** @type {Promise<unknown>} */
    this.standing = Promise.resolve();
  }

  /**
   * Resolves once the picture is shown, however often it was requested; one that failed may be requested again.
   * @param {string} address
   */
  ask(address) {
    if (this.address !== address) {
      this.address = address;
      this.standing = this.bring(address);
    }
    return this.standing;
  }

  /**
   * The same without waiting: one that failed is requested again when it is next shown.
   * @param {string} address
   */
  show(address) {
    void this.ask(address).catch(() => {});
  }

  /** @param {string} address */
  async bring(address) {
    try {
      const picture = address ? await inlinePicture(address) : null;
      if (this.address !== address) return this.standing;
      return this.put(picture);
    } catch (error) {
      if (this.address === address) this.address = "";
      throw error;
    }
  }
}

/**
 * The symbols that are in the page or on their way, by their prefix.
 * @type {Map<string, Promise<SVGSVGElement>>}
 */
const sheets = new Map();

/**
 * Adds the symbols of a file to the page once, their ids with a prefix; what uses them is drawn as soon as they are
 * loaded.
 * @param {string} prefix
 * @param {string} address
 */
function sheet(prefix, address) {
  const known = sheets.get(prefix);
  if (known) return known;
  const waiting = inlinePicture(address)
    .then((found) => {
      for (const symbol of found.querySelectorAll("symbol")) symbol.id = `${prefix}-${symbol.id}`;
      for (const [key, value] of [
        ["class", "picture-sheet"],
        ["width", "0"],
        ["height", "0"],
      ])
        found.setAttribute(key, value);
      found.setAttribute("aria-hidden", "true");
      document.body.prepend(found);
      return found;
    })
    .catch((error) => {
      sheets.delete(prefix);
      throw error;
    });
  sheets.set(prefix, waiting);
  return waiting;
}

const decks = { 2: "/picture/deck.svg", 4: "/picture/deck-4.svg" };
const deckColours = () => (document.documentElement.dataset.suits === "four" ? 4 : 2);
/** Resolves once cards, chips and marks are in the page. */
export const picturesReady = () =>
  Promise.all([
    sheet("deck", decks[deckColours()]),
    sheet("chips", "/picture/chips.svg"),
    sheet("marks", "/picture/marks.svg"),
  ]);

/** The suits are in other colours from now on: every card on the page changes immediately. */
async function changeDeck() {
  const waiting = sheets.get("deck"),
    before = await waiting?.catch(() => null);
  if (sheets.get("deck") !== waiting) return; // superseded by a later choice
  sheets.delete("deck");
  before?.remove();
  await sheet("deck", decks[deckColours()]).catch((error) => console.error(error));
}
settings.addEventListener("change", (event) => {
  if (event instanceof CustomEvent && event.detail === "suits") void changeDeck();
});

/**
 * @param {string} prefix
 * @param {string} id
 * @param {{ view: string, name: string, label: string }} how
 */
function symbol(prefix, id, { view, name, label }) {
  void picturesReady().catch((error) => console.error(error));
  const spoken = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return draw("svg", { class: name, viewBox: view, ...spoken }, draw("use", { href: `#${prefix}-${id}` }));
}

/**
 * A card as the house writes it: "8s", or what a view holds, {rank, suit}; null is a card face down.
 * @param {Page.Card} card
 */
export const cardCode = (card) =>
  card === null || card === undefined ? null : typeof card === "string" ? card : `${card.rank}${card.suit}`;
/**
 * A card in words.
 * @param {Page.Card} card
 */
export const cardName = (card) => {
  const code = cardCode(card);
  return code === null
    ? t("card.down")
    : t("card.name", { rank: named("rank", code[0]), suit: named("suit", code[1]) });
};
/**
 * The id in this page of a card's symbol, for drawings that use it themselves.
 * @param {Page.Card} card
 */
export const cardSymbol = (card) => `deck-${cardCode(card) ?? "back"}`;
/**
 * A card, or its back for null; an empty label hides it from screen readers.
 * @param {Page.Card} card
 * @param {{ label?: string }} [how]
 */
export const cardPicture = (card, { label = cardName(card) } = {}) =>
  symbol("deck", cardCode(card) ?? "back", { view: "0 0 250 350", name: "card", label });

/**
 * A mark of a derived road: road "big_eye_boy", "small_road" or "cockroach_pig", colour "red" or "blue".
 * @param {string} road
 * @param {string} colour
 * @param {{ label?: string }} [how]
 */
export const markPicture = (road, colour, { label = "" } = {}) =>
  symbol("marks", `${road.replaceAll("_", "-")}-${colour}`, { view: "0 0 24 24", name: "mark", label });

/**
 * One chip of a value in cents, as in the tray.
 * @param {number} cents
 * @param {{ label?: string }} [how]
 */
export const chipPicture = (cents, { label = "" } = {}) =>
  symbol("chips", chipId(cents), { view: "0 0 100 100", name: "chip", label });
/** @param {number} cents */
const chipId = (cents) => (cents < 100 ? `coin-${cents}` : `chip-${cents / 100}`);

/**
 * @param {SVGSVGElement} sheetOfChips
 * @param {number} cents
 */
function chipsOf(sheetOfChips, cents) {
  const worth = [...sheetOfChips.querySelectorAll("symbol")]
    .map((each) => Number(each.dataset.cents))
    .sort((a, b) => b - a);
  const found = [];
  let left = cents;
  for (const each of worth) for (; left >= each && found.length < MOST_CHIPS; left -= each) found.push(each);
  return found;
}

/**
 * A stack of chips of a total value, around (0, 0), for use within another drawing; `radius` is a chip's.
 * It is empty until the chips are loaded.
 * @param {number} cents
 * @param {{ radius?: number }} [how]
 */
export function chipStackGroup(cents, { radius = 48 } = {}) {
  const group = draw("g", { class: "stack", "data-cents": cents });
  void sheet("chips", "/picture/chips.svg")
    .then((sheetOfChips) => {
      const scale = radius / 48;
      group.append(
        ...chipsOf(sheetOfChips, cents).map((each, level) =>
          draw("use", {
            href: `#chips-${chipId(each)}`,
            x: -50 * scale,
            y: (-50 - RISE * level) * scale,
            width: 100 * scale,
            height: 100 * scale,
          }),
        ),
      );
    })
    .catch((error) => console.error(error));
  return group;
}

/**
 * A stack of chips of a total value, as a picture of its own.
 * @param {number} cents
 * @param {{ label?: string }} [how]
 */
export function chipStack(cents, { label = "" } = {}) {
  const spoken = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  const picture = draw("svg", { class: "chips", viewBox: "-50 -50 100 100", ...spoken }, chipStackGroup(cents));
  void sheet("chips", "/picture/chips.svg")
    .then((sheetOfChips) => {
      const rise = RISE * Math.max(0, chipsOf(sheetOfChips, cents).length - 1);
      picture.setAttribute("viewBox", `-50 ${-50 - rise} 100 ${100 + rise}`);
    })
    .catch(() => {});
  return picture;
}

/**
 * The address of the picture of a road; `marks` as the house states them.
 * @param {string} road
 * @param {string} marks
 * @param {{ columns?: number, size?: number }} [how]
 */
export function roadAddress(road, marks, { columns = 0, size = 0 } = {}) {
  const asked = [columns && `columns=${columns}`, size && `size=${size}`].filter(Boolean).join("&");
  return `/picture/road/${road}/${encodeURIComponent(marks)}.svg${asked ? `?${asked}` : ""}`;
}
/**
 * The address of the felt of a rulebook.
 * @param {string} hash
 */
export const feltAddress = (hash) => `/picture/felt/${encodeURIComponent(hash)}.svg`;
