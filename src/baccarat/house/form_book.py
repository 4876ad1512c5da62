"""The form book: how Complimentary Vigorish Forms are received, made out, dropped, voided, missed and forwarded."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from baccarat.house.book import (
    Aggregate,
    BookOutcome,
    ByTwo,
    Context,
    HouseCommand,
    HouseEvent,
    house_refuse,
)
from baccarat.house.form import AnyForm, FormBook, MissingForm, Series, UsedForm, VoidedForm, without_number
from baccarat.house.number_map import value_at, with_value
from baccarat.house.number_run import NumberRun, runs_within, with_run
from baccarat.house.reason import HouseReason, refuse
from baccarat.law.clause import Citation
from baccarat.law.rulebook import Rulebook
from baccarat.law.section import VigorishForm
from baccarat.money import Cents
from baccarat.play.refusal import Refused
from baccarat.table.actor import Approval
from baccarat.table.bounds import Count, Means, PersonText
from baccarat.table.card import CommandCard
from baccarat.table.field_type import FormCopies, FormNumber, KeptReason, TableName
from baccarat.table.role import Role
from baccarat.table.two_persons import are_different
from baccarat.table.vigorish_form import MOST_FORMS, ComplimentaryForm, is_stated_rightly, says_why_unsigned


def law_of(rules: Rulebook) -> VigorishForm | Refused:
    """What the document says about forms, or that it has none."""
    law = rules.edition.vigorish_form
    if law is not None:
        return law
    return refuse(rules, HouseReason.NOT_OFFERED, "no_form_in_this_document", *rules.edition.vigorish.kept_cite)


class FormCommand(HouseCommand, frozen=True, kw_only=True):
    """An act on forms; only pit clerks handle blank ones."""

    ROLES = frozenset({Role.PIT_CLERK})
    CITE: ClassVar[str] = "access_cite"
    """Where the document's section on forms says whose act this is."""

    def belongs_under(self, rules: Rulebook) -> tuple[Citation, ...]:
        """The document's clause, or the one that a document without forms is cited by."""
        law = law_of(rules)
        return law.cites if isinstance(law, Refused) else rules.cite(*getattr(law, self.CITE))


class FormAtTable(FormCommand, frozen=True, kw_only=True):
    """What a table does with a form: its own act enters it in the book."""

    table: TableName
    AT_TABLE = True

    def refuse_in_book(self, open_tables: Collection[str]) -> Refused:
        """It is done at the table."""
        del open_tables
        return house_refuse(HouseReason.OUT_OF_ORDER, "done_at_the_table", "at-the-table", table=self.table)


class ReceiveSeries(FormAtTable, frozen=True, kw_only=True, tag="receive_series"):
    """The pit clerk takes in prenumbered forms for a table."""

    first: Annotated[Count, Means("the lowest number of the series")]
    last: Annotated[Count, Means("the highest number of the series")]


class MakeOutForm(FormAtTable, frozen=True, kw_only=True, tag="make_out_form"):
    """The pit clerk takes the next blank form and makes it out."""

    form: Annotated[ComplimentaryForm, Means("the form that was made out")]


class DropOriginal(FormAtTable, frozen=True, kw_only=True, tag="drop_original"):
    """The dealer drops the original while the pit boss and the pit clerk who signed it watch."""

    original: Annotated[ComplimentaryForm, Means("", within=(("amount", "how much"),))]
    present: Annotated[tuple[Approval, ...], Meta(max_length=8)]
    ROLES = frozenset({Role.DEALER})
    CITE = "drop_cite"


class VoidPaper(FormAtTable, frozen=True, kw_only=True, tag="void_paper"):
    """The pit clerk keeps a form of which every part is marked void and signed."""

    serial: FormNumber
    pit_boss: Annotated[PersonText, Means("who signs as pit boss")]
    pit_clerk: Annotated[PersonText, Means("who signs as pit clerk")]
    copies: FormCopies
    ROLES = frozenset(Role)
    """Checked by the handler, because the clause depends on whether the form is blank."""


class ReportMissing(FormAtTable, frozen=True, kw_only=True, tag="report_missing"):
    """A number that was received and cannot be found is reported by one person and confirmed by another."""

    serial: FormNumber
    reason: KeptReason
    ROLES = frozenset({Role.PIT_CLERK, Role.PIT_BOSS})
    SECOND = frozenset({Role.PIT_BOSS, Role.CASINO_SUPERVISOR})
    CARD = CommandCard(discretion="nothing")
    CITE = "account_cite"


