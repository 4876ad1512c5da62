"""Owing: vigorish that was marked and not collected; an exception report, or a Complimentary Vigorish Form."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from baccarat.law.edition import Edition
from baccarat.money import Cents
from baccarat.table.base import Command, Desk, Event, Outcome, Reason, refuse
from baccarat.table.role import Role
from baccarat.table.state import State


class Form(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Complimentary Vigorish Form: serially numbered, original and duplicate, signed."""

    serial: int
    amount: int
    patron: str
    dealer: str
    pit_boss: str
    pit_clerk: str
    patron_signed: bool = False
    why_not_signed: str = ""
    copies: int = 2


class ReportException(Command, frozen=True, kw_only=True, tag="report_exception"):
    """Two persons let a debt of somebody who walked away become a receivable."""

    seat: int
    reason: str
    approver: str
    approved_by: Role = Role.CASINO_SUPERVISOR
    by: Role = Role.FLOORPERSON
    ROLES: ClassVar[frozenset[Role]] = frozenset({Role.FLOORPERSON, Role.CASINO_SUPERVISOR})


class DocumentVigorish(Command, frozen=True, kw_only=True, tag="document_vigorish"):
    """The pit clerk prepares a form for vigorish that is waived; the original is dropped before witnesses."""

    seat: int
    form: Form
    witnesses: tuple[Role, ...]
    by: Role = Role.PIT_CLERK
    ROLES: ClassVar[frozenset[Role]] = frozenset({Role.PIT_CLERK})

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

    def belongs_under(self, edition: Edition) -> tuple[str, ...]:
        """Only pit clerks may reach unused forms."""
        return edition.vigorish_form.access_cite if edition.vigorish_form is not None else ()


class ExceptionReported(Event, frozen=True, kw_only=True, tag="exception_reported"):
    """A marker's debt is a receivable; the marker stays on record."""

    seat: int
    amount: int
    reason: str
    requester: str
    approver: str


class VigorishDocumented(Event, frozen=True, kw_only=True, tag="vigorish_documented"):
    """A form covers a marker's debt to the cent; the win includes it, and so does a complimentary."""

    seat: int
    form: Form


class FormVoided(Event, frozen=True, kw_only=True, tag="form_voided"):
    """A form's number is used up, and void."""

    serial: int
    pit_boss: str
    pit_clerk: str


def report_exception(desk: Desk, state: State, command: ReportException) -> Outcome:
    """Where the document has no form: requester and approver are two persons in two roles."""
    law = desk.rules.edition
    keys = law.vigorish.kept_cite
    if law.vigorish_form is not None:
        return refuse(desk, Reason.NOT_OFFERED, "waived vigorish is documented by form here", *law.vigorish_form.cite)
    owed = state.markers.get(command.seat, 0)
    if not owed:
        return refuse(desk, Reason.NO_SUCH_WAGER, f"seat {command.seat} has no marker", *keys)
    if command.approved_by is command.by or command.approved_by not in command.ROLES:
        return refuse(desk, Reason.WRONG_ROLE, "floorperson and casino supervisor act together", *keys)
    if not (command.name.strip() and command.approver.strip() and command.reason.strip()):
        return refuse(desk, Reason.NO_REASON, "an exception report names both persons and its reason", *keys)
    if command.name.strip() == command.approver.strip():
        return refuse(desk, Reason.SAME_PERSON, "nobody approves his own report", *keys)
    return [
        ExceptionReported(
            seat=command.seat,
            amount=owed,
            reason=command.reason,
            requester=command.name,
            approver=command.approver,
            cites=desk.says(*keys),
        )
    ]


