"""Speed of simulation on several threads: the same job with one worker and with two, in turns.

Run: make bench, or .venv/bin/python bench/workers.py [TURNS]

Seconds are wall-clock time, so the machine should be idle otherwise; the processor time is shown
as well, and must not grow with the workers: if it does, threads wait for each other.
"""

from __future__ import annotations

import sys
from statistics import median
from time import perf_counter, process_time

from baccarat.law.rulebook import rulebook
from baccarat.sim.engine import grow_tally, make_engine
from baccarat.sim.job import make_job

SHOES = 1 << 22
WORKERS = (1, 2)


def main(turns: int = 7) -> None:
    """Take turns, and show the medians."""
    job = make_job(rulebook("ma-midi-4"), seed=7, shoes=SHOES)
    engines = {workers: make_engine(job, "vector", workers=workers) for workers in WORKERS}
    found: dict[int, list[tuple[float, float, int]]] = {workers: [] for workers in WORKERS}
    hashes = set()
    for turn in range(turns):
        for workers in WORKERS if turn % 2 else reversed(WORKERS):
            wall, used = perf_counter(), process_time()
            *_, tally = grow_tally(job, engines[workers])
            found[workers].append((perf_counter() - wall, process_time() - used, tally.rounds))
            hashes.add(tally.hash)
    assert len(hashes) == 1, "the tally does not depend on the workers"
    for workers in WORKERS:
        wall, used, rounds = (median(each[which] for each in found[workers]) for which in range(3))
        print(
            f"{workers} workers: {rounds / wall / 1e6:,.0f} M rounds/s, {rounds / used / 1e6:,.0f} M a processor second"
        )
    faster = median(one[0] / two[0] for one, two in zip(found[1], found[2], strict=True))
    dearer = median(two[1] / one[1] for one, two in zip(found[1], found[2], strict=True))
    print(f"two workers are {faster:.2f} times as fast as one, and take {dearer:.2f} times as much of the processors")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
