"""What a witness is shown is proved from the edge at a checkpoint: nothing before it is read, or has to be there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from baccarat.client import Client
from baccarat.house.stream import Stream
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.log import Log
from baccarat.record.note import read_note
from baccarat.serve.runtime import stream_log
from baccarat.serve.runtime.stream_log import StreamLog
from baccarat.serve.store.base import Batch, Reads, Statement, all_entries
from played import next_round, play_round
from running_witness import settings
from served import run_for, served

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"
STREAM = Stream(f"table {TABLE}")


class WithoutOldEntries:
    """The store of a house that has dropped its first entries."""

    def __init__(self, reads: Reads, dropped: int) -> None:
        self._reads, self._dropped = reads, dropped
        self.read_entries = 0

    def read(self, sql: str, values: Sequence[Any] = ()) -> Any:
        return self._reads.read(sql, values)

    def entries(self, stream: Stream, *, after: int = -1, limit: int = 1000) -> Any:
        found = self._reads.entries(stream, after=max(after, self._dropped - 1), limit=limit)
        self.read_entries += len(found)
        return found


def test_growth_and_entries_are_proved_after_a_restart_without_the_entries_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with served(tmp_path, **settings(tmp_path, [])) as (_, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                await play_round(table, client)
                await next_round(table)

    async def prove() -> None:
        async with served(tmp_path, **settings(tmp_path, [])) as (live, _):
            rows = live.store.checkpoints(STREAM)
            old, size = rows[len(rows) // 2].size, rows[-1].size
            assert 0 < old < size
            whole = Log(row.body for row in all_entries(live.store, STREAM))
            assert whole.root(size) == read_checkpoint(read_note(rows[-1].note)).root
            dropped: Any = WithoutOldEntries(live.store, old)
            proved = StreamLog(STREAM)
            assert proved.prove_consistency(dropped, old=old, size=size) == whole.prove_consistency(old, size)
            assert dropped.read_entries == size - old, "only what came later is read"
            for index in range(old, size):
                assert proved.prove_inclusion(dropped, index=index, size=size) == whole.prove_inclusion(index, size)
            assert proved.prove_consistency(dropped, old=0, size=size) == (), "a new witness needs no proof"
            # What a witness of less needs is there as long as the entries are.
            least = rows[0].size
            with pytest.raises(ValueError, match="were dropped"):
                proved.prove_consistency(dropped, old=least, size=size)
            every: Any = live.store
            assert proved.prove_consistency(every, old=least, size=size) == whole.prove_consistency(least, size)
            # The limit counts from the edge, and a tree that has grown beyond it is begun again.
            monkeypatch.setattr(stream_log, "MOST_ENTRIES", size - old)
            assert proved.prove_consistency(dropped, old=old, size=size) == whole.prove_consistency(old, size)
            monkeypatch.setattr(stream_log, "MOST_ENTRIES", size - old - 1)
            with pytest.raises(ValueError, match="cosign it through files"):
                proved.prove_consistency(dropped, old=old, size=size)
            monkeypatch.setattr(stream_log, "MOST_ENTRIES", 2_000_000)
            # An edge that was damaged is passed over.
            live.store.append(_with_edge(old, bytes(32 * old.bit_count())))
            assert StreamLog(STREAM).prove_consistency(every, old=old, size=size) == whole.prove_consistency(old, size)

    run_for(play())
    run_for(prove())


def _with_edge(size: int, edge: bytes) -> Any:
    sql = "update checkpoint set edge = ? where stream = ? and size = ?"
    return Batch(statements=(Statement(sql, (edge, STREAM, size)),))
