"""The gaming day: complimentaries booked, forms compared, trays and boxes counted; it closes when all is done."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec.structs import replace

from baccarat.house.book import Aggregate, BookOutcome, Context, HouseCommand, HouseEvent, house_cite, house_refuse
from baccarat.house.form import FormBook, UsedForm, compare, form_note, unaccounted_serials, waived_by_serial
from baccarat.house.reason import HouseReason, refuse
from baccarat.house.rule import cite_house
from baccarat.house.win import Figures, total
from baccarat.law.clause import Citation
from baccarat.law.rulebook import Rulebook
from baccarat.law.section import VigorishForm
from baccarat.money import Cents
from baccarat.play.refusal import RefusalNote, Refused, make_refusal
from baccarat.table.bounds import Label, Means, PersonText, Serials
from baccarat.table.card import CommandCard
from baccarat.table.field_type import Amount, FormNumber
from baccarat.table.role import COMPLIMENTARY_BOOKERS, HOUSE_MANAGERS
from baccarat.table.two_persons import is_same_person


class Complimentary(msgspec.Struct, frozen=True, kw_only=True):
    """Waived vigorish booked for a patron as paid by the house in cash: the form, the sum, the code."""

    table: Annotated[Label, Means("the table that has the form")]
    serial: FormNumber
    patron: Annotated[PersonText, Means("the patron's name")]
    amount: Amount
    code: Annotated[Label, Means("the code under which it is booked")]


class GamingDay(msgspec.Struct, frozen=True, kw_only=True):
    """One gaming day: the complimentaries recorded so far, and the figures of each table once it is closed."""

    name: str
    number: int = 1
    complimentaries: tuple[Complimentary, ...] = ()
    figures: dict[str, Figures] = {}
    is_closed: bool = False

    @property
    def total(self) -> Figures:
        """The figures of all tables."""
        return total(self.figures.values())

    @property
    def expense(self) -> int:
        """What was booked as complimentary, in cents."""
        return sum(each.amount for each in self.complimentaries)


class DayContext(Context, frozen=True, kw_only=True):
    """What a day's acts depend on: the forms, the tables' figures, and what is still open in the house."""

    forms: FormBook = FormBook()
    figures: dict[str, Figures] = {}
    still_open: tuple[RefusalNote, ...] = ()


class DayCommand(HouseCommand, frozen=True, kw_only=True):
    """An act of those who keep the day's books."""

    ROLES = HOUSE_MANAGERS

    def belongs_under(self, rules: Rulebook) -> tuple[Citation, ...]:
        """The clauses on the day's end, or the house's own rule."""
        law = rules.edition.vigorish_form
        return rules.cite(*law.book_cite) if law is not None else cite_house("one-day")


class BookComplimentary(DayCommand, frozen=True, kw_only=True, tag="book_complimentary"):
    """What a form waived is booked as a cash complimentary to its patron."""

    booked: Annotated[Complimentary, Means("the complimentary")]
    ROLES = COMPLIMENTARY_BOOKERS
    CARD = CommandCard(group="forms")


class CloseDay(DayCommand, frozen=True, kw_only=True, tag="close_day"):
    """The day is closed; the numbers of the forms that lie there blank are counted."""

    blanks: Annotated[Serials, Means("the numbers of the forms that still lie there blank")] = ()
    CARD = CommandCard(group="day")


class OpenDay(DayCommand, frozen=True, kw_only=True, tag="open_day"):
    """The next day begins."""

    name: Annotated[Label, Means("its name")]
    CARD = CommandCard(group="day")


class ComplimentaryBooked(HouseEvent, frozen=True, kw_only=True, tag="complimentary_booked"):
    """A waiver is an expense of the house."""

    booked: Complimentary


class DayClosed(HouseEvent, frozen=True, kw_only=True, tag="day_closed"):
    """The day is over: the figures of each table."""

    figures: dict[str, Figures]


class DayOpened(HouseEvent, frozen=True, kw_only=True, tag="day_opened"):
    """A day begins."""

    name: str


# ------------------------------------------------------------------------------------------- decisions


def _refuse_closed_day(rules: Rulebook, day: GamingDay, command: DayCommand) -> Refused:
    return make_refusal(HouseReason.CLOSED, "gaming_day_closed", command.belongs_under(rules), name=day.name)


def book_complimentary(context: DayContext, state: GamingDay, command: BookComplimentary) -> BookOutcome:
    """Once and to the cent, for the patron whom the form names."""
    rules, booked, law = context.rules, command.booked, context.rules.edition.vigorish_form
    if state.is_closed:
        return _refuse_closed_day(rules, state, command)
    serial, table, amount = booked.serial, booked.table, booked.amount
    paper = context.forms.papers.get(serial)
    keys = law.book_cite if law is not None else rules.edition.vigorish.due_cite
    if not isinstance(paper, UsedForm) or paper.table != table:
        return refuse(rules, HouseReason.NO_SUCH_FORM, "no_such_form_made_out", *keys, serial=serial, table=table)
    if any(each.serial == serial for each in state.complimentaries):
        return refuse(rules, HouseReason.TWICE, "form_booked_already", *keys, serial=serial)
    written = paper.duplicate.amount
    if amount != written:
        return refuse(rules, HouseReason.WRONG_SUM, "form_says_another_sum", *keys, written=written, amount=amount)
    if not booked.code.strip():
        why, keys = HouseReason.INCOMPLETE, law.code_cite if law is not None else keys
        return refuse(rules, why, "complimentary_without_a_code", *keys, serial=serial, table=table)
    if not is_same_person(booked.patron, patron := paper.duplicate.patron):
        why, named = HouseReason.INCOMPLETE, booked.patron or "nobody"
        return refuse(rules, why, "form_names_another_patron", *keys, patron=patron, named=named)
    return [ComplimentaryBooked(booked=booked, cites=rules.edition.cite_text(*keys))]


