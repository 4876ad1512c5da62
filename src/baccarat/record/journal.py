"""Journals: entries as lines of a file, each with the hash that binds it to all before it.

A line is exactly `{"hash":"<64 digits>","record":<body>}` and a line feed, nothing more and nothing less, so that every
changed bit is found. One file may hold several streams: each has its own numbers and its own chain of hashes. A line
that begins with `{"checkpoint":` is not an entry: it holds a signed note of how many entries a stream had there, and
their root (`checkpoint.py`). Size and root are checked here, the signature by those who know the key.

Reading trusts nothing: it stops at the first wrong line and says where, what was expected and what was found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

import msgspec

from baccarat.house.stream import Stream
from baccarat.law.error import InvalidSubmission, RulesError
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.record.bounded import read_bounded_lines
from baccarat.record.checkpoint import Checkpoint, read_checkpoint
from baccarat.record.entry import MOST_BYTES, NO_BYTES, NO_HASH, ActRecord, Entry, StreamOpening, hash_after, read_body
from baccarat.record.log import Frontier
from baccarat.record.misread import MISREAD, why_unread
from baccarat.record.note import SignedNote, UnreadableNote, read_note
from baccarat.record.text import visible
from baccarat.table.actor import Origin

BEFORE_HASH, BEFORE_BODY, AFTER_BODY = b'{"hash":"', b'","record":', b"}\n"
HASH_END = len(BEFORE_HASH) + 64
BODY_START = HASH_END + len(BEFORE_BODY)
CHECKPOINT = b'{"checkpoint":'
MOST_LINE = BODY_START + MOST_BYTES + len(AFTER_BODY)


CHAIN, UNREADABLE = "chain", "unreadable"


class JournalFault(Exception):  # noqa: N818  what is wrong with a journal, not with the program
    """What is wrong with a journal: the line, which entry it is or should be, and what was expected.

    `half` says that the last line has only been written in part, as a power cut leaves it.
    """

    def __init__(
        self, line: int, say: str, *, stream: str = "", seq: int | None = None, half: bool = False, kind: str = ""
    ) -> None:
        super().__init__(f"line {line}: {say}")
        self.line, self.say, self.stream, self.seq, self.half = line, say, stream, seq, half
        self.kind = kind or (CHAIN if seq is not None else UNREADABLE)
        """Whether it does not follow from what comes before it, or cannot be read."""


class OtherRules(JournalFault):
    """The Submission of an opening is not valid, or gives another rulebook than the one that is named."""


class UnknownRules(JournalFault):
    """The edition of an opening is not known here: nobody can say what its rules are."""


class JournalLine(msgspec.Struct, frozen=True, gc=False):
    """An entry in a file: its line, its body, and the hash after it."""

    number: int
    entry: Entry
    body: bytes
    hash: bytes


class NoteLine(msgspec.Struct, frozen=True, gc=False):
    """A checkpoint in a file: it matches the entries of its stream up to there."""

    number: int
    stream: Stream
    note: SignedNote
    checkpoint: Checkpoint


class StreamHead(msgspec.Struct, gc=False):
    """The end of a stream so far."""

    seq: int = -1
    events: int = 0
    hash: bytes = NO_HASH
    opening: StreamOpening | None = None
    behaviour: int = 0
    """The version of the deciding functions that its last entry names."""


def write_line(body: bytes, hash_: bytes) -> bytes:
    """The line of an entry."""
    return b"".join((BEFORE_HASH, hash_.hex().encode(), BEFORE_BODY, body, AFTER_BODY))


def write_note(note: SignedNote, stream: Stream) -> bytes:
    """The line of a checkpoint of a stream."""
    return msgspec.json.encode(_WrittenNote(bytes(note).decode(), stream)) + b"\n"


def journal_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines of a journal with their numbers, none longer than an entry may be."""
    return read_bounded_lines(stream, MOST_LINE)


