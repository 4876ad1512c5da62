"""Whether a database is still the file at its path: one that was deleted, moved or replaced must not be written.

A system lets a process write to a file that no longer has a name, so every write succeeds, and nothing of it is there
after a restart.
"""

from __future__ import annotations

import os
from pathlib import Path

FileId = tuple[int, int]
"""The device of a file, and its number there."""


class FileIdentity:
    """The database and the log next to it, as they were opened."""

    def __init__(self, database: Path) -> None:
        self._ids = {str(path): _file_id(path) for path in (database, database.with_name(f"{database.name}-wal"))}

    def fault(self) -> str:
        """What happened to one of them, and what to do; empty if both are at their paths."""
        for path, known in self._ids.items():
            found = _file_id(path)
            if found != known:
                how = "was deleted or moved away" if found is None else "was replaced by another file"
                return (
                    f"the file {Path(path).name} {how} while the house was open; put it back, or restore a backup "
                    "(baccarat restore)"
                )
        return ""


def _file_id(path: str | Path) -> FileId | None:
    try:
        found = os.stat(path)  # noqa: PTH116  at every commit: half the time of Path.stat
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
