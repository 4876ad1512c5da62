"""Patrons: every cent by an independent reckoning, ruin against its exact chance, nonsense refused."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

from baccarat import BANKER, PLAYER, TIE, WagerKind, rulebook
from baccarat.cards import Rank
from baccarat.law.rulebook import Rulebook
from baccarat.odds import odds, together
from baccarat.odds.gain import gain
from baccarat.play.book import open_book
from baccarat.play.shoe import burn, rounds
from baccarat.sim.stream import shoe
from baccarat.sim.study import patrons
from baccarat.sim.study import strategy as play
from baccarat.sim.study.compiled_strategy import pays_of
from baccarat.sim.study.patrons import study_patrons
from baccarat.sim.study.seat_kernel import gain_of
from baccarat.sim.study.strategy import BadStrategy, Strategy

RULES = rulebook("ma-midi-4")
TAGS = {Rank.FOUR: -1, Rank.EIGHT: 2, Rank.NINE: 1}


def reckoned(rules: Rulebook, strategy: Strategy, *, purse: int, seed: int, shoes: int, goal: int) -> tuple[int, int]:
    """One session, card by card in the ordinary engine: the purse at the end, and the rounds stayed."""
    book, step, since = open_book(rules), 0, 0
    on = strategy.on or PLAYER
    ladder = [{on: each} for each in strategy.ladder] or [strategy.stakes]
    for number in range(shoes):
        cards = shoe(rules, seed, number)
        burned = burn(rules, cards).cards
        seen = [cards[0]]
        for each in rounds(rules, cards, position=len(burned)):
            tags = strategy.tags or {}
            running = sum(13 * tags.get(card.rank, 0) - sum(tags.values()) for card in seen)
            seen += cards[each.position : each.position + each.coup.cards_dealt]
            before = len(cards) - (len(seen) - each.coup.cards_dealt)
            if strategy.tags is None or running * 4000 // before >= round(1000 * strategy.index):
                stakes = ladder[step]
                if sum(stakes.values()) > purse:
                    return purse, since
                won = 0
                for kind, stake in stakes.items():
                    verdict = book.verdicts[kind][each.coup.index]
                    assert verdict is not None
                    won += gain(book, verdict, stake)
                purse += won
                if won:
                    step += strategy.after_loss if won < 0 else strategy.after_win
                    step = (len(ladder) - 1 if strategy.stay_on_top else 0) if step >= len(ladder) else max(0, step)
                if purse >= goal:
                    return purse, since + 1
            since += 1
    return purse, since


@pytest.mark.parametrize(
    "strategy",
    [
        play.flat(BANKER, 10_300),
        play.mix({PLAYER: 2_500, TIE: 700, WagerKind.DRAGON_PLAYER: 500}),
        play.martingale(BANKER, 2_500, 7),
        play.paroli(PLAYER, 5_000, 4),
        play.dalembert(BANKER, 2_500),
        play.fibonacci(PLAYER, 2_500),
        play.stake_from_count(PLAYER, 5_000, TAGS, 0.5),
    ],
    ids=lambda each: each.name,
)
def test_a_session_is_to_the_cent_what_the_ordinary_engine_settles(strategy: Strategy) -> None:
    for seed in (1, 2, 3):
        found = study_patrons(RULES, [strategy], purse=60_000, seed=seed, sessions=1, shoes=3, goal=90_000)
        purse, stayed = reckoned(RULES, strategy, purse=60_000, seed=seed, shoes=3, goal=90_000)
        assert (60_000 + found.seats[0].result, found.seats[0].stayed) == (purse, stayed)


@pytest.mark.parametrize("rules", [RULES, rulebook("nj-punto-banco-exempt"), rulebook("ma-midi-4-ez")], ids=str)
def test_compiled_settlement_is_the_settlement_of_the_table(rules: Rulebook) -> None:
    book, pays, wagers = open_book(rules), pays_of(rules), play.wagers_of(rules)
    chance = np.random.default_rng(1)
    for row, on in enumerate(wagers):
        if on not in book.verdicts:
            continue
        for finish, verdict in enumerate(book.verdicts[on]):
            for stake in (int(chance.integers(1, 10**6)), 2_500) if verdict is not None else ():
                assert verdict is not None
                for exempt in (False, True):
                    won, vigorish = gain_of(pays, row, pays.kind[row, 4 * finish], stake, exempt)
                    assert won - vigorish == gain(book, verdict, stake, exempt=exempt)


@pytest.mark.slow
def test_a_function_plays_as_the_same_strategy_as_data_does() -> None:
    def doubling(_table: Any, own: Any, stakes: Any) -> None:
        if own[1] < 0 and own[2] != 0 and own[8] < 5:
            own[8] += 1
        elif own[1] != 0 and own[2] != 0:
            own[8] = 0
        own[1] = 0  # a push leaves the step: the result has been seen
        stakes[1] = 2_500 << own[8]

    mine = play.by_function("mine", doubling)
    found = study_patrons(
        RULES, [mine, play.martingale(BANKER, 2_500, 6)], purse=200_000, seed=5, sessions=40, shoes=2
    )  # fmt: skip
    one, other = found.seats
    assert (one.result, one.ruined, one.stayed, one.staked) == (other.result, other.ruined, other.stayed, other.staked)
    assert one.fan == other.fan


@pytest.mark.slow
def test_ruin_comes_as_often_as_its_exact_chance_says() -> None:
    """Ten units, a hundred rounds at a unit each: the chance of every purse, round by round, exactly."""
    price = odds(RULES)[PLAYER]
    chance = {-int(win): ways / price.deals for win, ways in price.wins}
    purses = np.zeros(200)
    purses[10] = 1.0
    for _ in range(100):
        after = np.zeros(200)
        after[0] = purses[0]
        for step, share in chance.items():
            for k in range(1, 199):
                after[k + step] += purses[k] * share
        purses = after
    sessions = 6_000
    found = study_patrons(
        RULES, [play.flat(PLAYER, 2_500)], purse=25_000, seed=8, sessions=sessions, shoes=2, rounds=50
    )
    broke = float(np.mean(found.seats[0].ruined))
    # who loses the last unit in the last round has not yet been asked for another
    mean = float((purses * np.arange(200)).sum() - 10) * 2_500
    assert found.seats[0].error is not None
    assert abs(found.seats[0].result - mean) < 4 * found.seats[0].error
    deviation = (purses[0] * (1 - purses[0]) / sessions) ** 0.5
    assert -4 * deviation - 0.01 < broke - purses[0] < 4 * deviation


@pytest.mark.slow
@pytest.mark.clause("NJ:3.3(e)2")
def test_a_mix_with_a_total_card_wager_is_free_of_vigorish_where_that_was_elected() -> None:
    rules = rulebook("nj-punto-banco-exempt")
    mixed = play.mix({BANKER: 10_000, WagerKind.TOTAL6: 10_000})
    found = study_patrons(rules, [mixed], purse=10**9, seed=2, sessions=2_000, shoes=1, rounds=50).seats[0]
    edge = float(together(rules, {BANKER: 1, WagerKind.TOTAL6: 1}).edge)  # of both units
    assert found.error is not None
    assert abs(found.result + edge * found.staked) < 4 * found.error
    apart = float(odds(rules)[BANKER].edge + odds(rules)[WagerKind.TOTAL6].edge) / 2
    assert apart - edge > 0.005  # what the exemption is worth: more than chance could give in so many rounds


@pytest.mark.slow
def test_nonsense_from_a_strategy_is_refused_in_words() -> None:
    def nonsense(_table: Any, own: Any, stakes: Any) -> None:
        if own[0] % 3 == 0:
            stakes[0] = 2_550
        elif own[0] % 3 == 1:
            stakes[1] = -100
        else:
            stakes[2] = 10**17

    def answers(_table: Any, _own: Any, stakes: Any) -> Any:
        return stakes.nothing()

    def study(*strategies: Strategy, **more: Any) -> Any:
        return study_patrons(RULES, strategies, **{"purse": 10**6, "seed": 1, "sessions": 2} | more)

    mine = play.by_function("mine", nonsense)
    for purse, says in (
        (30_000, r"seat 1, session 0: 2550 cents on player"), (30_001, "-100 cents on banker"),
        (30_002, "100000000000000000 cents on tie"),
    ):  # fmt: skip
        with pytest.raises(BadStrategy, match=says):
            study(mine, purse=purse)
    with pytest.raises(BadStrategy, match="numba cannot compile"):
        study(play.by_function("mine", answers))
    wrong: list[tuple[Strategy, str]] = [
        (play.flat(PLAYER, 1), "flat player"),
        (play.flat(WagerKind.DRAGON7, 2_500), "no stake can be put on dragon7"),
        (Strategy(name="empty"), "one of them"),
        (Strategy(name="both", stakes={PLAYER: 2_500}, ladder=(1,)), "one of them"),
        (play.martingale(PLAYER, 2_500, 33), "32 steps"),
        (play.martingale(PLAYER, 2_500, 20), "martingale player"),
    ]
    for strategy, says in wrong:
        with pytest.raises(BadStrategy, match=says):
            study(strategy)
    fine = play.flat(PLAYER, 2_500)
    for more, says in (({"purse": 0}, "purse"), ({"sessions": 0}, "sessions"), ({"goal": 5}, "goal")):
        with pytest.raises(ValueError, match=says):
            study(fine, **more)
    with pytest.raises(BadStrategy, match="seats for 1 to 9"):
        study(*[fine] * 10)


def test_the_same_seed_gives_the_same_study_on_any_number_of_threads() -> None:
    company = [play.flat(PLAYER, 2_500), play.paroli(BANKER, 2_500)]
    one, two = (
        study_patrons(RULES, company, purse=50_000, seed=3, sessions=1_100, shoes=2, threads=threads)
        for threads in (1, 3)
    )
    assert one == two


@pytest.mark.slow
def test_memory_does_not_grow_with_the_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patrons, "FAN_SESSIONS", 200)
    # as the threads take turns, one part more or less is ready, of 27,000 bytes; with the usual size it has 109,000
    monkeypatch.setattr(patrons, "AT_ONCE", 500)

    def most(sessions: int) -> int:
        """The most bytes in use at once, NumPy's arrays included."""
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        study_patrons(RULES, [play.flat(PLAYER, 2_500)], purse=50_000, seed=3, sessions=sessions, shoes=1, threads=1)
        return tracemalloc.get_traced_memory()[1] - before

    most(10)  # what is kept once, such as the tables of the rulebook
    tracemalloc.start()
    try:
        few, many = most(6_000), most(48_000)
    finally:
        tracemalloc.stop()
    assert few > 500_000, "a block of shoes is among it"
    assert many - few < 100_000, "the purses of 42,000 sessions alone would take 336,000"


def test_sums_are_exact_beyond_64_bits() -> None:
    """Ten purses near 2^60 cents come to more than a whole number of 64 bits holds."""
    purse = (1 << 60) - 1
    found = study_patrons(RULES, [play.flat(PLAYER, 2_500)], purse=purse, seed=3, sessions=40, shoes=1).seats[0]
    small = study_patrons(RULES, [play.flat(PLAYER, 2_500)], purse=10**7, seed=3, sessions=40, shoes=1).seats[0]
    assert (found.result, found.staked) == (small.result, small.staked)
