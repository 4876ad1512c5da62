"""Arrangements: an order as a permutation of the unshuffled cards, and of the shoe before.

Each count below has an exact mean and variance over all orders, and shoes are independent; sums over shoes are
judged as normal. Counts of rare things (fixed points, neighbours that stayed together) are nearly Poisson, and
are judged as such.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import sqrt
from operator import eq, gt, sub

import msgspec

from baccarat.audit.battery.frequency import AT_LEAST, TOO_FEW
from baccarat.audit.battery.judge import TestResult
from baccarat.audit.battery.shoe import ShoeOrder, inverse
from baccarat.audit.battery.tail import binomial_half, normal, poisson

NEED_NUMBERS = "needs orders by number: identical cards of different decks cannot be distinguished"


def rising_sequences(numbers: Sequence[int]) -> int:
    """The number of sequences of successive numbers, each read from the top down, that make up the order.

    A riffle at most doubles them: an unshuffled stack has one, seven riffles leave at most 128.
    """
    where = inverse(numbers)
    return 1 + int(sum(map(gt, where, islice(where, 1, None))))


def inversions(numbers: Sequence[int]) -> int:
    """How many pairs of cards are in the opposite order to before."""
    seen: list[int] = []
    found = 0
    for number in numbers:
        index = bisect_right(seen, number)
        found += len(seen) - index
        seen.insert(index, number)
    return found


def fixed_points(numbers: Sequence[int]) -> int:
    """How many cards are where they were."""
    return sum(map(eq, numbers, range(len(numbers))))


def neighbours(numbers: Sequence[int]) -> int:
    """How many cards are followed by the one that followed them before."""
    return list(map(sub, islice(numbers, 1, None), numbers)).count(1)


def cycles(numbers: Sequence[int]) -> int:
    """The number of cycles of the order, following each card to where it came from."""
    left = bytearray(b"\1") * len(numbers)
    found = 0
    start = 0
    while start >= 0:
        found += 1
        at = start
        while left[at]:
            left[at] = 0
            at = numbers[at]
        start = left.find(1, start)
    return found


def _rising_moments(size: int) -> tuple[Fraction, Fraction]:
    return Fraction(size + 1, 2), Fraction(size + 1, 12)


def _inversion_moments(size: int) -> tuple[Fraction, Fraction]:
    return Fraction(size * (size - 1), 4), Fraction(size * (size - 1) * (2 * size + 5), 72)


def _fixed_moments(_size: int) -> tuple[Fraction, Fraction]:
    return Fraction(1), Fraction(1)


def _neighbour_moments(size: int) -> tuple[Fraction, Fraction]:
    mean = Fraction(size - 1, size)
    return mean, Fraction(size - 2, size) + mean - mean**2


def _cycle_moments(size: int) -> tuple[Fraction, Fraction]:
    terms = range(1, size + 1)
    mean = sum((Fraction(1, term) for term in terms), Fraction(0))
    return mean, mean - sum((Fraction(1, term * term) for term in terms), Fraction(0))


class ShoeStatistic(msgspec.Struct, frozen=True):
    """A number that is counted in each shoe, with its mean and variance over all orders of a number of cards."""

    name: str
    what: str
    of: Callable[[Sequence[int]], int]
    moments: Callable[[int], tuple[Fraction, Fraction]]
    rare: bool = False
    """Whether it is nearly Poisson."""
    since_last: bool = False
    """Whether it is counted against the shoe before instead of the unshuffled cards."""


STAYED = "cards followed by the very one that followed them"
COUNTS = (
    ShoeStatistic("rising sequences", "rising sequences of the unshuffled cards", rising_sequences, _rising_moments),
    ShoeStatistic("inversions", "pairs of cards in the opposite order to unshuffled", inversions, _inversion_moments),
    ShoeStatistic("fixed points", "cards that are where they were unshuffled", fixed_points, _fixed_moments, rare=True),
    ShoeStatistic("neighbours", f"{STAYED} unshuffled", neighbours, _neighbour_moments, rare=True),
    ShoeStatistic("cycles", "cycles of the order", cycles, _cycle_moments),
    ShoeStatistic(
        "rising since last", "rising sequences of the shoe before", rising_sequences, _rising_moments, since_last=True
    ),
    ShoeStatistic(
        "neighbours since last",
        f"{STAYED} in the shoe before",
        neighbours,
        _neighbour_moments,
        rare=True,
        since_last=True,
    ),
)


class Arrangements:
    """What was counted in all shoes."""

    def __init__(self, size: int, *, numbered: bool) -> None:
        self.size, self.numbered = size, numbered
        self.shoes = self.pairs = self.even = 0
        self.totals = [0] * len(COUNTS)

    def add(self, shoe: ShoeOrder) -> None:
        """Count one shoe."""
        self.shoes += 1
        if not self.numbered:
            return
        assert shoe.numbers is not None, "all shoes are known by number, or none is"
        self.pairs += shoe.since_last is not None
        for index, count in enumerate(COUNTS):
            numbers = shoe.since_last if count.since_last else shoe.numbers
            if numbers is None:
                continue
            found = count.of(numbers)
            self.totals[index] += found
            if count.of is cycles:
                self.even += (self.size - found) % 2 == 0

    def results(self) -> Iterator[TestResult]:
        """The results of the counts."""
        for count, total in zip(COUNTS, self.totals, strict=True):
            yield self._result(count, total)
        name, what = "even or odd", "orders reached by an even number of exchanges"
        if not self.numbered:
            yield TestResult(name=name, what=what, left_out=NEED_NUMBERS)
        else:
            p, half = binomial_half(self.even, self.shoes), self.shoes / 2
            yield TestResult(name=name, what=what, found=self.even, expected=half, deviation=sqrt(half / 2), p=p)

    def _result(self, count: ShoeStatistic, total: int) -> TestResult:
        shoes = self.pairs if count.since_last else self.shoes
        if not self.numbered:
            return TestResult(name=count.name, what=count.what, left_out=NEED_NUMBERS)
        if shoes < (1 if count.rare else AT_LEAST):
            return TestResult(name=count.name, what=count.what, left_out="a single shoe" if count.rare else TOO_FEW)
        mean, variance = count.moments(self.size)
        expected, deviation = float(shoes * mean), sqrt(shoes * variance)
        p = poisson(total, expected) if count.rare else normal((total - expected) / deviation)
        return TestResult(name=count.name, what=count.what, found=total, expected=expected, deviation=deviation, p=p)
