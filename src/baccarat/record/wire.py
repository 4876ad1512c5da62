"""The wire: commands and events as lines of JSON, read strictly; an error says what is wrong, and in which field.

A line is flat: next to `do` and the command's own fields it has `by` (the capacity), `who` (the person's id),
`approvals` (second persons), `origin`, `id` and `at`. What is left out is filled in as is usual at the table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import UnsetType
from msgspec.inspect import type_info

from baccarat.cards import Card
from baccarat.law.clause import Citation
from baccarat.law.error import nearest, unknown_message
from baccarat.law.typed_value import Misfit, Wording, convert_to
from baccarat.law.wager_name import BY_NAME, WagerKind
from baccarat.money import MICRO, Cents, written_cents
from baccarat.play.refusal import Param, RefusalCode, Refused, RefusedAct, refusal_sentence
from baccarat.record.line import UnreadableLine, decode_object, refuse_unseen
from baccarat.record.text import visible
from baccarat.table.actor import Actor, Approval, Envelope, Origin
from baccarat.table.base import Command, Event
from baccarat.table.bounds import (
    MOST_CENTS,
    Label,
    Means,
    MeterFigures,
    Micro,
    PersonId,
    PersonText,
    Sum,
    without_meaning,
)
from baccarat.table.registry import EVOLVERS, HANDLERS
from baccarat.table.role import Role
from baccarat.table.state import TableState
from baccarat.table.usual_actor import usual_actor
from baccarat.values import NUMBER_LIMIT

KINDS: dict[str, type[Command]] = {str(kind.__struct_config__.tag): kind for kind in HANDLERS}
EVENTS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in EVOLVERS}


class SecondPerson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person who approves; what is approved is the command of the line, unless `what` names another."""

    who: Annotated[PersonId, Means("the second person's id")]
    role: Annotated[Role, Means("in what capacity the second person approves")]
    what: Annotated[Label, Means("the name of the command that is approved; if left out, this one")] = ""


