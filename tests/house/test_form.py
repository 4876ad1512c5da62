"""Complimentary Vigorish Forms and the gaming day that cannot close without them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.house.book import Context, HouseCommand
from baccarat.house.form import FormBook, MissingForm, VoidedForm, compare, unaccounted_serials, waived_by_serial
from baccarat.house.form_book import (
    FORMS,
    DropOriginal,
    FormMadeOut,
    FormsFiled,
    FormsForwarded,
    ForwardForms,
    MakeOutForm,
    OriginalDropped,
    ReceiveSeries,
    ReportMissing,
    VoidPaper,
)
from baccarat.house.form_entry import enter_form
from baccarat.house.gaming_day import (
    DAY,
    BookComplimentary,
    CloseDay,
    Complimentary,
    DayContext,
    GamingDay,
    OpenDay,
)
from baccarat.house.number_map import values_of
from baccarat.house.reason import HouseReason
from baccarat.house.win import Figures
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Approval
from baccarat.table.role import Role
from baccarat.table.vigorish_debt import VigorishDocumented
from baccarat.table.vigorish_form import ComplimentaryForm, FormVoided
from house_books import decided, missing_forms

clause = pytest.mark.clause
RULES = rulebook("nj-punto-banco", vig_collection="deferred")
WATCHING = (Approval("Boss", Role.PIT_BOSS), Approval("Clerk", Role.PIT_CLERK))
SIGNED = {"pit_boss": "Boss", "pit_clerk": "Clerk"}


def form(serial: int = 1, amount: int = 500, **changes: Any) -> ComplimentaryForm:
    made = ComplimentaryForm(
        serial=serial, amount=amount, patron="Patron", dealer="Dealer", pit_boss="Boss", pit_clerk="Clerk",
        patron_signed=True,
    )  # fmt: skip
    return replace(made, **changes)


def done(forms: FormBook, command: HouseCommand, by: Role, *approvals: Approval, rules: Rulebook = RULES) -> Any:
    """The form book after an act, or its refusal."""
    who = Actor(who=by.value, role=by, approvals=approvals)
    return decided(FORMS, Context(rules=rules, actor=who), forms, command)


def receive(forms: FormBook, *, table: str = "T1", first: int, last: int, rules: Rulebook = RULES) -> Any:
    return done(forms, ReceiveSeries(table=table, first=first, last=last), Role.PIT_CLERK, rules=rules)


def make_out(forms: FormBook, made: ComplimentaryForm, by: Role = Role.PIT_CLERK, rules: Rulebook = RULES) -> Any:
    return done(forms, MakeOutForm(table="T1", form=made), by, rules=rules)


def drop(
    forms: FormBook,
    original: ComplimentaryForm,
    by: Role = Role.DEALER,
    present: tuple[Approval, ...] = WATCHING,
    rules: Rulebook = RULES,
) -> Any:
    return done(forms, DropOriginal(table="T1", original=original, present=present), by, rules=rules)


def void(forms: FormBook, serial: int = 1, by: Role = Role.PIT_CLERK, rules: Rulebook = RULES, **changes: Any) -> Any:
    said: dict[str, Any] = {"copies": 2, **SIGNED, **changes}
    return done(forms, VoidPaper(table="T1", serial=serial, **said), by, rules=rules)


def report_missing(
    forms: FormBook, serial: int = 1, reason: str = "burnt", approver: str = "Boss", **changes: Any
) -> Any:
    second = Approval(approver, Role.PIT_BOSS)
    return done(forms, ReportMissing(table="T1", serial=serial, reason=reason), Role.PIT_CLERK, second, **changes)


def forward(forms: FormBook, by: Role = Role.PIT_CLERK, rules: Rulebook = RULES) -> Any:
    return done(forms, ForwardForms(), by, rules=rules)


def book(last: int = 5) -> FormBook:
    return taken(receive(FormBook(), first=1, last=last))


def taken(outcome: Any) -> FormBook:
    assert isinstance(outcome, FormBook), outcome
    return outcome


def day_of(outcome: Any) -> GamingDay:
    assert isinstance(outcome, GamingDay), outcome
    return outcome


def refused(outcome: object, code: HouseReason, *paragraphs: str) -> str:
    assert isinstance(outcome, Refused), outcome
    assert (outcome.code, [cite.paragraph for cite in outcome.cites]) == (code, list(paragraphs))
    return outcome.say


def made_out(forms: FormBook, *made: ComplimentaryForm) -> FormBook:
    for each in made:
        forms = taken(make_out(forms, each))
    return forms


def dropped(forms: FormBook, *made: ComplimentaryForm) -> FormBook:
    for each in made:
        forms = taken(drop(forms, each))
    return forms


# -------------------------------------------------------------------------------------- access and order


@clause("NJ:3.3(c)3i.1", "NJ:3.3(c)3ii.2")
@pytest.mark.parametrize("role", [role for role in Role if role is not Role.PIT_CLERK])
def test_p140_3_3_c_3_ii_blank_forms_only_for_pit_clerks(role: Role) -> None:
    say = refused(make_out(book(), form(), role), HouseReason.WRONG_ROLE, "3.3(c)3ii")
    assert say == f"the {role.value} may not do “make out form”; the pit clerk may"
    assert refused(void(book(), by=role), HouseReason.WRONG_ROLE, "3.3(c)3ii") == "only pit clerks have blank forms"


@clause("NJ:3.3(c)3ii.3")
def test_3_3_c_3_ii_each_series_is_used_in_order() -> None:
    forms = made_out(book(), form(1))
    for serial in (3, 5):
        outcome = make_out(forms, form(serial))
        assert "2 is next" in refused(outcome, HouseReason.OUT_OF_ORDER, "3.3(c)3ii")
    again = make_out(forms, form(1))
    refused(again, HouseReason.OUT_OF_ORDER, "3.3(c)3ii")
    assert made_out(forms, form(2)).next_serial("T1") == 3


@clause("NJ:3.3(c)3ii.1")
def test_3_3_c_3_ii_every_number_received_is_known_and_none_comes_twice() -> None:
    forms = book()
    for first, last in ((5, 9), (1, 1), (0, 3), (7, 6)):
        outcome = receive(forms, first=first, last=last)
        refused(outcome, HouseReason.INCOMPLETE if first in (0, 7) else HouseReason.TWICE, "3.3(c)3ii")
    refused(receive(forms, first=6, last=10_006), HouseReason.INCOMPLETE, "3.3(c)3ii")
    more = taken(receive(forms, first=6, last=7))
    assert [number for number in range(10) if more.is_received(number, "T1")] == [1, 2, 3, 4, 5, 6, 7]
    outcome = receive(forms, table="T2", first=1, last=2)
    assert "by T1" in refused(outcome, HouseReason.TWICE, "3.3(c)3ii"), "a number is one form, whichever table has it"
    assert taken(receive(forms, table="T2", first=6, last=9)).next_serial("T2") == 6
    outcome = make_out(forms, form(6))
    refused(outcome, HouseReason.NO_SUCH_FORM, "3.3(c)3ii")


@clause("NJ:3.3(c)3i.1", "NJ:3.3(c)3i.2")
@pytest.mark.parametrize(
    "changes",
    [
        {"amount": 0}, {"amount": -5}, {"patron": " "}, {"copies": 1}, {"dealer": ""}, {"pit_boss": ""},
        {"pit_clerk": " "}, {"patron_signed": False}, {"patron_signed": False, "why_not_signed": " "},
        {"patron_signed": False, "why_not_signed": "gone"},
        {"patron_signed": False, "why_not_signed": "gone", "stated_by": "Somebody Else"},
    ],
    ids=str,
)  # fmt: skip
def test_3_3_c_3_i_what_must_stand_on_a_form(changes: dict[str, Any]) -> None:
    outcome = make_out(book(), form(**changes))
    refused(outcome, HouseReason.INCOMPLETE, "3.3(c)3i")


@clause("NJ:3.3(c)3i.2")
def test_3_3_c_3_i_a_patron_who_does_not_sign_is_explained() -> None:
    for who in (form().dealer, form().pit_boss):
        explained = form(patron_signed=False, why_not_signed="left in a hurry", stated_by=who)
        assert waived_by_serial(made_out(book(), explained)) == {1: 500}


# -------------------------------------------------------------------------------------- the drop, void forms


@clause("NJ:3.3(c)3iii")
@pytest.mark.parametrize("present", [WATCHING[1:], WATCHING[:1], (), (Approval("Another", Role.PIT_BOSS), WATCHING[1])])
def test_p144_3_3_c_3_iii_those_who_signed_watch_the_drop(present: tuple[Approval, ...]) -> None:
    forms = made_out(book(), form())
    outcome = drop(forms, form(), Role.DEALER, present)
    refused(outcome, HouseReason.INCOMPLETE, "3.3(c)3iii")


@clause("NJ:3.3(c)3iii")
def test_3_3_c_3_iii_the_dealer_drops_once_what_was_made_out() -> None:
    forms = made_out(book(), form())
    for role in (Role.PIT_CLERK, Role.PIT_BOSS, Role.FLOORPERSON):
        outcome = drop(forms, form(), role, WATCHING)
        refused(outcome, HouseReason.WRONG_ROLE, "3.3(c)3iii")
    unknown = drop(forms, form(2), Role.DEALER, WATCHING)
    refused(unknown, HouseReason.NO_SUCH_FORM, "3.3(c)3iii")
    elsewhere = done(forms, DropOriginal(table="T2", original=form(), present=WATCHING), Role.DEALER)
    refused(elsewhere, HouseReason.NO_SUCH_FORM, "3.3(c)3iii")
    twice = drop(dropped(forms, form()), form())
    refused(twice, HouseReason.TWICE, "3.3(c)3iii")


@clause("NJ:3.3(c)3vi")
def test_p145_3_3_c_3_vi_both_parts_void_and_signed_by_pit_boss_and_pit_clerk() -> None:
    forms = taken(void(book()))
    assert forms.next_serial("T1") == 2, "the number stays on record"
    assert "not forwarded" in compare(forms)[0].say
    assert compare(taken(forward(forms))) == ()


@clause("NJ:3.3(c)3vi")
def test_3_3_c_3_vi_what_is_no_void_form() -> None:
    refused(void(book(), copies=1), HouseReason.INCOMPLETE, "3.3(c)3vi")
    for changes in ({"pit_boss": ""}, {"pit_clerk": " "}, {"pit_boss": "Clerk"}):
        refused(void(book(), 1, Role.PIT_CLERK, RULES, **changes), HouseReason.INCOMPLETE, "3.3(c)3vi")
    made = made_out(book(), form())
    refused(void(made, by=Role.DEALER), HouseReason.WRONG_ROLE, "3.3(c)3vi")
    elsewhere = done(made, VoidPaper(table="T2", serial=1, copies=2, **SIGNED), Role.PIT_CLERK)
    refused(elsewhere, HouseReason.NO_SUCH_FORM, "3.3(c)3ii")
    assert isinstance(void(made), FormBook), "made out, and spoilt"
    refused(void(dropped(made, form())), HouseReason.TWICE, "3.3(c)3vi")
    refused(void(taken(void(book()))), HouseReason.TWICE, "3.3(c)3vi")
    refused(void(book(), serial=2), HouseReason.OUT_OF_ORDER, "3.3(c)3ii")


@clause("NJ:3.3(c)3ii.1")
def test_j8_a_missing_number_is_an_exception_of_two_persons() -> None:
    forms = book()
    for changes, code in (
        ({"reason": " "}, HouseReason.NO_REASON),
        ({"approver": ""}, HouseReason.INCOMPLETE),
        ({"approver": "pit clerk"}, HouseReason.SAME_PERSON),
        ({"serial": 9}, HouseReason.NO_SUCH_FORM),
    ):
        refused(report_missing(forms, **changes), code, "3.3(c)3ii")
    forms = taken(report_missing(forms))
    assert missing_forms(forms) == {1: MissingForm(table="T1", reason="burnt", by="pit clerk", approver="Boss")}
    assert forms.next_serial("T1") == 2
    refused(report_missing(forms), HouseReason.TWICE, "3.3(c)3ii")


@clause("NJ:3.3(c)3ii.1")
def test_3_3_c_3_ii_numbers_that_nobody_can_show_are_named() -> None:
    forms = made_out(book(), form(1))
    blanks = [2, 4, 5]
    assert [str(each) for each in unaccounted_serials(forms, blanks=blanks)] == ["form 3 of T1: received, but missing"]
    strange = unaccounted_serials(forms, blanks=[*blanks, 3, 1, 6])
    assert [(each.params["table"], each.params["serial"]) for each in strange] == [("T1", 1), ("", 6)]


@pytest.mark.parametrize(("amount", "fine"), [(0, False), (1, True)])
def test_a_form_waives_a_cent_at_least(amount: int, fine: bool) -> None:
    assert isinstance(make_out(book(), form(amount=amount)), FormBook if fine else Refused)


def test_findings_and_forwarded_forms_are_told_with_their_numbers() -> None:
    (strange,) = unaccounted_serials(book(), blanks=(1, 2, 3, 4, 5, 99))
    assert str(strange) == "form 99: counted as blank, and cannot be"
    (lost,) = unaccounted_serials(book(), blanks=(1, 2, 4, 5))
    assert str(lost) == "form 3 of T1: received, but missing"
    assert FORMS.tell(FormsForwarded(serials=(1, 4))) == "Forms that go to accounting: 1, 4."
    assert FORMS.tell(FormsFiled(serials=())) == "Forms filed with the day: none."


# ------------------------------------------------------------------------------------------ the gaming day


def booked(serial: int = 1, **changes: Any) -> Complimentary:
    return replace(Complimentary(table="T1", serial=serial, patron="Patron", amount=500, code="CV"), **changes)


BLANKS = (2, 3, 4, 5)
WON = {"T1": Figures(win=10_500, waived=500)}


def day_done(
    day: GamingDay, command: HouseCommand, *, forms: FormBook, figures: dict[str, Figures] | None = None, **context: Any
) -> Any:
    """The day after an act, or its refusal."""
    given = {"rules": RULES, "actor": Actor(who="admin", role=Role.ADMINISTRATOR), **context}
    held = WON if figures is None else figures
    return decided(DAY, DayContext(forms=forms, figures=held, **given), day, command)


def book_it(day: GamingDay, complimentary: Complimentary, forms: FormBook) -> Any:
    return day_done(day, BookComplimentary(booked=complimentary), forms=forms)


def close_day(
    day: GamingDay, forms: FormBook, blanks: tuple[int, ...] = BLANKS, figures: dict[str, Figures] | None = None
) -> Any:
    return day_done(day, CloseDay(blanks=blanks), forms=forms, figures=figures)


def full_day() -> tuple[GamingDay, FormBook]:
    """A day with one form, dropped, forwarded and booked, and a win that includes it."""
    forms = taken(forward(dropped(made_out(book(), form()), form())))
    return day_of(book_it(GamingDay(name="1 May"), booked(), forms)), forms


@clause("NJ:3.3(c)3", "NJ:3.3(c)3iv", "NJ:3.3(c)3vii")
def test_3_3_c_3_a_day_with_everything_closes_and_its_win_includes_what_was_waived() -> None:
    open_, forms = full_day()
    day = day_of(close_day(open_, forms))
    assert day.is_closed
    assert (day.total.win, day.total.waived, day.expense) == (10_500, 500, 500)
    refused(close_day(day, forms), HouseReason.CLOSED, "3.3(c)3vii")
    refused(book_it(day, booked(), forms), HouseReason.CLOSED, "3.3(c)3vii")


@clause("NJ:3.3(c)3ii.1")
def test_3_3_c_3_ii_a_day_does_not_close_over_a_lost_number() -> None:
    refused(close_day(*full_day(), blanks=BLANKS[1:]), HouseReason.UNACCOUNTED, "3.3(c)3ii")


@clause("NJ:3.3(c)3iv")
@pytest.mark.parametrize(("original", "differs"), [(form(amount=400), "amount"), (form(patron="X"), "patron")])
def test_3_3_c_3_iv_accounting_compares_original_and_duplicate(original: ComplimentaryForm, differs: str) -> None:
    forms = taken(forward(dropped(made_out(book(), form()), original)))
    say = refused(close_day(full_day()[0], forms), HouseReason.INCOMPLETE, "3.3(c)3iv")
    assert say == f"form 1 of T1: original and duplicate differ: {differs}"


@clause("NJ:3.3(c)3iv")
def test_3_3_c_3_iv_the_pit_clerk_forwards_the_duplicates_before_the_day_ends() -> None:
    kept = dropped(made_out(book(), form()), form())
    refused(forward(kept, by=Role.DEALER), HouseReason.WRONG_ROLE, "3.3(c)3iv")
    day = full_day()[0]
    assert "not forwarded" in refused(close_day(day, kept), HouseReason.INCOMPLETE, "3.3(c)3iv")
    never = taken(forward(made_out(book(), form())))
    assert "no original" in refused(close_day(day, never), HouseReason.INCOMPLETE, "3.3(c)3iv")


@clause("NJ:3.3(c)3v", "NJ:3.3(c)3vii")
def test_3_3_c_3_vii_the_complimentary_is_booked_once_and_to_the_cent_by_the_days_end() -> None:
    full, forms = full_day()
    day, where = replace(full, complimentaries=()), ("3.3(c)3vii",)
    assert "form 1" in refused(close_day(day, forms), HouseReason.INCOMPLETE, *where)
    refused(book_it(day, booked(2), forms), HouseReason.NO_SUCH_FORM, *where)
    refused(book_it(day, booked(table="T2"), forms), HouseReason.NO_SUCH_FORM, *where)
    refused(book_it(day, booked(amount=499), forms), HouseReason.WRONG_SUM, *where)
    refused(book_it(day, booked(code=""), forms), HouseReason.INCOMPLETE, "3.3(c)3v")
    for patron, named in (("Another", "Another"), ("", "nobody")):
        say = refused(book_it(day, booked(patron=patron), forms), HouseReason.INCOMPLETE, *where)
        assert say == f"the form names Patron, not {named}"
    refused(book_it(full, booked(), forms), HouseReason.TWICE, *where)


@clause("NJ:3.3(c)3vii")
def test_3_3_c_3_vii_a_complimentary_without_a_form_keeps_the_day_open() -> None:
    """A form is booked and voided afterwards, before its original was dropped."""
    forms = made_out(book(), form())
    day = day_of(book_it(GamingDay(name="1 May"), booked(), forms))
    forms = taken(forward(taken(void(forms))))
    say = refused(close_day(day, forms, figures={}), HouseReason.INCOMPLETE, "3.3(c)3vii")
    assert say == "booked as a complimentary without a form: form 1 of T1"


@clause("NJ:3.3(c)3vii")
def test_3_3_c_3_vii_waivers_that_are_not_booked_are_named_by_number_whichever_table_came_first() -> None:
    forms = taken(receive(book(2), table="T2", first=6, last=7))
    for table, serial in (("T2", 6), ("T1", 1)):
        forms = FORMS.evolve(forms, FormMadeOut(table=table, form=form(serial)))
        forms = FORMS.evolve(forms, OriginalDropped(table=table, original=form(serial)))
    forms = taken(forward(forms))
    say = refused(close_day(GamingDay(name="1 May"), forms, blanks=(2, 7)), HouseReason.INCOMPLETE, "3.3(c)3vii")
    assert say == "not booked as a complimentary: form 1 of T1, form 6 of T2"


@clause("NJ:3.3(c)3")
@pytest.mark.parametrize("held", [0, 499, 501])
def test_a_39_a_win_without_the_waived_sum_keeps_the_day_open(held: int) -> None:
    figures = {"T1": Figures(win=10_500, waived=held)}
    refused(close_day(*full_day(), figures=figures), HouseReason.WRONG_SUM, "3.3(c)3")


@clause("NJ:3.3(c)3")
def test_a_39_a_win_with_a_waived_sum_that_no_form_says_keeps_the_day_open() -> None:
    figures = {**WON, "T2": Figures(waived=1)}
    say = refused(close_day(*full_day(), figures=figures), HouseReason.WRONG_SUM, "3.3(c)3")
    assert say == "the win of T2 includes $0.01 of waived vigorish, its forms say $0.00"


@clause("NJ:3.3(c)3")
def test_a_39_a_table_whose_forms_are_in_no_figure_keeps_the_day_open() -> None:
    say = refused(close_day(*full_day(), figures={}), HouseReason.WRONG_SUM, "3.3(c)3")
    assert say == "the win of T1 includes $0.00 of waived vigorish, its forms say $5.00"


def test_the_next_day_begins_with_the_blanks_and_the_record_of_the_old_numbers() -> None:
    day, forms = full_day()
    early = day_done(day, OpenDay(name="2 May"), forms=forms)
    assert isinstance(early, Refused), "one day after another"
    day = day_of(day_done(day_of(close_day(day, forms)), OpenDay(name="2 May"), forms=forms))
    forms = FORMS.evolve(forms, FormsFiled(serials=tuple(forms.papers)))
    assert (day.number, forms.next_serial("T1"), day.expense, day.total) == (2, 2, 0, Figures())
    assert day_of(close_day(day, forms, figures={})).is_closed
    refused(void(forms), HouseReason.TWICE, "3.3(c)3vi")


def test_forms_of_past_days_stay_on_record_and_are_today_neither_compared_waived_nor_booked() -> None:
    day, forms = full_day()
    forms = FORMS.evolve(forms, FormsFiled(serials=tuple(forms.papers)))
    assert (compare(forms), waived_by_serial(forms), [number for number, _ in values_of(forms.past)]) == ((), {}, [1])
    later = GamingDay(name="2 May")
    refused(book_it(later, booked(), forms), HouseReason.NO_SUCH_FORM, "3.3(c)3vii")
    refused(report_missing(forms), HouseReason.TWICE, "3.3(c)3ii")
    refused(drop(forms, form()), HouseReason.NO_SUCH_FORM, "3.3(c)3iii")
    lost = taken(report_missing(forms, serial=2))
    filed = FORMS.evolve(lost, FormsFiled(serials=(2,)))
    assert set(missing_forms(filed)) == {2}, "an exception is one on later days too"
    assert filed.next_serial("T1") == 3
    assert [each.params["serial"] for each in unaccounted_serials(filed, blanks=(1, 3, 4, 5))] == [1], (
        "it lies with accounting"
    )
    del day


def entered(forms: FormBook, event: Any) -> Any:
    outcome = enter_form(RULES, forms, table="T1", event=event)
    return outcome if isinstance(outcome, Refused) else FORMS.replay(forms, outcome)


def test_forms_used_and_voided_at_a_table_come_into_the_inventory() -> None:
    forms = taken(entered(book(), VigorishDocumented(seat=3, form=form())))
    forms = taken(entered(forms, FormVoided(serial=2, pit_boss="Boss", pit_clerk="Clerk")))
    assert isinstance(forms.papers[2], VoidedForm)
    forms = taken(forward(forms))
    assert (compare(forms), forms.next_serial("T1")) == ((), 3)
    refused(entered(forms, VigorishDocumented(seat=3, form=form(4))), HouseReason.OUT_OF_ORDER, "3.3(c)3ii")


@clause("MA:12(d)(2)(iii)")
@pytest.mark.parametrize("edition", ["ma-midi-1", "ma-midi-2", "ma-midi-3", "ma-midi-4"])
def test_12_d_2_iii_massachusetts_knows_no_form_and_its_days_close_without(edition: str) -> None:
    rules = rulebook(edition)
    outcomes = (
        receive(FormBook(), first=1, last=2, rules=rules),
        make_out(book(), form(), rules=rules),
        drop(book(), form(), rules=rules),
        void(book(), rules=rules),
        forward(book(), rules=rules),
        report_missing(book(), rules=rules),
    )
    for outcome in outcomes:
        refused(outcome, HouseReason.NOT_OFFERED, "12(d)(2)(iii)")
    assert day_of(day_done(GamingDay(name="1 May"), CloseDay(), forms=FormBook(), figures={}, rules=rules)).is_closed
