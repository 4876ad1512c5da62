"""Remaining shoes: what is left by card, by rank or by value, as far as it is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from math import perm
from typing import Any

import msgspec

from baccarat.cards import DECK, Card, Rank, Suit, parse_cards
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import Book

CARDS_NEEDED = 6
"""The most cards that a round takes; a shoe with fewer cannot be priced, because a round might be void."""

RANKS = tuple(Rank)
POINTS = tuple(1 if rank is Rank.ACE else int(rank.value) if rank.value.isdigit() else 0 for rank in RANKS)
"""What each rank counts at baccarat; a price takes this from its rulebook, a shoe known by values has it built in."""

_RANK_OF_CARD = tuple(RANKS.index(card.rank) for card in DECK)
_PLACE = {card: place for place, card in enumerate(DECK)}


def is_whole(value: object) -> bool:
    """Whether a value is a whole number; a boolean is not."""
    return isinstance(value, int) and not isinstance(value, bool)


class ShoeGrain(Enum):
    """How finely a shoe is known."""

    CARDS = 52
    RANKS = 13
    VALUES = 10

    def __str__(self) -> str:
        return self.name.lower()


class ShoeCounts(msgspec.Struct, frozen=True):
    """What is left of `decks` decks: 52 counts in the order of a new deck, 13 by rank, or 10 by value."""

    left: tuple[int, ...]
    decks: int

    def __post_init__(self) -> None:
        if not is_whole(self.decks) or self.decks < 1:
            raise ValueError(f"a shoe holds a whole number of decks, one at least, not {self.decks!r}")
        if len(self.left) not in [known.value for known in ShoeGrain]:
            raise ValueError(f"a shoe is 52 counts by card, 13 by rank or 10 by value, not {len(self.left)} counts")
        for place, count in enumerate(self.left):
            if not is_whole(count):
                raise ValueError(f"{self._name(place)}: a count is a whole number, not {count!r}")
            if count < 0:
                raise ValueError(f"{self._name(place)}: {count} left; a count is not negative")
            if count > self._limit(place):
                decks = "one deck can" if self.decks == 1 else f"{self.decks} decks"
                raise ValueError(f"{self._name(place)}: {count} left; {decks} hold no more than {self._limit(place)}")

    def __str__(self) -> str:
        return f"{self.size} of {52 * self.decks} cards, known by {self.grain}"

    @staticmethod
    def full(decks: int) -> ShoeCounts:
        """A whole shoe."""
        return ShoeCounts((decks,) * 52, decks=decks)

    @staticmethod
    def of(counts: Mapping[Any, int] | Iterable[int], *, decks: int) -> ShoeCounts:
        """A shoe from 52, 13 or 10 counts, or from a mapping of cards, ranks or values; what it leaves out is gone."""
        if isinstance(counts, Mapping):
            counts = _from_mapping(counts)
        return ShoeCounts(tuple(counts), decks)

    def without(self, cards: str | Iterable[Card | str]) -> ShoeCounts:
        """The shoe after these cards have left it."""
        seen = parse_cards(cards) if isinstance(cards, str) else [_card(card) for card in cards]
        left = list(self.left)
        for card, count in Counter(seen).items():
            place = self._place(card)
            if left[place] < count:
                raise ValueError(f"{count} times {card} cannot have left this shoe: {self._name(place)}: {left[place]}")
            left[place] -= count
        return ShoeCounts(tuple(left), self.decks)

    @property
    def grain(self) -> ShoeGrain:
        """How finely this shoe is known."""
        return ShoeGrain(len(self.left))

    @property
    def size(self) -> int:
        """The number of cards left."""
        return sum(self.left)

    @property
    def deals(self) -> int:
        """The number of ordered ways to take six cards: the one total of all combinations."""
        return perm(self.size, CARDS_NEEDED)

    @property
    def by_card(self) -> tuple[int, ...]:
        """52 counts, in the order of a new deck."""
        if self.grain is not ShoeGrain.CARDS:
            raise ValueError(f"this shoe is known by {self.grain} only, and not by cards")
        return self.left

    @property
    def by_rank(self) -> tuple[int, ...]:
        """13 counts, ace to king."""
        if self.grain is ShoeGrain.VALUES:
            raise ValueError("this shoe is known by values only, and not by ranks")
        if self.grain is ShoeGrain.RANKS:
            return self.left
        return tuple(map(sum, zip(*(self.left[suit : suit + 13] for suit in range(0, 52, 13)), strict=True)))

    @property
    def by_value(self) -> tuple[int, ...]:
        """10 counts, of cards worth zero to nine."""
        return self.worth(POINTS)

    def worth(self, points: Sequence[int]) -> tuple[int, ...]:
        """10 counts, given what each rank is worth."""
        if self.grain is ShoeGrain.VALUES:
            if tuple(points) != POINTS:
                raise ValueError("this shoe is known by values only, and this rulebook counts cards differently")
            return self.left
        counts = [0] * 10
        for points_of, count in zip(points, self.by_rank, strict=True):
            counts[points_of] += count
        return tuple(counts)

    def _place(self, card: Card) -> int:
        place = _PLACE[card]
        if self.grain is ShoeGrain.CARDS:
            return place
        rank = _RANK_OF_CARD[place]
        return rank if self.grain is ShoeGrain.RANKS else POINTS[rank]

    def _limit(self, place: int) -> int:
        if self.grain is ShoeGrain.CARDS:
            return self.decks
        return 4 * self.decks * (POINTS.count(place) if self.grain is ShoeGrain.VALUES else 1)

    def _name(self, place: int) -> str:
        match self.grain:
            case ShoeGrain.CARDS:
                return str(DECK[place])
            case ShoeGrain.RANKS:
                return RANKS[place].name.lower()
            case ShoeGrain.VALUES:
                return f"cards worth {place}"


def shoe_of(rules: Rulebook, shoe: ShoeCounts | None) -> ShoeCounts:
    """The shoe to be priced: full unless given, no more than the rulebook's decks hold, and enough for any round."""
    decks = rules.elections.decks
    if decks is None:
        raise ValueError("the rulebook does not say how many decks are played")
    found = ShoeCounts.full(decks) if shoe is None else ShoeCounts(shoe.left, decks)
    if found.size < CARDS_NEEDED:
        raise ValueError(f"{found.size} cards are left; a price needs {CARDS_NEEDED}, because a round may take as many")
    return found


