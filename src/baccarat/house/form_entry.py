"""Entries into the form book: what follows from the events at a table, where dealer and witnesses did their part."""

from __future__ import annotations

from baccarat.house.book import BookOutcome, Context
from baccarat.house.form import FormBook
from baccarat.house.form_book import (
    FORMS,
    DropOriginal,
    MakeOutForm,
    ReceiveSeries,
    ReportMissing,
    VoidPaper,
    drop_original,
    law_of,
    make_out_form,
    receive_series,
    report_missing,
    void_paper,
)
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Event
from baccarat.table.missing_form import FormMissed
from baccarat.table.role import Role
from baccarat.table.vigorish_debt import VigorishDocumented
from baccarat.table.vigorish_form import FormsReceived, FormVoided

FORM_EVENTS = (FormsReceived, FormVoided, FormMissed, VigorishDocumented)
"""The events of a table that the form book enters."""


def enter_form(rules: Rulebook, state: FormBook, *, table: str, event: Event) -> BookOutcome:
    """What follows in the book from an event at a table, where dealer and witnesses did their part; mostly nothing."""
    if not isinstance(event, FORM_EVENTS):
        return []
    law = law_of(rules)
    if isinstance(law, Refused):
        return []
    clerk, dealer = _context(rules, Role.PIT_CLERK), _context(rules, Role.DEALER)
    if isinstance(event, FormsReceived):
        return receive_series(clerk, state, ReceiveSeries(table=table, first=event.first, last=event.last))
    if isinstance(event, FormMissed):
        reported = ReportMissing(table=table, serial=event.serial, reason=event.reason)
        by_two = Actor(who=event.requester, role=Role.PIT_CLERK, approvals=(Approval(event.approver, Role.PIT_BOSS),))
        return report_missing(Context(rules=rules, actor=by_two), state, reported)
    if isinstance(event, FormVoided):
        signed = {"pit_boss": event.pit_boss, "pit_clerk": event.pit_clerk}
        return void_paper(clerk, state, VoidPaper(table=table, serial=event.serial, copies=event.copies, **signed))
    form = event.form
    if isinstance(made := make_out_form(clerk, state, MakeOutForm(table=table, form=form)), Refused):
        return made
    present = (Approval(form.pit_boss, Role.PIT_BOSS), Approval(form.pit_clerk, Role.PIT_CLERK))
    after = FORMS.replay(state, made)
    dropped = drop_original(dealer, after, DropOriginal(table=table, original=form, present=present))
    return dropped if isinstance(dropped, Refused) else [*made, *dropped]


def _context(rules: Rulebook, role: Role) -> Context:
    """The table has already checked who acts: only the capacity is passed on here."""
    return Context(rules=rules, actor=Actor(who=role.value, role=role))
