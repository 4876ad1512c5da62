"""Complimentary Vigorish Forms at a table: what stands on one, the blanks that it has, and those that are void."""

from __future__ import annotations

from typing import Annotated

import msgspec

from baccarat.law.edition import Edition
from baccarat.law.section import VigorishForm
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.audience import OFFICE, sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Count, Means, PersonText, Remark, Sum
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import FormCopies, FormNumber
from baccarat.table.registration import evolves, handles, handles_actor
from baccarat.table.role import Role
from baccarat.table.source import CardSource
from baccarat.table.state import TableState, with_money
from baccarat.table.step_function import automates, tells
from baccarat.table.two_persons import is_same_person, refuse_same_person

MOST_FORMS = 10_000
"""No document has a ceiling: each blank of a series is compared with the form book after every act."""


class ComplimentaryForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Complimentary Vigorish Form: serially numbered, original and duplicate, signed."""

    serial: FormNumber
    amount: Annotated[Sum, Means("the vigorish that is waived")]
    patron: Annotated[PersonText, Means("the patron's name")]
    dealer: Annotated[PersonText, Means("who signs as dealer")]
    pit_boss: Annotated[PersonText, Means("who signs as pit boss")]
    pit_clerk: Annotated[PersonText, Means("who signs as pit clerk")]
    patron_signed: Annotated[bool, Means("whether the patron has signed")] = False
    why_not_signed: Annotated[Remark, Means("why the patron has not")] = ""
    stated_by: Annotated[PersonText, Means("the dealer or the pit boss who states that, by name")] = ""
    """Who states why the patron has not signed: the dealer or the pit boss, by name."""
    copies: FormCopies = 2


class PitClerkCommand(Command, frozen=True, kw_only=True):
    """An act on the table's forms."""

    ROLE = Role.PIT_CLERK
    ROLES = frozenset({Role.PIT_CLERK})
    STOPPED = True
    CARD = CommandCard(group="vigorish")

    def belongs_under(self, edition: Edition) -> tuple[str, ...]:
        """Only pit clerks may reach unused forms."""
        return edition.vigorish_form.access_cite if edition.vigorish_form is not None else ()


class ReceiveForms(PitClerkCommand, frozen=True, kw_only=True, tag="receive_forms"):
    """The pit clerk takes a series of prenumbered forms into use at this table."""

    first: Annotated[Count, Means("the lowest number of the series")]
    last: Annotated[Count, Means("the highest number of the series")]
    CARD = CommandCard(group="vigorish", ask="The pit clerk brings a series of blank forms.")


class VoidForm(PitClerkCommand, frozen=True, kw_only=True, tag="void_form"):
    """A form is voided: both parts marked, signed by pit boss and pit clerk, its number recorded."""

    serial: FormNumber
    copies: FormCopies = 2

    def seconds(self, role: Role) -> frozenset[Role]:
        """The pit boss, who signs the form too."""
        del role
        return frozenset({Role.PIT_BOSS})


class FormsReceived(Event, frozen=True, kw_only=True, tag="forms_received"):
    """Prenumbered forms lie ready."""

    first: int
    last: int
    CARD = EventCard(sights(OFFICE, office="first last"), sort="other")


class FormVoided(Event, frozen=True, kw_only=True, tag="form_voided"):
    """A form's number is used up, and void."""

    serial: int
    pit_boss: str
    pit_clerk: str
    copies: int = 2
    """How many parts are marked void."""
    CARD = EventCard(sights(OFFICE, office="serial pit_boss pit_clerk copies"), sort="irregularity", alert="vigorish")


def form_law(rules: TableRules) -> VigorishForm | Refused:
    """What the document says about forms, or that it has none."""
    law = rules.edition.vigorish_form
    if law is not None:
        return law
    return refuse(rules, Reason.NOT_OFFERED, "no_form_in_this_document", *rules.edition.vigorish.kept_cite)


def says_why_unsigned(form: ComplimentaryForm) -> bool:
    """Whether a form without the patron's signature says why it has none, and who says so."""
    return form.patron_signed or bool(form.why_not_signed.strip() and form.stated_by.strip())


def is_stated_rightly(form: ComplimentaryForm) -> bool:
    """Whether the dealer or the pit boss of the form states why the patron has not signed."""
    return form.patron_signed or any(is_same_person(form.stated_by, who) for who in (form.dealer, form.pit_boss))


