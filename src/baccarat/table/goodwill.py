"""Goodwill: what a seat is given that no cards owe it, within a limit that the licensee files (reading A-88).

A correction pays no more than the cards owe. Anything beyond that has a name, an approver outside the pit and an
account of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from baccarat.money import Cents
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.audience import TABLE, sights
from baccarat.table.base import Command, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Means, PersonText, Seat
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import Amount, KeptReason
from baccarat.table.registration import HANDLERS_2, evolves, handles_actor
from baccarat.table.role import GOODWILL_APPROVERS, Role
from baccarat.table.seating_acts import too_many_chips, with_chips
from baccarat.table.state import TableState
from baccarat.table.step_function import tells
from baccarat.table.story_words import by_two
from baccarat.table.two_persons import is_same_person, refuse_beneficiary, refuse_unapproved

LIMIT = "goodwill_limit"
"""The option that bounds goodwill payments."""


class PayGoodwill(Command, frozen=True, kw_only=True, tag="pay_goodwill"):
    """A supervisor gives a seat what no cards owe it, within the filed limit; somebody outside the pit approves."""

    seat: Seat
    amount: Amount
    reason: KeptReason
    patron: Annotated[
        PersonText | UnsetType,
        Means("the patron's id; if omitted, the person at that seat when it is paid", is_optional=True),
    ] = UNSET
    """Whom the two persons mean: someone else may sit down there before the second approves."""
    ROLE = Role.FLOORPERSON
    ROLES = frozenset({Role.FLOORPERSON, Role.CASINO_SUPERVISOR})
    SECOND = GOODWILL_APPROVERS
    CARD = CommandCard(group="corrections", discretion="sum")

    @property
    def money(self) -> int | None:
        """What is given."""
        return self.amount

    def with_usual_patron(self, sits_at: Callable[[int], str], earlier: Mapping[str, Any]) -> PayGoodwill:
        """Until the second person approves, somebody else may have sat down there."""
        if self.patron:
            return self
        patron = earlier.get("patron") if earlier else sits_at(self.seat)
        return replace(self, patron=patron or UNSET)


class GoodwillPaid(Event, frozen=True, kw_only=True, tag="goodwill_paid"):
    """A seat was given what no cards owe it."""

    seat: int
    amount: int
    reason: str
    requester: str
    approver: str
    CARD = EventCard(
        sights(TABLE, table="seat", own="amount", floor="reason requester approver"),
        sort="payment",
        alert="correction",
        short="A goodwill payment is made to seat {seat}.",
        given="amount",
    )


@handles_actor(PayGoodwill)
def pay_goodwill(rules: TableRules, state: TableState, command: PayGoodwill, actor: Actor) -> HandlerResult:
    """Within the limit that the licensee has filed, to somebody who neither asks for it nor approves it."""
    keys, seat = _limit_keys(rules), command.seat
    if rules.elects(LIMIT) is None:
        return refuse(rules, Reason.NOT_OFFERED, "no_goodwill_filed", *keys)
    approver = actor.approved_by(command.name, *command.SECOND)
    if refused := refuse_unapproved(rules, command, actor, *keys, what="a_goodwill_payment", reason=command.reason):
        return refused
    person = state.at(seat)
    if person is None:
        return refuse(rules, Reason.SEAT_EMPTY, "nobody_sits_seat", *keys, seat=seat)
    if command.patron and not is_same_person(command.patron, person.who):
        return refuse(rules, Reason.NOT_ENTITLED, "goodwill_for_another_patron", *keys, seat=seat)
    if refused := refuse_beneficiary(rules, person.who, (actor.who, approver), *keys):
        return refused
    if command.amount <= 0:
        return refuse(rules, Reason.NO_SUCH_WAGER, "goodwill_of_nothing", *keys)
    if refused := refuse_above_goodwill(rules, state, command.amount):
        return refused
    if refused := too_many_chips(rules, state, seat, more=command.amount):
        return refused
    return [
        GoodwillPaid(
            seat=seat, amount=command.amount, reason=command.reason, requester=actor.who, approver=approver,
            cites=rules.cite_text(*keys),
        )
    ]  # fmt: skip


def _limit_keys(rules: TableRules) -> tuple[str, ...]:
    option = rules.edition.options.get(LIMIT)
    return option.cite if option is not None else rules.edition.settlement.cite


def refuse_above_goodwill(rules: TableRules, state: TableState, amount: int) -> Refused | None:
    """Why this much is not given away: the licensee has filed a limit for a shoe, or none, which means nothing.

    A table knows its shoe and no gaming day: its house applies the same limit to the day (`house/goodwill.py`).
    """
    limit, keys = rules.elects(LIMIT), _limit_keys(rules)
    if limit is None:
        return refuse(rules, Reason.NOT_OFFERED, "no_goodwill_filed", *keys)
    left = limit - state.shoe.goodwill - state.shoe.given_before
    if amount > left:
        return refuse(rules, Reason.ABOVE_MAXIMUM, "goodwill_above_the_limit", *keys, limit=limit, left=max(0, left))
    return None


def as_known_to_version_2(state: TableState) -> TableState:
    """The table as version 2 saw it: it forgot what had been given away in a shoe when its cards came."""
    return replace(state, shoe=replace(state.shoe, given_before=0)) if state.shoe.given_before else state


HANDLERS_2[PayGoodwill] = lambda rules, state, command, actor: pay_goodwill(
    rules, as_known_to_version_2(state), command, actor
)


@evolves(GoodwillPaid)
def evolve_goodwill(state: TableState, event: GoodwillPaid) -> TableState:
    """The bank has given it away."""
    money, shoe = state.money, state.shoe
    return replace(
        state,
        seats=with_chips(state, event.seat, event.amount),
        money=replace(money, bank=money.bank - event.amount, goodwill=money.goodwill + event.amount),
        shoe=replace(shoe, goodwill=shoe.goodwill + event.amount),
    )


tells(GoodwillPaid)(lambda x: f"Seat {x.seat} is given {Cents(x.amount)} as goodwill; {by_two(x)}.")
