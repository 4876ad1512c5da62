"""The automated dealer: which act of the house comes next at a table, and after what pause.

Nothing here acts. `next_act` says what is next, or for whom the table waits; `act_command` turns it into a command
when its time has come, and not before: an electronic shoe's order depends on what is contributed until it is sealed.

At an automated table the program is the dealer and nobody else. At a practice table, where the money is play money, it
also stands in for the floor and the pit, so that practice goes on; at the training table for them alone, because there
a person deals. A person may also deal the cards of an electronic shoe: then the shoe commits, seals and reveals by
itself, and everything else is the person's (`serve/act/card_source.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from baccarat.table.actor import Actor, Origin
from baccarat.table.automation import actor_for, command_for
from baccarat.table.base import Command, Due
from baccarat.table.machine import Table
from baccarat.table.registry import COMMANDS
from baccarat.table.role import DEALERS, PIT_STAFF, Role
from baccarat.table.source import CardSource
from baccarat.table.step.burning import BURN
from baccarat.table.table_cards import AUTOMATED

LONGEST_PAUSE = 60.0
"""The longest pause, in seconds."""
Pause = Annotated[float, Meta(ge=0, le=LONGEST_PAUSE)]
NO_ROLES: frozenset[Role] = frozenset()
THE_SHOES = frozenset(name for name, kind in COMMANDS.items() if kind.ORIGINS[0] is Origin.CARD_SOURCE)
"""Acts of an electronic shoe and of a meter, which no person does, even if a person deals."""
THE_CLOCKS = frozenset(name for name, kind in COMMANDS.items() if kind.CARD.by_clock)
"""Acts of the dealer that the clock submits at an automated table, so that wagers have their time (`timer.py`)."""

PREPARE_SECONDS = 0.05
"""The longest pause before an act on cards that nobody plays with yet, in seconds. Each of these acts is recorded in
its order, but people who came to play need not watch a program wash and shuffle."""

HURRIED_SECONDS = 0.1
"""How long a dealer in a hurry takes before an act, in seconds."""


class Pace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long the automated dealer takes before an act, in seconds: time to see what has happened."""

    prepare: Pause = 0.2
    """Before an act on cards that nobody plays with yet."""
    card: Pause = 0.5
    """Before a card is drawn, handed over or turned."""
    call: Pause = 0.6
    """Before a call."""
    pay: Pause = 0.25
    """Before chips are taken or paid."""
    clear: Pause = 2.5
    """Before the table is cleared: how long cards, result and payments can be seen."""

    def before(self, act: str) -> float:
        """How long the dealer takes before an act, according to its card."""
        pace = COMMANDS[act].CARD.pace
        seconds: float = 0.0 if pace == "none" else getattr(self, pace)
        return seconds

    @classmethod
    def uniform(cls, seconds: float) -> Pace:
        """The same pause before every card and call; payments and preparing the cards are faster, and the table is
        cleared when everybody has seen the outcome of the round."""
        return cls(
            prepare=min(seconds / 4, PREPARE_SECONDS),
            card=seconds,
            call=seconds,
            pay=seconds / 2,
            clear=min(4 * seconds, LONGEST_PAUSE),
        )

    def limited_to(self, seconds: float) -> Pace:
        """The same dealer at a table with this much patience left: a result is shown no longer than that."""
        if not seconds:
            return self.hurried
        return replace(self, clear=min(self.clear, max(seconds, HURRIED_SECONDS)))

    @property
    def hurried(self) -> Pace:
        """The same dealer in a round that nobody seems to follow: it is soon over, even with a slow dealer."""
        return Pace(
            prepare=min(self.prepare, HURRIED_SECONDS),
            card=min(self.card, HURRIED_SECONDS),
            call=min(self.call, HURRIED_SECONDS),
            pay=min(self.pay, HURRIED_SECONDS / 2),  # a full table has some fifty payments
            clear=min(self.clear, HURRIED_SECONDS),
        )


USUAL_PACE = Pace()


class PlannedAct(msgspec.Struct, frozen=True):
    """The next act of the house, after a pause."""

    due: Due
    pause: float


class Wait(msgspec.Struct, frozen=True):
    """The dealer does nothing: somebody else acts first, or the clock."""

    by: Role | None = None
    """Whom the table waits for; nobody if anybody may act next, such as with a wager."""
    act: str = ""
    seat: int = 0


