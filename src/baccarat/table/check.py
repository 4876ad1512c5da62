"""Check: a log that somebody else has told, derived anew; the first event that cannot have happened is named.

A log holds events, not commands. So at each place the commands that its events could have come from are tried:
one of them must lead, by `decide`, to exactly what is told, to the last clause. Nothing of the law stands here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec

from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Approval, Origin
from baccarat.table.adopting import rules_after
from baccarat.table.base import Accepted, Command, Event, Reason
from baccarat.table.invariant import broken
from baccarat.table.machine import begin, decide, expected, usual_actor
from baccarat.table.registry import HANDLERS
from baccarat.table.role import Role
from baccarat.table.state import DEALER, State

AHEAD = 4
"""How many events may come before the one that tells what a command said, such as the cover card before a card."""
SOMEBODY, SOME_REASON = "somebody", "some reason"


class Impossible(msgspec.Struct, frozen=True):
    """The place of the first event that cannot have happened, and why; the end of a log that breaks off."""

    at: int
    say: str
    breaks_off: bool = False


class _Tried(msgspec.Struct, frozen=True, eq=False):
    """A command that was tried: how far ahead the event is that tells of it, how much is told, what came of it."""

    command: Command
    ahead: int
    told: int
    outcome: Accepted | Refused


def first_impossible(rules: Rulebook, log: Sequence[Event]) -> Impossible | None:
    """The first event of a log that the table cannot have led to; nothing if all of it can have happened."""
    state, at = begin(rules), 0
    while at < len(log):
        tried = list(_try_all(rules, state, log, at))
        right = [accepted for accepted in map(_accepted, tried) if accepted and _agrees(accepted, log, at) is None]
        if not right:
            return _why(rules, state, log, at, tried)
        accepted = max(right, key=lambda each: len(each.events))
        at, state, rules = at + len(accepted.events), accepted.state, rules_after(rules, accepted.events)
        faults = broken(rules, state)
        if faults:
            return Impossible(at - 1, faults[0])
    return None


def _accepted(tried: _Tried) -> Accepted | None:
    return tried.outcome if isinstance(tried.outcome, Accepted) else None


def _agrees(accepted: Accepted, log: Sequence[Event], at: int) -> int | None:
    """The place where a log leaves what a command leads to; nothing if it tells all of it."""
    for place, event in enumerate(accepted.events, start=at):
        if place == len(log) or log[place] != event:
            return place
    return None


# --------------------------------------------------------------------------------------------- trying


def _try_all(rules: Rulebook, state: State, log: Sequence[Event], at: int) -> Iterator[_Tried]:
    """Every command that may be given at this step and that the next events could tell of."""
    tried: set[bytes] = set()

    def event_at(number: int) -> Event | None:
        return log[number] if 0 <= number < at else None

    for ahead, event in enumerate(log[at : at + AHEAD]):
        for kind in HANDLERS:
            if kind.STEPS and state.step not in kind.STEPS:
                continue
            for told, command in _commands(kind, event, state):
                for actor in _actors(command, event, state):
                    written = msgspec.json.encode((command, actor))
                    if written in tried:
                        continue
                    tried.add(written)
                    try:
                        outcome = decide(rules, state, command, actor, event_at)
                    except (AssertionError, LookupError):
                        continue  # no command of a person leads there
                    yield _Tried(command, ahead, told, outcome)


def _commands(kind: type[Command], event: Event, state: State) -> Iterator[tuple[int, Command]]:
    """The commands of one kind that an event could tell of; what no event tells is tried in every way."""
    shared, untold = _plan(kind, type(event))
    if untold is None:
        return
    told = {name: getattr(event, name) for name in shared}
    if any(told[name] is None for name in told if name not in _optional(kind)):
        return
    choices = {name: _untold(name, event, state) for name in untold}
    for values in product(*choices.values()):
        yield len(told), kind(**told, **dict(zip(choices, values, strict=True)))


_fields = cache(msgspec.structs.fields)
GUESSED = frozenset({"cash", "seat", "lot", "person", "cards"})
"""What a command says and no event tells: each is tried in every way that it may have been."""


@cache
def _plan(kind: type[Command], event: type[Event]) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """The fields that a command and an event share in name and type, and those to be tried; none if others are left."""
    has = {field.name: _types(field.type) for field in _fields(event)}
    shared = {
        field.name
        for field in _fields(kind)
        if field.name in has and (_types(field.type) - {NoneType}) & has[field.name]
    }
    others = [field for field in _fields(kind) if field.name not in shared]
    guessed = [field for field in others if field.name in GUESSED or (field.required and _types(field.type) == {str})]
    left = [field for field in others if field.required and field not in guessed]
    return tuple(sorted(shared)), None if left else tuple(field.name for field in guessed)


@cache
def _optional(kind: type[Command]) -> frozenset[str]:
    return frozenset(field.name for field in _fields(kind) if NoneType in _types(field.type))


def _types(annotation: Any) -> set[Any]:
    """The types of an annotation, bounds left out, within lists and tables too: a union's members, otherwise itself."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _types(parts[0])
    if origin in (UnionType, Union):
        return {each for part in parts for each in _types(part)}
    if origin in (tuple, dict):
        return {(origin, frozenset(each for part in parts for each in _types(part)))}
    return {annotation}


