"""Chance in a simulation: every shoe has a number, and seed and number alone determine its cards.

So a shoe can be dealt again by itself, card by card with suits, and a run has the same result on any machine, however
many shoes it deals side by side. This module is the definition, in integers; the fast paths reproduce it.

*Words.* Shoes 4q … 4q+3 share one SFC64 generator with the state (q, seed, 0) and the counter 1, of which the first
eighteen outputs are discarded. Shoe 4q+j takes bits 16j … 16j+15 of every output after that: its words.

*Two piles.* A byte counts at most 255 cards. So the shoe is first parted by fair coins, one bit per card: the cards
of a rank take the bits of two words, bit i being a card of suit i mod 4. Cards whose bit is set are the first pile. It
is dealt until fewer than six cards are left of it; these are then merged with the second pile, and dealing continues.
Cards not yet seen are exchangeable, so this is dealing from a shuffled shoe. If a pile does not fit, all coins are
thrown again. If a shoe is too large, or the cover card might lie in the first pile, the shoe is one pile from the
beginning, and no coins are thrown.

*A card.* A word w makes the number w·n >> 16 below n, the number of cards left; the card is the one of that number in
the order of `ShoeRecipe.ranks`, then of suits. Words with the 65536 mod n smallest remainders w·n mod 65536 are
unfair: without them every card is equally likely.

*A round.* One word makes the burn card (again, if unfair). Then every attempt at a round takes six words, one for
each card that the round may need, used or not. If any word is unfair the attempt is void and nothing has happened: the
next six words are tried. Cards burned face down after the first are not drawn; they stay in the pile, which has that
many fewer cards to deal. The cards that remain at the end are the burned ones.

*What is seldom needed* (coins again, the burn card again) comes from SplitMix64 by an address: see `rare_word`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice

import msgspec

from baccarat.cards import DECK_SIZE, Card, Rank, Suit
from baccarat.law.cached_value import cached_on_value
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import Book, open_book
from baccarat.play.coup import deal_by
from baccarat.play.hand import values
from baccarat.values import expect, whole_within

SEEDS = 1 << 64
SHOES = 1 << 62
"""Seeds and shoes are numbered from zero up to, but not including, these."""

DROPPED = 18
CARDS_A_ROUND = 6
MOST_IN_PILE = 255
"""The most cards of a pile: what a byte counts."""

MOST_KERNEL_DECKS = 8
"""The most decks that are parted: two words have a coin for each card of a rank."""

SUITS = tuple(Suit)
_MASK = SEEDS - 1
_WORD = 0xFFFF
_BURN = 0
_COINS = 1
"""The subjects of rare numbers: the burn card; the coins of the first rank, the second, …"""


class ShoeRecipe(msgspec.Struct, frozen=True, kw_only=True):
    """What a rulebook's shoes are made of: the order of ranks, what they burn, and how the piles are parted."""

    decks: int
    depth: int
    """Cards behind the cover card."""
    ranks: tuple[Rank, ...]
    """By value, then by the cards that the rank burns: ranks that a simulation need not distinguish are neighbours."""
    burnt: tuple[int, ...]
    """How many more cards each of these ranks burns."""
    is_parted: bool
    least: int
    most: int
    """The fewest and the most cards of the first pile, if the shoe is parted."""

    @property
    def size(self) -> int:
        """All cards of the shoe."""
        return DECK_SIZE * self.decks

    @property
    def most_rounds(self) -> int:
        """The most rounds that every shoe has cards for, whatever they are."""
        return (self.size - 1 - max(self.burnt)) // CARDS_A_ROUND

    @property
    def never_lacks_cards(self) -> bool:
        """Whether there are cards for every round to the cover card, the one in which it comes out and one more."""
        return self.depth >= 2 * CARDS_A_ROUND

    @property
    def copies(self) -> int:
        """The number of cards of one rank, and so of coins."""
        return len(SUITS) * self.decks


