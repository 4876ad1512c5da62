// @ts-check
// What protects the user: a limit on loss, the reminder of the time, a time-out, an exclusion; each is chosen here.
import { fill, make } from "/page/js/dom.js";
import { ask, commandId, sum } from "/page/js/house.js";
import { timeOfSeconds } from "/page/js/time.js";
import { t } from "/page/js/words.js";
import "/page/js/element/answer-line.js";

const REMINDERS = [0, 15, 30, 60, 120],
  OUT_HOURS = [1, 24, 168, 720],
  OUT_DAYS = [180, 365, 1825],
  HOUR = 3600;

export class PlayerProtection extends HTMLElement {
  said = make("answer-line");
  panel = make("div", { class: "choices" });

  connectedCallback() {
    if (this.firstChild) return;
    this.append(this.panel, this.said);
    void this.look();
  }

  async look() {
    try {
      const found = await ask("GET", "/api/own/protection");
      fill(this.panel, JSON.stringify({ ...found, now: 0 }), () => this.choices(found));
    } catch (problem) {
      this.said.show(/** @type {Page.Reason} */ (problem));
    }
  }

  /**
   * Chooses; what the house answers is shown.
   * @param {Record<string, unknown>} command
   */
  async choose(command) {
    try {
      await ask("POST", "/api/own/protection", command, { "Idempotency-Key": commandId() });
      this.said.show(null);
    } catch (problem) {
      this.said.show(/** @type {Page.Reason} */ (problem));
    }
    await this.look();
  }

  /** @param {House.OwnProtection} found */
  choices(found) {
    return [found.out_until ? this.away(found) : null, this.limit(found), this.reminder(found), ...this.pauses(found)];
  }

  /** @param {House.OwnProtection} found */
  away({ out_until: until, is_excluded: isExcluded, now }) {
    const words = t(isExcluded ? "protect.excluded_until" : "protect.out_until", { time: timeOfSeconds(until) });
    const back = make(
      "button",
      { type: "button", class: "button main", onclick: () => this.choose({ do: "return_to_play" }) },
      t("protect.return"),
    );
    return make("div", { class: "notice away" }, make("p", {}, words), now >= until ? back : null);
  }

  /** @param {House.OwnProtection} found */
  limit({ limit, lost, at_risk: risk, wanted, wanted_from: from, wait_hours: hours, now }) {
    const left = Math.max(0, limit - lost - risk);
    const held = limit
      ? t("protect.limit_left", { limit: sum(limit), left: sum(left), lost: sum(Math.max(0, lost)) })
      : t("protect.no_limit");
    const field = make("input", {
      inputmode: "decimal",
      required: true,
      pattern: "[0-9]{1,9}([.][0-9]{2})?",
      autocomplete: "off",
      "aria-label": t("protect.limit_field"),
      placeholder: "0",
    });
    const asked = wanted === null ? null : t("protect.wanted", { limit: wanted ? sum(wanted) : t("protect.none") });
    return make(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          void this.choose({ do: "set_loss_limit", amount: Math.round(Number(field.value) * 100) });
        },
      },
      make("h3", {}, t("protect.limit")),
      make("p", {}, held),
      make(
        "div",
        { class: "line" },
        make("label", { class: "field" }, make("span", {}, t("protect.limit_field")), field),
        make("button", { type: "submit", class: "button" }, t("protect.set_limit")),
      ),
      make("p", { class: "quiet" }, t("protect.limit_about", { hours })),
      asked
        ? make(
            "div",
            { class: "notice" },
            make("p", {}, asked, " ", now < from ? t("protect.wanted_from", { time: timeOfSeconds(from) }) : ""),
            now < from
              ? null
              : make(
                  "button",
                  { type: "button", class: "button", onclick: () => this.choose({ do: "confirm_loss_limit" }) },
                  t("protect.confirm"),
                ),
          )
        : null,
    );
  }

  /** @param {House.OwnProtection} found */
  reminder({ reminder_minutes: minutes }) {
    const choices = [...new Set([...REMINDERS, minutes])].sort((one, other) => one - other);
    /** @type {HTMLSelectElement} */
    const select = make(
      "select",
      {
        "aria-label": t("protect.reminder"),
        onchange: () => this.choose({ do: "set_play_reminder", minutes: Number(select.value) }),
      },
      choices.map((each) =>
        make(
          "option",
          { value: each, selected: each === minutes },
          each ? t("protect.every", { minutes: each }) : t("protect.never"),
        ),
      ),
    );
    return make("div", {}, make("h3", {}, t("protect.reminder")), make("p", {}, t("protect.reminder_about")), select);
  }

  /** @param {House.OwnProtection} found */
  pauses({ out_until: until, now }) {
    /**
     * @param {string} name
     * @param {number[]} choices
     * @param {(count: number) => string} shown
     * @param {(count: number) => Record<string, unknown>} command
     */
    const pause = (name, choices, shown, command) => {
      const select = make(
        "select",
        { "aria-label": t(`protect.${name}`) },
        choices.map((each) => make("option", { value: each }, shown(each))),
      );
      const sure = make("input", { type: "checkbox", required: true });
      return make(
        "form",
        {
          onsubmit: (event) => {
            event.preventDefault();
            void this.choose(command(Number(select.value)));
          },
        },
        make("h3", {}, t(`protect.${name}`)),
        make("p", {}, t(`protect.${name}_about`)),
        make("label", { class: "sure" }, sure, t("protect.sure")),
        make(
          "div",
          { class: "line" },
          select,
          make("button", { type: "submit", class: "button" }, t(`protect.${name}_start`)),
        ),
      );
    };
    const hours = OUT_HOURS.filter((each) => now + each * HOUR > until),
      days = OUT_DAYS.filter((each) => now + each * 24 * HOUR > until);
    return [
      hours.length
        ? pause(
            "time_out",
            hours,
            (each) => (each < 24 ? t("protect.hours", { count: each }) : t("protect.days", { count: each / 24 })),
            (each) => ({ do: "take_time_out", hours: each }),
          )
        : null,
      days.length
        ? pause(
            "exclusion",
            days,
            (each) => t("protect.days", { count: each }),
            (each) => ({ do: "exclude_myself", days: each }),
          )
        : null,
    ];
  }
}
customElements.define("player-protection", PlayerProtection);
