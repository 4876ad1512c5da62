"""Patrons: seats with strategies over many sessions: what they win, how they are ruined, how long they stay."""

# ruff: noqa: PLR0913, PLR0917

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from baccarat.law.rulebook import Rulebook
from baccarat.odds.gain import gain, stake_refused
from baccarat.play.book import Book, open_book
from baccarat.play.wager import Kind
from baccarat.sim.study.counts import balanced
from baccarat.sim.study.daemon import in_daemons
from baccarat.sim.study.record import AT_ONCE, Records, admit, block_of
from baccarat.sim.study.strategy import BadStrategy, Strategy, check, compiled_function, wagers_of
from baccarat.sim.study.table import CASES, Integers, pay_of, verdicts_by_case
from baccarat.sim.threads import processors

if TYPE_CHECKING:
    from baccarat.sim.study.seat import Pays

PERCENTILES = (5, 25, 50, 75, 95)
POINTS = 33
FANNED = 20_000
"""Sessions of which the whole path is kept for the fan."""
RICH = 1 << 60
MOST_SESSIONS = 10_000_000
MOST_SEATS = 14


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the patrons of one seat."""

    strategy: str
    purse: int
    goal: int | None
    """In cents; None where nobody leaves because he has won."""
    sessions: int
    result: float
    """Cents won in a session, in the mean."""
    error: float
    deviation: float
    ruined: float
    """The share of sessions that ended because the purse could not cover the stake."""
    reached: float
    """The share that reached the goal."""
    stayed: float
    """Rounds at the table, in the mean."""
    staked: float
    """Cents staked in a session, in the mean."""
    fan: dict[int, tuple[tuple[int, int], ...]]
    """By percentile, (rounds, purse in cents) in the course of the session."""


class PatronStudy(msgspec.Struct, frozen=True, kw_only=True):
    """Many sessions of a table with its patrons."""

    seed: int
    sessions: int
    shoes: int
    """Of a session."""
    rounds: int
    """Dealt in all."""
    seats: tuple[Seat, ...]


class Data(NamedTuple):
    """A strategy that is data, as the compiled seat takes it."""

    numbers: Integers
    stakes: Integers
    gains: Integers
    kind: NDArray[np.uint16]
    tags: Integers


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
    """Let patrons play so many sessions of so many shoes, all from one purse each.

    A function that never returns cannot be stopped from outside; Ctrl-C ends the wait for it, and so the program.
    """
    book = open_book(rules)
    _check(rules, strategies, purse, goal, sessions, shoes)
    admit(book, seed, first, sessions * shoes, rounds)
    made = [prepared(rules, each) for each in strategies]
    pays = pays_of(rules)
    at_once = max(1, AT_ONCE // shoes)
    jobs = [(start, min(at_once, sessions - start)) for start in range(0, sessions, at_once)]
    longest = shoes * (rounds or 52 * int(rules.elects("decks")) // 5 + 1)  # rounds of about five cards

    def work(job: tuple[int, int]) -> _Part:
        start, number = job
        block = block_of(book, seed, first + start * shoes, number * shoes, rounds or 0)
        part = _Part.empty(start, number, len(made), longest)
        for k, each in enumerate(made):
            _play(book, each, pays, block, shoes, purse, goal, part, k)
        return part._replace(rounds=block.rows)

    parts = in_daemons(work, jobs, threads=threads or processors())
    seats = tuple(_seat(parts, k, each, purse, goal) for k, each in enumerate(strategies))
    return PatronStudy(
        seed=seed, sessions=sessions, shoes=shoes, rounds=sum(part.rounds for part in parts), seats=seats
    )


def _check(
    rules: Rulebook, strategies: Sequence[Strategy], purse: int, goal: int | None, sessions: int, shoes: int
) -> None:  # fmt: skip
    most = min(MOST_SEATS, rules.elections.seats or MOST_SEATS)
    if not 1 <= len(strategies) <= most:
        raise BadStrategy(f"{len(strategies)} patrons: the table has seats for 1 to {most}")
    if not 1 <= sessions <= MOST_SESSIONS or not 1 <= shoes <= 1000:
        raise BadStrategy(f"1 to {MOST_SESSIONS:,} sessions of 1 to 1,000 shoes, not {sessions:,} of {shoes:,}")
    if not 1 <= purse < RICH or (goal is not None and goal <= purse):
        raise BadStrategy("a purse holds something, and a goal is more than the purse")
    for each in strategies:
        check(rules, each)


def prepared(rules: Rulebook, strategy: Strategy) -> Data | tuple[Any, Integers, int]:
    """A strategy made ready: tables for data; a compiled function, its tags and whether it counts."""
    from baccarat.sim.study import seat as compiled  # noqa: PLC0415  numba takes up to a second to import
    from baccarat.sim.study.counting import in_thousandths  # noqa: PLC0415

    tags = balanced(strategy.tags or {})
    if strategy.function is not None:
        return compiled_function(strategy), tags, int(strategy.tags is not None)
    book, steps = open_book(rules), _steps(strategy)
    gains = np.array([gains_by_case(book, step) for step in steps])
    found, kind = np.unique(gains, axis=1, return_inverse=True)
    numbers = np.zeros(6, np.int64)
    numbers[[compiled.COUNTS, compiled.INDEX]] = strategy.tags is not None, in_thousandths(strategy.index)
    numbers[[compiled.STEPS, compiled.LOSS, compiled.WIN]] = len(steps), strategy.after_loss, strategy.after_win
    numbers[compiled.STAY] = strategy.stay_on_top
    stakes = np.array([sum(step.values()) for step in steps])
    return Data(numbers, stakes, np.ascontiguousarray(found), kind.reshape(-1).astype(np.uint16), tags)


def _steps(strategy: Strategy) -> list[dict[Kind, int]]:
    """What lies on the table at each step of a strategy; fixed stakes are a ladder of one step."""
    on = strategy.on
    return [{on: stake} for stake in strategy.ladder] if on is not None else [dict(strategy.stakes)]


def gains_by_case(book: Book, stakes: dict[Kind, int]) -> list[int]:
    """What some stakes gain together in each case, as the table settles them; nought where no round ends so."""
    total = [0] * CASES
    for on, stake in stakes.items():
        exempt = book.exempts(stake, stakes)
        known: dict[int, int] = {}  # a wager has few verdicts and many cases
        for case, verdict in verdicts_by_case(book, on):
            if id(verdict) not in known:
                known[id(verdict)] = gain(book, verdict, stake, exempt=exempt)
            total[case] += known[id(verdict)]
    return total


def pays_of(rules: Rulebook) -> Pays:
    """How the wagers of a rulebook are settled, for the compiled seats."""
    from baccarat.sim.study.seat import Pays  # noqa: PLC0415

    book, wagers = open_book(rules), wagers_of(rules)
    pay = pay_of(book, wagers)
    rows = np.stack([pay.result.astype(np.int64), pay.to, pay.one, pay.vigorish.astype(np.int64)])
    kind, classes = np.zeros(pay.result.shape, np.uint8), []
    for k in range(len(wagers)):
        found, kind[k] = np.unique(rows[:, k], axis=1, return_inverse=True)
        classes.append(found)
    most = max(each.shape[1] for each in classes)
    padded = np.stack([np.pad(each, ((0, 0), (0, most - each.shape[1])), mode="edge") for each in classes])
    limits = [book.limits.get(each) for each in wagers]
    steps = [(limit.min, limit.max, limit.increment) if limit is not None else (1, RICH, 1) for limit in limits]
    result, to, one, vigorish = (np.ascontiguousarray(padded[:, part]) for part in range(4))
    exempts = np.array([int(each in book.exempt) for each in wagers])
    return Pays(kind, result, to, one, vigorish, np.array(steps), exempts, book.vig_rate, book.vig_coin)


class _Part(NamedTuple):
    """Some of the sessions, by seat."""

    first: int
    rounds: int
    out: Integers
    """[seat, session]: purse, rounds stayed, staked, whether ruined."""
    fan: Integers
    """[seat, session, point]"""
    every: int

    @staticmethod
    def empty(first: int, sessions: int, seats: int, longest: int) -> _Part:
        fanned = max(0, min(sessions, FANNED - first))
        every = max(1, -(-longest // (POINTS - 1)))
        out = np.zeros((seats, sessions, 4), np.int64)
        return _Part(first, 0, out, np.zeros((seats, fanned, POINTS), np.int64), every)


def _play(
    book: Book, made: Data | tuple[Any, Integers, int], pays: Pays, block: Records, shoes: int, purse: int,
    goal: int | None, part: _Part, k: int,
) -> None:  # fmt: skip
    """Let one seat play its sessions over the rounds of a block."""
    from baccarat.sim.study.seat import play_data, play_function  # noqa: PLC0415

    dealt = (block.starts, block.shown, block.hidden, block.cards, block.case)
    cards, aim, out, fan = 52 * int(book.rules.elects("decks")), goal or RICH, part.out[k], part.fan[k]
    if isinstance(made, Data):
        play_data(dealt, shoes, cards, *made, purse, aim, part.every, out, fan)
        return
    function, tags, counts = made
    reached = np.zeros(2, np.int64)
    try:
        refused = play_function(
            function, dealt, shoes, cards, counts, pays, tags, purse, aim, part.every, out, fan, reached
        )
    except Exception as error:  # whatever the patron's own function raises
        session, since = map(int, reached)
        raise BadStrategy(
            f"seat {k + 1}, session {part.first + session}, round {since + 1}: the strategy's function raised "
            f"{type(error).__name__}: {error}"
        ) from error
    session, wager, stake = map(int, refused)
    if session >= 0:
        on = wagers_of(book.rules)[wager]
        why = stake_refused(book, on, stake) or f"{stake} is no stake"
        raise BadStrategy(f"seat {k + 1}, session {part.first + session}: {stake} cents on {on.word}: {why}")


def _seat(parts: Sequence[_Part], k: int, strategy: Strategy, purse: int, goal: int | None) -> Seat:
    ended = np.concatenate([part.out[k] for part in parts])
    won = ended[:, 0] - purse
    fan = np.concatenate([part.fan[k] for part in parts])
    levels = np.percentile(fan, PERCENTILES, axis=0, method="inverted_cdf").astype(np.int64)
    points = [parts[0].every * point for point in range(POINTS)]
    deviation = float(won.std(ddof=1)) if len(won) > 1 else 0.0
    return Seat(
        strategy=strategy.name, purse=purse, goal=goal, sessions=len(won),
        result=float(won.mean()), error=deviation / sqrt(len(won)), deviation=deviation,
        ruined=float(ended[:, 3].mean()),
        reached=0.0 if goal is None else float(np.mean(won + purse >= goal)),
        stayed=float(ended[:, 1].mean()),
        staked=float(ended[:, 2].mean()),
        fan={
            percent: tuple(zip(points, row.tolist(), strict=True))
            for percent, row in zip(PERCENTILES, levels, strict=True)
        },
    )  # fmt: skip
