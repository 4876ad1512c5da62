"""Two persons: the one who asks and the one who approves differ, however their names are written."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from baccarat.play.refusal import RefusalNote, Refused
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Command, Reason, TableRules, refuse
from baccarat.table.role import Role
from baccarat.table.state import Seats, TableState, with_seats
from baccarat.table.table_cards import AUTOMATED

NOBODY_YET = Seats().dealers
"""The dealers of a table onto whose game nobody has come yet: its first dealer has no name there."""


def is_same_person(one: str, other: str) -> bool:
    """Whether two names are one person's: case, spacing and Unicode variants of a letter make no difference."""
    return plain_name(one) == plain_name(other)


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """A name in the one form that all its spellings share."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def are_different(*names: str) -> bool:
    """Whether every name is given, and all are of different persons."""
    return all(name.strip() for name in names) and len({plain_name(name) for name in names}) == len(names)


def is_seated(state: TableState, who: str) -> bool:
    """Whether somebody sits at the table as a participant."""
    name = plain_name(who)
    return any(person is not None and plain_name(person.who) == name for person in state.seats.participants)


def is_on_the_game(state: TableState, who: str) -> bool:
    """Whether somebody is a dealer on the game."""
    return any(is_same_person(who, each) for each in state.seats.dealers)


def asks_who_deals(state: TableState) -> bool:
    """Whether only those on the game are dealers here: somebody has come on, and the program does not deal.

    That somebody has gone off again, and nobody is left by name, changes nothing.
    """
    has_come_on = state.seats.dealers != NOBODY_YET or bool(state.seats.relieved)
    return has_come_on and state.is_on_record and state.cards is not AUTOMATED


def has_dealt_this_round(state: TableState, who: str) -> bool:
    """Whether somebody is a dealer on the game, or was relieved after the wagers of this round were frozen."""
    when = state.seats.relieved.get(plain_name(who))
    return when == (state.shoe.number, state.round.number) or is_on_the_game(state, who)


def with_assumed_second(state: TableState, second: Approval) -> TableState:
    """The table on which an act is previewed: a dealer who is assumed to approve it is assumed to be on the game."""
    dealers = state.seats.dealers
    if second.role is not Role.DEALER or dealers == NOBODY_YET:
        return state
    return with_seats(state, dealers=(*dealers, second.who))


def may_not_approve(rules: TableRules, command: Command, actor: Actor, *keys: str) -> Refused | None:
    """Why none of those who approve a command may do so: it takes a second person in another capacity."""
    approvals = [each for each in actor.approvals if each.what == command.name]
    if not approvals or actor.approved_by(command.name, *command.SECOND):
        return None
    others = ", ".join(sorted(role.value for role in command.SECOND))
    return refuse(rules, Reason.WRONG_ROLE, "role_may_not_approve", *keys, role=approvals[0].role.value, others=others)


def refuse_unapproved(
    rules: TableRules, command: Command, actor: Actor, *keys: str, what: str, reason: str
) -> Refused | None:
    """Why a command that takes two persons cannot be done by these; `what` names it."""
    names = actor.who, actor.approved_by(command.name, *command.SECOND)
    return may_not_approve(rules, command, actor, *keys) or refuse_same_person(rules, what, names, reason, *keys)


def refuse_beneficiary(rules: TableRules, patron: str, names: tuple[str, ...], *keys: str) -> Refused | None:
    """Why somebody may not ask for a payment or approve it: it is to the person's own advantage."""
    if not any(is_same_person(patron, name) for name in names):
        return None
    return refuse(rules, Reason.SAME_PERSON, "concerns_own_money", *keys)


def refuse_same_person(rules: TableRules, what: str, names: tuple[str, ...], reason: str, *keys: str) -> Refused | None:
    """Why something that takes two or more different persons cannot be done by these; `what` names it."""
    if not all(name.strip() for name in names) or not reason.strip():
        return refuse(rules, Reason.NO_REASON, "names_every_person_and_reason", *keys, the_what=(RefusalNote(what),))
    if not are_different(*names):
        return refuse(
            rules, Reason.SAME_PERSON, "takes_two_persons", *keys, the_what=(RefusalNote(what),), count=len(names)
        )
    return None
