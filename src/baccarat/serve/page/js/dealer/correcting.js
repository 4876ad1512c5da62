// What has gone wrong: pick what happened, see the remedy with its clauses, report it; or correct an entry by two.
import { make } from "/page/js/dom.js";
import { cardLabel, filled } from "/page/js/dealer/label.js";
import "/page/js/element/entry-form.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import "/page/js/element/remedy-steps.js";
import { ask, commandId } from "/page/js/house.js";
import { listed, named, t, told, toldFollows } from "/page/js/words.js";

/**
 * @param {House.TableState} state
 * @returns {(field: House.InputField, value: any) => string}
 */
const fieldName = (state) => (field, value) =>
  field.name === "position" ? cardLabel(state, value) : named("dealer.side", value);

/**
 * A list of choices next to a panel with the fields and the outcome of the chosen one.
 * @template {Page.Choice} Chosen
 */
class Choosing {
  /** @param {Page.Desk} desk */
  constructor(desk) {
    this.desk = desk;
    /** @type {Chosen | null} */
    this.chosen = null;
    /** @type {Page.Outlook | null} */
    this.outlook = null;
    /** @type {Promise<void> | undefined} */
    this.looking = undefined;
    this.form = make("entry-form", {});
    this.steps = make("remedy-steps", {});
    this.line = make("answer-line", {});
    this.form.addEventListener("entered", () => this.look());
    this.asked = 0;
  }

  get command() {
    return /** @type {House.Command} */ ({ ...this.chosen?.command, ...this.form.entered });
  }

  /** @param {Chosen} each */
  choose(each) {
    this.chosen = each;
    this.outlook = null;
    this.form.ask(each.fields, { names: fieldName(this.desk.view.state) });
    this.desk.show();
    const input = this.form.querySelector("input");
    if (input && !this.form.pad) input.focus();
    // so that the next key is a card, or the key of the act
    else /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
    this.look();
  }

  /**
   * The table has changed: what was chosen is gone, or asks for something else now.
   * @param {Chosen | null} now
   */
  follow(now) {
    if (
      !this.chosen ||
      (now && JSON.stringify([now.command, now.fields]) === JSON.stringify([this.chosen.command, this.chosen.fields]))
    )
      return;
    this.chosen = now;
    this.outlook = null;
    if (!now) return;
    this.form.ask(now.fields, { names: fieldName(this.desk.view.state) });
    this.look();
  }

  /** The outcome of the command, as soon as it is complete. Acting waits for it. */
  look() {
    this.asked += 1;
    this.looking = this.lookOnce(this.asked);
    return this.looking;
  }

  /**
   * @param {number} mine
   * @returns {Promise<void>}
   */
  async lookOnce(mine) {
    this.outlook = null;
    if (this.form.isComplete) {
      const found = await this.desk.lookAhead(this.command);
      if (mine !== this.asked) return this.looking;
      this.outlook = found;
    }
    this.line.show(this.outlook?.refused ?? null);
    this.steps.show(this.outlook?.events?.filter((event) => event.event !== "step") ?? [], this.outlook?.ahead ?? [], {
      wouldBe: true,
    });
    this.desk.showAct();
    return undefined;
  }

  /** Says what is still to be entered, if that is why nothing can be done yet. */
  pointOut() {
    const missing = this.chosen ? this.form.pointOut() : null;
    if (missing) this.line.show(missing);
  }

  get isReady() {
    return Boolean(this.outlook && !this.outlook.refused);
  }

  /** @param {string} card */
  async key(card) {
    if (!this.chosen?.fields.some((field) => field.kind === "card")) return;
    this.form.set("card", card);
    await this.looking;
  }

  /**
   * @param {string} title
   * @param {[each: Chosen, words: string, note: string][]} items
   * @param {[act: () => void, words: string, note: string, cites: string[]][]} [more]
   */
  list(title, items, more = []) {
    /**
     * @param {() => void} act
     * @param {string} words
     * @param {string} note
     * @param {string[]} cites
     * @param {string | null} pressed
     */
    const button = (act, words, note, cites, pressed) =>
      make(
        "li",
        {},
        make(
          "button",
          { type: "button", "aria-pressed": pressed, onclick: act },
          make("span", {}, words, note ? make("em", {}, note) : null),
          clauseTags(cites, { plain: true }),
        ),
      );
    return make(
      "section",
      { class: "panel what" },
      make("header", {}, make("h2", {}, title)),
      make(
        "ul",
        {},
        items.map(([each, words, note]) =>
          button(() => this.choose(each), words, note, each.cites, String(each === this.chosen)),
        ),
        more.map(([act, words, note, cites]) => button(act, words, note, cites, null)),
      ),
    );
  }

