"""Damages a store in one place at a time and checks whether a start, a backup and a restore notice it.

Run: make faults ONLY=bit-rot, or .venv/bin/python tools/bit_rot.py [--flips 500] [--rows 100] [--seed 1]

Flips of one bit go through every table, every index and every kind of page. A flip that is accepted must have changed
nothing that is used: the content of every table is compared. Every deleted, doubled or rolled-back row must be refused.
The same rows are changed in a store without content sums, where some must be accepted: otherwise this proves nothing.
Exit status: 0 if all that holds, 1 otherwise.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from damaged_house import flips, make_base, row_changes, try_damage  # noqa: E402


def main() -> int:
    """Damage, and print what was noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=500)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    wrong, refused, by_kind = list[str](), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as made:
        base, place = make_base(Path(made) / "base"), Path(made) / "damaged"
        for what, damage in flips(base, asked.seed, asked.flips):
            found = try_damage(base, what, damage, place)
            kind = what.partition("(")[2].partition(")")[0]
            by_kind[kind] += 1
            refused[kind] += found.is_refused
            wrong += [f"{what}: {found.fault}"] if found.fault else []
        unnoticed = 0
        for what, damage in row_changes(base, asked.seed, asked.rows):
            found = try_damage(base, what, damage, place)
            if found.fault or not found.is_refused:
                wrong.append(f"{what}: {found.fault or found.said}")
            unnoticed += not try_damage(base, what, damage, place, with_key=False).is_refused
    for kind, count in sorted(by_kind.items()):
        print(f"{kind} pages: {count} bits flipped, {refused[kind]} refused, the others changed nothing that is used")
    print(f"{asked.rows} rows deleted, doubled or put back; without the key {unnoticed} of these are accepted")
    if not unnoticed:
        wrong.append("all rows are noticed without the key, so these changes prove nothing")
    for each in wrong:
        print(f"seed {asked.seed}: {each}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
