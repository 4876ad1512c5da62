"""Speed of `baccarat settle`: records a second on one core, and memory over the run.

Run: make bench, or .venv/bin/python bench/settle.py [RECORDS]

Seconds are processor time, so that other load on a shared machine matters less; the ratio
is against reading and writing the same JSON and doing nothing else, in the same run.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import msgspec

from baccarat.cards import Card
from baccarat.law.rulebook import rulebook
from baccarat.play.book import Book, open_book
from baccarat.play.coup import deal_by

RANKS, SUITS = "A23456789TJQK", "SHDC"


def make_records(path: Path, count: int, seed: int = 7) -> None:
    """Write records of ordinary rounds: eight decks, five seats, main and side wagers, two editions."""
    chance = random.Random(seed)
    deck = [rank + suit for rank in RANKS for suit in SUITS] * 8
    with path.open("w", encoding="utf-8") as out:
        for number in range(count):
            ruleset, options = (("ma-midi-4", {}), ("nj-punto-banco", {"settlement_option": 2}))[number % 2]
            wagers = [
                {"seat": 1, "type": "player", "amount": 100 * chance.randrange(25, 5000)},
                {"seat": 3, "type": "banker", "amount": 100 * chance.randrange(25, 5000)},
                {"seat": 3, "type": "tie", "amount": 1000},
            ]
            if number % 4 == 0:
                wagers.append({"seat": 5, "type": "dragon_banker", "amount": 500})
            record = {
                "id": number, "ruleset": ruleset, "options": options, "cards": _dealt(ruleset, chance.sample(deck, 6)),
                "cards_left_in_shoe": 100, "wagers": wagers,
            }  # fmt: skip
            out.write(json.dumps(record) + "\n")


@cache
def _book(ruleset: str) -> Book:
    return open_book(rulebook(ruleset))


def _dealt(ruleset: str, cards: list[str]) -> list[str]:
    """As many of the cards as the round takes."""
    coup = deal_by(_book(ruleset), tuple(map(Card.parse, cards)))
    return cards[: coup.cards_dealt]


def run(path: Path) -> tuple[float, int]:
    """Processor seconds and peak memory in KiB of the program on one file."""
    with path.with_suffix(".out").open("wb") as out:
        child = subprocess.Popen([sys.executable, "-m", "baccarat", "settle", str(path)], stdout=out)
        _, status, usage = _wait(child)
    assert status == 0, f"settle ended with {status}"
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def _wait(child: subprocess.Popen[bytes]) -> tuple[int, int, resource.struct_rusage]:
    import os  # noqa: PLC0415

    pid, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return pid, child.returncode, usage


def main() -> None:
    """Time three sizes, so that memory growing with the input would show."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        empty, _ = _timed(Path(folder), 1)
        print(f"{'records':>9} {'seconds':>9} {'a second':>10} {'peak MiB':>9} {'× copying JSON':>15}")
        for size in (count // 10, count // 2, count):
            seconds, peak = _timed(Path(folder), size)
            copying = _copy(Path(folder) / "records.jsonl")
            working = seconds - empty
            print(f"{size:>9,} {seconds:>9.2f} {size / working:>10,.0f} {peak / 1024:>9.1f} {working / copying:>15.1f}")
        print(f"start-up {empty:.2f} s, not counted in the rate; one process, one core")


def _timed(folder: Path, size: int) -> tuple[float, int]:
    path = folder / "records.jsonl"
    make_records(path, size)
    return run(path)


def _copy(path: Path) -> float:
    start = time.process_time()
    with path.open("rb") as lines, path.with_suffix(".copy").open("wb") as out:
        for line in lines:
            out.write(msgspec.json.encode(msgspec.json.decode(line)) + b"\n")
    return time.process_time() - start


if __name__ == "__main__":
    main()
