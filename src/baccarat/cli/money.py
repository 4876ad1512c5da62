"""Sums of money as people type them: dollars in arguments and at prompts; in JSON whole cents, or `"$25.00"`."""

from __future__ import annotations

import re
from typing import Any

from baccarat.cli.out import FAULT, errors, fail, line
from baccarat.money import MICRO, Cents, dollars, written_cents

CUT_SHORT = re.compile(r"(0|,)[0-9,]+(\.[0-9][0-9])?")
"""What is left of a sum such as $1,000 or $103 when a shell has taken its beginning for a variable."""


def sum_of(where: str, text: str) -> int:
    """The cents of a sum typed as `525`, `525.00`, `50,000` or `$525`; standard error says what was understood."""
    try:
        cents = dollars(text)
    except ValueError as error:
        cut = "; a shell cuts an unquoted $ and the digit after it away" if CUT_SHORT.fullmatch(text) else ""
        fail(f"{where}: {error}{cut}", FAULT)
    say_understood(where, cents)
    return int(cents)


def say_understood(where: str, cents: Cents) -> None:
    """Say on standard error how a sum was read: a shell changes what was typed where a bare $525 stands."""
    errors.print(line((f"{where}: understood as {cents}", "dim")))


SUMS = frozenset({"stake", "coupon", "amount", "trigger", "form.amount", "show_meters.must_hit"})
"""Fields of commands that hold cents: by name, or by what they stand in."""
FINE_SUMS = frozenset({"correct_meter.amount", "show_meters.meters", "show_meters.reserve"})
"""Those that are counted in millionths of a cent."""


def read_sums(command: str, fields: dict[str, Any]) -> None:
    """Turn every sum that a command writes as `"$25.00"`, within its objects too, into the number it stands for."""
    for name, value in fields.items():
        full = f"{command}.{name}"
        if isinstance(value, dict) and full not in FINE_SUMS:
            read_sums(name, value)
            continue
        unit = MICRO if full in FINE_SUMS else 1 if full in SUMS or name in SUMS else None
        if unit is None:
            continue
        try:
            if isinstance(value, dict):
                fields[name] = {
                    key: written_cents(each) * unit if isinstance(each, str) else each for key, each in value.items()
                }
            elif isinstance(value, str):
                fields[name] = written_cents(value) * unit
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
