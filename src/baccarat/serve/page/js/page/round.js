// A round that is over: its cards, everything that happened with the clauses behind it, and its proof, checked here.
import { at, make } from "/page/js/dom.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import { addressPart, ask } from "/page/js/house.js";
import { cardPicture } from "/page/js/picture.js";
import { checkShoe } from "/page/js/proof.js";
import { keepSeenLogs, seenLogs } from "/page/js/seen-logs.js";
import { beside, shell } from "/page/js/shell.js";
import { slipTable } from "/page/js/table/slip.js";
import { roundAddress } from "/page/js/table/history.js";
import { keptReceipts } from "/page/js/table/receipts.js";
import { tableTitle } from "/page/js/table_title.js";
import { timeOf } from "/page/js/time.js";
import { readKey, readReceipt, reportText, verify } from "/page/js/verify_baccarat.mjs";
import { lawText, named, t, told } from "/page/js/words.js";

const [name, shoe, number] = [2, 3, 4].map(addressPart),
  here = /** @type {const} */ (`/api/tables/${encodeURIComponent(name)}`);
const MOST_CITES = 100;
const session = await shell({ page: "lobby", isLit: false, cards: true });
/** The table by its title; a table of the past, which has none, by its name. */
const table = await ask("GET", here).then(tableTitle, () => name);
beside(make("a", { class: "tag", href: `/table/${encodeURIComponent(name)}` }, table));
document.title = `${t("round.of_shoe", { round: number, shoe })} · ${table} · baccarat`;
at("title").textContent = t("round.title", { table, round: t("round.of_shoe", { round: number, shoe }) });

/** @param {House.RoundDetail} round */
function showHands({ result }) {
  /** @param {House.Side} side */
  const hand = (side) =>
    result[side]
      ? make(
          "section",
          { class: `hand ${side}${result.outcome === side ? " won" : ""}`, "aria-label": t(`table.${side}`) },
          make(
            "h2",
            {},
            make("span", { class: `disc ${side}`, "aria-hidden": "true" }, side[0].toUpperCase()),
            t(`table.${side}`),
            make("b", { class: "count" }, String(result[side].count)),
          ),
          make(
            "div",
            { class: "cards" },
            result[side].cards.map((card) => cardPicture(card)),
          ),
        )
      : null;
  at("outcome").textContent = result.outcome ? t(`round.won_${result.outcome}`) : t("round.no_result");
  at("hands").replaceChildren(...[hand("player"), hand("banker")].filter((each) => each !== null));
}

/** What the round was for the user, by the books of the house; nothing for somebody who had no wager in it. */
async function showOwn() {
  const query = new URLSearchParams({ table: name, shoe, round: number });
  const rounds = session.who ? (await ask("GET", `/api/own/rounds?${query}`)).rounds : [];
  at("own").hidden = !rounds.length;
  at("own-slip").replaceChildren(...rounds.map((own) => slipTable(own, {})));
}

/** @param {string} clause */
function lawLine(clause) {
  const { text, lang } = lawText(clause);
  return make("p", { class: "spoken", lang }, text);
}

/**
 * Every event as a sentence; the text of its clauses opens below it.
 * @param {House.RoundDetail} round
 */
async function showEvents({ events }) {
  const cites = [...new Set(events.flatMap(({ event }) => event.cites ?? []))].slice(0, MOST_CITES);
  const asked = new URLSearchParams(cites.map((cite) => ["cite", cite]));
  const { clauses } = cites.length ? await ask("GET", `/api/clauses?${asked}`) : { clauses: {} };
  const shown = events.filter(({ event, say }) => say || event.event === "step");
  /** @param {number} index */
  const isStep = (index) => shown[index]?.event.event === "step";
  at("happened").replaceChildren(
    ...shown
      .filter((_, index) => !isStep(index) || (index + 1 < shown.length && !isStep(index + 1)))
      .map(({ event, ...said }) => {
        if (event.event === "step") return make("li", { class: "step" }, named("step", event.step));
        const words = [...new Set((event.cites ?? []).flatMap((cite) => clauses[cite]?.say ?? []))];
        /** @param {boolean} plain */
        const line = (plain) => [make("span", { class: "say" }, told(said)), clauseTags(event.cites, { plain })];
        const opened = () => [...words.map((text) => lawLine(text)), make("p", {}, clauseTags(event.cites))];
        return make(
          "li",
          { class: event.event.replaceAll("_", "-") },
          words.length ? make("details", {}, make("summary", {}, line(true)), opened()) : line(false),
        );
      }),
  );
}

