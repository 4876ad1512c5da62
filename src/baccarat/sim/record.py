"""Round records: every round of a range of shoes as rows of numbers, in the order in which they are dealt.

This module imports numba: it is imported only when asked for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baccarat.law.fact import COUNTS, finish_index
from baccarat.sim import kernel
from baccarat.sim.kernel_shoe import RECORD, Span
from baccarat.sim.machine import Machine, OnMachine, this_machine
from baccarat.sim.plan import NOBODY, Plan
from baccarat.sim.vector_run import Ready, prepare, span_of, work_for

TURNS = 112
"""Rounds and void attempts of a shoe for which there is room at first; where it is not enough, more is made."""
SHOES_A_CALL = 1 << 13

NO_CLASS = 255
"""The class of a card that was not dealt."""


class Records(NamedTuple):
    """Rounds, one a row."""

    shoe: NDArray[np.int64]
    number: NDArray[np.int16]
    """Of the round within its shoe, from 1."""
    cards: NDArray[np.uint8]
    """[row, 6]: the classes of the cards in the order in which they leave the shoe; 255 for none."""
    finish: NDArray[np.int16]
    pair: NDArray[np.uint8]
    """The pair kind, by class: of ranks where the plan's detail is pairs."""


def records(
    plan: Plan, seed: int, first: int, shoes: int, rounds: int | None = None, *, machine: Machine | None = None
) -> Records:
    """Every round of shoes `first` … `first + shoes - 1`."""
    plan.admit_rounds(rounds)
    machine = machine or this_machine()
    starts = range(first, first + shoes, SHOES_A_CALL)
    parts = [_records(plan, seed, start, min(start + SHOES_A_CALL, first + shoes), rounds, machine) for start in starts]
    return parts[0] if len(parts) == 1 else Records(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _records(plan: Plan, seed: int, first: int, stop: int, rounds: int | None, machine: Machine) -> Records:
    ready, span = prepare(plan), span_of(first, stop, machine)
    royals = np.zeros(49 * 49, np.uint32) if plan.detail == "royal9" else None
    turns, needed = 0, TURNS
    while needed > turns:
        turns = needed
        out = np.empty((span.blocks, turns, RECORD, machine.lanes), np.uint8)
        out[:, :, 6] = NOBODY
        needed = kernel.deal(
            OnMachine(machine), ready.law, span, np.uint64(seed), (rounds, ready.high, ready.offsets, None),
            work_for(ready.law, machine), (np.zeros(65536, np.uint32), royals, out),
        )  # fmt: skip
    return _rows(ready, span, out)


def _rows(ready: Ready, span: Span, out: NDArray[np.uint8]) -> Records:
    """The records of the rounds that were played, shoe by shoe."""
    blocks, _turns, _fields, lanes = out.shape
    in_order = np.ascontiguousarray(out.transpose(0, 3, 1, 2)[:, _lanes_by_shoe(lanes)])  # block, shoe, turn, field
    played = in_order[..., 6] != NOBODY if ready.finish is not None else in_order[..., 6] & 15 < 10
    rows = in_order[played]
    by_shoe = played.reshape(blocks * lanes, -1)
    numbers = by_shoe.cumsum(axis=1, dtype=np.int16)[by_shoe]
    shoe = int(span.start) + np.repeat(np.arange(blocks * lanes), by_shoe.sum(axis=1))
    finish = _finish_of(ready, rows)
    cards = rows[:, :6]
    third, last = (finish >> 1 & 1).astype(bool), (finish & 1).astype(bool)  # whether Player and Banker drew
    cards[~(third | last), 4] = NO_CLASS
    cards[~(third & last), 5] = NO_CLASS
    pair = 2 * (cards[:, 0] == cards[:, 2]).astype(np.uint8) + (cards[:, 1] == cards[:, 3])
    return Records(shoe, numbers, cards, finish, pair.astype(np.uint8))


def _lanes_by_shoe(lanes: int) -> list[int]:
    """The lane of each shoe of a block."""
    return sorted(range(lanes), key=lambda lane: (lane & 8) * (lanes // 16) + (lane & 7 | lane >> 4 << 3))


def _finish_of(ready: Ready, rows: NDArray[np.uint8]) -> NDArray[np.int16]:
    if ready.finish is not None:
        return ready.finish.astype(np.int16)[rows[:, 6]]
    found: NDArray[np.int16] = _wide_finishes()[rows[:, 6], rows[:, 7] & 3]
    return found


@lru_cache(maxsize=1)
def _wide_finishes() -> NDArray[np.int16]:
    """[both counts, who stayed]: the finish."""
    table = np.full((256, 4), -1, np.int16)
    for p in COUNTS:
        for b in COUNTS:
            for flags in range(4):
                table[p + 16 * b, flags] = finish_index(p, b, 3 - (flags & 1), 3 - (flags >> 1))
    return table
