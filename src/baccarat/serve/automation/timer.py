"""Timers: for whom an automated table waits, how long, and what the clock submits when time is over (reading A-95).

Nothing here reads a clock or sleeps: the time is an argument, in seconds of a monotonic clock. After every act at the
table `Timers.for_state` says which timers are running now; when the earliest is over (`next_at`), `expired_commands`
lists what the clock submits, and `without_expired` are the timers after that. What the clock submits too late is
refused and leaves no trace.

Nobody who is away blocks the others. After a person has let a timer expire, or is known to be away, the table waits
for that person only briefly; a person who comes back meanwhile, as after reloading the page, has the rest of the usual
time. And between two acts of persons the table waits no longer than `WaitTimes.patience` in all: each wait takes at
most two thirds of what is left of it, so that something is left for the next person. In a round the dealer's own time
counts too, so that it is soon over when nobody acts.

Nobody can prolong a round for ever either, by passing a right to and fro with a friend. A person who has let a timer
expire is not waited for when offered something again in that round, and a round that has lasted for `WaitTimes.round`
waits for nobody who is offered something, and only briefly for anybody else."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from baccarat.law.rulebook import Rulebook
from baccarat.serve.setting import LONGEST_WAIT
from baccarat.table.actor import Actor, Origin
from baccarat.table.base import Command, Due
from baccarat.table.offer import decline_offer
from baccarat.table.role import Role
from baccarat.table.state import DEALER, TableState
from baccarat.table.step.calling import CallNoMoreBets
from baccarat.table.step.curating import OrderPass
from baccarat.table.step.relinquishing import OrderRelinquish

Seconds = Annotated[float, Meta(ge=0, le=3600)]
CLOCK = Actor(who="clock", origin=Origin.CLOCK)
TIME_IS_OVER = "time is over"
"""The recorded reason when a right is taken away for delay."""
RETRY = 1.0
"""After how many seconds the clock submits a refused command again, while the table still waits for it."""
MOST_IN_ROUND = 23.0
"""The most seconds that a round waits for people who do not act, whatever the settings: with the dealer in a hurry from
then on it is over within 30 seconds of the last act of a person."""
PATIENCE_SHARE = 2 / 3
"""The largest part of the remaining patience that one wait takes."""
CUT_SHARE, DEAL_SHARE, PRESS_SHARE, CONTRIBUTE_SHARE = 1.5, 1.0, 0.625, 0.3
"""The waits that no setting names, as parts of the time for an answer."""


AWAY_SECONDS = 2.0
"""How long a table waits for somebody who is away."""


class WaitTimes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long a table waits, in seconds, as the house posts it."""

    betting: Seconds = 20.0
    """For wagers, from the first one on."""
    squeeze: Seconds = 15.0
    """For a participant who holds cards to give them back."""
    answer: Seconds = 10.0
    """For a participant who is offered the cut, the shoe or a right to turn."""
    cut: Seconds = 10.0 * CUT_SHARE
    """For a participant who has accepted the cut to make it."""
    deal: Seconds = 10.0 * DEAL_SHARE
    """For a curator's next card."""
    press: Seconds = 10.0 * PRESS_SHARE
    """For a winner of House Money to have it added to a wager."""
    contribute: Seconds = 10.0 * CONTRIBUTE_SHARE
    """For texts that participants contribute to the order of an electronic shoe."""
    away: Seconds = AWAY_SECONDS
    """For somebody who is away, or who let a timer expire and has not acted since."""
    round: Seconds = 60.0
    """For a round, from the end of the wagering, in which people act all the time."""
    patience: Seconds = MOST_IN_ROUND
    """For all of them together, from one act of a person to the next; the wagering does not count."""

    @classmethod
    def posted(cls, *, betting: float, squeeze: float, answer: float) -> WaitTimes:
        """The times that a house posts: the waits that it does not name follow from the time for an answer alone."""
        return cls(
            betting=betting,
            squeeze=squeeze,
            answer=answer,
            cut=min(answer * CUT_SHARE, LONGEST_WAIT),
            deal=answer * DEAL_SHARE,
            press=answer * PRESS_SHARE,
            contribute=answer * CONTRIBUTE_SHARE,
            away=min(AWAY_SECONDS, answer),
        )


class TimerKind(Enum):
    """What the table waits for."""

    BETTING = "betting"
    SQUEEZE = "squeeze"
    ANSWER = "answer"
    CUT = "cut"
    DEAL = "deal"
    PRESS = "press"
    CONTRIBUTE = "contribute"

    __hash__ = object.__hash__


