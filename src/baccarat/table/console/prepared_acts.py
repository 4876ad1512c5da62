"""Prepared acts: for each act that is due the command that does it, what is still to be entered, what is called aloud
with it, and what follows.

A command without open fields is tried out, which changes nothing: its outcome says what is called and what is due
afterwards. So the console offers only what the machine has already accepted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.base import Accepted, Command, Due, Event, TableRules, table_rules
from baccarat.table.card import CommandCard
from baccarat.table.due_data import NO_SENTENCE, Sentence, sentence_of
from baccarat.table.input_field import InputField
from baccarat.table.machine import decide, expected
from baccarat.table.offer import decline_offer, is_offer
from baccarat.table.registry import COMMANDS
from baccarat.table.role import Role
from baccarat.table.rules_adoption import rules_after
from baccarat.table.state import TableState
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.calling import CardsCalled, NoMoreBetsCalled
from baccarat.table.step.clearing import LastHandCalled
from baccarat.table.step.settlement import VigorishTaken
from baccarat.table.step.turning import CountAnnounced
from baccarat.table.step_function import FILL_FIELDS, LABELS, Filled


class PreparedAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act with the command that does it."""

    what: str
    """The name of the act, for a label."""
    by: Role
    command: dict[str, Any]
    """The command without its open fields; none if nobody can do it at a console."""
    fields: tuple[InputField, ...] = ()
    seat: int = 0
    amount: int = 0
    position: int | None = None
    say: str = ""
    cites: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    """What is called aloud, where it is known before the act."""
    follows: str = ""
    """What is due afterwards, where that is known before the act."""
    sentence: Sentence = msgspec.field(default_factory=Sentence)
    """What `say` says, as data; `follows_sentence` what `follows` says."""
    follows_sentence: Sentence = msgspec.field(default_factory=Sentence)
    is_optional: bool = False


class AwaitedAct(msgspec.Struct, frozen=True, kw_only=True):
    """An act that somebody else does: by whom, and in words."""

    by: Role
    act: str
    seat: int = 0
    say: str = ""
    cites: tuple[str, ...] = ()
    sentence: Sentence = msgspec.field(default_factory=Sentence)


def ready_acts(rules: TableRules, state: TableState, due: Iterable[Due], actor: Actor) -> tuple[PreparedAct, ...]:
    """The acts that are due and this person may do, in their order, those that must be done before those that may."""
    found = [made for each in due if (made := _ready(rules, state, each, actor)) is not None]
    return tuple(sorted(found, key=lambda each: each.is_optional))


def acts_of_others(rules: TableRules, state: TableState, due: Iterable[Due], role: Role) -> tuple[AwaitedAct, ...]:
    """The acts that must be done by somebody else; where nothing must be done, those that may."""
    others = [each for each in due if each.by is not role]
    must = [each for each in others if not each.optional]
    return tuple(_waiting(rules, state, each) for each in must or others)


def choices_open(rules: TableRules, state: TableState, due: Iterable[Due]) -> tuple[AwaitedAct, ...]:
    """What somebody at a seat may still choose, such as to press House Money; nobody waits for it."""
    return tuple(
        _waiting(rules, state, each) for each in due if each.optional and each.seat and each.by is Role.PARTICIPANT
    )


def _waiting(rules: TableRules, state: TableState, due: Due) -> AwaitedAct:
    sentence = sentence_of(rules, state, due)
    return AwaitedAct(by=due.by, act=due.act, seat=due.seat, say=due.say, cites=due.cites, sentence=sentence)


def _ready(rules: TableRules, state: TableState, due: Due, actor: Actor) -> PreparedAct | None:
    card = COMMANDS[due.act].CARD
    filled = _filled(rules, state, due, card) if due.by is actor.role else None
    if filled is not None:
        more, fields = filled
        command, what = {"do": due.act, **more}, _name(rules, state, due)
    elif is_offer(due) and actor.role is Role.DEALER:
        declined = decline_offer(due)
        command, fields = {"do": declined.name, **_fields_set(declined)}, ()
        what = declined.name.replace("answer_", "decline_")
    else:
        return None
    is_stead = due.by is not actor.role
    ready = PreparedAct(
        what=what, by=due.by, command=command, fields=fields, seat=due.seat, amount=due.amount, position=due.position,
        say=due.say, cites=due.cites, is_optional=due.optional or is_stead, sentence=sentence_of(rules, state, due),
    )  # fmt: skip
    return ready if fields or card.from_shoe else with_outcome(rules, state, ready, actor)


def _filled(rules: TableRules, state: TableState, due: Due, card: CommandCard) -> Filled | None:
    """What the command of an act takes besides its name, and what is still to be entered; None: no console does it."""
    if due.act in FILL_FIELDS:
        return FILL_FIELDS[due.act](rules, state, due)
    match card.console:
        case "plain":
            return {}, ()
        case "seat":
            return {"seat": due.seat}, ()
        case "reason":
            return {}, (InputField(name="reason", kind="text"),)
        case _:
            return None


def _fields_set(command: Command) -> dict[str, Any]:
    """The fields of a command that have not their default."""
    values = ((field, getattr(command, field.name)) for field in msgspec.structs.fields(command))
    return {field.name: value for field, value in values if value != field.default}


def _name(rules: TableRules, state: TableState, due: Due) -> str:
    """An act by the name under which a console labels it."""
    return LABELS[due.act](rules, state, due) if due.act in LABELS else due.act


def with_outcome(rules: TableRules, state: TableState, ready: PreparedAct, actor: Actor) -> PreparedAct:
    """An act for which nothing has to be entered, with what is called aloud and what follows."""
    command = msgspec.convert(ready.command, COMMANDS[ready.command["do"]])
    outcome = decide(rules.rulebook, state, command, actor)
    if isinstance(outcome, Refused):
        return ready
    entered = (cite for event in outcome.events if isinstance(event, VigorishTaken) for cite in event.cites)
    cites = tuple(dict.fromkeys((*ready.cites, *entered)))  # the clauses of the order, then those of the amounts
    say, sentence = what_follows(rules, outcome)
    return msgspec.structs.replace(
        ready, calls=calls_of(outcome.events), follows=say, follows_sentence=sentence, cites=cites
    )


def calls_of(events: Iterable[Event]) -> tuple[str, ...]:
    """What is called aloud by events, without quotation marks."""
    found: list[str] = []
    for event in events:
        match event:
            case NoMoreBetsCalled() | CardsCalled() | LastHandCalled():
                found.append(event.say)
            case CountAnnounced():
                found.append(f"{event.side} {event.count}")
            case ResultAnnounced():
                found += event.calls
    return tuple(call.strip("“”") for call in found)


def what_follows(rules: TableRules, outcome: Accepted) -> tuple[str, Sentence]:
    """What is due after an act, in words and as data: what must be done, or else what may."""
    after = rules_after(rules.rulebook, outcome.events)
    due = expected(after, outcome.state)
    first = next((each for each in due if not each.optional), next(iter(due), None))
    return (
        (first.say, sentence_of(table_rules(after), outcome.state, first)) if first is not None else ("", NO_SENTENCE)
    )
