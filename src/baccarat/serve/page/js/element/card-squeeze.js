// A card that its holder peels: the fold is the perpendicular bisector of the grip and the pointer; the flap is the
// face, seen through the back and reflected at that line; thumbs cover the indices of the lifted edge. Only the
// holder's page has the card.
import { targetOf, within } from "/page/js/dom.js";
import { cardName, cardSymbol, draw, picturesReady } from "/page/js/picture.js";
import { foldOf, HIGH, rim, WIDE } from "/page/js/table/fold.js";
import { t } from "/page/js/words.js";

const EDGE = 24,
  MOST = 0.62,
  STEP = 0.04,
  LEAN = 0.25,
  TURNED_AFTER = 330;
/**
 * Where thumbs lie on the face, each with the corner that it covers as soon as that is lifted.
 * @type {{ at: Page.Point; corner: Page.Point }[]}
 */
const THUMBS = [
  { at: [25, 46], corner: [0, 0] },
  { at: [WIDE - 25, HIGH - 46], corner: [WIDE, HIGH] },
  { at: [WIDE - 25, 46], corner: [WIDE, 0] },
  { at: [25, HIGH - 46], corner: [0, HIGH] },
];
const VIEW = `${-EDGE} ${-EDGE} ${WIDE + 2 * EDGE} ${HIGH + 2 * EDGE}`;
/** @type {Record<string, Page.Edge>} */
const LIFTS = { ArrowUp: "bottom", ArrowDown: "top", ArrowLeft: "right", ArrowRight: "left" };
/**
 * An edge: where its middle is, the way into the card, the way along it, and the key that lays it back.
 * @type {Record<Page.Edge, { middle: Page.Point; into: Page.Point; along: Page.Point; less: string }>}
 */
const EDGES = {
  bottom: { middle: [WIDE / 2, HIGH], into: [0, -HIGH], along: [WIDE / 2, 0], less: "ArrowDown" },
  top: { middle: [WIDE / 2, 0], into: [0, HIGH], along: [WIDE / 2, 0], less: "ArrowUp" },
  left: { middle: [0, HIGH / 2], into: [WIDE, 0], along: [0, HIGH / 2], less: "ArrowLeft" },
  right: { middle: [WIDE, HIGH / 2], into: [-WIDE, 0], along: [0, HIGH / 2], less: "ArrowRight" },
};
/**
 * With the shift key the arrows move the grip along the lifted edge, up to its corners.
 * @type {Record<string, Page.Point>}
 */
const LEANS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** @param {Page.Point[]} points */
const written = (points) => points.map((point) => point.map((number) => number.toFixed(1)).join(",")).join(" ");
let serial = 0;

export class CardSqueeze extends HTMLElement {
  ready = false;
  code = "";
  /** @type {Page.Edge} */
  edge = "bottom";
  /** By the keyboard: how far the edge is lifted, and how far towards which of its corners. */
  depth = 0;
  lean = 0;
  thumbs = true;
  /** @type {Page.Point | null} */
  grip = null;
  /** @type {Page.Point} */
  tip = [0, 0];
  /**
   * From the pointer to the tip, while the card is held.
   * @type {Page.Point | null}
   */
  from = null;
  turned = false;
  id_ = `squeeze${serial++}`;

  connectedCallback() {
    if (this.ready) return;
    this.ready = true;
    this.tabIndex = 0;
    this.setAttribute("role", "slider");
    this.setAttribute("aria-valuemin", "0");
    this.setAttribute("aria-valuemax", "100");
    this.addEventListener("keydown", (event) => this.keyed(event));
    this.addEventListener("pointerdown", (event) => this.gripped(event));
    this.addEventListener("pointermove", (event) => this.pulled(event));
    for (const end of ["pointerup", "pointercancel"]) this.addEventListener(end, () => this.letGo());
    picturesReady().catch((error) => console.error(error));
    this.draw();
  }

