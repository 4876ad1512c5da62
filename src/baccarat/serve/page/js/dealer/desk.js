// The dealer's desk: what the house says of the table and of its work, and what is sent to it. It knows no rules: acts,
// sums, calls, remedies and their order come from the house, which is sent the cards and numbers that are entered.
import { showDesk } from "/page/js/dealer/showing.js";
import { Keys } from "/page/js/dealer/keys.js";
import { lock } from "/page/js/dealer/lock.js";
import { showAct } from "/page/js/dealer/shown_act.js";
import { Typed } from "/page/js/dealer/typed.js";
import { at, make } from "/page/js/dom.js";
import "/page/js/element/entry-form.js";
import { ask } from "/page/js/house.js";
import { HouseLine } from "/page/js/house_line.js";
import { TableSocket } from "/page/js/table_socket.js";
import { t, toldProblem } from "/page/js/words.js";

const LOCKED = 423;

export class Desk {
  /**
   * The table and its work, as soon as they have come.
   * @type {House.TableView}
   */
  view;
  /** @type {House.WorkShown} */
  work;
  /** @type {Page.Mode | null} */
  mode = null;
  /** @type {House.ProposalShown[]} */
  proposals = [];
  scans = false;
  /**
   * Cards that were entered and are not turned yet, by position.
   * @type {Map<number | null | undefined, string>}
   */
  keyed = new Map();
  /** @type {Page.Outlook | null} */
  outlook = null;
  /** The card that was last looked at, with its position. */
  lookedAt = "";
  /**
   * What is shown, as `identity` says it.
   * @type {string | null}
   */
  shown = null;
  /** The act whose fields are shown. */
  formOf = "";
  /** @type {import("/page/js/element/card-pad.js").CardPad | null} */
  pad = null;

  /** @param {{ name: string, session: House.Welcome, linked: (table: TableSocket) => void }} about */
  constructor({ name, session, linked }) {
    this.name = name;
    this.session = session;
    this.role = session.role;
    this.here = /** @type {const} */ (`/api/tables/${encodeURIComponent(name)}`);
    this.form = make("entry-form", {});
    this.form.addEventListener("entered", () => this.entered());
    this.typed = new Typed({
      take: (card) => this.takeCard(card),
      enter: (act) => this.do(act),
      clear: () => this.clearCard(),
    });
    this.keys = new Keys(this);
    this.table = new TableSocket(name, { words: "work" });
    this.table.addEventListener("change", (event) => this.changed(event.detail));
    this.table.addEventListener("link", () => linked(this.table));
    this.line = new HouseLine(); // others act elsewhere: a proposal is made, approved, declined
    this.line.addEventListener("change", ({ detail }) => {
      if (detail.has("proposals")) this.proposed(this.line.get("proposals") ?? []);
    });
    for (const each of [this.table, this.line]) {
      each.addEventListener("link", () => {
        if (each.denied?.status === LOCKED) lock(this, true);
      });
    }
    at("act").addEventListener("do", () => this.typed.press(this.shown));
  }

  // ---------------------------------------------------------------------------------------- from the house

  /**
   * The table has changed, or its work: they come together, and are shown immediately: a key that is pressed refers to
   * what is shown.
   * @param {House.TableEvent[]} events
   */
  changed(events) {
    if (!this.table.view) return;
    [this.view, this.work] = [this.table.view, this.table.words];
    for (const event of events)
      if (event.event === "table_cleared" || event.event === "shoe_loaded") this.keyed.clear();
    this.show();
    lock(this, false);
  }

  /**
   * The proposals of the house: those at this table are shown.
   * @param {House.ProposalShown[]} proposals
   */
  proposed(proposals) {
    this.proposals = proposals.filter(({ stream }) => stream === `table ${this.name}`);
    this.show();
  }

  async askForProposals() {
    this.proposed((await ask("GET", `/api/proposals?stream=${encodeURIComponent(`table ${this.name}`)}`)).proposals);
  }

  /**
   * @param {Record<string, any>} command
   * @returns {Promise<Page.Outlook>}
   */
  async lookAhead(command) {
    return ask("POST", `${this.here}/outlook`, command).catch((error) => ({
      refused: { event: "", ...toldProblem(error), cites: [] },
    }));
  }

  // ------------------------------------------------------------------------------------------- to the house

