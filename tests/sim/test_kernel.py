"""The kernel deals the shoes of the stream, card by card, as the ordinary engine does, on every machine alike.

`make deep` deals more shoes, up to 8,192 of every case, and on more machines: see `campaign`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from random import Random

import msgspec
import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from baccarat.law.rulebook import rulebook
from baccarat.odds.royal9 import HANDS, OTHER
from baccarat.play.book import open_book
from baccarat.play.coup import deal_by
from baccarat.sim import kernel, vector_run
from baccarat.sim.plan import COUNTERS, DETAILS, Detail, KernelPlan, NoFastPath, make_plan, plan_for_book
from baccarat.sim.stream import simulate_shoe
from baccarat.sim.vector_machine import Machine, this_machine
from baccarat.sim.vector_run import prepare, run
from campaign import CAMPAIGN, times
from compile_kernels import OTHER_MACHINES
from kernel_rounds import compare, play_values, with_tableau

pytestmark = pytest.mark.slow

EDITIONS = ("ma-midi-1", "ma-midi-2", "ma-midi-3", "ma-midi-4", "nj-punto-banco")
RULES = rulebook("ma-midi-4")
PAIRS = make_plan(RULES, "pairs")
TOTALS = make_plan(RULES)


def test_many_shoes_card_by_card() -> None:
    # a fault in lanes that sit out was once first seen at shoe 2,724
    shoes = 3072 if CAMPAIGN == 1 else 8192
    assert compare(PAIRS, 7, 0, shoes) == {3072: 250_402, 8192: 667_684}[shoes]


@pytest.mark.parametrize("decks", [6, 7, 8])
@pytest.mark.parametrize("edition", EDITIONS)
def test_256_shoes_card_by_card(edition: str, decks: int) -> None:
    plan, shoes = make_plan(rulebook(edition, decks=decks), "pairs"), most(256)
    assert compare(plan, 11, 1000, shoes) > shoes * 50


def most(shoes: int) -> int:
    """So many shoes, or more in a long campaign."""
    return min(8192, times(shoes))


def random_tableau(seed: int) -> KernelPlan:
    """A plan with a tableau by chance; the Banker looks at its own count and the Player's third card alone."""
    random = Random(seed)
    table = {key: random.random() < 0.5 for key in product(("player", "banker"), range(10), range(10), range(11))}
    return plan_for_book(with_tableau(open_book(RULES), lambda *key: table[key]), "pairs")


def forced(least: int, most: int) -> KernelPlan:
    """A plan under which coins are often thrown again."""
    return msgspec.structs.replace(PAIRS, source=msgspec.structs.replace(PAIRS.source, least=least, most=most))


FORCED = [(206, 210), (167, 200), (220, 255)]


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(6))
def test_random_tableaux_card_by_card(seed: int) -> None:
    compare(random_tableau(seed), 3, 0, most(32), by_engine=False)


@pytest.mark.parametrize("bounds", FORCED)
def test_coins_thrown_again_card_by_card(bounds: tuple[int, int]) -> None:
    compare(forced(*bounds), 5, 64, most(64), by_engine=False)


def every_finish(plan: KernelPlan) -> NDArray[np.int64]:
    """[sequence of six values, (finish, cards taken)] by the ordinary engine."""
    card = {value: next(card for card, worth in plan.book.value.items() if worth == value) for value in range(10)}
    found = np.zeros((10**6, 2), np.int64)

    def fill(values: list[int], start: int) -> None:
        coup = deal_by(plan.book, tuple(card[value] for value in [*values, 0, 0, 0][:6]))
        if coup.cards_dealt > len(values):
            for value in range(10):
                fill([*values, value], start + value * 10 ** (5 - len(values)))
        else:  # whatever the other cards are
            found[start : start + 10 ** (6 - len(values))] = (coup.index, coup.cards_dealt)

    for first, values in enumerate(product(range(10), repeat=4)):
        fill(list(values), 100 * first)
    return found


def test_every_sequence_of_values() -> None:
    sequences = np.indices((10,) * 6, np.uint8).reshape(6, -1)
    padded = np.concatenate([sequences, sequences[:, :64]], axis=1)
    finishes, taken = play_values(TOTALS, padded, this_machine())
    assert np.array_equal(np.column_stack([finishes, taken])[: 10**6], every_finish(TOTALS))


def stream_counts(plan: KernelPlan, seed: int, first: int, shoes: int, rounds: int | None) -> list[int]:
    """A tally's counters, from the shoes of the stream."""
    counts = [0] * COUNTERS[plan.detail]
    numbers = {hand: index for index, hand in enumerate(HANDS[:OTHER])}
    for number in range(first, first + shoes):
        shoe = simulate_shoe(plan.book, seed, number)
        for cards in shoe.rounds_to(plan.source.depth) if rounds is None else shoe.rounds[:rounds]:
            coup = deal_by(plan.book, cards)
            if plan.detail == "pairs":
                kind = 2 * (cards[0].rank is cards[2].rank) + (cards[1].rank is cards[3].rank)
                counts[4 * coup.index + kind] += 1
                continue
            counts[coup.index] += 1
            if plan.detail == "royal9":
                hands = [numbers.get(frozenset(hand[:2]), OTHER) for hand in (coup.player, coup.banker)]
                counts[400 + 49 * hands[0] + hands[1]] += 1
    return counts


