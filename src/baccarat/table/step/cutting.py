"""Cutting: the stack offered for the cut, cut, recut by order, the cover card placed, the shoe loaded."""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import replace

from baccarat.law.edition import Edition
from baccarat.play.refusal import Refused
from baccarat.play.seating import seats_from
from baccarat.play.shoe import admit_cut
from baccarat.table.actor import Actor, Origin
from baccarat.table.audience import sights
from baccarat.table.base import Command, Due, Event, HandlerResult, Reason, SeatCommand, TableRules, refuse
from baccarat.table.bounds import Count, Means, Seat
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.field_type import IsAccepted, KeptReason
from baccarat.table.input_field import InputField
from baccarat.table.registration import add_step, evolves, handles, handles_actor, limits_clock, no_clock_limit
from baccarat.table.role import SUPERVISORS, Role
from baccarat.table.state import DEALER, TableState
from baccarat.table.step.abandoning import CLOSE, ShoeAbandoned
from baccarat.table.step.sealing import (
    are_inputs_closed,
    expect_closing,
    expect_seal,
    is_to_be_sealed,
    is_without_commitment,
    seals_before_the_cut,
)
from baccarat.table.step_function import Filled, asks, automates, describes, fills, tells, tells_of_clock
from baccarat.table.story_words import count_of_cards, seat_name
from baccarat.table.two_persons import refuse_unapproved

OFFER_CUT, CUT, RECUT = "offer_cut", "cut", "recut"


class AnswerCut(SeatCommand, frozen=True, kw_only=True, tag="answer_cut"):
    """A participant takes or declines the cut; the dealer or the clock may decline for one who is away."""

    accept: IsAccepted
    ORIGINS = (Origin.PERSON, Origin.CLOCK)
    ROLES = frozenset({Role.PARTICIPANT, Role.DEALER})
    STEPS = frozenset({OFFER_CUT})
    CARD = CommandCard(console="declined", ask_is_public=True, discretion="order", own_answer=True)


class CutCards(Command, frozen=True, kw_only=True, tag="cut_cards"):
    """The person who has the cut puts the cut card in, with `in_front` cards in front."""

    in_front: Annotated[Count, Means("how many cards lie in front of the cut card")]
    seat: Annotated[Seat, Means("who cuts; 0 is the dealer")] = DEALER
    ROLES = frozenset({Role.PARTICIPANT, Role.DEALER})
    STEPS = frozenset({CUT})
    CARD = CommandCard(ask_is_public=True)


class GiveUpCut(SeatCommand, frozen=True, kw_only=True, tag="give_up_cut"):
    """The participant who has taken the cut gives it up; dealer or clock may do so for one who is away (A-95)."""

    ORIGINS = (Origin.PERSON, Origin.CLOCK)
    ROLES = frozenset({Role.PARTICIPANT, Role.DEALER})
    STEPS = frozenset({CUT})
    CARD = CommandCard(discretion="order", own_answer=True)

    def ruled_by(self, edition: Edition) -> tuple[str, ...]:
        """The cut is offered on until somebody makes it."""
        return edition.cut.start_cite


class OrderRecut(Command, frozen=True, kw_only=True, tag="order_recut"):
    """A casino supervisor orders a new cut before any card has left the shoe; a house may require a request.

    When the inputs of an electronic shoe are closed, its order can be known, and no cut is free any more: the shoe is
    abandoned, and the person who would have cut again cuts the next one (reading A-96).

    It belongs to no step: whether it comes in time is decided by its own clause, at whatever step the table is.
    """

    reason: KeptReason
    ROLE = Role.CASINO_SUPERVISOR
    ROLES = frozenset({Role.CASINO_SUPERVISOR})
    SECOND = SUPERVISORS | {Role.DEALER}
    ROW = RECUT
    CARD = CommandCard(group="orders", discretion="order")


class CutAnswered(Event, frozen=True, kw_only=True, tag="cut_answered"):
    """A seat has taken or declined the cut."""

    seat: int
    accept: bool
    CARD = EventCard(sights(everybody="seat accept"), sort="other")


class CutFellToDealer(Event, frozen=True, kw_only=True, tag="cut_fell_to_dealer"):
    """The dealer cuts."""

    CARD = EventCard(sights(), sort="other")


