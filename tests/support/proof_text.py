"""The text of a proof (C2SP tlog-proof), read back: the program writes proofs, and others read them."""

from __future__ import annotations

from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.encoding import from_base64, from_decimal
from baccarat.record.log import LARGEST_SIZE
from baccarat.record.note import UnreadableNote, read_note
from baccarat.record.tlog_proof import HEADER, EntryProof, read_hashes


def read_proof(data: bytes) -> EntryProof:
    """The proof that bytes say; a line with opaque data, which nobody signs, is passed over."""
    head, blank, note = data.partition(b"\n\n")
    try:
        first, *rows = head.decode().split("\n")
    except UnicodeDecodeError:
        raise UnreadableNote("not UTF-8") from None
    if first != HEADER or not blank or not rows:
        raise UnreadableNote(f"no proof of an entry; expected {HEADER} in the first line")
    if rows[0].startswith("extra "):
        if from_base64(rows[0].removeprefix("extra ")) is None:
            raise UnreadableNote("the line of extra data is not base64")
        rows = rows[1:]
    index = (
        from_decimal(rows[0].removeprefix("index "), LARGEST_SIZE) if rows and rows[0].startswith("index ") else None
    )
    if index is None:
        raise UnreadableNote("the index of the entry is missing, or no whole number in plain digits")
    path = read_hashes(rows[1:])
    found = read_note(note)
    read_checkpoint(found)
    return EntryProof(index, path, found)
