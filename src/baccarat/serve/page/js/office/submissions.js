// Submissions: a draft for a table is checked while typing, compared in law and price with what is filed, announced,
// and put in force between two shoes. The house decides every step: it says what is wrong, what is needed and from
// when.
import { make } from "/page/js/dom.js";
import { ask, commandId, sum } from "/page/js/house.js";
import { reachedBy } from "/page/js/shell.js";
import { secondWindow } from "/page/js/second_window.js";
import { timeOfSeconds } from "/page/js/time.js";
import { lawText, named, t, told } from "/page/js/words.js";
import { rolesText } from "/page/js/element/approval-card.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { shownValue } from "/page/js/element/submission-form.js";
import { streamActs } from "/page/js/floor/act-dialog.js";
import "/page/js/element/answer-line.js";
import "/page/js/element/notice-clock.js";

const PAUSE = 200;

/** The draft of one table, and everything that is shown about it. */
class Filing {
  /** Whether what is filed holds for every table of the pit. */
  everywhere = false;
  number = 0;
  opens = 0;
  table = "";
  pit = "";
  timer = 0;
  /** @type {House.OpenAct[]} */
  acts = [];
  /** @type {Page.Draft} */
  filed = {};
  /** @type {Page.Draft} */
  draft = {};

  /**
   * @param {HTMLElement} view
   * @param {House.TableCard[]} tables
   */
  constructor(view, tables) {
    this.tables = tables;
    this.badge = make("span", { class: "badge", role: "status" });
    this.form = make("submission-form", {
      onchange: (event) => {
        if (event.target === this.form) this.changed();
      },
    });
    this.plan = make("div", { class: "plan" });
    this.prices = make("div");
    this.about = make("p", { class: "soft" });
    /** @type {HTMLSelectElement} */
    this.choice = make(
      "select",
      { id: "filing-table", "aria-label": t("office.table"), onchange: () => void this.choose(this.choice.value) },
      tables.map((each) => new Option(each.table, each.table)),
    );
    view.replaceChildren(
      make(
        "div",
        { class: "draft" },
        make(
          "div",
          { class: "head" },
          make("div", {}, make("h1", {}, t("office.submission_for"), " ", this.choice), this.about),
          this.search(),
        ),
        this.form,
      ),
      make("aside", { class: "into-force", "aria-label": t("office.into_force") }, this.badge, this.plan, this.prices),
    );
  }

  /** Finds options by their words, their key or their clause. */
  search() {
    /** @type {HTMLInputElement} */
    const input = make("input", {
      type: "search",
      class: "line",
      placeholder: t("office.find"),
      "aria-label": t("office.find"),
      oninput: () => this.form.find(input.value),
    });
    return input;
  }

  /**
   * Opens the table that was chosen; if that fails, the draft stays that of the table before.
   * @param {string} table
   */
  async choose(table) {
    const mine = this.opens + 1;
    try {
      await this.open(table);
    } catch (error) {
      if (mine !== this.opens) return;
      this.rest(false);
      this.choice.value = this.table;
      this.plan.replaceChildren(...this.wrong(error));
    }
  }

  /**
   * While another table is being opened nothing can be typed or filed: it would belong to the table before.
   * @param {boolean} isResting
   */
  rest(isResting) {
    for (const part of [this.form, this.plan, this.prices]) part.inert = isResting;
  }

  /**
   * Opens the draft of a table, with everything about it in one step. If another is opened meanwhile, that one counts.
   * @param {string} table
   */
  async open(table) {
    const mine = ++this.opens,
      edition = this.tables.find((each) => each.table === table)?.edition ?? "";
    this.rest(true);
    const [options, { pits }, { submission }] = await Promise.all([
      ask("GET", `/api/editions/${encodeURIComponent(edition)}/options`),
      ask("GET", "/api/pits"),
      ask("GET", `/api/tables/${encodeURIComponent(table)}/filed`),
    ]);
    const pit = pits.find((each) => table in each.tables)?.name ?? "",
      acts = pit ? await streamActs(`pit ${pit}`) : [];
    if (mine !== this.opens) return;
    clearTimeout(this.timer);
    Object.assign(this, { table, pit, acts, filed: submission, draft: structuredClone(submission) });
    this.about.textContent = lawText(options.title).text;
    this.form.show(options, this.draft, this.filed);
    this.rest(false);
    this.prices.replaceChildren();
    await this.look();
  }