def points_of(book: Book) -> tuple[int, ...]:
    """What each rank is worth by a book."""
    return tuple(book.value[Card(rank, Suit.SPADES)] for rank in RANKS)


def _card(card: Card | str) -> Card:
    if not isinstance(card, Card | str):
        raise ValueError(f"{card!r} is no card; expected one such as 9s")
    return Card.parse(card) if isinstance(card, str) else card


def _from_mapping(counts: Mapping[Any, int]) -> list[int]:
    """The counts of a mapping in their order; its keys are all cards, all ranks or all values."""
    keys = [_key(key) for key in counts]
    for kind, order in ((Card, DECK), (Rank, RANKS), (int, tuple(range(10)))):
        if keys and all(type(key) is kind for key in keys):
            if len(set(keys)) < len(keys):
                raise ValueError("a shoe names each kind of card once")
            named = dict(zip(keys, counts.values(), strict=True))
            return [named.get(key, 0) for key in order]
    raise ValueError("the keys of a shoe are all cards (9s), all ranks (9, T, K) or all values (the numbers 0 to 9)")


def _key(key: object) -> Card | Rank | int:
    if isinstance(key, Card | Rank) or (type(key) is int and 0 <= key <= 9):
        return key
    if isinstance(key, str):
        try:
            return Rank(key.upper().replace("10", "T")) if len(key) == 1 or key == "10" else Card.parse(key)
        except ValueError:
            pass
    raise ValueError(f"{key!r} is no card, rank or value; expected one such as 9s, K or 7")
