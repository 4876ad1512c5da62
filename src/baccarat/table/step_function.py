"""Functions of a step, besides those that decide and evolve: how its acts are asked for, prepared at a console and done
by a program, and how its events are narrated.

Each is registered by the module that owns the command or event, as with `handles` and `evolves` of `registration.py`.
What needs no state is on the card instead (`card.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from baccarat.table.base import Command, Due, Event, TableRules
from baccarat.table.input_field import InputField
from baccarat.table.registration import C, E, registers
from baccarat.table.source import CardSource
from baccarat.table.state import TableState

Asker = Callable[[TableRules, TableState, Due], Due]
Maker = Callable[[TableRules, TableState, Due, CardSource], Command]
Teller = Callable[[E], str]
Attempt = Callable[[C], str]
ActLabel = Callable[[TableRules, TableState, Due], str]
Described = tuple[str, dict[str, int | str]]
"""The name of a sentence, and its parameters besides the seat, the sum and the number of the card."""
Describe = Callable[[TableRules, TableState, Due], Described]
Filled = tuple[dict[str, Any], tuple[InputField, ...]]
"""What is known of a command before it is done, and what is still to be entered."""
Fill = Callable[[TableRules, TableState, Due], Filled]

ASKERS: dict[str, Asker] = {}
"""How an act that is due is asked for, by its name, where the card of its command has no sentence."""
MAKERS: dict[str, Maker] = {}
"""How a program makes the command for an act that is due, by its name, where the card does not say it."""
TELL: dict[type[Event], Callable[[Any], str]] = {}
"""The sentence of each kind of event, in English."""
TELL_OF_CLOCK: dict[type[Event], Callable[[Any], str]] = {}
"""The sentence of each kind of event for an act that the clock submitted; other events are described as usual."""
TELL_IN_PART: dict[type[Event], tuple[frozenset[str], Callable[[Any], str]]] = {}
"""The sentence of each kind of event for those who see the fields that it is made with, and not all of them."""
ATTEMPTS: dict[type[Command], Callable[[Any], str]] = {}
"""What a seat tried to do by each kind of command that came too late, where the refusal does not say it."""
LABELS: dict[str, ActLabel] = {}
"""The name under which a console labels an act that is due, by the act's own name, where they differ."""
DESCRIBED: dict[str, Describe] = {}
"""What is said about an act that is due, as data, by its name, where that is more than the name."""
FILL_FIELDS: dict[str, Fill] = {}
"""What the command of an act takes besides its name, by the name of the act."""


def act_name(kind: type[Command]) -> str:
    """The name of a kind of command, by which it is due."""
    return str(kind.__struct_config__.tag)


def asks(kind: type[Command]) -> Callable[[Asker], Asker]:
    """Marks the function that completes a `Due`: `amount` in cents where money moves, `position` where a card does, and
    `say`, what is to be done in words."""
    assert not kind.CARD.ask, f"the card of {kind.__name__} says how it is asked for"
    return registers(ASKERS, act_name(kind), f"{kind.__name__} is asked for twice")


def fills(kind: type[Command]) -> Callable[[Fill], Fill]:
    """Marks the function that fills in a command that is due, as far as the table knows it."""
    assert not kind.CARD.console, f"the card of {kind.__name__} says how it is prepared"
    return registers(FILL_FIELDS, act_name(kind), f"{kind.__name__} is filled in twice")


def automates(kind: type[Command]) -> Callable[[Maker], Maker]:
    """Marks the function that makes the command by which a program does an act that is due."""
    return registers(MAKERS, act_name(kind), f"{kind.__name__} is done by a program in two ways")


def tells(kind: type[E]) -> Callable[[Teller[E]], Teller[E]]:
    """Marks the function that tells an event in a sentence; a type checker refuses one for another kind."""
    return registers(TELL, kind, f"{kind.__name__} is described twice")


def tells_of_clock(kind: type[E]) -> Callable[[Teller[E]], Teller[E]]:
    """The same for an act of the clock: the sentence does not say that somebody at the table did it (A-95)."""
    return registers(TELL_OF_CLOCK, kind, f"{kind.__name__} is described twice")


def tells_in_part(kind: type[E], *fields: str) -> Callable[[Teller[E]], Teller[E]]:
    """The same for those who see these fields, and not by whom and why."""

    def register(teller: Teller[E]) -> Teller[E]:
        assert kind not in TELL_IN_PART, f"{kind.__name__} is described twice"
        TELL_IN_PART[kind] = frozenset(fields), teller
        return teller

    return register


def tells_attempt(kind: type[C]) -> Callable[[Attempt[C]], Attempt[C]]:
    """Marks the function that says what a seat tried to do by a command, after “tried to”."""
    return registers(ATTEMPTS, kind, f"an attempt at {kind.__name__} is described twice")


def labels(kind: type[Command]) -> Callable[[ActLabel], ActLabel]:
    """Marks the function that names an act for a console: what is prepared, whether money is marked, taken or paid."""
    return registers(LABELS, act_name(kind), f"{kind.__name__} is labelled twice")


def describes(kind: type[Command]) -> Callable[[Describe], Describe]:
    """Marks the function that returns what is asked of somebody as data, for readers of another language."""
    return registers(DESCRIBED, act_name(kind), f"{kind.__name__} is described twice")
