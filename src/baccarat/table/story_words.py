"""Words of a story: seats, persons, cards and sums as sentences about a table name them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from baccarat.cards import Card
from baccarat.money import Cents
from baccarat.play.refusal import RefusalNote
from baccarat.play.wager import WagerKind
from baccarat.table.role import Role
from baccarat.table.state import DEALER

RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
PREPARATION = {
    "inspect": "inspects the cards, fronts and backs",
    "verify": "verifies that the dealer has inspected the cards",
    "spread": "spreads the cards face up, by deck, suit and rank, for everybody to see",
    "wash": "turns the cards face down and washes them",
    "stack": "stacks the cards",
}
"""What is done to the cards before they are shuffled, as it is asked for and as it is reported."""
ROLE_NAMES = frozenset(role.value for role in Role)


def seat_name(seat: int) -> str:
    """A seat, or the dealer."""
    return "the dealer" if seat == DEALER else f"seat {seat}"


def card_name(card: Card) -> str:
    """A card in words."""
    return f"the {RANKS.get(card.rank.value, card.rank.value)} of {SUITS[card.suit.value]}"


def sums(amounts: dict[int, int]) -> str:
    """What each seat gets or gives."""
    return ", ".join(f"seat {seat} {Cents(amount)}" for seat, amount in sorted(amounts.items()))


def person(name: str) -> str:
    """A person at the beginning of a sentence; one who was never named is called by the role."""
    return f"The {name}" if name in ROLE_NAMES else name


def number(position: int) -> int:
    """The number of a card in the shoe, counted from one as people count."""
    return position + 1


def numbers(positions: Iterable[int]) -> str:
    """Cards by their numbers: card 5, or cards 5, 6 and 7."""
    found = [str(number(position)) for position in sorted(positions)]
    if len(found) == 1:
        return f"card {found[0]}"
    return f"cards {', '.join(found[:-1])} and {found[-1]}"


def count_of_cards(number: int) -> str:
    """How many cards: one card, or 5 cards."""
    return "one card" if number == 1 else f"{number} cards"


def cards_go(positions: tuple[int, ...]) -> str:
    """Cards that go somewhere, at the beginning of a sentence."""
    return f"{numbers(positions).capitalize()} {'goes' if len(positions) == 1 else 'go'}"


def cards(shown: Iterable[Card]) -> str:
    """Cards in words."""
    return " and ".join(map(card_name, shown))


def wager_title(kind: WagerKind) -> str:
    """What a wager is on."""
    return kind.title


def note_text(warnings: tuple[RefusalNote, ...]) -> str:
    """The notes on an act; empty if there are none."""
    return f" (note: {'; '.join(map(str, warnings))})" if warnings else ""


def series(words: tuple[str, ...]) -> str:
    """Words in a row, with immediate repetitions counted: riffle twice."""
    runs = [(word, len(list(again))) for word, again in groupby(words)]
    times = {1: "", 2: " twice"}
    return ", ".join(f"{word}{times.get(count, f' {count} times')}" for word, count in runs)


def by_two(event: Any) -> str:
    """Why two persons have done something, and who they are."""
    return f"{event.reason} (asked for by {event.requester}, approved by {event.approver})"
