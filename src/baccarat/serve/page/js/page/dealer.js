// The dealer's console: the one next act with its key, and below it the work of that act. It knows no rules: acts,
// sums, calls, remedies and their order come from the house; a card or a number that is entered goes there.
import { cardLabel, filled } from "/page/js/dealer/label.js";
import { Correction, Irregular } from "/page/js/dealer/mending.js";
import { houseMoneyPanel, reliefPanel, seatsPanel, wagersPanel } from "/page/js/dealer/people.js";
import { proposalPanel } from "/page/js/dealer/proposals.js";
import { showSight } from "/page/js/dealer/sight.js";
import { Typed } from "/page/js/dealer/typed.js";
import { at, fill, keep, make } from "/page/js/dom.js";
import "/page/js/element/entry-form.js";
import { printed } from "/page/js/element/card-pad.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import "/page/js/element/draw-stay.js";
import "/page/js/element/next-act.js";
import "/page/js/element/pay-table.js";
import "/page/js/element/remedy-steps.js";
import { addressPart, ask, sum } from "/page/js/house.js";
import { cardName, cardPicture } from "/page/js/picture.js";
import { beside, shell } from "/page/js/shell.js";
import { TableSocket } from "/page/js/table_socket.js";
import { named, t } from "/page/js/words.js";

const name = addressPart(2);
const session = await shell({ page: "dealer", cards: true });
const LOOK_EVERY = 3000, LOCKED = 423;

class Desk {
  constructor() {
    Object.assign(this, { name, session, role: session.role, view: null, work: null, mode: null, proposals: [], scans: false, asked: 0, latest: null });
    this.keyed = new Map(); // cards that were entered and are not turned yet, by position
    this.outlook = null;
    this.form = make("entry-form", {});
    this.formOf = "";
    this.form.addEventListener("entered", () => this.entered());
    this.typed = new Typed({ take: (card) => this.takeCard(card), enter: (act) => this.do(act), clear: () => this.clearCard() });
    this.table = new TableSocket(name);
    this.table.addEventListener("change", (event) => this.changed(event.detail));
    this.table.addEventListener("link", () => this.showLink());
    at("act").addEventListener("do", () => this.typed.press(this.shown));
    document.addEventListener("keydown", (event) => this.keydown(event));
    at("content").addEventListener("click", (event) => { // whoever uses a pointer has the key of the act free again
      if (event.detail > 0) event.target.closest("button")?.blur();
    });
    at("content").addEventListener("input", () => at("answer").show(null)); // a refusal was of what stood there before
    setInterval(() => this.lookForOthers(), LOOK_EVERY);
  }

  // ---------------------------------------------------------------------------------------- from the house

  async changed(events) {
    this.view = this.table.view;
    for (const event of events) if (event.event === "table_cleared" || event.event === "shoe_loaded") this.keyed.clear();
    await this.refresh();
  }

  /** Asks for the work anew; where several changes come at once, the last one counts, and all wait for it. */
  refresh() {
    this.asked += 1;
    this.latest = this.ask(this.asked);
    return this.latest;
  }

  async ask(mine) {
    try {
      const work = await ask("GET", `/api/tables/${encodeURIComponent(name)}/work`);
      if (work.corrigible.length || this.proposals.length) await this.lookForProposals();
      if (mine !== this.asked) return this.latest;
      this.work = work; // and shown at once: a key that is pressed belongs to what is shown
      this.show();
      at("locked").replaceChildren();
    } catch (error) {
      if (error.status === LOCKED) this.showLocked();
      else at("answer").show(error);
    }
    return undefined;
  }

  /** A console that nobody used for a while is locked: whoever is signed on gives the password. */
  showLocked() {
    if (at("locked").childElementCount) return;
    const form = make("form", { class: "notice step-up" }, make("p", {}, t("dealer.locked")),
      make("label", { class: "field" }, t("dealer.second_password"), make("input", { name: "password", type: "password", required: true, maxlength: 1000, autocomplete: "current-password" })),
      make("button", { class: "button main" }, t("dealer.unlock")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const { password } = Object.fromEntries(new FormData(form));
      form.reset();
      await this.tried(() => ask("POST", "/api/session/unlock", { password }));
      await this.refresh();
    });
    at("locked").replaceChildren(form);
  }

