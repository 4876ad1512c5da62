// A correction, picked from lists: the round, what was recorded in it, and what is right; a second person approves it.
import { Correction } from "/page/js/dealer/correcting.js";
import { keep, make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { named, t, toldProblem } from "/page/js/words.js";

/** The acts that are picked in this way. */
export const PICKED = new Set(["correct_card", "correct_payment"]);

/** What the list of entries needs from a desk: the entries of the chosen round, and where they are shown. */
class RoundDesk {
  /** @type {Correction} */
  mode;

  /**
   * @param {Page.FloorPage} here
   * @param {string} act
   * @param {House.TableCard} card
   */
  constructor(here, act, card) {
    this.here = here;
    this.act = act;
    this.name = card.table;
    this.role = here.session.role;
    /** @type {any} */
    this.view = { state: {} };
    /** @type {{ corrigible: House.CorrigibleShown[] }} */
    this.work = { corrigible: [] };
    this.round = "";
    this.path = /** @type {const} */ (`/api/tables/${encodeURIComponent(card.table)}`);
    this.list = make("div", { class: "entries" });
    this.follows = make("p", { class: "quiet small" });
    this.button = make(
      "button",
      { type: "button", class: "button main", onclick: () => void this.mode.do() },
      t("dealer.propose"),
    );
  }

  /**
   * Shows the entries of a round.
   * @param {string} round
   */
  async choose(round) {
    this.round = round;
    const { entries } = await ask("GET", `${this.path}/rounds/${round}/corrigible`);
    if (this.round !== round) return; // another was chosen meanwhile
    this.work = { corrigible: entries };
    this.mode = new Correction(/** @type {Page.Desk} */ (/** @type {unknown} */ (this)), this.act);
    this.show();
  }

  get isEmpty() {
    return !this.work.corrigible.some((each) => each.command.do === this.act);
  }

  show() {
    /** @type {Page.Part} */
    const nothing = ["nothing", "", () => make("p", { class: "soft" }, t("floor.nothing_to_correct"))];
    keep(this.list, this.isEmpty ? [nothing] : this.mode.panels());
    this.button.hidden = this.isEmpty;
    this.showAct();
  }

  showAct() {
    const { follows, label } = this.mode.act();
    this.follows.textContent = follows ?? "";
    this.button.disabled = !label;
  }

  /**
   * @param {Record<string, any>} command
   * @returns {Promise<Page.Outlook>}
   */
  lookAhead(command) {
    return ask("POST", `${this.path}/outlook`, command).catch((error) => ({
      refused: { event: "", ...toldProblem(error) },
    }));
  }

  /**
   * Proposes it, and shows the waiting proposal; errors are shown where it was entered.
   * @param {() => Promise<any>} propose
   */
  async tried(propose) {
    try {
      this.here.dialog.proposed(await propose());
      void this.here.refresh();
    } catch (error) {
      this.mode.line.show(error);
    }
    return false;
  }
}

/**
 * The rounds of the shoe in play, the last one first, each with who won.
 * @param {`/api/tables/${string}`} path
 * @param {House.TableCard} card
 */
async function roundChoice(path, { shoe, round }) {
  const { rounds } = await ask("GET", `${path}/shoes/${shoe}`);
  const over = rounds.toReversed().filter((each) => each.round !== round);
  return make(
    "select",
    {},
    new Option(t("floor.round_now", { round }), String(round)),
    over.map(
      (each) =>
        new Option(
          t("floor.round_over", { round: each.round, outcome: named("watch.outcome", each.result.outcome || "none") }),
          String(each.round),
        ),
    ),
  );
}

/**
 * Opens the dialog in which an entry of the chosen table is corrected.
 * @param {Page.FloorPage} here
 * @param {House.OpenAct} act
 */
export async function openCorrection(here, act) {
  const card = here.floor.tables.find((table) => table.card.table === here.table)?.card;
  if (!card) return;
  const desk = new RoundDesk(here, act.act, card),
    choice = await roundChoice(desk.path, card);
  const refused = make("answer-line"),
    chosen = () =>
      desk.choose(choice.value).then(
        () => refused.show(null),
        (error) => refused.show(error),
      );
  choice.addEventListener("change", chosen);
  await desk.choose(choice.value);
  if (desk.isEmpty && choice.options.length > 1) {
    choice.selectedIndex = 1; // nothing to correct in this round yet: the error is in the one before
    await desk.choose(choice.value);
  }
  here.dialog.show(
    t("floor.correct_at", { act: named("act", act.act), table: card.table }),
    { isWide: true },
    make("label", { class: "field" }, t("floor.which_round"), choice),
    refused,
    desk.list,
    desk.follows,
    make(
      "div",
      { class: "do" },
      desk.button,
      make("button", { type: "button", class: "button", onclick: here.dialog.close }, t("floor.cancel")),
    ),
  );
}
