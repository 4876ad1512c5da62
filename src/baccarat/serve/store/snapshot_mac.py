"""The digest of a snapshot on PostgreSQL, authenticated under the sealing key: a forged one is not recovered from.

Stored are a byte for the form, the id of the sealing key, the digest, and its MAC. A snapshot of an earlier version has
the digest alone; such a one is accepted only in a store that had no other yet.
"""

from __future__ import annotations

import hashlib
import hmac

from baccarat.serve.store.base import StoreError
from baccarat.serve.store.content_sum import ContentKeys

DIGEST_BYTES = 32
_FORM = b"\1"
_ID = slice(1, 9)
_DIGEST = slice(9, 9 + DIGEST_BYTES)


def plain_digest(stored: bytes) -> bytes:
    """The digest itself, with or without a MAC."""
    return stored if len(stored) == DIGEST_BYTES else stored[_DIGEST]


class SnapshotMac:
    """Makes and checks the MACs of one store."""

    def __init__(self, keys: ContentKeys, store: bytes, name: str) -> None:
        self._keys, self._store, self._name = keys, store, name

    def authenticate(self, digest: bytes) -> bytes:
        """A digest as it is stored."""
        return self._authenticated(self._keys.ring.current.id, digest)

    def is_authentic(self, stored: bytes) -> bool:
        """Whether the house has stored this digest; `StoreError` if it was changed, or its key is missing.

        False if it was stored without a MAC, or under a lost key: then it may be accepted unchecked.
        """
        if len(stored) == DIGEST_BYTES:
            if self._store in self._keys.known:
                raise StoreError(
                    f"{self._name}: a snapshot is not authenticated, though this store was: it was changed outside the "
                    f"program; restore a backup. To accept it unchecked, remove {self._store.hex()} from "
                    f"{self._keys.known_in}"
                )
            return False
        key = stored[_ID].hex()
        if not self._keys.ring.has(key):
            if key in self._keys.lost:
                return False
            raise StoreError(
                f"{self._name}: the house seals under the key {key}, and seal_key has another, "
                f"{self._keys.ring.current.id}: every node needs the same key; provide that file, add it after a comma "
                "to change keys, or report it lost: lost_keys"
            )
        if not hmac.compare_digest(stored, self._authenticated(key, plain_digest(stored))):
            raise StoreError(f"{self._name}: a snapshot was changed outside the program; restore a backup")
        return True

    def is_current(self, stored: bytes) -> bool:
        """Whether it is under the key that is used now."""
        return len(stored) != DIGEST_BYTES and stored[_ID].hex() == self._keys.ring.current.id

    def _authenticated(self, key_id: str, digest: bytes) -> bytes:
        key = self._keys.ring.find(key_id).derive(f"snapshots of {self._store.hex()}")
        mac = hashlib.blake2b(digest, key=key, digest_size=32).digest()
        return _FORM + bytes.fromhex(key_id) + digest + mac
