"""Speed of a table among many rulebooks: `expected` under one rulebook, and under three hundred in turn.

Run: make bench, or .venv/bin/python bench/rulebooks.py [RULEBOOKS]
"""

from __future__ import annotations

import sys
import time

from baccarat.law.rulebook import Rulebook, read_submission, rulebook
from baccarat.table.machine import begin, expected
from baccarat.table.state import TableState

CALLS = 30_000


def rulebooks(count: int) -> list[Rulebook]:
    """Rulebooks that differ in the maximum of one wager."""
    base = read_submission("ma-midi-4")
    limits = base["limits"]
    return [
        rulebook({**base, "limits": {**limits, "player": {**limits["player"], "max": f"${5_000 + 100 * number}.00"}}})
        for number in range(count)
    ]


def micros(tables: list[tuple[Rulebook, TableState]]) -> float:
    """Processor microseconds of one call, the tables in turn."""
    turns = CALLS // len(tables)
    start = time.process_time()
    for _ in range(turns):
        for rules, state in tables:
            expected(rules, state)
    return (time.process_time() - start) / (turns * len(tables)) * 1e6


def main() -> None:
    """Print both, and their ratio."""
    tables = [(rules, begin(rules)) for rules in rulebooks(int(sys.argv[1]) if len(sys.argv) > 1 else 300)]
    one, many = min(micros(tables[:1]) for _ in range(5)), min(micros(tables) for _ in range(5))
    print(f"expected under one rulebook {one:.2f} µs, under {len(tables)} in turn {many:.2f} µs: {many / one:.1f} ×")


if __name__ == "__main__":
    main()
