"""Coupons by number: issued by two persons, presented once, by their patron, and counted before the day closes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.house.book import Context, HouseCommand
from baccarat.house.cage import drop_box_of, tray_of
from baccarat.house.cage_act import CountDrop, CountTray
from baccarat.house.coupon import CouponBook, CouponKind, CouponPlace, IssuedRun
from baccarat.house.coupon_book import (
    COUPON_BOOK,
    CancelCoupons,
    CountCoupons,
    CouponPresented,
    CouponsCounted,
    CouponUsed,
    IssueCoupons,
)
from baccarat.house.gaming_day import CloseDay
from baccarat.house.house import House, HouseTable, decide_at_table
from baccarat.house.inventory import Inventory
from baccarat.house.state import closing_objections
from baccarat.house.stream import CAGE_STREAM, COUPON_STREAM, DAY_STREAM
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted
from baccarat.table.coupon import CouponReturned, CouponTaken
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.source import CardSource, SealedShoe
from baccarat.table.step.wagering import PlaceWager, WithdrawWager
from baccarat.table.table_cards import StatedCards, TableCards
from electronic_table import seed_of
from house_books import (
    ADMIN,
    ADMIN_AND_CASHIER,
    DEALER_AND_FLOOR,
    TWO_COUNTERS,
    actor,
    decided,
    open_table,
    opened_house,
    replay_house,
    stacks,
    taken,
)
from triggers import FirstWager

RULES = rulebook("ma-midi-4", match_play=True)
VALUE = 2_500
ISSUE = IssueCoupons(first=101, last=103, value=VALUE, patron="p1")
WITH_COUPON = PlaceWager(seat=1, on=WagerKind.PLAYER, stake=VALUE, coupon=VALUE, coupon_number=101)
CONTEXT = Context(rules=RULES, actor=ADMIN_AND_CASHIER)


def a_house(cards: StatedCards = TableCards.REAL) -> tuple[House, HouseTable]:
    """A house with a table at which p1 and p2 sit with chips."""
    house = opened_house(RULES)
    table = open_table(house, RULES, cards=cards)
    for seat in (1, 2):
        assert isinstance(table.do(Sit(seat=seat, person=f"p{seat}")), Accepted)
        assert isinstance(table.do(BuyIn(seat=seat, amount=10**7)), Accepted)
    run_until(table, cards_of(table), stop=lambda t: t.state.step == "wager", wagers=lambda _: None)
    return house, table


def cards_of(table: HouseTable) -> CardSource:
    if table.state.is_electronic:
        return SealedShoe(RULES, seed_of, table=table.name, triggers=FirstWager(RULES))
    return stacks(RULES, "coupons")


def issued() -> tuple[House, HouseTable]:
    house, table = a_house()
    taken(house.do(ISSUE, ADMIN_AND_CASHIER, stream=COUPON_STREAM))
    return house, table


def place(house: House, number: int = 101) -> CouponPlace:
    return house.state.coupons.place_of(number)


def why(outcome: Any) -> str:
    assert isinstance(outcome, Refused), outcome
    assert [str(cite) for cite in outcome.cites] == ["house §coupon"]
    return outcome.what


def finish(table: HouseTable) -> list[str]:
    """Play the round to its end, and say what became of the coupons at the table."""
    number, before = table.state.round.number, len(table.log)
    run_until(table, cards_of(table), stop=lambda t: t.state.round.number != number, wagers=lambda _: None)
    return [
        str(event.__struct_config__.tag)
        for event in table.log[before:]
        if isinstance(event, CouponTaken | CouponReturned)
    ]


# ------------------------------------------------------------------------------------ at the table


@pytest.mark.clause("MA:7(b).1")
@pytest.mark.parametrize("cards", [TableCards.AUTOMATED, TableCards.ELECTRONIC])
def test_a_patron_cannot_state_a_coupon_at_an_electronic_table_round_after_round(cards: TableCards) -> None:
    """$24,000 in five rounds, out of thin air: the house had no record of any coupon, and nobody saw one."""
    house, table = a_house(cards)
    stated = PlaceWager(seat=1, on=WagerKind.PLAYER, stake=VALUE, coupon=VALUE)
    for _ in range(5):
        refused = table.do(stated, Actor(who="p1", role=Role.PARTICIPANT))
        assert isinstance(refused, Refused)
        assert (refused.code.value, refused.what, [str(cite) for cite in refused.cites]) == (
            "coupon", "coupon_without_a_number", ["ma-midi-4 §7(b)"]
        )  # fmt: skip
        assert why(table.do(replace(stated, coupon_number=7))) == "no_such_coupon"
        assert isinstance(table.do(replace(stated, coupon=0)), Accepted), "chips alone are welcome"
        assert finish(table) == []
    taken(house.do(ISSUE, ADMIN_AND_CASHIER, stream=COUPON_STREAM))
    assert isinstance(table.do(WITH_COUPON), Accepted)


@pytest.mark.parametrize("edition", ["ma-midi-4", "nj-punto-banco"])
def test_a_dealer_who_sees_the_paper_takes_a_coupon_without_a_number_as_before(edition: str) -> None:
    rules = rulebook(edition, match_play=True)
    house = opened_house(rules)
    table = open_table(house, rules)
    table.do(Sit(seat=1, person="p1"))
    table.do(BuyIn(seat=1, amount=10**7))
    run_until(table, stacks(rules, "paper"), stop=lambda t: t.state.step == "wager", wagers=lambda _: None)
    stake = (rules.elections.limits or {})["player"].min
    outcome = table.do(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=stake, coupon=stake))
    assert isinstance(outcome, Accepted), outcome
    assert [each.stream for each in house.journal[-1].appended] == ["table T1"]
    number = table.state.round.number
    run_until(table, stacks(rules, "paper"), stop=lambda t: t.state.round.number != number, wagers=lambda _: None)
    assert COUPON_STREAM not in house.logs


def test_a_coupon_is_presented_once_and_used_when_its_wager_is_decided() -> None:
    house, table = issued()
    decided_rounds = 0
    while not decided_rounds:
        assert isinstance(table.do(WITH_COUPON), Accepted)
        assert [each.stream for each in house.journal[-1].appended] == ["table T1", "coupons"]
        assert place(house) is CouponPlace.ON_TABLE
        second = replace(WITH_COUPON, on=WagerKind.BANKER)
        assert why(table.do(second)) == "coupon_is_elsewhere", "one coupon lies in one place"
        ended = finish(table)
        decided_rounds = ended.count("coupon_taken")
        assert place(house) is (CouponPlace.TAKEN if decided_rounds else CouponPlace.WITH_PATRON)
    for command in (WITH_COUPON, replace(WITH_COUPON, on=WagerKind.BANKER)):
        refused = table.do(command)
        assert why(refused) == "coupon_is_elsewhere"
        assert isinstance(refused, Refused)
        assert refused.say == "coupon 101 is taken"
    assert isinstance(table.do(replace(WITH_COUPON, coupon_number=102)), Accepted), "the next one is good"
    assert replay_house(house.journal) == house.state


def test_a_coupon_that_pushes_is_withdrawn_or_left_behind_goes_back_to_its_patron() -> None:
    house, table = issued()
    for back in (WithdrawWager(seat=1, on=WagerKind.PLAYER), Leave(seat=1)):
        assert isinstance(table.do(WITH_COUPON), Accepted)
        assert place(house) is CouponPlace.ON_TABLE
        assert isinstance(table.do(back), Accepted)
        assert place(house) is CouponPlace.WITH_PATRON
    table.do(Sit(seat=1, person="p1"))
    table.do(BuyIn(seat=1, amount=10**7))
    first = ISSUE.last + 1
    for _ in range(60):  # until a round is a tie, which decides nothing
        number = next(n for n in range(101, first) if place(house, n) is CouponPlace.WITH_PATRON)
        assert isinstance(table.do(replace(WITH_COUPON, coupon_number=number)), Accepted)
        if finish(table) == ["coupon_returned"]:
            assert place(house, number) is CouponPlace.WITH_PATRON
            return
        more = replace(ISSUE, first=first, last=first)
        first += 1
        taken(house.do(more, ADMIN_AND_CASHIER, stream=COUPON_STREAM))
    raise AssertionError("no tie in 60 rounds")


@pytest.mark.parametrize(
    ("command", "what"),
    [
        (replace(WITH_COUPON, coupon_number=104), "no_such_coupon"),
        (replace(WITH_COUPON, coupon_number=-1), "no_such_coupon"),
        (replace(WITH_COUPON, stake=5_000, coupon=5_000), "coupon_has_another_value"),
        (replace(WITH_COUPON, coupon=0), "coupon_has_another_value"),
        (replace(WITH_COUPON, seat=2), "coupon_of_another_patron"),
    ],
)
def test_a_coupon_is_good_for_its_value_and_its_patron(command: PlaceWager, what: str) -> None:
    house, table = issued()
    before = house.state
    assert why(table.do(command)) == what
    assert house.state is before


def test_nobody_learns_what_a_coupon_of_another_patron_is_worth_or_where_it_is() -> None:
    """Its number is tried, with any value: whether it lies on a table, or has been taken, is nobody else's business."""
    house, table = issued()
    tried = [replace(WITH_COUPON, seat=2, stake=stake, coupon=stake) for stake in (VALUE, 2 * VALUE)]
    for _ in range(2):
        for command in tried:
            refused = table.do(command)
            assert isinstance(refused, Refused)
            assert (refused.what, refused.params) == ("coupon_of_another_patron", {"number": 101})
        assert isinstance(table.do(WITH_COUPON) if place(house) is CouponPlace.WITH_PATRON else None, Accepted | None)


