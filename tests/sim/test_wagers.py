"""Every wager over many shoes: the exact odds at fixed rounds, and the cut-card effect on two paths."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from baccarat import Kind, rulebook
from baccarat.cards import DECK, Card, Rank
from baccarat.odds import Counts, odds, royal9
from baccarat.odds.price import opening_deals
from baccarat.play.book import open_book
from baccarat.sim.stream import shoe_by
from baccarat.sim.study.cut_card import cut_card_effect, held, pair_chances, pair_gains, surely
from baccarat.sim.study.record import records
from baccarat.sim.study.royal9_odds import SORTS, Royal9Edges
from baccarat.sim.study.wagers import study_wagers


def test_every_shoe_has_as_many_rounds_as_surely_says() -> None:
    for rules in (rulebook("ma-midi-4"), rulebook("nj-punto-banco", decks=6, cover_card_depth=100)):
        for block in records(rules, seed=1, shoes=2_000):
            assert (block.starts[1:] - block.starts[:-1]).min() >= surely(rules)


def test_z_beside_an_edge_is_that_of_the_edge() -> None:
    found = study_wagers(rulebook("ma-midi-4"), seed=6, shoes=200, effect_shoes=2)
    for each in found.wagers:
        assert each.fixed_z == pytest.approx((each.fixed - each.exact) / each.fixed_error)
        assert each.to_cover_z == pytest.approx((each.to_cover - each.exact) / each.to_cover_error)


def test_more_rounds_than_every_shoe_holds_are_not_compared_with_exact_odds() -> None:
    rules = rulebook("ma-midi-4")
    assert study_wagers(rules, seed=6, shoes=8, effect_shoes=2, rounds=67).rounds_at_fixed == 8 * 67
    with pytest.raises(ValueError, match="not every shoe has cards for them; 1 to 67"):
        study_wagers(rules, seed=6, shoes=8, effect_shoes=2, rounds=68)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), [("ma-midi-4-ez", Kind.DRAGON7), ("ma-midi-4-royal9", Kind.ROYAL9)])
def test_means_are_exact_at_fixed_rounds_and_the_effect_is_what_lies_between(name: str, kind: Kind) -> None:
    found = study_wagers(rulebook(name), seed=6, shoes=30_000, effect_shoes=1_000)
    assert found.rounds_at_fixed == 30_000 * 60
    assert {each.on for each in found.wagers} >= {Kind.PLAYER, Kind.BANKER, Kind.TIE, Kind.HOUSE_MONEY, kind}
    for each in found.wagers:
        assert each.fixed_z is not None
        assert abs(each.fixed_z) < 4
        assert each.effect is not None
        assert each.effect_error is not None
        error = (each.to_cover_error**2 + each.effect_error**2) ** 0.5
        assert abs(each.to_cover - each.exact - each.effect) < 4 * error
        assert (
            each.effect_error < each.to_cover_error
        )  # a thousand shoes tell more than the results of thirty times as many


def test_shoes_hold_the_rounds_that_the_effect_counts_on() -> None:
    for rules in (rulebook("ma-midi-4"), rulebook("nj-punto-banco", decks=6)):
        assert held(rules) > surely(rules)
        for block in records(rules, seed=7, shoes=6_000, rounds=1_000):
            assert (block.starts[1:] - block.starts[:-1]).min() >= held(rules)


def test_an_effect_needs_shoes_that_differ() -> None:
    with pytest.raises(ValueError, match="two at least"):
        cut_card_effect(rulebook("ma-midi-4"), seed=1, shoes=1)


def shoes_left(seed: int, number: int, decks: int) -> list[Counts]:
    """Remaining shoes by chance, known by card, some of them nearly empty."""
    chance = Random(seed)
    cards = list(DECK) * decks
    return [
        Counts.full(decks).without(chance.sample(cards, chance.choice([0, 20, 200, 52 * decks - 30, 52 * decks - 8])))
        for _ in range(number)
    ]


def test_chances_of_pairs_from_many_shoes_are_those_of_each() -> None:
    shoes = shoes_left(1, 40, 8)
    found = pair_chances(np.array([shoe.by_rank for shoe in shoes]))
    for shoe, chances in zip(shoes, found.T, strict=True):
        assert chances == pytest.approx([ways / shoe.deals for ways in opening_deals(shoe)], abs=1e-12)
    rules = rulebook("ma-midi-4")
    full = pair_chances(np.full((1, 13), 32))[:, 0]
    edge = -pair_gains(open_book(rules), Kind.HOUSE_MONEY) @ full
    assert edge == pytest.approx(float(odds(rules)[Kind.HOUSE_MONEY].edge), abs=1e-12)


@pytest.mark.parametrize("name", ["ma-midi-1-royal9", "ma-midi-4-royal9"])
def test_edges_of_royal_9_from_many_shoes_are_those_of_each(name: str) -> None:
    rules = rulebook(name)
    shoes = shoes_left(2, 12, 8)
    left = np.array([[shoe.by_card[DECK.index(card)] for card in SORTS] for shoe in shoes])
    found = Royal9Edges(open_book(rules)).edges(left, np.array([shoe.size for shoe in shoes]))
    for shoe, edge in zip(shoes, found, strict=True):
        assert edge == pytest.approx(float(royal9(rules, shoe, seats=(1,)).chairs[1].edge), abs=1e-9)


def test_edges_before_late_rounds_are_those_of_the_cards_that_are_left() -> None:
    rules = rulebook("ma-midi-4-royal9")
    book, base = open_book(rules), 78
    late = Royal9Edges(book).late_rounds(3, 10, 40, base)
    rows, burned = list(zip(late.shoe.tolist(), late.edge.tolist(), strict=True)), set()
    assert late.rounds == sum(len(shoe_by(book, 3, 10 + shoe).rounds_to(14)) for shoe in range(40))
    for shoe in range(0, 40, 4):
        dealt = shoe_by(book, 3, 10 + shoe)
        burned.add(dealt.burn.rank in (Rank.NINE, Rank.JACK, Rank.QUEEN, Rank.KING))
        edges = [edge for number, edge in rows if number == shoe]
        rounds = dealt.rounds_to(14)
        assert len(edges) == max(0, len(rounds) - base)
        for number, edge in enumerate(edges, start=base):
            seen = Counts.full(8).without([card for cards in rounds[:number] for card in cards])
            assert edge == pytest.approx(float(mean_edge(rules, seen, dealt.burn)), abs=1e-9)
    assert burned == {False, True}, "both are met: a burned card that matters, and one that does not"


def mean_edge(rules: Any, seen: Counts, burn: Card) -> Fraction:
    """The edge after a card of this rank has left the shoe, in the mean over its suits."""
    same = [card for card in DECK if card.rank is burn.rank]
    left = {card: seen.by_card[DECK.index(card)] for card in same}
    edges = [left[card] * royal9(rules, seen.without([card]), seats=(1,)).chairs[1].edge for card in same if left[card]]
    return sum(edges, Fraction(0)) / sum(left.values())


def test_where_no_kernel_knows_the_suits_royal_9_has_no_cut_card_effect() -> None:
    found = study_wagers(rulebook("ma-midi-4-royal9", cover_card_depth=1), seed=1, shoes=4, effect_shoes=2)
    by_kind = {each.on: each for each in found.wagers}
    assert by_kind[Kind.ROYAL9].effect is None
    assert by_kind[Kind.HOUSE_MONEY].effect is not None
    assert by_kind[Kind.ROYAL9].name.endswith("chair 1")
    assert found.meters == {"star": 5_000_000, "spade": 35_000, "heart": 35_000}
    assert study_wagers(rulebook("ma-midi-4"), seed=1, shoes=4, effect_shoes=2).meters == {}
