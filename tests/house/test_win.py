"""The cage and the win: inventories, fills and credits, drop and hold, theory with its band."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.cards import Card
from baccarat.house.cage import tray_of
from baccarat.house.cage_act import CloseTray, CountTray, CreditTray, FillTray
from baccarat.house.inventory import Inventory
from baccarat.house.win import Figures, Theory, WagerPrices, WinTally, count, total, variance_of
from baccarat.law.rulebook import rulebook
from baccarat.ledger import Account, Place
from baccarat.money import MICRO
from baccarat.play.wager import WagerKind
from baccarat.table.irregularity.remedy import RoundMadeSimulated
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.wagering import WagerChanged, WagerPlaced, WagerWithdrawn
from house_books import DEALER_AND_FLOOR, FLOOR_AND_CASHIER, OPENING, TABLE, Books, play_shoe, seated

RULES = rulebook("ma-midi-4")
BANKER = Theory(edge=Fraction(1, 100), variance=Fraction(9, 10))
PLAYER = Theory(edge=Fraction(1, 50), variance=Fraction(1))
PRICES = WagerPrices(
    {WagerKind.BANKER: BANKER, WagerKind.PLAYER: PLAYER},
    {frozenset({WagerKind.BANKER, WagerKind.PLAYER}): Fraction(-9, 10)},
)


@pytest.mark.slow
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
    books.act(FillTray(table=TABLE, chips=Inventory({100: 5_000})), FLOOR_AND_CASHIER)
    play_shoe(books, f"win {name}")
    books.act(CreditTray(table=TABLE, chips=Inventory({100: 2_000})), FLOOR_AND_CASHIER)
    figures, ledger = books.tally.all_shoes, books.ledger
    claims = ledger.total(Place.MARKER, TABLE) + ledger.total(Place.RECEIVABLE, TABLE)
    held = ledger.balance(tray_of(TABLE)) + ledger.balance(Account(Place.DROP, TABLE)) + claims
    assert figures.win * MICRO == held - (OPENING + 500_000 - 200_000) * MICRO
    assert figures.win * MICRO == books.state.money.bank * MICRO + claims
    assert figures.drop * MICRO == ledger.balance(Account(Place.DROP, TABLE))
    assert figures.hold == Fraction(figures.win, figures.drop)
    assert figures.vigorish == books.state.money.vigorish_earned
    theory = Fraction(figures.handle[WagerKind.BANKER], 100) + Fraction(figures.handle[WagerKind.PLAYER], 50)
    assert figures.theoretical == theory
    others = sum(stake for kind, stake in figures.handle.items() if kind not in PRICES.wagers)
    assert figures.unpriced == others
    assert figures.two_deviations**2 >= 4 * figures.variance > (figures.two_deviations - 1) ** 2


def result() -> ResultAnnounced:
    """A round that ends; only that it ends is counted."""
    return ResultAnnounced(outcome="banker", player=3, banker=8, calls=("Banker wins",))


def staked(**more: Any) -> WinTally:
    """A table with $25 on Banker at seat 1, and what else is said."""
    tally = count(WinTally(table=TABLE), WagerPlaced(seat=1, on=WagerKind.BANKER, stake=2500), (), PRICES)
    return count(tally, more["then"], (), PRICES) if more else tally


def test_a_round_that_was_void_or_made_simulated_is_in_no_figure() -> None:
    card = Card.parse("9s")
    for event in (RoundVoided(returned={1: 2500}), RoundMadeSimulated(position=7, card=card)):
        tally = count(staked(then=event), result(), (), PRICES)
        assert tally.all_shoes == Figures(), event
        assert tally.staked == {}
    assert count(staked(), result(), (), PRICES).all_shoes == Figures(
        rounds=1, handle={WagerKind.BANKER: 2500}, theoretical=Fraction(25), variance=BANKER.variance * 2500**2
    )


def test_without_prices_nothing_is_expected_and_every_stake_is_unpriced() -> None:
    tally = count(WinTally(table=TABLE), WagerPlaced(seat=1, on=WagerKind.BANKER, stake=2500), ())
    assert count(tally, result(), ()).all_shoes == Figures(rounds=1, handle={WagerKind.BANKER: 2500}, unpriced=2500)


def test_what_is_staked_is_what_lies_on_the_layout_last() -> None:
    changed = staked(then=WagerChanged(seat=1, on=WagerKind.BANKER, before=2500, stake=4000))
    assert changed.staked == {1: {WagerKind.BANKER: 4000}}
    both = count(changed, WagerPlaced(seat=1, on=WagerKind.TIE, stake=500), ())
    assert count(both, WagerWithdrawn(seat=1, on=WagerKind.TIE, stake=500), ()).staked == changed.staked
    assert count(both, WagerWithdrawn(seat=1, on=WagerKind.BANKER, stake=4000), ()).staked == {1: {WagerKind.TIE: 500}}
    assert staked(then=WagerWithdrawn(seat=1, on=WagerKind.BANKER, stake=2500)).staked == {}


@pytest.mark.slow
def test_figures_are_kept_by_shoe_and_add_up() -> None:
    books = Books(RULES, PRICES)
    seated(books, (1, 2))
    play_shoe(books, "two shoes", shoes=2)
    shoes = books.tally.shoes
    assert [number for number, each in shoes.items() if each.rounds] == [0, 1]
    assert total(shoes.values()) == books.tally.all_shoes == shoes[0] + shoes[1] + shoes.get(2, Figures())
    assert books.tally.staked == {}


def test_what_is_over_or_short_is_in_the_win() -> None:
    books = Books(RULES)
    books.act(CountTray(table=TABLE, counted=Inventory({100: OPENING // 100 - 7})), DEALER_AND_FLOOR)
    assert (books.tally.all_shoes.win, books.tally.all_shoes.over_short) == (-700, -700)
    books.act(CloseTray(table=TABLE, counted=Inventory({100: OPENING // 100 - 5})), DEALER_AND_FLOOR)
    assert (books.tally.all_shoes.win, books.tally.all_shoes.over_short) == (-500, -500)


def test_progressives_cost_the_house_what_it_put_in() -> None:
    books = Books(rulebook("ma-midi-4-royal9"))
    assert books.tally.all_shoes.pools == (5_000_000 + 35_000 + 35_000 + 100_000) * MICRO, "the seeds, and the start"
    assert books.tally.all_shoes.win == 0


@pytest.mark.parametrize(
    ("variance", "band"),
    [(Fraction(0), 0), (Fraction(1, 4), 1), (Fraction(1, 3), 2), (Fraction(25), 10), (Fraction(2501, 100), 11)],
)
def test_the_band_is_two_deviations_raised_to_the_cent(variance: Fraction, band: int) -> None:
    assert Figures(win=band, variance=variance).two_deviations == band


def test_stakes_of_a_kind_stand_and_fall_together() -> None:
    assert variance_of({(1, WagerKind.BANKER): 100, (2, WagerKind.BANKER): 100}, PRICES) == 200**2 * Fraction(9, 10)
    both = {(1, WagerKind.BANKER): 100, (2, WagerKind.PLAYER): 50}
    assert variance_of(both, PRICES) == 9000 + 2500 - 2 * 5000 * Fraction(9, 10)
    royal = WagerPrices({WagerKind.ROYAL9: Theory(edge=Fraction(1, 5), variance=Fraction(30))})
    assert variance_of({(1, WagerKind.ROYAL9): 500, (2, WagerKind.ROYAL9): 500}, royal) == 2 * 500**2 * 30


def test_nothing_dropped_has_no_hold() -> None:
    assert Figures(win=5).hold is None
    assert Figures(win=5, drop=20).hold == Fraction(1, 4)


def test_every_figure_of_two_shoes_adds_up() -> None:
    kinds = ({WagerKind.BANKER: 1}, {WagerKind.BANKER: 10, WagerKind.TIE: 5})
    numbers = [name for name in Figures.__struct_fields__ if name != "handle"]
    one, two = (
        Figures(**{name: scale * number for number, name in enumerate(numbers, start=1)}, handle=handle)  # type: ignore[arg-type]
        for scale, handle in zip((1, 100), kinds, strict=True)
    )
    both = one + two
    assert [getattr(both, name) for name in numbers] == [101 * number for number in range(1, len(numbers) + 1)]
    assert both.handle == {WagerKind.BANKER: 11, WagerKind.TIE: 5}


@given(st.lists(st.builds(Figures, rounds=st.integers(0, 9), win=st.integers(-9, 9), drop=st.integers(0, 9),
                          handle=st.dictionaries(st.sampled_from(WagerKind), st.integers(0, 9))),
                max_size=4))  # fmt: skip
def test_figures_add_in_any_order(figures: list[Figures]) -> None:
    assert total(figures) == total(reversed(figures))
    assert total(figures).win == sum(each.win for each in figures)
