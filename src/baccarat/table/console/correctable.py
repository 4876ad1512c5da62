"""What can be corrected: the cards of this round and of the burn, and the payments of this round and the last."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from baccarat.table.base import Event, TableRules
from baccarat.table.card_correction import CorrectCard
from baccarat.table.console.remedy_progress import Recent, last_rounds
from baccarat.table.correctable_event import CARDS, EventAt, names_correctable_event
from baccarat.table.input_field import InputField
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.role import GAME_STAFF, Role
from baccarat.table.seating_acts import VigorishCollected
from baccarat.table.state import TableState
from baccarat.table.step.burning import BurnedCardTurned
from baccarat.table.step.house_money import HouseMoneyCollected, HouseMoneyPaid
from baccarat.table.step.settlement import Awarded, LosersCollected, Paid, VigorishTaken

ROUNDS = 2
PAYMENTS = (Paid, Awarded, VigorishTaken, VigorishCollected, HouseMoneyPaid, HouseMoneyCollected, LosersCollected)
REASON = InputField(name="reason", kind="text")


class Corrigible(msgspec.Struct, frozen=True, kw_only=True):
    """An entry that two persons may correct: the event by its number, and the command without its open fields."""

    number: int
    event: Event
    command: dict[str, Any]
    fields: tuple[InputField, ...]
    cites: tuple[str, ...]
    seconds: tuple[Role, ...] = ()
    """In which capacities somebody else approves it."""


def corrigible(
    rules: TableRules, state: TableState, recent: Recent, event_at: EventAt, role: Role
) -> tuple[Corrigible, ...]:
    """What can be corrected now, the latest first; a card that was already corrected is listed once."""
    return corrigible_among(rules, state, last_rounds(recent, ROUNDS), event_at, role)


def corrigible_among(
    rules: TableRules, state: TableState, events: Recent, event_at: EventAt, role: Role
) -> tuple[Corrigible, ...]:
    """What can be corrected of some events."""
    cards: dict[int, Corrigible] = {}
    payments: list[Corrigible] = []
    for number, event in events:
        if isinstance(event, CARDS) and _lies_there(state, event):
            cards[event.position] = _card(rules, number, event)
        elif isinstance(event, PAYMENTS):
            payments += [
                _payment(rules, number, event, seat)
                for seat in _seats(event)
                if state.at(seat) is not None and _may_be_corrected(number, seat, event_at)
            ]
    found = [*payments, *(() if state.stopped or state.shoe.root else cards.values())]
    asked_by = role if role in GAME_STAFF else Role.DEALER
    seconds = tuple(CorrectPayment(corrects=0, reason="", seat=0, amount=0).seconds(asked_by))
    return tuple(replace(each, seconds=seconds) for each in sorted(found, key=lambda each: -each.number))


def _lies_there(state: TableState, event: Any) -> bool:
    """Whether the card of an event is up, in a hand or in the burn."""
    if isinstance(event, BurnedCardTurned):
        return event.position in state.shoe.burned
    return event.position in state.round.turned


def _card(rules: TableRules, number: int, event: Any) -> Corrigible:
    command = {"do": str(CorrectCard.__struct_config__.tag), "corrects": number, "position": event.position}
    cites = rules.cite_text(*rules.edition.deal.cite)
    card = InputField(name="card", kind="card")
    return Corrigible(number=number, event=event, command=command, fields=(card, REASON), cites=cites)


def _payment(rules: TableRules, number: int, event: Event, seat: int) -> Corrigible:
    command = {"do": str(CorrectPayment.__struct_config__.tag), "corrects": number, "seat": seat}
    cites = rules.cite_text(*rules.edition.settlement.cite)
    amount = InputField(name="amount", kind="sum")
    return Corrigible(number=number, event=event, command=command, fields=(amount, REASON), cites=cites)


def _seats(event: Any) -> tuple[int, ...]:
    return tuple(sorted(event.amounts)) if isinstance(event, LosersCollected) else (event.seat,)


def _may_be_corrected(number: int, seat: int, event_at: EventAt) -> bool:
    """Whether a correction may name this event for this seat now."""
    return names_correctable_event(CorrectPayment(corrects=number, reason="", seat=seat, amount=1), event_at)
