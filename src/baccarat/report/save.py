"""Files written whole or not at all: beside their place first, then renamed into it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp


class CannotWrite(OSError):  # noqa: N818  an answer to the person
    """A file that could not be written; its text is a sentence for the person who named the path."""


def check_path(path: str | Path) -> Path:
    """The place that a path names, found fit to be written; worth asking before long work begins."""
    place = Path(path)
    try:
        place = place.resolve()
        if place.is_dir():
            raise CannotWrite(f"{path}: is a folder; give the name of a file in it")
        if not place.parent.is_dir():
            reason = "is no folder" if place.parent.exists() else "does not exist"
            raise CannotWrite(f"{path}: cannot be written: the folder {place.parent} {reason}")
        if place.exists() and not place.is_file():
            raise CannotWrite(f"{path}: is no ordinary file")
        if place.exists() and not os.access(place, os.W_OK):
            raise CannotWrite(f"{path}: cannot be written: the file is there and may not be changed")
        if not os.access(place.parent, os.W_OK | os.X_OK):
            raise CannotWrite(f"{path}: cannot be written: nothing may be put into the folder {place.parent}")
    except CannotWrite:
        raise
    except (OSError, RuntimeError, ValueError) as error:  # too long a name, a loop of links, a null character
        raise CannotWrite(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}") from None
    return place


def save(path: str | Path, content: bytes) -> Path:
    """Write a file whole: what stood there before stays until the new one is complete and on the disk."""
    place = check_path(path)
    try:
        handle, name = mkstemp(dir=place.parent, prefix=".baccarat-", suffix=".part")
    except OSError as error:
        raise CannotWrite(f"{path}: cannot be written: {error.strerror or error}") from None
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.chmod(_mode(place))
        part.replace(place)
    except OSError as error:
        raise CannotWrite(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
    return place


def _mode(place: Path) -> int:
    """The rights of the file that is replaced, or those of any new file."""
    if place.exists():
        return place.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
