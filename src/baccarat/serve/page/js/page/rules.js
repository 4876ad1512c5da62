// The rules: every clause of an edition in our words, differences between editions, and how much is covered.
import { at, make } from "/page/js/dom.js";
import { ask } from "/page/js/house.js";
import { shell } from "/page/js/shell.js";
import { lawText, named, t } from "/page/js/words.js";
import { clauseTags } from "/page/js/element/clause-tag.js";

const VIEWS = ["clauses", "differences", "coverage"];
const MOST_PLACES = 3;
const asked = new URLSearchParams(location.search);
/** @param {string | number | undefined} number */
const sectionId = (number) => `section ${number}`;

/**
 * The address of this page with other choices.
 * @param {Record<string, string>} choices
 */
function address(choices) {
  const query = new URLSearchParams(Object.entries(choices).filter(([, value]) => value));
  return `/rules?${query}`;
}

/** The paragraph that the address points to. */
const aimedAt = () => decodeURIComponent(location.hash.slice(1));

/**
 * A text of the rules, in its own language.
 * @param {"p" | "span"} tag
 * @param {string} say
 * @param {string} [kind]
 */
function lawLine(tag, say, kind = "says") {
  const { text, lang } = lawText(say);
  return make(tag, { class: kind || null, lang }, text);
}

// ------------------------------------------------------------------------------------------- clauses

/**
 * @param {string} name
 * @param {House.ReadingNote} held
 */
function reading(name, held) {
  return make(
    "details",
    { class: "reading" },
    make("summary", {}, t("rules.reading", { name })),
    lawLine("p", held.problem, ""),
    make("p", {}, make("b", {}, t("rules.we_read")), " ", lawLine("span", held.reading, "")),
    make("p", {}, make("b", {}, t("rules.why")), " ", lawLine("span", held.why, "")),
  );
}

/** @param {House.ClauseNote[]} clauses */
function ruledAt(clauses) {
  const places = [...new Set(clauses.flatMap((clause) => clause.places))];
  const tests = clauses.reduce((all, clause) => all + clause.tests, 0);
  const isRuled = clauses.every((clause) => clause.state === "ruled");
  const shown = places.slice(0, MOST_PLACES).map((place) => make("code", {}, place));
  const more = places.length - shown.length;
  return make(
    "p",
    { class: "ruled" },
    make(
      "span",
      {},
      isRuled ? t("rules.ruled_at") : named("rules.state", clauses.find((clause) => clause.state !== "ruled")?.state),
    ),
    ...shown,
    more > 0 ? make("span", { title: places.slice(MOST_PLACES).join(", ") }, t("rules.more", { count: more })) : null,
    make("span", { class: "tests" }, tests === 1 ? t("rules.one_test") : t("rules.tests", { count: tests })),
  );
}

/**
 * @param {string} edition
 * @param {House.ParagraphNote} note
 * @param {Record<string, House.ReadingNote>} readings
 * @param {string} before
 */
function paragraph(edition, note, readings, before) {
  return make(
    "article",
    { class: "clause", id: note.paragraph, tabindex: -1 },
    make(
      "div",
      { class: "gutter" },
      make("clause-tag", { cite: `${edition} §${note.paragraph}` }),
      note.change
        ? make(
            "a",
            { class: "changed", href: address({ edition, view: "differences", with: before }) },
            `△ ${t("rules.since", { change: lawText(note.change).text, before })}`,
          )
        : null,
    ),
    make(
      "div",
      { class: "words" },
      note.clauses.map((clause) => lawLine("p", clause.say)),
      note.readings.map((name) => reading(name, readings[name])),
      ruledAt(note.clauses),
    ),
  );
}

/** @param {House.AnnotatedEdition} found */
function clausesView(found) {
  at("title").textContent = lawText(found.title).text;
  at("about").textContent = t("rules.about", { edition: found.edition, revision: found.revision });
  return found.sections.map((section) =>
    make(
      "section",
      { class: "section", id: sectionId(section.number), "aria-labelledby": `head ${section.number}` },
      make("h2", { id: `head ${section.number}` }, make("span", {}, section.number), lawText(section.title).text),
      section.paragraphs.map((note) => paragraph(found.edition, note, found.readings, found.before)),
      section.number === found.tableau.section ? tableau(found.tableau) : null,
    ),
  );
}

/**
 * The tableau as a table: rows are counts, columns the value of the Player's third card.
 * @param {House.TableauNote} tableau
 */
