"""The connection that writes a store on SQLite: acts that are done whole or not at all, and the WAL written back."""

from __future__ import annotations

from collections.abc import Callable

import apsw

from baccarat.serve.store.base import NotAppended, StoreStopped
from baccarat.serve.store.sqlite_reads import BUGS, SqliteReads, StreamRow, said


class SqliteWriter(SqliteReads):
    """A connection whose first storage error is its last act."""

    def __init__(self, connection: apsw.Connection, name: str) -> None:
        super().__init__(connection, name)
        self._log_pages = 0
        connection.set_wal_hook(self._count_pages)
        self._held: dict[str, StreamRow] = self._streams()
        """The streams as this connection left them; the database is compared with it before each write."""

    def _checkpoint(self, mode: int = apsw.SQLITE_CHECKPOINT_PASSIVE) -> None:
        with self._guarded():
            self._connection.wal_checkpoint(mode=mode)
            self._log_pages = 0

    def _count_pages(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        self._log_pages = pages
        return apsw.SQLITE_OK

    def _transaction(self, act: Callable[[], object]) -> None:
        """Do an act whole or not at all; a storage error is the end of the store."""
        run = self._connection.execute
        try:
            run("begin immediate")
            act()
            run("commit")
        except (NotAppended, AssertionError, *BUGS):
            with self._guarded():
                run("rollback")
            raise
        except (apsw.Error, OSError, MemoryError) as error:
            raise self._stop(said(error)) from error
        except BaseException as error:  # interrupted: nobody knows how far it came
            self._stop(said(error))
            raise

    def _running(self) -> None:
        if self._stopped:
            raise StoreStopped(f"{self._name}: {self._stopped}")