  /**
   * The card as its holder sees it: "8s".
   * @param {string} code
   */
  set card(code) {
    this.code = code;
    if (this.ready) this.draw();
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (this.turned) return;
    const edge = LIFTS[event.key];
    if (edge && event.shiftKey) this.leanTo(LEANS[event.key]);
    else if (edge) this.lift(edge, event.key);
    else if (event.key === "Enter" || event.key === " ") this.turn();
    else if (event.key === "Escape" && (this.depth || this.grip)) this.layBack();
    else if (event.key.toLowerCase() === "t") this.thumbs = !this.thumbs;
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (!this.turned) this.draw();
  }

  /**
   * @param {Page.Edge} edge
   * @param {string} key
   */
  lift(edge, key) {
    this.grip = null;
    if (edge === this.edge) this.depth = Math.min(MOST, this.depth + STEP);
    else if (this.depth > STEP && key === EDGES[this.edge].less) this.depth -= STEP;
    else Object.assign(this, { edge, depth: STEP, lean: 0 });
  }

  /** @param {Page.Point} way */
  leanTo([x, y]) {
    const { along } = EDGES[this.edge];
    this.lean = Math.max(-1, Math.min(1, this.lean + LEAN * (along[0] ? x : y)));
    if (!this.depth) this.depth = STEP;
  }

  layBack() {
    Object.assign(this, { edge: "bottom", depth: 0, lean: 0, grip: null, from: null });
  }

  /** @param {boolean} isCovered */
  cover(isCovered) {
    this.thumbs = isCovered;
    if (!this.turned) this.draw();
  }

  /**
   * A lifted part is taken where it is; elsewhere the nearest edge or corner is. A thumb that is touched goes away.
   * @param {PointerEvent} event
   */
  gripped(event) {
    if (this.turned || event.button) return;
    const target = targetOf(event);
    if (target.closest(".thumb")) return this.cover(false);
    this.setPointerCapture(event.pointerId);
    const at = this.pointed(event);
    if (target.closest(".lift")) [this.grip, this.tip] = this.ends();
    else this.grip = this.tip = rim(at);
    this.from = [this.tip[0] - at[0], this.tip[1] - at[1]];
    this.classList.add("held");
    this.draw();
  }

  /** @param {PointerEvent} event */
  pulled(event) {
    if (!this.from) return;
    const [x, y] = this.pointed(event);
    this.tip = [x + this.from[0], y + this.from[1]];
    this.draw();
  }

  letGo() {
    if (!this.from || !this.grip) return;
    this.from = null;
    this.classList.remove("held");
    if (foldOf(this.grip, this.tip).far > TURNED_AFTER) this.turn();
  }

  /**
   * Where the pointer is, in the measures of the card.
   * @param {PointerEvent} event
   * @returns {Page.Point}
   */
  pointed(event) {
    const box = within(this, "svg").getBoundingClientRect(),
      scale = (WIDE + 2 * EDGE) / box.width;
    return [(event.clientX - box.left) * scale - EDGE, (event.clientY - box.top) * scale - EDGE];
  }

  /** Shows the face; then the card is a picture, and no longer something to lift. */
  turn() {
    if (this.turned) return;
    this.turned = true;
    this.classList.add("turned");
    this.replaceChildren(draw("svg", { viewBox: VIEW, "aria-hidden": "true" }, this.symbol(this.code)));
    for (const name of ["aria-valuenow", "aria-valuemin", "aria-valuemax", "aria-valuetext"])
      this.removeAttribute(name);
    this.setAttribute("role", "img");
    this.setAttribute("aria-label", cardName(this.code));
    this.dispatchEvent(new CustomEvent("turned", { bubbles: true }));
    this.tabIndex = -1; // after the focus has gone on
  }

  /** How much of the card is lifted, in percent. */
  get lifted() {
    return Math.min(100, Math.round((foldOf(...this.ends()).far / 2 / HIGH) * 100));
  }

