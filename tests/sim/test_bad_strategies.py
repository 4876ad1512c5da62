"""Strategies that misbehave: what a patron's own function does wrong is refused in words, and nothing is broken."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from baccarat import PLAYER, TIE, rulebook
from baccarat.cards import Rank
from baccarat.sim.study import strategy as play
from baccarat.sim.study.daemon import map_in_daemons
from baccarat.sim.study.house_study import study_house
from baccarat.sim.study.own_function import compiled_function
from baccarat.sim.study.patrons import study_patrons
from baccarat.sim.study.strategy import (
    BadStrategy,
    Strategy,
    by_function,
    check,
    dalembert,
    fibonacci,
    flat,
    martingale,
    mix,
    paroli,
    stake_from_count,
)
from baccarat.sim.study.vigorish import study_vigorish
from compile_once import compile_once

RULES = rulebook("ma-midi-4")


def study(strategy: Strategy, **more: Any) -> Any:
    return study_patrons(RULES, [strategy], **{"purse": 10**6, "seed": 1, "sessions": 2} | more)


@pytest.mark.slow
def test_what_a_function_raises_and_where_it_writes_outside_is_said_with_seat_and_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compile_once(monkeypatch)

    def misbehaves(table: Any, own: Any, stakes: Any) -> None:
        what = own[0] % 10
        if table[1] == 3:
            if what == 0:
                stakes[999_999] = 5_000
            elif what == 1:
                stakes[stakes.size] = 77
            elif what == 2:
                own[40] = 1
            elif what == 3:
                own[8] = 1 // own[9]
            elif what == 4:
                raise ValueError("no")
            elif what == 5:
                table[-9] = 1

    mine = play.by_function("mine", numba.njit(misbehaves))  # compiled without checks: they are made here
    outside = "IndexError: index is out of bounds"
    zero = "ZeroDivisionError: integer division by zero"
    for what, says in enumerate((outside, outside, outside, zero, "ValueError: no", outside)):
        said = f"seat 1, session 0, round 4: the strategy's function raised {says}"
        with pytest.raises(BadStrategy, match=re.escape(said)):
            study(mine, purse=1_000_000 + what)
    assert study(mine, purse=1_000_009).seats[0].staked == 0


@pytest.mark.slow
def test_numbers_with_a_fraction_do_not_become_stakes_in_silence() -> None:
    def constant(_table: Any, _own: Any, stakes: Any) -> None:
        stakes[1] = 2_500.7

    def divided(_table: Any, own: Any, stakes: Any) -> None:
        stakes[1] = own[0] / 20

    def filled(_table: Any, _own: Any, stakes: Any) -> None:
        stakes.fill(2_500.5)

    def several(_table: Any, _own: Any, stakes: Any) -> None:
        stakes[:2] = np.array([0.5, 1.5])

    def remembered(_table: Any, own: Any, _stakes: Any) -> None:
        own[8] = 0.5

    def whole(_table: Any, own: Any, stakes: Any) -> None:
        half = np.zeros(2)
        half[0] = 0.5  # an array of its own holds what it likes
        stakes.fill(0)
        stakes[1] = int(own[0] * half[0])

    def flattened(_table: Any, _own: Any, stakes: Any) -> None:
        stakes.flat[1] = 2_500.5

    def diagonal(_table: Any, _own: Any, stakes: Any) -> None:
        np.fill_diagonal(stakes.reshape(1, stakes.size), 2_500.5)

    def within(_table: Any, _own: Any, stakes: Any) -> None:
        def inner(array: Any) -> None:
            array[1] = 2_500.5

        inner(stakes)

    for function in (constant, divided, filled, several, remembered, flattened, diagonal, within):
        with pytest.raises(BadStrategy, match="mine: the function writes a number with a fraction"):
            compiled_function(play.by_function("mine", function))
    stakes, own = np.zeros(3, np.int64), np.full(32, 5_001)
    compiled_function(play.by_function("mine", whole))(np.zeros(8, np.int64), own, stakes)
    assert stakes.tolist() == [0, 2_500, 0]


@numba.njit
def _halves(array: Any) -> None:
    array[1] = 2_500.9


@numba.njit
def _asks_another(array: Any) -> None:
    _halves(array)


@numba.njit
def _fills_whole(array: Any, cents: int = 2_500) -> None:
    array[1] = cents


@pytest.mark.slow
def test_a_compiled_function_that_is_called_writes_no_fractions_either() -> None:
    def calls(_table: Any, _own: Any, stakes: Any) -> None:
        _halves(stakes)

    def calls_deeply(_table: Any, _own: Any, stakes: Any) -> None:
        _asks_another(stakes)

    def calls_fill(_table: Any, _own: Any, stakes: Any) -> None:
        _fills_whole(stakes)

    def calls_elsewhere(_table: Any, own: Any, stakes: Any) -> None:
        half = np.zeros(3)
        _halves(half)  # an array that holds fractions
        stakes[1] = int(half[1] + own[0])

    for function in (calls, calls_deeply):
        with pytest.raises(BadStrategy, match="writes a number with a fraction, in _halves, which it calls, and its"):
            compiled_function(play.by_function("mine", function))
    for whole in (calls_fill, calls_elsewhere):
        stakes = np.zeros(3, np.int64)
        compiled_function(play.by_function("mine", whole))(np.zeros(8, np.int64), np.zeros(32, np.int64), stakes)
        assert stakes.tolist() == [0, 2_500, 0]


CACHED = """
import sys
import numba
from baccarat.sim.study import own_function
from baccarat.sim.study.strategy import BadStrategy, by_function

