"""Free Hands: a hand dealt without wagers because a participant asked for it."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.law.edition import Edition
from baccarat.table.audience import sights
from baccarat.table.base import Event, HandlerResult, Reason, SeatCommand, TableRules, refuse
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.registration import evolves, handles
from baccarat.table.round_state import FREE_HAND
from baccarat.table.state import TableState
from baccarat.table.step.wagering import WAGER
from baccarat.table.step_function import tells


class RequestFreeHand(SeatCommand, frozen=True, kw_only=True, tag="request_free_hand"):
    """A participant asks for a hand without wagers."""

    STEPS = frozenset({WAGER})
    CARD = CommandCard(discretion="round")

    def ruled_by(self, edition: Edition) -> tuple[str, ...]:
        """The clause on hands without wagers, where the document has one."""
        return edition.free_hand.cite if edition.free_hand is not None else ()


class FreeHandRequested(Event, frozen=True, kw_only=True, tag="free_hand_requested"):
    """The next hand is dealt without wagers, unless somebody makes one."""

    seat: int
    CARD = EventCard(sights(everybody="seat"), sort="wager")


@handles(RequestFreeHand)
def request_free_hand(rules: TableRules, state: TableState, command: RequestFreeHand) -> HandlerResult:
    """A hand without wagers, where the house allows it and nothing lies on the table."""
    law = rules.edition.free_hand
    if law is None or not rules.elects(law.offered):
        return refuse(
            rules, Reason.NOT_OFFERED, "no_free_hand_here", *(law.cite if law is not None else ()), step=WAGER
        )
    if state.at(command.seat) is None:
        return refuse(rules, Reason.SEAT_EMPTY, "nobody_sits_seat", *law.cite, seat=command.seat)
    if state.round.wagers or state.round.spoken:
        return refuse(rules, Reason.WAGERS_ON_TABLE, "free_hand_without_wagers", *law.cite)
    most = rules.elections.max_consecutive_free_hands
    if most is not None and state.seats.free_hands >= most:
        return refuse(rules, Reason.NOT_OFFERED, "free_hands_in_a_row", *law.cite, most=most)
    return [FreeHandRequested(seat=command.seat, cites=rules.cite_text(*law.cite))]


@evolves(FreeHandRequested)
def evolve_free_hand_requested(state: TableState, event: FreeHandRequested) -> TableState:
    """The round is a Free Hand, unless somebody still wagers."""
    return replace(state, round=replace(state.round, kind=FREE_HAND, asked_by=event.seat))


tells(FreeHandRequested)(lambda x: f"Seat {x.seat} asks for a Free Hand.")