class JournalReader:
    """Reads the lines of a journal in order, and remembers the head of each stream."""

    def __init__(self) -> None:
        self.heads: dict[Stream, StreamHead] = {}
        self.logs: dict[Stream, Frontier] = {}

    def read(self, lines: Iterable[tuple[int, bytes]]) -> Iterator[JournalLine | NoteLine]:
        """Each entry that follows from those before it; `JournalFault` at the first line that does not."""
        for number, line in lines:
            yield self.line(number, line)

    def line(self, number: int, line: bytes) -> JournalLine | NoteLine:
        """The entry or the checkpoint of one line."""
        if line.startswith(CHECKPOINT):
            return self._note(number, line)
        body = _line_body(number, line)
        try:
            entry = read_body(body)
        except ValueError as error:
            raise self._unreadable_fault(number, line, body, error) from None
        stream = entry.stream
        head = self.heads.get(stream) or StreamHead()
        found = _follows(number, line, body, stream=stream, seq=entry.seq, head=head)
        if isinstance(entry, StreamOpening):
            self.heads[stream] = StreamHead(0, 0, found, entry, entry.behaviour)
        else:
            events = _check_events(number, entry, head)
            self.heads[stream] = StreamHead(entry.seq, events, found, head.opening, entry.behaviour)
            if entry.behaviour < head.behaviour:
                say = f"behaviour is {entry.behaviour} after {head.behaviour}: a stream does not go back to a version"
                raise JournalFault(number, say, stream=stream, seq=entry.seq, kind=CHAIN)
        log = self.logs.get(stream)
        if log is None:
            log = self.logs[stream] = Frontier()
        log.append(body)
        return JournalLine(number, entry, body, found)

    def _unreadable_fault(self, number: int, line: bytes, body: bytes, error: Exception) -> JournalFault:
        """What is wrong with a line that holds no entry: first its number and its hash, if it has them."""
        say = f"not an entry of a journal: {visible(str(error))}"
        try:
            str(body, "utf-8")  # what is not text names no entry
            name = _read_name(body)
        except MISREAD:
            return JournalFault(number, say)
        _follows(number, line, body, stream=name.stream, seq=name.seq, head=self.heads.get(name.stream) or StreamHead())
        return JournalFault(number, say, stream=name.stream, seq=name.seq, kind=UNREADABLE)

    def _note(self, number: int, line: bytes) -> NoteLine:
        """The checkpoint of a line, which must cover exactly the entries before it."""
        written = _framed_note(number, line)
        log = self.logs.get(written.stream) or Frontier()
        try:
            note = read_note(written.checkpoint.encode())
            found = read_checkpoint(note)
        except UnreadableNote as error:
            raise JournalFault(number, f"not a checkpoint: {visible(str(error))}", stream=written.stream) from None
        if found.size != log.size:
            say = f"the checkpoint covers {found.size} entries of {visible(written.stream)}, but there are {log.size}"
            raise JournalFault(number, say, stream=written.stream, kind=CHAIN)
        if found.root != log.root():
            say = f"the {found.size} entries of {visible(written.stream)} are not those that the checkpoint covers"
            raise JournalFault(number, f"{say}: one was changed", stream=written.stream, kind=CHAIN)
        return NoteLine(number, written.stream, note, found)


def _line_body(number: int, line: bytes) -> bytes:
    """The body of a line, which must have the form of a journal's lines."""
    if len(line) > MOST_LINE:
        raise JournalFault(number, f"longer than {MOST_LINE:,} bytes, the most for an entry")
    if line.startswith(BEFORE_HASH) and line.startswith(BEFORE_BODY, HASH_END) and line.endswith(AFTER_BODY):
        return line[BODY_START : -len(AFTER_BODY)]
    if _is_half(line):
        raise JournalFault(number, "only half of the line has been written", half=True)
    raise JournalFault(number, 'expected {"hash":"…","record":{…}}, as baccarat writes a journal')


def _is_half(line: bytes) -> bool:
    """Whether a line without an end begins as the lines of a journal do; otherwise another program wrote it."""
    return not line.endswith(b"\n") and any(
        line.startswith(each) or each.startswith(line) for each in (BEFORE_HASH, CHECKPOINT)
    )


class _StreamName(msgspec.Struct):
    stream: Stream
    seq: int


_read_name = msgspec.json.Decoder(_StreamName).decode


