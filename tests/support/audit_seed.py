"""The auditor on electronic shoes: what a revealed seed leads to, from the published text, with hashlib alone."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any


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


def sha(*parts: bytes) -> bytes:
    """The hash of joined bytes."""
    return hashlib.sha256(b"".join(parts)).digest()


def header_2(made: dict[str, Any]) -> bytes:
    """What a commitment of order 2 is about, from its event."""
    first = field("baccarat/header/2") + field(made.get("origin", ""))
    named = made.get("witnesses", [])
    last = b"".join(field(each["key"]) + bytes.fromhex(each["promise"]) for each in named)
    head = header(made["table"], made["shoe"], made["rulebook"], made["decks"])
    return first + head + len(named).to_bytes(8, "big") + last


def commitment_2(head: bytes, seed: bytes) -> str:
    """The promise of a seed, in order 2."""
    return sha(b"baccarat/commit/2", len(head).to_bytes(8, "big"), head, seed).hex()


def inputs_2(made: dict[str, Any], contributions: Sequence[str], in_front: int) -> str:
    """Everything that is fixed before a share is opened."""
    head = header_2(made)
    given = len(contributions).to_bytes(8, "big") + b"".join(map(field, contributions))
    commit = bytes.fromhex(made["commitment"])
    tag = b"baccarat/inputs/2"
    return sha(tag, len(head).to_bytes(8, "big"), head, commit, given, in_front.to_bytes(8, "big")).hex()


def opened(made: dict[str, Any], event: dict[str, Any]) -> tuple[str, bytes]:
    """The share of a note, and the record that it was opened for; an assertion where the note says something else."""
    tag, origin, shoe, leaf, share, blank, _signature = event["note"]
    assert (tag, origin, shoe, blank) == ("baccarat/share/v1", made["origin"], made["shoe"], "")
    found = base64.b64decode(share, validate=True)
    promise = sha(b"baccarat/share/1", field(event["key"]), field(origin), field(shoe), found).hex()
    assert {"key": event["key"], "promise": promise} in made["witnesses"]
    return leaf, found


def order(seed: bytes, shoe: str, head: bytes, contributions: Sequence[str], decks: int) -> list[str]:
    """The cards before the cut, the first on top."""
    personal = b"baccarat/order" + len(head).to_bytes(8, "big") + head
    personal += len(contributions).to_bytes(8, "big") + b"".join(map(field, contributions))
    return _shuffled(seed + field(shoe) + personal, decks)


def order_2(seed: bytes, shoe: str, inputs: str, shares: Sequence[bytes], decks: int) -> list[str]:
    """The same in order 2."""
    personal = b"baccarat/order/2" + bytes.fromhex(inputs) + len(shares).to_bytes(8, "big") + b"".join(shares)
    return _shuffled(seed + field(shoe) + personal, decks)


def _shuffled(material: bytes, decks: int) -> list[str]:
    cards = [rank + suit for _ in range(decks) for suit in "shdc" for rank in "A23456789TJQK"]
    words = _words(material)
    for i in range(len(cards) - 1, 0, -1):
        limit = 2**32 - 2**32 % (i + 1)
        j = next(word for word in words if word < limit) % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def root(seed: bytes, cards: Sequence[str], inputs: str = "") -> str:
    """The root of the tree over the salted cards (RFC 6962)."""
    level = [
        hashlib.sha256(b"\x00" + index.to_bytes(4, "big") + card.encode() + salt(seed, index, inputs)).digest()
        for index, card in zip(count(), cards, strict=False)
    ]
    while len(level) > 1:
        odd = level[-1:] if len(level) % 2 else []
        pairs = range(0, len(level) - 1, 2)
        level = [hashlib.sha256(b"\x01" + level[at] + level[at + 1]).digest() for at in pairs] + odd
    return level[0].hex()


def salt(seed: bytes, index: int, inputs: str = "") -> bytes:
    """The salt of a card; order 2 has inputs."""
    tag = b"baccarat/salt/2" + bytes.fromhex(inputs) if inputs else b"baccarat/salt"
    return hmac.digest(seed, tag + index.to_bytes(8, "big"), "sha256")[:16]
