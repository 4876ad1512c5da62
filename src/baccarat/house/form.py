"""Forms: the serial inventory of Complimentary Vigorish Forms, from their receipt to accounting."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from baccarat.house.reason import HouseReason, refuse
from baccarat.law.rulebook import Rulebook
from baccarat.law.section import VigorishForm
from baccarat.money import Cents
from baccarat.play.refusal import Refused
from baccarat.table.owing import ComplimentaryForm, FormsReceived, FormVoided, VigorishDocumented
from baccarat.table.persons import are_different
from baccarat.table.role import Role


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """Forms received: a table's prenumbered forms, from one number to another."""

    table: str
    first: int
    last: int


class Used(msgspec.Struct, frozen=True, kw_only=True):
    """A form made out: the clerk's duplicate, and the original once it lies in the drop box."""

    duplicate: ComplimentaryForm
    original: ComplimentaryForm | None = None
    forwarded: bool = False


class VoidedForm(msgspec.Struct, frozen=True, kw_only=True):
    """A void form: both parts marked and signed, kept by the pit clerk until accounting has them."""

    pit_boss: str
    pit_clerk: str
    forwarded: bool = False


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """A number that nobody can find, reported by one person and confirmed by another: an exception."""

    reason: str
    by: str
    approver: str


Paper = Used | VoidedForm | Missing


