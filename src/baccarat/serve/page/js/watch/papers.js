// What the house has signed of the table's journal, and the papers that can be downloaded.
import { at, fill, make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { name, now, stream, table } from "/page/js/watch/looked_at.js";
import { dayOf } from "/page/js/time.js";
import { t } from "/page/js/words.js";

/** How far the journal is signed, and who has cosigned it. */
export async function showSigned() {
  const found = await ask("GET", `/api/streams/${stream}/signed`).catch(() => null);
  at("signed-panel").hidden = found === null;
  if (found === null) return;
  /** @type {[key: string, value: string | Node][]} */
  const facts = [["watch.entries", found.entries.toLocaleString("en-US")]];
  if (found.newest === null) facts.push(["watch.checkpoint", t("watch.unsigned")]);
  else {
    facts.push(
      ["watch.checkpoint", t("watch.signed_upto", { size: found.newest.size.toLocaleString("en-US") })],
      ["watch.signed_by", found.newest.signed[0].name],
      ["watch.root", make("code", { title: found.newest.root }, `${found.newest.root.slice(0, 20)} …`)],
    );
  }
  for (const note of found.cosigned) {
    for (const each of note.signed.filter((made) => made.at))
      facts.push([
        "watch.cosigned_by",
        t("watch.cosigned_at", {
          name: each.name,
          size: note.size.toLocaleString("en-US"),
          when: dayOf((each.at ?? 0) * 1e6),
        }),
      ]);
  }
  if (found.newest && !found.cosigned.length)
    facts.push(["watch.cosigned_by", found.witnesses.length ? t("watch.not_cosigned") : t("watch.no_witness")]);
  at("signed").replaceChildren(
    ...facts.map(([key, value]) => make("div", {}, make("dt", {}, t(key)), make("dd", {}, value))),
  );
}

export function drawPapers() {
  const film = now.film,
    shoe = `${table}/shoes/${film?.shoe ?? 1}`;
  /** @type {[key: string, href: string][]} */
  const ofRound = film?.over
    ? [
        ["watch.dispute_card", `${shoe}/rounds/${film.round}/card`],
        ["watch.round_bundle", `${shoe}/rounds/${film.round}/bundle`],
      ]
    : [];
  /** @type {[key: string, href: string][]} */
  const links = [
    ...ofRound,
    ["watch.shoe_bundle", `${shoe}/bundle`],
    ["watch.journal_file", `/api/streams/${stream}/journal`],
    ["watch.rounds_csv", `/api/exports/tables/${encodeURIComponent(name)}/rounds.csv`],
    ["watch.rounds_lines", `/api/exports/tables/${encodeURIComponent(name)}/rounds.jsonl`],
  ];
  fill(at("exports"), JSON.stringify(links), () =>
    links.map(([key, href]) =>
      make(
        "a",
        {
          class: "button",
          href,
          target: key === "watch.dispute_card" ? "_blank" : null,
          rel: "noopener",
          download: key === "watch.dispute_card" ? null : true,
        },
        t(key),
      ),
    ),
  );
}
