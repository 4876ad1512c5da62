"""Another database where that of a house should be: no house is founded there, and none is continued."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from baccarat.house.stream import Stream
from baccarat.record.journal import StreamHead
from baccarat.serve.founding import check_reopened
from baccarat.serve.runtime.seal_key import mark_of
from baccarat.serve.store.base import StoreError
from baccarat.serve.store.postgres import PostgresStore
from house_of_roles import production
from postgres_server import PostgresServer
from served import run_for, served

pytestmark = pytest.mark.slow


async def is_opened(folder: Path, **settings: Any) -> None:
    """A house opens, and is closed again."""
    async with served(folder, **settings):
        pass


def test_a_house_that_left_its_key_alone_is_not_founded_again(tmp_path: Path) -> None:
    """The key was made before the house; the file next to it shows that one was served under it."""
    (tmp_path / "keys").mkdir()
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    keys = production(tmp_path / "keys")
    run_for(is_opened(tmp_path / "one", **keys))
    run_for(is_opened(tmp_path / "one", **keys))
    assert mark_of(tmp_path / "keys" / "seal.key").exists()
    with pytest.raises(StoreError, match=r"house.db: is missing, but a house was here: it left .*seal\.key\.stores"):
        run_for(is_opened(tmp_path / "two", **keys))
    assert not (tmp_path / "two" / "house.db").exists()
    run_for(is_opened(tmp_path / "two", new_house=True, **keys))
    run_for(is_opened(tmp_path / "two", **keys))


def test_no_house_is_founded_in_another_database_of_postgres(postgres: PostgresServer, tmp_path: Path) -> None:
    key, first, other = str(tmp_path / "seal.key"), postgres.new(), postgres.new()
    run_for(is_opened(tmp_path, db=first, seal_key=key))
    run_for(is_opened(tmp_path, db=first, seal_key=key))
    for _ in range(2):  # the first try has left an empty store there
        with pytest.raises(StoreError, match=r"PostgreSQL: holds no house, but a house was served .*--new-house"):
            run_for(is_opened(tmp_path, db=other, seal_key=key))
    run_for(is_opened(tmp_path, db=other, seal_key=key, new_house=True))
    run_for(is_opened(tmp_path, db=other, seal_key=key))


STREAM = Stream("table 1")


class Reopening:
    """A node that was cut off from a store, which is there again."""

    def __init__(self, store: PostgresStore) -> None:
        self.store = store
        self.durable = {STREAM: StreamHead(seq=2, hash=b"a" * 32)}
        self.found = {STREAM: StreamHead(seq=3, hash=b"d" * 32)}
        self.stored = {2: b"a" * 32}

    def check(self, **changed: Any) -> None:
        """What the node finds, which may differ from what it left."""
        entries = {seq: SimpleNamespace(hash=hash_) for seq, hash_ in self.stored.items()}
        there: Any = SimpleNamespace(
            id=self.store.id, system_id=self.store.system_id, entry=lambda _stream, seq: entries.get(seq)
        )
        for name, value in changed.items():
            setattr(there, name, value)
        before: Any = SimpleNamespace(
            store=self.store,
            setting=SimpleNamespace(place="PostgreSQL"),
            node=SimpleNamespace(durable_heads=lambda: self.durable),
        )
        check_reopened(before, there, SimpleNamespace(heads=self.found))  # type: ignore[arg-type]


def test_a_node_continues_only_what_it_has_served(postgres: PostgresServer) -> None:
    store = PostgresStore.open(postgres.new())
    try:
        ((system_id,),) = postgres.run("select system_identifier::text from pg_control_system()")
        assert store.system_id == system_id
        reopening = Reopening(store)
        reopening.check()
        with pytest.raises(StoreError, match="a different house from the one that was served"):
            reopening.check(id=b"x" * 16)
        for other in ("7", ""):
            with pytest.raises(StoreError, match="a different database server"):
                reopening.check(system_id=other)
        reopening.stored = {}  # a practice table has dropped it
        reopening.check()
        reopening.stored = {2: b"b" * 32}
        with pytest.raises(StoreError, match="entry 2 of table 1 differs from the one that was acknowledged"):
            reopening.check()
        reopening.found = {STREAM: StreamHead(seq=1)}
        with pytest.raises(StoreError, match="table 1 ends at entry 1, but entry 2 was stored there"):
            reopening.check()
    finally:
        store.close()
