"""Cards: as many pips as the rank says, where they are printed; courts in their frame; every sign a path."""

from __future__ import annotations

import pytest

from baccarat.cards import DECK, Card, Rank, Suit, parse_cards
from baccarat.picture.card import (
    FOUR_COLOURS,
    HEIGHT,
    PIP_PLACES,
    PIPS,
    TWO_COLOURS,
    WIDTH,
    back,
    card_picture,
    deck,
    face,
    name_of,
)
from baccarat.picture.hand import cards_picture
from picture_tree import check_picture, classed, name, tree

NUMBERS = {rank: number for number, rank in enumerate(Rank, start=1) if number <= 10}


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_card_is_a_whole_picture_with_its_name(card: Card) -> None:
    for four_colours in (False, True):
        root = check_picture(card_picture(card, four_colours=four_colours))
        assert root.get("aria-label") == name_of(card)
        assert root.get("viewBox") == "0 0 250 350"
        assert not list(root.iter("{http://www.w3.org/2000/svg}text")), "no font is needed"


@pytest.mark.parametrize("card", [card for card in DECK if card.rank in NUMBERS], ids=str)
def test_a_number_card_has_as_many_pips_as_its_rank(card: Card) -> None:
    (pips,) = classed(tree(card_picture(card)), "pips")
    assert [each.get("d") for each in pips] == [PIPS[card.suit]] * NUMBERS[card.rank]


@pytest.mark.parametrize("rank", NUMBERS)
def test_pips_lie_apart_within_the_card_and_the_card_turned_round_looks_the_same_but_for_the_seven(rank: Rank) -> None:
    places = PIP_PLACES[rank]
    assert len(set(places)) == NUMBERS[rank]
    for x, y in places:
        assert 50 < x < WIDTH - 50
        assert 40 < y < HEIGHT - 40
    apart = [abs(a - c) + abs(b - d) for k, (a, b) in enumerate(places) for c, d in places[k + 1 :]]
    assert min(apart, default=99) >= 40, "as wide as a pip"
    turned = {(WIDTH - x, round(HEIGHT - y, 6)) for x, y in places}
    assert (turned == {(x, round(y, 6)) for x, y in places}) is (rank is not Rank.SEVEN)


def test_pips_below_the_middle_stand_on_their_heads() -> None:
    (pips,) = classed(tree(card_picture(Card.parse("8s"))), "pips")
    upside_down = [each for each in pips if "rotate(180)" in each.get("transform", "")]
    assert len(upside_down) == 3


@pytest.mark.parametrize("card", [card for card in DECK if card.rank not in NUMBERS], ids=str)
def test_a_court_card_has_a_frame_and_two_halves_alike(card: Card) -> None:
    (court,) = classed(tree(card_picture(card)), "court")
    frames = [each for each in court if name(each) == "rect" and each.get("fill") == "none"]
    assert [frame.get("width") for frame in frames] == ["154", "146"]
    halves = [each for each in court if name(each) == "g"]
    (turned,) = halves[1]
    assert halves[1].get("transform") == "rotate(180 125 175)"
    assert [each.attrib for each in turned.iter()] == [each.attrib for each in halves[0].iter()]


def test_all_courts_differ() -> None:
    assert len({face(card) for card in DECK}) == 52


def test_an_index_lies_in_a_corner_that_a_thumb_covers() -> None:
    for card in DECK:
        (index,) = classed(tree(card_picture(card)), "index")
        sign, pip = index[0]
        x, y = map(float, sign.get("transform", "").split("(")[1].split(")")[0].split())
        assert 0 < x < 50
        assert 10 < y < 80
        assert pip.get("transform", "").startswith("translate(25 65)")


def test_four_colours_are_four_and_two_are_two() -> None:
    assert len(set(FOUR_COLOURS.values())) == 4
    assert len(set(TWO_COLOURS.values())) == 2
    eight = Card(Rank.EIGHT, Suit.DIAMONDS)
    assert FOUR_COLOURS[Suit.DIAMONDS] in face(eight, four_colours=True)
    assert FOUR_COLOURS[Suit.DIAMONDS] not in face(eight)


@pytest.mark.parametrize("four_colours", [False, True])
def test_a_deck_has_every_card_under_its_name_and_the_back(four_colours: bool) -> None:
    root = check_picture(deck(four_colours=four_colours))
    symbols = {each.get("id"): each for each in root}
    assert set(symbols) == {*map(str, DECK), "back"}
    assert {each.get("viewBox") for each in symbols.values()} == {"0 0 250 350"}


def test_the_back_says_nothing_of_a_card() -> None:
    root = check_picture(card_picture(None))
    assert root.get("aria-label") == "a card, face down"
    assert back() in card_picture(None)


def test_cards_in_a_row_are_named_in_order() -> None:
    root = check_picture(cards_picture([*parse_cards("9s Td"), None]))
    assert root.get("aria-label") == "9 of spades, 10 of diamonds, a card, face down"
    assert len(list(classed(root, "card"))) == 3
    assert check_picture(cards_picture(DECK)).get("height") == "590"
    assert check_picture(cards_picture([])).get("aria-label") == "no cards"
