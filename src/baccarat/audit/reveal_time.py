"""When the seeds of a table's shoes were due, and when they were revealed, by the times that its records bear.

Those times are the house's word, so nothing here is a fault: it is said which shoes were shown late, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import UNSET

from baccarat.table.reveal_deadline import StatedDeadline
from baccarat.table.shoe_state import shoe_in_words
from baccarat.values import count_text

MICROSECONDS = 1_000_000
MOST_NAMED = 20
"""The most shoes that are listed one by one."""
BY_THE_CLOCK = "by the house's clock"


class ShoeReveal(msgspec.Struct, kw_only=True):
    """The seed of one shoe: since when it was due, and what became of it; times are in microseconds, 0 if not known."""

    shoe: str
    due_at: int
    settled_at: int = 0
    what: str = ""
    """`revealed` or `reported lost`; empty as long as it is neither."""
    is_reported: bool = False
    """Whether the clock reported that it was overdue, and the table stopped."""

    def words(self, within: int) -> str:
        """What is said of it; empty if it was shown in time, or may still be."""
        shoe = f"the seed of shoe {shoe_in_words(self.shoe)}"
        if self.is_reported and not self.what:
            return f"{shoe} was not revealed within {within:,} seconds, {BY_THE_CLOCK}, and is not shown"
        took = (self.settled_at - self.due_at) // MICROSECONDS if self.due_at and self.settled_at else 0
        if took < within and not self.is_reported:
            return ""
        after = f" {took:,} seconds after it was due" if took >= within else " after the deadline"
        stop = "" if self.is_reported else ", and the table had not been stopped"
        return f"{shoe} was {self.what}{after}, and the deadline was {within:,}, {BY_THE_CLOCK}{stop}"


class RevealTimes:
    """The seeds of a table's shoes, in order."""

    def __init__(self, within: StatedDeadline) -> None:
        """`within` is the deadline on record where the records begin."""
        self.within = within
        self._shoes: list[ShoeReveal] = []

    def begin(self, shoe: str, at: int) -> None:
        """The seed of a shoe is due; it counts from the first time that this is said of it."""
        if not self._shoes or self._shoes[-1].shoe != shoe:
            self._shoes.append(ShoeReveal(shoe=shoe, due_at=at))

    def report(self, shoe: str, at: int) -> None:
        """The clock reports that it is overdue."""
        self.begin(shoe, at)
        self._shoes[-1].is_reported = True

    def settle(self, shoe: str, what: str, at: int) -> None:
        """It is revealed, or reported lost."""
        self.begin(shoe, at)
        if not self._shoes[-1].what:
            self._shoes[-1].what, self._shoes[-1].settled_at = what, at

    def remarks(self) -> Iterator[str]:
        """The shoes that were shown late or never, a sentence each."""
        if self.within is UNSET:
            return
        said = [say for each in self._shoes if (say := each.words(self.within))]
        yield from said[:MOST_NAMED]
        if len(said) > MOST_NAMED:
            yield f"the same of {count_text(len(said) - MOST_NAMED, 'more shoe')}"
