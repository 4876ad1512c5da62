"""The meters of a progressive over tables and days: their path, what is awarded, the reserve, and the Must Hit.

The shoes are those that the tables deal: their opening hands, suits included, say who wins what. Each table has meters
of its own, or all of them share one link (`house.progressive`, `house.must_hit`); see `meter_path` for two tables that
win in the same round. Results are given next to what the exact chances of a full shoe say.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import msgspec
import numpy as np

from baccarat.law.rulebook import Rulebook
from baccarat.money import MICRO
from baccarat.odds.must_hit import must_hit
from baccarat.odds.royal9 import opening_hands
from baccarat.play.book import open_book
from baccarat.play.wager.royal9 import progressive
from baccarat.sim.job import book_of
from baccarat.sim.study.book_arrays import Integers
from baccarat.sim.study.meter_chance import Chances, awards_expected, exact_edge, tables_in_step
from baccarat.sim.study.meter_path import (
    Events,
    Hits,
    MeterPath,
    MeterSeats,
    by_round,
    must_hit_path,
    must_hit_variance,
    pay_of,
)
from baccarat.sim.study.moments import by_percentile
from baccarat.sim.study.opening_hands import ALL_HANDS, openings
from baccarat.sim.study.round_columns import admit, by_days
from baccarat.values import as_tuple, expect, whole_number, whole_within

MOST_DAYS = 1_000_000
"""Days of all tables together."""
MOST_SHOES = 100
"""Shoes of a table's day."""
POINTS = 400
"""The most moments, besides the first, at which a meter's path is stored."""


class AwardedRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the pay table: how many wagers won it, and how much in all, in cents."""

    row: str
    times: int
    paid: int
    expected: float
    """How often it is won on average, by the exact chances."""
    deviation: float
    """One exact deviation of that number: chairs that share a winning hand win together."""
    z: float
    """How many deviations more often than expected it was won."""


class MeterFound(msgspec.Struct, frozen=True, kw_only=True):
    """One meter, or those of this name at all tables; sums in cents."""

    name: str
    awards: int
    """How often all or a part of it was paid; seats that share an award count once."""
    expected: float
    deviation: float
    z: float | None
    """None if no number of awards could differ from what is expected."""
    shared: int
    """Awards that tables of a link shared."""
    paid: int
    highest: int
    """The largest award."""
    longest: int
    """The most rounds in a row without an award, of a table or of the link; from the beginning, and to the end."""
    left: int
    """What is shown at the end, at all tables or of the link."""
    path: dict[int, tuple[tuple[int, int], ...]]
    """(Day, cents shown at its end) by percentile over the tables; the one path under 50 where there are no others."""


class MustHitFound(msgspec.Struct, frozen=True, kw_only=True):
    """The Must Hit; sums in cents. Rounds are those of tables: of tables that share it, one after the other."""

    hits: int
    paid: int
    runs: int
    """How often it was started: runs that ended with a hit, and the current run of each meter."""
    mean_rounds: float
    """Mean rounds from a start to a hit over all runs, since every trigger is known once it is sealed. The mean of
    only those that ended with a hit would be too short: the runs that are not over tend to be long."""
    exact_rounds: float
    """The same by the exact chances."""
    error: float
    """One standard error of the mean of `runs` runs, by the exact chances."""
    z: float | None
    """How many standard errors the mean of all runs lies above the exact one; None if all runs are alike."""
    shortest: int | None
    """Of the runs that ended with a hit; None if there was none."""
    longest: int | None
    fed: int
    """Put in by wagers."""
    seeded: int
    """Put in by the house, including the first start."""
    left: int
    """What is shown at the end, at all tables or of the link."""

    @property
    def is_conserved(self) -> bool:
        """Whether everything that went in came out or is still there."""
        return self.fed + self.seeded == self.paid + self.left


class MeterStudy(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to the meters of all tables; sums in cents except those named micro."""

    tables: int
    is_linked: bool
    """Whether the tables share their meters."""
    rounds: int
    """Of all tables."""
    wagers: int
    staked: int
    returned: int
    """Stakes that came back with prizes, where that is elected."""
    awarded: tuple[AwardedRow, ...]
    paid: int
    """All awards except those of the Must Hit."""
    meters: tuple[MeterFound, ...]
    added_micro: int
    """What wagers put into the meters and the reserve."""
    seeds_micro: int
    """What the house put up in addition to the reserve, including the first seeds."""
    paid_micro: int
    """What meters paid."""
    left_micro: int
    """What the meters hold at the end."""
    reserve_micro: int
    edge: float
    """Of a unit staked, what is left to the house after prizes, contributions and new seeds; without the Must Hit."""
    exact_edge: float | None
    """The same by the exact chances; None if a reserve pays seeds, or meters are refilled after a partial award."""
    edge_error: float | None
    edge_z: float | None
    must_hit: MustHitFound | None

    @property
    def won(self) -> int:
        """What the house won, in cents: stakes less all that was paid. What the meters hold is not paid yet."""
        return self.staked - self.returned - self.paid - (self.must_hit.paid if self.must_hit is not None else 0)

    @property
    def is_conserved(self) -> bool:
        """Whether everything that went into the meters and the reserve came out or is still there."""
        return self.seeds_micro + self.added_micro == self.paid_micro + self.left_micro + self.reserve_micro