function tableau({ counts, player, banker }) {
  /** @param {string} act */
  const cell = (act) => make("td", { class: act }, named("rules.act", act));
  const columns = [
    t("rules.count"),
    t("rules.player"),
    t("rules.no_third"),
    ...Array.from({ length: banker[0].length - 1 }, (_, value) => value),
  ];
  return make(
    "figure",
    { class: "tableau" },
    make("figcaption", {}, t("rules.tableau")),
    make(
      "div",
      { class: "wide", tabindex: 0, role: "group", "aria-label": t("rules.tableau") },
      make(
        "table",
        {},
        make(
          "thead",
          {},
          make(
            "tr",
            {},
            columns.map((text) => make("th", { scope: "col" }, text)),
          ),
        ),
        make(
          "tbody",
          {},
          counts.map((count, index) =>
            make("tr", {}, make("th", { scope: "row" }, count), cell(player[index]), banker[index].map(cell)),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {House.AnnotatedEdition} found
 * @param {string | undefined} priced
 */
function contents(found, priced) {
  at("sections").replaceChildren(
    ...found.sections.map((section) =>
      make(
        "li",
        {},
        make(
          "a",
          {
            href: `${address({ edition: found.edition })}#${encodeURIComponent(sectionId(section.number))}`,
            "data-section": section.number,
          },
          make("b", {}, section.number),
          make("span", {}, lawText(section.title).text),
          make(
            "em",
            {},
            section.paragraphs.reduce((all, note) => all + note.clauses.length, 0),
          ),
        ),
      ),
    ),
  );
  at("counts").replaceChildren(
    make(
      "span",
      {},
      t("rules.counts", { clauses: found.clauses, ruled: found.states.ruled, physical: found.states.physical }),
    ),
    priced ? make("a", { href: `/odds/${encodeURIComponent(priced)}` }, t("rules.to_odds")) : "",
  );
}

/** Marks in the contents which section is being read. */
function follow() {
  const links = new Map(
    [...document.querySelectorAll("#sections a")].map((link) => [sectionId(link.dataset.section), link]),
  );
  const watch = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        for (const link of links.values()) link.removeAttribute("aria-current");
        links.get(entry.target.id)?.setAttribute("aria-current", "true");
      }
    },
    { rootMargin: "-10% 0px -80% 0px" },
  );
  for (const section of document.querySelectorAll(".section")) watch.observe(section);
}

/** Goes to the paragraph or section that the address names, and says so if there is none. */
function aim() {
  for (const element of document.querySelectorAll(".aimed")) element.classList.remove("aimed");
  const name = aimedAt();
  if (!name) return;
  const element = document.getElementById(name);
  if (!element) {
    at("problem").show({ say: t("rules.no_clause", { name }) });
    return;
  }
  at("problem").show();
  element.classList.add("aimed");
  for (const details of element.querySelectorAll(":scope.clause details")) details.toggleAttribute("open", true);
  element.scrollIntoView({ block: "start" });
  if (element.classList.contains("clause")) element.focus({ preventScroll: true });
}

/**
 * Shows the paragraphs that contain the words.
 * @param {string} words
 */
function find(words) {
  const wanted = words.trim().toLowerCase();
  let count = 0;
  for (const article of document.querySelectorAll(".clause")) {
    const fits = !wanted || `§${article.id} ${article.textContent}`.toLowerCase().includes(wanted);
    article.hidden = !fits;
    count += Number(fits);
  }
  for (const section of document.querySelectorAll(".section"))
    section.hidden = !section.querySelector(".clause:not([hidden])");
  at("found").textContent = wanted ? t("rules.found", { count }) : "";
}

// ---------------------------------------------------------------------------------------- differences

/**
 * @param {House.EditionDifference} row
 * @param {string} edition
 * @param {{ text: string, sign: string, name: string, label: string }} about
 */
function side(row, edition, { text, sign, name, label }) {
  const cites = row.cites.filter((cite) => cite.startsWith(`${edition} §`));
  const said =
    text !== "–"
      ? [make("i", { "aria-hidden": "true" }, sign), " ", text]
      : make("span", { class: "quiet" }, t("rules.nothing"));
  return make("td", { class: name, "data-label": label }, said, cites.length ? clauseTags(cites) : null);
}

/**
 * @param {string} title
 * @param {House.EditionDifference[]} rows
 * @param {{ left: string, right: string }} editions
 */
function differenceTable(title, rows, { left, right }) {
  if (!rows.length) return null;
  const head = make(
    "tr",
    {},
    [t("rules.place"), left, right].map((text) => make("th", { scope: "col" }, text)),
  );
  const body = rows.map((row) =>
    make(
      "tr",
      {},
      make(
        "td",
        {},
        make("code", {}, row.place.replace(/^clause /, "")),
        make("span", { class: "tag" }, lawText(row.change).text),
      ),
      side(row, left, { text: lawText(row.left).text, sign: "−", name: "old", label: t("rules.old") }),
      side(row, right, { text: lawText(row.right).text, sign: "+", name: "new", label: t("rules.new") }),
    ),
  );
  return [
    make("h2", { class: "group" }, title),
    make("table", { class: "differences" }, make("thead", {}, head), make("tbody", {}, body)),
  ];
}

/**
 * @param {string} edition
 * @param {Record<string, string>} editions
 * @param {string} other
 */
async function differencesView(edition, editions, other) {
  const names = Object.keys(editions).filter((name) => name !== edition);
  const choice = make(
    "select",
    { id: "with" },
    names.map((name) => new Option(name, name, false, name === other)),
  );
  choice.addEventListener("change", () =>
    location.assign(address({ edition, view: "differences", with: choice.value })),
  );
  const found = await ask(
    "GET",
    `/api/editions/${encodeURIComponent(edition)}/differences/${encodeURIComponent(other)}`,
  );
  at("title").textContent = `${found.left} → ${found.right}`;
  at("about").textContent = t("rules.differ", {
    law: found.law.length,
    clauses: found.clauses.length,
    alike: found.summary.alike,
  });
  return [
    make("label", { class: "field with" }, make("span", {}, t("rules.with")), choice),
    differenceTable(t("rules.of_law", { count: found.law.length }), found.law, found),
    differenceTable(t("rules.of_clauses", { count: found.clauses.length }), found.clauses, found),
    found.law.length + found.clauses.length ? null : make("p", {}, t("rules.alike")),
  ]
    .flat()
    .filter((part) => part !== null);
}

// ------------------------------------------------------------------------------------------- coverage

/**
 * @param {string} edition
 * @param {House.AnnotatedEdition} found
 */
async function coverageView(edition, found) {
  const { editions } = await ask("GET", "/api/coverage");
  at("title").textContent = t("rules.coverage_title");
  at("about").textContent = t("rules.coverage_about");
  const states = Object.keys(editions[0].states).reverse();
  const head = [
    t("rules.edition"),
    t("rules.clauses_count"),
    ...states.map((state) => named("rules.state", state)),
    t("rules.unshown"),
  ];
  const table = make(
    "table",
    { class: "cover" },
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        head.map((text, index) => make("th", { scope: "col", class: index ? "sum" : null }, text)),
      ),
    ),
    make(
      "tbody",
      {},
      editions.map((each) =>
        make(
          "tr",
          {},
          make(
            "th",
            { scope: "row" },
            make("a", { href: address({ edition: each.edition }) }, each.edition),
            make("span", { class: "quiet" }, lawText(each.title).text),
          ),
          [each.clauses, ...states.map((state) => each.states[state]), each.unshown].map((count) =>
            make("td", { class: "sum" }, count),
          ),
        ),
      ),
    ),
  );
  const others = found.sections
    .flatMap((section) => section.paragraphs)
    .flatMap((note) =>
      note.clauses.filter((clause) => clause.state !== "ruled").map((clause) => ({ name: note.paragraph, clause })),
    );
  return [
    make("div", { class: "wide", tabindex: 0, role: "group", "aria-label": t("rules.coverage_title") }, table),
    make("h2", { class: "group" }, t("rules.not_ruled", { edition, count: others.length })),
    make(
      "ul",
      { class: "others" },
      others.map(({ name, clause }) =>
        make(
          "li",
          {},
          make("clause-tag", { cite: `${edition} §${name}` }),
          lawLine("span", clause.say),
          make("span", { class: "quiet" }, clause.places.map((place) => place.replace(/^\w+: /, "")).join("; ")),
        ),
      ),
    ),
  ];
}

// ------------------------------------------------------------------------------------------- the page

/**
 * @param {string} view
 * @param {string} edition
 * @param {Record<string, string>} editions
 */
function choices(view, edition, editions) {
  at("edition").replaceChildren(
    ...Object.keys(editions).map((name) => new Option(name, name, false, name === edition)),
  );
  at("edition").addEventListener("change", () =>
    location.assign(address({ edition: at("edition").value, view: view === "clauses" ? "" : view })),
  );
  at("views").replaceChildren(
    ...VIEWS.map((name) =>
      make(
        "button",
        {
          type: "button",
          "aria-pressed": String(name === view),
          onclick: () => location.assign(address({ edition, view: name === "clauses" ? "" : name })),
        },
        t(`rules.view_${name}`),
      ),
    ),
  );
  const search = at("find").parentElement;
  if (search) search.hidden = view !== "clauses";
}

async function show() {
  const [{ editions }, { submissions, usual }] = await Promise.all([
    ask("GET", "/api/editions"),
    ask("GET", "/api/submissions"),
  ]);
  const edition = asked.get("edition") || (submissions.find((each) => each.name === usual)?.edition ?? ""),
    named_ = asked.get("view") ?? "",
    view = VIEWS.includes(named_) ? named_ : "clauses";
  choices(view, edition, editions);
  const found = await ask("GET", `/api/editions/${encodeURIComponent(edition)}/clauses`);
  contents(found, submissions.find((each) => each.edition === edition)?.tables[0]);
  const other = asked.get("with") || found.before || (Object.keys(editions).find((name) => name !== edition) ?? "");
  const made =
    view === "clauses"
      ? clausesView(found)
      : view === "differences"
        ? await differencesView(edition, editions, other)
        : await coverageView(edition, found);
  at("view").replaceChildren(...made);
  if (view !== "clauses") return;
  follow();
  aim();
  addEventListener("hashchange", aim);
  at("find").addEventListener("input", () => find(at("find").value));
}

await shell({ page: "rules" });
await show().catch((problem) => at("problem").show(problem));
