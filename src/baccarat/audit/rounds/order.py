"""The order of shoes and rounds in a log: none twice, none missing, none too early."""

from __future__ import annotations

import re
from collections.abc import Iterator

from baccarat.audit.rounds.fault import FaultKind

MOST_REMEMBERED = 1 << 16
"""The least number of shoes, and of rounds without a number, that are remembered."""
MOST_GAPS = 1000
"""How many gaps in the numbers of one shoe are remembered; an earlier gap counts as filled."""

_WHOLE = re.compile(r"([0-9]{1,18})(?:\.0*)?")

Step = tuple[FaultKind, str, str, str]
"""What is wrong with the order: kind, column, expected, found."""


def whole_number(text: str) -> int | None:
    """The whole number in a text, 7 or 7.0; None if it is anything else."""
    match = _WHOLE.fullmatch(text.strip())
    return None if match is None else int(match[1])


def shoe_in_words(shoe: str) -> str:
    """A shoe as a message names it."""
    return f"shoe {shoe}" if shoe else "a shoe without a name"


class _Recent:
    """The newest of a stream of names, each with its lowest and highest number; bounded, by dropping the older half."""

    def __init__(self) -> None:
        self._new: dict[str, tuple[int, int]] = {}
        self._old: dict[str, tuple[int, int]] = {}

    def get(self, name: str) -> tuple[int, int] | None:
        """The lowest and highest number of a name; None if it is not remembered."""
        return self._new.get(name) or self._old.get(name)

    def add(self, name: str, low: int = 0, high: int = -1) -> None:
        """Remember a name."""
        if len(self._new) >= MOST_REMEMBERED:
            self._new, self._old = {}, self._new
        self._new[name] = low, high


class ShoeProgress:
    """The progress of one shoe: its numbers, and the cards that it has dealt."""

    __slots__ = ("gaps", "held", "low", "names", "next_round", "reported", "rows", "shoe")

    def __init__(self, shoe: str, held: int) -> None:
        self.shoe = shoe
        self.held = held
        """The count of its cards, see `shoe_count`."""
        self.reported: set[str] = set()
        """The kinds of cards reported as too many."""
        self.next_round: str | None = None
        """The number that comes next, as text; None if the last was not a number."""
        self.low = 0
        self.gaps: list[tuple[int, int]] = []
        self.names = _Recent()
        """Rounds with a name instead of a number, and numbers below the first."""
        self.rows = 0

    @property
    def high(self) -> int | None:
        """The highest number so far."""
        return int(self.next_round) - 1 if self.next_round else None

    @property
    def has_one_row(self) -> bool:
        """Whether this shoe has only one row so far."""
        return self.rows == 1 if self.high is None else self.high == self.low

    def begin(self, value: int) -> None:
        """Take the first number."""
        self.low, self.next_round = value, str(value + 1)

    def fills_gap(self, value: int) -> bool:
        """Whether a number was missing before; it no longer is."""
        for index, (low, high) in enumerate(self.gaps):
            if low <= value <= high:
                parts = [(low, value - 1), (value + 1, high)]
                self.gaps[index : index + 1] = [part for part in parts if part[0] <= part[1]]
                return True
        return False


class RoundOrder:
    """The position in a log. While the shoe is the same and its next number comes, no check is needed."""

    def __init__(self, *, has_shoe: bool, has_round: bool, full: int) -> None:
        self._has_shoe = has_shoe
        self._has_round = has_round
        self._full = full
        self.now = ShoeProgress("", full)
        self._before: ShoeProgress | None = None
        self._shoes = _Recent()
        self._highest_shoe = -1
        self._began = False
        self._unsure = True
        self.stray = False
        """Whether the newest row is a repeat or of a shoe that was over: its cards are not counted."""

    @property
    def expected_number(self) -> str | None:
        """The number of the next row that needs no check; None if the next row must be checked."""
        return None if self._unsure else self.now.next_round

    def note_unreadable_row(self) -> None:
        """Note an unreadable row: any number may follow it."""
        self._unsure = True

    def step(self, shoe: str, number: str) -> Iterator[Step]:
        """What is wrong with the order of a row, which then is the newest."""
        unsure, self._unsure, self.stray = self._unsure, False, False
        value = whole_number(number) if self._has_round else None
        high = self.now.high
        begins_again = not self._has_shoe and value in (0, 1) and high is not None and high > 1
        if shoe != self.now.shoe or begins_again or not self._began:
            yield from self._check_other_shoe(shoe, value, number, unsure=unsure)
        else:
            yield from self._check_same_shoe(value, number, unsure=unsure)
        self.now.rows += 1
        if not self._has_round:
            self.now.next_round = ""  # every row has this text in place of a number: no check is needed

    def _check_other_shoe(self, shoe: str, value: int | None, number: str, *, unsure: bool) -> Iterator[Step]:
        now, before = self.now, self._before
        seen = self._shoes.get(shoe) if self._has_shoe else None
        if seen is not None:
            yield self._repeat_fault(shoe, value, seen)
            if before is not None and before.shoe == shoe and now.has_one_row:
                self.now, self._before = before, None  # the single row between was the stray
                yield from self._check_same_shoe(value, number, unsure=True)
            else:
                self.stray = True
            return
        shoe_number, high = whole_number(shoe), now.high
        if self._has_shoe and shoe_number is not None:
            if shoe_number < self._highest_shoe:
                yield FaultKind.SHOE_OUT_OF_ORDER, "shoe", f"a shoe after {self._highest_shoe}", f"shoe {shoe}"
            self._highest_shoe = max(self._highest_shoe, shoe_number)
        if self._began and value is not None and high is not None and value not in (0, 1, high + 1) and not unsure:
            yield FaultKind.ROUND_MISSING, "round", "1, where a shoe begins", str(value)
        if self._began:
            self._shoes.add(now.shoe, now.low, -1 if high is None else high)
        self._before, self.now, self._began = now, ShoeProgress(shoe, self._full), True
        yield from self._check_same_shoe(value, number, unsure=unsure)

    def _repeat_fault(self, shoe: str, value: int | None, seen: tuple[int, int]) -> Step:
        named = shoe_in_words(shoe)
        if value is not None and seen[0] <= value <= seen[1]:
            return FaultKind.DUPLICATE_ROUND, "round", "each round once", f"round {value} of {named} again"
        return (
            FaultKind.SHOE_OUT_OF_ORDER,
            "shoe",
            "the rounds of a shoe together",
            f"{named} after {self.now.shoe or shoe_in_words('')}",
        )

    def _check_same_shoe(self, value: int | None, number: str, *, unsure: bool) -> Iterator[Step]:
        now, high = self.now, self.now.high
        if not self._has_round:
            return
        if value is None:
            if now.names.get(number) is not None:
                self.stray = True
                yield FaultKind.DUPLICATE_ROUND, "round", "each round once", f"round {number} again"
            now.names.add(number)
        elif high is None:
            now.begin(value)
        elif value > high:
            if value > high + 1:
                now.gaps = [*now.gaps[-MOST_GAPS:], (high + 1, value - 1)]
                if not unsure:
                    yield FaultKind.ROUND_MISSING, "round", str(high + 1), str(value)
            now.next_round = str(value + 1)
        elif now.fills_gap(value) or (value < now.low and now.names.get(str(value)) is None):
            now.names.add(str(value))
            yield FaultKind.ROUND_OUT_OF_ORDER, "round", str(high + 1), str(value)
        else:
            self.stray = True
            yield FaultKind.DUPLICATE_ROUND, "round", str(high + 1), f"{value} again"