async function showWays() {
  const {
    rounds: [newest],
  } = await ask("GET", `${here}/rounds?limit=1`);
  const hasLater = newest && (newest.shoe > Number(shoe) || newest.round > Number(number));
  /**
   * @param {number} round
   * @param {string} words
   */
  const way = (round, words) =>
    make("a", { class: "button", href: roundAddress(name, { shoe: Number(shoe), round }) }, words);
  at("ways").replaceChildren(
    ...[
      Number(number) > 1 ? way(Number(number) - 1, t("round.earlier")) : null,
      hasLater ? way(Number(number) + 1, t("round.later")) : null,
      make("a", { class: "button main", href: `/table/${encodeURIComponent(name)}` }, t("round.back")),
    ].filter((each) => each !== null),
  );
}

// ---------------------------------------------------------------------------------------------- the proof

/**
 * @param {boolean} holds
 * @param {string[]} words
 */
const verdict = (holds, ...words) =>
  make(
    "p",
    { class: holds ? "verdict holds" : "verdict fails" },
    make("span", { class: "sign", "aria-hidden": "true" }, holds ? "✓" : "✗"),
    make("span", {}, ...words),
  );

/** @param {import("/page/js/proof.js").Fault} fault */
function faultWords({ fault, position, card, right, witness }) {
  return t(`round.fault_${fault}`, { position: (position ?? 0) + 1, card, right, witness });
}

/**
 * @param {import("/page/js/proof.js").Checked} found
 * @param {number} positions
 */
function showProof(found, positions) {
  const { faults, isSealed, isWhole, cards, witnesses } = found;
  if (!isSealed) return [make("p", { class: "soft" }, t("round.no_seal"))];
  if (faults.length)
    return faults.slice(0, 5).map((fault) => verdict(false, t("round.fails", { why: faultWords(fault) })));
  const count = witnesses.length,
    names = witnesses.map((key) => key.split("+").slice(0, 2).join("+")).join(", ");
  const by = t(count === 1 ? "table.order_witness" : "table.order_witnesses", { count });
  const order = make(
    "p",
    { class: "soft" },
    count ? `${by} ${t("round.signed_by", { names })}` : t("table.order_house"),
    " ",
    t("round.dated_by"),
  );
  return [
    verdict(true, t("round.checked_cards", { count: positions })),
    order,
    isWhole
      ? verdict(true, t("round.whole_shoe", { count: cards }))
      : make("p", { class: "soft" }, t("round.not_open")),
  ];
}

/**
 * What the check of a shoe does not cover: the house has served all that it compares, and nothing is decided again.
 * @param {import("/page/js/proof.js").Checked} found
 */
function showGaps({ isSealed, isWhole, witnesses }) {
  const gaps = [
    isSealed ? "" : t("round.gap_real_cards"),
    t("round.gap_signed"),
    t("round.gap_decided"),
    isSealed && !isWhole ? t("round.gap_seed", { shoe }) : "",
    witnesses.length ? t("round.gap_shares") : "",
  ];
  return make(
    "ul",
    { class: "soft gaps" },
    gaps.filter(Boolean).map((gap) => make("li", {}, t("round.not_covered", { gap }))),
  );
}

