"""The kept run on a GPU: a part of its range, dealt again on this processor, has the same counters."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from baccarat.law.fact import FINISHES
from baccarat.law.rulebook import rulebook
from baccarat.sim.cuda import SOURCE
from baccarat.sim.plan import COUNTERS, make_plan
from baccarat.sim.vector_run import run
from paths import TESTS

pytestmark = pytest.mark.slow

KEPT = TESTS / "data" / "gpu" / "h200.json"


KEPT_RUN: dict[str, Any] = json.loads(KEPT.read_text("utf-8"))


@pytest.mark.parametrize(
    "case", KEPT_RUN["cases"], ids=lambda case: f"{case['submission']} {case['detail']} {case['rounds']}"
)
def test_a_part_of_the_range_has_the_same_counters_here(case: dict[str, Any]) -> None:
    rules = rulebook(case["submission"], decks=case["decks"])
    plan = make_plan(rules, case["detail"])
    here = run(plan, case["seed"], case["first"], case["part"], case["rounds"])
    assert here.tolist() == case["counts_of_part"]
    assert len(case["counts"]) == COUNTERS[plan.detail]
    assert np.all(np.array(case["counts"]) >= here)
    assert sum(case["counts"][: FINISHES if plan.detail == "royal9" else None]) == case["played"]


def test_the_source_that_ran_is_the_one_that_is_shipped() -> None:
    assert sha256(SOURCE.read_bytes()).hexdigest() == KEPT_RUN["source"], "run tools/gpu_run.py again on a GPU"
