"""The study of meters without what the house won."""

from __future__ import annotations

from collections.abc import Sequence

from baccarat.law.rulebook import Rulebook
from baccarat.sim.study.meters import MeterStudy, with_wins


def study_meters(
    rules: Rulebook, *, seats: Sequence[int], seed: int, tables: int, days: int, shoes: int = 12, link: bool = False
) -> MeterStudy:
    """Let these seats of every table make the progressive wager in every round of `shoes` shoes a day."""
    return with_wins(rules, seats=seats, seed=seed, tables=tables, days=days, shoes=shoes, link=link)[0]
