"""Start-up: what `import baccarat`, a first rulebook and the program's help take, compared with bare Python.

Run: .venv/bin/python bench/start.py
"""

from __future__ import annotations

import subprocess
import sys
import time

RUNS = 9
CASES = {
    "python -c pass": ["-c", "pass"],
    "import baccarat": ["-c", "import baccarat"],
    "from baccarat import rulebook": ["-c", "from baccarat import rulebook"],
    "a rulebook": ["-c", "from baccarat import rulebook; rulebook('ma-midi-4')"],
    "baccarat --help": ["-m", "baccarat", "--help"],
    "baccarat rules check": ["-m", "baccarat", "rules", "check", "ma-midi-4"],
}


def best(words: list[str]) -> float:
    """The best of several runs, in seconds."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Print milliseconds and the ratio to bare Python."""
    bare = best(CASES["python -c pass"])
    for name, words in CASES.items():
        taken = best(words)
        print(f"{name:<32} {taken * 1000:>7.0f} ms {taken / bare:>6.1f} × bare Python")


if __name__ == "__main__":
    main()
