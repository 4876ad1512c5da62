"""The rooms of a house: one for each table, and one for those who follow the whole house.

A room shows what is on disk. The loops that run tables wait here too: for somebody to watch a table, and for something
to happen there.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from baccarat.house.state import HouseState
from baccarat.house.stream import Stream, is_table_stream, stream_name, table_stream
from baccarat.law.rulebook import Rulebook
from baccarat.serve.fanout.house_room import HouseFollower, HouseRoom
from baccarat.serve.fanout.message import Bye
from baccarat.serve.fanout.table_room import Subscriber, TableRoom
from baccarat.serve.fanout.table_words import TableWords
from baccarat.serve.ops.supervisor import Supervisor
from baccarat.serve.runtime.house import TableChange
from baccarat.table.state import TableState

FOLLOWED = "what is shown of the house"
LOBBY_SECONDS = 10.0
"""How long somebody who has looked at the lobby counts as being there: its page looks again every two seconds."""


class Lobby:
    """Whether somebody is in the lobby."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._until = clock, -math.inf

    def note_visit(self) -> None:
        """Note that somebody looks at the lobby now."""
        self._until = self._clock() + LOBBY_SECONDS

    def end_visits(self) -> None:
        """Note that everybody has left."""
        self._until = -math.inf

    @property
    def is_visited(self) -> bool:
        """Whether somebody has looked at it recently."""
        return self._clock() < self._until


class Rooms(Mapping[str, TableRoom]):
    """The rooms of all tables by name, and the room of the house."""

    def __init__(self, house: HouseState, jobs: Supervisor, *, on_opened: Callable[[str], None]) -> None:
        """`house` is as it is on disk; `on_opened` is called with the name of each table whose room is opened."""
        self._rooms: dict[str, TableRoom] = {}
        self._jobs, self._on_opened = jobs, on_opened
        self.house_room = HouseRoom()
        """Everybody who follows the whole house."""
        self._changes: dict[str, asyncio.Event] = {}
        self._last_actor: dict[str, str] = {}
        self.lobby = Lobby()
        """Whether anybody is in the lobby."""
        self._words: TableWords | None = None
        for name in house.tables:
            self.reopen(name, house)

    def __getitem__(self, name: str) -> TableRoom:
        return self._rooms[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rooms)

    def __len__(self) -> int:
        return len(self._rooms)

    # -------------------------------------------------------------------------------------- what is on disk

    def set_words(self, words: TableWords) -> None:
        """Say who finds the words of tables: too late for the constructor, because the finder reads the whole house."""
        self._words = words
        for room in self._rooms.values():
            room.words.set_finder(words)

    def _open(self, name: str, rules: Rulebook, state: TableState, events: int) -> None:
        """Show a table as it is on disk, after this many events; the house itself may be ahead of that."""
        room = self._rooms[name] = TableRoom(name, rules, state, events=events)
        if self._words is not None:
            room.words.set_finder(self._words)
        self._on_opened(name)

    def reopen(self, name: str, house: HouseState) -> None:
        """Show a table in a new, empty room, as it is on disk in `house`."""
        self._open(name, house.rules(name), house.tables[name], house.head(table_stream(name)))

    def on_tables_changed(self, touched: dict[str, TableChange]) -> None:
        """Show what a batch did, now that it is on disk."""
        for name, change in touched.items():
            room = self._rooms.get(name)
            if room is None:
                self._open(name, change.rules, change.state, len(change.events))
            else:
                room.publish(change.rules, change.state, change.events)
                if any(event.CARD.changes_automation for event in change.events):
                    self._on_opened(name)
        if self.house_room.guests:
            self.house_room.mark_changed("day", "proposals", "acts", *(f"table {name}" for name in touched))

    def on_streams_grown(self, grown: dict[Stream, int]) -> None:
        """Send the new heads of tables' journals to those who watch, now that a batch is on disk."""
        for stream, seq in grown.items():
            room = self._rooms.get(stream_name(stream))
            if room is not None and is_table_stream(stream):
                room.note(seq)
                self.house_room.mark_changed("alerts")
            else:
                self.house_room.mark_books_changed()

    # ------------------------------------------------------------------------------------------ who is here

    def join(self, table: str, subscriber: Subscriber, *, run: str = "", after: int | None = None) -> None:
        """Add a person who watches a table; everything that is sent is on disk."""
        self._rooms[table].join(subscriber, run=run, after=after)
        self.table_changed(table).set()

    def leave(self, table: str, subscriber: Subscriber) -> None:
        """Remove a person who watched a table."""
        self._rooms[table].leave(subscriber)
        self.table_changed(table).set()

    def visit_lobby(self) -> None:
        """Note that somebody is in the lobby, and wake the tables if nobody was."""
        was_visited = self.lobby.is_visited
        self.lobby.note_visit()
        if not was_visited:
            for table in self._rooms:
                self.table_changed(table).set()

    def follow(self, follower: HouseFollower, *, run: str = "", after: int | None = None) -> None:
        """Add a person who follows the whole house; the first one starts the task that shows it."""
        self.house_room.join(follower, run=run, after=after)
        self._jobs.ensure(FOLLOWED, self.house_room.run)

    @property
    def sessions(self) -> set[str]:
        """The sessions that have sockets here."""
        return {guest.session for guest in self._everybody if guest.session}

    @property
    def _everybody(self) -> list[Subscriber | HouseFollower]:
        """Everybody who watches a table or follows the house."""
        return [*(guest for room in self._rooms.values() for guest in room.guests), *self.house_room.guests]

    def absent_persons(self, table: str, state: TableState) -> frozenset[str]:
        """Who sits at a table, according to `state`, and does not watch it."""
        here = {guest.who for guest in self._rooms[table].guests}
        seated = (person.who for person in state.seats.participants if person is not None)
        return frozenset(who for who in seated if who not in here)

    def end_sessions(self, ids: Sequence[str]) -> None:
        """Close the sockets of sessions that are over."""
        ended = set(ids)
        bye = Bye(why="signed_off", say="You are signed off here.")
        for guest in self._everybody:
            if guest.session in ended:
                guest.line.end(bye)

    def end_table(self, table: str, bye: Bye) -> None:
        """Close the sockets of everybody who watches a table."""
        for guest in list(self._rooms[table].guests):
            guest.line.end(bye)

    def end_all(self, bye: Bye) -> None:
        """Close every socket."""
        for name in self._rooms:
            self.end_table(name, bye)
        self.house_room.end_all(bye)

    # ---------------------------------------------------------------------------- what the loops wait for

    def table_changed(self, table: str) -> asyncio.Event:
        """Set when somebody has done something at a table."""
        return self._changes.setdefault(table, asyncio.Event())

    def note_act(self, table: str, who: str) -> None:
        """Note that somebody has acted at a table, and wake its loop."""
        self._last_actor[table] = who
        self.table_changed(table).set()

    def take_last_actor(self, table: str) -> str:
        """Who last acted at a table since the previous call; empty if nobody did."""
        acted, self._last_actor[table] = self._last_actor.get(table, ""), ""
        return acted
