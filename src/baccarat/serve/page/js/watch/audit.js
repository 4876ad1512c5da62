// An audit on demand: begun with a button, followed while it runs, and shown with its checks and findings.
import { make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { ask } from "/page/js/house.js";
import { shortId } from "/page/js/id_text.js";
import { dayOf } from "/page/js/time.js";
import { t } from "/page/js/words.js";

const EVERY = 400;

/** @param {House.AuditCheck} check */
function checkRow(check) {
  const bad = check.failed > 0,
    none = check.left_out !== "";
  return make(
    "li",
    { class: bad ? "bad" : none ? "none" : "good" },
    make("b", { "aria-hidden": "true" }, bad ? "✗" : none ? "–" : "✓"),
    make("span", {}, check.name),
    make(
      "span",
      { class: "soft" },
      bad
        ? t("watch.check_failed", { failed: check.failed, times: check.times })
        : none
          ? check.left_out
          : t("watch.check_times", { times: check.times.toLocaleString("en-US") }),
    ),
  );
}

/** @param {House.JournalFinding} finding */
function findingRow(finding) {
  return make(
    "li",
    {},
    make(
      "b",
      {},
      finding.record === undefined
        ? finding.kind
        : t("watch.finding", { record: finding.record, kind: finding.kind.replaceAll("_", " ") }),
    ),
    make("p", {}, finding.say),
    clauseTags(finding.clauses),
  );
}

/** @param {House.Audit} audit */
function shown(audit) {
  if (audit.state === "running")
    return [
      make("progress", {
        max: audit.entries,
        value: Math.min(audit.read, audit.entries),
        "aria-label": t("watch.audit_running", { read: audit.read, entries: audit.entries }),
      }),
      make(
        "p",
        { class: "soft" },
        t("watch.audit_running", {
          read: audit.read.toLocaleString("en-US"),
          entries: audit.entries.toLocaleString("en-US"),
        }),
      ),
    ];
  if (audit.state === "stopped") return [make("p", { class: "notice" }, audit.why)];
  return [
    make(
      "p",
      { class: audit.clean ? "clean" : "unclean" },
      audit.clean
        ? t("watch.audit_clean", { stream: audit.stream })
        : t("watch.audit_wrong", { count: audit.findings.length + audit.left_out }),
    ),
    audit.findings.length ? make("ul", { class: "findings" }, audit.findings.map(findingRow)) : null,
    make("ul", { class: "checks" }, audit.checks.map(checkRow)),
    ...audit.remarks.map((remark) => make("p", { class: "soft" }, remark)),
  ];
}

/** @param {House.DiscretionaryActShown} act */
function actRow({ act, say }) {
  const by = [act.who, ...(act.seconds ?? [])].map(shortId).join(" · ");
  return make(
    "li",
    {},
    make("b", {}, `${by}: ${act.what || act.act.replaceAll("_", " ")}`),
    make("p", {}, [act.reason, say].filter(Boolean).join(" · ")),
    make(
      "p",
      { class: "soft" },
      t("watch.judgement_place", {
        record: act.record,
        time: act.at ? dayOf(act.at) : "–",
        shoe: act.shoe ?? "–",
        round: act.round ?? "–",
      }),
    ),
    clauseTags(act.clauses ?? []),
  );
}

/**
 * What an audited stream left to somebody's judgement: each act, and a total for each person.
 * @param {House.Audit} audit
 */
async function judgements(audit) {
  const { acts, persons } = await ask("GET", `/api/audits/${audit.id}/discretion`);
  if (!acts.length) return [make("p", { class: "soft" }, t("watch.no_judgement"))];
  return [
    make("h3", {}, t("watch.judgement", { count: acts.length })),
    make("ul", { class: "judgements" }, acts.map(actRow)),
    make(
      "ul",
      { class: "judgements" },
      persons.map((each) => make("li", {}, shortId(each.say))),
    ),
  ];
}

/**
 * Audits a stream and shows the progress until it is done.
 * @param {string} stream
 * @param {HTMLElement} box
 * @param {HTMLButtonElement} button
 * @param {Page.AnswerLine} answer
 */
export async function auditNow(stream, box, button, answer) {
  button.disabled = true;
  try {
    let audit = await ask("POST", `/api/streams/${encodeURIComponent(stream)}/audit`);
    for (;;) {
      box.replaceChildren(...shown(audit).filter((part) => part !== null));
      if (audit.state !== "running") break;
      await new Promise((after) => setTimeout(after, EVERY));
      audit = await ask("GET", `/api/audits/${audit.id}`);
    }
    if (audit.state === "done" && audit.judged) box.append(...(await judgements(audit)));
  } catch (problem) {
    answer.show(problem);
  } finally {
    button.disabled = false;
  }
}
