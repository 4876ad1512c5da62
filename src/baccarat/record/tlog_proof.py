"""The proof of one entry as one text (C2SP tlog-proof): its index, the sibling hashes on its path, the checkpoint."""

from __future__ import annotations

import msgspec

from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.encoding import from_base64, from_decimal, to_base64
from baccarat.record.entry import MOST_BYTES
from baccarat.record.log import HASH, LARGEST_SIZE, includes
from baccarat.record.note import SignedNote, UnreadableNote, read_note

HEADER = "c2sp.org/tlog-proof@v1"
MOST_HASHES = 63
"""No log has more levels."""


class EntryProof(msgspec.Struct, frozen=True):
    """The proof that an entry is at an index in the log of a checkpoint."""

    index: int
    path: tuple[bytes, ...]
    note: SignedNote

    def __bytes__(self) -> bytes:
        rows = (HEADER, f"index {self.index}", *map(to_base64, self.path))
        return "".join(f"{row}\n" for row in rows).encode() + b"\n" + bytes(self.note)

    def shows(self, entry: bytes) -> bool:
        """Whether it proves this entry; the signatures of the note show whose checkpoint it is."""
        log = read_checkpoint(self.note)
        return includes(log.root, size=log.size, entry=entry, index=self.index, proof=self.path)


class ProvedEntry(msgspec.Struct, frozen=True):
    """An entry with its proof, as one text: the entry's body in base64 on the first line, then the proof."""

    body: bytes
    proof: EntryProof

    def __bytes__(self) -> bytes:
        return f"{to_base64(self.body)}\n".encode() + bytes(self.proof)


def read_proved_entry(data: bytes) -> ProvedEntry:
    """Read an entry with its proof; nothing in either is checked yet."""
    first, _, proof = data.partition(b"\n")
    try:
        body = from_base64(first.decode())
    except UnicodeDecodeError:
        body = None
    if not body or len(body) > MOST_BYTES:
        raise UnreadableNote("the first line is not the body of a record in base64")
    return ProvedEntry(body, read_proof(proof))


def read_proof(data: bytes) -> EntryProof:
    """Read a proof; nothing in it is checked yet. A line of extra data, which nobody signs, is ignored."""
    head, blank, note = data.partition(b"\n\n")
    try:
        first, *rows = head.decode().split("\n")
    except UnicodeDecodeError:
        raise UnreadableNote("not UTF-8") from None
    if first != HEADER or not blank or not rows:
        raise UnreadableNote(f"not the proof of an entry; expected {HEADER} in the first line")
    if rows[0].startswith("extra "):
        if from_base64(rows[0].removeprefix("extra ")) is None:
            raise UnreadableNote("the line of extra data is not base64")
        rows = rows[1:]
    named = rows[0] if rows else ""
    index = from_decimal(named.removeprefix("index "), LARGEST_SIZE) if named.startswith("index ") else None
    if index is None:
        raise UnreadableNote("the index of the entry is missing, or not a whole number in plain digits")
    found = EntryProof(index, read_hashes(rows[1:]), read_note(note))
    read_checkpoint(found.note)
    return found


def read_hashes(rows: list[str]) -> tuple[bytes, ...]:
    """The hashes of a proof, one per line."""
    if len(rows) > MOST_HASHES:
        raise UnreadableNote(f"a proof has at most {MOST_HASHES} hashes")
    found = tuple(data for row in rows if (data := from_base64(row)) is not None and len(data) == HASH)
    if len(found) != len(rows):
        raise UnreadableNote(f"a line of the proof is not {HASH} bytes in base64")
    return found
