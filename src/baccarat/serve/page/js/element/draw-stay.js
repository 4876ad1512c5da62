// Draw or stay: what the tableau rules of each hand with its clauses, and the cell that decides the Banker's.
import { make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { named, t, toldOf } from "/page/js/words.js";

export class DrawStay extends HTMLElement {
  /**
   * Shows the rulings, and the grid of the Banker's rows; both as the server states them.
   * @param {House.DrawOrStay} work
   */
  show({ hands, grid }) {
    this.classList.add("panel");
    this.replaceChildren(
      make(
        "header",
        {},
        make("h2", {}, t("dealer.draw_or_stay")),
        make("span", { class: "quiet" }, t("dealer.as_ruled")),
      ),
      make(
        "ol",
        { class: "ruled" },
        hands.map((hand) =>
          make(
            "li",
            {},
            make(
              "b",
              { class: `verdict ${hand.act}` },
              t("dealer.verdict", { side: named("dealer.side", hand.side), act: named("dealer.hand", hand.act) }),
            ),
            make("span", {}, toldOf(hand)),
            clauseTags(hand.cites),
          ),
        ),
      ),
      grid ? make("figure", {}, make("figcaption", {}, t("dealer.tableau")), this.grid(grid)) : "",
    );
  }

  /** @param {House.Grid} grid */
  grid({ rows, count, third }) {
    const columns = Object.values(rows)[0].map((_, value) => value);
    const head = make(
      "tr",
      {},
      make("td", {}),
      columns.map((value) => make("th", { scope: "col", class: value === third ? "hit" : null }, String(value))),
    );
    const body = Object.entries(rows).map(([held, acts]) => {
      const isRow = Number(held) === count;
      return make(
        "tr",
        { class: isRow ? "here" : null },
        make("th", { scope: "row" }, held),
        acts.map((act, value) =>
          make(
            "td",
            {
              class: `${act}${isRow && value === third ? " hit" : ""}`,
              "aria-current": isRow && value === third ? "true" : null,
            },
            named("dealer.tableau", act),
          ),
        ),
      );
    });
    return make("table", { class: "tableau" }, make("thead", {}, head), make("tbody", {}, body));
  }
}
customElements.define("draw-stay", DrawStay);
