// The record of the selected act: who, what, when, and whether it follows from the record before.
import { at, make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { idText, shortId } from "/page/js/id_text.js";
import { dayOf } from "/page/js/time.js";
import { listed, named, t, textIfAny } from "/page/js/words.js";

/** @param {Page.FilmLine} line */
export function drawRecord({ act, number, cites }) {
  const role = act.role || act.origin,
    who = [act.who === role ? "" : textIfAny(`role.${act.who}`) || shortId(act.who), named("role", role)].filter(
      Boolean,
    );
  /** @type {[key: string, value: Page.Child[]][]} */
  const approvals = act.approvals?.length
    ? [
        [
          "watch.approved_by",
          act.approvals.map((each, index) =>
            make("span", { title: each.who }, `${index ? "; " : ""}${shortId(each.who)}, ${named("role", each.role)}`),
          ),
        ],
      ]
    : [];
  /** @type {[key: string, value: Page.Child | Page.Child[]][]} */
  const facts = [
    ["watch.seq_event", number === null ? String(act.seq) : `${act.seq.toLocaleString("en-US")} · ${number}`],
    ["watch.time", dayOf(act.at)],
    ["watch.command", make("code", {}, act.act)],
    ["watch.who", make("span", { title: act.who }, listed(who))],
    ...approvals,
    ["watch.device", idText(act.device) || t("watch.no_device")],
    ["watch.clauses", cites.length ? clauseTags(cites) : "–"],
    ["watch.hash", make("code", { title: act.hash }, `${act.hash.slice(0, 12)} … ${act.hash.slice(-8)}`)],
  ];
  at("record").replaceChildren(
    ...facts.map(([key, value]) => make("div", {}, make("dt", {}, t(key)), make("dd", {}, value))),
  );
  at("chain").replaceChildren(
    make("span", { class: act.follows ? "good" : "bad" }, act.follows ? t("watch.follows") : t("watch.broken")),
  );
}
