"""Every wager over many shoes: the exact odds at fixed rounds, and the cut-card effect on two paths."""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from typing import Any

import numpy as np
import pytest

from baccarat import WagerKind, rulebook
from baccarat.cards import DECK, Card, Rank
from baccarat.law.rulebook import Rulebook
from baccarat.odds import ShoeCounts, bulk, odds, royal9
from baccarat.odds.price import opening_deals
from baccarat.picture.wagers_plot import wagers_plot
from baccarat.play.book import open_book
from baccarat.play.coup import deal_by
from baccarat.sim.estimate import SIGMAS_95
from baccarat.sim.stream import simulate_shoe
from baccarat.sim.study import cut_card
from baccarat.sim.study.cut_card import cut_card_effect, full_shoe_weights, last_sure_rows, sure_rounds, usual_rounds
from baccarat.sim.study.pair_odds import pair_chances, pair_gains
from baccarat.sim.study.round_columns import DEALT, records
from baccarat.sim.study.royal9_odds import SORTS, Royal9Edges
from baccarat.sim.study.wagers import study_wagers


def test_every_shoe_has_as_many_rounds_as_surely_says() -> None:
    for rules in (rulebook("ma-midi-4"), rulebook("nj-punto-banco", decks=6, cover_card_depth=100)):
        for block in records(rules, seed=1, shoes=2_000):
            assert (block.starts[1:] - block.starts[:-1]).min() >= sure_rounds(rules)


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
@pytest.mark.parametrize(
    ("name", "kind"), [("ma-midi-4-ez", WagerKind.DRAGON7), ("ma-midi-4-royal9", WagerKind.ROYAL9)]
)
def test_means_are_exact_at_fixed_rounds_and_the_effect_is_what_lies_between(name: str, kind: WagerKind) -> None:
    found = study_wagers(rulebook(name), seed=6, shoes=30_000, effect_shoes=1_000)
    assert found.rounds_at_fixed == 30_000 * 60
    assert {each.on for each in found.wagers} >= {
        WagerKind.PLAYER,
        WagerKind.BANKER,
        WagerKind.TIE,
        WagerKind.HOUSE_MONEY,
        kind,
    }
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


def small_shoes(rules: Rulebook, threes: int, nines: int, depth: int) -> tuple[Any, Any, Any]:
    """Every order of a shoe of threes and nines: where it begins, and before its rounds the cards left and the edge.

    A round is dealt where the cover card has not come out before the round before it, if there are cards for it.
    """
    book, size = open_book(rules), threes + nines
    three, nine = Card.parse("3S"), Card.parse("9S")
    taken, edges = {}, {}
    for bits in product((0, 1), repeat=6):
        coup = deal_by(book, tuple(nine if bit else three for bit in bits))
        taken[bits] = len(coup.player) + len(coup.banker)
    starts, left, edge = [0], [], []
    for chosen in combinations(range(size), nines):
        order = [int(k in chosen) for k in range(size)]
        at, before = 0, size
        while before >= depth and size - at >= 4:
            cards = (*order[at : at + 6], *(0,) * 6)[:6]
            if taken[cards] > size - at:
                break
            shown = sum(order[:at])
            if size - at >= 6 and (shown, at) not in edges:
                worth = [0, 0, 0, threes - at + shown, 0, 0, 0, 0, 0, nines - shown]
                edges[shown, at] = float(
                    bulk.edges(rules, np.array([worth]), wagers=[WagerKind.BANKER])[WagerKind.BANKER][0]
                )
            left.append(size - at)
            edge.append(edges.get((shown, at), np.nan))
            before, at = size - at, at + taken[cards]
        starts.append(len(left))
    return np.array(starts), np.array(left), np.array(edge)


def test_odds_that_are_taken_like_the_first_are_a_full_shoes_in_the_mean_over_every_order_of_a_small_shoe() -> None:
    starts, left, edge = small_shoes(rulebook("ma-midi-4"), 8, 9, depth=7)
    shoes = len(starts) - 1
    shoe = np.repeat(np.arange(shoes), np.diff(starts))
    number, last = np.arange(len(left)) - starts[shoe], last_sure_rows(starts, left)
    assert shoes == 24_310
    assert len(set((last - starts[:-1]).tolist())) > 1, "not all shoes stop with the same round"
    for base in (1, 2, 3, 7):
        taken = full_shoe_weights(number, last[shoe], base)
        assert (np.bincount(shoe, taken) == base).all()
        assert (left[taken > 0] >= 6).all()
        assert (taken[taken > 0] * edge[taken > 0]).sum() / shoes == pytest.approx(base * edge[0], abs=1e-9)
    dealt = ~np.isnan(edge)
    assert abs(edge[dealt].mean() - edge[0]) > 1e-5, "the rounds that are dealt have a cut-card effect"


