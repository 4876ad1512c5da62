"""Naming: a correction names the event it corrects, which is of this log and of its kind (reading A-88)."""

from __future__ import annotations

from collections.abc import Sequence

from baccarat.table.base import Event
from baccarat.table.correction import CardCorrected, CorrectCard, Correction, CorrectPayment, PaymentCorrected
from baccarat.table.irregularity.error_card import ErrorCardDrawn
from baccarat.table.irregularity.face_up import FaceUpFound
from baccarat.table.meters import CorrectMeter, MeterCorrected, MetersShown
from baccarat.table.people import VigorishCollected
from baccarat.table.step.burning import BurnedCardTurned
from baccarat.table.step.calling import NoMoreBetsCalled
from baccarat.table.step.clearing import WagersReturned
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.house_money import HouseMoneyCollected, HouseMoneyPaid
from baccarat.table.step.must_hit import MustHitEnded
from baccarat.table.step.settlement import Awarded, LosersCollected, Paid, ResultAnnounced, VigorishTaken
from baccarat.table.step.turning import CardTurned
from baccarat.table.step.wagering import WagerPlaced

CARDS = (CardTurned, BurnedCardTurned, CardCorrected, ErrorCardDrawn, FaceUpFound)
AT_A_SEAT = (
    Paid, Awarded, VigorishTaken, VigorishCollected, HouseMoneyPaid, HouseMoneyCollected, MustHitEnded, WagerPlaced,
    PaymentCorrected,
)  # fmt: skip
METERS = (NoMoreBetsCalled, ResultAnnounced, MetersShown, MeterCorrected)


def names_event(command: Correction, log: Sequence[Event]) -> bool:
    """Whether the event that a correction names can be corrected by it: the same card, the same seat, a meter."""
    if not 0 <= command.corrects < len(log):
        return False
    event = log[command.corrects]
    match command:
        case CorrectCard():
            return isinstance(event, CARDS) and event.position == command.position
        case CorrectPayment():
            return _moved_money(event, command.seat)
        case CorrectMeter():
            return isinstance(event, METERS)
    raise AssertionError("every kind of correction is known here")


def _moved_money(event: Event, seat: int) -> bool:
    """Whether an event gave something to a seat, or took it, or should have."""
    if isinstance(event, AT_A_SEAT):
        return event.seat == seat
    if isinstance(event, LosersCollected | WagersReturned):
        return seat in event.amounts
    return isinstance(event, ResultAnnounced) or (isinstance(event, RoundVoided) and seat in event.returned)
