"""The house: tables, cage, forms, pit and day composed; every act whole or not at all, replayed and read back."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from acting import acting
from baccarat.house.book import Aggregate, decode, encode
from baccarat.house.cage import CAGE_BOOK, tray_of
from baccarat.house.cage_act import CloseTray, CountDrop, CountTray, FillTray, OpenTray
from baccarat.house.coupon_book import COUPON_BOOK
from baccarat.house.filed_rules import file_rules
from baccarat.house.form_book import FORMS, ForwardForms, ReceiveSeries, ReportMissing
from baccarat.house.gaming_day import DAY, BookComplimentary, CloseDay, Complimentary, OpenDay
from baccarat.house.house import House, HouseTable
from baccarat.house.house_book import HOUSE_BOOK, AddPit, LinkTables
from baccarat.house.invariant import broken_invariants
from baccarat.house.inventory import Inventory
from baccarat.house.link import LINK
from baccarat.house.option_change import ChangeOptions
from baccarat.house.pit_book import PIT
from baccarat.house.posting import MUST_HIT, ROYAL9
from baccarat.house.reason import HouseReason
from baccarat.house.state import HouseSnapshot, HouseState, apply_decision, closing_objections, restore, snapshot
from baccarat.house.stream import CAGE_STREAM, DAY_STREAM, FORM_STREAM, HOUSE_STREAM, table_stream
from baccarat.house.table_opening import OpenTable
from baccarat.house.win import Figures
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.ledger import AT_LARGE, Account, Place, _add
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted
from baccarat.table.invariant import BrokenInvariant
from baccarat.table.missing_form import MissForm
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import TableCards
from baccarat.table.vigorish_debt import DocumentVigorish
from baccarat.table.vigorish_form import ComplimentaryForm, ReceiveForms, VoidForm
from book_acts import in_link, in_pit
from house_books import (
    ADMIN,
    ADMIN_AND_SUPERVISOR,
    BOSS,
    DEALER_AND_FLOOR,
    FLOOR_AND_CASHIER,
    PIT_NAME,
    TWO_COUNTERS,
    actor,
    missing_forms,
    open_table,
    opened_house,
    replay_house,
    stacks,
    taken,
)
from linked_floor import LINK_NAME, RANGE, Floor

clause = pytest.mark.clause
NEW_JERSEY = rulebook("nj-punto-banco", vig_collection="deferred")
CLERK = actor(Role.PIT_CLERK, "clerk")


def two_tables(rules: Rulebook = NEW_JERSEY) -> tuple[House, HouseTable, HouseTable]:
    """A house with two tables, at each of which one person sits with chips."""
    house = opened_house(rules, bankroll=10**11)
    tables = [open_table(house, rules, name) for name in ("T1", "T2")]
    for table in tables:
        done(table, Sit(seat=1, person="p1"))
        done(table, BuyIn(seat=1, amount=10**7))
    return house, tables[0], tables[1]


def done(table: HouseTable, command: Any, actor: Actor | None = None) -> Accepted:
    outcome = table.do(command, actor or acting(table, command))
    assert isinstance(outcome, Accepted), outcome
    assert broken_invariants(table.house.state) == []
    return outcome


def refused(outcome: object, *cites: str) -> Refused:
    assert isinstance(outcome, Refused), outcome
    assert [str(cite) for cite in outcome.cites] == list(cites)
    return outcome


def to_marker(table: HouseTable) -> int:
    """Play until seat 1 owes vigorish by a marker, and say how much."""
    source = stacks(table.rules, table.name)

    def wager(_table: Any) -> None:
        done(table, PlaceWager(seat=1, on=WagerKind.BANKER, stake=10_300))

    run_until(table, source, stop=lambda t: bool(t.state.money.markers) and t.state.step == "wager", wagers=wager)
    assert broken_invariants(table.house.state) == []
    return table.state.money.markers[1]


def form(serial: int, amount: int) -> ComplimentaryForm:
    return ComplimentaryForm(
        serial=serial, amount=amount, patron="p1", dealer="D", pit_boss="B", pit_clerk="clerk", patron_signed=True
    )  # fmt: skip


# ------------------------------------------------------------------------------------ forms, with the table


@clause("NJ:3.3(c)3ii.1")
def test_what_the_form_book_refuses_never_stands_at_a_table() -> None:
    """Two tables receive the same numbers: the second is refused there and then, not found out at the day's end."""
    house, first, second = two_tables()
    done(first, ReceiveForms(first=1, last=5))
    before = house.state
    outcome = refused(second.do(ReceiveForms(first=5, last=9)), "nj-punto-banco §3.3(c)3ii")
    assert outcome.say == "numbers 1 to 5 were received before, by T1"
    assert house.state is before
    assert second.log == house.logs[table_stream("T2")]
    assert second.state.money.last_form == 0
    done(second, ReceiveForms(first=6, last=9))
    void = VoidForm(serial=6)
    done(second, void, acting(second, void, who="clerk", second="B"))
    assert [each.table for each in house.state.forms.series_received()] == ["T1", "T2"]
    assert set(house.state.forms.papers) == {6}


