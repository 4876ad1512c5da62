"""Differences: what has changed between two states of a table, each change with who may see it.

Frozen states share what did not change, so most of two states is compared by object identity. Different objects are
compared by value, so that nothing is sent that looks the same as before. A change is one line of a patch (`patch.py`):
a path into the state, what is done there, and its JSON, encoded once for all who see it. Whether a change is written
as a whole value, a splice or single entries depends on that field's two values and on nothing else, so a patch reveals
nothing but these.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from itertools import compress
from operator import is_not
from typing import Any, get_args, get_origin

import msgspec
from msgspec import UNSET
from msgspec.structs import astuple

from baccarat.table.audience import EVERYBODY, NOBODY, STATE_SHOWN, Sight
from baccarat.table.role import Role
from baccarat.table.state import Participant, TableState
from baccarat.table.view import BY_SEAT, SeatView

ENCODE = msgspec.json.Encoder().encode
SPLICE, SET, DROP = range(3)
"""What is done at a path, in the order in which a patch is applied."""
SHORT_LIST = 8
"""A list of numbers or words is sent whole up to this length: shorter than saying where it changed."""
_PLAIN_KEY = re.compile(r"[0-9A-Za-z][0-9A-Za-z_ -]*")
"""Keys that can be part of a path; a dictionary with other keys is sent whole."""


SeenChange = tuple[frozenset[Role], int, int, bytes]
"""One change: the roles that see it, the seat that owns it (0 for none), what is done, and the JSON that says so.

A plain tuple for speed: every patch reads all four."""


class _Field(msgspec.Struct, frozen=True):
    """A field of a part of the state: its path, who sees it, and how two values of it are compared."""

    path: str
    roles: frozenset[Role]
    own: bool
    """Whether the participant who owns it sees it too."""
    compare: Callable[[_Field, Any, Any, list[SeenChange]], None]
    head: bytes = b""
    """The path as the key of a JSON object."""
    inner: tuple[_Field, ...] = ()
    """The fields of a part."""

    def owner(self, seat: int) -> int:
        """The seat whose participant sees this as his own; 0 if it is nobody's."""
        return seat if self.own else 0


def changes(before: TableState, after: TableState) -> list[SeenChange]:
    """All that has changed between two states."""
    found: list[SeenChange] = []
    if before is not after:
        _parts(_STATE, before, after, found)
    return found


def _parts(field: _Field, old: Any, new: Any, found: list[SeenChange]) -> None:
    """The fields of a state or of one of its parts that are not the same."""
    olds, news, fields = astuple(old), astuple(new), field.inner
    for index in compress(range(len(fields)), map(is_not, olds, news)):
        inner, was, now = fields[index], olds[index], news[index]
        if inner.inner or was != now:
            inner.compare(inner, was, now, found)


def _append_whole(field: _Field, _old: Any, new: Any, found: list[SeenChange]) -> None:
    """A value that is sent whole, or that is gone: a field that is not set is not written."""
    if new is UNSET:
        found.append((field.roles, 0, DROP, ENCODE(field.path)))
    else:
        found.append((field.roles, 0, SET, field.head + ENCODE(new)))


def _list(field: _Field, old: tuple[Any, ...], new: tuple[Any, ...], found: list[SeenChange]) -> None:
    """A list of structs: what was put in or taken out between its beginning and its end, which stay."""
    least, start, end = min(len(old), len(new)), 0, 0
    while start < least and (old[start] is new[start] or old[start] == new[start]):
        start += 1
    while end < least - start and (old[-1 - end] is new[-1 - end] or old[-1 - end] == new[-1 - end]):
        end += 1
    if start + end:
        spliced = (start, len(old) - start - end, *new[start : len(new) - end])
        found.append((field.roles, 0, SPLICE, field.head + ENCODE(spliced)))
    else:
        _append_whole(field, old, new, found)


def _plain_list(field: _Field, old: tuple[Any, ...], new: tuple[Any, ...], found: list[SeenChange]) -> None:
    """A list of numbers or words: sent whole while it is short."""
    (_append_whole if len(new) <= SHORT_LIST else _list)(field, old, new, found)


def _dictionary(field: _Field, old: dict[Any, Any], new: dict[Any, Any], found: list[SeenChange]) -> None:
    """A dictionary: the entries that are new, other or gone, where they are fewer than all of them."""
    put = [key for key, value in new.items() if key not in old or old[key] != value]
    gone = [key for key in old if key not in new]
    paths = {key: _entry(field, key) for key in (*put, *gone)}
    if len(paths) >= len(new) or not all(paths.values()):
        _append_whole(field, old, new, found)
    else:
        found += [(field.roles, 0, SET, paths[key] + b":" + ENCODE(new[key])) for key in put]
        found += [(field.roles, 0, DROP, paths[key]) for key in gone]


def _entry(field: _Field, key: Any) -> bytes:
    """The path of an entry, as JSON; empty if its key cannot be part of a path."""
    name = str(key.value if isinstance(key, Enum) else key)
    return ENCODE(f"{field.path}.{name}") if _PLAIN_KEY.fullmatch(name) else b""


