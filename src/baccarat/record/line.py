"""One line of JSON, read strictly: bounded in depth and in numbers, without repeated keys or invisible characters."""

from __future__ import annotations

from typing import Any

import msgspec

from baccarat.law.repeated_key import repeated_key
from baccarat.record.misread import why_not_json
from baccarat.record.text import is_unseen, visible
from baccarat.values import NUMBER_LIMIT


class UnreadableLine(Exception):  # noqa: N818
    """A line that cannot be read: what is wrong with it, and what was expected."""


def decode(line: bytes) -> Any:
    """The JSON value of a line, within those bounds."""
    try:
        line.decode()
        value = msgspec.json.decode(line)
    except UnicodeDecodeError as error:
        raise UnreadableLine(
            f"not UTF-8: byte 0x{line[error.start]:02x} at position {error.start + 1} of the line"
        ) from None
    except msgspec.DecodeError as error:
        breaks_off = "truncated" in str(error) or not line.endswith(b"\n")
        half = " (only half of the line has been written)" if breaks_off else ""
        raise UnreadableLine(f"{why_not_json(error)}{half}; expected one JSON object a line") from None
    except RecursionError:
        raise UnreadableLine("nested too deeply; expected one JSON object a line") from None
    try:
        _check_numbers(value, "")
        twice = repeated_key(line, value)
    except RecursionError:
        raise UnreadableLine("nested too deeply; expected one JSON object a line") from None
    if twice is not None:
        raise UnreadableLine(f"the key {visible(twice)!r} occurs twice in one object; expected each key once")
    return value


def decode_object(line: bytes) -> dict[str, Any]:
    """The JSON object of a line."""
    value = decode(line)
    if not isinstance(value, dict):
        raise UnreadableLine(f"expected a JSON object, not {visible(line.decode().strip())[:40]}")
    return value


def _check_numbers(value: Any, path: str) -> None:
    """Refuse numbers that no table has, at any depth."""
    if isinstance(value, int | float) and not -NUMBER_LIMIT <= value <= NUMBER_LIMIT:
        raise UnreadableLine(f"{path or 'the line'}: the number is too large; expected at most {NUMBER_LIMIT}")
    if isinstance(value, dict):
        for key, part in value.items():
            _check_numbers(part, f"{path}.{visible(key)}" if path else visible(key))
    if isinstance(value, list):
        for part in value:
            _check_numbers(part, path)


def refuse_unseen(value: Any, path: str = "") -> None:
    """Refuse invisible characters: they could forge a line of a transcript, or control a terminal."""
    if isinstance(value, str):
        found = next((sign for sign in value if is_unseen(sign)), None)
        if found is not None:
            say = f"{path or 'a key'}: the character {visible(found)} is not allowed; expected visible text"
            raise UnreadableLine(say)
    elif isinstance(value, dict):
        for key, part in value.items():
            refuse_unseen(key)
            refuse_unseen(part, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for part in value:
            refuse_unseen(part, path)
