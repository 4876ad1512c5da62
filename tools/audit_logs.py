"""The long campaign of the audit of logs: nothing is found in clean rounds, and every planted fault is found.

`python tools/audit_logs.py` audits a million clean rounds under each edition, and a thousand planted faults of each
kind; `--rounds 10000 --faults 20` is a short run. Failures are printed with the seed that reproduces them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from baccarat.audit.rounds import Findings, LogAudit, audit_log  # noqa: E402
from baccarat.law.edition import shipped_editions  # noqa: E402
from baccarat.law.rulebook import rulebook  # noqa: E402
from foreign_logs import (  # noqa: E402
    OF_A_ROW,
    STYLES,
    LogRow,
    Planted,
    clean,
    duplicated,
    left_out,
    overfull,
    paragraph_in,
    plant_in_rows,
    swapped,
    with_wagers,
    with_wrong_sums,
    write,
)

BATCH = 50_000
"""Clean rounds in one log."""


def audited(path: Path, edition: str) -> LogAudit:
    """The audit of a log with every fault stored."""
    return audit_log(rulebook(edition), path, Findings(keep=10**7))


def clean_failures(folder: Path, edition: str, rounds: int) -> Iterator[str]:
    """Every fault that is found in clean rounds, of which a tenth has wagers."""
    for batch, start in enumerate(range(0, rounds, BATCH)):
        style = list(STYLES)[batch % len(STYLES)]
        rows = list(clean(min(BATCH, rounds - start), seed=batch))
        path = write(folder / "clean.csv", rows, style=style)
        yield from (f"{edition}, seed {batch}, {style}: {fault}" for fault in audited(path, edition).findings.kept)
        paid = with_wagers(rows[: len(rows) // 10], edition, {}, seed=batch)
        path = write(folder / "wagers.csv", paid)
        yield from (f"{edition}, seed {batch}, wagers: {fault}" for fault in audited(path, edition).findings.kept)


def sorts(faults: int, seed: int, edition: str) -> Iterator[tuple[str, list[LogRow], list[Planted], str]]:
    """Every kind of fault: its name, a log, what is planted in it, and how cards are written."""
    for plant in OF_A_ROW:
        yield (plant.__name__, *plant_in_rows(plant, faults, seed=seed), "cards")
    for rearrange in (duplicated, left_out, swapped):
        yield (rearrange.__name__, *rearrange(faults, seed=seed), "cards")
    for style in STYLES:
        yield (f"overfull by {style}", *overfull(faults, seed=seed, style=style), style)
    for column in ("paid", "vigorish", "net"):
        yield (f"wrong {column}", *with_wrong_sums(column, faults, edition, seed=seed), "cards")


def planted_failures(folder: Path, edition: str, faults: int, seed: int = 1) -> Iterator[str]:
    """Every planted fault that is not found at its row and clause, and every fault that is found elsewhere."""
    for name, rows, planted, style in sorts(faults, seed, edition):
        kept = audited(write(folder / "planted.csv", rows, style=style), edition).findings.kept
        by_wager = any(each.paragraph == "" for each in planted)  # which clause pays depends on the wager
        found = {(fault.row, fault.kind.value, None if by_wager else fault.clause) for fault in kept}
        wanted = {(each.row, each.kind, paragraph_in(edition, each.paragraph)) for each in planted}
        yield from (f"{edition}, {name}, seed {seed}: not found: {each}" for each in sorted(wanted - found, key=str))
        around = {each.row for each in planted} | {
            each.row - 1 for each in planted if each.kind == "round_out_of_order"
        }
        yield from (f"{edition}, {name}, seed {seed}: {fault}" for fault in kept if fault.row not in around)


def main() -> int:
    """Run the campaign; 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--faults", type=int, default=1_000)
    parser.add_argument("--edition", action="append", help="only this one")
    asked = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for edition in asked.edition or shipped_editions():
            wrong = [*clean_failures(folder, edition, asked.rounds), *planted_failures(folder, edition, asked.faults)]
            failed += len(wrong)
            what = f"{asked.rounds:,} clean rounds, {asked.faults:,} planted faults of each kind"
            print(f"{edition}: {what}: {len(wrong)} failures")
            print("".join(f"  {each}\n" for each in wrong[:20]), end="", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
