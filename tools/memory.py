"""Plays rounds in one house and compares its memory after few of them with its memory after many.

Run: make soak, or .venv/bin/python tools/memory.py [--first 5000] [--rounds 50000] [--tables 12]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import resource
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from remembering_house import open_house, open_tables  # noqa: E402

MOST_GROWTH = 0.10
"""How much more memory the many rounds may need than the few, as a share."""


def resident_bytes() -> int:
    """How much memory this process has."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


async def play(folder: Path, asked: argparse.Namespace) -> list[tuple[int, int]]:
    """The numbers of rounds played and the memory used by then, at regular intervals."""
    found, played, begun = list[tuple[int, int]](), 0, time.monotonic()
    async with open_house(folder) as live:
        tables = await open_tables(live, asked.tables)
        while played < asked.rounds:
            each = asked.first // asked.tables
            await asyncio.gather(*(table.play(each) for table in tables))
            played += each * asked.tables
            found.append((played, resident_bytes()))
            commands, seconds = sum(table.commands for table in tables), time.monotonic() - begun
            disk = sum(file.stat().st_size for file in folder.iterdir())
            print(
                f"{played:>9,} rounds  {commands:>10,} commands of participants  "
                f"{found[-1][1] / 2**20:7.1f} MiB of memory  {disk / 2**20:9.1f} MiB on disk  {seconds:6.0f} s",
                flush=True,
            )
    return found


def main() -> int:
    """Play, and print the memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=50_000)
    parser.add_argument("--tables", type=int, default=12)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        found = asyncio.run(play(Path(made), asked))
    (few, before), (many, after) = found[0], found[-1]
    growth = after / before - 1
    print(f"after {many:,} rounds {growth:+.1%} of the memory after {few:,}; {MOST_GROWTH:.0%} more is the most")
    return 0 if growth <= MOST_GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