def test_a_journal_of_before_says_what_it_said_of_a_coupon_of_another_patron() -> None:
    house, _ = issued()
    command = replace(WITH_COUPON, seat=2, stake=2 * VALUE, coupon=2 * VALUE)
    said = [why(decide_at_table(house.state, "T1", command, behaviour=behaviour)) for behaviour in (1, 2, 3)]
    assert said == ["coupon_has_another_value", "coupon_has_another_value", "coupon_of_another_patron"]


def test_what_the_table_refuses_does_not_use_a_coupon_up() -> None:
    house, table = issued()
    outcome = table.do(replace(WITH_COUPON, on=WagerKind.TIE))
    assert isinstance(outcome, Refused)
    assert outcome.what == "coupon_on_another_wager"
    assert place(house) is CouponPlace.WITH_PATRON


# --------------------------------------------------------------------------------------- in the book


def test_two_persons_issue_coupons_and_no_number_twice() -> None:
    book = decided(COUPON_BOOK, CONTEXT, CouponBook(), ISSUE)
    assert isinstance(book, CouponBook)
    issue = IssuedRun(first=101, last=103, kind=CouponKind.MATCH_PLAY, value=VALUE, patron="p1")
    assert [book.issue_of(number) for number in range(100, 105)] == [None, issue, issue, issue, None]
    assert {book.place_of(number) for number in (101, 102, 103)} == {CouponPlace.WITH_PATRON}
    for command, what in (
        (replace(ISSUE, first=103, last=110), "coupon_issued_before"),
        (replace(ISSUE, first=99, last=101), "coupon_issued_before"),
        (replace(ISSUE, first=0, last=1), "coupons_run_to_a_later_number"),
        (replace(ISSUE, first=9, last=8), "coupons_run_to_a_later_number"),
        (replace(ISSUE, first=2000, last=3000), "coupons_run_to_a_later_number"),
        (replace(ISSUE, first=1, last=1, value=0), "coupon_says_how_much_and_for_whom"),
        (replace(ISSUE, first=1, last=1, value=-1), "coupon_says_how_much_and_for_whom"),
        (replace(ISSUE, first=1, last=1, patron=" "), "coupon_says_how_much_and_for_whom"),
    ):
        assert why(decided(COUPON_BOOK, CONTEXT, book, command)) == what
    most = decided(COUPON_BOOK, CONTEXT, book, replace(ISSUE, first=2000, last=2999))
    assert isinstance(most, CouponBook)
    alone = actor(Role.ADMINISTRATOR, "admin")
    himself = actor(Role.ADMINISTRATOR, "admin", ("Admin ", Role.CAGE_CASHIER))
    other = actor(Role.ADMINISTRATOR, "admin", ("floor", Role.FLOORPERSON))
    for who, code in ((alone, "incomplete"), (himself, "same_person"), (other, "wrong_role")):
        acts: tuple[HouseCommand, ...] = (ISSUE, CancelCoupons(first=1, last=1, reason="x"))
        for act in acts if who is other else (*acts, CountCoupons(table="T1", numbers=())):
            refused = COUPON_BOOK.decide(replace(CONTEXT, actor=who), CouponBook(), act)
            assert isinstance(refused, Refused)
            assert refused.code.value == code


