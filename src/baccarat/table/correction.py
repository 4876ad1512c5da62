"""Corrections: a mis-keyed card, a wrong payment; two persons, and a new event that names the old (reading A-88)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.money import Cents
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.table.base import Command, Desk, Event, Outcome, Reason, refuse
from baccarat.table.people import free_chips, with_chips
from baccarat.table.role import STAFF, Role
from baccarat.table.state import State
from baccarat.table.step.turning import TURNING

BEFORE_THE_RESULT = TURNING | {"house_money", "announce"}


class Correction(Command, frozen=True, kw_only=True):
    """What every correction says: which event it corrects, why, and who approves it."""

    corrects: int
    reason: str
    approver: str
    approved_by: Role = Role.FLOORPERSON
    ROLES: ClassVar[frozenset[Role]] = STAFF


class CorrectCard(Correction, frozen=True, kw_only=True, tag="correct_card"):
    """A turned card was keyed wrongly."""

    position: int
    card: Card
    STEPS: ClassVar[frozenset[str]] = BEFORE_THE_RESULT


class CorrectPayment(Correction, frozen=True, kw_only=True, tag="correct_payment"):
    """A seat was paid too little (above zero) or too much (below zero)."""

    seat: int
    amount: int


class ConfirmCard(Command, frozen=True, kw_only=True, tag="confirm_card"):
    """The floorperson confirms a card that the shoe cannot hold: the shoe is foul."""

    position: int
    card: Card
    by: Role = Role.FLOORPERSON
    ROLES: ClassVar[frozenset[Role]] = frozenset({Role.FLOORPERSON})
    STEPS: ClassVar[frozenset[str]] = TURNING | {"burn", "expose"}


class CardCorrected(Event, frozen=True, kw_only=True, tag="card_corrected"):
    """A card was keyed wrongly and is now right; its hand's count is called anew."""

    REWINDS: ClassVar[bool] = True

    corrects: int
    position: int
    was: Card
    card: Card
    reason: str
    requester: str
    approver: str


class PaymentCorrected(Event, frozen=True, kw_only=True, tag="payment_corrected"):
    """Money moves between the bank and a seat to mend a wrong payment."""

    corrects: int
    seat: int
    amount: int
    reason: str
    requester: str
    approver: str


class ShoeFouled(Event, frozen=True, kw_only=True, tag="shoe_fouled"):
    """A card has come that cannot be in the shoe: the table stops."""

    position: int
    card: Card


def two_persons(desk: Desk, command: Correction, *keys: str) -> Refused | None:
    """Dealer and floorperson, and not one person in both."""
    if {command.by, command.approved_by} != {Role.DEALER, Role.FLOORPERSON}:
        return refuse(desk, Reason.WRONG_ROLE, "a correction is made by the dealer and the floorperson together", *keys)
    if not command.approver.strip() or not command.name.strip() or not command.reason.strip():
        return refuse(desk, Reason.NO_REASON, "a correction names both persons and its reason", *keys)
    if command.approver.strip() == command.name.strip():
        return refuse(desk, Reason.SAME_PERSON, "nobody approves his own correction", *keys)
    return None


def correct_card(desk: Desk, state: State, command: CorrectCard) -> Outcome:
    """Before the result is called, and while no third card depends on what was keyed."""
    keys = desk.rules.edition.deal.cite
    refused = two_persons(desk, command, *keys)
    if refused is not None:
        return refused
    was = state.round.turned.get(command.position)
    if was is None:
        return refuse(desk, Reason.WRONG_CARDS, f"position {command.position} is not turned", *keys)
    if was == command.card:
        return refuse(desk, Reason.WRONG_CARDS, f"position {command.position} is {was} already", *keys)
    if state.shoe.root:
        return refuse(desk, Reason.WRONG_PROOF, "a sealed card is proved, not keyed", *keys)
    if state.shoe.seen.get(str(command.card), 0) >= state.shoe.decks:
        return refuse(desk, Reason.IMPOSSIBLE_CARD, f"the shoe holds no further {command.card}", *keys)
    opening = command.position in (*state.round.player[:2], *state.round.banker[:2])
    player, banker = state.round.player, state.round.banker
    if (opening and len(player) > 2) or (command.position in (*player, *banker[:2]) and len(banker) > 2):
        say = "a third card has been dealt on that count: report it as a card drawn in error instead"
        return refuse(desk, Reason.OUT_OF_ORDER, say, *keys)
    if opening and state.round.house_lines:
        return refuse(desk, Reason.OUT_OF_ORDER, "House Money has been settled on those cards", *keys)
    return [
        CardCorrected(
            corrects=command.corrects,
            position=command.position,
            was=was,
            card=command.card,
            reason=command.reason,
            requester=command.name,
            approver=command.approver,
            cites=desk.says(*keys),
        )
    ]


