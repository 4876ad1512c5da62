"""Owing: vigorish that was marked and not collected, waived by a Complimentary Vigorish Form."""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace

from baccarat.money import Cents
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.audience import TABLE, sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Means, Seat
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.registration import HANDLERS_2, evolves, handles_actor
from baccarat.table.role import Role
from baccarat.table.source import CardSource
from baccarat.table.state import TableState, with_money
from baccarat.table.step_function import asks, automates, tells
from baccarat.table.two_persons import (
    asks_who_deals,
    is_on_the_game,
    is_same_person,
    refuse_beneficiary,
    refuse_same_person,
)
from baccarat.table.vigorish_form import (
    ComplimentaryForm,
    PitClerkCommand,
    form_law,
    next_blank,
    refuse_serial,
    refuse_unsigned,
)


class DocumentVigorish(PitClerkCommand, frozen=True, kw_only=True, tag="document_vigorish"):
    """The pit clerk prepares a form for vigorish that is waived; the pit boss sees the original dropped."""

    seat: Seat
    form: Annotated[ComplimentaryForm, Means("the form that was made out")]
    CARD = CommandCard(group="vigorish", public_ask="Vigorish is documented on a form.", discretion="sum")

    @property
    def stated_reason(self) -> str:
        """Why the patron has not signed the form."""
        return self.form.why_not_signed

    def seconds(self, role: Role) -> frozenset[Role]:
        """The pit boss, who signs the form too."""
        del role
        return frozenset({Role.PIT_BOSS})

    @property
    def money(self) -> int | None:
        """What the form waives."""
        return self.form.amount


class VigorishDocumented(Event, frozen=True, kw_only=True, tag="vigorish_documented"):
    """A form covers a marker's debt to the cent; the win includes it, and so does a complimentary."""

    seat: int
    form: ComplimentaryForm
    CARD = EventCard(
        sights(TABLE, table="seat", debt="form"),
        sort="payment",
        alert="vigorish",
        short="Vigorish of seat {seat} is documented on a form.",
        given="form.amount",
    )


@handles_actor(DocumentVigorish)
def document_vigorish(rules: TableRules, state: TableState, command: DocumentVigorish, actor: Actor) -> HandlerResult:
    """The next form in order, for the whole debt of who sits there, signed, dropped in the signers' presence.

    The patron of a form is the one who owes what it waives, and signs it for the house in no capacity. Its dealer is on
    the game (reading A-101).
    """
    if isinstance(events := _document_vigorish_by_version_2(rules, state, command, actor), Refused):
        return events
    law, form, person = rules.edition.vigorish_form, command.form, state.at(command.seat)
    assert law is not None, "a document without forms has refused"
    assert person is not None, "a marker belongs to a seated participant: nobody leaves owing"
    if not is_same_person(form.patron, person.who):
        return refuse(rules, Reason.NOT_ENTITLED, "form_of_another_patron", *law.content_cite, seat=command.seat)
    if asks_who_deals(state) and not is_on_the_game(state, form.dealer):
        return refuse(rules, Reason.NOT_ENTITLED, "not_on_the_game", *law.signed_cite, who=form.dealer)
    signed = form.dealer, form.pit_boss, form.pit_clerk
    return refuse_beneficiary(rules, person.who, signed, *law.signed_cite) or events


def _document_vigorish_by_version_2(
    rules: TableRules, state: TableState, command: DocumentVigorish, actor: Actor
) -> HandlerResult:
    """Version 2 let a form name any patron and any dealer, and let that patron sign it for the house."""
    form = command.form
    if isinstance(law := form_law(rules), Refused):
        return law
    owed = state.money.markers.get(command.seat, 0)
    if not owed:
        return refuse(rules, Reason.NO_SUCH_WAGER, "seat_no_marker", *law.cite, seat=command.seat)
    if refused := refuse_serial(rules, state, form.serial, *law.order_cite):
        return refused
    if form.amount != owed:
        return refuse(
            rules, Reason.WRONG_SUM, "form_differs_from_marker", *law.content_cite, amount=form.amount, owed=owed
        )
    if form.copies < law.copies:
        return refuse(rules, Reason.INCOMPLETE, "too_few_copies", *law.content_cite, copies=law.copies)
    if not form.patron.strip() or not is_same_person(actor.who, form.pit_clerk):
        return refuse(rules, Reason.INCOMPLETE, "form_names_patron_and_clerk", *law.signed_cite)
    signed = form.dealer, form.pit_boss, form.pit_clerk
    if refused := refuse_same_person(rules, "a_form", signed, "waived vigorish", *law.signed_cite):
        return refused
    if refused := refuse_unsigned(rules, form, *law.signed_cite):
        return refused
    if not is_same_person(actor.approved_by(command.name, *command.seconds(actor.role)), form.pit_boss):
        return refuse(rules, Reason.NOT_ENTITLED, "original_dropped_before_boss_and_clerk", *law.drop_cite)
    keys = (*law.content_cite, *law.signed_cite, *law.drop_cite, *rules.edition.vigorish.kept_cite)
    return [VigorishDocumented(seat=command.seat, form=form, cites=rules.cite_text(*keys))]


HANDLERS_2[DocumentVigorish] = _document_vigorish_by_version_2


def without_marker(state: TableState, seat: int) -> dict[int, int]:
    """The markers without that of a seat."""
    return {each: owed for each, owed in state.money.markers.items() if each != seat}


@evolves(VigorishDocumented)
def evolve_documented(state: TableState, event: VigorishDocumented) -> TableState:
    """The debt is waived on paper."""
    return with_money(
        state,
        markers=without_marker(state, event.seat),
        forms=(*state.money.forms, event.form.serial),
        complimentary=state.money.complimentary + event.form.amount,
        next_form=next_blank(event.form.serial + 1, state.money.missing_forms),
    )


@asks(DocumentVigorish)
def _ask_document(_rules: TableRules, state: TableState, due: Due) -> Due:
    owed, serial = state.money.markers[due.seat], state.money.next_form
    say = f"The pit clerk makes out form {serial} for the {Cents(owed)} that seat {due.seat} owes."
    return replace(due, amount=owed, say=say)


@automates(DocumentVigorish)
def _make_document(rules: TableRules, state: TableState, due: Due, _source: CardSource) -> Command:
    law = rules.edition.vigorish_form
    assert law is not None, "only due where the document has a form"
    person = state.at(due.seat)
    assert person is not None, "a marker belongs to a seated participant: nobody leaves owing"
    form = ComplimentaryForm(
        copies=law.copies,
        serial=state.money.next_form,
        amount=state.money.markers[due.seat],
        patron=person.who,
        dealer="dealer",
        pit_boss="pit boss",
        pit_clerk="pit clerk",
        why_not_signed="the patron has left",
        stated_by="pit boss",
    )
    return DocumentVigorish(seat=due.seat, form=form)


@tells(VigorishDocumented)
def _tell_documented(event: VigorishDocumented) -> str:
    form = event.form
    why = (
        "" if form.patron_signed else f" {form.patron} has not signed; {form.stated_by} states: {form.why_not_signed}."
    )
    return f"Form {form.serial} documents {Cents(form.amount)} of seat {event.seat}'s vigorish.{why}"
