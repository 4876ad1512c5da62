"""Baccarat exactly as its rules are filed: dealt, settled and explained, each decision with its clause."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # true for type checkers; importing `typing` would be most of the cost of `import baccarat`
if TYPE_CHECKING:
    from typing import Any

    from baccarat.cards import Card as Card
    from baccarat.cards import parse_cards as parse_cards
    from baccarat.law.clause import Citation as Citation
    from baccarat.law.difference import differences as differences
    from baccarat.law.edition import Edition as Edition
    from baccarat.law.edition import load_edition as load_edition
    from baccarat.law.error import InvalidSubmission as InvalidSubmission
    from baccarat.law.error import RulesError as RulesError
    from baccarat.law.rulebook import Rulebook as Rulebook
    from baccarat.law.rulebook import rulebook as rulebook
    from baccarat.money import Cents as Cents
    from baccarat.money import dollars as dollars
    from baccarat.play.coup import Coup as Coup
    from baccarat.play.coup import deal as deal
    from baccarat.play.refusal import Refused as Refused
    from baccarat.play.road import roads as roads
    from baccarat.play.settle import settle as settle
    from baccarat.play.wager import BANKER as BANKER
    from baccarat.play.wager import PLAYER as PLAYER
    from baccarat.play.wager import TIE as TIE
    from baccarat.play.wager import Wager as Wager
    from baccarat.play.wager import WagerKind as WagerKind
    from baccarat.table.machine import Table as Table
    from baccarat.table.machine import replay as replay
    from baccarat.table.seating_acts import BuyIn as BuyIn
    from baccarat.table.seating_acts import Sit as Sit
    from baccarat.table.shoe_state import Shoe as Shoe
    from baccarat.table.source import SealedShoe as SealedShoe
    from baccarat.table.step.calling import CallNoMoreBets as CallNoMoreBets
    from baccarat.table.step.wagering import PlaceWager as PlaceWager

__version__ = "0.1.0"

_HOMES = {
    "Card": "cards",
    "parse_cards": "cards",
    "Citation": "law.clause",
    "differences": "law.difference",
    "Edition": "law.edition",
    "load_edition": "law.edition",
    "InvalidSubmission": "law.error",
    "RulesError": "law.error",
    "Rulebook": "law.rulebook",
    "rulebook": "law.rulebook",
    "Cents": "money",
    "dollars": "money",
    "Coup": "play.coup",
    "deal": "play.coup",
    "Refused": "play.refusal",
    "roads": "play.road",
    "settle": "play.settle",
    "BANKER": "play.wager",
    "PLAYER": "play.wager",
    "TIE": "play.wager",
    "Wager": "play.wager",
    "WagerKind": "play.wager",
    "Table": "table.machine",
    "replay": "table.machine",
    "BuyIn": "table.seating_acts",
    "Sit": "table.seating_acts",
    "SealedShoe": "table.source",
    "Shoe": "table.state",
    "CallNoMoreBets": "table.step.calling",
    "PlaceWager": "table.step.wagering",
}
__all__ = sorted(_HOMES)  # noqa: PLE0605  generated from the homes, so that the two never differ


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first used, so that `import baccarat` stays fast."""
    if name not in _HOMES:
        raise AttributeError(f"module 'baccarat' has no attribute {name!r}")
    value = getattr(import_module(f"baccarat.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