  changed() {
    clearTimeout(this.timer);
    this.prices.replaceChildren();
    this.timer = setTimeout(() => void this.look(), PAUSE);
  }

  /** Asks the house about the draft; an answer that comes after a later request is not shown. */
  async look() {
    const number = ++this.number;
    const table = encodeURIComponent(this.table);
    try {
      const plan = await ask("POST", `/api/tables/${table}/plan?everywhere=${this.everywhere}`, this.draft);
      if (number === this.number) this.show(plan);
    } catch (problem) {
      if (number === this.number) this.plan.replaceChildren(...this.wrong(problem));
    }
  }

  /** @param {unknown} error */
  wrong(error) {
    const line = make("answer-line");
    queueMicrotask(() => line.show(error));
    return [line];
  }

  /** @param {House.ChangePlan} plan */
  show(plan) {
    const { faults, valid } = plan.checked;
    this.form.tell({ faults, differences: plan.differences, noPlace: plan.no_place });
    const isChanged = Object.keys(plan.changes).length > 0 || !valid;
    this.badge.className = `badge ${valid ? (isChanged ? "sound" : "") : "wrong"}`;
    this.badge.textContent = !valid
      ? t("office.faults", { count: faults.length + plan.checked.more_faults })
      : isChanged
        ? t("office.sound", { count: plan.differences.length })
        : t("office.as_filed");
    this.plan.replaceChildren(
      ...[
        valid && !isChanged
          ? make(
              "section",
              { class: "panel padded" },
              make("h2", {}, t("office.into_force")),
              make("p", { class: "soft" }, t("office.begin")),
            )
          : null,
        this.faults(plan),
        this.coming(plan),
        valid && isChanged ? this.differences(plan) : null,
        valid && isChanged ? this.steps(plan) : null,
        valid ? this.pricing() : null,
      ].filter((part) => part !== null),
    );
  }

  /** @param {House.ChangePlan} plan */
  faults({ checked }) {
    const warnings = [...checked.warnings, ...checked.remarks];
    if (checked.valid)
      return warnings.length
        ? make(
            "section",
            { class: "panel padded" },
            make("h2", {}, t("office.warnings")),
            make(
              "ul",
              { class: "lines" },
              warnings.map((each) => make("li", {}, each)),
            ),
          )
        : null;
    return make(
      "section",
      { class: "panel padded faults" },
      make("h2", {}, t("office.mend_first")),
      make(
        "ul",
        { class: "lines" },
        checked.faults.map((each) =>
          make(
            "li",
            {},
            make(
              "button",
              {
                type: "button",
                class: "link",
                onclick: () =>
                  document.getElementById(`option-${each.option.split(".")[0]}`)?.scrollIntoView({ block: "center" }),
              },
              each.option,
            ),
            " ",
            each.say,
            " ",
            clauseTags(each.clauses),
          ),
        ),
        checked.more_faults ? make("li", {}, t("office.more_faults", { count: checked.more_faults })) : null,
      ),
    );
  }

  /**
   * What is filed and not in force yet.
   * @param {House.ChangePlan} plan
   */
  coming(plan) {
    if (plan.filed === plan.in_force) return null;
    return make(
      "section",
      { class: "panel padded filed" },
      make("h2", {}, t("office.filed")),
      make(
        "p",
        { title: plan.filed },
        t(plan.since > Date.now() / 1000 ? "office.filed_later" : "office.filed_now_holds", {
          time: timeOfSeconds(plan.since),
          hash: plan.filed.slice(0, 12),
        }),
      ),
      make("p", { class: "soft" }, t("office.adopt_on_floor")),
      make("a", { class: "button small", href: "/floor" }, t("office.to_the_floor")),
    );
  }

  /** @param {House.ChangePlan} plan */
  differences({ differences }) {
    return make(
      "section",
      { class: "panel padded" },
      make("h2", {}, t("office.differences", { count: differences.length })),
      make(
        "dl",
        { class: "differences" },
        differences.map((each) =>
          make(
            "div",
            {},
            make("dt", {}, named("option", each.option), " ", clauseTags(each.cites)),
            each.option === "limits" ? changedLimits(each.before, each.after) : changedValue(each.before, each.after),
          ),
        ),
      ),
    );
  }

  /** @param {string} name */
  may(name) {
    return this.acts.some((act) => act.act === name);
  }

