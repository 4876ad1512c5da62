"""The refusal index: refusals that a flooded house counted instead of recording each of them.

The first refusal of a person with a code is recorded whole in its stream, and decided again like every act. Later ones
with the same code may be counted together in one record, `folded`. Their commands are then not on record, so nobody can
decide them again: a house that knew the order could refuse a lawful wager that way. They are never covered.
"""

from __future__ import annotations

import msgspec

from baccarat.engine.redecide import RecordDifference
from baccarat.house.stream import Stream
from baccarat.record.entry import NO_BYTES, ActRecord
from baccarat.record.text import visible
from baccarat.values import count_text

FOLDED = "folded"


class _RefusalCode(msgspec.Struct):
    code: str


_read_code = msgspec.json.Decoder(_RefusalCode).decode


class RefusalIndex:
    """Checks the folded refusals of streams as their records are read, in order.

    If only part of a journal is read (`whole=False`), the whole refusal may be in the missing part.
    """

    def __init__(self, *, whole: bool = True) -> None:
        self._whole = whole
        self._first_at: dict[tuple[Stream, str, str], int] = {}
        """When each person was first refused with each code in each stream."""
        self._counted: dict[Stream, int] = {}
        self._persons: dict[Stream, set[str]] = {}

    @property
    def size(self) -> int:
        """How many refusals are remembered."""
        return len(self._first_at)

    def check(self, record: ActRecord) -> RecordDifference | None:
        """What is wrong with a record of folded refusals; a whole refusal is remembered."""
        folded, stream = record.folded, record.stream
        if folded is None:
            if record.refused is not NO_BYTES:
                self._remember(record)
            return None
        self._counted[stream] = self._counted.get(stream, 0) + folded.count
        self._persons.setdefault(stream, set()).add(folded.who)
        if not folded.count:
            return _wrong("it counts no refusal")
        if not folded.first <= folded.last <= record.at:
            return _wrong("the times of folded refusals are in order, and not after that of their record")
        whole_at = self._first_at.get((stream, folded.who, folded.code))
        if whole_at is None and self._whole:
            who, code = visible(folded.who), visible(folded.code)
            return _wrong(f"no refusal of {who} with the code {code} is recorded whole before it")
        if whole_at is not None and folded.first < whole_at:
            return _wrong("a folded refusal is earlier than the one that is recorded whole")
        return None

    def _remember(self, record: ActRecord) -> None:
        if record.who is None:
            return
        try:
            code = _read_code(bytes(record.refused)).code
        except msgspec.MsgspecError:
            return
        self._first_at.setdefault((record.stream, record.who, code), record.at)

    def gap(self, stream: Stream) -> str:
        """How many refusals of a stream nobody can decide again, in a sentence; empty if there are none."""
        if stream not in self._counted:
            return ""
        count, persons = self._counted[stream], len(self._persons[stream])
        were = "was" if count == 1 else "were"
        return f"{count_text(count, 'refusal')} of {count_text(persons, 'person')} {were} counted and not decided again"


def _wrong(say: str) -> RecordDifference:
    return RecordDifference(kind=FOLDED, say=say, field=FOLDED)
