"""The last copy of a house: how old it is, and whether it can be restored as a copy of this house."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from baccarat.record.sealed_seed import KeyRing
from baccarat.serve.doctor.diagnosis import (
    Diagnosis,
    age_text,
    faulty,
    healthy,
    needs_attention,
    not_checked,
    size_text,
)
from baccarat.serve.doctor.machine_check import HOUR, HostMachine
from baccarat.serve.runtime.backup import restore
from baccarat.serve.runtime.seal_key import content_keys
from baccarat.serve.setting import Setting
from baccarat.serve.store.base import Reads, StoreError
from baccarat.serve.store.row import as_bytes

MOST_COPY_HOURS = 24.0
"""How old the last copy may be."""


class CopyCheck:
    """A check of the last copy in a folder."""

    def __init__(self, setting: Setting, machine: HostMachine, folder: Path, hours: float) -> None:
        """`hours` is how old the copy may be."""
        self._setting, self._machine, self._folder, self._hours = setting, machine, folder, hours

    def run(self, reads: Reads | None, ring: KeyRing | None, scratch: Path) -> Diagnosis:
        """The last copy, compared with the house if that can be read."""
        try:
            found = [each for each in self._folder.iterdir() if self._is_copy(each)]
        except OSError as error:
            say = f"{self._folder}: cannot be read: {error.strerror}"
            return needs_attention("copy", say, "Name the folder of copies.")
        make = f"baccarat backup --db {self._setting.file} {self._folder}/house-$(date +%F-%H%M).db"
        if not found:
            return needs_attention("copy", f"{self._folder} has no copy of a house", f"Make one: {make}")
        last = max(found, key=lambda each: each.stat().st_mtime)
        age = self._machine.current_time() - last.stat().st_mtime
        problem = self._try_restoring(last, reads, ring, scratch)
        if problem is not None:
            return problem
        say = f"{last.name}, {age_text(age)} old, was restored on trial"
        if age > self._hours * HOUR:
            return needs_attention("copy", f"the last copy is old: {say}", f"Make another: {make}")
        return healthy("copy", say)

    def _is_copy(self, path: Path) -> bool:
        """Whether a file may be a copy: a database, and not the house itself."""
        house = self._setting.file
        return path.is_file() and _looks_like_store(path) and not (house.exists() and path.samefile(house))

    def _try_restoring(
        self, copy: Path, reads: Reads | None, ring: KeyRing | None, scratch: Path
    ) -> Diagnosis | None:  # fmt: skip
        """Restore a copy in a scratch folder; None if that succeeds."""
        need, free = 2 * copy.stat().st_size, self._machine.free_bytes(scratch)
        if free < need:
            say = f"{copy.name} was not restored on trial: that needs {size_text(need)} in {scratch.parent}"
            return needs_attention("copy", say, "Make room, or name another folder in TMPDIR.")
        differs = list[str]()

        def compare(copied: Reads) -> None:
            if reads is not None:
                differs.extend(_differences(reads, copied))

        try:
            keys = content_keys(self._setting, ring) if ring is not None else None
            restore(copy, scratch / "trial.db", compare, keys=keys)
        except StoreError as error:
            say = f"the last copy cannot be restored: {error}"
            return faulty("copy", say, "Make another copy now; keep the damaged one for the investigation.")
        finally:
            (scratch / "trial.db").unlink(missing_ok=True)
        if differs:
            do = "Find out which of the two belongs to this house before using either."
            return faulty("copy", f"{copy.name}: {differs[0]}", do)
        return None


def check_last_copy(
    check: CopyCheck | None, setting: Setting, reads: Reads | None, ring: KeyRing | None, scratch: Path
) -> Diagnosis:
    """The last copy of a house; why it was not checked if no folder was named, or the database has other copies."""
    if setting.is_postgres:
        return not_checked("copy", "a house on PostgreSQL is copied with its own tools")
    if check is None:
        return not_checked("copy", "name the folder with the copies: --copies FOLDER")
    return check.run(reads, ring, scratch)


def store_id(reads: Reads) -> bytes:
    """The id of a store, by which a copy is known as one of the same house."""
    found = reads.read("select id from identity")
    return as_bytes(found[0][0]) if found else b""


def _differences(house: Reads, copy: Reads) -> Iterator[str]:
    """How a copy contradicts the house: it must be an earlier state of the same store."""
    if store_id(house) != store_id(copy):
        yield "is a copy of another house"
        return
    heads = house.heads()
    for stream, head in copy.heads().items():
        held = heads.get(stream)
        entry = house.entry(stream, head.seq)
        if held is None or held.seq < head.seq:
            yield f"the copy is ahead of the house: {stream} has {head.seq + 1:,} entries in the copy"
        elif entry is not None and entry.hash != head.hash:
            yield f"the house and its copy have different histories of {stream}, up to entry {head.seq:,}"


def _looks_like_store(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"
