"""Clearing: what neither won nor lost goes back, the cards go to the discards, and the shoe continues or ends."""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.law.row import WagerResult
from baccarat.play.hand import Side
from baccarat.table import coupon
from baccarat.table.audience import TABLE, sights
from baccarat.table.base import Command, Event, HandlerResult, TableRules
from baccarat.table.card import CommandCard, EventCard
from baccarat.table.registration import add_step, dealer_does, evolves, handles
from baccarat.table.round_state import FREE_HAND, SIMULATED, WAGERED, DecidedCoupon, Round
from baccarat.table.seating_acts import with_chips
from baccarat.table.state import TableState
from baccarat.table.step.announcing import corrected_winner, settlement_by_corrected_cards
from baccarat.table.step_function import tells
from baccarat.table.story_words import cards, cards_go, sums

CLEAR = "clear"


class ClearTable(Command, frozen=True, kw_only=True, tag="clear_table"):
    """The dealer moves all cards to the discards."""

    STEPS = frozenset({CLEAR})
    CARD = CommandCard(
        pace="clear",
        console="plain",
        ask="The dealer clears the table: the cards go to the discards.",
        ask_is_public=True,
    )


class WagersReturned(Event, frozen=True, kw_only=True, tag="wagers_returned"):
    """Wagers that neither won nor lost are back with their owners."""

    amounts: dict[int, int]
    CARD = EventCard(sights(TABLE, table="amounts"), sort="payment")


class TableCleared(Event, frozen=True, kw_only=True, tag="table_cleared"):
    """The cards of the round lie in the discards; the next round may begin, a simulated one if cards open it."""

    positions: tuple[int, ...]
    """The cards that were removed."""
    must_pass: bool = False
    """Whether the curator has lost and passes the shoe."""
    opens: tuple[Card, ...] = ()
    """Cards that open the next round, which is then simulated."""
    REWINDS = True
    CARD = EventCard(sights(everybody="positions must_pass opens"), sort="card")


class LastHandCalled(Event, frozen=True, kw_only=True, tag="last_hand_called"):
    """The cover card has been out: one more hand."""

    say: str = "last hand"
    CARD = EventCard(sights(everybody="say"), sort="call")


class ShoeFinished(Event, frozen=True, kw_only=True, tag="shoe_finished"):
    """No more hands are dealt from this shoe."""

    REWINDS = True
    CARD = EventCard(sights(), sort="other")


@handles(ClearTable)
def clear_table(rules: TableRules, state: TableState, _command: ClearTable) -> HandlerResult:
    """Return what neither won nor lost, discard the cards, and see whether the shoe continues."""
    round_, shoe = state.round, state.shoe
    events: list[Event] = []
    if round_.returned_due:
        events.append(WagersReturned(amounts=round_.returned_due, cites=round_.return_cites))
    events += _coupons(rules, state)
    must_pass = (
        round_.kind is not SIMULATED and state.seats.curator is not None
        and corrected_winner(rules, state) is Side.PLAYER
    )  # fmt: skip
    ends = shoe.is_last and round_.kind is not SIMULATED
    opens = () if ends else tuple(shoe.disclosed.values())[:4]
    places = (*round_.player, *round_.banker)
    cites = (*(round_.why or rules.cites[CLEAR]), *(shoe.disclosed_cites if opens else ()))
    events.append(TableCleared(positions=places, must_pass=must_pass, opens=opens, cites=tuple(dict.fromkeys(cites))))
    if ends:
        events.append(ShoeFinished(cites=rules.cites["last_hand"]))
    elif shoe.cover_out and not shoe.last_called:
        events.append(LastHandCalled(cites=rules.cites["last_hand"]))
    return events


def _coupons(rules: TableRules, state: TableState) -> list[Event]:
    """What becomes of coupons: those of decided wagers have been taken, the others go back.

    After a correction the corrected cards decide (reading A-88): a coupon that was paid or lost with its wager is
    taken, if that has not happened yet, and one whose wager neither won nor lost goes back, even if it was taken.
    """
    round_ = state.round
    if not (round_.corrected and round_.announced) or round_.kind is not WAGERED:
        return [*coupon.coupons_returned(rules, round_.coupons)]
    lying = {(each.seat, each.on) for each in round_.coupons}
    taken, back = list[Event](), list[Event]()
    for line in settlement_by_corrected_cards(rules, state).lines:
        wager = line.wager
        if not wager.coupon:
            continue
        decided = [DecidedCoupon(wager.seat, wager.on, wager.coupon)]
        if line.result is WagerResult.PUSH:
            back += coupon.coupons_returned(rules, decided)
        elif (wager.seat, wager.on) in lying:
            taken += coupon.coupons_taken(rules, decided, paid=line.result is WagerResult.WIN)
    return [*taken, *back]


@evolves(WagersReturned)
def evolve_returned(state: TableState, event: WagersReturned) -> TableState:
    """Stakes are back; before the result that is every wager on the table."""
    for seat, amount in event.amounts.items():
        state = replace(state, seats=with_chips(state, seat, amount))
    round_ = state.round
    wagers = round_.wagers if round_.announced else ()
    return replace(state, round=replace(round_, returned_due={}, wagers=wagers))


@evolves(TableCleared)
def evolve_cleared(state: TableState, event: TableCleared) -> TableState:
    """A new round begins; cards set aside in this one open the next."""
    shoe, round_ = state.shoe, state.round
    seats = state.seats
    free = seats.free_hands
    if round_.kind is not SIMULATED:
        free = free + 1 if round_.kind is FREE_HAND else 0
    number, waiting = round_.number + 1, list(shoe.disclosed.items())
    fresh = Round(number=number)
    if waiting:
        fresh = simulated_round(number, dict(waiting[:4]), why=shoe.disclosed_cites)
    shoe = replace(shoe, carried=(*shoe.carried, *shoe.pending), pending=(), disclosed=dict(waiting[4:]))
    if event.must_pass != seats.must_pass or free != seats.free_hands:
        seats = replace(seats, must_pass=event.must_pass, free_hands=free)
    return replace(state, round=fresh, shoe=shoe, seats=seats)


def simulated_round(number: int, waiting: dict[int, Card], *, why: tuple[str, ...]) -> Round:
    """The round without wagers that seen cards open, in the order in which they came."""
    places = list(waiting)
    return Round(
        number=number,
        kind=SIMULATED,
        why=why,
        closed=True,
        player=tuple(places[0::2]),
        banker=tuple(places[1::2]),
        turned=dict(waiting),
    )


evolves(LastHandCalled)(lambda state, _: replace(state, shoe=replace(state.shoe, last_called=True, is_last=True)))
evolves(ShoeFinished)(lambda state, _: replace(state, shoe=replace(state.shoe, finished=True)))


add_step(CLEAR, due=lambda _rules, _state: True, expect=dealer_does("clear_table", CLEAR))


tells(WagersReturned)(lambda x: f"Wagers are returned: {sums(x.amounts)}.")
tells(TableCleared)(
    lambda x: (
        f"{cards_go(x.positions)} to the discards"
        + (f"; a simulated round without wagers begins, opened by {cards(x.opens)}." if x.opens else ".")
    )
)
tells(LastHandCalled)(lambda x: f"The dealer calls “{x.say}”.")
tells(ShoeFinished)(lambda _: "That was the last hand of the shoe.")
