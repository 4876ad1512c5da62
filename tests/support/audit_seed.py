"""The auditor on electronic shoes: what a revealed seed leads to, from the published text, with hashlib alone."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count


def field(text: str) -> bytes:
    """A text with its length before it."""
    written = text.encode()
    return len(written).to_bytes(8, "big") + written


def header(table: str, shoe: str, rulebook: str, decks: int) -> bytes:
    """What a commitment is about."""
    return field(table) + field(shoe) + field(rulebook) + decks.to_bytes(8, "big")


def commitment(head: bytes, seed: bytes) -> str:
    """The promise of a seed."""
    return hashlib.sha256(b"baccarat/commit" + head + seed).hexdigest()


def _words(entropy: bytes) -> Iterator[int]:
    """HMAC_DRBG of NIST SP 800-90A, 2,048 bytes at a time, as 32-bit words."""

    def mac(key: bytes, data: bytes) -> bytes:
        return hmac.digest(key, data, "sha256")

    key, value = bytes(32), b"\x01" * 32
    for mark in (b"\x00", b"\x01"):
        key = mac(key, value + mark + entropy)
        value = mac(key, value)
    while True:
        for _ in range(64):
            value = mac(key, value)
            for at in range(0, 32, 4):
                yield int.from_bytes(value[at : at + 4], "big")
        key = mac(key, value + b"\x00")
        value = mac(key, value)


def order(seed: bytes, shoe: str, head: bytes, contributions: Sequence[str], decks: int) -> list[str]:
    """The cards before the cut, the first on top."""
    cards = [rank + suit for _ in range(decks) for suit in "shdc" for rank in "A23456789TJQK"]
    personal = b"baccarat/order" + len(head).to_bytes(8, "big") + head
    personal += len(contributions).to_bytes(8, "big") + b"".join(map(field, contributions))
    words = _words(seed + field(shoe) + personal)
    for i in range(len(cards) - 1, 0, -1):
        limit = 2**32 - 2**32 % (i + 1)
        j = next(word for word in words if word < limit) % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def root(seed: bytes, cards: Sequence[str]) -> str:
    """The root of the tree over the salted cards (RFC 6962)."""
    level = [
        hashlib.sha256(b"\x00" + index.to_bytes(4, "big") + card.encode() + salt(seed, index)).digest()
        for index, card in zip(count(), cards, strict=False)
    ]
    while len(level) > 1:
        odd = level[-1:] if len(level) % 2 else []
        pairs = range(0, len(level) - 1, 2)
        level = [hashlib.sha256(b"\x01" + level[at] + level[at + 1]).digest() for at in pairs] + odd
    return level[0].hex()


def salt(seed: bytes, index: int) -> bytes:
    """The salt of a card."""
    return hmac.digest(seed, b"baccarat/salt" + index.to_bytes(8, "big"), "sha256")[:16]
