"""The tree of a stream, which grows with its entries: from it is proved what a witness is shown.

It reads only what is durable, and holds 64 bytes per entry.
"""

from __future__ import annotations

from threading import Lock

from baccarat.house.stream import Stream
from baccarat.record.log import Log
from baccarat.serve.store.base import Reads

MOST_ENTRIES = 2_000_000
"""A longer journal is cosigned through files (docs/log.md): the growth of a log is proved from all of its hashes."""


class StreamLog:
    """The tree of one stream; threads of the pool of readers use it in turn."""

    def __init__(self, stream: Stream) -> None:
        self._stream, self._log, self._lock = stream, Log(), Lock()

    def prove_consistency(self, reads: Reads, *, old: int, size: int) -> tuple[bytes, ...]:
        """The proof that the first `size` entries begin with the `old` ones; `ValueError` if some were dropped."""
        with self._lock:
            self._grow(reads, size)
            return self._log.prove_consistency(old, size)

    def prove_inclusion(self, reads: Reads, *, index: int, size: int) -> tuple[bytes, ...]:
        """The proof that an entry is among the first `size`; `ValueError` if some were dropped."""
        with self._lock:
            self._grow(reads, size)
            return self._log.prove_inclusion(index, size)

    def _grow(self, reads: Reads, size: int) -> None:
        if size > MOST_ENTRIES:
            raise ValueError(f"the journal has more than {MOST_ENTRIES:,} entries; cosign it through files")
        while self._log.size < size:
            after = self._log.size - 1
            rows = reads.entries(self._stream, after=after, limit=min(500, size - self._log.size))
            if not rows or rows[0].seq != after + 1:
                raise ValueError("entries that the checkpoint covers were dropped; nothing can be proved about them")
            for row in rows:
                self._log.append(row.body)
