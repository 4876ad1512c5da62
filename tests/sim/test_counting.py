"""What a counter sees and counts: the same in a study of counts, at a patron's seat and in an environment."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import floor

import numpy as np
import pytest

from baccarat import WagerKind, rulebook
from baccarat.cards import Card, Rank
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import open_book
from baccarat.play.shoe import burn, rounds
from baccarat.sim.stream import shoe
from baccarat.sim.study.book_arrays import RANKS, full_shoe, table_of
from baccarat.sim.study.counter_kernel import counter_view, in_thousandths
from baccarat.sim.study.counts import balance_tags, linear_count, study_counts
from baccarat.sim.study.patrons import study_patrons
from baccarat.sim.study.round_columns import records
from baccarat.sim.study.strategy import by_function, stake_from_count

TAGS = {Rank(word): -1 for word in "4567"} | {Rank(word): 2 for word in "89"}
FACE_DOWN, FACE_UP = (rulebook("ma-midi-4-ez", burn_exposure=how) for how in ("face_down", "face_up"))
ALL_SHOWN = rulebook("nj-punto-banco")
SHOES = 8
EVERY_BURN = pytest.mark.parametrize("rules", [FACE_DOWN, FACE_UP, ALL_SHOWN, rulebook("ma-midi-1")], ids=str)


def seen_in_shoe(rules: Rulebook, number: int) -> list[list[Card]]:
    """Before each round of a shoe, all cards that somebody at the table has seen, by the ordinary engine."""
    cards = shoe(rules, 1, number)
    burned = burn(rules, cards)
    dealt = [each for each in rounds(rules, cards, position=len(burned.cards)) if not each.coup.is_void]
    hands = [list(cards[each.position : each.position + each.coup.cards_dealt]) for each in dealt]
    return list(accumulate(hands[:-1], initial=list(burned.cards[: burned.exposed])))


@cache
def seen_before_rounds(rules: Rulebook) -> list[list[Card]]:
    """The same for all shoes, one after the other."""
    return [each for number in range(SHOES) for each in seen_in_shoe(rules, number)]


def true_count(rules: Rulebook, seen: list[Card]) -> Fraction:
    """For each deck not seen, what was seen beyond what a whole shoe would show."""
    mean = Fraction(sum(TAGS.values()), len(Rank))
    running = sum((TAGS.get(card.rank, 0) - mean for card in seen), start=Fraction(0))
    return running * 52 / (52 * int(rules.elects("decks")) - len(seen))


@cache
def true_counts(rules: Rulebook) -> list[Fraction]:
    """Before each round of all shoes, exactly."""
    return [true_count(rules, each) for each in seen_before_rounds(rules)]


@pytest.mark.slow
@pytest.mark.clause("MA-v1-3:5(e).5", "MA-v4:5(e).1", "MA-v4:5(e).2", "MA-v4:5(e).4", "NJ:3.5(e).5")
@EVERY_BURN
def test_a_counter_knows_what_the_table_was_shown_and_nothing_else(rules: Rulebook) -> None:
    (block,) = records(rules, seed=1, shoes=SHOES)
    table, decks = table_of(open_book(rules)), int(rules.elects("decks"))
    whole = full_shoe(open_book(rules))
    assert whole.tolist() == [16 * decks, *[4 * decks] * 9]
    true, left, unseen = counter_view(block, tags=balance_tags(TAGS), sort=table.worth, whole=whole)
    seen = seen_before_rounds(rules)
    assert true.tolist() == [floor(1000 * each) for each in true_counts(rules)]
    for row, each in zip(unseen, seen, strict=True):
        gone = Counter(int(table.worth[RANKS.index(card.rank)]) for card in each)
        assert row.tolist() == [int(whole[value]) - gone[value] for value in range(10)]
    hidden = [len(burned.cards) - burned.exposed for burned in (burn(rules, shoe(rules, 1, k)) for k in range(SHOES))]
    assert block.hidden.tolist() == hidden
    assert (left == unseen.sum(axis=1) - np.repeat(hidden, np.diff(block.starts))).all()


@pytest.mark.slow
@EVERY_BURN
@pytest.mark.parametrize("index", [4.0, 0.0, -1.3335, None])
def test_a_study_of_counts_and_a_patron_who_counts_wager_in_the_same_rounds(
    rules: Rulebook, index: float | None
) -> None:
    """Also on the boundary: None is a true count that is met here, and whose nearest thousandth lies above it."""
    on, stake, seen = WagerKind.TIE, 2_500, true_counts(rules)
    if index is None:
        index = float(next(each for each in seen if 0.5 < 1000 * each % 1 < 1))
    wagers = sum(each >= Fraction(round(1000 * index), 1000) for each in seen)
    assert 0 < wagers < len(seen)

    gain = study_counts(rules, linear_count(rules, on, tags=TAGS), seed=1, shoes=SHOES, index=index).depths[0]
    assert gain.counter.share * gain.rounds * SHOES == pytest.approx(wagers)

    patron = study_patrons(
        rules, [stake_from_count(on, stake, TAGS, index)], purse=10**9, seed=1, sessions=SHOES, shoes=1, threads=1
    ).seats[0]
    assert patron.staked * SHOES == pytest.approx(wagers * stake)


@pytest.mark.clause("MA-v1-3:5(e).5", "MA-v4:5(e).1", "MA-v4:5(e).2", "MA-v4:5(e).4", "NJ:3.5(e).5")
@EVERY_BURN
def test_an_environment_observes_the_cards_that_the_table_was_shown(rules: Rulebook) -> None:
    gym = pytest.importorskip("baccarat.sim.gym")
    single, several = gym.ShoeEnv(rules), gym.ShoeVectorEnv(2, rules)
    for env in (single, several):
        observed, info = env.reset(seed=3)
        seed, number = (int(np.ravel(info[name])[0]) for name in ("seed", "shoe"))
        burned = burn(rules, shoe(rules, seed, number))
        seen = Counter(card.rank for card in burned.cards[: burned.exposed])
        copies = 4 * int(rules.elects("decks"))
        expected = [(copies - seen[rank]) / copies for rank in RANKS]
        assert np.atleast_2d(observed)[0, : len(RANKS)].tolist() == pytest.approx(expected)
        assert np.atleast_2d(observed)[0, len(RANKS)] == pytest.approx(1 - seen.total() / (13 * copies))


def at_two_thirds(_table, own, stakes):  # type: ignore[no-untyped-def]
    """Two and a half thousand cents on the first wager from a true count of 0.667 on."""
    stakes[0] = 2_500 if own[3] >= 667 else 0


@pytest.mark.slow
def test_a_function_is_given_the_same_true_count() -> None:
    company = [
        by_function("two thirds", at_two_thirds, tags=TAGS),
        stake_from_count(WagerKind.PLAYER, 2_500, TAGS, 2 / 3),
    ]
    found = study_patrons(FACE_UP, company, purse=10**9, seed=1, sessions=SHOES, shoes=1, threads=1)
    assert found.seats[0].staked == found.seats[1].staked > 0


def test_an_index_is_read_to_the_nearest_thousandth() -> None:
    assert [in_thousandths(index) for index in (4, 0.1 + 0.2, 2 / 3, -2 / 3, -0.0004)] == [4000, 300, 667, -667, 0]
    found = study_counts(FACE_DOWN, linear_count(FACE_DOWN, WagerKind.DRAGON7, tags=TAGS), seed=1, shoes=2)
    assert found.index == 3.525
