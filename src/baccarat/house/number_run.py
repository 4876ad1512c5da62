"""Runs of consecutive numbers, kept in ascending order: what a book knows of many numbers at once.

They are in chunks, so that an act which adds a run copies one chunk and the list of chunks, not all runs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import chain
from typing import TypeVar

import msgspec

CHUNK = 256
"""The most runs in a chunk."""


class NumberRun(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Consecutive numbers."""

    first: int
    last: int


R = TypeVar("R", bound=NumberRun)
Runs = tuple[tuple[R, ...], ...]
"""Runs in ascending order that have no number in common; no chunk is empty."""


def _first(run: NumberRun) -> int:
    return run.first


def _first_of(chunk: tuple[NumberRun, ...]) -> int:
    return chunk[0].first


def runs_of(runs: Runs[R]) -> Iterator[R]:
    """All of them."""
    return chain.from_iterable(runs)


def run_of(runs: Runs[R], number: int) -> R | None:
    """The run to which a number belongs, if any."""
    return next(runs_within(runs, number, number), None)


def runs_within(runs: Runs[R], first: int, last: int) -> Iterator[R]:
    """The runs that have a number from `first` to `last`, in ascending order."""
    for chunk in runs[max(0, bisect_right(runs, first, key=_first_of) - 1) :]:
        if chunk[0].first > last:
            return
        for run in chunk[max(0, bisect_right(chunk, first, key=_first) - 1) :]:
            if run.first <= last and run.last >= first:
                yield run


def with_run(runs: Runs[R], run: R) -> Runs[R]:
    """The runs with one more, in its place; it has no number in common with another."""
    at = max(0, bisect_right(runs, run.first, key=_first_of) - 1)
    chunk = runs[at] if runs else ()
    place = bisect_right(chunk, run.first, key=_first)
    chunk = (*chunk[:place], run, *chunk[place:])
    half = len(chunk) // 2
    parts = (chunk,) if len(chunk) <= CHUNK else (chunk[:half], chunk[half:])
    return (*runs[:at], *parts, *runs[at + 1 :])


def without_run(runs: Runs[R], run: R) -> Runs[R]:
    """The runs without one of them."""
    at = bisect_right(runs, run.first, key=_first_of) - 1
    chunk = tuple(each for each in runs[at] if each is not run)
    return (*runs[:at], *((chunk,) if chunk else ()), *runs[at + 1 :])
