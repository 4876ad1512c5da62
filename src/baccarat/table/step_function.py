"""Functions next to a step, beside those that decide and evolve: how its acts are asked for, prepared at a console and
done by a program, and how its events are told.

Each is registered by the module that owns the command or event, as `handles` and `evolves` of `base.py` are. What needs
no state stands on the card instead (`card.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from baccarat.table.base import Command, Due, E, Event, TableRules
from baccarat.table.input_field import InputField
from baccarat.table.source import CardSource
from baccarat.table.state import TableState

Asker = Callable[[TableRules, TableState, Due], Due]
Maker = Callable[[TableRules, TableState, Due, CardSource], Command]
Teller = Callable[[E], str]
Filled = tuple[dict[str, Any], tuple[InputField, ...]]
"""What is known of a command before it is done, and what is still to be entered."""
Fill = Callable[[TableRules, TableState, Due], Filled]

ASKERS: dict[str, Asker] = {}
"""How an act that is due is asked for, by its name, where the card of its command has no sentence."""
MAKERS: dict[str, Maker] = {}
"""By which command an act that is due is done by a program, by its name, where the card does not say it."""
TELL: dict[type[Event], Callable[[Any], str]] = {}
"""The sentence of each kind of event, in English."""
TELL_OF_CLOCK: dict[type[Event], Callable[[Any], str]] = {}
"""The sentence of each kind of event that tells of an act, where the clock brought it; others are told as ever."""
FILL_FIELDS: dict[str, Fill] = {}
"""What the command of an act takes beside its name, by the name of the act."""


def act_name(kind: type[Command]) -> str:
    """The name of a kind of command, by which it is due."""
    return str(kind.__struct_config__.tag)


def asks(kind: type[Command]) -> Callable[[Asker], Asker]:
    """Marks the function that completes a `Due`: `amount` in cents where money moves, `position` where a card does, and
    `say`, what is to be done in words."""

    def register(asker: Asker) -> Asker:
        assert not kind.CARD.ask, f"the card of {kind.__name__} says how it is asked for"
        assert act_name(kind) not in ASKERS, f"{kind.__name__} is asked for twice"
        ASKERS[act_name(kind)] = asker
        return asker

    return register


def fills(kind: type[Command]) -> Callable[[Fill], Fill]:
    """Marks the function that fills in a command that is due, as far as the table knows it."""

    def register(fill: Fill) -> Fill:
        assert not kind.CARD.console, f"the card of {kind.__name__} says how it is prepared"
        assert act_name(kind) not in FILL_FIELDS, f"{kind.__name__} is filled in twice"
        FILL_FIELDS[act_name(kind)] = fill
        return fill

    return register


def automates(kind: type[Command]) -> Callable[[Maker], Maker]:
    """Marks the function that makes the command by which a program does an act that is due."""

    def register(maker: Maker) -> Maker:
        assert act_name(kind) not in MAKERS, f"{kind.__name__} is done by a program in two ways"
        MAKERS[act_name(kind)] = maker
        return maker

    return register


def tells(kind: type[E]) -> Callable[[Teller[E]], Teller[E]]:
    """Marks the function that tells an event in a sentence; a type checker refuses one of another kind's fields."""

    def register(teller: Teller[E]) -> Teller[E]:
        assert kind not in TELL, f"{kind.__name__} is told twice"
        TELL[kind] = teller
        return teller

    return register


def tells_of_clock(kind: type[E]) -> Callable[[Teller[E]], Teller[E]]:
    """The same for an act that the clock has brought: nobody at the table is told to have done it (A-95)."""

    def register(teller: Teller[E]) -> Teller[E]:
        assert kind not in TELL_OF_CLOCK, f"{kind.__name__} is told twice"
        TELL_OF_CLOCK[kind] = teller
        return teller

    return register
