"""A room: everybody who looks at one table, and what each is sent.

A state shares with the one before it whatever did not change, so the last states are kept as they are: from any of them
a patch leads to the newest. After a commit each audience gets one frame; who joins gets the whole view, or, coming
back, a patch from the record that he has.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable

import msgspec

from baccarat.law.rulebook import Rulebook
from baccarat.serve.line_out import LineOut
from baccarat.serve.wire import View, message
from baccarat.table.base import Event
from baccarat.table.patch import Change, frames
from baccarat.table.role import Role
from baccarat.table.state import State
from baccarat.table.view import Viewer, view

MOST_KEPT = 512
"""So many records a client may be behind and still go on by a patch."""


class Guest:
    """Somebody who looks at the table: a person in a role, with a line out."""

    def __init__(self, who: str, role: Role, line: LineOut) -> None:
        self.who, self.role, self.line = who, role, line
        self.viewer = Viewer(Role.PUBLIC)

    def viewer_at(self, state: State) -> Viewer:
        """As whom this person looks now: a participant from the seat where he sits, before that like everybody."""
        if self.role is not Role.PARTICIPANT:
            return Viewer(self.role)
        seat = next((n for n, held in enumerate(state.seats.participants, 1) if held and held.who == self.who), 0)
        return Viewer(Role.PARTICIPANT, seat) if seat else Viewer(Role.PUBLIC)


class Moment(msgspec.Struct, frozen=True):
    """A table after a record that is on the disk, and the events that led there from the moment before."""

    seq: int
    rules: Rulebook
    state: State
    events: tuple[Event, ...]


class Room:
    """One table, as those who look at it see it."""

    def __init__(self, table: str, seq: int, rules: Rulebook, state: State) -> None:
        self.table = table
        self.moments: deque[Moment] = deque([Moment(seq, rules, state, ())], maxlen=MOST_KEPT)
        self.guests: set[Guest] = set()

    @property
    def now(self) -> Moment:
        """The table as everybody may know it."""
        return self.moments[-1]

    def join(self, guest: Guest, after: int | None = None) -> None:
        """Let somebody in: with what he has missed, or with the whole view."""
        now = self.now
        guest.viewer = guest.viewer_at(now.state)
        self.guests.add(guest)
        before = self._moment(after)
        if before is None or guest.viewer_at(before.state) != guest.viewer:
            guest.line.put(self.whole(guest.viewer))
            return
        events = tuple(event for moment in self.moments if moment.seq > before.seq for event in moment.events)
        self._send(Change(before.rules, before.state, now.rules, now.state, events), before.seq, [guest])

    def leave(self, guest: Guest) -> None:
        """Somebody looks no more."""
        self.guests.discard(guest)

    def whole(self, viewer: Viewer) -> str:
        """The whole table as a viewer sees it."""
        now = self.now
        return message(View(seq=now.seq, table=self.table, view=view(now.rules, now.state, viewer)))

    def publish(self, moment: Moment) -> None:
        """Show everybody what has been committed."""
        before, stay = self.now, []
        self.moments.append(moment)
        for guest in self.guests:
            viewer = guest.viewer_at(moment.state)
            if viewer == guest.viewer:
                stay.append(guest)
            else:  # he sat down, or left his seat: he sees other things from here
                guest.viewer = viewer
                guest.line.put(self.whole(viewer))
        if stay:
            change = Change(before.rules, before.state, moment.rules, moment.state, moment.events)
            self._send(change, before.seq, stay)

    def _send(self, change: Change, before: int, guests: Iterable[Guest]) -> None:
        """One frame for each audience, shared by all of it."""
        audiences: dict[Viewer, list[Guest]] = {}
        for guest in guests:
            audiences.setdefault(guest.viewer, []).append(guest)
        made = frames(change, audiences, before=before, seq=self.now.seq)
        for viewer, text in made.items():
            for guest in audiences[viewer]:
                guest.line.put(text)

    def _moment(self, after: int | None) -> Moment | None:
        """The moment that a client has seen, if it is still kept."""
        if after is None or not self.moments[0].seq <= after <= self.now.seq:
            return None
        found = bisect_right([moment.seq for moment in self.moments], after) - 1
        moment = self.moments[found]
        return moment if moment.seq == after else None
