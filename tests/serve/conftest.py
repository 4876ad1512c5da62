"""What the tests of the live house share: a real PostgreSQL server, started by the first test that needs it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from httpx._config import DEFAULT_TIMEOUT_CONFIG

import loop_guard
from baccarat.client import Client
from postgres_server import PostgresServer, serving
from store_place import PostgresPlace, SqlitePlace, StorePlace

loop_guard.install()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server of this worker's own, in memory where there is such a folder: these tests kill programs, not machines.

    Run by root it belongs to another user, who may not look into the folders of pytest.
    """
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    made = Path(tempfile.mkdtemp(prefix="baccarat-pg-", dir=memory))
    with serving(made / "data", within=made) as server:  # which removes it
        yield server


@pytest.fixture(autouse=True, scope="session")
def patient_clients() -> None:
    """No test fails because an answer took more than five seconds on a machine that is very busy."""
    usual = httpx.Timeout(60.0)
    for name in ("connect", "read", "write", "pool"):
        setattr(DEFAULT_TIMEOUT_CONFIG, name, getattr(usual, name))
    defaults = Client.__init__.__kwdefaults__
    assert defaults is not None, "a client has its usual patience"
    defaults["timeout"] = 60.0


@pytest.fixture(params=["sqlite", "postgres"])
def store_place(request: pytest.FixtureRequest) -> StorePlace:
    """A place for one store, on each database."""
    if request.param == "sqlite":
        return SqlitePlace(request.getfixturevalue("tmp_path") / "house.db")
    return PostgresPlace(request.getfixturevalue("postgres").new())
