"""Somebody else's battery on the words of our shuffle: dieharder must pass them, and fail words that repeat."""

from __future__ import annotations

import shutil
import subprocess
import sys

WORDS = 110_000
TESTS = ("100", "101")
"""Its tests of single bits and of runs."""


def exported(words: int) -> bytes:
    """Raw words, as the program exports them."""
    command = [
        sys.executable,
        "-m",
        "baccarat",
        "shuffle",
        "export",
        "ma-midi-4",
        "--seed",
        "lab",
        "--words",
        str(words),
    ]
    return subprocess.run(command, capture_output=True, check=True).stdout


def judged(test: str, data: bytes) -> str:
    """What dieharder says to bytes."""
    command = ["dieharder", "-g", "200", "-d", test, "-t", "5000", "-p", "20", "-D", "assessment"]
    return subprocess.run(command, input=data, capture_output=True, timeout=300, check=True).stdout.decode()


def main() -> int:
    """Judge our words, and words that repeat."""
    if shutil.which("dieharder") is None:
        print("dieharder is needed. On Debian: apt-get install dieharder")
        return 2
    good, bad = exported(WORDS), exported(100)[:396] * 1200
    wrong = [test for test in TESTS if "PASSED" not in judged(test, good) or "FAILED" not in judged(test, bad)]
    print(f"dieharder, tests {', '.join(TESTS)}: " + (f"{', '.join(wrong)} went otherwise" if wrong else "as expected"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
