"""House Money pressed by a rule: to the cent as the table settles it, and in the mean what the exact odds say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from baccarat import BANKER, PLAYER, TIE, WagerKind, rulebook
from baccarat.cards import Card, Rank
from baccarat.law.rulebook import Rulebook
from baccarat.odds import decisions, odds, press
from baccarat.play.book import open_book
from baccarat.play.coup import Coup
from baccarat.play.settle import settle
from baccarat.play.settlement import Settlement
from baccarat.play.wager import Wager
from baccarat.sim.study import strategy as play
from baccarat.sim.study.book_arrays import table_of
from baccarat.sim.study.house_study import study_house
from baccarat.sim.study.patrons import study_patrons
from baccarat.sim.study.pressing import openings, pressed_hands
from baccarat.sim.study.strategy import BadStrategy, Strategy
from baccarat.sim.study.vigorish import study_vigorish
from reckoned_patron import ahead, reckoned, summed, sums_of

HOUSE_MONEY = WagerKind.HOUSE_MONEY
RULES = rulebook("ma-midi-4")
LATER = rulebook("ma-midi-4", vig_collection="deferred")
LIMIT = {"min": 500, "max": 14_000, "increment": 100}
OFFERED = ("player", "banker", "tie", "house_money", "dragon_player", "dragon_banker")
LOW = rulebook("ma-midi-4", press_over_max=False, limits=dict.fromkeys(OFFERED, LIMIT))
THIRD = rulebook("ma-midi-4", house_money_portion=[1, 3], vig_rounding=False)
Choice = Callable[[Coup], WagerKind | None]


def in_order(hand: tuple[Card, ...]) -> tuple[Rank, Rank]:
    """The ranks of two cards in the order of ranks."""
    one, two = sorted((card.rank for card in hand[:2]), key=list(Rank).index)
    return one, two


def by_exact_odds(rules: Rulebook, hands: tuple[WagerKind, ...]) -> Choice:
    """The hand on which a unit gains most, by the decision table of the odds; at such stakes no rounding matters."""
    table = {(each.player, each.banker): {PLAYER: each.on_player, BANKER: each.on_banker} for each in decisions(rules)}

    def chosen(coup: Coup) -> WagerKind | None:
        gains = table.get((in_order(coup.player), in_order(coup.banker)))
        best = None if gains is None else max(hands, key=gains.__getitem__)
        return best if gains is not None and best is not None and gains[best] > 0 else None

    return chosen


def within_maximum(rules: Rulebook, strategy: Strategy, wish: Choice) -> Choice:
    """What the house takes: a press that it refuses is handed over."""

    def chosen(coup: Coup) -> WagerKind | None:
        onto = wish(coup)
        if onto not in strategy.stakes:
            return None
        wagers = [
            Wager(seat=1, on=on, stake=stake, press=onto if on is HOUSE_MONEY else None)
            for on, stake in strategy.stakes.items()
        ]
        return onto if isinstance(settle(rules, coup, wagers), Settlement) else None

    return chosen


ONE = {BANKER: 10_000, HOUSE_MONEY: 2_000}
OTHER = {PLAYER: 5_000, HOUSE_MONEY: 1_000, TIE: 500}
BOTH = {PLAYER: 5_000, BANKER: 10_000, HOUSE_MONEY: 2_000}
CASES: list[tuple[Rulebook, Strategy, Choice]] = [
    (RULES, play.mix(ONE), lambda _: None),
    (RULES, play.mix(ONE, press="always"), lambda _: BANKER),
    (RULES, play.mix(ONE, press="best"), by_exact_odds(RULES, (BANKER,))),
    (LATER, play.mix(ONE, press="best"), by_exact_odds(RULES, (BANKER,))),
    (LATER, play.mix({BANKER: 10_300, HOUSE_MONEY: 1_700}, press="always"), lambda _: BANKER),
    (RULES, play.mix(OTHER, press="ahead"), ahead),
    (RULES, play.mix(OTHER, press="best"), by_exact_odds(RULES, (PLAYER,))),
    (LATER, play.mix(BOTH, press="ahead"), ahead),
    (RULES, play.mix(BOTH, press="best"), by_exact_odds(RULES, (PLAYER, BANKER))),
    (RULES, play.mix(BOTH, press="always", onto=PLAYER), lambda _: PLAYER),
    (THIRD, play.mix({BANKER: 5_100, HOUSE_MONEY: 700}, press="always"), lambda _: BANKER),
    (LOW, play.mix({BANKER: 10_000, HOUSE_MONEY: 1_000}, press="always"), lambda _: BANKER),
]


@pytest.mark.slow
@pytest.mark.clause("MA:8(c)(3)(i)a")
@pytest.mark.parametrize(("rules", "strategy", "wish"), CASES, ids=lambda each: getattr(each, "name", None))
def test_a_pressed_payout_is_settled_to_the_cent(rules: Rulebook, strategy: Strategy, wish: Choice) -> None:
    presses, purse, goal, sessions = within_maximum(rules, strategy, wish), 150_000, 220_000, 3
    for seed in (1, 2):
        found = study_patrons(rules, [strategy], purse=purse, goal=goal, seed=seed, sessions=sessions, shoes=2).seats[0]
        slowly = [
            reckoned(rules, strategy, purse=purse, goal=goal, seed=seed, shoes=2, first=2 * k, presses=presses)
            for k in range(sessions)
        ]
        assert sums_of(found) == summed(slowly)


def test_the_rules_differ() -> None:
    """Otherwise comparing them would show nothing."""
    company = [play.mix(OTHER, press=rule) for rule in ("never", "always", "ahead", "best")]
    found = study_patrons(RULES, company, purse=10**8, seed=1, sessions=200, shoes=1).seats
    assert len({seat.result for seat in found}) == 4
    assert len({seat.staked for seat in found}) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("onto", "beside", "stake"), [(BANKER, 10_000, 2_000), (PLAYER, 5_000, 2_500)])
def test_pressing_gains_in_the_mean_what_the_exact_odds_say(onto: WagerKind, beside: int, stake: int) -> None:
    company = [play.mix({onto: beside, HOUSE_MONEY: stake}, press=rule) for rule in ("never", "always", "best")]
    found = study_patrons(RULES, company, purse=10**9, seed=7, sessions=40_000, shoes=1, rounds=60).seats
    exact, main = press(RULES, onto, stake=stake, beside=beside), odds(RULES)[onto].at(beside)
    for seat, edge in zip(found, (exact.never, exact.always, exact.best), strict=True):
        mean = -60 * float(main.edge * beside + edge * stake)
        assert seat.error is not None
        assert abs(seat.result - mean) < 4 * seat.error
    # over the same shoes the rules lie further apart than chance could bring them
    assert found[2].result - found[0].result == pytest.approx(60 * stake * float(exact.never - exact.best), rel=0.1)


def test_a_function_decides_by_the_two_hands() -> None:
    def natural(player: tuple[Rank, Rank], banker: tuple[Rank, Rank]) -> bool:
        return player == (Rank.FOUR, Rank.FOUR) or banker == (Rank.NINE, Rank.NINE)

    def slowly(coup: Coup) -> WagerKind | None:
        return BANKER if natural(in_order(coup.player), in_order(coup.banker)) else None

    strategy = play.mix(ONE, press=natural)
    assert strategy.name == "banker + house_money, press natural"
    found = study_patrons(RULES, [strategy], purse=10**6, seed=3, sessions=4, shoes=2).seats[0]
    ended = [
        reckoned(RULES, strategy, purse=10**6, goal=None, seed=3, shoes=2, first=2 * k, presses=slowly)
        for k in range(4)
    ]
    assert sums_of(found) == summed(ended)
    never = study_patrons(RULES, [play.mix(ONE)], purse=10**6, seed=3, sessions=4, shoes=2).seats[0]
    assert never.result != found.result


@pytest.mark.slow
def test_stakes_by_a_function_are_pressed_as_the_same_stakes_that_are_data() -> None:
    wagers = play.wagers_of(RULES)
    banker, early = wagers.index(BANKER), wagers.index(HOUSE_MONEY)

    def same(_table: Any, _own: Any, stakes: Any) -> None:
        stakes[banker] = 10_000
        stakes[early] = 1_000

    how: dict[str, Any] = {"purse": 300_000, "seed": 2, "sessions": 30, "shoes": 2}
    for rules, rule in ((RULES, "ahead"), (LOW, "always")):
        mine = play.by_function("mine", same, press=rule, onto=BANKER)
        company = [mine, play.mix({BANKER: 10_000, HOUSE_MONEY: 1_000}, press=rule)]
        found = study_vigorish(rules, company, **how)
        for one, two in (found.at_payout.seats, found.deferred.seats):
            assert sums_of(one) == sums_of(two)


def test_the_house_wins_what_a_patron_who_presses_loses() -> None:
    strategy = play.mix(ONE, press="best")
    house = study_house(LATER, [strategy], seed=5, tables=2, days=10, shoes=2, buy_in=10**8)
    patron = study_patrons(LATER, [strategy], purse=10**8, seed=5, sessions=20, shoes=2).seats[0]
    assert house.day.win == pytest.approx(-patron.result)
    assert house.theoretical is None


def test_a_press_that_no_table_knows_is_refused_in_words() -> None:
    def numbers(*_: object) -> int:
        return 3

    def fails(*_: object) -> bool:
        raise KeyError("no")

    wrong: list[tuple[Rulebook, Strategy, str]] = [
        (RULES, play.mix(ONE, press="sometimes"), "no rule 'sometimes' for pressing"),
        (RULES, play.mix({BANKER: 2_500}, press="best"), "there must be a stake on house_money too"),
        (RULES, play.mix({TIE: 500, HOUSE_MONEY: 500}, press="best"), "onto player or banker, where there is already"),
        (RULES, play.mix(ONE, press="best", onto=PLAYER), "onto player or banker, where there is already"),
        (RULES, play.mix(BOTH, press="always"), "say which wager the payout is pressed onto, player or banker"),
        (RULES, play.mix(ONE, onto=BANKER), "nothing is ever pressed"),
        (RULES, play.by_function("mine", lambda *_: None, press="best"), "say which wager"),
        (RULES, play.mix(ONE, press=numbers), "TypeError: AA against AA: the answer is 3, not True or False"),
        (RULES, play.mix(ONE, press=fails), "deciding|decides on pressing raised KeyError"),
        (rulebook("nj-punto-banco"), play.mix({BANKER: 2_500}, press="best"), "no wager is offered here"),
        (rulebook("ma-midi-4", house_money=False), play.mix(ONE, press="best"), "no wager is offered here"),
    ]
    for rules, strategy, says in wrong:
        with pytest.raises(BadStrategy, match=says):
            study_patrons(rules, [strategy], purse=10**6, seed=1, sessions=2)


def test_the_best_hand_to_press_is_the_one_ahead_and_the_player_at_four_all() -> None:
    book, worth = open_book(RULES), table_of(open_book(RULES)).worth.tolist()
    for onto, also in ((BANKER, set()), (PLAYER, {(4, 4)})):
        stakes = {onto: 10_000, HOUSE_MONEY: 2_000}
        leads, best = (pressed_hands(book, rule, (onto,), stakes) for rule in ("ahead", "best"))
        differ = [each for each in openings() if leads[each.dealt] != best[each.dealt]]
        hands = [(each.player, each.banker) for each in differ]
        counts = {tuple(sum(worth[rank] for rank in hand) % 10 for hand in both) for both in hands}
        assert counts == also
        assert all(best[each.dealt] for each in differ)


def test_all_openings_with_a_pair_are_decided_and_no_others() -> None:
    table = pressed_hands(open_book(RULES), "always", (BANKER,), ONE)
    assert int(np.count_nonzero(table)) == len(list(openings())) == 2 * 13**3 - 13**2
