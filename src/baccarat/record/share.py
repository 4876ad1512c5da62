"""A witness's share in the order of a shoe: its promise, the note that opens it, and the key that signs the note.

A share is 32 bytes for one log and one shoe. The witness publishes its hash, the *promise*, before anybody chooses
anything, and the share itself for one closing of the inputs only, in a signed note. It signs with its *share key*, of
the kind of a log's, never with the key by which it cosigns.
"""

from __future__ import annotations

import secrets
from typing import Final

from baccarat.record.encoding import from_base64, to_base64
from baccarat.record.key import KeyKind, Signer, UnreadableKey, Verifier
from baccarat.record.note import SignedNote, UnreadableNote, sign_note
from baccarat.shuffle import SHARE_BYTES, share_from, share_promise
from baccarat.table.share_note import SHARE_NOTE, ShareNote, read_share_note, share_text

SECOND_LINE: Final = "SHARE+SECRET+"


def read_share(note: SignedNote) -> ShareNote:
    """What a note says that opens a share; its signature is not checked here."""
    found = read_share_note(bytes(note).decode().removesuffix("\n").split("\n"))
    if found is None:
        raise UnreadableNote(
            f"not a share; expected {SHARE_NOTE}, lines for log, shoe, closing and share, and one signature"
        )
    return found


def is_line(text: str) -> bool:
    """Whether a text can be one line of a note."""
    return bool(text) and not any(sign < " " or "\ud800" <= sign <= "\udfff" for sign in text)


class ShareSigner:
    """The secret side of a witness's shares: the key that signs them, and the secret from which they are derived."""

    def __init__(self, signer: Signer, secret: bytes) -> None:
        if signer.verifier.kind is not KeyKind.LOG or len(secret) != SHARE_BYTES:
            raise UnreadableKey(f"a share key is of the kind of a log's, with a secret of {SHARE_BYTES} bytes")
        self._signer, self._secret = signer, secret

    @classmethod
    def create(cls, name: str) -> ShareSigner:
        """A new one, from the operating system's randomness."""
        return cls(Signer(name, KeyKind.LOG, secrets.token_bytes(32)), secrets.token_bytes(SHARE_BYTES))

    @classmethod
    def parse(cls, text: str) -> ShareSigner:
        """The one that two lines say: the key, and the secret."""
        first, _, second = text.removesuffix("\n").partition("\n")
        secret = from_base64(second.removeprefix(SECOND_LINE)) if second.startswith(SECOND_LINE) else None
        if secret is None or len(secret) != SHARE_BYTES:
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
        """The share for a shoe."""
        return share_from(self._secret, origin=origin, shoe=shoe)

    def promise(self, *, origin: str, shoe: str) -> bytes:
        """The promise of the share for a shoe."""
        share = self.share(origin=origin, shoe=shoe)
        return share_promise(share, key=str(self.verifier), origin=origin, shoe=shoe)

    def open(self, *, origin: str, shoe: str, leaf: bytes) -> SignedNote:
        """The note that opens the share for one closing; the same arguments always give the same bytes."""
        share = self.share(origin=origin, shoe=shoe)
        return sign_note(share_text(origin=origin, shoe=shoe, leaf=leaf, share=share), self._signer)
