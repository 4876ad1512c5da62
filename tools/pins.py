"""Pins what each edition says, by its revision: writes the hashes of revisions that are not pinned yet.

Run: python tools/pins.py            an existing pin is never changed: a change in law is a new revision
     python tools/pins.py --again    before a release only: pins the present content of every edition again
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from baccarat.law.edition import load_edition, shipped_editions

PINS = Path(__file__).resolve().parent.parent / "tests" / "data" / "editions.json"


def main() -> None:
    """Write what is missing."""
    pins: dict[str, dict[str, str]] = json.loads(PINS.read_text(encoding="utf-8")) if PINS.exists() else {}
    for name in shipped_editions():
        edition = load_edition(name)
        known = pins.setdefault(name, {})
        revision = str(edition.revision)
        if known.get(revision, edition.content) != edition.content and "--again" not in sys.argv:
            sys.exit(f"{name}: the law of revision {revision} has changed since it was pinned: raise its revision")
        known[revision] = edition.content
    PINS.write_text(json.dumps(pins, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