  /** @param {House.ChangePlan} plan */
  steps(plan) {
    const line = make("answer-line");
    const now = () => Date.now() / 1000;
    const notices = plan.notices.map((each) =>
      make("li", {}, each.sent === null ? this.toTell(each, line) : this.told(each, plan.pit, now)),
    );
    const scope = make(
      "label",
      { class: "check" },
      make("input", {
        type: "checkbox",
        checked: this.everywhere,
        onchange: (event) => {
          this.everywhere = /** @type {HTMLInputElement} */ (event.target).checked;
          void this.look();
        },
      }),
      t("office.everywhere", { pit: plan.pit }),
    );
    const time = plan.earliest === null ? "" : timeOfSeconds(plan.earliest);
    const isSoon = plan.earliest !== null && plan.earliest - now() < 60;
    const file = make(
      "button",
      {
        type: "button",
        class: "button main",
        disabled: Boolean(plan.refused) || !this.may("change_options"),
        onclick: () =>
          void this.act(
            "change_options",
            { changes: plan.changes, effective: plan.earliest, ...(this.everywhere ? {} : { tables: [this.table] }) },
            line,
            plan.approvers,
          ),
      },
      plan.approvers.length
        ? t("floor.propose")
        : plan.earliest === null
          ? t("office.file")
          : isSoon
            ? t("office.file_now")
            : t("office.file_from", { time }),
    );
    return make(
      "section",
      { class: "panel padded steps" },
      make("h2", {}, t("office.into_force")),
      make(
        "ol",
        {},
        make("li", {}, make("b", {}, t("office.step_sound"))),
        make(
          "li",
          {},
          make("b", {}, t("office.step_told")),
          plan.notices.length
            ? make("ul", { class: "notes" }, notices)
            : make("p", { class: "soft" }, t("office.nobody_to_tell")),
        ),
        make(
          "li",
          {},
          make("b", {}, t("office.step_file")),
          scope,
          plan.refused ? make("p", { class: "notice" }, told(plan.refused), " ", clauseTags(plan.refused.cites)) : null,
          plan.approvers.length
            ? make("p", { class: "quiet small" }, t("floor.second_approves", { roles: rolesText(plan.approvers) }))
            : null,
          plan.approvers.length ? secondWindow(plan.approvers) : null,
          this.may("change_options") ? file : make("p", { class: "quiet" }, t("office.file_by_others")),
          line,
        ),
        make("li", {}, make("b", {}, t("office.step_adopt")), make("p", { class: "soft" }, t("office.adopt_on_floor"))),
      ),
    );
  }

  /**
   * @param {House.NoticeNeeded} needed
   * @param {Page.AnswerLine} line
   */
  toTell(needed, line) {
    const words = t("office.must_be_told", {
      to: named("notice", needed.to),
      option: named("option", needed.option),
      value: shownValue(needed.value),
      minutes: needed.minutes,
    });
    const notice = { to: needed.to, pit: this.pit, option: needed.option, value: needed.value, written: true };
    return make(
      "div",
      {},
      make("p", {}, words, " ", clauseTags(needed.cites)),
      this.may("give_notice")
        ? make(
            "button",
            { type: "button", class: "button small", onclick: () => void this.act("give_notice", { notice }, line) },
            t("office.tell", { to: named("notice", needed.to) }),
          )
        : null,
    );
  }

  /**
   * @param {House.NoticeNeeded} needed
   * @param {string} pit
   * @param {() => number} now
   */
  told(needed, pit, now) {
    const clock = make("notice-clock");
    clock.show(
      { ...needed, sent: needed.sent ?? 0, ripe_at: needed.ripe_at ?? 0, pit, written: true, served: false },
      now,
    );
    return clock;
  }

  /**
   * Does an act of the pit, or proposes it where somebody else approves it: then it waits on the floor page.
   * @param {string} name
   * @param {Record<string, unknown>} fields
   * @param {Page.AnswerLine} line
   * @param {House.Role[]} [approvers]
   */
  async act(name, fields, line, approvers = []) {
    const stream = `pit ${this.pit}`,
      command = { do: name, ...fields },
      headers = { "Idempotency-Key": commandId() };
    try {
      if (approvers.length) {
        await ask("POST", "/api/proposals", { stream, command }, headers);
        return line.show({ message: t("floor.proposed") });
      }
      await ask("POST", `/api/books/${encodeURIComponent(stream)}/acts`, command, headers);
      if (name === "change_options") await this.choose(this.table);
      else await this.look();
    } catch (error) {
      line.show(error);
    }
  }