  async lookForProposals() {
    const { proposals } = await ask("GET", `/api/proposals?stream=${encodeURIComponent(`table ${name}`)}`);
    this.proposals = proposals;
  }

  /** Others act elsewhere: a floorperson comes, a proposal is declined. */
  async lookForOthers() {
    if (!this.work || document.hidden || this.typed.isBusy) return;
    if (this.proposals.length || this.work.floor_called || this.role !== "dealer") await this.refresh();
  }

  async lookAhead(command) {
    return ask("POST", `/api/tables/${encodeURIComponent(name)}/outlook`, command).catch((error) => ({ refused: { say: error.message, cites: [] } }));
  }

  // ------------------------------------------------------------------------------------------- to the house

  /** Sends a command, and shows why where it is refused; whether it was done. */
  async send(command) {
    const said = await this.table.do(command);
    at("answer").show(said.type === "done" ? null : said);
    await this.refresh();
    return said.type === "done";
  }

  async tried(work) {
    try {
      await work();
      at("answer").show(null);
      await this.lookForProposals();
      return true;
    } catch (error) {
      at("answer").show(error);
      return false;
    }
  }

  async decide(work) {
    await this.tried(work);
    await this.refresh();
  }

  async callFloor() {
    await this.decide(() => ask(this.work.floor_called ? "DELETE" : "POST", `/api/tables/${encodeURIComponent(name)}/floor-call`));
  }

  // --------------------------------------------------------------------------------------------- the act

  /** The act that must be done; at a table that has stopped the one by which it goes on. */
  get act() {
    return this.work?.acts.find((act) => !act.is_optional || this.work.stopped) ?? null;
  }

  /** What makes an act the same one. */
  get identity() {
    const { act } = this;
    return JSON.stringify([this.mode?.constructor.name, this.comesOn, act?.command, act?.position, act?.seat, act?.say]);
  }

  get wantsCard() {
    return !this.comesOn && Boolean(this.act?.fields.some((field) => field.kind === "card"));
  }

  get card() {
    return this.keyed.get(this.act?.position) ?? null;
  }

  /** Whether this dealer has yet to come on a game that nobody else is on. */
  get comesOn() {
    const { dealers } = this.work;
    return this.role === "dealer" && dealers.length === 1 && dealers[0].is_nobody;
  }

