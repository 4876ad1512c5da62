// The roads of a shoe with its counts and the ask road, as the house draws them.
import { make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { markPicture, PicturePlace, roadAddress } from "/page/js/picture.js";
import { t } from "/page/js/words.js";

const ROADS = {
  bead_plate: [7, 22],
  big_road: [22, 17],
  big_eye_boy: [12, 10],
  small_road: [12, 10],
  cockroach_pig: [12, 10],
};
const DERIVED = ["big_eye_boy", "small_road", "cockroach_pig"];

export class RoadBoard extends HTMLElement {
  stats = make("ul", { class: "stats" });
  figures = Object.fromEntries(Object.keys(ROADS).map((road) => [road, make("div", { class: "road-box" })]));
  places = Object.fromEntries(
    Object.entries(this.figures).map(([road, box]) => [
      road,
      new PicturePlace((picture) => picture && box.replaceChildren(picture)),
    ]),
  );
  asked = Object.fromEntries(["banker", "player"].map((hand) => [hand, make("span", { class: "asked" })]));
  shows = 0;

  connectedCallback() {
    if (this.firstChild) return;
    /** @param {string} road */
    const figure = (road) =>
      make(
        "figure",
        { class: road.replaceAll("_", "-") },
        this.figures[road],
        make("figcaption", {}, t(`road.${road}`)),
      );
    this.append(
      make("header", {}, make("h2", {}, t("road.roads")), this.stats),
      make(
        "div",
        { class: "roads" },
        figure("bead_plate"),
        make(
          "div",
          { class: "ask" },
          make("h3", {}, t("road.ask")),
          make(
            "ul",
            {},
            Object.entries(this.asked).map(([hand, marks]) =>
              make(
                "li",
                {},
                make("span", { class: `disc ${hand}`, "aria-hidden": "true" }, hand[0].toUpperCase()),
                make("span", { class: "if" }, t(`road.if_${hand}`)),
                marks,
              ),
            ),
          ),
          make("p", { class: "quiet" }, t("road.foretells_nothing")),
        ),
        figure("big_road"),
        ...DERIVED.map(figure),
      ),
    );
  }

  /**
   * Shows the roads of a table's shoe in play; the old pictures stay until the new ones are loaded. The latest request
   * counts.
   * @param {string} name
   */
  async show(name) {
    const mine = ++this.shows,
      found = await ask("GET", `/api/tables/${encodeURIComponent(name)}/roads`);
    if (mine !== this.shows) return;
    this.count(found.statistics);
    for (const [hand, marks] of Object.entries(this.asked)) {
      marks.replaceChildren(
        ...DERIVED.map((road) =>
          found.ask[hand][road]
            ? markPicture(road, found.ask[hand][road], {
                label: t("road.would_be", { road: t(`road.${road}`), colour: t(`road.${found.ask[hand][road]}`) }),
              })
            : make("span", { class: "no-mark" }, "–"),
        ),
      );
    }
    await Promise.all(
      Object.entries(ROADS).map(([road, [columns, size]]) =>
        this.places[road].ask(roadAddress(road, found.marks, { columns, size })),
      ),
    );
  }

  /** @param {Record<string, number>} statistics */
  count(statistics) {
    /** @param {string} hand */
    const disc = (hand) => make("span", { class: `disc ${hand}`, "aria-hidden": "true" }, hand[0].toUpperCase());
    /**
     * @param {Node} sign
     * @param {number} number
     * @param {string} label
     */
    const item = (sign, number, label) =>
      make("li", { title: label }, sign, make("span", { class: "unseen" }, label), String(number));
    this.stats.replaceChildren(
      ...["banker", "player", "tie"].map((hand) => item(disc(hand), statistics[hand], t(`road.count_${hand}`))),
      item(
        make("span", { class: "pair banker", "aria-hidden": "true" }),
        statistics.banker_pair,
        t("road.banker_pairs"),
      ),
      item(
        make("span", { class: "pair player", "aria-hidden": "true" }),
        statistics.player_pair,
        t("road.player_pairs"),
      ),
      item(make("span", { class: "natural", "aria-hidden": "true" }, "N"), statistics.natural, t("road.naturals")),
    );
  }
}
customElements.define("road-board", RoadBoard);
