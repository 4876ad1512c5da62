"""Repeats: orders, and runs of cards, that occurred before, in the same shoe or in another.

A generator with few states, or seeded from a clock, deals the same shoe twice long before its figures look odd; a
failing machine leaves runs of the last shoe together. Neither happens by chance: a single repeat rejects.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from fractions import Fraction
from math import comb, factorial, sqrt

from baccarat.audit.battery.frequency import AT_LEAST, TOO_FEW
from baccarat.audit.battery.judge import TestResult
from baccarat.audit.battery.shoe import KINDS, ShoeOrder
from baccarat.audit.battery.tail import normal, poisson_at_least

RUN = 12
"""How many cards in a row make a repeat. There are 52^12, about 4·10^20, such runs."""
SAMPLE = 8
"""One run in this many is stored, chosen by its cards: if it is stored in one shoe, it is in every other."""
MOST_RUNS = 2_000_000
"""At most this many runs are stored, some 160 megabytes; beyond that, every second one is dropped for good."""
PRIME = 1_000_003
"""A run is chosen by its remainder, which depends on all of its cards."""


class Repeats:
    """What occurred before: a digest of each order and a sample of its runs of cards."""

    def __init__(self, size: int, *, kinds: int = KINDS, most: int = MOST_RUNS) -> None:
        self.size, self.kinds, self.each = size, kinds, size // kinds
        self.shoes = self.orders = self.runs = self.matches = 0
        self.most = most
        self.sample = SAMPLE
        self.first: tuple[int, int] | None = None
        """The first repeated order, and the shoe where it first occurred."""
        self._orders: dict[bytes, int] = {}
        self._runs: set[int] = set()
        self._last: bytes | None = None

    def add(self, shoe: ShoeOrder) -> None:
        """Count one shoe."""
        self.shoes += 1
        cards = shoe.kinds
        digest = hashlib.sha256(cards).digest()[:16]
        seen = self._orders.setdefault(digest, self.shoes)
        if seen != self.shoes:
            self.orders += 1
            self.first = self.first or (self.shoes, seen)
        if self._last is not None:
            self.matches += sum(map(int.__eq__, cards, self._last))
        self._last = cards
        self._add_runs(cards)

    def _add_runs(self, cards: bytes) -> None:
        runs, number, below = self._runs, int.from_bytes, PRIME // self.sample
        for start in range(self.size - RUN + 1):
            run = number(cards[start : start + RUN], "big")
            if run % PRIME < below:
                if run in runs:
                    self.runs += 1
                else:
                    runs.add(run)
        if len(runs) > self.most:
            self.sample *= 2
            self._runs = {run for run in runs if run % PRIME < PRIME // self.sample}

    def results(self) -> Iterator[TestResult]:
        """The results of the counts."""
        pairs = comb(self.shoes, 2)
        orders = factorial(self.size) // factorial(self.each) ** self.kinds
        expected = float(Fraction(pairs, orders))
        what = "orders that occurred before"
        if self.first is not None:
            what += f": shoe {self.first[0]} has the order of shoe {self.first[1]}"
        p = poisson_at_least(self.orders, expected)
        yield TestResult(name="repeated orders", what=what, found=self.orders, expected=expected, p=p)
        # Two runs agree with probability about 1/52 per card, and at most one in eight of those that do is stored.
        expected = comb(self.shoes * (self.size - RUN + 1), 2) / SAMPLE / self.kinds**RUN
        what, p = f"runs of {RUN} cards that occurred before", poisson_at_least(self.runs, expected)
        yield TestResult(name="repeated runs", what=what, found=self.runs, expected=expected, p=p)
        name, what = "same as last", "cards of the same kind at the same position as in the shoe before"
        if self.shoes - 1 < AT_LEAST:
            yield TestResult(name=name, what=what, left_out=TOO_FEW)
            return
        mean, variance = match_moments(self.kinds, self.each)
        expected, deviation = float((self.shoes - 1) * mean), sqrt((self.shoes - 1) * variance)
        p = normal((self.matches - expected) / deviation)
        yield TestResult(name=name, what=what, found=self.matches, expected=expected, deviation=deviation, p=p)


def match_moments(kinds: int, each: int) -> tuple[Fraction, Fraction]:
    """Mean and variance of how many cards agree in kind and position with a given order."""
    size = kinds * each
    mean = Fraction(each)
    alike = kinds * each * (each - 1) * Fraction(each * (each - 1), size * (size - 1))
    unlike = size * (size - each) * Fraction(each * each, size * (size - 1))
    return mean, alike + unlike + mean - mean**2
