"""Shipped editions under another name, to be edited by a test and played."""

from __future__ import annotations

import copy
import random
import sys
from typing import Any

import pytest

from baccarat.law import edition as law
from baccarat.law.edition import build, load_edition
from baccarat.law.rulebook import Rulebook, from_table, read_submission
from paths import ROOT

sys.path.append(str(ROOT / "tools"))

NAME = "changed"


def own(name: str) -> dict[str, Any]:
    """A shipped edition as a table under a name of its own, with its clauses beside it."""
    edition = load_edition(name)
    clauses = {key: clause.requirement for key, clause in edition.clauses.items()}
    return copy.deepcopy(edition.table) | {"name": NAME, "clause": clauses}


def rules_under(
    table: dict[str, Any], submission: str, monkeypatch: pytest.MonkeyPatch, **changes: Any
) -> Rulebook:  # fmt: skip
    """The rulebook of a shipped Submission under a changed edition, which is known until the test ends."""
    edition = build(table)
    monkeypatch.setitem(law._registered, edition.name, edition)
    return from_table({**read_submission(submission), "ruleset": edition.name, **changes})


def play(table: dict[str, Any], submission: str, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """A whole shoe under a changed edition: it settles, replays, breaks nothing, and is priced."""
    from whole_shoe import is_priced, plays  # noqa: PLC0415  a tool, not a part of the tests

    rules = rules_under(table, submission, monkeypatch, **changes)
    plays(rules, random.Random(1))
    is_priced(rules)
