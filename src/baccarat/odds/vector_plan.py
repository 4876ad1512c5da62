"""The plan of the vectors' kernel: a tableau as a list of whole numbers, in an order that the kernel knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np

from baccarat.law.cached_value import cached_on_value
from baccarat.law.fact import COUNTS
from baccarat.odds.groups import Indices
from baccarat.odds.joint import DrawPartition, OpeningCell, draw_partition
from baccarat.play.book import Book

Index = Any
"""An unsigned number, because it is used as an address; `np.uintp` to Python, and to numba an integer."""

Unsigned: Any = np.uintp

PAIR = Unsigned(0)
"""In a plan, [value, value]: where the region WITHOUT has the two."""
BANKERS = Unsigned(100)
"""By the Player's third card: below this count the Banker draws."""
WIDE = Unsigned(110)
"""Below this count somebody draws."""
NO_DRAWS, FINISHED, ONE_CARD, DOUBLES, END = map(Unsigned, (111, 112, 113, 124, 135))
"""Where lists begin: rounds without a third card, finishes that a round can have, rounds with one third card by that
card, doubles by value. Each list ends where the next begins."""


class VectorTableauPlan(NamedTuple):
    """A tableau prepared for the kernel: numbers, and a size that the compiler must know."""

    numbers: Indices
    players: tuple[float, ...]
    """As many as the counts on which the Player draws."""


USUAL = 6
"""Below this count the Player draws in every document: one kernel also fits where nobody draws after it."""


class Unfit(ValueError):  # noqa: N818  a condition, not an error
    """The tableau is not one that this kernel can count."""


@cached_on_value
def make_plan(book: Book) -> VectorTableauPlan:
    """The plan of a book's tableau; `Unfit` if both hands draw on counts that are not all those below some count."""
    tableau = draw_partition(book)
    players, bankers = _thresholds(tableau.both)
    ones = [[*tableau.player[x], *tableau.banker[x]] for x in COUNTS]
    drawn = [count for cells in ones for cell in cells for count in (cell.player, cell.banker)]
    lists = [
        _entries(tableau.nobody),
        sorted({cell.place for cell in _cells(tableau)}),
        *map(_entries, ones),
        [],
        *(_doubles(y, players, max(bankers)) for y in COUNTS),
    ]
    numbers = [_number_of_pair(x, y) * 10 for x in COUNTS for y in COUNTS]
    numbers += [*bankers, max([players, *bankers, *(count + 1 for count in drawn)])]
    numbers += accumulate(map(len, lists), initial=int(END))
    assert len(numbers) == END, "the lists follow where they begin"
    for each in lists:
        numbers += each
    return VectorTableauPlan(np.array(numbers, np.uintp), (0.0,) * (players or USUAL))


def _cells(tableau: DrawPartition) -> Iterator[OpeningCell]:
    yield from tableau.nobody
    yield from chain(*tableau.banker, *tableau.player)
    yield from chain(*chain(*tableau.both))


def _number_of_pair(x: int, y: int) -> int:
    low, high = min(x, y), max(x, y)
    return low * 10 - low * (low - 1) // 2 + high - low


def _entries(cells: Iterable[OpeningCell]) -> list[int]:
    """Each cell, with the place of its finish."""
    return [each for cell in cells for each in (cell.player * 10 + cell.banker, cell.place)]


def _thresholds(both: Sequence[Sequence[Sequence[OpeningCell]]]) -> tuple[int, list[int]]:
    """Below which count the Player draws, and the Banker by the Player's third card, where both do."""
    cells = [{(cell.player, cell.banker) for cell in by_sixth[0]} for by_sixth in both]
    players = max((player + 1 for each in cells for player, _ in each), default=0)
    bankers = [max((banker + 1 for _, banker in each), default=0) for each in cells]
    for each, below in zip(cells, bankers, strict=True):
        if each != {(player, banker) for player in range(players) for banker in range(below)}:
            raise Unfit("both hands draw on counts that are not all those below some count")
    return players, bankers


def _doubles(y: int, players: int, bankers: int) -> list[int]:
    """Opening counts in which one hand is y and another card, and the other hand two of that card: with the card."""
    found = []
    for player in range(players):
        for banker in range(bankers):
            if (2 * (player - y) - banker) % 10 == 0:
                found += [player, banker, (player - y) % 10]
            if (2 * (banker - y) - player) % 10 == 0:
                found += [player, banker, (banker - y) % 10]
    return found