def document_vigorish(desk: Desk, state: State, command: DocumentVigorish) -> Outcome:
    """The next form in order, for the whole debt, signed, dropped in the presence of those who signed."""
    law, form = desk.rules.edition.vigorish_form, command.form
    if law is None:
        keys = desk.rules.edition.vigorish.kept_cite
        return refuse(desk, Reason.NOT_OFFERED, "this document knows no form for waived vigorish", *keys)
    owed = state.markers.get(command.seat, 0)
    if not owed:
        return refuse(desk, Reason.NO_SUCH_WAGER, f"seat {command.seat} has no marker", *law.cite)
    if form.serial != state.next_form:
        say = f"forms are used in order: {state.next_form} is next, not {form.serial}"
        return refuse(desk, Reason.OUT_OF_ORDER, say, *law.order_cite)
    if form.amount != owed:
        say = f"the form says {Cents(form.amount)}, the marker {Cents(owed)}"
        return refuse(desk, Reason.WRONG_CARDS, say, *law.content_cite)
    if form.copies < law.copies:
        return refuse(desk, Reason.NO_REASON, f"{law.copies} copies at the least", *law.content_cite)
    if not (form.patron.strip() and form.dealer.strip() and form.pit_boss.strip() and form.pit_clerk.strip()):
        return refuse(desk, Reason.NO_REASON, "patron named; dealer, pit boss and pit clerk sign", *law.signed_cite)
    if not form.patron_signed and not form.why_not_signed.strip():
        return refuse(desk, Reason.NO_REASON, "the patron signs, or it is stated why not", *law.signed_cite)
    if not {Role.PIT_BOSS, Role.PIT_CLERK} <= set(command.witnesses):
        say = "the original is dropped in the presence of pit boss and pit clerk"
        return refuse(desk, Reason.NOT_ENTITLED, say, *law.drop_cite)
    kept = desk.rules.edition.vigorish.kept_cite
    return [VigorishDocumented(seat=command.seat, form=form, cites=desk.says(*law.cite, *kept))]


def void_form(desk: Desk, state: State, command: VoidForm) -> Outcome:
    """A void form keeps its number and both its parts."""
    law = desk.rules.edition.vigorish_form
    if law is None:
        keys = desk.rules.edition.vigorish.kept_cite
        return refuse(desk, Reason.NOT_OFFERED, "this document knows no form for waived vigorish", *keys)
    if command.serial != state.next_form:
        say = f"forms are used in order: {state.next_form} is next, not {command.serial}"
        return refuse(desk, Reason.OUT_OF_ORDER, say, *law.order_cite)
    if command.copies < law.copies or not (command.pit_boss.strip() and command.pit_clerk.strip()):
        return refuse(desk, Reason.NO_REASON, "both parts are marked; pit boss and pit clerk sign", *law.void_cite)
    return [
        FormVoided(
            serial=command.serial,
            pit_boss=command.pit_boss,
            pit_clerk=command.pit_clerk,
            cites=desk.says(*law.void_cite),
        )
    ]


def _without(state: State, seat: int) -> dict[int, int]:
    return {each: owed for each, owed in state.markers.items() if each != seat}


def evolve_exception(state: State, event: ExceptionReported) -> State:
    """The debt is a receivable."""
    owed = {**state.receivables, event.seat: state.receivables.get(event.seat, 0) + event.amount}
    return replace(state, markers=_without(state, event.seat), receivables=owed)


def evolve_documented(state: State, event: VigorishDocumented) -> State:
    """The debt is waived on paper."""
    return replace(
        state,
        markers=_without(state, event.seat),
        forms=(*state.forms, event.form.serial),
        complimentary=state.complimentary + event.form.amount,
        next_form=event.form.serial + 1,
    )


def evolve_void_form(state: State, event: FormVoided) -> State:
    """The number is used up."""
    return replace(state, void_forms=(*state.void_forms, event.serial), next_form=event.serial + 1)


COMMANDS = {
    ReportException: report_exception,
    DocumentVigorish: document_vigorish,
    VoidForm: void_form,
}
EVENTS = {
    ExceptionReported: evolve_exception,
    VigorishDocumented: evolve_documented,
    FormVoided: evolve_void_form,
}
