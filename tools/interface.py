"""The interface: rewrites its golden files, and the types of the page scripts; the change is reviewed as a diff."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

import page_types  # noqa: E402
from golden_interface import FOLDER, GOLDEN, path_of, text_of  # noqa: E402


def main() -> None:
    """Write every golden file of the interface."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in GOLDEN:
        path_of(name).write_text(text_of(name), encoding="utf-8")
    page_types.main()
    print(f"{len(GOLDEN)} files in {FOLDER.relative_to(ROOT)}, and {page_types.FILE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