def _by_seat(field: _Field, old: dict[int, int], new: dict[int, int], found: list[SeenChange]) -> None:
    """Sums by seat: each belongs to its seat."""
    roles, path = field.roles, field.path.encode()
    put = [(seat, amount) for seat, amount in new.items() if old.get(seat) != amount]
    found += [(roles, field.owner(seat), SET, b'"%b.%d":%d' % (path, seat, amount)) for seat, amount in put]
    found += [(roles, field.owner(seat), DROP, b'"%b.%d"' % (path, seat)) for seat in old if seat not in new]


def _seats(
    field: _Field, old: tuple[Participant | None, ...], new: tuple[Participant | None, ...], found: list[SeenChange]
) -> None:
    """The seats: how many there are, whether somebody sits there, and what belongs to that person."""
    had, has = len(old), len(new)
    if had != has:
        added = [SeatView(seat=seat, taken=False) for seat in range(had + 1, has + 1)]
        spliced = (min(had, has), max(had - has, 0), *added)
        found.append((field.roles, 0, SPLICE, field.head + ENCODE(spliced)))
    for index, now in enumerate(new):
        was = old[index] if index < had else None
        if was is not now and was != now:
            _person(field, index, was, now, found)


def _person(
    field: _Field, index: int, was: Participant | None, now: Participant | None, found: list[SeenChange]
) -> None:
    """What has changed at one seat: whether somebody sits there, and what is that person's own."""
    path, seat = b'"%b.%d.' % (field.path.encode(), index), index + 1
    if (was is None) is not (now is None):
        found.append((field.roles, 0, SET, path + (b'taken":false' if now is None else b'taken":true')))
    for own in _OF_A_PERSON:
        if now is None:
            found.append((own.roles, own.owner(seat), DROP, path + own.path.encode() + b'"'))
        elif was is None or getattr(was, own.path) != getattr(now, own.path):
            text = path + own.head[1:] + ENCODE(getattr(now, own.path))
            found.append((own.roles, own.owner(seat), SET, text))


# ------------------------------------------------------------------------------------ the fields, from the list


def _fields_of(kind: type[msgspec.Struct], path: str) -> tuple[_Field, ...]:
    """The fields of a part in their order."""
    shown = STATE_SHOWN[kind.__name__]
    return tuple(
        _field(field.type, f"{path}{field.name}", shown.fields.get(field.name, NOBODY))
        for field in msgspec.structs.fields(kind)
    )


def _field(kind: Any, path: str, sight: Sight) -> _Field:
    """How a field is compared: by its type, except for what is stored by seat."""
    name = path.rpartition(".")[2]
    if "." not in path and getattr(kind, "__name__", "") in STATE_SHOWN:
        assert sight == EVERYBODY, f"{path}: a part of the state has no audience of its own, only its fields do"
        return _make_field(path, sight, _parts, _fields_of(kind, f"{path}."))
    if name == "participants":
        return _make_field(path, sight, _seats)
    if name in BY_SEAT:
        return _make_field(path, sight, _by_seat)
    assert not sight.own, f"{path}: what is one person's own is stored by seat"
    held = listed_parts(kind)
    for part in held:
        assert is_fully_seen(part, lambda each: sight.roles <= each.roles), (
            f"{path}: everyone who sees this must see all that is in it"
        )
    if get_origin(kind) is dict:
        return _make_field(path, sight, _dictionary)
    if get_origin(kind) is tuple:
        return _make_field(path, sight, _list if held else _plain_list)
    return _make_field(path, sight, _append_whole)


def _make_field(path: str, sight: Sight, compare: Callable[..., None], inner: tuple[_Field, ...] = ()) -> _Field:
    return _Field(path, sight.roles, sight.own, compare, ENCODE(path) + b":", inner)


def listed_parts(kind: Any) -> list[type[msgspec.Struct]]:
    """The structs on the list of a state's parts that a type refers to, and those within them."""
    inner, found = list(get_args(kind)), list[type[msgspec.Struct]]()
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__name__ in STATE_SHOWN:
        inner += [field.type for field in msgspec.structs.fields(kind)]
        found.append(kind)
    return found + [part for each in inner for part in listed_parts(each)]


def is_fully_seen(kind: type[msgspec.Struct], sees: Callable[[Sight], bool]) -> bool:
    """Whether every field of a struct on the list is seen; one that is not listed is seen by nobody."""
    shown = STATE_SHOWN[kind.__name__]
    fields = (shown.fields.get(name, NOBODY) for name in kind.__struct_fields__)
    return sees(shown.to) and all(map(sees, fields))


_OF_A_PERSON = tuple(
    _make_field(field.name, STATE_SHOWN["Participant"].fields.get(field.name, NOBODY), _append_whole)
    for field in msgspec.structs.fields(Participant)
)
_STATE = _make_field("", EVERYBODY, _parts, _fields_of(TableState, ""))
