"""Proofs: that a turned card is the one which stood there when the order of an electronic shoe was sealed.

An order is sealed under the root of a tree (RFC 6962). Its entry `index` is the hash of `index` as 4 bytes, big-endian,
the card as it is written (`9s`), and the card's salt: the first 16 bytes of HMAC-SHA256 under the shoe's seed of
`"baccarat/salt" ‖ u64(index)`. Anybody who has the seed derives all of it again; nobody else can guess a card.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence

import msgspec

from baccarat.cards import DECK, Card, decks
from baccarat.chain import Tree, leaf_hash, root_from
from baccarat.shuffle import header_of, order
from baccarat.table.bounds import Hashes, Label
from baccarat.table.state import Commitment, Shoe

SALT_BYTES = 16
"""Long enough that nobody can try all of them."""
_CARD_BYTES = {card: str(card).encode() for card in DECK}


class CardProof(msgspec.Struct, frozen=True, gc=False):
    """The salt of a card and the sibling hashes on its way to the root, in hexadecimal digits."""

    salt: Label
    path: Hashes


class SealedOrder:
    """The order of a shoe before the cut, with the whole tree that it is sealed under."""

    __slots__ = ("cards", "root", "salts", "tree")

    def __init__(self, cards: Sequence[Card], salts: Sequence[bytes]) -> None:
        self.cards, self.salts = tuple(cards), tuple(salts)
        entries = enumerate(zip(self.cards, self.salts, strict=True))
        self.tree = Tree([leaf_of(index, card, salt) for index, (card, salt) in entries])
        self.root = self.tree.root.hex()

    def __repr__(self) -> str:
        # Cards and salts are secret until they are turned: they must not reach a log through a traceback.
        return f"<SealedOrder of {len(self.cards)} cards under {self.root}>"

    def prove(self, index: int) -> CardProof:
        """The proof of the card at an index of the order before the cut."""
        return CardProof(self.salts[index].hex(), tuple([each.hex() for each in self.tree.path(index)]))


def leaf_of(index: int, card: Card, salt: bytes) -> bytes:
    """The hash of a card at its index in the order before the cut."""
    return leaf_hash(index.to_bytes(4, "big") + _CARD_BYTES[card] + salt)


def salt_of(seed: bytes, index: int) -> bytes:
    """The salt of one card of an order, so that no hash can be guessed from the few cards there are."""
    return hmac.digest(seed, b"baccarat/salt" + index.to_bytes(8, "big"), "sha256")[:SALT_BYTES]


def header_for(held: Commitment) -> bytes:
    """The header that a commitment is about."""
    return header_of(table=held.table, shoe=held.shoe, rulebook_hash=held.rulebook, decks=held.decks)


def cards_from(held: Commitment, seed: bytes) -> tuple[Card, ...]:
    """The order before the cut that a seed and what was contributed lead to."""
    unshuffled = decks(held.decks)
    values = [each.value.encode() for each in held.contributions]
    indexes = order(seed, size=len(unshuffled), shoe=held.shoe, header=header_for(held), contributions=values)
    return tuple([unshuffled[index] for index in indexes])


def order_from(held: Commitment, seed: bytes) -> SealedOrder:
    """The same order, sealed with its salts."""
    cards = cards_from(held, seed)
    return SealedOrder(cards, [salt_of(seed, index) for index in range(len(cards))])


def index_before_cut(shoe: Shoe, position: int) -> int:
    """Where the card at a position of the cut shoe stood before the cut."""
    return (position + (shoe.in_front or 0)) % shoe.cards


def is_proved(shoe: Shoe, position: int, card: Card, proof: CardProof | None) -> bool:
    """Whether a proof leads from the card at a position of the cut shoe to the root that was sealed."""
    if proof is None:
        return False
    index = index_before_cut(shoe, position)
    try:
        salt, beside = bytes.fromhex(proof.salt), [bytes.fromhex(each) for each in proof.path]
    except ValueError:
        return False
    found = root_from(leaf_of(index, card, salt), index=index, size=shoe.cards, proof=beside)
    return found is not None and found.hex() == shoe.root
