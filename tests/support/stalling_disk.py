"""A disk for SQLite that can stall: it takes what is written, and a sync does not end before the disk is released."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import apsw
import pytest

from baccarat.serve.store.content_sum import ContentKeys
from baccarat.serve.store.sqlite import SqliteStore

_numbers = count()


class StallingDisk(apsw.VFS):
    """A disk whose syncs wait while it is stalled."""

    def __init__(self) -> None:
        self.name = f"stalling disk {next(_numbers)}"
        self.waiting = threading.Event()
        """Set once a sync waits."""
        self._runs = threading.Event()
        self._runs.set()
        super().__init__(self.name, base="")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        """A file whose syncs wait."""
        return _StallingFile(self, name, flags)

    @contextmanager
    def stalled(self) -> Iterator[None]:
        """Let every sync wait until the end of the block."""
        self.waiting.clear()
        self._runs.clear()
        try:
            yield
        finally:
            self._runs.set()

    def wait(self) -> None:
        """Wait as long as the disk is stalled."""
        if not self._runs.is_set():
            self.waiting.set()
            self._runs.wait()

    def put_under(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Have every store that is opened from now on lie on this disk."""
        usual: Any = SqliteStore.open.__func__  # type: ignore[attr-defined]

        def opened(cls: type[SqliteStore], path: Path, *, keys: ContentKeys | None = None) -> SqliteStore:
            found: SqliteStore = usual(cls, path, vfs=self.name, keys=keys)
            return found

        monkeypatch.setattr(SqliteStore, "open", classmethod(opened))


class _StallingFile(apsw.VFSFile):
    def __init__(self, disk: StallingDisk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._disk = disk
        super().__init__("", name, flags)

    def xSync(self, flags: int) -> None:  # noqa: N802
        """Wait while the disk is stalled; then the real one syncs."""
        self._disk.wait()
        super().xSync(flags)
