"""Adjacency: which card follows which, the top card following the bottom one, so that a cut changes nothing.

Of `K` kinds with `d` cards each, `N` in all, the pairs of one shoe make a `K × K` table whose rows and columns sum to
`d`. Its covariance does not depend on how the kinds are labelled, so it has only four different eigenvalues: for the
diagonal as a whole, for the diagonal's differences, for the symmetric rest and for the antisymmetric rest. The table's
difference from what is expected is split into these four parts, each is divided by its own exact variance, and the sum
is chi-square with `(K - 1)²` degrees of freedom in the limit of many shoes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import sqrt

from baccarat.audit.battery.frequency import AT_LEAST, TOO_FEW
from baccarat.audit.battery.judge import TestResult
from baccarat.audit.battery.shoe import KINDS, ShoeOrder
from baccarat.audit.battery.tail import chi_square, normal

Matrix = Sequence[Sequence[float]]


class Adjacency:
    """How often each kind of card followed each."""

    def __init__(self, size: int, *, kinds: int = KINDS) -> None:
        self.shoes = 0
        self.kinds, self.each = kinds, size // kinds
        self.table = [[0] * kinds for _ in range(kinds)]

    def add(self, shoe: ShoeOrder) -> None:
        """Count one shoe."""
        self.shoes += 1
        table, cards = self.table, shoe.kinds
        for card, following in zip(cards, cards[1:] + cards[:1], strict=True):
            table[card][following] += 1

    def results(self) -> Iterator[TestResult]:
        """The results of the counts."""
        name, what = "adjacency", "how often each card follows each"
        next_name, next_what = "next in the deck", "cards followed by the one that follows them in a new deck"
        if self.shoes < AT_LEAST:
            yield TestResult(name=name, what=what, left_out=TOO_FEW)
            yield TestResult(name=next_name, what=next_what, left_out=TOO_FEW)
            return
        value, freedom = chi_square_of(self.table, each=self.each, shoes=self.shoes)
        p = chi_square(value, freedom)
        yield TestResult(name=name, what=what, found=value, expected=freedom, deviation=sqrt(2 * freedom), p=p)
        found = sum(row[(kind + 1) % self.kinds] for kind, row in enumerate(self.table))
        mean, variance = _moments_of_shift(self.kinds, self.each)
        expected, deviation = float(self.shoes * mean), sqrt(self.shoes * variance)
        p = normal((found - expected) / deviation)
        yield TestResult(name=next_name, what=next_what, found=found, expected=expected, deviation=deviation, p=p)


def chi_square_of(table: Sequence[Sequence[int]], *, each: int, shoes: int) -> tuple[float, int]:
    """The chi-square value of a table of pairs from a number of shoes, and its degrees of freedom."""
    kinds = len(table)
    same, other = expected_pairs(kinds, each)
    rest = [
        [count - shoes * float(same if row == column else other) for column, count in enumerate(counts)]
        for row, counts in enumerate(table)
    ]
    value = 0.0
    for part, scale in zip(_parts(rest), scales(kinds, each), strict=True):
        if scale:
            value += sum(cell * cell for row in part for cell in row) / (shoes * float(scale))
    freedom = (kinds - 1) ** 2 - (0 if each > 1 else kinds)  # in a single deck, no card follows one of its own kind
    return value, freedom


def expected_pairs(kinds: int, each: int) -> tuple[Fraction, Fraction]:
    """How often, in one shoe, a card of a kind is followed by one of the same, and by one of another given kind."""
    size = kinds * each
    return Fraction(each * (each - 1), size - 1), Fraction(each * each, size - 1)


def moments(weights: Sequence[Sequence[int]], *, each: int) -> tuple[Fraction, Fraction]:
    """Mean and variance, in one shoe, of the sum of weights over all pairs of a card and the one that follows.

    Two different cards follow each other with probability `1/(N - 1)`; two such pairs, which neither begin nor end with
    the same card nor reverse each other, occur together with probability `1/((N - 1)(N - 2))`.
    """
    kinds, size = len(weights), len(weights) * each
    diagonal = [weights[kind][kind] for kind in range(kinds)]
    row = [each * sum(weights[kind]) - diagonal[kind] for kind in range(kinds)]
    column = [each * sum(each_row[kind] for each_row in weights) - diagonal[kind] for kind in range(kinds)]
    total = each * sum(row)
    own = sum(each * diagonal[kind] ** 2 for kind in range(kinds))  # a card does not follow itself
    squares = each * each * sum(weight * weight for line in weights for weight in line) - own
    reverse = each * each * sum(weights[a][b] * weights[b][a] for a in range(kinds) for b in range(kinds)) - own
    pairs = total**2 - each * sum(r * r for r in row) - each * sum(c * c for c in column) + squares - reverse
    mean = Fraction(total, size - 1)
    return mean, Fraction(squares, size - 1) + Fraction(pairs, (size - 1) * (size - 2)) - mean**2


@cache
def scales(kinds: int, each: int) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """The variance of a table of one shoe along a direction of each of the four parts, found on one such direction."""
    found = []
    for direction in _directions(kinds):
        length = sum(cell * cell for row in direction for cell in row)
        found.append(moments(direction, each=each)[1] / length)
    whole, differences, symmetric, antisymmetric = found
    return whole, differences, symmetric, antisymmetric


def _directions(kinds: int) -> list[list[list[int]]]:
    """One table of each part, in whole numbers, its rows and columns summing to zero."""
    k = kinds
    whole = [[k - 1 if a == b else -1 for b in range(k)] for a in range(k)]
    on = [1, -1] + [0] * (k - 2)  # a difference between two kinds
    differences = [[k * on[a] * (a == b) - on[a] - on[b] for b in range(k)] for a in range(k)]
    symmetric = [[0] * k for _ in range(k)]
    for a, b, sign in ((0, 2, 1), (1, 3, 1), (0, 3, -1), (1, 2, -1)):
        symmetric[a][b] = symmetric[b][a] = sign
    antisymmetric = [[0] * k for _ in range(k)]
    for a, b in ((0, 1), (1, 2), (2, 0)):
        antisymmetric[a][b], antisymmetric[b][a] = 1, -1
    return [whole, differences, symmetric, antisymmetric]


def _parts(rest: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """A table whose rows and columns sum to zero, split into the four parts."""
    k = len(rest)
    diagonal = [rest[kind][kind] for kind in range(k)]
    mean = sum(diagonal) / k
    # a direction of `differences` with diagonal x has k·x on it, less x[a] + x[b] everywhere
    spread = [(cell - mean) / (k - 2) for cell in diagonal]
    whole = [[mean if a == b else -mean / (k - 1) for b in range(k)] for a in range(k)]
    differences = [[k * spread[a] * (a == b) - spread[a] - spread[b] for b in range(k)] for a in range(k)]
    symmetric = [[(rest[a][b] + rest[b][a]) / 2 - whole[a][b] - differences[a][b] for b in range(k)] for a in range(k)]
    antisymmetric = [[(rest[a][b] - rest[b][a]) / 2 for b in range(k)] for a in range(k)]
    return whole, differences, symmetric, antisymmetric


@cache
def _moments_of_shift(kinds: int, each: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of how many cards are followed by the one that follows them in a new deck."""
    return moments([[int(b == (a + 1) % kinds) for b in range(kinds)] for a in range(kinds)], each=each)
