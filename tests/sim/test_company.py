"""A company of patrons: a study plays what the table takes, seat by seat and all seats together, and nothing else."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from baccarat import BANKER, PLAYER, TIE, WagerKind, rulebook
from baccarat.cards import Rank
from baccarat.play.admission import admit
from baccarat.play.book import open_book
from baccarat.play.wager import Wager
from baccarat.sim.study import strategy as play
from baccarat.sim.study.house_study import study_house
from baccarat.sim.study.patron_company import company_notes
from baccarat.sim.study.patrons import study_patrons
from baccarat.sim.study.strategy import BadStrategy, Strategy
from baccarat.sim.study.vigorish import study_vigorish
from compile_once import compile_once

RULES = rulebook("ma-midi-4")
ONE_HAND = rulebook("ma-midi-4", opposite_bets=False)
WITH_BASE = rulebook("ma-midi-4", bonus_base_required=True)
ROYAL9 = rulebook("ma-midi-4-royal9")
DRAGON = WagerKind("dragon_player")
BOTH = "seat 2 wagers on both hands, which this table does not take"
ALONE = "also needs a wager on player or banker"


def refused_everywhere(rules: Any, company: list[Strategy], says: str) -> None:
    """Whichever study is asked."""
    patrons: dict[str, Any] = {"purse": 10**6, "seed": 1, "sessions": 1, "shoes": 1}
    for study, asked in (
        (study_patrons, patrons),
        (study_vigorish, patrons),
        (study_house, {"seed": 1, "tables": 1, "days": 1, "shoes": 1}),
    ):
        with pytest.raises(BadStrategy, match=re.escape(says)):
            study(rules, company, **asked)


def test_stakes_on_both_hands_are_refused_where_the_table_takes_one() -> None:
    company = [play.flat(PLAYER, 2_500), play.mix({BANKER: 2_500, PLAYER: 2_500})]
    refused_everywhere(ONE_HAND, company, BOTH)
    both = study_house(RULES, company, seed=1, tables=1, days=1, shoes=1)
    company = [play.flat(PLAYER, 2_500), play.flat(BANKER, 2_500)]
    apart = study_house(ONE_HAND, company, seed=1, tables=1, days=1, shoes=1)
    assert both.day.staked > apart.day.staked > 0


def test_a_wager_that_needs_another_is_taken_beside_it_and_not_alone() -> None:
    company = [play.mix({PLAYER: 2_500, DRAGON: 2_500})]
    asked: dict[str, Any] = {"purse": 10**6, "seed": 1, "sessions": 20}
    assert study_patrons(WITH_BASE, company, **asked).seats == study_patrons(RULES, company, **asked).seats
    for alone in (play.flat(DRAGON, 2_500), play.martingale(DRAGON, 500, 3), play.mix({TIE: 500, DRAGON: 500})):
        refused_everywhere(WITH_BASE, [alone], ALONE)


def test_every_step_is_asked_as_the_table_asks_it() -> None:
    """What `admit` takes of a seat the studies take, and nothing else."""
    book = open_book(WITH_BASE)
    kinds = (PLAYER, BANKER, DRAGON, TIE)
    for number in range(1, 1 << len(kinds)):
        stakes = {kind: 2_500 for k, kind in enumerate(kinds) if number >> k & 1}
        said = admit(book, [Wager(seat=1, on=on, stake=stake) for on, stake in stakes.items()])
        if said is None:
            play.check(WITH_BASE, play.mix(stakes))
        else:
            with pytest.raises(BadStrategy, match=re.escape(str(said))):
                play.check(WITH_BASE, play.mix(stakes))


def test_all_seats_together_stay_within_the_posted_aggregate_payout() -> None:
    says = "all seats together: dragon_player could cost $60,000.00 in this round, above the posted aggregate payout"
    refused_everywhere(RULES, [play.flat(DRAGON, 50_000)] * 4, says)
    refused_everywhere(RULES, [play.flat(DRAGON, 50_000)] * 3 + [play.martingale(DRAGON, 50_000, 1)], says)
    assert not company_notes(RULES, [play.flat(DRAGON, 50_000)] * 3)


def test_stakes_that_only_may_meet_above_the_aggregate_payout_have_a_note() -> None:
    fixed = [play.flat(DRAGON, 50_000)] * 3
    for fourth in (
        play.martingale(DRAGON, 500, 7),
        play.stake_from_count(DRAGON, 50_000, {Rank.NINE: 1}, 4),
        play.by_function("mine", print),
    ):
        (note,) = company_notes(RULES, [*fixed, fourth])
        assert note.startswith("at the largest stakes of all seats in one round, dragon_player could cost $")
    company = [*fixed, play.stake_from_count(DRAGON, 50_000, {Rank.NINE: 1}, 4)]
    assert study_house(RULES, company, seed=1, tables=1, days=1, shoes=1).day.staked > 0


def test_the_progressive_needs_a_main_wager_at_its_seat() -> None:
    asked: dict[str, Any] = {"seed": 1, "tables": 1, "days": 1, "shoes": 1}
    company = [play.flat(TIE, 500), play.flat(WagerKind.HOUSE_MONEY, 500)]
    with pytest.raises(BadStrategy, match="at seat 2 also needs a wager on player or banker or tie"):
        study_house(ROYAL9, company, progressive=(1, 2), **asked)
    assert study_house(ROYAL9, company, progressive=(1, 3), **asked).meters is not None


@pytest.mark.slow
def test_a_function_is_held_to_what_the_table_takes_together(monkeypatch: pytest.MonkeyPatch) -> None:
    compile_once(monkeypatch)

    def both(table: Any, _own: Any, stakes: Any) -> None:
        stakes[0] = 2_500
        if table[1] >= 3:
            stakes[1] = 2_500

    def dragon(table: Any, _own: Any, stakes: Any) -> None:
        stakes[3] = 500
        if table[1] < 3:
            stakes[1] = 2_500

    for function, rules, says in (
        (both, ONE_HAND, "seat 1, session 0: seat 1 wagers on both hands"),
        (dragon, WITH_BASE, ALONE),
    ):
        mine = play.by_function("mine", function)
        with pytest.raises(BadStrategy, match=says):
            study_patrons(rules, [mine], purse=10**6, seed=1, sessions=2)
        assert study_patrons(rules, [mine], purse=10**6, seed=1, sessions=1, rounds=3, shoes=1).seats[0].stayed == 3
        assert study_patrons(RULES, [mine], purse=10**6, seed=1, sessions=1).seats[0].stayed > 3


@pytest.mark.slow
def test_a_function_stays_within_the_aggregate_payout() -> None:
    limits = msgspec.to_builtins(RULES.elections.limits)
    limits[DRAGON.word]["aggregate_payout"] = 1_000_000
    rules = rulebook("ma-midi-4", limits=limits)

    def dragon(_table: Any, own: Any, stakes: Any) -> None:
        stakes[3] = 33_300 if own[0] == 10**6 else 33_400

    mine = play.by_function("mine", dragon)
    assert not company_notes(rules, [mine]), "alone it is held to it"
    assert company_notes(rules, [mine, mine])
    with pytest.raises(BadStrategy, match=re.escape("dragon_player could cost $10,020.00")):
        study_patrons(rules, [mine], purse=10**6, seed=1, sessions=2)


@pytest.mark.parametrize("make", play.LADDERS.values())
@pytest.mark.parametrize("steps", [0, -1, -40])
def test_a_ladder_has_a_step(make: Any, steps: int) -> None:
    with pytest.raises(BadStrategy, match="1 to 32 steps"):
        play.check(RULES, make(PLAYER, 2_500, steps))
