"""A room: everybody who watches one table, and what each is sent.

A state shares with the one before it whatever did not change, so earlier states can be kept: from any of them a patch
leads to the newest. After a commit each audience gets at most one frame; a client that joins gets the whole view, or,
if it comes back, a patch from the frame that it has.

Frames are numbered for each audience separately: an audience for which nothing has changed is sent nothing, and its
numbers reveal nothing of what is hidden from it. A number counts in one *run*: those of one audience since one start.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Sequence

import msgspec
from msgspec import Raw

from baccarat.law.rulebook import Rulebook
from baccarat.serve.access.session import Session
from baccarat.serve.automation.timer import Timer
from baccarat.serve.fanout.message import Noted, RunningTimer, View, Waits, WordsChanged, WordsKind, message
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.fanout.table_words import SentWords, audience_of
from baccarat.table.audience import TABLE
from baccarat.table.base import Event
from baccarat.table.patch import changed_hands, frame, patches
from baccarat.table.role import RECORD_READERS, Role
from baccarat.table.state import TableState, seat_of
from baccarat.table.view import TableMoment, Viewer, moment, view_moment

MOST_KEPT = 128
"""How many frames of an audience are kept, from which a client can resume."""
NO_CHANGE = b'{"set":{}}'
MOST_STEPS = 512
"""How many commits are kept whose events a client may have missed, at a table that somebody has watched."""


class Subscriber:
    """A person who watches the table in a role, with an outbox."""

    def __init__(
        self,
        who: str,
        role: Role,
        line: Outbox,
        *,
        session: str = "",
        held: Session | None = None,
        words: WordsKind = WordsKind.NONE,
    ) -> None:
        """`session` is the id of the session, `held` the session as it was last used."""
        self.who, self.role, self.line, self.session, self.held = who, role, line, session, held
        self.words = words if words.may_be_sent_to(role) else WordsKind.NONE
        self.viewer = Viewer(role)

    def viewer_at(self, state: TableState) -> Viewer:
        """As whom this person watches now: a participant from the seat, if any."""
        if self.role is not Role.PARTICIPANT:
            return Viewer(self.role)
        return Viewer(Role.PARTICIPANT, seat_of(state, self.who))


def _ends(timers: Sequence[Timer]) -> list[tuple[str, int, float]]:
    """What identifies running timers: what they are for, and when they are over."""
    return [(timer.kind.value, timer.seat, timer.at) for timer in timers]


def _frame_text(made: bytes | None, words: bytes, *, last: int, seq: int) -> str:
    """What is sent of a commit: the patch with the words, or one of both; empty where nothing has changed."""
    if made is not None:
        return frame(made, last=last, seq=seq, words=words).decode()
    return message(WordsChanged(seq=seq, words=Raw(words))) if words else ""


class SentFrame(msgspec.Struct, frozen=True):
    """A frame that an audience was sent: its number, what it showed, and after how many commits."""

    number: int
    seen: TableMoment
    step: int


class TableRoom:
    """One table, as its audiences see it."""

    def __init__(self, table: str, rules: Rulebook, state: TableState, *, events: int = 0) -> None:
        """`events` is how many events the table has had."""
        self.table, self.rules, self.state, self.events_so_far = table, rules, state, events
        self.words = SentWords()
        self._now: TableMoment | None = None
        self._start = secrets.token_hex(8)
        self.guests: dict[Subscriber, None] = {}
        """Who watches the table, in the order in which they came."""
        self._step = 0
        self._events: deque[tuple[int, Sequence[Event]]] = deque(maxlen=MOST_STEPS)
        self._sent: dict[Viewer, deque[SentFrame]] = {}
        self._sittings: dict[int, str] = {}
        """A name for each seat that changes whenever somebody else sits there."""
        self._timers: tuple[Timer, ...] = ()
        """The running timers that were last sent."""

    @property
    def now(self) -> TableMoment:
        """The table as it is on disk, with the acts that are due; computed when it is needed."""
        if self._now is None:
            self._now = moment(self.rules, self.state)
        return self._now

    def join(self, guest: Subscriber, *, run: str = "", after: int | None = None) -> None:
        """Add a person, and send what was missed, or the whole view."""
        guest.viewer = guest.viewer_at(self.state)
        had = self._client_frame(guest.viewer, after) if run == self.run_of(guest.viewer) else None
        if not self.words.may_be_shown(guest):
            return
        if had is None:
            guest.line.put(self.full_view(guest))
        else:
            self._send_missed(guest, had)
        self.guests[guest] = None  # not before: where the words cannot be found, nobody joins
        if self._timers and guest.role in TABLE.roles:
            guest.line.put(message(Waits(waits=self.running_timers)))

    def _send_missed(self, guest: Subscriber, had: SentFrame) -> None:
        """Send what somebody has missed since a frame, and all words."""
        audience, number = audience_of(guest), self._synced_number(guest.viewer)
        words = self.words.whole(self, audience) if audience is not None else b""
        if number != had.number:
            made = self._patch_since(had, guest.viewer) or NO_CHANGE
            guest.line.put(frame(made, last=had.number, seq=number, words=words).decode())
        elif words:
            guest.line.put(message(WordsChanged(seq=number, words=Raw(words))))

    @property
    def running_timers(self) -> tuple[RunningTimer, ...]:
        """What the table waits for, and for how much longer."""
        now = time.monotonic()
        return tuple(
            RunningTimer(
                what=timer.kind.value,
                seat=timer.seat,
                left=round(max(0.0, timer.at - now), 2),
                of=round(timer.at - timer.started, 2),
            )
            for timer in self._timers
        )

    def show_waits(self, running: Sequence[Timer]) -> None:
        """Send what the table waits for to those who see the felt, if that has changed; it is on disk."""
        found = tuple(timer for timer in running if not timer.rang)
        if _ends(found) == _ends(self._timers):
            return
        self._timers = found
        text = message(Waits(waits=self.running_timers))
        for guest in self.guests:
            if guest.role in TABLE.roles:
                guest.line.put(text)

    def run_of(self, viewer: Viewer) -> str:
        """The name of a viewer's series of frames: of this audience, since this start of the room.

        A person who sits down begins a new series: nobody resumes from what another saw at the same seat.
        """
        return f"{self._start} {viewer.role.value} {viewer.seat} {self._sittings.get(viewer.seat, '')}".rstrip()

    def leave(self, guest: Subscriber) -> None:
        """Remove a person."""
        self.guests.pop(guest, None)
        if guest.words is not WordsKind.NONE:
            self.words.keep_only(self.guests)

    def full_view(self, guest: Subscriber) -> str:
        """The whole table as somebody sees it, with the words."""
        viewer, audience = guest.viewer, audience_of(guest)
        return message(
            View(
                seq=self._synced_number(viewer),
                run=self.run_of(viewer),
                table=self.table,
                view=view_moment(self.now, viewer),
                words=Raw(self.words.whole(self, audience)) if audience is not None else None,
            )
        )

    def refresh_words(self) -> None:
        """Send what has changed in the words without an act at the table, such as a call for the floorperson."""
        shown = [guest for guest in list(self.guests) if self.words.may_be_shown(guest)]
        audiences = {guest: audience for guest in shown if (audience := audience_of(guest)) is not None}
        changed = self.words.changes(self, set(audiences.values()))
        for guest, audience in audiences.items():
            if audience in changed:
                number = self._last_frame(guest.viewer).number
                guest.line.put(message(WordsChanged(seq=number, words=Raw(changed[audience]))))
        self.words.end_failed(audiences)

    def publish(self, rules: Rulebook, state: TableState, events: Sequence[Event]) -> None:
        """Send everybody what has changed, now that it is on disk."""
        self.events_so_far += len(events)
        before = self.now if self.guests else None
        changed = changed_hands(self.state, state)
        self.rules, self.state, self._now = rules, state, None
        self._step += 1
        for seat in changed:
            self._sent.pop(Viewer(Role.PARTICIPANT, seat), None)
            self._sittings[seat] = secrets.token_hex(4)
        self._remember_events(events)
        if before is None:
            return
        audiences: dict[Viewer, list[Subscriber]] = {}
        moved: list[Subscriber] = []
        for guest in self.guests:
            viewer = guest.viewer_at(state)
            if viewer == guest.viewer:
                audiences.setdefault(viewer, []).append(guest)
            else:
                guest.viewer = viewer
                moved.append(guest)
        self._send_patches(audiences, patches(before, self.now, events, audiences))
        for guest in moved:  # those who sat down or left a seat see other things from now on
            if self.words.ensure_found(self, guest):
                guest.line.put(self.full_view(guest))
        self.words.end_failed(moved)

    def _send_patches(self, audiences: dict[Viewer, list[Subscriber]], found: dict[Viewer, bytes]) -> None:
        """Send each audience its patch, to those who asked for words with what has changed in these."""
        shown = {
            viewer: [each for each in guests if self.words.may_be_shown(each)] for viewer, guests in audiences.items()
        }
        heard = {
            audience for guests in shown.values() for each in guests if (audience := audience_of(each)) is not None
        }
        words = self.words.changes(self, heard)
        for viewer, guests in shown.items():
            made, last = found.get(viewer), self._last_frame(viewer).number
            # Where nothing has changed for this audience, there is no frame, and no new number.
            number = last if made is None else last + 1
            sent = SentFrame(number, self.now, self._step)
            if made is None:
                self._sent[viewer][-1] = sent
            else:
                self._sent[viewer].append(sent)
            texts: dict[bytes, str] = {}
            for guest in guests:
                audience = audience_of(guest)
                changed = words.get(audience, b"") if audience is not None else b""
                if changed not in texts:
                    texts[changed] = _frame_text(made, changed, last=last, seq=number)
                if texts[changed]:
                    guest.line.put(texts[changed])
        self.words.end_failed(guest for guests in shown.values() for guest in guests)

    def _remember_events(self, events: Sequence[Event]) -> None:
        """Remember the events of a commit, if anybody may come back and ask for them.

        A frame whose events are gone leads nowhere, but holds a whole state: only the last of each audience stays,
        which has its number.
        """
        if not self._sent:
            return
        self._events.append((self._step, events))
        if self._step % MOST_KEPT == 0:
            for held in self._sent.values():
                while len(held) > 1 and held[0].step < self._events[0][0] - 1:
                    held.popleft()

    def note(self, seq: int) -> None:
        """Send the head of the table's journal to those who oversee the house; nobody else learns that number."""
        watching = [guest for guest in self.guests if guest.role in RECORD_READERS]
        if watching:
            text = message(Noted(seq=seq))
            for guest in watching:
                guest.line.put(text)

    def _last_frame(self, viewer: Viewer) -> SentFrame:
        """The last frame of an audience."""
        held = self._sent.get(viewer)
        if held is None:
            held = self._sent[viewer] = deque([SentFrame(0, self.now, self._step)], maxlen=MOST_KEPT)
        return held[-1]

    def _synced_number(self, viewer: Viewer) -> int:
        """The number of the frame that shows the current table to an audience."""
        last = self._last_frame(viewer)
        if last.seen is self.now:
            return last.number
        if self._patch_since(last, viewer) is None:  # a new number would reveal that something hidden has happened
            self._sent[viewer][-1] = SentFrame(last.number, self.now, self._step)
            return last.number
        self._sent[viewer].append(SentFrame(last.number + 1, self.now, self._step))
        return last.number + 1

    def _patch_since(self, had: SentFrame, viewer: Viewer) -> bytes | None:
        """The patch from a frame to now, with the events since; None if this viewer saw nothing of it."""
        events = [event for step, events in self._events if step > had.step for event in events]
        return patches(had.seen, self.now, events, [viewer]).get(viewer)

    def _client_frame(self, viewer: Viewer, after: int | None) -> SentFrame | None:
        """The frame that a client has, if it is still kept with all events since."""
        found = next((sent for sent in reversed(self._sent.get(viewer, ())) if sent.number == after), None)
        if found is None or (self._events and found.step < self._events[0][0] - 1):
            return None
        return found
