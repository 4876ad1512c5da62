"""Many rounds of one wager or of a whole table: the exact quantiles of their total.

A round gains one of a few sums, so the total of many rounds lies on a lattice: whole cents at a stake, whole parts of
a unit without one. A few rounds are enumerated in integers; for many, the distribution function is known to a proved
bound (`baccarat.odds.wave`), and a quantile is given only if that bound leaves no doubt: it is then exactly that point
of the lattice. In the rare case of doubt, more digits are used.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, combinations
from math import gcd, isqrt, lcm, prod
from typing import NamedTuple

from baccarat.odds.wave import RoundBlock, Rows, TooMany, Wave, power, terms, window

COUNTED_OUT = 4_000
"""Up to this many different sums of a few rounds are enumerated."""

FEW_ROUNDS = 50

FEW_TERMS = 8_192
"""Up to this many terms a distribution function is recomputed for every sum that is asked for."""

SEPARATE_AT_MOST = 400
"""The most often that a gain which is treated separately may come."""

UNTABLED_AT_MOST = 8
"""The most often that a gain which is treated separately without tables may come."""

MOST_WORK = 4_000_000
"""The most work for which tables are made: about this many products, ten for each case."""

GOALS = (36, 120, 600)
"""To how many binary digits the distribution function is computed; the next if these leave a doubt."""

FURTHEST_TAIL_BITS = 12
"""No quantile further out than a chance of 2^-12 is needed."""


class Lattice(NamedTuple):
    """What one round gains, as whole steps from its lowest gain: `lowest + step · size`."""

    lowest: Fraction
    size: Fraction
    rows: Rows

    @staticmethod
    def from_gains(gains: Mapping[Fraction, int]) -> Lattice:
        """The lattice of gains, each with its ways; gains that never come are left out."""
        coming = {gain: ways for gain, ways in gains.items() if ways}
        scale, shared = lcm(*(gain.denominator for gain in coming)), gcd(*coming.values())
        whole = {int(gain * scale): ways // shared for gain, ways in coming.items()}
        low = min(whole)
        size = gcd(*(each - low for each in whole)) or 1
        rows = tuple(sorted(((each - low) // size, ways) for each, ways in whole.items()))
        return Lattice(Fraction(low, scale), Fraction(size, scale), rows)


class Undecided(Exception):  # noqa: N818  a condition, not an error; never seen outside
    """The bound of the distribution function leaves a doubt."""


def middle(gains: Mapping[Fraction, int], rounds: int, tails: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """For each tail the least and largest sum of `rounds` rounds that leave no more than the tail on either side."""
    return middle_of([(gains, rounds)], tails)


def middle_of(
    kinds: Sequence[tuple[Mapping[Fraction, int], int]], tails: Sequence[Fraction]
) -> list[tuple[Fraction, Fraction]]:
    """The same for rounds of several kinds, with the number of each."""
    lattices = [Lattice.from_gains(gains) for gains, _ in kinds]
    sizes = [lattice.size for lattice in lattices]
    size = Fraction(gcd(*(each.numerator for each in sizes)), lcm(*(each.denominator for each in sizes)))
    start = sum((lattice.lowest * count for lattice, (_, count) in zip(lattices, kinds, strict=True)), Fraction(0))
    whole = tuple(
        RoundBlock(tuple((step * int(lattice.size / size), ways) for step, ways in lattice.rows), count)
        for lattice, (_, count) in zip(lattices, kinds, strict=True)
    )
    return [(start + low * size, start + high * size) for low, high in _ends(whole, tuple(tails))]


def _ends(kinds: tuple[RoundBlock, ...], tails: tuple[Fraction, ...]) -> list[tuple[int, int]]:
    """The same in steps."""
    rounds = sum(kind.number for kind in kinds)
    if rounds > FEW_ROUNDS or sum(kind.number * max(kind.rows)[0] for kind in kinds) > COUNTED_OUT:
        for goal in GOALS:
            with suppress(Undecided):
                found = QuantileSearch(kinds, goal)
                return [(found.least_sum(tail), found.least_sum(1 - tail)) for tail in tails]
    return _ends_by_counting(kinds, tails)


# -------------------------------------------------------------------------------------------- enumeration


def _ends_by_counting(kinds: Sequence[RoundBlock], tails: Sequence[Fraction]) -> list[tuple[int, int]]:
    """The ends, from an enumeration of every sum and its ways."""
    sums = {0: 1}
    for kind in kinds:
        for _ in range(kind.number):
            longer: dict[int, int] = {}
            for total, ways in sums.items():
                for step, more in kind.rows:
                    longer[total + step] = longer.get(total + step, 0) + ways * more
            sums = longer
    whole = prod(kind.ways**kind.number for kind in kinds)
    found = []
    for tail in tails:
        so_far, low, high = 0, None, None
        for total in sorted(sums):
            so_far += sums[total]
            if low is None and so_far * tail.denominator > tail.numerator * whole:
                low = total
            if high is None and so_far * tail.denominator >= (tail.denominator - tail.numerator) * whole:
                high = total
        assert low is not None, "the chances of all sums add up to one"
        assert high is not None, "the chances of all sums add up to one"
        found.append((low, high))
    return found


# ------------------------------------------------------------------------------- distribution functions


class DirectDistribution:
    """The distribution function of a sum, from its terms."""

    def __init__(self, kinds: Sequence[RoundBlock], goal: int) -> None:
        self.wave = Wave(kinds, goal=goal)
        self.bits = self.wave.bits
        self.error = 1 << (self.bits - goal)

    def chance(self, total: int) -> int:
        """The chance that the sum is no more than this, in multiples of 2^-bits."""
        return self.wave.chance_up_to(total)


class GainCase(NamedTuple):
    """How often each separate gain comes: the chance of that, their total, and their rounds."""

    chance: int
    total: int
    rounds: int


class SplitDistribution:
    """The distribution function of a sum, some of whose gains are treated separately.

    Given how many rounds have such a gain, the remaining rounds are independent.
    """

    def __init__(self, kind: RoundBlock, alone: Sequence[tuple[int, int]], goal: int) -> None:
        rest = [row for row in kind.rows if row not in alone]
        self.goal, self.count, self.bits = goal, kind.number, goal + 24
        self.usual = max(rest, key=lambda row: row[1])[0]
        self.size = gcd(*(step - self.usual for step, _ in rest)) or 1
        self.rest = tuple(((step - self.usual) // self.size, ways) for step, ways in rest)
        self.cases, missing = _cases(alone, sum(ways for _, ways in rest), kind.number, self.bits)
        self.fewest = kind.number - max(case.rounds for case in self.cases)
        rounded = (kind.number - self.fewest + 1) * len(rest) + len(self.cases)
        self.error = missing + (1 << (self.bits - goal)) + rounded
        self.waves: dict[int, Wave] = {}

    def chance(self, total: int) -> int:
        """The chance that the sum is no more than this, in multiples of 2^-bits."""
        found = 0
        for case in self.cases:
            left = self.count - case.rounds
            rest = (total - case.total - self.usual * left) // self.size
            found += case.chance * self._rest_chance(rest, left) >> self.bits
        return found

    def _rest_chance(self, total: int, rounds: int) -> int:
        """The chance that this many of the other rounds add up to no more than this."""
        if rounds not in self.waves:
            self.waves[rounds] = Wave([RoundBlock(self.rest, rounds)], goal=self.goal)
        wave = self.waves[rounds]
        return wave.chance_up_to(total) >> (wave.bits - self.bits)


class TabledDistribution(SplitDistribution):
    """The same with a table of the other rounds for each number of them, if their sums are few.

    F(n + 1, y) = Σ p F(n, y - step) is a mean, in which errors do not grow. Steps count from the usual one, so that one
    more round hardly moves the window.
    """

    def __init__(self, kind: RoundBlock, alone: Sequence[tuple[int, int]], goal: int) -> None:
        super().__init__(kind, alone, goal)
        few = RoundBlock(self.rest, self.fewest)
        self.window = window([[RoundBlock(self.rest, kind.number)], [few]], goal + 2)
        wave = Wave([few], goal=goal, within=self.window)
        sums = range(self.window.low, self.window.high + 1)
        self.tables = {self.fewest: [wave.chance_up_to(total) >> (wave.bits - self.bits) for total in sums]}
        for rounds in range(self.fewest + 1, kind.number + 1):
            self.tables[rounds] = self._with_round(self.tables[rounds - 1])
        self._sort_cases()

    def _sort_cases(self) -> None:
        """Put the cases in the order of the sum that they leave to the other rounds."""
        shares = sorted(
            (case.total + self.usual * (self.count - case.rounds), case.chance, self.count - case.rounds)
            for case in self.cases
        )
        self.starts = [start for start, _, _ in shares]
        self.shares = [(start, chance, self.tables[rounds]) for start, chance, rounds in shares]
        self.up_to = [0, *accumulate(chance for _, chance, _ in shares)]

    def chance(self, total: int) -> int:
        """The chance that the sum is no more than this, in multiples of 2^-bits.

        There may be ten thousand cases. Only those whose other rounds fall into the window need a table: before them
        are the cases in which the other rounds certainly stay below, after them those in which they never do.
        """
        (low, high), size, bits = self.window, self.size, self.bits
        certain = bisect(self.starts, total - high * size)
        possible = bisect(self.starts, total - low * size)
        tabled = (
            chance * table[(total - start) // size - low] >> bits
            for start, chance, table in self.shares[certain:possible]
        )
        return self.up_to[certain] + sum(tabled)

    def _with_round(self, table: list[int]) -> list[int]:
        """The table with one more round."""
        size, ways, mean = len(table), sum(each for _, each in self.rest), [0] * len(table)
        for step, each in self.rest:
            shifted = [0] * min(step, size) + table[: max(0, size - step)] if step > 0 else table[-step:]
            shifted += [1 << self.bits] * (size - len(shifted))
            mean = [so_far + each * chance for so_far, chance in zip(mean, shifted, strict=True)]
        return [each // ways for each in mean]


def _function(kinds: Sequence[RoundBlock], goal: int) -> DirectDistribution | SplitDistribution:
    """The distribution function of a sum, in the way that takes the least work."""
    if len(kinds) > 1 or _has_few_terms(kinds, goal):
        return DirectDistribution(kinds, goal)
    (kind,) = kinds
    alone = _separate_rows(kind)
    if alone is not None:
        return TabledDistribution(kind, alone, goal)
    by_ways, most = sorted(kind.rows, key=lambda row: row[1]), UNTABLED_AT_MOST * kind.ways
    rare = [row for row in by_ways if row[1] * kind.number <= most]
    for number in range(1, len(rare) + 1):
        rest = RoundBlock(tuple(row for row in kind.rows if row not in rare[:number]), kind.number)
        if _has_few_terms([rest], goal):
            return SplitDistribution(kind, rare[:number], goal)
    return DirectDistribution(kinds, goal)


def _has_few_terms(kinds: Sequence[RoundBlock], goal: int) -> bool:
    try:
        terms(kinds, window([kinds], goal + 2).width, goal + 8, FEW_TERMS)
    except TooMany:
        return False
    return True


def _separate_rows(kind: RoundBlock) -> tuple[tuple[int, int], ...] | None:
    """The rows to be treated separately, so that the sums of all others are few; None if there are no such rows."""
    best, least = None, MOST_WORK
    seldom = [row for row in kind.rows if row[1] * kind.number <= SEPARATE_AT_MOST * kind.ways][:10]
    for number in range(1, min(len(seldom), len(kind.rows) - 1) + 1):
        for rows in combinations(seldom, number):
            often = [row[1] * kind.number // kind.ways for row in rows]
            cases = prod(6 + 14 * isqrt(each) for each in often)
            tables = sum(each + 8 * isqrt(each) + 6 for each in often)
            work = 10 * cases + tables * _estimated_sums([row for row in kind.rows if row not in rows], kind.number)
            if work < least:
                best, least = rows, work
    return best


def _estimated_sums(rows: Sequence[tuple[int, int]], rounds: int) -> int:
    """About how many sums there are within ten deviations, and a few of the largest gains beyond."""
    ways, low = sum(each for _, each in rows), min(rows)[0]
    mean = sum(step * each for step, each in rows)
    square = sum(step * step * each for step, each in rows)
    size = gcd(*(step - low for step, _ in rows)) or 1
    deviations = isqrt(400 * rounds * (square * ways - mean * mean) // ways**2)
    return (deviations + 12 * (max(rows)[0] - low)) // size


def _cases(alone: Sequence[tuple[int, int]], others: int, rounds: int, bits: int) -> tuple[list[GainCase], int]:
    """How often each separate row comes: the cases that matter, and the chance of those left out.

    Every chance is rounded down, so that what is missing from the whole bounds the error.
    """
    ways = others + sum(each for _, each in alone)
    cases, least = [GainCase(1 << bits, 0, 0)], 1 << 6
    for step, each in alone:
        longer = []
        for case in cases:
            for count, chance in _binomial(rounds - case.rounds, each, ways, bits):
                both = case.chance * chance >> bits
                if both >= least:
                    longer.append(GainCase(both, case.total + count * step, case.rounds + count))
        cases = longer
        ways -= each
    return cases, (1 << bits) - sum(case.chance for case in cases)


@lru_cache(maxsize=1024)
def _binomial(rounds: int, each: int, ways: int, bits: int) -> tuple[tuple[int, int], ...]:
    """How often a row comes that has `each` of `ways`, with the chance of that, rounded down."""
    guard = bits + 64 + 3 * rounds * each // ways  # zero occurrences may be extremely unlikely
    chance, _ = power((((ways - each) << guard) // ways, 0), rounds, guard)
    found, usual = [], rounds * each // ways
    for count in range(rounds + 1):
        kept = chance >> (guard - bits)
        if kept:
            found.append((count, kept))
        elif count > usual:
            break
        chance = chance * (rounds - count) * each // ((count + 1) * (ways - each))
    return tuple(found)


# ----------------------------------------------------------------------------------------------- searched


class QuantileSearch:
    """The search for quantiles in a distribution function that is known to a bound."""

    def __init__(self, kinds: Sequence[RoundBlock], goal: int) -> None:
        self.function = _function(kinds, goal)
        self.known: dict[int, tuple[int, int]] = {}
        """Sums, each with the chance of no more: a lower and an upper bound."""
        self.ends_of_all = window([kinds], FURTHEST_TAIL_BITS)
        self._add(self.ends_of_all.low - 1)
        self._add(self.ends_of_all.high)

    def least_sum(self, share: Fraction) -> int:
        """The least sum up to which there is this chance; `Undecided` if the bound leaves a doubt."""
        wanted = (share.numerator << self.function.bits) // share.denominator
        below = max((total for total, (_, most) in self.known.items() if most < wanted), default=None)
        above = min((total for total, (least, _) in self.known.items() if least > wanted), default=None)
        if below is None or above is None:
            raise Undecided
        turn = 0
        while above - below > 1:
            at = self._probe_point(below, above, wanted, interpolate=turn % 3 < 2)
            turn += 1
            least, most = self._add(at)
            if least > wanted:
                above = at
            elif most < wanted:
                below = at
            else:
                raise Undecided
        return above

    def _probe_point(self, below: int, above: int, wanted: int, *, interpolate: bool) -> int:
        if not interpolate:
            return (below + above) // 2
        low, high = self.known[below][0], self.known[above][0]
        at = below + (above - below) * (wanted - low) // (high - low)
        return min(max(at, below + 1), above - 1)

    def _add(self, total: int) -> tuple[int, int]:
        if total not in self.known:
            chance = self.function.chance(total)
            self.known[total] = chance - self.function.error, chance + self.function.error
        return self.known[total]


@lru_cache(maxsize=4096)
def band_of(
    gains: tuple[tuple[Fraction, int], ...], rounds: int, tails: tuple[Fraction, ...]
) -> tuple[tuple[Fraction, Fraction], ...]:
    """`middle`, cached: a report asks for the same in its tables, its picture and its workbook."""
    return tuple(middle(dict(gains), rounds, tails))
