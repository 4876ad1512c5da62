"""The fields of commands, described: what may be typed in each, its default, and what it means."""

from __future__ import annotations

from typing import Any, get_args, get_origin

import msgspec

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.record.wire import SecondPerson, members, unit_of
from baccarat.table.actor import Origin
from baccarat.table.bounds import is_left_out_in_old_records, meaning_of
from baccarat.table.gate import GateFault
from baccarat.table.proof import CardProof
from baccarat.table.role import Role
from baccarat.table.table_cards import TableCards
from baccarat.table.vigorish_form import ComplimentaryForm

WORDS: dict[Any, str] = {
    int: "number",
    str: "text",
    bool: "true or false",
    Card: "card",
    Side: "hand",
    WagerKind: "wager",
    Role: "role",
    CardProof: "proof",
    Origin: "origin",
    GateFault: "fault",
    SecondPerson: "approval",
    ComplimentaryForm: "form",
    TableCards: "cards",
}


class CommandField(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a command: what may be typed there, its default, and what it means."""

    name: str
    type: str
    required: bool
    default: Any
    meaning: str


def _type_name(annotation: Any) -> str:
    if unit_of(annotation) == 1:
        return "sum"
    (found, *_) = members(annotation)
    if get_origin(found) is tuple:
        return f"list of {_type_name(get_args(found)[0])}s"
    if get_origin(found) is dict:
        return "object of numbers by name" if get_args(found)[1] is int else "object of options by name"
    return WORDS.get(found, "object")


def fields_of(kind: type[msgspec.Struct]) -> tuple[CommandField, ...]:
    """The fields of a command, of a form within one, or of its envelope."""
    found = []
    for field in msgspec.structs.fields(kind):
        required = field.required or is_left_out_in_old_records(field)
        default = None if required or field.default is msgspec.UNSET else field.default
        if default is msgspec.NODEFAULT:
            default = field.default_factory()
        found.append(
            CommandField(
                name=field.name,
                type=_type_name(field.type),
                required=required,
                default=msgspec.to_builtins(default),
                meaning=meaning_of(field.type).say,
            )
        )
    return tuple(sorted(found, key=lambda each: not each.required))
