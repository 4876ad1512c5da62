"""A witness's share in the order of a shoe: its promise, the note that opens it, and the key that signs the note.

A share is 32 bytes for one log and one shoe. The witness publishes its hash, the *promise*, before anybody chooses
anything, and the share itself for one closing of the inputs only, in a signed note. It signs with its *share key*, of
the kind of a log's, never with the key by which it cosigns.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256
from typing import Final

import msgspec

from baccarat.record.encoding import from_base64, to_base64
from baccarat.record.key import KeyKind, Signer, UnreadableKey, Verifier
from baccarat.record.log import HASH
from baccarat.record.note import SignedNote, UnreadableNote, sign_note

NOTE_HEADER = "baccarat/share/v1"
PROMISE_TAG, SECRET_TAG = b"baccarat/share/1", b"baccarat/share-secret/1"
SHARE = 32
"""The number of bytes of a share, and of the secret from which a witness derives its shares."""
SECOND_LINE: Final = "SHARE+SECRET+"


def share_promise(share: bytes, *, key: str, origin: str, shoe: str) -> bytes:
    """`SHA-256("baccarat/share/1" ‖ field(key) ‖ field(origin) ‖ field(shoe) ‖ share)`; the key is the text of it."""
    return sha256(PROMISE_TAG + _field(key) + _field(origin) + _field(shoe) + share).digest()


class ShareStatement(msgspec.Struct, frozen=True, kw_only=True):
    """What the note of a share says: for which log, shoe and closing it was opened, and the share."""

    origin: str
    shoe: str
    leaf: bytes
    """The leaf hash of the record that closed the inputs."""
    share: bytes

    @property
    def text(self) -> str:
        """The text of the note, in five lines."""
        rows = (NOTE_HEADER, self.origin, self.shoe, to_base64(self.leaf), to_base64(self.share))
        return "".join(f"{row}\n" for row in rows)


def read_share(note: SignedNote) -> ShareStatement:
    """What the text of a note says; no signature is checked here."""
    rows = note.text.removesuffix("\n").split("\n")
    if len(rows) != 5 or rows[0] != NOTE_HEADER or not rows[1] or not rows[2]:
        raise UnreadableNote(f"not a share; expected {NOTE_HEADER}, and lines for log, shoe, closing and share")
    leaf, share = from_base64(rows[3]), from_base64(rows[4])
    if leaf is None or len(leaf) != HASH or share is None or len(share) != SHARE:
        raise UnreadableNote(f"the closing or the share is not {HASH} bytes in base64")
    return ShareStatement(origin=rows[1], shoe=rows[2], leaf=leaf, share=share)


def is_line(text: str) -> bool:
    """Whether a text can be one line of a note."""
    return bool(text) and not any(sign < " " or "\ud800" <= sign <= "\udfff" for sign in text)


class ShareSigner:
    """The secret side of a witness's shares: the key that signs them, and the secret from which they are derived."""

    def __init__(self, signer: Signer, secret: bytes) -> None:
        if signer.verifier.kind is not KeyKind.LOG or len(secret) != SHARE:
            raise UnreadableKey(f"a share key is of the kind of a log's, with a secret of {SHARE} bytes")
        self._signer, self._secret = signer, secret

    @classmethod
    def create(cls, name: str) -> ShareSigner:
        """A new one, from the operating system's randomness."""
        return cls(Signer(name, KeyKind.LOG, secrets.token_bytes(32)), secrets.token_bytes(SHARE))

    @classmethod
    def parse(cls, text: str) -> ShareSigner:
        """The one that two lines say: the key, and the secret."""
        first, _, second = text.removesuffix("\n").partition("\n")
        secret = from_base64(second.removeprefix(SECOND_LINE)) if second.startswith(SECOND_LINE) else None
        if secret is None or len(secret) != SHARE:
            raise UnreadableKey(f"not a share key; expected a signer key, and a line that begins with {SECOND_LINE}")
        return cls(Signer.parse(first), secret)

    @property
    def text(self) -> str:
        """The lines from which `parse` makes this again; anyone who has them knows every share."""
        return f"{self._signer.secret}\n{SECOND_LINE}{to_base64(self._secret)}\n"

    @property
    def verifier(self) -> Verifier:
        """The public share key."""
        return self._signer.verifier

    def share(self, *, origin: str, shoe: str) -> bytes:
        """The share for a shoe: `HMAC(secret, "baccarat/share-secret/1" ‖ field(origin) ‖ field(shoe))`."""
        return hmac.digest(self._secret, SECRET_TAG + _field(origin) + _field(shoe), "sha256")

    def promise(self, *, origin: str, shoe: str) -> bytes:
        """The promise of the share for a shoe."""
        share = self.share(origin=origin, shoe=shoe)
        return share_promise(share, key=str(self.verifier), origin=origin, shoe=shoe)

    def open(self, *, origin: str, shoe: str, leaf: bytes) -> SignedNote:
        """The note that opens the share for one closing; the same arguments always give the same bytes."""
        share = self.share(origin=origin, shoe=shoe)
        return sign_note(ShareStatement(origin=origin, shoe=shoe, leaf=leaf, share=share).text, self._signer)


def _field(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(8, "big") + data