def _untold(field: str, event: Event, state: State) -> tuple[Any, ...]:
    """What a field may have been that the event does not tell; a reason is any."""
    match field:
        case "cash":
            return (True,)
        case "seat":
            return tuple(dict.fromkeys((DEALER, state.seats.curator or DEALER)))
        case "lot":
            return tuple(range(max(1, len(state.round.royal9_seats))))
        case "cards":  # how many are burned at once; no number said means all that are left
            return (0, len(getattr(event, "positions", ())))
        case "person":
            who = getattr(event, "who", "")
            return (who if isinstance(who, str) else "",)  # some events name a role there
        case _:
            return (SOME_REASON,)


def _actors(command: Command, event: Event, state: State) -> Iterator[Actor]:
    """Who may have given a command: in every capacity that may, by the persons whom the event names."""
    if Origin.PERSON not in command.ORIGINS:
        yield Actor(who=SOMEBODY, origin=command.ORIGINS[0])
        return
    paper = getattr(event, "form", event)
    named = [getattr(paper, name, None) for name in ("requester", "approver", "by", "pit_clerk", "pit_boss")]
    names = [name for name in dict.fromkeys(named) if isinstance(name, str) and name]
    for role in sorted(command.ROLES, key=lambda role: role.value):
        if role is Role.PARTICIPANT or not names:
            yield usual_actor(state, command, by=role)
            continue
        for who in names:
            yield usual_actor(state, command, by=role, who=who)
            for other in names:
                for second in Role if other != who else ():
                    approval = Approval(who=other, role=second, what=command.name)
                    yield usual_actor(state, command, by=role, who=who, approvals=(approval,))


# ----------------------------------------------------------------------------------------------- why


def _why(rules: Rulebook, state: State, log: Sequence[Event], at: int, tried: Sequence[_Tried]) -> Impossible:
    """Why nothing leads to what is told: what would have come instead, who refuses it, or what is due."""
    alike = [
        (place, accepted)
        for each in tried
        if (accepted := _accepted(each)) and (place := _agrees(accepted, log, at)) is not None
        if place > at or (not each.ahead and type(accepted.events[0]) is type(log[at]))
    ]
    if alike:
        place, accepted = max(alike, key=lambda each: each[0])
        right = accepted.events[place - at]
        if place == len(log):
            return Impossible(place, f"the log breaks off: {_name(right)} comes next", breaks_off=True)
        return Impossible(place, _difference(log[place], right))
    event = log[at]
    own = [each for each in tried if not each.ahead and each.command.__module__ == type(event).__module__]
    refused = [
        (each.told, _weight(each.outcome), each.outcome.say) for each in own if isinstance(each.outcome, Refused)
    ]
    if refused:
        return Impossible(at, max(refused)[2])
    due = ", ".join(dict.fromkeys(each.act for each in expected(rules, state)))
    say = f"nothing leads to {_name(event)} while the table is at {state.step.replace('_', ' ')}"
    return Impossible(at, f"{say}, where {due or 'nothing'} is due")


def _weight(refused: Refused) -> int:
    """How far a command got: a role that was only guessed is refused before anything that is told."""
    return 0 if refused.code in (Reason.WRONG_ROLE, Reason.NO_REASON, Reason.SAME_PERSON) else 1


def _name(event: Event) -> str:
    return str(event.__struct_config__.tag)


def _difference(told: Event, right: Event) -> str:
    """How what is told differs from what would have come."""
    if type(told) is not type(right):
        return f"{_name(right)} comes next, not {_name(told)}"
    for field in type(told).__struct_fields__:
        one, other = getattr(told, field), getattr(right, field)
        if one != other:
            return f"{field} is {_written(one)} and would be {_written(other)}"
    raise AssertionError("asked of two events that differ")


def _written(value: Any) -> str:
    return msgspec.json.encode(value).decode()
