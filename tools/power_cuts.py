"""Cuts the power under a store at random writes and syncs, and checks whether anything that was answered is lost.

Run: make soak, or .venv/bin/python tools/power_cuts.py [--cuts 300] [--from SEED]

With the store as it is, nothing may be lost. The same cuts are made with `synchronous` NORMAL and OFF, where losses
must be found: otherwise the cuts prove nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from cutting_power import AS_IT_IS, Cut, cut_power, prepare  # noqa: E402


def main() -> int:
    """Make the cuts and print what was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=300)
    parser.add_argument("--from", type=int, default=0, dest="first")
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.cuts)
    with tempfile.TemporaryDirectory() as made:
        empty = Path(made) / "empty"
        empty.mkdir()
        prepare(empty)
        lost: dict[str, list[Cut]] = {}
        for synchronous in (AS_IT_IS, "NORMAL", "OFF"):
            cuts = [cut_power(seed, empty, Path(made), synchronous=synchronous) for seed in seeds]
            lost[synchronous] = [cut for cut in cuts if cut.lost]
            print(f"synchronous {synchronous}: {len(lost[synchronous])} of {len(cuts)} cuts lost what was answered")
    for cut in lost[AS_IT_IS]:
        print(f"seed {cut.seed}, at a {cut.act} in {cut.step}: {'; '.join(cut.lost)}")
    blind = [name for name in ("NORMAL", "OFF") if not lost[name]]
    if blind:
        print(f"the cuts found nothing lost with {' and '.join(blind)}, so they prove nothing")
    return 1 if lost[AS_IT_IS] or blind else 0


if __name__ == "__main__":
    sys.exit(main())
