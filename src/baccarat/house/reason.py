"""Reasons of the house: why an act beyond one table is refused."""

from __future__ import annotations

from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Code, Refused, refused

HouseReason = Code
"""Why an act of the house is refused."""


def refuse(rules: Rulebook, why: HouseReason, what: str, *keys: str, **params: object) -> Refused:
    """A refusal that cites clauses of a rulebook; `what` names its sentence."""
    assert keys, "no refusal without a clause"
    return refused(why, what, rules.cite(*keys), **params)