@pytest.mark.slow
def test_the_effect_does_not_hang_on_how_many_rounds_shoes_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rulebook("nj-punto-banco", decks=6)
    found = cut_card_effect(rules, seed=7, shoes=4_000)
    for rounds in (sure_rounds(rules), usual_rounds(rules) + 3, 200):
        monkeypatch.setattr(cut_card, "usual_rounds", lambda _, rounds=rounds: rounds)
        for kind, other in cut_card_effect(rules, seed=7, shoes=4_000).items():
            assert abs(other.mean - found[kind].mean) < 4 * max(other.error, found[kind].error)
            assert other.error > found[kind].error


@pytest.mark.slow
def test_rounds_of_four_cards_grow_rarer_late_in_a_shoe_and_rounds_of_six_more_frequent() -> None:
    found = cut_card_effect(rulebook("nj-punto-banco"), seed=1, shoes=8_000)
    four, six = found[WagerKind("total4")], found[WagerKind("total6")]
    assert four.mean > 3 * four.error
    assert six.mean < -3 * six.error
    for effect in found.values():
        shares = [late.share for late in effect.late]
        assert shares[0] == 1
        assert shares == sorted(shares, reverse=True)
        assert abs(effect.late[0].above) < 4 * effect.late[0].error, "a round that every shoe has is like the first"
    assert all(four.late[k].above > 0 > six.late[k].above for k in (11, 12)), (
        "those that half and a quarter have are not"
    )


def test_late_rounds_add_up_to_the_effect_where_they_are_all_that_differs() -> None:
    rules = rulebook("ma-midi-4-royal9")
    rounds = study_wagers(rules, seed=3, shoes=500, effect_shoes=2).rounds_to_cover / 500
    for kind, effect in cut_card_effect(rules, seed=3, shoes=500).items():
        total = sum(late.share * late.above for late in effect.late) / rounds
        error = sum(late.share * late.error for late in effect.late) / rounds
        assert abs(total - effect.mean) < 4 * error, kind


@pytest.mark.slow
def test_the_effect_at_a_cover_card_so_deep_that_cards_run_out_is_that_of_the_results() -> None:
    found = study_wagers(rulebook("ma-midi-4-ez", cover_card_depth=1), seed=3, shoes=200_000, effect_shoes=4_000)
    by_kind = {each.on: each for each in found.wagers}
    for each in found.wagers:
        assert each.effect is not None
        assert each.effect_error is not None
        error = (each.to_cover_error**2 + each.effect_error**2) ** 0.5
        assert abs(each.to_cover - each.exact - each.effect) < 4 * error
    dragon = by_kind[WagerKind.DRAGON7]
    assert dragon.effect is not None
    assert dragon.effect > 4 * (dragon.effect_error or 1), "a last round of four cards is played, one of six is void"


def test_an_effect_needs_shoes_that_differ() -> None:
    with pytest.raises(ValueError, match="at least two"):
        cut_card_effect(rulebook("ma-midi-4"), seed=1, shoes=1)


def test_what_would_take_years_or_cannot_be_recorded_is_refused_before_any_shoe_is_dealt() -> None:
    rules, dealt = rulebook("ma-midi-4"), DEALT.shoes
    with pytest.raises(ValueError, match=r"1,000,000,000,000,000 shoes: a cut-card effect .* 1,000,000,000 at most"):
        study_wagers(rules, seed=1, shoes=10**8, effect_shoes=10**15)
    with pytest.raises(ValueError, match=r"shoes: 1000000000000000; expected 1,000,000,000,000 at most"):
        study_wagers(rules, seed=1, shoes=10**15, effect_shoes=2)
    huge = rulebook("ma-midi-4", decks=700, discard_rack_decks=700)
    with pytest.raises(ValueError, match="fewer than 32,767 cards"):
        study_wagers(huge, seed=1, shoes=10**8, effect_shoes=2)
    assert DEALT.shoes == dealt


