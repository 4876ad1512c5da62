"""What a reader remembers, compared with journals that are read once: an audit stores only roots at some sizes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from baccarat.house.stream import Stream
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.checkpoint_memory import CheckpointMemory, MemoryAnswer
from baccarat.record.log import Frontier
from baccarat.record.note import SignedNote


class _StreamRoots:
    """A stream of a file: its size, its roots at the sizes that may be asked for, and its checkpoints by known keys."""

    def __init__(self) -> None:
        self.size = 0
        self.roots: dict[int, bytes] = {}
        self.notes: list[SignedNote] = []

    def root(self, size: int) -> bytes:
        """The root at one of these sizes."""
        return self.roots[size]


class StreamMemoryAnswer(NamedTuple):
    """What a memory says of a checkpoint of a stream."""

    file: str
    stream: Stream
    answer: MemoryAnswer


class JournalMemory:
    """Collects from streams, while they are read, what is compared with a reader's memory at the end."""

    def __init__(self, memory: CheckpointMemory | None) -> None:
        self.memory = memory
        self._sizes = set[int]() if memory is None else memory.sizes()
        """Sizes of logs that were seen before: in the memory, or in what has been read so far."""
        self._streams: dict[tuple[str, Stream], _StreamRoots] = {}
        self._last: dict[tuple[str, Stream, str], SignedNote] = {}
        """Without a memory, the largest checkpoint of each log: one may continue another."""

    def __bool__(self) -> bool:
        """Whether the reader remembers anything at all, or wants to."""
        return self.memory is not None

    def take_entry(self, file: str, stream: Stream, log: Frontier) -> None:
        """A stream has grown by an entry."""
        if self.memory is None:
            return
        held = self._streams.setdefault((file, stream), _StreamRoots())
        held.size = log.size
        if log.size in self._sizes:
            held.roots[log.size] = log.root()

    def take_note(self, file: str, stream: Stream, note: SignedNote) -> None:
        """A checkpoint that fits the stream, and that a known key has signed."""
        if self.memory is None:
            self._take_last(file, stream, note)
            return
        held, checkpoint = self._streams.setdefault((file, stream), _StreamRoots()), read_checkpoint(note)
        held.notes.append(note)
        held.roots[checkpoint.size] = checkpoint.root
        self._sizes.add(checkpoint.size)

    def compare_with_memory(self, wrong: Collection[str]) -> Iterator[StreamMemoryAnswer]:
        """What does not agree with the memory, or cannot be decided; nothing of `wrong` files is remembered."""
        if self.memory is None:
            yield from self._contradictions(wrong)
        for (file, stream), held in self._streams.items():
            if file in wrong or self.memory is None:
                continue
            for note in sorted(held.notes, key=lambda note: read_checkpoint(note).size):
                last = self.memory.last_size(read_checkpoint(note).origin)
                answer = self.memory.compare(note, held if last > held.size or last in held.roots else None)
                if answer.wrong or answer.unknown:
                    yield StreamMemoryAnswer(file, stream, answer)

    def _take_last(self, file: str, stream: Stream, note: SignedNote) -> None:
        shown = read_checkpoint(note)
        last = self._last.get((file, stream, shown.origin))
        if last is None or shown.size > read_checkpoint(last).size:
            self._last[file, stream, shown.origin] = note

    def _contradictions(self, wrong: Collection[str]) -> Iterator[StreamMemoryAnswer]:
        """Logs that say of the one that they continue what its own checkpoints contradict."""
        seen = CheckpointMemory()
        for (file, stream, _), note in self._last.items():
            if file in wrong:
                continue
            found = seen.contradiction(read_checkpoint(note))
            if found:
                yield StreamMemoryAnswer(file, stream, MemoryAnswer(found))
            else:
                seen.remember_larger(note)
