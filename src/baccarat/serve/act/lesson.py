"""A lesson: a few rounds of a real shoe for one learner, who then checks its shuffle.

Nothing of a lesson is stored. Its seed follows from its name and a key of the house, and each request brings what the
learner has wagered so far: the lesson is played again from its beginning, by the same machine as every table, and
comes to the same cards. What it promised before the first card is what the learner checks at the end.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from baccarat.engine.entries import MemoryJournal
from baccarat.engine.journaled_table import JournaledTable
from baccarat.house.stream import table_stream
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.record.entry import ActRecord, Entry, body_of
from baccarat.table.automation import actor_for, run_until
from baccarat.table.base import Event
from baccarat.table.machine import Table
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import TableCards

NAME = "lesson"
"""The name of the table in the header of the shoe."""
SEAT, PURSE = 1, 100_000
MOST_ROUNDS = 6
ENDS = AbandonShoe(reason="the lesson is over")


class LessonWager(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the learner puts on an area, in cents."""

    on: WagerKind
    stake: int


class LessonRefused(Exception):  # noqa: N818
    """The table refused a wager of the learner."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.say)
        self.refused = refused


class WrittenRecord(NamedTuple):
    """A record of a lesson, and its canonical bytes."""

    record: ActRecord
    body: bytes


class LessonJournal(MemoryJournal):
    """The journal of a lesson, in memory: the check of the shoe rests on it."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[WrittenRecord] = []

    def append(self, *entries: Entry) -> None:
        """Count the entries, and hold the records."""
        super().append(*entries)
        self.records += [WrittenRecord(entry, body_of(entry)) for entry in entries if isinstance(entry, ActRecord)]


class Lesson:
    """A lesson as far as it has been played."""

    def __init__(self, rules: Rulebook, seed: bytes) -> None:
        """Prepare the shoe: its seed is promised, its order sealed, and the learner sits there with chips."""
        self.rounds: list[tuple[Event, ...]] = []
        """What happened in each round."""
        self.journal = LessonJournal()
        self.table = JournaledTable.begin(rules, self.journal, table_stream(NAME), cards=TableCards.AUTOMATED)
        self._source = SealedShoe(rules, lambda _number: seed, table=NAME)
        self.table.do(Sit(seat=SEAT, person="you"))
        self.table.do(BuyIn(seat=SEAT, amount=PURSE))
        self._run_to_wagers()

    @property
    def chips(self) -> int:
        """What the learner has, in cents."""
        person = self.table.state.at(SEAT)
        return person.chips if person is not None else 0

    @property
    def commitment(self) -> str:
        """What the house promised before the first card."""
        held = self.table.state.shoe.commitment
        assert held is not None, "the shoe has been prepared"
        return held.hash

    def play(self, wagers: Sequence[LessonWager]) -> None:
        """One round with these wagers; `LessonRefused` if the table does not take one of them."""
        mark, number = len(self.table.log), self.table.state.round.number
        for wager in wagers:
            outcome = self.table.do(PlaceWager(seat=SEAT, on=wager.on, stake=wager.stake))
            if isinstance(outcome, Refused):
                raise LessonRefused(outcome)
        self._run(lambda table: table.state.round.number != number)
        self.rounds.append(tuple(self.table.log[mark:]))
        self._run_to_wagers()

    def end(self) -> None:
        """Give the shoe up: it reveals its seed."""
        self.table.do(ENDS, actor_for(self.table, ENDS))
        self._run(lambda table: table.state.shoe.number > 0)

    def _run_to_wagers(self) -> None:
        self._run(lambda table: table.state.step == "wager")

    def _run(self, stop: Callable[[Table], bool]) -> None:
        run_until(self.table, self._source, stop=stop, wagers=_wager_nothing)


def _wager_nothing(_table: Table) -> None:
    """There is no company."""


def seed_of_lesson(key: bytes, lesson: str) -> bytes:
    """The seed of a lesson, which nobody can compute without the house's key."""
    return hmac.digest(key, lesson.encode(), "sha256")


def play_lesson(rules: Rulebook, seed: bytes, rounds: Sequence[Sequence[LessonWager]]) -> Lesson:
    """A lesson after these rounds; `LessonRefused` names what the table did not take."""
    lesson = Lesson(rules, seed)
    for wagers in rounds:
        lesson.play(wagers)
    return lesson
