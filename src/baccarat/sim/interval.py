"""Intervals of 95 %: of a mean by Student's distribution, of a share by Wilson's score.

A mean whose spread is estimated from few samples is known less well than the normal distribution says: with two of
them the interval is six times as wide. A share of which nothing was seen is not known to be zero: Wilson's score
interval has a width there too, and never leaves 0 to 1.
"""

from __future__ import annotations

from functools import cache
from math import atan, cos, pi, sin, sqrt

from baccarat.sim.estimate import SIGMAS_95

SERIES_FREEDOM = 200
"""From this many degrees of freedom on, a series is exact to nine digits; below, the distribution is inverted."""
LEVEL = 0.95

Interval = tuple[float, float]
"""From, to."""


def half_width(error: float, samples: int | None = None) -> float:
    """Half of the interval of a mean with this standard error.

    By Student's distribution if the error was estimated from `samples` samples; without them it is known exactly.
    """
    return error * (SIGMAS_95 if samples is None else student(samples - 1))


def wilson(times: int, of: int) -> Interval:
    """The interval of a chance that was seen `times` times in `of` independent samples, by Wilson's score."""
    if not 0 <= times <= of or not of:
        raise ValueError(f"{times} of {of}: a share needs samples, and no more hits than samples")
    z = SIGMAS_95**2
    share, whole = times / of, 1 + z / of
    middle = (share + z / (2 * of)) / whole
    half = SIGMAS_95 * sqrt(share * (1 - share) / of + z / (4 * of**2)) / whole
    low, high = middle - half, middle + half
    return (0.0 if not times else low), (1.0 if times == of else high)  # exact there, apart from rounding


@cache
def student(freedom: int) -> float:
    """Within how many standard errors on either side 95 of 100 means lie, with this many degrees of freedom."""
    if freedom < 1:
        raise ValueError("one sample says nothing about the spread")
    if freedom >= SERIES_FREEDOM:
        x = SIGMAS_95
        return (
            x
            + (x**3 + x) / (4 * freedom)
            + (5 * x**5 + 16 * x**3 + 3 * x) / (96 * freedom**2)
            + (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / (384 * freedom**3)
        )
    low, high = 1.0, 13.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _chance_within(middle, freedom) < LEVEL else (low, middle)
    return (low + high) / 2


def _chance_within(deviations: float, freedom: int) -> float:
    """The chance to lie within this many deviations on either side: the finite sums of Student's distribution."""
    angle = atan(deviations / sqrt(freedom))
    square, odd = cos(angle) ** 2, freedom % 2
    term = total = (cos(angle) if odd else 1.0) * (freedom > 1)
    for k in range(2 + odd, freedom - 1, 2):
        term *= square * (k - 1) / k
        total += term
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total
