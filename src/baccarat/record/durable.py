"""Files that are either as before or whole and new, also after a power cut."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def replace(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Put data in the place of a file, with these rights: when this returns, it is on the disk."""
    made = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        _create(made, data, mode=mode)
        made.replace(path)
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def create(path: Path, data: bytes, *, mode: int) -> None:
    """Make a new file with these rights; one that is there already stays and is a `FileExistsError`."""
    _create(path, data, mode=mode)
    _sync_folder(path.parent)


def _create(path: Path, data: bytes, *, mode: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(handle)


def _sync_folder(folder: Path) -> None:
    """The name of a new file is on the disk only when its folder is."""
    if os.name == "nt":
        return  # folders cannot be opened there
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
