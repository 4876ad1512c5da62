"""Reasons of the house: why an act beyond one table is refused."""

from __future__ import annotations

from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Code, Refused, in_words

HouseReason = Code
"""Why an act of the house is refused."""


def refuse(rules: Rulebook, why: HouseReason, say: str, *keys: str) -> Refused:
    """A refusal that cites clauses of a rulebook."""
    assert keys, "no refusal without a clause"
    return in_words(why, say, rules.cite(*keys))
