"""Transcripts: rewrites the golden stories of irregularities; the change is then reviewed as a diff."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from table_stories import FOLDER, STORIES  # noqa: E402


def main() -> None:
    """Write every story, and remove files without a story."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    for story in STORIES:
        story.path.write_text("\n".join(story.lines()) + "\n", encoding="utf-8")
    print(f"{len(STORIES)} stories in {FOLDER.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
