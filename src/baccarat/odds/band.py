"""Win bands: where the house's win of many rounds lies, by the normal approximation."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

import msgspec

from baccarat.odds.shoe import is_whole

QUANTILES = {
    90: Decimal("1.6448536269514727148638489079916321361"),
    95: Decimal("1.9599639845400542355245944305205515280"),
    99: Decimal("2.5758293035489007609785767486038141173"),
}
"""By the percentage between them, how many deviations the ends of a normal band lie from its middle."""

ROUNDS = (10**3, 10**4, 10**5, 10**6, 10**7)

EXACT = Context(prec=40)
"""Forty digits: the square root of a fraction is the only thing here that is not exact."""


class Band(msgspec.Struct, frozen=True, kw_only=True):
    """The house's win per unit staked over so many rounds lies in here so many times in a hundred.

    This is the normal approximation: rounds are taken as independent, at one price and one stake. It is close when
    `rounds` times the chance of each large prize is in the tens; for a rare jackpot it is not.
    """

    rounds: int
    percent: int
    low: Decimal
    high: Decimal


def root(square: Fraction) -> Decimal:
    """The square root, to forty digits."""
    return EXACT.sqrt(decimal(square))


def decimal(value: Fraction) -> Decimal:
    """A fraction, to forty digits."""
    return EXACT.divide(Decimal(value.numerator), Decimal(value.denominator))


def band(edge: Fraction, variance: Fraction, *, rounds: int, percent: int) -> Band:
    """The band of an edge after so many rounds."""
    if not is_whole(rounds) or rounds < 1:
        raise ValueError(f"a band is of one round or more, not {rounds!r}")
    if percent not in QUANTILES:
        raise ValueError(f"a band of {percent!r} %; expected one of {', '.join(map(str, QUANTILES))}")
    middle, half = decimal(edge), EXACT.multiply(QUANTILES[percent], root(variance / rounds))
    return Band(
        rounds=rounds, percent=percent, low=EXACT.subtract(middle, half), high=EXACT.add(middle, half)
    )  # fmt: skip
