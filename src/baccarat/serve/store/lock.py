"""One process a store: a lock on a file beside the database, which the system lets go of when its holder dies."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from baccarat.serve.store.base import StoreFault

LOCKS: Any = import_module("fcntl") if find_spec("fcntl") else None
"""Not every system has such locks; where there are none, a second writer is found by the heads."""


class StoreLock:
    """The lock of a store. The file stays when it is let go, or two processes could each lock a file of one name."""

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(f"{database.name}.lock")
        self._database = database
        self._handle = -1

    def look(self) -> None:
        """`StoreFault` while another has it; nothing is created."""
        if self.path.exists():
            self.take()
            self.release()

    def take(self) -> None:
        """Keep every other process out until `release`; `StoreFault` names the one that is in."""
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        except OSError as error:
            raise StoreFault(f"{self.path}: cannot be written: {error.strerror}") from None
        try:
            if LOCKS is not None:
                LOCKS.flock(handle, LOCKS.LOCK_EX | LOCKS.LOCK_NB)
            os.ftruncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())
        except BlockingIOError:
            holder = os.pread(handle, 20, 0).decode("ascii", errors="replace").strip() or "another"
            os.close(handle)
            raise StoreFault(f"{self._database}: is in use by process {holder}; a store has one server") from None
        except OSError as error:
            os.close(handle)
            raise StoreFault(f"{self.path}: cannot be written: {error.strerror}") from None
        self._handle = handle

    def release(self) -> None:
        """Let others in."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)
