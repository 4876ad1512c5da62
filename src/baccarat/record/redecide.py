"""Deciding again: every command of a journal goes through the machine once more, and must lead to what is recorded.

Events are compared as bytes, to the last clause; where they differ, the first field that does is named with what was
expected and what was found. Nothing of the law stands here.
"""

from __future__ import annotations

from typing import Any

import msgspec

from baccarat.play.refusal import Refused
from baccarat.record.canonical import canonical
from baccarat.record.entry import NOTHING, Entry, Opening, Record, written_refusal
from baccarat.record.text import visible
from baccarat.table.actor import Actor, Origin
from baccarat.table.base import Command
from baccarat.table.machine import BEHAVIOUR, Table
from baccarat.table.meters import ShowMeters
from baccarat.table.registry import HANDLERS

OPENED_TWICE, OTHER_RULES, NO_COMMAND = "opened_twice", "other_rules", "no_command"
OTHER_EVENTS, OTHER_REFUSAL, RULED_OTHERWISE = "other_events", "other_refusal", "ruled_otherwise_since"


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Where a record is not what the machine decides: what kind of difference, the field, expected and found."""

    kind: str
    say: str
    field: str = ""
    expected: str = ""
    found: str = ""
    clauses: tuple[str, ...] = ()
    """The clauses by which it is decided as expected."""


def redecide(table: Table, record: Entry) -> Difference | None:
    """The first difference between a record and what its command leads to; the table goes on as it is decided."""
    if isinstance(record, Opening):
        return Difference(kind=OPENED_TWICE, say=f"{record.stream} is opened a second time")
    if record.rulebook != table.rules.hash:
        return _other(OTHER_RULES, "rulebook", table.rules.hash, record.rulebook)
    events = b""
    if record.shown is not NOTHING:
        shown = _command(bytes(record.shown))
        if not isinstance(shown, ShowMeters):
            return Difference(kind=NO_COMMAND, say="what a link shows is a command show_meters", field="shown")
        link = Actor(who=record.stream.partition(" ")[2] or record.stream, origin=Origin.LINK)
        outcome = table.do(shown, link)
        if isinstance(outcome, Refused):
            return _compared(record, outcome, b"")
        events = b",".join(map(canonical, outcome.events))
    if record.command is NOTHING:
        return Difference(kind=NO_COMMAND, say="a table has no record without a command", field="command")
    command = _command(bytes(record.command))
    if isinstance(command, Difference):
        return command
    return _compared(record, table.do(command, record.actor), events)


TAGS: dict[str, msgspec.json.Decoder[Any]] = {
    str(kind.__struct_config__.tag): msgspec.json.Decoder(kind, strict=False) for kind in HANDLERS
}
"""How each command is read. Fine sums are written as text, so a text is taken for a number; what is then not written
in exactly the same way again is no command of ours."""


class _Tag(msgspec.Struct):
    do: str


_read_tag = msgspec.json.Decoder(_Tag).decode


def _command(data: bytes) -> Command | Difference:
    """The command of a record, which is written as it would be written now."""
    try:
        tag = _read_tag(data).do
        decoder = TAGS.get(tag)
        if decoder is None:
            return Difference(kind=NO_COMMAND, say=f"there is no command {visible(tag)!r}", field="command.do")
        command: Command = decoder.decode(data)
    except (ValueError, msgspec.MsgspecError) as error:
        return Difference(kind=NO_COMMAND, say=f"no command: {visible(str(error))}", field="command")
    if canonical(command) != data:
        return Difference(kind=NO_COMMAND, say="the command is not written in canonical form", field="command")
    return command


def _compared(record: Record, outcome: Any, before: bytes) -> Difference | None:
    if isinstance(outcome, Refused):
        expected, clauses = written_refusal(outcome), tuple(map(str, outcome.cites))
        if record.refused is not NOTHING and bytes(record.refused) == expected:
            return None
    else:
        after = b",".join(map(canonical, outcome.events))
        expected = b"[" + before + (b"," if before and after else b"") + after + b"]"
        clauses = tuple(dict.fromkeys(cite for event in outcome.events for cite in event.cites))
        if record.refused is NOTHING and b"[" + b",".join(map(bytes, record.events)) + b"]" == expected:
            return None
    found = (
        bytes(record.refused) if record.refused is not NOTHING else b"[" + b",".join(map(bytes, record.events)) + b"]"
    )
    kind = OTHER_REFUSAL if isinstance(outcome, Refused) or record.refused is not NOTHING else OTHER_EVENTS
    path, one, other = first_difference(msgspec.json.decode(expected), msgspec.json.decode(found))
    if record.behaviour != BEHAVIOUR:
        kind = RULED_OTHERWISE
    return _other(kind, path, one, other, clauses, behaviour=record.behaviour)


def _other(
    kind: str, field: str, expected: Any, found: Any, clauses: tuple[str, ...] = (), *, behaviour: int = BEHAVIOUR
) -> Difference:
    one, other = _written(expected), _written(found)
    say = f"{field or 'the answer'} is {other} and would be {one}"
    if behaviour != BEHAVIOUR:
        say += f" (decided by version {behaviour} of the rules' functions; this is version {BEHAVIOUR})"
    return Difference(kind=kind, say=say, field=field, expected=one, found=other, clauses=clauses)


def _written(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return visible(text if len(text) <= 200 else f"{text[:200]}…")


def first_difference(expected: Any, found: Any, path: str = "") -> tuple[str, Any, Any]:
    """The first place at which two values of JSON differ, and what each has there."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*expected, *found)):
            if key not in expected or key not in found or expected[key] != found[key]:
                inner = f"{path}.{key}" if path else str(key)
                return first_difference(expected.get(key), found.get(key), inner)
    if isinstance(expected, list) and isinstance(found, list):
        for index in range(max(len(expected), len(found))):
            one = expected[index] if index < len(expected) else None
            other = found[index] if index < len(found) else None
            if one != other:
                return first_difference(one, other, f"{path}[{index}]")
    return path, expected, found
