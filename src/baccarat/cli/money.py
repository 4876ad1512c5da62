"""Sums of money as people type them: dollars in arguments and at prompts."""

from __future__ import annotations

import re

from baccarat.cli.output import errors, fail, line
from baccarat.money import Cents, dollars

CUT_SHORT = re.compile(r"(0|,)[0-9,]+(\.[0-9][0-9])?")
"""What is left of a sum such as $1,000 or $103 after a shell has expanded its beginning as a variable."""


def sum_of(where: str, text: str) -> int:
    """The cents of a sum typed as `525`, `525.00`, `50,000` or `$525`; standard error shows how it was understood."""
    try:
        cents = dollars(text)
    except ValueError as error:
        cut = "; a shell removes an unquoted $ and the digit after it" if CUT_SHORT.fullmatch(text) else ""
        fail(f"{where}: {error}{cut}")
    say_understood(where, cents)
    return int(cents)


def say_understood(where: str, cents: Cents) -> None:
    """Print on standard error how a sum was read: a shell changes an unquoted $525."""
    errors.print(line((f"{where}: understood as {cents}", "dim")))
