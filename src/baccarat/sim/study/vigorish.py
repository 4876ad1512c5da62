"""Vigorish at payout or deferred, side by side: the same patrons over the same shoes, and what deferring changes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec
import numpy as np

from baccarat.law.check import check
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import open_book
from baccarat.sim.study.compiled_strategy import CompiledStrategy, compile_strategy, with_deferred_vigorish
from baccarat.sim.study.daemon import map_in_daemons
from baccarat.sim.study.moments import Moments
from baccarat.sim.study.patron_company import company_of
from baccarat.sim.study.patrons import PatronStudy, admit_patrons, plan_of, play_part
from baccarat.sim.study.seat_sums import ENDED, RUINED, STAKED, STAYED, SeatSums
from baccarat.sim.study.strategy import BadStrategy, Strategy
from baccarat.sim.threads import threads_within

WAYS = {"at_payout": "collected with the payout", "deferred": "deferred"}
COMPARED = (ENDED, RUINED, STAYED, STAKED)


class VigorishDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The mean difference, deferred minus at payout, session by session over the same shoes."""

    mean: float
    error: float | None
    """One standard error; None with one session, or if all of them differ equally."""


class SeatChange(msgspec.Struct, frozen=True, kw_only=True):
    """What deferring changes for one seat."""

    strategy: str
    result: VigorishDifference
    """Cents won in a session; vigorish that could not be collected stays with the patron."""
    ruined: VigorishDifference
    """The share of sessions that end in ruin."""
    stayed: VigorishDifference
    """Rounds at the table."""
    staked: VigorishDifference
    """Cents staked in a session: the handle."""


class VigorishStudy(msgspec.Struct, frozen=True, kw_only=True):
    """The same sessions played twice."""

    at_payout: PatronStudy
    deferred: PatronStudy
    changes: tuple[SeatChange, ...]
    """By seat."""


def study_vigorish(  # noqa: PLR0913  one argument for each setting
    rules: Rulebook,
    strategies: Sequence[Strategy],
    *,
    purse: int,
    seed: int,
    sessions: int,
    shoes: int = 4,
    goal: int | None = None,
    rounds: int | None = None,
    threads: int | None = None,
) -> VigorishStudy:
    """Let patrons play the same sessions twice: vigorish taken with each payout, and deferred.

    Whichever of the two the Submission elects, it must be allowed to elect the other.
    """
    strategies = company_of(rules, strategies)
    admit_both_ways(rules)
    sessions, shoes = admit_patrons(rules, strategies, purse, goal, sessions, shoes)
    made = _both_ways(rules, strategies)
    plan = plan_of(rules, made, purse=purse, goal=goal, seed=seed, first=0, sessions=sessions, shoes=shoes,
                   rounds=rounds)  # fmt: skip
    sums, seats, dealt = [SeatSums(rules, each, purse, goal) for each in made], len(strategies), 0
    differences = [Moments(len(COMPARED)) for _ in strategies]
    for part in map_in_daemons(partial(play_part, plan), plan.parts, threads=threads_within(threads)):
        dealt += part.rounds
        for k, each in enumerate(sums):
            each.add(part.out[k], part.fan[k])
        for k, found in enumerate(differences):
            found.add((part.out[seats + k] - part.out[k])[:, COMPARED].T.astype(np.float64))
    names = [each.name for each in strategies]
    ended = [each.seat(names[k % seats], plan.every) for k, each in enumerate(sums)]
    at_payout, deferred = (
        PatronStudy(seed=plan.seed, sessions=sessions, shoes=shoes, rounds=dealt, seats=tuple(half))
        for half in (ended[:seats], ended[seats:])
    )
    changes = tuple(_change(name, found) for name, found in zip(names, differences, strict=True))
    return VigorishStudy(at_payout=at_payout, deferred=deferred, changes=changes)


def admit_both_ways(rules: Rulebook) -> None:
    """Refuse a Submission that takes no vigorish, or that could not elect both ways to collect it, with the clause.

    The same Submission with the other election is checked against its edition; what a round record implies is
    checked as such, because it says nothing about the felt.
    """
    stated = {key: value for key, value in rules.submission.items() if key != "ruleset"}
    filed = not check(rules.edition, stated).faults
    for way, word in WAYS.items():
        for fault in check(rules.edition, {**stated, "vig_collection": way}, filed=filed).faults[:1]:
            if not open_book(rules).vig_rate:
                none = "no vigorish is taken under this Submission, to be collected sooner or later"
                raise BadStrategy(f"{none}: {fault}")
            raise BadStrategy(f"vigorish cannot be {word} under this Submission: {fault}")


def _both_ways(rules: Rulebook, strategies: Sequence[Strategy]) -> tuple[CompiledStrategy, ...]:
    """All with vigorish at payout, then all with it deferred."""
    at_once = [compile_strategy(rules, each, deferred=False) for each in strategies]
    later = (with_deferred_vigorish(rules, each, made) for each, made in zip(strategies, at_once, strict=True))
    return (*at_once, *later)


def _change(strategy: str, found: Moments) -> SeatChange:
    figures = zip(found.mean(), found.errors(), strict=True)
    result, ruined, stayed, staked = (VigorishDifference(mean=float(mean), error=error) for mean, error in figures)
    return SeatChange(strategy=strategy, result=result, ruined=ruined, stayed=stayed, staked=staked)
