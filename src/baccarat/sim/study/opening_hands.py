"""Opening hands on record: the rounds of many shoes in which a hand is a Royal 9, suits included.

They are the shoes that every engine deals, so a round with an award can be dealt again by its seed and shoe.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from baccarat.odds.royal9 import HANDS, OTHER, hand_number
from baccarat.play.book import Book
from baccarat.play.coup import deal_by
from baccarat.sim.plan import FIRST_ROYAL, KernelPlan, NoFastPath, plan_for_book, royal_hand, royal_marks
from baccarat.sim.stream import simulate_shoe, source_of
from baccarat.sim.study.book_arrays import Bytes, Integers
from baccarat.sim.study.round_columns import DEALT

ALL_HANDS = len(HANDS) ** 2
"""How many pairs of opening hands there are; each is the Player's number times `len(HANDS)`, plus the Banker's."""


class Openings(NamedTuple):
    """The rounds of some shoes to the cover card, and a row for each of them in which a hand is a Royal 9."""

    rounds: Integers
    """By shoe: how many rounds it had."""
    shoe: Integers
    """By row: which of these shoes, from zero."""
    number: Integers
    """By row: which round of the shoe, from zero."""
    hands: Integers
    """By row: the pair of opening hands, below `ALL_HANDS`."""


def openings(book: Book, seed: int, first: int, shoes: int) -> Openings:
    """The openings of shoes `first` to `first + shoes - 1`: by the kernel, or shoe by shoe where it cannot be used."""
    try:
        found = _by_kernel(plan_for_book(book, "royal9"), seed, first, shoes)
    except NoFastPath:
        found = by_shoe(book, seed, first, shoes)
    DEALT.add(shoes)
    return found


def _by_kernel(plan: KernelPlan, seed: int, first: int, shoes: int) -> Openings:
    from baccarat.sim.kernel_rounds import records  # noqa: PLC0415  numba takes up to a second to import

    rows = records(plan, seed, first, shoes)
    player, banker = hands_dealt(plan, rows.cards)
    royal = np.flatnonzero((player != OTHER) | (banker != OTHER))
    shoe = rows.shoe - first
    return Openings(
        np.bincount(shoe, minlength=shoes), shoe[royal], rows.number[royal].astype(np.int64) - 1,
        player[royal] * len(HANDS) + banker[royal],
    )  # fmt: skip


def hands_dealt(plan: KernelPlan, cards: Bytes) -> tuple[Integers, Integers]:
    """By row, the opening hands of the Player and of the Banker: their numbers in `odds.royal9.HANDS`."""
    marks = np.array(royal_marks(plan), np.uint8)
    number_of = np.full(256, OTHER, np.int64)
    number_of[FIRST_ROYAL : FIRST_ROYAL + OTHER] = [royal_hand(code) for code in range(OTHER)]
    opening = marks[cards[:, :4]]
    return number_of[opening[:, 0] + opening[:, 2]], number_of[opening[:, 1] + opening[:, 3]]


def by_shoe(book: Book, seed: int, first: int, shoes: int) -> Openings:
    """The same by the definition of the stream: some milliseconds per shoe, at any depth of the cover card."""
    depth = source_of(book).depth
    lengths, rows = [], []
    for index in range(shoes):
        rounds = simulate_shoe(book, seed, first + index).rounds_to(depth)
        if rounds and deal_by(book, rounds[-1]).is_void:  # the shoe did not have the cards for it
            rounds = rounds[:-1]
        lengths.append(len(rounds))
        for number, cards in enumerate(rounds):
            player, banker = (hand_number(*cards[side:4:2]) for side in (0, 1))
            if (player, banker) != (OTHER, OTHER):
                rows.append((index, number, player * len(HANDS) + banker))
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    return Openings(np.array(lengths, np.int64), *columns)
