"""The knock-out tool: broken rules go red, a rule that no test bears is noticed, every bound clause has its turn."""

from __future__ import annotations

import copy
import importlib
import subprocess
import sys

import pytest

from baccarat.law.coverage import ClauseStatus, coverage
from baccarat.law.edition import load_edition, shipped_editions
from clause_marks import below
from paths import ROOT

pytestmark = pytest.mark.slow

TOOL = ROOT / "tools" / "knockout.py"

SAMPLE = (
    "ma-midi-1 option.decks.at_least: at_least 5",
    "ma-midi-1 royal9.ladder[4].prize: prize 150001",
    "ma-midi-2 tableau[8].act: draw for stay",
    "ma-midi-3 pays.dragon.win_by_6.A: A one better",
    "ma-midi-3 wager.tie.rules[0]: inverted",
    "ma-midi-4 option.tie_odds.at_least: at_least 7",
    "ma-midi-4 call[0].say: say changed",
    "ma-midi-4 settlement.direction: direction ascending",
    "nj-punto-banco settlement.procedure.1.sweeps: sweeps reversed",
    "nj-punto-banco verbal.confirmed_by: confirmed_by without casino supervisor",
    "money.next_multiple: to the nearest coin [NJ:3.3(c)1]",
    "admission.refuse_unknown_seat: removed [MA:2(a).1]",
)


TESTS = [
    word for path in ("law", "play", "table/test_clauses_wagering.py") for word in ("--tests", f"tests/{path}")
]  # fmt: skip
"""Tests that bear the clauses of the sample: to collect all that there are takes longer than the sample itself."""


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TOOL), *words], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )


def _only(names: tuple[str, ...]) -> list[str]:
    return [word for name in names for word in ("--only", name)]


def test_a_fixed_sample_of_broken_rules_goes_red() -> None:
    done = _run(*_only(SAMPLE), *TESTS)
    assert done.stdout.splitlines()[-1] == (
        f"{len(SAMPLE)} changes: {len(SAMPLE)} went red, 0 survive for a reviewed reason, 0 survive"
    ), done.stdout + done.stderr
    assert done.returncode == 0


def test_a_rule_that_no_test_bears_is_noticed() -> None:
    done = _run(*_only(SAMPLE[:1]), "--tests", "tests/law/test_submissions.py", "--no-bear")
    assert done.stdout.splitlines() == [
        "survives: ma-midi-1 option.decks.at_least: at_least 5  [MA:3(a).1]  no test bears it",
        "1 changes: 0 went red, 0 survive for a reviewed reason, 1 survive",
    ]
    assert done.returncode == 1


def test_a_name_that_means_no_change_is_noticed() -> None:
    done = _run("--only", "ma-midi-1 option.decks.at_least: at_least 4")
    assert (done.stdout, done.returncode) == ("no such change\n", 2)


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the tools, importable."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))


@pytest.mark.usefixtures("tools")
def test_every_ruled_clause_has_its_turn() -> None:
    mutation, behaviour = importlib.import_module("mutation"), importlib.import_module("behaviour")
    hit: dict[str, set[str]] = {name: set() for name in shipped_editions()}
    for name in shipped_editions():
        edition = load_edition(name)
        for each in mutation.mutations(edition.table, edition.clauses):
            hit[name].update(each.clauses)
    broken = {clause for each in behaviour.behaviours() for name in each.clauses for clause in below(name)}
    missed = [
        f"{name} {each.clause.id}"
        for each in coverage()
        for name, account in each.accounts.items()
        if account.state is ClauseStatus.RULED and each.clause.id not in hit[name] | broken
    ]
    assert missed == []


@pytest.mark.usefixtures("tools")
@pytest.mark.parametrize("name", shipped_editions())
def test_every_mutation_changes_its_table_and_no_other(name: str) -> None:
    mutation = importlib.import_module("mutation")
    edition = load_edition(name)
    before = copy.deepcopy(edition.table)
    for each in mutation.mutations(edition.table, edition.clauses):
        assert each.clauses, each
        assert mutation.mutated(edition.table, each) != before, each
    assert edition.table == before
