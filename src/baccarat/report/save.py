"""Files written whole or not at all: next to their path first, then renamed into it.

An existing file is replaced only by one of the same sort: a page by a page, a workbook by a workbook. A file that
does not begin like one of that sort may be someone's work, and is left alone; so is any sort without a signature.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from baccarat.record.durable import written_whole
from baccarat.record.text import BOM


class CannotWrite(OSError):  # noqa: N818  an answer to the person
    """A file that could not be written; its text is a sentence for the person who named the path."""


class Sort(NamedTuple):
    """A sort of file: its name, and how one begins, in lower case."""

    name: str
    begins: tuple[bytes, ...] = ()


HTML = Sort("an HTML page", (b"<!doctype html", b"<html"))
PDF = Sort("a PDF document", (b"%pdf-",))
WORKBOOK = Sort("a workbook", (b"pk\x03\x04",))
PICTURE = Sort("a picture", (b"<svg",))
RESETTLED = Sort("a table of resettled rounds", (b"table,shoe,round,line,kind,outcome",))
SHEET_TABLE = Sort("a score sheet as CSV", (b"number,drill,case,question",))
SHEET_JSON = Sort("a score sheet as JSON", (b'{\n  "edition":',))
TRAINEE = Sort("a trainee's progress", (b'{"rulebook":',))
OTHER = Sort("")
"""Any file without a signature: none is replaced."""
KNOWN = (HTML, PDF, WORKBOOK, PICTURE, RESETTLED, SHEET_TABLE, SHEET_JSON, TRAINEE)
LOOKED_AT = 64
"""How many bytes are examined to recognise a file."""


def sort_of(content: bytes) -> Sort:
    """What sort of file some content is."""
    start = content[:LOOKED_AT].removeprefix(BOM).lstrip().lower()
    return next((sort for sort in KNOWN if start.startswith(sort.begins)), OTHER)


def check_path(path: str | Path, sort: Sort = OTHER) -> Path:
    """The path, if such a file can be written there; call it before long work begins."""
    place = Path(path)
    try:
        place = place.resolve()
        if place.is_dir():
            raise CannotWrite(f"{path}: is a folder; give the name of a file in it")
        if not place.parent.is_dir():
            reason = "is not a folder" if place.parent.exists() else "does not exist"
            raise CannotWrite(f"{path}: cannot be written: the folder {place.parent} {reason}")
        if place.exists() and not place.is_file():
            raise CannotWrite(f"{path}: is not a regular file")
        if place.exists() and not os.access(place, os.W_OK):
            raise CannotWrite(f"{path}: cannot be written: the file exists and is read-only")
        if not os.access(place.parent, os.W_OK | os.X_OK):
            raise CannotWrite(f"{path}: cannot be written: the folder {place.parent} is read-only")
        if place.exists() and not _may_replace(place, sort):
            which = f" and is not {sort.name}" if sort.name else ""
            raise CannotWrite(f"{path}: already exists{which}; it is not overwritten")
    except CannotWrite:
        raise
    except (OSError, RuntimeError, ValueError) as error:  # too long a name, a loop of links, a null character
        raise CannotWrite(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}") from None
    return place


def _may_replace(place: Path, sort: Sort) -> bool:
    """Whether an existing file may be replaced: it is of the same sort, or empty."""
    with place.open("rb") as file:
        start = file.read(LOOKED_AT)
    return not start or (sort is not OTHER and sort_of(start) is sort)


def save(path: str | Path, content: bytes) -> Path:
    """Write a file whole: an earlier one stays until the new one is complete and on disk."""
    place = check_path(path, sort_of(content))
    try:
        with written_whole(place, mode=place.stat().st_mode & 0o777 if place.exists() else None) as part:
            part.write_bytes(content)
    except OSError as error:
        raise CannotWrite(f"{path}: cannot be written: {error.strerror or error}") from None
    return place
