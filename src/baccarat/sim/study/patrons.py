"""Patrons: seats with strategies over many sessions: what they win, how often they are ruined, how long they stay."""

# ruff: noqa: PLR0913

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import msgspec
import numpy as np

from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.odds.gain import stake_objection
from baccarat.play.book import Book, open_book
from baccarat.sim.stream import source_of
from baccarat.sim.study.book_arrays import Integers
from baccarat.sim.study.compiled_strategy import UNLIMITED, CompiledStrategy, compile_strategy, must_pay
from baccarat.sim.study.daemon import map_in_daemons
from baccarat.sim.study.patron_company import admit_company, company_of
from baccarat.sim.study.round_columns import AT_ONCE, RoundColumns, admit, block_of
from baccarat.sim.study.seat_conflicts import NotTogether, conflict_refusal
from baccarat.sim.study.seat_sums import COLUMNS, POINTS, SeatSums, SeatTotals
from baccarat.sim.study.strategy import BadStrategy, Strategy, check_sum, wagers_of
from baccarat.sim.threads import threads_within
from baccarat.values import whole_within

FAN_SESSIONS = 20_000
"""Sessions whose whole path is stored for the fan chart."""
NO_GOAL = 1 << 62
"""As a goal: more than any purse below `UNLIMITED` can reach."""
MOST_SESSIONS = 10_000_000


class PatronStudy(msgspec.Struct, frozen=True, kw_only=True):
    """Many sessions of a table with its patrons."""

    seed: int
    sessions: int
    shoes: int
    """Of a session."""
    rounds: int
    """Dealt in all."""
    seats: tuple[SeatTotals, ...]


