"""Answers: the plain form in which `baccarat run` answers a script, one JSON object a line.

The first line names the rules. Then, for each command: the command as it was understood, with who gave it, and after it
its events, one a line, or its refusal. Nothing is hashed here; but since the commands are included, answers can be
decided again like a journal, whose records they are read as.

A run that resumes a journal states the table at that time in its first line (`resumed`), which is taken on trust.
A command that was sent before is marked as a `repeat`, and its answer is repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Raw
from msgspec.structs import replace

from baccarat.engine.journaled_table import JournaledTable
from baccarat.engine.table_snapshot import take_snapshot
from baccarat.house.stream import Stream, stream_name
from baccarat.law.rulebook import Rulebook
from baccarat.law.typed_value import Misfit, convert_to
from baccarat.record.canonical import canonical
from baccarat.record.entry import FORM, NO_BYTES, ActRecord, envelope_fields, written_refusal
from baccarat.record.line import UnreadableLine, decode_object
from baccarat.record.wire import IN_JSON, read_command, read_event, read_refused
from baccarat.table.actor import Envelope, Origin
from baccarat.table.base import Command
from baccarat.table.machine import BEHAVIOUR, Table
from baccarat.table.table_cards import StatedCards
from baccarat.table.witness_keys import StatedWitnesses


class PlainAct(msgspec.Struct, frozen=True, kw_only=True):
    """One command of the answers with its outcome, as a record; or a line of the script that was unreadable."""

    number: int
    """The line of the command; each of its events has a line of its own after it."""
    record: ActRecord | None = None
    lines: tuple[int, ...] = ()
    cut_off: str = ""
    """What is wrong with the line after it, or that it is missing: the act may have had more events."""
    unreadable: str = ""
    is_repeat: bool = False


class _Unreadable(msgspec.Struct, forbid_unknown_fields=True):
    line: int
    unreadable: str


class _Refusal(msgspec.Struct, forbid_unknown_fields=True):
    line: int
    refused: dict[str, Any]


USUAL_TABLE = "1"
"""The table's name if a script names none."""


class Header(msgspec.Struct, kw_only=True):
    """What the first line says besides the rules."""

    table: str = USUAL_TABLE
    cards: StatedCards = UNSET
    """What the table is; nothing is enforced if it is left out."""
    witnesses: StatedWitnesses = UNSET
    """Who has a share in the orders of an electronic table, as share keys; nobody if it is left out."""
    resumed: Raw = NO_BYTES
    """A snapshot of the table, if the run resumed a journal."""


def header(rules: Rulebook, table: JournaledTable[Any]) -> dict[str, Any]:
    """The first line of the answers of a run that begins now, or resumes a journal."""
    first: dict[str, Any] = {"answers": FORM, "rulebook": rules.hash, "submission": rules.submission}
    name = stream_name(table.stream)
    if name != USUAL_TABLE:
        first["table"] = name
    if table.state.cards is not UNSET:
        first["cards"] = table.state.cards.value
    if table.state.witnesses is not UNSET:
        first["witnesses"] = table.state.witnesses
    head = table.file.head(table.stream)
    if head.seq > 0:
        taken = take_snapshot(table, stream=table.stream, seq=head.seq, events=head.events, hash_=head.hash)
        first["resumed"] = Raw(taken)
    return first


def plain_command(number: int, command: Command, envelope: Envelope, *, is_repeat: bool = False) -> dict[str, Any]:
    """A command as it was understood, with who gave it, and its line in the script."""
    actor = envelope.actor
    beside: dict[str, Any] = {"who": actor.who}
    if actor.origin is Origin.PERSON:
        beside["by"] = actor.role.value
    else:
        beside["origin"] = actor.origin.value
    if actor.approvals:
        beside["approvals"] = msgspec.to_builtins(actor.approvals)
    beside |= {name: value for name, value in (("id", envelope.id), ("at", envelope.at)) if value}
    if is_repeat:
        beside["repeat"] = True
    return {"line": number, **msgspec.to_builtins(command, str_keys=True), **beside}


def read_answers(table: Table, lines: Iterable[tuple[int, bytes]]) -> Iterator[PlainAct]:
    """The acts of the answers after their first line, read one by one; `UnreadableLine` at a wrong line.

    `table` is the one that decides the acts: the caller applies each act there before it asks for the next.
    """
    act: PlainAct | None = None
    for number, line in lines:
        try:
            value = decode_object(line)
            begins = "do" in value or "unreadable" in value
            if begins and act is not None:
                whole, act = act, None
                yield whole
            act = _begun(table, number, value) if begins else _continued(act, number, value)
        except (UnreadableLine, Misfit) as error:
            say = str(error) if isinstance(error, UnreadableLine) else f"{error}; expected a command, event or refusal"
            if act is not None:
                yield replace(act, cut_off=f"line {number}: {say}")
            raise UnreadableLine(f"line {number}: {say}") from None
    if act is not None:
        yield replace(act, cut_off=f"line {(act.lines or (act.number,))[-1] + 1} is missing")


def _begun(table: Table, number: int, value: dict[str, Any]) -> PlainAct:
    if "unreadable" in value:
        return PlainAct(number=number, unreadable=convert_to(value, _Unreadable, "", words=IN_JSON).unreadable)
    value.pop("line", None)
    is_repeat = value.pop("repeat", False) is True
    command, beside = read_command(msgspec.json.encode(value) + b"\n", wagers=table.rules.edition.wagers)
    record = ActRecord(
        v=FORM,
        stream=Stream("table"),
        seq=1,
        event=0,
        rulebook=table.rules.hash,
        behaviour=BEHAVIOUR,
        command=Raw(canonical(command)),
        **envelope_fields(beside.envelope(table.state, command)),
    )
    return PlainAct(number=number, record=record, is_repeat=is_repeat)


def _continued(act: PlainAct | None, number: int, value: dict[str, Any]) -> PlainAct:
    """The act with one more line of its outcome."""
    if act is None or act.record is None:
        raise UnreadableLine("expected a command before an event or a refusal")
    if "refused" in value:
        found = read_refused(convert_to(value, _Refusal, "", words=IN_JSON).refused)
        record = replace(act.record, refused=Raw(written_refusal(found)))
    else:
        record = replace(act.record, events=(*act.record.events, Raw(canonical(read_event(value)))))
    return replace(act, record=record, lines=(*act.lines, number))
