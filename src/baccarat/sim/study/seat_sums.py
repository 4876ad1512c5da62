"""What happened to the patrons of a seat, summed part by part: memory does not grow with the sessions."""

from __future__ import annotations

from math import sqrt

import msgspec
import numpy as np

from baccarat.law.rulebook import Rulebook
from baccarat.sim.interval import Interval, wilson
from baccarat.sim.study.book_arrays import Integers
from baccarat.sim.study.compiled_strategy import CompiledStrategy
from baccarat.sim.study.moments import Moments, by_percentile

POINTS = 33
COLUMNS = 7
ENDED, STAYED, STAKED, RUINED, COLLECTED, PEAK, UNCOLLECTED = range(COLUMNS)
"""What a compiled seat records of a session: the purse at its end, rounds stayed, cents staked, whether ruined; of
vigorish that was marked, what was collected, the largest sum owed at one time, and what could not be collected."""
DAY_COLUMNS = 5
WIN, DAY_STAKED, BOUGHT, DAY_COLLECTED, DAY_UNCOLLECTED = range(DAY_COLUMNS)
"""What is recorded of a table's day: what the house won, what was staked and bought in, and of vigorish as above."""


class MarkedVigorish(msgspec.Struct, frozen=True, kw_only=True):
    """Vigorish that is marked and collected later; mean sums of a session in cents."""

    collected: float
    collected_error: float | None
    peak: float
    """The largest sum owed at one time."""
    peak_error: float | None
    missed: float
    """The share of sessions in which some could not be collected, because the purse did not cover what was owed."""
    missed_within: Interval
    uncollected: float
    """What could not be collected; it is in `result`, because the patron keeps it."""
    uncollected_error: float | None
    becomes: str
    """What it becomes by the document: `receivable` or `complimentary`."""


class SeatTotals(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to the patrons of one seat.

    Errors are one standard error, None if they are not known (`moments`); shares have intervals of 95 %, by Wilson.
    """

    strategy: str
    purse: int
    goal: int | None
    """In cents; None if nobody leaves because of a win."""
    sessions: int
    result: float
    """Mean cents won in a session."""
    error: float | None
    deviation: float | None
    """Of the sessions; None if there was only one."""
    ruined: float
    """The share of sessions that ended because the purse could not cover the stake, or vigorish that had to be paid."""
    ruined_within: Interval
    reached: float
    """The share that reached the goal."""
    reached_within: Interval | None
    """None without a goal."""
    stayed: float
    """Mean rounds at the table."""
    stayed_error: float | None
    staked: float
    """Mean cents staked in a session."""
    staked_error: float | None
    of_staked: float | None
    """Win divided by the stakes; None if nothing was staked."""
    of_staked_error: float | None
    fan: dict[int, tuple[tuple[int, int], ...]]
    """By percentile, (rounds, purse in cents) in the course of the session; what is owed is still in the purse."""
    vigorish: MarkedVigorish | None = None
    """None if vigorish is not deferred."""


def uncollected_becomes(rules: Rulebook) -> str:
    """What vigorish that is never collected becomes: waived on a form, or an open claim of the house."""
    return "complimentary" if rules.edition.vigorish_form is not None else "receivable"


def _exact_sums(rows: Integers) -> list[int]:
    """Sums by column; the sum of large purses may exceed 64 bits."""
    high, low = (rows >> 32).sum(axis=0).tolist(), (rows & 0xFFFFFFFF).sum(axis=0).tolist()
    return [(one << 32) + other for one, other in zip(high, low, strict=True)]


class SeatSums:
    """Sums of one seat over all sessions, and the paths of the first."""

    def __init__(self, rules: Rulebook, made: CompiledStrategy, purse: int, goal: int | None) -> None:
        self.rules, self.is_deferred, self.purse, self.goal = rules, made.deferred, purse, goal
        self.sessions = self.reached = self.missed = 0
        self.totals = [0] * COLUMNS
        """In whole cents, unbounded."""
        self.moments = Moments(COLUMNS, pairs=[(ENDED, STAKED)])
        """Of the columns; the win instead of the purse at the end."""
        self.fans: list[Integers] = []

    def add(self, out: Integers, fan: Integers) -> None:
        """Add sessions: [session, column] and [session, point]."""
        self.sessions += len(out)
        self.totals = [total + more for total, more in zip(self.totals, _exact_sums(out), strict=True)]
        self.missed += int((out[:, UNCOLLECTED] > 0).sum())
        if self.goal is not None:
            self.reached += int((out[:, ENDED] >= self.goal).sum())
        columns = np.ascontiguousarray(out.T, np.float64)
        columns[ENDED] = out[:, ENDED] - self.purse
        self.moments.add(columns)
        if len(fan):
            self.fans.append(fan.copy())  # not a view, which would keep the whole part in memory

    def mean(self, column: int) -> float:
        """The mean of a session."""
        return self.totals[column] / self.sessions

    def seat(self, strategy: str, every: int) -> SeatTotals:
        """What happened to all; the paths have a point at intervals of `every` rounds."""
        levels = by_percentile(np.concatenate(self.fans))
        points = [every * point for point in range(POINTS)]
        errors, (of_staked, of_staked_error) = self.moments.errors(), self.moments.ratio(ENDED, STAKED)
        deviation = None if self.sessions < 2 else sqrt(float(self.moments.squares[ENDED]) / (self.sessions - 1))
        return SeatTotals(
            strategy=strategy, purse=self.purse, goal=self.goal, sessions=self.sessions,
            result=(self.totals[ENDED] - self.sessions * self.purse) / self.sessions,
            error=errors[ENDED], deviation=deviation, ruined=self.mean(RUINED),
            ruined_within=wilson(self.totals[RUINED], self.sessions), reached=self.reached / self.sessions,
            reached_within=None if self.goal is None else wilson(self.reached, self.sessions),
            stayed=self.mean(STAYED), stayed_error=errors[STAYED], staked=self.mean(STAKED),
            staked_error=errors[STAKED], of_staked=of_staked, of_staked_error=of_staked_error,
            fan={percent: tuple(zip(points, row, strict=True)) for percent, row in levels.items()},
            vigorish=self._marked_vigorish(),
        )  # fmt: skip

    def _marked_vigorish(self) -> MarkedVigorish | None:
        if not self.is_deferred:
            return None
        errors = self.moments.errors()
        return MarkedVigorish(
            collected=self.mean(COLLECTED), collected_error=errors[COLLECTED], peak=self.mean(PEAK),
            peak_error=errors[PEAK], missed=self.missed / self.sessions,
            missed_within=wilson(self.missed, self.sessions), uncollected=self.mean(UNCOLLECTED),
            uncollected_error=errors[UNCOLLECTED], becomes=uncollected_becomes(self.rules),
        )  # fmt: skip