def test_coupons_are_cancelled_while_their_patron_has_them() -> None:
    book = decided(COUPON_BOOK, CONTEXT, CouponBook(), ISSUE)
    assert isinstance(book, CouponBook)
    cancel = CancelCoupons(first=102, last=103, reason="printed twice")
    after = decided(COUPON_BOOK, CONTEXT, book, cancel)
    assert isinstance(after, CouponBook)
    places = [after.place_of(number).value for number in (101, 102, 103)]
    assert places == ["with its patron", "cancelled", "cancelled"]
    for command, what in (
        (cancel, "coupon_is_elsewhere"),
        (replace(cancel, first=103, last=104), "coupon_is_elsewhere"),
        (replace(cancel, first=104, last=104), "no_such_coupon"),
        (replace(cancel, first=101, last=101, reason=" "), "coupons_cancelled_without_a_reason"),
        (replace(cancel, first=5, last=4), "coupons_run_to_a_later_number"),
    ):
        assert why(decided(COUPON_BOOK, CONTEXT, after, command)) == what


def test_a_day_stays_open_until_the_coupons_that_tables_took_are_counted() -> None:
    house, table = issued()
    assert isinstance(table.do(WITH_COUPON), Accepted)
    while finish(table) != ["coupon_taken"]:
        assert isinstance(table.do(WITH_COUPON), Accepted)
    tray, box = (house.state.ledger.cents(of("T1")) for of in (tray_of, drop_box_of))
    taken(house.do(CountTray(table="T1", counted=Inventory({1: tray})), DEALER_AND_FLOOR, stream=CAGE_STREAM))
    taken(house.do(CountDrop(table="T1", counted=box), TWO_COUNTERS, stream=CAGE_STREAM))
    refused = house.do(CloseDay(), ADMIN, stream=DAY_STREAM)
    assert isinstance(refused, Refused)
    assert refused.say == "the coupons that T1 has taken have not been counted"
    found = house.do(CountCoupons(table="T1", numbers=(101, 999)), TWO_COUNTERS, stream=COUPON_STREAM)
    (counted,) = taken(found).events
    assert isinstance(counted, CouponsCounted)
    assert (counted.numbers, counted.missing, counted.strange) == ((101,), (), (999,))
    assert closing_objections(house.state) == ()
    taken(house.do(CloseDay(), ADMIN, stream=DAY_STREAM))
    assert place(house) is CouponPlace.COUNTED
    again = house.do(CountCoupons(table="T1", numbers=()), TWO_COUNTERS, stream=COUPON_STREAM)
    assert why(again) == "no_coupons_to_count"


def test_a_count_says_which_coupons_are_missing() -> None:
    book = decided(COUPON_BOOK, CONTEXT, CouponBook(), replace(ISSUE, first=3, last=5))
    assert isinstance(book, CouponBook)
    for number, table in ((5, "T1"), (3, "T1"), (4, "T2")):
        lies = CouponPresented(number=number, table=table, seat=number, on=WagerKind.PLAYER, shoe=0, round=1)
        book = COUPON_BOOK.replay(book, (lies, CouponUsed(number=number, table=table, paid=False)))
    by = replace(CONTEXT, actor=TWO_COUNTERS)
    after = decided(COUPON_BOOK, by, book, CountCoupons(table="T1", numbers=(4, 5)))
    assert isinstance(after, CouponBook)
    assert [after.place_of(number).value for number in (5, 3, 4)] == ["counted", "counted", "taken"]
    outcome = COUPON_BOOK.decide(by, book, CountCoupons(table="T1", numbers=(4, 5)))
    assert not isinstance(outcome, Refused)
    (event,) = outcome.events
    assert COUPON_BOOK.tell(event).startswith("Coupons of T1: 5; missing: 3; not taken there: 4 (")