  /**
   * Sends a command, and shows why if it is refused; returns whether it was done.
   * @param {House.Command} command
   */
  async send(command) {
    const said = await this.table.do(command);
    at("answer").show(said.type === "done" ? null : said);
    return said.type === "done";
  }

  /** @param {() => Promise<unknown>} work */
  async tried(work) {
    try {
      await work();
      at("answer").show(null);
      await this.askForProposals();
      return true;
    } catch (error) {
      at("answer").show(error);
      return false;
    }
  }

  async callFloor() {
    await this.tried(() => ask(this.work.floor_called ? "DELETE" : "POST", `${this.here}/floor-call`));
  }

  // --------------------------------------------------------------------------------------------- the act

  /** The act that must be done; at a stopped table the one that makes it continue. */
  get act() {
    return this.work?.acts.find((act) => !act.is_optional || this.work.stopped) ?? null;
  }

  /** What makes an act the same one. */
  get identity() {
    const { act } = this;
    return JSON.stringify([
      this.mode?.constructor.name,
      this.comesOn,
      act?.command,
      act?.position,
      act?.seat,
      act?.say,
    ]);
  }

  get wantsCard() {
    return !this.comesOn && Boolean(this.act?.fields.some((field) => field.kind === "card"));
  }

  get card() {
    return this.keyed.get(this.act?.position) ?? null;
  }

  /** Whether the user is here to deal. */
  get deals() {
    return this.session.can.includes("deal");
  }

  /** Whether this dealer has yet to come on a game that nobody else is on. */
  get comesOn() {
    const { dealers } = this.work;
    return this.deals && dealers.length === 1 && dealers[0].is_nobody;
  }

  /**
   * Does the next act, only if it is the one that was shown when its key was pressed.
   * @param {string | null} [shown]
   */
  async do(shown = null) {
    if (!this.work || (shown !== null && shown !== this.identity)) return;
    if (this.mode?.do) {
      await this.mode.do();
      return;
    }
    if (this.comesOn) {
      await this.send({ do: "come_on", instead_of: this.work.dealers[0].who });
      return;
    }
    const { act } = this;
    if (act && !this.isComplete)
      at("answer").show(
        this.wantsCard ? (this.outlook?.refused ?? { say: t("dealer.card_first") }) : this.form.pointOut(),
      );
    if (!act || !this.isComplete) return;
    const position = this.wantsCard ? act.position : null,
      entered = this.wantsCard ? { card: this.card } : this.form.entered;
    const command = /** @type {House.Command} */ ({ ...act.command, ...entered });
    if ((await this.send(command)) && position !== null) this.keyed.delete(position);
  }

  get isComplete() {
    if (!this.act) return false;
    if (this.wantsCard) return this.card !== null && !this.outlook?.refused;
    return !this.act.fields.length || this.form.isComplete;
  }

  /**
   * A card was pressed, typed or scanned. A scanning shoe reports each card as it leaves: this also draws the card.
   * @param {string} card
   */
  async takeCard(card) {
    if (this.mode?.key) {
      await this.mode.key(card);
      return;
    }
    const { act } = this;
    if (act && this.wantsCard) {
      at("answer").show(null);
      this.keyed.set(act.position, card);
      await this.lookAtCard();
      if (this.scans && this.isComplete) await this.do();
    } else if (this.scans && act?.command.do === "draw_card") {
      this.keyed.set(act.position, card);
      await this.do();
    }
  }

  clearCard() {
    if (this.wantsCard) this.keyed.delete(this.act?.position);
    this.outlook = null;
    this.show();
  }

  async lookAtCard() {
    const { act, card } = this;
    if (!act) return;
    this.lookedAt = `${act.position}${card}`; // before it is shown: that looks at a card that was keyed ahead
    this.show();
    if (card === null) return;
    const found = await this.lookAhead({ ...act.command, card });
    if (this.act?.position !== act.position || this.card !== card) return;
    this.outlook = { ...found, position: act.position, card };
    this.show();
  }

  entered() {
    if (!this.wantsCard) this.showAct();
  }

  showAct() {
    showAct(this);
  }

  show() {
    if (this.work && this.view) showDesk(this);
  }

  // ------------------------------------------------------------------------------------------------- other acts

  /** @param {Page.Mode} mode */
  enterMode(mode) {
    this.mode = this.mode?.constructor === mode.constructor ? null : mode;
    at("answer").show(null);
    this.show();
  }

  leave() {
    this.mode = null;
    this.show();
  }
}