def refuse_unsigned(rules: TableRules, form: ComplimentaryForm, *keys: str) -> Refused | None:
    """Without the patron's signature, the dealer or the pit boss states why it was not given."""
    if not says_why_unsigned(form):
        return refuse(rules, Reason.INCOMPLETE, "patron_signs_or_it_is_stated_why", *keys)
    if not is_stated_rightly(form):
        return refuse(rules, Reason.NOT_ENTITLED, "another_states_why_unsigned", *keys, stated_by=form.stated_by)
    return None


def forms_left(state: TableState) -> bool:
    """Whether a blank form lies ready."""
    return state.money.next_form <= state.money.last_form


def next_blank(serial: int, missing: tuple[int, ...]) -> int:
    """The number from which the next form is taken, missing ones skipped."""
    while serial in missing:
        serial += 1
    return serial


def refuse_serial(rules: TableRules, state: TableState, serial: int, *keys: str) -> Refused | None:
    """The forms of a series are used in the order of their numbers."""
    if not forms_left(state):
        return refuse(rules, Reason.NOT_OFFERED, "no_blank_form_left", *keys)
    if serial != state.money.next_form:
        return refuse(
            rules, Reason.OUT_OF_ORDER, "forms_used_in_order", *keys, next_form=state.money.next_form, serial=serial
        )
    return None


@handles(ReceiveForms)
def receive_forms(rules: TableRules, state: TableState, command: ReceiveForms) -> HandlerResult:
    """A series with numbers that were neither used nor missing before, once the last one is used up."""
    money = state.money
    if isinstance(law := form_law(rules), Refused):
        return law
    if not 1 <= command.first <= command.last:
        return refuse(rules, Reason.OUT_OF_ORDER, "series_runs_upwards", *law.account_cite)
    if command.last - command.first >= MOST_FORMS:
        return refuse(rules, Reason.OUT_OF_ORDER, "series_of_too_many_forms", *law.account_cite, most=MOST_FORMS)
    if forms_left(state):
        why, next_, last = Reason.OUT_OF_ORDER, money.next_form, money.last_form
        return refuse(rules, why, "other_forms_used_first", *law.order_cite, next_form=next_, last_form=last)
    used = {*money.forms, *money.void_forms, *money.missing_forms}
    if any(command.first <= serial <= command.last for serial in used):
        return refuse(rules, Reason.OUT_OF_ORDER, "numbers_used_before", *law.account_cite)
    return [FormsReceived(first=command.first, last=command.last, cites=rules.cite_text(*law.account_cite))]


@handles_actor(VoidForm)
def void_form(rules: TableRules, state: TableState, command: VoidForm, actor: Actor) -> HandlerResult:
    """A void form keeps its number and both its parts."""
    if isinstance(law := form_law(rules), Refused):
        return law
    if refused := refuse_serial(rules, state, command.serial, *law.order_cite):
        return refused
    if command.copies < law.copies:
        return refuse(rules, Reason.INCOMPLETE, "every_part_marked_void", *law.void_cite, copies=law.copies)
    boss = actor.approved_by(command.name, *command.seconds(actor.role))
    if refused := refuse_same_person(rules, "a_void_form", (boss, actor.who), "void", *law.void_cite):
        return refused
    serial, copies, cites = command.serial, command.copies, rules.cite_text(*law.void_cite)
    return [FormVoided(serial=serial, pit_boss=boss, pit_clerk=actor.who, copies=copies, cites=cites)]


evolves(FormsReceived)(lambda state, event: with_money(state, next_form=event.first, last_form=event.last))


@evolves(FormVoided)
def evolve_void_form(state: TableState, event: FormVoided) -> TableState:
    """The number is used up."""
    after = next_blank(event.serial + 1, state.money.missing_forms)
    return with_money(state, void_forms=(*state.money.void_forms, event.serial), next_form=after)


@automates(ReceiveForms)
def _make_receive_forms(_rules: TableRules, state: TableState, _due: Due, _source: CardSource) -> Command:
    first = state.money.last_form + 1
    return ReceiveForms(first=first, last=first + 49)


tells(FormsReceived)(lambda x: f"Forms {x.first} to {x.last} are ready for use.")
tells(FormVoided)(lambda x: f"Form {x.serial} is void.")
