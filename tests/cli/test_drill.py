"""`baccarat drill` in a terminal and from a pipe: graded at once, with the clause, and an honest exit status."""

from __future__ import annotations

import json
import os
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from forked import run_text
from terminal import in_terminal

pytestmark = pytest.mark.slow


def drill(*words: str, answers: str = "", status: int = 0) -> subprocess.CompletedProcess[str]:
    """The program, fed with answers through a pipe."""
    found = run_text("drill", *words, text=answers, environment={**os.environ, "COLUMNS": "80"})
    assert found.returncode == status, (found.stdout, found.stderr)
    return found


def right_answers(*words: str, count: int) -> list[str]:
    """What is right, one after the other: passed first, then taken from the grades."""
    found: list[str] = []
    for number in range(1, count + 1):
        answers = "".join(f"{each}\n" for each in found) + "\n"
        lines = drill(*words, "--count", str(number), "--json", answers=answers, status=1).stdout.splitlines()
        found.append(json.loads(lines[-2])["graded"]["answer"])
    return found


def test_right_answers_end_with_status_0_and_a_wrong_one_with_1(tmp_path: Path) -> None:
    words = ("nj-punto-banco", "--kind", "count", "--seed", "pipe")
    answers = right_answers(*words, count=4)
    sheet, kept = tmp_path / "sheet.csv", tmp_path / "kept.json"
    every = "".join(f"{each}\n" for each in answers)
    right = drill(*words, "-n", "4", "--sheet", str(sheet), "--keep", str(kept), answers=every)
    assert "4 of 4 right, 100 %" in right.stdout
    assert right.stdout.count("✓ right") == 4
    assert "nj-punto-banco §" in right.stdout
    assert len(sheet.read_text().splitlines()) == 5
    assert json.loads(kept.read_text())["answered"] == 4
    wrong = drill(*words, "-n", "1", answers="9\n" if answers[0] != "9" else "8\n", status=1)
    assert "0 of 1 right, 0 %" in wrong.stdout
    again = drill(*words, "-n", "1", "--keep", str(kept), "--sheet", str(tmp_path / "s.html"), answers="\n", status=1)
    assert "0 of 1 right" in again.stdout
    assert json.loads(kept.read_text())["answered"] == 5
    other = drill("ma-midi-4", "--keep", str(kept), status=2)
    assert "another file" in other.stderr


def test_an_answer_is_in_no_line_of_json_before_it_is_given() -> None:
    found = drill("--kind", "draw", "--seed", "s", "-n", "3", "--json", answers="\n\n\n", status=1)
    lines = [json.loads(each) for each in found.stdout.splitlines()]
    assert [next(iter(each)) for each in lines] == ["exercise", "graded"] * 3 + ["total"]
    assert set(lines[0]["exercise"]) == {"number", "kind", "seconds", "question"}
    assert lines[1]["graded"]["cites"]
    assert lines[-1]["total"] == {"asked": 3, "right": 0, "slow": 0, "milliseconds": lines[-1]["total"]["milliseconds"]}


@pytest.mark.parametrize(
    ("words", "answers", "says"),
    [
        (["--kind", "draw"], "perhaps\n", "expected one of d, s"),
        (["--kind", "drw"], "", "did you mean draw?"),
        (["ma-midi-4-ez", "--kind", "vigorish"], "", "nothing to train under these rules"),
        (["--sheet", "sheet.txt"], "", "ends in .csv, .json, .html"),
        (["--count", "0"], "", "Invalid value"),
        (["no-such-house"], "", "no Submission"),
    ],
)
def test_what_cannot_be_read_ends_with_status_2(words: list[str], answers: str, says: str) -> None:
    assert says in " ".join(drill(*words, "--seed", "s", answers=answers, status=2).stderr.split())


def test_a_drill_without_answers_says_so() -> None:
    assert "Nothing was answered." in drill("--seed", "s").stdout
    assert "Nothing was answered." in drill("--seed", "s", answers="quit\n").stdout


def test_a_file_that_is_no_score_sheet_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_text("name,sum\n")
    drill("--sheet", str(mine), status=2)
    assert mine.read_text() == "name,sum\n"


@pytest.mark.parametrize("kind", ["call", "payout", "order", "remedy"])
def test_an_exercise_and_its_grade_fit_a_terminal_of_80_by_24(kind: str) -> None:
    lines = in_terminal(
        "drill", "ma-midi-4", "--kind", kind, "--seed", "wide", "--count", "3", typed="\n\n\n", status=1
    )
    assert max(map(len, lines)) <= 80
    rules = [number for number, each in enumerate(lines) if each.startswith("───")]
    assert len(rules) == 4
    assert max(after - before for before, after in pairwise(rules)) <= 24
