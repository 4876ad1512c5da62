// Drills: the house asks and grades; what the trainee knows and has answered is stored only in this browser.
import { at, make, within } from "/page/js/dom.js";
import { ask, Problem } from "/page/js/house.js";
import { shell } from "/page/js/shell.js";
import { lawText, named, t, told } from "/page/js/words.js";
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

const page = {
  /**
   * The drills under the chosen rules.
   * @type {House.Drills}
   */
  house: { rulebook: "", edition: "", title: "", drills: [] },
  /**
   * What is being answered.
   * @type {Page.Sitting | null}
   */
  sitting: null,
  /**
   * What the trainee knows of these rules, as the house last stated it.
   * @type {Partial<House.Trainee>}
   */
  trainee: {},
  begun: 0,
  ticking: 0,
  isBeingGraded: false,
};

// -------------------------------------------------------------------------------------------- what is stored

const readKept = () => JSON.parse(localStorage.getItem(KEPT) ?? "{}");
function keep() {
  const kept = readKept();
  localStorage.setItem(
    KEPT,
    JSON.stringify({
      ...kept,
      submission: at("submission").value,
      rules: { ...kept.rules, [page.house.rulebook]: { trainee: page.trainee, sitting: page.sitting } },
    }),
  );
}
const newSeed = () =>
  [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
/**
 * @template {`/${string}`} What
 * @param {What} what
 */
const path = (what) => /** @type {`/api/drills/${string}${What}`} */ (`/api/drills/${page.house.rulebook}${what}`);
/** @param {Page.Sitting} sitting */
const question = ({ seed, kinds }) => ({ seed, kinds, trainee: page.trainee });
/** @param {string} kind */
const titleOf = (kind) => named("drill.kind", kind);
/** @param {number} milliseconds */
const seconds = (milliseconds) => (milliseconds / 1000).toFixed(1);

// ------------------------------------------------------------------------------------------------ the clock

/** When the exercise was first shown in this tab: reloading the page gives no more time. */
/** @param {Page.Sitting} sitting */
function firstShown({ seed, marks }) {
  const exercise = `${seed} ${marks.length}`,
    [shown, since] = JSON.parse(sessionStorage.getItem(SHOWN) ?? "[]");
  if (shown === exercise) return Math.min(since, Date.now());
  sessionStorage.setItem(SHOWN, JSON.stringify([exercise, Date.now()]));
  return Date.now();
}

/**
 * @param {Page.Sitting} sitting
 * @param {number} allowed
 */
function startClock(sitting, allowed) {
  page.begun = performance.now() - (Date.now() - firstShown(sitting));
  clearInterval(page.ticking);
  const tick = () => {
    const took = performance.now() - page.begun;
    at("clock").textContent = t("drill.allowed", { seconds: Math.floor(took / 1000), allowed });
    at("pace").style.setProperty("--part", String(Math.min(1, took / 1000 / allowed)));
    at("pace").classList.toggle("late", took > allowed * 1000);
  };
  tick();
  page.ticking = setInterval(tick, TICK);
}

function stopClock() {
  clearInterval(page.ticking);
  return Math.min(SLOWEST, Math.round(performance.now() - page.begun));
}

function noClock() {
  clearInterval(page.ticking);
  at("clock").textContent = "";
  at("pace").style.setProperty("--part", "0");
}

// --------------------------------------------------------------------------------------------- the exercise

async function next() {
  const { sitting } = page;
  if (!sitting) return;
  at("problem").show();
  if (sitting.marks.length >= sitting.count) {
    showSheet(sitting);
    return;
  }
  const found = await ask("POST", path("/exercise"), question(sitting));
  if (page.sitting !== sitting) return; // another sitting has begun meanwhile
  at("kind").textContent = titleOf(found.kind);
  at("where").textContent = t("drill.where", { number: sitting.marks.length + 1, count: sitting.count });
  const scene = make("drill-scene"),
    answer = make("drill-answer");
  at("body").replaceChildren(
    scene,
    make("p", { class: "asks spoken", tabindex: -1 }, told({ ...found.question, say: found.question.ask })),
    answer,
    make("div", { id: "grade", "aria-live": "polite" }),
  );
  scene.show(found.question.scene);
  answer.show(found.question);
  if (!answer.contains(document.activeElement)) within(at("body"), ".asks").focus({ preventScroll: true });
  answer.addEventListener("answer", (event) => given(answer, event.detail));
  within(document, ".exercise").scrollIntoView({ block: "nearest" });
  startClock(sitting, found.seconds);
}

/**
 * @param {HTMLElementTagNameMap["drill-answer"]} answer
 * @param {string} text
 */
async function given(answer, text) {
  const { sitting } = page;
  if (!sitting || page.isBeingGraded) return; // an exercise is answered once
  page.isBeingGraded = true;
  at("problem").show();
  const milliseconds = stopClock();
  try {
    const done = await ask("POST", path("/answer"), { ...question(sitting), answer: text, milliseconds });
    page.trainee = done.trainee;
    sitting.marks.push(done.mark);
    keep();
    answer.close();
    showGrade(answer, done, { wasGiven: text.trim() !== "", isLast: sitting.marks.length >= sitting.count });
    showBeside();
  } catch (problem) {
    at("problem").show(problem);
    if (!(problem instanceof Problem)) throw problem;
  } finally {
    page.isBeingGraded = false;
  }
}

/**
 * @param {HTMLElement} answer
 * @param {{ graded: House.AnswerGrade }} done
 */
function markChoices(answer, { graded }) {
  for (const button of answer.querySelectorAll(".by-choice button.answer")) {
    if (/** @type {HTMLElement} */ (button).dataset.say === graded.answer) button.classList.add("is-right");
    else if (/** @type {HTMLElement} */ (button).dataset.say === graded.given) button.classList.add("is-wrong");
  }
}

/**
 * @param {HTMLElement} answer
 * @param {House.AnsweredExercise} done
 * @param {{ wasGiven: boolean, isLast: boolean }} how
 */
function showGrade(answer, { graded, mark }, { wasGiven, isLast }) {
  markChoices(answer, { graded });
  const allowed = (page.house.drills.find((drill) => drill.kind === mark.kind)?.seconds ?? 0) * 1000;
  const isLate = mark.milliseconds > allowed;
  const said = !graded.right ? t("drill.wrong") : isLate ? t("drill.late") : t("drill.right");
  const isOrder = answer.querySelector(".by-order") !== null,
    isChoice = answer.querySelector(".by-choice") !== null;
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
      graded.right || !wasGiven || isChoice ? null : make("p", {}, t("drill.given"), " ", lawText(graded.given).text),
      graded.right || isOrder ? null : make("p", {}, t("drill.is"), " ", make("b", {}, lawText(graded.answer).text)),
      make(
        "ol",
        { class: isOrder ? "why numbered" : "why", "aria-label": t("drill.why") },
        graded.why.map((reason) =>
          make(
            "li",
            {},
            make("span", { class: "spoken", lang: lawText(reason.say).lang }, lawText(reason.say).text),
            clauseTags(reason.cites),
          ),
        ),
      ),
      onwards,
    ),
  );
  onwards.focus({ preventScroll: true });
  at("grade").scrollIntoView({ block: "nearest" });
}

