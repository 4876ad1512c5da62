"""The ledger: legs sum to nothing, nothing is made or lost but by issue and redemption, nobody pays a neighbour."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.ledger import (
    AT_LARGE,
    CAGE,
    ISSUE,
    Account,
    BalanceLine,
    Ledger,
    Leg,
    Place,
    Posting,
    post_cents,
    post_micro,
)
from baccarat.money import MICRO
from ledger_views import Movement, in_issue, movement_of, overdrawn_trays

TRAY, DROP = Account(Place.TRAY, "T1"), Account(Place.DROP, "T1")


def chips(seat: int, table: str = "T1") -> Account:
    return Account(Place.CHIPS, table, seat)


def posting(*legs: tuple[Account, int]) -> Posting:
    return Posting(what="test", legs=tuple(Leg(account, amount) for account, amount in legs))


@pytest.mark.parametrize(
    ("legs", "why"),
    [
        ([], "two legs"),
        ([(CAGE, 0)], "two legs"),
        ([(CAGE, 5), (TRAY, -4)], "debits and credits"),
        ([(CAGE, 5), (CAGE, -5)], "occurs once"),
        ([(CAGE, 5), (TRAY, -5), (DROP, 0)], "moves something"),
        ([(chips(1), -5), (chips(2), 5)], "participant to participant"),
        ([(chips(1), -5), (chips(1, "T2"), 5)], "participant to participant"),
        ([(chips(1), -9), (chips(2), 5), (Account(Place.PAYABLE, "T1", 3), 4)], "participant to participant"),
    ],
)
def test_m1_m9_a_posting_that_cannot_be(legs: list[tuple[Account, int]], why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        posting(*legs)


def test_m9_a_participant_may_move_his_own_and_many_may_pay_the_house() -> None:
    assert movement_of(posting((chips(1), -5), (Account(Place.LAYOUT, "T1", 1), 5))) is Movement.WITHIN
    assert movement_of(posting((chips(1), -5), (chips(2), -5), (TRAY, 10))) is Movement.WITHIN


def test_m1_only_issue_and_redemption_change_what_the_books_hold() -> None:
    issued = posting((ISSUE, -700), (CAGE, 700))
    moved = posting((CAGE, -300), (AT_LARGE, 300))
    redeemed = posting((AT_LARGE, -100), (ISSUE, 100))
    assert [movement_of(each) for each in (issued, moved, redeemed)] == [
        Movement.ISSUE, Movement.WITHIN, Movement.REDEMPTION,
    ]  # fmt: skip
    least = posting((ISSUE, -1), (CAGE, 1)), posting((AT_LARGE, -1), (ISSUE, 1))
    assert [movement_of(each) for each in least] == [Movement.ISSUE, Movement.REDEMPTION]
    ledger = Ledger()
    held = []
    for each in (issued, moved, redeemed):
        ledger = ledger.post(each)
        held.append(in_issue(ledger))
    assert held == [700, 700, 600]
    assert [(line.account, line.balance) for line in ledger.trial_balance()] == [
        (ISSUE, -600), (CAGE, 400), (AT_LARGE, 200),
    ]  # fmt: skip
    assert ledger.posted == 3


@pytest.mark.parametrize("place", [Place.CHIPS, Place.LAYOUT, Place.PAYABLE, Place.POOL, Place.CAGE, Place.MARKER])
def test_m3_no_such_balance_falls_below_zero(place: Place) -> None:
    account = Account(place, "T1", 1)
    with pytest.raises(AssertionError, match="below zero"):
        Ledger().post(posting((account, -1), (TRAY, 1)))


@pytest.mark.parametrize("place", [Place.DEBT, Place.ISSUE, Place.COMPLIMENTARY])
def test_m3_no_debt_or_expense_rises_above_zero(place: Place) -> None:
    with pytest.raises(AssertionError, match="above zero"):
        Ledger().post(posting((Account(place), 1), (TRAY, -1)))


def test_a_tray_from_which_unwritten_chips_went_is_named() -> None:
    ledger = Ledger().post(posting((TRAY, -1), (chips(1), 1)))
    assert overdrawn_trays(ledger) == (TRAY,)
    assert overdrawn_trays(Ledger()) == ()


def test_a_ledger_is_a_value_and_a_posting_leaves_it_alone() -> None:
    before = Ledger().post(*post_cents("bankroll", ((ISSUE, -5), (CAGE, 5))))
    after = before.post(*post_cents("fill", ((CAGE, -5), (TRAY, 5))))
    assert (before.cents(CAGE), after.cents(CAGE), after.cents(TRAY)) == (5, 0, 5)
    assert CAGE not in after.balances, "what is empty is not listed"
    assert after.total(Place.TRAY, "T1") == 5 * MICRO


def test_what_moves_nothing_is_no_posting_and_legs_of_one_account_are_one() -> None:
    assert post_micro("nothing", ((CAGE, 5), (CAGE, -5))) == ()
    (made,) = post_micro("twice", ((CAGE, 2), (CAGE, 3), (TRAY, -5)), ("ma-midi-4 §7(b)",))
    assert (made.amount(CAGE), made.cites) == (5, ("ma-midi-4 §7(b)",))


def test_lines_print_in_dollars() -> None:
    ledger = Ledger().post(
        *post_micro("x", ((Account(Place.POOL, "T1", name="star"), 25 * MICRO + 7), (TRAY, -25 * MICRO - 7)))
    )
    assert "progressive pool T1 star: $0.25 and 7 micro-cents" in map(str, ledger.trial_balance())
    assert str(BalanceLine(TRAY, 25 * MICRO)) == "tray T1: $0.25"
    assert ledger.cents(Account(Place.POOL, "T1", name="star")) == 25, "a fraction is dropped"
    assert str(chips(3)) == "chips T1 seat 3"


ACCOUNTS = [CAGE, TRAY, DROP, AT_LARGE, chips(1), chips(2), Account(Place.LAYOUT, "T1", 1)]


@given(st.lists(st.tuples(st.sampled_from(ACCOUNTS), st.sampled_from(ACCOUNTS), st.integers(0, 10**12)), max_size=60))
def test_m1_whatever_moves_within_the_sum_stays(moves: list[tuple[Account, Account, int]]) -> None:
    ledger = Ledger().post(posting((ISSUE, -(10**12)), (CAGE, 10**12)))
    for giver, taker, amount in moves:
        there = ledger.balance(giver) if giver is not TRAY else amount
        legs = ((giver, -min(amount, there)), (taker, min(amount, there)))
        owners = {giver.participant, taker.participant}
        if None not in owners and len(owners) > 1:
            continue
        ledger = ledger.post(*post_micro("move", legs))
        assert in_issue(ledger) == 10**12
        assert sum(line.balance for line in ledger.trial_balance()) == 0


def test_a_total_is_of_one_place_and_one_table() -> None:
    ledger = Ledger().post(
        posting((TRAY, -30), (chips(1), 10), (chips(2), 20)),
        posting((Account(Place.TRAY, "T2"), -7), (chips(1, "T2"), 7)),
    )
    assert ledger.total(Place.CHIPS, "T1") == 30
    assert ledger.total(Place.CHIPS, "T2") == 7
    assert ledger.total(Place.CHIPS) == 0, "of no table, which has none"
    assert ledger.total(Place.TRAY, "T1") == -30


def test_a_balance_is_of_one_account_and_not_of_its_place() -> None:
    accounts = [
        Account(Place.POOL, "T1", 0, "star"), Account(Place.POOL, "T1", 0, "spade"),
        Account(Place.POOL, "T2", 0, "star"), Account(Place.POOL, "T1", 1, "star"),
    ]  # fmt: skip
    ledger = Ledger()
    for number, account in enumerate(accounts, start=1):
        ledger = ledger.post(posting((account, number), (TRAY, -number)))
    assert [ledger.balance(account) for account in accounts] == [1, 2, 3, 4]
    assert ledger.balance(Account(Place.POOL, "T1")) == 0
    assert ledger.balance(TRAY) == -10


def test_a_snapshot_of_a_ledger_reads_back_and_goes_on() -> None:
    ledger = Ledger()
    for number in range(300):
        ledger = ledger.post(posting((chips(number + 1), 5 * number + 1), (TRAY, -5 * number - 1)))
    stored = msgspec.json.encode(ledger.trial_balance())
    again = Ledger.from_balances(msgspec.json.decode(stored, type=tuple[BalanceLine, ...]), ledger.posted)
    assert again == ledger
    more = posting((chips(1), -1), (TRAY, 1))
    assert again.post(more) == ledger.post(more) != ledger
    assert chips(1) not in ledger.post(more).balances
    assert again != Ledger.from_balances(ledger.trial_balance(), ledger.posted + 1), "how much was posted is part of it"
    assert ledger != "a ledger"
    assert str(ledger.__repr__()) == "Ledger(301 accounts after 300 postings)"
    with pytest.raises(AssertionError, match="sum to zero"):
        Ledger.from_balances([BalanceLine(TRAY, 5)])
    with pytest.raises(AssertionError, match="not listed"):
        Ledger.from_balances([BalanceLine(TRAY, 0)])
    with pytest.raises(TypeError):
        hash(ledger)


def test_a_posting_copies_what_it_touches_and_shares_the_rest() -> None:
    """However many accounts there are, a posting of two legs leaves all but two branches of the tree alone."""
    ledger = Ledger()
    for number in range(2_000):
        ledger = ledger.post(posting((chips(number + 1), 1), (TRAY, -1)))
    after = ledger.post(posting((chips(7), 1), (TRAY, -1)))
    copied = sum(one is not other for one, other in zip(ledger.branches, after.branches, strict=True))
    assert copied <= 2
    assert after.balance(chips(7)) == 2
    assert ledger.balance(chips(7)) == 1


def test_trays_that_are_short_are_named_in_a_fixed_order() -> None:
    names = ("T3", "T1", "T2")
    ledger = Ledger().post(*(posting((Account(Place.TRAY, name), -1), (chips(1, name), 1)) for name in names))
    assert [account.of for account in overdrawn_trays(ledger)] == ["T1", "T2", "T3"]
