"""Canonical bytes (RFC 8785): the one way in which a command, an event or a state is written before it is hashed.

JSON with sorted keys and no spaces; keys are ASCII; there are no floats, and no number above 2^53 - 1, which some
readers of JSON would round. Sums in millionths of a cent can be larger, so they are written as decimal text: the type
of a field (`Micro`) decides that, never the size of a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import UNSET

from baccarat.table.bounds import Micro, without_meaning

LARGEST_EXACT = 2**53 - 1
T = TypeVar("T", bound=msgspec.Struct)


def _write(value: object) -> str:
    """A fraction as it is written: the only type in stored values that JSON does not have."""
    assert isinstance(value, Fraction), f"{type(value).__name__} has no canonical form"
    return str(value)


_encode = msgspec.json.Encoder(order="sorted", enc_hook=_write).encode
_has_large_number = re.compile(rb"[:,[]-?[0-9]{16}").search
_is_number = re.compile(r"-?[0-9]{1,30}").fullmatch
Convert = Callable[[Any], Any]


def canonical(value: msgspec.Struct) -> bytes:
    """The canonical bytes of a command, an event or a state."""
    data = encode_unchecked(value)
    if _has_large_number(data):  # perhaps only digits within a text, which `_check` allows
        _check(_to_plain(value))
    return data


def encode_unchecked(value: msgspec.Struct) -> bytes:
    """The same for comparing with stored bytes: numbers are not checked for their size again."""
    made = _plain_converter(type(value))
    return _encode(value if made is None else made(value))


def encode_list_unchecked(values: Sequence[msgspec.Struct]) -> bytes:
    """Several of them as one list: the bytes of each with commas between them, in square brackets."""
    return _encode([value if (made := _plain_converter(type(value))) is None else made(value) for value in values])


def _to_plain(value: msgspec.Struct) -> Any:
    """A value as dictionaries, lists, texts and numbers, with sums in millionths of a cent as text."""
    plain, change = msgspec.to_builtins(value, str_keys=True, enc_hook=_write), _write_converter(type(value))
    return change(plain) if change is not None else plain


def read_canonical(data: bytes, kind: type[T]) -> T:
    """Read what `canonical` wrote: a value of a kind of command or event, or a state; `ValueError` if it is none."""
    return msgspec.convert(read_numbers(msgspec.json.decode(data), kind), kind, str_keys=True)


def is_written(data: bytes, value: msgspec.Struct) -> bool:
    """Whether JSON states a value as `canonical` writes it, in any order and with any spaces.

    Fields with their defaults may be missing: an earlier version, which did not have them, wrote it so.
    """
    stated = msgspec.json.decode(data)
    return _encode(_stated_part(msgspec.json.decode(canonical(value)), stated)) == _encode(stated)


def _stated_part(whole: Any, stated: Any) -> Any:
    """What of a value is stated: without the keys that the statement lacks."""
    if isinstance(whole, dict) and isinstance(stated, dict):
        return {key: _stated_part(part, stated[key]) for key, part in whole.items() if key in stated}
    if isinstance(whole, list) and isinstance(stated, list) and len(whole) == len(stated):
        return [_stated_part(part, other) for part, other in zip(whole, stated, strict=True)]
    return whole


def read_numbers(plain: Any, kind: Any) -> Any:
    """JSON with sums in millionths of a cent as numbers again; anything else stays as it is, however wrong."""
    change = _read_converter(kind)
    return plain if change is None else change(plain)


def _check(plain: Any) -> None:
    """Refuse what two readers could read differently: a bug of ours, because input is bounded."""
    match plain:
        case bool() | None:
            return
        case int():
            assert -LARGEST_EXACT <= plain <= LARGEST_EXACT, f"{plain} is larger than every reader of JSON can read"
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
    """Whether values of a type can be written as they are, after a check of their numbers.

    True if they contain no sum in millionths of a cent, every key is the name of a field, and the type leaves nothing
    open.
    """
    return _write_converter(kind) is None and not _is_open(kind)


@cache
def _plain_converter(kind: Any) -> Convert | None:
    """What makes a value of a type ready to be written: only fields that are not plain are converted and checked.

    None if there is nothing to do. Most of a large event is plain, and is spared the cost of the few other fields.
    """
    if _is_plain(kind):
        return None
    config = kind.__struct_config__
    if config.omit_defaults or config.array_like:
        return lambda value: _to_checked_plain(value, _write_converter(kind))
    tag = {config.tag_field: config.tag} if config.tag_field is not None else {}
    fields = [
        (field.encode_name, field.name, None if _is_plain(field.type) else (_write_converter(field.type),))
        for field in msgspec.structs.fields(kind)
    ]

    def made(value: Any) -> dict[str, Any]:
        found: dict[str, Any] = dict(tag)
        for key, name, change in fields:
            part = getattr(value, name)
            if part is UNSET:  # not stated, and so not written
                continue
            found[key] = part if change is None else _to_checked_plain(part, *change)
        return found

    return made


def _to_checked_plain(value: Any, change: Convert | None) -> Any:
    """A value as dictionaries, lists, texts and numbers, which are what canonical JSON has."""
    plain = msgspec.to_builtins(value, str_keys=True, enc_hook=_write)
    if change is not None:
        plain = change(plain)
    _check(plain)
    return plain


def _is_open(kind: Any) -> bool:
    """Whether values of a type may hold keys of any kind, or anything at all."""
    if kind is Any or kind is float or get_origin(kind) is dict:
        return True
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return any(_is_open(field.type) for field in msgspec.structs.fields(kind))
    return any(_is_open(part) for part in get_args(kind) if part is not ...)


@cache
def _write_converter(kind: Any) -> Convert | None:
    return _changes(kind, str)


@cache
def _read_converter(kind: Any) -> Convert | None:
    return _changes(kind, _read_number)


def _read_number(part: Any) -> Any:
    return int(part) if isinstance(part, str) and _is_number(part) else part


def _changes(kind: Any, leaf: Convert) -> Convert | None:
    """How to turn the sums in millionths of a cent in a value of a type into text, or back; None if it has none."""
    if without_meaning(kind) == Micro:
        return leaf
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _changes(inner[0], leaf)
    if origin is dict:
        part_of = _changes(inner[1], leaf)
        return None if part_of is None else lambda value: _convert_each(value, part_of)
    if origin in (UnionType, Union):
        parts = [part for part in inner if part is not type(None)]
        found_in = [change for change in (_changes(part, leaf) for part in parts) if change is not None]
        assert not found_in or len(parts) == 1, "a field with sums in millionths of a cent has one type, or is missing"
        return None if not found_in else lambda value: None if value is None else found_in[0](value)
    if origin is tuple:
        item = _changes(inner[0], leaf)
        return None if item is None else lambda value: _convert_each(value, item)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        found = {field.name: _changes(field.type, leaf) for field in msgspec.structs.fields(kind)}
        changes = {name: change for name, change in found.items() if change is not None}
        return None if not changes else lambda value: _convert_fields(value, changes)
    return None


def _convert_each(value: Any, change: Convert) -> Any:
    """A list or an object with each of its values changed; anything else as it is, for the reader to refuse."""
    if isinstance(value, dict):
        return {key: change(part) for key, part in value.items()}
    return [change(part) for part in value] if isinstance(value, list | tuple) else value


def _convert_fields(value: Any, changes: dict[str, Convert]) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: changes[name](part) if name in changes else part for name, part in value.items()}
