"""Owing: vigorish that was marked and not collected; an exception report, or a Complimentary Vigorish Form."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from baccarat.law.edition import Edition
from baccarat.money import Cents
from baccarat.play.refusal import Refused
from baccarat.table.base import Command, Event, Outcome, Reason, TableRules, evolves, handles, refuse
from baccarat.table.people import free_chips
from baccarat.table.persons import is_same, two_persons
from baccarat.table.role import Role
from baccarat.table.state import State, with_money


class ComplimentaryForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Complimentary Vigorish Form: serially numbered, original and duplicate, signed."""

    serial: int
    amount: int
    patron: str
    dealer: str
    pit_boss: str
    pit_clerk: str
    patron_signed: bool = False
    why_not_signed: str = ""
    stated_by: str = ""
    """Who states why the patron has not signed: the dealer or the pit boss, by name."""
    copies: int = 2


class ReportException(Command, frozen=True, kw_only=True, tag="report_exception"):
    """Two persons let a debt of somebody who walked away become a receivable."""

    seat: int
    reason: str
    approver: str
    approved_by: Role = Role.CASINO_SUPERVISOR
    by: Role = Role.FLOORPERSON
    ROLES: ClassVar[frozenset[Role]] = frozenset({Role.FLOORPERSON, Role.CASINO_SUPERVISOR})
    STOPPED: ClassVar[bool] = True


class DocumentVigorish(Command, frozen=True, kw_only=True, tag="document_vigorish"):
    """The pit clerk prepares a form for vigorish that is waived; the original is dropped before witnesses."""

    seat: int
    form: ComplimentaryForm
    witnesses: tuple[Role, ...]
    by: Role = Role.PIT_CLERK
    ROLES: ClassVar[frozenset[Role]] = frozenset({Role.PIT_CLERK})
    STOPPED: ClassVar[bool] = True

    def belongs_under(self, edition: Edition) -> tuple[str, ...]:
        """Only pit clerks may reach unused forms."""
        return edition.vigorish_form.access_cite if edition.vigorish_form is not None else ()

    @property
    def money(self) -> int | None:
        """What the form waives."""
        return self.form.amount


class ReceiveForms(Command, frozen=True, kw_only=True, tag="receive_forms"):
    """The pit clerk takes a series of prenumbered forms into use at this table."""

    first: int
    last: int
    by: Role = Role.PIT_CLERK
    ROLES: ClassVar[frozenset[Role]] = frozenset({Role.PIT_CLERK})
    STOPPED: ClassVar[bool] = True

    def belongs_under(self, edition: Edition) -> tuple[str, ...]:
        """Only pit clerks may reach unused forms."""
        return edition.vigorish_form.access_cite if edition.vigorish_form is not None else ()


class VoidForm(Command, frozen=True, kw_only=True, tag="void_form"):
    """A form is voided: both parts marked, signed by pit boss and pit clerk, its number kept on record."""

    serial: int
    pit_boss: str
    pit_clerk: str
    copies: int = 2
    by: Role = Role.PIT_CLERK
    ROLES: ClassVar[frozenset[Role]] = frozenset({Role.PIT_CLERK})
    STOPPED: ClassVar[bool] = True

    def belongs_under(self, edition: Edition) -> tuple[str, ...]:
        """Only pit clerks may reach unused forms."""
        return edition.vigorish_form.access_cite if edition.vigorish_form is not None else ()


class ExceptionReported(Event, frozen=True, kw_only=True, tag="exception_reported"):
    """A marker's debt is a receivable; the marker stays on record."""

    seat: int
    patron: str
    amount: int
    reason: str
    requester: str
    approver: str


class VigorishDocumented(Event, frozen=True, kw_only=True, tag="vigorish_documented"):
    """A form covers a marker's debt to the cent; the win includes it, and so does a complimentary."""

    seat: int
    form: ComplimentaryForm


class FormsReceived(Event, frozen=True, kw_only=True, tag="forms_received"):
    """Prenumbered forms lie ready."""

    first: int
    last: int


class FormVoided(Event, frozen=True, kw_only=True, tag="form_voided"):
    """A form's number is used up, and void."""

    serial: int
    pit_boss: str
    pit_clerk: str


