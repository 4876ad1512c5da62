"""A house that keeps a journal: what an act leads to in several streams is entered in all of them at once, or in none.

The record of the act stands in the stream where it was done, and names the records that it led to elsewhere (`joined`);
those follow in the same write, without a command of their own, and name it as their `cause`. Names and remarks become
ids before anything is decided, as at a table (`keeper.py`).
"""

from __future__ import annotations

from typing import Any

from msgspec import Raw

from baccarat.house.base import HouseCommand
from baccarat.house.house import House, HouseTable, decide_at_table, decide_in_book, shared_by
from baccarat.house.joint import shown_first
from baccarat.house.state import Decision, Prices, table_stream
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.record.canonical import canonical
from baccarat.record.directory import Directory
from baccarat.record.entry import Cause, Entry, Record, envelope_fields
from baccarat.record.journal_file import JournalFile
from baccarat.record.keeper import Clock, opening_of, record_after
from baccarat.table.actor import Actor, Envelope, Origin
from baccarat.table.base import Accepted, Command


class KeptHouse(House):
    """A house whose acts stand in a journal before anybody hears of them."""

    def __init__(
        self,
        rules: Rulebook,
        file: JournalFile,
        *,
        prices: Prices | None = None,
        clock: Clock = lambda: 0,
        names: Directory | None = None,
    ) -> None:
        super().__init__(rules, prices=prices)
        self.file, self.clock, self.names = file, clock, names

    def do(self, command: HouseCommand, actor: Actor, *, stream: str) -> Decision | Refused:
        """Do an act in one of the books and enter it; a refusal is entered too."""
        if self.names is not None:
            command, actor = self.names.hide(command), self.names.hide_actor(actor)
        decision = decide_in_book(self.state, self.rules, command, actor, stream=stream)
        return self.enter(stream, command, actor, decision)

    def table(self, name: str) -> HouseTable:
        """One of its tables, whose acts are entered."""
        return KeptHouseTable(self, name)

    def enter(
        self,
        stream: str,
        command: Command | HouseCommand,
        actor: Actor,
        decision: Decision | Refused,
        shown: Command | None = None,
    ) -> Decision | Refused:
        """Put what was decided on the disk, in every stream that it touches, and only then take it."""
        if isinstance(decision, Refused) and actor.origin is not Origin.PERSON:
            return decision  # what a card source brings too early may be a secret
        asked = {**envelope_fields(Envelope(actor=actor, at=self.clock())), "command": Raw(canonical(command))}
        if isinstance(decision, Refused):
            self.file.append(*self._opened(stream), self._record(stream, refused=decision, **asked))
            return decision
        if shown is not None:
            asked["shown"] = Raw(canonical(shown))
        own = next(each for each in decision.appended if each.stream == stream)
        others = [each for each in decision.appended if each is not own]
        before = [entry for each in decision.appended for entry in self._opened(each.stream)]
        seq = self._next(stream)
        joined = {each.stream: self._next(each.stream) for each in others}
        self.file.append(
            *before,
            self._record(stream, own.events, joined=joined, **asked),
            *(self._record(each.stream, each.events, cause=Cause(stream=stream, seq=seq)) for each in others),
        )
        return self.take(decision)

    def _next(self, stream: str) -> int:
        """The number of the next record of a stream; one that has not begun is opened first."""
        return max(1, self.file.head(stream).seq + 1)

    def _opened(self, stream: str) -> list[Entry]:
        """The first entry of a stream that has not begun."""
        if self.file.head(stream).seq >= 0:
            return []
        return [opening_of(self._rules(stream), stream, at=self.clock())]

    def _rules(self, stream: str) -> Rulebook:
        kind, _, name = stream.partition(" ")
        return self.state.rules(name) if kind == "table" and name in self.state.tables else self.rules

    def _record(
        self, stream: str, events: tuple[Any, ...] = (), *, refused: Refused | None = None, **fields: Any
    ) -> Record:
        return record_after(self.file.head(stream), self._rules(stream), stream, events, refused=refused, **fields)


class KeptHouseTable(HouseTable):
    """A table of a house that keeps a journal."""

    house: KeptHouse

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command and enter it, with all that it touches."""
        house, state = self.house, self.house.state
        held, names = state.tables[self.name], self.house.names
        actor = actor or self.usual_actor(command)
        if names is not None:
            command, actor = names.hide(command), names.hide_actor(actor)
        decision = decide_at_table(state, self.name, command, actor, self.event_at)
        shown = shown_first(held, command, shared_by(state, self.name))
        stream = table_stream(self.name)
        entered = house.enter(stream, command, actor, decision, shown)
        if isinstance(entered, Refused):
            return entered
        self.rules = house.state.rules(self.name)
        return Accepted(entered.appended[0].events, self.state)
