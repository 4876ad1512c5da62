// A clause that decides: a link to its page of the rules; inside a button a plain span. A rule of the house itself is
// no clause of a document: it is named in words, and has no page there.
import { make } from "/page/js/dom.js";
import { named, t } from "/page/js/words.js";

const HOUSE = "house";

export class ClauseTag extends HTMLElement {
  connectedCallback() {
    const [edition, paragraph] = (this.getAttribute("cite") ?? "").split(" §");
    const shown = paragraph === undefined ? edition : `§${paragraph}`;
    if (edition === HOUSE && paragraph !== undefined) {
      this.classList.add(HOUSE);
      this.replaceChildren(make("span", {}, t("clause.of_the_house", { rule: named("clause.house", paragraph) })));
    } else if (this.hasAttribute("plain") || paragraph === undefined) this.replaceChildren(make("span", {}, shown));
    else {
      const where = `/rules?edition=${encodeURIComponent(edition)}#${encodeURIComponent(paragraph)}`;
      this.replaceChildren(make("a", { href: where, title: `${edition} §${paragraph}` }, shown));
    }
  }
}
customElements.define("clause-tag", ClauseTag);

/**
 * Tags of all clauses, once each.
 * @param {readonly string[] | null | undefined} cites
 * @param {{ plain?: boolean }} [how]
 */
export function clauseTags(cites, { plain = false } = {}) {
  return make(
    "span",
    { class: "clauses" },
    [...new Set(cites ?? [])].map((cite) => make("clause-tag", { cite, plain })),
  );
}
