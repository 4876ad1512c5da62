"""The shuffles of a table's electronic shoes: what was promised, contributed, sealed, revealed, or lost.

That every turned card was proved, and that a revealed seed leads to the commitment, the order and the root, has been
decided again with the commands. What remains: an order that its own seed has disproved; and over several shoes a
seed used twice, a header that names another table, a shoe whose seed was never revealed, and shoes to which nobody but
the operator contributed.
"""

from __future__ import annotations

from collections.abc import Iterator

from baccarat.table.base import Event
from baccarat.table.state import shoe_in_words
from baccarat.table.step.abandoning import ShoeAbandoned
from baccarat.table.step.closing import ShoeClosed
from baccarat.table.step.revealing import OrderDisproved, SeedLost, SeedRevealed
from baccarat.table.step.sealing import ContributionMade, OrderSealed, ShoeCommitted, ShoeFailed

SEALED_EVENTS = {ShoeCommitted, ContributionMade, OrderSealed, SeedRevealed, OrderDisproved, SeedLost}
SHUFFLE_EVENTS = frozenset(SEALED_EVENTS | {ShoeClosed, ShoeAbandoned, ShoeFailed})
"""The events of an electronic shoe."""
OTHER_TABLE, SEED_REUSED, NOT_REVEALED = "other_table", "seed_reused", "seed_not_revealed"
NOT_THE_SEEDS = "order_not_the_seeds"
SHUFFLE_FAULTS = (OTHER_TABLE, SEED_REUSED, NOT_REVEALED, NOT_THE_SEEDS)
"""Every kind of fault that is found here."""


class Shuffles:
    """What has been seen of a table's electronic shoes."""

    def __init__(self, table: str, seeds: dict[str, str]) -> None:
        self.table = table
        self.committed = self.revealed = self.lost = self.alone = self.given_up = 0
        self._seeds = seeds
        """Every revealed seed, at any table, with its shoe."""
        self._open: ShoeCommitted | None = None
        self._contributions = 0

    @property
    def is_open(self) -> bool:
        """Whether a shoe still owes its seed."""
        return self._open is not None

    def check_event(self, event: Event) -> Iterator[tuple[str, str]]:
        """Faults of the shuffles that an event shows: the kind of fault, and a sentence."""
        match event:
            case ShoeCommitted():
                self.committed += 1
                self._open, self._contributions = event, 0
                if event.table != self.table:
                    yield OTHER_TABLE, f"the commitment is for table {event.table}, not for {self.table}"
            case ContributionMade():
                self._contributions += 1
            case OrderSealed():
                self.alone += not self._contributions
            case SeedRevealed(seed=seed):
                yield from self._reveal(seed)
            case OrderDisproved():
                shoe = shoe_in_words(self._open.shoe) if self._open is not None else "another"
                say = f"shoe {shoe} sealed an order that is not its seed's: root {event.sealed}, not {event.derived}"
                yield NOT_THE_SEEDS, say
                yield from self._reveal(event.seed)
            case ShoeAbandoned() | ShoeFailed() if self._open is not None:
                self.given_up += 1
            case SeedLost():
                self.lost += 1
                self._open = None
            case ShoeClosed() if self._open is not None:
                shoe = shoe_in_words(self._open.shoe)
                yield NOT_REVEALED, f"shoe {shoe} was closed, but its seed was neither revealed nor reported lost"
                self._open = None

    def _reveal(self, seed: str) -> Iterator[tuple[str, str]]:
        self.revealed += 1
        held = self._open
        shoe = f"shoe {shoe_in_words(held.shoe)} of table {held.table}" if held is not None else "another shoe"
        if seed in self._seeds:
            yield SEED_REUSED, f"the seed of {shoe} was revealed before, as that of {self._seeds[seed]}"
        self._seeds.setdefault(seed, shoe)
        self._open = None
