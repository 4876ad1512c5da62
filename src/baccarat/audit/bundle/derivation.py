"""How many cards a verifier derives again: a small file can name shoes of a thousand decks, one after the other."""

from __future__ import annotations

MOST_DERIVED = 104_000
"""How many cards of a file are derived in any case: two shoes of a thousand decks."""
BYTES_OF_A_CARD = 10
"""How many bytes of records allow one card more; a shoe that was dealt has thousands of them for each card."""


class DerivationBudget:
    """How many cards of one file may still be derived from seeds."""

    def __init__(self, size: int) -> None:
        """`size` is that of all records of the file, in bytes."""
        self._left = MOST_DERIVED + size // BYTES_OF_A_CARD

    def take(self, cards: int) -> bool:
        """Whether a shoe of this many cards may be derived."""
        if cards > self._left:
            return False
        self._left -= cards
        return True