class LineEnvelope(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a line says besides the command; everything may be left out."""

    by: Annotated[Role | None, Means("in what capacity the person acts; the usual one, if left out")] = None
    who: Annotated[PersonText, Means("the person's id; if left out, the person at the seat, or the first dealer")] = ""
    origin: Annotated[Origin | None, Means("where the command comes from; a person, if `by` is given")] = None
    approvals: Annotated[
        tuple[SecondPerson, ...],
        msgspec.Meta(max_length=8),
        Means("the second persons: objects with `who`, `role` and `what`, below"),
    ] = ()
    id: Annotated[Label, Means("the command's id, made by the sender")] = ""
    at: Annotated[
        int, msgspec.Meta(ge=0, lt=NUMBER_LIMIT), Means("the time in microseconds UTC; it decides nothing")
    ] = 0

    def envelope(self, state: TableState, command: Command) -> Envelope:
        """The envelope of a command at a table; what was left out is as usual there."""
        approvals = tuple(Approval(each.who, each.role, each.what or command.name) for each in self.approvals)
        usual = usual_actor(state, command, by=self.by, who=self.who, approvals=approvals)
        origin = self.origin or usual.origin
        actor = Actor(who=usual.who, role=usual.role, origin=origin, approvals=approvals)
        return Envelope(actor=actor, id=self.id, at=self.at)


ENVELOPE_FIELDS = frozenset(LineEnvelope.__struct_fields__)
IN_JSON = Wording(
    "object",
    named=(
        (type_info(Sum), f'a sum of money below {Cents(MOST_CENTS)}: whole cents, such as 2500, or a text, "$25.00"'),
        (type_info(Micro), 'a sum of money in millionths of a cent, such as 2500000000, or a text, "$25.00"'),
        (type_info(Card), 'a card, such as "9s"'),
        (type_info(WagerKind), 'the name of a wager, such as "banker"'),
    ),
)
"""How a fault in a line is worded: what a person would write there."""


# ---------------------------------------------------------------------------------- commands and events


def members(annotation: Any) -> tuple[Any, ...]:
    """The types of an annotation, bounds and what stands for no value left out: the members of a union, or itself."""
    if get_origin(annotation) is Annotated:
        return members(get_args(annotation)[0])
    if get_origin(annotation) in (UnionType, Union):
        found = (each for part in get_args(annotation) for each in members(part))
        return tuple(each for each in found if each not in (NoneType, UnsetType))
    return (annotation,)


def unit_of(annotation: Any) -> int:
    """The unit of a sum of money in a field: 1 for cents, a million for millionths of a cent, 0 if it is no sum."""
    annotation = without_meaning(annotation)
    options = get_args(annotation) if get_origin(annotation) in (UnionType, Union) else (annotation,)
    if MeterFigures in options:
        return MICRO
    return 1 if Sum in options else MICRO if Micro in options else 0


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.type) for field in msgspec.structs.fields(kind))


def normalized_fields(
    value: Mapping[str, Any], kind: type[msgspec.Struct], where: str = "", *, wagers: Collection[str] = BY_NAME
) -> dict[str, Any]:
    """The same fields with cards written as 9s and sums written as $25.00 converted, at every depth.

    An unknown wager is refused here, with the names of `wagers`.
    """
    made = dict(value)
    for name, annotation in _fields(kind):
        if name not in made:
            continue
        given, unit = made[name], unit_of(annotation)
        (found, *_) = members(annotation)
        try:
            if isinstance(given, str) and found is Card:
                card = Card.parse(given)
                made[name] = {"rank": card.rank.value, "suit": card.suit.value}
            elif isinstance(given, str) and found is WagerKind and given not in BY_NAME:
                raise ValueError(unknown_message("wager", visible(given), wagers))
            elif unit:
                made[name] = _in_units(given, unit)
            elif isinstance(given, dict) and isinstance(found, type) and issubclass(found, msgspec.Struct):
                made[name] = normalized_fields(given, found, f"{where}{name}.", wagers=wagers)
        except ValueError as error:
            raise UnreadableLine(f"{where}{name}: {error}") from None
    return made


def _in_units(given: Any, unit: int) -> Any:
    if isinstance(given, dict):
        return {key: _in_units(each, unit) for key, each in given.items()}
    return written_cents(given) * unit if isinstance(given, str) else given


def read_command(line: bytes, *, wagers: Collection[str] = BY_NAME) -> tuple[Command, LineEnvelope]:
    """The command of a line, and its envelope; cards may be written 9s, sums $25.

    `wagers` are the names that a mistyped wager may have meant, such as those of the table's edition.
    """
    value = decode_object(line)
    refuse_unseen(value)
    tag = value.get("do")
    kind = KINDS.get(tag) if isinstance(tag, str) else None
    if kind is None:
        hint = nearest(tag, KINDS) if isinstance(tag, str) else None
        say = f"no command {tag!r}" if "do" in value else 'expected a command, such as {"do": "close_shoe"}'
        raise UnreadableLine(say + (f"; did you mean {hint!r}?" if hint else "") + "; see baccarat run --commands")
    beside = {key: part for key, part in value.items() if key in ENVELOPE_FIELDS}
    try:
        fields = normalized_fields(
            {key: part for key, part in value.items() if key not in ENVELOPE_FIELDS}, kind, wagers=wagers
        )
        _refuse_unknown_fields(fields, kind)
        return convert_to(fields, kind, "", words=IN_JSON), convert_to(beside, LineEnvelope, "", words=IN_JSON)
    except (UnreadableLine, Misfit) as error:
        raise UnreadableLine(f"{tag}: {visible(str(error))}; see baccarat run --commands {tag}") from None


def _refuse_unknown_fields(fields: Mapping[str, Any], kind: type[Command]) -> None:
    takes = (*kind.__struct_fields__, *LineEnvelope.__struct_fields__)
    for name in fields:
        if name != "do" and name not in takes:
            hint = nearest(name, takes)
            near = f"did you mean {hint!r}? It" if hint else "it"
            raise UnreadableLine(f"no field {visible(name)!r}; {near} takes {', '.join(takes)}")


def read_event(value: dict[str, Any]) -> Event:
    """The event that a line of a journal holds."""
    tag = value.get("event")
    kind = EVENTS.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise UnreadableLine(f"expected an event, a refusal or an unreadable line, not {visible(str(value))[:60]}")
    try:
        event: Event = convert_to(value, kind, "", words=IN_JSON)
    except Misfit as misfit:
        raise UnreadableLine(f"no event {tag}: {visible(str(misfit))}") from None
    return event


# ------------------------------------------------------------------------------------------- refusals


class WireRefusal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A refusal as a line holds it; the sentence is for people, and is never read."""

    code: RefusalCode
    what: str
    params: dict[str, Param] = {}
    act: RefusedAct | None = None
    cites: tuple[str, ...]
    say: str = ""


def write_refused(refused: Refused) -> WireRefusal:
    """A refusal for a line."""
    return WireRefusal(
        code=refused.code,
        what=refused.what,
        params=refused.params,
        act=refused.act,
        cites=tuple(map(str, refused.cites)),
        say=refused.say,
    )


def read_refused(value: Any) -> Refused:
    """The refusal of a line; its sentence is made again from the code."""
    try:
        found = convert_to(value, WireRefusal, "", words=IN_JSON)
        refused = Refused(found.code, found.what, tuple(map(Citation.parse, found.cites)), found.params, found.act)
        refusal_sentence(refused)
    except (ValueError, LookupError) as error:  # a value of the wrong type is a ValueError
        raise UnreadableLine(f"not a refusal of a table: {visible(str(error))}") from None
    return refused
