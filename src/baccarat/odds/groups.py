"""Finishes that pay alike: edges are found from how often each group of them comes, whatever counted it.

The totals of groups are whole numbers, and exact up to eight decks. What is rounded after that is rounded here, or in
the same order by the vectors' kernel: every engine that counts groups gives the same bits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baccarat.law.fact import FINISHES
from baccarat.law.kept import kept_by
from baccarat.odds.gain import unit_gain
from baccarat.odds.shoe import ENOUGH
from baccarat.play.book import Book
from baccarat.play.wager import Kind

Floats = NDArray[np.float64]
Indices = NDArray[np.uintp]


AT_ONCE = 288
"""Shoes worked on together: their tables stay in the processor's cache."""


class Groups(NamedTuple):
    """The possible finishes in groups that pay alike for some wagers."""

    members: Indices
    """The finishes, by group."""
    bounds: Indices
    """Where each group begins among the members, and where the last one ends."""
    gains: Floats
    """[wager, group]: what a unit gains."""


@kept_by
def groups_of(book: Book, kinds: tuple[Kind, ...]) -> Groups:
    """The groups of some wagers, one at least."""
    gains = gains_of(book, kinds)
    possible = np.flatnonzero([facts is not None for facts in book.facts])
    alike, group = np.unique(gains[:, possible], axis=1, return_inverse=True)
    group = group.reshape(-1)
    order = np.argsort(group, kind="stable")
    bounds = np.searchsorted(group[order], range(alike.shape[1] + 1))
    return Groups(possible[order].astype(np.uintp), bounds.astype(np.uintp), np.ascontiguousarray(alike))


def gains_of(book: Book, kinds: tuple[Kind, ...]) -> Floats:
    """[wager, finish]: what a unit gains; nought where the tableau leads to no such finish."""
    rows = [[float(unit_gain(book, each)) if each else 0.0 for each in book.verdicts[kind]] for kind in kinds]
    return np.array(rows).reshape(len(kinds), FINISHES)


def edges_of(groups: Groups, totals: Floats, counts: Floats) -> Floats:
    """[wager, shoe]: the edges, from how often each group comes in shoes of these counts, [value, shoe]."""
    found = np.zeros((len(groups.gains), totals.shape[1]))
    for gains, total in zip(groups.gains.T, totals, strict=True):  # group by group: a matrix product has any order
        found += gains[:, None] * total
    return (0.0 - found) / deals(counts)


def deals(counts: Floats) -> Floats:
    """The number of ordered deals of six cards, from [value, shoe]: what the finishes of a shoe sum to."""
    size = counts.sum(axis=0)
    ways: Floats = np.prod([size - gone for gone in range(ENOUGH)], axis=0)
    return ways


def parts(shoes: int) -> list[slice]:
    """So many shoes, in parts that are worked on together."""
    return [slice(start, min(start + AT_ONCE, shoes)) for start in range(0, shoes, AT_ONCE)]
