"""Nobody who sits at a table counts or moves what lies in its tray and its drop box, or changes its options (A-101)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from baccarat.house.book import HouseCommand
from baccarat.house.cage_act import CloseTray, CountDrop, CountTray, CreditTray, FillTray
from baccarat.house.coupon_book import CountCoupons
from baccarat.house.house import decide_in_book
from baccarat.house.inventory import Inventory
from baccarat.house.option_change import ChangeOptions
from baccarat.house.state import Decision
from baccarat.house.stream import CAGE_STREAM, COUPON_STREAM, pit_stream
from baccarat.house.table_statement import StateTableKind
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.dealers import ComeOn
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.table_cards import StatedCards, TableCards
from book_acts import in_pit
from house_books import (
    BOSS,
    BOSS_AND_ADMIN,
    DEALER_AND_FLOOR,
    FLOOR_AND_CASHIER,
    PIT_NAME,
    TABLE,
    TWO_COUNTERS,
    Books,
    open_table,
)

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


# ------------------------------------------------------------------------------------ options, and what a table is


CHANGES = {"tie_odds": "9 to 1"}


@pytest.mark.parametrize("tables", [None, (TABLE,)])
@pytest.mark.parametrize("who", [BOSS.who, BOSS.who.upper()])
def test_nobody_changes_the_options_of_a_table_at_which_he_sits(tables: tuple[str, ...] | None, who: str) -> None:
    """A pit boss who played there raised the odds of the Tie."""
    books, change = with_seated(who), ChangeOptions(changes=CHANGES, effective=0, tables=tables)
    refused = in_pit(books.house, PIT_NAME, change, BOSS)
    assert isinstance(refused, Refused)
    assert (refused.code.value, refused.what) == ("same_person", "sits_at_this_table")
    state, rules, pit = books.house.state, books.house.rules, pit_stream(PIT_NAME)
    assert isinstance(decide_in_book(state, rules, change, BOSS, stream=pit, behaviour=2), Decision)
    books.do(Leave(seat=2))
    assert isinstance(in_pit(books.house, PIT_NAME, change, BOSS), Decision)


def test_at_another_table_of_the_pit_he_may_sit() -> None:
    books = with_seated(BOSS.who)
    open_table(books.house, books.house.rules, "T2")
    change = ChangeOptions(changes=CHANGES, effective=0, tables=("T2",))
    assert isinstance(in_pit(books.house, PIT_NAME, change, BOSS), Decision)


@pytest.mark.parametrize("who", ["D. Ora", " d.  ORA", BOSS.who, "admin"])
def test_a_table_does_not_say_what_it_is_while_its_dealer_or_one_of_the_two_sits_there(who: str) -> None:
    """From then on the machine takes it that no dealer on the game sits there: such a dealer went on doing both."""
    books = with_seated(who, cards=UNSET)
    books.do(ComeOn(person="D. Ora", instead_of="dealer"))
    stated = StateTableKind(table=TABLE, cards=TableCards.REAL)
    refused = in_pit(books.house, PIT_NAME, stated, BOSS_AND_ADMIN)
    assert isinstance(refused, Refused)
    assert refused.what == "sits_at_this_table"
    books.do(Leave(seat=2))
    assert isinstance(in_pit(books.house, PIT_NAME, stated, BOSS_AND_ADMIN), Decision)