@cached_on_value
def source_of(book: Book) -> ShoeRecipe:
    """The source of a book's shoes."""
    rules = book.rules
    decks, depth = rules.elects("decks"), rules.elections.cover_card_depth or 0
    if decks is None:
        raise ValueError("how many decks the shoe holds is not stated, as in a round record; a simulation must know it")
    if DECK_SIZE * decks > _WORD:
        raise ValueError(f"{decks} decks: a simulation takes shoes of up to {_WORD // DECK_SIZE:,} decks")
    worth, burnt = {card.rank: value for card, value in book.value.items()}, values(rules.edition.burn.value)
    order = {rank: index for index, rank in enumerate(Rank)}
    ranks = sorted(Rank, key=lambda rank: (worth[rank], burnt[rank], order[rank]))
    size, most_burnt = DECK_SIZE * decks, max(burnt.values())
    # the cover card lies beyond the first pile and the burned cards; after it there are cards for two rounds
    is_parted = decks <= MOST_KERNEL_DECKS and depth >= 2 * CARDS_A_ROUND and depth + most_burnt <= size - MOST_IN_PILE
    return ShoeRecipe(
        decks=decks, depth=depth, ranks=tuple(ranks), burnt=tuple(burnt[rank] for rank in ranks), is_parted=is_parted,
        least=size - MOST_IN_PILE + CARDS_A_ROUND, most=MOST_IN_PILE,
    )  # fmt: skip


def outputs(first: int, seed: int, third: int = 0) -> Iterator[int]:
    """The outputs of SFC64 from the state (first, seed, third) and the counter 1, after the discarded ones."""
    a, b, c, counter = first, seed, third, 1
    while True:
        output = (a + b + counter) & _MASK
        a, b = b ^ b >> 11, (c + (c << 3)) & _MASK
        c = ((c << 24 | c >> 40) + output) & _MASK
        counter += 1
        if counter > DROPPED + 1:
            yield output


def words(seed: int, shoe: int) -> Iterator[int]:
    """The words of a shoe: its quarter of each output."""
    quad, shift = shoe // 4, 16 * (shoe % 4)
    further = islice(outputs(quad, seed), _USUAL, None)  # lazy: nothing is computed until it is needed
    return (output >> shift & _WORD for output in chain(_first_outputs(quad, seed), further))


_USUAL = 700
"""How many outputs a shoe usually needs at most."""


@lru_cache(maxsize=4)
def _first_outputs(quad: int, seed: int) -> tuple[int, ...]:
    """The outputs that most shoes need, cached for the other three that share them."""
    return tuple(islice(outputs(quad, seed), _USUAL))


def rare_word(seed: int, shoe: int, subject: int, attempt: int) -> int:
    """A number of 64 bits by SplitMix64, for what a shoe seldom needs: by the subject and the attempt at it."""
    z = (seed + ((shoe << 16) + (subject << 4) + attempt) * 0x9E3779B97F4A7C15) & _MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
    return z ^ z >> 31


def fair_number(word: int, n: int) -> int | None:
    """The number below n that a word makes; None if the word is unfair."""
    return None if word * n & _WORD < 65536 % n else word * n >> 16