class CutGivenUp(Event, frozen=True, kw_only=True, tag="cut_given_up"):
    """The participant who had taken the cut has given it up or is gone: it is offered on."""

    seat: int
    REWINDS = True
    CARD = EventCard(sights(everybody="seat"), sort="other")


class CardsCut(Event, frozen=True, kw_only=True, tag="cards_cut"):
    """The stack is cut with `in_front` cards in front, which go behind."""

    seat: int
    """Who cut; 0 is the dealer."""
    in_front: int
    """How many cards lay in front of the cut."""
    CARD = EventCard(sights(everybody="seat in_front"), sort="other")


class RecutOrdered(Event, frozen=True, kw_only=True, tag="recut_ordered"):
    """The stack is to be cut again, by this seat or the dealer."""

    seat: int
    reason: str
    requester: str
    approver: str
    REWINDS = True
    CARD = EventCard(
        sights(everybody="seat", floor="reason requester approver"),
        sort="irregularity",
        short="A new cut by {who} is ordered.",
    )


# ------------------------------------------------------------------------------------------- deciding


def cut_order(rules: TableRules, state: TableState) -> list[int]:
    """The seats in the order in which the cut is offered."""
    law = rules.edition.cut
    seats = state.occupied
    if not seats:
        return []
    first = max(seats)
    last = state.seats.last_curator if state.shoe.reshuffle and law.last_curator_first else None
    if rules.elections.last_curator_as_last_cutter:  # where no participant curates (reading A-04)
        last = state.seats.last_cutter
    if last in seats:
        first = last
    return seats_from(seats, first=first, direction=law.direction, seat_one=rules.book.seat_one)


def next_cut_offer(rules: TableRules, state: TableState) -> int | None:
    """The seat that is offered the cut next."""
    return next((seat for seat in cut_order(rules, state) if seat not in state.shoe.cut_offers), None)


@handles_actor(AnswerCut)
def answer_cut(rules: TableRules, state: TableState, command: AnswerCut, actor: Actor) -> HandlerResult:
    """Take or decline, in the order of the offer; with no taker the dealer cuts. Order 1 is sealed first."""
    if seals_before_the_cut(state) or is_without_commitment(state):
        return refuse(rules, Reason.OUT_OF_ORDER, "order_sealed_before_the_cut", step=OFFER_CUT)
    due = next_cut_offer(rules, state)
    if command.seat != due:
        return refuse(rules, Reason.OUT_OF_ORDER, "cut_offered_seat_now", step=OFFER_CUT, due=due)
    if command.accept and actor.role is not Role.PARTICIPANT:
        return refuse(rules, Reason.WRONG_ROLE, "only_the_participant_accepts", step=OFFER_CUT, due=due)
    cites = rules.cites[OFFER_CUT]
    events: list[Event] = [CutAnswered(seat=command.seat, accept=command.accept, cites=cites)]
    after = replace(state, shoe=replace(state.shoe, cut_offers=(*state.shoe.cut_offers, command.seat)))
    if not command.accept and next_cut_offer(rules, after) is None:
        events.append(CutFellToDealer(cites=cites))
    return events


@limits_clock(AnswerCut)
def clock_declines_the_cut(rules: TableRules, _state: TableState, command: AnswerCut) -> Refused | None:
    """The clock declines for somebody who does not answer; it accepts for nobody."""
    if not command.accept:
        return None
    return refuse(rules, Reason.WRONG_ORIGIN, "clock_accepts_for_nobody", step=OFFER_CUT, seat=command.seat)


@handles(GiveUpCut)
def give_up_cut(rules: TableRules, state: TableState, command: GiveUpCut) -> HandlerResult:
    """Only the participant who has the cut gives it up; it is offered on, and with no taker left the dealer cuts."""
    keys, cutter = command.ruled_by(rules.edition), state.shoe.cutter or DEALER
    if state.shoe.in_front is not None:
        return refuse(rules, Reason.OUT_OF_ORDER, "stack_cut_already", *keys)
    if cutter == DEALER:
        return refuse(rules, Reason.NOT_ENTITLED, "no_participant_has_the_cut", *keys)
    if command.seat != cutter:
        return refuse(rules, Reason.NOT_ENTITLED, "another_has_the_cut", *keys, cutter=cutter, mine=command.seat)
    cites = rules.cites[OFFER_CUT]
    events: list[Event] = [CutGivenUp(seat=cutter, cites=cites)]
    return [*events, CutFellToDealer(cites=cites)] if next_cut_offer(rules, state) is None else events


