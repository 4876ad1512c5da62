"""The house as staff and surveillance follow it: every table, proposals, notices, calls, alerts.

What is shown is divided into topics, such as `table NAME` or `alerts`. What happens changes topics. Those are read
again, once for all who may see the same, and everybody who was shown something else before is sent the whole topic. So
nobody has to poll, and nothing is read while nobody follows the house.

Each line has a run of its own and numbers its frames. A client that comes back names both, and is sent the topics that
have changed since: no number tells of what is hidden from this person.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Collection, Iterable
from typing import Protocol

import msgspec

from baccarat.house.stream import Stream
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.session import Session
from baccarat.serve.fanout.message import Bye, HouseShown, message
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.store.read_pool import PoolExhausted

PAUSE = 0.2
"""The least seconds between two refreshes, however much happens in the house."""
REST_FACTOR = 4
"""After a refresh, the next one waits for this multiple of its duration."""
TICK = 2.0
"""How often topics are refreshed that change by the clock alone, or at another node."""
WHOLE_TICKS = 5
"""After how many ticks everything is refreshed."""
BY_THE_CLOCK = ("proposals", "alerts", "calls", "notices")
SLOW_TOPICS = ("alerts",)
"""Topics that may take long to read the first time: nothing else waits for them."""
CHECK_SECONDS = 2.0
"""How often it is checked whether a console has locked, or its session is over."""
MOST_LEFT = 256
"""How many lost connections can be resumed."""


class TopicScope(msgspec.Struct, frozen=True):
    """A topic as some may see it: `scope` is the same for all who are shown the same."""

    topic: str
    scope: str = ""


class HouseTopics(Protocol):
    """The topics of a house, and who may see which."""

    def wanted_by(self, session: Session, stream: Stream | None) -> Iterable[TopicScope]:
        """What a session may see; and, if there is a stream, what it may do in it."""

    async def find(self, wanted: Collection[TopicScope]) -> dict[TopicScope, bytes]:
        """Topics as they are on disk now, as JSON."""

    async def check(self, session: Session) -> Session | Denied:
        """The current session; denied if it is over, or its console is locked."""

    def now(self) -> int:
        """The time of day in the house, in microseconds UTC."""


class TopicHistory:
    """What one connection was sent: each topic with the number of its frame."""

    def __init__(self, session: str) -> None:
        self.name, self.session = secrets.token_hex(8), session
        self.seq = 0
        self.topics: dict[str, tuple[bytes, int]] = {}

    def update(self, seen: dict[str, bytes]) -> list[str]:
        """Update the topics; returns those that have changed, in one more frame."""
        changed = [topic for topic, found in seen.items() if self.topics.get(topic, (b"", 0))[0] != found]
        if changed:
            self.seq += 1
            self.topics |= {topic: (seen[topic], self.seq) for topic in changed}
        return changed

    def changed_since(self, after: int) -> list[str]:
        """The topics that have changed since a frame."""
        return [topic for topic, (_, number) in self.topics.items() if number > after]


class HouseFollower:
    """A person who follows the house, with an outbox; `after` is the last frame of a former connection."""

    def __init__(self, session: Session, line: Outbox) -> None:
        self.held, self.line = session, line
        self.session = session.id
        self.run = TopicHistory(session.id)
        self.after: int | None = None
        self.stream: Stream | None = None
        """In which stream it is shown what this person may do."""
        self.is_new = True
        self.checked = time.monotonic()


class HouseRoom:
    """Everybody who follows the house."""

    def __init__(self, topics: HouseTopics | None = None) -> None:
        self._topics = topics
        self.guests: dict[HouseFollower, None] = {}
        self.changes = 0
        """How often something was entered in a book of the house since it was opened."""
        self._held: dict[TopicScope, bytes] = {}
        self._changed: set[str] | None = set()
        """The topics that are to be read again; None where all are."""
        self._more = asyncio.Event()
        self._left: OrderedDict[str, TopicHistory] = OrderedDict()

    def set_topics(self, topics: HouseTopics) -> None:
        """Say what is shown here: too late for the constructor, because it reads a house that has this room already."""
        self._topics = topics

    @property
    def topics(self) -> HouseTopics:
        """The topics that are shown here."""
        assert self._topics is not None, "nobody joins before the topics are set"
        return self._topics

    # ------------------------------------------------------------------------------------------ who is here

    def join(self, guest: HouseFollower, *, run: str = "", after: int | None = None) -> None:
        """Add a follower; the next refresh sends what was missed, or everything."""
        before = next((each for each in self.guests if each.run.name == run), None)
        if before is not None:  # the connection was lost, and nobody has noticed yet
            before.line.end()
            self.leave(before)
        held = self._left.get(run)
        if held is not None and held.session == guest.session and after is not None and after <= held.seq:
            del self._left[run]
            guest.run, guest.after = held, after
        self.guests[guest] = None
        self._more.set()

    def leave(self, guest: HouseFollower) -> None:
        """Remove a follower, who may resume later."""
        if guest not in self.guests:
            return
        del self.guests[guest]
        if not self.guests:
            self._held, self._changed = {}, set()
        self._left[guest.run.name] = guest.run
        if len(self._left) > MOST_LEFT:
            self._left.popitem(last=False)

    def follow_stream(self, guest: HouseFollower, stream: Stream) -> None:
        """Show a follower from now on what may be done in this stream."""
        guest.stream = stream or None
        self._more.set()

    def end_all(self, last: Bye) -> None:
        """Close every connection."""
        for guest in list(self.guests):
            guest.line.end(last)

    # ------------------------------------------------------------------------------------------ refreshing

    def mark_changed(self, *topics: str) -> None:
        """Mark topics as changed; without any, all of them."""
        if not self.guests:
            return  # a new follower is sent everything anyway
        if not topics:
            self._changed = None
        elif self._changed is not None:
            self._changed.update(topics)
        self._more.set()

    def mark_books_changed(self) -> None:
        """Note that something was entered in a book of the house, on which many topics may depend."""
        self.changes += 1
        self.mark_changed()

    async def run(self) -> None:
        """Refresh the followers, as long as the house is open."""
        ticks = 0
        while True:
            try:
                await asyncio.wait_for(self._more.wait(), TICK if self.guests else None)
            except TimeoutError:
                ticks += 1
                self.mark_changed(*(() if ticks % WHOLE_TICKS == 0 else BY_THE_CLOCK))
            self._more.clear()
            began = time.monotonic()
            try:
                await self.refresh()
            except PoolExhausted:
                self.mark_changed()  # too many are reading now: try again
            except Exception:
                self.end_all(Bye(why="fault", say="The house could not be shown; join again."))
                raise
            await asyncio.sleep(max(PAUSE, REST_FACTOR * (time.monotonic() - began)))

    async def refresh(self) -> None:
        """Read the topics that have changed, and send them to everybody who has not been sent them."""
        for guest in list(self.guests):
            await self._check(guest)
        # Of what somebody here may see, keep what has not changed.
        changed, self._changed = self._changed, set()
        wanted = {guest: list(self.topics.wanted_by(guest.held, guest.stream)) for guest in self.guests}
        asked = {each for wants in wanted.values() for each in wants}
        kept = {} if changed is None else {each: raw for each, raw in self._held.items() if each.topic not in changed}
        self._held = {each: raw for each, raw in kept.items() if each in asked}
        # Read the rest and send it, what is slow in a second turn.
        missing = asked.difference(self._held)
        slow = {each for each in missing if each.topic in SLOW_TOPICS}
        for part in (missing - slow, slow) if slow else (missing,):
            if part:
                self._held |= await self.topics.find(part)
            for guest, wants in wanted.items():
                if guest in self.guests:
                    self._send_changes(guest, {each.topic: self._held[each] for each in wants if each in self._held})

    def _send_changes(self, guest: HouseFollower, seen: dict[str, bytes]) -> None:
        """Send somebody what has changed since the last frame, or since the line was lost; or everything, at first."""
        run = guest.run
        changed = run.update(seen)
        if not guest.is_new:
            if changed:
                self._send(guest, changed, after=run.seq - 1)
        elif guest.after is not None:
            self._send(guest, run.changed_since(guest.after), after=guest.after)
        else:
            self._send(guest, list(seen), after=None)
        guest.is_new = False

    def _send(self, guest: HouseFollower, topics: list[str], *, after: int | None) -> None:
        run = guest.run
        shown = {topic: msgspec.Raw(run.topics[topic][0]) for topic in topics}
        guest.line.put(message(HouseShown(run=run.name, seq=run.seq, after=after, now=self.topics.now(), set=shown)))

    async def _check(self, guest: HouseFollower) -> None:
        """Check from time to time whether a follower may still watch."""
        if guest in self.guests and time.monotonic() - guest.checked >= CHECK_SECONDS:
            await self.check_now(guest)

    async def check_now(self, guest: HouseFollower) -> bool:
        """Whether a follower may still watch; if not, the connection is closed."""
        guest.checked, found = time.monotonic(), await self.topics.check(guest.held)
        if isinstance(found, Denied):
            guest.line.end(Bye(why=found.code, say=found.say))
            self.leave(guest)
            return False
        guest.held = found
        return True
