"""The gaming day: figures of its tables, forms compared, complimentaries recorded; it closes when all is there."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from baccarat.house.form import FormBook, Used, compare, unaccounted, waived
from baccarat.house.reason import HouseReason, refuse
from baccarat.house.win import Figures, total
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.play.refusal import Refused
from baccarat.table.persons import is_same


class Complimentary(msgspec.Struct, frozen=True, kw_only=True):
    """Waived vigorish booked for a patron as paid by the house in cash: the form, the sum, the code."""

    table: str
    serial: int
    patron: str
    amount: int
    code: str


class GamingDay(msgspec.Struct, frozen=True, kw_only=True):
    """One gaming day: the figures of each table, the forms, and the complimentaries recorded so far."""

    name: str
    figures: dict[str, Figures] = {}
    forms: FormBook = FormBook()
    complimentaries: tuple[Complimentary, ...] = ()
    is_closed: bool = False

    @property
    def total(self) -> Figures:
        """The figures of all tables."""
        return total(self.figures.values())

    @property
    def expense(self) -> int:
        """What was booked as complimentary, in cents."""
        return sum(each.amount for each in self.complimentaries)


def report_table(rules: Rulebook, day: GamingDay, *, table: str, figures: Figures) -> GamingDay | Refused:
    """Add figures of a table: of a shoe, or of all its shoes of the day."""
    if day.is_closed:
        return _closed(rules, day)
    known = day.figures.get(table, Figures())
    return replace(day, figures={**day.figures, table: known + figures})


def _keys(rules: Rulebook) -> tuple[str, ...]:
    law = rules.edition.vigorish_form
    return law.close_cite if law is not None else rules.edition.vigorish.due_cite


def _closed(rules: Rulebook, day: GamingDay) -> Refused:
    return refuse(rules, HouseReason.CLOSED, f"the gaming day {day.name} is closed", *_keys(rules))


def record_complimentary(rules: Rulebook, day: GamingDay, *, booked: Complimentary) -> GamingDay | Refused:
    """Book what a form waived as a cash complimentary to its patron, once and to the cent."""
    if day.is_closed:
        return _closed(rules, day)
    paper = day.forms.papers.get((booked.table, booked.serial))
    if not isinstance(paper, Used):
        say = f"no form {booked.serial} of {booked.table} was made out"
        return refuse(rules, HouseReason.NO_SUCH_FORM, say, *_keys(rules))
    if any((each.table, each.serial) == (booked.table, booked.serial) for each in day.complimentaries):
        return refuse(rules, HouseReason.TWICE, f"form {booked.serial} is booked", *_keys(rules))
    if booked.amount != paper.duplicate.amount:
        say = f"the form says {Cents(paper.duplicate.amount)}, not {Cents(booked.amount)}"
        return refuse(rules, HouseReason.WRONG_SUM, say, *_keys(rules))
    if not booked.code.strip():
        return refuse(rules, HouseReason.INCOMPLETE, "a complimentary names its code", *_keys(rules))
    if not is_same(booked.patron, paper.duplicate.patron):
        say = f"the form names {paper.duplicate.patron}, not {booked.patron or 'nobody'}"
        return refuse(rules, HouseReason.INCOMPLETE, say, *_keys(rules))
    return replace(day, complimentaries=(*day.complimentaries, booked))


def close_day(rules: Rulebook, day: GamingDay, *, blanks: Iterable[tuple[str, int]] = ()) -> GamingDay | Refused:
    """Close the day: every number accounted for, every original like its duplicate, every waiver booked and won."""
    if day.is_closed:
        return _closed(rules, day)
    law = rules.edition.vigorish_form
    if law is None:
        return replace(day, is_closed=True)
    lost = unaccounted(day.forms, blanks=blanks)
    if lost:
        return refuse(rules, HouseReason.UNACCOUNTED, "; ".join(map(str, lost)), *law.account_cite)
    wrong = compare(day.forms)
    if wrong:
        return refuse(rules, HouseReason.INCOMPLETE, "; ".join(map(str, wrong)), *law.close_cite)
    booked = {(each.table, each.serial) for each in day.complimentaries}
    open_ = [serial for serial in waived(day.forms) if serial not in booked]
    if open_:
        say = ", ".join(f"form {serial} of {table}" for table, serial in sorted(open_))
        return refuse(rules, HouseReason.INCOMPLETE, f"not booked as a complimentary: {say}", *law.close_cite)
    stray = sorted(booked - set(waived(day.forms)))
    if stray:
        say = ", ".join(f"form {serial} of {table}" for table, serial in stray)
        return refuse(
            rules, HouseReason.INCOMPLETE, f"booked as a complimentary without a form: {say}", *law.close_cite
        )
    won = _won(day)
    if won:
        return refuse(rules, HouseReason.WRONG_SUM, "; ".join(won), *law.cite)
    return replace(day, is_closed=True)


def _won(day: GamingDay) -> list[str]:
    """Tables whose win does not include what their forms waived (reading A-39)."""
    sums: dict[str, int] = {}
    for (table, _), amount in waived(day.forms).items():
        sums[table] = sums.get(table, 0) + amount
    return [
        f"the win of {table} includes {Cents(held)} of waived vigorish, its forms say {Cents(sums.get(table, 0))}"
        for table, held in _held(day, sums).items()
        if held != sums.get(table, 0)
    ]


def _held(day: GamingDay, sums: Iterable[str]) -> dict[str, int]:
    tables = dict.fromkeys((*day.figures, *sums))
    return {table: day.figures.get(table, Figures()).waived for table in tables}


def open_next(day: GamingDay, *, name: str) -> GamingDay:
    """The next day begins with the forms that are blank, and the record of those before."""
    assert day.is_closed, "one day after another"
    forms = day.forms
    return GamingDay(name=name, forms=replace(forms, papers={}, past={**forms.past, **forms.papers}))
