"""A house that chooses the last contribution: blindly if one witness is honest; with none it wins, as verify says."""

from __future__ import annotations

import sys

import pytest

from baccarat.cards import decks
from baccarat.play.coup import deal
from baccarat.play.hand import Side
from baccarat.shuffle import cut, order_2
from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import grind

pytestmark = pytest.mark.slow
SHOES, TRIES = 5, 3_000


def test_orders_are_derived_and_dealt_as_the_program_does() -> None:
    """The quick lines of the script against the program's: order, burn and every round."""
    for number in range(20):
        seed, inputs, shares = (grind.derived_bytes(number, what) for what in ("seed", "inputs", "share"))
        order = order_2(seed, size=416, shoe="17", inputs=inputs, shares=[shares])
        cards, in_front = [decks(8)[index] for index in order], 30 + 17 * number
        codes = grind.derive(seed, shoe="17", inputs=inputs, shares=[shares])
        assert codes == grind.codes_of(cards)
        left, balance = list(cut(cards, in_front)), 0
        left = left[1 + grind.codes_of(left[:1])[0] :]
        for _ in range(grind.ROUNDS):
            coup = deal(grind.RULES, left[:6], rest_of_shoe=True)
            left = left[len(coup.player) + len(coup.banker) :]
            balance += {Side.PLAYER: 1, Side.BANKER: -1, None: 0}[coup.winner]
        assert grind.player_balance(codes, in_front) == balance


def test_with_no_witness_the_house_wins_and_the_verdict_says_that_it_could_have_known() -> None:
    found = grind.grind(shoes=SHOES, tries=TRIES, colluders=0, is_watched=False, seed=1)
    assert [each.lost for each in found.results] == [each.expected for each in found.results], "it knew every order"
    assert found.lost > 2 * (grind.band_of(SHOES).mean + grind.band_of(SHOES).width)
    assert found.orders == ("orders of shoes 1, 2, 3, 4, 5: the house alone could have known them beforehand",)


def test_one_honest_witness_is_enough_that_honest_people_lose_what_the_odds_say() -> None:
    found = grind.grind(shoes=SHOES, tries=TRIES, colluders=2, is_watched=True, seed=1)
    assert sum(each.expected for each in found.results) > grind.band_of(SHOES).width, "it hoped for more"
    assert found.lost in grind.band_of(SHOES)
    assert all(each.is_refused for each in found.results), "no second closing is cosigned"
    assert found.orders == tuple(f"order of shoe {shoe}: 3 witnesses named, 3 shown" for shoe in range(1, SHOES + 1))
