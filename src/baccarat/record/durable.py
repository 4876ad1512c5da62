"""Files that are either unchanged or completely written, even after a power cut."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path
from tempfile import mkstemp

READABLE = 0o644
"""The mode of a file that is `written_whole`; `mkstemp` gives rights to the owner alone."""


def replace(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Replace a file's content, with this mode: it is on disk when this returns."""
    made = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        _create(made, data, mode=mode)
        made.replace(path)
    except BaseException:
        made.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


@contextmanager
def written_whole(path: Path, *, mode: int | None = READABLE) -> Iterator[Path]:
    """The path of a new, empty file to write to, which replaces `path` if nothing goes wrong.

    For libraries that take a path and not bytes. Its name is unique: neither another file nor another run that writes
    to the same path is touched. Without a mode the file has that of any new file of this process.
    """
    handle, name = mkstemp(dir=path.parent, prefix=".baccarat-", suffix=".part")
    os.close(handle)
    part = Path(name)
    try:
        yield part
        sync_file(part)
        part.chmod(_usual_mode() if mode is None else mode)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def create(path: Path, data: bytes, *, mode: int) -> None:
    """Create a file with this mode; `FileExistsError` if there is one already."""
    _create(path, data, mode=mode)
    sync_folder(path.parent)


def create_beside(path: Path, data: bytes, *, mode: int) -> Path:
    """Create a file of this name, or of the first of NAME.2, NAME.3, … that is not taken; returns its path."""
    names = chain((path.name,), (f"{path.name}.{number}" for number in count(2)))
    while True:
        made = path.with_name(next(names))
        try:
            create(made, data, mode=mode)
        except FileExistsError:
            continue
        return made


def _create(path: Path, data: bytes, *, mode: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(handle)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _usual_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def sync_file(path: Path) -> None:
    """Sync what SQLite or another library has written to a file: it is on disk when this returns."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Sync a folder: the name of a new file is on disk only when its folder is."""
    if os.name == "nt":
        return  # folders cannot be opened on this system
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