@numba.njit(cache=True)
def halves(array):
    array[1] = 2_500.9

def calls(table, own, stakes):
    halves(stakes)

try:
    own_function.compiled_function(by_function("mine", calls))
except BadStrategy as error:
    print(sum(halves.stats.cache_hits.values()), error)
"""


@pytest.mark.slow
def test_nor_does_one_that_numba_has_kept_from_before(tmp_path: Path) -> None:
    """What numba reads from its cache has no notes on types any more."""
    program = tmp_path / "program.py"
    program.write_text(CACHED)
    said = [
        subprocess.run(
            [sys.executable, program], env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}, capture_output=True,
            text=True, check=True,
        ).stdout
        for _ in range(2)
    ]  # fmt: skip
    for hits, each in enumerate(said):
        assert each.startswith(f"{hits} mine: the function writes a number with a fraction, in halves")


def test_of_a_function_that_numba_cannot_compile_is_said_what_is_wrong_and_where() -> None:
    def unknown(_table: Any, _own: Any, stakes: Any) -> None:
        stakes[1] = nosuchname  # type: ignore[name-defined]  # noqa: F821

    def answers(_table: Any, _own: Any, _stakes: Any) -> int:
        return 5

    def lists(_table: Any, _own: Any, stakes: Any) -> None:
        stakes[1] = [1, 2]

    def in_place(_table: Any, _own: Any, stakes: Any) -> None:
        stakes[1:2] += 2_599.9

    def alone() -> None: ...

    for function, says in (
        (unknown, "name 'nosuchname' is not defined"),
        (answers, r"No conversion from .*5.* to none.*; line \d+ of .*test_bad_strategies\.py: return 5"),
        (lists, r"setitem\(array\(int64.*list.*; line \d+ of .*test_bad_strategies\.py: stakes\[1\] = \[1, 2\]"),
        (in_place, r"in place by a number with a fraction, such as stakes \+= 0\.5"),
        (alone, "3 argument types given, but function takes 0 arguments"),
    ):
        with pytest.raises(BadStrategy, match=f"mine: numba cannot compile the function as .*: .*{says}") as refused:
            compiled_function(play.by_function("mine", function))
        assert "nopython mode pipeline" not in str(refused.value)


FOREVER = """
import time
from baccarat import PLAYER, rulebook
from baccarat.sim.study import seat_kernel
from baccarat.sim.study.patrons import study_patrons
from baccarat.sim.study.strategy import flat

