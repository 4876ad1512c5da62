"""An outside battery on the words of our shuffle: dieharder must pass them, and fail biased words."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile

WORDS = 700_000
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
    """The verdict of dieharder on bytes."""
    command = ["dieharder", "-g", "200", "-d", test, "-t", "5000", "-p", "100", "-D", "assessment"]
    with tempfile.TemporaryFile() as file:  # not a pipe, because it seeks back to the beginning
        file.write(data)
        file.seek(0)
        return subprocess.run(command, stdin=file, capture_output=True, timeout=300, check=True).stdout.decode()


def main() -> int:
    """Judge our words, and the same with one bit of every byte gone."""
    if shutil.which("dieharder") is None:
        print("dieharder is needed. On Debian: apt-get install dieharder")
        return 2
    good = exported(WORDS)
    bad = bytes(byte & 0x7F for byte in good)
    wrong = [test for test in TESTS if "PASSED" not in judged(test, good) or "FAILED" not in judged(test, bad)]
    print(
        f"dieharder, tests {', '.join(TESTS)}: "
        + (f"{', '.join(wrong)} were not as expected" if wrong else "as expected")
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
