"""Proofs: that a turned card is the one which stood there when the order of an electronic shoe was sealed.

An order is sealed under the root of a tree (RFC 6962). Its entry `index` is the hash of `index` as 4 bytes, big-endian,
the card as it is written (`9s`), and the card's salt: the first 16 bytes of HMAC-SHA256 under the shoe's seed of
`"baccarat/salt" ‖ u64(index)`; for order 2 of `"baccarat/salt/2" ‖ inputs ‖ u64(index)`. Anybody who has the seed (and,
for order 2, the shares of the witnesses) derives all of it again; nobody else can guess a card.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence

import msgspec

from baccarat.cards import DECK, Card, decks
from baccarat.chain import Tree, leaf_hash, read_hashes, root_from
from baccarat.shuffle import commitment, commitment_2, header_2, header_of, inputs_2, order, order_2
from baccarat.table.bounds import Hashes, Label
from baccarat.table.shoe_state import Commitment, Shoe

SALT_BYTES = 16
"""Long enough that nobody can try all of them."""
_is_salt = re.compile(rf"[0-9a-f]{{{2 * SALT_BYTES}}}").fullmatch
"""Only one text stands for each salt: other programs might read another as something else."""
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


def salt_of(seed: bytes, index: int, inputs: bytes = b"") -> bytes:
    """The salt of one card of an order, so that no hash can be guessed from the few cards there are.

    `inputs` are those of order 2; order 1 has none.
    """
    tag = b"baccarat/salt/2" + inputs if inputs else b"baccarat/salt"
    return hmac.digest(seed, tag + index.to_bytes(8, "big"), "sha256")[:SALT_BYTES]


def header_for(held: Commitment) -> bytes:
    """The header that a commitment is about."""
    if held.order == 1:
        return header_of(table=held.table, shoe=held.shoe, rulebook_hash=held.rulebook, decks=held.decks)
    return header_2(
        origin=held.origin,
        table=held.table,
        shoe=held.shoe,
        rulebook_hash=held.rulebook,
        decks=held.decks,
        witnesses=[(each.key, bytes.fromhex(each.promise)) for each in held.witnesses],
    )


def commitment_for(held: Commitment, seed: bytes) -> str:
    """The commitment to a seed under the header that it is about, in hexadecimal digits."""
    return (commitment if held.order == 1 else commitment_2)(seed, header_for(held)).hex()


def inputs_for(held: Commitment, in_front: int) -> str:
    """The hash of everything that order 2 depends on but the shares of the witnesses."""
    given = _contributions(held)
    return inputs_2(header_for(held), bytes.fromhex(held.hash), contributions=given, in_front=in_front).hex()


def _contributions(held: Commitment) -> list[bytes]:
    return [each.value.encode() for each in held.contributions]


def cards_from(held: Commitment, seed: bytes) -> tuple[Card, ...]:
    """The order before the cut that a seed leads to, with what was contributed; order 2 has its inputs and shares."""
    unshuffled = decks(held.decks)
    size, shoe = len(unshuffled), held.shoe
    if held.order == 1:
        given = _contributions(held)
        indexes = order(seed, size=size, shoe=shoe, header=header_for(held), contributions=given)
    else:
        by_key = {each.key: bytes.fromhex(each.share) for each in held.shares}
        shares = [by_key[each.key] for each in held.witnesses]
        indexes = order_2(seed, size=size, shoe=shoe, inputs=bytes.fromhex(held.inputs), shares=shares)
    return tuple([unshuffled[index] for index in indexes])


def order_from(held: Commitment, seed: bytes) -> SealedOrder:
    """The same order, sealed with its salts."""
    cards, inputs = cards_from(held, seed), bytes.fromhex(held.inputs)
    return SealedOrder(cards, [salt_of(seed, index, inputs) for index in range(len(cards))])


def index_before_cut(shoe: Shoe, position: int) -> int:
    """Where the card at a position of the cut shoe stood before the cut."""
    return (position + (shoe.in_front or 0)) % shoe.cards


def is_proved(shoe: Shoe, position: int, card: Card, proof: CardProof | None) -> bool:
    """Whether a proof leads from the card at a position of the cut shoe to the root that was sealed."""
    if proof is None or not _is_salt(proof.salt):
        return False
    beside = read_hashes(proof.path)
    if beside is None:
        return False
    index, salt = index_before_cut(shoe, position), bytes.fromhex(proof.salt)
    found = root_from(leaf_of(index, card, salt), index=index, size=shoe.cards, proof=beside)
    return found is not None and found.hex() == shoe.root
