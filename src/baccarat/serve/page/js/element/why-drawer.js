// Why: the question of the moment and the clauses that answer it, in our words; the row of the tableau; the user's
// slip.
import { fill, make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { sum } from "/page/js/house.js";
import { language, lawText, named, t, told } from "/page/js/words.js";

const NO_CARD = 10,
  MOST_WORDS = 4;

/** @param {string} clause */
function lawLine(clause) {
  const { text, lang } = lawText(clause);
  return make("p", { class: "spoken", lang }, text);
}

export class WhyDrawer extends HTMLElement {
  question = make("h2", { tabindex: -1 }, t("why.waiting"));
  body = make("div", { class: "answer", tabindex: 0, role: "group", "aria-label": t("why.our_words") });

  connectedCallback() {
    if (this.firstChild) return;
    this.append(make("header", {}, this.question, make("span", { class: "quiet" }, t("why.our_words"))), this.body);
  }

  /**
   * moment: what the house says of it; titles: the names of wagers; own: the user's seat; round: its number.
   * @param {House.SpokenMoment} moment
   * @param {{ titles: Record<string, string>, own: number, round: number }} about
   */
  show(moment, { titles, own, round }) {
    const asked = language === "en" || !moment.topic ? moment.question : named("why.topic", moment.topic);
    this.question.textContent = asked || t("why.nothing");
    const read = lawText(Object.values(moment.clauses)[0]?.say[0] ?? "").lang; // the clauses may be read only later
    fill(this.body, JSON.stringify([moment.question, moment.rulings, moment.tableau, moment.lines, own, read]), () => [
      ...this.rulings(moment),
      own
        ? this.slip(
            moment.lines.filter((line) => line.seat === own),
            titles,
            round,
          )
        : "",
    ]);
  }

  /**
   * Each answer with its clauses, the tableau next to the answer that it gives; the text of a clause is where it is
   * first named.
   * @param {House.SpokenMoment} moment
   */
  rulings({ rulings, clauses, tableau }) {
    const shown = new Set(),
      [first, ...others] = rulings.map((ruling) => {
        const { cites } = ruling,
          say = told(ruling);
        const words = [...new Set(cites.flatMap((cite) => clauses[cite]?.say ?? []))]
          .filter((text) => !shown.has(text))
          .slice(0, MOST_WORDS);
        for (const text of words) shown.add(text);
        return make(
          "li",
          {},
          make("p", {}, say ? make("strong", {}, say) : null, say ? " " : null, clauseTags(cites)),
          words.map((text) => lawLine(text)),
        );
      });
    /** @param {Node[]} items */
    const list = (items) => make("ol", { class: "rulings" }, items);
    return tableau ? [list([first]), this.tableau(tableau), list(others)] : [list([first, ...others])];
  }

  /**
   * The rows that depend on the Player's third card; the one that rules now is highlighted.
   * @param {House.TableauCell} tableau
   */
  tableau({ rows, banker, third }) {
    const columns = Array.from({ length: NO_CARD }, (_, value) => value);
    const head = make(
      "tr",
      {},
      make("td", {}),
      columns.map((value) => make("th", { scope: "col", class: value === third ? "hit" : null }, String(value))),
    );
    const body = rows.map((row) =>
      make(
        "tr",
        { class: row.banker === banker ? "row" : null },
        make("th", { scope: "row" }, String(row.banker)),
        columns.map((value) =>
          make(
            "td",
            {
              class: `${row.acts[value]}${row.banker === banker && value === third ? " hit" : ""}`,
            },
            row.acts[value] ? t(`why.${row.acts[value]}`) : "",
          ),
        ),
      ),
    );
    return make(
      "figure",
      { class: "tableau" },
      make("figcaption", {}, t("why.tableau")),
      make("table", {}, make("thead", {}, head), make("tbody", {}, body)),
    );
  }

  /**
   * @param {House.WagerLine[]} lines
   * @param {Record<string, string>} titles
   * @param {number} round
   */
  slip(lines, titles, round) {
    if (!lines.length) return "";
    /** @param {House.WagerLine} line */
    const row = (line) => [
      make(
        "tr",
        {},
        make("td", {}, `${titles[line.on] ?? line.on} ${sum(line.stake)}`),
        make("td", {}, t(`why.${line.result}`), " ", clauseTags(line.cites.slice(0, 2))),
        make(
          "td",
          { class: "sum" },
          line.result === "win" ? sum(line.win, { sign: true }) : line.result === "lose" ? sum(-line.stake) : sum(0),
        ),
      ),
      line.vigorish
        ? make(
            "tr",
            {},
            make("td", {}, t("why.vigorish")),
            make("td", {}),
            make("td", { class: "sum" }, sum(-line.vigorish)),
          )
        : null,
    ];
    return make(
      "section",
      { class: "slip" },
      make("h3", {}, t("why.slip", { round })),
      make("table", {}, make("tbody", {}, lines.flatMap(row))),
    );
  }
}
customElements.define("why-drawer", WhyDrawer);
