"""Judging: the results of all tests together, so that a fair shuffle is rejected in at most one run of a hundred."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

LEVEL = 0.01
"""All tests together reject a fair shuffle no more often than this: collectively at 99 %."""


class TestResult(msgspec.Struct, frozen=True, kw_only=True):
    """What one test found: the statistic, what was expected of it, and how likely a fair shuffle is to do as badly."""

    __test__ = False  # otherwise pytest would collect it as a test

    name: str
    what: str
    """What is counted, in one phrase."""
    found: float | None = None
    expected: float | None = None
    deviation: float | None = None
    """The standard deviation of the expected value, if useful."""
    p: float | None = None
    adjusted: float | None = None
    """The p-value after Holm's correction for the number of tests."""
    rejected: bool = False
    left_out: str = ""
    """Why the test was not made."""


class BatteryReport(msgspec.Struct, frozen=True, kw_only=True):
    """What all tests found."""

    shoes: int
    cards: int
    """How many cards a shoe has."""
    source: str
    level: float
    results: tuple[TestResult, ...]
    outcomes: dict[str, tuple[int, float]] = {}
    """How often each outcome occurred, and its exact probability."""

    @property
    def rejected(self) -> bool:
        """Whether the shuffle is rejected."""
        return any(result.rejected for result in self.results)


def holm_corrected(results: Iterable[TestResult], *, level: float = LEVEL) -> tuple[TestResult, ...]:
    """The results with Holm's correction, which holds however the tests depend on each other.

    The smallest of `m` p-values is multiplied by `m`, the next by `m - 1`, and so on, never falling below the one
    before. A test rejects if its corrected p-value is below the level.
    """
    found = list(results)
    made = sorted((result.p, index) for index, result in enumerate(found) if result.p is not None)
    floor = 0.0
    for rank, (p, index) in enumerate(made):
        floor = min(1.0, max(floor, p * (len(made) - rank)))
        found[index] = msgspec.structs.replace(found[index], adjusted=floor, rejected=floor < level)
    return tuple(found)
