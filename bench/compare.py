"""Two trees of this project side by side: every figure of `bench/`, measured in turns, as ratios.

Run: .venv/bin/python bench/compare.py REVISION [TURNS]      such as   bench/compare.py HEAD~20 7

The revision is checked out next to this tree during the run. The trees run alternately, each with its own
sources, so that other load on the machine affects both. Both do the same work: this tree's scripts if they
run with either (so that both settle the same records), and otherwise each tree's own, whose tables play the same shoe.
Both cache their bytecode, as an installed program does. A ratio above one is faster than before; the figure to look at
is the median over the turns.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TURNS = 5
SCRIPTS = {
    "start.py": (),
    "settle.py": ("20000",),
    "table.py": ("20",),
    "odds.py": ("2000",),
    "shoe.py": ("20",),
    "audit.py": ("100000", "speed"),
    "journal.py": ("2",),
}
"""The scripts that both trees have, with arguments that keep a turn short."""
SHARED = ("start.py", "settle.py", "audit.py")
"""Those that only use the program, so that this tree's script can measure an older one."""
NUMBER = r"([\d,]+(?:\.\d+)?)"


def figures(script: str, text: str) -> dict[str, float]:
    """The figures that a script printed, by name, all such that more is better."""
    found: dict[str, float] = {}
    for line in text.splitlines():
        if script == "start.py" and (match := re.fullmatch(rf"(.+?)\s+{NUMBER} ms.*", line)):
            found[f"start-up: {match[1]}"] = 1 / _number(match[2])
        if script == "settle.py" and (match := re.fullmatch(rf"\s*{NUMBER}\s+{NUMBER}\s+{NUMBER}\s+.*", line)):
            found[f"settle: {match[1]} records"] = _number(match[3])
        if script == "table.py" and (match := re.fullmatch(rf"(\S+)\s+{NUMBER}\s+{NUMBER}\s+{NUMBER}\s+.*", line)):
            found[f"table: decide, {match[1]}"] = _number(match[3])
            found[f"table: replay, {match[1]}"] = _number(match[4])
        if script == "odds.py" and (match := re.fullmatch(rf"(\S.+?)\s+{NUMBER}\s+[\d.,]+", line)):
            found[f"odds: {match[1]}"] = _number(match[2])
        if script == "shoe.py" and (match := re.fullmatch(rf"(\S.+?)  .*?{NUMBER} (ms|µs)(?:\s+[\d.]+)?\s*", line)):
            found[f"shoe: {match[1]}"] = 1 / _number(match[2])
        if script == "journal.py" and (match := re.fullmatch(rf"(\S.+?)\s+{NUMBER} events/s.*", line)):
            found[f"journal: {match[1]}"] = _number(match[2])
        if script == "audit.py" and (match := re.fullmatch(rf"(audit, \w+):\s+{NUMBER} rounds a second", line)):
            found[match[1]] = _number(match[2])
    return found


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def run(tree: Path, script: str, words: tuple[str, ...]) -> dict[str, float]:
    """One script, with the sources of a tree."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, str((ROOT if script in SHARED else tree) / "bench" / script), *words],
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{tree}: bench/{script} failed:\n{done.stderr}")
    return figures(script, done.stdout)


def compare(old: Path, turns: int) -> None:
    """Turn by turn, then the medians."""
    ratios: defaultdict[str, list[float]] = defaultdict(list)
    for turn in range(turns):
        for script, words in SCRIPTS.items():
            pair = [old, ROOT] if turn % 2 else [ROOT, old]
            by_tree = {tree: run(tree, script, words) for tree in pair}
            for name in by_tree[old].keys() & by_tree[ROOT].keys():
                ratios[name].append(by_tree[ROOT][name] / by_tree[old][name])
        print(f"turn {turn + 1} of {turns} done", file=sys.stderr)
    print(f"{'new ÷ old, above 1 is faster':<56} {'median':>7} {'least':>7} {'most':>7}")
    for name, found in sorted(ratios.items()):
        print(f"{name:<56} {statistics.median(found):>7.2f} {min(found):>7.2f} {max(found):>7.2f}")


def main() -> None:
    """Check out the old revision, compare, and remove it again."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "old"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(tree), sys.argv[1]], cwd=ROOT, check=True)
        try:
            compare(tree, int(sys.argv[2]) if len(sys.argv) > 2 else TURNS)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
