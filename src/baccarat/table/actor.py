"""Actors: who gives a command, in what capacity, from where, and who else approves it.

A command says what is to be done. Who does it comes next to it, in an envelope for which the caller vouches.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import msgspec
from msgspec import Meta

from baccarat.table.bounds import Label, PersonId
from baccarat.table.role import Role


class Origin(Enum):
    """Where a command comes from."""

    PERSON = "person"
    CARD_SOURCE = "card source"
    """An electronic shoe, a scanner, or the keeper of a sealed order or a sealed trigger."""
    LINK = "link"
    """The link of tables that share progressive meters."""
    CLOCK = "clock"
    """The clock of a table without a human dealer: it says that somebody's time is over (A-95)."""
    PROGRAM = "program"
    """The program as the dealer of an automated table; it comes from nowhere else, and to no other table."""

    __hash__ = object.__hash__  # members are singletons, and Enum's own hash is slow


PERSON, CLOCK, PROGRAM = Origin.PERSON, Origin.CLOCK, Origin.PROGRAM
"""The origins as module-level names, for the guard of every command: see `play/hand.py`."""


class Approval(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A second person, in a capacity, who has approved one command by its name."""

    who: PersonId
    role: Role
    what: Label = ""


class Actor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """The one who acts: everything about them that a decision may depend on."""

    who: PersonId
    role: Role = Role.DEALER
    """Counts for a person only; a link, a card source or a clock has no role, and the program is the dealer."""
    origin: Origin = Origin.PERSON
    approvals: Annotated[tuple[Approval, ...], Meta(max_length=8)] = ()

    def approved_by(self, what: str, *roles: Role) -> str:
        """The second person who has approved this command in one of these capacities; empty if there is none."""
        return next((each.who for each in self.approvals if each.what == what and each.role in roles), "")


class Envelope(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What accompanies a command: the actor, and what is only recorded."""

    actor: Actor
    device: Label = ""
    """The terminal at which it was given."""
    id: Label = ""
    """The command's id, made by its sender; a command already decided under it is not decided again."""
    at: Annotated[int, Meta(ge=0, lt=2**53)] = 0
    """The time in microseconds UTC; it decides nothing."""
