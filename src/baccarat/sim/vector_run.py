"""The `vector` engine: shoes dealt by the kernel, and its counters turned into a tally's. This module imports numba."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from baccarat.cards import Card
from baccarat.law.fact import COUNTS, FINISHES, finish_index
from baccarat.play.coup import deal_by
from baccarat.sim import kernel, kernel_shoe
from baccarat.sim.kernel_shoe import ROW, Bytes, KernelLaw, ShoeScratch, Span
from baccarat.sim.opening_hand import opening_hands
from baccarat.sim.plan import (
    COUNTERS,
    NO_ROUND,
    OPENING_HANDS,
    PAIR_KINDS,
    KernelPlan,
    NoFastPath,
    finish_bytes,
    royal_marks,
)
from baccarat.sim.stream import simulate_shoe
from baccarat.sim.vector_machine import Machine, OnMachine, this_machine

Counts = NDArray[np.int64]

SHOES_A_CALL = 1 << 20
"""32-bit counters hold the rounds of this many shoes forty times over; other threads and signals run between calls."""

LIMITS = np.array([0] + [65536 % n for n in range(1, 256)], np.uint16)
OFFSET_ORDER = ((3, 3), (3, 2), (2, 3), (2, 2))
"""The rows of offsets, by the cards of Player and Banker: both drew, the Player alone, the Banker alone, nobody."""


class KernelArguments(NamedTuple):
    """A plan as the arguments of the kernel."""

    law: KernelLaw
    high: Bytes | None
    offsets: Bytes | None
    finish: NDArray[np.int64] | None
    """By byte: the finish; -1 where there is none. None where finishes have no bytes."""


def run(
    plan: KernelPlan, seed: int, first: int, shoes: int, rounds: int | None = None, *, machine: Machine | None = None
) -> Counts:
    """The counters of a tally of shoes `first` … `first + shoes - 1`, to the cover card or `rounds` rounds each."""
    plan.admit_rounds(rounds)
    machine = machine or this_machine()
    if shoes:
        prove(plan, rounds, machine)
    total = np.zeros(COUNTERS[plan.detail], np.int64)
    for start in range(first, first + shoes, SHOES_A_CALL):
        total += _run(plan, seed, start, min(start + SHOES_A_CALL, first + shoes), rounds, machine)
    return total


PROOF = 4
"""How many shoes are also dealt card by card before a plan's first run."""
OTHER_CARDS = f"numba {numba.__version__} compiles a kernel that does not deal the cards of the definition"


def compile_fault(error: Exception) -> str:
    """The message about a kernel that numba does not compile."""
    why = (str(error).splitlines() or [""])[0]
    return f"numba {numba.__version__} cannot compile the kernel: {type(error).__name__}: {why}"


def rounds_of(plan: KernelPlan, number: int, rounds: int | None) -> tuple[tuple[Card, ...], ...]:
    """The rounds of a shoe of seed 0 by the definition of the stream, to the cover card or `rounds` of them."""
    shoe = simulate_shoe(plan.book, 0, number, source=plan.source)
    return shoe.rounds_to(plan.source.depth) if rounds is None else shoe.rounds[:rounds]


@lru_cache(maxsize=64)
def prove(plan: KernelPlan, rounds: int | None, machine: Machine) -> None:
    """Compile the kernel for a plan and compare a few shoes: what numba cannot compile correctly is not used."""
    try:
        found = _run(plan, 0, 0, PROOF, rounds, machine)
    except Exception as error:  # numba and LLVM raise errors of all kinds
        raise NoFastPath(compile_fault(error)) from error
    expected = np.zeros(FINISHES, np.int64)
    for number in range(PROOF):
        np.add.at(expected, [deal_by(plan.book, cards).index for cards in rounds_of(plan, number, rounds)], 1)
    finishes = found.reshape(FINISHES, -1).sum(axis=1) if plan.detail == "pairs" else found[:FINISHES]
    if not np.array_equal(finishes, expected):
        raise NoFastPath(OTHER_CARDS)


def _run(plan: KernelPlan, seed: int, first: int, stop: int, rounds: int | None, machine: Machine) -> Counts:
    ready = prepare(plan)
    counts = np.zeros(65536, np.uint32)
    royals = np.zeros(OPENING_HANDS * OPENING_HANDS, np.uint32) if plan.detail == "royal9" else None
    kernel.deal(
        OnMachine(machine), ready.law, span_of(first, stop, machine), np.uint64(seed),
        (rounds, ready.high, ready.offsets), work_for(ready.law, machine), (counts, royals, None),
    )  # fmt: skip
    finishes = read_finishes(ready, counts)
    if plan.detail == "pairs":
        return finishes.reshape(-1)
    totals = finishes.sum(axis=1)
    return totals if royals is None else np.concatenate([totals, opening_hands(royals, int(totals.sum()))])


