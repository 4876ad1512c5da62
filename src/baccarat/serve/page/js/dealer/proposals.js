// What waits for a second person at this table, who approves it here, or gives name and password.
import { make } from "/page/js/dom.js";
import { filled } from "/page/js/dealer/label.js";
import { proposalWords } from "/page/js/element/approval-card.js";
import { ask } from "/page/js/house.js";
import { secondWindow } from "/page/js/second_window.js";
import { listed, named, t } from "/page/js/words.js";

/**
 * @template {"approval" | "refusal" | "step-up"} What
 * @param {House.ProposalShown} proposal
 * @param {What} what
 */
const path = (proposal, what) =>
  /** @type {`/api/proposals/${string}/${What}`} */ (`/api/proposals/${encodeURIComponent(proposal.id)}/${what}`);

/**
 * @param {House.ProposalShown} proposal
 * @param {Page.Desk} desk
 */
function stepUp(proposal, desk) {
  const form = make(
    "form",
    { class: "step-up" },
    make(
      "label",
      { class: "field" },
      t("dealer.second_name"),
      make("input", { name: "name", required: true, maxlength: 200, autocomplete: "off" }),
    ),
    make(
      "label",
      { class: "field" },
      t("dealer.second_password"),
      make("input", { name: "password", type: "password", required: true, maxlength: 1000, autocomplete: "off" }),
    ),
    make("button", { class: "button main" }, t("dealer.approve_here")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = new FormData(form),
      [name, password] = [String(given.get("name")), String(given.get("password"))];
    form.reset();
    desk.tried(() =>
      ask("POST", path(proposal, "step-up"), { seen: proposal.hash, name, password, role: proposal.approvers[0] }),
    );
  });
  return make("details", {}, make("summary", {}, t("dealer.second_is_here")), form);
}

/**
 * A proposal that the user made or may decide on.
 * @param {House.ProposalShown} proposal
 * @param {Page.Desk} desk
 */
export function proposalPanel(proposal, desk) {
  const isOwn = proposal.proposer === desk.session.who,
    may = proposal.approvers.includes(desk.role) && !isOwn;
  /** @param {"approval" | "refusal"} what */
  const decide = (what) => desk.tried(() => ask("POST", path(proposal, what), { seen: proposal.hash }));
  const state = isOwn
    ? t("dealer.waits_for", { role: listed(proposal.approvers.map((role) => named("role", role))) })
    : t("dealer.proposed_by", { role: named("role", proposal.role) });
  return make(
    "section",
    { class: "panel proposal" },
    make(
      "header",
      {},
      make("h2", {}, filled(named("dealer.proposal", proposal.act))),
      make("span", { class: "tag held" }, state),
    ),
    make(
      "div",
      { class: "hint" },
      proposalWords(proposal),
      make("p", { class: "quiet" }, t("dealer.hash"), " ", make("code", {}, proposal.hash.slice(0, 12))),
      make(
        "div",
        { class: "row" },
        proposal.may_approve
          ? make(
              "button",
              { class: "button main", type: "button", onclick: () => decide("approval") },
              t("dealer.approve"),
            )
          : null,
        isOwn || may
          ? make(
              "button",
              { class: "button", type: "button", onclick: () => decide("refusal") },
              isOwn ? t("dealer.withdraw") : t("dealer.decline"),
            )
          : null,
      ),
      isOwn ? (desk.session.practice ? secondWindow(proposal.approvers) : stepUp(proposal, desk)) : null,
    ),
  );
}
