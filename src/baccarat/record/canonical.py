"""Canonical bytes (RFC 8785): the one way in which a command, an event or a state is written before it is hashed.

JSON with sorted keys and no spaces; keys are ASCII; there are no floats, and no number above 2^53 - 1, which not every
reader of JSON would read alike. Sums in millionths of a cent can be larger, so they are written as decimal text: which
fields those are, the types say (`Micro`), never the size of a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import msgspec

from baccarat.table.bounds import Micro

MOST = 2**53 - 1
T = TypeVar("T", bound=msgspec.Struct)


def _write(value: object) -> str:
    """A fraction as it is written; nothing else that JSON does not have stands in what is kept."""
    assert isinstance(value, Fraction), f"{type(value).__name__} has no canonical form"
    return str(value)


_encode = msgspec.json.Encoder(order="sorted", enc_hook=_write).encode
_has_large_number = re.compile(rb"[:,[]-?[0-9]{16}").search
Change = Callable[[Any], Any]


def canonical(value: msgspec.Struct) -> bytes:
    """The canonical bytes of a command, an event or a state."""
    data = written(value)
    if _has_large_number(data):  # it may stand within a text; then it is none
        _check(_plain(value))
    return data


def written(value: msgspec.Struct) -> bytes:
    """The same for comparing with bytes that were kept: whether a number is too large is not asked again."""
    kind = type(value)
    if _is_plain(kind):
        return _encode(value)
    plain = _plain(value)
    _check(plain)
    return _encode(plain)


def _plain(value: msgspec.Struct) -> Any:
    """A value as dictionaries, lists, texts and numbers, its fine sums as text."""
    plain, change = msgspec.to_builtins(value, str_keys=True, enc_hook=_write), _writing(type(value))
    return change(plain) if change is not None else plain


def read_canonical(data: bytes, kind: type[T]) -> T:
    """What `canonical` wrote: a value of a kind of command or event, or a state; `ValueError` where it is none."""
    plain = msgspec.json.decode(data)
    change = _reading(kind)
    try:
        changed = change(plain) if change is not None else plain
    except (AttributeError, TypeError):  # an object was expected, or a list, and something else stands there
        raise ValueError(f"not of the form of a {kind.__name__}") from None
    return msgspec.convert(changed, kind, str_keys=True)


def _check(plain: Any) -> None:
    """Nothing that two readers could take for two things: a bug of ours, for what comes in is bounded."""
    match plain:
        case bool() | None:
            return
        case int():
            assert -MOST <= plain <= MOST, f"{plain} is larger than every reader of JSON can read"
        case str():
            return
        case dict():
            for key, part in plain.items():
                assert key.isascii(), f"the key {key!r} is not ASCII"
                _check(part)
        case list() | tuple():
            for part in plain:
                _check(part)
        case _:
            raise AssertionError(f"{type(plain).__name__} has no canonical form")


# ------------------------------------------------------------------- which numbers are written as text


@cache
def _is_plain(kind: Any) -> bool:
    """Whether values of a type can be written as they are, with only their numbers to be looked at.

    So it is where no fine sum stands within, every key is a field's name, and the type leaves nothing open.
    """
    return _writing(kind) is None and not _is_open(kind)


def _is_open(kind: Any) -> bool:
    """Whether values of a type may hold keys of any kind, or anything at all."""
    if kind is Any or kind is float or get_origin(kind) is dict:
        return True
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return any(_is_open(field.type) for field in msgspec.structs.fields(kind))
    return any(_is_open(part) for part in get_args(kind) if part is not ...)


@cache
def _writing(kind: Any) -> Change | None:
    return _changes(kind, str)


@cache
def _reading(kind: Any) -> Change | None:
    return _changes(kind, int)


def _changes(kind: Any, leaf: Change) -> Change | None:
    """What is to be changed in a value of a type so that its fine sums are text, or numbers again; None: nothing."""
    if kind == Micro:
        return leaf
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _changes(inner[0], leaf)
    if origin is dict:
        part_of = _changes(inner[1], leaf)
        return None if part_of is None else lambda value: {key: part_of(part) for key, part in value.items()}
    if origin in (UnionType, Union):
        parts = [part for part in inner if part is not type(None)]
        found_in = [change for change in (_changes(part, leaf) for part in parts) if change is not None]
        assert not found_in or len(parts) == 1, "what has fine sums in it is of one type, or missing"
        return None if not found_in else lambda value: None if value is None else found_in[0](value)
    if origin is tuple:
        item = _changes(inner[0], leaf)
        return None if item is None else lambda value: [item(part) for part in value]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        found = {field.name: _changes(field.type, leaf) for field in msgspec.structs.fields(kind)}
        changes = {name: change for name, change in found.items() if change is not None}
        return None if not changes else lambda value: _changed(value, changes)
    return None


def _changed(value: dict[str, Any], changes: dict[str, Change]) -> dict[str, Any]:
    return {name: changes[name](part) if name in changes else part for name, part in value.items()}
