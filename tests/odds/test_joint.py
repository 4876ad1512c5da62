"""The joint table and the prices of remaining shoes: two derivations agree, and what cannot be is said so."""

from __future__ import annotations

from collections.abc import Callable
from math import nan, perm
from random import Random
from typing import Any

import pytest

from baccarat.cards import DECK, Card, Rank
from baccarat.law.fact import finish_index
from baccarat.law.rulebook import rulebook
from baccarat.odds import ShoeCounts, odds, press
from baccarat.odds.joint import joint_table
from baccarat.play.book import open_book
from baccarat.play.wager import BANKER, PLAYER, TIE, WagerKind
from odds_slow import (
    Finish,
    banker_gain,
    dragon_gain,
    finishes_by_multiset,
    finishes_by_rank,
    mean,
    player_gain,
    tie_gain,
)
from odds_slow import press as slow_press

pytestmark = pytest.mark.slow

BOOK = open_book(rulebook("ma-midi-4"))
FULL = (128, *[32] * 9)


def placed(ends: dict[Finish, int]) -> tuple[int, ...]:
    """Finishes in their places in a table of four hundred."""
    table = [0] * 400
    for finish, ways in ends.items():
        table[finish_index(*finish)] = ways
    return tuple(table)


def remaining(random: Random, most: tuple[int, ...], *, cards: int) -> list[int]:
    """So many cards of a shoe, at random."""
    shoe = [kind for kind, count in enumerate(most) for _ in range(count)]
    left = [0] * len(most)
    for kind in random.sample(shoe, cards):
        left[kind] += 1
    return left


def test_by_value_and_by_multiset_agree_on_depleted_shoes() -> None:
    random = Random(4)
    for turn in range(80):
        cards = random.randint(6, 60) if turn % 2 else random.randint(61, 416)
        values = remaining(random, FULL, cards=cards)
        if turn % 5 == 0:
            values[random.randrange(10)] = 0
        if sum(values) >= 6:
            found = joint_table(values, BOOK)
            assert found == placed(finishes_by_multiset(values)), values
            assert sum(found) == perm(sum(values), 6)


def test_by_value_and_by_rank_agree_on_short_shoes() -> None:
    random = Random(5)
    for _ in range(150):
        ranks = remaining(random, (32,) * 13, cards=random.randint(6, 11))
        values = ShoeCounts.of(ranks, decks=8).by_value
        ends, _ = finishes_by_rank(ranks)
        assert joint_table(values, BOOK) == placed(ends), ranks


@pytest.mark.parametrize(
    "values",
    [
        FULL,
        (96, *[24] * 9),
        (1_600, *[400] * 9),
        (6, *[0] * 9),
        (128, *[0] * 9),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 32),
        (0, 0, 0, 0, 0, 3, 3, 0, 0, 0),
        (1, 1, 1, 1, 1, 1, 0, 0, 0, 0),
        (0, 0, 6, 0, 0, 0, 0, 0, 0, 1),
    ],
)
def test_shoes_at_the_edge(values: tuple[int, ...]) -> None:
    found = joint_table(values, BOOK)
    assert sum(found) == perm(sum(values), 6)
    assert found == placed(finishes_by_multiset(values))


def test_only_tens_left_is_nothing_but_ties() -> None:
    prices = odds(rulebook("ma-midi-4"), ShoeCounts.of({"T": 2, "K": 4}, decks=8))
    assert prices[PLAYER].push == prices[TIE].hit == 1
    assert prices[PLAYER].edge == 0
    assert prices[PLAYER].edge_resolved is None
    assert prices[TIE].expected == 8
    assert prices[TIE].variance == 0
    assert WagerKind.ROYAL9 not in prices


