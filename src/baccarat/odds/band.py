"""Win bands: the exact range of the house's win over many rounds."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

import msgspec

from baccarat.odds.many_rounds import band_of
from baccarat.odds.shoe import is_whole

PERCENTS = (90, 95, 99)
"""The chance, in percent, that a win lies in its band."""

TAILS = tuple(Fraction(100 - percent, 200) for percent in PERCENTS)
"""The most probability that may lie below a band, and above it."""

ROUNDS = (10**3, 10**4, 10**5, 10**6, 10**7)

FORTY_DIGITS = Context(prec=40)
"""Forty digits: the square root of a fraction is the only thing here that is not exact."""


class WinBand(msgspec.Struct, frozen=True, kw_only=True):
    """The house's win per unit staked over `rounds` rounds lies in here, ends included, with `percent` % chance.

    Exact: of all bands that leave no more than half of the rest below and no more than half above, the narrowest.
    Rounds are independent, at one price and one stake: the shoe is always the one priced, and the meters of a
    progressive always show what they show here.
    """

    rounds: int
    percent: int
    low: Fraction
    high: Fraction


def root(square: Fraction) -> Decimal:
    """The square root, to forty digits."""
    return FORTY_DIGITS.sqrt(FORTY_DIGITS.divide(Decimal(square.numerator), Decimal(square.denominator)))


def band(wins: tuple[tuple[Fraction, int], ...], *, rounds: int, percent: int) -> WinBand:
    """The band after `rounds` rounds, given what the house may win in one, each sum with its number of ways."""
    if not is_whole(rounds) or rounds < 1:
        raise ValueError(f"a band is of one round or more, not {rounds!r}")
    if percent not in PERCENTS:
        raise ValueError(f"a band of {percent!r} %; expected one of {', '.join(map(str, PERCENTS))}")
    low, high = band_of(wins, rounds, TAILS)[PERCENTS.index(percent)]
    return WinBand(rounds=rounds, percent=percent, low=low / rounds, high=high / rounds)
