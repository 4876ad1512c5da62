// A card that its holder peels: the fold is the perpendicular bisector of the grip and the pointer; the flap is the
// face, seen through the back and reflected at that line; thumbs cover the indices of the lifted edge. Only the
// holder's page has the card.
import { cardName, cardPicture, cardSymbol, draw } from "/page/js/picture.js";
import { within } from "/page/js/dom.js";
import { foldOf, HIGH, WIDE } from "/page/js/table/fold.js";
import { t } from "/page/js/words.js";

const EDGE = 24,
  MOST = 0.62,
  STEP = 0.04,
  TURNED_AFTER = 330;
/** @type {Page.Point[]} */
const THUMBS = [
  [25, 46],
  [WIDE - 25, HIGH - 46],
  [WIDE - 25, 46],
  [25, HIGH - 46],
];
/** @type {Record<string, Page.Edge>} */
const LIFTS = { ArrowUp: "bottom", ArrowDown: "top", ArrowLeft: "right", ArrowRight: "left" };
/** @type {Record<Page.Edge, Page.Edge>} */
const OPPOSITE = { bottom: "top", top: "bottom", left: "right", right: "left" };
/** @param {Page.Point[]} points */
const written = (points) => points.map((point) => point.map((number) => number.toFixed(1)).join(",")).join(" ");
let serial = 0;