// ------------------------------------------------------------------------------------------ the score sheet

/** @param {House.GradedAnswer[]} marks */
function byDrill(marks) {
  /** @type {Map<string, House.GradedAnswer[]>} */
  const found = new Map(page.house.drills.map(({ kind }) => [kind, []]));
  for (const mark of marks) found.get(mark.kind)?.push(mark);
  return [...found].filter(([, each]) => each.length);
}
/** @param {House.GradedAnswer[]} marks */
const rights = (marks) => marks.filter((mark) => mark.right).length;
/** @param {House.GradedAnswer[]} marks */
const mean = (marks) => seconds(marks.reduce((all, mark) => all + mark.milliseconds, 0) / marks.length);

/** @param {House.GradedAnswer[]} marks */
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

/** @param {string} file */
async function save(file) {
  const answer = await fetch(path(`/${file}`), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ marks: page.sitting?.marks }),
    credentials: "same-origin",
  });
  if (!answer.ok) throw new Problem(await answer.json(), answer.status);
  const link = make("a", { href: URL.createObjectURL(await answer.blob()), download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), TICK);
}

/** @param {Page.Sitting} sitting */
function showSheet({ marks }) {
  noClock();
  const missed = marks.filter((mark) => !mark.right);
  at("kind").textContent = t("drill.sheet");
  at("where").textContent = lawText(page.house.title).text;
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
  const marks = page.sitting?.marks ?? [];
  at("total").textContent = marks.length ? t("drill.sheet_total", { right: rights(marks), asked: marks.length }) : "";
  at("score").replaceChildren(scoreTable(marks));
  const all = page.house.drills.reduce((sum, drill) => sum + drill.cases, 0),
    standings = Object.values(page.trainee.standings ?? {});
  const counts = Array.from({ length: BOXES }, (_, index) => standings.filter(({ box }) => box === index + 1).length);
  /** @type {[name: string, count: number][]} */
  const rows = [
    [t("drill.unasked"), all - standings.length],
    ...counts.map((count, index) => /** @type {[string, number]} */ ([t("drill.box_name", { box: index + 1 }), count])),
  ];
  const bars = rows.map(([name, count]) => {
    const bar = make("span", { class: "bar-of", "aria-hidden": "true" });
    bar.style.setProperty("--part", String(count / all));
    return make("li", {}, make("span", {}, name), bar, make("span", { class: "figure" }, count));
  });
  const forget = make(
    "button",
    {
      type: "button",
      class: "button",
      onclick: () => {
        page.trainee = {};
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
  const chosen = page.sitting?.kinds?.length ? page.sitting.kinds : page.house.drills.map(({ kind }) => kind);
  at("kinds").replaceChildren(
    ...page.house.drills.map(({ kind, cases }) =>
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
    ...COUNTS.map(
      (count) => new Option(String(count), String(count), false, count === (page.sitting?.count ?? USUAL_COUNT)),
    ),
  );
}

async function begin() {
  const boxes = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=kind]:checked")),
    kinds = [...boxes].map((box) => /** @type {House.DrillKind} */ (box.value));
  if (!kinds.length) {
    at("problem").show({ say: t("drill.choose_one") });
    return;
  }
  page.sitting = {
    seed: asked.get("seed")?.slice(0, LONGEST_SEED) || newSeed(),
    kinds: kinds.length === page.house.drills.length ? [] : kinds,
    count: Number(at("count").value),
    marks: [],
  };
  keep();
  showBeside();
  await next();
}

/** @param {string} name */
async function chooseRules(name) {
  const found = await ask("GET", `/api/drills/${encodeURIComponent(name)}`);
  if (at("submission").value !== name) return; // others have been chosen meanwhile
  page.house = found;
  const kept = readKept().rules?.[page.house.rulebook] ?? {};
  page.trainee = kept.trainee ?? {};
  page.sitting = kept.sitting ?? null;
  showSetting();
  showBeside();
  noClock();
  if (page.sitting?.marks.length) await next();
  else welcome();
}

function welcome() {
  at("kind").textContent = t("drill.title");
  at("where").textContent = lawText(page.house.title).text;
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