@handles(ReportException)
def report_exception(rules: TableRules, state: State, command: ReportException) -> Outcome:
    """Where the document has no form: requester and approver are two persons in two roles."""
    law = rules.edition
    keys = law.vigorish.kept_cite
    if law.vigorish_form is not None:
        return refuse(rules, Reason.NOT_OFFERED, "waived vigorish is documented by form here", *law.vigorish_form.cite)
    owed = state.money.markers.get(command.seat, 0)
    if not owed:
        return refuse(rules, Reason.NO_SUCH_WAGER, f"seat {command.seat} has no marker", *keys)
    if command.approved_by is command.by or command.approved_by not in command.ROLES:
        return refuse(rules, Reason.WRONG_ROLE, "floorperson and casino supervisor act together", *keys)
    refused = two_persons(rules, "an exception report", (command.name, command.approver), command.reason, *keys)
    if refused is not None:
        return refused
    person = state.at(command.seat)
    assert person is not None, "whoever has a marker sits there: nobody leaves owing"
    if free_chips(state, command.seat) >= owed:
        say = f"seat {command.seat} has the {Cents(owed)} in chips: it is collected"
        return refuse(rules, Reason.VIGORISH_OWED, say, *law.vigorish.due_cite)
    return [
        ExceptionReported(
            seat=command.seat,
            patron=person.who,
            amount=owed,
            reason=command.reason,
            requester=command.name,
            approver=command.approver,
            cites=rules.cite_text(*keys),
        )
    ]


@handles(DocumentVigorish)
def document_vigorish(rules: TableRules, state: State, command: DocumentVigorish) -> Outcome:
    """The next form in order, for the whole debt, signed, dropped in the presence of those who signed."""
    law, form = rules.edition.vigorish_form, command.form
    if law is None:
        keys = rules.edition.vigorish.kept_cite
        return refuse(rules, Reason.NOT_OFFERED, "this document knows no form for waived vigorish", *keys)
    owed = state.money.markers.get(command.seat, 0)
    if not owed:
        return refuse(rules, Reason.NO_SUCH_WAGER, f"seat {command.seat} has no marker", *law.cite)
    refused = _not_next(rules, state, form.serial, *law.order_cite)
    if refused is not None:
        return refused
    if form.amount != owed:
        say = f"the form says {Cents(form.amount)}, the marker {Cents(owed)}"
        return refuse(rules, Reason.WRONG_SUM, say, *law.content_cite)
    if form.copies < law.copies:
        return refuse(rules, Reason.INCOMPLETE, f"{law.copies} copies at the least", *law.content_cite)
    if not form.patron.strip() or (command.name.strip() and not is_same(command.name, form.pit_clerk)):
        say = "the patron is named, and the pit clerk who prepares the form signs it"
        return refuse(rules, Reason.INCOMPLETE, say, *law.signed_cite)
    signed = form.dealer, form.pit_boss, form.pit_clerk
    refused = two_persons(rules, "a form", signed, "waived vigorish", *law.signed_cite)
    if refused is not None:
        return refused
    refused = _unsigned(rules, form, *law.signed_cite)
    if refused is not None:
        return refused
    if not {Role.PIT_BOSS, Role.PIT_CLERK} <= set(command.witnesses):
        say = "the original is dropped in the presence of pit boss and pit clerk"
        return refuse(rules, Reason.NOT_ENTITLED, say, *law.drop_cite)
    keys = (*law.content_cite, *law.signed_cite, *law.drop_cite, *rules.edition.vigorish.kept_cite)
    return [VigorishDocumented(seat=command.seat, form=form, cites=rules.cite_text(*keys))]


def says_why_unsigned(form: ComplimentaryForm) -> bool:
    """Whether a form without the patron's signature says why it has none, and who says so."""
    return form.patron_signed or bool(form.why_not_signed.strip() and form.stated_by.strip())


def is_stated_rightly(form: ComplimentaryForm) -> bool:
    """Whether it is the dealer or the pit boss of the form who states why the patron has not signed."""
    return form.patron_signed or any(is_same(form.stated_by, who) for who in (form.dealer, form.pit_boss))


def _unsigned(rules: TableRules, form: ComplimentaryForm, *keys: str) -> Refused | None:
    """Without the patron's signature, the dealer or the pit boss states why it could not be had."""
    if not says_why_unsigned(form):
        say = "the patron signs, or the dealer or the pit boss states why not, and the form says who"
        return refuse(rules, Reason.INCOMPLETE, say, *keys)
    if not is_stated_rightly(form):
        say = f"the dealer or the pit boss who signs states why the patron has not, not {form.stated_by}"
        return refuse(rules, Reason.NOT_ENTITLED, say, *keys)
    return None


