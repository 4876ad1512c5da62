// Drills: the house asks and grades; what the trainee knows and has answered is stored only in this browser.
import { at, make } from "/page/js/dom.js";
import { ask, Problem } from "/page/js/house.js";
import { shell } from "/page/js/shell.js";
import { named, t } from "/page/js/words.js";
import { clauseTags } from "/page/js/element/clause-tag.js";
import "/page/js/element/drill-answer.js";
import "/page/js/element/drill-scene.js";

const COUNTS = [10, 20, 50, 100],
  USUAL_COUNT = 20,
  BOXES = 5,
  TICK = 100,
  SLOWEST = 3_600_000;
const SHEETS = ["sheet.html", "sheet.csv", "sheet.json"];
const KEPT = "drill",
  SHOWN = "drill.shown",
  LONGEST_SEED = 100;
const asked = new URLSearchParams(location.search);

let house = null; // the drills under the chosen rules
let sitting = null; // {seed, kinds, count, marks}: what is being answered
let trainee = {}; // what the trainee knows of these rules, as the house last stated it
let begun = 0,
  ticking = 0,
  isBeingGraded = false;

// -------------------------------------------------------------------------------------------- what is stored

const readKept = () => JSON.parse(localStorage.getItem(KEPT) ?? "{}");
function keep() {
  const kept = readKept();
  localStorage.setItem(
    KEPT,
    JSON.stringify({
      ...kept,
      submission: at("submission").value,
      rules: { ...kept.rules, [house.rulebook]: { trainee, sitting } },
    }),
  );
}
const newSeed = () =>
  [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const path = (what = "") => `/api/drills/${house.rulebook}${what}`;
const question = () => ({ seed: sitting.seed, kinds: sitting.kinds, trainee });
const titleOf = (kind) => named("drill.kind", kind);
const seconds = (milliseconds) => (milliseconds / 1000).toFixed(1);

// ------------------------------------------------------------------------------------------------ the clock

/** When the exercise was first shown in this tab: reloading the page gives no more time. */
function firstShown() {
  const exercise = `${sitting.seed} ${sitting.marks.length}`,
    [shown, since] = JSON.parse(sessionStorage.getItem(SHOWN) ?? "[]");
  if (shown === exercise) return Math.min(since, Date.now());
  sessionStorage.setItem(SHOWN, JSON.stringify([exercise, Date.now()]));
  return Date.now();
}

function startClock(allowed) {
  begun = performance.now() - (Date.now() - firstShown());
  clearInterval(ticking);
  const tick = () => {
    const took = performance.now() - begun;
    at("clock").textContent = t("drill.allowed", { seconds: Math.floor(took / 1000), allowed });
    at("pace").style.setProperty("--part", Math.min(1, took / 1000 / allowed));
    at("pace").classList.toggle("late", took > allowed * 1000);
  };
  tick();
  ticking = setInterval(tick, TICK);
}

function stopClock() {
  clearInterval(ticking);
  return Math.min(SLOWEST, Math.round(performance.now() - begun));
}

function noClock() {
  clearInterval(ticking);
  at("clock").textContent = "";
  at("pace").style.setProperty("--part", 0);
}

// --------------------------------------------------------------------------------------------- the exercise

async function next() {
  at("problem").show();
  if (sitting.marks.length >= sitting.count) {
    showSheet();
    return;
  }
  const asks = sitting,
    found = await ask("POST", path("/exercise"), question());
  if (sitting !== asks) return; // another sitting has begun meanwhile
  at("kind").textContent = titleOf(found.kind);
  at("where").textContent = t("drill.where", { number: sitting.marks.length + 1, count: sitting.count });
  const scene = make("drill-scene"),
    answer = make("drill-answer");
  at("body").replaceChildren(
    scene,
    make("p", { class: "asks spoken", tabindex: -1 }, found.question.ask),
    answer,
    make("div", { id: "grade", "aria-live": "polite" }),
  );
  scene.show(found.question.scene);
  answer.show(found.question);
  if (!answer.contains(document.activeElement)) at("body").querySelector(".asks").focus({ preventScroll: true });
  answer.addEventListener("answer", (event) => given(answer, event.detail));
  document.querySelector(".exercise").scrollIntoView({ block: "nearest" });
  startClock(found.seconds);
}

async function given(answer, text) {
  if (isBeingGraded) return; // an exercise is answered once
  isBeingGraded = true;
  at("problem").show();
  const milliseconds = stopClock();
  try {
    const done = await ask("POST", path("/answer"), { ...question(), answer: text, milliseconds });
    trainee = done.trainee;
    sitting.marks.push(done.mark);
    keep();
    answer.close();
    showGrade(answer, done, text.trim() !== "");
    showBeside();
  } catch (problem) {
    at("problem").show(problem);
    if (!(problem instanceof Problem)) throw problem;
  } finally {
    isBeingGraded = false;
  }
}

function markChoices(answer, { graded }) {
  for (const button of answer.querySelectorAll(".by-choice button.answer")) {
    const say = button.querySelector("span").textContent;
    if (say === graded.answer) button.classList.add("is-right");
    else if (say === graded.given) button.classList.add("is-wrong");
  }
}

function showGrade(answer, { graded, mark }, wasGiven) {
  markChoices(answer, { graded });
  const allowed = house.drills.find((drill) => drill.kind === mark.kind).seconds * 1000;
  const isLate = mark.milliseconds > allowed;
  const said = !graded.right ? t("drill.wrong") : isLate ? t("drill.late") : t("drill.right");
  const isOrder = answer.querySelector(".by-order") !== null,
    isChoice = answer.querySelector(".by-choice") !== null;
  const isLast = sitting.marks.length >= sitting.count;
  const onwards = make(
    "button",
    { type: "button", class: "button main", onclick: () => next().catch((problem) => at("problem").show(problem)) },
    isLast ? t("drill.to_sheet") : t("drill.next"),
    make("kbd", {}, "↵"),
  );
  at("grade").replaceChildren(
    make(
      "div",
      { class: `grade ${graded.right ? "right" : "wrong"}` },
      make(
        "p",
        { class: "verdict" },
        make("b", {}, `${graded.right ? "✓" : "✕"} ${said}`),
        make("span", { class: "quiet" }, t("drill.in_time", { seconds: seconds(mark.milliseconds) })),
      ),
      graded.right || !wasGiven || isChoice ? null : make("p", {}, t("drill.given"), " ", graded.given),
      graded.right || isOrder ? null : make("p", {}, t("drill.is"), " ", make("b", {}, graded.answer)),
      make(
        "ol",
        { class: isOrder ? "why numbered" : "why", "aria-label": t("drill.why") },
        graded.why.map((reason) =>
          make("li", {}, make("span", { class: "spoken" }, reason.say), clauseTags(reason.cites)),
        ),
      ),
      onwards,
    ),
  );
  onwards.focus({ preventScroll: true });
  at("grade").scrollIntoView({ block: "nearest" });
}

// ------------------------------------------------------------------------------------------ the score sheet

function byDrill(marks) {
  const found = new Map(house.drills.map(({ kind }) => [kind, []]));
  for (const mark of marks) found.get(mark.kind)?.push(mark);
  return [...found].filter(([, each]) => each.length);
}
const rights = (marks) => marks.filter((mark) => mark.right).length;
const mean = (marks) => seconds(marks.reduce((all, mark) => all + mark.milliseconds, 0) / marks.length);

function scoreTable(marks) {
  if (!marks.length) return make("p", { class: "quiet none" }, t("drill.none"));
  const heads = [t("drill.column_drill"), t("drill.column_right"), t("drill.column_time")];
  return make(
    "table",
    {},
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        heads.map((head, index) => make("th", { scope: "col", class: index ? "sum" : null }, head)),
      ),
    ),
    make(
      "tbody",
      {},
      byDrill(marks).map(([kind, each]) =>
        make(
          "tr",
          {},
          make("td", {}, titleOf(kind)),
          make("td", { class: "sum" }, t("drill.right_of", { right: rights(each), asked: each.length })),
          make("td", { class: "sum" }, t("drill.seconds", { seconds: mean(each) })),
        ),
      ),
    ),
  );
}