class _DealtHands(NamedTuple):
    """What the cards alone decide."""

    rounds: Integers
    """[table, day]."""
    hands: Integers
    """How often each pair of opening hands came, except those without a Royal 9."""
    paid: Integers
    """[table, day]: fixed prizes and stakes that come back with a prize, in cents."""
    events: Events


def with_wins(
    rules: Rulebook, *, seats: Sequence[int], seed: int, tables: int, days: int, shoes: int, link: bool
) -> tuple[MeterStudy, Integers]:  # fmt: skip
    """The same, and [table, day] what the house won with the progressive, in cents."""
    tables, days, shoes = checked_days(tables, days, shoes)
    seats = check_chairs(rules, seats)
    expect(link, bool, "True or False for the link")
    seed = admit(open_book(rules), seed, 0, tables * days * shoes, None).seed
    progress = progressive(rules)
    assert progress is not None, "chairs have been checked"
    groups = (range(tables),) if link else tuple(range(table, table + 1) for table in range(tables))
    asked = MeterSeats(rules, progress, tuple(sorted(seats)), pay_of(progress, seats), groups)
    dealt = _deal(asked, seed, tables, days, shoes)
    paths, lines, by_meters = _walk(asked, dealt)
    hits, by_hits = _must_hit(asked, dealt.rounds, seed)
    staked = dealt.rounds * (len(seats) * progress.stake)
    return _study_result(asked, dealt, paths, lines, hits), staked - dealt.paid - by_meters - by_hits


def checked_days(tables: int, days: int, shoes: int) -> tuple[int, int, int]:
    """Tables, days and the shoes of a table's day, as Python integers; what is too much is refused."""
    tables = whole_within("tables", tables, least=1, most=MOST_DAYS)
    days = whole_within("days", days, least=1, most=MOST_DAYS)
    if tables * days > MOST_DAYS:
        most = f"{MOST_DAYS:,} days of all tables together"
        raise ValueError(f"{tables:,} tables over {days:,} days: expected {most} at most")
    return tables, days, whole_within("shoes", shoes, least=1, most=MOST_SHOES)


def check_chairs(rules: Rulebook, seats: Any) -> tuple[int, ...]:
    """The chairs; a progressive that is not offered is refused, and chairs that cannot make its wager."""
    book_of(rules)
    chairs = tuple(whole_number("chair", each) for each in as_tuple("chairs", seats))
    if len(set(chairs)) < len(chairs):
        raise ValueError(f"chairs {', '.join(map(str, chairs))}: a chair makes the progressive wager once")
    opening_hands(rules, chairs)
    return chairs


def _deal(asked: MeterSeats, seed: int, tables: int, days: int, shoes: int) -> _DealtHands:
    """Deal all shoes, block by block, and store only the rounds that win something out of a meter."""
    parts = by_days(lambda block: _days(asked, seed, block, shoes), days=tables * days, shoes=shoes)
    events = Events(*(np.concatenate(column) for column in zip(*(part.events for part in parts), strict=True)))
    return _DealtHands(
        np.concatenate([part.rounds for part in parts]).reshape(tables, days),
        sum((part.hands for part in parts), start=np.zeros(ALL_HANDS, np.int64)),
        np.concatenate([part.paid for part in parts]).reshape(tables, days),
        events,
    )


