"""Watchers of a table: each holds a view, is sent patches only, and must see what a whole view shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch as put_in

import msgspec

from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.base import Accepted, Command, Event
from baccarat.table.machine import Table
from baccarat.table.patch import EQUIVALENT_ROLES, apply_patch, changed_hands, patches
from baccarat.table.role import Role
from baccarat.table.seating_acts import Left, Sat
from baccarat.table.state import TableState
from baccarat.table.view import Viewer, moment, view_event, view_moment

STAFF_AND_PUBLIC = tuple(Viewer(role) for role in Role if role is not Role.PARTICIPANT)
EVERYBODY = (*STAFF_AND_PUBLIC, *(Viewer(Role.PARTICIPANT, seat) for seat in (0, 1, 2, 3, 6)))
"""Every role, a participant who has not sat down, and people at seats; at one of them nobody sits."""
EVERY_SIGHT = tuple(viewer for viewer in EVERYBODY if EQUIVALENT_ROLES[viewer.role] is viewer.role)
"""The same, but of the roles that see the same only one."""
ABSENT = object()


def read(value: Any) -> Any:
    """A value as a reader of its JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def canonical(value: Any) -> bytes:
    """JSON in one form only: keys in their order."""
    return in_order(read(value))


def in_order(data: Any) -> bytes:
    """The same of plain data, as a reader of JSON has it."""
    return msgspec.json.encode(data, order="sorted")


def found_at(value: Any, path: str) -> Any:
    """What lies at a path, or ABSENT."""
    for key in path.split("."):
        index: Any = int(key) if isinstance(value, list) else key
        if isinstance(value, dict) and index not in value:
            return ABSENT
        value = value[index]
    return value


def is_least(view: dict[str, Any], patch: dict[str, Any]) -> None:
    """A patch says nothing that the view before does not lack, and has no part that says nothing."""
    assert patch, "an empty patch is not sent"
    assert all(patch.values()) or patch.get("due") == [], f"a part without content: {patch}"
    assert list(patch) == [each for each in ("splice", "set", "drop", "due", "events") if each in patch]
    for path, (_, count, *new) in patch.get("splice", {}).items():
        assert count or new, f"{path}: nothing goes and nothing comes"
    for path, value in patch.get("set", {}).items():
        grown = any(path.startswith(f"{each}.") for each in patch.get("splice", {}))
        assert grown or found_at(view["state"], path) != value, f"{path} was {value} before"
    assert all(found_at(view["state"], path) is not ABSENT for path in patch.get("drop", ()))
    assert patch.get("due", ABSENT) != view["due"], "the same acts are due"


class Watchers:
    """Viewers of one table who are sent patches; every so many patches their views are compared with whole ones."""

    def __init__(
        self, rules: Rulebook, state: TableState, viewers: Sequence[Viewer] = EVERYBODY, *, compare_every: int = 1
    ) -> None:
        self.now, self.viewers, self.compare_every = moment(rules, state), viewers, compare_every
        self.views: dict[Viewer, dict[str, Any]] = {each: read(view_moment(self.now, each)) for each in viewers}
        self.frames: dict[Viewer, list[bytes]] = {each: [] for each in viewers}
        self.written: dict[Viewer, bytes] = {}
        """The JSON of views that no patch has changed since it was written."""
        self.published = 0

    def publish(self, rules: Rulebook, state: TableState, events: Sequence[Event]) -> None:
        """Something has happened: each is sent his patch, applies it, and sees the table as it stands."""
        before, self.now = self.now, moment(rules, state)
        sent = patches(before, self.now, events, self.viewers)
        compare = self.published % self.compare_every == 0
        moved = changed_hands(before.state, state)
        between = {event.seat for event in events if isinstance(event, Sat | Left)}
        for viewer in self.viewers:
            if viewer.seat in moved:
                assert viewer not in sent, "what is another's is not sent to who sat there before"
                self.views[viewer] = read(view_moment(self.now, viewer))
                self.written.pop(viewer, None)
                continue
            looks = Viewer(viewer.role) if viewer.seat in between else viewer
            view, seen = self.views[viewer], [view_event(event, looks) for event in events]
            visible = read([event for event in seen if event is not None]) if events else []
            if compare and viewer not in self.written:
                self.written[viewer] = in_order(view)
            was = self.written.pop(viewer, b"") if viewer in sent else self.written.get(viewer, b"")
            if viewer in sent:
                patch = msgspec.json.decode(sent[viewer])
                is_least(view, patch)
                assert patch.get("events", []) == visible
                apply_patch(view, patch)
                self.frames[viewer].append(sent[viewer])
            else:
                assert not visible, f"{viewer} was not sent {visible}"
            if compare:
                whole = canonical(view_moment(self.now, viewer))
                is_same = (in_order(view) if viewer in sent else was) == whole
                assert is_same, f"{viewer}: {sent.get(viewer)!r}"
                self.written[viewer] = whole
                assert (viewer in sent) is (whole != was or bool(visible)), "a frame exactly where something is seen"
        self.published += 1


@contextmanager
def every_table_watched(*, compare_every: int = 1) -> Iterator[list[Watchers]]:
    """While this lasts every table that anybody plays at has watchers."""
    do, made = Table.do, list[Watchers]()
    by_table: dict[int, tuple[Table, Watchers]] = {}

    def watched(table: Table, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        rules, state = table.rules, table.state
        held = by_table.get(id(table))
        if held is None or held[1].now.state is not state:  # a test has put the table into another state
            held = by_table[id(table)] = table, Watchers(rules, state, compare_every=compare_every)
            made.append(held[1])
        outcome = do(table, command, actor)
        if isinstance(outcome, Accepted):
            held[1].publish(table.rules, table.state, outcome.events)
        return outcome

    with put_in.object(Table, "do", watched):
        yield made
