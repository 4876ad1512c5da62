"""Patches: what a command, or several, changed in the view of each audience, as JSON that is ready to be sent.

A patch holds only fields whose value has changed *and* that its audience may see, by the same list as a whole view:

    {"set": {"step": "deal", "round.closed": true, "seats.participants.2.chips": 97500},
     "splice": {"round.wagers": [3, 0, {"seat": 3, "on": "banker", "stake": 2500, …}]},
     "drop": ["money.payable.3"],
     "due": [{"by": "dealer", "act": "draw_card", …}],
     "events": [{"event": "no_more_bets_called", …}]}

A path leads into the view's `state`: names of fields, keys of dictionaries, and indexes of lists from 0. `splice`
comes first: at a list, from an index, so many elements go and the others come in their stead (JavaScript's `splice`).
Then `set` puts a value where the path leads, `drop` removes an entry. `due`, where it is there, takes the place of the
view's. `events` are what has happened, in order, as this audience may see it; they change nothing in the view. What has
no change is left out. The law that the tests hold: the view before with its patch applied is the view after.

**Nothing is sent to an audience for which nothing has changed**: no change in its view, no other acts due, no event
that it may see. An empty frame would tell that something hidden has happened. For the same reason frames are numbered
for each audience by itself (`frame`): the numbers of the table's records would tell the public how many wagers were
made, and everybody how often somebody was refused.

**A seat that changes hands** is nobody's to follow: a viewer at a seat to which somebody came, or from which somebody
went, has no patch, for it could show one person what is another's. The server sends a whole view to whoever sat down,
got up or changed seats (`changed_hands` names the seats).

Audiences with the same sight get the same bytes: all of the floor and those who watch it; all participants to whose
seats nothing in the patch belongs. So the work is done once for each kind of sight, not once for each viewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import zip_longest
from typing import Any

from baccarat.table.audience import DUE_SHOWN, EVENT_SHOWN, STATE_SHOWN, Sight
from baccarat.table.base import Event
from baccarat.table.difference import ENCODE, changes
from baccarat.table.people import Left, Sat
from baccarat.table.role import Role
from baccarat.table.state import Participant, State
from baccarat.table.view import Moment, Viewer, due_for, view_event

_ANY_OTHER_SEAT = -1
"""A seat to which nothing in a patch belongs: all participants there are sent the same."""


def patches(before: Moment, after: Moment, events: Sequence[Event], viewers: Iterable[Viewer]) -> dict[Viewer, bytes]:
    """The patch of each viewer, as a JSON object; whoever sees no difference and no event has none.

    Nor has a viewer at a seat that has changed hands: he needs a whole view, of that seat or another. `before` is what
    was last published, `after` what stands now, `events` all that came between, in order: of one command or of several.
    """
    work, moved = _Work(before, after, events), changed_hands(before.state, after.state, events)
    made: dict[Role | int, bytes] = {}
    found: dict[Viewer, bytes] = {}
    for viewer in viewers:
        seat = viewer.seat
        if seat in moved:
            continue
        like: Role | int = ALIKE[viewer.role]
        if seat:
            like = seat if seat in work.apart else _ANY_OTHER_SEAT
        body = made.get(like)
        if body is None:
            body = made[like] = work.patch_for(viewer)
        if body:
            found[viewer] = body
    return found


def changed_hands(before: State, after: State, events: Iterable[Event]) -> set[int]:
    """The seats to which somebody came, or from which somebody went, even if the same person sits there again."""
    moved = {event.seat for event in events if isinstance(event, (Sat, Left))}
    old, new = before.seats.participants, after.seats.participants
    if old is not new:
        pairs = enumerate(zip_longest(old, new), start=1)
        moved.update(seat for seat, (was, now) in pairs if was is not now and _who(was) != _who(now))
    return moved


def _who(person: Participant | None) -> str:
    return person.who if person is not None else ""


def frame(patch: bytes, *, last: int, seq: int) -> bytes:
    """A patch as it goes over a socket, with the number of this audience's last frame and its own.

    The numbers are the audience's own: they count what it was sent, not the records of the table.
    """
    return b'{"type":"patch","from":%d,"seq":%d,%b' % (last, seq, patch[1:])


def apply_patch(view: dict[str, Any], patch: dict[str, Any]) -> None:
    """Brings a view, as it is read from JSON, to what it is after a patch."""
    for path, (start, count, *new) in patch.get("splice", {}).items():
        holder, key = _find(view["state"], path)
        holder[key][start : start + count] = new
    for path, value in patch.get("set", {}).items():
        holder, key = _find(view["state"], path)
        holder[key] = value
    for path in patch.get("drop", ()):
        holder, key = _find(view["state"], path)
        del holder[key]
    view["due"] = patch.get("due", view["due"])


def _find(value: Any, path: str) -> tuple[Any, Any]:
    """What holds the thing that a path leads to, and its key or index there."""
    *way, last = path.split(".")
    for key in way:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value, int(last) if isinstance(value, list) else last


# ------------------------------------------------------------------------------------------ making a patch


class _Work:
    """What one patch after another is made from: the changes, and the pieces of JSON that several of them share."""

    def __init__(self, before: Moment, after: Moment, events: Sequence[Event]) -> None:
        self.changes = changes(before.state, after.state)
        self.events = events
        self.due_before, self.due_after = before.due, after.due
        self.due_changed = before.due != after.due
        both = before.due + after.due if self.due_changed else ()
        seats = {due.seat for due in both if due.by is Role.PARTICIPANT}
        self.due_of_participants = bool(seats)
        """Whether a participant was or is told any act."""
        self.own_events = {event.seat for event in events if _has_own(type(event))}  # type: ignore[attr-defined]
        """The seats whose participants see more of an event than others do."""
        self.apart = self.own_events | seats
        """The seats whose participants may be sent something that others are not."""
        self.apart.update(owner for _, owner, _, _ in self.changes if owner)
        self.written: dict[Any, bytes] = {}
        """What has been written: an event, by its number and the fields that are seen of it; all events, by role."""

    def patch_for(self, viewer: Viewer) -> bytes:
        """The patch as a JSON object; nothing where nothing is seen."""
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
        """The acts that are due now, where the viewer was told others before."""
        if viewer.role in DUE_SHOWN.to.roles:
            if "due" not in self.written:
                self.written["due"] = b'"due":' + ENCODE(self.due_after)
            return self.written["due"]
        if not (viewer.seat and self.due_of_participants):
            return b""
        now = due_for(self.due_after, viewer)
        return b'"due":' + ENCODE(now) if now != due_for(self.due_before, viewer) else b""

    def _events(self, viewer: Viewer) -> bytes:
        """The events that a viewer sees; the same for all of a role, but for what is his own."""
        own = viewer.seat in self.own_events if viewer.seat else False
        if not own and viewer.role in self.written:
            return self.written[viewer.role]
        seen = [text for number, event in enumerate(self.events) if (text := self._event(number, event, viewer))]
        found = b'"events":[' + b",".join(seen) + b"]" if seen else b""
        if not own:
            self.written[viewer.role] = found
        return found

    def _event(self, number: int, event: Event, viewer: Viewer) -> bytes:
        """An event as a viewer sees it, written once for all who see the same fields; nothing where it is not his."""
        is_own = viewer.seat > 0 and getattr(event, "seat", 0) == viewer.seat
        fields = (_own_fields_seen if is_own else _fields_seen)(type(event), viewer.role)
        if fields is None:
            return b""
        text = self.written.get((number, fields))
        if text is None:
            whole = len(fields) == len(event.__struct_fields__)
            text = self.written[number, fields] = ENCODE(event if whole else view_event(event, viewer))
        return text


@cache
def _fields_seen(kind: type[Event], role: Role) -> frozenset[str] | None:
    """The fields of an event that every viewer in a role sees; None where it is not for them."""
    return _fields(kind, lambda sight: role in sight.roles)


@cache
def _own_fields_seen(kind: type[Event], role: Role) -> frozenset[str] | None:
    """The fields of an event that a viewer in a role sees where it is his own; None where it is not for him."""
    return _fields(kind, lambda sight: role in sight.roles or sight.own)


def _fields(kind: type[Event], seen: Callable[[Sight], bool]) -> frozenset[str] | None:
    shown = EVENT_SHOWN.get(str(kind.__struct_config__.tag))
    if shown is None or not seen(shown.to):
        return None
    return frozenset(name for name in kind.__struct_fields__ if name in shown.fields and seen(shown.fields[name]))


@cache
def _has_own(kind: type[Event]) -> bool:
    """Whether an event shows something to the participant whose seat it names that it does not show to others."""
    differs = _own_fields_seen(kind, Role.PARTICIPANT) != _fields_seen(kind, Role.PARTICIPANT)
    return differs and "seat" in kind.__struct_fields__


def _roles_alike() -> dict[Role, Role]:
    """For every role the first that sees exactly the same of every table."""
    lists = [*STATE_SHOWN.values(), *EVENT_SHOWN.values()]
    sights = {sight for shown in lists for sight in (shown.to, *shown.fields.values())}
    first: dict[Any, Role] = {}
    return {
        role: first.setdefault((role in DUE_SHOWN.to.roles, *(role in sight.roles for sight in sights)), role)
        for role in Role
    }


ALIKE = _roles_alike()
"""For every role the first that sees exactly the same: they are sent the same bytes."""
