"""Where things lie: the project, the tests, and the files that tests compare with."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / "tests"
DATA = TESTS / "data"
