"""When the trigger of the Must Hit must be sealed: before the first wager that feeds its meter."""

from __future__ import annotations

from baccarat.table.base import TableRules
from baccarat.table.state import TableState

MUST_HIT = "must_hit"
"""The step at which the dealer ends the round for the Must Hit."""


def trigger_due(rules: TableRules, state: TableState) -> bool:
    """A wager feeds the Must Hit, and its trigger is not fixed yet."""
    if rules.elections.must_hit is None or state.meters.must_hit_seal:
        return False
    return bool(state.round.royal9_seats)