limits_clock(GiveUpCut)(no_clock_limit)


@handles_actor(CutCards)
def cut_cards(rules: TableRules, state: TableState, command: CutCards, actor: Actor) -> HandlerResult:
    """Only the person who has the cut cuts, once, deep enough on each side; an order 1 has been sealed before."""
    if seals_before_the_cut(state) or is_without_commitment(state):
        return refuse(rules, Reason.OUT_OF_ORDER, "order_sealed_before_the_cut", step=CUT)
    if state.shoe.in_front is not None:
        return refuse(rules, Reason.OUT_OF_ORDER, "stack_cut_already", step=CUT)
    cutter = state.shoe.cutter if state.shoe.cutter is not None else DEALER
    by = Role.DEALER if cutter == DEALER else Role.PARTICIPANT
    if actor.role is not by or command.seat != cutter:
        mine = DEALER if actor.role is Role.DEALER and cutter != DEALER else command.seat
        return refuse(
            rules, Reason.NOT_ENTITLED, "another_has_the_cut", *_cutter_cite(rules, state), cutter=cutter, mine=mine
        )
    refused = admit_cut(rules.rulebook, cards=state.shoe.cards, in_front=command.in_front)
    return refused or [CardsCut(seat=cutter, in_front=command.in_front, cites=rules.cites[CUT])]


def _cutter_cite(rules: TableRules, state: TableState) -> tuple[str, ...]:
    """The clauses that say whose the cut is: an order to recut, or the offer and what the licensee elected for it."""
    options = rules.edition.options
    if state.shoe.recuts:
        return options["recut_by"].cite
    elected = options["cut_mode"].cite if OFFER_CUT not in rules.step_index and "cut_mode" in options else ()
    return elected or rules.edition.cut.start_cite


@handles_actor(OrderRecut)
def order_recut(rules: TableRules, state: TableState, command: OrderRecut, actor: Actor) -> HandlerResult:
    """A new cut by the last cutter or by the next person entitled, as filed, before any card is out.

    Of an electronic shoe whose inputs are closed, the next shoe is cut in its place.
    """
    keys = command.ruled_by(rules.edition)
    if state.shoe.next > 0:
        return refuse(rules, Reason.WRONG_STEP, "too_late_to_recut", *keys)
    if state.shoe.in_front is None:
        return refuse(rules, Reason.WRONG_STEP, "stack_not_cut_yet", *keys)
    if not command.reason.strip():
        return refuse(rules, Reason.NO_REASON, "order_recut_says_why", *keys)
    requester = actor.approved_by(command.name, *command.SECOND)
    if rules.elects("recut_second_person"):
        what = "an_order_to_recut"
        if refused := refuse_unapproved(rules, command, actor, *keys, what=what, reason=command.reason):
            return refused
    cutter = state.shoe.cutter
    if cutter is None or (cutter != DEALER and rules.elections.recut_by == "next_entitled"):
        cutter = next_cut_offer(rules, state) or DEALER
    ordered = RecutOrdered(
        seat=cutter, reason=command.reason, requester=requester, approver=actor.who, cites=rules.cites[RECUT]
    )
    if are_inputs_closed(state):
        return [ordered, ShoeAbandoned(reason=command.reason, cites=rules.cites[CLOSE])]
    return [ordered]


# ------------------------------------------------------------------------------------------- evolving


@evolves(CutAnswered)
def evolve_cut_answered(state: TableState, event: CutAnswered) -> TableState:
    """The offer goes on, or has its taker."""
    shoe = replace(state.shoe, cut_offers=(*state.shoe.cut_offers, event.seat))
    return replace(state, shoe=replace(shoe, cutter=event.seat) if event.accept else shoe)


evolves(CutFellToDealer)(lambda state, _: replace(state, shoe=replace(state.shoe, cutter=DEALER)))
evolves(CutGivenUp)(lambda state, _: replace(state, shoe=replace(state.shoe, cutter=None)))


@evolves(CardsCut)
def evolve_cut(state: TableState, event: CardsCut) -> TableState:
    """The front packet is behind."""
    return replace(state, shoe=replace(state.shoe, cutter=event.seat, in_front=event.in_front))