@pytest.mark.parametrize("decks", [97, 150])
def test_the_effect_takes_every_round_of_a_very_large_shoe(decks: int) -> None:
    rules = rulebook("ma-midi-4", decks=decks, discard_rack_decks=decks)
    longest = max(int(np.diff(block.starts).max()) for block in records(rules, seed=1, shoes=6))
    assert longest > 1_000
    late = cut_card_effect(rules, seed=1, shoes=6)[WagerKind.BANKER].late
    assert late[-1].number <= longest < late[-1].number + 2 * cut_card.ROUNDS_BEFORE


def shoes_left(seed: int, number: int, decks: int) -> list[ShoeCounts]:
    """Remaining shoes by chance, known by card, some of them nearly empty."""
    chance = Random(seed)
    cards = list(DECK) * decks
    return [
        ShoeCounts.full(decks).without(
            chance.sample(cards, chance.choice([0, 20, 200, 52 * decks - 30, 52 * decks - 8]))
        )
        for _ in range(number)
    ]


def test_chances_of_pairs_from_many_shoes_are_those_of_each() -> None:
    shoes = shoes_left(1, 40, 8)
    found = pair_chances(np.array([shoe.by_rank for shoe in shoes]))
    for shoe, chances in zip(shoes, found.T, strict=True):
        assert chances == pytest.approx([ways / shoe.deals for ways in opening_deals(shoe)], abs=1e-12)
    rules = rulebook("ma-midi-4")
    full = pair_chances(np.full((1, 13), 32))[:, 0]
    edge = -pair_gains(open_book(rules), WagerKind.HOUSE_MONEY) @ full
    assert edge == pytest.approx(float(odds(rules)[WagerKind.HOUSE_MONEY].edge), abs=1e-12)


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
    assert late.rounds == sum(len(simulate_shoe(book, 3, 10 + shoe).rounds_to(14)) for shoe in range(40))
    for shoe in range(0, 40, 4):
        dealt = simulate_shoe(book, 3, 10 + shoe)
        burned.add(dealt.burn.rank in (Rank.NINE, Rank.JACK, Rank.QUEEN, Rank.KING))
        edges = [edge for number, edge in rows if number == shoe]
        rounds = dealt.rounds_to(14)
        assert len(edges) == max(0, len(rounds) - base)
        for number, edge in enumerate(edges, start=base):
            seen = ShoeCounts.full(8).without([card for cards in rounds[:number] for card in cards])
            price = royal9(rules, seen.without([dealt.burn]), seats=(1,)).chairs[1]
            assert edge == pytest.approx(float(price.edge), abs=1e-9)
    assert burned == {False, True}, "both are met: a burned card that matters, and one that does not"


@pytest.mark.slow
def test_where_a_last_round_may_lack_cards_royal_9_has_no_cut_card_effect() -> None:
    found = study_wagers(rulebook("ma-midi-4-royal9", cover_card_depth=1), seed=1, shoes=4, effect_shoes=2)
    by_kind = {each.on: each for each in found.wagers}
    assert by_kind[WagerKind.ROYAL9].effect is None
    assert by_kind[WagerKind.HOUSE_MONEY].effect is not None
    assert by_kind[WagerKind.ROYAL9].name.endswith("chair 1")
    assert found.meters == {"star": 5_000_000, "spade": 35_000, "heart": 35_000}
    assert study_wagers(rulebook("ma-midi-4"), seed=1, shoes=4, effect_shoes=2).meters == {}


def test_the_picture_shows_the_effect_on_every_wager_with_its_interval_and_by_round() -> None:
    found = study_wagers(rulebook("nj-punto-banco"), seed=1, shoes=8, effect_shoes=300)
    picture = wagers_plot(found)
    for each in found.wagers:
        assert each.effect is not None
        assert each.effect_error is not None
        figure = f"{100 * each.effect:+.5f} ± {100 * SIGMAS_95 * each.effect_error:.5f} %".replace("-", "−")
        assert f">{each.name}<" in picture
        assert f">{figure}<" in picture
    assert picture.count("<circle") == len(found.wagers)
    assert picture.count(", and its 95 % interval<") == 2
    assert "round of the shoe" in picture
    assert "nan" not in picture


def test_a_wager_whose_effect_is_not_known_is_left_out_of_the_picture() -> None:
    found = study_wagers(rulebook("ma-midi-4-royal9", cover_card_depth=1), seed=1, shoes=4, effect_shoes=2)
    picture = wagers_plot(found)
    assert picture.count("<circle") == len(found.wagers) - 1
    assert "Royal 9" not in picture
