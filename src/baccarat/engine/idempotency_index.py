"""The idempotency index: each command id of a person takes effect at most once, for ever, across all streams.

The sender gives each command an id, so that it can be sent again if no answer came. The same command sent again gets
the answer that is in the journal: nothing is decided, nothing entered. A different command under the same id is
refused. That refusal is entered like any other of a person, but under no id: it names the id, and the record to which
the id belongs. So no two records of a person have the same id, and every such refusal can be checked.
"""

from __future__ import annotations

import msgspec

from baccarat.engine.redecide import RecordDifference
from baccarat.house.rule import cite_house
from baccarat.house.stream import Stream
from baccarat.play.refusal import Param, RefusalCode, Refused, make_refusal
from baccarat.record.entry import ActRecord, denies_id, read_refusal, written_refusal
from baccarat.record.text import visible
from baccarat.table.actor import Actor

REPEATED_ID = "repeated_id"


class RecordedAnswer(msgspec.Struct, frozen=True, gc=False):
    """The answer to a command id: the record of the act, and what the act led to in other streams."""

    record: ActRecord
    joined: tuple[ActRecord, ...] = ()

    def is_to(self, stream: Stream, command: bytes, actor: Actor) -> bool:
        """Whether it answers the same command, perhaps sent at another time or from another terminal."""
        own = self.record
        return own.stream == stream and bytes(own.command) == command and own.actor == actor

    @property
    def denial(self) -> Refused:
        """The refusal of any other command under its id."""
        return denial(self.record.id, self.record.stream, self.record.seq)


def denial(given: str, stream: Stream, record: int) -> Refused:
    """The refusal of a command whose id belongs to another one, in that record."""
    cites = cite_house("one-effect")
    return make_refusal(
        RefusalCode.REPEATED_ID, "id_given_to_another_command", cites, id=given, stream=stream, record=record
    )


def denial_of_counted(given: str) -> Refused:
    """The refusal of a command whose id belongs to another one, which was refused, counted and not recorded."""
    return make_refusal(RefusalCode.REPEATED_ID, "id_given_to_a_counted_refusal", cite_house("one-effect"), id=given)


def denied_in(record: ActRecord) -> Param | None:
    """The stream in which a command's id was used before, as its refusal says."""
    try:
        return read_refusal(bytes(record.refused)).params.get("stream")
    except ValueError:
        return None


class Answers:
    """The answers by id, in memory; a server may look them up in its database instead."""

    def __init__(self) -> None:
        self._answers: dict[tuple[str, str], RecordedAnswer] = {}
        self._givers: dict[str, list[str]] = {}

    def find(self, who: str, id_: str) -> RecordedAnswer | None:
        """The answer to a person's command id; none if it is new."""
        return self._answers.get((who, id_))

    def add(self, record: ActRecord, joined: tuple[ActRecord, ...] = ()) -> None:
        """Remember a record that has been written, if it has an id."""
        if record.id and record.who is not None:
            if (record.who, record.id) not in self._answers:
                self._givers.setdefault(record.id, []).append(record.who)
            self._answers[record.who, record.id] = RecordedAnswer(record, joined)

    def givers(self, id_: str) -> list[str]:
        """Everybody who has used this id for a command."""
        return self._givers.get(id_, [])


class _IdRecord(msgspec.Struct, frozen=True, gc=False):
    stream: Stream
    seq: int
    asked: int


class IdempotencyIndex:
    """Checks the ids of records as they are read, in the order of the journal; it remembers little of each.

    If only part of a journal is read (`whole=False`), an id may have been used in the missing part.
    """

    def __init__(self, *, whole: bool = True) -> None:
        self.count = 0
        """How many records had an id."""
        self.has_house = False
        """Whether all streams of a house are read: then no id was used anywhere else."""
        self._whole = whole
        self._given: dict[tuple[str, str], _IdRecord] = {}
        self._first: dict[str, int] = {}

    def check(self, record: ActRecord) -> RecordDifference | None:
        """What is wrong with the id of a record, or with a refusal that is about an id."""
        self._first.setdefault(record.stream, record.seq)
        if record.who is None:
            return None
        if denies_id(record):
            return self._check_denial(record)
        if not record.id:
            return None
        self.count += 1
        made = _IdRecord(record.stream, record.seq, identity_of_act(record))
        first = self._given.setdefault((record.who, record.id), made)
        if first is made:
            return None
        where = f"in record {first.seq}" + (f" of {first.stream}" if first.stream != record.stream else "")
        return _wrong(f"the id {visible(record.id)} of {visible(record.who)} is already used {where}")

    def _check_denial(self, record: ActRecord) -> RecordDifference | None:
        """A command is refused for its id only if the same person used that id for another one before."""
        try:
            params = read_refusal(bytes(record.refused)).params
        except ValueError as error:
            return _wrong(f"not a refusal: {visible(str(error))}")
        given, stream, seq = (params.get(name) for name in ("id", "stream", "record"))
        if isinstance(seq, bool) or (isinstance(seq, int) and seq < 1):
            seq = None  # 0 is an opening
        if record.id or not (isinstance(given, str) and isinstance(stream, str) and isinstance(seq, int)):
            return _wrong("a command that is refused for its id is entered without one, and the refusal names the id")
        assert record.who is not None, "a command names who gave it"
        first = self._given.get((record.who, given))
        if first is None:
            is_in_part = not self._whole and not self._first.get(stream, seq + 1) <= seq
            is_outside = is_in_part or (stream != record.stream and not self.has_house)
            if not is_outside:
                return _wrong(f"{visible(record.who)} has not used the id {visible(given)} before")
            if bytes(record.refused) != written_refusal(denial(given, Stream(stream), seq)):
                return _wrong(f"the refusal for the id {visible(given)} says something else as well")
            return None
        if bytes(record.refused) != written_refusal(denial(given, first.stream, first.seq)):
            return _wrong(f"the id {visible(given)} was used in record {first.seq} of {first.stream}; expected that")
        if first.asked == identity_of_act(record):
            return _wrong(f"the id {visible(given)} was used for the same command, which gets the same answer again")
        return None


def identity_of_act(record: ActRecord) -> int:
    """A hash of what identifies a person's command: the stream, the command itself, and in which role it was given.

    The interpreter's own hash is fast and need not outlast this process; equal commands have equal hashes, so that no
    denial of the same command is missed.
    """
    return hash((record.stream, bytes(record.command), record.role, record.origin, record.approvals))


def _wrong(say: str) -> RecordDifference:
    return RecordDifference(kind=REPEATED_ID, say=say, field="id")
