"""The conformance corpus: the program and both small verifiers give every file the verdict that it must have."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from conformance import FOLDER, Corpus, Verdict, made, on_disk, read_corpus
from corpus_answer import CaseAnswer, javascript_answers, program_answer, python_answers, words
from corpus_case import ATTACKERS
from program_run import run_program

pytestmark = pytest.mark.slow

BOOKS_ALONE = {"honest/house-link-main.jsonl", "honest/house-cage.jsonl"}
"""Without a table and without a house there is nothing that an audit could decide again, and it says so."""


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


def by_program(corpus: Corpus, tmp_path: Path) -> list[CaseAnswer]:
    return [program_answer(corpus, case, *remembered(case, tmp_path)) for case in corpus.cases]


def remembered(case: Verdict, folder: Path) -> list[str]:
    """A copy of what a reader remembers, which `--memory` replaces."""
    if not case.memory:
        return []
    path = folder / "memory"
    shutil.copyfile(FOLDER / case.memory, path)
    return ["--memory", str(path)]


def differing(corpus: Corpus, verifier: str, answers: Sequence[CaseAnswer]) -> list[str]:
    """The cases in which a verifier does not give the verdict that it must give, or gives it for another reason."""
    names, found = {kind.name: getattr(kind, verifier) for kind in corpus.kinds}, []
    for case, (status, wrong, gaps) in zip(corpus.cases, answers, strict=True):
        is_program = verifier == "program"
        expected, gap = (case.status, case.gap) if is_program else (case.status_without_rules, case.gap_without_rules)
        if status != expected:
            found.append(f"{case.path}: status {status}, expected {expected}")
        elif expected in (1, 2) and names[case.kind] not in wrong:
            found.append(f"{case.path}: {wrong} found it, not {names[case.kind]}")
        elif expected == 3 and gap not in gaps:
            found.append(f"{case.path}: not covered is {gaps!r}, not {gap!r}")
    return found


def test_the_program_gives_every_verdict(corpus: Corpus, tmp_path: Path) -> None:
    assert differing(corpus, "program", by_program(corpus, tmp_path)) == []


def test_the_verifier_in_python_gives_every_verdict(corpus: Corpus) -> None:
    assert differing(corpus, "python", python_answers(corpus, corpus.cases)) == []


def test_the_verifier_in_javascript_gives_every_verdict(corpus: Corpus) -> None:
    assert differing(corpus, "javascript", javascript_answers(corpus, corpus.cases)) == []


def test_an_audit_gives_every_verdict_on_a_journal(corpus: Corpus, tmp_path: Path) -> None:
    found = {}
    for case in corpus.cases:
        if case.path.endswith(".jsonl") and case.path not in BOOKS_ALONE:
            done = run_program("audit", *words(corpus, case), *remembered(case, tmp_path))
            assert isinstance(done.exception, SystemExit | None), (case.path, done.exception)
            if done.exit_code != case.status:
                found[case.path] = done.exit_code, case.status
    assert found == {}