REQUIRED_KINDS = frozenset({TimerKind.SQUEEZE, TimerKind.ANSWER, TimerKind.CUT, TimerKind.DEAL})
"""What a person must do; one who does not is not waited for at length again."""
PATIENCE_KINDS = REQUIRED_KINDS | {TimerKind.PRESS}
"""What the patience of the table is spent on."""


class Timer(msgspec.Struct, frozen=True, kw_only=True):
    """A running timer."""

    kind: TimerKind
    seat: int
    """The seat that the table waits for; 0 for everybody."""
    who: str
    """The person at that seat."""
    moment: tuple[int, ...]
    """What distinguishes this wait from a later one of the same kind."""
    started: float
    at: float
    """When it is over."""
    whole: float = 0.0
    """When it is over for somebody who is present all the time, or who comes back before it has expired."""
    command: Command | None
    """What the clock submits then; nothing if only the dealer's act was held back."""
    holds: str = ""
    """The act of the dealer that waits as long as this runs."""
    rang: bool = False


class Timers(msgspec.Struct, frozen=True, kw_only=True):
    """The running timers of one table."""

    times: WaitTimes = WaitTimes()
    running: tuple[Timer, ...] = ()
    silent: frozenset[str] = frozenset()
    """Who let a timer expire and has not acted since."""
    spent: float = 0.0
    """How long the table has waited for persons since one of them acted."""
    since: float = 0.0
    """When a person acted last, or the wagers of a round were closed."""
    moment: tuple[int, int] = (-1, -1)
    """The round, by shoe and number."""
    closed: float | None = None
    """When the wagers of this round were closed, or this was first noticed."""
    stalled: frozenset[str] = frozenset()
    """Who let a timer expire in this round, whether or not they have acted since."""

    def for_state(
        self,
        rules: Rulebook,
        state: TableState,
        due: Iterable[Due],
        now: float,
        *,
        acted: str = "",
        away: frozenset[str] = frozenset(),
    ) -> Timers:
        """The timers that run in a state in which these acts are due.

        `acted` is the id of the participant who has just acted. `away` are those who are known to be absent; they may
        change at any time.
        """
        # The waits that the acts now due require; a wait for an act that is no longer due counts as time spent.
        wanted = {_key(timer): timer for each in due if (timer := _wait(rules, state, each, now)) is not None}
        ended = [timer for timer in self.running if _key(timer) not in wanted]
        spent = self.spent + sum(max(0.0, now - timer.started) for timer in ended if timer.kind in PATIENCE_KINDS)
        seated = {person.who for person in state.seats.participants if person is not None}
        silent = (self.silent & seated) - {acted}
        # Patience starts again whenever a participant acts, and when the wagers close.
        timers = self._in_round(state, now)
        just_closed = timers.closed is not None and self.closed != timers.closed
        if acted or just_closed:
            spent = 0.0
            timers = replace(timers, since=now)
        timers = replace(timers, silent=silent, spent=spent)
        left = timers.patience_left(state, now)
        # A wait that continues keeps its end; only for somebody who is silent or away does it become shorter.
        running: list[Timer] = []
        kept = {_key(timer): timer for timer in self.running}
        for key, fresh in wanted.items():
            timer = kept.get(key)
            is_silent, is_away = fresh.who in silent, fresh.who in away
            if timer is None:
                nobody = seated <= away | silent
                whole = timers._start_timer(fresh, left=left, brief=is_silent, everybody_away=nobody).at
                timer = timers._start_timer(fresh, left=left, brief=is_silent or is_away, everybody_away=nobody)
                timer = replace(timer, whole=whole)
            elif not timer.rang:
                is_brief = is_silent or is_away
                timer = replace(timer, at=min(timer.at, now + self.times.away) if is_brief else timer.whole)
            running.append(timer)
        return replace(timers, running=tuple(running))

    def patience_left(self, state: TableState, now: float) -> float:
        """How much patience the table has left; none if a round has lasted long enough without anybody acting."""
        if not state.round.closed:
            return max(0.0, self.times.patience - self.spent)
        used = max(self.spent, now - self.since)
        return max(0.0, min(self.times.patience, MOST_IN_ROUND) - used)

    def _in_round(self, state: TableState, now: float) -> Timers:
        """The same timers in the current round of the table."""
        moment = (state.shoe.number, state.round.number)
        timers = self if moment == self.moment else replace(self, moment=moment, closed=None, stalled=frozenset())
        return replace(timers, closed=now) if state.round.closed and timers.closed is None else timers

    def _is_late(self, now: float) -> bool:
        """Whether the round has lasted long enough, whatever people do."""
        return self.closed is not None and now - self.closed >= self.times.round

    def _start_timer(self, timer: Timer, *, left: float, brief: bool, everybody_away: bool) -> Timer:
        """A timer that starts now, with this much patience left."""
        is_late = self._is_late(timer.started)
        seconds: float = getattr(self.times, timer.kind.value)
        if timer.kind is TimerKind.BETTING:
            return replace(timer, at=timer.started + seconds)
        if timer.kind is TimerKind.CONTRIBUTE:
            return replace(timer, at=timer.started + (0.0 if everybody_away else seconds))
        if timer.kind is TimerKind.ANSWER and (is_late or timer.who in self.stalled):
            return timer
        if brief or is_late:
            seconds = min(seconds, self.times.away if timer.kind in REQUIRED_KINDS else 0.0)
        return replace(timer, at=timer.started + min(seconds, left * PATIENCE_SHARE))

    @property
    def next_at(self) -> float | None:
        """When the earliest of these timers is over; None if the table waits for nothing."""
        return min((timer.at for timer in self.running if not _is_done(timer)), default=None)

    def expired_commands(self, now: float) -> list[tuple[Command, Actor]]:
        """What the clock submits now, for whom."""
        return [(timer.command, CLOCK) for timer in self.running if timer.at <= now and timer.command is not None]

    def without_expired(self, now: float) -> Timers:
        """The timers after the clock has submitted what was due; what the table still waits for is retried."""
        silent = {timer.who for timer in self.running if timer.at <= now and timer.kind in REQUIRED_KINDS}
        running = tuple(
            replace(timer, rang=True, at=now + RETRY if timer.command is not None else timer.at)
            if timer.at <= now
            else timer
            for timer in self.running
        )
        return replace(self, running=running, silent=self.silent | silent, stalled=self.stalled | silent)

    @property
    def held_acts(self) -> frozenset[str]:
        """The acts of the dealer that wait until somebody has chosen, or that person's time is over."""
        return frozenset(timer.holds for timer in self.running if timer.holds and not timer.rang)