def test_every_edge_of_short_shoes_is_that_of_a_second_derivation() -> None:
    random, rules = Random(6), rulebook("ma-midi-4", dragon_paytable="B")
    for _ in range(60):
        ranks = remaining(random, (32,) * 13, cards=random.randint(6, 10))
        ends, pairs = finishes_by_rank(ranks)
        prices = odds(rules, ShoeCounts.of(ranks, decks=8))
        assert prices[PLAYER].expected == mean(ends, {end: player_gain(end) for end in ends})
        assert prices[BANKER].expected == mean(ends, {end: banker_gain(end) for end in ends})
        assert prices[TIE].expected == mean(ends, {end: tie_gain(end) for end in ends})
        dragon = {end: dragon_gain(end, 1, "B") for end in ends}
        assert prices[WagerKind.DRAGON_BANKER].expected == mean(ends, dragon)
        ways = [line.combinations for line in prices[WagerKind.HOUSE_MONEY].lines]
        assert ways == [pairs[2], pairs[1], pairs[0]]


def test_the_press_of_short_shoes_is_that_of_a_second_derivation() -> None:
    random, rules = Random(7), rulebook("ma-midi-4")
    for _ in range(40):
        ranks = remaining(random, (32,) * 13, cards=random.randint(6, 12))
        ends, _ = finishes_by_rank(ranks)
        for onto, gain in ((PLAYER, player_gain), (BANKER, banker_gain)):
            found = press(rules, onto, ShoeCounts.of(ranks, decks=8))
            assert (-found.never, -found.always, -found.best) == slow_press(ranks, {end: gain(end) for end in ends})


# ------------------------------------------------------------------------------------------------- shoes


def test_a_shoe_is_known_by_cards_ranks_or_values() -> None:
    full = ShoeCounts.full(8)
    assert full.size == 416
    assert full.by_rank == (32,) * 13
    assert full.by_value == FULL
    assert ShoeCounts.of([32] * 13, decks=8).by_value == ShoeCounts.of(FULL, decks=8).by_value == FULL
    short = full.without("9s 9s Kd, Th")
    assert short.size == 412
    assert short.by_card[DECK.index(Card.parse("9s"))] == 6
    assert short.by_value == (126, *[32] * 8, 30)
    assert ShoeCounts.of(dict.fromkeys(DECK, 8), decks=8) == full
    assert ShoeCounts.of({"9s": 1, "10H": 2}, decks=2).size == 3
    assert ShoeCounts.of({"9": 1, "k": 2}, decks=8).by_rank[8:] == (1, 0, 0, 0, 2)
    assert ShoeCounts.of({Rank.ACE: 3}, decks=8) == ShoeCounts.of({"A": 3}, decks=8)
    assert ShoeCounts.of({0: 5, 9: 1}, decks=8).by_value == (5, *[0] * 8, 1)
    assert ShoeCounts.of([32] * 13, decks=8).without(["9s"]).by_rank[8] == 31
    assert ShoeCounts.of(FULL, decks=8).without(["Ks"]).by_value[0] == 127
    assert str(short) == "412 of 416 cards, known by cards"


def test_coarser_shoes_give_the_same_prices_and_say_what_they_cannot_price() -> None:
    rules = rulebook("ma-midi-4-royal9")
    shoes = [ShoeCounts.full(8).without("9s 8d 8d Kh"), ShoeCounts.of([32] * 7 + [30, 31, 32, 32, 32, 31], decks=8)]
    shoes.append(ShoeCounts.of(shoes[0].by_value, decks=8))
    by_card, by_rank, by_value = (odds(rules, shoe) for shoe in shoes)
    assert len(by_card) == 7
    assert len(by_rank) == 6
    assert len(by_value) == 5
    for on in (PLAYER, BANKER, TIE, WagerKind.DRAGON_PLAYER, WagerKind.DRAGON_BANKER):
        assert by_card[on].edge == by_rank[on].edge == by_value[on].edge
    assert by_card[WagerKind.HOUSE_MONEY].edge == by_rank[WagerKind.HOUSE_MONEY].edge
    with pytest.raises(ValueError, match="House Money needs the ranks of the shoe, which is known by values only"):
        by_value[WagerKind.HOUSE_MONEY]
    with pytest.raises(ValueError, match=r"Royal 9 .* needs the suits of the shoe, which is known by ranks only"):
        by_rank[WagerKind.ROYAL9]
    with pytest.raises(ValueError, match="total4 is not offered under ma-midi-4; priced: player, banker"):
        by_card[WagerKind.TOTAL4]
    assert "needs the ranks" in str(by_value)


