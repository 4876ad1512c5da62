"""The guard: what every command must pass before its own handler decides: the table runs, and the origin, the role,
the step and the seat are right; a clock's command does no more than a clock may."""

from __future__ import annotations

from baccarat.play.refusal import Refused
from baccarat.table.actor import CLOCK, PERSON, PROGRAM, Actor
from baccarat.table.base import Command, Reason, TableRules, refuse
from baccarat.table.dealers import ComeOn
from baccarat.table.registration import CLOCK_LIMITS, WRONG_MOMENTS, step_cites
from baccarat.table.role import PARTICIPANT, Role
from baccarat.table.seating_acts import Leave, Sit
from baccarat.table.state import DEALER, TableState
from baccarat.table.table_cards import AUTOMATED
from baccarat.table.two_persons import (
    asks_who_deals,
    has_dealt_this_round,
    is_on_the_game,
    is_same_person,
    is_seated,
)

FIRST_OF_A_ROUND = "wager"
CiteKeys = tuple[str, ...]
ON_THE_GAME_SINCE = 3
"""The first version of the deciding functions that asks whether a dealer who acts is on the game."""


def guard(rules: TableRules, state: TableState, command: Command, actor: Actor) -> Refused | None:
    """Why a command is refused whatever it says; None if its handler may decide."""
    if state.stopped and not command.STOPPED:
        keys = rules.edition.options["decks"].cite
        return refuse(rules, Reason.STOPPED, "table_stopped", *keys, stopped=state.stopped)
    # Where it comes from, and who gives it: refused under the clause that says whose act this is.
    if actor.origin not in command.ORIGINS and not _is_programs(state, command, actor):
        allowed = ", ".join(origin.value for origin in command.ORIGINS)
        keys, cites = _keys_or_cites(rules, state, command, command.belongs_under(rules.edition))
        why, origin = Reason.WRONG_ORIGIN, actor.origin.value
        return refuse(rules, why, "comes_from_elsewhere", *keys, cites=cites, allowed=allowed, origin=origin)
    if actor.origin is PERSON and actor.role not in command.ROLES:
        allowed = ", ".join(sorted(role.value for role in command.ROLES))
        keys, cites = _keys_or_cites(rules, state, command, command.belongs_under(rules.edition))
        why, role = Reason.WRONG_ROLE, actor.role.value
        return refuse(rules, why, "role_may_not_do_this", *keys, cites=cites, role=role, allowed=allowed)
    if (
        state.cards is AUTOMATED
        and actor.origin is PERSON
        and (refused := _refuse_dealer(rules, state, command, actor))
    ):
        return refused
    if (
        state.is_on_record
        and actor.origin is PERSON
        and (refused := _refuse_two_capacities(rules, state, command, actor))
    ):
        return refused
    # The right act at the wrong moment.
    if command.STEPS and state.step not in command.STEPS:
        return _wrong_step(rules, state, command)
    # Whose seat it is. A clock acts for nobody, so each command limits what a clock may do (reading A-95).
    if actor.role is PARTICIPANT and actor.origin is PERSON:
        return _refuse_other_seat(rules, state, command, actor)
    if actor.origin is CLOCK:
        return CLOCK_LIMITS[type(command)](rules, state, command)
    return None


def _is_programs(state: TableState, command: Command, actor: Actor) -> bool:
    """Whether the program does this as the dealer of an automated table: what a dealer does alone."""
    is_dealer = actor.origin is PROGRAM and actor.role is Role.DEALER and state.cards is AUTOMATED
    return is_dealer and not actor.approvals and PERSON in command.ORIGINS and Role.DEALER in command.ROLES


def _refuse_dealer(rules: TableRules, state: TableState, command: Command, actor: Actor) -> Refused | None:
    """At an automated table nobody but the program deals, calls, comes on, or says which card came."""
    if actor.role in command.persons_at_automated:
        return None
    keys, cites = _keys_or_cites(rules, state, command, command.belongs_under(rules.edition))
    return refuse(rules, Reason.WRONG_ROLE, "program_is_the_dealer", *keys, cites=cites)


def _refuse_two_capacities(rules: TableRules, state: TableState, command: Command, actor: Actor) -> Refused | None:
    """Nobody who sits at the table does a house's work there, or approves it (reading A-101); he may be seen to leave.

    Dealers on the game need no look at the seats: none of them sits there.
    """
    is_looked_for = actor.role is not PARTICIPANT and actor.who not in state.seats.dealers
    if not is_looked_for and not actor.approvals:
        return None
    names = [each.who for each in actor.approvals]
    if is_looked_for:
        names.append(actor.who)
    seated = next((who for who in names if is_seated(state, who)), None)
    if seated is None or isinstance(command, Leave):
        return None
    keys, cites = _keys_or_cites(rules, state, command, command.belongs_under(rules.edition))
    return refuse(rules, Reason.SAME_PERSON, "sits_at_this_table", *keys, cites=cites, who=seated)


