"""Where a house is stored: `open_store` opens the store, `base.py` says what a store is."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from baccarat.serve.store.base import Store, StoreError, StoreReader
from baccarat.serve.store.connection_group import ConnectionGroup

if TYPE_CHECKING:
    from baccarat.serve.store.content_sum import ContentKeys


def open_store(where: str, group: ConnectionGroup | None = None, keys: ContentKeys | None = None) -> Store:
    """The store at an address: a file, alone or after `sqlite:`, or `postgresql://…`.

    `StoreError` says why it cannot be opened. Connections to a server belong to the group. With keys the content of a
    file is authenticated.
    """
    scheme, colon, rest = where.partition(":")
    if not colon or len(scheme) == 1:  # a letter and a colon is a drive of Windows
        scheme, rest = "sqlite", where
    if scheme in ("postgresql", "postgres"):
        return _on_postgres(where, group)
    if scheme != "sqlite":
        known = "files of SQLite (sqlite:PATH) or databases of PostgreSQL (postgresql://USER@HOST/DATABASE)"
        raise StoreError(f"{where}: stores are {known}; {scheme} is unknown")
    if not rest:
        raise StoreError(f"{where}: names no file")
    from baccarat.serve.store.sqlite import SqliteStore  # noqa: PLC0415  apsw is needed for this alone

    return SqliteStore.open(Path(rest), keys=keys)


def open_reader(where: str) -> StoreReader:
    """Reads of the store at an address, which may be open in another process; `StoreError` says why that is impossible.

    The store must exist, in the version of this program: nothing is created, migrated or written.
    """
    if where.startswith(("postgresql:", "postgres:")):
        if find_spec("psycopg") is None:
            raise StoreError('a house on PostgreSQL needs psycopg: pip install "baccarat[postgres]"')
        from baccarat.serve.store.postgres_open import connect as connect_to_server  # noqa: PLC0415
        from baccarat.serve.store.postgres_open import redacted_address  # noqa: PLC0415
        from baccarat.serve.store.postgres_reads import PostgresReads  # noqa: PLC0415

        group = ConnectionGroup()
        return PostgresReads(lambda: connect_to_server(where, to_write=False, group=group), redacted_address(where))
    from baccarat.serve.store.sqlite_open import connect_to_read  # noqa: PLC0415
    from baccarat.serve.store.sqlite_reads import SqliteReads  # noqa: PLC0415

    path = Path(where.removeprefix("sqlite:"))
    return SqliteReads(connect_to_read(path), str(path))


def _on_postgres(address: str, group: ConnectionGroup | None) -> Store:
    if find_spec("psycopg") is None:
        raise StoreError('a house on PostgreSQL needs psycopg: pip install "baccarat[postgres]"')
    from baccarat.serve.store.postgres import PostgresStore  # noqa: PLC0415  psycopg is needed for this alone

    return PostgresStore.open(address, group)