@clause("NJ:3.3(c)3")
def test_a_form_used_at_a_table_stands_in_the_form_book_by_the_same_act() -> None:
    house, table, _ = two_tables()
    owed = to_marker(table)
    done(table, ReceiveForms(first=1, last=5))
    heads = {stream: house.state.head(stream) for stream in (table_stream("T1"), FORM_STREAM)}
    done(table, DocumentVigorish(seat=1, form=form(1, owed)))
    last = house.journal[-1]
    assert {each.stream: each.after for each in last.appended} == heads, "it names what it rests on"
    assert house.state.forms.papers[1].table == "T1"


@clause("NJ:3.3(c)3ii.1")
def test_j8_a_missing_form_is_passed_over_at_the_table_and_on_record_in_the_form_book() -> None:
    """Reported at the table, so that neither the table waits for a form that is not there, nor the form book."""
    house, table, _ = two_tables()
    owed = to_marker(table)
    done(table, ReceiveForms(first=1, last=4))
    gone = MissForm(serial=3, reason="burnt")
    by_two = acting(table, gone, who="clerk", second="B", second_role=Role.PIT_BOSS)
    for wrong, by, code in (
        (gone, acting(table, gone, who="clerk", second=" CLERK"), "same_person"),
        (replace(gone, reason=" "), by_two, "no_reason"),
        (replace(gone, serial=5), by_two, "out_of_order"),
        (replace(gone, serial=0), by_two, "out_of_order"),
        (gone, replace(by_two, role=Role.DEALER), "wrong_role"),
    ):
        outcome = table.do(wrong, by)
        assert isinstance(outcome, Refused)
        assert (outcome.code.value, [cite.paragraph for cite in outcome.cites]) == (code, ["3.3(c)3ii"])
    done(table, gone, by_two)
    done(table, replace(gone, serial=1), by_two)
    again = refused(table.do(gone, by_two), "nj-punto-banco §3.3(c)3ii")
    assert "form 3 is not a blank form of this table" in again.say
    assert table.state.money.next_form == 2
    assert set(missing_forms(house.state.forms)) == {1, 3}
    done(table, DocumentVigorish(seat=1, form=form(2, owed)))
    assert table.state.money.next_form == 4
    void = VoidForm(serial=4)
    signed = acting(table, void, who="clerk", second="B")
    done(table, void, signed)
    done(table, ReceiveForms(first=5, last=9))
    assert (table.state.money.next_form, table.state.money.missing_forms) == (5, (3, 1))
    for serial in (7, 6):
        done(table, replace(gone, serial=serial), by_two)
    done(table, replace(void, serial=5), signed)
    assert table.state.money.next_form == 8, "both are passed over"
    beside = ReportMissing(table="T1", serial=8, reason="lost")
    two = actor(Role.PIT_CLERK, "clerk", ("B", Role.PIT_BOSS))
    assert refused(house.do(beside, two, stream=FORM_STREAM), "house §at-the-table").code is HouseReason.OUT_OF_ORDER
    received = house.do(ReceiveSeries(table="T1", first=10, last=11), CLERK, stream=FORM_STREAM)
    assert refused(received, "house §at-the-table").code is HouseReason.OUT_OF_ORDER


