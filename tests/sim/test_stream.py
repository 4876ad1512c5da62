"""What chance is: the generators are those of others, the definition does not change, every shoe is a whole one."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import islice

import msgspec
import numpy as np
import pytest

from baccarat.cards import DECK, Card, show_cards
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.book import open_book
from baccarat.play.shoe import burn, rounds
from baccarat.sim.stream import SEEDS, SHOES, ShoeRecipe, fair_number, rare_word, shoe, simulate_shoe, source_of, words

RULES = rulebook("ma-midi-4")
BOOK = open_book(RULES)


def numpy_words(seed: int, number: int, count: int) -> list[int]:
    """The same words from NumPy's own SFC64."""
    generator = np.random.SFC64(0)
    state = np.array([number // 4, seed, 0, 1], np.uint64)
    generator.state = {"bit_generator": "SFC64", "state": {"state": state}, "has_uint32": 0, "uinteger": 0}
    return [int(output) >> 16 * (number % 4) & 0xFFFF for output in generator.random_raw(18 + count)[18:]]


@pytest.mark.parametrize(("seed", "number"), [(0, 0), (7, 5), (SEEDS - 1, SHOES - 1), (12345, 10**15 + 2)])
def test_words_are_those_of_numpy(seed: int, number: int) -> None:
    assert list(islice(words(seed, number), 600)) == numpy_words(seed, number, 600)


def test_rare_numbers_are_those_of_splitmix64() -> None:
    # published outputs of SplitMix64 from the state 1234567
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [rare_word(1234567, 0, 0, turn) for turn in (1, 2, 3, 4)] == published


@pytest.mark.parametrize("n", [1, 2, 3, 52, 167, 255, 416, 65535])
def test_fair_words_make_every_number_equally_often(n: int) -> None:
    made = Counter(fair_number(word, n) for word in range(65536))
    assert made.pop(None, 0) == 65536 % n
    assert made == dict.fromkeys(range(n), 65536 // n)


def engine_rounds(rules: Rulebook, cards: tuple[Card, ...]) -> list[tuple[Card, ...]]:
    """The cards of each round as the ordinary engine deals them, in the order in which they leave the shoe."""
    position = len(burn(rules, cards).cards)
    dealt = list(rounds(rules, cards, position=position))
    return [cards[each.position : each.position + each.coup.cards_dealt] for each in dealt]


@pytest.mark.parametrize("decks", [6, 7, 8])
def test_a_shoe_is_whole_and_the_engine_deals_it_alike(decks: int) -> None:
    rules = rulebook("ma-midi-4", decks=decks)
    for number in range(40):
        dealt = simulate_shoe(open_book(rules), 7, number)
        assert Counter(dealt.cards) == Counter(DECK * decks)
        found = engine_rounds(rules, dealt.cards)
        assert tuple(found) == dealt.rounds[: len(found)]
        assert len(dealt.rounds) > len(found)  # behind the cover card the stream goes on


SOURCES = {
    "coins thrown again": {"least": 205, "most": 211},
    "one pile": {"is_parted": False},
    "one deck": {"is_parted": False, "decks": 1, "depth": 0},
    "ten decks": {"is_parted": False, "decks": 10},
}


@pytest.mark.parametrize("change", SOURCES.values(), ids=SOURCES)
def test_any_source_makes_whole_shoes(change: dict[str, int]) -> None:
    source: ShoeRecipe = msgspec.structs.replace(source_of(BOOK), **change)
    for number in range(12):
        dealt = simulate_shoe(BOOK, 7, number, source=source)
        assert Counter(dealt.cards) == Counter(DECK * source.decks)
        assert all(len(cards) in {4, 5, 6} for cards in dealt.rounds[:-1])
        assert len(dealt.rounds[-1]) < 6, "the last round is the one that the shoe cannot finish"


def test_a_shoe_is_parted_only_where_bytes_count_it_and_the_cover_card_is_far() -> None:
    for decks, parted in ((6, True), (7, True), (8, True)):
        assert source_of(open_book(rulebook("ma-midi-4", decks=decks))).is_parted is parted


@pytest.mark.slow
def test_cards_are_equally_likely_at_every_position() -> None:
    shoes = [shoe(RULES, 3, number) for number in range(800)]
    for position in (0, 1, 11, 12, 150, 207, 208, 209, 260, 400, 415):
        found = Counter(cards[position] for cards in shoes)
        expected = len(shoes) / 52
        chi = sum((found[card] - expected) ** 2 / expected for card in DECK)
        assert chi < 51 + 4.5 * 102**0.5, position


def test_the_definition_does_not_change() -> None:
    text = "\n".join(show_cards(shoe(RULES, seed, number)) for seed in (0, 7) for number in (0, 1, 6, 2**40 + 3))
    assert sha256(text.encode()).hexdigest() == "abff47ef52530effb4ba5498c882283d79b7432edd1437cd094fa09455184677"


@pytest.mark.parametrize(("seed", "number"), [(-1, 0), (SEEDS, 0), (0, -1), (0, SHOES)])
def test_seeds_and_numbers_outside_are_refused(seed: int, number: int) -> None:
    with pytest.raises(ValueError, match=r"(seed|shoe): -?\d+; expected"):
        shoe(RULES, seed, number)
