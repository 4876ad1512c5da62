"""The plain path: thousands of shoes side by side in NumPy, by the streams of `stream`, under any rulebook.

It needs no numba and takes what the vector kernel refuses: more than eight decks, a cover card at any depth, shoes
that run out in the middle of a round, a Banker whose draw depends on the Player's first two cards. Where both can be
used, they count the same, to the last round.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from baccarat.cards import Card, Rank
from baccarat.law.fact import COUNTS, FINISHES, finish_index
from baccarat.odds.joint import banker_draws, player_draws
from baccarat.odds.royal9 import hand_number
from baccarat.play.book import NO_CARD, Book
from baccarat.play.hand import Side
from baccarat.play.wager.royal9 import COURTS
from baccarat.sim.plan import COUNTERS, OPENING_HANDS, PAIR_KINDS, Detail
from baccarat.sim.stream import CARDS_A_ROUND, DROPPED, SUITS, ShoeRecipe, fair_number, rare_word, source_of
from baccarat.sim.tally import RangeCounts

Numbers = NDArray[np.uint64]
Small = NDArray[np.unsignedinteger[Any]]
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]

LANES = 8192
"""Shoes side by side: few enough to stay in a core's cache, many enough that Python's share is small."""

WORDS = 1 << 16
_BITS = np.array([word.bit_count() for word in range(WORDS)], np.uint8)
_SUIT_BITS = 0x1111
"""Every fourth bit of a word: the cards of one suit."""


class PlainPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A book prepared for the plain path: plain numbers, which can be sent to other processes."""

    source: ShoeRecipe
    detail: Detail
    classes: tuple[int, ...]
    """For each card in the source's order, rank by rank and suit by suit, the class it is counted in."""
    worth: tuple[int, ...]
    burnt: tuple[int, ...]
    """By class: its value, and how many more cards it burns."""
    player: tuple[int, int]
    banker: tuple[int, int]
    """The places of each hand's first two cards among the first four."""
    player_draws: bytes
    """By the two counts."""
    banker_draws: bytes
    """By the two counts and the value of the Player's third card, or `NO_CARD`."""
    royal9: bytes
    """By the classes of two cards, which Royal 9 they are; empty unless it is counted."""


def plan(book: Book, detail: Detail, *, source: ShoeRecipe | None = None) -> PlainPlan:
    """The plan of a book. Tests give a source of their own."""
    source = source or source_of(book)
    cards = [Card(rank, suit) for rank in source.ranks for suit in SUITS]
    burnt = dict(zip(source.ranks, source.burnt, strict=True))

    def key(card: Card) -> tuple[object, ...]:
        if detail == "royal9" and (card.rank is Rank.NINE or card.rank in COURTS):
            return card.rank, card.suit
        return (card.rank,) if detail == "pairs" else (book.value[card], burnt[card.rank])

    keys = list(dict.fromkeys(map(key, cards)))
    classes = [keys.index(key(card)) for card in cards]
    assert classes == sorted(classes), "the source puts cards that need not be distinguished side by side"
    first = [cards[classes.index(each)] for each in range(len(keys))]
    return PlainPlan(
        source=source, detail=detail, classes=tuple(classes),
        worth=tuple(book.value[card] for card in first), burnt=tuple(burnt[card.rank] for card in first),
        player=_first_two(book, Side.PLAYER), banker=_first_two(book, Side.BANKER),
        player_draws=bytes(player_draws(book, p, b) for p in COUNTS for b in COUNTS),
        banker_draws=bytes(_banker(book, p, b, third) for p in COUNTS for b in COUNTS for third in range(NO_CARD + 1)),
        royal9=bytes(hand_number(one, two) for one in first for two in first) if detail == "royal9" else b"",
    )  # fmt: skip


def _first_two(book: Book, side: Side) -> tuple[int, int]:
    first, second = (index for index, hand in enumerate(book.hands) if hand is side)
    return first, second


def _banker(book: Book, player: int, banker: int, third: int) -> bool:
    """Whether the Banker draws; False if the case cannot arise."""
    return (third != NO_CARD) == player_draws(book, player, banker) and banker_draws(book, player, banker, third)


