"""The evidence that a witness has stored against logs."""

from __future__ import annotations

from pathlib import Path

from baccarat.record.witness_folder import FolderMemory


def accusations(memory: FolderMemory) -> list[Path]:
    """The files of evidence."""
    return sorted(memory._folder.glob("*.evidence"))