def close_day(context: DayContext, state: GamingDay, command: CloseDay) -> BookOutcome:
    """All is counted, every number accounted for, every original as its duplicate, every waiver booked and won."""
    rules, law = context.rules, context.rules.edition.vigorish_form
    if state.is_closed:
        return _refuse_closed_day(rules, state, command)
    if context.still_open:
        return house_refuse(HouseReason.INCOMPLETE, "day_kept_open", "day-is-counted", found=context.still_open)
    if refused := None if law is None else _forms_open(context, law, state, command):
        return refused
    cites = house_cite("day-is-counted") + (rules.edition.cite_text(*law.forward_cite, *law.book_cite) if law else ())
    return [DayClosed(figures=context.figures, cites=cites)]


def _forms_open(context: DayContext, law: VigorishForm, state: GamingDay, command: CloseDay) -> Refused | None:
    """What in the day's forms keeps it open."""
    rules, forms = context.rules, context.forms
    lost = unaccounted_serials(forms, blanks=command.blanks)
    if lost:
        return refuse(rules, HouseReason.UNACCOUNTED, "forms_unaccounted", *law.account_cite, found=lost)
    wrong = compare(forms)
    if wrong:
        return refuse(rules, HouseReason.INCOMPLETE, "forms_differ", *law.forward_cite, found=wrong)
    booked = {each.serial: each.table for each in state.complimentaries}
    open_ = [serial for serial in waived_by_serial(forms) if serial not in booked]
    if open_:
        found = tuple(form_note("form_of_table", serial, forms.papers[serial].table) for serial in sorted(open_))
        return refuse(rules, HouseReason.INCOMPLETE, "forms_not_booked", *law.book_cite, found=found)
    stray = sorted(set(booked) - set(waived_by_serial(forms)))
    if stray:
        found = tuple(form_note("form_of_table", serial, booked[serial]) for serial in stray)
        return refuse(rules, HouseReason.INCOMPLETE, "booked_without_a_form", *law.book_cite, found=found)
    if not_won := _win_differences(context):
        return refuse(rules, HouseReason.WRONG_SUM, "win_without_waived_vigorish", *law.cite, found=not_won)
    return None


def _win_differences(context: DayContext) -> tuple[RefusalNote, ...]:
    """Tables whose win does not include what their forms waived (reading A-39)."""
    sums: dict[str, int] = {}
    for serial, amount in waived_by_serial(context.forms).items():
        table = context.forms.papers[serial].table
        sums[table] = sums.get(table, 0) + amount
    held = {table: figures.waived for table, figures in context.figures.items()}
    return tuple(
        RefusalNote("win_differs_from_forms", {"table": table, "won": held.get(table, 0), "waived": sums.get(table, 0)})
        for table in dict.fromkeys((*held, *sums))
        if held.get(table, 0) != sums.get(table, 0)
    )


def open_day(context: DayContext, state: GamingDay, command: OpenDay) -> BookOutcome:
    """One day after another."""
    del context
    if not state.is_closed:
        return house_refuse(HouseReason.OUT_OF_ORDER, "gaming_day_still_open", "one-day", name=state.name)
    if not command.name.strip():
        return house_refuse(HouseReason.INCOMPLETE, "gaming_day_without_a_name", "one-day")
    return [DayOpened(name=command.name, cites=house_cite("one-day"))]


# ------------------------------------------------------------------------------------------- evolution


def evolve_booked(state: GamingDay, event: ComplimentaryBooked) -> GamingDay:
    """One more expense."""
    return replace(state, complimentaries=(*state.complimentaries, event.booked))


def evolve_closed(state: GamingDay, event: DayClosed) -> GamingDay:
    """Nothing more comes in."""
    return replace(state, figures=event.figures, is_closed=True)


def evolve_opened(state: GamingDay, event: DayOpened) -> GamingDay:
    """A fresh page."""
    return GamingDay(name=event.name, number=state.number + 1)


DAY = Aggregate(
    "day",
    GamingDay,
    handlers={BookComplimentary: book_complimentary, CloseDay: close_day, OpenDay: open_day},
    evolvers={ComplimentaryBooked: evolve_booked, DayClosed: evolve_closed, DayOpened: evolve_opened},
    tellers={
        ComplimentaryBooked: lambda x: (
            f"Form {x.booked.serial} of {x.booked.table}: {Cents(x.booked.amount)} is booked as a complimentary to "
            f"{x.booked.patron}, code {x.booked.code}."
        ),
        DayClosed: lambda x: (
            "The day is closed: "
            + (", ".join(f"{table} won {Cents(each.win)}" for table, each in x.figures.items()) or "no table played")
            + "."
        ),
        DayOpened: lambda x: f"The gaming day {x.name} begins.",
    },
)
