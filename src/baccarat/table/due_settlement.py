"""What is due after a correction, settled: paid, collected, or reported as a receivable by two persons.

How much it is, is computed in `owed.py`. A correction while the announced result is being settled stops settling it.
"""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.money import Cents
from baccarat.play.wager.royal9 import progressive
from baccarat.table.actor import Actor
from baccarat.table.audience import TABLE, sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.bounds import Seat
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import KeptReason
from baccarat.table.owed import (
    can_collect,
    changed_vigorish,
    dues,
    open_dues,
    owed_clauses,
    owed_lines,
    refuse_too_few_chips,
)
from baccarat.table.registration import evolves, handles, handles_actor
from baccarat.table.role import Role
from baccarat.table.round_state import Act
from baccarat.table.seating_acts import with_chips
from baccarat.table.state import TableState
from baccarat.table.step.settlement import AWARD, LOSERS, MARK, PAY, VIGORISH
from baccarat.table.step_function import asks, automates, describes, tells
from baccarat.table.story_words import by_two
from baccarat.table.two_persons import refuse_beneficiary, refuse_same_person

PAY_DUE, COLLECT_DUE = "pay_due", "collect_due"
"""What is asked for if something is owed to a seat, and if it is owed by one."""


class SettleDue(Command, frozen=True, kw_only=True, tag="settle_due"):
    """The dealer pays a seat what the corrected cards owe it, or collects what it was overpaid."""

    seat: Seat
    CARD = CommandCard(pace="pay", console="seat", ask_is_public=True)


class ReportUncollected(Command, frozen=True, kw_only=True, tag="report_uncollected"):
    """Two persons record an amount that a correction could not collect as a receivable."""

    seat: Seat
    reason: KeptReason
    ROLE = Role.FLOORPERSON
    ROLES = frozenset({Role.FLOORPERSON, Role.CASINO_SUPERVISOR})
    CARD = CommandCard(group="corrections", discretion="sum")

    def seconds(self, role: Role) -> frozenset[Role]:
        """The other of the two who may report it."""
        return self.ROLES - {role}


class SettlementStopped(Event, frozen=True, kw_only=True, tag="settlement_stopped"):
    """A card was corrected while the round was being settled: nothing more is paid by the announced result.

    What was set aside goes back to the bank, and the stakes lie where they are until what is owed is settled.
    """

    payable: dict[int, int] = {}
    """What was still set aside for each seat."""
    withheld: dict[int, int] = {}
    """What each seat was still to be given by the announced result, its stakes included."""
    lying: dict[int, int] = {}
    """The stakes of each seat that still lie on the layout."""
    untaken: dict[int, int] = {}
    """The vigorish of each seat that was not taken yet."""
    CARD = EventCard(sights(TABLE, table="payable withheld lying untaken"), sort="correction")


class DueSettled(Event, frozen=True, kw_only=True, tag="due_settled"):
    """A seat has what the corrected cards owe it; below zero, what they do not owe it is back."""

    seat: int
    amount: int
    lying: int = 0
    """The stakes of the seat that lay on the layout, and that are in the bank now."""
    vigorish: int = 0
    """By how much the vigorish that the house earned changes."""
    CARD = EventCard(
        sights(TABLE, table="seat amount lying vigorish"),
        sort="payment",
        alert="correction",
        short="What is owed at seat {seat} is settled.",
    )


class UncollectedReported(Event, frozen=True, kw_only=True, tag="uncollected_reported"):
    """What a correction could not take back is a receivable; the chips that were there are taken."""

    seat: int
    patron: str
    amount: int
    collected: int
    lying: int = 0
    vigorish: int = 0
    reason: str
    requester: str
    approver: str
    CARD = EventCard(
        sights(TABLE, table="seat", debt="amount collected lying vigorish", floor="patron reason requester approver"),
        sort="payment",
        alert="correction",
        short="What seat {seat} owes after a correction is reported.",
        given="given_back",
    )

    @property
    def given_back(self) -> int:
        """What the seat is given by it: below zero, the chips that are taken."""
        return -self.collected


def stop_settlement_events(rules: TableRules, state: TableState) -> list[Event]:
    """What follows from a correction while the announced result is not settled to its end; nothing after that.

    Nor does anything if the corrected cards settle every wager as it was announced.
    """
    round_, money = state.round, state.money
    if not (round_.acts or round_.returned_due) or not owed_lines(rules, state):
        return []
    progress = progressive(rules.rulebook)
    stake_back = progress is not None and progress.returns_stake
    withheld, lying, untaken = dict(round_.returned_due), dict(round_.returned_due), dict[int, int]()
    for act in round_.acts:
        stake = act.amount if act.act == LOSERS else act.stake
        withheld[act.seat] = withheld.get(act.seat, 0) + _given_back(act, stake_back=stake_back)
        lying[act.seat] = lying.get(act.seat, 0) + stake
        if act.act in (VIGORISH, MARK):
            untaken[act.seat] = untaken.get(act.seat, 0) + act.amount
    payable = {seat: owed for seat, owed in money.payable.items() if owed}
    for seat, owed in payable.items():
        withheld[seat] = withheld.get(seat, 0) + owed
    return [
        SettlementStopped(
            payable=payable,
            withheld={seat: amount for seat, amount in withheld.items() if amount},
            lying={seat: amount for seat, amount in lying.items() if amount},
            untaken=untaken,
            cites=rules.cite_text(*owed_clauses(rules)),
        )
    ]


