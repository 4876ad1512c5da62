"""Complimentary Vigorish Forms and the gaming day that cannot close without them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.house.form import (
    FormBook,
    Missing,
    Series,
    VoidedForm,
    compare,
    drop,
    enter,
    forward,
    make_out,
    receive,
    report_missing,
    unaccounted,
    void,
    waived,
)
from baccarat.house.gaming_day import (
    Complimentary,
    GamingDay,
    close_day,
    open_next,
    record_complimentary,
    report_table,
)
from baccarat.house.reason import HouseReason
from baccarat.house.win import Figures
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.table.owing import ComplimentaryForm, FormVoided, VigorishDocumented
from baccarat.table.role import Role

clause = pytest.mark.clause
RULES = rulebook("nj-punto-banco", vig_collection="deferred")
WATCHING = ((Role.PIT_BOSS, "Boss"), (Role.PIT_CLERK, "Clerk"))
VOID = VoidedForm(pit_boss="Boss", pit_clerk="Clerk")


def form(serial: int = 1, amount: int = 500, **changes: Any) -> ComplimentaryForm:
    made = ComplimentaryForm(
        serial=serial, amount=amount, patron="Patron", dealer="Dealer", pit_boss="Boss", pit_clerk="Clerk",
        patron_signed=True,
    )  # fmt: skip
    return replace(made, **changes)


def book(last: int = 5) -> FormBook:
    return taken(receive(RULES, FormBook(), series=Series(table="T1", first=1, last=last)))


def taken(outcome: FormBook | Refused) -> FormBook:
    assert isinstance(outcome, FormBook), outcome
    return outcome


def day_of(outcome: GamingDay | Refused) -> GamingDay:
    assert isinstance(outcome, GamingDay), outcome
    return outcome


def refused(outcome: object, code: HouseReason, *paragraphs: str) -> str:
    assert isinstance(outcome, Refused), outcome
    assert (outcome.code, [cite.paragraph for cite in outcome.cites]) == (code, list(paragraphs))
    return outcome.say


def made_out(forms: FormBook, *made: ComplimentaryForm) -> FormBook:
    for each in made:
        forms = taken(make_out(RULES, forms, table="T1", form=each, by=Role.PIT_CLERK))
    return forms


def dropped(forms: FormBook, *made: ComplimentaryForm) -> FormBook:
    for each in made:
        forms = taken(drop(RULES, forms, table="T1", original=each, by=Role.DEALER, present=WATCHING))
    return forms


# -------------------------------------------------------------------------------------- access and order


@clause("NJ:3.3(c)3i.1", "NJ:3.3(c)3ii.2")
@pytest.mark.parametrize("role", [role for role in Role if role is not Role.PIT_CLERK])
def test_p140_3_3_c_3_ii_blank_forms_only_for_pit_clerks(role: Role) -> None:
    say = refused(make_out(RULES, book(), table="T1", form=form(), by=role), HouseReason.WRONG_ROLE, "3.3(c)3ii")
    assert say == "blank forms only for pit clerks"
    refused(
        void(RULES, book(), table="T1", serial=1, paper=VOID, copies=2, by=role), HouseReason.WRONG_ROLE, "3.3(c)3ii"
    )  # fmt: skip


@clause("NJ:3.3(c)3ii.3")
def test_3_3_c_3_ii_each_series_is_used_in_order() -> None:
    forms = made_out(book(), form(1))
    for serial in (3, 5):
        outcome = make_out(RULES, forms, table="T1", form=form(serial), by=Role.PIT_CLERK)
        assert "2 is next" in refused(outcome, HouseReason.OUT_OF_ORDER, "3.3(c)3ii")
    again = make_out(RULES, forms, table="T1", form=form(1), by=Role.PIT_CLERK)
    refused(again, HouseReason.OUT_OF_ORDER, "3.3(c)3ii")
    assert made_out(forms, form(2)).next_serial("T1") == 3


@clause("NJ:3.3(c)3ii.1")
def test_3_3_c_3_ii_every_number_received_is_known_and_none_comes_twice() -> None:
    forms = book()
    for first, last in ((5, 9), (1, 1), (0, 3), (7, 6)):
        outcome = receive(RULES, forms, series=Series(table="T1", first=first, last=last))
        refused(outcome, HouseReason.INCOMPLETE if first in (0, 7) else HouseReason.TWICE, "3.3(c)3ii")
    more = taken(receive(RULES, forms, series=Series(table="T1", first=6, last=7)))
    assert more.serials("T1") == [1, 2, 3, 4, 5, 6, 7]
    outcome = receive(RULES, forms, series=Series(table="T2", first=1, last=2))
    assert "by T1" in refused(outcome, HouseReason.TWICE, "3.3(c)3ii"), "a number is one form, whichever table has it"
    assert taken(receive(RULES, forms, series=Series(table="T2", first=6, last=9))).next_serial("T2") == 6
    outcome = make_out(RULES, forms, table="T1", form=form(6), by=Role.PIT_CLERK)
    refused(outcome, HouseReason.NO_SUCH_FORM, "3.3(c)3ii")


@clause("NJ:3.3(c)3i.1", "NJ:3.3(c)3i.2")
@pytest.mark.parametrize(
    "changes",
    [
        {"amount": 0}, {"amount": -5}, {"patron": " "}, {"copies": 1}, {"dealer": ""}, {"pit_boss": ""},
        {"pit_clerk": " "}, {"patron_signed": False}, {"patron_signed": False, "why_not_signed": " "},
    ],
    ids=str,
)  # fmt: skip
def test_3_3_c_3_i_what_must_stand_on_a_form(changes: dict[str, Any]) -> None:
    outcome = make_out(RULES, book(), table="T1", form=form(**changes), by=Role.PIT_CLERK)
    refused(outcome, HouseReason.INCOMPLETE, "3.3(c)3i")


@clause("NJ:3.3(c)3i.2")
def test_3_3_c_3_i_a_patron_who_does_not_sign_is_explained() -> None:
    explained = form(patron_signed=False, why_not_signed="left in a hurry")
    assert waived(made_out(book(), explained)) == {("T1", 1): 500}


# -------------------------------------------------------------------------------------- the drop, void forms


@clause("NJ:3.3(c)3iii")
@pytest.mark.parametrize("present", [WATCHING[1:], WATCHING[:1], (), ((Role.PIT_BOSS, "Another"), WATCHING[1])])
def test_p144_3_3_c_3_iii_those_who_signed_watch_the_drop(present: tuple[tuple[Role, str], ...]) -> None:
    forms = made_out(book(), form())
    outcome = drop(RULES, forms, table="T1", original=form(), by=Role.DEALER, present=present)
    refused(outcome, HouseReason.INCOMPLETE, "3.3(c)3iii")


@clause("NJ:3.3(c)3iii")
def test_3_3_c_3_iii_the_dealer_drops_once_what_was_made_out() -> None:
    forms = made_out(book(), form())
    for role in (Role.PIT_CLERK, Role.PIT_BOSS, Role.FLOORPERSON):
        outcome = drop(RULES, forms, table="T1", original=form(), by=role, present=WATCHING)
        refused(outcome, HouseReason.WRONG_ROLE, "3.3(c)3iii")
    unknown = drop(RULES, forms, table="T1", original=form(2), by=Role.DEALER, present=WATCHING)
    refused(unknown, HouseReason.NO_SUCH_FORM, "3.3(c)3iii")
    twice = drop(RULES, dropped(forms, form()), table="T1", original=form(), by=Role.DEALER, present=WATCHING)
    refused(twice, HouseReason.TWICE, "3.3(c)3iii")


@clause("NJ:3.3(c)3vi")
def test_p145_3_3_c_3_vi_both_parts_void_and_signed_by_pit_boss_and_pit_clerk() -> None:
    forms = taken(void(RULES, book(), table="T1", serial=1, paper=VOID, copies=2, by=Role.PIT_CLERK))
    assert forms.next_serial("T1") == 2, "the number stays on record"
    assert "not forwarded" in compare(forms)[0].say
    assert compare(taken(forward(RULES, forms, by=Role.PIT_CLERK))) == ()


@clause("NJ:3.3(c)3vi")
def test_3_3_c_3_vi_what_is_no_void_form() -> None:
    def voided(forms: FormBook, **changes: Any) -> object:
        said = {"table": "T1", "serial": 1, "paper": VOID, "copies": 2, "by": Role.PIT_CLERK, **changes}
        return void(RULES, forms, **said)

    refused(voided(book(), copies=1), HouseReason.INCOMPLETE, "3.3(c)3vi")
    for paper in (VoidedForm(pit_boss="", pit_clerk="C"), VoidedForm(pit_boss="B", pit_clerk=" ")):
        refused(voided(book(), paper=paper), HouseReason.INCOMPLETE, "3.3(c)3vi")
    made = made_out(book(), form())
    refused(voided(made, by=Role.DEALER), HouseReason.WRONG_ROLE, "3.3(c)3vi")
    assert isinstance(voided(made), FormBook), "made out, and spoilt"
    refused(voided(dropped(made, form())), HouseReason.TWICE, "3.3(c)3vi")
    refused(voided(taken(voided(book()))), HouseReason.TWICE, "3.3(c)3vi")  # type: ignore[arg-type]
    refused(voided(book(), serial=2), HouseReason.OUT_OF_ORDER, "3.3(c)3ii")


@clause("NJ:3.3(c)3ii.1")
def test_j8_a_missing_number_is_an_exception_of_two_persons() -> None:
    lost = Missing(reason="burnt", by="Clerk", approver="Boss")
    forms = book()
    faults = (
        ("reason", " ", HouseReason.NO_REASON),
        ("by", "", HouseReason.NO_REASON),
        ("approver", "Clerk", HouseReason.SAME_PERSON),
    )
    for field, value, code in faults:
        outcome = report_missing(RULES, forms, table="T1", serial=1, missing=replace(lost, **{field: value}))
        refused(outcome, code, "3.3(c)3ii")
    unknown = report_missing(RULES, forms, table="T1", serial=9, missing=lost)
    refused(unknown, HouseReason.NO_SUCH_FORM, "3.3(c)3ii")
    forms = taken(report_missing(RULES, forms, table="T1", serial=1, missing=lost))
    assert forms.exceptions == {("T1", 1): lost}
    assert forms.next_serial("T1") == 2
    refused(report_missing(RULES, forms, table="T1", serial=1, missing=lost), HouseReason.TWICE, "3.3(c)3ii")


@clause("NJ:3.3(c)3ii.1")
def test_3_3_c_3_ii_numbers_that_nobody_can_show_are_named() -> None:
    forms = made_out(book(), form(1))
    blanks = [("T1", serial) for serial in (2, 4, 5)]
    assert [str(each) for each in unaccounted(forms, blanks=blanks)] == [
        "form 3 of T1: received, and nobody knows where it is"
    ]
    strange = unaccounted(forms, blanks=[*blanks, ("T1", 3), ("T1", 1), ("T1", 6), ("T2", 1)])
    assert [(each.table, each.serial) for each in strange] == [("T1", 1), ("T1", 6), ("T2", 1)]


# ------------------------------------------------------------------------------------------ the gaming day


def booked(serial: int = 1, **changes: Any) -> Complimentary:
    return replace(Complimentary(table="T1", serial=serial, patron="Patron", amount=500, code="CV"), **changes)


BLANKS = [("T1", serial) for serial in (2, 3, 4, 5)]


def full_day() -> GamingDay:
    """A day with one form, dropped, forwarded and booked, and a win that includes it."""
    forms = taken(forward(RULES, dropped(made_out(book(), form()), form()), by=Role.PIT_CLERK))
    day = day_of(report_table(RULES, GamingDay(name="1 May", forms=forms), table="T1",
                              figures=Figures(win=10_500, waived=500)))  # fmt: skip
    return day_of(record_complimentary(RULES, day, booked=booked()))


@clause("NJ:3.3(c)3", "NJ:3.3(c)3iv", "NJ:3.3(c)3vii")
def test_3_3_c_3_a_day_with_everything_closes_and_its_win_includes_what_was_waived() -> None:
    day = day_of(close_day(RULES, full_day(), blanks=BLANKS))
    assert day.is_closed
    assert (day.total.win, day.total.waived, day.expense) == (10_500, 500, 500)
    refused(close_day(RULES, day), HouseReason.CLOSED, "3.3(c)3iv", "3.3(c)3vii")
    late = report_table(RULES, day, table="T1", figures=Figures(win=1))
    refused(late, HouseReason.CLOSED, "3.3(c)3iv", "3.3(c)3vii")
    refused(record_complimentary(RULES, day, booked=booked()), HouseReason.CLOSED, "3.3(c)3iv", "3.3(c)3vii")


@clause("NJ:3.3(c)3ii.1")
def test_3_3_c_3_ii_a_day_does_not_close_over_a_lost_number() -> None:
    refused(close_day(RULES, full_day(), blanks=BLANKS[1:]), HouseReason.UNACCOUNTED, "3.3(c)3ii")


@clause("NJ:3.3(c)3iv")
@pytest.mark.parametrize(("original", "differs"), [(form(amount=400), "amount"), (form(patron="X"), "patron")])
def test_3_3_c_3_iv_accounting_compares_original_and_duplicate(original: ComplimentaryForm, differs: str) -> None:
    forms = taken(forward(RULES, dropped(made_out(book(), form()), original), by=Role.PIT_CLERK))
    day = replace(full_day(), forms=forms)
    say = refused(close_day(RULES, day, blanks=BLANKS), HouseReason.INCOMPLETE, "3.3(c)3iv", "3.3(c)3vii")
    assert say == f"form 1 of T1: original and duplicate differ: {differs}"


@clause("NJ:3.3(c)3iv")
def test_3_3_c_3_iv_the_pit_clerk_forwards_the_duplicates_before_the_day_ends() -> None:
    kept = dropped(made_out(book(), form()), form())
    refused(forward(RULES, kept, by=Role.DEALER), HouseReason.WRONG_ROLE, "3.3(c)3iv", "3.3(c)3vii")
    say = refused(
        close_day(RULES, replace(full_day(), forms=kept), blanks=BLANKS),
        HouseReason.INCOMPLETE, "3.3(c)3iv", "3.3(c)3vii",
    )  # fmt: skip
    assert "not forwarded" in say
    never = taken(forward(RULES, made_out(book(), form()), by=Role.PIT_CLERK))
    say = refused(
        close_day(RULES, replace(full_day(), forms=never), blanks=BLANKS),
        HouseReason.INCOMPLETE, "3.3(c)3iv", "3.3(c)3vii",
    )  # fmt: skip
    assert "no original" in say


@clause("NJ:3.3(c)3vii")
def test_3_3_c_3_vii_the_complimentary_is_booked_once_and_to_the_cent_by_the_days_end() -> None:
    day = replace(full_day(), complimentaries=())
    where = ("3.3(c)3iv", "3.3(c)3vii")
    assert "form 1" in refused(close_day(RULES, day, blanks=BLANKS), HouseReason.INCOMPLETE, *where)
    refused(record_complimentary(RULES, day, booked=booked(2)), HouseReason.NO_SUCH_FORM, *where)
    refused(record_complimentary(RULES, day, booked=booked(amount=499)), HouseReason.WRONG_SUM, *where)
    refused(record_complimentary(RULES, day, booked=booked(code="")), HouseReason.INCOMPLETE, *where)
    refused(record_complimentary(RULES, full_day(), booked=booked()), HouseReason.TWICE, *where)


@clause("NJ:3.3(c)3")
@pytest.mark.parametrize("held", [0, 499, 501])
def test_a_39_a_win_without_the_waived_sum_keeps_the_day_open(held: int) -> None:
    day = replace(full_day(), figures={"T1": Figures(win=10_500, waived=held)})
    refused(close_day(RULES, day, blanks=BLANKS), HouseReason.WRONG_SUM, "3.3(c)3")


def test_the_next_day_begins_with_the_blanks_and_the_record_of_the_old_numbers() -> None:
    day = open_next(day_of(close_day(RULES, full_day(), blanks=BLANKS)), name="2 May")
    assert (day.forms.next_serial("T1"), day.expense, day.total) == (2, 0, Figures())
    assert day_of(close_day(RULES, day, blanks=BLANKS)).is_closed
    refused(
        void(RULES, day.forms, table="T1", serial=1, paper=VOID, copies=2, by=Role.PIT_CLERK),
        HouseReason.TWICE,
        "3.3(c)3vi",
    )


def test_forms_used_and_voided_at_a_table_come_into_the_inventory() -> None:
    forms = taken(enter(RULES, book(), table="T1", event=VigorishDocumented(seat=3, form=form())))
    forms = taken(enter(RULES, forms, table="T1", event=FormVoided(serial=2, pit_boss="Boss", pit_clerk="Clerk")))
    forms = taken(forward(RULES, forms, by=Role.PIT_CLERK))
    assert (compare(forms), forms.next_serial("T1")) == ((), 3)
    outcome = enter(RULES, forms, table="T1", event=VigorishDocumented(seat=3, form=form(4)))
    refused(outcome, HouseReason.OUT_OF_ORDER, "3.3(c)3ii")


@clause("MA:12(d)(2)(iii)")
@pytest.mark.parametrize("edition", ["ma-midi-1", "ma-midi-2", "ma-midi-3", "ma-midi-4"])
def test_12_d_2_iii_massachusetts_knows_no_form_and_its_days_close_without(edition: str) -> None:
    rules = rulebook(edition)
    series = Series(table="T1", first=1, last=2)
    outcomes = (
        receive(rules, FormBook(), series=series),
        make_out(rules, book(), table="T1", form=form(), by=Role.PIT_CLERK),
        drop(rules, book(), table="T1", original=form(), by=Role.DEALER, present=WATCHING),
        void(rules, book(), table="T1", serial=1, paper=VOID, copies=2, by=Role.PIT_CLERK),
        forward(rules, book(), by=Role.PIT_CLERK),
        report_missing(rules, book(), table="T1", serial=1, missing=Missing(reason="r", by="a", approver="b")),
    )
    for outcome in outcomes:
        refused(outcome, HouseReason.NOT_OFFERED, "12(d)(2)(iii)")
    assert day_of(close_day(rules, GamingDay(name="1 May"))).is_closed