  /**
   * Where the card is held, and to where that was pulled.
   * @returns {[grip: Page.Point, tip: Page.Point]}
   */
  ends() {
    if (this.grip) return [this.grip, this.tip];
    const { middle, into, along } = EDGES[this.edge],
      pull = this.depth * 2;
    /** @type {Page.Point} */
    const grip = [middle[0] + along[0] * this.lean, middle[1] + along[1] * this.lean];
    // by the keyboard a card is never lifted quite straight, as by a hand
    const askew = (this.lean || 0.04) * pull * Math.hypot(...into);
    return [
      grip,
      [grip[0] + into[0] * pull - Math.sign(along[0]) * askew, grip[1] + into[1] * pull - Math.sign(along[1]) * askew],
    ];
  }

  draw() {
    const percent = this.lifted;
    this.setAttribute("aria-valuenow", String(percent));
    this.setAttribute("aria-valuetext", t("squeeze.lifted", { percent }));
    this.setAttribute("aria-label", t("squeeze.card"));
    this.replaceChildren(this.peeled(foldOf(...this.ends())));
    this.dispatchEvent(new CustomEvent("peel", { detail: percent, bubbles: true }));
  }

  /** @param {string | null} code */
  symbol(code) {
    return draw("use", { href: `#${cardSymbol(code)}`, width: WIDE, height: HIGH });
  }

  /** @param {Page.Fold} fold */
  peeled(fold) {
    /**
     * @param {string} name
     * @param {Page.Point[]} points
     */
    const clip = (name, points) =>
      draw("clipPath", { id: `${this.id_}${name}` }, draw("polygon", { points: written(points) }));
    /** @param {number} far */
    const shift = (far) => written(fold.flap.map(([x, y]) => [x + nx * far, y + ny * far]));
    const deep = Math.min(70, fold.far / 2),
      [mx, my] = fold.middle,
      [nx, ny] = fold.normal;
    // the bend: dark where the card turns away, bright where it faces the light, even where it is flat again
    const bend = draw(
      "linearGradient",
      { id: `${this.id_}s`, gradientUnits: "userSpaceOnUse", x1: mx, y1: my, x2: mx + nx * deep, y2: my + ny * deep },
      draw("stop", { offset: 0, "stop-color": "#000", "stop-opacity": 0.42 }),
      draw("stop", { offset: 0.16, "stop-color": "#000", "stop-opacity": 0.12 }),
      draw("stop", { offset: 0.34, "stop-color": "#fff", "stop-opacity": 0.55 }),
      draw("stop", { offset: 0.6, "stop-color": "#000", "stop-opacity": 0.07 }),
      draw("stop", { offset: 1, "stop-color": "#000", "stop-opacity": 0.02 }),
    );
    const flap = draw(
      "g",
      { class: "lift", "clip-path": `url(#${this.id_}b)` },
      draw("g", { transform: fold.matrix }, this.symbol(this.code)),
      draw("polygon", { points: written(fold.flap), fill: `url(#${this.id_}s)` }),
      this.thumbs
        ? THUMBS.filter((each) => fold.isLifted(each.corner)).map((each) => this.thumb(fold.mirrored(each.at)))
        : [],
    );
    return draw(
      "svg",
      { viewBox: VIEW, "aria-hidden": "true" },
      draw("defs", {}, clip("a", fold.lying), clip("b", fold.flap), bend),
      draw(
        "g",
        { class: "lie" },
        draw(
          "g",
          { "clip-path": `url(#${this.id_}a)` },
          this.symbol(null),
          draw("polygon", { class: "cast", points: shift(4 + fold.far / 22) }),
        ),
      ),
      fold.flap.length ? draw("g", { class: "lie over" }, flap) : null,
    );
  }

  /** @param {Page.Point} point */
  thumb([x, y]) {
    return draw(
      "g",
      { class: "thumb", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
      draw("rect", { x: -21, y: -38, width: 42, height: 76, rx: 21 }),
      draw("path", { class: "nail", d: "M-12-14v-6a12 13 0 0 1 24 0v6q-12 6-24 0z" }),
    );
  }
}
customElements.define("card-squeeze", CardSqueeze);
