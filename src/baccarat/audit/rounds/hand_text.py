"""Hands as people write them: `7c Qd`, `7 Q`, `7 0`, `7cQd`, `["7c", "Qd"]`; few are distinct, so each is read once."""

from __future__ import annotations

import re

import msgspec

from baccarat.audit.rounds.fault import UnreadableCell
from baccarat.audit.rounds.shoe_count import MOST_CARDS, CardKinds
from baccarat.cards import Card, Rank, Suit
from baccarat.play.book import NO_CARD, Book
from baccarat.values import brief

MOST_KEPT = 1 << 18
"""Hands that are remembered as they were written, more than 52 cards make; then all are forgotten: memory is flat."""

EXPECTED = "cards such as 7c Qd, ranks such as 7 Q, or values such as 7 0, separated by blanks"

_SEPARATORS = re.compile(r"[\s,;|/+\-\[\]()'\"]+")
_JOINED = re.compile(r"(?:(?:10|[2-9TJQKAtjqka])[shdcSHDC♠♥♦♣])+|(?=.*[TJQKAtjqka])(?:10|[2-9TJQKAtjqka])+")
_CARD = re.compile(r"(?:10|[2-9TJQKAtjqka])[shdcSHDC♠♥♦♣]?")
_VARIANTS = str.maketrans({"♤": "♠", "♡": "♥", "♢": "♦", "♧": "♣", "\ufe0f": None})
_RANKS = {rank.value: rank for rank in Rank} | {rank.value.lower(): rank for rank in Rank}


class HandShape(msgspec.Struct, frozen=True):
    """All that the tableau asks of a hand: number of cards, count of the first two, value of the third, final count."""

    cards: int
    opening: int
    third: int
    count: int


class CardWord(msgspec.Struct, frozen=True, gc=False):
    """One card as it is written: its value, its rank if that is said, and what it counts for in the shoe."""

    value: int
    rank: Rank | None
    packed: int


class LoggedHand(msgspec.Struct, frozen=True, gc=False):
    """A hand as it was read: the number of its shape, what it takes from the shoe, and its cards."""

    shape_id: int
    packed: int
    cards: tuple[CardWord, ...]


class HandReader:
    """Reads hands under one rulebook; what it has read is found again by its text in `known`."""

    def __init__(self, book: Book, kinds: CardKinds, *, tens_are_ranks: bool = False) -> None:
        self.known: dict[str, LoggedHand] = {}
        self.shapes: list[HandShape] = []
        self._shape_ids: dict[tuple[int, ...], int] = {}
        """By the values of the cards."""
        self._by_shape: dict[HandShape, int] = {}
        self._words = _words(book, kinds, tens_are_ranks=tens_are_ranks)

    def read(self, text: str, column: str) -> LoggedHand:
        """The hand that a cell names; `UnreadableCell` says what is wrong with it."""
        try:
            found = [self._words[word] for word in text.split()]
        except KeyError:
            found = [self._word(word, text, column) for word in _split(text)]
        if len(found) > MOST_CARDS:
            raise UnreadableCell(column, expected="a hand of two or three cards", found=f"{len(found)} cards")
        values = tuple([word.value for word in found])
        shape_id = self._shape_ids.get(values)
        if shape_id is None:
            shape_id = self._shape_id(values)
        hand = LoggedHand(shape_id, sum([word.packed for word in found]), tuple(found))
        if len(self.known) >= MOST_KEPT:
            self.known.clear()
        self.known[text] = hand
        return hand

    def _word(self, word: str, text: str, column: str) -> CardWord:
        found = self._words.get(word)
        if found is None:
            whole = f" in {brief(text)}" if word != text else ""
            raise UnreadableCell(column, expected=EXPECTED, found=f"{brief(word)}{whole}")
        return found

    def _shape_id(self, values: tuple[int, ...]) -> int:
        third = values[2] if len(values) > 2 else NO_CARD
        shape = HandShape(len(values), sum(values[:2]) % 10, third, sum(values) % 10)
        shape_id = self._by_shape.setdefault(shape, len(self.shapes))
        if shape_id == len(self.shapes):
            self.shapes.append(shape)
        if len(self._shape_ids) < MOST_KEPT:
            self._shape_ids[values] = shape_id
        return shape_id


def _split(text: str) -> list[str]:
    """The words of a hand: whatever separates them, cards that are written together taken apart."""
    words: list[str] = []
    for word in _SEPARATORS.split(text.translate(_VARIANTS)):
        if word and len(word) > 1 and _JOINED.fullmatch(word):
            words += _CARD.findall(word)
        elif word:
            words.append(word)
    return words


def _words(book: Book, kinds: CardKinds, *, tens_are_ranks: bool) -> dict[str, CardWord]:
    """Every way to write one card. A bare 10 is a rank where the log writes ranks, and any card worth 0 elsewhere."""
    worth = {rank: book.value[Card(rank, Suit.SPADES)] for rank in Rank}
    words = {str(value): CardWord(value, None, kinds.of_value(value)) for value in sorted(set(worth.values()))}
    for rank in Rank:
        plain = CardWord(worth[rank], rank, kinds.of_rank(rank))
        for letter in {rank.value, rank.value.lower()}:
            words[letter] = plain
            for suit in Suit:
                card = CardWord(worth[rank], rank, kinds.of_card(Card(rank, suit)))
                for sign in _suit_signs(suit):
                    words[letter + sign] = card
                    if rank is Rank.TEN:
                        words["10" + sign] = card
    ten = worth[Rank.TEN]
    words["10"] = words["T"] if tens_are_ranks else CardWord(ten, None, kinds.of_value(ten))
    return words


def _suit_signs(suit: Suit) -> tuple[str, str, str]:
    return suit.value, suit.value.upper(), {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}[suit.value]


def writes_ranks(cells: list[str]) -> bool:
    """Whether hands are written by ranks without suits, so that a bare 10 is a ten and no jack."""
    words = {word for cell in cells for word in _split(cell)}
    return any(word in _RANKS and not word.isdigit() for word in words)
