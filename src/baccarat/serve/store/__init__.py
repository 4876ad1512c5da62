"""Where a house is kept: `open_store` opens it, `base.py` says what a store is."""

from __future__ import annotations

from pathlib import Path

from baccarat.serve.store.base import Store, StoreFault


def open_store(where: str) -> Store:
    """The store at an address: a file, alone or after `sqlite:`; `StoreFault` says why it cannot be opened."""
    scheme, colon, rest = where.partition(":")
    if not colon or len(scheme) == 1:  # a letter and a colon is a drive
        scheme, rest = "sqlite", where
    if scheme != "sqlite":
        raise StoreFault(f"{where}: stores are files of SQLite (sqlite:PATH); {scheme} is not known")
    if not rest:
        raise StoreFault(f"{where}: names no file")
    from baccarat.serve.store.sqlite import SqliteStore  # noqa: PLC0415  apsw is needed for this alone

    return SqliteStore.open(Path(rest))
