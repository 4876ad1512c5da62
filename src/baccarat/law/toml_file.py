"""Files of editions and Submissions: a file is read, or refused with the place of the fault."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from baccarat.law.error import RulesError
from baccarat.law.typed_value import Misfit
from baccarat.values import NUMBER_LIMIT

DEEPEST_NESTING = 20
"""How deeply tables and lists may be nested; no edition comes close."""


def read_toml(path: Path) -> dict[str, Any]:
    """The table in a file; `RulesError` says what is wrong with it and where."""
    return parse_toml(read_text(path), name=str(path))


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, with or without a byte order mark."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RulesError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # a name that no file can have
        raise RulesError(f"{str(path)!r}: cannot be read: {error}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        say = f"not UTF-8: byte 0x{data[error.start]:02x} at line {line}; expected a text file in UTF-8"
        raise RulesError(f"{path}: {say}") from None


def parse_toml(text: str, *, name: str) -> dict[str, Any]:
    """The table that a text writes, of whole numbers, words and booleans only."""
    import tomllib  # noqa: PLC0415  only where a file is read

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        say = str(error).replace("at end of document", f"at line {text.count(chr(10)) + 1}, the end of the file")
        raise RulesError(f"{name}: not TOML: {say}") from None
    except RecursionError:
        raise RulesError(f"{name}: line 1 and following: nested too deeply") from None
    except ValueError as error:  # a number of thousands of digits
        raise RulesError(f"{name}: line 1 and following: not TOML: {error}") from None
    return _check_usable(table, name)


def read_json(path: Path) -> dict[str, Any]:
    """The table in a JSON file, such as a program stores next to its results; otherwise `RulesError`."""
    text = read_text(path)
    try:
        table = msgspec.json.decode(text)
    except RecursionError:
        raise RulesError(f"{path}: nested too deeply") from None
    except msgspec.DecodeError as error:
        raise RulesError(f"{path}: not JSON: {error}") from None
    if not isinstance(table, dict):
        raise RulesError(f"{path}: expected an object with the options of a Submission")
    return _check_usable({key: value for key, value in table.items() if value is not None}, str(path))


def _check_usable(table: dict[str, Any], name: str) -> dict[str, Any]:
    for key, value in table.items():
        misfit = first_misfit(value, key)
        if misfit is not None:
            raise RulesError(f"{name}: {misfit}")
    return table


def first_misfit(value: Any, path: str, *, depth: int = 1) -> Misfit | None:
    """The first thing in a value that rules cannot contain; None if there is none."""
    if depth > DEEPEST_NESTING:
        return Misfit(path, "nested too deeply")
    if isinstance(value, Mapping):
        inner = ((f"{path}.{key}", each) for key, each in value.items())
    elif isinstance(value, list | tuple):
        inner = ((f"{path}[{index}]", each) for index, each in enumerate(value))
    elif isinstance(value, bool | str):
        return None
    elif isinstance(value, int):
        if -NUMBER_LIMIT <= value <= NUMBER_LIMIT:
            return None
        return Misfit(path, f"the number is too large; expected at most {NUMBER_LIMIT}")
    else:
        kind = "a fraction" if isinstance(value, float) else "a date or a time"
        return Misfit(path, f"{str(value)[:40]} is {kind}; expected a whole number, a text in quotes, true or false")
    found = (first_misfit(each, where, depth=depth + 1) for where, each in inner)
    return next((misfit for misfit in found if misfit is not None), None)
