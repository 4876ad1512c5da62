"""Class names: each names one class in the source, so that a name in a message, a trace or a search means one thing.

Part of `make check`. A name on the list of exceptions may occur more than once, for the reason that stands beside it.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "baccarat"
EXCEPTIONS: dict[str, str] = {}
"""Names of several classes, each with the reason."""


def homes(source: Path = SOURCE) -> dict[str, list[str]]:
    """Where each class name is defined: file and line."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(source.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(f"{path.relative_to(source)}:{node.lineno}")
    return found


def faults(found: dict[str, list[str]]) -> list[str]:
    """One sentence for each name that means several classes, and for each exception that is no longer needed."""
    repeated = {name: places for name, places in found.items() if len(places) > 1}
    return [
        *(f"{name} names {len(places)} classes: {', '.join(places)}" for name, places in repeated.items()
          if name not in EXCEPTIONS),
        *(f"{name} is listed as an exception, but names at most one class" for name in EXCEPTIONS
          if name not in repeated),
    ]  # fmt: skip


def main() -> int:
    """Print every fault; status 1 if there is one."""
    found = faults(homes())
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
