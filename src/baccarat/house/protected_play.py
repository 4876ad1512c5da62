"""Player protection at the tables: who is away sits nowhere, and no wager may lose more than its person's limit.

The loss of a gaming day is computed from what is on record: what the books have given to the person and taken since
there was a limit, and all that lies on a layout now.
"""

from __future__ import annotations

from baccarat.house.book import HouseEvent, house_refuse
from baccarat.house.player import gain_of_day
from baccarat.house.player_book import CITES, RULE, LimitedPlayerSat
from baccarat.house.reason import HouseReason
from baccarat.house.state import HouseState
from baccarat.ledger import Account, Place
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.base import Command
from baccarat.table.seating_acts import Sit
from baccarat.table.state import TableState, seats_of
from baccarat.table.step.spoken_wager import SpeakWager
from baccarat.table.step.wagering import ChangeWager, PlaceWager

PROTECTED_ACTS = (Sit, PlaceWager, ChangeWager, SpeakWager)
"""The acts by which somebody begins to play, or puts more at risk."""


def person_of(state: HouseState, table: str, command: Command, actor: Actor | None) -> str:
    """Who would play by a protected act; empty if nobody is known."""
    if isinstance(command, Sit):
        return command.person or (actor.who if actor is not None else "")
    held = state.tables[table].at(getattr(command, "seat", 0)) if table in state.tables else None
    return held.who if held is not None else ""


def tables_of_player(state: HouseState, who: str) -> tuple[str, ...]:
    """The tables on which depends what a person with a limit has lost."""
    player = state.protection.player(who)
    return () if player is None else tuple(table for table in player.tables if table in state.tables)


def refuse_protected(state: HouseState, table: str, command: Command, actor: Actor | None) -> Refused | None:
    """Why a person who is away may not sit down or wager, or may not put this much at risk."""
    if not isinstance(command, PROTECTED_ACTS) or not state.protection.people:
        return None
    who = person_of(state, table, command, actor)
    player = state.protection.player(who)
    if player is None:
        return None
    if player.is_out:
        what = "excludes_himself" if player.is_excluded else "takes_a_time_out"
        return house_refuse(HouseReason.NOT_ENTITLED, what, RULE)
    more = _more_at_risk(state.tables[table], command)
    if not player.limit or more <= 0:
        return None
    lost = loss_of_day(state, who)
    lying = at_risk(state, who)
    if lost + lying + more <= player.limit:
        return None
    left = max(0, player.limit - lost - lying)
    return house_refuse(HouseReason.ABOVE_MAXIMUM, "above_the_limit_on_loss", RULE, limit=player.limit, left=left)


def loss_of_day(state: HouseState, who: str) -> int:
    """What a person with a limit has lost in this gaming day, in cents; below zero, what he has won."""
    return -gain_of_day(state.day_gains, who)


def at_risk(state: HouseState, who: str) -> int:
    """What a person's wagers at all tables may lose now: those that lie there, and spoken ones."""
    total = 0
    for table in tables_of_player(state, who):
        held = state.tables[table]
        seats = seats_of(held, who)
        total += sum(state.ledger.cents(Account(Place.LAYOUT, table, seat)) for seat in seats)
        total += sum(spoken.stake for spoken in held.round.spoken if spoken.seat in seats)
    return total


def _more_at_risk(state: TableState, command: Command) -> int:
    """How much more may be lost by an act than before."""
    match command:
        case PlaceWager(stake=stake) | SpeakWager(stake=stake):
            return stake
        case ChangeWager(seat=seat, on=on, stake=stake):
            return stake - sum(each.stake for each in state.round.wagers if (each.seat, each.on) == (seat, on))
    return 0


def player_entries(state: HouseState, table: str, command: Command, actor: Actor | None) -> tuple[HouseEvent, ...]:
    """What an act at a table enters in the book of players: that somebody with a limit plays there from now on."""
    if not isinstance(command, Sit) or not state.protection.people:
        return ()
    who = person_of(state, table, command, actor)
    player = state.protection.player(who)
    if player is None or not player.limit or table in player.tables:
        return ()
    return (LimitedPlayerSat(who=who, table=table, cites=CITES),)
