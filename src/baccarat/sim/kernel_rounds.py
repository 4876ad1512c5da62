"""Rounds by the kernel: every round of a range of shoes as rows of numbers, in the order in which they are dealt.

`study.round_columns` writes them to Parquet files, and deals where the kernel cannot. This module imports numba.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baccarat.law.fact import COUNTS, finish_index
from baccarat.play.coup import deal_by
from baccarat.sim import kernel
from baccarat.sim.kernel_shoe import RECORD, Span
from baccarat.sim.plan import NO_ROUND, OPENING_HANDS, KernelPlan, NoFastPath
from baccarat.sim.vector_machine import Machine, OnMachine, compiled, this_machine
from baccarat.sim.vector_run import (
    OTHER_CARDS,
    PROOF,
    KernelArguments,
    compile_fault,
    prepare,
    rounds_of,
    span_of,
    work_for,
)

TURNS = 112
"""Rounds and void attempts of a shoe for which there is space at first; it grows if that is not enough."""
SHOES_A_CALL = 1 << 13

NO_CLASS = 255
"""The class of a card that was not dealt."""


class KernelRounds(NamedTuple):
    """Rounds, one per row."""

    shoe: NDArray[np.int64]
    number: NDArray[np.int16]
    """The number of the round within its shoe, from 1."""
    cards: NDArray[np.uint8]
    """[row, 6]: the classes of the cards in the order in which they leave the shoe; 255 for none."""
    finish: NDArray[np.int16]
    pair: NDArray[np.uint8]
    """The pair kind, by class: of ranks if the plan's detail is pairs."""


def records(
    plan: KernelPlan, seed: int, first: int, shoes: int, rounds: int | None = None, *, machine: Machine | None = None
) -> KernelRounds:
    """Every round of shoes `first` … `first + shoes - 1`; `NoFastPath` where the kernel cannot be used."""
    machine = machine or this_machine()
    prove(plan, rounds, machine)
    starts = range(first, first + shoes, SHOES_A_CALL)
    parts = [_records(plan, seed, start, min(start + SHOES_A_CALL, first + shoes), rounds, machine) for start in starts]
    if len(parts) == 1:
        return parts[0]
    return KernelRounds(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


@lru_cache(maxsize=64)
def prove(plan: KernelPlan, rounds: int | None, machine: Machine) -> None:
    """Compile the kernel for records and compare a few shoes card by card: a wrong kernel is not used."""
    plan.admit_rounds(rounds)
    try:
        found = _records(plan, 0, 0, PROOF, rounds, machine)
    except Exception as error:  # numba and LLVM raise errors of all kinds
        raise NoFastPath(compile_fault(error)) from error
    class_of = {card: number for number, cards in enumerate(plan.classes) for card in cards}
    expected = [
        (number, turn, deal_by(plan.book, cards).index, [class_of[card] for card in cards])
        for number in range(PROOF)
        for turn, cards in enumerate(rounds_of(plan, number, rounds), 1)
    ]
    columns = (found.shoe.tolist(), found.number.tolist(), found.finish.tolist())
    dealt = ([each for each in cards if each != NO_CLASS] for cards in found.cards.tolist())
    if expected != list(zip(*columns, dealt, strict=True)):
        raise NoFastPath(OTHER_CARDS)


def _records(plan: KernelPlan, seed: int, first: int, stop: int, rounds: int | None, machine: Machine) -> KernelRounds:
    ready, span = prepare(plan), span_of(first, stop, machine)
    royals = np.zeros(OPENING_HANDS * OPENING_HANDS, np.uint32) if plan.detail == "royal9" else None
    turns, needed = 0, TURNS
    while needed > turns:
        turns, counts = needed, np.zeros(65536, np.uint32)
        out = np.empty((span.blocks, turns, RECORD, machine.lanes), np.uint8)
        out[:, :, 6] = NO_ROUND
        needed = kernel.deal(
            OnMachine(machine), ready.law, span, np.uint64(seed), (rounds, ready.high, ready.offsets),
            work_for(ready.law, machine), (counts, royals, out),
        )  # fmt: skip
    return _rows(ready, span, out, int(counts.sum()) * (1 if ready.finish is None else 2))


def _rows(ready: KernelArguments, span: Span, out: NDArray[np.uint8], most: int) -> KernelRounds:
    """The records of the rounds that were played, shoe by shoe, at most `most` of them."""
    found = KernelRounds(
        shoe=np.empty(most, np.int64),
        number=np.empty(most, np.int16),
        cards=np.empty((most, 6), np.uint8),
        finish=np.empty(most, np.int16),
        pair=np.empty(most, np.uint8),
    )
    table = _wide_finishes() if ready.finish is None else np.repeat(ready.finish.astype(np.int16)[:, None], 4, axis=1)
    rows = _gather(out, _lanes_by_shoe(out.shape[3]), table, int(span.start), found)
    return KernelRounds._make(column[:rows] for column in found)


@compiled
def _gather(out: Any, lanes: Any, table: Any, start: Any, found: Any) -> Any:
    """Fill the columns from what the kernel wrote; returns the number of rows."""
    row = 0
    for block in range(out.shape[0]):
        for position in range(lanes.size):
            lane, number = lanes[position], 0
            for turn in range(out.shape[1]):
                field = out[block, turn]
                finish = table[field[6, lane], field[7, lane] & 3]
                if finish < 0:  # idle, or sitting out
                    continue
                number += 1
                found.shoe[row], found.number[row], found.finish[row] = start + position, number, finish
                for card in range(6):
                    found.cards[row, card] = field[card, lane]
                drew = (finish >> 1 & 1) + (finish & 1)  # how many of the two hands
                if drew < 2:
                    found.cards[row, 5] = NO_CLASS
                if drew < 1:
                    found.cards[row, 4] = NO_CLASS
                player, banker = field[0, lane] == field[2, lane], field[1, lane] == field[3, lane]
                found.pair[row] = 2 * player + banker
                row += 1
        start += lanes.size
    return row


@lru_cache(maxsize=3)
def _lanes_by_shoe(lanes: int) -> NDArray[np.int64]:
    """The lane of each shoe of a block."""
    shoe = [(lane & 8) * (lanes // 16) + (lane & 7 | lane >> 4 << 3) for lane in range(lanes)]
    return np.argsort(shoe)


@lru_cache(maxsize=1)
def _wide_finishes() -> NDArray[np.int16]:
    """[both counts, who stayed]: the finish."""
    table = np.full((256, 4), -1, np.int16)
    for p in COUNTS:
        for b in COUNTS:
            for flags in range(4):
                table[p + 16 * b, flags] = finish_index(p, b, 3 - (flags & 1), 3 - (flags >> 1))
    return table
