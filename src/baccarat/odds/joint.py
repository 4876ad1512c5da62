"""The joint table: in how many ordered ways six cards make each finish, in exact integers, from ten counts.

Third cards are taken out of the shoe first; what is left is a table of the counts of two opening hands,
which has a closed form. A round that needs four or five cards is followed by any others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from baccarat.law.cached_value import cached_on_value
from baccarat.law.fact import COUNTS, FINISHES, finish_index
from baccarat.play.book import NO_CARD, Book

CountTable = list[list[int]]


class OpeningCell(NamedTuple):
    """A pair of opening counts, Player's and Banker's, and the place of the finish that they lead to."""

    player: int
    banker: int
    place: int


class DrawPartition(NamedTuple):
    """The tableau sorted by who draws: nobody, the Banker alone, the Player alone, or both."""

    nobody: tuple[OpeningCell, ...]
    banker: tuple[tuple[OpeningCell, ...], ...]
    """By the Banker's third card."""
    player: tuple[tuple[OpeningCell, ...], ...]
    """By the Player's third card."""
    both: tuple[tuple[tuple[OpeningCell, ...], ...], ...]
    """By the Player's third card, then by the Banker's."""


def player_draws(book: Book, player: int, banker: int) -> bool:
    """Whether the Player draws on these opening counts."""
    return book.player_row[player][banker].act == "draw"


def banker_draws(book: Book, player: int, banker: int, third: int) -> bool:
    """Whether the Banker draws on these opening counts and this third card of the Player, or `NO_CARD`."""
    row = book.banker_row[book.natural[player] or book.natural[banker]][banker][third]
    assert row is not None, "the tableau answers every case"
    return row.act == "draw"


@cached_on_value
def draw_partition(book: Book) -> DrawPartition:
    """The tableau of a book, sorted."""
    nobody: list[OpeningCell] = []
    banker_only: list[list[OpeningCell]] = [[] for _ in COUNTS]
    player_only: list[list[OpeningCell]] = [[] for _ in COUNTS]
    both: list[list[list[OpeningCell]]] = [[[] for _ in COUNTS] for _ in COUNTS]
    for p in COUNTS:
        for b in COUNTS:
            if player_draws(book, p, b):
                for x in COUNTS:
                    final = (p + x) % 10
                    if not banker_draws(book, p, b, x):
                        player_only[x].append(OpeningCell(p, b, finish_index(final, b, 3, 2)))
                        continue
                    for y in COUNTS:
                        both[x][y].append(OpeningCell(p, b, finish_index(final, (b + y) % 10, 3, 3)))
            elif banker_draws(book, p, b, NO_CARD):
                for y in COUNTS:
                    banker_only[y].append(OpeningCell(p, b, finish_index(p, (b + y) % 10, 2, 3)))
            else:
                nobody.append(OpeningCell(p, b, finish_index(p, b, 2, 2)))
    return DrawPartition(
        tuple(nobody), tuple(map(tuple, banker_only)), tuple(map(tuple, player_only)),
        tuple(tuple(map(tuple, row)) for row in both),
    )  # fmt: skip


_PLACES = tuple(tuple((total - first) % 10 for first in COUNTS) for total in COUNTS)
"""For each total, the value that completes each first value."""


def openings(counts: Sequence[int]) -> CountTable:
    """The ordered ways to deal two cards to each hand, by the two counts.

    With N[t][u] the cards that complete a first card u to the total t, and W[t] the ordered pairs of total t, the
    inclusion of two cards taken from the other hand gives W[p](W[b] + 2[p = b]) - 4 Σ c[u] N[p][u] N[b][u].
    """
    completing = []
    for total, places in enumerate(_PLACES):
        row = [counts[place] for place in places]
        if total % 2 == 0:
            row[total // 2] -= 1
            row[total // 2 + 5] -= 1
        completing.append(row)
    weighed = [list(map(mul, counts, row)) for row in completing]
    pairs = [sum(row) for row in weighed]
    table: CountTable = [[0] * 10 for _ in COUNTS]
    for p, row in enumerate(weighed):
        for b in range(p):
            table[p][b] = table[b][p] = pairs[p] * pairs[b] - 4 * sum(map(mul, row, completing[b]))
        table[p][p] = pairs[p] * (pairs[p] + 2) - 4 * sum(map(mul, row, completing[p]))
    return table


@lru_cache(maxsize=16)
def openings_without_drawn(counts: tuple[int, ...]) -> tuple[CountTable, ...]:
    """The openings of a shoe in the order in which `joint_table` needs them: whole, then for each value x without one
    card of it, and without one of it and one of each value from x on.

    They do not depend on the rulebook: a comparison of many rulebooks over one shoe counts them once.
    """
    left, found = list(counts), [openings(counts)]
    for x in COUNTS:
        if not left[x]:
            continue
        left[x] -= 1
        found.append(openings(left))
        for y in range(x, 10):
            if left[y]:
                left[y] -= 1
                found.append(openings(left))
                left[y] += 1
        left[x] += 1
    return tuple(found)


def joint_table(counts: Sequence[int], book: Book) -> tuple[int, ...]:
    """The ordered six-card deals that end in each of the four hundred finishes; they sum to n(n-1)…(n-5)."""
    tableau, size = draw_partition(book), sum(counts)
    assert size >= 6, "the shoe has been checked to hold enough"
    left, found = list(counts), [0] * FINISHES
    tables = iter(openings_without_drawn(tuple(counts)))
    _scatter(found, tableau.nobody, next(tables), (size - 4) * (size - 5))
    for x in COUNTS:
        first = left[x]
        if not first:
            continue
        left[x] -= 1
        table = next(tables)
        _scatter(found, tableau.banker[x], table, first * (size - 5))
        _scatter(found, tableau.player[x], table, first * (size - 5))
        for y in range(x, 10):
            ways = first * left[y]
            if not ways:
                continue
            table = next(tables)
            _scatter(found, tableau.both[x][y], table, ways)
            if y != x:
                _scatter(found, tableau.both[y][x], table, ways)
        left[x] += 1
    return tuple(found)


def _scatter(found: list[int], cells: Sequence[OpeningCell], table: CountTable, ways: int) -> None:
    """Add a table of openings, multiplied by `ways`, to the finishes that it leads to."""
    for p, b, place in cells:
        found[place] += ways * table[p][b]
