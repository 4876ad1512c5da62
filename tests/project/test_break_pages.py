"""Broken pages: each kind of slip is made in scripts, none is a mistake of syntax, and tests of the pages see them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from paths import ROOT

sys.path.append(str(ROOT / "tools"))

from script_change import SCRIPTS, broken_script, changes_of_script, script_changes, scripts_below, tokens

TOOL = ROOT / "tools" / "break_pages.py"

SLIPS = {
    "const most = a - b;": ["a - b → b - a", "- → +"],
    "if (a <= b.size) go();": ["a <= b.size → b.size <= a", "<= → <", "go(); left out"],
    "if (a === b || !c) return;": ["if (a === b || !c) return; left out", "=== → !==", "|| → &&", "! left out"],
    "const all = them.filter((each) => each.open).toReversed();": [
        ".filter((each) => each.open) left out", ".toReversed() left out",
    ],
    "const next = this.queue.shift();": ["shift() → at(0)"],
    "clearTimeout(this.timer);": ["clearTimeout(this.timer); left out"],
    "await this.close();": ["await left out", "await this.close(); left out"],
    "resolve(found);": ["resolve(found); left out"],
    "return new Promise((resolve) => setTimeout(resolve, PAUSE));": ["resolve, PAUSE → PAUSE, resolve"],
    "const shown = is ? one(a) : two;": ["one(a) : two → two : one(a)"],
    "const more = told.after < this.seq;": [
        "told.after → (told.after + 1)", "told.after → (told.after - 1)",
        "told.after < this.seq → this.seq < told.after",
        "< → <=", "this.seq → (this.seq + 1)", "this.seq → (this.seq - 1)",
    ],
    "[this.run, this.seq] = [0o7, said.run];": [],
    "const one = list.some((each) => each.is);": ["some → every"],
    "const says = /a+b/.test(word) && `${count} of ${more}`;": ["&& → ||"],
    "this.signed ??= held?.name;": ["??= → =", "?. → ."],
}  # fmt: skip
"""What a programmer might have written, by the line that is right."""


@pytest.mark.parametrize("line", SLIPS)
def test_each_kind_of_line_has_its_slips(line: str) -> None:
    assert [str(change).partition(": ")[2] for change in changes_of_script(f"{{ {line} }}")] == SLIPS[line]


def test_the_tokens_of_a_script_are_the_script() -> None:
    scripts = scripts_below("")
    assert len(scripts) > 80
    for path in scripts:
        script = path.read_text(encoding="utf-8")
        assert "".join(token.text for token in tokens(script)) == script, path


PARSED = """
const { SourceTextModule } = await import("node:vm");
let text = "";
for await (const piece of process.stdin.setEncoding("utf8")) text += piece;
const wrong = [];
for (const [name, script] of JSON.parse(text)) {
  try { new SourceTextModule(script); } catch (error) { wrong.push(`${name}: ${error.message}`); }
}
console.log(JSON.stringify(wrong));
"""


@pytest.mark.slow
def test_no_slip_is_a_mistake_of_syntax_and_each_makes_another_script() -> None:
    broken: list[tuple[str, str]] = []
    for path in scripts_below(""):
        script = path.read_text(encoding="utf-8")
        changes = script_changes(path)
        made = [broken_script(script, change) for change in changes]
        assert len({script, *made}) == len(made) + 1, path
        broken += [(str(change), each) for change, each in list(zip(changes, made, strict=True))[::7]]
    node = shutil.which("node")
    assert node is not None, "Node is needed to read the scripts of the pages"
    done = subprocess.run(
        [node, "--experimental-vm-modules", "--no-warnings", "--input-type=module", "--eval", PARSED],
        input=json.dumps(broken), capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == []


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    scripts = "tests/pages/test_page_scripts.py"
    return subprocess.run(
        [sys.executable, str(TOOL), *words, "--tests", scripts, "--jobs", "1"],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def _names(script: str, *pieces: str) -> list[str]:
    changes = script_changes(SCRIPTS / script)
    return [next(str(each) for each in changes if piece in str(each)) for piece in pieces]


@pytest.mark.slow
def test_slips_in_the_wagers_of_a_row_go_red_and_one_that_no_test_loads_is_noticed() -> None:
    red = _names("table/own_wagers.js", '"done") break; left out', "+ → -", "this.past.push(changed); left out")
    unseen = _names("floor/day.js", "=== → !==")
    done = _run(*(word for name in (*red, *unseen) for word in ("--only", name)))
    assert done.stdout.splitlines() == [
        f"no test loads: {unseen[0]}",
        "4 changes: 3 went red, 1 survive",
    ], done.stdout + done.stderr
    assert done.returncode == 1
