"""The cage: bankroll, inventories, fills, credits, drop counts and cash, by two persons and to the cent."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from baccarat.house.book import Context, HouseCommand, HouseEvent
from baccarat.house.cage import CAGE_BOOK, Cage, drop_box_of, tray_of
from baccarat.house.cage_act import (
    BringBankroll,
    CashOut,
    CloseTray,
    CountDrop,
    CountTray,
    CreditTray,
    FillTray,
    OpenTray,
)
from baccarat.house.cage_posting import postings_of_cage
from baccarat.house.gaming_day import CloseDay
from baccarat.house.house import decide_in_book
from baccarat.house.inventory import Inventory
from baccarat.house.reason import HouseReason
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook
from baccarat.ledger import AT_LARGE, CAGE, ISSUE, Account, Ledger, Place, post_cents
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Approval
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave
from house_books import (
    ADMIN_AND_CASHIER,
    DEALER_AND_FLOOR,
    FLOOR_AND_CASHIER,
    OPENING,
    TABLE,
    TWO_COUNTERS,
    Books,
    actor,
    decided,
    seated,
    taken,
)
from ledger_views import Movement, in_issue, movement_of

RULES = rulebook("ma-midi-4")
CASHIER = actor(Role.CAGE_CASHIER, "cashier")


class Counter:
    """A cage with its ledger."""

    def __init__(self, bankroll: int) -> None:
        self.cage, self.ledger = Cage(), Ledger()
        self.do(BringBankroll(amount=bankroll), ADMIN_AND_CASHIER)

    def try_(self, command: HouseCommand, who: Actor) -> Any:
        """The cage after an act, or its refusal."""
        return decided(CAGE_BOOK, Context(rules=RULES, actor=who, ledger=self.ledger), self.cage, command)

    def do(self, command: HouseCommand, who: Actor) -> tuple[HouseEvent, ...]:
        """Do an act, and post it; its events."""
        context = Context(rules=RULES, actor=who, ledger=self.ledger)
        outcome = CAGE_BOOK.decide(context, self.cage, command)
        assert not isinstance(outcome, Refused), outcome
        self.cage = outcome.state
        for event in outcome.events:
            self.ledger = self.ledger.post(*postings_of_cage(event))
        return outcome.events


def refused(outcome: object, *rules: str) -> HouseReason:
    assert isinstance(outcome, Refused), outcome
    assert [str(cite) for cite in outcome.cites] == [f"house §{rule}" for rule in rules]
    assert isinstance(outcome.code, HouseReason)
    return outcome.code


def with_tray(chips: dict[int, int] | None = None) -> Counter:
    counter = Counter(1_000_000)
    counter.do(OpenTray(table=TABLE, chips=Inventory(chips or {10_000: 20, 500: 100})), FLOOR_AND_CASHIER)
    return counter


def test_a_tray_is_opened_filled_credited_counted_and_closed() -> None:
    counter = with_tray()
    counter.do(FillTray(table=TABLE, chips=Inventory({2_500: 40})), FLOOR_AND_CASHIER)
    counter.do(CreditTray(table=TABLE, chips=Inventory({10_000: 3})), FLOOR_AND_CASHIER)
    assert counter.ledger.cents(tray_of(TABLE)) == 250_000 + 100_000 - 30_000
    counter.do(CloseTray(table=TABLE, counted=Inventory({500: 639})), DEALER_AND_FLOOR)
    assert counter.ledger.cents(tray_of(TABLE)) == 0
    assert counter.ledger.cents(Account(Place.OVER_SHORT, TABLE)) == 500, "five dollars short"
    assert counter.ledger.cents(CAGE) == 1_000_000 - 500
    assert in_issue(counter.ledger) == 1_000_000 * MICRO
    assert (counter.cage.slips, counter.cage.trays, counter.cage.over_short) == (4, {}, {TABLE: -500})
    assert counter.cage.sent == {TABLE: 250_000 + 100_000 - 30_000 - 319_500}


def test_the_cage_knows_what_its_owners_brought_and_what_it_redeemed() -> None:
    counter = Counter(1_000_000)
    counter.do(BringBankroll(amount=250), ADMIN_AND_CASHIER)
    counter.ledger = counter.ledger.post(*post_cents("left", ((CAGE, -900), (AT_LARGE, 900))))
    for amount in (300, 600):
        counter.do(CashOut(amount=amount), CASHIER)
    assert (counter.cage.bankroll, counter.cage.redeemed) == (1_000_250, 900)
    assert refused(counter.try_(CashOut(amount=1), CASHIER), "enough") is HouseReason.NOT_ENOUGH


def test_a_count_sets_the_books_right_and_chips_that_move_make_it_void() -> None:
    counter = with_tray()
    counter.do(CountTray(table=TABLE, counted=Inventory({100: 2_501})), DEALER_AND_FLOOR)
    assert counter.ledger.cents(tray_of(TABLE)) == 250_100
    assert counter.ledger.cents(Account(Place.OVER_SHORT, TABLE)) == -100, "a dollar over"
    assert counter.cage.trays[TABLE].counted == 250_100
    counter.do(FillTray(table=TABLE, chips=Inventory({100: 1})), FLOOR_AND_CASHIER)
    assert counter.cage.trays[TABLE].counted is None


def test_a_drop_box_is_counted_by_two_and_what_differs_is_over_or_short() -> None:
    for counted, short in ((70_000, 0), (69_000, 1_000), (70_500, -500)):
        counter = with_tray()
        dropped = post_cents("buy-in", ((CAGE, -70_000), (drop_box_of(TABLE), 70_000)))
        counter.ledger = counter.ledger.post(*dropped)
        cage = counter.ledger.cents(CAGE)
        counter.do(CountDrop(table=TABLE, counted=counted), TWO_COUNTERS)
        assert counter.ledger.cents(drop_box_of(TABLE)) == 0
        assert counter.ledger.cents(CAGE) == cage + counted
        assert counter.ledger.cents(Account(Place.OVER_SHORT, TABLE)) == short
        assert counter.cage.drops == {TABLE: counted}
        assert counter.cage.over_short == ({TABLE: -short} if short else {}), "what agrees is no line"
        again = counter.try_(CountDrop(table=TABLE, counted=0), TWO_COUNTERS)
        assert refused(again, "enough") is HouseReason.OUT_OF_ORDER
    below = with_tray().try_(CountDrop(table=TABLE, counted=-1), TWO_COUNTERS)
    assert refused(below, "count-sheet") is HouseReason.WRONG_SUM


def test_what_was_over_and_what_was_short_add_up_and_each_count_says_which() -> None:
    counter, said = with_tray({100: 50}), list[str]()
    for chips in (45, 48, 48):
        counted = CountTray(table=TABLE, counted=Inventory({100: chips}))
        context = Context(rules=RULES, actor=DEALER_AND_FLOOR, ledger=counter.ledger)
        outcome = CAGE_BOOK.decide(context, counter.cage, counted)
        assert not isinstance(outcome, Refused)
        said += [CAGE_BOOK.tell(event).partition(", ")[2].partition(" (")[0] for event in outcome.events]
        counter.do(counted, DEALER_AND_FLOOR)
    assert said == ["$5.00 short", "$3.00 over", "as the books have it"]
    assert counter.cage.over_short == {TABLE: -200}


CHIPS = Inventory({100: 5})
TWO_PERSON_ACTS: list[tuple[HouseCommand, Actor]] = [
    (BringBankroll(amount=100), ADMIN_AND_CASHIER),
    (OpenTray(table="T2", chips=CHIPS), FLOOR_AND_CASHIER),
    (FillTray(table=TABLE, chips=CHIPS), FLOOR_AND_CASHIER),
    (CreditTray(table=TABLE, chips=CHIPS), FLOOR_AND_CASHIER),
    (CountTray(table=TABLE, counted=CHIPS), DEALER_AND_FLOOR),
    (CloseTray(table=TABLE, counted=CHIPS), DEALER_AND_FLOOR),
    (CountDrop(table=TABLE, counted=100), TWO_COUNTERS),
]


@pytest.mark.parametrize(("command", "right"), TWO_PERSON_ACTS, ids=lambda each: type(each).__name__)
def test_d3_chips_and_counts_take_two_persons_each_in_his_capacity(command: HouseCommand, right: Actor) -> None:
    counter = with_tray()
    assert isinstance(counter.try_(command, right), Cage)
    (second,) = right.approvals
    wrong = {
        "nobody approves": (replace(right, approvals=()), HouseReason.INCOMPLETE),
        "nobody is named": (replace(right, approvals=(Approval(" ", second.role),)), HouseReason.INCOMPLETE),
        "himself": (replace(right, approvals=(Approval(right.who, second.role),)), HouseReason.SAME_PERSON),
        "himself, written otherwise": (
            replace(right, approvals=(Approval(f"  {right.who.upper()} ", second.role),)), HouseReason.SAME_PERSON,
        ),
        "himself as the third": (
            replace(right, approvals=(second, Approval(right.who, second.role))), HouseReason.SAME_PERSON,
        ),
        "a patron approves": (
            replace(right, approvals=(Approval(second.who, Role.PARTICIPANT),)), HouseReason.WRONG_ROLE,
        ),
        "a patron asks": (replace(right, role=Role.PARTICIPANT), HouseReason.WRONG_ROLE),
        "nobody asks": (replace(right, who=""), HouseReason.NO_REASON),
    }  # fmt: skip
    for who, (actor_, code) in wrong.items():
        assert refused(counter.try_(command, actor_), "two-persons") is code, who


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.CAGE_CASHIER])
def test_d3_only_the_cashier_cashes_out(role: Role) -> None:
    assert refused(with_tray().try_(CashOut(amount=1), actor(role)), "two-persons") is HouseReason.WRONG_ROLE


@pytest.mark.parametrize("chips", [{}, {0: 5}, {-100: 5}, {100: -1}, {100: 0}])
def test_a_count_sheet_that_is_none(chips: dict[int, int]) -> None:
    for command in (FillTray, CreditTray):
        outcome = with_tray().try_(command(table=TABLE, chips=Inventory(chips)), FLOOR_AND_CASHIER)
        assert refused(outcome, "count-sheet") is HouseReason.WRONG_SUM
    counts = Inventory(chips).is_countable  # an empty tray is counted as well as a full one
    for count in (CountTray, CloseTray):
        outcome = with_tray().try_(count(table=TABLE, counted=Inventory(chips)), DEALER_AND_FLOOR)
        assert isinstance(outcome, Cage) is counts


def test_more_than_there_is_leaves_neither_cage_nor_tray() -> None:
    counter = with_tray({100: 10_000})
    cage, tray = Inventory({100: 1}), Inventory({100: 10_001})
    assert refused(counter.try_(FillTray(table=TABLE, chips=cage), FLOOR_AND_CASHIER), "enough") is (
        HouseReason.NOT_ENOUGH
    )
    assert refused(counter.try_(CreditTray(table=TABLE, chips=tray), FLOOR_AND_CASHIER), "enough") is (
        HouseReason.NOT_ENOUGH
    )
    exactly = counter.try_(CreditTray(table=TABLE, chips=Inventory({100: 10_000})), FLOOR_AND_CASHIER)
    assert isinstance(exactly, Cage)
    for amount in (0, -1):
        outcome = counter.try_(BringBankroll(amount=amount), ADMIN_AND_CASHIER)
        assert refused(outcome, "enough") is HouseReason.WRONG_SUM


def test_only_an_open_tray_is_filled_credited_or_counted_and_none_is_opened_twice() -> None:
    counter, chips = with_tray(), Inventory({100: 1})
    for command, who in (
        (FillTray(table="T2", chips=chips), FLOOR_AND_CASHIER),
        (CreditTray(table="T2", chips=chips), FLOOR_AND_CASHIER),
        (CountTray(table="T2", counted=chips), DEALER_AND_FLOOR),
        (CloseTray(table="T2", counted=chips), DEALER_AND_FLOOR),
        (OpenTray(table=TABLE, chips=chips), FLOOR_AND_CASHIER),
    ):
        assert refused(counter.try_(command, who), "one-tray") is HouseReason.OUT_OF_ORDER
    counter.ledger = counter.ledger.post(*post_cents("stray", ((CAGE, -5), (tray_of("T2"), 5))))
    strange = counter.try_(OpenTray(table="T2", chips=chips), FLOOR_AND_CASHIER)
    assert refused(strange, "one-tray") is HouseReason.OUT_OF_ORDER, "chips lie there that nobody counted"


def test_cash_out_redeems_what_has_left_a_table_and_no_more() -> None:
    books = Books(RULES)
    seated(books, (1,), amount=70_000)
    books.do(Leave(seat=1))
    assert books.ledger.cents(AT_LARGE) == 70_000
    for amount, code in ((70_001, HouseReason.NOT_ENOUGH), (0, HouseReason.WRONG_SUM)):
        assert refused(books.house.do(CashOut(amount=amount), CASHIER, stream=Stream("cage")), "enough") is code
    books.act(CashOut(amount=70_000), CASHIER)
    assert in_issue(books.ledger) == 2 * OPENING * MICRO
    assert books.house.state.cage.redeemed == 70_000
    books.act(CountDrop(table=TABLE, counted=70_000), TWO_COUNTERS)
    assert books.ledger.cents(CAGE) == OPENING + 70_000
    assert books.ledger.cents(tray_of(TABLE)) == OPENING - 70_000
    (last,) = postings_of_cage(books.house.logs[Stream("cage")][-2])
    assert movement_of(last) is Movement.REDEMPTION


def test_a_tray_that_was_closed_in_play_and_used_is_closed_again_and_opened() -> None:
    """Two of the pit closed it in the middle of a shoe: no tray was ever opened there again, and no day closed."""
    books = Books(RULES)
    seated(books, (1,), amount=70_000)
    books.act(CloseTray(table=TABLE, counted=Inventory({10_000: 99_993})), DEALER_AND_FLOOR)
    books.do(BuyIn(seat=1, amount=30_000))
    assert books.ledger.cents(tray_of(TABLE)) == -30_000
    books.act(CountDrop(table=TABLE, counted=100_000), TWO_COUNTERS)
    close_day, by, day = CloseDay(), actor(Role.CASINO_SUPERVISOR), Stream("day")
    refused_day = books.house.do(close_day, by, stream=day)
    assert isinstance(refused_day, Refused)
    assert "tray of T1 is not open" in refused_day.say
    again = CloseTray(table=TABLE, counted=Inventory({}))
    state = books.house.state
    before = decide_in_book(state, RULES, again, DEALER_AND_FLOOR, stream=Stream("cage"), behaviour=2)
    assert refused(before, "one-tray") is HouseReason.OUT_OF_ORDER
    opened = books.house.do(OpenTray(table=TABLE, chips=Inventory({100: 1})), FLOOR_AND_CASHIER, stream=Stream("cage"))
    assert refused(opened, "one-tray") is HouseReason.OUT_OF_ORDER
    books.act(again, DEALER_AND_FLOOR)
    assert books.house.state.cage.over_short[TABLE] == 30_000, "the books had no chips there: they are over"
    books.act(OpenTray(table=TABLE, chips=Inventory({10_000: 5})), FLOOR_AND_CASHIER)
    books.act(CountTray(table=TABLE, counted=Inventory({10_000: 5})), DEALER_AND_FLOOR)
    taken(books.house.do(close_day, by, stream=day))


ACTS = st.one_of(
    st.builds(FillTray, table=st.just(TABLE), chips=st.builds(Inventory, st.just({100: 3}))),
    st.builds(CreditTray, table=st.just(TABLE), chips=st.builds(Inventory, st.just({100: 2}))),
    st.builds(CountTray, table=st.just(TABLE), counted=st.builds(Inventory, st.just({500: 100}))),
    st.builds(CloseTray, table=st.just(TABLE), counted=st.builds(Inventory, st.just({500: 101}))),
    st.builds(OpenTray, table=st.just(TABLE), chips=st.builds(Inventory, st.just({500: 90}))),
)


@settings(max_examples=50)
@given(st.lists(ACTS, max_size=20))
def test_m1_whatever_the_cage_does_the_sum_stays_and_slips_run_without_gaps(acts: list[HouseCommand]) -> None:
    counter = with_tray()
    for command in acts:
        who = DEALER_AND_FLOOR if isinstance(command, CountTray | CloseTray) else FLOOR_AND_CASHIER
        before = counter.cage.slips
        if isinstance(counter.try_(command, who), Cage):
            counter.do(command, who)
            assert counter.cage.slips == before + 1
        assert in_issue(counter.ledger) == 1_000_000 * MICRO
        tray, short = counter.ledger.cents(tray_of(TABLE)), counter.ledger.cents(Account(Place.OVER_SHORT, TABLE))
        assert tray + short == counter.cage.sent[TABLE]
        assert -short == counter.cage.over_short.get(TABLE, 0)


OVER_SHORT = Account(Place.OVER_SHORT, TABLE)
ACCOUNTS_BY_ACT: list[tuple[HouseCommand, Actor, set[Account]]] = [
    (BringBankroll(amount=250), ADMIN_AND_CASHIER, {ISSUE, CAGE}),
    (OpenTray(table=TABLE, chips=Inventory({100: 90})), FLOOR_AND_CASHIER, {CAGE, tray_of(TABLE)}),
    (FillTray(table=TABLE, chips=Inventory({100: 30})), FLOOR_AND_CASHIER, {CAGE, tray_of(TABLE)}),
    (CreditTray(table=TABLE, chips=Inventory({100: 20})), FLOOR_AND_CASHIER, {CAGE, tray_of(TABLE)}),
    (CountTray(table=TABLE, counted=Inventory({100: 99})), DEALER_AND_FLOOR, {tray_of(TABLE), OVER_SHORT}),
    (CloseTray(table=TABLE, counted=Inventory({100: 98})), DEALER_AND_FLOOR, {CAGE, tray_of(TABLE), OVER_SHORT}),
    (CountDrop(table=TABLE, counted=690), TWO_COUNTERS, {CAGE, drop_box_of(TABLE), OVER_SHORT}),
    (CashOut(amount=900), CASHIER, {AT_LARGE, ISSUE}),
]


def test_every_act_of_the_cage_moves_these_accounts_and_no_others() -> None:
    counter, seen = Counter(1_000_000), set[type[HouseEvent]]()
    elsewhere = ((CAGE, -1_600), (AT_LARGE, 900), (drop_box_of(TABLE), 700))
    counter.ledger = counter.ledger.post(*post_cents("chips and cash elsewhere", elsewhere))
    for command, who, accounts in ACCOUNTS_BY_ACT:
        before = counter.ledger
        seen |= {type(event) for event in counter.do(command, who)}
        known = before.balances.keys() | counter.ledger.balances.keys()
        moved = {account for account in known if before.balance(account) != counter.ledger.balance(account)}
        assert moved == accounts, command
    assert seen == set(CAGE_BOOK.evolvers), "an event of the cage that no act above leads to"
