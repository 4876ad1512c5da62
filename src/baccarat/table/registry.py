"""The registry: every command, event and step of the table, gathered from the modules that own them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from baccarat.table import correction, dealers, leaving, meters, owing, people
from baccarat.table.base import Command, Due, Event, Outcome, StepBegan, TableRules
from baccarat.table.irregularity import error_card, exposed, face_up, remedy
from baccarat.table.state import State
from baccarat.table.step import (
    burning,
    calling,
    clearing,
    closing,
    curating,
    cutting,
    dealing,
    house_money,
    must_hit,
    opening,
    relinquishing,
    sealing,
    settlement,
    turning,
    wagering,
)

MODULES: tuple[Any, ...] = (
    people, leaving, dealers, remedy, opening, sealing, cutting, burning, closing, curating, wagering, calling, dealing,
    turning, relinquishing, house_money, settlement, clearing, must_hit, error_card, exposed, face_up, correction,
    meters, owing,
)  # fmt: skip


def _began(state: State, event: StepBegan) -> State:
    return replace(state, step=event.step)


def _turn(rules: TableRules, state: State, command: turning.TurnCard) -> Outcome:
    """A card is turned in the burn, on its way to the discards, or in a hand."""
    if state.step in (burning.BURN, closing.CLOSE):
        return burning.turn_burned(rules, state, command)
    if state.step == remedy.EXPOSE:
        return remedy.turn_discard(rules, state, command)
    return turning.turn_card(rules, state, command)


HANDLERS: dict[type[Command], Callable[[TableRules, State, Any], Outcome]] = {
    kind: handler for module in MODULES for kind, handler in module.COMMANDS.items()
}
HANDLERS[turning.TurnCard] = _turn
EVOLVERS: dict[type[Event], Callable[[State, Any], State]] = {
    StepBegan: _began,
    **{kind: evolver for module in MODULES for kind, evolver in module.EVENTS.items()},
}
STEPS: dict[str, tuple[Callable[[TableRules, State], bool], Callable[[TableRules, State], list[Due]]]] = {
    name: functions for module in MODULES for name, functions in getattr(module, "STEPS", {}).items()
}