def _refuse_off_the_game(rules: TableRules, state: TableState, command: Command, actor: Actor) -> Refused | None:
    """Why a dealer does nothing at a table but come on, and approves nothing: others are its dealers (reading A-101).

    Those who are its dealers act and approve there as nobody else, and neither do those who were relieved in this
    round, until it is over: they do not check what they have dealt. Where nobody has come on yet, a dealer who acts is
    taken to be on the game; at an automated table nobody is.
    """
    dealers = state.seats.dealers
    names = [each.who for each in actor.approvals if each.role is Role.DEALER]
    if actor.role is Role.DEALER and actor.who not in dealers and not isinstance(command, ComeOn):
        names.append(actor.who)
    off = next((who for who in names if not is_on_the_game(state, who)), None)
    others = [each.who for each in actor.approvals if each.role is not Role.DEALER]
    if actor.role not in (Role.DEALER, PARTICIPANT):
        others.append(actor.who)
    doubled = next((who for who in others if has_dealt_this_round(state, who)), None)
    if off is None and doubled is None:
        return None
    keys, cites = _keys_or_cites(rules, state, command, command.belongs_under(rules.edition))
    if off is not None:
        return refuse(rules, Reason.NOT_ENTITLED, "not_on_the_game", *keys, cites=cites, who=off)
    assert doubled is not None, "one of the two is found"
    what = "deals_at_this_table" if is_on_the_game(state, doubled) else "dealt_in_this_round"
    return refuse(rules, Reason.SAME_PERSON, what, *keys, cites=cites, who=doubled)


def refuse_other_capacity(rules: TableRules, state: TableState, command: Command, actor: Actor) -> Refused | None:
    """Why somebody does not act or approve in this capacity: he has another one at this table, which is on record.

    So it is decided from version 3 on.
    """
    if actor.origin is not PERSON:
        return None
    if asks_who_deals(state) and (refused := _refuse_off_the_game(rules, state, command, actor)):
        return refused
    return _refuse_seated_staff(rules, state, command, actor) if isinstance(command, Leave) else None


def _refuse_seated_staff(rules: TableRules, state: TableState, command: Leave, actor: Actor) -> Refused | None:
    """Why somebody who sits at the table does not say there, as staff, that another has left; his own seat he may give
    up in any capacity, so that he is never stuck in it (reading A-101)."""
    if actor.role is PARTICIPANT:
        return None
    person = state.at(command.seat)
    is_own = person is not None and is_same_person(person.who, actor.who)
    if is_own or not is_seated(state, actor.who):
        return None
    keys, cites = _keys_or_cites(rules, state, command, command.belongs_under(rules.edition))
    return refuse(rules, Reason.SAME_PERSON, "sits_at_this_table", *keys, cites=cites, who=actor.who)


def _refuse_other_seat(rules: TableRules, state: TableState, command: Command, actor: Actor) -> Refused | None:
    """A participant acts for the seat where he sits; a free seat is left to the command's handler."""
    seat = getattr(command, "seat", DEALER)
    person = state.at(seat)
    if person is None or person.who == actor.who or isinstance(command, Sit):
        return None
    keys = rules.edition.options["seats"].cite
    return refuse(rules, Reason.NOT_ENTITLED, "seat_of_another_participant", *keys, seat=seat, who=actor.who)


def _wrong_step(rules: TableRules, state: TableState, command: Command) -> Refused:
    """An act at the wrong step is answered with the clause that rules the act, not with that of the current step."""
    explain = WRONG_MOMENTS.get(type(command))
    explained = explain(rules, state, command) if explain is not None else None
    if explained is not None:
        return explained
    keys = command.ruled_by(rules.edition)
    if _command_step(rules, state, command) is None:
        rows = (row.cite for row in rules.edition.steps if row.name in command.STEPS)
        return refuse(
            rules, Reason.NOT_OFFERED, "nobody_does_this_here", *(keys or next(rows, rules.edition.deal.cite))
        )
    keys, cites = _keys_or_cites(rules, state, command, keys)
    return refuse(rules, Reason.WRONG_STEP, "not_at_this_step", *keys, cites=cites, at=state.step)


def _keys_or_cites(rules: TableRules, state: TableState, command: Command, keys: CiteKeys) -> tuple[CiteKeys, CiteKeys]:
    """The clauses of the command itself, or else the citations of its step."""
    if keys:
        return keys, ()
    step = _command_step(rules, state, command) if command.STEPS else None
    return (), step_cites(rules, state, step or state.step)


def _command_step(rules: TableRules, state: TableState, command: Command) -> str | None:
    """The step that an act belongs to; of several the next one, or the last one passed in this round."""
    index, here = rules.step_index, rules.step_index[state.step]
    steps = sorted((step for step in command.STEPS if step in index), key=lambda step: index[step])
    if not steps:
        return None
    later = [step for step in steps if index[step] >= here]
    passed = [step for step in steps if index.get(FIRST_OF_A_ROUND, 0) < index[step] < here]
    return later[0] if later else passed[-1] if passed else steps[0]