def _follows(number: int, line: bytes, body: bytes, *, stream: Stream, seq: int, head: StreamHead) -> bytes:
    """The hash after a body, which must be the next of its stream: numbered from 0 without gaps, with this hash."""
    expected = head.seq + 1
    if seq != expected:
        shown = visible(stream)[:60]
        what = f"entry {seq} of {shown} is in the place of entry {expected}"
        why = "an entry is missing" if seq > expected else "it is repeated, or out of order"
        raise JournalFault(number, f"{what}: {why}", stream=stream, seq=expected)
    found = hash_after(head.hash, body)
    if line.startswith(found.hex().encode(), len(BEFORE_HASH)):
        return found
    stated = visible(line[len(BEFORE_HASH) : HASH_END].decode(errors="replace"))
    say = f"the hash of entry {seq} of {stream} is {stated} and should be {found.hex()}"
    say += ": an entry was changed here or before"
    raise JournalFault(number, say, stream=stream, seq=seq)


def _check_events(number: int, record: ActRecord, head: StreamHead) -> int:
    """The number of events after a record, which states how many there were before it."""
    if record.event != head.events:
        say = f"its first event is numbered {record.event} and should be {head.events}"
        raise JournalFault(number, say, stream=record.stream, seq=record.seq)
    fault = act_fault(record)
    if fault:
        raise JournalFault(number, fault, stream=record.stream, seq=record.seq)
    return head.events + len(record.events)


def act_fault(record: ActRecord) -> str:
    """What a record lacks, or has too much of, to be that of an act, or of what follows from one; empty if nothing.

    Every reader of entries calls this: those of a bundle have not been read as a journal before.
    """
    count, is_refused = len(record.events), record.refused is not NO_BYTES
    if is_refused and record.origin is not Origin.PERSON:
        return "only what a person was refused is recorded"
    if record.folded is not None:
        is_alone = not (count or is_refused or record.cause is not None or _is_act(record))
        return "" if is_alone else "a record of folded refusals has nothing else"
    if record.cause is None:
        has_role = (record.role is not None) is (record.origin is Origin.PERSON)
        is_whole = record.command is not NO_BYTES and record.who is not None and has_role
    else:
        is_whole = not is_refused and not _is_act(record)
    if is_whole and (count > 0) is not is_refused:
        return ""
    return "expected a command, who gave it in what role, or the cause elsewhere; and then events or a refusal"


def _is_act(record: ActRecord) -> bool:
    """Whether a record has something that only the record of an act has; those that it led to name nobody."""
    asked = (record.command, record.shown, record.who, record.role, record.device, record.approvals, record.id)
    return any(asked) or bool(record.joined) or record.origin is not Origin.PERSON


class _WrittenNote(msgspec.Struct, forbid_unknown_fields=True):
    checkpoint: str
    stream: Stream


def _framed_note(number: int, line: bytes) -> _WrittenNote:
    if len(line) > MOST_LINE:
        raise JournalFault(number, f"longer than {MOST_LINE:,} bytes, the most for a checkpoint")
    if _is_half(line):
        raise JournalFault(number, "only half of the line has been written", half=True)
    try:
        written = msgspec.json.decode(line, type=_WrittenNote)
    except MISREAD as error:
        raise JournalFault(number, f"not a checkpoint: {why_unread(line, _WrittenNote, error)}") from None
    if msgspec.json.encode(written) + b"\n" != line:
        raise JournalFault(number, "the checkpoint is not written as baccarat writes it")
    return written


def rules_at(number: int, opening: StreamOpening) -> Rulebook:
    """The rulebook that a stream is opened under; `JournalFault` if its Submission does not make that hash."""
    try:
        rules = rulebook(dict(opening.submission))
    except InvalidSubmission as error:
        raise _rules_fault(OtherRules, number, opening, f"the Submission is not valid: {error}") from None
    except RulesError as error:
        say = str(error) if "--edition" in str(error) else f"{error}; an edition of your own: --edition FILE"
        raise _rules_fault(UnknownRules, number, opening, say) from None
    if rules.hash != opening.rulebook:
        say = f"recorded under rulebook {opening.rulebook}, but its Submission gives {rules.hash} here"
        raise _rules_fault(OtherRules, number, opening, f"{say}: another edition, or another version of it")
    return rules


def _rules_fault(kind: type[JournalFault], number: int, opening: StreamOpening, say: str) -> JournalFault:
    return kind(number, say, stream=opening.stream, seq=0, kind=UNREADABLE)
