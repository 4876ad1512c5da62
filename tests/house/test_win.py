"""The cage and the win: inventories, fills and credits, drop and hold, theory with its band."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.house.cage import (
    Inventory,
    bankroll,
    cash_out,
    close_tray,
    colour_up,
    count_drop,
    credit,
    fill,
    open_tray,
    tray_of,
)
from baccarat.house.reason import HouseReason
from baccarat.house.win import Figures, Theory, WagerPrices, total, variance_of
from baccarat.law.rulebook import rulebook
from baccarat.ledger import AT_LARGE, CAGE, Account, Ledger, Movement, Place, Posting
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.play.wager import Kind
from baccarat.table.people import Leave
from house_books import OPENING, TABLE, Books, play_shoe, seated

RULES = rulebook("ma-midi-4")
BANKER = Theory(edge=Fraction(1, 100), variance=Fraction(9, 10))
PLAYER = Theory(edge=Fraction(1, 50), variance=Fraction(1))
PRICES = WagerPrices(
    {Kind.BANKER: BANKER, Kind.PLAYER: PLAYER}, {frozenset({Kind.BANKER, Kind.PLAYER}): Fraction(-9, 10)}
)


def made(outcome: tuple[Posting, ...] | Refused) -> tuple[Posting, ...]:
    assert not isinstance(outcome, Refused), outcome
    return outcome


def refused(outcome: object) -> HouseReason:
    assert isinstance(outcome, Refused)
    assert outcome.cites, "a refusal cites"
    assert isinstance(outcome.code, HouseReason)
    return outcome.code


# ---------------------------------------------------------------------------------------------- cage


def test_a_tray_is_opened_filled_credited_counted_and_closed() -> None:
    ledger = Ledger().post(*bankroll(1_000_000))
    ledger = ledger.post(*made(open_tray(RULES, ledger, table=TABLE, tray=Inventory({10_000: 20, 500: 100}))))
    ledger = ledger.post(*made(fill(RULES, ledger, table=TABLE, chips=Inventory({2_500: 40}))))
    ledger = ledger.post(*made(credit(RULES, ledger, table=TABLE, chips=Inventory({10_000: 3}))))
    assert ledger.cents(tray_of(TABLE)) == 250_000 + 100_000 - 30_000
    closing = made(close_tray(RULES, ledger, table=TABLE, counted=Inventory({500: 639})))
    ledger = ledger.post(*closing)
    assert ledger.cents(tray_of(TABLE)) == 0
    assert ledger.cents(Account(Place.OVER_SHORT, TABLE)) == 500, "five dollars short"
    assert ledger.cents(CAGE) == 1_000_000 - 500
    assert ledger.in_issue == 1_000_000 * MICRO


@pytest.mark.parametrize("chips", [{}, {0: 5}, {-100: 5}, {100: -1}, {100: 0}])
def test_a_count_sheet_that_is_none(chips: dict[int, int]) -> None:
    ledger = Ledger().post(*bankroll(10_000))
    assert refused(fill(RULES, ledger, table=TABLE, chips=Inventory(chips))) is HouseReason.WRONG_SUM


def test_more_than_there_is_leaves_neither_cage_nor_tray() -> None:
    ledger = Ledger().post(*bankroll(10_000))
    assert refused(fill(RULES, ledger, table=TABLE, chips=Inventory({100: 101}))) is HouseReason.NOT_ENOUGH
    assert refused(credit(RULES, ledger, table=TABLE, chips=Inventory({100: 1}))) is HouseReason.NOT_ENOUGH
    ledger = ledger.post(*made(open_tray(RULES, ledger, table=TABLE, tray=Inventory({100: 1}))))
    again = open_tray(RULES, ledger, table=TABLE, tray=Inventory({100: 1}))
    assert refused(again) is HouseReason.OUT_OF_ORDER


def test_colour_up_changes_chips_into_as_much() -> None:
    tray = Inventory({10_000: 2, 500: 3})
    small, large = Inventory({500: 40}), Inventory({10_000: 2})
    after = colour_up(RULES, tray=tray, given=small, taken=large)
    assert after == Inventory({500: 43, 10_000: 0})
    assert refused(colour_up(RULES, tray=tray, given=small, taken=Inventory({10_000: 1}))) is HouseReason.WRONG_SUM
    assert refused(colour_up(RULES, tray=tray, given=large, taken=Inventory({2_500: 8}))) is HouseReason.NOT_ENOUGH
    assert refused(colour_up(RULES, tray=tray, given=Inventory({}), taken=Inventory({}))) is HouseReason.WRONG_SUM


def test_cash_out_redeems_what_has_left_a_table_and_no_more() -> None:
    books = Books(RULES)
    seated(books, (1,), amount=70_000)
    books.do(Leave(seat=1))
    assert books.ledger.cents(AT_LARGE) == 70_000
    assert refused(cash_out(RULES, books.ledger, amount=70_001)) is HouseReason.NOT_ENOUGH
    assert refused(cash_out(RULES, books.ledger, amount=0)) is HouseReason.WRONG_SUM
    (posting,) = made(cash_out(RULES, books.ledger, amount=70_000))
    assert posting.movement is Movement.REDEMPTION
    ledger = books.ledger.post(posting)
    assert ledger.in_issue == 2 * OPENING * MICRO
    ledger = ledger.post(*count_drop(ledger, table=TABLE))
    assert ledger.cents(CAGE) == OPENING + 70_000
    assert ledger.cents(tray_of(TABLE)) == OPENING - 70_000


# ----------------------------------------------------------------------------------------------- win


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("ma-midi-4", {}),
        ("ma-midi-4-ez", {}),
        ("ma-midi-4-royal9", {}),
        ("nj-punto-banco", {"vig_collection": "deferred"}),
    ],
)
def test_the_win_by_events_is_the_win_by_inventory(name: str, changes: dict[str, Any]) -> None:
    rules = rulebook(name, **changes)
    books = Books(rules, PRICES)
    seated(books, (1, 2, 5))
    books.post(made(fill(rules, books.ledger, table=TABLE, chips=Inventory({100: 5_000}))))
    play_shoe(books, f"win {name}")
    books.post(made(credit(rules, books.ledger, table=TABLE, chips=Inventory({100: 2_000}))))
    figures, ledger = books.tally.all, books.ledger
    claims = ledger.total(Place.MARKER, TABLE) + ledger.total(Place.RECEIVABLE, TABLE)
    held = ledger.balance(tray_of(TABLE)) + ledger.balance(Account(Place.DROP, TABLE)) + claims
    assert figures.win * MICRO == held - (OPENING + 500_000 - 200_000) * MICRO
    assert figures.win * MICRO == books.state.money.bank * MICRO + claims
    assert figures.drop * MICRO == ledger.balance(Account(Place.DROP, TABLE))
    assert figures.hold == Fraction(figures.win, figures.drop)
    assert figures.vigorish == books.state.money.vigorish_earned
    theory = Fraction(figures.handle[Kind.BANKER], 100) + Fraction(figures.handle[Kind.PLAYER], 50)
    assert figures.theoretical == theory
    others = sum(stake for kind, stake in figures.handle.items() if kind not in PRICES.wagers)
    assert figures.unpriced == others
    assert figures.band**2 >= 4 * figures.variance > (figures.band - 1) ** 2
    assert figures.is_within_band is (abs(figures.win - theory) <= figures.band)


def test_figures_are_kept_by_shoe_and_add_up() -> None:
    books = Books(RULES, PRICES)
    seated(books, (1, 2))
    play_shoe(books, "two shoes", shoes=2)
    shoes = books.tally.shoes
    assert [number for number, each in shoes.items() if each.rounds] == [0, 1]
    assert total(shoes.values()) == books.tally.all == shoes[0] + shoes[1] + shoes.get(2, Figures())
    assert books.tally.staked == {}


def test_what_is_over_or_short_is_in_the_win() -> None:
    books = Books(RULES)
    books.post(made(close_tray(RULES, books.ledger, table=TABLE, counted=Inventory({100: OPENING // 100 - 7}))))
    assert (books.tally.all.win, books.tally.all.over_short) == (-700, -700)


def test_progressives_cost_the_house_what_it_put_in() -> None:
    books = Books(rulebook("ma-midi-4-royal9"))
    assert books.tally.all.pools == (5_000_000 + 35_000 + 35_000 + 100_000) * MICRO, "the seeds, and the start"
    assert books.tally.all.win == 0


@pytest.mark.parametrize(
    ("variance", "band"),
    [(Fraction(0), 0), (Fraction(1, 4), 1), (Fraction(1, 3), 2), (Fraction(25), 10), (Fraction(2501, 100), 11)],
)
def test_the_band_is_two_deviations_raised_to_the_cent(variance: Fraction, band: int) -> None:
    figures = Figures(win=band, variance=variance)
    assert figures.band == band
    assert figures.is_within_band
    assert not Figures(win=band + 1, variance=variance).is_within_band


def test_stakes_of_a_kind_stand_and_fall_together() -> None:
    assert variance_of({(1, Kind.BANKER): 100, (2, Kind.BANKER): 100}, PRICES) == 200**2 * Fraction(9, 10)
    both = {(1, Kind.BANKER): 100, (2, Kind.PLAYER): 50}
    assert variance_of(both, PRICES) == 9000 + 2500 - 2 * 5000 * Fraction(9, 10)
    royal = WagerPrices({Kind.ROYAL9: Theory(edge=Fraction(1, 5), variance=Fraction(30))})
    assert variance_of({(1, Kind.ROYAL9): 500, (2, Kind.ROYAL9): 500}, royal) == 2 * 500**2 * 30


def test_nothing_dropped_has_no_hold() -> None:
    assert Figures(win=5).hold is None
    assert Figures(win=5, drop=20).hold == Fraction(1, 4)


@given(st.lists(st.builds(Figures, rounds=st.integers(0, 9), win=st.integers(-9, 9), drop=st.integers(0, 9),
                          handle=st.dictionaries(st.sampled_from(Kind), st.integers(0, 9))), max_size=4))  # fmt: skip
def test_figures_add_in_any_order(figures: list[Figures]) -> None:
    assert total(figures) == total(reversed(figures))
    assert total(figures).win == sum(each.win for each in figures)
