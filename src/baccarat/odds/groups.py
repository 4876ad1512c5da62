"""Finishes that pay alike: edges follow from how often each group of them comes, whichever engine counted it.

*The same bits from every engine, by construction.* All deals of six cards from eight decks are 0.55 · 2^53, and float64
rounds no whole number below 2^53. What the house wins of all deals may be more: twenty units where vigorish is a
twentieth, or thirty to one. So it is counted in digits to base eight (`Groups`). Every finish comes in a multiple of
four orders, because the two cards of either hand may change places; and seven times a quarter of all deals is still
below 2^53: a digit of what the house wins is an exact whole number, in whatever order it was added up. Only then is
anything rounded, for each wager separately: digits joined from the highest down, then the quotient. So an edge does
not depend on the engine that counts, on its lanes, or on other wagers and shoes in the same call.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import copysign, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baccarat.law.cached_value import cached_per_argument
from baccarat.odds.gain import unit_gain
from baccarat.odds.shoe import CARDS_NEEDED
from baccarat.play.book import Book
from baccarat.play.wager import WagerKind

Floats = NDArray[np.float64]
Indices = NDArray[np.uintp]

Numbers = tuple[Indices, Indices, Floats, Indices, Floats]
"""The fields of `Groups` as arguments of compiled functions."""

BASE = 8.0
"""The base of the digits in which winnings are counted."""


class Groups(NamedTuple):
    """The possible finishes in groups that pay alike for some wagers, and what the house wins by each in digits.

    A unit's gain is a fraction; over the common denominator of a wager, what the house wins is a whole number, written
    in digits to base eight, all of one sign. A *row* is one digit of one wager, the lowest first.
    """

    members: Indices
    """The finishes, by group."""
    bounds: Indices
    """Where each group begins among the members, and where the last one ends."""
    digits: Floats
    """[row, group]: a quarter of the digit, -7 to 7: every finish comes in a multiple of four orders."""
    starts: Indices
    """Where the rows of each wager begin, and where those of the last one end."""
    denominators: Floats
    """By wager."""

    @property
    def size(self) -> int:
        """How many groups there are."""
        return len(self.bounds) - 1

    @property
    def wagers(self) -> int:
        """How many wagers there are."""
        return len(self.denominators)


@cached_per_argument
def groups_of(book: Book, kinds: tuple[WagerKind, ...]) -> Groups:
    """The groups of one or more wagers."""
    possible = [index for index, facts in enumerate(book.facts) if facts is not None]
    groups: dict[tuple[Fraction, ...], list[int]] = {}
    for finish in possible:
        verdicts = (book.verdicts[kind][finish] for kind in kinds)
        groups.setdefault(tuple(unit_gain(book, each) if each else Fraction(0) for each in verdicts), []).append(finish)
    rows, starts, denominators = list[list[float]](), [0], list[int]()
    for wager in zip(*groups, strict=True):
        denominator = lcm(*(gain.denominator for gain in wager))
        rows += _digits([int(-gain * denominator) for gain in wager])
        starts.append(len(rows))
        denominators.append(denominator)
    return Groups(
        members=np.array([finish for group in groups.values() for finish in group], np.uintp),
        bounds=np.cumsum([0, *map(len, groups.values())]).astype(np.uintp),
        digits=np.array(rows) / 4,
        starts=np.array(starts, np.uintp),
        denominators=np.array(denominators, np.float64),
    )


def _digits(numbers: list[int]) -> Iterator[list[float]]:
    """The digits of some numbers to base eight, the lowest of all first; one at least."""
    base, left = int(BASE), [abs(number) for number in numbers]
    while True:
        yield [copysign(rest % base, number) for rest, number in zip(left, numbers, strict=True)]
        left = [rest // base for rest in left]
        if not any(left):
            return


def edges_of(groups: Groups, won: Floats, counts: Floats) -> Floats:
    """[wager, shoe]: the edges, from what the house wins by each row in shoes of these counts, [value, shoe]."""
    found = np.zeros((groups.wagers, counts.shape[1]))
    quarter = deals(counts) / 4
    for wager, (start, end) in enumerate(pairwise(groups.starts.tolist())):
        for row in won[start:end][::-1]:
            found[wager] = found[wager] * BASE + row
        found[wager] /= groups.denominators[wager] * quarter
    return found


def deals(counts: Floats) -> Floats:
    """The number of ordered deals of six cards, from [value, shoe]: what the finishes of a shoe sum to."""
    size = counts.sum(axis=0)
    ways: Floats = np.prod([size - gone for gone in range(CARDS_NEEDED)], axis=0)
    return ways


def parts(shoes: int, most: int) -> list[slice]:
    """`shoes` shoes in parts of at most `most`, which are worked on together."""
    return [slice(start, min(start + most, shoes)) for start in range(0, shoes, most)]
