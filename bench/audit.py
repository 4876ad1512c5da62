"""Speed of `baccarat audit` over a CSV log: rounds a second on one core, and memory over ten million rows.

Run: make bench, or .venv/bin/python bench/audit.py [ROUNDS [speed]]      with `speed`, memory is not measured

Seconds are the processor's. The ratio is against a plain loop in the same run that reads the same rows with `csv` and
calls `deal()` on each, comparing totals and winner, and counting nothing.
"""

from __future__ import annotations

import csv
import gc
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from baccarat.audit.rounds import Findings, audit_log
from baccarat.cards import decks, show_cards
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.book import open_book
from baccarat.play.coup import deal, deal_by

MANY = 10_000_000


def make_log(path: Path, rules: Rulebook, rounds: int, *, style: str, seed: int = 7) -> None:
    """Write rounds of eight-deck shoes, by cards with suits or by ranks."""
    chance, book, shoe, written = random.Random(seed), open_book(rules), 0, 0
    with path.open("w", encoding="utf-8") as out:
        out.write("shoe,round,player,banker,player_total,banker_total,winner\n")
        while written < rounds:
            shoe += 1
            cards = list(decks(8))
            chance.shuffle(cards)
            position = number = 0
            while position < len(cards) - 20 and written < rounds:
                coup = deal_by(book, tuple(cards[position : position + 6]))
                position, number, written = position + coup.cards_dealt, number + 1, written + 1
                hands = [show_cards(hand) for hand in (coup.player, coup.banker)]
                if style == "ranks":
                    hands = ["".join(sign for sign in hand if sign not in "shdc") for hand in hands]
                counts = f"{coup.player_count},{coup.banker_count}"
                out.write(f"{shoe},{number},{hands[0]},{hands[1]},{counts},{coup.outcome}\n")


def plain_loop(path: Path, rules: Rulebook) -> float:
    """The seconds of a plain loop over the rows."""
    start = time.process_time()
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            player, banker = row["player"].split(), row["banker"].split()
            coup = deal(rules, [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]])
            right = (str(coup.player_count), str(coup.banker_count), coup.outcome)
            assert right == (row["player_total"], row["banker_total"], row["winner"])
    return time.process_time() - start


def audited(path: Path, rules: Rulebook) -> float:
    """The seconds of an audit."""
    start = time.process_time()
    audit = audit_log(rules, path, Findings(keep=10))
    assert audit.findings.total == 0, audit.findings.kept
    return time.process_time() - start


def main() -> None:
    """Print the figures."""
    gc.disable()  # as the program does
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 500_000
    rules = rulebook("ma-midi-4")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.csv"
        for style in ("cards", "ranks"):
            make_log(path, rules, rounds, style=style)
            seconds = audited(path, rules)
            print(f"audit, {style}: {rounds / seconds:>9,.0f} rounds a second")
            if style == "cards":
                sample = Path(folder) / "sample.csv"
                make_log(sample, rules, rounds // 10, style=style)
                slow = 10 * plain_loop(sample, rules)
                faster = f"the audit is {slow / seconds:.1f} times faster"
                print(f"plain loop:   {rounds / slow:>9,.0f} rounds a second; {faster}")
        if "speed" in sys.argv[2:]:
            return
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        body = path.read_bytes().partition(b"\n")[2]
        header = b"shoe,round,player,banker,player_total,banker_total,winner\n"
        with path.open("wb") as out:
            out.write(header)
            for copy in range(MANY // rounds):  # the shoes of each copy have names of their own
                name = b"%d-" % copy
                out.write(name + body[:-1].replace(b"\n", b"\n" + name) + b"\n")
        audit = audit_log(rules, path, Findings(keep=10))
        assert audit.findings.total == 0, audit.findings.kept
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(f"memory: {before // 1024} MB after {rounds:,} rows, {after // 1024} MB after {audit.rows:,} more")


if __name__ == "__main__":
    main()
