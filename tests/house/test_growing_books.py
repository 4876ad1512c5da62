"""However much a house has on record, an act takes what it took before: nothing that grows is copied or read whole."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.house.book import Aggregate, Context, HouseEvent
from baccarat.house.coupon import CouponBook, CouponKind, CouponPlace
from baccarat.house.coupon_book import COUPON_BOOK, CouponsCancelled, CouponsIssued
from baccarat.house.form import MOST_LOST, FormBook, unaccounted_serials
from baccarat.house.form_book import FORMS, ReceiveSeries, SeriesReceived
from baccarat.house.invariant import InvariantCheck
from baccarat.house.notice import Notice
from baccarat.house.number_map import NumberMap, value_at, values_of, with_value, without_value
from baccarat.house.number_run import CHUNK, NumberRun, Runs, run_of, runs_of, runs_within, with_run, without_run
from baccarat.house.pit import Pit
from baccarat.house.pit_book import PIT, NoticeGiven
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.table.role import Role
from baccarat.table.vigorish_form import ReceiveForms
from house_books import actor, open_table, opened_house

NEW_JERSEY = rulebook("nj-punto-banco")


def issued(count: int) -> Iterator[HouseEvent]:
    """Runs of 1,000 coupons each, and of each run one that is cancelled."""
    kind, by, seen = CouponKind.MATCH_PLAY, "a", "b"
    for first in range(1, 1_000 * count, 1_000):
        last = first + 999
        yield CouponsIssued(first=first, last=last, value=2_500, patron="p", kind=kind, requester=by, approver=seen)
        yield CouponsCancelled(first=first + 5, last=first + 5, reason="x", requester=by, approver=seen)


def received(count: int) -> Iterator[HouseEvent]:
    """Series of 10,000 forms each, at 20 tables in turns."""
    for number in range(count):
        first = 10_000 * number + 1
        yield SeriesReceived(table=f"T{number % 20}", first=first, last=first + 9_999)


def given(count: int) -> Iterator[HouseEvent]:
    """Notices of one option."""
    for value in range(count):
        yield NoticeGiven(notice=Notice(to="division", pit="A", option="goodwill_limit", value=value, sent=value))


@pytest.mark.parametrize(
    ("book", "empty", "events"),
    [(COUPON_BOOK, CouponBook(), issued), (FORMS, FormBook(), received), (PIT, Pit(name="A"), given)],
    ids=["coupons", "forms", "notices"],
)
def test_what_an_act_copies_does_not_grow_with_the_book(
    book: Aggregate[Any], empty: object, events: Callable[[int], Iterator[HouseEvent]]
) -> None:
    """With 1,200 records of 1,000 coupons each, an audit was at work for more than a minute: every act copied all."""
    copied = []
    for count in (1_500, 6_000):
        *others, last = events(count)
        state = book.replay(empty, others)
        tracemalloc.start()
        after = book.evolve(state, last)
        copied.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert after != state
    few, many = copied
    assert many < 2 * few, copied


def test_coupons_and_forms_are_found_among_many() -> None:
    book = COUPON_BOOK.replay(CouponBook(), issued(600))
    assert [run.first for run in runs_of(book.issued)] == list(range(1, 600_000, 1_000))
    assert book.place_of(500_006) is CouponPlace.CANCELLED
    assert book.place_of(500_007) is CouponPlace.WITH_PATRON
    assert book.issue_of(600_001) is None
    forms = FORMS.replay(FormBook(), received(300))
    assert (forms.blank_count, forms.next_serial("T1"), forms.last_received) == (3_000_000, 10_001, 3_000_000)
    clerk = Context(rules=NEW_JERSEY, actor=actor(Role.PIT_CLERK, "clerk"))
    for first, table in ((2_999_999, "T19"), (19_000, "T1")):
        refused = FORMS.decide(clerk, forms, ReceiveSeries(table="T7", first=first, last=first + 5_000))
        assert isinstance(refused, Refused)
        assert refused.params["table"] == table, "the series that came first is named"


def test_numbers_taken_out_of_runs_and_maps_in_any_order() -> None:
    runs: Runs[NumberRun] = ()
    for first in [*range(0, 4_000, 4), *range(2, 4_000, 4)]:
        runs = with_run(runs, NumberRun(first=first, last=first))
    assert [run.first for run in runs_of(runs)] == list(range(0, 4_000, 2))
    assert max(map(len, runs)) <= CHUNK
    assert [run.first for run in runs_within(runs, 511, 517)] == [512, 514, 516]
    for number in range(0, 4_000, 2):
        held = run_of(runs, number)
        assert held is not None
        assert run_of(runs, number + 1) is None
        runs = without_run(runs, held)
    assert runs == ()
    held_map: NumberMap[str] = {}
    numbers = [0, 1, 1_023, 1_024, 2**20 - 1, 2**20, 2**31 - 1]
    for number in reversed(numbers):
        held_map = with_value(held_map, number, str(number))
    assert list(values_of(held_map)) == [(number, str(number)) for number in numbers]
    for number in numbers:
        held_map = without_value(held_map, number)
        assert value_at(held_map, number) is None
    assert held_map == {}


def test_an_act_at_one_table_has_the_books_of_no_other_read_again() -> None:
    """The whole house was compared with its books after every act: 300 tables took a hundred times as long as 30."""
    house = opened_house(NEW_JERSEY, bankroll=10**12)
    tables = [open_table(house, NEW_JERSEY, f"T{number}", tray=10**7) for number in range(12)]
    clerk = actor(Role.PIT_CLERK, "clerk")
    for number, table in enumerate(tables):
        table.do(ReceiveForms(first=1 + 10_000 * number, last=10_000 + 10_000 * number), clerk)
    check, state = InvariantCheck(), house.state
    assert check.broken(state) == []
    assert state.forms.blank_count == 120_000
    wrong = dict.fromkeys(("T3", "T4"), replace(state.tables["T3"], money=replace(state.tables["T3"].money, bank=1)))
    found = check.broken(replace(state, tables={**state.tables, **wrong}))
    assert {each.say.partition(":")[0] for each in found} == {"T3", "T4"}
    assert check.broken(replace(state, tables={**state.tables, **wrong}, day=state.day)) == [], "said once"
    assert check.broken(state) == []


def test_numbers_that_nobody_accounts_for_are_named_as_long_as_a_record_could_hold_them() -> None:
    """A refusal that named each of 12 million blank forms filled the memory of whoever decided it again."""
    forms = FORMS.replay(FormBook(), received(1_200))
    assert len(unaccounted_serials(forms, blanks=())) == MOST_LOST
