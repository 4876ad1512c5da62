"""One process per store: a lock on a file next to the database, which the system releases when its holder dies."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from baccarat.serve.store.base import StoreError

LOCKS: Any = import_module("fcntl") if find_spec("fcntl") else None
"""Not every system has such locks; without them, a second writer is found by the heads."""


class StoreLock:
    """The lock of a store. Its file stays after release, or two processes could each lock a file of that name."""

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(f"{database.name}.lock")
        self._database = database
        self._handle = -1

    def check_free(self) -> None:
        """`StoreError` while another process has it; nothing is created or changed."""
        try:
            handle = os.open(self.path, os.O_RDONLY)
        except OSError:
            return  # there is no lock yet, or this user may not open it: `acquire` says which
        try:
            self._lock(handle)
        finally:
            os.close(handle)

    def holder(self) -> int:
        """The process that has it: 0 if that is unknown, -1 if none has. No start is kept out meanwhile."""
        try:
            found = self.path.stat()
            lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
        except FileNotFoundError:
            return self._try_holder()
        where = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
        for line in lines:
            words = line.split()
            if words[1:2] == ["FLOCK"] and where in words:
                return max(0, int(words[4]))
        return -1

    def _try_holder(self) -> int:
        """The same where the system has no list of locks: for a moment the lock is taken, if it is free."""
        try:
            self.check_free()
        except StoreError:
            return 0
        return -1

    def acquire(self) -> None:
        """Keep every other process out until `release`; `StoreError` names the process that holds it."""
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreError(f"{self.path}: cannot be written: {error.strerror}") from None
        try:
            self._lock(handle)
            os.ftruncate(handle, 0)
            os.write(handle, str(os.getpid()).encode())
        except OSError as error:
            os.close(handle)
            raise StoreError(f"{self.path}: cannot be written: {error.strerror}") from None
        except StoreError:
            os.close(handle)
            raise
        self._handle = handle

    def _lock(self, handle: int) -> None:
        if LOCKS is None:
            return
        try:
            LOCKS.flock(handle, LOCKS.LOCK_EX | LOCKS.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 20, 0).decode("ascii", errors="replace").strip() or "another"
            raise StoreError(f"{self._database}: is in use by process {holder}; a store has one server") from None

    def release(self) -> None:
        """Let others in."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)
