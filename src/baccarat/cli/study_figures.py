"""Figures of a study as its text shows them: shares, sums and numbers, each with its margin after ±."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from baccarat.sim.interval import Interval, half_width

if TYPE_CHECKING:
    from baccarat.sim.study.house_study import MarkedDay
    from baccarat.sim.study.seat_sums import MarkedVigorish


def number(value: float, places: int, *, sign: str = "") -> str:
    """A number with a true minus sign, and with `sign="+"` also a plus; zero has neither."""
    rounded = round(value, places)
    return f"{rounded or 0.0:{sign if rounded else ''}.{places}f}".replace("-", "−")


def percents(value: float, places: int = 3) -> str:
    """A share as a percentage, with a true minus sign."""
    return f"{number(100 * value, places)} %"


def money(cents: float) -> str:
    """A mean of sums, in dollars, with a true minus sign."""
    return f"{'−' if round(cents) < 0 else ''}${abs(cents) / 100:,.2f}"


def margin(error: float | None, samples: int | None, show: Callable[[float], str]) -> str:
    """The margin after ±: half of the 95 % interval; – if the error is unknown.

    By Student's t for this number of samples; None if the error is exact.
    """
    return "–" if error is None else nonzero_width(show(half_width(error, samples)))


def mean_money(mean: float, error: float | None, samples: int) -> str:
    """A mean of sums, and its margin."""
    return f"{money(mean)} ± {margin(error, samples, money)}"


def owed_sums(owed: MarkedVigorish | MarkedDay, samples: int) -> list[str]:
    """Of deferred vigorish: what was collected, what was owed at most, and what was not collected."""
    means = (
        (owed.collected, owed.collected_error),
        (owed.peak, owed.peak_error),
        (owed.uncollected, owed.uncollected_error),
    )
    return [mean_money(mean, error, samples) for mean, error in means]


def z_text(value: float | None) -> str:
    """How many standard errors, with the sign; – if unknown."""
    return "–" if value is None else number(value, 2, sign="+")


def nonzero_width(shown: str) -> str:
    """A width as shown; one that rounds to zero as less than the last digit: `<0.01`."""
    return shown if any(digit in shown for digit in "123456789") else f"<{shown[:-1]}1"


def share(value: float, interval: Interval, places: int = 2) -> str:
    """A share and its 95 % interval, in percent."""
    low, high = (number(100 * end, places) for end in interval)
    return f"{percents(value, places)} ({low}–{high})"


def ratio(value: float | None, error: float | None, samples: int, places: int) -> str:
    """A quotient of two means in percent, and its margin; – for what is unknown."""
    if value is None:
        return "–"
    return f"{percents(value, places)} ± {margin(error, samples, lambda half: number(100 * half, places))}"


def count(many: int, what: str) -> str:
    """`1 shoe`, `2,000 shoes`."""
    return f"{many:,} {what}{'s' if many != 1 else ''}"