def _given_back(act: Act, *, stake_back: bool) -> int:
    """What an act that was still to come would have given a seat, besides what is set aside for it."""
    if act.act in (VIGORISH, MARK):
        return -act.amount
    return act.stake if act.act == PAY or (act.act == AWARD and stake_back) else 0


# ---------------------------------------------------------------------------------------------- deciding


@handles(SettleDue)
def settle_due(rules: TableRules, state: TableState, command: SettleDue) -> HandlerResult:
    """Pay or collect exactly what is owed."""
    seat, keys, owed = command.seat, owed_clauses(rules), dues(rules, state)
    if seat not in owed:
        return refuse(rules, Reason.NO_SUCH_WAGER, "nothing_is_owed_here", *keys, seat=seat)
    amount = owed[seat]
    if amount < 0 and not can_collect(state, seat, -amount):
        return refuse_too_few_chips(rules, state, seat, -amount)
    lying, vigorish = state.round.lying.get(seat, 0), changed_vigorish(rules, state, seat)
    return [DueSettled(seat=seat, amount=amount, lying=lying, vigorish=vigorish, cites=rules.cite_text(*keys))]


@handles_actor(ReportUncollected)
def report_uncollected(rules: TableRules, state: TableState, command: ReportUncollected, actor: Actor) -> HandlerResult:
    """After the result, when all that the seat has won is before it and does not suffice: what there is, is taken.

    Requester and approver are two persons, and neither is the one who owes.
    """
    seat, keys, owed = command.seat, owed_clauses(rules), dues(rules, state).get(command.seat, 0)
    if owed >= 0 or not state.round.announced:
        return refuse(rules, Reason.NO_SUCH_WAGER, "nothing_is_to_be_collected", *keys, seat=seat)
    approver = actor.approved_by(command.name, *command.seconds(actor.role))
    if actor.approvals and not approver:
        return refuse(rules, Reason.WRONG_ROLE, "exception_by_floorperson_and_supervisor", *keys)
    if refused := refuse_same_person(rules, "an_exception_report", (actor.who, approver), command.reason, *keys):
        return refused
    person = state.at(seat)
    assert person is not None, "nobody leaves while his wagers are being settled"
    if refused := refuse_beneficiary(rules, person.who, (actor.who, approver), *keys):
        return refused
    if can_collect(state, seat, -owed):
        return refuse(rules, Reason.OUT_OF_ORDER, "can_be_collected", *keys, seat=seat, due=-owed)
    taken, lying = person.chips, state.round.lying.get(seat, 0)
    return [
        UncollectedReported(
            seat=seat, patron=person.who, amount=-owed - taken, collected=taken, lying=lying,
            vigorish=changed_vigorish(rules, state, seat), reason=command.reason, requester=actor.who,
            approver=approver, cites=rules.cite_text(*keys),
        )
    ]  # fmt: skip


# ---------------------------------------------------------------------------------------------- evolving


@evolves(SettlementStopped)
def evolve_stopped(state: TableState, event: SettlementStopped) -> TableState:
    """The bank has what was set aside; the stakes lie where they are."""
    round_ = replace(
        state.round,
        acts=(),
        returned_due={},
        return_cites=(),
        withheld=event.withheld,
        lying=event.lying,
        untaken=event.untaken,
    )
    money = replace(state.money, payable={}, bank=state.money.bank + sum(event.payable.values()))
    return replace(state, round=round_, money=money)


def with_corrected_payment(state: TableState, seat: int, amount: int) -> TableState:
    """The round in which a payment was corrected; until the result, a void round takes back House Money."""
    round_ = state.round
    if round_.announced:
        righted = {**round_.righted, seat: round_.righted.get(seat, 0) + amount}
        return replace(state, round=replace(round_, righted=righted, corrected=True))
    if any(line.seat == seat for line in round_.house_lines):
        moved = {**round_.house_corrected, seat: round_.house_corrected.get(seat, 0) + amount}
        return replace(state, round=replace(round_, house_corrected=moved, corrected=True))
    return state


