"""The remedy of an irregularity, step by step: what has been done about it, and what is still to come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from baccarat.table.base import Event, TableRules
from baccarat.table.card_correction import CardCorrected, ThirdCardTakenBack
from baccarat.table.correctable_event import EventAt
from baccarat.table.foul_card import ShoeFouled
from baccarat.table.irregularity.error_card import ErrorCardDrawn
from baccarat.table.irregularity.exposed import CardSetAside
from baccarat.table.irregularity.face_up import FaceUpFound
from baccarat.table.irregularity.remedy import (
    CardCarried,
    CardReassigned,
    CardsDiscarded,
    DiscardShown,
    RoundMadeSimulated,
    SimulatedRoundOrdered,
)
from baccarat.table.payment_correction import PaymentCorrected
from baccarat.table.round_state import SIMULATED
from baccarat.table.state import TableState
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.curating import ShoePassed
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.relinquishing import TurnFellToDealer, TurnRelinquished
from baccarat.table.step.revealing import is_stopped_by_seed
from baccarat.table.step.turning import CardTurned
from baccarat.table.story_words import card_name

REMEDIES = (
    ErrorCardDrawn, CardSetAside, FaceUpFound, CardCarried, CardReassigned, CardsDiscarded, DiscardShown,
    RoundMadeSimulated, SimulatedRoundOrdered, RoundVoided, CardCorrected, PaymentCorrected, ThirdCardTakenBack,
    ShoeFouled,
)  # fmt: skip
BACK = 3
"""How many rounds back a remedy that is still in progress is looked for."""
MOST = 400
"""How many events back to look: more than any three rounds have."""


Recent = tuple[tuple[int, Event], ...]
"""Events with their numbers."""


class RemedyStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a remedy that is still to come."""

    say: str
    cites: tuple[str, ...]
    what: str = ""
    """The name of the sentence."""
    params: dict[str, Any] = {}
    """Its parameters."""


def steps_ahead(rules: TableRules, state: TableState) -> tuple[RemedyStep, ...]:
    """What an irregularity still asks for, in the order in which it comes."""
    return tuple(_ahead(rules, state))


def _ahead(rules: TableRules, state: TableState) -> Iterator[RemedyStep]:
    shoe, round_ = state.shoe, state.round
    if state.stopped:
        why = {"why": state.stopped}
        yield RemedyStep(
            say=f"The table has stopped, {state.stopped}.", cites=rules.cites["close"], what="ahead_stopped", params=why
        )
        what, say = "ahead_other_cards", "The floorperson has the shoe taken away; other cards come."
        if is_stopped_by_seed(state):  # it is over, and taking it away would end nothing
            what, say = "ahead_seed", "The electronic shoe reveals its seed, or two persons report that it is lost."
        yield RemedyStep(say=say, cites=rules.cites["close"], what=what)
        return
    if shoe.exposing:
        numbers = ", ".join(str(each + 1) for each in shoe.exposing)
        say = f"Show card {numbers}; it goes to the discards." if len(shoe.exposing) == 1 else (
            f"Show cards {numbers}; they go to the discards.")  # fmt: skip
        shown = {"positions": list(shoe.exposing)}
        yield RemedyStep(say=say, cites=shoe.exposing_cites, what="ahead_show", params=shown)
    if round_.void:
        say = "Clear the table: every wager has gone back."
        yield RemedyStep(say=say, cites=rules.cites["clear"], what="ahead_clear")
    if round_.kind is SIMULATED:
        say = "Deal this round by the tableau without wagers, announce it, and clear the table."
        yield RemedyStep(say=say, cites=round_.why, what="ahead_simulated")
        yield RemedyStep(say="Wagers open again.", cites=rules.cites["wager"], what="ahead_open")
    for position in shoe.carried:
        say = f"Deal card {position + 1} first: it waits, face down."
        first = {"position": position}
        yield RemedyStep(say=say, cites=shoe.carried_cites[position], what="ahead_carried", params=first)
    for position in shoe.pending:
        say = f"Finish this round. Card {position + 1}, face down, is then the first of the next hand."
        then = {"position": position}
        yield RemedyStep(say=say, cites=shoe.carried_cites[position], what="ahead_pending", params=then)
    if shoe.disclosed:
        cards = " and ".join(map(card_name, shoe.disclosed.values()))
        seen, cites = {"cards": [str(each) for each in shoe.disclosed.values()]}, shoe.disclosed_cites
        say = f"Lay {cards} aside, and finish this round."
        yield RemedyStep(say=say, cites=cites, what="ahead_aside", params=seen)
        say = f"Then deal a simulated round without wagers, opened by {cards}."
        yield RemedyStep(say=say, cites=cites, what="ahead_opened", params=seen)


def is_remedy(event: Event) -> bool:
    """Whether an event belongs to an irregularity or to what is done about one."""
    if isinstance(event, CardTurned):
        return event.early
    if isinstance(event, TurnRelinquished | TurnFellToDealer):
        return bool(event.reason)
    if isinstance(event, ShoePassed):
        return event.ordered
    return isinstance(event, REMEDIES)


def remedies_so_far(state: TableState, recent: Recent) -> tuple[Event, ...]:
    """What was done about irregularities in this round; while a remedy is in progress, in those before it as well."""
    goes_on = state.round.kind is SIMULATED or bool(state.shoe.carried)
    return tuple(event for _, event in last_rounds(recent, BACK if goes_on else 1) if is_remedy(event))


def recent_events(event_at: EventAt, count: int) -> Recent:
    """The events of the last rounds with their numbers, in their order; `count` is how many the table has had."""
    found: list[tuple[int, Event]] = []
    cleared = 0
    for number in range(count - 1, max(0, count - MOST) - 1, -1):
        event = event_at(number)
        cleared += isinstance(event, TableCleared)
        if event is None or cleared == BACK:
            break
        found.append((number, event))
    return tuple(reversed(found))


def last_rounds(recent: Recent, rounds: int) -> Recent:
    """The recent events of the last `rounds` rounds."""
    ends = [index for index, (_, event) in enumerate(recent) if isinstance(event, TableCleared)]
    return recent[ends[-rounds] + 1 :] if len(ends) >= rounds else recent
