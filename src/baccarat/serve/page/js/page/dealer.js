// The dealer's console of one table.
import { Desk } from "/page/js/dealer/desk.js";
import { at, make } from "/page/js/dom.js";
import { addressPart } from "/page/js/house.js";
import { beside, shell } from "/page/js/shell.js";
import { t } from "/page/js/words.js";

const name = addressPart(2),
  session = await shell({ page: "dealer", cards: true });

/**
 * In the bar: the table, and whether it is connected.
 * @param {boolean} isOpen
 * @param {string} [words]
 */
function showLink(isOpen, words = "") {
  beside(
    make("a", { class: isOpen ? "tag live" : "tag held", href: "/dealer#tables" }, name),
    ...(words ? [make("span", { role: "status" }, words)] : []),
  );
}

at("title").textContent = t("dealer.title", { name });
document.title = `${t("dealer.title", { name })} · baccarat`;
showLink(false);
if (session.can.includes("use_console"))
  new Desk({ name, session, linked: ({ isUp }) => showLink(isUp, isUp ? "" : t("dealer.lost")) });
else
  at("notices").replaceChildren(
    make("p", { class: "notice" }, session.practice ? t("dealer.visit_as_dealer") : t("dealer.sign_on_as_dealer")),
  );