def _without_stakes(state: TableState, seat: int, *, lying: int, vigorish: int, given: int) -> TableState:
    """The bank has the stakes of a seat that lay there, less what it gives; the vigorish earned is as it should be."""
    round_, money = state.round, state.money
    left = {each: amount for each, amount in round_.lying.items() if each != seat}
    money = replace(money, bank=money.bank + lying - given)
    return with_changed_vigorish(replace(state, round=replace(round_, lying=left), money=money), seat, vigorish)


def with_changed_vigorish(state: TableState, seat: int, vigorish: int) -> TableState:
    """The vigorish that was earned from a seat is as it should be."""
    if not vigorish:
        return state
    round_, money = state.round, state.money
    # Below zero on purpose where the cards changed the vigorish: what `changed_vigorish` still finds is then zero.
    untaken = {**round_.untaken, seat: round_.untaken.get(seat, 0) - vigorish}
    money = replace(money, vigorish_earned=money.vigorish_earned + vigorish)
    return replace(state, round=replace(round_, untaken=untaken), money=money)


@evolves(DueSettled)
def evolve_due(state: TableState, event: DueSettled) -> TableState:
    """Bank and seat are as the cards say."""
    state = with_corrected_payment(state, event.seat, event.amount)
    state = replace(state, seats=with_chips(state, event.seat, event.amount))
    return _without_stakes(state, event.seat, lying=event.lying, vigorish=event.vigorish, given=event.amount)


@evolves(UncollectedReported)
def evolve_uncollected(state: TableState, event: UncollectedReported) -> TableState:
    """The bank has the chips that were there, and the patron owes the rest."""
    taken = event.collected
    state = with_corrected_payment(state, event.seat, -event.amount - taken)
    state = replace(state, seats=with_chips(state, event.seat, -taken))
    state = _without_stakes(state, event.seat, lying=event.lying, vigorish=event.vigorish, given=-taken)
    owed = {**state.money.receivables, event.patron: state.money.receivables.get(event.patron, 0) + event.amount}
    return replace(state, money=replace(state.money, receivables=owed))


# --------------------------------------------------------------------------------------- due, expected


def expect_owed(rules: TableRules, state: TableState) -> list[Due]:
    """What is due after a correction: first what is collected, then what is paid, seat by seat."""
    cites = rules.cite_text(*owed_clauses(rules))
    found: list[Due] = []
    for seat, due in sorted(open_dues(rules, state).items(), key=lambda each: (each[1] > 0, each[0])):
        is_paid = due >= 0 or can_collect(state, seat, -due)
        by, act = (Role.DEALER, "settle_due") if is_paid else (Role.FLOORPERSON, "report_uncollected")
        found.append(Due(by=by, act=act, seat=seat, cites=cites))
    return found


# ---------------------------------------------------------------------------------- asks, fills, tells


@asks(SettleDue)
def _ask_due(rules: TableRules, state: TableState, due: Due) -> Due:
    amount, lying = dues(rules, state)[due.seat], state.round.lying.get(due.seat, 0)
    why = "that the corrected cards owe it" if amount >= 0 else "that the corrected cards do not owe it"
    done = f"pays seat {due.seat} {Cents(amount)}" if amount >= 0 else f"collects {Cents(-amount)} from seat {due.seat}"
    say = f"The dealer {done} {why}."
    if not amount:
        say = f"The dealer collects the {Cents(lying)} of seat {due.seat} that the corrected cards lose."
    return replace(due, amount=abs(amount) or lying, say=say)


@asks(ReportUncollected)
def _ask_uncollected(rules: TableRules, state: TableState, due: Due) -> Due:
    amount = -dues(rules, state)[due.seat]
    say = f"The floorperson reports that seat {due.seat} cannot repay the {Cents(amount)} that it owes."
    return replace(due, amount=amount, say=say)


@describes(SettleDue)
def _describe_due(rules: TableRules, state: TableState, due: Due) -> tuple[str, dict[str, int | str]]:
    amount = dues(rules, state).get(due.seat, 0)
    return (PAY_DUE if amount > 0 else COLLECT_DUE), {}


automates(ReportUncollected)(lambda _rules, _state, due, _source: ReportUncollected(seat=due.seat, reason="cannot pay"))


tells(SettlementStopped)(
    lambda _: "The settlement stops, because a card was corrected: from here on it is settled by the corrected cards."
)


@tells(DueSettled)
def _tell_due(event: DueSettled) -> str:
    if event.amount > 0:
        return f"Seat {event.seat} is paid {Cents(event.amount)}, which the corrected cards owe it."
    if event.amount < 0:
        return f"Seat {event.seat} returns {Cents(-event.amount)}, which the corrected cards do not owe it."
    return f"{Cents(event.lying)} of seat {event.seat} is collected: by the corrected cards it has lost."


tells(UncollectedReported)(
    lambda x: (
        f"{x.patron} at seat {x.seat} owes {Cents(x.amount)} after a correction"
        + (f", and gives back {Cents(x.collected)}" if x.collected else "")
        + f"; {by_two(x)}."
    )
)
