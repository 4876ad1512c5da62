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
from baccarat.serve.ops.flood import FloodCounter, FloodPace
from baccarat.serve.runtime.pending_batch import PendingAct

if TYPE_CHECKING:
    from baccarat.serve.runtime.house import HouseEngine

PACE = FloodPace(at_once=5, a_second=1.0, over_after=30.0)
"""How many refusals of a person with one code are recorded whole, and how fast others may follow."""
MOST_IDS = 20_000
"""How many ids of counted refusals are remembered: the last ones."""

FloodKey = tuple[Stream, str, RefusalCode]
"""The stream, the person and the code."""


class CountedRefusal(EnteredAct, frozen=True):
    """A refusal that has no record: it is counted once it is answered."""

    key: FloodKey = (Stream(""), "", RefusalCode.STOPPED)
    at: int = 0


class _CountedAnswer(msgspec.Struct, frozen=True, gc=False):
    asked: int
    refused: Refused


class RefusalFolds:
    """The floods of one process."""

    def __init__(self, clock: Callable[[], int], steady: Callable[[], float]) -> None:
        """`clock` is the time to record, in microseconds, at least that of all that is on record; `steady` are seconds
        that no change of the clock touches."""
        self._clock = clock
        self._floods = FloodCounter[FloodKey](steady, PACE)
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
        if not self._floods.add(key):
            return None
        counted = CountedRefusal(None, refused=refused, key=key, at=at)
        if asked.envelope.id and refused.code is not RefusalCode.REPEATED_ID:
            self._answers[asked.actor.who, asked.envelope.id] = _CountedAnswer(_hash_of(asked), refused)
            if len(self._answers) > MOST_IDS:
                self._answers.popitem(last=False)
        return counted

    def take_back(self, act: PendingAct) -> None:
        """Undo a refusal that was never sent: its command is decided again and may be accepted."""
        if act.entered.refused is None:
            return
        who = act.envelope.actor.who
        self._floods.take_back((act.stream, who, act.entered.refused.code))
        if isinstance(act.entered, CountedRefusal):
            self._answers.pop((who, act.envelope.id), None)

    def has_used(self, who: str, id_: str) -> bool:
        """Whether a person's id is that of a counted refusal."""
        return (who, id_) in self._answers

    def answer(self, asked: Submitted) -> EnteredAct | None:
        """The first answer to a command whose refusal was counted; a refusal of any other command under its id.

        Neither is entered: there is no record that the other could name. None if the id is no such id.
        """
        found = self._answers.get((asked.actor.who, asked.envelope.id)) if asked.envelope.id else None
        if found is None:
            return None
        if found.asked == _hash_of(asked):
            return EnteredAct(None, refused=found.refused, is_repeat=True)
        return EnteredAct(None, refused=asked.named(denial_of_counted(asked.envelope.id)))

    # -------------------------------------------------------------------------------------- writing

    def count(self, counted: CountedRefusal) -> None:
        """Count a refusal that is answered now; the whole ones before it are on disk."""
        self._floods.count(counted.key, counted.at)

    def due(self, *, all_in: Callable[[Stream], bool]) -> Iterator[tuple[Stream, FoldedRefusals]]:
        """Yield what should be written now, and everything of some streams; what was yielded is not counted again."""
        for (stream, who, code), found in self._floods.due(lambda key: all_in(key[0])):
            yield (
                stream,
                FoldedRefusals(who=who, code=code.value, count=found.count, first=found.first, last=found.last),
            )


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
