"""Known exact figures, to all digits that are printed: eight decks and six."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.money import dollars
from baccarat.odds import odds, press, together
from baccarat.odds.show import percent
from baccarat.play.wager import BANKER, PLAYER, TIE, WagerKind
from odds_slow import (
    Finish,
    banker_gain,
    dragon7_gain,
    dragon_gain,
    finishes_by_rank,
    mean,
    panda8_gain,
    player_gain,
    tie_gain,
    total_gain,
)
from odds_slow import press as slow_press

MA, EZ, NJ, HALF = "ma-midi-4", "ma-midi-4-ez", "nj-punto-banco", "nj-punto-banco-six-half"

FIGURES: list[tuple[str, dict[str, Any], WagerKind, str, str]] = [
    (MA, {}, PLAYER, "1.23508 %", "1.23741 %"),
    (MA, {}, BANKER, "1.05791 %", "1.05585 %"),
    (NJ, {"vig_rate": 4}, BANKER, "0.59931 %", "0.59720 %"),
    (EZ, {}, BANKER, "1.01830 %", "1.01609 %"),
    (HALF, {}, BANKER, "1.45810 %", "1.45481 %"),
    (MA, {}, TIE, "14.35963 %", "14.43816 %"),
    (EZ, {}, WagerKind.DRAGON7, "7.61133 %", "7.60619 %"),
    (EZ, {}, WagerKind.PANDA8, "10.18763 %", "10.20738 %"),
    (MA, {"dragon_paytable": "A"}, WagerKind.DRAGON_PLAYER, "2.65167 %", "2.66751 %"),
    (MA, {"dragon_paytable": "A"}, WagerKind.DRAGON_BANKER, "9.37307 %", "9.38893 %"),
    (NJ, {"dragon_paytable": "B"}, WagerKind.DRAGON_PLAYER, "2.58226 %", "2.59359 %"),
    (MA, {"dragon_paytable": "B"}, WagerKind.DRAGON_BANKER, "8.84732 %", "8.85792 %"),
    (MA, {"dragon_paytable": "C"}, WagerKind.DRAGON_PLAYER, "2.49963 %", "2.51344 %"),
    (NJ, {"dragon_paytable": "C"}, WagerKind.DRAGON_BANKER, "8.53054 %", "8.54350 %"),
    (NJ, {}, WagerKind.TOTAL4, "5.28288 %", "5.26874 %"),
    (NJ, {}, WagerKind.TOTAL5, "8.96675 %", "8.93806 %"),
    (NJ, {}, WagerKind.TOTAL6, "4.69380 %", "4.73945 %"),
    (MA, {}, WagerKind.HOUSE_MONEY, "35.77639 %", "36.45940 %"),
]


@pytest.mark.parametrize(("submission", "changes", "on", "eight", "six"), FIGURES)
def test_the_house_edge_is_as_published(
    submission: str, changes: dict[str, Any], on: WagerKind, eight: str, six: str
) -> None:
    for decks, figure in ((8, eight), (6, six)):
        price = odds(rulebook(submission, decks=decks, **changes))[on]
        assert percent(price.edge) == figure
        assert price.deals == {8: 4_998_398_275_503_360, 6: 878_869_206_895_680}[decks]
        assert sum(line.combinations for line in price.lines) == price.deals
        assert sum((line.returns for line in price.lines), Fraction(0)) == -price.edge
        assert sum((line.probability for line in price.lines), Fraction(0)) == 1


PRESSED = [
    (MA, PLAYER, 8, "35.77639 %", "36.21013 %", "23.97210 %"),
    (MA, BANKER, 8, "35.77639 %", "36.48349 %", "24.36261 %"),
    (EZ, BANKER, 8, "35.77639 %", "36.75092 %", "23.88865 %"),
    (MA, PLAYER, 6, "36.45940 %", "36.88837 %", "24.78182 %"),
    (MA, BANKER, 6, "36.45940 %", "37.15905 %", "25.16851 %"),
]


@pytest.mark.parametrize(("submission", "onto", "decks", "never", "always", "best"), PRESSED)
def test_house_money_is_pressed_as_published(
    submission: str, onto: WagerKind, decks: int, never: str, always: str, best: str
) -> None:
    found = press(rulebook(submission, decks=decks), onto)
    assert (percent(found.never), percent(found.always), percent(found.best)) == (never, always, best)


@pytest.mark.slow
@pytest.mark.parametrize("decks", [8, 6])
def test_every_edge_of_a_full_shoe_is_that_of_a_second_derivation(decks: int) -> None:
    """As fractions: by rank, with gains written from the documents."""
    ends, pairs = finishes_by_rank([4 * decks] * 13)

    def second(gains: dict[Finish, Fraction]) -> Fraction:
        return -mean(ends, gains)

    plain, ez = odds(rulebook(MA, decks=decks, tie_odds="17 to 2")), odds(rulebook(EZ, decks=decks))
    assert plain[PLAYER].edge == second({end: player_gain(end) for end in ends})
    assert plain[BANKER].edge == second({end: banker_gain(end) for end in ends})
    assert plain[TIE].edge == second({end: tie_gain(end, Fraction(17, 2)) for end in ends})
    assert ez[BANKER].edge == second({end: banker_gain(end, "ez") for end in ends})
    assert ez[WagerKind.DRAGON7].edge == second({end: dragon7_gain(end) for end in ends})
    assert ez[WagerKind.PANDA8].edge == second({end: panda8_gain(end) for end in ends})
    half = odds(rulebook(HALF, decks=decks))
    assert half[BANKER].edge == second({end: banker_gain(end, "half") for end in ends})
    for on, cards in ((WagerKind.TOTAL4, 4), (WagerKind.TOTAL5, 5), (WagerKind.TOTAL6, 6)):
        assert half[on].edge == second({end: total_gain(end, cards) for end in ends})
    for table in "ABC":
        priced = odds(rulebook(NJ, decks=decks, vig_rate=4, dragon_paytable=table))
        assert priced[BANKER].edge == second({end: banker_gain(end, "4") for end in ends})
        for side, on in enumerate((WagerKind.DRAGON_PLAYER, WagerKind.DRAGON_BANKER)):
            assert priced[on].edge == second({end: dragon_gain(end, side, table) for end in ends})
    gained = Fraction(3 * pairs[1] + 15 * pairs[2] - pairs[0], sum(pairs.values()))
    assert plain[WagerKind.HOUSE_MONEY].edge == -gained


@pytest.mark.slow
def test_the_press_of_a_full_shoe_is_that_of_a_second_derivation() -> None:
    ends, _ = finishes_by_rank([32] * 13)
    gains = {end: banker_gain(end, "ez") for end in ends}
    found = press(rulebook(EZ), BANKER)
    assert (-found.never, -found.always, -found.best) == slow_press([32] * 13, gains)


@pytest.mark.parametrize(("stake", "edge"), [("$103", "1.10243 %"), ("$100", "1.05791 %"), ("$25", "1.05791 %")])
def test_rounded_vigorish_makes_the_price_depend_on_the_stake(stake: str, edge: str) -> None:
    """Of a hundred and three dollars won, five dollars and fifteen cents become five and a quarter."""
    priced = odds(rulebook(MA))[BANKER].at(dollars(stake))
    ways = {"win": 2_292_252_566_437_888, "lose": 2_230_518_282_592_256}
    won = {"$103": 10300 - 525, "$100": 9500, "$25": 2375}[stake]
    gained = Fraction(ways["win"] * won, int(dollars(stake))) - ways["lose"]
    assert priced.edge == -gained / 4_998_398_275_503_360
    assert percent(priced.edge) == edge


def test_half_on_six_pays_odd_cents_up_and_vigorish_unrounded_is_dropped() -> None:
    half = odds(no_limits(HALF))[BANKER]
    assert half.at(101).edge < half.at(100).edge == half.edge
    exact = odds(no_limits(MA, vig_rounding=False))[BANKER]
    assert exact.at(19).expected == odds(no_limits(MA))[PLAYER].expected * -1, "no cent is due on nineteen"
    assert exact.at(20).edge == exact.edge


def test_the_exempt_banker_is_priced_with_the_wagers_that_exempt_it() -> None:
    rules = rulebook("nj-punto-banco-exempt")
    alone, prices = odds(rules)[BANKER], odds(rules)
    free = alone.expected + Fraction(5, 100) * alone.hit
    for on in (WagerKind.TOTAL4, WagerKind.TOTAL5, WagerKind.TOTAL6):
        both = together(rules, {BANKER: 1, on: 1})
        assert both.expected == (free + prices[on].expected) / 2
        assert both.at(2500).expected == both.expected
        short = together(rules, {BANKER: 2, on: 1})
        assert short.expected == (2 * alone.expected + prices[on].expected) / 3
    assert percent(together(rules, {BANKER: 1, WagerKind.TOTAL6: 1}).edge) == "1.72936 %"
    mixed = together(rules, {BANKER: 2, WagerKind.TOTAL4: 1, WagerKind.TOTAL6: 1})
    assert mixed.expected == (2 * free + prices[WagerKind.TOTAL4].expected + prices[WagerKind.TOTAL6].expected) / 4


def test_better_odds_and_less_vigorish_cost_the_house() -> None:
    edges = [odds(rulebook(NJ, tie_odds=to))[TIE].edge for to in (8, 9, 10)]
    assert edges == sorted(edges, reverse=True)
    assert edges[0] - edges[1] == edges[1] - edges[2] == odds(rulebook(NJ))[TIE].hit
    five, four = (odds(rulebook(NJ, vig_rate=rate))[BANKER] for rate in (5, 4))
    assert five.edge - four.edge == Fraction(1, 100) * five.hit
    assert five.edge_resolved == five.edge / (five.hit + Fraction(2_230_518_282_592_256, five.deals))


def test_chances_are_as_published() -> None:
    prices = odds(rulebook(MA))
    assert percent(prices[BANKER].hit, 4) == "45.8597 %"
    assert percent(prices[PLAYER].hit, 4) == "44.6247 %"
    assert prices[TIE].hit == prices[PLAYER].push == prices[BANKER].push
    assert percent(prices[TIE].hit, 4) == "9.5156 %"


def no_limits(submission: str, **changes: Any) -> Rulebook:
    """A shipped Submission with limits down to the cent."""
    posted = rulebook(submission).elections.limits or {}
    free = {name: {"min": 1, "max": 10**9, "increment": 1} for name in posted}
    return rulebook(submission, limits=free, **changes)