def run(plan: PlainPlan, seed: int, first: int, shoes: int, rounds: int | None) -> RangeCounts:
    """Deal shoes `first` to `first + shoes - 1` of a seed, to the cover card or `rounds` rounds of each."""
    tables = _Tables(plan)
    cells, void = np.zeros(COUNTERS[plan.detail], np.int64), 0
    for at, end in _spans(first, first + shoes):
        void += _deal(tables, _Lanes(tables, seed, at, end, rounds), cells)
    return RangeCounts(cells=tuple(cells.tolist()), void=void)


def _spans(first: int, end: int) -> Iterator[tuple[int, int]]:
    """Shoes from one number to another, in parts; four share a generator, so lanes begin at multiples of four."""
    while first < end:
        stop = min(first - first % 4 + LANES, end)
        yield first, stop
        first = stop


class _Tables:
    """A plan as arrays."""

    def __init__(self, plan: PlainPlan) -> None:
        self.plan = plan
        self.source = plan.source
        self.size = len(plan.worth)
        self.worth = np.array(plan.worth, np.int64)
        self.burnt = np.array(plan.burnt, np.int64)
        self.player_draws = np.frombuffer(plan.player_draws, np.bool_)
        self.banker_draws = np.frombuffer(plan.banker_draws, np.bool_)
        self.royal9 = np.frombuffer(plan.royal9, np.uint8).astype(np.int64)
        # a parted shoe never has more than 255 cards in a pile, and bytes are twice as fast
        self.type: type[np.unsignedinteger[Any]] = np.uint8 if plan.source.is_parted else np.uint16
        self.out_of_reach = 255 if plan.source.is_parted else WORDS - 1
        """A number that no card has: drawing it draws nothing."""
        whole = np.bincount(plan.classes, minlength=self.size) * plan.source.decks
        self.whole: Small = np.cumsum(whole)[:-1].astype(self.type)
        """Cards of the whole shoe up to each class, except the last."""


