"""A table in a test that runs by itself: a dealer, a clock and perhaps company, in a time that is only counted."""

from __future__ import annotations

from collections.abc import Callable

from baccarat.play.refusal import Refused
from baccarat.serve.attendant import Attendant
from baccarat.table.actor import Actor, Origin
from baccarat.table.base import Accepted, Command
from baccarat.table.machine import Table
from baccarat.table.role import Role


class Automated:
    """A table, its attendant, and the time."""

    def __init__(self, table: Table, attendant: Attendant) -> None:
        self.table, self.attendant = table, attendant
        self.now = 1_000.0
        self.away: frozenset[str] = frozenset()
        self.by_clock: list[Command] = []
        """What the clock brought and the table took."""
        self.given: list[tuple[Command, Actor]] = []
        """What happened by itself, and in whose name."""
        self.refused: list[tuple[Command, Actor, Refused]] = []
        self.attendant.after(table, self.now)

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Somebody does something now."""
        actor = actor or self.table.usual_actor(command)
        outcome = self.table.do(command, actor)
        if isinstance(outcome, Refused):
            self.refused.append((command, actor, outcome))
        elif actor.origin is Origin.CLOCK:
            self.by_clock.append(command)
        person = actor.role is Role.PARTICIPANT and actor.origin is Origin.PERSON
        self.attendant.after(self.table, self.now, acted=actor.who if person else "", away=self.away)
        return outcome

    def tick(self) -> bool:
        """Let time pass until something happens by itself; False where nothing ever will."""
        at = self.attendant.next_at
        if at is None:
            return False
        self.now = max(self.now, at)
        for command, actor in self.attendant.due(self.table, self.now):
            self.given.append((command, actor))
            self.do(command, actor)
        self.attendant.after(self.table, self.now, away=self.away)
        return True

    def run(self, until: Callable[[Table], bool], *, most: int = 100_000) -> None:
        """Let time pass until the table has come so far."""
        for _ in range(most):
            if until(self.table):
                return
            assert self.tick(), f"nothing happens any more at {self.table.state}: {self.table.expected}"
        raise AssertionError(f"it goes on and on at {self.table.state}")
