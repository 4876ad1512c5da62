"""Who sees what, by a second list: what is really sent has no field that the reviewed list does not give the role.

`tests/data/who_sees.csv` has a line for every field of a state, of an act that is due and of an event: `x` where a role
sees it, `own` where only the participant does whose it is. A field that is new, or seen by others than before, is red
here until somebody has changed that line too.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args, get_origin

import msgspec
import pytest

from baccarat.cards import Card
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.wager import Verbal, Wager
from baccarat.table import round_state, shoe_state, state
from baccarat.table.audience import DUE_SHOWN, STATE_SHOWN, Sight
from baccarat.table.automation import run_until
from baccarat.table.base import Due
from baccarat.table.machine import Table
from baccarat.table.patch import patches
from baccarat.table.registry import EVENT_SHOWN, EVOLVERS
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.state import Participant, TableState
from baccarat.table.view import SeatView, Viewer, moment, view_event
from house_books import stacks, wagering
from paths import DATA
from table_stories import STORIES
from watching import EVERYBODY, Watchers, every_table_watched

COLUMNS = ["of", "field", *(role.value for role in Role)]
HELD_BY_EVENTS = {
    "ComplimentaryForm": {
        "serial", "amount", "patron", "dealer", "pit_boss", "pit_clerk", "patron_signed", "why_not_signed", "stated_by",
        "copies",
    },
    "RefusalNote": {"what", "params"},
}  # fmt: skip
"""What events hold that is no part of a state, and is shown whole."""
PARTS = {**vars(state), **vars(round_state), **vars(shoe_state)}
KINDS: dict[str, Any] = {name: PARTS[name] for name in STATE_SHOWN if name in PARTS}
KINDS |= {"Wager": Wager, "Verbal": Verbal}
LEFT_OUT = {
    str(kind.__struct_config__.tag): {
        field.name for field in msgspec.structs.fields(kind)
        if field.default is msgspec.UNSET or (kind.__struct_config__.omit_defaults and not field.required)
    }
    for kind in EVOLVERS
}  # fmt: skip
"""What an event leaves out: what it does not state, and, of some kinds, what has its default value."""
UNSET_IN_STATE = {
    name: {field.name for field in msgspec.structs.fields(kind) if field.default is msgspec.UNSET}
    for name, kind in KINDS.items()
}
"""What a state leaves out where a table does not state it: only a table that is on record does."""


@cache
def reviewed() -> list[dict[str, str]]:
    """The reviewed list."""
    with (DATA / "who_sees.csv").open() as file:
        return list(csv.DictReader(file))


def line(of: str, field: str, to: Sight, sight: Sight) -> dict[str, str]:
    """The line that the program's own list gives for a field."""
    seen = {
        role.value: "x" if role in to.roles & sight.roles else "own" if role in to and role in sight else ""
        for role in Role
    }
    return {"of": of, "field": field, **seen}


def test_the_program_shows_each_field_to_those_whom_the_reviewed_list_names() -> None:
    lists = [*STATE_SHOWN.items(), ("Due", DUE_SHOWN), *EVENT_SHOWN.items()]
    lines = [line(of, name, shown.to, sight) for of, shown in lists for name, sight in shown.fields.items()]
    kept = reviewed()
    assert list(kept[0]) == COLUMNS
    as_shown, as_reviewed = ([",".join(each.values()) for each in rows] for rows in (lines, kept))
    assert [each for each in as_shown if each not in as_reviewed] == [], (
        "shown so, but reviewed otherwise or not at all"
    )
    assert [each for each in as_reviewed if each not in as_shown] == [], "reviewed so, but not shown so"


