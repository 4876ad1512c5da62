"""Nobody who sits at a table counts or moves what lies in its tray and its drop box (reading A-101)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from baccarat.house.book import HouseCommand
from baccarat.house.cage import CloseTray, CountDrop, CountTray, CreditTray, FillTray
from baccarat.house.coupon_book import CountCoupons
from baccarat.house.house import decide_in_book
from baccarat.house.inventory import Inventory
from baccarat.house.state import Decision
from baccarat.house.stream import CAGE_STREAM, COUPON_STREAM
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.table_cards import StatedCards, TableCards
from house_books import DEALER_AND_FLOOR, FLOOR_AND_CASHIER, TABLE, TWO_COUNTERS, Books

CHIPS = Inventory({100: 5})
OFF_AND_FLOOR = replace(DEALER_AND_FLOOR, who="D. Off")
"""A dealer who is not on the game here, and the floorperson."""
ACTS: dict[str, tuple[HouseCommand, Actor]] = {
    "count": (CountTray(table=TABLE, counted=CHIPS), OFF_AND_FLOOR),
    "close": (CloseTray(table=TABLE, counted=CHIPS), OFF_AND_FLOOR),
    "fill": (FillTray(table=TABLE, chips=CHIPS), FLOOR_AND_CASHIER),
    "credit": (CreditTray(table=TABLE, chips=CHIPS), FLOOR_AND_CASHIER),
    "drop": (CountDrop(table=TABLE, counted=0), TWO_COUNTERS),
    "coupons": (CountCoupons(table=TABLE, numbers=(1,)), TWO_COUNTERS),
}
WHO: dict[str, Callable[[Actor], str]] = {
    "asks": lambda by: by.who,
    "approves": lambda by: by.approvals[0].who,
    "spelled otherwise": lambda by: f"  {by.who.upper()} ",
}


def with_seated(who: str, cards: StatedCards = TableCards.REAL) -> Books:
    """A table at which somebody has bought chips for $100."""
    books = Books(rulebook("ma-midi-4"), cards=cards)
    books.do(Sit(seat=2, person=who))
    books.do(BuyIn(seat=2, amount=10_000))
    return books


def outcome(books: Books, act: str) -> Decision | Refused:
    """What an act of two persons leads to."""
    command, by = ACTS[act]
    stream = COUPON_STREAM if isinstance(command, CountCoupons) else CAGE_STREAM
    return books.house.do(command, by, stream=stream)


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("who", WHO)
def test_nobody_who_sits_at_a_table_counts_or_moves_its_money(act: str, who: str) -> None:
    books = with_seated(WHO[who](ACTS[act][1]))
    refused = outcome(books, act)
    assert isinstance(refused, Refused), act
    assert (refused.code.value, refused.what) == ("same_person", "sits_at_this_table")
    assert "house §two-persons" in map(str, refused.cites)


@pytest.mark.parametrize("act", sorted(set(ACTS) - {"coupons"}))
def test_others_count_and_so_does_somebody_who_has_left(act: str) -> None:
    assert isinstance(outcome(with_seated("G. Uest"), act), Decision)
    books = with_seated(ACTS[act][1].who)
    books.do(Leave(seat=2))
    assert isinstance(outcome(books, act), Decision)


def test_at_a_table_that_does_not_say_what_it_is_acts_are_decided_as_they_were() -> None:
    books = with_seated(ACTS["count"][1].who, cards=UNSET)
    assert isinstance(outcome(books, "count"), Decision)
    command, by = ACTS["count"]
    elsewhere = replace(command, table="9")
    found = books.house.do(elsewhere, by, stream=CAGE_STREAM)
    assert isinstance(found, Refused)
    assert found.what != "sits_at_this_table"


@pytest.mark.parametrize("act", sorted(set(ACTS) - {"coupons"}))
def test_a_book_of_version_2_is_decided_as_it_was(act: str) -> None:
    books = with_seated(ACTS[act][1].who)
    command, by = ACTS[act]
    state, rules = books.house.state, books.house.rules
    assert isinstance(decide_in_book(state, rules, command, by, stream=CAGE_STREAM, behaviour=2), Decision)
    assert isinstance(decide_in_book(state, rules, command, by, stream=CAGE_STREAM), Refused)
