"""Reading a store on SQLite: by the thread that writes, and by others on connections of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import apsw

from baccarat.serve.store.base import StoreUnavailable, Value
from baccarat.serve.store.content_check import check_pages, check_tables, stored_content
from baccarat.serve.store.content_sum import ContentKeys
from baccarat.serve.store.log_query import LogReads

BUGS = (apsw.SQLError, apsw.BindingsError, apsw.MisuseError, apsw.SchemaChangeError)
"""What a wrong statement raises: a bug of the program, not a failure of the disk."""


class SqliteReads(LogReads):
    """The queries of `base.Reads` on one connection."""

    def __init__(self, connection: apsw.Connection, name: str) -> None:
        super().__init__(name)
        self._connection = connection

    def _rows(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        with self._lock, self._guard_errors():
            return self._connection.execute(sql, tuple(params)).fetchall()

    @contextmanager
    def _moment(self) -> Iterator[None]:
        """Several queries of one state of the store."""
        with self._lock, self._guard_errors():
            if not self._connection.get_autocommit():  # already within such a read
                yield
                return
            self._connection.execute("begin")
            try:
                yield
            finally:
                if not self._stopped and not self._connection.get_autocommit():
                    self._connection.execute("rollback")

    def cut(self) -> None:
        """Abort what is being read, and read nothing more."""
        self._is_cut = True
        with suppress(apsw.Error):  # it is closed
            self._connection.interrupt()

    def check_pages(self) -> None:
        """`StoreError` if SQLite finds a fault anywhere in the file."""
        with self._moment():
            check_pages(self._connection, self._name)

    def check_content(
        self, keys: ContentKeys, tables: Sequence[str] | None = None, *, pause: Callable[[], None] = lambda: None
    ) -> bool:
        """Compare all tables, or some, with the content sums; False if there are none yet.

        `StoreError` at a difference.
        """
        with self._moment():
            held = stored_content(self._connection, self._name, keys)
            if held is None:
                return False
            check_tables(self._connection, self._name, held, held.tables if tables is None else tables, pause=pause)
            return True

    @contextmanager
    def _guard_errors(self) -> Iterator[None]:
        """Stop this connection on a storage error."""
        if self._stopped:
            raise StoreUnavailable(f"{self._name}: {self._stopped}")
        self._check_cut()
        try:
            yield
        except BUGS:
            raise
        except (apsw.Error, OSError, MemoryError) as error:
            raise self._stop(error_text(error)) from error

    def _stop(self, why: str) -> StoreUnavailable:
        """No more reads or writes; closing writes nothing back, since the state of the disk is unknown."""
        if not self._stopped:
            self._stopped = why
            with suppress(apsw.Error):  # it may fail again; the process closes the file when it ends
                self._connection.close(force=True)
        return StoreUnavailable(f"{self._name}: {self._stopped}")


def error_text(error: BaseException) -> str:
    """A storage error in one sentence."""
    return f"storage error ({type(error).__name__}: {error}); nothing more is written, start again to recover"
