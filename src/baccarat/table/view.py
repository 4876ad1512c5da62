"""Views: a table and its events as one audience may see them, built from the list of `audience.py` and nothing else.

There is a type for each part of a state and each event, for each role, with exactly the fields that this role may see:
what is not on the list is not in the type, and so cannot be sent. What is one person's own (`UNSET` for others)
is filled in for the participant at that seat, and for the staff.
"""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

import msgspec
from msgspec import UNSET

from baccarat.law.rulebook import Rulebook
from baccarat.table.audience import DUE_SHOWN, STATE_SHOWN, Shown, Sight
from baccarat.table.base import Due, Event
from baccarat.table.machine import expected
from baccarat.table.registry import EVENT_SHOWN
from baccarat.table.role import Role
from baccarat.table.state import TableState

BY_SEAT = frozenset({"payable", "markers"})
"""Sums that are stored by seat: a participant sees that of his own."""


class Viewer(msgspec.Struct, frozen=True, cache_hash=True):
    """Who looks: a role, and a participant's seat; a participant who has not sat down yet has none."""

    role: Role
    seat: int = 0

    def __post_init__(self) -> None:
        assert self.seat == 0 or (self.seat > 0 and self.role is Role.PARTICIPANT), "only a participant has a seat"

    def sees(self, sight: Sight, owner: int) -> bool:
        """Whether this viewer sees something that belongs to a seat; 0 where it belongs to none."""
        return self.role in sight.roles or (sight.own and self.seat > 0 and owner == self.seat)


class TableMoment(msgspec.Struct, frozen=True):
    """A table at one moment, and the acts that are due then: all that views and patches are made from."""

    state: TableState
    due: tuple[Due, ...]


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """A table as one viewer sees it: the state's parts with the fields of this role, and the acts that are due."""

    role: Role
    seat: int
    state: Any
    due: tuple[Due, ...] = ()


def moment(rules: Rulebook, state: TableState) -> TableMoment:
    """A state with the acts that are due then."""
    return TableMoment(state, expected(rules, state))


def view(rules: Rulebook, state: TableState, viewer: Viewer) -> TableView:
    """The whole table, as a viewer sees it."""
    return view_moment(moment(rules, state), viewer)


def view_moment(now: TableMoment, viewer: Viewer) -> TableView:
    """The whole table at a moment, as a viewer sees it."""
    due = due_for(now.due, viewer)
    return TableView(role=viewer.role, seat=viewer.seat, state=_project(now.state, viewer), due=due)


def view_event(event: Event, viewer: Viewer) -> Any | None:
    """An event, as a viewer sees it; None if the viewer may not."""
    shown = EVENT_SHOWN.get(event.__struct_config__.tag)  # type: ignore[arg-type]
    owner = getattr(event, "seat", 0)
    if shown is None or not viewer.sees(shown.to, owner):
        return None
    return _fields_of(event, viewer, shown, owner=owner)


def due_for(due: tuple[Due, ...], viewer: Viewer) -> tuple[Due, ...]:
    """The acts that are due, as a viewer sees them: the staff all of them, somebody at a seat those that he may do."""
    if viewer.role is Role.PARTICIPANT:
        at_seat = (0, viewer.seat) if viewer.seat else ()
        return tuple(each for each in due if each.by is Role.PARTICIPANT and each.seat in at_seat)
    return due if viewer.role in DUE_SHOWN.to.roles else ()


def _project(value: Any, viewer: Viewer) -> Any:
    """A value that holds structs of the list, as a viewer sees it; a card and the like are seen whole."""
    if isinstance(value, tuple):
        return tuple(_project(each, viewer) for each in value)
    if type(value).__name__ not in STATE_SHOWN:
        return value
    return _fields_of(value, viewer, STATE_SHOWN[type(value).__name__], owner=0)


def _fields_of(value: msgspec.Struct, viewer: Viewer, shown: Shown, *, owner: int) -> Any:
    kind, plain, others = _plan(type(value), viewer.role)
    made = {name: getattr(value, name) for name in plain}
    for name in others:
        sight, held = shown.fields[name], getattr(value, name)
        if name == "participants":
            made[name] = tuple(_seat(person, viewer, seat) for seat, person in enumerate(held, start=1))
        elif sight.own and name in BY_SEAT:
            made[name] = {seat: amount for seat, amount in held.items() if viewer.sees(sight, seat)}
        elif viewer.sees(sight, owner):
            made[name] = _project(held, viewer)
    return kind(**made)


@cache
def _plan(kind: type[msgspec.Struct], role: Role) -> tuple[type[msgspec.Struct], tuple[str, ...], tuple[str, ...]]:
    """The type by which a role sees a struct, the fields that are copied as they are, and those that are projected."""
    seen, shown = view_type(kind, role), _visibility_of(kind)
    fields = [field for field in msgspec.structs.fields(kind) if field.name in seen.__struct_fields__]
    plain = tuple(
        field.name
        for field in fields
        if role in shown.fields[field.name].roles and field.name not in BY_SEAT and not _holds_parts(field.type)
    )
    return seen, plain, tuple(field.name for field in fields if field.name not in plain)


def _holds_parts(kind: Any) -> bool:
    """Whether a type refers to structs that are on the list themselves."""
    return getattr(kind, "__name__", "") in STATE_SHOWN or any(map(_holds_parts, get_args(kind)))


def _visibility_of(kind: type[msgspec.Struct]) -> Shown:
    tag = kind.__struct_config__.tag
    return EVENT_SHOWN[tag] if isinstance(tag, str) else STATE_SHOWN[kind.__name__]


class SeatView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat: whether somebody sits there; who, and with what chips, only for those who may know."""

    seat: int
    taken: bool
    who: str | msgspec.UnsetType = UNSET
    chips: int | msgspec.UnsetType = UNSET


def _seat(person: Any, viewer: Viewer, seat: int) -> SeatView:
    """A seat as a viewer sees it."""
    if person is None:
        return SeatView(seat=seat, taken=False)
    sights = STATE_SHOWN["Participant"].fields
    return SeatView(
        seat=seat,
        taken=True,
        who=person.who if viewer.sees(sights["who"], seat) else UNSET,
        chips=person.chips if viewer.sees(sights["chips"], seat) else UNSET,
    )


@cache
def view_type(kind: type[msgspec.Struct], role: Role) -> type[msgspec.Struct]:
    """The type by which a role sees a part of a state or an event: the fields that the list gives it, no others."""
    tag, shown = kind.__struct_config__.tag, _visibility_of(kind)
    leaves_out = kind.__struct_config__.omit_defaults  # what the whole struct leaves out, a view of it does too
    fields: list[tuple[str, Any, Any]] = [
        (field.name, Any, field.default if leaves_out and field.default is not msgspec.NODEFAULT else UNSET)
        for field in msgspec.structs.fields(kind)
        if field.name in shown.fields and role in shown.fields[field.name]
    ]
    name = f"{kind.__name__}For{role.value.title().replace(' ', '')}"
    settings: dict[str, Any] = {"tag": tag, "tag_field": "event"} if isinstance(tag, str) else {}
    return msgspec.defstruct(name, fields, frozen=True, kw_only=True, omit_defaults=True, **settings)
