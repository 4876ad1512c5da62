"""Answers by idempotency key: the latest in memory, all others in the store, from which they are loaded when needed.

Whole answers are large, so few of them are in memory: those that are not on disk yet, which can be found nowhere else,
and the last few, because most repeats follow within seconds. Of a larger number of ids it is only remembered that they
were used: for these the store is asked. So memory does not grow with the number of commands, and an id that is new is
known to be new without asking the store, unless it is older than all these.

Decisions look in memory alone. The answer to an id that may be in the store is loaded first (`load`); without that,
looking for it raises (`AnswerNotLoaded`), because nobody could say whether the command is a repeat.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import msgspec

from baccarat.engine.entries import record_after
from baccarat.engine.idempotency_index import RecordedAnswer
from baccarat.house.stream import Stream
from baccarat.law.rulebook import Rulebook
from baccarat.record.entry import ActRecord, read_body
from baccarat.record.journal import StreamHead
from baccarat.serve.command_id import is_command_id
from baccarat.serve.runtime.lookup import Lookups
from baccarat.serve.store.base import Reads

MOST_ANSWERS = 500
"""How many answers are in memory whole after they are on disk."""
MOST_USED = 10_000
"""How many used ids each of the two generations holds."""

_Key = tuple[str, str]


class AnswerNotLoaded(Exception):  # noqa: N818
    """The store may have an answer to this id, and it was not loaded before the command was decided."""


def id_prefix(id_: str) -> str:
    """The beginning of an id, by which stores order ids: sixteen hexadecimal digits."""
    return id_[:8] + id_[9:13] + id_[14:18]


class _Generation:
    """Ids that were used, as numbers that need little memory, and the newest of them.

    Two keys may have the same number: then the store is asked in vain.
    """

    def __init__(self) -> None:
        self.numbers: set[int] = set()
        self.newest = ""

    def add(self, key: _Key) -> None:
        self.numbers.add(hash(key))
        self.newest = max(self.newest, id_prefix(key[1]))


class IdempotencyCache:
    """The answers of a live house, by person and id."""

    def __init__(self, rules: Rulebook, newest: str) -> None:
        """`newest` is the prefix of the newest id in the store."""
        self._rules = rules
        self._unwritten: dict[_Key, RecordedAnswer] = {}
        """The answers that are not on disk yet."""
        self._batch: list[_Key] = []
        """The keys of the batch that is being gathered."""
        self._latest: OrderedDict[_Key, RecordedAnswer] = OrderedDict()
        self._young, self._old = _Generation(), _Generation()
        self._loaded: OrderedDict[_Key, RecordedAnswer | None] = OrderedDict()
        """The last few answers of the store; None where it has none."""
        self._newest = newest
        """The prefix of the newest id of which nothing is in memory."""

    def find(self, who: str, id_: str) -> RecordedAnswer | None:
        """The answer to a person's command id, however old; `AnswerNotLoaded` if only the store knows.

        Practice tables drop old records: of the command of such an id only the number is known.
        """
        key = who, id_
        known = self._unwritten.get(key) or self._latest.get(key) or self._loaded.get(key)
        if known is None and key not in self._loaded and not self._is_new(key):
            raise AnswerNotLoaded(f"the answer to {id_} must be loaded before its command is decided")
        return known

    def must_load(self, who: str, id_: str) -> bool:
        """Whether only the store knows the answer to an id."""
        key = who, id_
        return not (key in self._unwritten or key in self._latest or self._is_new(key) or key in self._loaded)

    async def load(self, who: str, id_: str, lookups: Lookups) -> None:
        """Load the answer to an id from the store, if only the store knows it."""
        key = who, id_
        while self.must_load(who, id_):
            was_used = self._is_used(key)
            found = await lookups.ask(lambda reads: stored_answer(reads, self._rules, who, id_))
            if found is not None or self._is_used(key) == was_used:  # otherwise it was stored while this was read
                self._hold_loaded(key, found)

    def _hold_loaded(self, key: _Key, found: RecordedAnswer | None) -> None:
        self._loaded[key] = found
        if len(self._loaded) > MOST_ANSWERS:
            self._loaded.popitem(last=False)

    def _is_new(self, key: _Key) -> bool:
        """Whether an id without an answer in memory cannot be in the store either."""
        if not is_command_id(key[1]) or id_prefix(key[1]) <= self._newest:
            return False
        return not self._is_used(key)

    def _is_used(self, key: _Key) -> bool:
        """Whether an id is remembered as used."""
        number = hash(key)
        return number in self._young.numbers or number in self._old.numbers

    def begin_batch(self) -> Callable[[], None]:
        """Begin another batch; call what is returned when that batch is on disk."""
        keys = self._batch = []
        return lambda: self._note_written(keys)

    def remember(self, record: ActRecord, joined: tuple[ActRecord, ...]) -> None:
        """Remember an answer of this batch, if the command had an id: it is not in the store yet."""
        if record.id and record.who is not None:
            key = record.who, record.id
            self._unwritten[key] = RecordedAnswer(record, joined)
            self._loaded.pop(key, None)
            self._batch.append(key)

    def remember_written(self, record: ActRecord, joined: tuple[ActRecord, ...]) -> None:
        """Remember an answer that is on disk, if the command had an id."""
        if record.id and record.who is not None:
            self._add_latest((record.who, record.id), RecordedAnswer(record, joined))

    def _note_written(self, keys: list[_Key]) -> None:
        for key in keys:
            answer = self._unwritten.pop(key, None)
            if answer is not None:
                self._add_latest(key, answer)

    def _add_latest(self, key: _Key, answer: RecordedAnswer) -> None:
        """Hold an answer whole instead of the oldest one, and its id for longer."""
        self._latest[key] = answer
        self._loaded.pop(key, None)
        if len(self._latest) > MOST_ANSWERS:
            self._latest.popitem(last=False)
        self._young.add(key)
        if len(self._young.numbers) > MOST_USED:
            self._newest = max(self._newest, self._old.newest)
            self._old, self._young = self._young, _Generation()

    def take_back(self, who: str, id_: str) -> None:
        """Forget an answer that was never sent, because another node was first."""
        self._unwritten.pop((who, id_), None)

    def expect_others(self, stored: StoredAnswers) -> None:
        """Other nodes may have used ids that are not in memory; `stored` is what the store has by now."""
        self._newest = max(self._newest, stored.newest)
        self._loaded.clear()
        for key, found in stored.answers.items():
            self._loaded[key] = found


class StoredAnswers(msgspec.Struct, frozen=True):
    """What the store answers to some ids, and how the newest id in it begins."""

    newest: str
    answers: dict[tuple[str, str], RecordedAnswer | None]


def stored_answer(reads: Reads, rules: Rulebook, who: str, id_: str) -> RecordedAnswer | None:
    """The answer to a person's command id in the store; where its record was dropped, the number alone."""
    where = reads.answer(id_, who)
    if where is None:
        return None
    record = _record(reads, where.stream, where.seq)
    if record is None:
        return RecordedAnswer(
            record_after(StreamHead(seq=where.seq - 1), rules, where.stream, (), {"id": id_, "who": who})
        )
    joined = (_record(reads, stream, seq) for stream, seq in record.joined.items())
    return RecordedAnswer(record, tuple(each for each in joined if each is not None))


def _record(reads: Reads, stream: Stream, seq: int) -> ActRecord | None:
    """A stored record; None if it was dropped."""
    found = reads.entry(stream, seq)
    if found is None:
        return None
    record = read_body(found.body)
    assert isinstance(record, ActRecord), "only records have ids"
    return record