class ForwardForms(FormCommand, frozen=True, kw_only=True, tag="forward_forms"):
    """At the end of the day the pit clerk sends duplicates and void forms to accounting."""

    CITE = "forward_cite"
    CARD = CommandCard(group="forms")


class SeriesReceived(HouseEvent, frozen=True, kw_only=True, tag="series_received"):
    """A table has prenumbered forms."""

    table: str
    first: int
    last: int


class FormMadeOut(HouseEvent, frozen=True, kw_only=True, tag="form_made_out"):
    """A form says how much was not collected, and from whom."""

    table: str
    form: ComplimentaryForm


class OriginalDropped(HouseEvent, frozen=True, kw_only=True, tag="original_dropped"):
    """The original lies in the drop box."""

    table: str
    original: ComplimentaryForm


class PaperVoided(HouseEvent, frozen=True, kw_only=True, tag="paper_voided"):
    """A form is void, and its number stays recorded."""

    table: str
    serial: int
    pit_boss: str
    pit_clerk: str


class FormMissing(ByTwo, frozen=True, kw_only=True, tag="form_missing"):
    """A number is recorded as missing."""

    table: str
    serial: int
    reason: str


class FormsForwarded(HouseEvent, frozen=True, kw_only=True, tag="forms_forwarded"):
    """Accounting has the duplicates and the void forms."""

    serials: tuple[int, ...]


class FormsFiled(HouseEvent, frozen=True, kw_only=True, tag="forms_filed"):
    """The day is over: its papers stay recorded, and the new day has none."""

    serials: tuple[int, ...]


# ------------------------------------------------------------------------------------------- decisions


def receive_series(context: Context, state: FormBook, command: ReceiveSeries) -> BookOutcome:
    """Forms come in; no number comes twice."""
    rules = context.rules
    if isinstance(law := law_of(rules), Refused):
        return law
    if not 1 <= command.first <= command.last:
        return refuse(rules, HouseReason.INCOMPLETE, "series_runs_to_a_later_number", *law.account_cite)
    if command.last - command.first >= MOST_FORMS:
        return refuse(rules, HouseReason.INCOMPLETE, "series_of_too_many_forms", *law.account_cite, most=MOST_FORMS)
    held = runs_within(state.series, command.first, command.last)
    if (other := min(held, key=lambda each: each.order, default=None)) is not None:
        said = {"first": other.first, "last": other.last, "table": other.table}
        return refuse(rules, HouseReason.TWICE, "numbers_received_before", *law.account_cite, **said)
    cites = rules.edition.cite_text(*law.account_cite)
    return [SeriesReceived(table=command.table, first=command.first, last=command.last, cites=cites)]


def make_out_form(context: Context, state: FormBook, command: MakeOutForm) -> BookOutcome:
    """The next blank form, with everything that must be on it."""
    rules, form = context.rules, command.form
    if isinstance(law := law_of(rules), Refused):
        return law
    refused = _refuse_serial(rules, law, state, table=command.table, serial=form.serial) or _content(rules, law, form)
    if refused is not None:
        return refused
    cites = rules.edition.cite_text(*law.content_cite, *law.signed_cite)
    return [FormMadeOut(table=command.table, form=form, cites=cites)]


def _refuse_serial(rules: Rulebook, law: VigorishForm, state: FormBook, *, table: str, serial: int) -> Refused | None:
    """A number that the table has received, and the lowest of those that are blank."""
    due = state.next_serial(table)
    if not state.is_received(serial, table):
        return refuse(
            rules, HouseReason.NO_SUCH_FORM, "form_not_received", *law.account_cite, table=table, serial=serial
        )
    if serial != due:
        return refuse(rules, HouseReason.OUT_OF_ORDER, "another_form_is_next", *law.order_cite, due=due, serial=serial)
    return None


def _content(rules: Rulebook, law: VigorishForm, form: ComplimentaryForm) -> Refused | None:
    if form.amount <= 0 or not form.patron.strip() or form.copies < law.copies:
        return refuse(
            rules, HouseReason.INCOMPLETE, "form_says_how_much_and_from_whom", *law.content_cite, copies=law.copies
        )
    if not are_different(form.dealer, form.pit_boss, form.pit_clerk):
        return refuse(rules, HouseReason.INCOMPLETE, "three_persons_sign_a_form", *law.signed_cite)
    if not says_why_unsigned(form) or not is_stated_rightly(form):
        return refuse(rules, HouseReason.INCOMPLETE, "form_says_who_states_why_unsigned", *law.signed_cite)
    return None


