"""Sums of money as people type them in arguments and at prompts: dollars, with or without the sign."""

from __future__ import annotations

from baccarat.cli.out import FAULT, errors, fail, line
from baccarat.money import Cents, dollars


def sum_of(where: str, text: str) -> int:
    """The cents of a sum typed as `525`, `525.00`, `50,000` or `$525`; standard error says what was understood."""
    try:
        cents = dollars(text)
    except ValueError as error:
        fail(f"{where}: {error}", FAULT)
    say_understood(where, cents)
    return int(cents)


def say_understood(where: str, cents: Cents) -> None:
    """Say on standard error how a sum was read: a shell changes what was typed where a bare $525 stands."""
    errors.print(line((f"{where}: understood as {cents}", "dim")))