def _days(asked: MeterSeats, seed: int, days: range, shoes: int) -> _DealtHands:
    """Some days of tables."""
    found, pay = openings(open_book(asked.rules), seed, days.start * shoes, len(days) * shoes), asked.pay
    rounds = found.rounds.reshape(len(days), shoes)
    before = (np.cumsum(rounds, axis=1) - rounds).reshape(-1)  # rounds of the day before each shoe
    day = found.shoe // shoes
    paid = pay.fixed + (pay.wins * asked.progress.stake if asked.progress.returns_stake else 0)
    sums = np.zeros(len(days), np.int64)
    np.add.at(sums, day, paid[found.hands])
    from_meter = np.zeros(ALL_HANDS, np.bool_)
    from_meter[list(pay.meters)] = True
    kept = np.flatnonzero(from_meter[found.hands])
    events = Events(days.start + day[kept], before[found.shoe[kept]] + found.number[kept], found.hands[kept])
    return _DealtHands(rounds.sum(axis=1), np.bincount(found.hands, minlength=ALL_HANDS), sums, events)


def _walk(asked: MeterSeats, dealt: _DealtHands) -> tuple[list[MeterPath], Integers, Integers]:
    """Every progressive through the days: its end, [progressive, moment, meter] its path, and what meters paid."""
    tables, days = dealt.rounds.shape
    moments = moments_of(days)
    shown = np.empty((len(asked.groups), len(moments), len(asked.progress.meters)), np.int64)
    paths, paid = [], np.zeros((days, tables), np.int64)
    for index, group in enumerate(asked.groups):
        path = MeterPath(asked, group)
        shown[index, 0], kept = path.displayed_cents(), 1
        for day, events in enumerate(by_round(dealt.events, days, group)):
            path.day(dealt.rounds[group.start : group.stop, day], events, paid[day])
            if day + 1 == moments[kept]:
                shown[index, kept], kept = path.displayed_cents(), kept + 1
        path.end()
        paths.append(path)
    return paths, shown, paid.T


