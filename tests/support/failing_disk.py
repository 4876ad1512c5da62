"""A disk for SQLite that keeps account of what has been synced: its power can be cut, and its writes can fail.

What is written goes through to the files, so that the program reads it back. What a power cut would leave is reckoned
beside that: of each file, what was there at its last sync, and of what was written since then any part in any order,
down to single sectors.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from pathlib import Path

import apsw
import msgspec

SECTOR = 512
_numbers = count()


class PowerCut(Exception):  # noqa: N818
    """The disk has lost its power; whatever is asked of it fails."""


class Written(msgspec.Struct, frozen=True):
    """One change of a file that has not been synced: bytes at an offset, or another length."""

    offset: int
    data: bytes | None
    """None where the file was cut off at the offset."""


class Platter(msgspec.Struct):
    """What is really on the disk of one file, and what is on its way."""

    synced: bytearray
    waiting: list[Written] = []

    def sync(self) -> None:
        """Everything has arrived."""
        for each in self.waiting:
            put(self.synced, each)
        self.waiting = []


def put(data: bytearray, change: Written) -> None:
    """Make a change to the bytes of a file."""
    if change.data is None:
        del data[change.offset :]
        return
    if len(data) < change.offset:
        data.extend(bytes(change.offset - len(data)))
    data[change.offset : change.offset + len(change.data)] = change.data


def torn(change: Written, chance: random.Random) -> list[Written]:
    """A write of which some sectors arrived."""
    if change.data is None:
        return [change]
    found, start, end = list[Written](), change.offset, change.offset + len(change.data)
    while start < end:
        stop = min(end, (start // SECTOR + 1) * SECTOR)
        if chance.random() < 0.5:
            found.append(Written(start, change.data[start - change.offset : stop - change.offset]))
        start = stop
    return found


class Disk(apsw.VFS):
    """A disk under SQLite. `on_act` is called before each write, sync or cut of a file, and may raise or cut."""

    def __init__(self, folder: Path, on_act: Callable[[Disk, str], None] = lambda _disk, _what: None) -> None:
        self.name = f"disk {next(_numbers)}"
        self.acts = 0
        self.on_act = on_act
        self.platters = {path: Platter(bytearray(path.read_bytes())) for path in folder.iterdir() if path.is_file()}
        super().__init__(self.name, base="")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        """A file whose writes are kept account of."""
        assert name is not None, "a store has no temporary files"
        return DiskFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        """A file that goes."""
        self.act("delete")
        super().xDelete(filename, syncdir)
        self.platters.pop(Path(filename), None)

    def act(self, what: str) -> None:
        """Something is about to be done."""
        self.acts += 1
        self.on_act(self, what)

    def after_cut(self, folder: Path, chance: random.Random) -> None:
        """Write what a power cut at this moment leaves into another folder."""
        way = chance.choice(("lost", "first ones", "any", "any, torn"))
        for path, platter in self.platters.items():
            data, waiting = bytearray(platter.synced), platter.waiting
            if way == "lost":
                waiting = []
            elif way == "first ones":
                waiting = waiting[: chance.randrange(len(waiting) + 1)]
            else:
                waiting = [each for each in waiting if chance.random() < 0.7]
            for each in waiting:
                for part in torn(each, chance) if way == "any, torn" else [each]:
                    put(data, part)
            if not path.name.endswith("-shm"):
                (folder / path.name).write_bytes(data)


class DiskFile(apsw.VFSFile):
    """A file on such a disk."""

    def __init__(self, disk: Disk, name: str | apsw.URIFilename, flags: list[int]) -> None:
        filename = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._disk, self._path = disk, Path(filename)
        super().__init__("", name, flags)

    @property
    def _platter(self) -> Platter:
        return self._disk.platters.setdefault(self._path, Platter(bytearray()))

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        """Bytes on their way."""
        self._platter.waiting.append(Written(offset, bytes(data)))
        self._disk.act("write")
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        """A length on its way."""
        self._platter.waiting.append(Written(newsize, None))
        self._disk.act("truncate")
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802, ARG002
        """Everything arrives; the real disk need not do it, which would take a hundred times as long."""
        self._disk.act("sync")
        self._platter.sync()
