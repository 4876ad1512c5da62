"""One shoe as the battery sees it: its cards, their numbers in new-deck order if known, and what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from baccarat.cards import DECK, DECK_SIZE

KINDS = DECK_SIZE
"""How many kinds of card there are; card number `n` of a shoe is of kind `n mod 52`."""


class BadOrder(ValueError):  # noqa: N818  an answer to the person
    """An order that does not consist of whole decks."""


class ShoeOrder:
    """The order of one shoe, top card first."""

    __slots__ = ("inverse", "kinds", "numbers", "since_last")

    def __init__(self, kinds: bytes, numbers: Sequence[int] | None = None, last: ShoeOrder | None = None) -> None:
        self.kinds = kinds
        """The kind of each card, 0 to 51."""
        self.numbers = numbers
        """Which of the unshuffled cards is where, if identical cards can be distinguished."""
        self.inverse: list[int] | None = None
        """Where each of the unshuffled cards is."""
        self.since_last: list[int] | None = None
        """Where each card was in the shoe before."""
        if numbers is not None:
            self.inverse = inverse(numbers)
            if last is not None and last.inverse is not None:
                self.since_last = [last.inverse[number] for number in numbers]


def inverse(numbers: Sequence[int]) -> list[int]:
    """Where each number is."""
    found = [0] * len(numbers)
    for position, number in enumerate(numbers):
        found[number] = position
    return found


def order_from_numbers(numbers: Sequence[int], *, last: ShoeOrder | None = None, kinds: int = KINDS) -> ShoeOrder:
    """A shoe whose every card is known by its number in new-deck order, from 0."""
    if sorted(numbers) != list(range(len(numbers))):
        raise BadOrder(f"not an order of the numbers 0 to {len(numbers) - 1}, each once")
    return ShoeOrder(bytes([number % kinds for number in numbers]), numbers, last)


def order_from_kinds(kinds: bytes, *, last: ShoeOrder | None = None) -> ShoeOrder:
    """A shoe whose cards are known by rank and suit; for a single deck that equals their numbers."""
    count, extra = divmod(len(kinds), KINDS)
    if extra or not count:
        raise BadOrder(f"{len(kinds)} cards are not whole decks of {KINDS}")
    found = Counter(kinds)
    wrong = next((kind for kind in range(KINDS) if found[kind] != count), None)
    if wrong is not None:
        raise BadOrder(f"its cards are not those of its decks: {DECK[wrong]} occurs {found[wrong]} times, not {count}")
    return ShoeOrder(kinds, tuple(kinds) if count == 1 else None, last)
