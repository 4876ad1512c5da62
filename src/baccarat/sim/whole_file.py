"""Files written whole or not at all: under a name of their own beside their path, then renamed into place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp

READABLE = 0o644
"""The rights of a file that is made here: `mkstemp` gives them to the owner alone."""


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """The path of a new, empty file to write to, which takes the place of `path` if nothing goes wrong.

    Its name is nobody else's: neither a neighbour's file nor another run to the same path is touched.
    """
    handle, name = mkstemp(dir=path.parent, prefix=".baccarat-", suffix=".part")
    os.close(handle)
    part = Path(name)
    try:
        yield part
        _to_disk(part)
        part.chmod(READABLE)
        part.replace(path)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
    if os.name == "posix":  # the new name is on the disk too
        _to_disk(path.parent)


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
