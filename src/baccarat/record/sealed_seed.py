"""Seeds at rest: the seed of an electronic shoe is stored encrypted until the shoe is over, its key in another file.

A seed is sealed with ChaCha20-Poly1305. The shoe's header (table, shoe, rulebook, decks) goes in as associated data, so
that a sealed seed opens for its own shoe and no other. Keys have an id, made from the key itself; a sealed seed names
the key that it was sealed under. A *key ring* makes it possible to change the key: everything is sealed again under the
first key, and until that is done the others still open what they sealed.

If a key is lost, the seeds under it are lost too, and so are the cards of those shoes that were not turned. Shoes in
play are abandoned, and two persons report each of their seeds lost (`report_lost_seed`); shoes that are closed have
revealed their seeds already and lose nothing.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from baccarat.record.durable import create
from baccarat.shuffle import SEED_BYTES, header_of
from baccarat.table.shoe_state import shoe_in_words

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

KEY_BYTES = 32
NONCE_BYTES = 12
SEAL_TAG = b"baccarat/seed"
KEY_TAG = b"baccarat/seal-key"
DERIVATION_TAG = b"baccarat/derived-key/1\0"
PRIVATE = 0o600
"""The mode of a file that only its owner may read or write."""
FORM = 1
"""The version of a sealed seed's form."""
_FIRST_WORD = "baccarat-seal-key"


class SealedSeedError(Exception):
    """A seed that cannot be sealed, opened, stored or found: what is wrong, and what to do. It never holds a secret."""


class KeyNotAtHand(SealedSeedError):  # noqa: N818  each says what happened
    """The seed was sealed under a key that is not on the ring."""


class DamagedSeed(SealedSeedError):  # noqa: N818
    """The sealed text, or a field next to it, is not what was sealed."""


class OtherShoe(SealedSeedError):  # noqa: N818
    """The sealed seed is another shoe's."""


class UnsafeFile(SealedSeedError):  # noqa: N818
    """A file of secrets that others may read, or that is not a file of secrets."""


def _cipher(key: bytes) -> ChaCha20Poly1305:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415
    except ModuleNotFoundError:
        raise SealedSeedError(
            'seeds are sealed with the package cryptography, which is not installed: pip install "baccarat[proof]"'
        ) from None
    return ChaCha20Poly1305(key)


# ------------------------------------------------------------------------------------------------ keys


class SealingKey:
    """A key that seals seeds. It is not a value: nothing prints or compares it."""

    __slots__ = ("_key", "id")

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise SealedSeedError(f"a sealing key has {KEY_BYTES} bytes, not {len(key)}")
        self._key = key
        self.id = hashlib.sha256(KEY_TAG + key).hexdigest()[:16]

    def __repr__(self) -> str:
        return f"<SealingKey {self.id}>"

    @classmethod
    def create(cls, path: Path) -> SealingKey:
        """A new key in a new file that only its owner may read."""
        key = secrets.token_bytes(KEY_BYTES)
        made = cls(key)
        try:
            create(path, f"{_FIRST_WORD} {made.id} {key.hex()}\n".encode(), mode=PRIVATE)
        except FileExistsError:
            raise SealedSeedError(f"{path}: the file already exists; a key is never overwritten") from None
        return made

    @classmethod
    def read(cls, path: Path) -> SealingKey:
        """The key of a file; refused if anyone but its owner may read it."""
        text = _read_private(path, "the sealing key").decode("ascii", errors="replace")
        words = text.split()
        if len(words) != 3 or words[0] != _FIRST_WORD:
            raise UnsafeFile(f"{path}: not a sealing key; expected {_FIRST_WORD}, its id and 64 hexadecimal digits")
        try:
            made = cls(bytes.fromhex(words[2]))
        except ValueError:
            raise UnsafeFile(f"{path}: the key is not written in hexadecimal digits") from None
        if made.id != words[1]:
            raise UnsafeFile(f"{path}: the id {words[1][:16]} does not belong to this key: one of them was changed")
        return made

    def derive(self, purpose: str) -> bytes:
        """A key for another purpose, from which this one cannot be found."""
        return hmac.digest(self._key, DERIVATION_TAG + purpose.encode(), "sha256")

    def cipher(self) -> ChaCha20Poly1305:
        """ChaCha20-Poly1305 under this key, for a key that was derived for something other than seeds."""
        return _cipher(self._key)

    def encrypt(self, nonce: bytes, seed: bytes, header: bytes) -> bytes:
        """The sealed text of a seed."""
        return _cipher(self._key).encrypt(nonce, seed, SEAL_TAG + header)

    def decrypt(self, nonce: bytes, text: bytes, header: bytes) -> bytes | None:
        """The seed of a sealed text; None if text and header do not belong together under this key."""
        cipher = _cipher(self._key)
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415

        try:
            return cipher.decrypt(nonce, text, SEAL_TAG + header)
        except InvalidTag:
            return None


