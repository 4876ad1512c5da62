"""Receipts: an entry that somebody made or saw, with the proof that a signed checkpoint of its log covers it.

A receipt is one text: the entry's body in base64 on the first line, then its C2SP `tlog-proof`. It is the form in which
a house asks a witness for a share, and `baccarat journal check` reads it.
"""

from __future__ import annotations

import msgspec

from baccarat.house.stream import Stream
from baccarat.record.checkpoint import Checkpoint, read_checkpoint
from baccarat.record.entry import MOST_BYTES, read_body
from baccarat.record.note import SignedNote, UnreadableNote
from baccarat.record.origin import fits_stream
from baccarat.record.text import visible
from baccarat.record.tlog_proof import ProvedEntry, read_proved_entry

_encode = msgspec.json.Encoder(order="sorted").encode
MOST_RECEIPT = 2 * MOST_BYTES
"""The most bytes of a receipt: base64 takes a third more than the body, and a proof a few thousand."""


class Receipt(ProvedEntry, frozen=True, kw_only=True):
    """An entry of a stream and its proof."""

    stream: Stream

    @property
    def index(self) -> int:
        """The number of the entry in its stream."""
        return self.proof.index

    @property
    def note(self) -> SignedNote:
        """The signed checkpoint."""
        return self.proof.note

    @property
    def log(self) -> Checkpoint:
        """The log: its name, its size and its root when the receipt was made."""
        return read_checkpoint(self.proof.note)


def read_receipt(data: bytes) -> Receipt:
    """Read a receipt; `UnreadableNote` if it does not show what a receipt shows. No signature is checked here."""
    proved = read_proved_entry(data)
    try:
        entry = read_body(proved.body)
        if _encode(msgspec.json.decode(proved.body)) != proved.body:  # a command is read only when it is decided again
            raise ValueError("the command of the entry is not written in canonical form (RFC 8785)")
    except (ValueError, RecursionError) as error:
        raise UnreadableNote(f"not a receipt: {visible(str(error))}") from None
    if entry.seq != proved.proof.index or not fits_stream(read_checkpoint(proved.proof.note).origin, entry.stream):
        raise UnreadableNote("the entry is not of the log and the number that the receipt names")
    if not proved.proof.shows(proved.body):
        raise UnreadableNote("its proof does not lead from the entry to the root of its checkpoint")
    return Receipt(body=proved.body, proof=proved.proof, stream=entry.stream)
