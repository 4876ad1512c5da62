"""Totality: whatever command can be read, in whatever state a table can come to, by whomever: taken or refused."""

from __future__ import annotations

import random
import re
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from baccarat.law.rulebook import read_submission, rulebook, shipped_submissions
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Accepted, Command, Event
from baccarat.table.bounds import without_meaning
from baccarat.table.invariant import broken_invariants, worth
from baccarat.table.machine import decide, expected
from baccarat.table.rules_adoption import AdoptRules, is_between_shoes, rules_after
from baccarat.table.seating_acts import Sit
from baccarat.table.state import TableState
from baccarat.table.step.sealing import SealOrder
from table_walk import COMMAND_DECODER, COMMANDS, ENCODER, Walk, keyed, sealed

pytestmark = pytest.mark.slow

NAMES = shipped_submissions()
TEXTS = ("", " ", "dealer", "guest 1", "inspect", "verify", "riffle", "star", "0" * 64, "ab", "F" * 64, "x" * 200)

# asked for thousands of times, and always the same
rules_of, submission_of = cache(rulebook), cache(read_submission)
fields_of, type_of = cache(msgspec.structs.fields), cache(msgspec.inspect.type_info)


@cache
def walked(name: str) -> tuple[Walk, tuple[tuple[TableState, int], ...]]:
    """A walk through two short shoes with what can go wrong in them, and every state on its way, with its events."""
    rules, chance = rules_of(name), random.Random(name)
    walk = Walk(rules, sealed(rules, 5) if len(name) % 2 else keyed(rules, 3, rich=True))
    walk.seat(1, 2, 4)
    for _ in range(900):
        if walk.state.stopped or walk.state.shoe.number == 2:
            break
        if walk.state.step == "wager":
            walk.wager(chance)
        if chance.random() < 0.3:
            walk.try_a(chance.choice(COMMANDS), chance)
        elif walk.state.step != "wager" or walk.state.round.wagers:
            walk.go_on(short=60)
    states = [(state, length) for length, state in walk.states]
    stopped = [(replace(state, stopped="foul shoe"), length) for state, length in states[:: len(states) // 20 or 1]]
    return walk, (*states, *stopped)


def values(annotation: Any, state: TableState) -> st.SearchStrategy[Any]:
    """Any value that a field of this type may hold, often one that the state knows."""
    annotation = without_meaning(annotation)
    if get_origin(annotation) in (UnionType, Union):
        return st.one_of([values(each, state) for each in get_args(annotation)])
    if annotation is NoneType:
        return st.none()
    info = type_of(annotation)
    match info:
        case msgspec.inspect.IntType():
            low = info.ge if info.ge is not None else (info.gt or 0) + 1
            high = info.le if info.le is not None else (info.lt or 0) - 1
            round_, shoe = state.round, state.shoe
            known = (
                0, 1, 2, 4, -1, 500, 2500, low, high, shoe.next, shoe.cards, *round_.player, *round_.banker, *shoe.burn,
                state.meters.must_hit, state.money.next_form, *state.money.markers.values(),
            )  # fmt: skip
            return st.one_of(st.sampled_from([each for each in known if low <= each <= high]), st.integers(low, high))
        case msgspec.inspect.StrType():
            fit = [each for each in TEXTS if (info.min_length or 0) <= len(each) <= (info.max_length or 200)]
            return st.sampled_from([each for each in fit if re.search(info.pattern or "", each)])
        case msgspec.inspect.BoolType():
            return st.booleans()
        case msgspec.inspect.EnumType():
            return st.sampled_from(list(info.cls))
        case msgspec.inspect.VarTupleType():
            bare = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
            inner = get_args(bare)[0]
            return st.lists(values(inner, state), max_size=4).map(tuple)
        case msgspec.inspect.DictType(value_type=msgspec.inspect.AnyType()):
            return st.sampled_from([{}, {"ruleset": "nowhere"}, *map(submission_of, NAMES)])
        case msgspec.inspect.DictType():
            meters = state.meters.amounts
            return st.sampled_from([meters, {}, {name: value + 1 for name, value in meters.items()}, {"star": -1}])
        case msgspec.inspect.StructType():
            return structs(info.cls, state)
    if annotation is msgspec.UnsetType:
        return st.just(msgspec.UNSET)
    raise AssertionError(f"say how to make a {annotation}")


def structs(kind: Any, state: TableState) -> st.SearchStrategy[Any]:
    """Any value of a struct."""
    # `st.builds` would read the signature and the annotations of the struct each time
    fields = st.fixed_dictionaries({field.name: values(field.type, state) for field in fields_of(kind)})
    return fields.map(lambda each: kind(**each))


@st.composite
def acts(draw: st.DrawFn) -> tuple[Walk, TableState, int, Command, Actor]:
    """A command of any kind in any state, by anybody."""
    walk, states = walked(draw(st.sampled_from(NAMES)))
    state, length = states[draw(st.integers(0, len(states) - 1))]  # `sampled_from` would look at each of them
    command = draw(structs(draw(st.sampled_from(COMMANDS)), state))
    actor = draw(structs(Actor, state))
    if draw(st.booleans()):
        seconds = tuple(replace(each, what=command.name) for each in actor.approvals)
        actor = replace(walk.usual_actor(command), approvals=seconds or (Approval("x", actor.role, command.name),))
    return walk, state, length, command, actor


@settings(max_examples=1500, deadline=None)
@given(act=acts())
def test_any_command_in_any_state_by_anybody_is_taken_or_refused(
    act: tuple[Walk, TableState, int, Command, Actor],
) -> None:
    walk, state, length, command, actor = act
    assert COMMAND_DECODER.decode(ENCODER.encode(command)) == command, "only what can be read"

    def event_at(number: int) -> Event | None:
        return walk.log[number] if 0 <= number < length else None

    outcome = decide(walk.rules, state, command, actor, event_at)
    if isinstance(outcome, Refused):
        assert outcome.say
        assert outcome.cites
        return
    assert isinstance(outcome, Accepted)
    assert broken_invariants(rules_after(walk.rules, outcome.events), outcome.state) == []
    snapshot = msgspec.json.decode(ENCODER.encode(state), type=TableState)
    again = decide(walk.rules, snapshot, command, actor, event_at)
    assert again == outcome, "a restored table decides alike"


@pytest.mark.parametrize("name", NAMES)
def test_any_rules_are_adopted_between_any_two_shoes_or_refused(name: str) -> None:
    walk, states = walked(name)
    between = [state for state, _ in states if is_between_shoes(state) and not state.stopped]
    outcomes = list[Accepted | Refused]()
    for other in NAMES:
        adopt = AdoptRules(submission=submission_of(other))
        for state in between:
            outcome = decide(walk.rules, state, adopt, walk.usual_actor(adopt))
            outcomes.append(outcome)
            if isinstance(outcome, Refused):
                assert outcome.say
                assert outcome.cites
                continue
            assert outcome.state.rules == rules_of(other).hash
            assert broken_invariants(rules_of(other), outcome.state) == []
            assert worth(outcome.state) == worth(state), "nothing comes or goes"
            assert expected(rules_of(other), outcome.state), "the table goes on"
    assert any(isinstance(outcome, Accepted) for outcome in outcomes)


def test_the_pool_of_states_holds_what_can_go_wrong() -> None:
    steps = {state.step for name in NAMES for state, _ in walked(name)[1]}
    assert {"wager", "deal", "turn_player", "settle", "close", "offer_cut", "burn"} <= steps
    every = [state for name in NAMES for state, _ in walked(name)[1]]
    assert any(state.shoe.root for state in every)
    assert any(state.shoe.pending or state.shoe.carried or state.shoe.disclosed for state in every)
    assert any(state.stopped for state in every)
    assert Sit in COMMANDS
    assert SealOrder in COMMANDS
