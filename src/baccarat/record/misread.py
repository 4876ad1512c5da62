"""What is wrong with bytes that cannot be read, in our words and not those of the library that reads JSON.

Used only after reading has failed, so it may be slow: the bytes are read once more, and each field is checked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from baccarat.law.error import nearest
from baccarat.law.typed_value import Wording, misfit_of
from baccarat.record.canonical import read_numbers
from baccarat.record.text import visible

IN_JSON = Wording("object")
MISREAD = (ValueError, msgspec.MsgspecError, RecursionError)
"""What reading bytes that are not of a kind raises."""
_at_byte = re.compile(r"\(byte ([0-9]+)\)").search
_at_field = re.compile(r"(?s)(.*) - at `(?:key in )?\$\.?(.*)`").fullmatch


def why_unread(data: bytes, kind: Any, error: Exception, *, words: Wording = IN_JSON) -> str:
    """Why bytes are not JSON of a kind, given the error that reading them raised."""
    try:
        value = msgspec.json.decode(data)
    except MISREAD as broken:
        return why_not_json(broken)
    misfit = misfit_of(read_numbers(value, kind), kind, "", words=words)
    return visible(str(misfit) if misfit is not None else _own_message(error))


def why_not_one_of(
    data: bytes, kinds: Mapping[str, Any], error: Exception, *, tag: str, noun: str, words: Wording = IN_JSON
) -> str:
    """Why bytes are not JSON of one of several kinds, which the field `tag` distinguishes."""
    try:
        value = msgspec.json.decode(data)
    except MISREAD as broken:
        return why_not_json(broken)
    name = value.get(tag) if isinstance(value, dict) else None
    if not isinstance(name, str):
        return f"expected an object with the name of the {noun} as {tag!r}"
    if name not in kinds:
        hint = nearest(name, kinds)
        return f"there is no {noun} {visible(name)[:60]!r}" + (f"; did you mean {hint!r}?" if hint else "")
    return f"{name}: {why_unread(data, kinds[name], error, words=words)}"


def why_not_json(error: Exception) -> str:
    """Why bytes are not JSON at all, given the error that reading them raised."""
    said = str(error)
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8"
    if "truncated" in said:
        return "not JSON: it ends half-way"
    if "out of range" in said:
        return "a number is larger than every reader of JSON can read"
    found = _at_byte(said)
    return f"not JSON: its byte {int(found[1]) + 1} is not allowed there" if found else "not JSON"


def _own_message(error: Exception) -> str:
    """The message of one of our own checks, after the field that it is about; never the library's."""
    said, field = str(error), ""
    found = _at_field(said)
    if found is not None:
        said, field = found[1], found[2]
    if "`" in said:
        said = "it does not have the form that is expected there"
    return f"{field}: {said}" if field else said