/** @param {House.RoundDetail} round */
async function checkProof({ events }) {
  at("proof").replaceChildren(make("p", { class: "soft" }, t("round.checking")));
  const proof = await ask("GET", `${here}/shoes/${shoe}/proof`);
  const turned = new Set(events.flatMap(({ event }) => (event.event === "card_turned" ? [event.position] : [])));
  const found = checkShoe(proof);
  at("proof").replaceChildren(
    ...showProof(found, proof.cards.filter((card) => turned.has(card.position)).length),
    showGaps(found),
  );
}

/**
 * What the verifier says of a file: it does not know the rules, so at best nothing is wrong, and some of it is not
 * covered.
 * @param {{ status: number }} report
 * @param {string} name
 */
function fileVerdict({ status }, name) {
  if (status === 3)
    return make(
      "p",
      { class: "verdict open" },
      make("span", { class: "sign", "aria-hidden": "true" }, "–"),
      make("span", {}, t("round.file_open", { name })),
    );
  return verdict(false, t(status === 2 ? "round.file_unread" : "round.file_wrong", { name }));
}

/**
 * The receipts that this browser keeps, as far as they can be read under these keys.
 * @param {import("/page/js/verify_baccarat.mjs").Key[]} keys
 */
function receiptsUnder(keys) {
  return keptReceipts().flatMap(({ table, seq, text }) => {
    try {
      return [readReceipt(text, `${table}-${seq}.receipt`, keys)];
    } catch {
      return [];
    }
  });
}

const RECEIPT_TYPE = { type: "text/plain" };

/**
 * What a receipt shows, in short: the number of the record, its time and its act; nothing if it cannot be read.
 * @param {Page.Receipt} receipt
 */
function receiptText({ seq, text }) {
  try {
    const { at: time, command } = JSON.parse(atob(text.split("\n", 1)[0])); // names of acts are ASCII
    return t("round.receipt", { seq, time: timeOf(time), act: command.do.replaceAll("_", " ") });
  } catch {
    return "";
  }
}

/**
 * The receipts that this browser keeps of the table, to be saved elsewhere: as they were given, without asking the
 * house.
 */
function showReceipts() {
  const own = keptReceipts()
    .filter((each) => each.table === name && receiptText(each))
    .reverse();
  at("receipts").hidden = !own.length;
  at("receipt-count").textContent = t(own.length === 1 ? "round.receipt_kept" : "round.receipts_kept", {
    count: own.length,
  });
  at("receipt-list").replaceChildren(
    ...own.map((each) =>
      make(
        "li",
        {},
        make(
          "a",
          { href: URL.createObjectURL(new Blob([each.text], RECEIPT_TYPE)), download: `${name}-${each.seq}.receipt` },
          receiptText(each),
        ),
      ),
    ),
  );
}

async function checkFile() {
  const [file] = at("file").files ?? [];
  if (!file) return;
  let keys;
  try {
    keys = at("file-keys")
      .value.split(/\s+/)
      .filter(Boolean)
      .map((key) => readKey(key));
  } catch (problem) {
    at("file-answer").replaceChildren(
      verdict(false, t("round.file_no_key", { why: /** @type {Error} */ (problem).message })),
    );
    return;
  }
  const memory = seenLogs();
  const report = verify(new Uint8Array(await file.arrayBuffer()), { keys, receipts: receiptsUnder(keys), memory });
  keepSeenLogs(memory);
  at("file-answer").replaceChildren(
    fileVerdict(report, file.name),
    make("pre", { class: "checks", tabindex: 0 }, reportText(report, file.name)),
  );
}

for (const field of [at("file"), at("file-keys")]) field.addEventListener("change", checkFile);
showReceipts();
void checkFile(); // a file that was chosen while the page was loading

try {
  await showWays();
  const round = await ask("GET", `${here}/shoes/${shoe}/rounds/${number}`);
  showHands(round);
  await Promise.all([showOwn(), showEvents(round), checkProof(round)]);
} catch (problem) {
  at("answer").show(problem);
}