BAD: list[tuple[Callable[[], Any], str]] = [
    (lambda: ShoeCounts.of([-1, *[32] * 12], decks=8), "ace: -1 left; a count is not negative"),
    (lambda: ShoeCounts.of([33, *[32] * 12], decks=8), "ace: 33 left; 8 decks hold no more than 32"),
    (lambda: ShoeCounts.of([129, *[32] * 9], decks=8), "cards worth 0: 129 left; 8 decks hold no more than 128"),
    (lambda: ShoeCounts.of([9, *[8] * 51], decks=8), "As: 9 left; 8 decks hold no more than 8"),
    (lambda: ShoeCounts.of([2, *[1] * 51], decks=1), "As: 2 left; one deck can hold no more than 1"),
    (lambda: ShoeCounts.of([True, *[8] * 51], decks=8), "As: a count is a whole number, not True"),
    (lambda: ShoeCounts.of([1.0, *[8] * 12], decks=8), "ace: a count is a whole number, not 1.0"),  # type: ignore[list-item]
    (lambda: ShoeCounts.of([nan, *[8] * 12], decks=8), "ace: a count is a whole number, not nan"),  # type: ignore[list-item]
    (lambda: ShoeCounts.of([8] * 11, decks=8), "52 counts by card, 13 by rank or 10 by value, not 11 counts"),
    (lambda: ShoeCounts.of([], decks=8), "not 0 counts"),
    (lambda: ShoeCounts.of({}, decks=8), "all cards .* all ranks .* or all values"),
    (lambda: ShoeCounts.of({"9s": 1, "K": 1}, decks=8), "all cards .* all ranks .* or all values"),
    (lambda: ShoeCounts.of({"9s": 1, "9S": 1}, decks=8), "names each kind of card once"),
    (lambda: ShoeCounts.of({"1s": 1}, decks=8), "'1s' is no card, rank or value"),
    (lambda: ShoeCounts.of({11: 1}, decks=8), "11 is no card, rank or value"),
    (lambda: ShoeCounts.full(0), "a whole number of decks, one at least, not 0"),
    (lambda: ShoeCounts.full(True), "a whole number of decks, one at least, not True"),
    (lambda: ShoeCounts.full(1).without("9s 9s"), "2 times 9s cannot have left this shoe: 9s: 1"),
    (lambda: ShoeCounts.full(1).without(["Xx"]), "no such card: 'Xx'"),
    (lambda: odds(rulebook("ma-midi-4"), ShoeCounts.of([5, *[0] * 12], decks=8)), "5 cards are left; a price needs 6"),
    (lambda: odds(rulebook("ma-midi-4", decks=6), ShoeCounts.full(8)), "As: 8 left; 6 decks hold no more than 6"),
    (lambda: ShoeCounts.of([0] * 10, decks=8).by_rank, "known by values only, and not by ranks"),
    (lambda: ShoeCounts.of([0] * 13, decks=8).by_card, "known by ranks only, and not by cards"),
]


@pytest.mark.parametrize(("made", "say"), BAD)
def test_a_shoe_that_cannot_be_is_refused_in_a_sentence(made: Callable[[], Any], say: str) -> None:
    with pytest.raises(ValueError, match=say):
        made()


def test_six_cards_are_enough() -> None:
    left = ShoeCounts.of({"A": 1, "2": 1, "4": 1, "6": 2, "9": 1}, decks=8)
    ends, _ = finishes_by_rank(left.by_rank)
    price = odds(rulebook("ma-midi-4"), left)[PLAYER]
    assert price.deals == 720 == sum(ends.values())
    assert price.expected == mean(ends, {end: player_gain(end) for end in ends}) != 0
