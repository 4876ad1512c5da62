"""Triggers of the Must Hit for tests: where a test does not care, the first wager that feeds the meter wins it."""

from __future__ import annotations

from baccarat.law.rulebook import Rulebook
from baccarat.table.source import OpenedTrigger, SealedTriggers
from baccarat.table.state import TableState


class FirstWager:
    """A trigger at the meter's start."""

    def __init__(self, rules: Rulebook) -> None:
        self.rules = rules

    def open_trigger(self, state: TableState) -> OpenedTrigger:
        """The start, in every run; each has a salt of its own, for a seal that was opened does not come again."""
        terms = self.rules.elections.must_hit
        assert terms is not None, "asked only where the licensee has it"
        return OpenedTrigger(terms.start, salt=str(state.meters.must_hit_run))


def sealed_triggers(rules: Rulebook, seed: int, *, link: str = "link") -> SealedTriggers | None:
    """A seed for every run, none where no Must Hit is installed."""
    terms = rules.elections.must_hit
    return SealedTriggers(terms, lambda run: (2**64 + seed + run).to_bytes(32, "big"), link=link) if terms else None
