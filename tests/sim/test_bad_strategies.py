"""Strategies that misbehave: what a patron's own function does wrong is refused in words, and nothing is broken."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from typing import Any

import numba
import numpy as np
import pytest

from baccarat import PLAYER, TIE, rulebook
from baccarat.cards import Rank
from baccarat.sim.study import strategy as play
from baccarat.sim.study.daemon import in_daemons
from baccarat.sim.study.patrons import study_patrons
from baccarat.sim.study.strategy import BadStrategy, Strategy, compiled_function

RULES = rulebook("ma-midi-4")


def study(strategy: Strategy, **more: Any) -> Any:
    return study_patrons(RULES, [strategy], **{"purse": 10**6, "seed": 1, "sessions": 2} | more)


@pytest.mark.slow
def test_what_a_function_raises_and_where_it_writes_outside_is_said_with_seat_and_session() -> None:
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

    for function in (constant, divided, filled, several, remembered):
        with pytest.raises(BadStrategy, match="mine: the function writes a number with a fraction"):
            compiled_function(play.by_function("mine", function))
    stakes, own = np.zeros(3, np.int64), np.full(32, 5_001)
    compiled_function(play.by_function("mine", whole))(np.zeros(8, np.int64), own, stakes)
    assert stakes.tolist() == [0, 2_500, 0]


FOREVER = """
import time
from baccarat import PLAYER, rulebook
from baccarat.sim.study import seat
from baccarat.sim.study.patrons import study_patrons
from baccarat.sim.study.strategy import flat

def forever(*_):
    print("begun", flush=True)
    time.sleep(1_000)

seat.play_data = forever  # as a function that never returns; to compile one would take longer than all the rest
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
    assert list(in_daemons(lambda n: n * n, range(50), threads=4)) == [n * n for n in range(50)]
    assert list(in_daemons(lambda n: n, [], threads=4)) == []
    begun = []

    def fails(number: int) -> int:
        begun.append(number)
        if number == 3:
            raise ValueError("three")
        time.sleep(0.01)
        return number

    with pytest.raises(ValueError, match="three"):
        list(in_daemons(fails, range(1_000), threads=2))
    assert len(begun) < 100


def test_threads_do_not_run_far_ahead_of_who_takes_their_answers() -> None:
    """Otherwise the answers of a long study would fill the memory."""
    begun: list[int] = []

    def noted(number: int) -> int:
        begun.append(number)
        return number

    answers = in_daemons(noted, range(10**9), threads=2)
    for number in range(20):
        assert next(answers) == number
        assert len(begun) <= number + 1 + 4
    answers.close()
    assert len(begun) <= 24


@pytest.mark.parametrize("make", play.LADDERS.values())
def test_a_ladder_of_any_length_is_refused_before_it_fills_the_memory(make: Any) -> None:
    for steps in (33, 10**5, 10**12):
        with pytest.raises(BadStrategy, match="32 steps at most"):
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
            study(play.counted(TIE, 500, tags, index))
        if index == 1.0:
            with pytest.raises(BadStrategy, match=says.rpartition(": rank")[2][:6]):
                study(play.by_function("mine", lambda *_: None, tags=tags))
    assert study(play.counted(PLAYER, 2_500, {Rank.FOUR: -100, Rank.FIVE: 100}, 10_000)).seats[0].staked == 0
