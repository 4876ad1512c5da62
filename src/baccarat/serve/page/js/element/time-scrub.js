// The timeline: the rounds of the shoe above, the events of the round below.
import { make, targetOf, within } from "/page/js/dom.js";
import { draw } from "/page/js/picture.js";
import { named, t } from "/page/js/words.js";

/** @type {Record<string, string>} */
const ICONS = {
  round_before: "M5 5v14M19 5L8 12l11 7z",
  back: "M18 5L7 12l11 7z",
  play: "M6 5l14 7-14 7z",
  pause: "M7 5v14M17 5v14",
  forward: "M6 5l11 7-11 7z",
  live: "M19 5v14M5 5l11 7-11 7z",
};
/** @type {Record<string, string>} */
const LETTERS = { player: "P", banker: "B", tie: "T" };
/** @param {string} name */
const icon = (name) =>
  draw(
    "svg",
    {
      viewBox: "0 0 24 24",
      fill: "currentColor",
      stroke: "currentColor",
      "stroke-width": 2,
      "stroke-linejoin": "round",
      "aria-hidden": "true",
    },
    draw("path", { d: ICONS[name] }),
  );

export class TimeScrub extends HTMLElement {
  controls = make("div", { class: "controls" });
  /** @type {HTMLSelectElement} */
  shoes = make("select", {
    id: "shoe",
    "aria-label": t("watch.shoe_shown"),
    onchange: () => this.say("shoe", Number(this.shoes.value)),
  });
  rounds = make("ol", { class: "rounds", "aria-label": t("watch.rounds_of_shoe") });
  ticks = draw("svg", { viewBox: "0 0 1000 30", preserveAspectRatio: "none", "aria-hidden": "true" });
  /** @type {HTMLInputElement} */
  range = make("input", {
    type: "range",
    min: 0,
    max: 0,
    oninput: () => this.say("stop", Number(this.range.value)),
  });
  where = make("div", { class: "place" }, make("b"), make("span", { class: "soft" }));

  connectedCallback() {
    if (this.firstChild) return;
    /**
     * @param {string} act
     * @param {string} key
     */
    const button = (act, key) =>
      make(
        "button",
        {
          class: `icon ${act}`,
          type: "button",
          title: `${t(`watch.${act}`)} (${key})`,
          "aria-label": t(`watch.${act}`),
          onclick: () => this.say("go", act),
        },
        icon(act),
      );
    this.controls.append(
      button("round_before", t("watch.key_page")),
      button("back", "←"),
      button("play", t("watch.key_space")),
      button("forward", "→"),
      button("live", t("watch.key_end")),
    );
    this.rounds.addEventListener("click", (event) => {
      const found = targetOf(event).closest("button");
      if (found) this.say("round", Number(found.dataset.round));
    });
    this.append(
      make("div", { class: "steer" }, this.controls, this.shoes),
      make("div", { class: "lines" }, this.rounds, make("div", { class: "track" }, this.ticks, this.range)),
      this.where,
    );
  }

  /**
   * @param {string} type
   * @param {unknown} detail
   */
  say(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /**
   * rounds: [{round, result}] that are over; last: the round in play, or the last; shoes: how many there were.
   * @param {{ shoe: number, shoes: number, rounds: House.RoundCard[], last: number, over: boolean }} what
   */
  showShoe({ shoe, shoes, rounds, last, over }) {
    if (this.shoes.length !== shoes)
      this.shoes.replaceChildren(
        ...Array.from(
          { length: shoes },
          (_, index) => new Option(t("watch.shoe", { shoe: index + 1 }), String(index + 1)),
        ),
      );
    this.shoes.value = String(shoe);
    const results = new Map(rounds.map((each) => [each.round, each.result]));
    const numbers = [...results.keys(), ...(over || results.has(last) ? [] : [last])];
    this.rounds.replaceChildren(
      ...numbers.map((round) => {
        const result = results.get(round),
          outcome = result?.outcome ?? "";
        const words = result ? named("watch.outcome", outcome || "none") : t("watch.in_play");
        return make(
          "li",
          {},
          make(
            "button",
            {
              type: "button",
              class: outcome || "open",
              "data-round": round,
              "aria-label": t("watch.round_was", { round, words }),
              title: t("watch.round_was", { round, words }),
            },
            make("span", { "aria-hidden": "true" }, LETTERS[outcome] ?? "·"),
          ),
        );
      }),
    );
  }

  /** @param {number | undefined} round */
  showRound(round) {
    for (const button of this.rounds.querySelectorAll("button")) {
      if (Number(button.dataset.round) === round) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    this.rounds.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /**
   * sorts: of each stop of the round, in order; at: the current stop; place: [words, words].
   * @param {string[]} sorts
   * @param {number} at
   * @param {[what: string, when: string]} place
   */
  showStops(sorts, at, [what, when]) {
    /** @param {number} index */
    const place = (index) => (sorts.length < 2 ? 500 : 4 + (index / (sorts.length - 1)) * 992);
    /** @type {Record<string, number>} */
    const tall = { call: 12, refusal: 15, correction: 15, irregularity: 15 };
    this.ticks.replaceChildren(
      ...sorts.map((sort, index) =>
        draw("path", {
          class: `tick ${sort}${index > at ? " later" : ""}`,
          d: `M${place(index)} ${15 - (tall[sort] ?? 6)}V${15 + (tall[sort] ?? 6)}`,
        }),
      ),
      draw("path", { class: "head", d: `M${place(Math.max(0, at))} 0V30` }),
    );
    this.range.max = String(Math.max(0, sorts.length - 1));
    this.range.value = String(Math.max(0, at));
    this.range.setAttribute("aria-label", t("watch.event_of_round"));
    this.range.setAttribute("aria-valuetext", what);
    this.where.children[0].textContent = what;
    this.where.children[1].textContent = when;
  }

  /** @param {boolean} isPlaying */
  playing(isPlaying) {
    within(this.controls, ".play").replaceChildren(icon(isPlaying ? "pause" : "play"));
  }
}
customElements.define("time-scrub", TimeScrub);
