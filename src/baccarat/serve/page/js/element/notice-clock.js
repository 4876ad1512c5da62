// A notice, and how much longer it must be posted before a change may be based on it.
import { make } from "/page/js/dom.js";
import { draw } from "/page/js/picture.js";
import { named, t } from "/page/js/words.js";
import { clauseTags } from "/page/js/element/clause-tag.js";

const RADIUS = 15,
  ROUND = 2 * Math.PI * RADIUS;
/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

export class NoticeClock extends HTMLElement {
  run = draw("circle", { class: "run", cx: 18, cy: 18, r: RADIUS, transform: "rotate(-90 18 18)" });
  head = make("b");
  /** @type {House.NoticeShown} */
  notice;
  /** @type {() => number} */
  now;

  /**
   * Shows a notice of the house; `now` says what time it is there, in seconds.
   * @param {House.NoticeShown} notice
   * @param {() => number} now
   */
  show(notice, now) {
    [this.notice, this.now] = [notice, now];
    const words = t("floor.notice_says", {
      to: named("notice", notice.to),
      option: named("option", notice.option),
      value: valueText(notice.value),
      pit: notice.pit,
    });
    this.replaceChildren(
      draw(
        "svg",
        { class: "clock", viewBox: "0 0 36 36", "aria-hidden": "true" },
        draw("circle", { cx: 18, cy: 18, r: RADIUS }),
        this.run,
      ),
      make(
        "div",
        {},
        this.head,
        make("p", {}, words, notice.written ? "" : ` ${t("floor.not_written")}`),
        clauseTags(notice.cites),
      ),
    );
    this.tick();
  }

  connectedCallback() {
    this.timer = setInterval(() => this.tick(), 1000);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  tick() {
    if (!this.notice) return;
    const left = Math.max(0, Math.round(this.notice.ripe_at - this.now())),
      whole = this.notice.minutes * 60;
    this.run.setAttribute("stroke-dasharray", `${whole ? (ROUND * left) / whole : 0} ${ROUND}`);
    this.toggleAttribute("data-ripe", left === 0);
    this.head.textContent = left
      ? t("floor.notice_left", { left: `${Math.floor(left / 60)}:${two(left % 60)}`, minutes: this.notice.minutes })
      : t(this.notice.served ? "floor.notice_served" : "floor.notice_ripe");
  }
}
customElements.define("notice-clock", NoticeClock);

/**
 * A value of an option, for people.
 * @param {unknown} value
 */
export const valueText = (value) =>
  value === null || value === false
    ? t("floor.none")
    : value === true
      ? t("floor.yes")
      : String(value).replaceAll("_", " ");
