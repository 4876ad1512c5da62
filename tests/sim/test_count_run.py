"""Counts in the kernel: the true count before every round is that of the stream's cards."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from baccarat.cards import Rank
from baccarat.law.rulebook import rulebook
from baccarat.play.coup import deal_by
from baccarat.sim.count_run import count_run
from baccarat.sim.kernel_count import MOST_TRUE_COUNT, TRUE_COUNTS
from baccarat.sim.plan import NoFastPath, Plan, make_plan
from baccarat.sim.stream import shoe_by
from baccarat.sim.vector_run import run

pytestmark = pytest.mark.slow

PLAN = make_plan(rulebook("ma-midi-4"))
DRAGON_7 = {Rank(letter): tag for letter, tag in zip("456789", (-1, -1, -1, -1, 2, 2), strict=True)}
STEEP = {Rank(letter): tag for letter, tag in zip("A23456789", (20, -20, 15, -7, 3, -20, 20, 1, -12), strict=True)}


def expected(plan: Plan, tags: Mapping[Rank, int], first: int, shoes: int, rounds: int | None) -> NDArray[np.int64]:
    """The same, card by card."""
    table = np.zeros((TRUE_COUNTS, 400), np.int64)
    for number in range(first, first + shoes):
        shoe = shoe_by(plan.book, 7, number)
        running, left = tags.get(shoe.burn.rank, 0), sum(map(len, shoe.rounds))
        for cards in shoe.rounds_to(plan.source.depth) if rounds is None else shoe.rounds[:rounds]:
            true = max(-MOST_TRUE_COUNT, min(MOST_TRUE_COUNT, running * 52 // left))
            table[true + MOST_TRUE_COUNT, deal_by(plan.book, cards).index] += 1
            running += sum(tags.get(card.rank, 0) for card in cards)
            left -= len(cards)
    return table


@pytest.mark.parametrize("tags", [DRAGON_7, STEEP, {}], ids=["Dragon 7", "steep", "none"])
def test_true_counts_are_those_of_the_cards(tags: Mapping[Rank, int]) -> None:
    assert np.array_equal(count_run(PLAN, tags, 7, 3, 150), expected(PLAN, tags, 3, 150, None))


def test_all_rounds_are_counted_once() -> None:
    assert np.array_equal(count_run(PLAN, DRAGON_7, 7, 0, 4096).sum(axis=0), run(PLAN, 7, 0, 4096))


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(ValueError, match="ranks of one value have one tag"):
        count_run(PLAN, {Rank.KING: 1}, 7, 0, 1)
    with pytest.raises(ValueError, match="tags are whole numbers of -20 to 20"):
        count_run(PLAN, {Rank.ACE: 21}, 7, 0, 1)
    with pytest.raises(NoFastPath, match="all burned cards are shown"):
        count_run(make_plan(rulebook("nj-punto-banco")), DRAGON_7, 7, 0, 1)
    with pytest.raises(NoFastPath, match="totals"):
        count_run(make_plan(rulebook("ma-midi-4"), "pairs"), {}, 7, 0, 1)