def _key(timer: Timer) -> tuple[TimerKind, int, str, tuple[int, ...]]:
    """What makes two timers the same wait."""
    return timer.kind, timer.seat, timer.who, timer.moment


def _is_done(timer: Timer) -> bool:
    """Whether a timer has no further effect."""
    return timer.rang and timer.command is None


def _wait(rules: Rulebook, state: TableState, due: Due, now: float) -> Timer | None:
    """The wait for an act that is due, before its length is known; None for an act of the house."""
    shoe, round_, seat = state.shoe, state.round, due.seat
    moment: tuple[int, ...] = (shoe.number, round_.number)
    command: Command | None = None
    holds = ""
    match due.act:
        case "call_no_more_bets":
            kind, command = TimerKind.BETTING, CallNoMoreBets()
        case "answer_cut":
            kind, command = TimerKind.ANSWER, decline_offer(due)
            moment = (*moment, len(shoe.cut_offers))
        case "cut_cards" if seat != DEALER:
            kind, command = TimerKind.CUT, decline_offer(due)
            moment = (*moment, shoe.recuts, len(shoe.cut_offers))
        case "answer_shoe":
            kind, command = TimerKind.ANSWER, decline_offer(due)
            moment = (*moment, state.seats.passed_by or 0, len(state.seats.shoe_offers))
        case "draw_card" if seat != DEALER:
            kind, command = TimerKind.DEAL, OrderPass(seat=seat, reason=TIME_IS_OVER)
            moment = (*moment, len(round_.player), len(round_.banker))
        case "return_cards":
            kind, command = TimerKind.SQUEEZE, OrderRelinquish(seat=seat, reason=TIME_IS_OVER)
            moment = (*moment, len(round_.turned), len(round_.counted))
        case "answer_turn":
            kind, command = TimerKind.ANSWER, decline_offer(due)
            moment = (*moment, len(round_.turned), len(round_.offered))
        case "press_house_money" if _can_press(rules, state, seat):
            kind, holds = TimerKind.PRESS, "settle_house_money"
        case "contribute":
            held = shoe.commitment
            holds = "seal_order" if held is not None and held.order == 1 else "close_inputs"
            kind, seat, moment = TimerKind.CONTRIBUTE, DEALER, (shoe.number,)
        case _:
            assert due.by is not Role.PARTICIPANT or due.optional or due.act == "sit", f"nobody waits for {due.act}"
            return None
    person = state.at(seat)
    return Timer(
        kind=kind,
        seat=seat,
        who=person.who if person is not None else "",
        moment=moment,
        started=now,
        at=now,
        command=command,
        holds=holds,
    )


def _can_press(rules: Rulebook, state: TableState, seat: int) -> bool:
    """Whether a winner of House Money has a wager that it can be added to, and has not chosen yet."""
    law = rules.edition.house_money
    onto = law.press if law is not None else ()
    return seat not in state.round.presses and any(w.seat == seat and w.on.value in onto for w in state.round.wagers)
