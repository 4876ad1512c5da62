"""Counting cards, compiled: what a counter knows before each round on record. This module imports numba.

A counter sees what the table is shown: the first card burned, those burned after it where they are shown, and the cards
of every round. What was burned face down counts as if it were still in the shoe. This is the only definition of the
true count: a study of counts and patrons who count wager in the same rounds.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: PLR0913, PLR0917

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baccarat.sim.study.book_arrays import RANKS
from baccarat.sim.study.compiled import compiled, inlined

if TYPE_CHECKING:
    from baccarat.sim.study.round_columns import RoundColumns

ONE = 1000
"""A true count of one: true counts are whole numbers of thousandths."""
FACTOR = ONE * 52 // len(RANKS)
"""Converts a running count by balanced tags, which is thirteen times as large, to thousandths per unseen deck."""


def in_thousandths(index: float) -> int:
    """An index in the unit of true counts: the nearest thousandth."""
    return round(ONE * index)


@inlined
def true_count(running, unseen):
    """In thousandths, rounded down, from a running count by balanced tags and the number of cards not seen."""
    return running * FACTOR // unseen


@inlined
def count_burn(shown, tags, cards_in_all):
    """After the burn: the running count, and how many cards have not been seen."""
    running, unseen = 0, cards_in_all
    for rank in range(tags.size):
        running += tags[rank] * shown[rank]
        unseen -= shown[rank]
    return running, unseen


@inlined
def count_round(cards, row, tags, running, unseen):
    """After a round: the running count, and how many cards have not been seen."""
    for k in range(6):
        if cards[k, row] != 255:
            running += tags[cards[k, row]]
            unseen -= 1
    return running, unseen


class CounterView(NamedTuple):
    """What a counter knows before each round, by row."""

    true: NDArray[np.int64]
    """The true count."""
    left: NDArray[np.int64]
    """The cards left to be dealt."""
    unseen: NDArray[np.int64]
    """[row, sort]: the cards not seen."""


def counter_view(
    block: RoundColumns, *, tags: NDArray[np.int64], sort: NDArray[np.uint8], whole: NDArray[np.int64]
) -> CounterView:  # fmt: skip
    """What is known before each round of a block.

    tags: balanced, by rank. sort: by rank, what is distinguished, such as values. whole: by sort, a full shoe.
    """
    rows = block.rows
    known = CounterView(np.empty(rows, np.int64), np.empty(rows, np.int64), np.empty((rows, whole.size), np.int64))
    before_rounds(block.starts, block.shown, block.hidden, block.cards, tags, sort, whole, *known)
    return known


@compiled
def before_rounds(starts, shown, hidden, cards, tags, sort, whole, true, left, unseen):
    """Write what is known before each round.

    shown, hidden: by shoe, the burned cards that were shown, by rank, and how many were not.
    """
    for shoe in range(starts.size - 1):
        running, number = count_burn(shown[shoe], tags, whole.sum())
        known = whole.copy()
        for rank in range(tags.size):
            known[sort[rank]] -= shown[shoe, rank]
        for row in range(starts[shoe], starts[shoe + 1]):
            true[row], left[row] = true_count(running, number), number - hidden[shoe]
            for each in range(whole.size):
                unseen[row, each] = known[each]
            for k in range(6):
                rank = cards[k, row]
                if rank != 255:
                    running += tags[rank]
                    known[sort[rank]] -= 1
                    number -= 1


@compiled
def mark_played(starts, left, depth, last_hand, out):
    """By row: whether the round is played if the cover card lies at this depth, with or without a last hand."""
    for shoe in range(starts.size - 1):
        for row in range(starts[shoe], starts[shoe + 1]):
            out[row] = row == starts[shoe] or left[row - last_hand] >= depth
