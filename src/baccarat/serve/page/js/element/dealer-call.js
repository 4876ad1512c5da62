// The bar of the table: the state of the wagers · the dealer's words with their clause · the round. It never changes
// its height.
import { make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { named, spokenCall, t, told } from "/page/js/words.js";

const SVG = "http://www.w3.org/2000/svg",
  ROUND = 2 * Math.PI * 17;
/** A longer call is written smaller, so that it fits. */
const SHORT = 24,
  LONG = 36;

/**
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, unknown>} attributes
 * @param {Node[]} children
 * @returns {SVGElementTagNameMap[Name]}
 */
function shape(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

export class DealerCall extends HTMLElement {
  seconds = shape("text", { x: 20, y: 25 });
  left = shape("circle", { class: "left", cx: 20, cy: 20, r: 17, transform: "rotate(-90 20 20)" });
  ring = shape(
    "svg",
    { class: "ring", viewBox: "0 0 40 40", "aria-hidden": "true" },
    shape("circle", { class: "whole", cx: 20, cy: 20, r: 17 }),
    this.left,
    this.seconds,
  );
  lock = shape(
    "svg",
    { class: "lock", viewBox: "0 0 20 20", "aria-hidden": "true" },
    shape("path", { d: "M4 9h12v8H4zM7 9V6a3 3 0 0 1 6 0v3" }),
  );
  what = make("strong");
  under = make("span", { class: "under" });
  say = make("p", { class: "say" });
  number = make("strong");
  step = make("span", { class: "under" });
  /** @type {Page.Wait | null} */
  wait = null;

  connectedCallback() {
    if (this.firstChild) return;
    this.append(
      make("div", { class: "state" }, this.ring, this.lock, make("div", {}, this.what, this.under)),
      this.say,
      make("div", { class: "round" }, this.number, this.step),
    );
    this.timer = setInterval(() => this.tick(), 200);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  /**
   * state: "open", "closed", "between", "lost" or "stopped"; under: text or clauses; call and then: {say, cites};
   * wait: {until, of} in milliseconds of the page's clock, or null.
   * @param {Page.Called} what
   */
  show({ state, title, under = "", underCites = [], call, then, round, shoe, step, wait = null }) {
    this.dataset.state = state;
    this.wait = wait;
    this.what.textContent = title;
    this.put(this.under, `${under} ${underCites}`, () => [
      under,
      underCites.length ? clauseTags(underCites.slice(0, 2)) : "",
    ]);
    const words = call ? spokenCall(call) : "",
      next = then ? told(then) : "";
    const cites = [...new Set([...((words && call?.cites) || []), ...((next && then?.cites) || [])])].slice(0, 2);
    this.put(this.say, JSON.stringify([words, next, cites]), () => this.said(words, next, clauseTags(cites)));
    this.number.textContent = t("table.round", { round });
    this.step.textContent = t("table.shoe_and_step", { shoe, step: named("step", step) });
    this.tick();
  }

  /**
   * The call is large, what happens now below it; the clauses are next to what was last said.
   * @param {string} words
   * @param {string} next
   * @param {HTMLElement} tags
   */
  said(words, next, tags) {
    const called = `words${words.length > SHORT ? " medium" : ""}${words.length > LONG ? " long" : ""}`;
    if (!words)
      return [
        make(
          "span",
          { class: `then alone${next.length > SHORT ? " medium" : ""}${next.length > 2 * LONG ? " long" : ""}` },
          make("span", {}, next),
          tags,
        ),
      ];
    if (!next) return [make("span", { class: called }, words), tags];
    return [make("span", { class: called }, words), make("span", { class: "then" }, make("span", {}, next), tags)];
  }

  /**
   * @param {HTMLElement} element
   * @param {string} summary
   * @param {() => (Node | string)[]} children
   */
  put(element, summary, children) {
    if (element.dataset.summary === summary) return;
    element.dataset.summary = summary;
    element.replaceChildren(...children());
  }

  tick() {
    const left = this.wait ? Math.max(0, this.wait.until - performance.now()) : 0;
    this.ring.classList.toggle("idle", !this.wait);
    this.seconds.textContent = this.wait ? String(Math.ceil(left / 1000)) : "";
    this.left.setAttribute("stroke-dasharray", this.wait ? `${(left / this.wait.of) * ROUND} ${ROUND}` : `0 ${ROUND}`);
  }
}
customElements.define("dealer-call", DealerCall);
