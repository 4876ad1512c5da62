"""Answers by idempotency key: what each id was answered with; the last ones in memory, older ones in the store."""

from __future__ import annotations

from collections import OrderedDict

from baccarat.engine.entries import record_after
from baccarat.engine.idempotency_index import RecordedAnswer
from baccarat.house.stream import Stream
from baccarat.law.rulebook import Rulebook
from baccarat.record.entry import ActRecord, read_body
from baccarat.record.journal import StreamHead
from baccarat.serve.command_id import is_command_id
from baccarat.serve.store.base import Reads

MOST_ANSWERS = 20_000
"""So many answers are at hand; older ones are looked up in the store."""


def id_prefix(id_: str) -> str:
    """How an id begins, as stores order ids: sixteen hexadecimal digits."""
    return id_[:8] + id_[9:13] + id_[14:18]


class IdempotencyCache:
    """The answers of a live house, by person and id."""

    def __init__(self, rules: Rulebook, reads: Reads) -> None:
        self._rules, self._reads = rules, reads
        self._at_hand: OrderedDict[tuple[str, str], RecordedAnswer] = OrderedDict()
        self._newest = reads.newest_id()
        """How the newest id begins that is in the store and not at hand."""

    def find(self, who: str, id_: str) -> RecordedAnswer | None:
        """What a person's id was answered with, however long ago.

        Practice tables drop old records: such an id was given to something of which only the number is known.
        """
        known = self._at_hand.get((who, id_))
        if known is not None:
            return known
        if self._is_newer(id_):
            return None
        where = self._reads.answer(id_, who)
        if where is None:
            return None
        record = self._record(where.stream, where.seq)
        if record is None:
            return RecordedAnswer(
                record_after(StreamHead(seq=where.seq - 1), self._rules, where.stream, (), {"id": id_, "who": who})
            )
        joined = (self._record(stream, seq) for stream, seq in record.joined.items())
        return RecordedAnswer(record, tuple(each for each in joined if each is not None))

    def _is_newer(self, id_: str) -> bool:
        """Whether an id that is not at hand cannot be in the store either: it is newer than all that are only there."""
        return bool(is_command_id(id_)) and id_prefix(id_) > self._newest

    def _record(self, stream: Stream, seq: int) -> ActRecord | None:
        """A record that was stored; none where it was dropped since."""
        found = self._reads.entry(stream, seq)
        if found is None:
            return None
        record = read_body(found.body)
        assert isinstance(record, ActRecord), "only records have ids"
        return record

    def remember(self, record: ActRecord, joined: tuple[ActRecord, ...]) -> None:
        """Have an answer at hand, if the command had an id; the oldest makes room for it."""
        if record.id and record.who is not None:
            self._at_hand[record.who, record.id] = RecordedAnswer(record, joined)
            if len(self._at_hand) > MOST_ANSWERS:
                (_, gone), _ = self._at_hand.popitem(last=False)
                self._newest = max(self._newest, id_prefix(gone))

    def take_back(self, who: str, id_: str) -> None:
        """Forget an answer that was never given, because another node was first."""
        self._at_hand.pop((who, id_), None)

    def expect_others(self) -> None:
        """Other nodes may have used ids that are not at hand: the store says which is the newest."""
        self._newest = self._reads.newest_id()
