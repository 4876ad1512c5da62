// What is shown when the house does not answer: since when, or that the console is locked; if a session is over, the
// page is left.
import { make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { comeAnew } from "/page/js/shell.js";
import { shownTime } from "/page/js/time.js";
import { t } from "/page/js/words.js";
import "/page/js/element/answer-line.js";

const NOBODY = 401,
  LOCKED = 423;

/**
 * Unlocks a console with the password of the person who is signed on.
 * @param {() => void} again
 */
function unlocking(again) {
  const said = make("answer-line"),
    password = make("input", {
      type: "password",
      name: "password",
      required: true,
      maxlength: 1000,
      autocomplete: "current-password",
    });
  const form = make(
    "form",
    {
      class: "fields",
      onsubmit: async (event) => {
        event.preventDefault();
        try {
          await ask("POST", "/api/session/unlock", { password: password.value });
          dialog.remove();
          again();
        } catch (error) {
          said.show(error);
        }
      },
    },
    make("p", {}, t("floor.locked_about")),
    make("label", { class: "field" }, t("floor.your_password"), password),
    said,
    make("div", { class: "do" }, make("button", { class: "button main" }, t("floor.unlock"))),
  );
  const dialog = make(
    "dialog",
    { class: "act-dialog", id: "locked", oncancel: (event) => event.preventDefault() },
    make("h2", {}, t("floor.locked")),
    form,
  );
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Shows a problem in the page's line of answers.
 * @param {Page.AnswerLine} element
 * @param {Page.Reason} error
 * @param {() => void} again
 */
export function showProblem(element, error, again) {
  if (error.status === NOBODY) comeAnew().catch((problem) => element.show(problem));
  else if (error.status === LOCKED) {
    if (!document.getElementById("locked")) unlocking(again);
  } else element.show(error);
}

/**
 * Shows the state of the connection in the page's line of answers: nothing while it is up.
 * @param {Page.AnswerLine} element
 * @param {import("/page/js/line.js").Line} line
 */
export function showLink(element, line) {
  if (line.denied) showProblem(element, line.denied, () => line.retry());
  else if (line.isUp) element.show(null);
  else if (line.lostAt) element.show({ say: t("floor.lost", { time: shownTime(new Date(line.lostAt)) }) });
}
