"""The store of a house that is closed, opened with the key that lies next to it."""

from __future__ import annotations

from pathlib import Path

from baccarat.serve.runtime.seal_key import content_keys, key_ring
from baccarat.serve.setting import Setting
from baccarat.serve.store import open_store
from baccarat.serve.store.base import Store
from baccarat.serve.store.content_sum import ContentKeys


def keys_of(db: str | Path) -> ContentKeys:
    """The keys of a practice house whose database this is."""
    setting = Setting(db=str(db))
    return content_keys(setting, key_ring(setting))


def open_house(db: str | Path) -> Store:
    """Its store; one on PostgreSQL is opened without keys, under which the server's tables are not."""
    is_postgres = Setting(db=str(db)).is_postgres
    return open_store(str(db), None, None if is_postgres else keys_of(db))
