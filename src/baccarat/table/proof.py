"""Proofs: that a turned card is the one which stood at its place when the order was sealed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from baccarat.cards import Card
from baccarat.chain import leaf_hash, path, root, root_from
from baccarat.table.bounds import Hashes, Text
from baccarat.table.state import Shoe


class Proof(msgspec.Struct, frozen=True):
    """The salt of a card and the hashes beside its way to the root, in hexadecimal digits."""

    salt: Text
    path: Hashes


def leaf_of(index: int, card: Card, salt: bytes) -> bytes:
    """The hash of a card at its place in the order before the cut."""
    return leaf_hash(index.to_bytes(4, "big") + str(card).encode() + salt)


def seal(cards: Sequence[Card], salts: Sequence[bytes]) -> tuple[str, list[bytes]]:
    """The root of a salted order before the cut, and its leaves."""
    leaves = [leaf_of(place, card, salt) for place, (card, salt) in enumerate(zip(cards, salts, strict=True))]
    return root(leaves).hex(), leaves


def prove(leaves: Sequence[bytes], index: int, salt: bytes) -> Proof:
    """The proof of the card at a place in the order before the cut."""
    return Proof(salt.hex(), tuple(each.hex() for each in path(leaves, index)))


def is_proved(shoe: Shoe, position: int, card: Card, proof: Proof | None) -> bool:
    """Whether a proof leads from the card at a position of the cut shoe to the root that was sealed."""
    if proof is None:
        return False
    index = (position + (shoe.in_front or 0)) % shoe.cards
    try:
        salt, beside = bytes.fromhex(proof.salt), [bytes.fromhex(each) for each in proof.path]
    except ValueError:
        return False
    found = root_from(leaf_of(index, card, salt), index=index, size=shoe.cards, proof=beside)
    return found is not None and found.hex() == shoe.root
