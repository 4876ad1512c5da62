"""Figures as docs/studies.md writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from baccarat.cli.study_figures import nonzero_width
from baccarat.sim.interval import Interval, half_width


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]).replace("-0.", "−0.")


def signed(value: float, places: int) -> str:
    """With its sign; zero has none."""
    rounded = round(value, places)
    return f"{rounded:+.{places}f}".replace("-", "−") if rounded else f"{0:.{places}f}"


def within(error: float | None, places: int, samples: int | None = None, *, unit: float = 1) -> str:
    """The margin after ±: half of the 95 % interval, by Student's t for this number of samples; – if unknown."""
    return "–" if error is None else nonzero_width(f"{unit * half_width(error, samples):.{places}f}")


def money_within(mean: float, error: float | None, samples: int, places: int = 0) -> str:
    """A mean sum in dollars and its ±."""
    half = "–" if error is None else nonzero_width(money(half_width(error, samples), places))
    return f"{money(mean, places)} ± {half}"


def percent_within(value: float | None, error: float | None, samples: int, places: int = 2) -> str:
    """A quotient of means and its ±."""
    return "–" if value is None else f"{percent(value, places)} ± {within(error, places, samples, unit=100)}"


def share(value: float, interval: Interval, places: int = 1) -> str:
    """A share, and its interval."""
    low, high = (f"{100 * end:.{places}f}" for end in interval)
    return f"{percent(value, places)} ({low}–{high})"


def percent(value: float, places: int = 2) -> str:
    return f"{100 * value:.{places}f} %".replace("-", "−")


def money(cents: float, places: int = 0) -> str:
    return f"{'−' if cents < 0 else ''}${abs(cents) / 100:,.{places}f}"