@evolves(RecutOrdered)
def evolve_recut(state: TableState, event: RecutOrdered) -> TableState:
    """The cut is undone, and somebody has it again."""
    shoe = state.shoe
    offers = shoe.cut_offers if event.seat in (DEALER, *shoe.cut_offers) else (*shoe.cut_offers, event.seat)
    shoe = replace(
        shoe, cutter=event.seat, in_front=None, cover=None, loaded=False, recuts=shoe.recuts + 1, cut_offers=offers
    )
    return replace(state, shoe=shoe)


# --------------------------------------------------------------------------------------- due, expected


def offer_cut_due(rules: TableRules, state: TableState) -> bool:
    """The stack is not cut, nobody has the cut, and somebody may be offered it."""
    shoe = state.shoe
    return shoe.cutter is None and shoe.in_front is None and next_cut_offer(rules, state) is not None


def expect_offer_cut(rules: TableRules, state: TableState) -> list[Due]:
    """The next seat answers."""
    seat = next_cut_offer(rules, state)
    assert seat is not None, "the step is due only while somebody may be asked"
    if is_without_commitment(state):
        return []  # the commitment is due first
    answer = Due(by=Role.PARTICIPANT, act="answer_cut", seat=seat, cites=rules.cites[OFFER_CUT])
    return expect_seal(rules, state) or [answer]


def expect_cut(rules: TableRules, state: TableState) -> list[Due]:
    """The person who has the cut cuts; then an electronic shoe closes its inputs and seals its order."""
    if state.shoe.in_front is not None:
        return expect_closing(rules, state)
    if is_without_commitment(state):
        return []  # the commitment is due first
    seat = state.shoe.cutter or DEALER
    by = Role.PARTICIPANT if seat else Role.DEALER
    return expect_seal(rules, state) or [Due(by=by, act="cut_cards", seat=seat, cites=rules.cites[CUT])]


add_step(OFFER_CUT, due=offer_cut_due, expect=expect_offer_cut)
add_step(CUT, due=lambda _rules, state: state.shoe.in_front is None or is_to_be_sealed(state), expect=expect_cut)


# ---------------------------------------------------------------------------------- asks, fills, tells


@fills(CutCards)
def _fill_cut(rules: TableRules, state: TableState, due: Due) -> Filled:
    depth, cards = rules.edition.cut.at_least, state.shoe.cards
    field = InputField(name="in_front", kind="number", least=depth, most=cards - depth)
    return ({"seat": due.seat} if due.seat else {}), (field,)


@asks(AnswerCut)
def _ask_answer_cut(_rules: TableRules, _state: TableState, due: Due) -> Due:
    return replace(due, say=f"Seat {due.seat} is offered the cut and takes or declines it.")


@asks(CutCards)
def _ask_cut(rules: TableRules, _state: TableState, due: Due) -> Due:
    who = "The dealer" if due.seat == DEALER else f"Seat {due.seat}"
    depth = rules.edition.cut.at_least
    return replace(due, say=f"{who} cuts the stack, at least {count_of_cards(depth)} from either end.")


automates(CutCards)(lambda _rules, state, due, source: CutCards(seat=due.seat, in_front=source.cut(state)))


tells(CutAnswered)(lambda x: f"The cut is offered to seat {x.seat}, who {'takes' if x.accept else 'declines'} it.")
tells(CutFellToDealer)(lambda _: "Nobody takes the cut: the dealer cuts.")
tells(CutGivenUp)(lambda x: f"Seat {x.seat}, who had taken the cut, does not make it.")
tells(CardsCut)(lambda x: f"{seat_name(x.seat).capitalize()} cuts, {x.in_front} cards in front.")


@tells(RecutOrdered)
def _tell_recut(event: RecutOrdered) -> str:
    asked = f", asked for by {event.requester}" if event.requester else ""
    by = f" by {event.approver}" if event.approver else ""
    return f"A new cut by {seat_name(event.seat)} is ordered{by}{asked}: {event.reason}."


tells_of_clock(CutAnswered)(lambda x: f"The cut is offered to seat {x.seat}, who did not answer in time.")
tells_of_clock(CutGivenUp)(lambda x: f"Seat {x.seat}, who had taken the cut, did not make it in time.")


describes(CutCards)(lambda rules, _state, due: (due.act, {"depth": rules.edition.cut.at_least}))
