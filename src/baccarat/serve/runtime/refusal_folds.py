"""Refusal folds: under a flood, refusals that are only counted, until one record says how many there were.

The first refusals of a person with a code in a stream are recorded whole. If more of them follow within seconds, the
rest are a flood: each is answered like any other, but only counted, and from time to time one record holds the count
(docs/journal.md, folded refusals). It is written when the flood is over, and while it lasts after pauses that grow,
so that a flood of hours writes little. What was counted and not written when the process is killed is lost: it
changed nothing.

An id of a counted refusal is remembered here, since no record has it: sent again, the command gets its first answer.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from baccarat.engine.entries import EnteredAct, Submitted, record_after, rules_in
from baccarat.engine.idempotency_index import denial_of_counted
from baccarat.house.stream import Stream, is_table_stream
from baccarat.play.refusal import RefusalCode, Refused
from baccarat.record.entry import FoldedRefusals
from baccarat.serve.runtime.pending_batch import PendingAct

if TYPE_CHECKING:
    from baccarat.serve.runtime.house import HouseEngine

AT_ONCE = 5
"""How many refusals of a person with one code are recorded whole before the others are a flood."""
A_SECOND = 1.0
"""How many of them in a second, one after another, are no flood."""
OVER_AFTER = 30.0
"""After how many seconds without another one a flood is certainly over."""
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 30 * 60.0
"""How many seconds a flood that goes on is counted until that is written: at first, and at most."""
MOST_FLOODS = 2_000
"""How many persons, codes and streams are watched at a time."""
MOST_IDS = 20_000
"""How many ids of counted refusals are remembered: the last ones."""

FloodKey = tuple[Stream, str, RefusalCode]
"""The stream, the person and the code."""


class CountedRefusal(EnteredAct, frozen=True):
    """A refusal that has no record: it is counted once it is answered."""

    key: FloodKey = (Stream(""), "", RefusalCode.STOPPED)
    at: int = 0


class Flood(msgspec.Struct):
    """The refusals of a person with one code in one stream."""

    level: float = 0.0
    """How many more than are allowed came lately."""
    settled: float = 0.0
    """When the level was computed; on the steady clock, as everything that decides what is counted."""
    is_folding: bool = False
    count: int = 0
    """How many have been counted and are not written."""
    since: float = 0.0
    """When the first of these was counted."""
    first: int = 0
    last: int = 0
    """The times of the first and the last of them, as they are recorded."""
    pause: float = FIRST_PAUSE

    def add(self, steady: float) -> bool:
        """Another refusal; whether it is one of a flood."""
        self.settle(steady)
        self.level = min(self.level + 1, A_SECOND * OVER_AFTER)
        self.is_folding = self.is_folding or self.level > AT_ONCE
        return self.is_folding

    def settle(self, steady: float) -> None:
        """Note how much time has passed."""
        self.level = max(0.0, self.level - A_SECOND * (steady - self.settled))
        self.settled = steady
        if not self.level:
            self.is_folding = False

    def is_due(self, steady: float) -> bool:
        """Whether what was counted should be written now."""
        self.settle(steady)
        return self.count > 0 and (not self.is_folding or steady - self.since >= self.pause)

    def written(self) -> None:
        """The count is written: the next one of the same flood may take longer."""
        self.count = 0
        self.pause = min(2 * self.pause, LONGEST_PAUSE) if self.is_folding else FIRST_PAUSE


class _CountedAnswer(msgspec.Struct, frozen=True, gc=False):
    asked: int
    refused: Refused


class RefusalFolds:
    """The floods of one process."""

    def __init__(self, clock: Callable[[], int], steady: Callable[[], float]) -> None:
        """`clock` is the time to record, in microseconds, at least that of all that is on record; `steady` are seconds
        that no change of the clock touches."""
        self._clock, self._steady = clock, steady
        self._floods = OrderedDict[FloodKey, Flood]()
        self._crowded_out = list[tuple[FloodKey, Flood]]()
        """Floods that are no longer watched, and whose counts are not written."""
        self._answers = OrderedDict[tuple[str, str], _CountedAnswer]()
        self._time = 0

    def now(self) -> int:
        """The time to record; it does not go back even if the clock does: no count is before its whole refusal."""
        self._time = max(self._time, self._clock())
        return self._time

    # ------------------------------------------------------------------------------------- deciding

    def take(self, asked: Submitted, refused: Refused) -> CountedRefusal | None:
        """A refusal that is only counted, because it is one of a flood; None if it is recorded whole."""
        key, at = (asked.stream, asked.actor.who, refused.code), self.now()
        if not self._flood(key).add(self._steady()):
            return None
        counted = CountedRefusal(None, refused=refused, key=key, at=at)
        if asked.envelope.id and refused.code is not RefusalCode.REPEATED_ID:
            self._answers[asked.actor.who, asked.envelope.id] = _CountedAnswer(_hash_of(asked), refused)
            if len(self._answers) > MOST_IDS:
                self._answers.popitem(last=False)
        return counted

    def take_back(self, act: PendingAct) -> None:
        """A refusal that nobody was told is decided again: it may be none."""
        if act.entered.refused is None:
            return
        who = act.envelope.actor.who
        flood = self._floods.get((act.stream, who, act.entered.refused.code))
        if flood is not None:
            flood.level = max(0.0, flood.level - 1)
            flood.is_folding = flood.is_folding and flood.level > 0
        if isinstance(act.entered, CountedRefusal):
            self._answers.pop((who, act.envelope.id), None)

    def has_used(self, who: str, id_: str) -> bool:
        """Whether a person's id is that of a counted refusal."""
        return (who, id_) in self._answers

    def answer(self, asked: Submitted) -> EnteredAct | None:
        """The first answer to a command whose refusal was counted; a refusal of any other command under its id.

        Nothing is entered of either: there is no record that the other could name. None if the id is no such id.
        """
        found = self._answers.get((asked.actor.who, asked.envelope.id)) if asked.envelope.id else None
        if found is None:
            return None
        if found.asked == _hash_of(asked):
            return EnteredAct(None, refused=found.refused, is_repeat=True)
        return EnteredAct(None, refused=asked.named(denial_of_counted(asked.envelope.id)))

    def _flood(self, key: FloodKey) -> Flood:
        found = self._floods.get(key)
        if found is None:
            found = self._floods[key] = Flood(settled=self._steady())
        self._floods.move_to_end(key)
        if len(self._floods) > MOST_FLOODS:
            gone, flood = self._floods.popitem(last=False)
            if flood.count:
                self._crowded_out.append((gone, flood))
        return found

    # -------------------------------------------------------------------------------------- writing

    def count(self, counted: CountedRefusal) -> None:
        """Count a refusal that is answered now; the whole ones before it are on disk."""
        flood = self._flood(counted.key)
        if not flood.count:
            flood.first, flood.since = counted.at, self._steady()
        flood.last = max(flood.last, counted.at)
        flood.count += 1

    def due(self, *, all_in: Callable[[Stream], bool]) -> Iterator[tuple[Stream, FoldedRefusals]]:
        """What should be written now, and everything of some streams; what is taken here is counted no more."""
        now = self._steady()
        crowded, self._crowded_out = self._crowded_out, []
        for key, flood in (*crowded, *self._floods.items()):
            stream, who, code = key
            if flood.is_due(now) or (flood.count and (all_in(stream) or self._floods.get(key) is not flood)):
                made = FoldedRefusals(who=who, code=code.value, count=flood.count, first=flood.first, last=flood.last)
                flood.written()
                yield stream, made


