"""Functions next to a step, beside those that decide and evolve: how its acts are prepared at a console.

Each is registered by the module that owns the command, as `handles` and `evolves` of `base.py` are. What needs no state
stands on the command's card instead (`card.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from baccarat.table.base import Command, Due, TableRules
from baccarat.table.input_field import InputField
from baccarat.table.state import TableState

Filled = tuple[dict[str, Any], tuple[InputField, ...]]
"""What is known of a command before it is done, and what is still to be entered."""
Fill = Callable[[TableRules, TableState, Due], Filled]

FILL_FIELDS: dict[str, Fill] = {}
"""What the command of an act takes beside its name, by the name of the act."""


def act_name(kind: type[Command]) -> str:
    """The name of a kind of command, by which it is due."""
    return str(kind.__struct_config__.tag)


def fills(kind: type[Command]) -> Callable[[Fill], Fill]:
    """Marks the function that fills in a command that is due, as far as the table knows it."""

    def register(fill: Fill) -> Fill:
        assert not kind.CARD.console, f"the card of {kind.__name__} says how it is prepared"
        assert act_name(kind) not in FILL_FIELDS, f"{kind.__name__} is filled in twice"
        FILL_FIELDS[act_name(kind)] = fill
        return fill

    return register
