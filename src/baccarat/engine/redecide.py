"""Deciding again: every command of a journal goes through the machine once more, and must lead to what is recorded.

Events are compared as bytes, to the last clause; if they differ, the first differing field is reported with what was
expected and what was found. No law is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, TypeVar

import msgspec

from baccarat.house.book import HouseCommand, HouseEvent, read_fraction
from baccarat.house.house import refuse_what_follows
from baccarat.house.registry import TABLE_FOLLOWS, book_of
from baccarat.house.stream import Stream, stream_kind, stream_name
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.record.canonical import encode_list_unchecked, encode_unchecked
from baccarat.record.entry import NO_BYTES, ActRecord, Entry, StreamOpening, denies_id, read_refusal, written_refusal
from baccarat.record.misread import MISREAD, why_not_one_of
from baccarat.record.text import visible
from baccarat.table.actor import Actor, Approval, Origin
from baccarat.table.base import Accepted, Command, Event
from baccarat.table.correctable_event import EventAt
from baccarat.table.machine import BEHAVIOUR, Table, decide, union_of
from baccarat.table.meters import ShowMeters
from baccarat.table.registry import EVOLVERS, HANDLERS
from baccarat.table.role import Role
from baccarat.table.state import TableState

OPENED_TWICE, OTHER_RULES, NO_COMMAND = "opened_twice", "other_rules", "no_command"
NOT_CANONICAL, OTHER_VERSION = "not_canonical", "other_version"
OTHER_EVENTS, OTHER_REFUSAL, RULED_OTHERWISE = "other_events", "other_refusal", "ruled_otherwise_since"
NOTHING_ELSE_FOLLOWS = (
    "without a command a table has no record but link_joined, which follows an act of the house, "
    "and witnesses_changed and kind_adopted, which follow one of a pit"
)
ONLY_FOLLOWS = "what follows an act of the house or a pit is not done by a command at a table"
MOST_SHOWN = 200
"""How much of a value is shown in a message."""


class RecordDifference(msgspec.Struct, frozen=True, kw_only=True):
    """How a record differs from what the machine decides: kind of difference, field, expected and found."""

    kind: str
    say: str
    field: str = ""
    index: int = 0
    """The index of the differing event in the record, from 0."""
    expected: str = ""
    found: str = ""
    clauses: tuple[str, ...] = ()
    """The clauses behind the expected decision."""


def redecide(table: Table, record: Entry) -> RecordDifference | None:
    """The first difference between a record and what its command leads to; the table moves on as decided.

    A command that was refused for its id is not decided: `IdempotencyIndex` checks whether the id was used before.
    Nor are folded refusals, which change nothing: `RefusalIndex` checks them.
    """
    if isinstance(record, StreamOpening):
        return RecordDifference(kind=OPENED_TWICE, say=f"{record.stream} is opened a second time")
    if record.rulebook != table.rules.hash or not 1 <= record.behaviour <= BEHAVIOUR:
        return other_terms(record, table.rules.hash)
    if record.folded is not None:
        return None
    if denies_id(record):
        return refused_for_id(record, command_of(bytes(record.command)))
    # What a link showed the table comes before the act itself.
    events: tuple[Event, ...] = ()
    if record.shown is not NO_BYTES:
        shown = command_of(bytes(record.shown))
        if not isinstance(shown, ShowMeters):
            return RecordDifference(kind=NO_COMMAND, say="a link shows nothing but show_meters", field="shown")
        link = Actor(who=stream_name(record.stream) or record.stream, origin=Origin.LINK)
        outcome = table.do(shown, link)
        if isinstance(outcome, Refused):
            return _compare_outcome(record, outcome)
        events = outcome.events
    if record.command is NO_BYTES:
        return RecordDifference(kind=NO_COMMAND, say="a table has no record without a command", field="command")
    command = command_of(bytes(record.command))
    if isinstance(command, RecordDifference):
        return command
    follows = refuse_what_follows(command)
    if follows is not None and record.refused is NO_BYTES:
        return RecordDifference(kind=NO_COMMAND, say=ONLY_FOLLOWS, field="command")
    # The act is decided by this version; where that differs, by the one that the record names.
    rules, state = table.rules, table.state
    outcome = follows or table.do(command, record.actor)
    found = _compare_outcome(record, outcome, events)
    if found is None:
        return None
    count = table.count - (len(outcome.events) if isinstance(outcome, Accepted) else 0)
    known = lambda number: table.event_at(number) if number < count else None  # noqa: E731
    return accept_if_ruled_by_version(record, found, rules, state, command, known, events)


def redecide_followed(table: Table, record: ActRecord) -> RecordDifference | None:
    """The same for a record without a command, which follows an act in another stream.

    Some acts in books lead to events at a table (`TableFollows`). Whether the act is on record there can be checked
    only with that stream (`redecide_house.py`).
    """
    events = read_events(record)
    event = events[0] if events is not None and len(events) == 1 else None
    of_stream = () if record.cause is None else TABLE_FOLLOWS.get(stream_kind(record.cause.stream), ())
    follows = next((each for each in of_stream if type(event) is each.event), None)
    if follows is None or event is None:
        return RecordDifference(kind=NO_COMMAND, say=NOTHING_ELSE_FOLLOWS, field="command")
    command = follows.command_of(event)
    requester, approver = follows.persons_of(event)
    actor = Actor(who=requester, role=command.ROLE, approvals=(Approval(approver, Role.ADMINISTRATOR, command.name),))
    return other_terms(record, table.rules.hash) or _compare_outcome(record, table.do(command, actor))


def other_terms(record: ActRecord, rulebook: str) -> RecordDifference | None:
    """The difference if a record names another version or other rules than it was decided by."""
    if record.rulebook != rulebook:
        say = f"rulebook is {record.rulebook} and should be {rulebook}"
        return RecordDifference(kind=OTHER_RULES, say=say, field="rulebook", expected=rulebook, found=record.rulebook)
    return other_version(record)


def other_version(entry: Entry) -> RecordDifference | None:
    """The difference if an entry names a version of the deciding functions that this program does not know."""
    if 1 <= entry.behaviour <= BEHAVIOUR:
        return None
    say = f"behaviour is {entry.behaviour}, a version that this program does not know; it is version {BEHAVIOUR}"
    expected, found = f"at most {BEHAVIOUR}", str(entry.behaviour)
    return RecordDifference(kind=OTHER_VERSION, say=say, field="behaviour", expected=expected, found=found)


def refused_for_id(record: ActRecord, command: msgspec.Struct | RecordDifference) -> RecordDifference | None:
    """What is wrong with the rest of a record that was refused for its id: it holds a command, and nothing else."""
    if isinstance(command, RecordDifference):
        return command
    if record.shown is not NO_BYTES or record.joined or record.events:
        return RecordDifference(
            kind=OTHER_REFUSAL, say="a command that is refused for its id has no consequences", field="id"
        )
    return None


_read_command = msgspec.json.Decoder(union_of(HANDLERS), strict=False).decode
"""Not strict, because fractions of a cent are written as text; a command that is not encoded to the same bytes again is
rejected."""


def command_of(data: bytes) -> Command | RecordDifference:
    """The command in a record of a table; it must be in canonical form."""
    return _read_canonical(data, _read_command, HANDLERS)


@cache
def _book_reader(stream: Stream) -> tuple[Callable[[bytes], HouseCommand], Iterable[type[HouseCommand]]] | None:
    book = book_of(stream)
    if book is None:
        return None
    kinds = union_of(book.handlers)
    return msgspec.json.Decoder(kinds, strict=False, dec_hook=read_fraction).decode, book.handlers


def house_command_of(stream: Stream, data: bytes) -> HouseCommand | RecordDifference:
    """The command in a record of one of the house's books."""
    book = _book_reader(stream)
    if book is None:
        return RecordDifference(kind=NO_COMMAND, say=f"the house has no book {visible(stream)!r}", field="stream")
    return _read_canonical(data, *book)