# ------------------------------------------------------------------------------------ in the journal


def stage_counted(house: HouseEngine, act: PendingAct) -> None:
    """Count a refusal when it is answered, which is when all that it depends on is on disk."""

    def count() -> None:
        act.is_answered = True
        if isinstance(act.entered, CountedRefusal):
            house.folds.count(act.entered)

    if not act.is_counted:
        act.is_counted = True
        house.writer.on_durable(count)
    # What it depends on may be decided again, if another node was first.
    if house.journal.is_divided and not act.is_answered:
        house.writer.batch.acts.append(act)


def write_folds(house: HouseEngine, *, all_in: Callable[[Stream], bool] = lambda _stream: False) -> None:
    """Enter the counts that are due, and everything that was counted in some streams."""
    stage_folds(house, tuple(house.folds.due(all_in=all_in)))


def stage_folds(house: HouseEngine, folds: Sequence[tuple[Stream, FoldedRefusals]]) -> None:
    """Add a record for each count to the pending batch; a table that another node has by now has no such record."""
    for stream, folded in folds:
        if is_table_stream(stream) and not house.journal.may_enter(stream):
            continue
        rules = rules_in(house.state, house.rules, stream)
        at = max(house.folds.now(), folded.last)
        house.stage_entries(record_after(house.journal.head(stream), rules, stream, (), {"at": at, "folded": folded}))
        house.writer.batch.folds.append((stream, folded))


def _hash_of(asked: Submitted) -> int:
    """A hash of what identifies a command: it need not outlast this process."""
    actor = asked.actor
    return hash((asked.stream, asked.written, actor.role, actor.origin, actor.approvals))
