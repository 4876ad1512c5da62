"""The connection that writes a store on SQLite: atomic transactions, and the WAL written back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import apsw

from baccarat.house.stream import Stream
from baccarat.serve.store.base import NotAppended, StoreUnavailable
from baccarat.serve.store.content_check import StoredContent, sums_of
from baccarat.serve.store.content_sum import ContentRow
from baccarat.serve.store.file_identity import FileIdentity
from baccarat.serve.store.log_query import StreamRow
from baccarat.serve.store.sqlite_open import WAITS_MS
from baccarat.serve.store.sqlite_reads import BUGS, SqliteReads, error_text


class SqliteWriter(SqliteReads):
    """A connection that stops at its first storage error."""

    def __init__(self, connection: apsw.Connection, name: str, content: StoredContent | None = None) -> None:
        super().__init__(connection, name)
        self._sums = sums_of(connection, name, content) if content is not None else None
        """The content sums, which every transaction brings up to date; None in a store without a key."""
        self._log_pages = 0
        self._must_empty = False
        """Whether erased names are still in the WAL, because somebody was reading an older state."""
        connection.set_wal_hook(self._count_pages)
        self._held: dict[Stream, StreamRow] = self._streams()
        """The streams as this connection last wrote them; the database is compared with them before each write."""
        self._file = FileIdentity(Path(name))

    def _write_rows(
        self,
        table: str,
        sql: str,
        params: Sequence[ContentRow],
        new: Sequence[ContentRow],
        old: Sequence[ContentRow] = (),
    ) -> None:
        """Execute a statement with each of these parameters, where the rows that it changes are known, old and new.

        SQLite need not report them to the sums, which saves half the time that these take.
        """
        if self._sums is None:
            self._connection.executemany(sql, params)
            return
        self._connection.preupdate_hook(None)
        try:
            self._connection.executemany(sql, params)
        finally:
            self._connection.preupdate_hook(self._sums.note)
        self._sums.note_rows(table, new, old)

    def _write_back(self) -> None:
        """Write the WAL back into the file, except for states that are still being read; the rest can wait."""
        if self._must_empty:
            self._empty_log()
            return
        with self._guard_errors(), suppress(apsw.BusyError):  # another program is doing it
            self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            self._log_pages = 0

    def _empty_log(self) -> bool:
        """Write all of the WAL back and truncate it; False, without waiting, if somebody reads an older state."""
        with self._guard_errors():
            self._connection.set_busy_timeout(0)
            try:
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.BusyError:
                self._must_empty = True
                return False
            finally:
                self._connection.set_busy_timeout(WAITS_MS)
            self._log_pages, self._must_empty = 0, False
            return True

    def _count_pages(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        self._log_pages = pages
        return apsw.SQLITE_OK

    def _check_file(self) -> None:
        """Stop if the database is no longer the file at its path: what is written would be lost."""
        fault = self._file.fault()
        if fault:
            raise self._stop(fault)

    def _transaction(self, act: Callable[[], object]) -> None:
        """Run a transaction; a storage error stops the store, and so does a database that is not at its path."""
        run = self._connection.execute
        self._check_file()
        try:
            run("begin immediate")
            act()
            if self._sums is not None and not self._sums.write(self._connection):
                raise self._stop("another program has changed the content sums; start again to recover")
            run("commit")
        except StoreUnavailable:
            raise
        except (NotAppended, AssertionError, *BUGS):
            with self._guard_errors():
                run("rollback")
            if self._sums is not None:
                self._sums.discard()
            raise
        except (apsw.Error, OSError, MemoryError) as error:
            raise self._stop(error_text(error)) from error
        except BaseException as error:  # interrupted: how far it got is unknown
            self._stop(error_text(error))
            raise
        if self._sums is not None:
            self._sums.accept()
        self._check_file()  # it may have disappeared meanwhile: then nothing of this is acknowledged
