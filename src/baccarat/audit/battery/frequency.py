"""Frequencies: how often each card is at each position, and in each region of the shoe.

For orders drawn uniformly, a count of `n` shoes with rows of `a` positions and columns of `b` cards, of `N` in all, is
expected to be `n·a·b/N`. The sum of squared differences over what was expected, times `(N - 1)/N`, is chi-square
with `(rows - 1)(columns - 1)` degrees of freedom in the limit of many shoes. Its mean is that for any number of shoes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt

from baccarat.audit.battery.judge import TestResult
from baccarat.audit.battery.shoe import KINDS, ShoeOrder
from baccarat.audit.battery.tail import chi_square

AT_LEAST = 100
"""With fewer shoes than this, only the exact tests are made."""
TOO_FEW = f"fewer than {AT_LEAST} shoes"
REGIONS = 13
"""Into how many regions a shoe is divided: faults that are spread thin over positions add up in them."""


class Frequencies:
    """How often each card was at each position."""

    def __init__(self, size: int, *, numbered: bool, kinds: int = KINDS) -> None:
        self.shoes = 0
        self.size, self.kinds = size, kinds
        self.columns = size if numbered else kinds
        self.numbered = numbered
        self._rows = [[0] * self.columns for _ in range(size)]

    def add(self, shoe: ShoeOrder) -> None:
        """Count one shoe."""
        self.shoes += 1
        for row, column in zip(self._rows, shoe.numbers if self.numbered else shoe.kinds, strict=True):  # type: ignore[arg-type]
            row[column] += 1

    def by_kind(self) -> list[list[int]]:
        """The counts of each kind of card at each position."""
        if self.columns == self.kinds:
            return self._rows
        return [[sum(row[kind :: self.kinds]) for kind in range(self.kinds)] for row in self._rows]

    def by_region(self) -> list[list[int]]:
        """The counts of the cards in each region of the shoe, by the region that they came from, or by kind."""
        if not self.numbered:
            return sum_by_region(self._rows, REGIONS)
        across = [sum_by_region([[count] for count in row], REGIONS) for row in self._rows]
        return sum_by_region([[cell for (cell,) in row] for row in across], REGIONS)

    def results(self) -> Iterator[TestResult]:
        """The results of the counts."""
        by_kind, deck = self.by_kind(), [self.size // self.kinds] * self.kinds
        yield self._result("position × card", "how often each card is at each position", by_kind, deck)
        if not self.size % REGIONS:
            sizes = [self.size // REGIONS] * REGIONS if self.numbered else deck
            what = "how often each card is in each thirteenth of the shoe"
            if self.numbered:
                what = "how often a card from each thirteenth of the unshuffled shoe is in each of the shuffled shoe"
            yield self._result("region × origin" if self.numbered else "region × card", what, self.by_region(), sizes)

    def _result(self, name: str, what: str, counts: Sequence[Sequence[int]], columns: Sequence[int]) -> TestResult:
        if self.shoes < AT_LEAST:
            return TestResult(name=name, what=what, left_out=TOO_FEW)
        rows = [self.size // len(counts)] * len(counts)
        value, freedom = two_way_chi_square(counts, rows, columns, shoes=self.shoes)
        p, deviation = chi_square(value, freedom), sqrt(2 * freedom)
        return TestResult(name=name, what=what, found=value, expected=freedom, deviation=deviation, p=p)


def sum_by_region(rows: Sequence[Sequence[int]], regions: int) -> list[list[int]]:
    """The rows summed within each region."""
    each = len(rows) // regions
    return [list(map(sum, zip(*rows[start : start + each], strict=True))) for start in range(0, each * regions, each)]


def two_way_chi_square(
    counts: Sequence[Sequence[int]], rows: Sequence[int], columns: Sequence[int], *, shoes: int
) -> tuple[float, int]:
    """The chi-square value of a table of counts and its degrees of freedom.

    If each row is one position, a single shoe's share of the sum is the same for all orders; only the agreement of
    shoes with each other varies, `(n - 1)/n` of the variance. The value is scaled to make up for that.
    """
    size = sum(rows)
    total = 0.0
    for row, height in zip(counts, rows, strict=True):
        for count, width in zip(row, columns, strict=True):
            expected = shoes * height * width / size
            total += (count - expected) ** 2 / expected
    value, freedom = total * (size - 1) / size, (len(rows) - 1) * (len(columns) - 1)
    if set(rows) == {1}:
        value = freedom + (value - freedom) / sqrt(1 - 1 / shoes)
    return value, freedom