def drop_original(context: Context, state: FormBook, command: DropOriginal) -> BookOutcome:
    """Once, of a form that was made out, before those who signed it."""
    rules, original = context.rules, command.original
    if isinstance(law := law_of(rules), Refused):
        return law
    paper = state.papers.get(original.serial)
    if not isinstance(paper, UsedForm) or paper.table != command.table:
        return refuse(rules, HouseReason.NO_SUCH_FORM, "form_not_made_out", *law.drop_cite, serial=original.serial)
    if paper.original is not None:
        return refuse(rules, HouseReason.TWICE, "form_in_the_drop_box", *law.drop_cite, serial=original.serial)
    signed = {Approval(original.pit_boss, Role.PIT_BOSS), Approval(original.pit_clerk, Role.PIT_CLERK)}
    if not signed <= set(command.present):
        return refuse(rules, HouseReason.INCOMPLETE, "signers_are_present", *law.drop_cite)
    return [OriginalDropped(table=command.table, original=original, cites=rules.edition.cite_text(*law.drop_cite))]


def void_paper(context: Context, state: FormBook, command: VoidPaper) -> BookOutcome:
    """The next blank form, or one made out and not dropped."""
    rules, serial = context.rules, command.serial
    if isinstance(law := law_of(rules), Refused):
        return law
    held = state.papers.get(serial)
    if context.actor.role is not Role.PIT_CLERK:
        what, keys = (
            ("pit_clerk_keeps_void_forms", law.void_cite) if held else ("only_clerks_have_blank_forms", law.access_cite)
        )
        return refuse(rules, HouseReason.WRONG_ROLE, what, *keys)
    if value_at(state.past, serial) is not None:
        return refuse(rules, HouseReason.TWICE, "form_of_an_earlier_day", *law.void_cite, serial=serial)
    if held is None or held.table != command.table:
        if refused := _refuse_serial(rules, law, state, table=command.table, serial=serial):
            return refused
    elif not isinstance(held, UsedForm) or held.original is not None:
        return refuse(rules, HouseReason.TWICE, "form_dropped_void_or_missing", *law.void_cite, serial=serial)
    if command.copies < law.copies:
        return refuse(rules, HouseReason.INCOMPLETE, "both_parts_marked_void", *law.void_cite)
    if not are_different(command.pit_boss, command.pit_clerk):
        return refuse(rules, HouseReason.INCOMPLETE, "two_persons_sign_a_void_form", *law.void_cite)
    boss, clerk, cites = command.pit_boss, command.pit_clerk, rules.edition.cite_text(*law.void_cite)
    return [PaperVoided(table=command.table, serial=serial, pit_boss=boss, pit_clerk=clerk, cites=cites)]


def report_missing(context: Context, state: FormBook, command: ReportMissing) -> BookOutcome:
    """A number that was received, and about which nothing is recorded."""
    rules, serial = context.rules, command.serial
    if isinstance(law := law_of(rules), Refused):
        return law
    if not state.is_received(serial, command.table):
        return refuse(
            rules, HouseReason.NO_SUCH_FORM, "form_not_received", *law.account_cite, table=command.table, serial=serial
        )
    if state.is_known(serial):
        return refuse(rules, HouseReason.TWICE, "form_accounted_for", *law.account_cite, serial=serial)
    if not command.reason.strip():
        return refuse(rules, HouseReason.NO_REASON, "missing_number_without_a_reason", *law.account_cite)
    cites, two = rules.edition.cite_text(*law.account_cite), context.two_persons
    return [FormMissing(table=command.table, serial=serial, reason=command.reason, cites=cites, **two)]


def forward_forms(context: Context, state: FormBook, command: ForwardForms) -> BookOutcome:
    """All duplicates and void forms that accounting does not have yet."""
    del command
    if isinstance(law := law_of(context.rules), Refused):
        return law
    cites = context.rules.edition.cite_text(*law.forward_cite)
    serials = tuple(
        serial for serial, paper in state.papers.items() if not isinstance(paper, MissingForm) and not paper.forwarded
    )  # fmt: skip
    return [FormsForwarded(serials=serials, cites=cites)]