class KeyRing:
    """The key that seals, and older ones that still open."""

    def __init__(self, current: SealingKey, *older: SealingKey) -> None:
        self.current = current
        self._keys = {key.id: key for key in (*older, current)}

    def __repr__(self) -> str:
        return f"<KeyRing {', '.join(self._keys)}; {self.current.id} seals>"

    def has(self, key_id: str) -> bool:
        """Whether the key of an id is on the ring."""
        return key_id in self._keys

    def find(self, key_id: str) -> SealingKey:
        """The key of an id."""
        found = self._keys.get(key_id)
        if found is None:
            raise KeyNotAtHand(
                f"the seed was sealed under the key {key_id}; the ring has {', '.join(sorted(self._keys))}: provide "
                "that key; if it is lost, so is the seed, and two persons report it (report_lost_seed)"
            )
        return found


# ----------------------------------------------------------------------------------------------- seeds


class ShoeName(msgspec.Struct, frozen=True, kw_only=True):
    """Which shoe a seed is for: the fields of its header."""

    table: str
    shoe: str
    rulebook: str
    decks: int

    @property
    def header(self) -> bytes:
        """The header, as the shoe's commitment has it."""
        return header_of(table=self.table, shoe=self.shoe, rulebook_hash=self.rulebook, decks=self.decks)

    def __str__(self) -> str:
        return f"shoe {shoe_in_words(self.shoe)} of {self.table} ({self.decks} decks, rulebook {self.rulebook[:12]})"


class SealedSeed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seed as it is stored: for which shoe, under which key, and the sealed text in hexadecimal digits."""

    v: int = FORM
    of: ShoeName
    key: str
    nonce: str
    text: str


def seal(ring: KeyRing, of: ShoeName, seed: bytes) -> SealedSeed:
    """A seed, sealed for its shoe under the ring's first key."""
    if len(seed) != SEED_BYTES:
        raise SealedSeedError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    nonce = secrets.token_bytes(NONCE_BYTES)
    text = ring.current.encrypt(nonce, seed, of.header)
    return SealedSeed(of=of, key=ring.current.id, nonce=nonce.hex(), text=text.hex())


def unseal(ring: KeyRing, sealed: SealedSeed, of: ShoeName) -> bytes:
    """The seed of a shoe; a `SealedSeedError` says what is wrong."""
    if sealed.v != FORM:
        raise SealedSeedError(f"the seed of {of} is stored in form {sealed.v}; this program reads form {FORM}")
    if sealed.of != of:
        raise OtherShoe(f"the sealed seed belongs to {sealed.of}, not to {of}")
    key = ring.find(sealed.key)
    try:
        nonce, text = bytes.fromhex(sealed.nonce), bytes.fromhex(sealed.text)
    except ValueError:
        nonce = text = b""
    if len(nonce) != NONCE_BYTES or len(text) <= SEED_BYTES:
        raise DamagedSeed(f"the sealed seed of {of} is damaged: it is cut off, or not written in hexadecimal digits")
    seed = key.decrypt(nonce, text, of.header)
    if seed is None or len(seed) != SEED_BYTES:
        raise DamagedSeed(
            f"the sealed seed of {of} does not open under its own key {key.id}: it was changed, or moved here from "
            "another shoe; without a sound copy the seed is lost, and two persons report it (report_lost_seed)"
        )
    return seed


# ----------------------------------------------------------------------------------------------- files


def _read_private(path: Path, what: str) -> bytes:
    """The bytes of a file that only its owner may read or write."""
    try:
        with path.open("rb") as stream:
            found = os.fstat(stream.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise UnsafeFile(f"{path}: {what} is not a regular file")
            if os.name != "nt" and found.st_mode & 0o077:
                rights = oct(found.st_mode & 0o777).removeprefix("0o")
                raise UnsafeFile(f"{path}: others may read {what} (its mode is {rights}): chmod 600 {path}")
            return stream.read()
    except FileNotFoundError:
        raise SealedSeedError(f"{path}: {what} is missing; without its key a sealed seed cannot be opened") from None
    except (PermissionError, IsADirectoryError) as error:
        raise UnsafeFile(f"{path}: {what} cannot be read: {error.strerror}") from None
