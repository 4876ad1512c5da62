"""Stores: writes the golden store of this version, if there is none yet: a house in the middle of a round.

With `--again` the one of this version is recreated, which is right only before it is released: after that a store of it
may exist anywhere, and every later version must open it.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from baccarat import __version__  # noqa: E402
from golden_stores import FOLDER, HOUSE, make  # noqa: E402


def main() -> None:
    """Write the store of this version."""
    folder = FOLDER / __version__
    if folder.exists():
        if sys.argv[1:] != ["--again"]:
            raise SystemExit(f"{folder.relative_to(ROOT)} exists; --again recreates it, before a release only")
        shutil.rmtree(folder)
    with TemporaryDirectory() as work:
        facts = asyncio.run(make(folder, Path(work)))
    size = (folder / HOUSE).stat().st_size
    print(f"{folder.relative_to(ROOT)}: {size:,} bytes, {facts['turned']} cards turned in round {facts['round']}")


if __name__ == "__main__":
    main()
