// An act that waits for a second person: what it leads to, who asked, and who may approve it.
import { make } from "/page/js/dom.js";
import { ask, sum } from "/page/js/house.js";
import { cardCode, cardName } from "/page/js/picture.js";
import { secondWindow, visitorsCome } from "/page/js/second_window.js";
import { shortId } from "/page/js/id_text.js";
import { timeOf } from "/page/js/time.js";
import { named, t, told } from "/page/js/words.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import "/page/js/element/answer-line.js";

/** @param {string[]} roles */
export const rolesText = (roles) => roles.map((role) => named("role", role)).join(t("floor.or"));

export class ApprovalCard extends HTMLElement {
  answer = make("answer-line");
  /** @type {House.ProposalShown} */
  proposal;

  /**
   * Shows a proposal; `who` is the user's name, `role` the user's capacity.
   * @param {House.ProposalShown} proposal
   * @param {{ who: string, role: House.Role | "" }} user
   */
  show(proposal, { who, role }) {
    this.proposal = proposal;
    this.classList.toggle("own", proposal.own);
    this.answer.show(null);
    const time = timeOf(proposal.made_at);
    const asker = proposal.own ? t("floor.you") : proposal.proposer_name || named("role", proposal.role);
    this.replaceChildren(
      make(
        "div",
        { class: "who" },
        make("b", {}, placeOf(proposal)),
        make("span", {}, t("floor.asked_at", { who: asker, time })),
      ),
      make("p", { class: "act" }, named("act", proposal.act)),
      ...proposalWords(proposal),
      proposal.refused
        ? make(
            "p",
            { class: "notice" },
            t("floor.would_be_refused"),
            " ",
            told(proposal.refused),
            " ",
            clauseTags(proposal.refused.cites),
          )
        : "",
      this.standing(who, role),
      this.answer,
    );
  }

  /**
   * What the user can do about it.
   * @param {string} who
   * @param {House.Role | ""} role
   */
  standing(who, role) {
    const { proposal } = this;
    const decline = make(
      "button",
      { type: "button", class: "button", onclick: () => this.decide("refusal") },
      t(proposal.own ? "floor.withdraw" : "floor.decline"),
    );
    if (proposal.may_approve) {
      const approve = make(
        "button",
        {
          type: "button",
          class: "button main",
          disabled: Boolean(proposal.refused),
          onclick: () => this.decide("approval"),
        },
        t("floor.approve_as", { who: who || named("role", role) }),
      );
      return make("div", { class: "do" }, approve, decline);
    }
    const say = t(proposal.own ? "floor.own_needs" : "floor.needs", { roles: rolesText(proposal.approvers) });
    const beSecond = proposal.own ? secondWindow(proposal.approvers) : "";
    const step = make("button", { type: "button", class: "button", onclick: () => this.stepUp() }, t("floor.step_up"));
    return make(
      "div",
      {},
      make("p", { class: "quiet small" }, say),
      proposal.refused ? "" : beSecond,
      make("div", { class: "do" }, proposal.refused || visitorsCome() ? "" : step, proposal.own ? decline : ""),
    );
  }

  /** @param {"approval" | "refusal"} how */
  async decide(how) {
    await this.send(`/api/proposals/${this.proposal.id}/${how}`, { seen: this.proposal.hash });
  }

  /** Another person approves here, by name and password; no session is made. */
  stepUp() {
    const { proposal } = this;
    const role = make(
      "select",
      { name: "role" },
      proposal.approvers.map((each) => new Option(named("role", each), each)),
    );
    const form = make(
      "form",
      {
        class: "step-up",
        onsubmit: (event) => {
          event.preventDefault();
          const given = Object.fromEntries(new FormData(form));
          void this.send(`/api/proposals/${proposal.id}/step-up`, { seen: proposal.hash, ...given });
        },
      },
      make(
        "label",
        { class: "field" },
        t("floor.their_name"),
        make("input", { name: "name", required: true, maxlength: 200, autocomplete: "off" }),
      ),
      make(
        "label",
        { class: "field" },
        t("floor.their_password"),
        make("input", { name: "password", type: "password", required: true, maxlength: 1000, autocomplete: "off" }),
      ),
      make("label", { class: "field" }, t("floor.their_role"), role),
      make("button", { class: "button main" }, t("floor.approve_here")),
    );
    this.answer.before(form);
    this.toggleAttribute("data-open", true);
    /** @type {HTMLInputElement} */ (form.elements.namedItem("name")).focus();
  }

  /**
   * @param {`/api/proposals/${string}/${"approval" | "refusal" | "step-up"}`} path
   * @param {any} body
   */
  async send(path, body) {
    try {
      await ask("POST", path, body);
      this.dispatchEvent(new CustomEvent("decided", { bubbles: true }));
    } catch (error) {
      this.answer.show(error);
    }
  }
}
customElements.define("approval-card", ApprovalCard);

/**
 * What a proposal says, in the words of the house: the same on the floor and at the dealer's console.
 * @param {House.ProposalShown} proposal
 */
export const proposalWords = (proposal) => (proposal.corrects ? correction(proposal) : outcome(proposal));

/**
 * What a proposal would lead to.
 * @param {House.ProposalShown} proposal
 */
function outcome({ leads_to: events, command }) {
  return events.length
    ? events.map((each) => make("p", {}, told(each), " ", clauseTags(each.cites)))
    : [make("p", {}, wordsOf(command))];
}

/**
 * A correction: what was recorded, what is right, and why; then what else follows from it.
 * @param {House.ProposalShown} proposal
 */
function correction({ corrects, command, leads_to: [first, ...more] }) {
  const right = command.card
    ? t("floor.right_card", { card: cardName(cardCode(command.card)) })
    : t(command.amount < 0 ? "floor.right_less" : "floor.right_more", {
        seat: command.seat,
        amount: sum(Math.abs(command.amount)),
      });
  return [
    make("p", { class: "soft" }, t("floor.recorded", { say: corrects ? told(corrects) : "" })),
    make("p", { class: "right" }, command.meter ? wordsOf(command) : right, " ", clauseTags(first?.cites ?? [])),
    command.reason ? make("p", {}, t("floor.because", { reason: command.reason })) : "",
    ...more.map((each) => make("p", {}, told(each), " ", clauseTags(each.cites))),
  ];
}

/**
 * The place of an act: the table, or the book with the table that it names.
 * @param {House.ProposalShown} proposal
 */
function placeOf({ stream, command }) {
  const [kind, ...name] = stream.split(" ");
  if (kind === "table") return name.join(" ");
  return command.table ?? named("book", kind) + (name.length ? ` ${name.join(" ")}` : "");
}

/**
 * A command in plain words, if the house has no sentence for it.
 * @param {Record<string, any>} command
 */
function wordsOf(command) {
  return Object.entries(command)
    .filter(([key]) => key !== "do")
    .map(([key, value]) => `${named("field", key)}: ${valueOf(key, value)}`)
    .join(" · ");
}

/**
 * @param {string} key
 * @param {any} value
 * @returns {string}
 */
function valueOf(key, value) {
  if (value?.chips)
    return (
      Object.entries(value.chips)
        .map(([worth, many]) => `${many} × ${sum(Number(worth), { short: true })}`)
        .join(", ") || sum(0)
    );
  if (value !== null && typeof value === "object")
    return Object.entries(value)
      .map(([name, each]) => `${named("field", name)} ${valueOf(name, each)}`)
      .join(", ");
  return key === "amount" ? sum(value) : shortId(value);
}
