"""The checks of the small verifier in JavaScript: where each stands in its source, and the verifier without it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from check_removal import NOTHING, USAGE, Removal, Shown, cases, shown
from conformance import read_corpus
from corpus_answer import REPORTS_OF, arguments
from javascript import VERIFIER, run_node

SECONDS = 60
"""How many processor seconds the corpus may take without a check: without some of those of its parser, a file is read
without end."""


class Form(msgspec.Struct, frozen=True):
    """A form in which a check is written: what is found, and what stands there without it, and where it is noted.

    `NUMBER` stands for the number of the check.
    """

    pattern: str
    without: str
    noted: str


# What is no JSON at all is left out: the parser then stops at the next sign, and how a verifier reads JSON is its own.
STRICT = "'(?:a number above|half of a surr|something follows)"
FORMS = (
    Form(r"(?<=\.push\()\s*fault\(", "...nothing(", "notedFault(NUMBER, "),
    Form(r"(?<=\[)fault\(", "...nothing(", "notedFault(NUMBER, "),
    Form(r"\.map\((\(\{ [\w, ]+ \}\)) => fault\(", r".flatMap(\1 => nothing(", r".map(\1 => notedFault(NUMBER, "),
    Form(r"\bthrow new (Unreadable|Unchained)\(", r"void new \1(", r"throw new (noted(NUMBER, \1))("),
    Form(r"\bthrow follows \?", "void follows ?", "noted(NUMBER); throw follows ?"),
    Form(r"(?<!function )(?<![.\w])expect\(", "nothing(", "notedExpect(NUMBER, "),
    Form(r"\bthis\.fail\((?=`)", "nothing(", "noted(NUMBER, this).fail("),
    Form(rf"\bthis\.fail\((?={STRICT})", "nothing(", "noted(NUMBER, this).fail("),
    Form(r"(?<![.\w])fail\((?=')", "nothing(", "noted(NUMBER, fail)("),
    Form(r"\breturn \{ \.\.\.none, (?=wrong)", "void { ...none, ", "return { ...noted(NUMBER, none), "),
    Form(r"(\b\w+\.)?\bgaps\.push\((?!\.\.\.)", "nothing(", r"noted(NUMBER, \1gaps).push("),
    Form(r"\bmissing\.push\(", "nothing(", "noted(NUMBER, missing).push("),
    Form(r"\breturn (?=`\$\{note\.name\} s)", "void ", "return noted(NUMBER, '') + "),
    Form(r"(?<=\{ )wrong: (?=sameBytes|isSame)", "wrong: true ? '' : ", "wrong: noted(NUMBER, true) && "),
    Form(r"(?<=wrong: '', )unknown: (?=`)", "unknown: true ? '' : ", "unknown: noted(NUMBER, '') + "),
)  # fmt: skip
HELPERS = """
const found = new Set();
export const foundByChecks = found;
const nothing = () => [];
const noted = (number, value) => { found.add(number); return value; };
const notedFault = (number, ...words) => { found.add(number); return fault(...words); };
const notedExpect = (number, ...words) => {
  try { return expect(...words); } catch (error) { found.add(number); throw error; }
};
"""
DRIVER = (
    f"""
{REPORTS_OF}
const {{ cases, module }} = JSON.parse(fs.readFileSync(0, 'utf8'));
const verifier = await import(module);
"""
    + """
