"""The exact odds of wagers on pairs before many rounds, from the unseen cards by rank."""

from __future__ import annotations

import numpy as np

from baccarat.law.rulebook import Rulebook
from baccarat.odds.gain import unit_gain
from baccarat.play.book import Book, open_book
from baccarat.play.wager import WagerKind
from baccarat.sim.stream import source_of
from baccarat.sim.study.book_arrays import RANKS, Floats, Integers
from baccarat.sim.study.round_columns import RoundColumns


def pair_chances(unseen: Integers) -> Floats:
    """[opening, row]: the chances of no pair, the Banker's, the Player's and both, from the cards left by rank."""
    left = unseen.astype(np.float64)
    size, pairs = left.sum(axis=1), left * (left - 1)
    one = pairs.sum(axis=1)
    both = (pairs * (one[:, None] - pairs + (left - 2) * (left - 3))).sum(axis=1)
    both /= size * (size - 1) * (size - 2) * (size - 3)
    alone = one / (size * (size - 1)) - both
    return np.array([1 - both - 2 * alone, alone, alone, both])


def pair_gains(book: Book, kind: WagerKind) -> Floats:
    """What a unit gains with no pair, the Banker's, the Player's and both."""
    if kind in book.openings:
        return np.array([float(unit_gain(book, verdict)) for verdict in book.openings[kind]])
    none, one, two = (float(unit_gain(book, verdict)) for verdict in book.early[kind])
    return np.array([none, one, one, two])


def unseen_ranks(rules: Rulebook, block: RoundColumns) -> tuple[Integers, Integers]:
    """By row, before the round: the cards not seen, by rank, and how many cards are left to be dealt."""
    from baccarat.sim.study.counter_kernel import counter_view  # noqa: PLC0415  numba takes up to a second to import

    no_tags, order = np.zeros(len(RANKS), np.int64), np.arange(len(RANKS), dtype=np.uint8)
    whole = np.full(len(RANKS), source_of(open_book(rules)).copies)
    known = counter_view(block, tags=no_tags, sort=order, whole=whole)
    return known.unseen, known.left