class _PatronPlan(NamedTuple):
    """What is played: by whom, with what purse, from which shoe on."""

    book: Book
    made: tuple[CompiledStrategy, ...]
    purse: int
    goal: int | None
    seed: int
    first: int
    sessions: int
    shoes: int
    rounds: int
    every: int

    @property
    def sessions_a_part(self) -> int:
        """Sessions of one part."""
        return max(1, AT_ONCE // self.shoes)

    @property
    def parts(self) -> range:
        """The numbers of all parts."""
        return range(-(-self.sessions // self.sessions_a_part))


class SessionBlock(NamedTuple):
    """Some of the sessions, by seat."""

    rounds: int
    out: Integers
    """[seat, session, column], as the compiled seats note them."""
    fan: Integers
    """[seat, session, point], of the first sessions of all."""


def study_patrons(
    rules: Rulebook,
    strategies: Sequence[Strategy],
    *,
    purse: int,
    seed: int,
    sessions: int,
    shoes: int = 4,
    goal: int | None = None,
    rounds: int | None = None,
    first: int = 0,
    threads: int | None = None,
) -> PatronStudy:
    """Let patrons play `sessions` sessions of `shoes` shoes, each from one purse.

    Vigorish is collected as the Submission elects: with the payout, or marked and collected at the end of the shoe and
    when the patron leaves; where the next shoe waits for it, a patron who cannot pay leaves. Only sums over the
    sessions are stored, and the paths of the first ones. A function that never returns cannot be stopped from outside;
    Ctrl-C ends the wait for it, and so the program.
    """
    strategies = company_of(rules, strategies)
    sessions, shoes = admit_patrons(rules, strategies, purse, goal, sessions, shoes)
    made = tuple(compile_strategy(rules, each) for each in strategies)
    plan = plan_of(rules, made, purse=purse, goal=goal, seed=seed, first=first, sessions=sessions, shoes=shoes,
                   rounds=rounds)  # fmt: skip
    sums = [SeatSums(rules, each, purse, goal) for each in made]
    dealt = 0
    for part in map_in_daemons(partial(play_part, plan), plan.parts, threads=threads_within(threads)):
        dealt += part.rounds
        for k, each in enumerate(sums):
            each.add(part.out[k], part.fan[k])
    seats = tuple(found.seat(each.name, plan.every) for found, each in zip(sums, strategies, strict=True))
    return PatronStudy(seed=plan.seed, sessions=sessions, shoes=shoes, rounds=dealt, seats=seats)


def admit_patrons(
    rules: Rulebook, strategies: Sequence[Strategy], purse: int, goal: int | None, sessions: int, shoes: int
) -> tuple[int, int]:  # fmt: skip
    """Refuse what cannot be played, before any card is dealt; sessions and shoes as Python integers."""
    numbers = (
        whole_within("sessions", sessions, least=1, most=MOST_SESSIONS),
        whole_within("shoes", shoes, least=1, most=1000),
    )
    check_sum("purse", purse, least=1, most=UNLIMITED - 1)
    if goal is not None:
        check_sum("goal", goal, least=1, most=NO_GOAL - 1)
        if goal <= purse:
            raise BadStrategy(f"goal: {Cents(goal)}; expected more than the purse, {Cents(purse)}")
    admit_company(rules, strategies)
    return numbers


def plan_of(
    rules: Rulebook, made: tuple[CompiledStrategy, ...], *, purse: int, goal: int | None, seed: int, first: int,
    sessions: int, shoes: int, rounds: int | None,
) -> _PatronPlan:  # fmt: skip
    """Everything that a part of the sessions needs to be played."""
    book = open_book(rules)
    asked = admit(book, seed, first, sessions * shoes, rounds)
    longest = shoes * (asked.rounds or source_of(book).size // 5 + 1)  # rounds of about five cards
    every = max(1, -(-longest // (POINTS - 1)))
    return _PatronPlan(book, made, purse, goal, asked.seed, asked.first, sessions, shoes, asked.rounds or 0, every)


def play_part(plan: _PatronPlan, number: int) -> SessionBlock:
    """Play one part of the sessions, all seats one after the other."""
    start = number * plan.sessions_a_part
    sessions = min(plan.sessions_a_part, plan.sessions - start)
    block = block_of(plan.book, plan.seed, plan.first + start * plan.shoes, sessions * plan.shoes, plan.rounds)
    out = np.zeros((len(plan.made), sessions, COLUMNS), np.int64)
    fan = np.zeros((len(plan.made), max(0, min(sessions, FAN_SESSIONS - start)), POINTS), np.int64)
    for k, each in enumerate(plan.made):
        _play(plan, each, block, start, k, out[k], fan[k])
    return SessionBlock(block.rows, out, fan)


def _play(
    plan: _PatronPlan, made: CompiledStrategy, block: RoundColumns, start: int, k: int, out: Integers, fan: Integers
) -> None:
    """Let one seat play its sessions over the rounds of a block."""
    from baccarat.sim.study.seat_kernel import play_data, play_function  # noqa: PLC0415

    book = plan.book
    cards, goal = source_of(book).size, plan.goal or NO_GOAL
    if made.data is not None:
        dealt = (block.starts, block.shown, block.hidden, block.cards, made.cases_of(block))
        play_data(dealt, plan.shoes, cards, *made.data, plan.purse, goal, plan.every, out, fan)
        return
    dealt = (block.starts, block.shown, block.hidden, block.cards, block.case)
    reached = np.zeros(2, np.int64)
    try:
        refused = play_function(
            made.function, dealt, plan.shoes, cards, int(made.counts), made.pays, made.pressed_in(block),
            int(made.deferred), int(must_pay(book)), made.tags, plan.purse, goal, plan.every, out, fan, reached,
        )  # fmt: skip
    except NotTogether as error:
        one, other = error.args
        why = conflict_refusal(book, k + 1, (one, other))
        raise BadStrategy(f"seat {k + 1}, session {start + int(reached[0])}: {why}") from None
    except Exception as error:  # anything that the patron's own function raises
        session, since = map(int, reached)
        raise BadStrategy(
            f"seat {k + 1}, session {start + session}, round {since + 1}: the strategy's function raised "
            f"{type(error).__name__}: {error}"
        ) from error
    session, wager, stake = map(int, refused)
    if session >= 0:
        on = wagers_of(book.rules)[wager]
        why = stake_objection(book, on, stake) or f"{stake} is not a stake"
        raise BadStrategy(f"seat {k + 1}, session {start + session}: {stake} cents on {on.word}: {why}")