def forever(*_):
    print("begun", flush=True)
    time.sleep(1_000)

seat_kernel.play_data = forever  # as a function that never returns; to compile one would take longer than all the rest
study_patrons(rulebook("ma-midi-4"), [flat(PLAYER, 2_500)], purse=10**6, seed=1, sessions=9)
"""


@pytest.mark.slow
def test_a_strategy_that_never_returns_does_not_keep_the_program_from_ending() -> None:
    with subprocess.Popen([sys.executable, "-c", FOREVER], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        try:
            assert program.stdout.readline() == b"begun\n"
            program.send_signal(signal.SIGINT)
            program.wait(timeout=60)
            assert b"KeyboardInterrupt" in program.stderr.read()
        finally:
            program.kill()


def test_threads_that_are_not_waited_for_answer_in_order_and_raise_the_first_fault() -> None:
    assert list(map_in_daemons(lambda n: n * n, range(50), threads=4)) == [n * n for n in range(50)]
    assert list(map_in_daemons(lambda n: n, [], threads=4)) == []
    begun = []

    def fails(number: int) -> int:
        begun.append(number)
        if number == 3:
            raise ValueError("three")
        time.sleep(0.01)
        return number

    with pytest.raises(ValueError, match="three"):
        list(map_in_daemons(fails, range(1_000), threads=2))
    assert len(begun) < 100


@pytest.mark.parametrize("slower", [0.0, 0.2])
@pytest.mark.slow
def test_of_several_faults_that_of_the_first_item_is_raised_whichever_thread_is_faster(slower: float) -> None:
    """Otherwise the same study would be refused now for this session and now for that."""

    def fails(number: int) -> int:
        time.sleep(slower if number == 0 else 0.0)
        raise ValueError(f"item {number}")

    for _ in range(3):
        with pytest.raises(ValueError, match="item 0"):
            list(map_in_daemons(fails, range(8), threads=4))


def test_threads_do_not_run_far_ahead_of_who_takes_their_answers() -> None:
    """Otherwise the answers of a long study would fill the memory."""
    begun: list[int] = []

    def noted(number: int) -> int:
        begun.append(number)
        return number

    answers = map_in_daemons(noted, range(10**9), threads=2)
    for number in range(20):
        assert next(answers) == number
        assert len(begun) <= number + 1 + 4
    answers.close()
    assert len(begun) <= 24


@pytest.mark.parametrize("make", play.LADDERS.values())
def test_a_ladder_of_any_length_is_refused_before_it_fills_the_memory(make: Any) -> None:
    for steps in (33, 10**5, 10**12):
        with pytest.raises(BadStrategy, match="1 to 32 steps"):
            study(make(PLAYER, 2_500, steps))
    assert len(make(PLAYER, 2_500, 1).ladder) == 1


@pytest.mark.slow
def test_tags_and_an_index_that_no_count_has_are_refused() -> None:
    """Tags of 10^15 once passed 64 bits, and the wrong sums were shown as money."""
    wrong: list[tuple[dict[Rank, Any], float, str]] = [
        ({Rank.FOUR: 10**15}, 1.0, "count tie: rank 4 counts 1000000000000000: tags are whole numbers"),
        ({Rank.ACE: 10**23}, 1.0, "rank A counts"),
        ({Rank.ACE: 1.5}, 1.0, "rank A counts 1.5"),
        ({Rank.FOUR: -1}, float("inf"), "a true count of inf"),
        ({Rank.FOUR: -1}, float("nan"), "a true count of nan"),
        ({Rank.FOUR: -1}, 1e30, "a true count of 1e"),
    ]
    for tags, index, says in wrong:
        with pytest.raises(BadStrategy, match=says):
            study(play.stake_from_count(TIE, 500, tags, index))
        if index == 1.0:
            with pytest.raises(BadStrategy, match=says.rpartition(": rank")[2][:6]):
                study(play.by_function("mine", lambda *_: None, tags=tags))
    assert study(play.stake_from_count(PLAYER, 2_500, {Rank.FOUR: -100, Rank.FIVE: 100}, 10_000)).seats[0].staked == 0


def test_sums_are_whole_cents_and_each_fault_has_a_sentence_of_its_own() -> None:
    rules, company = rulebook("ma-midi-4"), [flat(PLAYER, 2_500)]
    for sums, sentence in (
        ({"purse": 1.5}, "purse: expected whole cents, not 1.5"),
        ({"purse": True}, "purse: expected whole cents, not True"),
        ({"purse": -500}, "purse: -$5.00; expected $0.01 at least"),
        ({"purse": 1 << 60}, "expected $11,529,215,046,068,469.75 at most"),
        ({"purse": 5_000, "goal": 5_000}, "goal: $50.00; expected more than the purse, $50.00"),
        ({"purse": 5_000, "goal": 7_500.0}, "goal: expected whole cents, not 7500.0"),
        ({"purse": 5_000, "sessions": 0}, "sessions: 0; expected 1 at least"),
        ({"purse": 5_000, "sessions": 1.0}, "sessions: expected a whole number, not 1.0"),
        ({"purse": 5_000, "shoes": 1_001}, "shoes: 1001; expected 1,000 at most"),
    ):
        for study in (study_patrons, study_vigorish):
            with pytest.raises(ValueError, match=re.escape(sentence)):
                study(rules, company, **({"sessions": 1, "seed": 1} | sums))


def test_sums_and_numbers_of_a_house_are_whole() -> None:
    for asked, sentence in (
        ({"buy_in": 0}, "buy-in: $0.00; expected $0.01 at least"),
        ({"buy_in": 100.5}, "buy-in: expected whole cents, not 100.5"),
        ({"days": 0}, "days: 0; expected 1 at least"),
        ({"tables": 1.5}, "tables: expected a whole number, not 1.5"),
        ({"tables": 10_000, "days": 10_000}, "10,000 tables over 10,000 days: expected"),
    ):
        with pytest.raises(ValueError, match=re.escape(sentence)):
            study_house(rulebook("ma-midi-4"), [flat(PLAYER, 2_500)], **({"seed": 1, "tables": 1, "days": 1} | asked))


def test_numbers_may_be_numpys_own() -> None:
    one: Any = np.int64(1)
    patrons = study_patrons(RULES, [flat(PLAYER, 2_500)], purse=5_000, seed=1, sessions=one, shoes=one)
    house = study_house(RULES, [flat(PLAYER, 2_500)], seed=1, tables=one, days=one, shoes=one)
    assert (type(patrons.sessions), type(patrons.shoes), type(house.tables)) == (int, int, int)


def test_a_strategy_is_made_of_wagers_and_whole_cents() -> None:
    makers: list[Callable[..., Any]] = [flat, martingale, paroli, dalembert, fibonacci]
    makers += [lambda on, stake: mix({on: stake}), lambda on, stake: stake_from_count(on, stake, {Rank.NINE: 1}, 4)]
    makers += [lambda on, stake: check(rulebook("ma-midi-4"), Strategy(name="own", stakes={on: stake}))]
    for make in makers:
        with pytest.raises(TypeError, match="expected a wager, such as BANKER, not 'player'"):
            make("player", 2_500)
        with pytest.raises(TypeError, match=r"expected a stake in whole cents, not 2500\.0"):
            make(PLAYER, 2_500.0)
    for ladder in makers[1:5]:
        with pytest.raises(TypeError, match=r"expected a whole number of steps, not 2\.5"):
            ladder(PLAYER, 2_500, 2.5)
    word: Any = "player"
    with pytest.raises(TypeError, match="expected a wager"):
        mix({PLAYER: 2_500}, onto=word)
    with pytest.raises(TypeError, match="expected a wager"):
        check(rulebook("ma-midi-4"), by_function("own", print, onto=word))
