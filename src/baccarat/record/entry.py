"""Entries: what a journal stores of every act, and the bytes of each that are hashed.

A *stream* is what happens at one table, or in one link, cage, pit or form book; its entries are numbered without gaps.
Entry 0, the `StreamOpening`, names the rules. Every other is an `ActRecord`: one command, who gave it in what capacity,
and the events that it led to, or the refusal. Nothing in an entry is a sentence: sentences are made when a journal is
shown, so that rewording them changes no hash.

The body of an entry is canonical JSON (RFC 8785); fields that have their default value are left out. Its hash is
`SHA-256(hash of the entry before ‖ body)`, where the entry before the first has the hash of 32 zero bytes.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Raw
from msgspec.inspect import type_info

from baccarat.house.rule import HOUSE
from baccarat.house.stream import Stream
from baccarat.law.clause import Citation
from baccarat.law.typed_value import Wording
from baccarat.play.refusal import Param, RefusalCode, Refused
from baccarat.record.canonical import canonical
from baccarat.record.misread import MISREAD, why_unread
from baccarat.table.actor import Actor, Approval, Envelope, Origin
from baccarat.table.bounds import Label, PersonId
from baccarat.table.reveal_deadline import StatedDeadline
from baccarat.table.role import Role
from baccarat.table.table_cards import StatedCards
from baccarat.table.witness_keys import StatedWitnesses

FORM = 1
"""The version of this form."""
MOST_BYTES = 65_535
"""How long a body may be."""
MOST_TEXT = 200
"""How long a text that names a person, a terminal or a command may be."""
NO_HASH = bytes(32)
"""The hash before the first entry."""

NO_BYTES = Raw()
"""In place of bytes that a record does not have."""

Number = Annotated[int, Meta(ge=0, lt=2**53)]
StreamName = Annotated[Stream, Meta(min_length=1, max_length=200, pattern=r"^[a-z]+( [!-~][ -~]*)?\Z")]
"""The kind of stream and its name, such as `table 3`; `cage` has no other name."""
HexHash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
IN_ENTRIES = Wording(
    "object",
    named=(
        (type_info(StreamName), 'the name of a stream, such as "table 3"'),
        (type_info(HexHash), "64 hexadecimal digits"),
    ),
)
"""How a fault in an entry is worded."""


class StreamOpening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first entry of a stream: which rules hold there at first, and which program writes it."""

    v: int
    stream: StreamName
    seq: Annotated[int, Meta(ge=0, le=0)]
    rulebook: HexHash
    submission: dict[str, Any]
    """What was filed, its edition under `ruleset`: together with the edition it makes the rulebook."""
    program: Label
    behaviour: Number
    at: Number = 0
    cards: StatedCards = UNSET
    """What a table is; stated in the opening of its stream alone, and not at all by older programs."""
    witnesses: StatedWitnesses = UNSET
    """The share keys of the witnesses of an electronic table, sorted; stated where `cards` is."""
    reveal_within: StatedDeadline = UNSET
    """Within how many seconds the seed of an electronic shoe is revealed; left out where no deadline was stated."""


class Cause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The record of another stream that this one was decided together with."""

    stream: StreamName
    seq: Number


class FoldedRefusals(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """Refusals of one person with one code that were counted, after a first one that is recorded whole."""

    who: PersonId
    code: Label
    count: Number
    first: Number
    """When the first of them was refused, in microseconds UTC."""
    last: Number


# `BoundedRecord`, below, bounds the texts of a record.
class ActRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One act: who did it, what was asked for, and the outcome."""

    v: int
    stream: Stream
    seq: Annotated[int, Meta(ge=1, lt=2**53)]
    event: Number
    """The number of its first event, counted over the whole stream: corrections name events by it."""
    rulebook: str
    """The law that held when it was decided."""
    behaviour: Number
    """The version of the functions that decided it: a later one may decide the same command differently."""
    at: Number = 0
    who: str | None = None
    role: Role | None = None
    origin: Origin = Origin.PERSON
    device: str = ""
    approvals: Annotated[tuple[Approval, ...], Meta(max_length=8)] = ()
    id: str = ""
    shown: Raw = NO_BYTES
    """What a link showed the table first, in the same act: the command `show_meters`."""
    command: Raw = NO_BYTES
    events: tuple[Raw, ...] = ()
    refused: Raw = NO_BYTES
    joined: dict[StreamName, Number] = {}
    """The other streams that the same act was entered in, each with the number of its record."""
    cause: Cause | None = None
    """The record of another stream that led to this one, if any."""
    folded: FoldedRefusals | None = None
    """Refusals that this record only counts; it then has no command, no cause and no events."""

    @property
    def actor(self) -> Actor:
        """Who acted, as the decision saw it."""
        assert self.who is not None, "a record with a command names who gave it"
        if self.role is None:
            return Actor(who=self.who, origin=self.origin, approvals=self.approvals)
        return Actor(who=self.who, role=self.role, origin=self.origin, approvals=self.approvals)


