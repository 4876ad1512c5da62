"""The `cuda` engine: ranges of shoes dealt on an NVIDIA GPU, from the same plan and with the same result.

The source, `cuda_kernel.cu`, is compiled when it is first needed, by CuPy; no other compiler is needed. Only this
module needs CuPy, and only when it runs.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baccarat.law.fact import FINISHES
from baccarat.sim.opening_hand import opening_hands
from baccarat.sim.plan import COUNTERS, DETAILS, Detail, KernelPlan, royal_marks

SOURCE = Path(__file__).with_name("cuda_kernel.cu")
SHOES_A_LAUNCH = 1 << 26
"""How many shoes the 32-bit counters of each block can hold, even on a GPU with few blocks."""

COUNTERS_A_WORD = 3
SECTIONS = {"value": 32, "burnt": 32, "after": 32, "marks": 32, "player": 10, "alone": 10}
"""The tables after the first eight numbers of a packed plan, with their lengths."""


class Shape(NamedTuple):
    """How threads are laid out, and how many tallies a block has so that threads seldom wait for one another."""

    threads: int = 256
    blocks: int = 2
    """Per multiprocessor: with more of them, a thread has fewer registers."""
    copies: int = 2


SHAPES: dict[Detail, Shape] = {"totals": Shape(blocks=3), "pairs": Shape(), "royal9": Shape()}
"""The fastest on an H200, of those with 64 to 256 threads, 2 to 8 blocks and 2 to 8 copies."""


def header(plan: KernelPlan, shape: Shape) -> str:
    """What the source expects to be defined."""
    classes = len(plan.classes)
    is_value = plan.value == tuple(range(classes))
    by_suit = any(len(cards) < 4 for cards in plan.classes)
    words = -(-(classes - 1) // COUNTERS_A_WORD)
    defined = {
        "WORDS": words, "CLASSES": classes, "DETAIL": DETAILS.index(plan.detail), "BY_SUIT": int(by_suit),
        "VALUE(x)": "(x)" if is_value else "plan[VALUES + (x)]",
        "COPIES": shape.copies, "THREADS": shape.threads, "BLOCKS": shape.blocks,
    }  # fmt: skip
    return "".join(f"#define {name} {value}\n" for name, value in defined.items())


def pack_plan(plan: KernelPlan, rounds: int | None) -> NDArray[np.uint32]:
    """A plan as the numbers that the source reads."""
    source = plan.source
    ends = sum(1 << card for card, is_end in enumerate(plan.ends) if is_end)
    head = [source.decks, source.depth, rounds or 0, source.least, source.most, ends & 0xFFFFFFFF, ends >> 32, 0]
    tables = {
        "value": plan.value, "burnt": plan.burnt, "after": plan.after, "marks": royal_marks(plan),
        "player": plan.player, "alone": plan.alone,
    }  # fmt: skip
    body = [number for name, size in SECTIONS.items() for number in [*tables[name], *[0] * (size - len(tables[name]))]]
    return np.array([*head, *body], np.uint32)


def read(plan: KernelPlan, found: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The counters of a tally from those of the GPU."""
    counts = found.astype(np.int64)
    if plan.detail != "royal9":
        return counts
    finishes = counts[:FINISHES]
    return np.concatenate([finishes, opening_hands(counts[FINISHES:], int(finishes.sum()))])


@lru_cache(maxsize=16)
def _kernel(text: str) -> Any:
    """The compiled kernel, cached."""
    return import_module("cupy").RawKernel(text, "deal")


def run(
    plan: KernelPlan, seed: int, first: int, shoes: int, rounds: int | None = None, *, shape: Shape | None = None
) -> NDArray[np.int64]:
    """The counters of a tally of shoes `first` … `first + shoes - 1`, to the cover card or `rounds` rounds each."""
    plan.admit_rounds(rounds)
    cupy, shape = import_module("cupy"), shape or SHAPES[plan.detail]
    kernel = _kernel(header(plan, shape) + SOURCE.read_text("utf-8"))
    grid = cupy.cuda.Device().attributes["MultiProcessorCount"] * shape.blocks
    given, found = cupy.asarray(pack_plan(plan, rounds)), cupy.zeros(COUNTERS[plan.detail], cupy.uint64)
    for start in range(first, first + shoes, SHOES_A_LAUNCH):
        stop = min(start + SHOES_A_LAUNCH, first + shoes)
        kernel((grid,), (shape.threads,), (np.uint64(seed), np.uint64(start), np.uint64(stop), given, found))
    return read(plan, cupy.asnumpy(found))
