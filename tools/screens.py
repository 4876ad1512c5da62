"""Plays for an hour with sixty screens behind one address, and counts what the house refuses: nothing.

Run: make soak, or .venv/bin/python tools/screens.py [--minutes 60] [--share 0.1] [--speed 40]

The minutes are those of play at the usual pace; the budget of the address fills by them, to a share of the usual one.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from many_screens import Evening, StrictBudgets, acts_on_record, hurried  # noqa: E402
from served import served  # noqa: E402

TOO_MANY = 429
SAY_EVERY = 300
"""After how many seconds of play a line is printed."""


async def play(folder: Path, asked: argparse.Namespace) -> int:
    """Play, print what was asked for and refused, and return how often a limit was met."""
    begun = time.monotonic()
    async with (
        served(folder, **hurried(asked.speed)) as (live, address),
        Evening(address, speed=asked.speed).begun() as evening,
    ):
        answers, budgets, said = evening.answers, StrictBudgets(live, share=asked.share), 0.0
        while budgets.clock() < 60 * asked.minutes and not budgets.limits_met:
            await asyncio.sleep(0.2)
            if budgets.clock() - said >= SAY_EVERY:
                said = budgets.clock()
                acts, refused = acts_on_record(live), answers.statuses[TOO_MANY]
                print(
                    f"{said / 60:5.0f} minutes of play  {acts:>8,} acts  {answers.requests:>8,} requests  "
                    f"{refused:>5} refused  {time.monotonic() - begun:6.0f} s",
                    flush=True,
                )
        budgets.end()
        refused, screens = answers.statuses[TOO_MANY], len(evening.screens())
        print(
            f"{refused} of {answers.requests:,} requests of {screens} screens were refused. The limit of their budget"
        )
        print(f"budget was met {budgets.limits_met} times; {budgets.least_left:.0f} of 200 is left. They asked for:")
        for path, count in answers.paths.most_common():
            print(f"    {count:>8,}  {path}")
    return budgets.limits_met


def main() -> int:
    """Play in a folder of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--speed", type=float, default=40.0)
    with tempfile.TemporaryDirectory() as made:
        return 1 if asyncio.run(play(Path(made), parser.parse_args())) else 0


if __name__ == "__main__":
    sys.exit(main())
