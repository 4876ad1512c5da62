"""Speed of simulation: the kernel compared with a textbook loop in numba, on one core.

Run: make bench, or .venv/bin/python bench/simulate.py [TURNS]

Both deal whole shoes: burn, rounds to the cover card, the last hand. The textbook loop shuffles 416 cards (Fisher–Yates
with a short generator, xorshift) and plays round by round with branches; its tableau is a table. They take turns in one
process, some hundredths of a second each, so that other load affects both alike, and seconds are the
processor's. The figure to look at is the median of the ratios, turn by turn. Compiling is shown separately.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from baccarat.cards import Card, Suit
from baccarat.law.fact import COUNTS, FINISHES
from baccarat.law.rulebook import rulebook
from baccarat.odds.joint import banker_draws, player_draws
from baccarat.play.book import NO_CARD
from baccarat.sim.kernel_rounds import records
from baccarat.sim.plan import KernelPlan, make_plan
from baccarat.sim.vector_machine import this_machine
from baccarat.sim.vector_run import run

SHOES = 51_200
FEWER = 40
"""The textbook loop deals this many times fewer shoes per turn."""


@numba.njit
def textbook(shoes: int, law: Any, tables: Any, counts: NDArray[np.int64], pairs: bool) -> None:  # noqa: FBT001
    """Shoes shuffled whole and dealt with branches: the straightforward way."""
    decks, depth = law
    value, burnt, player, banker = tables
    size = 52 * decks
    shoe, chance = np.empty(size, np.uint8), np.uint64(88172645463325252)
    for card in range(size):
        shoe[card] = card % 13
    for _ in range(shoes):
        for last in range(size - 1, 0, -1):
            chance ^= chance << np.uint64(13)
            chance ^= chance >> np.uint64(7)
            chance ^= chance << np.uint64(17)
            other = ((chance >> np.uint64(32)) * np.uint64(last + 1)) >> np.uint64(32)
            shoe[last], shoe[other] = shoe[other], shoe[last]
        at = 1 + burnt[shoe[0]]
        is_last = False
        while True:
            start = at
            p = (value[shoe[at]] + value[shoe[at + 2]]) % 10
            b = (value[shoe[at + 1]] + value[shoe[at + 3]]) % 10
            at += 4
            third, drew = 10, 0
            first, second = p, b
            if player[p, b]:
                third = value[shoe[at]]
                p = (p + third) % 10
                at += 1
                drew = 2
            if banker[first, second, third]:
                b = (b + value[shoe[at]]) % 10
                at += 1
                drew += 1
            finish = p * 40 + b * 4 + drew
            if pairs:
                kind = 2 * (shoe[start] == shoe[start + 2]) + (shoe[start + 1] == shoe[start + 3])
                counts[4 * finish + kind] += 1
            else:
                counts[finish] += 1
            if is_last:
                break
            is_last = size - at < depth


class Racer(NamedTuple):
    """One way to simulate, and the one that it is measured against."""

    name: str
    turn: Callable[[int], int]
    """Deal the shoes of a turn; how many rounds they had."""
    beside: str


def textbook_turn(plan: KernelPlan) -> Callable[[int], int]:
    """The textbook loop with the tableau of a plan."""
    source, book = plan.source, plan.book
    pairs = [[(p, b) for b in COUNTS] for p in COUNTS]
    tables = (
        np.array([plan.book.value[Card(rank, Suit.SPADES)] for rank in source.ranks]),
        np.array(source.burnt),
        np.array([[player_draws(book, p, b) for p, b in row] for row in pairs]),
        np.array(
            [[[player_draws(book, p, b) != (third == NO_CARD) and banker_draws(book, p, b, third)
               for third in range(11)] for p, b in row] for row in pairs]
        ),
    )  # fmt: skip
    counts = np.zeros(4 * FINISHES, np.int64)

    def turn(_number: int) -> int:
        counts[:] = 0
        textbook(SHOES // FEWER, (source.decks, source.depth), tables, counts, plan.detail == "pairs")
        return int(counts.sum())

    return turn


def kernel_turn(plan: KernelPlan, rounds: int | None = None) -> Callable[[int], int]:
    """The kernel with a plan."""
    last = FINISHES if plan.detail == "royal9" else None
    return lambda number: int(run(plan, 7, number * SHOES, SHOES, rounds)[:last].sum())


def racers() -> list[Racer]:
    """All ways."""
    rules = rulebook("ma-midi-4")
    totals, pairs, royal9 = make_plan(rules), make_plan(rules, "pairs"), make_plan(rules, "royal9")
    with_totals, with_pairs = "textbook loop in numba: totals", "textbook loop in numba: with pairs"
    return [
        Racer(with_totals, textbook_turn(totals), with_totals),
        Racer("kernel: totals", kernel_turn(totals), with_totals),
        Racer("kernel: totals, 60 rounds a shoe", kernel_turn(totals, 60), with_totals),
        Racer(with_pairs, textbook_turn(pairs), with_pairs),
        Racer("kernel: with pairs", kernel_turn(pairs), with_pairs),
        Racer("kernel: Royal 9", kernel_turn(royal9), with_totals),
        Racer("kernel: a record of every round", lambda number: len(records(pairs, 7, number, 4096).shoe), with_pairs),
    ]


def main() -> None:
    """Print rounds a second and the ratios."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    machine, field = this_machine(), racers()
    print(f"{machine.lanes} shoes side by side, instructions named for {machine.native or 'no'} bytes")
    for racer in field:
        start = time.perf_counter()
        racer.turn(0)
        print(f"{racer.name:<36} ready after {time.perf_counter() - start:6.2f} s, compiled or from the cache")
    rates: dict[str, list[float]] = {racer.name: [] for racer in field}
    for number in range(turns):
        for racer in field:
            start = time.process_time()
            rounds = racer.turn(number)
            rates[racer.name].append(rounds / (time.process_time() - start) / 1e6)
    print(f"{'':<36} {'million rounds a second':>24} {'× textbook':>11}")
    for racer in field:
        ratios = [one / other for one, other in zip(rates[racer.name], rates[racer.beside], strict=True)]
        print(f"{racer.name:<36} {median(rates[racer.name]):>24,.1f} {median(ratios):>11,.1f}")


if __name__ == "__main__":
    main()
