"""Patches: what one or more commands changed in the view of each audience, as JSON that is ready to be sent.

A patch holds only fields whose value has changed *and* that its audience may see, by the same list as a whole view:

    {"set": {"step": "deal", "round.closed": true, "seats.participants.2.chips": 97500},
     "splice": {"round.wagers": [3, 0, {"seat": 3, "on": "banker", "stake": 2500, …}]},
     "drop": ["money.payable.3"],
     "due": [{"by": "dealer", "act": "draw_card", …}],
     "events": [{"event": "no_more_bets_called", …}]}

A path leads into the view's `state`: names of fields, keys of dictionaries, and indexes of lists from 0. `splice`
comes first: at a list, from an index, a number of elements are replaced by others (JavaScript's `splice`). Then `set`
puts a value where the path leads, `drop` removes an entry. `due`, if present, replaces the view's. `events` are what
has happened, in order, as this audience may see it; they change nothing in the view. What has not changed is left out.
The law that the tests check: the view before with its patch applied is the view after.

**Nothing is sent to an audience for which nothing has changed**: no change in its view, no other acts due, no event
that it may see. An empty frame would reveal that something hidden has happened. For the same reason frames are
numbered separately for each audience (`frame`): the numbers of the table's records would show the public how many
wagers were made, and everybody how often somebody was refused.

**A seat that changes hands** gets no patch: if its occupant has changed in any way, a patch could show one person what
is another's (`changed_hands` names these seats). The server sends a whole view to anyone who sat down, got up or
changed seats. A person who got up and sat down again in the meantime is sent the events at that seat as others see
them: they may be about somebody who sat there in between.

Audiences that see the same get the same bytes: all of the floor and those who watch it; all participants to whose
seats nothing in the patch belongs. So the work is done once for each kind of audience, not once for each viewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import zip_longest
from typing import Any

import msgspec

from baccarat.table.audience import DUE_SHOWN, STATE_SHOWN, Sight
from baccarat.table.base import Event
from baccarat.table.json_difference import apply_difference
from baccarat.table.registry import EVENT_SHOWN
from baccarat.table.role import Role
from baccarat.table.seating_acts import Left, Sat
from baccarat.table.state import Participant, TableState
from baccarat.table.state_difference import ENCODE, changes, is_fully_seen, listed_parts
from baccarat.table.view import TableMoment, Viewer, due_for, view_event

_ANY_OTHER_SEAT = -1
"""A seat to which nothing in a patch belongs: all participants there are sent the same."""


def patches(
    before: TableMoment, after: TableMoment, events: Sequence[Event], viewers: Iterable[Viewer]
) -> dict[Viewer, bytes]:
    """The patch of each viewer, as a JSON object; a viewer who sees no difference and no event has none.

    Nor has a viewer at a seat that has changed hands: he needs a whole view, of that seat or another. `before` is what
    was last published, `after` the present, `events` all that came between, in order: of one command or of several.
    """
    work, moved = _PatchWork(before, after, events), changed_hands(before.state, after.state)
    made: dict[Role | int, bytes] = {}
    found: dict[Viewer, bytes] = {}
    for viewer in viewers:
        seat = viewer.seat
        if seat in moved:
            continue
        like: Role | int = EQUIVALENT_ROLES[viewer.role]
        if seat:
            like = seat if seat in work.apart else _ANY_OTHER_SEAT
        body = made.get(like)
        if body is None:
            body = made[like] = work.patch_for(viewer)
        if body:
            found[viewer] = body
    return found


def changed_hands(before: TableState, after: TableState) -> set[int]:
    """The seats whose occupant has changed: another person, nobody any more, or somebody where nobody sat."""
    old, new = before.seats.participants, after.seats.participants
    if old is new:
        return set()
    pairs = enumerate(zip_longest(old, new), start=1)
    return {seat for seat, (was, now) in pairs if was is not now and _person_id(was) != _person_id(now)}


def _person_id(person: Participant | None) -> str:
    return person.who if person is not None else ""


def frame(patch: bytes, *, last: int, seq: int, words: bytes = b"") -> bytes:
    """A patch as it goes over a socket, with the number of this audience's last frame and its own, and changed words.

    The numbers are the audience's own: they count what it was sent, not the records of the table.
    """
    body = b'%b,"words":%b}' % (patch[1:-1], words) if words else patch[1:]
    return b'{"type":"patch","from":%d,"seq":%d,%b' % (last, seq, body)


def apply_patch(view: dict[str, Any], patch: dict[str, Any]) -> None:
    """Apply a patch to a view as it is read from JSON.

    A patch of a different view may raise `LookupError`; then the view is useless, and a whole one is needed.
    """
    apply_difference(view["state"], patch)
    view["due"] = patch.get("due", view["due"])


# ------------------------------------------------------------------------------------------ making a patch


class _PatchWork:
    """What all patches are made from: the changes, and the pieces of JSON that several of them share."""

    def __init__(self, before: TableMoment, after: TableMoment, events: Sequence[Event]) -> None:
        self.changes = changes(before.state, after.state)
        self.events = events
        self.due_before, self.due_after = before.due, after.due
        self.due_changed = before.due != after.due
        both = before.due + after.due if self.due_changed else ()
        seats = {due.seat for due in both if due.by is Role.PARTICIPANT}
        self.due_of_participants = bool(seats)
        """Whether a participant was or is shown any due act."""
        own = {event.seat for event in events if _shows_more_to_owner(type(event))}  # type: ignore[attr-defined]
        self.own_events = own - {event.seat for event in events if isinstance(event, (Sat, Left))}
        """The seats whose participants see more of an event than others do, because it is theirs."""
        self.apart = self.own_events | seats
        """The seats whose participants may be sent something that others are not."""
        self.apart.update(owner for _, owner, _, _ in self.changes if owner)
        self.written: dict[Any, bytes] = {}
        """Encoded JSON: of an event, by its number and the fields that are seen; of all events, by role."""

    def patch_for(self, viewer: Viewer) -> bytes:
        """The patch as a JSON object; empty where nothing is seen."""
        role, seat = viewer.role, viewer.seat
        texts: tuple[list[bytes], ...] = ([], [], [])
        for roles, owner, does, text in self.changes:
            if role in roles or (owner and owner == seat):
                texts[does].append(text)
        spliced, put, dropped = texts
        pieces = []
        if spliced:
            pieces.append(b'"splice":{' + b",".join(spliced) + b"}")
        if put:
            pieces.append(b'"set":{' + b",".join(put) + b"}")
        if dropped:
            pieces.append(b'"drop":[' + b",".join(dropped) + b"]")
        if self.due_changed and (due := self._due(viewer)):
            pieces.append(due)
        if seen := self._events(viewer):
            pieces.append(seen)
        return b"{" + b",".join(pieces) + b"}" if pieces else b""

    def _due(self, viewer: Viewer) -> bytes:
        """The acts that are due now, if the viewer was shown others before."""
        if viewer.role in DUE_SHOWN.to.roles:
            if "due" not in self.written:
                self.written["due"] = b'"due":' + ENCODE(self.due_after)
            return self.written["due"]
        if not (viewer.seat and self.due_of_participants):
            return b""
        now = due_for(self.due_after, viewer)
        return b'"due":' + ENCODE(now) if now != due_for(self.due_before, viewer) else b""

    def _events(self, viewer: Viewer) -> bytes:
        """The events that a viewer sees; the same for all of a role, except for their own."""
        role, seat = viewer.role, viewer.seat if viewer.seat in self.own_events else 0
        if not seat and role in self.written:
            return self.written[role]
        seen = [text for number, event in enumerate(self.events) if (text := self._event(number, event, role, seat))]
        found = b'"events":[' + b",".join(seen) + b"]" if seen else b""
        if not seat:
            self.written[role] = found
        return found

    def _event(self, number: int, event: Event, role: Role, seat: int) -> bytes:
        """An event as it is seen in a role, perhaps from its own seat; encoded once for all who see the same."""
        is_own = seat > 0 and getattr(event, "seat", 0) == seat
        sight = (_own_event_sight if is_own else _sight)(type(event), role)
        if sight is None:
            return b""
        text = self.written.get((number, sight.fields))
        if text is None:
            shown = event if sight.is_whole else view_event(event, Viewer(role, seat if is_own else 0))
            text = self.written[number, sight.fields] = ENCODE(shown)
        return text


class _EventSight(msgspec.Struct, frozen=True):
    """What is seen of a kind of event: which fields, and whether that is all there is."""

    fields: frozenset[str]
    is_whole: bool


@cache
def _sight(kind: type[Event], role: Role) -> _EventSight | None:
    """What everybody in a role sees of an event; None where it is not for them."""
    return _event_sight(kind, lambda sight: role in sight.roles)


@cache
def _own_event_sight(kind: type[Event], role: Role) -> _EventSight | None:
    """What somebody in a role sees of an event that is his own; None where it is not for him."""
    return _event_sight(kind, lambda sight: role in sight.roles or sight.own)


def _event_sight(kind: type[Event], sees: Callable[[Sight], bool]) -> _EventSight | None:
    shown = EVENT_SHOWN.get(str(kind.__struct_config__.tag))
    if shown is None or not sees(shown.to):
        return None
    fields = frozenset(name for name in kind.__struct_fields__ if name in shown.fields and sees(shown.fields[name]))
    held = [part for field in msgspec.structs.fields(kind) for part in listed_parts(field.type)]
    return _EventSight(fields, len(fields) == len(kind.__struct_fields__) and all(is_fully_seen(p, sees) for p in held))


@cache
def _shows_more_to_owner(kind: type[Event]) -> bool:
    """Whether an event shows something to the participant whose seat it names that it does not show to others."""
    return (
        _own_event_sight(kind, Role.PARTICIPANT) != _sight(kind, Role.PARTICIPANT) and "seat" in kind.__struct_fields__
    )


def _equivalent_roles() -> dict[Role, Role]:
    """For every role the first that sees exactly the same of every table."""
    lists = [*STATE_SHOWN.values(), *EVENT_SHOWN.values()]
    sights = {sight for shown in lists for sight in (shown.to, *shown.fields.values())}
    first: dict[Any, Role] = {}
    return {
        role: first.setdefault((role in DUE_SHOWN.to.roles, *(role in sight.roles for sight in sights)), role)
        for role in Role
    }


EQUIVALENT_ROLES = _equivalent_roles()
"""For every role the first that sees exactly the same: they are sent the same bytes."""
