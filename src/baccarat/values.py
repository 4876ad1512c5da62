"""What values share: a short `repr`, and clear error messages for a value of the wrong kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any, TypeVar

_T = TypeVar("_T")

NUMBER_LIMIT = 1 << 53
"""Whole numbers up to here mean the same to every reader of JSON, in which rules and journals are passed on."""
WIDTH = 150
"""The most characters that `repr` of a public value takes: two lines of a terminal, less a prompt."""


def brief_repr(value: object, *, most: int = 60) -> str:
    """The `repr` of a value, cut off where it is long."""
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def count_text(number: int, noun: str, plural: str = "") -> str:
    """`1 round`, `1,200 rounds`: a number and the noun that it counts, in the plural with an s unless that is given."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or f'{noun}s'}"


def first_text(items: Sequence[object]) -> str:
    """The first of some things, and how many more there are; empty if there are none."""
    more = f" (and {len(items) - 1} more)" if len(items) > 1 else ""
    return f"{items[0]}{more}" if items else ""


def short_repr(value: object, says: str) -> str:
    """`<Coup …>`: the kind of value and a short form of its content."""
    text = f"<{type(value).__name__} {says}>"
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 2]}…>"


def expect(value: Any, kind: type[_T], what: str) -> _T:
    """The value, if it is of its kind; otherwise a `TypeError` that says `what` was expected."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        raise TypeError(f"expected {what}, not {brief_repr(value)}")
    return value


def as_tuple(name: str, given: Any) -> tuple[Any, ...]:
    """The items of a sequence such as a list or an array; a text is not a sequence."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"{name}: expected a sequence, not {brief_repr(given)}")
    return tuple(given)


def whole_number(name: str, value: Any) -> int:
    """The value as a Python `int`, also if it is NumPy's; or a `ValueError` that says what was expected."""
    if not isinstance(value, bool) and hasattr(value, "__index__"):
        try:
            return index(value)
        except TypeError:  # an array, which is not one number
            pass
    raise ValueError(f"{name}: expected a whole number, not {brief_repr(value)}")


def whole_within(name: str, value: Any, *, least: int, most: int) -> int:
    """A whole number within its bounds, or a `ValueError` that says what was expected."""
    number = whole_number(name, value)
    if number < least:
        raise ValueError(f"{name}: {number:,}; expected {least} at least")
    if number > most:
        raise ValueError(f"{name}: {brief_repr(number)}; expected {most:,} at most")
    return number
