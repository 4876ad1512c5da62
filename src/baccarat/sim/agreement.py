"""Agreement: how far a tally lies from the exact odds, over all finishes together."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import NamedTuple

from baccarat.law.cached_value import cached_on_value
from baccarat.law.rulebook import Rulebook
from baccarat.odds.joint import joint_table
from baccarat.odds.shoe import points_of, shoe_of
from baccarat.play.book import open_book
from baccarat.sim.tally import Tally

LEAST_EXPECTED = 5
"""Finishes expected less often than this are counted together."""


class ChiSquare(NamedTuple):
    """A sum of squared deviations, each divided by what was expected, and its degrees of freedom."""

    value: float
    freedom: int


@cached_on_value
def finish_chances(rules: Rulebook) -> tuple[Fraction, ...]:
    """The exact chance of each finish in the first round of a full shoe."""
    book, shoe = open_book(rules), shoe_of(rules, None)
    return tuple(Fraction(ways, shoe.deals) for ways in joint_table(shoe.worth(points_of(book)), book))


def chi_square(tally: Tally) -> ChiSquare:
    """The finishes of a tally against the exact odds; infinite if one occurred that cannot.

    Made for first rounds (`rounds=1`), which are independent; with more rounds per shoe the expected numbers are the
    same, but rounds of one shoe are not quite independent, and to the cover card the numbers themselves differ.
    """
    value, cells, rare_found, rare_expected = 0.0, 0, 0, 0.0
    for found, chance in zip(tally.finishes, finish_chances(tally.rules), strict=True):
        expected = float(chance * tally.rounds)
        if not chance:
            if found:
                return ChiSquare(inf, 1)
        elif expected < LEAST_EXPECTED:
            rare_found, rare_expected = rare_found + found, rare_expected + expected
        else:
            value += (found - expected) ** 2 / expected
            cells += 1
    if rare_expected:
        value += (rare_found - rare_expected) ** 2 / rare_expected
        cells += 1
    if cells < 2:
        raise ValueError(f"{tally.rounds:,} rounds are too few to be compared with the odds")
    return ChiSquare(value, cells - 1)
