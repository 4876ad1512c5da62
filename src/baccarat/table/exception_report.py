"""Exception reports: two persons turn the vigorish owed by somebody who walked away into a receivable."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.money import Cents
from baccarat.table.actor import Actor
from baccarat.table.audience import TABLE, sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Seat
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import KeptReason
from baccarat.table.registration import evolves
from baccarat.table.role import Role
from baccarat.table.seating_acts import free_chips
from baccarat.table.state import TableState, with_money
from baccarat.table.step_function import asks, automates, tells
from baccarat.table.story_words import by_two
from baccarat.table.two_persons import refuse_same_person
from baccarat.table.vigorish_debt import without_marker


class ReportException(Command, frozen=True, kw_only=True, tag="report_exception"):
    """Two persons turn the debt of somebody who walked away into a receivable."""

    seat: Seat
    reason: KeptReason
    ROLE = Role.FLOORPERSON
    ROLES = frozenset({Role.FLOORPERSON, Role.CASINO_SUPERVISOR})
    STOPPED = True
    CARD = CommandCard(group="vigorish", discretion="sum")

    def seconds(self, role: Role) -> frozenset[Role]:
        """The other of the two who may report it."""
        return self.ROLES - {role}


class ExceptionReported(Event, frozen=True, kw_only=True, tag="exception_reported"):
    """A marker's debt is a receivable; the marker stays on record."""

    seat: int
    patron: str
    amount: int
    reason: str
    requester: str
    approver: str
    CARD = EventCard(
        sights(TABLE, table="seat", debt="amount", floor="patron reason requester approver"),
        sort="payment",
        alert="vigorish",
        short="Vigorish of seat {seat} is reported as an exception.",
        given="amount",
    )


def exception_events(rules: TableRules, state: TableState, command: ReportException, actor: Actor) -> HandlerResult:
    """Where the document has no form: requester and approver are two persons in two roles."""
    law = rules.edition
    keys = law.vigorish.kept_cite
    if law.vigorish_form is not None:
        return refuse(rules, Reason.NOT_OFFERED, "waived_by_form_here", *law.vigorish_form.cite)
    if rules.elects("exception_reports") == "not_admitted":
        return refuse(rules, Reason.NOT_OFFERED, "exceptions_not_admitted", *law.options["exception_reports"].cite)
    owed = state.money.markers.get(command.seat, 0)
    if not owed:
        return refuse(rules, Reason.NO_SUCH_WAGER, "seat_no_marker", *keys, seat=command.seat)
    approver = actor.approved_by(command.name, *command.seconds(actor.role))
    if actor.approvals and not approver:
        return refuse(rules, Reason.WRONG_ROLE, "exception_by_floorperson_and_supervisor", *keys)
    if refused := refuse_same_person(rules, "an_exception_report", (actor.who, approver), command.reason, *keys):
        return refused
    person = state.at(command.seat)
    assert person is not None, "a marker belongs to a seated participant: nobody leaves owing"
    if free_chips(state, command.seat) >= owed:
        return refuse(
            rules, Reason.VIGORISH_OWED, "can_pay_the_vigorish", *law.vigorish.due_cite, seat=command.seat, owed=owed
        )
    return [
        ExceptionReported(
            seat=command.seat,
            patron=person.who,
            amount=owed,
            reason=command.reason,
            requester=actor.who,
            approver=approver,
            cites=rules.cite_text(*keys),
        )
    ]


@evolves(ExceptionReported)
def evolve_exception(state: TableState, event: ExceptionReported) -> TableState:
    """The debt is a receivable, of a patron and not of a seat."""
    owed = {**state.money.receivables, event.patron: state.money.receivables.get(event.patron, 0) + event.amount}
    return with_money(state, markers=without_marker(state, event.seat), receivables=owed)


@asks(ReportException)
def _ask_exception(_rules: TableRules, state: TableState, due: Due) -> Due:
    owed = state.money.markers[due.seat]
    say = f"The floorperson reports that seat {due.seat} cannot pay the {Cents(owed)} that it owes."
    return replace(due, amount=owed, say=say)


automates(ReportException)(lambda _rules, _state, due, _source: ReportException(seat=due.seat, reason="cannot pay"))


tells(ExceptionReported)(
    lambda x: f"Exception report: {x.patron} at seat {x.seat} owes {Cents(x.amount)}; {by_two(x)}."
)
