"""The figures of the day: what counts money, moves chips or redeems them changes none of what was won and dropped."""

from __future__ import annotations

import msgspec
import pytest

from baccarat.house.cage_act import CashOut, CloseTray, CountDrop, CountTray, CreditTray, FillTray
from baccarat.house.inventory import Inventory
from baccarat.house.registry import BOOKS
from baccarat.house.state import HouseState
from baccarat.law.rulebook import rulebook
from baccarat.ledger import AT_LARGE, Account, Place
from baccarat.table.registry import EVOLVERS
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave
from house_books import DEALER_AND_FLOOR, FLOOR_AND_CASHIER, TABLE, TWO_COUNTERS, Books, actor, play_shoe, seated
from watched_figures import CAUSES, check_figures, figures

CASHIER = actor(Role.CAGE_CASHIER)
OF_THE_CAGE = {"sent", "drop boxes", "redeemed"}


def test_every_event_that_may_change_a_figure_is_one_of_a_table_or_a_book() -> None:
    held = (each.book.evolvers for each in BOOKS.values())
    known = {each.__name__ for each in EVOLVERS} | {each.__name__ for evolvers in held for each in evolvers}
    assert {name for causes in CAUSES.values() for name in causes} - known == set()


@pytest.mark.slow
@pytest.mark.parametrize("collection", ["at_payout", "deferred"])
def test_what_the_cage_does_after_a_shoe_leaves_the_figures_as_they_were(collection: str) -> None:
    books = Books(rulebook("ma-midi-4", vig_collection=collection))
    seated(books, (1, 2, 5))
    play_shoe(books, "the cage comes")
    chips = Inventory({100: 500})
    box = books.ledger.cents(Account(Place.DROP, TABLE))
    before = figures(books.house.state)
    assert before["drop"][TABLE] == box > 0
    for _ in range(2):  # the second time nothing is as it was the first
        books.act(FillTray(table=TABLE, chips=chips), FLOOR_AND_CASHIER)
        books.act(CreditTray(table=TABLE, chips=chips), FLOOR_AND_CASHIER)
        tray = Inventory({1: books.ledger.cents(Account(Place.TRAY, TABLE))})
        books.act(CountTray(table=TABLE, counted=tray), DEALER_AND_FLOOR)
    books.act(CountDrop(table=TABLE, counted=box), TWO_COUNTERS)
    for seat in (1, 2, 5):
        books.do(Leave(seat=seat))
    books.act(CashOut(amount=books.ledger.cents(AT_LARGE) // 2), CASHIER)
    books.act(CloseTray(table=TABLE, counted=tray), DEALER_AND_FLOOR)
    after = figures(books.house.state)
    assert {name for name in after if after[name] != before[name]} == OF_THE_CAGE
    assert after["drop boxes"] == {TABLE: box}


def shifted(state: HouseState, field: str) -> HouseState:
    """The same house, with a figure of the table, or of the cage, changed by a cent."""
    if field == "bankroll":
        return msgspec.structs.replace(
            state, cage=msgspec.structs.replace(state.cage, bankroll=state.cage.bankroll + 1)
        )
    tally = state.tallies[TABLE]
    shoe = msgspec.structs.replace(tally.shoes[0], **{field: getattr(tally.shoes[0], field) + 1})
    return msgspec.structs.replace(
        state, tallies={**state.tallies, TABLE: msgspec.structs.replace(tally, shoes={**tally.shoes, 0: shoe})}
    )


@pytest.mark.parametrize("field", ["rounds", "drop", "win", "vigorish", "waived", "over_short", "pools", "bankroll"])
def test_an_act_that_changes_a_figure_of_others_is_noticed(field: str) -> None:
    books = Books(rulebook("ma-midi-4"))
    seated(books, (1,))
    before = books.house.state
    books.act(FillTray(table=TABLE, chips=Inventory({100: 500})), FLOOR_AND_CASHIER)
    decision = books.house.journal[-1]
    check_figures(before, decision, books.house.state)
    with pytest.raises(AssertionError, match=field):
        check_figures(before, decision, shifted(books.house.state, field))
