"""Whole numbers as people type them: `1000000`, `1,000,000`, `1e6` or `10^6`."""

from __future__ import annotations

import re
from collections.abc import Callable

import typer

# a comma separates groups of three digits: "1,5" is not fifteen
_WHOLE = re.compile(
    r"([+-]?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:_[0-9]+)*)(?:(?:e\+?|E\+?)([0-9]{1,3})|\^([0-9]{1,3}))?"
)
MOST_DIGITS = 60
"""No number that the program accepts has this many."""


def read_whole(text: str) -> int:
    """The whole number that was typed; a `ValueError` says what was expected."""
    found = _WHOLE.fullmatch(text.strip())
    if found is None:
        raise ValueError("expected a whole number, such as 1000000, 1,000,000 or 1e6")
    sign, typed, exponent, power = found.groups()
    digits = typed.replace(",", "").replace("_", "").lstrip("0") or "0"
    length = len(digits) * int(power) if power is not None else len(digits) + int(exponent or 0)
    if digits not in ("0", "1") and length > MOST_DIGITS:
        raise ValueError("this number is too large")
    number: int = int(digits) ** int(power) if power is not None else int(digits) * 10 ** int(exponent or 0)
    return -number if sign == "-" else number


def read_list(option: str, text: str, what: str) -> tuple[int, ...]:
    """The whole numbers, separated by commas, of an option; a `ValueError` says what was expected."""
    try:
        return tuple(read_whole(part) for part in text.split(","))
    except ValueError:
        raise ValueError(f"{option} {text!r}: expected {what}") from None


def whole_number_option(least: int, most: int | None = None) -> Callable[[str | int], int]:
    """A parser for an option that is a whole number within bounds."""

    def whole(typed: str | int) -> int:
        if isinstance(typed, int):  # the default
            return typed
        try:
            number = read_whole(typed)
        except ValueError as error:
            raise typer.BadParameter(f"{typed!r}: {error}") from None
        if number < least:
            raise typer.BadParameter(f"{number:,}: expected at least {least:,}")
        if most is not None and number > most:
            raise typer.BadParameter(f"{number:,}: expected at most {most:,}")
        return number

    return whole
