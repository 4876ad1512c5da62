// A clause that decides: a link to its page of the rules; inside a button a plain span.
import { make } from "/page/js/dom.js";

export class ClauseTag extends HTMLElement {
  connectedCallback() {
    const [edition, paragraph] = (this.getAttribute("cite") ?? "").split(" §");
    const shown = paragraph === undefined ? edition : `§${paragraph}`;
    if (this.hasAttribute("plain") || paragraph === undefined) this.replaceChildren(make("span", {}, shown));
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