def test_a_table_stands_in_one_pit_only() -> None:
    house, _, _ = two_tables()
    taken(house.do(AddPit(name="B"), ADMIN, stream=HOUSE_STREAM))
    again = OpenTable(table="T1", filed=file_rules(NEW_JERSEY), effective=0, cards=TableCards.REAL)
    assert refused(in_pit(house, "B", again, BOSS), "house §known-table").code is HouseReason.TWICE
    forged = replace(again, table="T9", filed=replace(again.filed, hash="0" * 64))
    wrong = in_pit(house, "B", forged, BOSS)
    assert isinstance(wrong, Refused)
    assert (wrong.code, wrong.params["options"]) == (HouseReason.INVALID_SUBMISSION, "hash")
    unsound = replace(again, table="T9", filed=replace(again.filed, stated={"decks": 99}))
    outcome = in_pit(house, "B", unsound, BOSS)
    assert isinstance(outcome, Refused)
    assert outcome.code is HouseReason.INVALID_SUBMISSION


# -------------------------------------------------------------------------------------------- a whole day


def counted(house: House, table: str) -> Inventory:
    return Inventory({1: house.state.ledger.cents(tray_of(table))})


def close_all(house: House, *names: str) -> None:
    """Count trays and drop boxes."""
    for name in names:
        dropped = house.state.ledger.cents(Account(Place.DROP, name))
        taken(house.do(CountTray(table=name, counted=counted(house, name)), DEALER_AND_FLOOR, stream=CAGE_STREAM))
        if dropped:
            taken(house.do(CountDrop(table=name, counted=dropped), TWO_COUNTERS, stream=CAGE_STREAM))
        assert broken_invariants(house.state) == []


@clause("NJ:3.3(c)3", "NJ:3.3(c)3iv", "NJ:3.3(c)3vii")
def test_a_day_closes_when_nothing_is_open_and_says_what_is() -> None:
    house, table, other = two_tables()
    owed = to_marker(table)
    done(table, ReceiveForms(first=1, last=5))
    done(table, DocumentVigorish(seat=1, form=form(1, owed)))
    done(table, PlaceWager(seat=1, on=WagerKind.PLAYER, stake=10_000))

    def close(*blanks: int) -> Any:
        return house.do(CloseDay(blanks=blanks), ADMIN, stream=DAY_STREAM)

    say = refused(close(), "house §day-is-counted").say
    assert say == "; ".join((
        f"T1 is in the middle of round {table.state.round.number}",
        "the tray of T1 has not been counted since its last chips moved",
        "the drop box of T1 holds $100,000.00 that has not been counted",
        "the tray of T2 has not been counted since its last chips moved",
        "the drop box of T2 holds $100,000.00 that has not been counted",
    ))  # fmt: skip
    number = table.state.round.number
    run_until(table, stacks(NEW_JERSEY, "T1"), stop=lambda t: t.state.round.number != number, wagers=lambda _: None)
    close_all(house, "T1", "T2")
    assert closing_objections(house.state) == ()
    assert "form 2 of T1" in refused(close(), "nj-punto-banco §3.3(c)3ii").say
    assert "not forwarded" in refused(close(2, 3, 4, 5), "nj-punto-banco §3.3(c)3iv").say
    taken(house.do(ForwardForms(), CLERK, stream=FORM_STREAM))
    assert "not booked" in refused(close(2, 3, 4, 5), "nj-punto-banco §3.3(c)3vii").say
    booked = Complimentary(table="T1", serial=1, patron="p1", amount=owed, code="CV")
    taken(house.do(BookComplimentary(booked=booked), CLERK, stream=DAY_STREAM))
    won = house.state.tallies["T1"].all_shoes
    assert won.waived == owed
    assert won.rounds > 0
    closed = taken(close(2, 3, 4, 5))
    assert {each.stream for each in closed.appended} == {DAY_STREAM, FORM_STREAM}
    assert house.state.day.figures["T1"] == won
    assert house.state.forms.papers == {}
    assert [number for number, _ in house.state.forms.all_papers()] == [1]
    late = refused(other.do(BuyIn(seat=1, amount=100)), "house §one-day")
    assert late.code is HouseReason.CLOSED
    taken(house.do(OpenDay(name="2"), ADMIN, stream=DAY_STREAM))
    assert house.state.tallies["T1"].all_shoes == Figures(), "the next day's figures begin anew"
    done(other, BuyIn(seat=1, amount=100))
    assert broken_invariants(house.state) == []


