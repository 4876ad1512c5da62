// What lies on the table, as the dealer sees it: both hands with their counts, cards that wait, vigorish boxes.
import { at, fill, make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { cardPicture } from "/page/js/picture.js";
import { named, t } from "/page/js/words.js";

const MOST_BOXES = 9; // as many as fit in a row

/**
 * @param {House.Side} side
 * @param {House.TableState} state
 * @param {Record<string, number>} counts
 */
function hand(side, { round }, counts) {
  const cards = round[side].map((position, index) =>
    make("span", { class: index === 2 ? "third" : null }, cardPicture(round.turned[position] ?? null)),
  );
  const slots = Array.from({ length: Math.max(0, 2 - cards.length) }, () => make("span", { class: "slot" }));
  const holder = round.holders?.[side];
  return make(
    "div",
    { class: "mini" },
    make(
      "div",
      { class: "mini-head" },
      make("span", { class: `disc ${side}`, "aria-hidden": "true" }, t(`dealer.letter_${side}`)),
      named("dealer.side", side),
      holder ? make("small", { class: "quiet" }, t("dealer.turned_by", { seat: holder })) : null,
      make("b", {}, counts[side] === undefined ? "" : String(counts[side])),
    ),
    make("div", { class: "mini-cards" }, cards, slots),
  );
}

/** @param {House.TableState} state */
function aside({ shoe }) {
  const seen = Object.values(shoe.disclosed ?? {}),
    waiting = [...(shoe.carried ?? []), ...(shoe.pending ?? [])];
  if (!seen.length && !waiting.length) return "";
  return make(
    "div",
    { class: "aside" },
    make("strong", {}, t("dealer.set_aside")),
    seen.map((card) => cardPicture(card)),
    waiting.map(() => cardPicture(null)),
  );
}

/** @param {House.Shoe} shoe */
function shoeWords(shoe) {
  const values = { number: shoe.number + 1, left: shoe.decks * 52 - shoe.next };
  if (!shoe.loaded) return t("dealer.shoe_number", values);
  return shoe.root ? t("dealer.shoe_electronic", values) : t("dealer.shoe_real", values);
}

/**
 * Shows hands and boxes of a view, with the counts and boxes of the table's work.
 * @param {House.TableView} view
 * @param {House.WorkShown} work
 */
export function showSight(view, work) {
  const { state } = view,
    { round, shoe } = state;
  fill(
    at("round"),
    JSON.stringify([
      round.number,
      round.player,
      round.banker,
      round.turned,
      round.holders,
      shoe.disclosed,
      shoe.carried,
      shoe.pending,
      shoe.next,
      shoe.decks,
      shoe.root,
      work.counts,
    ]),
    () => [
      make(
        "header",
        {},
        make("h2", {}, t("dealer.round", { number: round.number })),
        make("span", { class: "quiet" }, shoeWords(shoe)),
      ),
      make("div", { class: "minis" }, hand("player", state, work.counts), hand("banker", state, work.counts)),
      aside(state),
    ],
  );
  showBoxes(work);
}

/** @param {House.WorkShown} work */
function showBoxes({ boxes, settlement }) {
  at("boxes").hidden = !boxes;
  if (!boxes) return;
  const hot = settlement.find((line) => line.state === "now")?.seat ?? 0;
  const seats = Array.from({ length: boxes.seats }, (_, index) => index + 1);
  if (boxes.seat_one === "dealer_right") seats.reverse();
  at("boxes").style.setProperty(
    "--columns",
    String(boxes.seats > MOST_BOXES ? Math.ceil(boxes.seats / 2) : boxes.seats),
  );
  fill(at("boxes"), JSON.stringify([boxes, hot]), () => [
    make("header", {}, make("h2", {}, t("dealer.boxes")), clauseTags(boxes.cites)),
    make(
      "ol",
      {},
      seats.map((seat) =>
        make(
          "li",
          {
            class: seat === hot ? "hot" : null,
            "aria-label": t("dealer.box_of", { seat, sum: ((boxes.owed[seat] ?? 0) / 100).toFixed(2) }),
          },
          make("b", {}, String(seat)),
          make("span", {}, boxes.owed[seat] ? (boxes.owed[seat] / 100).toFixed(2) : "–"),
        ),
      ),
    ),
    make(
      "p",
      { class: "quiet" },
      t(`dealer.seat_one_${boxes.seat_one === "dealer_right" ? "right" : "left"}`),
      " ",
      clauseTags(boxes.seat_one_cites),
    ),
  ]);
}
