"""A missing form: a prenumbered form that nobody can find is reported by two persons, and its number is passed over."""

from __future__ import annotations

from baccarat.law.edition import Edition
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.audience import OFFICE, sights
from baccarat.table.base import Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import FormNumber, KeptReason
from baccarat.table.registration import evolves, handles_actor
from baccarat.table.role import Role
from baccarat.table.state import TableState, with_money
from baccarat.table.step_function import tells
from baccarat.table.story_words import by_two
from baccarat.table.two_persons import refuse_unapproved
from baccarat.table.vigorish_form import PitClerkCommand, form_law, next_blank


class MissForm(PitClerkCommand, frozen=True, kw_only=True, tag="miss_form"):
    """A blank form of the series in use cannot be found: one person reports it, another confirms."""

    serial: FormNumber
    reason: KeptReason
    SECOND = frozenset({Role.PIT_BOSS, Role.CASINO_SUPERVISOR})
    CARD = CommandCard(group=PitClerkCommand.CARD.group, discretion="nothing")

    def belongs_under(self, edition: Edition) -> tuple[str, ...]:
        """Every number that was received is accounted for."""
        return edition.vigorish_form.account_cite if edition.vigorish_form is not None else ()


class FormMissed(Event, frozen=True, kw_only=True, tag="form_missed"):
    """A number is recorded as missing; it will not be used."""

    serial: int
    reason: str
    requester: str
    approver: str
    CARD = EventCard(sights(OFFICE, office="serial reason requester approver"), sort="irregularity", alert="vigorish")


@handles_actor(MissForm)
def miss_form(rules: TableRules, state: TableState, command: MissForm, actor: Actor) -> HandlerResult:
    """A number of the series in use that is still blank, reported by two persons with a reason."""
    money = state.money
    if isinstance(law := form_law(rules), Refused):
        return law
    if not money.next_form <= command.serial <= money.last_form or command.serial in money.missing_forms:
        return refuse(rules, Reason.OUT_OF_ORDER, "no_such_blank_form", *law.account_cite, serial=command.serial)
    approver, keys = actor.approved_by(command.name, *command.SECOND), law.account_cite
    what, cites = "the_report_of_a_missing_form", rules.cite_text(*keys)
    if refused := refuse_unapproved(rules, command, actor, *keys, what=what, reason=command.reason):
        return refused
    return [
        FormMissed(serial=command.serial, reason=command.reason, requester=actor.who, approver=approver, cites=cites)
    ]


@evolves(FormMissed)
def evolve_missed(state: TableState, event: FormMissed) -> TableState:
    """The number is passed over when its turn comes."""
    missing = (*state.money.missing_forms, event.serial)
    return with_money(state, missing_forms=missing, next_form=next_blank(state.money.next_form, missing))


tells(FormMissed)(lambda x: f"Form {x.serial} cannot be found: {by_two(x)}.")