def test_a_count_is_good_until_chips_move_again() -> None:
    house, table, _ = two_tables()
    close_all(house, "T1", "T2")
    assert closing_objections(house.state) == ()
    done(table, Leave(seat=1))
    assert closing_objections(house.state) == (), "the chips of a participant are not the tray's"
    done(table, Sit(seat=1, person="p2"))
    done(table, BuyIn(seat=1, amount=500))
    assert list(map(str, closing_objections(house.state))) == [
        "the tray of T1 has not been counted since its last chips moved",
        "the drop box of T1 holds $5.00 that has not been counted",
    ]


def test_a_tray_that_is_closed_and_still_pays_keeps_the_day_open() -> None:
    house, table, _ = two_tables()
    close_all(house, "T1", "T2")
    taken(house.do(CloseTray(table="T1", counted=counted(house, "T1")), DEALER_AND_FLOOR, stream=CAGE_STREAM))
    assert closing_objections(house.state) == ()
    done(table, BuyIn(seat=1, amount=500))
    assert "the tray of T1 is not open, and -$5.00 went through it" in list(map(str, closing_objections(house.state)))


# ------------------------------------------------------------------------------ streams, replay, snapshots


def busy_house(name: str = "ma-midi-4-royal9", shoes: int = 1) -> House:
    """Two linked tables that have played a shoe each, with acts of the cage and the pit between."""
    rules = rulebook(name)
    house = opened_house(rules, bankroll=10**11)
    tables = [open_table(house, rules, each) for each in ("T1", "T2")]
    if rules.elections.royal9 is not None:
        link = LinkTables(name="main", tables=("T1", "T2"))
        taken(house.do(link, ADMIN_AND_SUPERVISOR, stream=HOUSE_STREAM))
    for table in tables:
        for seat in (1, 3):
            done(table, Sit(seat=seat, person=f"p{seat}"))
            done(table, BuyIn(seat=seat, amount=10**7))
    chance = random.Random(name)

    def wager(table: Any) -> None:
        for seat in (1, 3):
            table.do(PlaceWager(seat=seat, on=chance.choice((WagerKind.PLAYER, WagerKind.BANKER)), stake=10_300))
            table.do(PlaceWager(seat=seat, on=WagerKind.ROYAL9, stake=500))

    source = stacks(rules, name)
    for shoe in range(1, shoes + 1):
        for table in tables:
            stop = partial(lambda shoe, t: t.state.shoe.number >= shoe, shoe)
            run_until(table, source, stop=stop, wagers=wager)
    taken(house.do(FillTray(table="T1", chips=Inventory({500: 3})), FLOOR_AND_CASHIER, stream=CAGE_STREAM))
    taken(in_pit(house, PIT_NAME, ChangeOptions(changes={"tie_odds": 9}, effective=10), BOSS))
    close_all(house, "T1", "T2")
    return house


