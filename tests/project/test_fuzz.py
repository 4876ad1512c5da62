"""Random edits of editions and Submissions: each is refused with its place, or a whole shoe plays and is priced."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from campaign import times
from paths import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("tools")]

CHUNK = 20
OTHER_KINDS = (72, 73, 82, 86)
"""Kinds that do not come among the first: a key of a Submission renamed; in an edition a line doubled, a row put first,
a byte order mark."""


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the tools, importable."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))


@pytest.mark.parametrize("first", range(0, times(3) * CHUNK, CHUNK))
def test_an_edit_is_refused_with_its_place_or_plays(first: int) -> None:
    fuzz = importlib.import_module("fuzz")
    results = [fuzz.judge(number) for number in range(first, first + CHUNK)]
    assert [result for result in results if result.verdict is fuzz.Verdict.FAILED] == []
    played = sum(result.verdict is fuzz.Verdict.PLAYED for result in results)
    assert played * 10 >= CHUNK, f"{played} of {CHUNK} play"


def test_an_edit_of_another_kind_is_refused_with_its_place_or_plays() -> None:
    fuzz = importlib.import_module("fuzz")
    results = [fuzz.judge(number) for number in OTHER_KINDS]
    assert [result for result in results if result.verdict is fuzz.Verdict.FAILED] == []


def test_the_tool_counts_and_names_what_it_did() -> None:
    words = [sys.executable, str(ROOT / "tools" / "fuzz.py"), "--count", "6", "--jobs", "2"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert "6 edits: " in done.stdout
    assert "0 failed" in done.stdout


def test_a_failure_is_told_with_the_command_that_brings_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    fuzz = importlib.import_module("fuzz")
    monkeypatch.setattr(fuzz, "plays", lambda _rules, _chance: 1 / 0)
    played = next(number for number in range(100) if fuzz.judge(number).verdict is fuzz.Verdict.FAILED)
    result = fuzz.judge(played)
    assert "ZeroDivisionError" in result.say
    assert fuzz.again(result, seed="baccarat") == f"python tools/fuzz.py --seed baccarat --only {played}"
