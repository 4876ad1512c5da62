"""Figures as docs/studies.md writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from baccarat.cli.study_out import half_width


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]).replace("-0.", "−0.")


def signed(value: float, places: int) -> str:
    """With its sign; nought has none."""
    rounded = round(value, places)
    return f"{rounded:+.{places}f}".replace("-", "−") if rounded else f"{0:.{places}f}"


def within(error: float, places: int) -> str:
    """What stands after ±: half of the 95 % interval."""
    return f"{half_width(error):.{places}f}"


def percent(value: float, places: int = 2) -> str:
    return f"{100 * value:.{places}f} %".replace("-", "−")


def money(cents: float, places: int = 0) -> str:
    return f"{'−' if cents < 0 else ''}${abs(cents) / 100:,.{places}f}"
