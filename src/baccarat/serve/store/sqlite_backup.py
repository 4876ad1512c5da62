"""A copy of a store while it is being written: one consistent state, checked, and renamed only when it is on disk."""

from __future__ import annotations

import os
from pathlib import Path

import apsw

from baccarat.record.durable import sync_file, sync_folder
from baccarat.serve.store.base import StoreError
from baccarat.serve.store.content_check import check_pages
from baccarat.serve.store.sqlite_open import companion_path, connect, make_private

STEP = 1000
"""How many pages are copied per step."""


def copy_database(source: Path, target: Path, *, vfs: str | None = None) -> None:
    """Copy a store into a new file; `StoreError` says why that is impossible.

    It may be called from any thread, and from another process: it reads on a connection of its own. Until it is done
    the WAL of the store grows.
    """
    if target.exists():
        raise StoreError(f"{target}: already exists; a backup is never overwritten")
    made = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        _copy(source, made, vfs)
        made.rename(target)
        sync_folder(target.resolve().parent)
    except (apsw.Error, OSError) as error:
        raise StoreError(f"{target}: cannot be written: {error}") from error
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            companion_path(made, ending).unlink(missing_ok=True)


def _copy(source: Path, made: Path, vfs: str | None) -> None:
    make_private(made)
    reading, writing = connect(source, vfs=vfs, to_write=False), apsw.Connection(str(made))
    try:
        reading.execute("begin")
        reading.execute("select count(*) from head").fetchall()  # pins the state that is copied
        with writing.backup("main", reading, "main") as copying:
            while not copying.done:
                copying.step(STEP)
        check_pages(writing, str(source))
    finally:
        writing.close()
        reading.close()
    sync_file(made)
