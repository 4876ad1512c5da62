"""Reasons of the house: why an act beyond one table is refused."""

from __future__ import annotations

from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import RefusalCode, Refused, make_refusal

HouseReason = RefusalCode
"""Why an act of the house is refused."""


def refuse(rules: Rulebook, why: HouseReason, what: str, *keys: str, **params: object) -> Refused:
    """A refusal that cites clauses of a rulebook; `what` names its sentence."""
    assert keys, "no refusal without a clause"
    return make_refusal(why, what, rules.cite(*keys), **params)
