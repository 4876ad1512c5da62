"""Every fault that was once found can be put back, and the tests that it names see it."""

from __future__ import annotations

import sys

import pytest

from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))

from known_faults import Fault, known_faults, unseen, what_is_stale

FAULTS = list(known_faults())
STEP = len(FAULTS) // 4
SHORT = FAULTS[STEP // 3 :: STEP][:4]
"""A few in every run of the tests, none whose test waits for what never comes; `make knockout` puts all of them in."""


def test_the_text_and_the_tests_that_a_fault_names_are_there() -> None:
    assert len(FAULTS) > 500
    assert {name: stale for name, fault in FAULTS if (stale := what_is_stale(fault)) is not None} == {}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "fault"), SHORT, ids=[name for name, _ in SHORT])
def test_a_fault_put_back_turns_its_tests_red(name: str, fault: Fault) -> None:
    assert unseen(fault) == [], f"{name}: {fault.what}"
