"""Money in whole cents, odds and rates as integer ratios, roundings with a name."""

from __future__ import annotations

import re
from math import gcd
from typing import Self

import msgspec

from baccarat.values import brief_repr, expect

MICRO = 1_000_000
"""Micro-cents in a cent: the unit of progressive pools and of the ledger."""


class Cents(int):
    """A sum of money in whole cents; prints as $1,234.50 and reads that back."""

    __slots__ = ()

    def __new__(cls, cents: int) -> Self:
        """Whole cents only: a fraction or a boolean is not a sum of money."""
        if type(cents) is not int and type(cents) is not cls:
            raise TypeError(f"money is whole cents, not {cents!r}")
        return super().__new__(cls, cents)

    def __str__(self) -> str:
        sign = "-" if self < 0 else ""
        whole, cents = divmod(abs(int(self)), 100)
        return f"{sign}${whole:,}.{cents:02d}"

    def __repr__(self) -> str:
        return f"Cents({int(self)})"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __add__(self, other: int) -> Cents:
        return Cents(int(self) + other)

    __radd__ = __add__

    def __sub__(self, other: int) -> Cents:
        return Cents(int(self) - other)

    def __neg__(self) -> Cents:
        return Cents(-int(self))


_DOLLARS = re.compile(
    r"(?P<sign>-?)\$?(?P<whole>[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]*|0)(?:\.(?P<cents>[0-9][0-9]))?"
)


def dollars(text: str) -> Cents:
    """The sum that `text` names, in dollars: `$1,234.50`, `$25`, `103`, `-$0.25`."""
    given = expect(text, str, "a sum of money as text, such as '$25.00'").strip()
    match = _DOLLARS.fullmatch(given)
    if match is None:
        raise ValueError(f"not a sum of money: {brief_repr(text)}; expected dollars, such as 25, 1,234.50 or '$25.00'")
    cents = int(match["whole"].replace(",", "")) * 100 + int(match["cents"] or 0)
    return Cents(-cents if match["sign"] else cents)


def written_cents(text: str) -> int:
    """The cents of a sum in data, where a bare number is whole cents, so that text needs a dollar sign: `"$25.00"`."""
    if not text.strip().lstrip("-").startswith("$"):
        raise ValueError(
            f'{brief_repr(text)} is not a sum: write it with a dollar sign, such as "$25.00", or as whole cents'
        )
    return int(dollars(text))


class Ratio(msgspec.Struct, frozen=True, order=False):
    """Odds of `to` against `one`, or a rate, in lowest terms: `8 to 1`, `3 to 2`."""

    to: int
    one: int = 1

    def __post_init__(self) -> None:
        if self.to < 0 or self.one < 1:
            raise ValueError(f"not odds: {self.to} to {self.one}; both numbers are positive")
        if gcd(self.to, self.one) != 1:
            raise ValueError(f"odds must be in lowest terms: {self.to} to {self.one}")

    @staticmethod
    def of(to: int, one: int = 1) -> Ratio:
        """The ratio in lowest terms."""
        if one < 1 or to < 0:
            raise ValueError(f"not odds: {to} to {one}; both numbers are positive")
        shared = gcd(to, one)
        return Ratio(to // shared, one // shared)

    @staticmethod
    def parse(text: str) -> Ratio:
        """The odds that `text` names: `8 to 1`, `3:2`."""
        match = re.fullmatch(r"\s*([0-9]{1,15})\s*(?:to|:)\s*([0-9]{1,15})\s*", text)
        if match is None or match[2].strip("0") == "":
            raise ValueError(f"not odds: {text!r}; expected odds such as 8 to 1 or 3:2")
        return Ratio.of(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.to} to {self.one}"

    @property
    def colon(self) -> str:
        """The odds as written in round records, e.g. 8:1."""
        return f"{self.to}:{self.one}"

    def at_least(self, floor: Ratio) -> bool:
        """Whether these odds pay no less than `floor`."""
        return self.to * floor.one >= floor.to * self.one

    def payout(self, stake: int) -> int:
        """What `stake` is paid at these odds, a fraction of a cent rounded up."""
        return -(-stake * self.to // self.one)

    def part(self, amount: int) -> int:
        """This part of `amount`, a fraction of a cent rounded down."""
        return amount * self.to // self.one


def percentage(amount: int, percent: int) -> int:
    """`percent` of `amount`, a fraction of a cent rounded down."""
    return amount * percent // 100


def next_multiple(amount: int, percent: int, coin: int) -> int:
    """`percent` of `amount`, rounded up to the next multiple of `coin`, at least one coin."""
    if amount <= 0:
        return 0
    return max(1, -(-amount * percent // (100 * coin))) * coin
