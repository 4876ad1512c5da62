"""What a table is: real cards, an electronic shoe, or an electronic shoe that the program deals; stated as it opens.

It is on record from the first entry of the table's stream, and does not change. A table that was opened before this
was recorded states nothing (`UNSET`, which is not written), and nothing is enforced there: its shoes are electronic
where they commit to a seed. Two persons say once what such a table is (`table_kind.py`).
"""

from __future__ import annotations

from enum import Enum

from msgspec import UNSET, UnsetType

from baccarat.law.rulebook import Rulebook


class TableCards(Enum):
    """What lies in the shoe of a table, and who deals it."""

    REAL = "real"
    """Cards of paper or plastic, on the dealer's word."""
    ELECTRONIC = "electronic"
    """Cards of an electronic shoe, which a person deals: each is proved."""
    AUTOMATED = "automated"
    """Cards of an electronic shoe, and the program is the dealer."""

    __hash__ = object.__hash__  # members are singletons, and Enum's own hash is slow


StatedCards = TableCards | UnsetType
KIND_STATED_SINCE = 2
"""The first version of the deciding functions (`machine.BEHAVIOUR`) in which every table that a pit opens says it."""
REAL, AUTOMATED = TableCards.REAL, TableCards.AUTOMATED
"""Members as module-level names, for the guard of every command: see `play/hand.py`."""
ELECTRONIC_CARDS = (TableCards.ELECTRONIC, TableCards.AUTOMATED)
"""Tables at which every card comes from a sealed order."""


def uses_electronic_shoes(rules: Rulebook) -> bool:
    """Whether the licensee has not filed that no table of it has an electronic shoe (reading A-96)."""
    return bool(rules.elects("electronic_cut") != "not_used")


def cards_text(cards: StatedCards) -> str:
    """What a table is, in words."""
    return "not stated" if cards is UNSET else cards.value