  /** Does the act that is next; not another than the one that was shown when its key was pressed. */
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
    if (act && !this.isComplete) at("answer").show(this.wantsCard ? this.outlook?.refused ?? { say: t("dealer.card_first") } : this.form.pointOut());
    if (!act || !this.isComplete) return;
    const position = this.wantsCard ? act.position : null, entered = this.wantsCard ? { card: this.card } : this.form.entered;
    if (await this.send({ ...act.command, ...entered }) && position !== null) this.keyed.delete(position);
  }

  get isComplete() {
    if (!this.act) return false;
    if (this.wantsCard) return this.card !== null && !this.outlook?.refused;
    return !this.act.fields.length || this.form.isComplete;
  }

  /** A card was pressed, typed or scanned. A scanning shoe says each card as it leaves: the card is drawn with it. */
  async takeCard(card) {
    if (this.mode?.key) {
      await this.mode.key(card);
      return;
    }
    const { act } = this;
    if (this.wantsCard) {
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
    if (this.wantsCard) this.keyed.delete(this.act.position);
    this.outlook = null;
    this.show();
  }

  async lookAtCard() {
    const { act, card } = this;
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

  // ---------------------------------------------------------------------------------------------- the keys

  keydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.work) return;
    const isField = event.target.closest?.("input:not([type=checkbox]), textarea, select");
    if (event.key === "Escape") this.leave();
    else if (event.key === "Enter") this.enter(event);
    else if (isField) return;
    else if (event.key === "Backspace") this.typed.back();
    else if ((this.cardsAreWanted && this.typed.key(event)) || this.shortcut(event.key.toLowerCase())) event.preventDefault();
  }

  get cardsAreWanted() {
    return this.mode ? Boolean(this.mode.chosen?.fields.some((field) => field.kind === "card")) : this.wantsCard || this.scans || this.typed.isBusy;
  }

  enter(event) {
    const on = event.target.closest?.("button, a, summary, form");
    if (event.repeat || (on && !on.classList.contains("go") && !on.classList.contains("key"))) return;
    event.preventDefault();
    this.typed.press(this.shown);
  }

  shortcut(key) {
    const found = this.others().find((other) => other.key === key);
    if (found) found.act();
    return Boolean(found);
  }

  // --------------------------------------------------------------------------------------------- on the page

  enterMode(mode) {
    this.mode = this.mode?.constructor === mode.constructor ? null : mode;
    at("answer").show(null);
    this.show();
  }

  leave() {
    this.mode = null;
    this.show();
  }

  others() {
    const mode = (key, text, made) => ({ key, text, isOn: this.mode instanceof made, act: () => this.enterMode(new made(this)) });
    const called = this.work?.floor_called;
    return [
      mode("i", t("dealer.irregularity"), Irregular),
      { key: "f", text: (called ? t("dealer.floor_called") : t("dealer.call_floor")), isOn: Boolean(called), act: () => this.callFloor() },
      this.wantsCard && !this.mode ? { key: "", sign: "⌫", text: t("dealer.clear_card"), isOn: false, act: () => this.typed.back() } : mode("k", t("dealer.correct"), Correction),
      mode("l", t("dealer.relief"), Relief),
      mode("b", t("dealer.seats"), Seats),
      { key: "n", text: t("dealer.scanner"), isOn: this.scans, act: () => { this.scans = !this.scans; this.show(); } },
    ];
  }

  show() {
    if (!this.work || !this.view) return;
    this.showSteps();
    this.showNotices();
    this.prepareForm();
    this.showAct();
    this.showWork();
    showSight(this.view, this.work);
    this.showOthers();
  }

  showSteps() {
    fill(at("steps"), JSON.stringify(this.work.steps), () => this.work.steps.map((step) => make("li", { class: step.state, "aria-current": step.state === "now" ? "step" : null }, named("dealer.step", step.name))));
  }

  showNotices() {
    const isOn = this.work.dealers.some((dealer) => dealer.is_you), { round } = this.view.state;
    const notices = [
      this.work.stopped ? t("dealer.stopped", { why: this.work.stopped }) : null,
      this.role === "dealer" && !isOn && !this.comesOn ? t("dealer.not_on_the_game") : null,
      round.kind === "simulated" ? t("dealer.simulated_round") : round.kind === "free hand" ? t("dealer.free_hand") : null,
      this.view.state.shoe.is_last ? t("dealer.last_hand") : null,
    ].filter(Boolean);
    fill(at("notices"), JSON.stringify([notices, isOn]), () => notices.map((text) => make("p", { class: "notice" }, text)));
  }

  /** The fields of an act are asked for once, and stay as they were filled in while the table changes. */
  prepareForm() {
    const { act } = this, summary = act && !this.wantsCard ? JSON.stringify([act.command, act.fields]) : "";
    if (summary !== this.formOf) {
      this.formOf = summary;
      if (summary) this.form.ask(act.fields, { names: (field, value) => (field.name === "position" ? cardLabel(this.view.state, value) : String(value)) });
    }
    if (this.outlook && (this.outlook.position !== act?.position || this.outlook.card !== this.card)) this.outlook = null;
    if (this.wantsCard && this.card && !this.outlook && this.lookedAt !== `${act.position}${this.card}`) {
      this.lookedAt = `${act.position}${this.card}`;
      this.lookAtCard();
    }
  }

  showAct() {
    this.shown = this.identity;
    const { act, work } = this, mends = work.remedy_ahead.length > 0;
    if (this.mode?.act) at("act").show(this.mode.act());
    else if (this.comesOn) at("act").show({ head: t("dealer.nobody_on_the_game"), label: t("dealer.come_on"), follows: act?.say ?? work.waiting[0]?.say });
    else if (act) {
      const label = filled(named("dealer.act", act.what), { number: (act.position ?? 0) + 1, seat: act.seat });
      const shownSum = this.wantsCard ? (this.card ? printed(this.card) : "") : act.amount ? sum(act.amount) : "";
      at("act").show({
        head: this.mendingStep(mends) + (act.calls.length ? t("dealer.say_aloud") : act.say), cites: act.cites, calls: act.calls, label, sum: shownSum,
        follows: this.wantsCard ? this.outlook?.follows : act.follows, can: this.isComplete, warns: mends,
        instead: this.insteadButtons(),
      });
    } else {
      const waiting = work.waiting[0];
      at("act").show({ head: waiting ? t("dealer.waiting_for", { who: this.whoIs(waiting) }) : t("dealer.nothing_due"), cites: waiting?.cites, follows: waiting?.say, warns: mends, instead: this.insteadButtons() });
    }
    this.speak();
  }

  /** Which step of a remedy this is, where one goes on. */
  mendingStep(mends) {
    if (!mends) return "";
    const { remedy_done: done, remedy_ahead: ahead } = this.work;
    return `${t("dealer.mending_step", { step: done.length + 1, of: done.length + ahead.length })} · `;
  }

  whoIs(waiting) {
    return waiting.seat ? t("dealer.seat", { seat: waiting.seat }) : named("role", waiting.by);
  }

  insteadButtons() {
    const choices = this.work.choices.map((choice) => make("p", { class: "choice-open" }, choice.say));
    return choices.concat(this.work.acts.filter((act) => act.is_optional && !act.fields.length).map((act) => make("button", {
      class: "button", type: "button", onclick: () => this.send(act.command),
    }, filled(named("dealer.act", act.what), { number: (act.position ?? 0) + 1, seat: act.seat }))));
  }

  /** What a screen reader says: the call, or the act. */
  speak() {
    const { act } = this, waiting = this.work.waiting[0];
    const text = act ? (act.calls.join(", ") || act.say) : waiting?.say ?? "";
    if (at("spoken").textContent !== text) at("spoken").textContent = text;
  }

  showWork() {
    const parts = this.mode ? this.mode.panels() : this.workOfTheAct();
    const waiting = this.proposals.map((proposal) => [`proposal ${proposal.id}`, [proposal, this.work.corrigible], () => proposalPanel(proposal, this)]);
    keep(at("work"), [...waiting, ...parts.filter(Boolean)]);
  }

  /** The parts of the work as [name, what it is made from, how]; one that is made from the same stays as it is. */
  workOfTheAct() {
    const { work, act, card, outlook } = this, { step, round, seats } = this.view.state;
    return [
      this.wantsCard && ["card", [act, card, outlook, work.ruled], () => this.cardPanel()],
      act?.fields.length && !this.wantsCard && !this.comesOn && ["form", [act.command, act.fields], () => this.formPanel()],
      work.house_money.length && ["house money", work.house_money, () => houseMoneyPanel(work)],
      work.settlement.length && step === "settle" && ["settlement", work.settlement, () => this.settlement()],
      (work.remedy_done.length || work.remedy_ahead.length) && ["remedy", [work.remedy_done, work.remedy_ahead], () => this.remedy()],
      work.ruled && !this.wantsCard && step !== "settle" && ["ruled", work.ruled, () => this.ruled(work.ruled)],
      step === "wager" && ["wagers", [round.wagers, round.spoken, seats.participants], () => wagersPanel(this)],
    ];
  }

  formPanel() {
    return make("section", { class: "panel" }, make("header", {}, make("h2", {}, t("dealer.enter_this"))), make("div", { class: "asked" }, this.form));
  }

  settlement() {
    const made = make("pay-table", { class: "pays" });
    made.show(this.work.settlement, this.work.settlement_cites);
    return made;
  }

  ruled(found) {
    const made = make("draw-stay", {});
    made.show(found);
    return made;
  }

  remedy() {
    const steps = make("remedy-steps", {});
    steps.show(this.work.remedy_done, this.work.remedy_ahead);
    return make("section", { class: "panel remedy" }, make("header", {}, make("h2", {}, t("dealer.remedy"))), steps);
  }

  cardPanel() {
    const { act, card, outlook } = this;
    this.pad ??= make("card-pad", {});
    if (!this.padListens) {
      this.padListens = true;
      this.pad.addEventListener("key", (event) => this.typed.add({ card: event.detail }));
    }
    this.pad.choose(card);
    return make("section", { class: "panel pad" },
      make("header", {}, make("h2", {}, t("dealer.what_shows", { number: act.position + 1 })), make("span", { class: "quiet" }, t("dealer.type_rank_suit"), " ", make("kbd", {}, "8"), " ", make("kbd", {}, "S"))),
      this.pad, make("footer", {}, card ? this.keyedCard(card, outlook) : make("p", { class: "soft" }, act.say)));
  }

  keyedCard(card, outlook) {
    const after = outlook?.counts ?? {};
    const side = this.view.state.round.player.includes(this.act.position) ? "player" : this.view.state.round.banker.includes(this.act.position) ? "banker" : "";
    const count = side && after[side] !== undefined ? t("dealer.count_then", { side: named("dealer.side", side), count: after[side] }) : "";
    const ruledBefore = new Set(this.work.ruled?.hands.map((hand) => hand.side) ?? []);
    const soon = (outlook?.ruled?.hands ?? []).filter((hand) => !ruledBefore.has(hand.side));
    return [
      make("div", { class: "keyed" }, cardPicture(card), make("div", {}, make("strong", {}, cardName(card)), make("span", { class: "soft" }, count))),
      outlook?.refused ? make("p", { class: "refused" }, outlook.refused.say, " ", clauseTags(outlook.refused.cites)) : null,
      ...soon.map((hand) => make("p", { class: "soon" }, make("b", { class: `verdict ${hand.act}` }, t("dealer.verdict", { side: named("dealer.side", hand.side), act: named("dealer.hand", hand.act) })), make("span", {}, hand.say), clauseTags(hand.cites))),
    ];
  }

  showOthers() {
    fill(at("others"), JSON.stringify(this.others().map(({ key, text, isOn, sign }) => [key, text, isOn, sign])), () => this.others().map(({ key, text, isOn, sign, act }) => make("button", {
      class: "button", type: "button", "aria-pressed": String(isOn), onclick: act,
    }, text, make("kbd", { "aria-hidden": "true" }, sign ?? key.toUpperCase()))));
  }

  showLink() {
    const isOpen = this.table.socket?.readyState === WebSocket.OPEN;
    beside(make("a", { class: isOpen ? "tag live" : "tag held", href: "/dealer" }, name), isOpen ? "" : make("span", { role: "status" }, t("dealer.lost")));
  }
}

class Relief {
  constructor(desk) { this.desk = desk; }
  panels() { return [["relief", this.desk.work.dealers, () => reliefPanel(this.desk)]]; }
}

class Seats {
  constructor(desk) { this.desk = desk; }
  panels() {
    const { round, seats } = this.desk.view.state, taken = seats.participants.map((seat) => seat.taken);
    return [["seats", taken, () => seatsPanel(this.desk)], ["wagers", [round.wagers, round.spoken, seats.participants], () => wagersPanel(this.desk)]];
  }
}

at("title").textContent = t("dealer.title", { name });
document.title = `${t("dealer.title", { name })} · baccarat`;
beside(make("a", { class: "tag held", href: "/dealer" }, name));
if (["dealer", "floorperson", "casino supervisor", "pit boss"].includes(session.role)) new Desk();
else at("notices").replaceChildren(make("p", { class: "notice" }, (session.practice ? t("dealer.visit_as_dealer") : t("dealer.sign_on_as_dealer"))));