async function save(file) {
  const answer = await fetch(path(`/${file}`), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ marks: sitting.marks }),
    credentials: "same-origin",
  });
  if (!answer.ok) throw new Problem(await answer.json(), answer.status);
  const link = make("a", { href: URL.createObjectURL(await answer.blob()), download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), TICK);
}

function showSheet() {
  noClock();
  const { marks } = sitting,
    missed = marks.filter((mark) => !mark.right);
  at("kind").textContent = t("drill.sheet");
  at("where").textContent = house.title;
  const percent = marks.length ? Math.floor((100 * rights(marks)) / marks.length) : 0;
  at("body").replaceChildren(
    make(
      "div",
      { class: "sheet" },
      make(
        "p",
        { class: "total spoken" },
        make("b", {}, t("drill.sheet_percent", { percent })),
        t("drill.sheet_total", { right: rights(marks), asked: marks.length }),
      ),
      scoreTable(marks),
      make("h2", {}, missed.length ? t("drill.went_wrong") : t("drill.nothing_wrong")),
      make(
        "ul",
        { class: "missed" },
        missed.map((mark) =>
          make(
            "li",
            {},
            make("span", { class: "quiet" }, `${titleOf(mark.kind)} · ${mark.case}`),
            make("span", {}, mark.ask),
            make("span", { class: "spoken" }, mark.answer),
            clauseTags(mark.cites),
          ),
        ),
      ),
      make(
        "div",
        { class: "acts" },
        make(
          "button",
          {
            type: "button",
            class: "button main",
            onclick: () => begin().catch((problem) => at("problem").show(problem)),
          },
          t("drill.another"),
        ),
        make("span", { class: "quiet" }, t("drill.export")),
        SHEETS.map((file) =>
          make(
            "button",
            {
              type: "button",
              class: "button",
              onclick: () => save(file).catch((problem) => at("problem").show(problem)),
            },
            file.split(".")[1].toUpperCase(),
          ),
        ),
      ),
    ),
  );
}

