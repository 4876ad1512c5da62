"""Checkpoints (C2SP tlog-checkpoint): how many entries a log has and their root, in a note that the log signs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

import msgspec

from baccarat.record.encoding import from_base64, from_decimal, to_base64
from baccarat.record.key import Signer, Verifier
from baccarat.record.log import EMPTY_ROOT, HASH, Frontier
from baccarat.record.note import SignedNote, UnreadableNote, read_note, sign_note
from baccarat.record.origin import MOST_SIZE


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A log's statement about itself: its name, its size, its root, and lines that only its owner understands."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text of the note."""
        return "\n".join((self.origin, str(self.size), to_base64(self.root), *self.extensions, ""))


class Relation(Enum):
    """How a checkpoint relates to one that was seen before."""

    SAME = "the same size and root"
    LARGER = "larger; a consistency proof shows whether it begins with the other"
    SMALLER = "smaller; a consistency proof shows whether the other begins with it"
    FORKED = "another root at the same size: the log has signed two different histories"
    OTHER_LOG = "another log"


def compare_checkpoints(new: Checkpoint, seen: Checkpoint) -> Relation:
    """How a checkpoint relates to one that was seen before."""
    if new.origin != seen.origin:
        return Relation.OTHER_LOG
    if new.size > seen.size:
        return Relation.LARGER
    if new.size < seen.size:
        return Relation.SMALLER
    return Relation.SAME if new.root == seen.root else Relation.FORKED


def read_checkpoint(note: SignedNote) -> Checkpoint:
    """What the text of a note says; no signature is checked here."""
    origin, *rows = note.text.removesuffix("\n").split("\n")
    if not origin or len(rows) < 2 or "" in rows:
        raise UnreadableNote("not a checkpoint; expected lines for the name of the log, its size and its root")
    size, root = from_decimal(rows[0], MOST_SIZE), from_base64(rows[1])
    if size is None:
        raise UnreadableNote("the size of the log is not a whole number in plain digits")
    if root is None or len(root) != HASH:
        raise UnreadableNote(f"the root of the log is not {HASH} bytes in base64")
    if size == 0 and root != EMPTY_ROOT:
        raise UnreadableNote("this is not the root of a log without entries")
    return Checkpoint(origin=origin, size=size, root=root, extensions=tuple(rows[2:]))


def sign_checkpoint(checkpoint: Checkpoint, signer: Signer) -> SignedNote:
    """A checkpoint signed by its log."""
    note = sign_note(checkpoint.text, signer)
    if read_checkpoint(note) != checkpoint:
        raise ValueError("this checkpoint cannot be written: a part of it is empty or contains a line end")
    return note


def open_checkpoint(data: bytes, known: Sequence[Verifier], *, origin: str | None = None) -> Checkpoint:
    """Read the checkpoint of a note that a known key has signed; with `origin`, of that log only."""
    note = read_note(data)
    found = read_checkpoint(note)
    note.verified_signatures(known)
    if origin is not None and found.origin != origin:
        raise UnreadableNote(f"a checkpoint of {found.origin}; expected one of {origin}")
    return found


class LogChanged(Exception):  # noqa: N818
    """Entries that do not match a checkpoint: one from `held` up to `size` was changed or removed."""

    def __init__(self, say: str, *, held: int, size: int) -> None:
        super().__init__(say)
        self.held = held
        """The largest size at which a checkpoint still matches."""
        self.size = size
        """The smallest size at which one does not."""


def checkpoint_of(origin: str, entries: Iterable[bytes], *, seen: Iterable[Checkpoint] = ()) -> Checkpoint:
    """The checkpoint of all entries, if every earlier checkpoint still matches."""
    frontier, held = Frontier(), 0
    waiting = sorted(seen, key=lambda each: each.size, reverse=True)
    for entry in entries:
        held = _largest_fit(frontier, waiting, held)
        frontier.append(entry)
    held = _largest_fit(frontier, waiting, held)
    if waiting:
        say = f"there are {frontier.size} entries, and there were {waiting[-1].size} before"
        raise LogChanged(say, held=held, size=waiting[-1].size)
    return Checkpoint(origin=origin, size=frontier.size, root=frontier.root())


def _largest_fit(frontier: Frontier, waiting: list[Checkpoint], held: int) -> int:
    """The largest size at which a checkpoint matches, including those of the current size."""
    while waiting and waiting[-1].size == frontier.size:
        if waiting.pop().root != frontier.root():
            say = f"the first {frontier.size} entries are not those that were there before, the first {held} still are"
            raise LogChanged(say, held=held, size=frontier.size)
        held = frontier.size
    return held