BOOKS: dict[str, Aggregate[Any]] = {
    "link": LINK,
    "cage": CAGE_BOOK,
    "pit": PIT,
    "forms": FORMS,
    "coupons": COUPON_BOOK,
    "day": DAY,
    "house": HOUSE_BOOK,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ma-midi-4", "ma-midi-4-royal9", "nj-punto-banco"])
def test_j4_replaying_the_journal_gives_the_house_at_every_prefix(name: str) -> None:
    house = busy_house(name)
    state, again = replay_house(()), replay_house(())
    for number, decision in enumerate(house.journal):
        state = apply_decision(state, decision)
        if number % 97 == 0:
            stored = decode(encode(snapshot(state)), HouseSnapshot)
            again = restore(stored)
            assert again == state, "a snapshot reads back"
    for decision in house.journal[len(house.journal) // 97 * 97 + 1 :]:
        again = apply_decision(again, decision)
    assert state == again == house.state == replay_house(house.journal)
    assert broken_invariants(state) == []


@pytest.mark.slow
def test_j2_streams_run_without_gaps_and_every_event_is_told_with_its_clauses() -> None:
    house = busy_house("ma-midi-4-royal9")
    heads: dict[str, int] = {}
    for decision in house.journal:
        for each in decision.appended:
            assert each.after == heads.get(each.stream, 0)
            heads[each.stream] = each.after + len(each.events)
    assert heads == house.state.heads
    assert {stream: len(log) for stream, log in house.logs.items()} == heads
    for stream, log in house.logs.items():
        book = BOOKS.get(stream.partition(" ")[0])
        if book is not None:
            lines = list(book.transcript(log))
            assert len(lines) == len(log)
            assert all(line.endswith("]") for line in lines), lines


def test_what_a_book_does_not_know_is_refused_and_changes_nothing() -> None:
    house, table, _ = two_tables()
    before = house.state
    missing = House(NEW_JERSEY).table
    with pytest.raises(KeyError):
        missing("T1")
    for outcome in (
        in_pit(house, "B", ChangeOptions(changes={"tie_odds": 9}, effective=10), BOSS),
        in_link(house, "main", LinkTables(name="x", tables=()), ADMIN),
    ):
        assert refused(outcome, "house §known-table").code is HouseReason.NO_SUCH_TABLE
    again = house.do(AddPit(name=PIT_NAME), ADMIN, stream=HOUSE_STREAM)
    assert refused(again, "house §known-table").code is HouseReason.TWICE
    nameless = house.do(AddPit(name=" "), ADMIN, stream=HOUSE_STREAM)
    assert refused(nameless, "house §known-table").code is HouseReason.INCOMPLETE
    with pytest.raises(AssertionError, match="is not an act of the cage"):
        house.do(AddPit(name="B"), ADMIN, stream=CAGE_STREAM)
    assert house.state is before
    with pytest.raises(AssertionError, match="only through acts of the house"):
        table.state = table.state


def test_a_function_of_another_kind_or_a_missing_one_stops_the_making_of_a_book() -> None:
    """A book is made when its module is imported: what is wrong with it is found there, not at a table."""
    parts = {"handlers": DAY.handlers, "evolvers": DAY.evolvers, "tellers": DAY.tellers}

    def made(**changes: Any) -> Aggregate[Any]:
        return Aggregate("day", DAY.state, **{**parts, **changes})

    assert made().handlers == DAY.handlers
    one, other = list(DAY.handlers)[:2]
    with pytest.raises(AssertionError, match=f"handles {other.__name__}, not {one.__name__}"):
        made(handlers={**DAY.handlers, one: DAY.handlers[other]})
    first, second = list(DAY.evolvers)[:2]
    with pytest.raises(AssertionError, match=f"evolves {second.__name__}, not {first.__name__}"):
        made(evolvers={**DAY.evolvers, first: DAY.evolvers[second]})
    with pytest.raises(AssertionError, match="every event has an evolver and a sentence"):
        made(tellers={kind: tell for kind, tell in DAY.tellers.items() if kind is not first})


def test_an_invariant_that_does_not_hold_is_named() -> None:
    house, table, _ = two_tables()
    state = house.state
    done(table, ReceiveForms(first=1, last=3))
    assert broken_invariants(replace(house.state, forms=state.forms)) == [
        BrokenInvariant("J8", f"T1: form {serial} is blank there, and the form book says otherwise")
        for serial in (1, 2, 3)
    ]
    found = broken_invariants(replace(state, ledger=replay_house(()).ledger))
    assert any(str(each).startswith("M2 T1: chips T1 seat 1") for each in found)


def with_ledger(state: HouseState, account: Account, amount: int) -> HouseState:
    """A house whose books hold so much more in an account, given by nobody."""
    branches = list(state.ledger.branches)
    _add(branches, account, amount)
    return replace(state, ledger=replace(state.ledger, branches=tuple(branches)))


def with_link(state: HouseState, royal9: int = 0, must_hit: int = 0, field: str = "contributed") -> HouseState:
    """A link whose own account of what went in or out is so much higher."""
    held = state.links[LINK_NAME]
    assert held.must_hit is not None
    other = replace(
        held,
        royal9=replace(held.royal9, **{field: getattr(held.royal9, field) + royal9}),
        must_hit=replace(held.must_hit, **{field: getattr(held.must_hit, field) + must_hit}),
    )
    return replace(state, links={LINK_NAME: other})


def test_books_of_linked_tables_that_differ_by_the_least_sum_are_named() -> None:
    state = Floor.opened(rulebook("ma-midi-4-royal9", must_hit=RANGE), 3).house.state
    assert broken_invariants(state) == []

    def account(place: Place, seat: int = 0, name: str = "") -> Account:
        return Account(place, "T1", seat, name)

    expected: list[tuple[HouseState, set[str]]] = [
        (with_ledger(state, AT_LARGE, 1), {"M1 the books sum to 1"}),
        (with_ledger(state, account(Place.LAYOUT, 1), 1), {"M1", "M2 T1: the layout holds 1, the table says 0"}),
        (with_ledger(state, account(Place.TRAY), 1), {"M1", "M2 T1: tray, drop box, over and short"}),
        (with_ledger(state, account(Place.PAYABLE, 1), 1), {"M1", "M2 T1: payable T1 seat 1 is 1, the table says 0"}),
        (with_ledger(state, account(Place.RESERVE), 1), {"M1", "M2 T1:", "M8 link main: the ledger's pools"}),
        (with_ledger(state, account(Place.SEEDING, 0, ROYAL9), 1), {"M1", "M8 link main: what the house put up"}),
        (with_ledger(state, account(Place.LINK, 0, MUST_HIT), 1), {"M1", "M8 link main: the Must Hit's pool"}),
        (with_link(state, royal9=1), {"M8 link main: is not conserved", "M8 link main: contributions are not"}),
        (
            with_link(state, must_hit=1),
            {"M8 link main: is not conserved", "M8 link main: the Must Hit's contri"},
        ),
        (with_link(state, 0, 1, "paid"), {"M8 link main: is not conserved", "M8 link main: the Must Hit has not paid"}),
    ]
    for wrong, says in expected:
        found = [str(each) for each in broken_invariants(wrong)]
        assert len(found) == len(says), found
        assert all(any(each.startswith(say) for each in found) for say in says), found


def test_an_open_tray_is_not_opened_again() -> None:
    house, _, _ = two_tables()
    outcome = house.do(OpenTray(table="T1", chips=Inventory({100: 1})), FLOOR_AND_CASHIER, stream=CAGE_STREAM)
    assert refused(outcome, "house §one-tray").code is HouseReason.OUT_OF_ORDER
