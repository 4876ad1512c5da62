"""The program and both small verifiers on the same files: what each of the three answers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from typer.testing import CliRunner

from baccarat.cli import app
from javascript import VERIFIER, reports_of, run_node
from remade import Json
from two_verifiers import PYTHON_VERIFIER, python_reports

NOT_DECIDED = "nothing was decided again: this verifier does not know the rules"


def program(path: Path, keys: Sequence[str] = ()) -> tuple[int, list[Json]]:
    """Status and coverage of every stream, as the program says them."""
    words = [part for key in keys for part in ("--key", key)]
    done = CliRunner().invoke(app, ["verify", "--json", str(path), *words])
    assert isinstance(done.exception, SystemExit | None), done.exception
    return done.exit_code, [answer["coverage"] for answer in json.loads(done.stdout) if "coverage" in answer]


def three_statuses(paths: Sequence[Path], keys: Sequence[str] = ()) -> dict[str, tuple[int, int, int]]:
    """The status of each file by its name: the program's, and those of the verifiers in Python and in JavaScript."""
    small = zip(paths, python_reports(paths, keys), reports_of(paths, keys), strict=True)
    return {path.stem: (program(path, keys)[0], one["status"], other["status"]) for path, one, other in small}


def three_gaps(path: Path, keys: Sequence[str] = ()) -> list[list[list[str]]]:
    """For each of the three, the gaps of each stream, without those that only say that the rules are not known."""
    found = [
        program(path, keys)[1],
        python_reports([path], keys)[0]["coverage"],
        reports_of([path], keys)[0]["coverage"],
    ]
    return [[[gap for gap in stream["gaps"] if gap != NOT_DECIDED] for stream in each] for each in found]


def written_in(folder: Path, files: Mapping[str, Callable[[], bytes]], ending: str = ".jsonl") -> list[Path]:
    """Files by their names, each as its function makes it."""
    paths = [folder / f"{name}{ending}" for name in files]
    for path, make in zip(paths, files.values(), strict=True):
        path.write_bytes(make())
    return paths


def differing(found: Mapping[str, tuple[Any, ...]], expected: Mapping[str, int]) -> dict[str, tuple[Any, ...]]:
    """The files to which not all three answer with the status expected."""
    return {name: found[name] for name, status in expected.items() if found[name] != (status,) * 3}


WHO = ("program", "python", "javascript")


class Said(NamedTuple):
    """What a verifier answers to some files."""

    status: int
    gaps: list[list[str]]
    """What is not covered of each stream, apart from what only a verifier says that does not know the rules."""
    wrong: str
    """All that is wrong, in its own words; or why it reads nothing."""


def all_three(*words: str | Path) -> tuple[Said, Said, Said]:
    """What the program and the verifiers in Python and in JavaScript answer to the same words of a command line.

    `{who}` in a word is `program`, `python` or `javascript`: so each has a file of its own.
    """
    given, of_python, of_javascript = (
        [*(str(word).replace("{who}", who) for word in words), "--json"] for who in WHO
    )  # fmt: skip
    done = CliRunner().invoke(app, ["verify", *given], env={"COLUMNS": "400"})
    assert isinstance(done.exception, SystemExit | None), done.exception
    answers = json.loads(done.stdout) if done.stdout else []
    told = [say for each in answers for check in each.get("checks", ()) if check["holds"] is False
            for say in (check["say"], *check["more"])]  # fmt: skip
    of_program = Said(
        done.exit_code, _gaps(each for each in answers if "coverage" in each), "\n".join([*told, done.stderr])
    )
    python = subprocess.run([sys.executable, "-I", str(PYTHON_VERIFIER), *of_python], capture_output=True, check=False)
    node = run_node(str(VERIFIER), *of_javascript)
    return (
        of_program,
        _small(python.returncode, json.loads(python.stdout)["files"] if python.stdout else [], python.stderr, "what"),
        _small(node.returncode, json.loads(node.stdout) if node.stdout else [], node.stderr, "say"),
    )


def _small(status: int, reports: Sequence[Json], complaint: bytes, what: str) -> Said:
    assert b"Traceback" not in complaint, complaint.decode()
    faults = [fault[what] for report in reports for check in report["checks"] for fault in check["faults"]]
    gaps = _gaps({"coverage": coverage} for report in reports for coverage in report["coverage"])
    return Said(status, gaps, "\n".join([*faults, complaint.decode()]))


def _gaps(answers: Iterable[Json]) -> list[list[str]]:
    return [[gap for gap in each["coverage"]["gaps"] if gap != NOT_DECIDED] for each in answers]


def agreed(*words: str | Path) -> Said:
    """What all three answer, who must agree on everything but their own words for what is wrong."""
    of_program, python, javascript = all_three(*words)
    # A verifier that does not know the rules covers nothing: what the program covers is 3 there.
    assert python.status == javascript.status == (of_program.status or 3), (of_program, python, javascript)
    if of_program.status in (0, 3):
        assert of_program.gaps == python.gaps == javascript.gaps, (of_program, python, javascript)
    return Said(of_program.status, of_program.gaps, of_program.wrong)
