// The felt: the house's picture of the layout with what lies on it; where that is small, the seats as a strip and the
// user's areas as a grid.
import { make, targetOf } from "/page/js/dom.js";
import { sum } from "/page/js/house.js";
import { chipPicture, chipStackGroup, draw, feltAddress, nameFelt, PicturePlace } from "/page/js/picture.js";
import { t } from "/page/js/words.js";
import { CHIPS } from "/page/js/element/chip-tray.js";

/** @type {Record<string, string>} */
const KEYS = { player: "P", banker: "B", tie: "T" };
/** @param {number} cents */
const largest = (cents) => CHIPS.findLast((chip) => chip <= cents) ?? CHIPS[0];

/** @type {Record<string, Page.Point>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class BacFelt extends HTMLElement {
  cloth = make("div", { class: "cloth-box" });
  strip = make("ol", { class: "strip", "aria-label": t("table.seats") });
  spots = make("div", { class: "spots", role: "group", "aria-label": t("table.your_areas") });
  place = new PicturePlace((picture) => picture && this.put(picture));
  drawn = "";
  /** The area of the user that has, or last had, the focus. */
  current = "";
  /** @type {House.TableCard} */
  card;
  /** @type {Page.OnFelt} */
  last;
  /** @type {SVGGElement} */
  bets;
  /** @type {SVGGElement} */
  names;
  /** @type {Map<number, HTMLElement>} */
  seats;
  /** @type {HTMLElement[]} */
  areas = [];
  /** @type {Map<number, HTMLElement>} */
  boxes;

  connectedCallback() {
    if (this.firstChild) return;
    this.append(this.cloth);
    const areas = document.getElementById("areas") ?? this; // below the felt, which has a shape of its own
    areas.append(this.strip, this.spots);
    if (areas !== this) areas.addEventListener("click", (event) => this.acted(targetOf(event)));
    this.addEventListener("keydown", (event) => this.keyed(event));
    this.addEventListener("click", (event) => this.acted(targetOf(event)));
  }

  /**
   * The layout of a rulebook; `card` is what the lobby says of the table.
   * @param {House.TableCard} card
   */
  lay(card) {
    this.card = card;
    return this.place.ask(feltAddress(card.rules));
  }

  /** @param {SVGSVGElement} picture */
  put(picture) {
    this.bets = draw("g", { class: "bets" });
    this.names = draw("g", { class: "names" });
    picture.append(this.names, this.bets);
    this.cloth.replaceChildren(picture);
    this.seats = new Map([...picture.querySelectorAll(".seat")].map((seat) => [Number(seat.dataset.seat), seat]));
    this.areas = [...picture.querySelectorAll(".area")];
    nameFelt(picture, this.card.titles);
    this.boxes = new Map([...picture.querySelectorAll(".vigorish-box")].map((box) => [Number(box.dataset.seat), box]));
    this.drawn = "";
    if (this.last) this.show(this.last);
  }

  /**
   * taken: by seat, whether somebody sits there; own: the user's seat or 0; wagers: [{seat, on, stake}]; lines: the
   * outcomes of wagers; open: whether the user may wager; maySit; curator: the seat with the shoe; markers: vigorish by
   * seat.
   * @param {Page.OnFelt} what
   */
  show(what) {
    this.last = what;
    if (!this.seats) return;
    const drawn = JSON.stringify(what);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.showSeats(what);
    this.showAreas(what);
    this.showBets(what);
    this.showBoxes(what);
    this.showStrip(what);
    this.showSpots(what);
  }

  /** @param {Page.OnFelt} what */
  showSeats({ taken, own, maySit, curator }) {
    this.names.replaceChildren();
    for (const [number, seat] of this.seats) {
      const free = !taken[number];
      seat.classList.toggle("own", number === own);
      seat.classList.toggle("free", free);
      const words =
        number === own ? t("table.you") : free ? (maySit ? t("table.sit") : t("table.free")) : t("table.taken");
      const shoe = number === curator ? ` · ${t("table.has_shoe")}` : "";
      this.names.append(
        draw(
          "text",
          {
            class: `seat-name${number === own ? " own" : ""}${free ? " free" : ""}`,
            transform: `translate(${seat.dataset.nameX} ${seat.dataset.nameY}) rotate(${seat.dataset.turn})`,
            dy: 4,
          },
          words + shoe,
        ),
      );
      this.offer(seat, free && maySit, t("table.sit_at", { seat: number }));
    }
  }

  /** @param {Page.OnFelt} what */
  showAreas({ own, open, wagers, lines }) {
    const mine = this.areas.filter((area) => Number(area.dataset.seat) === own);
    const kept = mine.find((area) => area.dataset.on === this.current) ?? mine[0];
    for (const area of this.areas) {
      const isOwn = Number(area.dataset.seat) === own;
      area.classList.toggle("own", isOwn);
      const line = lines.find((each) => each.seat === Number(area.dataset.seat) && each.on === area.dataset.on);
      area.classList.toggle("won", line?.result === "win");
      this.offer(
        area,
        isOwn && open,
        this.labelOf(
          area.dataset.on ?? "",
          wagers.find((wager) => wager.seat === own && wager.on === area.dataset.on),
        ),
        area === kept ? 0 : -1,
      );
    }
  }

  /**
   * Makes a part of the picture a button, or not.
   * @param {Element} part
   * @param {boolean} isOffered
   * @param {string} label
   * @param {number} [tabindex]
   */
  offer(part, isOffered, label, tabindex = 0) {
    if (!isOffered) {
      for (const name of ["role", "tabindex", "aria-label"]) part.removeAttribute(name);
      return;
    }
    part.setAttribute("role", "button");
    part.setAttribute("tabindex", String(tabindex));
    part.setAttribute("aria-label", label);
  }

  /**
   * @param {string} on
   * @param {House.Wager | undefined} wager
   */
  labelOf(on, wager) {
    const { min, max } = this.card.limits[on] ?? {};
    const limits =
      min === undefined ? "" : t("table.from_to", { min: sum(min, { short: true }), max: sum(max, { short: true }) });
    const lies = wager ? sum(wager.stake, { short: true }) : t("table.no_wager");
    return `${this.card.titles[on] ?? on}, ${lies}, ${limits}`;
  }

  /**
   * What lies on the felt; an unchanged stake stays as it is, so that only changes are animated.
   * @param {Page.OnFelt} what
   */
  showBets({ wagers, lines }) {
    const lie = wagers.map((wager) => ({
      key: `${wager.seat} ${wager.on}`,
      wager,
      line: lines.find((each) => each.seat === wager.seat && each.on === wager.on),
    }));
    const bets = /** @type {HTMLCollectionOf<SVGElement>} */ (this.bets.children);
    const had = new Map([...bets].map((bet) => [bet.dataset.bet, bet]));
    this.bets.replaceChildren(
      ...lie
        .map(({ key, wager, line }) => {
          const summary = JSON.stringify([wager.stake, line?.result, line?.win]),
            before = had.get(key);
          if (before?.dataset.summary === summary) return before;
          const made = this.bet(wager, line);
          if (made) Object.assign(made.dataset, { bet: key, summary });
          return made;
        })
        .filter((bet) => bet !== null),
    );
  }

  /**
   * @param {House.Wager} wager
   * @param {House.WagerLine | undefined} line
   */
  bet(wager, line) {
    const area = this.areas.find((each) => Number(each.dataset.seat) === wager.seat && each.dataset.on === wager.on);
    if (!area) return null;
    const { x, y, r } = area.dataset,
      radius = Math.min(15, Number(r)),
      isSmall = radius < 13,
      win = line?.result === "win" ? line.win : 0,
      isPaid = win > 0;
    const group = draw("g", { class: `bet ${line?.result ?? ""}`, transform: `translate(${x} ${y})` });
    const aside = isPaid && !isSmall ? radius : 0; // the payment lies next to the stake, if there is room
    group.append(
      draw(
        "g",
        { transform: `translate(${-aside} 0)` },
        draw("g", { class: "stake" }, chipStackGroup(wager.stake, { radius })),
      ),
    );
    if (aside)
      group.append(
        draw(
          "g",
          { transform: `translate(${aside} 0)` },
          draw("g", { class: "payment" }, chipStackGroup(win, { radius })),
        ),
      );
    const lies = sum(wager.stake, { short: true });
    group.append(
      this.tag(
        isSmall ? lies.slice(1).replaceAll(",", "") : lies,
        -aside,
        radius + (isSmall ? 0 : 4),
        `${isSmall ? "small" : ""} ${line?.result === "lose" ? "lost" : ""}`,
      ),
    );
    if (isPaid)
      group.append(this.tag(sum(win, { short: true, sign: true }), aside, -radius - 3, isSmall ? "small won" : "won"));
    if (line?.result === "push") group.append(this.tag(t("table.push"), 0, -radius - 3, isSmall ? "small" : ""));
    return group;
  }

  /**
   * @param {string} words
   * @param {number} x
   * @param {number} y
   * @param {string} kind
   */
  tag(words, x, y, kind) {
    const [letter, high] = kind.includes("small") ? [5.2, 12] : [6.1, 16],
      wide = words.length * letter + high * 0.6;
    return draw(
      "g",
      { transform: `translate(${x} ${y})` },
      draw(
        "g",
        { class: `bet-tag ${kind}` },
        draw("rect", { x: -wide / 2, y: -high / 2, width: wide, height: high, rx: high / 2 }),
        draw("text", { y: high * 0.23 }, words),
      ),
    );
  }

  /** @param {Page.OnFelt} what */
  showBoxes({ markers, own }) {
    for (const [seat, box] of this.boxes) {
      box.classList.toggle("own", seat === own);
      box.querySelector(".box-sum")?.remove();
      if (markers[seat])
        box.append(
          draw(
            "text",
            { class: "box-sum", x: box.dataset.x, y: Number(box.dataset.y) + 6 },
            (markers[seat] / 100).toFixed(2),
          ),
        );
    }
  }

  /** The letters of the round spots, and what they stand for. */
  get legend() {
    const spots = this.areas.filter((area) => area.classList.contains("spot"));
    return [
      ...new Map(
        spots.map((area) => [
          area.dataset.on,
          [area.querySelector("text")?.textContent, this.card.titles[area.dataset.on ?? ""] ?? area.dataset.on],
        ]),
      ).values(),
    ];
  }

  /** Seats in their order around the table. */
  get order() {
    return [...this.seats]
      .sort(([, one], [, other]) => Number(one.dataset.x) - Number(other.dataset.x))
      .map(([seat]) => seat);
  }

  /** @param {Page.OnFelt} what */
  showStrip({ taken, own, wagers, maySit }) {
    this.strip.replaceChildren(
      ...this.order.map((seat) => {
        const main = wagers.find((wager) => wager.seat === seat && KEYS[wager.on]);
        const lies = main
          ? [
              make("span", { class: `disc ${main.on}` }, KEYS[main.on]),
              make("span", {}, sum(main.stake, { short: true }).slice(1)),
            ]
          : [make("span", { class: "quiet" }, taken[seat] ? "–" : t("table.free"))];
        const sits = maySit && !taken[seat];
        const inner = sits
          ? [
              make(
                "button",
                { type: "button", "data-sit": seat, "aria-label": t("table.sit_at", { seat }) },
                make("b", {}, String(seat)),
                make("span", {}, t("table.sit")),
              ),
            ]
          : [make("b", {}, String(seat)), ...lies];
        return make("li", { class: `${seat === own ? "own" : ""}${taken[seat] ? "" : " free"}` }, inner);
      }),
    );
  }

  /** @param {Page.OnFelt} what */
  showSpots({ own, open, wagers, lines }) {
    this.spots.hidden = !own;
    if (!own) return;
    const mine = this.areas.filter(
      (area) => Number(area.dataset.seat) === own && this.card.limits[area.dataset.on ?? ""],
    );
    /** @type {Record<string, number>} */
    const rank = { player: 0, tie: 1, banker: 2 };
    mine.sort((one, other) => (rank[one.dataset.on ?? ""] ?? 9) - (rank[other.dataset.on ?? ""] ?? 9));
    const focused = this.spots.querySelector(":focus")?.dataset.on;
    this.spots.replaceChildren(
      ...mine.map(({ dataset: { on = "" } }) => {
        const { min, max } = this.card.limits[on],
          wager = wagers.find((each) => each.seat === own && each.on === on);
        const line = lines.find((each) => each.seat === own && each.on === on);
        const result =
          line?.result === "win" && line.win
            ? make("em", {}, sum(line.win, { short: true, sign: true }))
            : line
              ? make("em", {}, t(`table.result_${line.result}`))
              : null;
        return make(
          "button",
          {
            type: "button",
            class: `spot ${on.replaceAll("_", "-")} ${KEYS[on] ? "main" : "side"} ${line?.result ?? ""}`,
            "data-on": on,
            disabled: !open,
            "aria-label": this.labelOf(on, wager),
          },
          make("span", { class: "name" }, KEYS[on] ? make("i", {}, KEYS[on]) : null, this.card.titles[on]),
          make("span", { class: "limits" }, `${sum(min, { short: true })}–${sum(max, { short: true }).slice(1)}`),
          wager
            ? make(
                "span",
                { class: "lies" },
                chipPicture(largest(wager.stake)),
                make("b", {}, sum(wager.stake, { short: true })),
                result,
              )
            : null,
        );
      }),
    );
    if (focused) this.spots.querySelector(`[data-on="${focused}"]`)?.focus();
  }

  /** @param {HTMLElement} target */
  acted(target) {
    const seat = target.closest(".seat[role], [data-sit]"),
      area = target.closest(".area[role], button.spot");
    if (area && !area.matches(":disabled")) {
      this.current = area.dataset.on ?? "";
      this.dispatchEvent(new CustomEvent("place", { detail: area.dataset.on, bubbles: true }));
    } else if (seat) {
      this.dispatchEvent(
        new CustomEvent("sit", { detail: Number(seat.dataset.sit ?? seat.dataset.seat), bubbles: true }),
      );
    }
  }

  /**
   * Enter and space act; arrows go to the user's nearest area in that direction.
   * @param {KeyboardEvent} event
   */
  keyed(event) {
    const part = targetOf(event).closest(".area[role], .seat[role]");
    if (!part) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.acted(part);
      return;
    }
    const way = WAYS[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const at = [Number(part.dataset.x), Number(part.dataset.y)],
      kind = part.classList.contains("area") ? ".area[role]" : ".seat[role]";
    const far = [...this.cloth.querySelectorAll(kind)]
      .filter((each) => each !== part)
      .map((each) => {
        const gone = [Number(each.dataset.x) - at[0], Number(each.dataset.y) - at[1]];
        const along = gone[0] * way[0] + gone[1] * way[1],
          across = Math.abs(gone[0] * way[1]) + Math.abs(gone[1] * way[0]);
        return { away: along > 2 ? along + 2 * across : Infinity, area: each };
      })
      .sort((one, other) => one.away - other.away)[0];
    if (!far || far.away === Infinity) return;
    part.setAttribute("tabindex", kind === ".area[role]" ? "-1" : "0");
    far.area.setAttribute("tabindex", "0");
    far.area.focus();
    this.current = far.area.dataset.on ?? this.current;
  }
}
customElements.define("bac-felt", BacFelt);