  /**
   * @param {HTMLElement} list
   * @param {string} head
   * @param {Node[]} more
   */
  beside(list, head, ...more) {
    return make(
      "div",
      { class: "correcting" },
      list,
      make(
        "section",
        { class: "panel remedy" },
        make("header", {}, make("h2", {}, head)),
        this.chosen
          ? make("div", { class: "asked" }, this.form)
          : make("p", { class: "soft hint" }, t("dealer.choose_left")),
        make("div", { class: "hint" }, this.line),
        this.steps,
        more,
      ),
    );
  }
}

/** @extends {Choosing<House.ReportableIrregularity>} */
export class Irregular extends Choosing {
  /** @returns {Page.Part[]} */
  panels() {
    const { irregularities } = this.desk.work;
    this.follow(irregularities.find((each) => each.what === this.chosen?.what) ?? null);
    return [["irregular", [irregularities, this.chosen], () => this.panel(irregularities)]];
  }

  /** @param {House.ReportableIrregularity[]} irregularities */
  panel(irregularities) {
    /** @type {[House.ReportableIrregularity, string, string][]} */
    const items = irregularities.map((each) => {
      const same = this.chosen?.what === each.what ? this.chosen : each;
      return [
        same,
        filled(named("dealer.irregular", each.what)),
        each.by.includes(this.desk.role) ? "" : t("dealer.by_role", { role: named("role", each.by[0]) }),
      ];
    });
    const elected = (this.chosen?.elected ?? []).map((each) =>
      make(
        "p",
        { class: "elected" },
        t("dealer.elected"),
        " ",
        make("code", {}, `${each.option} = ${JSON.stringify(each.value)}`),
      ),
    );
    return this.beside(
      this.list(t("dealer.what_happened"), items, this.corrections()),
      t("dealer.remedy"),
      make("div", { class: "hint" }, elected),
    );
  }

  /**
   * A wrong entry is not reported but corrected, by two persons.
   * @returns {[act: () => void, words: string, note: string, cites: string[]][]}
   */
  corrections() {
    const { corrigible } = this.desk.work;
    return [...new Set(corrigible.map((each) => each.command.do))].map((act) => [
      () => this.desk.enterMode(new Correction(this.desk, act)),
      named("dealer.irregular", act),
      t("dealer.second_person"),
      corrigible.find((each) => each.command.do === act)?.cites ?? [],
    ]);
  }

  act() {
    if (!this.chosen) return { head: t("dealer.what_happened"), warns: true };
    const mine = this.chosen.by.includes(this.desk.role);
    return {
      head: filled(named("dealer.irregular", this.chosen.what)),
      cites: this.chosen.cites,
      warns: true,
      label: mine ? t("dealer.report") : "",
      follows: mine
        ? toldFollows(this.outlook ?? undefined)
        : t("dealer.tell_role", { role: named("role", this.chosen.by[0]) }),
      can: this.isReady,
    };
  }

  async do() {
    await this.looking;
    if (!this.isReady) this.pointOut();
    if (!this.chosen || !this.isReady) return;
    if (await this.desk.send(this.command)) this.desk.leave();
  }
}

/** @extends {Choosing<House.CorrigibleShown>} */
export class Correction extends Choosing {
  /**
   * @param {Page.Desk} desk
   * @param {string} [only]
   */
  constructor(desk, only = "") {
    super(desk);
    this.only = only;
  }

  /** @returns {Page.Part[]} */
  panels() {
    const corrigible = this.desk.work.corrigible.filter((each) => !this.only || each.command.do === this.only);
    this.follow(
      corrigible.find(
        (each) => each.number === this.chosen?.number && each.command.seat === this.chosen?.command.seat,
      ) ?? null,
    );
    return [["correct", [corrigible, this.chosen], () => this.panel(corrigible)]];
  }

  /** @param {House.CorrigibleShown[]} corrigible */
  panel(corrigible) {
    /** @type {[House.CorrigibleShown, string, string][]} */
    const items = corrigible.map((each) => {
      const same =
        this.chosen?.number === each.number && this.chosen.command.seat === each.command.seat ? this.chosen : each;
      return [same, told(each), each.command.seat ? t("dealer.seat", { seat: each.command.seat }) : ""];
    });
    return this.beside(
      this.list(t("dealer.which_entry"), items),
      t("dealer.correction"),
      make("p", { class: "soft hint" }, t("dealer.two_persons")),
    );
  }

  act() {
    const second = listed(this.chosen?.seconds.map((role) => named("role", role)) ?? []);
    return {
      head: this.chosen ? told(this.chosen) : t("dealer.which_entry"),
      cites: this.chosen?.cites,
      warns: true,
      label: this.chosen ? t("dealer.propose") : "",
      follows: this.chosen ? t("dealer.then_approves", { role: second }) : "",
      can: this.isReady,
    };
  }

  async do() {
    await this.looking;
    if (!this.isReady) this.pointOut();
    if (!this.chosen || !this.isReady) return;
    const body = { stream: `table ${this.desk.name}`, command: this.command };
    if (await this.desk.tried(() => ask("POST", "/api/proposals", body, { "Idempotency-Key": commandId() })))
      this.desk.leave();
  }
}
