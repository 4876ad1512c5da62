"""No store is called on an event loop: whatever waits for a disk or a database there makes everybody wait.

Installed for all tests that serve a house (`tests/serve/conftest.py`, `tests/support/served.py`): every method of a
store and of its readers, and every statement that is sent to a database, looks at who calls it. A call from the program
on a running event loop raises, and names the method and the place. What a test itself reads on its loop, between two
acts of the house, is its own affair.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import psycopg

import baccarat
from baccarat.serve.cluster.lease import Lease
from baccarat.serve.store.log_query import LogReads
from baccarat.serve.store.postgres import PostgresStore
from baccarat.serve.store.postgres_reads import PostgresReads
from baccarat.serve.store.sqlite import SqliteStore
from baccarat.serve.store.sqlite_reads import SqliteReads

PROGRAM = baccarat.__path__[0]
STORE = f"{PROGRAM}/serve/store/"
GUARDED = (LogReads, SqliteReads, SqliteStore, PostgresReads, PostgresStore)
"""Every public method of these, and of the classes that they are made of, is guarded."""
_INSTALLED = list[bool]()
STATEMENTS = ((psycopg.Connection, ("connect", "execute")), (psycopg.Cursor, ("execute", "executemany")))


class StoreOnLoopError(AssertionError):
    """The program called a store on an event loop."""


def install() -> None:
    """Guard every store from now on, in this process and those that are forked from it."""
    if _INSTALLED:
        return
    _INSTALLED.append(True)
    for kind in {each for guarded in GUARDED for each in guarded.__mro__ if each.__module__.startswith("baccarat.")}:
        for name, held in list(vars(kind).items()):
            if not name.startswith("_") and inspect.isfunction(held):
                setattr(kind, name, guarded(held))
    setattr(Lease, "__init__", guarded(Lease.__init__))  # noqa: B010  it connects
    for kind, names in STATEMENTS:
        for name in names:
            found = inspect.getattr_static(kind, name)
            if isinstance(found, classmethod):
                setattr(kind, name, classmethod(guarded(found.__func__)))
            else:
                setattr(kind, name, guarded(found))


def guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that may not be called by the program on an event loop."""

    @functools.wraps(method)
    def checked(*args: Any, **options: Any) -> Any:
        if asyncio._get_running_loop() is not None and (where := _caller(sys._getframe(1))):
            raise StoreOnLoopError(
                f"{method.__qualname__} was called on the event loop, by {where}: whoever is served waits for the "
                "store; ask in a thread (live.lookups.ask, live.reading.ask, writer.run_exclusive)"
            )
        return method(*args, **options)

    return checked


def _caller(frame: FrameType | None) -> str:
    """Where the program called the store; empty if a test did, or a plain function that a test called."""
    where = ""
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(PROGRAM):
            if not where and not code.co_filename.startswith(STORE):
                where = f"{code.co_qualname} ({code.co_filename.removeprefix(PROGRAM)}:{frame.f_lineno})"
            if where and code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
                return where
        elif "/tests/" in code.co_filename and not code.co_filename.endswith("loop_guard.py"):
            return ""
        elif "/asyncio/" in code.co_filename:
            return where
        frame = frame.f_back
    return where
