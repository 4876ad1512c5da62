"""The worth of wagers in the middle of a round: against a slow derivation, and against the odds before the round."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from baccarat.cards import Card, Rank, Suit
from baccarat.law.rulebook import rulebook
from baccarat.odds import ShoeCounts, odds
from baccarat.odds.open_round import expected_gain
from baccarat.play.coup import deal
from baccarat.play.wager import Wager, WagerKind
from odds_slow import POINTS, rounds_by_rank

RANKS = tuple(Rank)
Settle = Callable[[int, int, int], Fraction]
ON: dict[WagerKind, Settle] = {
    WagerKind.PLAYER: lambda p, b, _: Fraction((p > b) - (p < b)),
    WagerKind.BANKER: lambda p, b, _: Fraction(95, 100) if b > p else Fraction(-1 if b < p else 0),
    WagerKind.TIE: lambda p, b, _: Fraction(8 if p == b else -1),
}


@pytest.mark.slow
@pytest.mark.parametrize("on", ON)
def test_the_mean_over_the_first_card_is_the_price_before_the_round(on: WagerKind) -> None:
    rules, shoe = rulebook("ma-midi-4", decks=6), ShoeCounts.full(6).without("9s 9h 8c Ad")
    wagers, total = [Wager(seat=1, on=on, stake=10_000)], Fraction(0)
    for rank, left in zip(RANKS, shoe.by_rank, strict=True):
        card = Card(rank, Suit.CLUBS)
        total += Fraction(left, shoe.size) * expected_gain(rules, wagers, shoe.without([card]), banker=[None, card])
    assert total == expected_gain(rules, wagers, shoe) == 10_000 * odds(rules, shoe)[on].expected


@pytest.mark.slow
@pytest.mark.parametrize("on", ON)
@pytest.mark.parametrize("hands", ["2s 3h 4d Kc", "6s 9h Td Tc", "5s As 5d 2c", "4s 9d 4d Qc"])
def test_after_the_first_four_cards_every_third_card_is_counted(on: WagerKind, hands: str) -> None:
    rules, cards = rulebook("ma-midi-4", decks=6), [Card.parse(word) for word in hands.split()]
    shoe = ShoeCounts.full(6).without(cards)
    player, banker = (cards[0], cards[2]), (cards[1], cards[3])
    ranks = [sorted(RANKS.index(card.rank) for card in hand) for hand in (player, banker)]
    (opened,) = (each for each in rounds_by_rank([24] * 13) if [sorted(each.player), sorted(each.banker)] == ranks)
    gained = sum(ways * ON[on](end[0], end[1], 0) for end, ways in opened.ends.items())
    expected = 2_500 * gained / sum(opened.ends.values())
    wagers = [Wager(seat=1, on=on, stake=1_000), Wager(seat=3, on=on, stake=1_500)]
    assert expected_gain(rules, wagers, shoe, player=player, banker=banker) == expected


def test_a_finished_round_is_worth_what_it_is_settled_for() -> None:
    rules, coup = rulebook("ma-midi-4"), deal(rulebook("ma-midi-4"), "2s 3h 2d Kc 4c 7h")
    shoe = ShoeCounts.full(8).without([*coup.player, *coup.banker])
    assert (coup.player_count, coup.banker_count) == (8, 0)
    wagers = [Wager(seat=1, on=WagerKind.PLAYER, stake=2_500)]
    assert expected_gain(rules, wagers, shoe, player=coup.player, banker=coup.banker) == 2_500
    assert POINTS[0] == 1


def test_without_a_wager_nothing_is_won() -> None:
    assert expected_gain(rulebook("ma-midi-4"), [], ShoeCounts.full(8)) == 0
