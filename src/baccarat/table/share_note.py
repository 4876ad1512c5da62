"""A witness's share in the order of a shoe: its promise, its key, and the signed note that opens it.

Everything here is form and hashes. Whether the signature of a note is right is checked by the programs that have the
cryptography for it: a served house before it records a note, and every verifier.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Sequence

import msgspec

from baccarat.shuffle import HASH_BYTES, SHARE_BYTES, share_promise

SHARE_NOTE = "baccarat/share/v1"
"""The first line of the note that opens a share."""
SIGNING_KEY = 0x01
"""The type of a share key: Ed25519, as a log's; a witness cosigns with another key, of type 0x04."""
KEY_ID_BYTES = 4
SIGNATURE_BYTES = 64
DASH = "— "


class ShareKey(msgspec.Struct, frozen=True):
    """The public key by which a witness signs its shares: name, id and 32 bytes."""

    name: str
    id: bytes
    public: bytes


class ShareNote(msgspec.Struct, frozen=True):
    """What the note of a witness says, with its one signature, which is not checked here."""

    origin: str
    shoe: str
    leaf: bytes
    """The hash of the record that closed the inputs: a share is opened for one closing only."""
    share: bytes
    name: str
    key_id: bytes
    signature: bytes

    @property
    def text(self) -> str:
        """The text that is signed: five lines."""
        return share_text(origin=self.origin, shoe=self.shoe, leaf=self.leaf, share=self.share)

    def opens(self, promise: bytes, *, key: str) -> bool:
        """Whether its share is the one that this key promised for this log and shoe."""
        return share_promise(self.share, key=key, origin=self.origin, shoe=self.shoe) == promise

    def is_by(self, key: ShareKey) -> bool:
        """Whether its signature names this key; that alone proves nothing."""
        return (self.name, self.key_id) == (key.name, key.id)


def share_text(*, origin: str, shoe: str, leaf: bytes, share: bytes) -> str:
    """The text of the note that opens a share."""
    return "".join(f"{row}\n" for row in (SHARE_NOTE, origin, shoe, _base64(leaf), _base64(share)))


def read_share_key(text: str) -> ShareKey | None:
    """The share key of a text `name+id+base64`; None if it is none, or the key of a witness or of another type."""
    found = re.fullmatch(r"([^\s+\x00-\x1f]+)\+([0-9a-f]{8})\+(\S+)", text)
    data = _from_base64(found[3]) if found else None
    if found is None or data is None or len(data) != 1 + HASH_BYTES or data[0] != SIGNING_KEY:
        return None
    key_id = hashlib.sha256(found[1].encode() + b"\n" + data).digest()[:KEY_ID_BYTES]
    return ShareKey(found[1], key_id, data[1:]) if key_id.hex() == found[2] else None


def read_share_note(rows: Sequence[str]) -> ShareNote | None:
    """What the lines of a note say; None if they are not exactly five, an empty one, and one signature."""
    if len(rows) != 7 or rows[0] != SHARE_NOTE or rows[5] or not rows[6].startswith(DASH):
        return None
    leaf, share = _from_base64(rows[3]), _from_base64(rows[4])
    name, _, encoded = rows[6].removeprefix(DASH).partition(" ")
    signature = _from_base64(encoded)
    if leaf is None or share is None or signature is None or not (rows[1] and rows[2] and name):
        return None
    if (len(leaf), len(share), len(signature)) != (HASH_BYTES, SHARE_BYTES, KEY_ID_BYTES + SIGNATURE_BYTES):
        return None
    return ShareNote(rows[1], rows[2], leaf, share, name, signature[:KEY_ID_BYTES], signature[KEY_ID_BYTES:])


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _from_base64(text: str) -> bytes | None:
    """The bytes of a text; None if it is not exactly what is written for them."""
    try:
        data = base64.b64decode(text)
    except (binascii.Error, ValueError):
        return None
    return data if _base64(data) == text else None
