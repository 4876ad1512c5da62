"""The shoe gate: what an electronic shoe's order must pass before it is sealed; nobody wagers on one that fails.

There are four questions, each with one right answer: are these the decks' cards, do they follow from the seed that was
committed to, are they shuffled at all, and do they differ from the last shoe's? A shoe that fails is a fault of the
program or of the machine, so it stops the table; it is never simply shuffled again.

No statistical test is made of an electronic shoe, neither here nor later. An order that looks unlikely is as likely as
any other, and to shuffle again until an order looks good is to choose among orders: the shuffle would no longer be
uniform, and a commitment would not bind. The few orders that are refused below are fixed, and come by chance once in
far more shoes than there are atoms; they show that nothing was shuffled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache

from baccarat.cards import Card, Rank, Suit, decks
from baccarat.shuffle import SEED_BYTES
from baccarat.table.proof import cards_from, commitment_for
from baccarat.table.shoe_state import Commitment


class GateFault(Enum):
    """What is wrong with the order of an electronic shoe."""

    OTHER_CARDS = "other cards"
    NOT_COMMITTED = "not committed"
    NOT_SHUFFLED = "not shuffled"
    SAME_AS_LAST = "same as last"

    @property
    def words(self) -> str:
        """The fault in words."""
        return WORDS[self]


WORDS = {
    GateFault.OTHER_CARDS: "its cards are not those of its decks",
    GateFault.NOT_COMMITTED: "its order does not follow from the seed that was committed to",
    GateFault.NOT_SHUFFLED: "its cards lie as they come from their boxes",
    GateFault.SAME_AS_LAST: "its order is that of the shoe before",
}


def gate_fault(
    held: Commitment, seed: bytes, cards: Sequence[Card], *, former: Sequence[Card] | None = None
) -> GateFault | None:
    """What is wrong with the order before the cut that is about to be sealed; None if it may be.

    `former` is the order before the cut of the table's last shoe, where there was one.
    """
    found = tuple(cards)
    if Counter(found) != Counter(decks(held.decks)):
        return GateFault.OTHER_CARDS
    if len(seed) != SEED_BYTES or commitment_for(held, seed) != held.hash:
        return GateFault.NOT_COMMITTED
    if found in _unshuffled_orders(held.decks):
        return GateFault.NOT_SHUFFLED
    if former is not None and found == tuple(former):
        return GateFault.SAME_AS_LAST
    if found != cards_from(held, seed):
        return GateFault.NOT_COMMITTED
    return None


@cache
def _unshuffled_orders(count: int) -> frozenset[tuple[Card, ...]]:
    """The orders of unshuffled cards, from either end."""
    return frozenset(order[::step] for order in _sorted_orders(decks(count)) for step in (1, -1))


def _sorted_orders(cards: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    ranks, suits = list(Rank), list(Suit)
    yield cards
    yield tuple(sorted(cards, key=lambda card: (suits.index(card.suit), ranks.index(card.rank))))
    yield tuple(sorted(cards, key=lambda card: (ranks.index(card.rank), suits.index(card.suit))))