class _WordStream:
    """The words of shoes side by side: SFC64 as in `stream.outputs`, one generator for every four."""

    def __init__(self, seed: int, start: int, lanes: int) -> None:
        self.a: Numbers = start // 4 + np.arange(lanes // 4, dtype=np.uint64)
        self.b: Numbers = np.full(lanes // 4, seed, np.uint64)
        self.c: Numbers = np.zeros(lanes // 4, np.uint64)
        self.counter = np.uint64(1)
        for _ in range(DROPPED):
            self.outputs()

    def outputs(self) -> Numbers:
        """The next output of every generator."""
        a, b, c = self.a, self.b, self.c
        output = a + b
        output += self.counter
        self.counter += np.uint64(1)
        self.a = b ^ (b >> np.uint64(11))
        self.b = c + (c << np.uint64(3))
        self.c = ((c << np.uint64(24)) | (c >> np.uint64(40))) + output
        return output

    def words(self) -> NDArray[np.uint16]:
        """The next word of every shoe: its quarter of an output, the lowest bits first."""
        return self.outputs().astype("<u8", copy=False).view("<u2")


class _Lanes:
    """Shoes side by side in progress: a column of counts for each."""

    def __init__(self, tables: _Tables, seed: int, first: int, end: int, rounds: int | None) -> None:
        start = first - first % 4  # four shoes share a generator
        size = -(-(end - start) // 4) * 4
        self.tables, self.seed, self.start, self.rounds = tables, seed, start, rounds
        self.stream = _WordStream(seed, start, size)
        number = start + np.arange(size, dtype=np.int64)
        self.idle: Flags = (number < first) | (number >= end)
        """Shoes that are over, and neighbours that were not requested."""
        self.up_to: Small
        """Cards in the pile up to each class, by class and shoe."""
        self.second: Small | None = None
        if tables.source.is_parted:
            self._part(size)
        else:
            self.up_to = np.repeat(tables.whole[:, None], size, axis=1)
            self.left: Whole = np.full(size, tables.source.size, np.int64)
            self.other: Whole = np.zeros(size, np.int64)
        self.in_first: Flags = np.full(size, tables.source.is_parted)
        self.unseen: Whole = tables.burnt[self._burn()]
        self.last: Flags = self.behind < tables.source.depth
        """Which shoes' cover card is out: the next round is the last."""
        self.to_go: Whole = np.full(size, -1 if rounds is None else rounds, np.int64)

    @property
    def behind(self) -> Whole:
        """The cards that are still to be dealt, in both piles, including those burned face down."""
        return self.left + self.other - self.unseen

    def _part(self, size: int) -> None:
        """Throw a coin for every card: those that show heads are the first pile."""
        tables, source = self.tables, self.tables.source
        heads: Whole = np.zeros((tables.size, size), np.int64)
        for rank in range(len(source.ranks)):
            self._add_heads(heads, rank, self.stream.words(), self.stream.words())
        lanes, attempt = np.flatnonzero(_misfit_flags(source, heads)), 0
        while len(lanes):  # seldom
            again: Whole = np.zeros((tables.size, len(lanes)), np.int64)
            for rank in range(len(source.ranks)):
                coins = _rare_words(self.seed, (self.start + lanes).astype(np.uint64), 1 + rank, attempt)
                words = coins.astype("<u8", copy=False).view("<u2").reshape(-1, 4)
                self._add_heads(again, rank, words[:, 0], words[:, 1])
            heads[:, lanes] = again
            lanes, attempt = lanes[_misfit_flags(source, again)], attempt + 1
        first = np.cumsum(heads, axis=0)
        self.left, self.other = first[-1].copy(), source.size - first[-1]
        self.up_to = first[:-1].astype(tables.type)
        self.second = tables.whole[:, None] - self.up_to

    def _add_heads(self, heads: Whole, rank: int, low: NDArray[np.uint16], high: NDArray[np.uint16]) -> None:
        """Count the coins of a rank that show heads, by class; of the 32 thrown there is one for each card."""
        plan, source = self.tables.plan, self.tables.source
        high = high & np.uint16((1 << source.copies) - 1 >> 16)
        for suit in range(len(SUITS)):
            bits = np.uint16(_SUIT_BITS << suit)
            heads[plan.classes[4 * rank + suit]] += _BITS[low & bits].astype(np.int64) + _BITS[high & bits]

    def _burn(self) -> Whole:
        """The class of the card that each shoe burns first."""
        number, doubt = _fair_numbers(self.stream.words(), self.left)
        for lane in np.flatnonzero(doubt).tolist():
            size, attempt, found = int(self.left[lane]), 0, None
            while found is None:
                word = rare_word(self.seed, self.start + lane, 0, attempt) >> 48
                found, attempt = fair_number(word, size), attempt + 1
            number[lane] = found
        card = self.draw(number.astype(self.tables.type))
        self.left -= 1
        return card

    def draw(self, number: Small) -> Whole:
        """Take the card of this number out of each pile and return its class; none if the number is out of range."""
        above = self.up_to > number
        self.up_to -= above
        found: Whole = self.tables.size - 1 - above.sum(0, dtype=np.uint8).astype(np.int64)
        return found

    def numbers(self) -> tuple[list[Small], Flags, Whole]:
        """Six numbers for a round, which shoes take part in it, and how many cards each has for it."""
        cards = np.where(self.in_first, self.left, self.left - self.unseen)
        enough = int(cards[~self.idle].min(initial=CARDS_A_ROUND)) >= CARDS_A_ROUND
        sits = self.idle.copy()
        found = []
        for index in range(CARDS_A_ROUND):
            number, unfair = _fair_numbers(self.stream.words(), self.left - index)
            if not enough:
                missing = cards <= index
                unfair &= ~missing
                number[missing] = self.tables.out_of_reach
            sits |= unfair
            found.append(number)
        reach = self.tables.out_of_reach
        return [np.where(sits, reach, each).astype(self.tables.type) for each in found], ~sits, cards

    def finish_round(self, plays: Flags, taken: Whole, is_void: Flags) -> None:
        """A round is over for those that took part: piles are merged, the cover card comes, the shoe ends."""
        self.left -= taken
        if self.second is not None:
            lanes = np.flatnonzero(plays & self.in_first & (self.left < CARDS_A_ROUND))
            if len(lanes):
                self.up_to[:, lanes] += self.second[:, lanes]
                self.left[lanes] += self.other[lanes]
                self.other[lanes] = 0
                self.in_first[lanes] = False
        if self.rounds is not None:
            self.to_go -= plays
            self.idle |= (self.to_go == 0) | is_void
            return
        self.idle |= plays & (self.last | is_void)
        self.last |= plays & (self.behind < self.tables.source.depth)


def _misfit_flags(source: ShoeRecipe, heads: Whole) -> Flags:
    """Which shoes' piles do not fit."""
    left = heads.sum(0)
    found: Flags = (left < source.least) | (left > source.most)
    return found


def _rare_words(seed: int, shoes: Numbers, subject: int, attempt: int) -> Numbers:
    """`stream.rare` for many shoes."""
    address = (shoes << np.uint64(16)) + np.uint64((subject << 4) + attempt)
    z = np.uint64(seed) + address * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _fair_numbers(words: NDArray[np.uint16], sizes: Whole) -> tuple[Whole, Flags]:
    """The number below its size that each word makes, and whether the word is unfair."""
    product = words * sizes
    rest = product & (WORDS - 1)
    unfair: Flags = rest < sizes
    for lane in np.flatnonzero(unfair).tolist():  # rare: only these can be unfair at all
        size = int(sizes[lane])
        unfair[lane] = size > 0 and int(rest[lane]) < WORDS % size
    return product >> 16, unfair


def _deal(tables: _Tables, lanes: _Lanes, cells: Whole) -> int:
    """Deal round after round until every shoe is over, and count; returns how many rounds were void."""
    plan, void = tables.plan, 0
    while not lanes.idle.all():
        numbers, plays, cards = lanes.numbers()
        opening = [lanes.draw(number) for number in numbers[:4]]
        worth = [tables.worth[card] for card in opening]
        player, banker = (worth[first] + worth[second] for first, second in (plan.player, plan.banker))
        counts = player % 10 * 10 + banker % 10
        draws = tables.player_draws[counts]
        alone = tables.banker_draws[counts * (NO_CARD + 1) + NO_CARD]
        fifth = _draw_where(tables, lanes, numbers[4], draws | alone)
        both = draws & tables.banker_draws[counts * (NO_CARD + 1) + fifth]
        sixth = _draw_where(tables, lanes, numbers[5], both)
        needed = 4 + (draws | alone) + both
        is_void = plays & (needed > cards)
        player, banker = player + draws * fifth, banker + alone * fifth + both * sixth
        finish = finish_index(player % 10, banker % 10, 2 + draws, 2 + (alone | both))  # type: ignore[arg-type]
        _count(tables, cells, opening, np.asarray(finish), plays & ~is_void)
        void += int(is_void.sum())
        lanes.finish_round(plays, np.where(plays, np.minimum(needed, cards), 0), is_void)
    return void


def _draw_where(tables: _Tables, lanes: _Lanes, number: Small, wanted: Flags) -> Whole:
    """The values of the cards drawn in the lanes that need one; other lanes are not used."""
    return tables.worth[lanes.draw(np.where(wanted, number, tables.out_of_reach).astype(tables.type))]


def _count(tables: _Tables, cells: Whole, opening: list[Whole], finish: Whole, finished: Flags) -> None:
    """Count the rounds that were finished."""
    plan = tables.plan
    hands = [(opening[first], opening[second]) for first, second in (plan.player, plan.banker)]
    if plan.detail == "pairs":
        player, banker = (one == two for one, two in hands)
        finish = finish * PAIR_KINDS + 2 * player + banker
    cells += np.bincount(finish[finished], minlength=len(cells))
    if plan.detail == "royal9":
        player, banker = (tables.royal9[one * tables.size + two] for one, two in hands)
        code = FINISHES + player * OPENING_HANDS + banker
        cells += np.bincount(code[finished], minlength=len(cells))