class FormBook(msgspec.Struct, frozen=True, kw_only=True):
    """Every form received, and what became of each number that is no longer blank: today, and before."""

    series: tuple[Series, ...] = ()
    papers: dict[tuple[str, int], Paper] = {}
    past: dict[tuple[str, int], Paper] = {}

    def serials(self, table: str) -> list[int]:
        """All numbers that a table has received, in order."""
        runs = sorted((each.first, each.last) for each in self.series if each.table == table)
        return [serial for first, last in runs for serial in range(first, last + 1)]

    def next_serial(self, table: str) -> int | None:
        """The lowest number of a table that is still blank."""
        return next((serial for serial in self.serials(table) if not self.is_known(table, serial)), None)

    def is_known(self, table: str, serial: int) -> bool:
        """Whether it is on record what became of a number."""
        return (table, serial) in self.papers or (table, serial) in self.past

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that have received forms."""
        return tuple(dict.fromkeys(each.table for each in self.series))

    @property
    def exceptions(self) -> dict[tuple[str, int], Missing]:
        """The numbers reported missing."""
        return {key: paper for key, paper in {**self.past, **self.papers}.items() if isinstance(paper, Missing)}


def law_of(rules: Rulebook) -> VigorishForm | Refused:
    """What the document says of forms, or that it knows none."""
    law = rules.edition.vigorish_form
    if law is not None:
        return law
    say = "this document knows no form for waived vigorish"
    return refuse(rules, HouseReason.NOT_OFFERED, say, *rules.edition.vigorish.kept_cite)


def receive(rules: Rulebook, book: FormBook, *, series: Series) -> FormBook | Refused:
    """Forms come in; no number comes twice."""
    law = law_of(rules)
    if isinstance(law, Refused):
        return law
    if not 1 <= series.first <= series.last:
        return refuse(rules, HouseReason.INCOMPLETE, "a series runs from one number to a later one", *law.account_cite)
    for other in book.series:
        if other.first <= series.last and series.first <= other.last:
            say = f"numbers {other.first} to {other.last} were received before, by {other.table}"
            return refuse(rules, HouseReason.TWICE, say, *law.account_cite)
    return replace(book, series=(*book.series, series))


def make_out(rules: Rulebook, book: FormBook, *, table: str, form: ComplimentaryForm, by: Role) -> FormBook | Refused:
    """A pit clerk takes the next blank form and makes it out, with everything that must stand on it."""
    law = law_of(rules)
    if isinstance(law, Refused):
        return law
    refused = _blank(rules, law, book, table=table, serial=form.serial, by=by) or _content(rules, law, form)
    return refused or replace(book, papers={**book.papers, (table, form.serial): Used(duplicate=form)})


def _blank(
    rules: Rulebook, law: VigorishForm, book: FormBook, *, table: str, serial: int, by: Role
) -> Refused | None:  # fmt: skip
    """Blank forms only for pit clerks, and the lowest number first."""
    if by is not Role.PIT_CLERK:
        return refuse(rules, HouseReason.WRONG_ROLE, "blank forms only for pit clerks", *law.access_cite)
    due = book.next_serial(table)
    if serial not in book.serials(table):
        return refuse(rules, HouseReason.NO_SUCH_FORM, f"{table} has received no form {serial}", *law.account_cite)
    if serial != due:
        say = f"forms are used in order: {due} is next, not {serial}"
        return refuse(rules, HouseReason.OUT_OF_ORDER, say, *law.order_cite)
    return None


def _content(rules: Rulebook, law: VigorishForm, form: ComplimentaryForm) -> Refused | None:
    if form.amount <= 0 or not form.patron.strip() or form.copies < law.copies:
        say = f"a form of {law.copies} parts says how much was not collected, and from whom"
        return refuse(rules, HouseReason.INCOMPLETE, say, *law.content_cite)
    if not are_different(form.dealer, form.pit_boss, form.pit_clerk):
        return refuse(
            rules, HouseReason.INCOMPLETE, "dealer, pit boss and pit clerk sign, three persons", *law.signed_cite
        )
    if not form.patron_signed and not form.why_not_signed.strip():
        return refuse(rules, HouseReason.INCOMPLETE, "the patron signs, or it is stated why not", *law.signed_cite)
    return None


def drop(
    rules: Rulebook,
    book: FormBook,
    *,
    table: str,
    original: ComplimentaryForm,
    by: Role,
    present: Iterable[tuple[Role, str]],
) -> FormBook | Refused:
    """The dealer drops the original while the pit boss and the pit clerk who signed it watch."""
    law = law_of(rules)
    if isinstance(law, Refused):
        return law
    key = (table, original.serial)
    paper = book.papers.get(key)
    if not isinstance(paper, Used):
        return refuse(rules, HouseReason.NO_SUCH_FORM, f"form {original.serial} was not made out", *law.drop_cite)
    if paper.original is not None:
        return refuse(rules, HouseReason.TWICE, f"form {original.serial} lies in the drop box", *law.drop_cite)
    if by is not Role.DEALER:
        return refuse(rules, HouseReason.WRONG_ROLE, "the dealer drops the original", *law.drop_cite)
    signed = {(Role.PIT_BOSS, original.pit_boss), (Role.PIT_CLERK, original.pit_clerk)}
    if not signed <= set(present):
        say = "the pit boss and the pit clerk who signed are present"
        return refuse(rules, HouseReason.INCOMPLETE, say, *law.drop_cite)
    return replace(book, papers={**book.papers, key: replace(paper, original=original)})


def void(
    rules: Rulebook, book: FormBook, *, table: str, serial: int, paper: VoidedForm, copies: int, by: Role
) -> FormBook | Refused:  # fmt: skip
    """The next blank form, or one made out and not dropped, is void; its number stays on record."""
    law = law_of(rules)
    if isinstance(law, Refused):
        return law
    held = book.papers.get((table, serial))
    if (table, serial) in book.past:
        return refuse(rules, HouseReason.TWICE, f"form {serial} went to accounting on an earlier day", *law.void_cite)
    if held is None:
        refused = _blank(rules, law, book, table=table, serial=serial, by=by)
        if refused is not None:
            return refused
    elif not isinstance(held, Used) or held.original is not None:
        return refuse(rules, HouseReason.TWICE, f"form {serial} is dropped, void or missing", *law.void_cite)
    if by is not Role.PIT_CLERK:
        return refuse(rules, HouseReason.WRONG_ROLE, "the pit clerk keeps void forms", *law.void_cite)
    if copies < law.copies:
        return refuse(rules, HouseReason.INCOMPLETE, "original and duplicate are marked VOID", *law.void_cite)
    if not are_different(paper.pit_boss, paper.pit_clerk):
        return refuse(rules, HouseReason.INCOMPLETE, "pit boss and pit clerk sign a void form", *law.void_cite)
    return replace(book, papers={**book.papers, (table, serial): replace(paper, forwarded=False)})


def enter(
    rules: Rulebook, book: FormBook, *, table: str, event: VigorishDocumented | FormVoided | FormsReceived
) -> FormBook | Refused:  # fmt: skip
    """The inventory after a form was used or voided at a table, where dealer and witnesses did their part."""
    if isinstance(event, FormsReceived):
        return receive(rules, book, series=Series(table=table, first=event.first, last=event.last))
    if isinstance(event, FormVoided):
        paper = VoidedForm(pit_boss=event.pit_boss, pit_clerk=event.pit_clerk)
        return void(rules, book, table=table, serial=event.serial, paper=paper, copies=2, by=Role.PIT_CLERK)
    form = event.form
    made = make_out(rules, book, table=table, form=form, by=Role.PIT_CLERK)
    if isinstance(made, Refused):
        return made
    present = ((Role.PIT_BOSS, form.pit_boss), (Role.PIT_CLERK, form.pit_clerk))
    return drop(rules, made, table=table, original=form, by=Role.DEALER, present=present)


def report_missing(
    rules: Rulebook, book: FormBook, *, table: str, serial: int, missing: Missing
) -> FormBook | Refused:  # fmt: skip
    """A number that was received and cannot be found is accounted for as an exception, by two persons."""
    law = law_of(rules)
    if isinstance(law, Refused):
        return law
    if serial not in book.serials(table):
        return refuse(rules, HouseReason.NO_SUCH_FORM, f"{table} has received no form {serial}", *law.account_cite)
    if book.is_known(table, serial):
        return refuse(rules, HouseReason.TWICE, f"form {serial} is accounted for", *law.account_cite)
    names = (missing.by.strip(), missing.approver.strip())
    if not all((*names, missing.reason.strip())):
        return refuse(
            rules, HouseReason.NO_REASON, "a missing number is reported with names and reason", *law.account_cite
        )
    if not are_different(*names):
        return refuse(rules, HouseReason.SAME_PERSON, "nobody confirms his own report", *law.account_cite)
    return replace(book, papers={**book.papers, (table, serial): missing})


def forward(rules: Rulebook, book: FormBook, *, by: Role) -> FormBook | Refused:
    """At the end of the day the pit clerk sends duplicates and void forms to accounting."""
    law = law_of(rules)
    if isinstance(law, Refused):
        return law
    if by is not Role.PIT_CLERK:
        return refuse(rules, HouseReason.WRONG_ROLE, "the pit clerk forwards the duplicates", *law.close_cite)
    sent = {key: _sent(paper) for key, paper in book.papers.items()}
    return replace(book, papers=sent)


def _sent(paper: Paper) -> Paper:
    return paper if isinstance(paper, Missing) else replace(paper, forwarded=True)


class Finding(msgspec.Struct, frozen=True):
    """One thing about a form that keeps a gaming day open: which number, and what is wrong."""

    table: str
    serial: int
    say: str

    def __str__(self) -> str:
        return f"form {self.serial} of {self.table}: {self.say}"


def compare(book: FormBook) -> tuple[Finding, ...]:
    """What accounting finds when it lays originals and duplicates side by side."""
    found: list[Finding] = []
    for (table, serial), paper in sorted(book.papers.items()):
        match paper:
            case Used():
                found += (Finding(table, serial, say) for say in _differences(paper))
            case VoidedForm():
                if not paper.forwarded:
                    found.append(Finding(table, serial, "void, and not forwarded to accounting"))
            case Missing():
                pass  # an exception that two persons have reported
    return tuple(found)


def _differences(paper: Used) -> Iterable[str]:
    if not paper.forwarded:
        yield "the duplicate was not forwarded to accounting"
    if paper.original is None:
        yield "no original in the drop box"
    elif paper.original != paper.duplicate:
        fields = [
            name for name in ComplimentaryForm.__struct_fields__
            if getattr(paper.original, name) != getattr(paper.duplicate, name)
        ]  # fmt: skip
        yield f"original and duplicate differ: {', '.join(fields).replace('_', ' ')}"


def unaccounted(book: FormBook, *, blanks: Iterable[tuple[str, int]]) -> tuple[Finding, ...]:
    """Numbers that were received and are neither made out, void nor reported missing, nor counted as blank."""
    counted = set(blanks)
    found = [
        Finding(table, serial, "received, and nobody knows where it is")
        for table in book.tables
        for serial in book.serials(table)
        if not book.is_known(table, serial) and (table, serial) not in counted
    ]
    received = {(table, serial) for table in book.tables for serial in book.serials(table)}
    strange = sorted(key for key in counted if key not in received or book.is_known(*key))
    return (*found, *(Finding(table, serial, "counted as blank, and cannot be") for table, serial in strange))


def waived(book: FormBook) -> dict[tuple[str, int], Cents]:
    """What each form waived, by table and number."""
    return {key: Cents(paper.duplicate.amount) for key, paper in book.papers.items() if isinstance(paper, Used)}
