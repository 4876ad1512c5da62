"""The form of an act: its fields as a page shows them, made from the command itself, each described."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Annotated, Any, get_args, get_origin

import msgspec
from msgspec import Meta

from baccarat.cards import Card
from baccarat.engine.entries import AnyCommand
from baccarat.house.coupon import CouponKind
from baccarat.house.inventory import Inventory
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.record.wire import members
from baccarat.table.bounds import (
    Count,
    Elections,
    Instant,
    Labels,
    Means,
    Micro,
    PersonId,
    PersonText,
    Position,
    Remark,
    Seat,
    Serials,
    StreamLabel,
    Sum,
    is_left_out_in_old_records,
    meaning_of,
    without_meaning,
)
from baccarat.table.proof import CardProof
from baccarat.table.table_cards import TableCards
from baccarat.table.witness_keys import WitnessKeys

CHIP_VALUES = (25, 50, 1_00, 5_00, 25_00, 100_00, 500_00, 1_000_00)
"""The chips that a count sheet lists, in cents."""

_BY_BOUND: tuple[tuple[Any, str], ...] = (
    (Seat, "seat"), (Sum, "sum"), (Micro, "micro"), (Count, "number"), (Position, "position"), (Remark, "remark"),
    (PersonText, "person"), (PersonId, "person"), (StreamLabel, "name"), (Instant, "moment"), (Serials, "serials"),
    (Labels, "tables"), (Elections, "options"), (WitnessKeys, "keys"),
)  # fmt: skip
_BY_TYPE: dict[Any, str] = {
    WagerKind: "wager", Side: "hand", Card: "card", Inventory: "chips", bool: "flag", str: "label", int: "number",
    TableCards: "label", CouponKind: "label",
}  # fmt: skip
_BY_NAME = {"table": "table", "meter": "meter", "act": "preparation"}
"""Labels that name something of which the house has a list."""


class FieldChoice(msgspec.Struct, frozen=True):
    """One of the values that a field may have, and the text that a person reads."""

    value: Any
    say: str


class FieldShown(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One field of an act: its kind, what it means, and what may be typed or chosen there."""

    name: str
    kind: str
    say: str
    required: bool = False
    default: Any = None
    choices: list[FieldChoice] | None = None
    """All values that would be accepted now, if there are few; none if anything of the kind may be typed."""
    least: int | None = None
    most: int | None = None
    longest: int | None = None
    fields: list[FieldShown] = []
    """The fields within, if the field is a group."""


def kind_of_field(name: str, annotation: Any) -> str:
    """What kind of thing a field of a command holds."""
    annotation = without_meaning(annotation)
    options = get_args(annotation) if get_origin(annotation) not in (None, Annotated) else (annotation,)
    for bound, kind in _BY_BOUND:
        if without_meaning(bound) in options:
            return kind
    (found, *_) = members(annotation)
    kind = _BY_TYPE.get(found, "")
    if kind == "label":
        return _BY_NAME.get(name, kind)
    if kind:
        return kind
    return "group" if isinstance(found, type) and issubclass(found, msgspec.Struct) else "any"


def form_of(kind: type[AnyCommand]) -> list[FieldShown]:
    """The fields of a command in their order; a proof, which only a machine can provide, is left out."""
    return list(_fields(kind))


@cache
def _fields(kind: type[msgspec.Struct], around: Means | None = None) -> tuple[FieldShown, ...]:
    """The fields of a command, or of a group within one, which the field around it may describe differently."""
    told = dict(around.within) if around is not None else {}
    return tuple(
        _field(field, told.get(field.name) or meaning_of(field.type).say)
        for field in msgspec.structs.fields(kind)
        if CardProof not in members(field.type)
    )


def _field(field: Any, say: str) -> FieldShown:
    meaning = meaning_of(field.type)
    kind = meaning.listed or kind_of_field(field.name, field.type)
    (found, *_) = members(field.type)
    is_required = field.required or is_left_out_in_old_records(field)
    default = None if is_required or field.default in (msgspec.NODEFAULT, msgspec.UNSET) else field.default
    bounds = _bounds(field.type)
    within = _fields(found, meaning) if kind == "group" else ()
    return FieldShown(
        name=field.name, kind=kind, say=say,
        required=is_required, default=msgspec.to_builtins(default, enc_hook=str), fields=list(within),
        choices=_choices(kind, found, meaning),
        least=_first_value(bounds.ge, None if bounds.gt is None else int(bounds.gt) + 1),
        most=_first_value(bounds.le, None if bounds.lt is None else int(bounds.lt) - 1), longest=bounds.max_length,
    )  # fmt: skip


def _choices(kind: str, found: Any, meaning: Means) -> list[FieldChoice] | None:
    """All values that a field may have, where they are few: chips, the members of an enumeration, or what is listed."""
    if kind == "chips":
        return [FieldChoice(value, "") for value in CHIP_VALUES]
    if kind == "label" and isinstance(found, type) and issubclass(found, Enum):
        return [FieldChoice(each.value, each.value) for each in found]
    return [FieldChoice(each, each) for each in meaning.choices] or None


def _first_value(*values: Any) -> int | None:
    return next((int(value) for value in values if value is not None), None)


def _bounds(annotation: Any) -> Meta:
    found = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((each for each in found if isinstance(each, Meta)), Meta())
