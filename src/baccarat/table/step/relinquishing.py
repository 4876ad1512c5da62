"""Relinquishing: the right to turn a hand is given up, or taken for delay, and offered around the table."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Origin
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, SeatCommand, TableRules, refuse
from baccarat.table.bounds import Seat
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import IsAccepted, KeptReason
from baccarat.table.registration import evolves, handles, handles_actor, limits_clock
from baccarat.table.role import GAME_STAFF, Role
from baccarat.table.state import DEALER, TableState
from baccarat.table.step.turning_right import RELINQUISH, TURNING, holder, next_offer, to_be_viewed, turning_side
from baccarat.table.step_function import Described, asks, describes, tells, tells_of_clock


class Relinquish(SeatCommand, frozen=True, kw_only=True, tag="relinquish"):
    """The holder gives up the right to turn the cards."""

    STEPS = TURNING
    ROW = RELINQUISH


class OrderRelinquish(Command, frozen=True, kw_only=True, tag="order_relinquish", omit_defaults=True):
    """The dealer, the floorperson or the clock takes the right from a participant who unreasonably delays the game."""

    reason: KeptReason
    seat: Seat = DEALER
    """From whom it is taken; if not stated, from the seat that has it. A clock names the seat whose time is over."""
    ORIGINS = (Origin.PERSON, Origin.CLOCK)
    ROLES = GAME_STAFF
    STEPS = TURNING
    ROW = RELINQUISH
    CARD = CommandCard(group="orders", discretion="nothing")


class AnswerTurn(SeatCommand, frozen=True, kw_only=True, tag="answer_turn"):
    """A participant takes or declines a relinquished right; the clock may decline for one."""

    accept: IsAccepted
    ORIGINS = (Origin.PERSON, Origin.CLOCK)
    ROLES = frozenset({Role.PARTICIPANT, Role.DEALER})
    STEPS = TURNING
    ROW = RELINQUISH
    CARD = CommandCard(console="declined", ask_is_public=True, by_wager=True, discretion="nothing", own_answer=True)


class TurnRelinquished(Event, frozen=True, kw_only=True, tag="turn_relinquished"):
    """A right to turn a hand has been given up, or taken with a reason."""

    side: Side
    seat: int
    reason: str = ""
    CARD = EventCard(sights(everybody="side seat", floor="reason"), sort="card")


class TurnAnswered(Event, frozen=True, kw_only=True, tag="turn_answered"):
    """A seat has taken or declined the right."""

    side: Side
    seat: int
    accept: bool
    CARD = EventCard(sights(everybody="side seat accept"), sort="card")


class TurnFellToDealer(Event, frozen=True, kw_only=True, tag="turn_fell_to_dealer"):
    """Nobody takes the right, or its offer is ended by order, with a reason: the dealer turns the cards."""

    side: Side
    reason: str = ""
    CARD = EventCard(sights(everybody="side", floor="reason"), sort="card")


@handles(Relinquish)
def relinquish(rules: TableRules, state: TableState, command: Relinquish) -> HandlerResult:
    """The holder may give the right up before the cards are back."""
    side = turning_side(state)
    if side is None or not to_be_viewed(state, side) or state.round.offering is not None:
        return refuse(rules, Reason.OUT_OF_ORDER, "no_right_to_turn_now", step=RELINQUISH)
    if command.seat == DEALER or holder(rules, state, side) != command.seat:
        return refuse(
            rules, Reason.NOT_ENTITLED, "no_right_to_turn_this_hand", step=RELINQUISH, seat=command.seat, side=side
        )
    return _given_up(rules, state, side, command.seat, "")


@handles(OrderRelinquish)
def order_relinquish(rules: TableRules, state: TableState, command: OrderRelinquish) -> HandlerResult:
    """The right is taken from a holder who delays; the reason is recorded."""
    side = turning_side(state)
    if not command.reason.strip():
        return refuse(rules, Reason.NO_REASON, "order_relinquish_says_why", step=RELINQUISH)
    if side is None or not to_be_viewed(state, side):
        return refuse(rules, Reason.OUT_OF_ORDER, "no_right_to_turn_now", step=RELINQUISH)
    seat = holder(rules, state, side) if state.round.offering is None else DEALER
    if command.seat not in (DEALER, seat):
        return refuse(
            rules, Reason.NOT_ENTITLED, "no_right_to_turn_this_hand", step=RELINQUISH, seat=command.seat, side=side
        )
    if state.round.offering is not None:
        return [TurnFellToDealer(side=side, reason=command.reason, cites=rules.cites[RELINQUISH])]
    if seat == DEALER:
        return refuse(rules, Reason.NOT_ENTITLED, "dealer_turns_these_cards", step=RELINQUISH)
    return _given_up(rules, state, side, seat, command.reason)


@limits_clock(OrderRelinquish)
def clock_takes_the_right(rules: TableRules, state: TableState, command: OrderRelinquish) -> Refused | None:
    """The clock takes the right only from a participant who has the cards in his hand: nobody else delays the game."""
    side, round_ = turning_side(state), state.round
    holds = side is not None and round_.offering is None and side in round_.handed and to_be_viewed(state, side)
    if side is not None and holds and command.seat == holder(rules, state, side):
        return None
    return refuse(rules, Reason.WRONG_ORIGIN, "clock_waits_for_nobody", step=RELINQUISH)


def _given_up(rules: TableRules, state: TableState, side: Side, seat: int, reason: str) -> list[Event]:
    cites = rules.cites[RELINQUISH]
    events: list[Event] = [TurnRelinquished(side=side, seat=seat, reason=reason, cites=cites)]
    if next_offer(rules, state, side, (seat,)) is None:
        events.append(TurnFellToDealer(side=side, cites=cites))
    return events


@handles_actor(AnswerTurn)
def answer_turn(rules: TableRules, state: TableState, command: AnswerTurn, actor: Actor) -> HandlerResult:
    """Take or decline the right, in the order of the offer."""
    round_ = state.round
    if round_.offering is None:
        return refuse(rules, Reason.OUT_OF_ORDER, "no_right_to_turn_on_offer", step=RELINQUISH)
    due = next_offer(rules, state, round_.offering, round_.offered)
    if command.seat != due:
        return refuse(rules, Reason.OUT_OF_ORDER, "right_offered_seat_now", step=RELINQUISH, due=due)
    if command.accept and actor.role is not Role.PARTICIPANT:
        return refuse(rules, Reason.WRONG_ROLE, "only_the_participant_accepts", step=RELINQUISH, due=due)
    cites = rules.cites[RELINQUISH]
    events: list[Event] = [TurnAnswered(side=round_.offering, seat=command.seat, accept=command.accept, cites=cites)]
    if not command.accept and next_offer(rules, state, round_.offering, (*round_.offered, command.seat)) is None:
        events.append(TurnFellToDealer(side=round_.offering, cites=cites))
    return events


@limits_clock(AnswerTurn)
def clock_declines_the_turn(rules: TableRules, _state: TableState, command: AnswerTurn) -> Refused | None:
    """The clock declines for somebody who does not answer; it accepts for nobody."""
    if not command.accept:
        return None
    return refuse(rules, Reason.WRONG_ORIGIN, "clock_accepts_for_nobody", step=RELINQUISH, seat=command.seat)


@evolves(TurnRelinquished)
def evolve_turn_relinquished(state: TableState, event: TurnRelinquished) -> TableState:
    """The right is on offer."""
    round_ = state.round
    handed = tuple(side for side in round_.handed if side is not event.side)
    return replace(state, round=replace(round_, offering=event.side, offered=(event.seat,), handed=handed))


@evolves(TurnAnswered)
def evolve_turn_answered(state: TableState, event: TurnAnswered) -> TableState:
    """The right has a new holder, or is offered on."""
    round_ = state.round
    if not event.accept:
        return replace(state, round=replace(round_, offered=(*round_.offered, event.seat)))
    holders_ = {**round_.holders, event.side: event.seat}
    return replace(state, round=replace(round_, holders=holders_, offering=None, offered=()))


@evolves(TurnFellToDealer)
def evolve_turn_fell_to_dealer(state: TableState, event: TurnFellToDealer) -> TableState:
    """The dealer turns the hand for the rest of the round."""
    round_ = state.round
    holders_ = {**round_.holders, event.side: DEALER}
    return replace(state, round=replace(round_, holders=holders_, offering=None, offered=()))


@asks(AnswerTurn)
def _ask_answer_turn(_rules: TableRules, state: TableState, due: Due) -> Due:
    return replace(due, say=f"Seat {due.seat} is offered to turn the {state.round.offering}'s cards, and answers.")


tells(TurnRelinquished)(
    lambda x: f"Seat {x.seat} gives up turning the {x.side}'s cards" + (f" by order: {x.reason}." if x.reason else ".")
)
tells(TurnAnswered)(lambda x: f"Seat {x.seat} {'takes' if x.accept else 'declines'} the {x.side}'s cards.")
tells(TurnFellToDealer)(
    lambda x: f"The dealer turns the {x.side}'s cards" + (f" by order: {x.reason}." if x.reason else ".")
)
tells_of_clock(TurnRelinquished)(lambda x: f"Seat {x.seat} did not turn the {x.side}'s cards in time.")
tells_of_clock(TurnAnswered)(lambda x: f"Seat {x.seat} is offered the {x.side}'s cards, and did not answer in time.")
tells_of_clock(TurnFellToDealer)(lambda x: f"The dealer turns the {x.side}'s cards.")


@describes(AnswerTurn)
def _describe_answer_turn(_rules: TableRules, state: TableState, due: Due) -> Described:
    side = state.round.offering
    return due.act, {} if side is None else {"hand": side.value}