def structs_in(kind: Any) -> Iterator[Any]:
    """The struct types that a type speaks of, and those within them."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield kind
        for field in msgspec.structs.fields(kind):
            yield from structs_in(field.type)
    for inner in get_args(kind):
        yield from structs_in(inner)


def test_what_an_event_holds_is_listed_too() -> None:
    held = {inner for kind in EVOLVERS for inner in structs_in(kind) if inner not in EVOLVERS and inner is not Card}
    found = {kind.__name__: set(kind.__struct_fields__) for kind in held if kind.__name__ not in STATE_SHOWN}
    assert found == HELD_BY_EVENTS


def test_an_act_that_is_due_and_a_seat_show_what_is_listed() -> None:
    assert set(Due.__struct_fields__) == set(DUE_SHOWN.fields)
    assert set(SeatView.__struct_fields__) == {"seat", "taken"} | set(Participant.__struct_fields__)


# ------------------------------------------------------------------------------------- what is really sent


@cache
def listed(viewer: Viewer, of: str, *, own: bool = False) -> frozenset[str]:
    """The fields that the reviewed list gives a viewer, of what is his own or not."""
    return frozenset(
        each["field"] for each in reviewed()
        if each["of"] == of and (each[viewer.role.value] == "x" or (own and each[viewer.role.value] == "own"))
    )  # fmt: skip


def names_within(value: Any) -> set[str]:
    """Every name of a field within a JSON value."""
    if isinstance(value, list):
        return {name for each in value for name in names_within(each)}
    if isinstance(value, dict):
        return set(value) | {name for each in value.values() for name in names_within(each)}
    return set()


@cache
def may_hold(viewer: Viewer, part: str, name: str) -> frozenset[str] | None:
    """The names that may stand within a field; None where its keys are data."""
    kind = {field.name: field.type for field in msgspec.structs.fields(KINDS[part])}[name]
    if get_origin(kind) is dict:
        return None
    held = [inner.__name__ for inner in structs_in(kind) if inner is not Card]
    return frozenset(each for inner in held for each in listed(viewer, inner))


def check_view(viewer: Viewer, view: dict[str, Any]) -> None:
    """A whole view has the fields that the list gives its viewer, no others."""
    assert set(view) == {"role", "seat", "state", "due"}
    of_table = listed(viewer, "TableState")
    assert of_table - UNSET_IN_STATE["TableState"] <= set(view["state"]) <= of_table, viewer
    for part, fields in view["state"].items():
        kind = part.title()
        if not isinstance(fields, dict):
            continue
        shown = listed(viewer, kind, own=True)
        assert shown - UNSET_IN_STATE[kind] <= set(fields) <= shown, (viewer, part)
        for name, value in fields.items():
            if name in ("participants", "payable", "markers"):
                continue
            within = may_hold(viewer, kind, name)
            assert within is None or names_within(value) <= within, (viewer, part, name)
    for seat in view["state"]["seats"]["participants"]:
        theirs = listed(viewer, "Participant", own=viewer.seat == seat["seat"]) if seat["taken"] else frozenset()
        assert set(seat) == {"seat", "taken"} | theirs, viewer
    for name in {"payable", "markers"} & set(view["state"]["money"]):
        others = set(view["state"]["money"][name]) - {str(viewer.seat)}
        assert not others or name in listed(viewer, "Money"), viewer
    assert all(set(due) == listed(viewer, "Due", own=viewer.seat > 0) for due in view["due"])


def check_patch(viewer: Viewer, patch: dict[str, Any]) -> None:
    """A patch names no field that the list does not give its viewer."""
    assert set(patch) <= {"splice", "set", "drop", "due", "events"}
    for path in (*patch.get("splice", ()), *patch.get("set", ()), *patch.get("drop", ())):
        part, _, rest = path.partition(".")
        name, _, key = rest.partition(".")
        assert part in listed(viewer, "TableState"), path
        assert not name or name in listed(viewer, part.title(), own=True), path
        if name in ("payable", "markers"):
            assert name in listed(viewer, "Money", own=key == str(viewer.seat)), path
        if name == "participants" and key:
            seat, _, field = key.partition(".")
            assert field in {"taken"} | listed(viewer, "Participant", own=int(seat) + 1 == viewer.seat), path
    for due in patch.get("due", ()):
        assert set(due) == listed(viewer, "Due", own=viewer.seat > 0)
    for event in patch.get("events", ()):
        own = viewer.seat > 0 and event.get("seat") == viewer.seat
        fields = listed(viewer, event["event"], own=own)
        assert fields - LEFT_OUT[event["event"]] <= set(event) - {"event"} <= fields, event


def check_all(watchers: Watchers) -> None:
    """Every frame that these watchers were sent, and the views that they have now."""
    for viewer in watchers.viewers:
        check_view(viewer, watchers.views[viewer])
        for sent in watchers.frames[viewer]:
            check_patch(viewer, msgspec.json.decode(sent))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ma-midi-4-royal9", "nj-punto-banco"])
def test_views_and_patches_have_the_fields_of_the_reviewed_list_and_no_others(name: str) -> None:
    rules = rulebook(name, vig_collection="deferred") if name.startswith("nj") else rulebook(name)
    with every_table_watched(compare_every=20) as watched:
        table = with_people(rules)
        run_until(
            table,
            stacks(rules, name),
            stop=lambda t: t.state.round.number == 9,
            wagers=wagering(random.Random(name)),
        )
    (watchers,) = watched
    check_all(watchers)
    assert all(watchers.frames[viewer] for viewer in watchers.viewers)


def with_people(rules: Rulebook) -> Table:
    """A table with three people."""
    table = Table(rules)
    for seat in (1, 3, 6):
        table.do(Sit(seat=seat, person=f"person {seat}"))
        table.do(BuyIn(seat=seat, amount=10**9))
    return table


def filled(kind: msgspec.inspect.Type) -> Any:
    """A value of a type with something in it, as JSON has it."""
    match kind:
        case msgspec.inspect.UnionType(types=types):
            return filled(next(each for each in types if not isinstance(each, msgspec.inspect.NoneType)))
        case msgspec.inspect.BoolType():
            return True
        case msgspec.inspect.IntType():
            return 3
        case msgspec.inspect.StrType():
            return "9s"
        case msgspec.inspect.EnumType(cls=cls):
            return next(iter(cls)).value
        case msgspec.inspect.VarTupleType(item_type=item):
            return [filled(item)]
        case msgspec.inspect.TupleType(item_types=items):
            return [filled(item) for item in items]
        case msgspec.inspect.DictType(key_type=key, value_type=value):
            return {str(filled(key)): filled(value)}
        case msgspec.inspect.StructType(fields=fields):
            return {field.encode_name: filled(field.type) for field in fields}
        case msgspec.inspect.AnyType():
            return {"a": 1}
    raise AssertionError(f"say how to fill {kind}")


@pytest.mark.parametrize("kind", EVOLVERS, ids=lambda kind: kind.__name__)
@pytest.mark.slow
def test_every_kind_of_event_is_sent_with_the_listed_fields_and_only_to_whom_it_is_shown(kind: Any) -> None:
    tag = str(kind.__struct_config__.tag)
    fields = filled(msgspec.inspect.type_info(kind))
    event = msgspec.json.decode(msgspec.json.encode({"event": tag, **fields}), type=kind)
    now = moment(rulebook("ma-midi-4"), Table(rulebook("ma-midi-4")).state)
    sent = patches(now, now, [event], EVERYBODY)
    for viewer in EVERYBODY:
        own = viewer.seat == fields.get("seat", 0) > 0 and tag not in ("sat", "left")
        assert (viewer in sent) is bool(listed(viewer, tag, own=own)), viewer
        if viewer in sent:
            patch = msgspec.json.decode(sent[viewer])
            (seen,) = patch["events"]
            assert set(seen) - {"event"} == listed(viewer, tag, own=own), viewer
            looks = viewer if own else Viewer(viewer.role)
            assert seen == msgspec.json.decode(msgspec.json.encode(view_event(event, looks)))


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES[::5], ids=lambda story: story.path.stem)
def test_also_where_something_goes_wrong(story: Any) -> None:
    with every_table_watched(compare_every=1000) as watched:
        story.tell(story.edition, story.elections)
    for watchers in watched:
        check_all(watchers)


def test_the_state_has_no_part_that_this_test_does_not_know() -> None:
    assert {name for name in STATE_SHOWN if name not in KINDS} == set()
    assert {kind.__name__ for kind in structs_in(TableState) if kind is not Card} == set(KINDS)
