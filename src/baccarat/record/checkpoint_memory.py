"""What a reader remembers: the last checkpoint of each log, with which every later one must agree.

A file of signed notes, one for each log. Without it each reading stands alone, and a house could show two readers, or
one reader on two days, two histories under the same key.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import msgspec

from baccarat.record import durable
from baccarat.record.checkpoint import Checkpoint, Relation, compare_checkpoints, read_checkpoint
from baccarat.record.misread import MISREAD, why_unread
from baccarat.record.note import SignedNote, UnreadableNote, read_note
from baccarat.record.origin import earlier_logs
from baccarat.record.successor import continued_log, contradiction
from baccarat.record.text import visible
from baccarat.record.witness_folder import read_at_most

MOST_MEMORY_BYTES = 64 * 1024 * 1024


class UnreadableCheckpointMemory(ValueError):  # noqa: N818
    """A file that is not such a memory: what is wrong with it."""


class LogRoots(Protocol):
    """A log, as far as a memory asks for it."""

    @property
    def size(self) -> int:
        """How many entries it has."""

    def root(self, size: int) -> bytes:
        """The root over its first entries."""


class MemoryAnswer(msgspec.Struct, frozen=True):
    """What a memory says of a checkpoint: what is wrong with it, or what cannot be decided."""

    wrong: str = ""
    unknown: str = ""


class _MemoryFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    checkpoints: dict[str, str]


class CheckpointMemory:
    """The last checkpoint of each log that a reader has seen, by the name of the log."""

    def __init__(self, notes: dict[str, SignedNote] | None = None) -> None:
        self._notes: dict[str, SignedNote] = {}
        self._successors: dict[str, Checkpoint] = {}
        """Those of them that say which log they continue."""
        self._logs: dict[str, tuple[int, LogRoots]] = {}
        """Logs that a file of this reading showed whole, with the size up to which they were signed."""
        for note in (notes or {}).values():
            self._remember(note)

    @classmethod
    def read(cls, path: Path) -> CheckpointMemory:
        """The memory in a file; an empty one if there is no file yet."""
        try:
            data = read_at_most(path, MOST_MEMORY_BYTES)
        except FileNotFoundError:
            return cls()
        try:
            found = msgspec.json.decode(data, type=_MemoryFile).checkpoints
            notes = {origin: read_note(text.encode()) for origin, text in found.items()}
            named = {origin: read_checkpoint(note).origin for origin, note in notes.items()}
        except UnreadableNote as error:
            raise UnreadableCheckpointMemory(f"a checkpoint in it cannot be read: {error}") from None
        except MISREAD as error:
            raise UnreadableCheckpointMemory(why_unread(data, _MemoryFile, error)) from None
        if any(origin != name for origin, name in named.items()):
            raise UnreadableCheckpointMemory("a checkpoint in it is of another log than it says")
        return cls(notes)

    def write(self, path: Path) -> None:
        """Replace the file, durably."""
        texts = {origin: bytes(note).decode() for origin, note in sorted(self._notes.items())}
        durable.replace(path, msgspec.json.format(msgspec.json.encode(_MemoryFile(texts))) + b"\n")

    def sizes(self) -> set[int]:
        """Which sizes of logs were seen last."""
        return {read_checkpoint(note).size for note in self._notes.values()}

    def last_size(self, origin: str) -> int:
        """How many entries of a log were seen; 0 if none were."""
        return read_checkpoint(self._notes[origin]).size if origin in self._notes else 0

    def compare(self, note: SignedNote, log: LogRoots | None) -> MemoryAnswer:
        """Whether a signed checkpoint agrees with the last one of the same log, and remember the larger of the two.

        `log` holds the entries of the whole log, where they are available; without it only the roots can be compared.
        """
        shown = read_checkpoint(note)
        contradicted = self.contradiction(shown)
        if contradicted:
            return MemoryAnswer(contradicted)
        last = self._notes.get(shown.origin)
        seen = None if last is None else read_checkpoint(last)
        if seen is not None:
            answer = _compare_with_last(shown, seen, log)
            if answer.unknown:
                answer = self._compare_with_whole(shown) or answer
            if answer.wrong or answer.unknown:
                return answer
        self.remember_larger(note)
        return MemoryAnswer()

    def hold_log(self, note: SignedNote, log: LogRoots) -> None:
        """The whole log of a checkpoint that agreed: what other files show of it, in any order, must agree with it."""
        shown = read_checkpoint(note)
        if shown.size > self._logs.get(shown.origin, (0, log))[0]:
            self._logs[shown.origin] = shown.size, log

    def _compare_with_whole(self, shown: Checkpoint) -> MemoryAnswer | None:
        """Whether a checkpoint agrees with a whole log that another file showed; None if none showed as much."""
        size, log = self._logs.get(shown.origin, (0, None))
        if log is None or shown.size > size:
            return None
        return MemoryAnswer() if log.root(shown.size) == shown.root else _other_entries(shown.origin, shown.size)

    def contradiction(self, shown: Checkpoint) -> str:
        """How a checkpoint contradicts those of a log that it continues, or that continues it; empty if it does not."""
        names = earlier_logs(shown.origin) if continued_log(shown) is not None else ()
        earlier = [read_checkpoint(self._notes[name]) for name in names if name in self._notes]
        found = [contradiction(shown, each) for each in earlier]
        found += [contradiction(each, shown) for each in self._successors.values()]
        return next(filter(None, found), "")

    def remember_larger(self, note: SignedNote) -> None:
        """Remember a checkpoint, unless a larger one of the same log was seen."""
        shown = read_checkpoint(note)
        if shown.origin not in self._notes or shown.size > self.last_size(shown.origin):
            self._remember(note)

    def _remember(self, note: SignedNote) -> None:
        shown = read_checkpoint(note)
        self._notes[shown.origin] = note
        self._successors.pop(shown.origin, None)
        if continued_log(shown) is not None:
            self._successors[shown.origin] = shown


def _compare_with_last(shown: Checkpoint, seen: Checkpoint, log: LogRoots | None) -> MemoryAnswer:
    relation = compare_checkpoints(shown, seen)
    name = visible(shown.origin)
    if relation is Relation.SAME:
        return MemoryAnswer()
    if relation is Relation.FORKED:
        return MemoryAnswer(
            f"{name} signed another root for {seen.size:,} entries before: it signed two different histories"
        )
    if log is not None and log.size >= seen.size:
        if log.root(seen.size) == seen.root:
            return MemoryAnswer()
        return _other_entries(shown.origin, seen.size)
    if relation is Relation.SMALLER:
        return MemoryAnswer(unknown=f"{seen.size:,} entries of {name} were seen before, and this has {shown.size:,}")
    say = f"nothing shows whether it continues the {seen.size:,} entries of {name} seen before"
    return MemoryAnswer(unknown=f"{say}: verify the whole journal")


def _other_entries(origin: str, size: int) -> MemoryAnswer:
    return MemoryAnswer(f"the first {size:,} entries of {visible(origin)} are not those that it signed before")
