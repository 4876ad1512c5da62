"""Answers by idempotency key: the latest in memory, older ones in the store."""

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
"""How many answers are in memory; older ones are looked up in the store."""


def id_prefix(id_: str) -> str:
    """The beginning of an id, by which stores order ids: sixteen hexadecimal digits."""
    return id_[:8] + id_[9:13] + id_[14:18]


class IdempotencyCache:
    """The answers of a live house, by person and id."""

    def __init__(self, rules: Rulebook, reads: Reads) -> None:
        self._rules, self._reads = rules, reads
        self._at_hand: OrderedDict[tuple[str, str], RecordedAnswer] = OrderedDict()
        self._newest = reads.newest_id()
        """The prefix of the newest id that is only in the store."""

    def find(self, who: str, id_: str) -> RecordedAnswer | None:
        """The answer to a person's command id, however old.

        Practice tables drop old records: of the command of such an id only the number is known.
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
        """Whether an id that is not in memory cannot be in the store either: it is newer than those only there."""
        return bool(is_command_id(id_)) and id_prefix(id_) > self._newest

    def _record(self, stream: Stream, seq: int) -> ActRecord | None:
        """A stored record; None if it was dropped."""
        found = self._reads.entry(stream, seq)
        if found is None:
            return None
        record = read_body(found.body)
        assert isinstance(record, ActRecord), "only records have ids"
        return record

    def remember(self, record: ActRecord, joined: tuple[ActRecord, ...]) -> None:
        """Cache an answer, if the command had an id; it replaces the oldest."""
        if record.id and record.who is not None:
            self._at_hand[record.who, record.id] = RecordedAnswer(record, joined)
            if len(self._at_hand) > MOST_ANSWERS:
                (_, gone), _ = self._at_hand.popitem(last=False)
                self._newest = max(self._newest, id_prefix(gone))

    def take_back(self, who: str, id_: str) -> None:
        """Forget an answer that was never sent, because another node was first."""
        self._at_hand.pop((who, id_), None)

    def expect_others(self) -> None:
        """Other nodes may use ids that are not in memory: ask the store for the newest."""
        self._newest = self._reads.newest_id()