class Pile:
    """Cards in unknown order, counted by rank and suit."""

    def __init__(self, counts: list[int]) -> None:
        self.counts = counts
        self.by_rank = [sum(counts[card : card + 4]) for card in range(0, DECK_SIZE, 4)]
        self.size = sum(counts)

    def take(self, number: int) -> int:
        """Take the card of this number out, counted in order; a card is 4 · its rank's number + its suit's number."""
        assert 0 <= number < self.size, "a number below the size of the pile has been drawn"
        card = 0
        for count in self.by_rank:
            if number < count:
                break
            number -= count
            card += 4
        while number >= self.counts[card]:
            number -= self.counts[card]
            card += 1
        self.counts[card] -= 1
        self.by_rank[card // 4] -= 1
        self.size -= 1
        return card

    def put_back(self, card: int) -> None:
        """Put a card back: it was not needed."""
        self.counts[card] += 1
        self.by_rank[card // 4] += 1
        self.size += 1


class SimulatedShoe(msgspec.Struct, frozen=True):
    """A shoe of a simulation, as it is dealt: the burn card, then round after round, regardless of the cover card."""

    burn: Card
    unseen: tuple[Card, ...]
    """Burned face down."""
    rounds: tuple[tuple[Card, ...], ...]
    """The last is the one that the shoe cannot finish: it may have no card at all."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards, top first."""
        return (self.burn, *self.unseen, *(card for each in self.rounds for card in each))

    def rounds_to(self, depth: int) -> tuple[tuple[Card, ...], ...]:
        """The rounds played with `depth` cards behind the cover card: to the one in which it is out, and one more.

        A round that the shoe cannot finish ends it too (reading A-44: the cover card may be met during the burn).
        """
        left, played = sum(map(len, self.rounds)), 0
        is_last, was_last = left < depth, False
        while not was_last and played < len(self.rounds):
            left -= len(self.rounds[played])
            played += 1
            is_last, was_last = left < depth, is_last
        return self.rounds[:played]


def shoe(rules: Rulebook, seed: int, number: int) -> tuple[Card, ...]:
    """The whole shoe of this number, top card first: the table engine deals it as the simulation did."""
    book = open_book(expect(rules, Rulebook, "a Rulebook, as rulebook() makes one"))
    return simulate_shoe(book, seed, number).cards


def simulate_shoe(book: Book, seed: int, number: int, *, source: ShoeRecipe | None = None) -> SimulatedShoe:
    """The shoe of this number, round by round. Tests give a source of their own."""
    seed = whole_within("seed", seed, least=0, most=SEEDS - 1)
    number = whole_within("shoe", number, least=0, most=SHOES - 1)
    source = source or source_of(book)
    made = tuple(Card(rank, suit) for rank in source.ranks for suit in SUITS)
    stream = words(seed, number)
    pile, second = _piles(source, seed, number, stream)
    burn = _burn(pile, seed, number, stream)
    unseen, rounds, is_over = source.burnt[burn // 4], [], False
    while not is_over:
        drawn = _attempt(pile, pile.size - (0 if second else unseen), stream)
        if drawn is None:
            continue
        coup = deal_by(book, tuple(made[card] for card in drawn))
        for card in drawn[coup.cards_dealt :]:
            pile.put_back(card)
        rounds.append(tuple(made[card] for card in drawn[: coup.cards_dealt]))
        is_over = coup.is_void
        if second and pile.size < CARDS_A_ROUND:
            pile, second = Pile([one + two for one, two in zip(pile.counts, second, strict=True)]), None
    rest = [made[card] for card, count in enumerate(pile.counts) for _ in range(count)]
    return SimulatedShoe(made[burn], tuple(_shuffle_in_place(rest, outputs(number, seed, 1))), tuple(rounds))


def _piles(source: ShoeRecipe, seed: int, shoe: int, stream: Iterator[int]) -> tuple[Pile, list[int] | None]:
    """The first pile, and the counts of the second, if the shoe is parted."""
    if not source.is_parted:
        return Pile([source.decks] * DECK_SIZE), None
    coins = [next(stream) | next(stream) << 16 for _ in source.ranks]
    first, attempt = _heads(source, coins), 0
    while not source.least <= sum(first) <= source.most:
        first = _heads(source, [rare_word(seed, shoe, _COINS + rank, attempt) for rank in range(len(source.ranks))])
        attempt += 1
    return Pile(first), [source.decks - count for count in first]


def _heads(source: ShoeRecipe, coins: list[int]) -> list[int]:
    """The cards whose coin shows heads, by rank and suit."""
    every_fourth = sum(1 << bit for bit in range(0, source.copies, len(SUITS)))
    return [(bits & every_fourth << suit).bit_count() for bits in coins for suit in range(len(SUITS))]


def _burn(pile: Pile, seed: int, shoe: int, stream: Iterator[int]) -> int:
    """The card burned first."""
    number, attempt = fair_number(next(stream), pile.size), 0
    while number is None:
        number, attempt = fair_number(rare_word(seed, shoe, _BURN, attempt) >> 48, pile.size), attempt + 1
    return pile.take(number)


def _attempt(pile: Pile, to_deal: int, stream: Iterator[int]) -> list[int] | None:
    """Up to six cards for a round, as many as can be dealt; None if a word for one of them is unfair."""
    drawn = tuple(islice(stream, CARDS_A_ROUND))[:to_deal]
    numbers = [fair_number(word, pile.size - index) for index, word in enumerate(drawn)]
    if None in numbers:
        return None
    return [pile.take(number) for number in numbers if number is not None]


def _shuffle_in_place(cards: list[Card], chance: Iterator[int]) -> list[Card]:
    """The cards in random order: from the last place down, each takes one of those not yet placed."""
    for last in range(len(cards) - 1, 0, -1):
        n = last + 1
        number = next(chance)
        while number * n & _MASK < SEEDS % n:
            number = next(chance)
        other = number * n >> 64
        cards[last], cards[other] = cards[other], cards[last]
    return cards
