// Pits: which tables there are, by which rules they play and will play, and the notices behind those.
import { make } from "/page/js/dom.js";
import { ask, commandId } from "/page/js/house.js";
import { timeOfSeconds } from "/page/js/time.js";
import { named, t } from "/page/js/words.js";
import { actDialog, streamActs } from "/page/js/floor/act-dialog.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { hashText } from "/page/js/id_text.js";
import { valueText } from "/page/js/element/notice-clock.js";

/** @param {number} seconds */
const clock = (seconds) => (seconds <= 0 ? t("office.always") : timeOfSeconds(seconds));

/**
 * @param {House.PitShown} pit
 * @param {Record<string, string>} playing
 */
function tableRows(pit, playing) {
  return Object.entries(pit.tables).flatMap(([name, held]) =>
    held
      .slice(-3)
      .reverse()
      .map((rules, index, shown) =>
        make(
          "tr",
          {},
          index ? null : make("th", { scope: "rowgroup", rowspan: shown.length }, name),
          make("td", {}, rules.edition),
          make("td", {}, hashText(rules.hash)),
          make("td", {}, clock(rules.since)),
          make(
            "td",
            {},
            playing[name] === rules.hash
              ? make("span", { class: "tag live" }, t("office.in_force"))
              : index === 0
                ? make("span", { class: "tag held" }, t("office.to_adopt"))
                : "",
          ),
        ),
      ),
  );
}

/** @param {House.NoticeShown} notice */
function noticeItem(notice) {
  return make(
    "li",
    {},
    t("office.notice_line", {
      to: named("notice", notice.to),
      option: named("option", notice.option),
      value: valueText(notice.value),
      sent: clock(notice.sent),
    }),
    " ",
    notice.served ? make("span", { class: "tag" }, t("office.served")) : "",
    " ",
    clauseTags(notice.cites),
  );
}

/**
 * @param {string} pit
 * @param {House.SubmissionCard[]} submissions
 * @param {() => Promise<void>} done
 */
function openForm(pit, submissions, done) {
  const name = make("input", { name: "table", required: true, maxlength: 190 }),
    said = make("answer-line");
  const chosen = make(
    "select",
    { name: "submission" },
    submissions.filter((each) => each.shipped).map((each) => new Option(each.name, each.name)),
  );
  const cards = make(
    "select",
    { name: "cards", required: true },
    ["real", "electronic", "automated"].map((each) => new Option(named("cards", each), each)),
  );
  /** @param {Event} event */
  const open = async (event) => {
    event.preventDefault();
    try {
      const { submission, hash } = await ask("GET", `/api/submissions/${encodeURIComponent(chosen.value)}`);
      const { ruleset, ...stated } = submission;
      await ask(
        "POST",
        `/api/books/${encodeURIComponent(`pit ${pit}`)}/acts`,
        { do: "open_table", table: name.value, filed: { ruleset, stated, hash }, cards: cards.value },
        { "Idempotency-Key": commandId() },
      );
      await done();
    } catch (error) {
      said.show(error);
    }
  };
  return make(
    "details",
    { class: "opening" },
    make("summary", {}, t("office.open_table")),
    make(
      "form",
      { class: "fields", onsubmit: open },
      make("label", { class: "field" }, t("office.table_name"), name),
      make("label", { class: "field" }, t("office.under"), chosen),
      make("label", { class: "field" }, t("office.cards"), cards),
      said,
      make("div", { class: "do" }, make("button", { class: "button main small" }, t("office.open_table"))),
    ),
  );
}

/**
 * Shows the pits, with what the user may do about them.
 * @type {Page.OfficeSection}
 */
export async function showPits(view, { answer }) {
  const dialog = actDialog(() => draw().catch((error) => answer.show(error)));
  const draw = async () => {
    const [{ pits }, { submissions }, ofHouse] = await Promise.all([
      ask("GET", "/api/pits"),
      ask("GET", "/api/submissions"),
      streamActs("house"),
    ]);
    const playing = Object.fromEntries(submissions.flatMap((each) => each.tables.map((table) => [table, each.hash])));
    const add = ofHouse.find((act) => act.act === "add_pit");
    const panels = await Promise.all(
      pits.map(async (pit) => {
        const acts = await streamActs(`pit ${pit.name}`),
          may = (/** @type {string} */ name) => acts.find((act) => act.act === name),
          [notice, witnesses, kind] = ["give_notice", "change_witnesses", "state_table_kind"].map(may);
        return make(
          "section",
          { class: "panel" },
          make(
            "header",
            {},
            make("h2", {}, t("office.pit", { pit: pit.name })),
            make(
              "div",
              { class: "buttons" },
              notice
                ? make(
                    "button",
                    {
                      type: "button",
                      class: "button small",
                      onclick: () => dialog.open(notice, { values: { notice: { pit: pit.name, written: true } } }),
                    },
                    named("act", "give_notice"),
                  )
                : null,
              witnesses
                ? make(
                    "button",
                    { type: "button", class: "button small", onclick: () => dialog.open(witnesses) },
                    named("act", "change_witnesses"),
                  )
                : null,
              kind?.open
                ? make(
                    "button",
                    { type: "button", class: "button small", onclick: () => dialog.open(kind) },
                    named("act", "state_table_kind"),
                  )
                : null,
            ),
          ),
          make(
            "div",
            { class: "wide" },
            make(
              "table",
              {},
              make(
                "thead",
                {},
                make(
                  "tr",
                  {},
                  ["office.table", "office.edition", "office.hash", "office.since", "office.state"].map((key) =>
                    make("th", { scope: "col" }, t(key)),
                  ),
                ),
              ),
              make("tbody", {}, tableRows(pit, playing)),
            ),
          ),
          make(
            "div",
            { class: "padded" },
            pit.notices.length
              ? make(
                  "details",
                  {},
                  make("summary", {}, t("office.notices", { count: pit.notices.length })),
                  make("ul", { class: "lines" }, pit.notices.map(noticeItem)),
                )
              : null,
            may("open_table") ? openForm(pit.name, submissions, draw) : null,
          ),
        );
      }),
    );
    view.replaceChildren(
      make(
        "div",
        { class: "head" },
        make("h1", {}, t("office.section_pits")),
        add
          ? make(
              "button",
              { type: "button", class: "button", onclick: () => dialog.open(add) },
              named("act", "add_pit"),
            )
          : null,
      ),
      ...panels,
      ...(panels.length ? [] : [make("p", { class: "quiet" }, t("office.no_pits"))]),
    );
  };
  await draw();
}
