"""How busy a pool of readers is."""

from __future__ import annotations

from baccarat.serve.store.read_pool import ReadPool


def places_taken(pool: ReadPool) -> int:
    """How many places are taken, by queries and by long texts."""
    with pool._lock:
        return pool._asking + pool._streams.total()
