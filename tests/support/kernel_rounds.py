"""The kernel beside the ordinary engine: shoes dealt card by card by both, and single rounds by the kernel alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from baccarat.play.book import Book
from baccarat.play.coup import deal_by
from baccarat.play.shoe import rounds as engine_rounds
from baccarat.sim.kernel import count, load_tableau, play
from baccarat.sim.kernel_rounds import NO_CLASS, records
from baccarat.sim.kernel_shoe import U
from baccarat.sim.plan import KernelPlan
from baccarat.sim.stream import simulate_shoe
from baccarat.sim.vector import all_bytes, lanes_of, load_bytes, store
from baccarat.sim.vector_machine import Machine, OnMachine, compiled
from baccarat.sim.vector_run import prepare, work_for
from baccarat.sim.vector_shoe import load_counters

Draws = Callable[[str, int, int, int], bool]


def expected_rows(plan: KernelPlan, seed: int, number: int, *, by_engine: bool = True) -> list[list[int]]:
    """What a record says of the rounds of a shoe, as the ordinary engine deals it: cards by class, finish, pair kind.

    A plan of another tableau than the rulebook's is dealt by its book, with the cover card as the stream has it.
    """
    shoe = simulate_shoe(plan.book, seed, number, source=plan.source)
    if by_engine:
        coups = [each.coup for each in engine_rounds(plan.book.rules, shoe.cards, position=1 + len(shoe.unseen))]
    else:
        coups = [deal_by(plan.book, cards) for cards in shoe.rounds_to(plan.source.depth)]
    classes = {card: index for index, cards in enumerate(plan.classes) for card in cards}
    rows = []
    for coup, cards in zip(coups, shoe.rounds, strict=False):
        dealt = [classes[card] for card in cards]
        pair = 2 * (dealt[0] == dealt[2]) + (dealt[1] == dealt[3])
        rows.append([*dealt, *[NO_CLASS] * (6 - len(dealt)), coup.index, pair])
        assert len(cards) == coup.cards_dealt
    return rows


def compare(
    plan: KernelPlan, seed: int, first: int, shoes: int, *, machine: Machine | None = None, by_engine: bool = True
) -> int:
    """Compare shoes card by card; how many rounds there were."""
    found = records(plan, seed, first, shoes, machine=machine)
    rows = np.column_stack([found.cards, found.finish, found.pair])
    bounds = np.searchsorted(found.shoe, np.arange(first, first + shoes + 1))
    for number, start, stop in zip(range(first, first + shoes), bounds, bounds[1:], strict=False):
        assert rows[start:stop].tolist() == expected_rows(plan, seed, number, by_engine=by_engine), number
        assert found.number[start:stop].tolist() == list(range(1, stop - start + 1))
    return len(rows)


def with_tableau(book: Book, draws: Draws) -> Book:
    """A book with another tableau: by the hand, the two counts and the Player's third card, 10 for none."""
    act = {True: "draw", False: "stay"}
    player = tuple(
        tuple(msgspec.structs.replace(row, act=act[draws("player", p, b, 10)]) for b, row in enumerate(rows))
        for p, rows in enumerate(book.player_row)
    )
    a_row = book.player_row[0][0]
    banker = tuple(
        tuple(msgspec.structs.replace(a_row, act=act[draws("banker", 0, b, third)]) for third in range(11))
        for b in range(10)
    )
    return msgspec.structs.replace(book, player_row=player, banker_row=(banker, banker))


@compiled
def _play_numbers(on: Any, law: Any, asked: Any, work: Any, counts: Any, numbers: Any, out: Any) -> None:
    """Rounds from given numbers, all from the same shoe: the bytes of each finish."""
    _rounds, high, offsets = asked
    tableau, counters = load_tableau(on, law), load_counters(on, work.first, law.shape)
    lanes = lanes_of(on)
    for start in range(U(0), U(numbers.shape[1]), lanes):
        width = U(numbers.shape[1])
        six = (
            load_bytes(on, numbers, start), load_bytes(on, numbers, width + start),
            load_bytes(on, numbers, U(2) * width + start), load_bytes(on, numbers, U(3) * width + start),
            load_bytes(on, numbers, U(4) * width + start), load_bytes(on, numbers, U(5) * width + start),
        )  # fmt: skip
        _counters, cards, p, b, stays, two, taken = play(on, law, tableau, high, counters, six)
        code = count(on, offsets, work, counts, (cards, p, b, stays, two), all_bytes(on, 0))
        store(out, start, code[0])
        store(out, width + start, taken)


def play_values(
    plan: KernelPlan, values: NDArray[np.uint8], machine: Machine
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """The finish and the cards taken of rounds by six values each, [6, round], as the kernel evaluates them.

    The shoe has twenty cards of each class, and the one in the middle is drawn: it is there whatever was drawn before.
    """
    ready = prepare(plan)
    assert ready.finish is not None, "the finishes have bytes"
    work = work_for(ready.law, machine)
    for k in range(len(plan.classes) - 1):
        work.first[k * machine.lanes : (k + 1) * machine.lanes] = 20 * (k + 1) ^ 128
    number_of = np.array([20 * plan.value.index(value) + 10 for value in range(10)], np.uint8)
    out = np.zeros((2, values.shape[1]), np.uint8)
    asked, counts = (None, ready.high, ready.offsets), np.zeros(65536, np.uint32)
    _play_numbers(OnMachine(machine), ready.law, asked, work, counts, number_of[values], out)
    return ready.finish[out[0]], out[1]
