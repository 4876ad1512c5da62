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

**Nothing is sent to an audience for which nothing has changed**: no change in its view, no other acts due, no event that it
may see. An empty frame would tell that something hidden has happened. For the same reason frames are numbered for each
audience by itself (`frame`): the numbers of the table's records would tell the public how many wagers were made, and
everybody how often somebody was refused.

Audiences with the same sight get the same bytes: all of the floor and those who watch it; all participants to whose seats
nothing in the patch belongs. So the work is done once for each kind of sight, not once for each viewer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from baccarat.table.audience import DUE_SHOWN, EVENT_SHOWN, STATE_SHOWN
from baccarat.table.base import Event
from baccarat.table.difference import DROP, ENCODE, SET, SPLICE, Change, changes
from baccarat.table.role import Role
from baccarat.table.view import Moment, Viewer, due_for, view_event


def patches(before: Moment, after: Moment, events: Sequence[Event], viewers: Iterable[Viewer]) -> dict[Viewer, bytes]:
    """The patch of each viewer, as a JSON object; whoever sees no difference and no event has none.

    `before` is what was last published, `after` what stands now, `events` all that came between, in order: of one
    command or of several.
    """
    work = _Work(before, after, events)
    made: dict[Any, bytes] = {}
    found: dict[Viewer, bytes] = {}
    for viewer in viewers:
        like = work.like(viewer)
        body = made.get(like)
        if body is None:
            body = made[like] = work.patch_for(viewer)
        if body:
            found[viewer] = body
    return found


def frame(patch: bytes, *, last: int, seq: int) -> bytes:
    """A patch as it goes over a socket, with the number of this audience's last frame and its own.

    The numbers are the audience's own: they count what it was sent, not the records of the table.
    """
    return b'{"type":"patch","from":%d,"seq":%d,%b' % (last, seq, patch[1:])


def apply_patch(view: dict[str, Any], patch: dict[str, Any]) -> None:
    """Brings a view, as it is read from JSON, to what it is after a patch."""
    for path, (start, count, *new) in patch.get(SPLICE, {}).items():
        holder, key = _find(view["state"], path)
        holder[key][start : start + count] = new
    for path, value in patch.get(SET, {}).items():
        holder, key = _find(view["state"], path)
        holder[key] = value
    for path in patch.get(DROP, ()):
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
        self.written: dict[tuple[int, frozenset[str]], bytes] = {}
        """Events as they were written, by number and by the fields that are seen of them."""
        self.all_due = b""
        self.apart = self._seats_apart()

    def _seats_apart(self) -> set[int]:
        """The seats whose participants see something that others do not."""
        seats = {change.owner for change in self.changes if change.owner}
        seats.update(getattr(event, "seat", 0) for event in self.events if _has_own(type(event)))
        if self.due_changed:
            dues = (*self.due_before, *self.due_after)
            seats.update(due.seat for due in dues if due.by is Role.PARTICIPANT)
        return seats

    def like(self, viewer: Viewer) -> Any:
        """What viewers have in common whose patches are the same."""
        if viewer.role is not Role.PARTICIPANT:
            return ALIKE[viewer.role]
        return viewer.seat if viewer.seat in self.apart or not viewer.seat else "elsewhere"

    def patch_for(self, viewer: Viewer) -> bytes:
        """The patch as a JSON object; nothing where nothing is seen."""
        texts: dict[str, list[bytes]] = {SPLICE: [], SET: [], DROP: []}
        for change in self.changes:
            if viewer.sees(change.sight, change.owner):
                texts[change.does].append(change.text)
        pieces = []
        if texts[SPLICE]:
            pieces.append(b'"splice":{' + b",".join(texts[SPLICE]) + b"}")
        if texts[SET]:
            pieces.append(b'"set":{' + b",".join(texts[SET]) + b"}")
        if texts[DROP]:
            pieces.append(b'"drop":[' + b",".join(texts[DROP]) + b"]")
        if self.due_changed:
            pieces += self._due(viewer)
        seen = [text for number, event in enumerate(self.events) if (text := self._event(number, event, viewer))]
        if seen:
            pieces.append(b'"events":[' + b",".join(seen) + b"]")
        return b"{" + b",".join(pieces) + b"}" if pieces else b""

    def _due(self, viewer: Viewer) -> list[bytes]:
        """The acts that are due now, where the viewer was told others before."""
        if viewer.role in DUE_SHOWN.to.roles:
            self.all_due = self.all_due or b'"due":' + ENCODE(self.due_after)
            return [self.all_due]
        now = due_for(self.due_after, viewer)
        return [b'"due":' + ENCODE(now)] if now != due_for(self.due_before, viewer) else []

    def _event(self, number: int, event: Event, viewer: Viewer) -> bytes:
        """An event as a viewer sees it, written once for all who see the same fields; nothing where it is not his."""
        fields = _fields_seen(type(event), viewer.role, viewer.seat > 0 and getattr(event, "seat", 0) == viewer.seat)
        if fields is None:
            return b""
        written = self.written.get((number, fields))
        if written is None:
            whole = len(fields) == len(event.__struct_fields__)
            written = self.written[number, fields] = ENCODE(event if whole else view_event(event, viewer))
        return written


@cache
def _fields_seen(kind: type[Event], role: Role, is_own: bool) -> frozenset[str] | None:
    """The fields of an event that a role sees, where it is the viewer's own and where not; None where it sees none."""
    shown = EVENT_SHOWN.get(str(kind.__struct_config__.tag))
    if shown is None or not (role in shown.to.roles or (is_own and shown.to.own)):
        return None
    fields = (name for name in kind.__struct_fields__ if name in shown.fields)
    return frozenset(name for name in fields if role in (sight := shown.fields[name]).roles or (is_own and sight.own))


@cache
def _has_own(kind: type[Event]) -> bool:
    """Whether an event shows something to the participant whose seat it names that it does not show to others."""
    return _fields_seen(kind, Role.PARTICIPANT, True) != _fields_seen(kind, Role.PARTICIPANT, False)


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