class BoundedRecord(ActRecord, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A record with the bounds of its texts.

    Every record that is read is within them. They are checked apart from reading, because most records repeat the
    texts of those before, and checking each again would take twice as long as all the rest of reading.
    """

    stream: StreamName
    rulebook: HexHash
    who: PersonId | None = None
    device: Label = ""
    id: Label = ""


class RecordedRefusal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A refusal as a record holds it; the act it names is the record's own command."""

    code: RefusalCode
    what: Label
    params: dict[str, Param] = {}
    cites: tuple[str, ...] = ()


def written_refusal(refused: Refused) -> bytes:
    """The canonical bytes of a refusal."""
    cites = tuple(map(str, refused.cites))
    return canonical(RecordedRefusal(code=refused.code, what=refused.what, params=refused.params, cites=cites))


def read_refusal(data: bytes) -> Refused:
    """The refusal of a record, which does not name its act; `ValueError` if it is not a refusal."""
    try:
        found = msgspec.json.decode(data, type=RecordedRefusal)
    except MISREAD as error:
        raise ValueError(why_unread(data, RecordedRefusal, error)) from None
    return Refused(found.code, found.what, tuple(map(Citation.parse, found.cites)), found.params)


def folded_text(folded: FoldedRefusals) -> str:
    """Folded refusals in a sentence."""
    return f"Refused {times_text(folded)}, counted and not recorded one by one: {folded.who}, {folded.code}."


def times_text(folded: FoldedRefusals) -> str:
    """How often somebody was refused again."""
    return "once more" if folded.count == 1 else f"{folded.count:,} times more"


_CODE_OF_REPEATED_ID = f'"code":"{RefusalCode.REPEATED_ID.value}"'.encode()


def denies_id(record: ActRecord) -> bool:
    """Whether a command was refused because its id belongs to another one (`idempotency_index.py`)."""
    return record.refused is not NO_BYTES and _CODE_OF_REPEATED_ID in bytes(record.refused)


def refused_by_house(record: ActRecord) -> bool:
    """Whether a command was refused by a rule of the house, which a table alone does not know."""
    if record.refused is NO_BYTES or denies_id(record):
        return False
    try:
        return any(cite.edition == HOUSE for cite in read_refusal(bytes(record.refused)).cites)
    except ValueError:
        return False


def envelope_fields(envelope: Envelope) -> dict[str, Any]:
    """The fields of an envelope in a record."""
    actor = envelope.actor
    return {
        "who": actor.who,
        "role": actor.role if actor.origin is Origin.PERSON else None,
        "origin": actor.origin,
        "approvals": actor.approvals,
        "device": envelope.device,
        "id": envelope.id,
        "at": envelope.at,
    }


# ---------------------------------------------------------------------------------------------- bytes

Entry = StreamOpening | ActRecord

_encode = msgspec.json.Encoder(order="sorted").encode
_read_opening = msgspec.json.Decoder(StreamOpening).decode
_read_record = msgspec.json.Decoder(ActRecord).decode
_read_bounded = msgspec.json.Decoder(BoundedRecord).decode


def body_of(entry: Entry) -> bytes:
    """The canonical bytes of an entry; its raw parts are canonical already."""
    return _encode(entry) if isinstance(entry, ActRecord) else canonical(entry)


_opens = re.compile(rb'\{(?:"at":[0-9]+,)?"behaviour":[0-9]+,(?:"cards":"[a-z]*",)?"program":').match
"""How the body of an opening begins, since its keys are sorted; a record has no program."""


def read_body(body: bytes) -> Entry:
    """The entry of a body; `ValueError` says what is wrong with it, including a form that is not canonical."""
    try:
        body.decode()  # a command is stored as it was written, and only looked into when it is decided again
        entry = _read(body)
    except MISREAD as error:
        raise ValueError(_misread_reason(body, error)) from None
    if entry.v != FORM:
        _check_version(entry.v)
    if not _is_canonical(entry, body):
        raise ValueError("the entry is not written in canonical form (RFC 8785)")
    return entry


def _is_canonical(entry: Entry, body: bytes) -> bool:
    """Whether a body is exactly what is written for its entry; no number of a Submission is a float or too large."""
    if isinstance(entry, ActRecord):
        return _encode(entry) == body
    try:
        return canonical(entry) == body
    except AssertionError:
        return False


def _read(body: bytes) -> Entry:
    try:
        record = _read_record(body)
    except msgspec.ValidationError:
        if not _opens(body):
            raise
        return _read_opening(body)
    is_short = not (record.id or record.device) or _is_short(record.id + record.device)
    if not (is_short and _are_bounded(record.stream, record.rulebook, record.who)):
        _read_bounded(body)
    return record


def _misread_reason(body: bytes, error: Exception) -> str:
    """Why a body is not an entry; one of a later version may have fields that this one does not know."""
    with suppress(msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        _check_version(_read_version(body).v)
    return why_unread(body, StreamOpening if _opens(body) else BoundedRecord, error, words=IN_ENTRIES)


class _EntryVersion(msgspec.Struct):
    v: int


_read_version = msgspec.json.Decoder(_EntryVersion).decode


def _check_version(version: int) -> None:
    if version != FORM:
        newer = "newer than this program can read" if version > FORM else "not known"
        raise ValueError(f"version {version} of the journal's form is {newer}; expected {FORM}")


class _SharedTexts(msgspec.Struct):
    """The texts that most records have in common with those before."""

    stream: StreamName
    rulebook: HexHash
    who: PersonId | None


@lru_cache(maxsize=4_096)
def _are_bounded(stream: Stream, rulebook: str, who: str | None) -> bool:
    """Whether texts that many records share are within their bounds."""
    try:
        msgspec.convert({"stream": stream, "rulebook": rulebook, "who": who}, _SharedTexts)
    except msgspec.ValidationError:
        return False
    return True


def _is_short(text: str) -> bool:
    """Whether a text is certainly within all bounds: short, and of visible ASCII."""
    return len(text) <= MOST_TEXT and text.isascii() and text.isprintable()


def hash_after(before: bytes, body: bytes) -> bytes:
    """The hash of an entry, over the hash before it and its own body."""
    return sha256(before + body).digest()
