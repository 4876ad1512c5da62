"""Cards that a shoe has dealt, counted by card, by rank and by value, all in one integer.

Each kind has a field of bits. A shoe starts with every field as far below its highest bit as the decks hold cards of
the kind; one more sets that bit. Two additions and one mask per round find it, for any of 75 kinds.
"""

from __future__ import annotations

from collections.abc import Iterator

from baccarat.cards import DECK, Card, Rank, Suit
from baccarat.play.book import Book

MOST_CARDS = 8
"""More cards than any hand could have: a longer list is not a hand."""

COURT_CARDS = frozenset({Rank.JACK, Rank.QUEEN, Rank.KING})
"""If a log has one of these, its `10` is a ten; without them, `10` may stand for any card worth zero."""


class CardKinds:
    """The kinds that are counted: 52 cards, 13 ranks, and the values.

    `full` is a shoe from which nothing has been dealt; `over` has the highest bit of every field.
    """

    def __init__(self, book: Book) -> None:
        decks = book.rules.elections.decks
        assert decks is not None, "every edition states how many decks there are"
        by_value: dict[int, int] = {}
        for card in DECK:
            by_value[book.value[card]] = by_value.get(book.value[card], 0) + decks
        limits = {str(card): decks for card in DECK} | {rank.value: 4 * decks for rank in Rank}
        limits |= {f"worth {value}": most for value, most in sorted(by_value.items())}
        self.limits = limits
        self.cites = book.rules.cite(*book.rules.edition.options["decks"].cite)
        self._rank_value = {card.rank: book.value[card] for card in DECK}
        self._place: dict[str, int] = {}
        self._top: dict[str, int] = {}
        self.over = self.full = place = 0
        for name, most in limits.items():
            bits = (most + 2 * MOST_CARDS).bit_length()  # room for one more round of two long hands
            self._place[name], self._top[name] = place, 1 << bits
            self.over += 1 << (place + bits)
            self.full += ((1 << bits) - 1 - most) << place
            place += bits + 1

    def of_value(self, value: int) -> int:
        """What a card counts for if only its value is known."""
        return 1 << self._place[f"worth {value}"]

    def of_rank(self, rank: Rank) -> int:
        """What a card counts for if only its rank is known."""
        return (1 << self._place[rank.value]) + self.of_value(self._rank_value[rank])

    def of_card(self, card: Card) -> int:
        """What a card counts for."""
        return (1 << self._place[str(card)]) + self.of_rank(card.rank)

    def coarser(self, name: str) -> tuple[str, ...]:
        """The rank and the value that a kind belongs to, which exceed their number for the same reason."""
        rank = next(
            (rank for rank in Rank if name in (rank.value, *(f"{rank.value}{suit.value}" for suit in Suit))), None
        )
        return () if rank is None else (rank.value, f"worth {self._rank_value[rank]}")

    def has_court_cards(self, held: int) -> bool:
        """Whether a jack, a queen or a king has been dealt, so that a written ten is a ten."""
        fields = ((self._place[rank.value], 2 * self._top[rank.value] - 1) for rank in COURT_CARDS)
        return any((held ^ self.full) >> place & mask for place, mask in fields)

    def kinds_exceeded(self, held: int) -> Iterator[tuple[str, int]]:
        """Each kind of which too many were dealt: its name, and how many there are."""
        for name, most in self.limits.items():
            top = self._top[name]
            if held >> self._place[name] & top:
                yield name, most

    def without_kind(self, held: int, name: str) -> int:
        """The same count with the field of one kind empty again, so that it cannot overflow into the next."""
        return held & ~((2 * self._top[name] - 1) << self._place[name])
