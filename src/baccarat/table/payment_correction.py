"""A wrong payment, corrected by no more than the cards owe: a new event that names the old (reading A-88)."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from baccarat.money import Cents
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.audience import TABLE, sights
from baccarat.table.base import Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Means, Seat, Sum
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.correction import Correction, approver_of, both_persons, refuse_without_second
from baccarat.table.due_settlement import with_changed_vigorish, with_corrected_payment
from baccarat.table.owed import can_collect, changed_vigorish, dues, refuse_too_few_chips
from baccarat.table.registration import HANDLERS_1, HANDLERS_2, evolves, handles_actor
from baccarat.table.seating_acts import free_chips, with_chips
from baccarat.table.state import TableState
from baccarat.table.step_function import tells, tells_in_part
from baccarat.table.story_words import by_two
from baccarat.table.two_persons import refuse_beneficiary


class CorrectPayment(Correction, frozen=True, kw_only=True, tag="correct_payment"):
    """A seat was paid too little (above zero) or too much (below zero)."""

    seat: Seat
    amount: Annotated[Sum, Means("what is paid in addition, or below zero what is taken back")]
    STOPPED = True
    CORRECTED = "payment"
    CARD = CommandCard(group="corrections", discretion="sum")

    @property
    def money(self) -> int | None:
        """What is paid, or taken back."""
        return self.amount


class PaymentCorrected(Event, frozen=True, kw_only=True, tag="payment_corrected"):
    """Money moves between the bank and a seat to correct a wrong payment."""

    corrects: int
    seat: int
    amount: int
    vigorish: int | UnsetType = UNSET
    """By how much the vigorish that the house earned changes; absent where it does not."""
    reason: str
    requester: str
    approver: str
    CARD = EventCard(
        sights(TABLE, table="seat", own="amount vigorish", house="corrects", floor="reason requester approver"),
        sort="correction",
        alert="correction",
        short="A payment to seat {seat} is corrected.",
        given="amount",
    )


@handles_actor(CorrectPayment)
def correct_payment(rules: TableRules, state: TableState, command: CorrectPayment, actor: Actor) -> HandlerResult:
    """Correct a payment after the fact, by no more than the cards owe; nobody's chips fall below zero.

    At a table on record the vigorish that was earned by the wrong result follows the payment that leaves nothing owed.
    """
    if isinstance(events := _correct_payment_by_version_2(rules, state, command, actor), Refused):
        return events
    seat, amount = command.seat, command.amount
    vigorish = changed_vigorish(rules, state, seat) if state.is_on_record and amount == dues(rules, state)[seat] else 0
    return _payment_events(rules, command, actor, vigorish=vigorish or UNSET)


def _correct_payment_by_version_2(
    rules: TableRules, state: TableState, command: CorrectPayment, actor: Actor
) -> HandlerResult:
    """Version 2 left the vigorish earned as it was."""
    if refused := _refuse_payment(rules, state, command, actor):
        return refused
    keys, seat, amount = rules.edition.settlement.cite, command.seat, command.amount
    person, approver = state.at(seat), approver_of(command, actor)
    assert person is not None, "an empty seat was refused before"
    if refused := refuse_beneficiary(rules, person.who, (actor.who, approver), *keys):
        return refused
    due = dues(rules, state).get(seat, 0)
    if not (0 < amount <= due or due <= amount < 0):
        if due == 0:
            return refuse(rules, Reason.WRONG_SUM, "no_payment_to_correct", *keys, seat=seat)
        what = "more_than_a_seat_is_owed" if due > 0 else "more_than_a_seat_owes"
        return refuse(rules, Reason.WRONG_SUM, what, *keys, seat=seat, due=abs(due))
    if amount < 0 and not can_collect(state, seat, -amount):
        return refuse_too_few_chips(rules, state, seat, -amount)
    return _payment_events(rules, command, actor)


HANDLERS_2[CorrectPayment] = _correct_payment_by_version_2


def _refuse_payment(rules: TableRules, state: TableState, command: CorrectPayment, actor: Actor) -> Refused | None:
    keys = rules.edition.settlement.cite
    if refused := refuse_without_second(rules, command, actor, *keys):
        return refused
    if state.at(command.seat) is None:
        return refuse(rules, Reason.SEAT_EMPTY, "nobody_sits_seat", *keys, seat=command.seat)
    if command.amount == 0:
        return refuse(rules, Reason.NO_SUCH_WAGER, "correction_of_nothing", *keys)
    return None


def _payment_events(
    rules: TableRules, command: CorrectPayment, actor: Actor, *, vigorish: int | UnsetType = UNSET
) -> list[Event]:
    cites, said = rules.cite_text(*rules.edition.settlement.cite), both_persons(command, actor)
    corrects, seat, amount = command.corrects, command.seat, command.amount
    return [PaymentCorrected(corrects=corrects, seat=seat, amount=amount, vigorish=vigorish, cites=cites, **said)]


def _correct_payment_by_version_1(
    rules: TableRules, state: TableState, command: CorrectPayment, actor: Actor
) -> HandlerResult:
    """Version 1 let two persons correct a payment by any sum that did not take a seat's chips below zero."""
    if refused := _refuse_payment(rules, state, command, actor):
        return refused
    if command.amount < 0 and free_chips(state, command.seat) + command.amount < 0:
        return refuse_too_few_chips(rules, state, command.seat, -command.amount)
    return _payment_events(rules, command, actor)


HANDLERS_1[CorrectPayment] = _correct_payment_by_version_1


@evolves(PaymentCorrected)
def evolve_payment(state: TableState, event: PaymentCorrected) -> TableState:
    """Bank and seat are as they should be; until the result, what House Money moved can still be taken back."""
    state = with_corrected_payment(state, event.seat, event.amount)
    state = with_changed_vigorish(state, event.seat, event.vigorish or 0)
    seats = with_chips(state, event.seat, event.amount)
    return replace(state, seats=seats, money=replace(state.money, bank=state.money.bank - event.amount))


tells(PaymentCorrected)(
    lambda x: (
        f"Event {x.corrects} is corrected: {Cents(abs(x.amount))} "
        + (f"more is paid to seat {x.seat}" if x.amount > 0 else f"is taken back from seat {x.seat}")
        + f"; {by_two(x)}."
    )
)


tells_in_part(PaymentCorrected, "seat", "amount")(
    lambda x: (
        f"A payment to seat {x.seat} is corrected: {Cents(abs(x.amount))} "
        f"{'more is paid' if x.amount > 0 else 'is taken back'}."
    )
)
