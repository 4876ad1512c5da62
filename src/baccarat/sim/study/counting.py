"""Counting cards, compiled: what a counter knows before each round on record. This module imports numba."""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: PLR0913, PLR0917

from __future__ import annotations

from baccarat.sim.study.compiled import compiled


@compiled
def before_rounds(starts, burned, burnt, cards, tags, worth, whole, running, left, unseen):
    """By row: the running count, the cards left to be dealt, and by value the cards not seen, before the round.

    The first card burned has been seen; those burned after it have not, and count as if they were still in the shoe.
    """
    for shoe in range(starts.size - 1):
        count, size = tags[burned[shoe]], whole.sum() - 1 - burnt[burned[shoe]]
        known = whole.copy()
        known[worth[burned[shoe]]] -= 1
        for row in range(starts[shoe], starts[shoe + 1]):
            running[row], left[row] = count, size
            for value in range(10):
                unseen[row, value] = known[value]
            for k in range(6):
                rank = cards[k, row]
                if rank != 255:
                    count += tags[rank]
                    known[worth[rank]] -= 1
                    size -= 1


@compiled
def played(starts, left, depth, last_hand, out):
    """By row: whether the round is played where the cover card lies at this depth, with or without a last hand."""
    for shoe in range(starts.size - 1):
        for row in range(starts[shoe], starts[shoe + 1]):
            out[row] = row == starts[shoe] or left[row - last_hand] >= depth
