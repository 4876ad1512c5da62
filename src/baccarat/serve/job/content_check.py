"""Checking the large tables of a store right after the house was opened; the others were checked before it opened.

It reads on a connection of its own, in a thread that rests after every few rows. A difference ends the house: what it
would do next rests on rows that it did not write.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from threading import Event

from baccarat.serve.live import HouseServer
from baccarat.serve.store.base import StoreError, StoreUnavailable
from baccarat.serve.store.content_sum import ContentKeys
from baccarat.serve.store.sqlite import SqliteStore

REST_SECONDS = 0.003
"""How long to rest after some rows, which take about a third of that."""


class _Ended(Exception):  # noqa: N818
    """The house is being closed."""


async def run_content_check(live: HouseServer, store: SqliteStore, keys: ContentKeys) -> None:
    """Compare the tables that were left out at the opening with their sums, once."""
    tables = store.content.unchecked if store.content is not None else ()
    if not tables:
        return
    ending = Event()
    try:
        await asyncio.to_thread(_check, store, keys, tables, ending)
    except StoreError as error:
        live.log.say("content_differs", str(error), level="error")
        live.house.writer.fail(StoreUnavailable(str(error)))
    else:
        live.log.say("content_checked", f"{', '.join(tables)}: every row is as this house wrote it", level="debug")
    finally:
        ending.set()


def _check(store: SqliteStore, keys: ContentKeys, tables: Sequence[str], ending: Event) -> None:
    def rest() -> None:
        if ending.wait(REST_SECONDS):
            raise _Ended

    reader = store.reader()
    try:
        reader.check_content(keys, tables, pause=rest)
    except _Ended:
        pass
    finally:
        reader.close()
