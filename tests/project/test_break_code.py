"""Broken code: slips in a small module go red, and a test that asks too little is noticed."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from types import CodeType

import pytest

from paths import ROOT

sys.path.append(str(ROOT / "tools"))

from code_change import SOURCE, broken_text, changes_of_text, code_changes, files_below
from explained import SAME_BEHAVIOUR

TOOL = ROOT / "tools" / "break_code.py"


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TOOL), *words], cwd=ROOT, capture_output=True, text=True, timeout=1200, check=False
    )


def _module(file: Path) -> str:
    """The name of a module below the package."""
    return ".".join(file.relative_to(SOURCE / "baccarat").with_suffix("").parts).removesuffix(".__init__")


SLIPS = {
    "return a - b": ["a - b → a + b", "a - b → b - a"],
    "return mine | yours": ["mine | yours → mine & yours", "mine | yours → yours | mine"],
    "return a <= b": ["a <= b → a < b", "a <= b → b <= a"],
    "return a is not b": ["a is not b → a is b"],
    "n += step": ["n += step → n -= step"],
    "return list(reversed(them))": ["reversed(them) → list(them)"],
    "return sorted(them, reverse=down)": [
        "sorted(them, reverse=down) → list(them)", "sorted(them, reverse=down) without reverse",
    ],
    "return max(them, key=size)": ["max(them, key=size) → min(them, key=size)", "max(them, key=size) without key"],
    "return path.resolve()": ["path.resolve() without resolve"],
    "return path.resolve(strict)": [],
    "return left.pop(name, None)": ["left.pop(name, None) → left.get(name, None)"],
    "return left.pop()": ["left.pop() → left[-1]"],
    "return left.popleft()": ["left.popleft() → left[0]"],
    "left.clear()": ["left.clear() left out"],
    "await connection.close()": ["await connection.close() left out"],
    "return page(after)": ["after → after + 1", "after → after - 1"],
    "return self.page(offset=self.offset)": ["self.offset → self.offset + 1", "self.offset → self.offset - 1"],
    "return move(one, two)": ["move(one, two) → move(two, one)"],
    "return move(one, two())": [],
    "return isinstance(one, two)": [],
    "return move(to=one, by=two)": ["move(to=one, by=two) with to and by swapped"],
    "for each in them:\n  break": ["break left out"],
}  # fmt: skip
"""What a programmer might have written, by the line that is right."""


@pytest.mark.slow
@pytest.mark.parametrize("line", SLIPS)
def test_each_kind_of_line_has_its_slips(line: str) -> None:
    text = "async def look(self):\n  " + line.replace("\n", "\n  ")
    changes = changes_of_text(text, "src/baccarat/look.py")
    assert [change.what for change in changes] == SLIPS[line]
    assert len({ast.dump(broken_text(text, change)) for change in changes} | {text}) == len(changes) + 1


CLOSURE = """
def outer(size, them, floor):
    def inner(start):
        them.discard(size)
        return sorted(them, key=size)[floor:start] if floor else (start - floor)
    return inner
"""


def test_a_slip_leaves_a_closure_the_variables_that_it_was_made_with() -> None:
    def free(code: CodeType) -> list[tuple[str, ...]]:
        return [
            code.co_freevars,
            *(each for inner in code.co_consts if isinstance(inner, CodeType) for each in free(inner)),
        ]

    right = free(compile(CLOSURE, "", "exec"))
    changes = changes_of_text(CLOSURE, "src/baccarat/look.py")
    wrong = [change.what for change in changes if free(compile(broken_text(CLOSURE, change), "", "exec")) != right]
    assert len(changes) > 8
    assert wrong == [], "the functions that were made before would not take such code"


@pytest.mark.slow
def test_a_fixed_sample_of_slips_in_the_hash_tree_goes_red() -> None:
    done = _run("--within", "chain", "--tests", "tests/base/test_chain.py", "--sample", "12")
    last = done.stdout.splitlines()[-1]
    assert last.startswith("12 changes: "), done.stdout + done.stderr
    assert last.endswith(" 0 survive"), done.stdout + done.stderr
    assert done.returncode == 0


@pytest.mark.slow
def test_a_slip_that_no_test_reaches_is_noticed() -> None:
    name = "chain.path:56: not 0 <= index < len(leaves) → 0 <= index < len(leaves)"
    done = _run("--only", name, "--within", "chain", "--tests", "tests/base/test_ledger.py")
    assert done.stdout.splitlines() == [
        f"no test reaches: {name}",
        "1 changes: 0 went red, 0 change nothing, 1 survive",
    ], done.stdout + done.stderr
    assert done.returncode == 1


@pytest.mark.slow
def test_what_is_said_to_change_nothing_is_a_change_of_code_that_is_still_there() -> None:
    modules = {each.partition(":")[0] for each in SAME_BEHAVIOUR}
    files = [file for file in files_below("") if any(each.startswith(f"{_module(file)}.") for each in modules)]
    changes = (change for file in files for change in code_changes(file))
    there = {f"{change.module}.{change.function}: {change.what}" for change in changes}
    assert [each for each in SAME_BEHAVIOUR if each not in there] == []