def next_act(
    table: Table,
    source: CardSource,
    waiting: Collection[str] = (),
    *,
    is_practice: bool,
    plays: Collection[Role] | None = None,
    pace: Pace = USUAL_PACE,
    expected: Iterable[Due] | None = None,
) -> PlannedAct | Wait:
    """What the automated dealer does next. `waiting` are acts of the dealer that somebody's choice still holds back.

    `expected` saves asking the table again. By default the program `plays` the dealer, and in practice the floor as
    well; it never plays anybody else.
    """
    if source.awaits(table.state):
        return Wait()
    expected = tuple(table.expected if expected is None else expected)
    due = _next_due(table, source, expected, is_practice=is_practice)
    if due is None:
        return Wait()
    allowed = _playable(is_practice=is_practice)
    plays = allowed if plays is None else allowed.intersection(plays)
    if due.by not in plays and _is_the_shoes(table, source, due):
        return PlannedAct(due, 0.0)  # a person deals, and the shoe must not delay
    reveal = next((each for each in expected if COMMANDS[each.act].CARD.shows_seed), None)
    if due.by not in plays and reveal is not None and _is_the_shoes(table, source, reveal):
        return PlannedAct(reveal, 0.0)  # a seed has a deadline, and waits for nobody's papers
    if due.by not in plays or due.act in waiting or due.act in THE_CLOCKS:
        return Wait(by=due.by, act=due.act, seat=due.seat)
    # Burned cards are drawn and turned like others, but nobody plays with them.
    return PlannedAct(due, pace.prepare if table.state.step == BURN else pace.before(due.act))


def _playable(*, is_practice: bool) -> frozenset[Role]:
    """The roles that a program may play; with real money none whose money, judgement or signature counts."""
    return PIT_STAFF if is_practice else DEALERS


def _is_the_shoes(table: Table, source: CardSource, due: Due) -> bool:
    """Whether an electronic shoe does this by itself; a missing seed is reported by people."""
    if due.act not in THE_SHOES or source.promise(table.rules, table.state) is None:
        return False
    return not COMMANDS[due.act].CARD.shows_seed or bool(source.seed(table.state))


def _next_due(table: Table, source: CardSource, expected: Iterable[Due], *, is_practice: bool) -> Due | None:
    """The first act that must be done; an electronic shoe commits as soon as it may, and a practice table gets another
    shoe if one has stopped it."""
    for due in expected:
        if not due.optional:
            return due
        when = COMMANDS[due.act].CARD.although_optional
        if when == "promised" and source.promise(table.rules, table.state) is not None:
            return due
        if when == "practice" and is_practice:
            return due
    return None


def act_command(table: Table, source: CardSource, act: PlannedAct, *, is_practice: bool) -> tuple[Command, Actor]:
    """The command of an act, and who does it: the dealer, never a participant.

    A second person is named at a practice table only.
    """
    allowed = _playable(is_practice=is_practice)
    assert act.due.by in allowed, f"a program does not play the {act.due.by.value} here"
    command = command_for(table, act.due, source)
    if Origin.PERSON not in command.ORIGINS:
        return command, table.usual_actor(command)
    usual = actor_for(table, command)
    approvals = usual.approvals if is_practice else ()
    who = usual.who if usual.role is act.due.by else ""
    actor = table.usual_actor(command, by=act.due.by, who=who, approvals=approvals)
    is_dealer = act.due.by is Role.DEALER and table.state.cards is AUTOMATED
    return command, replace(actor, origin=Origin.PROGRAM) if is_dealer else actor


class Agenda(msgspec.Struct, frozen=True):
    """The dealer's next act and its time, which nothing in between delays."""

    act: PlannedAct | None = None
    at: float = 0.0

    def with_next(self, found: PlannedAct | Wait, now: float) -> Agenda:
        """The agenda once the table has changed: the same act keeps its time."""
        if isinstance(found, Wait):
            return Agenda()
        at = now + found.pause
        return Agenda(found, min(at, self.at) if self.is_for(found) else at)

    def is_for(self, act: PlannedAct) -> bool:
        """Whether this is the act that was planned, though its details may have changed."""
        return self.act is not None and _identity(self.act.due) == _identity(act.due)

    @property
    def next_at(self) -> float | None:
        """When the act is due; None if the table waits for somebody else."""
        return self.at if self.act is not None else None


def _identity(due: Due) -> tuple[str, Role, int, int | None]:
    """What makes two acts that are due the same."""
    return due.act, due.by, due.seat, due.position
