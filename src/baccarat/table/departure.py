"""Leaving: with one's chips, what may still be taken back, and nothing owed; nobody waits for a person who is gone."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.base import Event, HandlerResult, Reason, TableRules, refuse
from baccarat.table.exception_report import ReportException, exception_events
from baccarat.table.registration import HANDLERS_2, handles, handles_actor
from baccarat.table.seating_acts import Leave, Left, VigorishCollected
from baccarat.table.state import TableState
from baccarat.table.step.curating import OFFER_SHOE, fell_to_dealer, next_shoe_offer, pass_events
from baccarat.table.step.cutting import CutGivenUp
from baccarat.table.step.relinquishing import TurnFellToDealer
from baccarat.table.step.spoken_wager import SpokenWagerOff
from baccarat.table.step.turning_right import RELINQUISH, next_offer, turned_under
from baccarat.table.step.wagering import WAGER, WagerWithdrawn, withdraw_events
from baccarat.table.two_persons import is_same_person, refuse_beneficiary


@handles(Leave)
def leave(rules: TableRules, state: TableState, command: Leave) -> HandlerResult:
    """Take back what still may be taken back, pay the vigorish owed, pass on the cut or the shoe, and go."""
    person, keys, seat = state.at(command.seat), rules.edition.vigorish.due_cite, command.seat
    if person is None:
        seats = rules.edition.options["seats"].cite
        return refuse(rules, Reason.SEAT_EMPTY, "nobody_sits_seat", *seats, seat=seat)
    if refused := _refuse_departure(rules, state, seat):
        return refused
    events = _withdrawal_events(rules, state, seat)
    chips = person.chips + sum(event.stake for event in events if isinstance(event, WagerWithdrawn))
    owed = state.money.markers.get(seat, 0)
    if owed > chips:
        return refuse(rules, Reason.VIGORISH_OWED, "seat_owes_vigorish_chips", *keys, seat=seat, owed=owed, chips=chips)
    if owed:
        events.append(VigorishCollected(seat=seat, amount=owed, cites=rules.cite_text(*keys)))
    return [*events, *_departure_events(rules, state, seat, chips - owed)]


@handles_actor(ReportException)
def report_exception(rules: TableRules, state: TableState, command: ReportException, actor: Actor) -> HandlerResult:
    """The debt of somebody who walked away is a receivable, and the seat is free: no marker goes before its owner.

    Who has left one of two seats has not walked away: his chips lie at the other.
    """
    reported = _report_exception_by_version_2(rules, state, command, actor)
    if isinstance(reported, Refused) or not state.is_on_record or (other := _other_seat(state, command.seat)) is None:
        return reported
    seat, owed, keys = command.seat, state.money.markers[command.seat], rules.edition.vigorish.due_cite
    return refuse(rules, Reason.VIGORISH_OWED, "debtor_sits_at_another_seat", *keys, seat=seat, other=other, owed=owed)


def _other_seat(state: TableState, seat: int) -> int | None:
    """Another seat of the person at this one."""
    person = state.at(seat)
    assert person is not None, "a marker belongs to a seated participant: nobody leaves owing"
    seated = ((each, state.at(each)) for each in state.occupied if each != seat)
    return next((each for each, other in seated if other is not None and is_same_person(other.who, person.who)), None)


def _report_exception_by_version_2(
    rules: TableRules, state: TableState, command: ReportException, actor: Actor
) -> HandlerResult:
    """Version 2 did not ask where else the debtor sat."""
    seat = command.seat
    if isinstance(reported := exception_events(rules, state, command, actor), Refused) or not state.is_on_record:
        return reported
    if refused := _refuse_departure(rules, state, seat):
        return refused
    person, events = state.at(seat), _withdrawal_events(rules, state, seat)
    assert person is not None, "a marker belongs to a seated participant: nobody leaves owing"
    approver, keys = actor.approved_by(command.name, *command.seconds(actor.role)), rules.edition.vigorish.due_cite
    if refused := refuse_beneficiary(rules, person.who, (actor.who, approver), *keys):
        return refused
    chips = person.chips + sum(event.stake for event in events if isinstance(event, WagerWithdrawn))
    if chips >= (owed := state.money.markers[seat]):
        return refuse(rules, Reason.VIGORISH_OWED, "can_pay_the_vigorish", *keys, seat=seat, owed=owed)
    return [*events, *reported, *_departure_events(rules, state, seat, chips)]


HANDLERS_2[ReportException] = _report_exception_by_version_2


def _departure_events(rules: TableRules, state: TableState, seat: int, chips: int) -> list[Event]:
    """A participant goes with these chips; the cut, the shoe and cards to be turned pass on."""
    events: list[Event] = []
    if state.shoe.cutter == seat and state.shoe.in_front is None:
        events.append(CutGivenUp(seat=seat, cites=rules.cites["offer_cut"]))
    events.append(Left(seat=seat, chips=chips, cites=rules.cite_text(*rules.edition.options["seats"].cite)))
    return [*events, *_pass_on_events(rules, state, seat)]


def _pass_on_events(rules: TableRules, state: TableState, seat: int) -> list[Event]:
    """The shoe passes from a curator who has left; an offer that has no taker left falls to the dealer."""
    after = replace(state, seats=state.seats.with_person(seat, None))
    events: list[Event] = []
    if seat in (state.seats.curator, state.seats.curator_right):
        events += pass_events(rules, after, seat=seat, reason="the participant has left")
    elif state.step == OFFER_SHOE and next_shoe_offer(rules, after) is None:
        events.append(fell_to_dealer(rules))
    offering = state.round.offering
    if offering is not None and next_offer(rules, after, offering, state.round.offered) is None:
        events.append(TurnFellToDealer(side=offering, cites=rules.cites[RELINQUISH]))
    held = (side for side, holder in state.round.holders.items() if holder == seat and side is not offering)
    return [*events, *(TurnFellToDealer(side=side, cites=rules.cites[RELINQUISH]) for side in held)]


def _refuse_departure(rules: TableRules, state: TableState, seat: int) -> Refused | None:
    """Whether a frozen wager or cards in the hand keep a participant at the table; a void round keeps nobody."""
    round_, keys = state.round, rules.edition.no_more_bets.cite
    if round_.void:
        return None
    if round_.closed and any(wager.seat == seat for wager in round_.wagers):
        return refuse(rules, Reason.WAGERS_ON_TABLE, "wager_settled_first", *keys, seat=seat)
    for side in round_.handed:
        if round_.holders.get(side) == seat and side not in round_.returned:
            why, cites = Reason.OUT_OF_ORDER, turned_under(rules, state, side)
            return refuse(rules, why, "seat_holds_cards_they_come_back", cites=cites, seat=seat, side=side)
    return None


def _withdrawal_events(rules: TableRules, state: TableState, seat: int) -> list[Event]:
    """Before the wagering ends, wagers go with their owner."""
    cites = rules.cites[WAGER]
    events: list[Event] = [
        SpokenWagerOff(seat=seat, on=spoken.on, cites=cites) for spoken in state.round.spoken if spoken.seat == seat
    ]
    own = (wager for wager in state.round.wagers if wager.seat == seat and not state.round.closed)
    return [*events, *(event for wager in own for event in withdraw_events(rules, wager))]
