"""Cards: rank and suit, written `9s`, `Td`, `AH`; what is printed parses back."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cache

import msgspec

from baccarat.values import expect


class Rank(Enum):
    """The thirteen ranks, in the order of a new deck."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"


class Suit(Enum):
    """The four suits, in the order of a new deck."""

    SPADES = "s"
    HEARTS = "h"
    DIAMONDS = "d"
    CLUBS = "c"


SIGNS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}
DECK_SIZE = 52


class Card(msgspec.Struct, frozen=True, cache_hash=True):
    """One playing card. Identical cards of different decks are equal."""

    rank: Rank
    suit: Suit

    def __str__(self) -> str:
        return _CARD_TEXTS[self]

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    @property
    def sign(self) -> str:
        """The card as printed on a screen, e.g. 9♠."""
        return self.rank.value.replace("T", "10") + SIGNS[self.suit]

    @property
    def code(self) -> str:
        """The card as written in round records, e.g. 9S."""
        return CODES[self]

    @staticmethod
    def parse(text: str) -> Card:
        """The card that `text` names; suits in either case, T or 10 for a ten."""
        card = _BY_NAME.get(expect(text, str, "a card as text, such as '9s'"))
        if card is None:
            raise ValueError(
                f"no such card: {text!r}; expected a rank A23456789TJQK and a suit s h d c, such as 9s or TD"
            )
        return card


DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""One deck as it comes from its box: by suit, ace to king."""


_CARD_TEXTS: dict[Card, str] = {card: card.rank.value + card.suit.value for card in DECK}
"""Every card as it is printed, built once because a table writes one whenever a card is turned."""
CODES: dict[Card, str] = {card: card.rank.value + card.suit.value.upper() for card in DECK}
"""Every card as written in round records."""


def _names(card: Card) -> Iterable[str]:
    for suit in (card.suit.value, card.suit.value.upper(), SIGNS[card.suit]):
        yield card.rank.value + suit
        yield card.rank.value.lower() + suit
        if card.rank is Rank.TEN:
            yield "10" + suit


_BY_NAME: dict[str, Card] = {name: card for card in DECK for name in _names(card)}


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards named in `text`, separated by spaces or commas."""
    text = expect(text, str, "cards as text, such as '2s 3h Ad'")
    return tuple(Card.parse(word) for word in text.replace(",", " ").split())


def show_cards(cards: Iterable[Card]) -> str:
    """The cards as one line that `parse_cards` reads back."""
    return " ".join(map(str, cards))


@cache
def decks(count: int) -> tuple[Card, ...]:
    """`count` new decks, one after the other, unshuffled."""
    if count < 1:
        raise ValueError(f"a shoe holds at least one deck, not {count}")
    return DECK * count
