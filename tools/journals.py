"""Journals: rewrites the golden journal of every shipped Submission; the change is then reviewed as a diff."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from golden_journals import FOLDER, golden, names, path_of  # noqa: E402


def main() -> None:
    """Write every journal, and remove those that no longer belong to a Submission."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.glob("*.jsonl"):
        path.unlink()
    for name in names():
        path_of(name).write_bytes(golden(name))
    print(f"{len(names())} journals in {FOLDER.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
