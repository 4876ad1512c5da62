"""Checks of all three verifiers removed one at a time: a file of the conformance corpus gets another answer.

A sample of them; `make knockout` removes all.
"""

from __future__ import annotations

import sys

import pytest

from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import javascript_checks
import program_checks
import program_modules
import python_checks
from check_removal import NOTHING, Removal, Shown, shown
from conformance import read_corpus
from corpus_knockout import SECOND_NETS, chosen, not_shown, unneeded
from program_removal import ProgramRun

pytestmark = pytest.mark.slow

SAMPLE = 12
OF_THE_PROGRAM = 40


@pytest.fixture(scope="module")
def python() -> python_checks.PythonRun:
    return python_checks.PythonRun()


@pytest.fixture(scope="module")
def javascript() -> javascript_checks.JavaScriptRun:
    return javascript_checks.JavaScriptRun()


def test_with_every_check_every_file_gets_its_answer(
    python: python_checks.PythonRun, javascript: javascript_checks.JavaScriptRun
) -> None:
    found = [python.unchanged(), javascript.unchanged()]
    assert [(each.passes, each.otherwise) for each in found] == [("", ""), ("", "")]


def test_without_a_check_in_python_a_file_gets_another_answer(python: python_checks.PythonRun) -> None:
    found = [python.shown(each) for each in chosen(list(python_checks.removals()), SAMPLE)]
    assert list(map(str, not_shown(found))) == []
    assert any(each.passes for each in found)


def test_without_a_check_in_javascript_a_file_gets_another_answer(
    javascript: javascript_checks.JavaScriptRun,
) -> None:
    found = list(javascript.all_shown(chosen(list(javascript_checks.removals()), SAMPLE)))
    assert list(map(str, not_shown(found))) == []
    assert any(each.passes for each in found)


@pytest.fixture(scope="module")
def program() -> ProgramRun:
    return ProgramRun()


def test_without_a_check_of_the_program_verify_or_audit_answers_otherwise(program: ProgramRun) -> None:
    assert program.misjudged() == []
    found = [program.shown(each) for each in chosen(program_checks.checks(), OF_THE_PROGRAM)]
    assert list(map(str, not_shown(found, program_modules.SECOND_NETS))) == []
    assert any(each.passes for each in found)
    assert any(each.otherwise for each in found)


def test_a_check_of_the_program_is_there_again_afterwards(program: ProgramRun) -> None:
    checks = program_checks.checks()
    root = next(each for each in checks if each.text.startswith("return failed_check(TREE, f'entries and proof"))
    shown = program.shown(root)
    run, (before, _) = next(
        pair for pair in zip(program.runs, program.answers, strict=True) if str(pair[0]) == shown.passes
    )
    assert before.status == 1
    assert program.answer(run) == before


def test_every_check_is_found_in_the_source() -> None:
    """Checks that are written in another form than the others would be left out: their count tells."""
    python, javascript = list(python_checks.removals()), list(javascript_checks.removals())
    assert len(python) >= 257
    assert len(javascript) >= 225
    of_the_program = program_checks.checks()
    assert len(of_the_program) >= 370
    assert {each.removal.text.partition(".")[0] for each in of_the_program} == {"audit", "cli", "engine", "record"}
    assert sum(bool(each.limb) for each in of_the_program) >= 80
    for part in program_modules.SECOND_NETS:
        assert any(part in each.removal.text for each in of_the_program), f"no check is called {part!r}"
    for part in SECOND_NETS:
        assert any(part in each.text for each in (*python, *javascript)), f"no check is called {part!r}"


def test_what_is_not_shown_and_what_need_not_be_a_second_net_are_told() -> None:
    removal, net = Removal(7, 1, "expect(True)"), Removal(8, 2, f"raise {next(iter(SECOND_NETS))}")
    case = next(case for case in read_corpus().cases if case.status_without_rules == 1)
    missed, caught = shown(removal, [(case, 1, "")]), shown(removal, [(case, 3, "")])
    assert (missed.passes, caught.passes) == ("", case.path)
    assert not_shown([missed, caught, Shown(net)]) == [missed]
    assert next(iter(SECOND_NETS)) not in unneeded([Shown(net), Shown(NOTHING)])
    assert next(iter(SECOND_NETS)) in unneeded([Shown(net, passes=case.path)])
