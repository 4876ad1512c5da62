"""Roles: who stands or sits at the table, and who watches it."""

from __future__ import annotations

from enum import Enum


class Role(Enum):
    """In what capacity a person acts."""

    PARTICIPANT = "participant"
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    CASINO_SUPERVISOR = "casino supervisor"
    PIT_BOSS = "pit boss"
    PIT_CLERK = "pit clerk"
    CAGE_CASHIER = "cage cashier"
    ADMINISTRATOR = "administrator"
    SURVEILLANCE = "surveillance"
    REGULATOR = "regulator"
    PUBLIC = "public"
    """Whoever watches without being anybody: acts never, and sees what lies open to all."""

    __hash__ = object.__hash__  # members are singletons, and Enum's own hash is slow


PARTICIPANT = Role.PARTICIPANT
"""The role as a name of the module, for the guard of every command: see `play/hand.py`."""
STAFF = frozenset({Role.DEALER, Role.FLOORPERSON})
SUPERVISORS = frozenset({Role.FLOORPERSON, Role.CASINO_SUPERVISOR, Role.PIT_BOSS})
"""Whoever watches over games: the second person of an act where no clause names another."""
ANYONE_AT_THE_TABLE = frozenset({Role.PARTICIPANT, Role.DEALER})