const answers = cases.map((one) => {
  verifier.foundByChecks?.clear();
  let answer;
  try {
    const reports = reportsOf(one);
    const broken = reports.map(({ message }) => message).find((say) => /could not finish/.test(say));
    const status = [1, 2, 3].find((each) => reports.some((report) => report.status === each));
    const gaps = reports.flatMap(({ coverage }) => coverage.flatMap((each) => each.gaps));
    const said = reports.flatMap(({ checks }) => checks.filter(({ name }) => name === 'receipts'));
    answer = [broken ?? status, [...gaps, ...said.map(({ say }) => say)].join('\\n')];
  } catch (error) {
    answer = [String(error), ''];
  }
  return [...answer, [...(verifier.foundByChecks ?? [])]];
});
process.stdout.write(JSON.stringify(answers));
"""
)


def places(source: str) -> list[tuple[re.Match[str], Form]]:
    """Every check in the order of the source, but for what is said of the command line."""
    usage = [
        (match.start(), source.index("\n}\n", match.start()))
        for match in re.finditer(r"^(?:export )?(?:async )?function (\w+)", source, re.MULTILINE)
        if match[1] in USAGE
    ]
    found = [(match, form) for form in FORMS for match in re.finditer(form.pattern, source)]
    found = [(match, form) for match, form in found if not any(a < match.start() < b for a, b in usage)]
    return sorted(found, key=lambda each: each[0].start())


def removals() -> Iterator[Removal]:
    """The checks of the verifier, each to be left out by its number."""
    source = VERIFIER.read_text(encoding="utf-8")
    lines = source.splitlines()
    for number, (match, _) in enumerate(places(source)):
        line = source.count("\n", 0, match.start()) + 1
        yield Removal(number, line, lines[line - 1].strip())


def source_without(removal: Removal) -> str:
    """The verifier without a check."""
    source = VERIFIER.read_text(encoding="utf-8")
    match, form = places(source)[removal.number]
    return source[: match.start()] + match.expand(form.without) + source[match.end() :] + HELPERS


def noting_source() -> str:
    """The verifier as it is, each of whose checks notes its number when it finds something."""
    source = VERIFIER.read_text(encoding="utf-8")
    for number, (match, form) in reversed(list(enumerate(places(source)))):
        noted = match.expand(form.noted).replace("NUMBER", str(number))
        source = source[: match.start()] + noted + source[match.end() :]
    return source + HELPERS


class JavaScriptRun:
    """The corpus, verified by changed verifiers, each in a process of its own."""

    def __init__(self) -> None:
        corpus = read_corpus()
        self.cases = cases()
        self._given: list[dict[str, Any]] = [arguments(corpus, case) for case in self.cases]
        self._noted = self._answers(noting_source(), range(len(self.cases)))

    def shown(self, removal: Removal) -> Shown:
        """What becomes of the cases in which a check finds something, without it."""
        concerned = [index for index, (_, _, found) in enumerate(self._noted) if removal.number in found]
        return self._shown(removal, source_without(removal), concerned) if concerned else Shown(removal)

    def all_shown(self, removed: Sequence[Removal], jobs: int = 2) -> Iterator[Shown]:
        """The same of many."""
        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(self.shown, removed)

    def unchanged(self) -> Shown:
        """What becomes of all cases with every check."""
        noted = zip(self.cases, self._noted, strict=True)
        return shown(NOTHING, [(case, status, gaps) for case, (status, gaps, _) in noted])

    def _shown(self, removal: Removal, source: str, concerned: Sequence[int]) -> Shown:
        try:
            answers = self._answers(source, concerned)
        except subprocess.TimeoutExpired:
            return Shown(removal, otherwise="a file is read without end")
        return shown(
            removal,
            [(self.cases[index], status, gaps) for index, (status, gaps, _) in zip(concerned, answers, strict=True)],
        )

    def _answers(self, source: str, concerned: Sequence[int]) -> list[tuple[int | str, str, list[int]]]:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "verifier.mjs"
            path.write_text(source, encoding="utf-8")
            given = json.dumps({"cases": [self._given[index] for index in concerned], "module": path.as_uri()})
            process = run_node("--input-type=module", "--eval", DRIVER, text=given, seconds=SECONDS)
        if process.returncode:
            return [(process.stderr.decode()[-200:], "", [])] * len(concerned)
        answers: list[tuple[int | str, str, list[int]]] = json.loads(process.stdout)
        return answers
