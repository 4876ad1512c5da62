"""Signed notes (C2SP signed-note): a text, a blank line, and a line for each signature; read and written strictly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from baccarat.record.encoding import from_base64, to_base64
from baccarat.record.key import Signer, UnreadableKey, Verifier, check_name

MOST_BYTES = 1_000_000
MOST_SIGNATURES = 100
ID = 4
"""How many bytes of a signature name its key."""
DASH = "— "
"""How a line with a signature begins: an em dash and a space."""


class UnreadableNote(ValueError):  # noqa: N818
    """Bytes that are not a signed note: what is wrong with them."""


class UntrustedNote(Exception):  # noqa: N818
    """A note that no known key has signed, or whose signature by a known key is wrong."""


class UnknownSigners(UntrustedNote):
    """A note whose signatures are all by unknown keys: nothing shows that any of them is wrong."""


class Signature(msgspec.Struct, frozen=True):
    """One signature: the name and the id of the key that made it, and its bytes."""

    name: str
    key: bytes
    data: bytes

    def __str__(self) -> str:
        return f"{DASH}{self.name} {to_base64(self.key + self.data)}\n"

    def is_by(self, verifier: Verifier) -> bool:
        """Whether it names this key; that alone proves nothing."""
        return self.name == verifier.name and self.key == verifier.id


class SignedNote(msgspec.Struct, frozen=True):
    """A text that ends with a line end, and its signatures, none of which is checked yet."""

    text: str
    signatures: tuple[Signature, ...]

    def __bytes__(self) -> bytes:
        return f"{self.text}\n{''.join(map(str, self.signatures))}".encode()

    def with_signatures(self, *more: Signature) -> SignedNote:
        """The note with more signatures; a new signature replaces an earlier one of the same key."""
        kept = [old for old in self.signatures if not any((old.name, old.key) == (new.name, new.key) for new in more)]
        return SignedNote(self.text, (*kept, *more))

    def verified_signatures(self, known: Sequence[Verifier]) -> dict[Verifier, Signature]:
        """The signatures by known keys, one per key; those by other keys are ignored.

        Every signature that names a known key must be right, or the note is not trusted at all.
        """
        if len({(key.name, key.id) for key in known}) != len(set(known)):
            raise ValueError("two known keys have the same name and the same id")
        found: dict[Verifier, Signature] = {}
        for signature in self.signatures:
            for key in known:
                if not signature.is_by(key):
                    continue
                if not key.verifies(self.text, signature.data):
                    raise UntrustedNote(
                        f"the signature by {key.name} is wrong: the text was changed, or another key made it"
                    )
                found.setdefault(key, signature)
        if not found:
            raise UnknownSigners(_unknown_signers_text(self.signatures, known))
        return found


def read_note(data: bytes) -> SignedNote:
    """Read a note; no signature is checked yet."""
    if len(data) > MOST_BYTES:
        raise UnreadableNote(f"a note has at most {MOST_BYTES:,} bytes")
    try:
        whole = data.decode()
    except UnicodeDecodeError:
        raise UnreadableNote("not UTF-8") from None
    if any(sign < " " and sign != "\n" for sign in whole):
        raise UnreadableNote("it contains control characters")
    if not whole.endswith("\n"):
        raise UnreadableNote("it breaks off in the middle of a line; only half of it has been written")
    text, blank, lines = whole.rpartition("\n\n")
    if not blank or not lines:
        raise UnreadableNote("there are no signatures; expected the text, a blank line, and a line for each signature")
    rows = lines.removesuffix("\n").split("\n")
    if len(rows) > MOST_SIGNATURES:
        raise UnreadableNote(f"a note has at most {MOST_SIGNATURES} signatures")
    return SignedNote(text + "\n", tuple(map(read_signature, rows)))


def read_signature(line: str) -> Signature:
    """Read a signature from a line without its end."""
    name, space, encoded = line.removeprefix(DASH).partition(" ")
    data = from_base64(encoded) if line.startswith(DASH) and space else None
    if data is None or len(data) <= ID:
        raise UnreadableNote("a signature is not a line of a dash, the name of a key, and base64")
    try:
        check_name(name)
    except UnreadableKey as error:
        raise UnreadableNote(str(error)) from None
    return Signature(name, data[:ID], data[ID:])


def sign_note(text: str, signer: Signer) -> SignedNote:
    """A text signed by a log."""
    if not text.endswith("\n") or any(sign < " " and sign != "\n" for sign in text):
        raise ValueError("the text of a note must end with a line end and have no other control characters")
    return SignedNote(text, (Signature(signer.verifier.name, signer.verifier.id, signer.sign(text)),))


def _unknown_signers_text(signatures: Iterable[Signature], known: Sequence[Verifier]) -> str:
    made_by = ", ".join(dict.fromkeys(f"{each.name}+{each.key.hex()}" for each in signatures))
    expected = ", ".join(f"{key.name}+{key.id.hex()}" for key in known) or "no key at all"
    return f"no known key has signed it: it has signatures by {made_by}; expected {expected}"
