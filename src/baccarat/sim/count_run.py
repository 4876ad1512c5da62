"""Linear counts over ranges of shoes: how often each true count is met before a round, and how the round then ends.

For whoever wants the histogram of a count over more shoes than a study deals: some hundred million rounds a second, by
the results alone. `study counts` does not use it: beside each true count it sets the exact odds met there, for which it
must know the cards of every round. `bench/simulate.py` measures it.

Its true count is the plain one of the published counts: the tags of the cards seen as they are, for each deck of the
cards still to be dealt. In the studies (`study.counting`) tags are balanced first, and it is for each deck not seen.

This module imports numba: it is imported only when asked for.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from baccarat.cards import Rank
from baccarat.law.fact import FINISHES
from baccarat.play.shoe import shows_burned
from baccarat.sim import kernel
from baccarat.sim.kernel_count import MOST_TAG, TRUE_COUNTS
from baccarat.sim.kernel_shoe import ROW
from baccarat.sim.machine import Machine, OnMachine, this_machine
from baccarat.sim.plan import NoFastPath, Plan
from baccarat.sim.vector_run import SHOES_A_CALL, prepare, span_of, work_for


def count_run(
    plan: Plan,
    tags: Mapping[Rank, int],
    seed: int,
    first: int,
    shoes: int,
    rounds: int | None = None,
    *,
    machine: Machine | None = None,
) -> NDArray[np.int64]:
    """[true count + 50, finish]: rounds of shoes `first` … `first + shoes - 1`, by the true count before them.

    Ranks without a tag have nought. True counts beyond ±50 are counted with ±50. The plan's detail is totals.
    """
    plan.admit_rounds(rounds)
    machine, ready, row = machine or this_machine(), prepare(plan), _tag_row(plan, tags)
    if ready.finish is None:
        raise NoFastPath("counts need a plan of totals whose finishes have bytes")
    if shows_burned(plan.book.rules):
        raise NoFastPath("all burned cards are shown here, and the kernel looks at none but the first")
    table = np.zeros((TRUE_COUNTS, FINISHES), np.int64)
    known = ready.finish >= 0
    for start in range(first, first + shoes, SHOES_A_CALL):
        stop = min(start + SHOES_A_CALL, first + shoes)
        counts = np.zeros(65536, np.uint32)
        kernel.deal(
            OnMachine(machine), ready.law, span_of(start, stop, machine), np.uint64(seed),
            (rounds, ready.high, ready.offsets, row), work_for(ready.law, machine), (counts, None, None),
        )  # fmt: skip
        table[:, ready.finish[known]] += counts.reshape(256, 256)[:TRUE_COUNTS, known]
    return table


def _tag_row(plan: Plan, tags: Mapping[Rank, int]) -> NDArray[np.uint8]:
    """The tags by class, as signed bytes."""
    found = []
    for cards in plan.classes:
        of_class = {tags.get(card.rank, 0) for card in cards}
        if len(of_class) > 1:
            ranks = " ".join(dict.fromkeys(card.rank.value for card in cards))
            raise ValueError(f"tags of {ranks}: {sorted(of_class)}; ranks of one value have one tag")
        found.append(of_class.pop())
    if any(tag != int(tag) or abs(tag) > MOST_TAG for tag in found):
        raise ValueError(f"tags {found}: tags are whole numbers of -{MOST_TAG} to {MOST_TAG}")
    row = np.zeros(ROW, np.int8)
    row[: len(found)] = found
    return row.view(np.uint8)
