"""Theory beside the win: mean and spread of rounds as staked, against the exact distribution of each round."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from baccarat.client import Client
from baccarat.law.rulebook import rulebook
from baccarat.odds import odds, round_wins
from baccarat.play.wager import WagerKind
from baccarat.serve.runtime.round_index import Stakes
from baccarat.serve.watch.expected_win import expected_win
from house_of_roles import sign_everybody_on
from played import next_round, play_round
from served import run_for, served

STAKES = {
    1: {WagerKind.BANKER: 10_000, WagerKind.TIE: 1_000, WagerKind.DRAGON_BANKER: 2_000},
    2: {WagerKind.PLAYER: 20_000, WagerKind.DRAGON_PLAYER: 1_500},
    5: {WagerKind.BANKER: 40_000},
}
"""Sums of which the vigorish is whole cents, so that nothing is rounded."""


@pytest.mark.parametrize("name", ["ma-midi-4", "nj-punto-banco"])
def test_mean_and_spread_are_those_of_the_exact_distribution(name: str) -> None:
    rules = rulebook(name)
    offered = {price.on for price in odds(rules)}
    stakes = {seat: {on: sum_ for on, sum_ in held.items() if on in offered} for seat, held in STAKES.items()}
    wins = round_wins(rules, stakes)
    ways = sum(wins.values())
    mean = sum((Fraction(won) * count for won, count in wins.items()), Fraction(0)) / ways
    square = sum((Fraction(won) ** 2 * count for won, count in wins.items()), Fraction(0)) / ways
    found = expected_win([Stakes(rules.hash, stakes, 7)], {rules.hash: rules})
    assert found.mean == 7 * mean
    assert found.variance == 7 * (square - mean**2)
    assert found.two_deviations**2 >= 4 * found.variance > (found.two_deviations - 1) ** 2


def test_stakes_under_rules_that_nobody_knows_are_counted_apart() -> None:
    found = expected_win([Stakes("0" * 64, {1: {WagerKind.BANKER: 500}}, 3)], {})
    assert (found.mean, found.variance) == (Fraction(0), Fraction(0))
    assert found.unpriced == 1500


@pytest.mark.slow
def test_the_day_shows_the_win_beside_the_theory_of_what_was_staked(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            house = await sign_everybody_on(live, address)
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await play_round(table, client)
                await next_round(table)
            await live.house.writer.wait_until_flushed()
            told = (await house.get("/api/day")).json
            shown, tally = told["tables"]["ma-midi-4"], live.house.state.tallies["ma-midi-4"].all_shoes
            assert (shown["win"], shown["drop"], shown["rounds"]) == (tally.win, tally.drop, 2)
            assert shown["handle"] == {"banker": 5_000}
            edge = odds(live.rooms["ma-midi-4"].rules)[WagerKind.BANKER].edge
            assert Fraction(shown["theoretical"]) == 5_000 * edge
            assert shown["low"] < Fraction(shown["theoretical"]) < shown["high"]
            assert Fraction(shown["hold"]) == Fraction(tally.win, tally.drop)
            assert told["total"]["win"] == tally.win

    run_for(work())
