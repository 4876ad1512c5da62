// Where a dealer works: the tables of the house; a console that is bound to one goes there.
import { at, make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { reachedBy, shell } from "/page/js/shell.js";
import { named, t } from "/page/js/words.js";

const session = await shell({ page: "dealer" });
/** @param {string} table */
const console_ = (table) => `/dealer/${encodeURIComponent(table)}`;

if (!session.pages.includes("dealer")) {
  at("about").textContent = session.practice ? t("dealer.visit_as_dealer") : t("dealer.sign_on_as_dealer");
} else if (session.table && location.hash !== "#tables") {
  location.replace(console_(session.table));
} else {
  const found = await ask("GET", "/api/tables"),
    names = reachedBy(
      session,
      found.tables.map((table) => table.table),
    ),
    tables = found.tables.filter((table) => names.includes(table.table));
  at("tables").replaceChildren(
    ...tables.map((table) =>
      make(
        "li",
        {},
        make(
          "a",
          { class: "panel", href: console_(table.table) },
          make("strong", {}, table.table),
          make("span", { class: "soft" }, table.title),
          make(
            "span",
            { class: "quiet" },
            t("dealer.table_state", {
              taken: table.seats - table.free.length,
              seats: table.seats,
              step: named("dealer.step", table.step),
            }),
          ),
        ),
      ),
    ),
  );
}
