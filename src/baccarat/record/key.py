"""Keys that sign notes: Ed25519, written as text in the C2SP note format, for a log or for a witness.

A verifier key is `name+id+base64(kind, public key)`, a signer key `PRIVATE+KEY+name+id+base64(kind, seed)`. The id is
the beginning of a hash over all the rest, so that a key with a changed name, kind or byte is not valid. A log's key
signs the text of a note as it is; a witness's key signs the text together with the time, so neither passes for the
other.

Keys are read and compared without any other package; signing and verifying need `cryptography`.
"""

from __future__ import annotations

import hashlib
import re
from enum import IntEnum
from typing import TYPE_CHECKING, Final

import msgspec

from baccarat.record.encoding import from_base64, to_base64

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY = 32
"""The number of bytes of a public key, and of a seed."""
SIGNATURE = 64
TIME = 8
LATEST = 2**63 - 1
"""The latest time of a cosignature, in seconds since 1970."""
PRIVATE: Final = "PRIVATE+KEY+"


class UnreadableKey(ValueError):  # noqa: N818
    """A text that is not a key: what is wrong with it. The message never has the text itself, which may be secret."""


class MissingCryptography(ModuleNotFoundError):  # noqa: N818  an answer to the person
    """Signatures cannot be made or checked here, because a package is not installed."""

    def __init__(self) -> None:
        super().__init__(
            'signatures need the package cryptography, which is not installed: pip install "baccarat[proof]"',
            name="cryptography",
        )


class KeyKind(IntEnum):
    """What a key signs, as the byte before the key."""

    LOG = 0x01
    WITNESS = 0x04


class Verifier(msgspec.Struct, frozen=True):
    """A public key with the name and the kind that belong to it."""

    name: str
    kind: KeyKind
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes by which a signature names its key."""
        return _key_id(self.name, bytes([self.kind]) + self.public)

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{to_base64(bytes([self.kind]) + self.public)}"

    @classmethod
    def parse(cls, text: str) -> Verifier:
        """Read a key from text."""
        if text.startswith(PRIVATE):
            raise UnreadableKey("this is a signer key, which is secret; expected the verifier key that belongs to it")
        name, key_id, kind, public = _parts(text, "name+id+key")
        if key_id != _key_id(name, bytes([kind]) + public):
            raise UnreadableKey("the id of the key does not belong to its name and its bytes; one of them was changed")
        if _is_weak(public):
            raise UnreadableKey(
                "the key is a point of small order, or not written as a point is: anybody can sign for it"
            )
        return cls(name, kind, public)

    def verifies(self, text: str, signature: bytes) -> bool:
        """Whether a signature, without the id before it, is this key's over the text of a note."""
        if len(signature) != (SIGNATURE if self.kind is KeyKind.LOG else TIME + SIGNATURE):
            return False
        if self.kind is KeyKind.LOG:
            return _verifies(self.public, signature, text.encode())
        time = time_of(signature)
        return time <= LATEST and _verifies(self.public, signature[TIME:], cosigned_text(text, time))


class Signer:
    """A secret key with the name and the kind that belong to it. It is not a value: nothing prints or compares it."""

    def __init__(self, name: str, kind: KeyKind, seed: bytes) -> None:
        check_name(name)
        private = _private(seed)
        self._private = private
        self._seed = seed
        self.verifier = Verifier(name, kind, private.public_key().public_bytes_raw())

    @classmethod
    def parse(cls, text: str) -> Signer:
        """The key that a text says."""
        if not text.startswith(PRIVATE):
            raise UnreadableKey("not a signer key; expected a text that begins with PRIVATE+KEY")
        name, key_id, kind, seed = _parts(text.removeprefix(PRIVATE), "PRIVATE+KEY+name+id+key")
        made = cls(name, kind, seed)
        if key_id != made.verifier.id:
            raise UnreadableKey("the id of the key does not belong to its name and its bytes; one of them was changed")
        return made

    @property
    def secret(self) -> str:
        """The text from which `parse` makes this key again; anyone who has it can sign."""
        key = to_base64(bytes([self.verifier.kind]) + self._seed)
        return f"{PRIVATE}{self.verifier.name}+{self.verifier.id.hex()}+{key}"

    def with_name(self, name: str) -> Signer:
        """The same secret under another name, which is another key: each has an id of its own."""
        return Signer(name, self.verifier.kind, self._seed)

    def sign(self, text: str) -> bytes:
        """The signature of a log over the text of a note."""
        assert self.verifier.kind is KeyKind.LOG, "a witness signs with the time"
        return self._private.sign(text.encode())

    def cosign(self, text: str, *, time: int) -> bytes:
        """The signature of a witness over the time, in seconds since 1970, and the text of a checkpoint."""
        assert self.verifier.kind is KeyKind.WITNESS, "a log signs without the time"
        assert 0 <= time <= LATEST, f"{time} is not a time"
        return time.to_bytes(TIME, "big") + self._private.sign(cosigned_text(text, time))


def time_of(cosignature: bytes) -> int:
    """The time of a witness's signature, in seconds since 1970."""
    return int.from_bytes(cosignature[:TIME], "big")


def cosigned_text(text: str, time: int) -> bytes:
    """What a witness signs: a line that says so, the time, and the text of the checkpoint."""
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def check_name(name: str) -> None:
    """Refuse a name that no key can have: other programs could not tell where it ends."""
    if not name:
        raise UnreadableKey("the name of a key is empty")
    if "+" in name:
        raise UnreadableKey("the name of a key must not contain +")
    if re.search(r"[\s\x00-\x1f\ud800-\udfff]", name):  # the last are bytes of a terminal that are not UTF-8
        raise UnreadableKey("the name of a key must not contain spaces or control characters")


def _parts(text: str, form: str) -> tuple[str, bytes, KeyKind, bytes]:
    """Name, id, kind and bytes of a key."""
    match text.split("+", 2):
        case [name, key_id, key] if re.fullmatch("[0-9a-f]{8}", key_id):
            check_name(name)
        case _:
            raise UnreadableKey(f"not a key; expected {form}, with an id of 8 lower-case hexadecimal digits")
    data = from_base64(key)
    if data is None:
        raise UnreadableKey("the last part of the key is not base64")
    if not data or data[0] not in (KeyKind.LOG, KeyKind.WITNESS):
        raise UnreadableKey("an unknown kind of key; expected Ed25519 of a log or of a witness")
    if len(data) != 1 + KEY:
        raise UnreadableKey(f"the key has {len(data) - 1} bytes; expected {KEY}")
    return name, bytes.fromhex(key_id), KeyKind(data[0]), data[1:]


P = 2**255 - 19
"""The prime of the field over which Ed25519 is defined."""
ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL_ORDER = frozenset({0, 1, P - 1, ORDER_8, P - ORDER_8})
"""The second coordinates of the points of order 1, 2, 4 and 8: under such a key one signature fits many messages."""


def _is_weak(public: bytes) -> bool:
    """Whether a public key is of small order, or its coordinate is not below the prime as RFC 8032 requires."""
    y = int.from_bytes(public, "little") % 2**255
    return y >= P or y in _SMALL_ORDER


def _key_id(name: str, key: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + key).digest()[:4]


def _private(seed: bytes) -> Ed25519PrivateKey:
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415
    except ModuleNotFoundError:
        raise MissingCryptography from None
    return Ed25519PrivateKey.from_private_bytes(seed)


def _verifies(public: bytes, signature: bytes, message: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415
    except ModuleNotFoundError:
        raise MissingCryptography from None
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):  # a ValueError for bytes that are not a point of the curve
        return False
    return True
