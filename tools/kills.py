"""Kills and freezes a server while people play, and checks whether anything is lost, done twice or wrongly refused.

Run: make soak, or .venv/bin/python tools/kills.py [--kills 25] [--freezes 15] [--seed 0] [--players 12]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from killed_house import Ordeal, endure  # noqa: E402


def main() -> int:
    """Kill, freeze, check, and print the findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=25)
    parser.add_argument("--freezes", type=int, default=15)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--players", type=int, default=12)
    asked = parser.parse_args()
    ordeal = Ordeal(seed=asked.seed, kills=asked.kills, freezes=asked.freezes, players=asked.players)
    with tempfile.TemporaryDirectory() as made:
        outcome, _ = asyncio.run(endure(Path(made), ordeal))
    print(
        f"{outcome.starts} starts, {asked.freezes} freezes: {outcome.answers:,} commands answered, {outcome.done:,} of "
        f"them done; {outcome.repeats} sent again at the end; {outcome.entries:,} entries; {len(outcome.wrong)} wrong"
    )
    for each in outcome.wrong[:20]:
        print(f"  {each}")
    return 1 if outcome.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