@pytest.mark.parametrize("detail", DETAILS)
def test_counters_are_those_of_the_stream(detail: Detail) -> None:
    for name, first, shoes in (("ma-midi-4", 0, 128), ("ma-midi-1", 2**40 + 5, 150)):
        plan = make_plan(rulebook(name), detail)
        assert run(plan, 9, first, shoes).tolist() == stream_counts(plan, 9, first, shoes, None)


@pytest.mark.parametrize("rounds", [1, 60, 67])
def test_a_fixed_number_of_rounds_a_shoe(rounds: int) -> None:
    assert run(TOTALS, 9, 3, 70, rounds).tolist() == stream_counts(TOTALS, 9, 3, 70, rounds)


def test_ranges_add_up_wherever_they_are_cut() -> None:
    whole = run(TOTALS, 1, 5, 1000)
    for cut in (1, 2, 59, 63, 64, 65, 500, 998):
        assert np.array_equal(run(TOTALS, 1, 5, cut) + run(TOTALS, 1, 5 + cut, 1000 - cut), whole)
    assert not run(TOTALS, 1, 5, 0).any()


def test_details_agree() -> None:
    totals, pairs, royal9 = (run(make_plan(RULES, detail), 2, 0, 8192) for detail in DETAILS)
    assert np.array_equal(pairs.reshape(400, 4).sum(axis=1), totals)
    assert np.array_equal(royal9[:400], totals)
    assert royal9[400:].sum() == totals.sum()


OTHERS = [Machine(lanes, native) for lanes in (16, 32, 64) for native in (0, 16, 32, 64) if native <= lanes]


@pytest.mark.parametrize("machine", OTHER_MACHINES, ids=str)
def test_other_lanes_and_portable_vectors_count_alike(machine: Machine) -> None:
    assert np.array_equal(run(TOTALS, 7, 0, 8192, machine=machine), run(TOTALS, 7, 0, 8192))


@pytest.mark.deep
@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("machine", OTHERS, ids=str)
def test_every_detail_is_counted_alike_on_every_machine(machine: Machine, detail: Detail) -> None:
    if machine.native > this_machine().native:
        pytest.skip("this processor does not have the instructions")
    plan = make_plan(RULES, detail)
    assert np.array_equal(run(plan, 7, 1, 8192, machine=machine), run(plan, 7, 1, 8192))


OLDER = {
    "AVX2": ("haswell", "+avx2,+avx,+bmi,+bmi2,+fma,+popcnt,+sse4.2,+sse4.1,+ssse3,+sse3,+sse2,+sse,+lzcnt,+movbe", 32),
    "SSE": ("nehalem", "+popcnt,+sse4.2,+sse4.1,+ssse3,+sse3,+sse2,+sse", 16),
}
COUNT_THERE = """
from baccarat.law.rulebook import rulebook
from baccarat.sim.vector_machine import this_machine
from baccarat.sim.plan import make_plan
from baccarat.sim.vector_run import run
print(this_machine().native, *run(make_plan(rulebook("ma-midi-4"), "pairs"), 7, 0, 8192))
"""


@pytest.mark.deep
@pytest.mark.skipif(not this_machine().native, reason="this is no x86 processor")
@pytest.mark.parametrize("name", OLDER)
def test_code_for_an_older_processor_counts_alike(name: str) -> None:
    processor, features, native = OLDER[name]
    env = {**os.environ, "NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": features}
    done = subprocess.run([sys.executable, "-c", COUNT_THERE], env=env, capture_output=True, text=True, check=True)
    found = [int(word) for word in done.stdout.split()]
    assert found[0] == native
    assert found[1:] == run(PAIRS, 7, 0, 8192).tolist()


def test_an_unknown_numba_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba, "__version__", "0.99.1")
    this_machine.cache_clear()
    with pytest.raises(NoFastPath, match=r"numba 0\.99\.1 is not supported"):
        this_machine()
    monkeypatch.undo()
    this_machine.cache_clear()


def test_a_kernel_that_deals_other_cards_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    law = msgspec.structs.replace(TOTALS.source, depth=TOTALS.source.depth + 6)
    wrong = prepare(msgspec.structs.replace(TOTALS, source=law))
    monkeypatch.setattr(vector_run, "prepare", lambda _plan: wrong)
    with pytest.raises(NoFastPath, match="does not deal the cards of the definition"):
        run(make_plan(RULES), 7, 0, 64)


def test_what_cannot_be_compiled_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_args: object) -> None:
        raise AttributeError("no such thing in this numba")

    monkeypatch.setattr(kernel, "deal", fails)
    with pytest.raises(NoFastPath, match="cannot compile the kernel: AttributeError: no such thing in this numba"):
        run(make_plan(RULES), 7, 0, 64)


def test_rounds_that_a_shoe_may_not_have_are_refused() -> None:
    with pytest.raises(NoFastPath, match="the kernels deal 1 to 67 from this shoe"):
        run(TOTALS, 1, 0, 64, 68)