# ------------------------------------------------------------------------------------------- evolution


def evolve_series(state: FormBook, event: SeriesReceived) -> FormBook:
    """The numbers are the table's."""
    series = Series(table=event.table, first=event.first, last=event.last, order=state.received)
    blank = with_run(state.blank.get(event.table, ()), NumberRun(first=event.first, last=event.last))
    return replace(
        state,
        series=with_run(state.series, series),
        received=state.received + 1,
        blank={**state.blank, event.table: blank},
    )


def _with_paper(state: FormBook, serial: int, paper: AnyForm) -> FormBook:
    held, papers = state.blank[paper.table], {**state.papers, serial: paper}
    left = without_number(held, serial)
    return replace(state, papers=papers, blank=state.blank if left is held else {**state.blank, paper.table: left})


def evolve_made_out(state: FormBook, event: FormMadeOut) -> FormBook:
    """The clerk has the duplicate."""
    return _with_paper(state, event.form.serial, UsedForm(table=event.table, duplicate=event.form))


def evolve_dropped(state: FormBook, event: OriginalDropped) -> FormBook:
    """The original lies in the drop box."""
    paper = state.papers[event.original.serial]
    assert isinstance(paper, UsedForm), "only what was made out is dropped"
    return _with_paper(state, event.original.serial, replace(paper, original=event.original))


def evolve_voided(state: FormBook, event: PaperVoided) -> FormBook:
    """The number is used up."""
    paper = VoidedForm(table=event.table, pit_boss=event.pit_boss, pit_clerk=event.pit_clerk)
    return _with_paper(state, event.serial, paper)


def evolve_missing(state: FormBook, event: FormMissing) -> FormBook:
    """The number is an exception."""
    paper = MissingForm(table=event.table, reason=event.reason, by=event.requester, approver=event.approver)
    return _with_paper(state, event.serial, paper)


def evolve_forwarded(state: FormBook, event: FormsForwarded) -> FormBook:
    """Accounting has them."""
    return replace(state, papers={**state.papers, **_forwarded_papers(state, event.serials)})


def _forwarded_papers(state: FormBook, serials: Iterable[int]) -> dict[int, AnyForm]:
    sent: dict[int, AnyForm] = {}
    for serial in serials:
        paper = state.papers[serial]
        assert not isinstance(paper, MissingForm), "what is missing is not forwarded"
        sent[serial] = replace(paper, forwarded=True)
    return sent


def evolve_filed(state: FormBook, event: FormsFiled) -> FormBook:
    """Today's papers are those of an earlier day."""
    kept, past = dict(state.papers), state.past
    for serial in event.serials:
        past = with_value(past, serial, kept.pop(serial))
    return replace(state, papers=kept, past=past)


def _numbers(serials: tuple[int, ...]) -> str:
    return ", ".join(map(str, serials)) or "none"


FORMS = Aggregate(
    "forms",
    FormBook,
    handlers={
        ReceiveSeries: receive_series,
        MakeOutForm: make_out_form,
        DropOriginal: drop_original,
        VoidPaper: void_paper,
        ReportMissing: report_missing,
        ForwardForms: forward_forms,
    },
    evolvers={
        SeriesReceived: evolve_series,
        FormMadeOut: evolve_made_out,
        OriginalDropped: evolve_dropped,
        PaperVoided: evolve_voided,
        FormMissing: evolve_missing,
        FormsForwarded: evolve_forwarded,
        FormsFiled: evolve_filed,
    },
    tellers={
        SeriesReceived: lambda x: f"{x.table} receives forms {x.first} to {x.last}.",
        FormMadeOut: lambda x: (
            f"Form {x.form.serial} of {x.table} is made out: {Cents(x.form.amount)} was not collected from "
            f"{x.form.patron}."
        ),
        OriginalDropped: lambda x: f"The original of form {x.original.serial} goes into the drop box of {x.table}.",
        PaperVoided: lambda x: f"Form {x.serial} of {x.table} is void, signed by {x.pit_boss} and {x.pit_clerk}.",
        FormMissing: lambda x: f"Form {x.serial} of {x.table} cannot be found: {x.reason} ({x.persons_text}).",
        FormsForwarded: lambda x: f"Forms that go to accounting: {_numbers(x.serials)}.",
        FormsFiled: lambda x: f"Forms filed with the day: {_numbers(x.serials)}.",
    },
)