export class CardSqueeze extends HTMLElement {
  ready = false;
  code = "";
  /** @type {Page.Edge} */
  edge = "bottom";
  depth = 0;
  thumbs = true;
  /** @type {Page.Point | null} */
  grip = null;
  /** @type {Page.Point} */
  tip = [0, 0];
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
    this.addEventListener("pointerup", () => this.let_go());
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
    if (edge) this.lift(edge);
    else if (event.key === "Enter" || event.key === " ") this.turn();
    else if (event.key === "Escape" && (this.depth || this.grip)) this.layBack();
    else if (event.key.toLowerCase() === "t") this.thumbs = !this.thumbs;
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.draw();
  }

  /** @param {Page.Edge} edge */
  lift(edge) {
    this.grip = null;
    if (edge === this.edge) this.depth = Math.min(MOST, this.depth + STEP);
    else if (this.depth > STEP && edge === OPPOSITE[this.edge]) this.depth -= STEP;
    else Object.assign(this, { edge, depth: STEP });
  }

  layBack() {
    Object.assign(this, { depth: 0, grip: null });
  }

  /** @param {PointerEvent} event */
  gripped(event) {
    if (this.turned) return;
    this.setPointerCapture(event.pointerId);
    this.grip = this.pointed(event, true);
    this.tip = this.grip;
    this.draw();
  }

  /** @param {PointerEvent} event */
  pulled(event) {
    if (!this.grip || !this.hasPointerCapture(event.pointerId)) return;
    this.tip = this.pointed(event);
    this.draw();
  }

  let_go() {
    if (this.grip && foldOf(this.grip, this.tip).far > TURNED_AFTER) this.turn();
  }

  /**
   * Where the pointer is on the card; a grip is taken at the nearest edge.
   * @param {PointerEvent} event
   * @param {boolean} [atEdge]
   * @returns {Page.Point}
   */
  pointed(event, atEdge = false) {
    const box = within(this, "svg").getBoundingClientRect(),
      scale = (WIDE + 2 * EDGE) / box.width;
    let x = (event.clientX - box.left) * scale - EDGE,
      y = (event.clientY - box.top) * scale - EDGE;
    if (atEdge) {
      /** @type {[far: number, put: () => void][]} */
      const near = [
        [
          x,
          () => {
            x = 0;
          },
        ],
        [
          WIDE - x,
          () => {
            x = WIDE;
          },
        ],
        [
          y,
          () => {
            y = 0;
          },
        ],
        [
          HIGH - y,
          () => {
            y = HIGH;
          },
        ],
      ];
      near.sort(([one], [other]) => one - other)[0][1]();
    }
    return [x, y];
  }

  turn() {
    this.turned = true;
    this.draw();
    this.dispatchEvent(new CustomEvent("turned", { bubbles: true }));
  }

  /** @returns {Page.Point[]} */
  ends() {
    if (this.grip) return [this.grip, this.tip];
    const lift = this.depth * 2;
    /** @type {Record<Page.Edge, Page.Point[]>} */
    const ends = {
      bottom: [
        [WIDE / 2, HIGH],
        [WIDE / 2 - 9 * Math.min(1, lift * 4), HIGH - HIGH * lift],
      ],
      top: [
        [WIDE / 2, 0],
        [WIDE / 2, HIGH * lift],
      ],
      left: [
        [0, HIGH / 2],
        [WIDE * lift, HIGH / 2],
      ],
      right: [
        [WIDE, HIGH / 2],
        [WIDE - WIDE * lift, HIGH / 2],
      ],
    };
    return ends[this.edge];
  }

  draw() {
    const [grip, tip] = this.ends(),
      fold = foldOf(grip, tip),
      lifted = Math.min(100, Math.round((fold.far / 2 / HIGH) * 100));
    this.setAttribute("aria-valuenow", String(this.turned ? 100 : lifted));
    this.setAttribute("aria-valuetext", this.turned ? cardName(this.code) : t("squeeze.lifted", { percent: lifted }));
    this.setAttribute("aria-label", t("squeeze.card"));
    if (this.turned) {
      const face = cardPicture(this.code, { label: "" });
      face.setAttribute("viewBox", `${-EDGE} ${-EDGE} ${WIDE + 2 * EDGE} ${HIGH + 2 * EDGE}`);
      this.replaceChildren(face);
      return;
    }
    this.replaceChildren(this.peeled(fold));
    this.dispatchEvent(new CustomEvent("peel", { detail: lifted, bubbles: true }));
  }

  /** @param {ReturnType<typeof foldOf>} fold */
  peeled(fold) {
    /**
     * @param {string | null} code
     * @param {Record<string, unknown>} [more]
     */
    const card = (code, more = {}) => draw("use", { href: `#${cardSymbol(code)}`, width: WIDE, height: HIGH, ...more });
    /**
     * @param {string} name
     * @param {Page.Point[]} points
     */
    const clip = (name, points) =>
      draw("clipPath", { id: `${this.id_}${name}` }, draw("polygon", { points: written(points) }));
    const deep = Math.min(60, fold.far / 2),
      [mx, my] = fold.middle,
      [nx, ny] = fold.normal;
    const shade = draw(
      "linearGradient",
      { id: `${this.id_}s`, gradientUnits: "userSpaceOnUse", x1: mx, y1: my, x2: mx + nx * deep, y2: my + ny * deep },
      draw("stop", { offset: 0, "stop-color": "#000", "stop-opacity": 0.34 }),
      draw("stop", { offset: 0.3, "stop-color": "#fff", "stop-opacity": 0.35 }),
      draw("stop", { offset: 1, "stop-color": "#000", "stop-opacity": 0 }),
    );
    const flap = draw(
      "g",
      { class: "lift", "clip-path": `url(#${this.id_}b)` },
      draw("g", { transform: fold.matrix }, card(this.code)),
      draw("polygon", { points: written(fold.flap), fill: `url(#${this.id_}s)` }),
      this.thumbs ? THUMBS.filter(fold.isLifted).map((at) => this.thumb(fold.mirrored(at))) : [],
    );
    return draw(
      "svg",
      { viewBox: `${-EDGE} ${-EDGE} ${WIDE + 2 * EDGE} ${HIGH + 2 * EDGE}`, "aria-hidden": "true" },
      draw("defs", {}, clip("a", fold.lying), clip("b", fold.flap), shade),
      draw(
        "g",
        { class: "lie" },
        draw(
          "g",
          { "clip-path": `url(#${this.id_}a)` },
          card(null),
          draw("polygon", { class: "cast", points: written(fold.flap.map(([x, y]) => [x + nx * 7, y + ny * 7])) }),
        ),
      ),
      fold.flap.length ? draw("g", { class: "lie" }, flap) : null,
    );
  }

  /** @param {Page.Point} point */
  thumb([x, y]) {
    return draw(
      "g",
      { class: "thumb", transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
      draw("rect", { x: -20, y: -36, width: 40, height: 72, rx: 20 }),
      draw("path", { d: "M-9-14a9 9 0 0 1 18 0v8M-4-6v-7a4 4 0 0 1 8 0v14M-9 0v8M9 4v8" }),
    );
  }
}
customElements.define("card-squeeze", CardSqueeze);