  pricing() {
    return make(
      "section",
      { class: "panel padded" },
      make("h2", {}, t("office.prices")),
      make(
        "button",
        {
          type: "button",
          class: "button small",
          onclick: (event) => void this.price(/** @type {HTMLButtonElement} */ (event.target)),
        },
        t("office.compare_prices"),
      ),
    );
  }

  /** @param {HTMLButtonElement} button */
  async price(button) {
    button.disabled = true;
    try {
      const draft = JSON.stringify(this.draft),
        [before, after] = await Promise.all([
          ask("POST", "/api/submissions/odds", this.filed),
          ask("POST", "/api/submissions/odds", this.draft),
        ]);
      if (draft !== JSON.stringify(this.draft)) return; // it has changed meanwhile
      const old = new Map(before.wagers.map((each) => [each.wager, each])),
        names = [...new Set([...before.wagers, ...after.wagers].map((each) => each.wager))],
        fresh = new Map(after.wagers.map((each) => [each.wager, each]));
      /** @param {House.WagerPrice | undefined} priced */
      const cell = (priced) => make("td", { class: "sum" }, priced ? percent(priced.edge_decimal) : "–");
      this.prices.replaceChildren(
        make(
          "section",
          { class: "panel" },
          make(
            "table",
            { class: "prices" },
            make(
              "thead",
              {},
              make(
                "tr",
                {},
                make("th", { scope: "col" }, t("office.wager")),
                ["office.edge_filed", "office.edge_draft"].map((key) =>
                  make("th", { scope: "col", class: "sum" }, t(key)),
                ),
              ),
            ),
            make(
              "tbody",
              {},
              names.map((name) =>
                make(
                  "tr",
                  { class: old.get(name)?.edge === fresh.get(name)?.edge ? null : "differs" },
                  make("th", { scope: "row" }, fresh.get(name)?.name ?? old.get(name)?.name ?? name),
                  cell(old.get(name)),
                  cell(fresh.get(name)),
                ),
              ),
            ),
          ),
        ),
      );
    } catch (error) {
      this.prices.replaceChildren(...this.wrong(error));
    } finally {
      button.disabled = false;
    }
  }
}

/**
 * A decimal of the house as a percentage, to three places.
 * @param {string} decimal
 */
const percent = (decimal) => `${(Number(decimal) * 100).toFixed(3).replace("-", "−")} %`;

/**
 * @param {unknown} before
 * @param {unknown} after
 */
const changedValue = (before, after) =>
  make("dd", {}, make("del", {}, shownValue(before)), " → ", make("ins", {}, shownValue(after)));

/**
 * Of the limits only those that change, each with its sum.
 * @param {any} before
 * @param {any} after
 */
function changedLimits(before, after) {
  const amount = (/** @type {unknown} */ value) =>
    typeof value === "number" ? sum(value, { short: true }) : t("office.not_stated");
  const wagers = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return wagers.flatMap((wager) => {
    const [old, fresh] = [before?.[wager] ?? {}, after?.[wager] ?? {}];
    return ["min", "max", "increment", "aggregate_payout"]
      .filter((limit) => old[limit] !== fresh[limit])
      .map((limit) =>
        make(
          "dd",
          {},
          t("office.limit_changes", { wager: named("table.wager", wager), limit: t(`office.limit_${limit}`) }),
          " ",
          make("del", {}, amount(old[limit])),
          " → ",
          make("ins", {}, amount(fresh[limit])),
        ),
      );
  });
}

/**
 * Shows the draft of a table on its way into force; first one for which this person may file.
 * @param {HTMLElement} view
 * @param {{ session: House.Welcome }} about
 */
export async function showSubmissions(view, { session }) {
  const { tables } = await ask("GET", "/api/tables");
  if (!tables.length) {
    view.replaceChildren(
      make("h1", {}, t("office.section_submissions")),
      make("p", { class: "soft" }, t("office.no_tables")),
    );
    return;
  }
  const filing = new Filing(view, tables),
    [first] = reachedBy(
      session,
      tables.map(({ table }) => table),
    );
  filing.choice.value = first ?? tables[0].table;
  await filing.open(filing.choice.value);
}
