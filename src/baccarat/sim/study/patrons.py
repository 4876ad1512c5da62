"""Patrons: seats with strategies over many sessions: what they win, how they are ruined, how long they stay."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.odds.gain import stake_refused
from baccarat.play.book import Book, open_book
from baccarat.sim.study.record import AT_ONCE, admit, block_of
from baccarat.sim.study.strategy import RESET, BadStrategy, Strategy, check, compiled_function, wagers_of
from baccarat.sim.study.table import RANKS, Integers, pay_of, table_of

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
    purse: Cents
    goal: Cents | None
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


class _Company(NamedTuple):
    """The strategies of a table, as the compiled seats take them."""

    numbers: Integers
    amounts: Integers
    tags: Integers
    functions: Any
    purses: Integers
    goals: Integers


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
    """Let patrons play so many sessions of so many shoes, all from one purse each."""
    book = open_book(rules)
    _check(rules, strategies, purse, goal, sessions, shoes)
    admit(book, seed, first, sessions * shoes, rounds)
    company, pays = _company(rules, strategies, purse, goal), pays_of(rules)
    at_once = max(1, AT_ONCE // shoes)
    jobs = [(start, min(at_once, sessions - start)) for start in range(0, sessions, at_once)]
    longest = shoes * (rounds or 110)

    def work(job: tuple[int, int]) -> _Part:
        return _play(book, company, pays, (seed, first + job[0] * shoes, shoes, rounds or 0), job, longest)

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        parts = list(pool.map(work, jobs))
    for part in parts:
        _refuse(book, rules, strategies, part)
    seats = tuple(_seat(parts, k, each, purse, goal) for k, each in enumerate(strategies))
    return PatronStudy(seed=seed, sessions=sessions, shoes=shoes, rounds=sum(part.rounds for part in parts), seats=seats)


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


def _company(rules: Rulebook, strategies: Sequence[Strategy], purse: int, goal: int | None) -> _Company:
    from baccarat.sim.study import seat as compiled  # noqa: PLC0415  numba takes up to a second to import

    wagers, seats = wagers_of(rules), len(strategies)
    numbers, amounts = np.zeros((seats, 8), np.int64), np.zeros((seats, 32), np.int64)
    tags, functions = np.zeros((seats, 13), np.int64), []
    for k, each in enumerate(strategies):
        if each.tags is not None:
            numbers[k, compiled.COUNTS], numbers[k, compiled.INDEX] = 1, round(1000 * each.index)
            tags[k] = [each.tags.get(rank, 0) for rank in RANKS]
        if each.function is not None:
            numbers[k, compiled.MODE] = compiled.FUNCTION
        elif each.ladder and each.on is not None:
            row = (compiled.LADDER, wagers.index(each.on), len(each.ladder), each.after_loss, each.after_win)
            numbers[k, [compiled.MODE, compiled.ON, compiled.STEPS, compiled.LOSS, compiled.WIN]] = row
            numbers[k, compiled.STAY] = each.stay_on_top
            amounts[k, : len(each.ladder)] = each.ladder
        else:
            amounts[k, : len(wagers)] = [each.stakes.get(kind, 0) for kind in wagers]
        functions.append(compiled_function(each if each.function is not None else _NOBODY))
    assert RESET < -32, "back to the first step, however long the ladder"
    purses, goals = np.full(seats, purse), np.full(seats, RICH if goal is None else goal)
    return _Company(numbers, amounts, tags, tuple(functions), purses, goals)


def _nothing(_table: Any, _own: Any, _stakes: Any) -> None:
    """Stake nothing."""


_NOBODY = Strategy(name="nobody", function=_nothing)


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
    """Some of the sessions: [session, seat]."""

    first: int
    rounds: int
    refused: tuple[int, int, int, int, int]
    purse: Integers
    stayed: Integers
    staked: Integers
    ruined: Integers
    fan: Integers
    every: int


def _play(
    book: Book, company: _Company, pays: Pays, where: tuple[int, int, int, int], job: tuple[int, int], longest: int
) -> _Part:  # fmt: skip
    from baccarat.sim.study.seat import sit  # noqa: PLC0415

    (seed, first, shoes, rounds), (start, sessions), seats = where, job, len(company.purses)
    block, every = block_of(book, seed, first, sessions * shoes, rounds), max(1, -(-longest // (POINTS - 1)))
    shape = (sessions, seats)
    purse, stayed, staked, ruined = (np.zeros(shape, np.int64) for _ in range(4))
    fan = np.zeros((max(0, min(sessions, FANNED - start)), seats, POINTS), np.int64)
    cards = 52 * int(book.rules.elects("decks"))
    refused = sit(
        block.starts, block.burned, table_of(book).burn, block.cards, block.case, shoes, cards, company.numbers,
        company.amounts, company.tags, company.functions, pays, company.purses, company.goals, POINTS, every, purse,
        stayed, staked, ruined, fan,
    )  # fmt: skip
    return _Part(start, block.rows, refused, purse, stayed, staked, ruined, fan, every)


def _refuse(book: Book, rules: Rulebook, strategies: Sequence[Strategy], part: _Part) -> None:
    found, session, seat, wager, stake = part.refused
    if not found:
        return
    on = wagers_of(rules)[wager]
    why = stake_refused(book, on, stake) or f"{stake} is no stake"
    name, number = strategies[seat].name, part.first + session
    raise BadStrategy(f"{name}, seat {seat + 1}, session {number}: it put {stake} cents on {on.word}: {why}")


def _seat(parts: Sequence[_Part], k: int, strategy: Strategy, purse: int, goal: int | None) -> Seat:
    won = np.concatenate([part.purse[:, k] for part in parts]) - purse
    fan = np.concatenate([part.fan[:, k] for part in parts])
    levels = np.percentile(fan, PERCENTILES, axis=0, method="inverted_cdf").astype(np.int64)
    points = [parts[0].every * point for point in range(POINTS)]
    deviation = float(won.std(ddof=1)) if len(won) > 1 else 0.0
    return Seat(
        strategy=strategy.name, purse=Cents(purse), goal=None if goal is None else Cents(goal), sessions=len(won),
        result=float(won.mean()), error=deviation / sqrt(len(won)), deviation=deviation,
        ruined=float(np.mean(np.concatenate([part.ruined[:, k] for part in parts]))),
        reached=0.0 if goal is None else float(np.mean(won + purse >= goal)),
        stayed=float(np.mean(np.concatenate([part.stayed[:, k] for part in parts]))),
        staked=float(np.mean(np.concatenate([part.staked[:, k] for part in parts]))),
        fan={
            percent: tuple(zip(points, row.tolist(), strict=True))
            for percent, row in zip(PERCENTILES, levels, strict=True)
        },
    )  # fmt: skip
