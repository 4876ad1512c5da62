"""Naming: a correction names the event it corrects, which must be in this log and of the right kind (reading A-88)."""

from __future__ import annotations

from collections.abc import Callable

from baccarat.table.base import Event
from baccarat.table.card_correction import CardCorrected, CorrectCard
from baccarat.table.correction import Correction
from baccarat.table.irregularity.error_card import ErrorCardDrawn
from baccarat.table.irregularity.face_up import FaceUpFound
from baccarat.table.meters import CorrectMeter, MeterCorrected, MetersShown
from baccarat.table.payment_correction import CorrectPayment, PaymentCorrected
from baccarat.table.seating_acts import VigorishCollected
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.burning import BurnedCardTurned
from baccarat.table.step.calling import NoMoreBetsCalled
from baccarat.table.step.clearing import TableCleared, WagersReturned
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.house_money import HouseMoneyCollected, HouseMoneyPaid
from baccarat.table.step.must_hit import MustHitEnded
from baccarat.table.step.settlement import Awarded, LosersCollected, Paid, VigorishTaken
from baccarat.table.step.turning import CardTurned
from baccarat.table.step.wagering import WagerPlaced

CARDS = (CardTurned, BurnedCardTurned, CardCorrected, ErrorCardDrawn, FaceUpFound)
AT_A_SEAT = (
    Paid, Awarded, VigorishTaken, VigorishCollected, HouseMoneyPaid, HouseMoneyCollected, MustHitEnded, WagerPlaced,
    PaymentCorrected,
)  # fmt: skip
ROUND_OVER = (ResultAnnounced, RoundVoided, TableCleared)
METERS = (NoMoreBetsCalled, ResultAnnounced, MetersShown, MeterCorrected)


EventAt = Callable[[int], Event | None]
"""Returns the event with a number, counted from 0 over the table's whole life; None if there is none."""


def no_event(_number: int) -> Event | None:
    """No event is available, so nothing can be corrected."""
    return None


def names_correctable_event(command: Correction, event_at: EventAt) -> bool:
    """Whether a correction can correct the event that it names: the same card, the same seat, a meter."""
    event = event_at(command.corrects)
    if event is None:
        return False
    match command:
        case CorrectCard():
            return isinstance(event, CARDS) and event.position == command.position
        case CorrectPayment():
            return _names_payment(command, event, event_at)
        case CorrectMeter():
            return isinstance(event, METERS)
    raise AssertionError("every kind of correction is known here")


def _names_payment(command: CorrectPayment, event: Event, event_at: EventAt) -> bool:
    """Whether a payment may be corrected now: while a round can still be void, only House Money of its settled seats.

    A void round takes back what House Money moved, corrections included; another payment at that seat waits.
    """
    if not _moved_money(event, command.seat):
        return False
    open_ = _open_house_money(_open_round(command.corrects, event_at), command.seat)
    return not open_ or command.corrects in open_


def _open_round(number: int, event_at: EventAt) -> list[tuple[int, Event]]:
    """The events since the last round was over, with their numbers; `number` is that of any event."""
    found: list[tuple[int, Event]] = []
    last = _last_event(number, event_at)
    while (event := event_at(last)) is not None and not isinstance(event, ROUND_OVER):
        found.append((last, event))
        last -= 1
    return found[::-1]


def _last_event(known: int, event_at: EventAt) -> int:
    """The number of the last event, looked for in growing steps from a known one: between the two may be a year."""
    step = 1
    while event_at(known + step) is not None:
        known, step = known + step, 2 * step
    while step > 1:
        step //= 2
        if event_at(known + step) is not None:
            known += step
    return known


def _open_house_money(events: list[tuple[int, Event]], seat: int) -> set[int]:
    """The events by which House Money of a seat was settled and corrected in a round whose result is not yet known."""
    numbers: set[int] = set()
    for number, event in events:
        settled = isinstance(event, HouseMoneyPaid | HouseMoneyCollected) and event.seat == seat
        if settled or (isinstance(event, PaymentCorrected) and event.corrects in numbers):
            numbers.add(number)
    return numbers


def _moved_money(event: Event, seat: int) -> bool:
    """Whether an event gave something to a seat, or took it, or should have."""
    if isinstance(event, AT_A_SEAT):
        return event.seat == seat
    if isinstance(event, LosersCollected | WagersReturned):
        return seat in event.amounts
    return isinstance(event, ResultAnnounced) or (isinstance(event, RoundVoided) and seat in event.returned)
