"""Soak: lone and linked tables attacked at random for a long time; the first failure of each kind is printed.

`python tools/soak_table.py --minutes 10` or `--tables 500 --first 1000`; `--name` attacks one Submission only. A table
that fails is reproduced by its number: `--first NUMBER --tables 1`.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from baccarat.law.rulebook import shipped_submissions  # noqa: E402
from table_attack import campaign, linked_campaign, linked_rulebooks, varied  # noqa: E402

EVENTS = 600
"""How many events a table has before it is dropped."""
LINKED_EVENTS = 2_000


def attack(number: int, names: list[str]) -> int:
    """The events of one attack: every fifth is on a link, if no Submission was named."""
    if number % 5 == 4 and len(names) > 1:
        rules = linked_rulebooks()
        floor = linked_campaign(rules[number // 5 % len(rules)], number, events=LINKED_EVENTS)
        return sum(each.events for each in floor.tables.values())
    return campaign(varied(names[number % len(names)], number), number, events=EVENTS).events


def main() -> int:
    """Attack until the time or the tables are used up; 1 if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--tables", type=int, default=10**9)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--name")
    asked = parser.parse_args()
    names = [asked.name] if asked.name else list(shipped_submissions())
    end, events, done, found = time.monotonic() + 60 * asked.minutes, 0, 0, dict[str, int]()
    for number in range(asked.first, asked.first + asked.tables):
        if time.monotonic() > end:
            break
        done += 1
        try:
            events += attack(number, names)
        except AssertionError as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{Path(where.filename).name}:{where.lineno}"
            if kind not in found:
                print(f"table {number}: {kind}: {error}")
            found[kind] = found.get(kind, 0) + 1
    print(f"{done:,} attacks, {events:,} events, {sum(found.values())} failures of {len(found)} kinds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
