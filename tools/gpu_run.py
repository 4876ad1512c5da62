"""Runs shoes on a GPU and writes the results to a file, of which the tests recompute a part on a processor.

Run, on a machine with an NVIDIA GPU, CuPy and msgspec: PYTHONPATH=src python tools/gpu_run.py FILE

Every case is run twice: a part of its range, which also compiles the kernel, then the whole range, whose time counts.
The file has the counters of both, the time and the rate, the GPU, versions, and a digest of the source that ran.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from baccarat.law.fact import FINISHES
from baccarat.law.rulebook import rulebook
from baccarat.sim import cuda
from baccarat.sim.plan import Detail, make_plan


class Case(NamedTuple):
    """A range of shoes under a rulebook."""

    submission: str
    decks: int
    detail: Detail
    rounds: int | None
    seed: int
    first: int
    shoes: int
    part: int
    """How many shoes, from the first, are run separately."""


CASES = (
    Case("ma-midi-4", 8, "totals", None, 7, 0, 1 << 32, 1 << 18),
    Case("ma-midi-4", 8, "totals", 60, 11, 0, 1 << 30, 1 << 17),
    Case("ma-midi-4", 8, "pairs", None, 2026, 10**15, 1 << 30, 1 << 17),
    Case("ma-midi-4-royal9", 8, "royal9", None, 3, 5, 1 << 30, 1 << 17),
    Case("nj-punto-banco", 6, "totals", None, 5, 0, 1 << 30, 1 << 17),
    Case("ma-midi-1", 7, "pairs", 50, 1, 1, 1 << 28, 1 << 16),
)


def found(case: Case) -> dict[str, Any]:
    """The counters of a case, of the part and of the whole, and how long the whole took."""
    rules = rulebook(case.submission, decks=case.decks)
    plan = make_plan(rules, case.detail)
    part = cuda.run(plan, case.seed, case.first, case.part, case.rounds)
    start = time.perf_counter()
    whole = cuda.run(plan, case.seed, case.first, case.shoes, case.rounds)
    seconds = time.perf_counter() - start
    rounds = int(whole[: FINISHES if case.detail == "royal9" else None].sum())
    print(f"{case}: {rounds:.4e} rounds in {seconds:.3f} s: {rounds / seconds / 1e9:.1f} G rounds/s", flush=True)
    return {
        **case._asdict(), "rules": rules.hash, "counts_of_part": part.tolist(), "counts": whole.tolist(),
        "played": rounds, "seconds": round(seconds, 4), "rounds_a_second": round(rounds / seconds),
    }  # fmt: skip


def machine() -> dict[str, Any]:
    """The GPU and the versions of everything involved."""
    cupy = import_module("cupy")
    properties = cupy.cuda.runtime.getDeviceProperties(0)
    return {
        "gpu": properties["name"].decode(), "multiprocessors": properties["multiProcessorCount"],
        "driver": cupy.cuda.runtime.driverGetVersion(), "runtime": cupy.cuda.runtime.runtimeGetVersion(),
        "cupy": cupy.__version__, "numpy": np.__version__, "python": platform.python_version(),
    }  # fmt: skip


def main() -> None:
    """Run all cases and write the file."""
    if len(sys.argv) != 2:
        sys.exit("usage: python tools/gpu_run.py FILE")
    written = {
        "command": "PYTHONPATH=src python tools/gpu_run.py FILE",
        "machine": machine(),
        "source": sha256(cuda.SOURCE.read_bytes()).hexdigest(),
        "cases": [found(case) for case in CASES],
    }
    Path(sys.argv[1]).write_text(json.dumps(written, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
