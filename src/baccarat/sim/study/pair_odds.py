"""The exact odds of wagers on pairs before many rounds at once: from the cards not seen, by rank."""

from __future__ import annotations

import numpy as np

from baccarat.law.rulebook import Rulebook
from baccarat.odds.gain import unit_gain
from baccarat.play.book import Book
from baccarat.play.wager import Kind
from baccarat.sim.study.record import Records
from baccarat.sim.study.table import RANKS, Bytes, Floats, Integers

SORTS = 10
"""So many sorts of cards compiled code tells apart."""
OTHERS = len(RANKS) - SORTS


def pair_chances(unseen: Integers) -> Floats:
    """[opening, row]: the chances of no pair, the Banker's, the Player's and both, from the cards left by rank."""
    left = unseen.astype(np.float64)
    size, pairs = left.sum(axis=1), left * (left - 1)
    one = pairs.sum(axis=1)
    both = (pairs * (one[:, None] - pairs + (left - 2) * (left - 3))).sum(axis=1)
    both /= size * (size - 1) * (size - 2) * (size - 3)
    alone = one / (size * (size - 1)) - both
    return np.array([1 - both - 2 * alone, alone, alone, both])


def pair_gains(book: Book, kind: Kind) -> Floats:
    """What a unit gains with no pair, the Banker's, the Player's and both."""
    if kind in book.openings:
        return np.array([float(unit_gain(book, verdict)) for verdict in book.openings[kind]])
    none, one, two = (float(unit_gain(book, verdict)) for verdict in book.early[kind])
    return np.array([none, one, one, two])


def unseen_ranks(rules: Rulebook, block: Records) -> tuple[Integers, Integers]:
    """By row, before the round: the cards not seen, by rank, and how many cards are left to be dealt."""
    copies = np.full(len(RANKS), 4 * int(rules.elects("decks")))
    order = np.arange(len(RANKS), dtype=np.uint8)
    first, left = _before(block, order, copies)
    # compiled code tells ten sorts of cards apart: the other three ranks come first in a second turn
    last, _ = _before(block, (order + np.uint8(OTHERS)) % np.uint8(len(RANKS)), copies)
    return np.concatenate([first, last[:, :OTHERS]], axis=1), left


def _before(block: Records, sort: Bytes, whole: Integers) -> tuple[Integers, Integers]:
    """By row, before the round: the cards not seen of the first ten sorts, and how many cards are left to be dealt."""
    from baccarat.sim.study.counting import before_rounds  # noqa: PLC0415  numba takes up to a second to import

    no_tags = np.zeros(len(RANKS), np.int64)
    true, left = np.empty(block.rows, np.int64), np.empty(block.rows, np.int64)
    unseen = np.empty((block.rows, SORTS), np.int64)
    before_rounds(
        block.starts, block.shown, block.hidden, block.cards, no_tags, sort, whole, true, left, unseen
    )  # fmt: skip
    return unseen, left
