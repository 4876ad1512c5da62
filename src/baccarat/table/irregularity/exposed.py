"""A card that belongs where it lies, seen before its turn: it stays, or it is set aside (reading A-27)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.play.hand import Side
from baccarat.table.base import Command, Desk, Event, Outcome, Reason, refuse
from baccarat.table.irregularity.error_card import law_of
from baccarat.table.irregularity.remedy import Disclosed, simulated
from baccarat.table.proof import Proof
from baccarat.table.role import STAFF, Role
from baccarat.table.state import State
from baccarat.table.step.dealing import DEAL
from baccarat.table.step.turning import TURNING, CardTurned, TurnCard, believable


class ReportExposedCard(Command, frozen=True, kw_only=True, tag="report_exposed_card"):
    """A card of a hand has been seen before its turn."""

    position: int
    card: Card
    proof: Proof | None = None
    ROLES: ClassVar[frozenset[Role]] = STAFF
    STEPS: ClassVar[frozenset[str]] = TURNING | {DEAL}


class CardSetAside(Event, frozen=True, kw_only=True, tag="card_set_aside"):
    """A seen card leaves its hand, and the next card of the shoe takes its place."""

    REWINDS: ClassVar[bool] = True

    position: int
    card: Card
    proof: Proof | None = None


def report_exposed(desk: Desk, state: State, command: ReportExposedCard) -> Outcome:
    """The card is turned where it lies, unless the licensee filed that it is set aside."""
    law, now = law_of(desk).seen, state.round
    if command.position not in (*now.player, *now.banker) or command.position in now.turned:
        say = f"position {command.position} does not lie face down in a hand"
        return refuse(desk, Reason.WRONG_CARDS, say, *law.cite)
    refused = believable(
        desk, state, TurnCard(position=command.position, card=command.card, proof=command.proof)
    )  # fmt: skip
    if refused is not None:
        return refused
    cites = desk.says(*law.cite)
    if desk.rules.elections.disclosed_correct_card != "set_aside":
        seen = CardTurned(position=command.position, card=command.card, proof=command.proof, early=True, cites=cites)
        return [seen]
    aside = CardSetAside(position=command.position, card=command.card, proof=command.proof, cites=cites)
    return [aside, *simulated(desk, state, Disclosed(command.position, command.card), law.cite)]


def evolve_set_aside(state: State, event: CardSetAside) -> State:
    """The hand is one card short, and is handed over anew when it has its card."""
    now, shoe = state.round, state.shoe
    side = Side.PLAYER if event.position in now.player else Side.BANKER
    now = replace(
        now,
        player=tuple(place for place in now.player if place != event.position),
        banker=tuple(place for place in now.banker if place != event.position),
        handed=tuple(each for each in now.handed if each is not side),
        returned=tuple(each for each in now.returned if each is not side),
    )
    return replace(state, round=now, shoe=replace(shoe, seen=shoe.seen_with(event.card)))


COMMANDS = {ReportExposedCard: report_exposed}
EVENTS = {CardSetAside: evolve_set_aside}
