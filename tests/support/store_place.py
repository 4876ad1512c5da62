"""A place for one store, on either database: it can be opened again, and meddled with from outside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import apsw
import psycopg

from baccarat.serve.store import open_store
from baccarat.serve.store.base import Store, Value


class StorePlace(Protocol):
    """Where a store is."""

    address: str
    bug: type[Exception]
    """What a wrong statement raises."""
    steps: int
    """How many steps by chance a test takes here: enough to meet everything, and no minute long."""

    def open(self) -> Store:
        """The store; made where there is none."""

    def meddle(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Value, ...]]:
        """Do something to it from outside, as another program would."""


class SqlitePlace:
    """In a file."""

    bug: type[Exception] = apsw.SQLError
    steps = 500

    def __init__(self, path: Path) -> None:
        self.address = str(path)

    def open(self) -> Store:
        """The store; made where there is none."""
        return open_store(self.address)

    def meddle(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Value, ...]]:
        """Do something to it from outside."""
        connection = apsw.Connection(self.address)
        try:
            return connection.execute(sql, tuple(params)).fetchall()
        finally:
            connection.close()


class PostgresPlace:
    """In a schema of a server."""

    bug: type[Exception] = psycopg.errors.SyntaxError
    steps = 120

    def __init__(self, address: str) -> None:
        self.address = address

    def open(self) -> Store:
        """The store; made where there is none."""
        return open_store(self.address)

    def meddle(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Value, ...]]:
        """Do something to it from outside."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            done = connection.execute(sql.replace("?", "%s").encode(), tuple(params))
            return done.fetchall() if done.description else []