def span_of(first: int, stop: int, machine: Machine) -> Span:
    """The blocks that hold the shoes."""
    start = first - first % 4
    return Span(np.uint64(start), -(-(stop - start) // machine.lanes), np.uint64(first), np.uint64(stop))


def work_for(law: KernelLaw, machine: Machine) -> ShoeScratch:
    """Scratch space for a run."""
    lanes, size = machine.lanes, len(law.shape) * machine.lanes
    return ShoeScratch(
        state=np.zeros(lanes // 4, np.uint64),
        first=np.zeros(size, np.uint8),
        second=np.zeros(size, np.uint8),
        sizes=np.zeros(lanes, np.uint16),
        left=np.zeros(lanes, np.uint8),
        drawn=np.zeros(lanes, np.uint8),
        scratch=np.zeros(lanes, np.uint8),
        kept=np.zeros(6 * lanes, np.uint16),
        turns=np.tile(np.array([0, 16], np.uint8), 8),
    )


@lru_cache(maxsize=32)
def prepare(plan: KernelPlan) -> KernelArguments:
    """A plan as the kernel's arguments."""
    source, classes = plan.source, len(plan.classes)
    rows = np.zeros((kernel_shoe.ROWS, ROW), np.uint8)
    high = np.zeros((kernel_shoe.HIGH_ROWS, ROW), np.uint8)
    rows[kernel_shoe.VALUE, :classes], rows[kernel_shoe.BURNT, :classes] = plan.value, plan.burnt
    rows[kernel_shoe.MARK, :classes] = royal_marks(plan)
    rows[kernel_shoe.BIT, :8] = [1 << bit for bit in range(8)]
    high[kernel_shoe.HIGH_BIT, 8:10] = [1, 2]
    for row, high_row, bits in (
        (kernel_shoe.PLAYER, kernel_shoe.HIGH_PLAYER, plan.player),
        (kernel_shoe.ALONE, kernel_shoe.HIGH_ALONE, plan.alone),
        (kernel_shoe.AFTER, kernel_shoe.HIGH_AFTER, plan.after),
    ):
        rows[row, : len(bits)] = [each & 255 for each in bits]
        high[high_row, : len(bits)] = [each >> 8 for each in bits]
    law = KernelLaw(
        source.decks, source.depth, source.least, source.most, (0,) * (classes - 1), np.array(plan.ends),
        rows.reshape(-1), LIMITS,
    )  # fmt: skip
    is_high = any(each >> 8 for bits in (plan.player, plan.alone, plan.after) for each in bits)
    return KernelArguments(law, high.reshape(-1) if is_high else None, *_offsets(plan))


def _offsets(plan: KernelPlan) -> tuple[Bytes | None, NDArray[np.int64] | None]:
    """The offsets of bytes and the finish of each byte, where the detail needs no more than finishes."""
    coded = finish_bytes(plan.book) if plan.detail != "pairs" else None
    if coded is None:
        return None, None
    offsets = np.zeros((len(OFFSET_ORDER), ROW), np.uint8)
    for row, cards in enumerate(OFFSET_ORDER):
        offsets[row, :10] = coded.offsets[cards]
    return offsets.reshape(-1), np.array(coded.finish)


def read_finishes(ready: KernelArguments, counts: NDArray[np.uint32]) -> Counts:
    """[finish, pair kind] from the kernel's counters; all in the first column if pairs are not counted."""
    table = np.zeros((FINISHES, PAIR_KINDS), np.int64)
    if ready.finish is None:
        codes, finishes = _wide_codes()
        for kind in range(PAIR_KINDS):  # two alternating tables, and in each the flags of the pair kind
            found = [counts[codes + 256 * (4 * kind + turn)] for turn in (0, 16)]
            table[finishes, kind] = found[0].astype(np.int64) + found[1]
        return table
    pairs = counts.reshape(256, 256)  # two lanes share a counter
    by_byte = pairs.sum(axis=0, dtype=np.int64) + pairs.sum(axis=1, dtype=np.int64)
    known = ready.finish >= 0
    assert not by_byte[:NO_ROUND][~known[:NO_ROUND]].any(), "every byte counted is that of a finish"
    table[ready.finish[known], 0] = by_byte[known]
    return table


@lru_cache(maxsize=1)
def _wide_codes() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The counter of every finish where finishes have no bytes, without pairs, and the finish."""
    found = [
        (p + 16 * b + 256 * (2 * (3 - banker) + 3 - player), finish_index(p, b, player, banker))
        for p, b, player, banker in product(COUNTS, COUNTS, (2, 3), (2, 3))
    ]
    codes, finishes = np.array(found).T
    return codes, finishes
