"""One history of each log: of several journals, those that show the same log must show the same entries of it.

A chain hash covers all entries before its own: where it is the same in two files, so is everything before it. How far a
file speaks for a log is how far a known key has signed what it shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from baccarat.house.stream import Stream
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.note import SignedNote
from baccarat.shuffle import HASH_BYTES


class OtherHistory(NamedTuple):
    """A file that shows another history of a log than an earlier one."""

    file: str
    stream: Stream
    say: str


class Histories:
    """The chain hashes of streams in several files, and how far each was signed under the name of a log."""

    def __init__(self) -> None:
        self._hashes: dict[tuple[str, Stream], bytearray] = {}
        self._signed: dict[tuple[str, tuple[str, Stream]], int] = {}

    def take_entry(self, file: str, stream: Stream, hash_: bytes) -> None:
        """A stream of a file has grown by an entry."""
        self._hashes.setdefault((file, stream), bytearray()).extend(hash_)

    def take_note(self, file: str, stream: Stream, note: SignedNote) -> None:
        """A checkpoint that fits a stream, and that a known key has signed."""
        shown, key = read_checkpoint(note), (file, stream)
        self._signed[shown.origin, key] = max(shown.size, self._signed.get((shown.origin, key), 0))

    def contradictions(self) -> Iterator[OtherHistory]:
        """Files whose history of a log is not that of the longest before it."""
        longest: dict[str, tuple[int, tuple[str, Stream]]] = {}
        for (origin, key), size in self._signed.items():
            file, stream = key
            most, other = longest.get(origin, (0, key))
            common = min(size, most)
            if common and self._hash(key, common) != self._hash(other, common):
                first = next(n for n in range(1, common + 1) if self._hash(key, n) != self._hash(other, n)) - 1
                say = (
                    f"{origin} signed two different histories: entry {first:,} of {stream} is another one in {other[0]}"
                )
                yield OtherHistory(file, stream, say)
            elif size > most:
                longest[origin] = size, key

    def _hash(self, key: tuple[str, Stream], size: int) -> bytes:
        return bytes(self._hashes[key][(size - 1) * HASH_BYTES : size * HASH_BYTES])