K = TypeVar("K", bound=msgspec.Struct)


def _read_canonical(data: bytes, read: Callable[[bytes], K], kinds: Iterable[type[K]]) -> K | RecordDifference:
    try:
        command = read(data)
    except MISREAD as error:
        from baccarat.record.wire import IN_JSON  # noqa: PLC0415  only where something is wrong

        by_name = {str(kind.__struct_config__.tag): kind for kind in kinds}
        why = why_not_one_of(data, by_name, error, tag="do", noun="command", words=IN_JSON)
        return RecordDifference(kind=NO_COMMAND, say=f"not a command: {why}", field="command")
    if encode_unchecked(command) != data:
        return RecordDifference(kind=NOT_CANONICAL, say="the command is not written in canonical form", field="command")
    return command


_read_event = msgspec.json.Decoder(union_of(EVOLVERS), strict=False).decode


def read_events(record: ActRecord) -> list[Event] | None:
    """The events of a record; none if one of them is not an event of a table, or not in canonical form."""
    found: list[Event] = []
    for raw in record.events:
        data = bytes(raw)
        try:
            event: Event = _read_event(data)
        except MISREAD:
            return None
        if encode_unchecked(event) != data:
            return None
        found.append(event)
    return found


def _compare_outcome(
    record: ActRecord, outcome: Accepted | Refused, before: tuple[Event, ...] = ()
) -> RecordDifference | None:
    """The difference between what is decided, preceded by the events `before`, and what is recorded."""
    if isinstance(outcome, Refused):
        return difference_from(record, written_refusal(outcome), map(str, outcome.cites))
    expected = encode_list_unchecked(before + outcome.events)
    if recorded_answer(record) == expected:  # nearly always, and then the clauses need not be collected
        return None
    return difference_from(record, expected, cites_of(outcome.events))


