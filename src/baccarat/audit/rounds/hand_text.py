"""Hands as people write them: `7c Qd`, `7 Q`, `7 0`, `7cQd`, `Queen of Diamonds`; each spelling is read once."""

from __future__ import annotations

import re

import msgspec

from baccarat.audit.rounds.fault import UnreadableCell
from baccarat.audit.rounds.shoe_count import COURT_CARDS, MOST_CARDS, CardKinds
from baccarat.cards import Card, Rank, Suit
from baccarat.play.book import NO_CARD, Book
from baccarat.values import brief_repr

MOST_KEPT = 1 << 18
"""Most spellings of hands in the cache, more than 52 cards can make; a full cache is cleared, to bound memory."""

EXPECTED = "cards such as 7c Qd, ranks such as 7 Q, or values such as 7 0, separated by blanks"

_SEPARATORS = re.compile(r"[\s,;|/+\-\[\]()'\"]+")
_JOINED = re.compile(r"(?:(?:10|[2-9TJQKAtjqka])[shdcSHDC♠♥♦♣])+|(?=.*[TJQKAtjqka])(?:10|[2-9TJQKAtjqka])+")
_CARD = re.compile(r"(?:10|[2-9TJQKAtjqka])[shdcSHDC♠♥♦♣]?")
_VARIANTS = str.maketrans({"♤": "♠", "♡": "♥", "♢": "♦", "♧": "♣", "\ufe0f": None})
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NAMES = dict(zip(_NUMBERS, "23456789T", strict=True)) | {"10": "T", "ace": "A", "jack": "J", "queen": "Q", "king": "K"}
_IN_WORDS = re.compile(
    rf"(?<![^\W_])(?:({'|'.join(_NAMES)}|[2-9TJQKA])\s+of\s+(spade|heart|diamond|club)s?"
    rf"|({'|'.join(name for name in _NAMES if name != '10')}))(?![^\W_])",
    re.IGNORECASE,
)
_COURT_CARD = re.compile(r"[JQKjqk][shdcSHDC♠♥♦♣]?")


BARE_TENS = ("10", "T", "t")


class HandShape(msgspec.Struct, frozen=True):
    """What the tableau needs of a hand: number of cards, count of the first two, value of the third, final count."""

    cards: int
    opening: int
    third: int
    count: int


class CardWord(msgspec.Struct, frozen=True, gc=False):
    """One card as written: its value, its rank if given, and what it counts for in the shoe."""

    value: int
    rank: Rank | None
    packed: int


class LoggedHand(msgspec.Struct, frozen=True, gc=False):
    """A hand as read: the number of its shape, what it takes from the shoe, and its cards."""

    shape_id: int
    packed: int
    cards: tuple[CardWord, ...]


class HandReader:
    """Reads hands under one rulebook; hands read before are cached by their text in `known`."""

    def __init__(self, book: Book, kinds: CardKinds, *, tens_are_ranks: bool = False) -> None:
        self.known: dict[str, LoggedHand] = {}
        self.shapes: list[HandShape] = []
        self._shape_ids: dict[tuple[int, ...], int] = {}
        """By the values of the cards."""
        self._by_shape: dict[HandShape, int] = {}
        self._words = _words(book, kinds)
        self._tens_are_ranks = True
        if not tens_are_ranks:
            self._set_tens(None)

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
        if not self._tens_are_ranks and any(word.rank in COURT_CARDS for word in found):
            self._set_tens(Rank.TEN)
            self.known.clear()
            return self.read(text, column)
        hand = LoggedHand(shape_id, sum([word.packed for word in found]), tuple(found))
        if len(self.known) >= MOST_KEPT:
            self.known.clear()
        self.known[text] = hand
        return hand

    def _set_tens(self, rank: Rank | None) -> None:
        """Read a ten without a suit as a ten, or as any card worth zero; the shoe decides how it is counted."""
        self._tens_are_ranks = rank is not None
        for word in BARE_TENS:
            self._words[word] = msgspec.structs.replace(self._words[word], rank=rank)

    def _word(self, word: str, text: str, column: str) -> CardWord:
        found = self._words.get(word)
        if found is None:
            whole = f" in {brief_repr(text)}" if word != text else ""
            raise UnreadableCell(column, expected=EXPECTED, found=f"{brief_repr(word)}{whole}")
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
    """The words of a hand, with any separator; cards written together are split."""
    words: list[str] = []
    for word in _SEPARATORS.split(_IN_WORDS.sub(_card_code, text.translate(_VARIANTS))):
        if word and len(word) > 1 and _JOINED.fullmatch(word):
            words += _CARD.findall(word)
        elif word:
            words.append(word)
    return words


def _card_code(named: re.Match[str]) -> str:
    """A card named in words, as its letters."""
    rank, suit, alone = named.groups()
    name = (alone or rank).lower()
    return _NAMES.get(name, name.upper()) + (suit or "")[:1].lower()


def _words(book: Book, kinds: CardKinds) -> dict[str, CardWord]:
    """Every way to write one card in letters and digits."""
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
    words["10"] = words["T"]
    return words


def _suit_signs(suit: Suit) -> tuple[str, str, str]:
    return suit.value, suit.value.upper(), {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}[suit.value]


def has_court_cards(cells: list[str]) -> bool:
    """Whether hands name court cards, so that a bare 10 is a ten and not a jack."""
    return any(_COURT_CARD.fullmatch(word) for cell in set(cells) for word in _split(cell))