def moments_of(days: int) -> list[int]:
    """The days at whose end a meter's path is stored: zero for the beginning, all if they are few, and the last."""
    every = -(-days // POINTS)
    return [*range(0, days, every), days]


def _must_hit(asked: MeterSeats, rounds: Integers, seed: int) -> tuple[list[Hits], Integers]:
    """The Must Hit of every progressive, if there is one that is fed, and [table, day] what it paid."""
    terms, paid = asked.rules.elections.must_hit, np.zeros(rounds.shape, np.int64)
    if terms is None or not terms.contribution:
        return [], paid
    chance, found = np.random.Generator(np.random.SFC64(seed)), []
    for group in asked.groups:
        hits = must_hit_path(
            terms, participants=len(asked.seats), rounds=rounds[group.start : group.stop], chance=chance
        )  # fmt: skip
        found.append(hits)
        for (table, day), cents in zip(hits.days, hits.awards, strict=True):
            paid[group.start + table, day] += cents
    return found, paid


# ------------------------------------------------------------------------------------------------ what was found


def _study_result(
    asked: MeterSeats, dealt: _DealtHands, paths: list[MeterPath], lines: Integers, hits: list[Hits]
) -> MeterStudy:
    progress, (tables, days), rounds = asked.progress, dealt.rounds.shape, int(dealt.rounds.sum())
    chances, in_step, moments = Chances(asked), tables_in_step(asked, dealt.rounds), moments_of(days)
    awarded = _awarded_rows(asked, dealt, paths, chances)
    of_each = range(len(progress.meters))
    meters = tuple(_meter(asked, in_step, paths, chances, index, lines[:, :, index], moments) for index in of_each)
    links = [path.link for path in paths]
    wagers, paid = rounds * len(asked.seats), sum(each.paid for each in awarded)
    returned = sum(each.times for each in awarded) * progress.stake if progress.returns_stake else 0
    staked, fixed = wagers * progress.stake, paid - sum(meter.paid for meter in meters)
    added, seeds = sum(link.contributed for link in links), sum(link.seeded for link in links)
    seeds_again = seeds - len(links) * sum(meter.seed for meter in progress.meters)
    edge = ((staked - returned - fixed) * MICRO - added - seeds_again) / (staked * MICRO)
    exact, error = exact_edge(asked, in_step, chances) or (None, None)
    return MeterStudy(
        tables=tables, is_linked=len(asked.groups) < tables, rounds=rounds, wagers=wagers, staked=staked,
        returned=returned, awarded=awarded, paid=paid, meters=meters, added_micro=added, seeds_micro=seeds,
        paid_micro=sum(link.paid for link in links), left_micro=sum(link.displayed + link.carried for link in links),
        reserve_micro=sum(link.reserve for link in links), edge=edge, exact_edge=exact, edge_error=error,
        edge_z=(edge - exact) / error if exact is not None and error else None,
        must_hit=_must_hit_found(asked, hits) if hits else None,
    )  # fmt: skip


def _awarded_rows(
    asked: MeterSeats, dealt: _DealtHands, paths: list[MeterPath], chances: Chances
) -> tuple[AwardedRow, ...]:
    """Every row that can be won: how often it was won, and how often it should be."""
    rounds, made = int(dealt.rounds.sum()), []
    for index, prize in enumerate(asked.progress.prizes):
        if prize.row not in chances.seats:
            continue
        mean, times = chances.seats[prize.row], int(asked.pay.rows[index] @ dealt.hands)
        paid = times * prize.prize
        if prize.meter is not None:
            assert times == sum(path.times[prize.row] for path in paths), "every hit on record has been paid"
            paid = sum(path.paid[prize.row] for path in paths)
        deviation = sqrt(rounds * (chances.squares[prize.row] - mean**2))
        expected = float(mean * rounds)
        made.append(
            AwardedRow(
                row=prize.row, times=times, paid=paid, expected=expected, deviation=deviation,
                z=(times - expected) / deviation,
            )
        )  # fmt: skip
    return tuple(made)


def _meter(
    asked: MeterSeats, in_step: dict[int, int], paths: list[MeterPath], chances: Chances, index: int, lines: Integers,
    moments: list[int],
) -> MeterFound:  # fmt: skip
    """One meter over all tables; `lines`: by progressive and moment."""
    name = asked.progress.meters[index].name
    rows = [prize.row for prize in asked.progress.prizes if prize.meter == name and prize.row in chances.any]
    expected, variance = awards_expected(in_step, [chances.any[row] for row in rows])
    found = [path.found[name] for path in paths]
    awards = sum(each.awards for each in found)
    levels = by_percentile(lines) if len(lines) > 1 else {50: lines[0].tolist()}
    return MeterFound(
        name=name, awards=awards, expected=expected, deviation=sqrt(variance),
        z=(awards - expected) / sqrt(variance) if variance else None, shared=sum(each.shared for each in found),
        paid=sum(each.paid for each in found), highest=max(each.highest for each in found),
        longest=max(each.longest for each in found), left=int(lines[:, -1].sum()),
        path={percent: tuple(zip(moments, line, strict=True)) for percent, line in levels.items()},
    )  # fmt: skip


def _must_hit_found(asked: MeterSeats, found: list[Hits]) -> MustHitFound:
    terms, seats = asked.rules.elections.must_hit, len(asked.seats)
    assert terms is not None, "it has been played"
    exact = must_hit(asked.rules, participants=seats).rounds
    between = [rounds for hits in found for rounds in hits.rounds]
    # runs that were begun and all of their rounds, including future ones: the mean and variance of these sums are exact
    runs, drawn = len(between) + len(found), sum(between) + sum(hits.open for hits in found)
    error = sqrt(must_hit_variance(terms, seats) * runs)
    return MustHitFound(
        hits=len(between), paid=sum(cents for hits in found for cents in hits.awards),
        runs=runs, mean_rounds=drawn / runs, exact_rounds=float(exact),
        error=error / runs, z=float(drawn - exact * runs) / error if error else None,
        shortest=min(between, default=None), longest=max(between, default=None),
        fed=sum(hits.fed for hits in found), seeded=terms.start * runs, left=sum(hits.meter for hits in found),
    )  # fmt: skip