def correct_payment(desk: Desk, state: State, command: CorrectPayment) -> Outcome:
    """Mend a payment after the fact; nobody's chips fall below zero."""
    keys = desk.rules.edition.settlement.cite
    refused = two_persons(desk, command, *keys)
    if refused is not None:
        return refused
    chips = free_chips(state, command.seat)
    if state.at(command.seat) is None:
        return refuse(desk, Reason.SEAT_EMPTY, f"nobody sits at seat {command.seat}", *keys)
    if command.amount == 0:
        return refuse(desk, Reason.NO_SUCH_WAGER, "a correction moves something", *keys)
    if command.amount < 0 and chips + command.amount < 0:
        say = f"seat {command.seat} has {Cents(chips)} in chips, not {Cents(-command.amount)}"
        return refuse(desk, Reason.NOT_ENOUGH_CHIPS, say, *keys)
    return [
        PaymentCorrected(
            corrects=command.corrects,
            seat=command.seat,
            amount=command.amount,
            reason=command.reason,
            requester=command.name,
            approver=command.approver,
            cites=desk.says(*keys),
        )
    ]


def confirm_card(desk: Desk, state: State, command: ConfirmCard) -> Outcome:
    """Only a card that is due and cannot be there is confirmed; the others are simply turned."""
    keys = desk.rules.edition.options["decks"].cite
    if command.position not in _due_to_be_seen(state):
        return refuse(desk, Reason.WRONG_CARDS, f"position {command.position} is not to be turned now", *keys)
    if state.shoe.root or state.shoe.seen.get(str(command.card), 0) < state.shoe.decks:
        return refuse(desk, Reason.OUT_OF_ORDER, f"{command.card} can be in the shoe: turn it", *keys)
    return [ShoeFouled(position=command.position, card=command.card, cites=desk.says(*keys))]


def _due_to_be_seen(state: State) -> set[int]:
    """The next card of the shoe, and the cards out of it that lie face down and are to be turned."""
    shoe, now = state.shoe, state.round
    laid = {*now.player, *now.banker} - set(now.turned)
    return {shoe.next, *shoe.exposing, *laid, *(place for place in shoe.burn if place not in shoe.burned)}


def evolve_card(state: State, event: CardCorrected) -> State:
    """The hand is counted anew."""
    now, shoe = state.round, state.shoe
    seen = dict(shoe.seen)
    seen[str(event.was)] -= 1
    seen[str(event.card)] = seen.get(str(event.card), 0) + 1
    side = Side.PLAYER if event.position in now.player else Side.BANKER
    counted = now.counted
    if event.position in now.hand(side)[:2]:
        counted = tuple(each for each in counted if each is not side)
    now = replace(now, turned={**now.turned, event.position: event.card}, counted=counted)
    return replace(state, round=now, shoe=replace(shoe, seen=seen))


def evolve_payment(state: State, event: PaymentCorrected) -> State:
    """Bank and seat are as they should be."""
    return replace(state, seats=with_chips(state, event.seat, event.amount), bank=state.bank - event.amount)


def evolve_fouled(state: State, event: ShoeFouled) -> State:
    """The table stops."""
    stopped = f"foul shoe: {event.card} once more than the decks hold"
    return replace(state, stopped=stopped, shoe=replace(state.shoe, foul=True))


COMMANDS = {CorrectCard: correct_card, CorrectPayment: correct_payment, ConfirmCard: confirm_card}
EVENTS = {CardCorrected: evolve_card, PaymentCorrected: evolve_payment, ShoeFouled: evolve_fouled}
