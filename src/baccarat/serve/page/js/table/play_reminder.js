// @ts-check
// The clock of the session: after so many minutes of play the user is told how long it has been, and what came of it.
import { make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { signed } from "/page/js/table/slip.js";
import { t } from "/page/js/words.js";

const MINUTE = 60_000;

/** How many minutes are left until the next reminder, of a session that began `minutes` ago. */
export const minutesLeft = (/** @type {number} */ minutes, /** @type {number} */ every) => every - (minutes % every);

/** @param {number} minutes */
async function remind(minutes) {
  const { net, rounds } = await ask("GET", "/api/own/totals");
  const dialog = make(
    "dialog",
    { class: "ask", "aria-label": t("protect.reminder") },
    make(
      "form",
      { method: "dialog" },
      make("h2", {}, t("protect.time", { minutes })),
      make("p", {}, t("protect.so_far", { net: signed(net), rounds })),
      make(
        "div",
        { class: "acts" },
        make("a", { class: "button", href: "/my-rounds#protection" }, t("protect.to_limits")),
        make("button", { class: "button main" }, t("protect.go_on")),
      ),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** Reminds the user of the time, as chosen; without an answer of the house, not at all. */
export async function remindOfTime() {
  const found = await ask("GET", "/api/own/protection").catch(() => null);
  if (!found?.reminder_minutes) return;
  const every = found.reminder_minutes,
    minutes = Math.floor((found.now - found.since) / 60),
    next = minutes + minutesLeft(minutes, every);
  setTimeout(
    () => {
      void remind(next).catch(() => {});
      void remindOfTime();
    },
    minutesLeft(minutes, every) * MINUTE,
  );
}