def forms_left(state: State) -> bool:
    """Whether a blank form lies ready."""
    return state.money.next_form <= state.money.last_form


def next_blank(serial: int, missing: tuple[int, ...]) -> int:
    """The number from which the next form is taken, those that are missing passed over."""
    while serial in missing:
        serial += 1
    return serial


def _not_next(rules: TableRules, state: State, serial: int, *keys: str) -> Refused | None:
    """The forms of a series are used in the order of their numbers."""
    if not forms_left(state):
        return refuse(rules, Reason.NOT_OFFERED, "no blank form is left: a series is received first", *keys)
    if serial != state.money.next_form:
        say = f"forms are used in order: {state.money.next_form} is next, not {serial}"
        return refuse(rules, Reason.OUT_OF_ORDER, say, *keys)
    return None


@handles(ReceiveForms)
def receive_forms(rules: TableRules, state: State, command: ReceiveForms) -> Outcome:
    """A series with numbers that were not used before, once the last one is used up."""
    law = rules.edition.vigorish_form
    if law is None:
        keys = rules.edition.vigorish.kept_cite
        return refuse(rules, Reason.NOT_OFFERED, "this document knows no form for waived vigorish", *keys)
    if not 1 <= command.first <= command.last:
        return refuse(rules, Reason.OUT_OF_ORDER, "a series runs from one number to a later one", *law.account_cite)
    if forms_left(state):
        say = f"forms {state.money.next_form} to {state.money.last_form} are used first"
        return refuse(rules, Reason.OUT_OF_ORDER, say, *law.order_cite)
    used = {*state.money.forms, *state.money.void_forms}
    if any(command.first <= serial <= command.last for serial in used):
        return refuse(rules, Reason.OUT_OF_ORDER, "numbers of this series were used before", *law.account_cite)
    return [FormsReceived(first=command.first, last=command.last, cites=rules.cite_text(*law.account_cite))]


@handles(VoidForm)
def void_form(rules: TableRules, state: State, command: VoidForm) -> Outcome:
    """A void form keeps its number and both its parts."""
    law = rules.edition.vigorish_form
    if law is None:
        keys = rules.edition.vigorish.kept_cite
        return refuse(rules, Reason.NOT_OFFERED, "this document knows no form for waived vigorish", *keys)
    refused = _not_next(rules, state, command.serial, *law.order_cite)
    if refused is not None:
        return refused
    if command.copies < law.copies:
        return refuse(rules, Reason.INCOMPLETE, f"all {law.copies} parts are marked void", *law.void_cite)
    refused = two_persons(rules, "a void form", (command.pit_boss, command.pit_clerk), "void", *law.void_cite)
    if refused is not None:
        return refused
    return [
        FormVoided(
            serial=command.serial,
            pit_boss=command.pit_boss,
            pit_clerk=command.pit_clerk,
            cites=rules.cite_text(*law.void_cite),
        )
    ]


def _without(state: State, seat: int) -> dict[int, int]:
    return {each: owed for each, owed in state.money.markers.items() if each != seat}


@evolves(ExceptionReported)
def evolve_exception(state: State, event: ExceptionReported) -> State:
    """The debt is a receivable, of a patron and not of a seat."""
    owed = {**state.money.receivables, event.patron: state.money.receivables.get(event.patron, 0) + event.amount}
    return with_money(state, markers=_without(state, event.seat), receivables=owed)


@evolves(VigorishDocumented)
def evolve_documented(state: State, event: VigorishDocumented) -> State:
    """The debt is waived on paper."""
    return with_money(
        state,
        markers=_without(state, event.seat),
        forms=(*state.money.forms, event.form.serial),
        complimentary=state.money.complimentary + event.form.amount,
        next_form=next_blank(event.form.serial + 1, state.money.missing_forms),
    )


@evolves(FormsReceived)
def evolve_forms_received(state: State, event: FormsReceived) -> State:
    """The series is in use."""
    return with_money(state, next_form=event.first, last_form=event.last, missing_forms=())


@evolves(FormVoided)
def evolve_void_form(state: State, event: FormVoided) -> State:
    """The number is used up."""
    after = next_blank(event.serial + 1, state.money.missing_forms)
    return with_money(state, void_forms=(*state.money.void_forms, event.serial), next_form=after)
