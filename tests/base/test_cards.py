"""Cards: one deck in its order, every card by all its names, and nothing else."""

from __future__ import annotations

import pytest

from baccarat.cards import CODES, DECK, Card, Rank, Suit, decks, parse_cards, show_cards


def test_a_deck_is_52_cards_by_suit_from_the_ace_to_the_king() -> None:
    assert len(set(DECK)) == len(DECK) == 52
    assert [card.rank for card in DECK] == [*Rank] * 4
    assert [card.suit for card in DECK[::13]] == [*Suit]


def test_decks_come_one_after_the_other() -> None:
    assert decks(1) == DECK
    assert decks(8) == DECK * 8
    for count in (0, -1):
        with pytest.raises(ValueError, match="at least one deck"):
            decks(count)


def test_every_card_has_its_names_and_no_two_share_one() -> None:
    names: dict[str, Card] = {}
    for card in DECK:
        rank, suit = card.rank.value, card.suit.value
        signs = (suit, suit.upper(), card.sign[-1])
        ranks = (rank, rank.lower(), "10") if rank == "T" else (rank, rank.lower())
        for name in {each + sign for each in ranks for sign in signs}:
            assert Card.parse(name) == card
            assert names.setdefault(name, card) == card
    assert str(Card.parse("10♥")) == "Th"
    assert (Card.parse("Th").sign, Card.parse("9s").sign) == ("10♥", "9♠")
    assert (Card.parse("Th").code, CODES[Card.parse("9s")]) == ("TH", "9S")


@pytest.mark.parametrize("name", ["", "1s", "109s", "10", "0s", "s9", "9x", " 9s", "11s", "10s "])
def test_what_names_no_card_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no such card"):
        Card.parse(name)


def test_cards_in_a_line_read_back() -> None:
    assert parse_cards(show_cards(DECK)) == DECK
    assert parse_cards("2s,3h  Ad,") == parse_cards("2S 3♥ aD")
    assert parse_cards("") == ()