def accept_if_ruled_by_version(
    record: ActRecord,
    found: RecordDifference,
    rules: Rulebook,
    state: TableState,
    command: Command,
    event_at: EventAt,
    before: tuple[Event, ...] = (),
) -> RecordDifference:
    """The difference, marked as no forgery if the version that the record names did decide what is recorded."""
    if not 1 <= record.behaviour < BEHAVIOUR:
        return found
    outcome = decide(rules, state, command, record.actor, event_at, behaviour=record.behaviour)
    if _compare_outcome(record, outcome, before) is not None:
        return found
    say = f"{found.say} (decided by version {record.behaviour} of the deciding functions; this is version {BEHAVIOUR})"
    return msgspec.structs.replace(found, kind=RULED_OTHERWISE, say=say)


def cites_of(events: Iterable[Event | HouseEvent]) -> Iterator[str]:
    """The clauses that events cite."""
    return (cite for event in events for cite in event.cites)


def recorded_answer(record: ActRecord) -> bytes:
    """The answer of a record: its events as one list, or its refusal."""
    return b"[%b]" % b",".join(record.events) if record.refused is NO_BYTES else bytes(record.refused)


def difference_from(record: ActRecord, expected: bytes, cites: Iterable[str] = ()) -> RecordDifference | None:
    """The difference between a record's answer and the refusal or the list of events that is expected, as bytes."""
    found = recorded_answer(record)
    if found == expected:
        return None
    clauses = tuple(dict.fromkeys(cites))
    return _difference(msgspec.json.decode(expected), msgspec.json.decode(found), clauses)


def _difference(expected: Any, found: Any, clauses: tuple[str, ...]) -> RecordDifference:
    """What differs between the answer that is decided and the one that is recorded."""
    if expected == found:
        return RecordDifference(kind=NOT_CANONICAL, say="the answer is not written in canonical form (RFC 8785)")
    kind, index, field, one, other = OTHER_REFUSAL, 0, "", expected, found
    if isinstance(expected, list) and isinstance(found, list):
        kind, index = OTHER_EVENTS, _first_event(expected, found)
        one = expected[index] if index < len(expected) else None
        other = found[index] if index < len(found) else None
        if index == len(expected):
            say = f"{_name(other)} does not result from the command"
        elif index == len(found):
            say = f"{_name(one)} should come next"
        elif not isinstance(one, dict) or not isinstance(other, dict) or one["event"] != other.get("event"):
            say = f"{_name(one)} should come next, not {_name(other)}"
        else:
            field, one, other = first_difference(one, other)
            say = f"{field} is {_written(other)} and should be {_written(one)}"
    else:
        say = _refusals(expected, found)
    return RecordDifference(
        kind=kind, say=say, field=field, index=index, expected=_written(one), found=_written(other), clauses=clauses
    )


def _first_event(expected: list[Any], found: list[Any]) -> int:
    """The index of the first event that differs; where one list has ended, its length."""
    pairs = enumerate(zip(expected, found, strict=False))
    return next((index for index, (one, other) in pairs if one != other), min(len(expected), len(found)))


def _name(event: Any) -> str:
    """The name of an event, or what is in its place."""
    return visible(str(event.get("event")))[:60] if isinstance(event, dict) else _written(event)


def _refusals(expected: Any, found: Any) -> str:
    """How a refusal differs from what is decided, in words."""
    if isinstance(expected, dict) and isinstance(found, dict):
        field, one, other = first_difference(expected, found)
        return f"the refusal's {field} is {_written(other)} and should be {_written(one)}"
    if isinstance(expected, dict):
        return f"it should be refused: {read_refusal(msgspec.json.encode(expected)).say}"
    return f"it should not be refused: {_name(expected[0])} should come next"


def _written(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return visible(text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…")


def first_difference(expected: Any, found: Any, path: str = "") -> tuple[str, Any, Any]:
    """The first field in which two JSON values differ, and what each has there; lists are compared whole."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*expected, *found)):
            if key not in expected or key not in found or expected[key] != found[key]:
                inner = f"{path}.{key}" if path else str(key)
                return first_difference(expected.get(key), found.get(key), inner)
    return path, expected, found
