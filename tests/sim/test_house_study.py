"""The house: its win against the exact edges, its volatility against the exact variance, meters to the micro-cent."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import pytest

from baccarat import BANKER, PLAYER, TIE, WagerKind, rulebook
from baccarat.cards import Rank
from baccarat.odds.seats import round_wins
from baccarat.sim.study import strategy as play
from baccarat.sim.study.house_study import study_house
from baccarat.sim.study.patrons import study_patrons
from baccarat.sim.study.strategy import BadStrategy

RULES = rulebook("ma-midi-4-royal9")


@pytest.mark.slow
def test_win_and_volatility_are_those_of_exact_rounds() -> None:
    company = [play.flat(PLAYER, 10_000), play.flat(BANKER, 10_300), play.mix({BANKER: 5_000, TIE: 500})]
    found = study_house(RULES, company, seed=3, tables=10, days=100, shoes=10)
    assert found.theoretical is not None
    assert found.day.error is not None
    assert abs(found.day.win - found.theoretical) < 4 * found.day.error
    wins = round_wins(RULES, {seat + 1: each.stakes for seat, each in enumerate(company)})
    deals = sum(wins.values())
    mean = Fraction(sum(won * ways for won, ways in wins.items()), deals)
    variance = float(sum((won - mean) ** 2 * ways for won, ways in wins.items()) / deals)
    # 1,000 days tell a deviation to about 2 %
    assert found.day.deviation == pytest.approx((variance * found.day.rounds) ** 0.5, rel=0.1)
    assert found.hold == pytest.approx(found.day.win / found.day.drop)
    assert found.day.staked == pytest.approx(25_800 * found.day.rounds)


def test_the_house_wins_what_patrons_lose() -> None:
    company = [play.flat(PLAYER, 10_000), play.martingale(BANKER, 2_500, 5)]
    house = study_house(RULES, company, seed=5, tables=4, days=5, shoes=3, buy_in=10**9)
    patrons = study_patrons(RULES, company, purse=10**9, seed=5, sessions=20, shoes=3)
    assert house.day.win == pytest.approx(-sum(seat.result for seat in patrons.seats))
    assert house.day.drop == 2 * 10**9


def test_a_patron_without_money_buys_in_again() -> None:
    found = study_house(RULES, [play.flat(TIE, 500)], seed=1, tables=3, days=10, shoes=4, buy_in=2_000)
    assert found.day.drop > 3 * 2_000
    assert found.day.win <= found.day.drop


def test_the_exact_edges_are_said_where_they_alone_decide_the_win() -> None:
    def theoretical(name: str, strategy: play.Strategy) -> float | None:
        return study_house(rulebook(name), [strategy], seed=1, tables=1, days=1, shoes=1).theoretical

    exempt = "nj-punto-banco-exempt"
    assert theoretical(exempt, play.mix({BANKER: 2_500, WagerKind.TOTAL4: 2_500})) is None
    for stakes in ({BANKER: 2_500}, {WagerKind.TOTAL4: 2_500}, {BANKER: 5_000, WagerKind.TOTAL4: 2_500}):
        assert theoretical(exempt, play.mix(stakes)) is not None
    assert theoretical("ma-midi-4", play.stake_from_count(PLAYER, 2_500, {Rank.NINE: 1}, 1)) is None
    assert theoretical("ma-midi-4", play.paroli(PLAYER, 2_500)) is None


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system knows no affinity")
def test_a_house_uses_the_processors_that_the_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Noted(ThreadPoolExecutor):
        def __init__(self, threads: int, **named: Any) -> None:
            asked.append(threads)
            super().__init__(threads, **named)

    monkeypatch.setattr("baccarat.sim.threads.ThreadPoolExecutor", Noted)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {2, 4, 6})
    study_house(RULES, [play.flat(PLAYER, 2_500)], seed=1, tables=1, days=1, shoes=1)
    assert asked == [3]


def test_what_no_house_could_do_is_refused() -> None:
    fine = play.flat(PLAYER, 2_500)
    with pytest.raises(ValueError, match="1,000,000 days of all tables together"):
        study_house(RULES, [fine], seed=1, tables=10**6, days=10**6)
    with pytest.raises(BadStrategy, match="buy-in"):
        study_house(RULES, [fine], seed=1, tables=1, days=1, buy_in=0)
    with pytest.raises(BadStrategy, match="seats for"):
        study_house(RULES, [], seed=1, tables=1, days=1)
