// A table on the floor: its figures compared with theory, its pace, the state of its round, and its big road.
import { fill, make } from "/page/js/dom.js";
import { sum } from "/page/js/house.js";
import { settlesOwed } from "/page/js/owed.js";
import { PicturePlace, roadAddress } from "/page/js/picture.js";
import { timeOfSeconds } from "/page/js/time.js";
import { named, stoppedText, t } from "/page/js/words.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { witnessWaitText } from "/page/js/witness_wait.js";
import "/page/js/element/win-band.js";

const COLUMNS = 26,
  CELL = 8;

export class TableTile extends HTMLElement {
  /** @type {House.FloorTable} */
  table;
  chooser = make("button", { type: "button", class: "plain", onclick: () => this.choose() });
  tag = make("span", { class: "tag" });
  about = make("p", { class: "about quiet" });
  win = make("strong");
  others = make("dl");
  figures = make(
    "div",
    { class: "figures" },
    make("div", {}, make("span", { class: "key" }, t("floor.win")), this.win),
    this.others,
  );
  band = make("win-band");
  stopped = make("div", { class: "stopped", role: "status" });
  owed = make("div", { class: "owed", role: "status" });
  witness = make("div", { class: "owed", role: "status" });
  next = make("p", { class: "next" });
  road = make("div", { class: "road" });
  roadPlace = new PicturePlace((picture) => this.road.replaceChildren(...(picture ? [picture] : [])));
  where = make("span", { class: "where" });

  /**
   * Shows a table of the floor; `waits` are words for what waits there, `chosen` whether its orders are shown.
   * @param {House.FloorTable} table
   * @param {{ waits?: string, chosen?: boolean }} [how]
   */
  show(table, { waits = "", chosen = false } = {}) {
    this.table = table;
    if (!this.firstChild) this.build();
    const { card, figures, coming } = table;
    this.toggleAttribute("data-waits", Boolean(waits || table.stopped || table.program_stopped || table.witness_wait));
    this.chooser.setAttribute("aria-pressed", String(chosen));
    this.chooser.textContent = card.table;
    this.showTag(table, waits);
    this.about.textContent = t("floor.about_table", {
      edition: card.edition,
      limits: limitsOf(card),
      taken: card.seats - card.free.length,
      seats: card.seats,
    });
    this.figures.hidden = !figures;
    this.band.hidden = !figures?.deviation;
    if (figures) this.showFigures(figures, table);
    this.showStopped(table);
    this.showOwed(table);
    this.showWitnessWait(table);
    this.next.hidden = !coming;
    this.next.textContent = coming
      ? t(coming.holds ? "floor.rules_next_shoe" : "floor.rules_later", {
          edition: coming.edition,
          time: timeOfSeconds(coming.since),
        })
      : "";
    this.roadPlace.show(table.marks ? roadAddress("big_road", table.marks, { columns: COLUMNS, size: CELL }) : "");
    fill(this.where, JSON.stringify([card.shoe, card.round, figures?.away, figures?.within]), () => [
      t("floor.where", { shoe: card.shoe, round: card.round }),
      ...(figures?.away
        ? [make("br"), make("span", { class: figures.within ? "quiet" : "far" }, awayText(figures))]
        : []),
    ]);
  }

  build() {
    this.classList.add("panel", "tile");
    this.setAttribute("role", "article");
    this.append(
      make("header", {}, make("h2", {}, this.chooser), this.tag),
      this.about,
      this.stopped,
      this.owed,
      this.witness,
      this.figures,
      this.band,
      this.next,
      make("footer", {}, this.road, this.where),
    );
  }

  /**
   * @param {House.FloorTable} table
   * @param {string} waits
   */
  showTag({ card, stopped, program_stopped: isDown }, waits) {
    this.tag.className = `tag ${stopped || isDown || waits ? "held" : "live"}`;
    this.tag.textContent = stopped || isDown ? t("floor.stopped") : waits || named("step", card.step);
    this.tag.title = stopped;
  }

  /**
   * Why the table has stopped, and what it needs to continue.
   * @param {House.FloorTable} table
   */
  showStopped({ stopped, needs, program_stopped: isDown }) {
    this.toggleAttribute("data-stopped", Boolean(stopped || isDown));
    this.stopped.hidden = !stopped && !isDown;
    fill(this.stopped, JSON.stringify([stopped, needs, isDown]), () => [
      ...(isDown ? [make("b", {}, t("floor.program_stopped")), make("p", {}, t("floor.program_stopped_then"))] : []),
      ...(stopped ? [make("b", {}, t("floor.stopped_because", { why: stoppedText(stopped) }))] : []),
      ...needs.map(({ say, cites }) => make("p", {}, say, " ", clauseTags(cites))),
      make(
        "button",
        { type: "button", class: "button small", onclick: () => this.choose() },
        t("floor.what_can_be_done"),
      ),
    ]);
  }

  /**
   * What the corrected cards owe, which is settled before the game goes on.
   * @param {House.FloorTable} table
   */
  showOwed({ due }) {
    const lines = due.filter(({ name }) => settlesOwed(name)).map(({ say }) => say);
    this.owed.hidden = !lines.length;
    fill(this.owed, JSON.stringify(lines), () => lines.map((say) => make("p", {}, say)));
  }

  /**
   * For which witness the shoe waits.
   * @param {House.FloorTable} table
   */
  showWitnessWait({ witness_wait: wait }) {
    this.witness.hidden = !wait;
    fill(this.witness, JSON.stringify(wait), () => [make("p", {}, witnessWaitText(wait))]);
  }

  choose() {
    this.dispatchEvent(new CustomEvent("choose", { detail: this.table.card.table, bubbles: true }));
  }

  /**
   * @param {House.FloorBand} figures
   * @param {House.FloorTable} table
   */
  showFigures(figures, table) {
    this.win.textContent = dollars(figures.win);
    const rate = table.rounds_an_hour === null ? "–" : String(table.rounds_an_hour);
    const lines = [
      ["floor.drop", dollars(figures.drop)],
      ["floor.hold", figures.hold ? t("floor.percent", { value: figures.hold }) : "–"],
      ["floor.rate", rate],
    ];
    fill(this.others, JSON.stringify(lines), () =>
      lines.map(([key, value]) => make("div", {}, make("dt", {}, t(key)), make("dd", {}, value))),
    );
    if (figures.deviation) this.band.show(figures);
  }
}
customElements.define("table-tile", TableTile);

/**
 * A sum in whole dollars, to fit a tile.
 * @param {number} cents
 */
const dollars = (cents) => sum(Math.round(cents / 100) * 100, { short: true });
/** @param {House.FloorBand} figures */
const awayText = ({ away }) => t("floor.away", { value: away.startsWith("−") ? away : `+${away}` });

/** @param {House.TableCard} card */
const limitsOf = ({ stakes }) =>
  stakes ? t("floor.from_to", { min: sum(stakes.min, { short: true }), max: sum(stakes.max, { short: true }) }) : "–";
