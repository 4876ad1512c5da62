"""Compressed entries: consecutive entries of one stream in one piece, from which each is restored byte for byte.

A piece is compressed by zlib: the number of entries (4 bytes), the length of each body (4 bytes each), the distance of
each from the one before it in the log of all streams (8 bytes each, the first counted from 0), and the bodies. Hashes
are not in it: they follow from the one before the first, and the last must equal the one stored with the piece.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import accumulate, pairwise
from struct import Struct, error, pack, unpack_from

from baccarat.house.stream import Stream
from baccarat.record.entry import hash_after
from baccarat.serve.store.base import StoredEntry, StoreError

LEVEL = 6
"""The level of zlib: 9 takes twice the time for a tenth fewer bytes (`bench/store.py`)."""
_COUNT = Struct("<I")


def compress(entries: Sequence[StoredEntry]) -> bytes:
    """One piece of entries that follow each other."""
    assert entries, "a piece has at least one entry"
    gaps = [entries[0].position, *(b.position - a.position for a, b in pairwise(entries))]
    lengths = [len(entry.body) for entry in entries]
    count = len(entries)
    index = pack(f"<I{count}I{count}Q", count, *lengths, *gaps)
    return zlib.compress(index + b"".join(entry.body for entry in entries), LEVEL)


def decompress(
    piece: bytes, stream: Stream, *, first_seq: int, before: bytes, last_seq: int, last_hash: bytes
) -> list[StoredEntry]:
    """The entries of a piece; `StoreError` if they are not those that went in."""
    where = f"{stream}, the compressed entries {first_seq} to {last_seq}"
    try:
        data = zlib.decompress(piece)
        (count,) = _COUNT.unpack_from(data)
        lengths = unpack_from(f"<{count}I", data, 4)
        positions = accumulate(unpack_from(f"<{count}Q", data, 4 + 4 * count))
    except (zlib.error, error) as wrong:
        raise StoreError(f"{where}: cannot be read: {wrong}") from None
    found, start, hash_ = list[StoredEntry](), 4 + 12 * count, before
    for seq, (length, position) in enumerate(zip(lengths, positions, strict=True), start=first_seq):
        body = data[start : start + length]
        hash_ = hash_after(hash_, body)
        found.append(StoredEntry(stream, seq, body, hash_, position))
        start += length
    if start != len(data) or hash_ != last_hash or first_seq + count != last_seq + 1:
        raise StoreError(f"{where}: were changed; their hashes do not lead to that of entry {last_seq}")
    return found
