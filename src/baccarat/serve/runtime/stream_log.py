"""The tree of a stream, which grows with its entries: from it is proved what a witness is shown.

Every checkpoint is stored with the edge of the tree at its size. A tree is begun there, at the largest size that is not
above what is to be proved, and holds 64 bytes per entry after it. So no stream has to be read from its beginning, not
after a restart, and not where its first entries were dropped. It reads only what is durable.
"""

from __future__ import annotations

from threading import Lock

from baccarat.house.stream import Stream
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.log import HASH, Frontier, Log
from baccarat.record.note import UnreadableNote, read_note
from baccarat.serve.store.base import Reads
from baccarat.serve.store.row import as_bytes, as_int

PAGE = 500
MOST_ENTRIES = 2_000_000
"""The most entries after the edge from which a tree is begun: more are cosigned through files (docs/log.md)."""
MOST_EDGES = 20
"""How many stored edges are tried before a tree is built from the beginning of its stream."""


class ProofUnavailable(ValueError):  # noqa: N818
    """Why nothing can be proved about a stream."""


class StreamLog:
    """The tree of one stream; threads of the pool of readers use it in turn."""

    def __init__(self, stream: Stream) -> None:
        self._stream, self._lock = stream, Lock()
        self._log: Log | None = None

    def prove_consistency(self, reads: Reads, *, old: int, size: int) -> tuple[bytes, ...]:
        """The proof that the first `size` entries begin with the `old` ones; or `ProofUnavailable`."""
        if old in (0, size):
            return ()
        with self._lock:
            return self._tree_over(reads, least=old, size=size).prove_consistency(old, size)

    def prove_inclusion(self, reads: Reads, *, index: int, size: int) -> tuple[bytes, ...]:
        """The proof that an entry is among the first `size`; `ProofUnavailable` if it cannot be made."""
        with self._lock:
            return self._tree_over(reads, least=index, size=size).prove_inclusion(index, size)

    def _tree_over(self, reads: Reads, *, least: int, size: int) -> Log:
        """The tree over `size` entries or more, begun at `least` or before."""
        log = self._log
        if log is None or log.first > least or size - log.first > MOST_ENTRIES:
            log = self._log = _begin_tree(reads, self._stream, least)
        if size - log.first > MOST_ENTRIES:
            many = f"more than {MOST_ENTRIES:,} entries since it was last cosigned"
            raise ProofUnavailable(f"the journal has {many}; cosign it through files")
        while log.size < size:
            after = log.size - 1
            rows = reads.entries(self._stream, after=after, limit=min(PAGE, size - log.size))
            if not rows or rows[0].seq != after + 1:
                raise ProofUnavailable(
                    "entries that the checkpoint covers were dropped; nothing can be proved about them"
                )
            for row in rows:
                log.append(row.body)
        return log


def _begin_tree(reads: Reads, stream: Stream, most: int) -> Log:
    """A tree that is begun from the largest stored edge of at most this size; from nothing if there is none.

    An edge that does not lead to the root of its checkpoint was damaged, and is passed over.
    """
    sql = "select size, edge, note from checkpoint where stream = ? and size <= ? order by size desc limit ?"
    for stored, edge, note in reads.read(sql, (stream, most, MOST_EDGES)):
        size, data = as_int(stored), as_bytes(edge or b"")
        hashes = [data[at : at + HASH] for at in range(0, len(data), HASH)]
        if not data or len(data) % HASH or len(hashes) != size.bit_count():
            continue
        try:
            root = read_checkpoint(read_note(as_bytes(note))).root
        except UnreadableNote:
            continue
        if Frontier.from_edge(size, hashes).root() == root:
            return Log.from_edge(size, hashes)
    return Log()
