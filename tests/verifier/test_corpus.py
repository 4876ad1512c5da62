"""The conformance corpus: the program and both small verifiers give every file the verdict that it must have."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from baccarat.cli import app
from conformance import Corpus, made, on_disk, read_corpus
from corpus_case import ATTACKERS
from javascript import reports_of
from two_verifiers import python_reports

pytestmark = pytest.mark.slow

BOOKS_ALONE = {"honest/house-link-main.jsonl", "honest/house-cage.jsonl"}
"""Without a table and without a house there is nothing that an audit could decide again, and it says so."""
Answer = tuple[int, set[str], str]
"""The status of a file, the checks that found something wrong, and everything that is not covered."""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_corpus()


def test_the_corpus_is_what_its_script_makes() -> None:
    expected, found = made(), on_disk()
    assert {name for name in {*expected, *found} if expected.get(name) != found.get(name)} == set(), "tools/corpus.py"


def test_it_has_forgeries_of_many_kinds_by_everybody(corpus: Corpus) -> None:
    forged = [case for case in corpus.cases if case.kind]
    assert len(forged) >= 200
    assert len(corpus.kinds) >= 40
    assert {case.kind for case in forged} == {kind.name for kind in corpus.kinds}
    assert len({kind.name for kind in corpus.kinds}) == len(corpus.kinds)
    assert {kind.attacker for kind in corpus.kinds} <= set(ATTACKERS)
    assert all(case.status != 0 for case in forged)
    assert all(case.status in (0, 3) for case in corpus.cases if not case.kind)
    assert all(case.file.is_file() for case in corpus.cases)


# ------------------------------------------------------------------------------------------- three verifiers


def by_program(paths: Sequence[Path], keys: Sequence[str]) -> list[Answer]:
    return [_by_program(path, keys) for path in paths]


def _by_program(path: Path, keys: Sequence[str]) -> Answer:
    words = [part for key in keys for part in ("--key", key)]
    done = CliRunner().invoke(app, ["verify", "--json", str(path), *words])
    assert isinstance(done.exception, SystemExit | None), (path, done.exception)
    answers = json.loads(done.stdout)
    wrong = {check["name"] for each in answers for check in each.get("checks", ()) if check["holds"] is False}
    wrong |= {"unreadable" for each in answers if "unreadable" in each}
    return done.exit_code, wrong, "\n".join(gap for each in answers for gap in each.get("coverage", {}).get("gaps", ()))


def by_audit(path: Path, keys: Sequence[str]) -> int:
    """The status of `audit`, which reads journals."""
    words = [part for key in keys for part in ("--key", key)]
    done = CliRunner().invoke(app, ["audit", str(path), *words])
    assert isinstance(done.exception, SystemExit | None), (path, done.exception)
    return done.exit_code


def by_python(paths: Sequence[Path], keys: Sequence[str]) -> list[Answer]:
    return [_small(report, "check", report["unreadable"], "wrong") for report in python_reports(paths, keys)]


def by_javascript(paths: Sequence[Path], keys: Sequence[str]) -> list[Answer]:
    return [_small(report, "name", report["status"] == 2, False) for report in reports_of(paths, keys)]


def _small(report: dict[str, Any], name: str, unreadable: object, wrong: object) -> Answer:
    answers = {check[name] for check in report["checks"] if check.get("answer", check.get("holds")) == wrong}
    gaps = "\n".join(gap for each in report["coverage"] for gap in each["gaps"])
    return report["status"], answers | ({"unreadable"} if unreadable else set()), gaps


def differing(corpus: Corpus, verifier: str, ask: Callable[[Sequence[Path], Sequence[str]], list[Answer]]) -> list[str]:
    """The cases in which a verifier does not give the verdict that it must give, or gives it for another reason."""
    names, found = {kind.name: getattr(kind, verifier) for kind in corpus.kinds}, []
    for keys, cases in corpus.by_keys().items():
        for case, (status, wrong, gaps) in zip(cases, ask([case.file for case in cases], keys), strict=True):
            expected = case.status if verifier == "program" else case.status_without_rules
            if status != expected:
                found.append(f"{case.path}: status {status}, expected {expected}")
            elif expected in (1, 2) and names[case.kind] not in wrong:
                found.append(f"{case.path}: {wrong} found it, not {names[case.kind]}")
            elif expected == 3 and case.gap not in gaps:
                found.append(f"{case.path}: not covered is {gaps!r}, not {case.gap!r}")
    return found


def test_the_program_gives_every_verdict(corpus: Corpus) -> None:
    assert differing(corpus, "program", by_program) == []


def test_the_verifier_in_python_gives_every_verdict(corpus: Corpus) -> None:
    assert differing(corpus, "python", by_python) == []


def test_the_verifier_in_javascript_gives_every_verdict(corpus: Corpus) -> None:
    assert differing(corpus, "javascript", by_javascript) == []


def test_an_audit_gives_every_verdict_on_a_journal(corpus: Corpus) -> None:
    found = {
        case.path: (status, case.status)
        for keys, cases in corpus.by_keys().items()
        for case in cases
        if case.path.endswith(".jsonl") and case.path not in BOOKS_ALONE
        if (status := by_audit(case.file, keys)) != case.status
    }
    assert found == {}
