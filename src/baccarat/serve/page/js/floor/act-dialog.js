// The dialog in which an act is filled in; a second person can approve a proposal there directly.
import { make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { named, t } from "/page/js/words.js";
import "/page/js/element/house-form.js";
import "/page/js/element/approval-card.js";

/**
 * What the user may do in a stream now.
 * @param {string} stream
 */
export const streamActs = async (stream) =>
  (await ask("GET", `/api/me/acts?stream=${encodeURIComponent(stream)}`)).acts;

/**
 * A dialog: `open(act, {values, tables})` shows the form of an act, `show` anything else, `proposed` a proposal that
 * waits; `changed` is called when something was done.
 * @param {() => void} changed
 */
export function actDialog(changed) {
  const title = make("h2"),
    body = make("div");
  const dialog = make("dialog", { class: "act-dialog", "aria-labelledby": "act-title" }, title, body);
  title.id = "act-title";
  document.body.append(dialog);
  const close = () => dialog.close();
  /**
   * @param {string} words
   * @param {{ isWide?: boolean }} how
   * @param {(Node | string)[]} content
   */
  const show = (words, { isWide = false }, ...content) => {
    title.textContent = words;
    body.replaceChildren(...content);
    dialog.classList.toggle("wide-dialog", isWide);
    if (!dialog.open) dialog.showModal();
  };
  /** @param {House.ProposalShown} proposal */
  const proposed = (proposal) => {
    const card = make("approval-card", {
      ondecided: () => {
        close();
        changed();
      },
    });
    body.replaceChildren(
      make("p", {}, t("floor.proposed")),
      card,
      make(
        "div",
        { class: "do" },
        make("button", { type: "button", class: "button", onclick: close }, t("floor.leave_it")),
      ),
    );
    dialog.classList.remove("wide-dialog");
    card.show(proposal, { who: "", role: "" });
  };
  /**
   * @param {House.OpenAct} act
   * @param {{ values?: Record<string, any>, tables?: string[] }} [options]
   */
  const open = (act, options = {}) => {
    const form = make("house-form", {
      onclosed: close,
      ondone: (event) => {
        changed();
        if (event.detail.proposal) proposed(event.detail.proposal);
        else close();
      },
    });
    form.show(act, options);
    show(named("act", act.name), {}, form);
  };
  return { open, show, proposed, close };
}