// ------------------------------------------------------------------------------------------------- settings

function showBeside() {
  const marks = sitting?.marks ?? [];
  at("total").textContent = marks.length ? t("drill.sheet_total", { right: rights(marks), asked: marks.length }) : "";
  at("score").replaceChildren(scoreTable(marks));
  const all = house.drills.reduce((sum, drill) => sum + drill.cases, 0),
    standings = Object.values(trainee.standings ?? {});
  const counts = Array.from({ length: BOXES }, (_, index) => standings.filter(({ box }) => box === index + 1).length);
  const rows = [
    [t("drill.unasked"), all - standings.length],
    ...counts.map((count, index) => [t("drill.box_name", { box: index + 1 }), count]),
  ];
  const bars = rows.map(([name, count]) => {
    const bar = make("span", { class: "bar-of", "aria-hidden": "true" });
    bar.style.setProperty("--part", count / all);
    return make("li", {}, make("span", {}, name), bar, make("span", { class: "figure" }, count));
  });
  const forget = make(
    "button",
    {
      type: "button",
      class: "button",
      onclick: () => {
        trainee = {};
        keep();
        showBeside();
        at("problem").show({ say: t("drill.forgotten") });
      },
    },
    t("drill.forget"),
  );
  at("boxes").replaceChildren(
    make("ul", { class: "boxes" }, bars),
    make("p", { class: "quiet" }, t("drill.boxes_about")),
    standings.length ? forget : "",
  );
}

function showSetting() {
  const chosen = sitting?.kinds?.length ? sitting.kinds : house.drills.map(({ kind }) => kind);
  at("kinds").replaceChildren(
    ...house.drills.map(({ kind, cases }) =>
      make(
        "label",
        {},
        make("input", { type: "checkbox", name: "kind", value: kind, checked: chosen.includes(kind) }),
        make("span", {}, titleOf(kind)),
        make("span", { class: "quiet" }, cases),
      ),
    ),
  );
  at("count").replaceChildren(
    ...COUNTS.map((count) => new Option(count, count, false, count === (sitting?.count ?? USUAL_COUNT))),
  );
}

async function begin() {
  const kinds = [...document.querySelectorAll("[name=kind]:checked")].map((box) => box.value);
  if (!kinds.length) {
    at("problem").show({ say: t("drill.choose_one") });
    return;
  }
  sitting = {
    seed: asked.get("seed")?.slice(0, LONGEST_SEED) || newSeed(),
    kinds: kinds.length === house.drills.length ? [] : kinds,
    count: Number(at("count").value),
    marks: [],
  };
  keep();
  showBeside();
  await next();
}

async function chooseRules(name) {
  const found = await ask("GET", `/api/drills/${encodeURIComponent(name)}`);
  if (at("submission").value !== name) return; // others have been chosen meanwhile
  house = found;
  const kept = readKept().rules?.[house.rulebook] ?? {};
  trainee = kept.trainee ?? {};
  sitting = kept.sitting ?? null;
  showSetting();
  showBeside();
  noClock();
  if (sitting?.marks.length) await next();
  else welcome();
}

function welcome() {
  at("kind").textContent = t("drill.title");
  at("where").textContent = house.title;
  at("body").replaceChildren(
    make("p", { class: "welcome spoken" }, t("drill.welcome")),
    make(
      "button",
      {
        type: "button",
        class: "button main large",
        onclick: () => begin().catch((problem) => at("problem").show(problem)),
      },
      t("drill.begin"),
    ),
  );
}

async function show() {
  const { submissions, usual } = await ask("GET", "/api/submissions");
  const offered = new Map(submissions.map((each) => [each.name, each.shipped ? each.name : each.tables.join(", ")]));
  const wanted = asked.get("submission") ?? readKept().submission;
  const name = offered.has(wanted) ? wanted : usual;
  at("submission").replaceChildren(
    ...[...offered].map(([value, title]) => new Option(title, value, false, value === name)),
  );
  at("submission").addEventListener("change", () =>
    chooseRules(at("submission").value).catch((problem) => at("problem").show(problem)),
  );
  at("setting").addEventListener("submit", (event) => {
    event.preventDefault();
    begin().catch((problem) => at("problem").show(problem));
  });
  await chooseRules(name);
}

await shell({ page: "drill", cards: true });
await show().catch((problem) => at("problem").show(problem));
