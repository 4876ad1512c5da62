"""Files that are either as before or whole and new, also after a power cut."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path
from tempfile import mkstemp

READABLE = 0o644
"""The rights of a file that is `written_whole`: `mkstemp` gives them to the owner alone."""


def replace(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Put data in the place of a file, with these rights: when this returns, it is on the disk."""
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
    """The path of a new, empty file to write to, which takes the place of `path` if nothing goes wrong.

    For whoever is given a path and not bytes. Its name is nobody else's: neither a neighbour's file nor another run to
    the same path is touched. Without a mode the file has the rights of any new file of this process.
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
    """Make a new file with these rights; one that is there already stays and is a `FileExistsError`."""
    _create(path, data, mode=mode)
    sync_folder(path.parent)


def create_beside(path: Path, data: bytes, *, mode: int) -> Path:
    """Make a new file of this name, or of the first of NAME.2, NAME.3, … that is not taken; its path."""
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
    """What was written to a file, by SQLite or another library, is on the disk when this returns."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """The name of a new file is on the disk only when its folder is."""
    if os.name == "nt":
        return  # folders cannot be opened there
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
