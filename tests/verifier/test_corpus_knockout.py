"""Checks of the small verifiers removed one at a time: a file of the conformance corpus gets another verdict."""

from __future__ import annotations

import sys

import pytest

from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))

from corpus_knockout import PythonRun, Removal, javascript_removals, javascript_shown, not_shown, python_removals
from javascript import VERIFIER
from two_verifiers import PYTHON_VERIFIER

pytestmark = pytest.mark.slow

REFUSALS = ("the hash of the inputs", "no such entry")
"""A few in every run of the tests; `make knockout` removes all of them."""


def test_with_every_check_no_file_gets_another_verdict() -> None:
    python = Removal(0, "", PYTHON_VERIFIER.read_text(encoding="utf-8"))
    javascript = Removal(0, "", VERIFIER.read_text(encoding="utf-8"))
    found = [PythonRun().shown(python), *javascript_shown([javascript])]
    assert [(each.passes, each.otherwise) for each in found] == [("", ""), ("", "")]


def test_without_a_check_in_python_a_forgery_passes() -> None:
    removals = [each for each in python_removals() if any(part in each.text for part in REFUSALS)]
    assert len(removals) >= len(REFUSALS)
    run = PythonRun()
    assert not_shown([run.shown(each) for each in removals]) == []


def test_without_a_check_in_javascript_a_forgery_passes() -> None:
    removals = [each for each in javascript_removals() if "the hash of the inputs" in each.text]
    assert len(removals) == 1
    (found,) = javascript_shown(removals)
    assert found.passes == "forged/other-inputs/contribution.jsonl"
