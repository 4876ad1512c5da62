"""Asking: every act that is due, as a sentence with its sum, its card and its seat, so that no console knows the game.

Each act has a sentence on the card of its command, or a function next to its step (`asks` in `step_function.py`).
"""

from __future__ import annotations

from msgspec.structs import replace

from baccarat.table import step_function
from baccarat.table.base import Due, TableRules
from baccarat.table.registry import COMMANDS
from baccarat.table.state import TableState
from baccarat.table.step_function import Asker


def with_sentence(rules: TableRules, state: TableState, due: Due) -> Due:
    """An act that is due, with its sum, its card and its sentence."""
    return ASKERS[due.act](rules, state, due)


def _plain(say: str) -> Asker:
    """An act that needs nothing but its sentence."""
    return lambda _rules, _state, due: replace(due, say=say)


ASKERS: dict[str, Asker] = {
    **step_function.ASKERS,
    **{name: _plain(kind.CARD.ask) for name, kind in COMMANDS.items() if kind.CARD.ask},
}
"""How every act that may be due is asked for, by its name."""
