"""The house: many tables over many days: win, hold, volatility, and the meters of a progressive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from msgspec.structs import replace

from baccarat.law.rulebook import Rulebook
from baccarat.odds.price import odds
from baccarat.play.book import Book, open_book
from baccarat.play.wager import WagerKind
from baccarat.sim.interval import Interval, wilson
from baccarat.sim.stream import source_of
from baccarat.sim.study.book_arrays import Integers
from baccarat.sim.study.compiled_strategy import CompiledStrategy, compile_strategy
from baccarat.sim.study.meters import MeterStudy, check_chairs, checked_days, with_wins
from baccarat.sim.study.moments import by_percentile, error_of, ratio_of
from baccarat.sim.study.patron_company import admit_company, admit_progressive, company_of
from baccarat.sim.study.round_columns import RoundColumns, admit, block_of, by_days
from baccarat.sim.study.seat_sums import (
    BOUGHT,
    DAY_COLLECTED,
    DAY_COLUMNS,
    DAY_STAKED,
    DAY_UNCOLLECTED,
    WIN,
    uncollected_becomes,
)
from baccarat.sim.study.strategy import BadStrategy, Strategy, check_sum
from baccarat.values import as_tuple, expect


class MarkedDay(msgspec.Struct, frozen=True, kw_only=True):
    """Vigorish of a table's day that is marked and collected later; mean sums in cents."""

    collected: float
    collected_error: float | None
    peak: float
    """The largest sum that all seats of the table owed at one time."""
    peak_error: float | None
    highest: int
    """The largest of all days."""
    missed: float
    """The share of days on which some could not be collected."""
    missed_within: Interval
    uncollected: float
    """What could not be collected; it is in `win`."""
    uncollected_error: float | None
    becomes: str
    """What it becomes by the document: `receivable` or `complimentary`."""


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """A table's day, averaged over all; sums in cents. Errors and intervals are as in `SeatTotals`."""

    rounds: float
    win: float
    error: float | None
    deviation: float | None
    """Of the days; None if there was only one."""
    staked: float
    staked_error: float | None
    drop: float
    """What patrons bought in for."""
    drop_error: float | None
    losing: float
    """The share of days on which the house lost."""
    losing_within: Interval
    vigorish: MarkedDay | None = None
    """None if vigorish is not deferred."""


class WithProgressive(msgspec.Struct, frozen=True, kw_only=True):
    """A table's day with the progressive, averaged over all; sums in cents. Its stakes are bought for cash.

    Errors and intervals assume independent days, which days joined by meters are not quite.
    """

    win: float
    error: float | None
    deviation: float | None
    staked: float
    drop: float
    hold: float
    hold_error: float | None
    """As if every day had as many wagers on the progressive as the average day."""
    of_staked: float
    of_staked_error: float | None
    losing: float
    losing_within: Interval
    floor_losing: float
    """The share of days on which all tables together lost."""
    floor_losing_within: Interval
    floor_path: tuple[tuple[int, int], ...]
    """(Day, what all tables together have won so far, in cents)."""


class HouseStudy(msgspec.Struct, frozen=True, kw_only=True):
    """Tables over days."""

    seed: int
    tables: int
    days: int
    shoes: int
    """Of a table's day."""
    day: Day
    theoretical: float | None
    """What fixed stakes win for the house in a table's day, by the exact edges; None if a seat has a ladder, counts
    or presses, or if other stakes exempt one from vigorish."""
    hold: float | None
    """Win divided by drop; None if nobody bought in."""
    hold_error: float | None
    of_staked: float | None
    """Win divided by the stakes; None if nothing was staked."""
    of_staked_error: float | None
    floor_losing: float
    """The share of days on which all tables together lost."""
    floor_losing_within: Interval
    path: dict[int, tuple[tuple[int, int], ...]]
    """By percentile over the tables, (day, win so far in cents)."""
    meters: MeterStudy | None
    with_progressive: WithProgressive | None


def study_house(  # noqa: PLR0913  one argument for each setting
    rules: Rulebook,
    strategies: Sequence[Strategy],
    *,
    seed: int,
    tables: int,
    days: int,
    shoes: int = 12,
    buy_in: int = 100_000,
    progressive: Sequence[int] = (),
    link: bool = False,
) -> HouseStudy:
    """Let the same company play at every table, `shoes` shoes every day.

    `progressive` are the chairs that make the progressive wager in every round; each table has its own meters, or all
    share one link.
    """
    strategies = company_of(rules, strategies)
    expect(link, bool, "True or False for the link")
    tables, days, shoes = _check_numbers(rules, strategies, tables, days, shoes, buy_in)
    chairs = as_tuple("progressive", progressive)
    if chairs:
        chairs = check_chairs(rules, chairs)
        admit_progressive(rules, strategies, chairs)
    seed = admit(open_book(rules), seed, 0, tables * days * shoes, None).seed
    made = [compile_strategy(rules, each) for each in strategies]
    parts = by_days(lambda block: _days(rules, made, seed, block, shoes, buy_in), days=tables * days, shoes=shoes)
    out, peaks = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    rounds = sum(rows for _, _, rows in parts)
    win = out[:, WIN].reshape(tables, days)
    found = _summary(rules, strategies, out, win, peaks, rounds, seed, shoes)
    if not chairs:
        return found
    meters, won = with_wins(rules, seats=chairs, seed=seed, tables=tables, days=days, shoes=shoes, link=link)
    return replace(found, meters=meters, with_progressive=_with_progressive(found.day, meters, out, win + won))


def _with_progressive(day: Day, meters: MeterStudy, out: Integers, win: Integers) -> WithProgressive:
    """The house's days with all wagers together."""
    staked, wins, floor = meters.staked / win.size, float(win.mean()), win.sum(axis=0)
    return WithProgressive(
        win=wins, error=error_of(win), deviation=_deviation(win), staked=day.staked + staked,
        drop=day.drop + staked, hold=wins / (day.drop + staked), hold_error=ratio_of(win, out[:, BOUGHT] + staked)[1],
        of_staked=wins / (day.staked + staked), of_staked_error=ratio_of(win, out[:, DAY_STAKED] + staked)[1],
        losing=float((win < 0).mean()), losing_within=_losing_within(win),
        floor_losing=float((floor < 0).mean()), floor_losing_within=_losing_within(floor),
        floor_path=tuple((day + 1, cents) for day, cents in enumerate(floor.cumsum().tolist())),
    )  # fmt: skip


def _deviation(win: Integers) -> float | None:
    return float(win.std(ddof=1)) if win.size > 1 else None


def _losing_within(win: Integers) -> Interval:
    """The interval of the share of days on which the house loses."""
    return wilson(int((win < 0).sum()), win.size)


def _check_numbers(
    rules: Rulebook, strategies: Sequence[Strategy], tables: int, days: int, shoes: int, buy_in: int
) -> tuple[int, int, int]:  # fmt: skip
    """Refuse what cannot be played; tables, days and shoes as Python integers."""
    numbers = checked_days(tables, days, shoes)
    check_sum("buy-in", buy_in, least=1, most=(1 << 50) - 1)
    admit_company(rules, strategies)
    for each in strategies:
        if each.function is not None:
            raise BadStrategy(f"{each.name}: the house is studied with strategies that are data")
    return numbers


def _days(
    rules: Rulebook, made: Sequence[CompiledStrategy], seed: int, days: range, shoes: int, buy_in: int
) -> tuple[Integers, Integers, int]:
    """Some days of all seats: their columns, the largest sum owed on each day, and how many rounds there were."""
    from baccarat.sim.study.seat_kernel import play_for_house  # noqa: PLC0415  numba takes up to a second to import

    book = open_book(rules)
    block = block_of(book, seed, days.start * shoes, len(days) * shoes, 0)
    cards, out = source_of(book).size, np.zeros((len(days), DAY_COLUMNS), np.int64)
    owing = np.zeros(block.rows, np.int64) if book.vig_deferred else None
    for each in made:
        assert each.data is not None, "functions have been refused"
        dealt = (block.starts, block.shown, block.hidden, block.cards, each.cases_of(block))
        play_for_house(dealt, shoes, cards, *each.data, buy_in, out, owing)
    return out, _peaks(owing, block, shoes), block.rows


def _peaks(owing: Integers | None, block: RoundColumns, shoes: int) -> Integers:
    """By day, the largest sum that the seats owed after a round; none if nothing is marked."""
    if owing is None:
        return np.zeros(0, np.int64)
    starts = block.starts[:-1:shoes]
    found: Integers = np.maximum.reduceat(owing, starts)
    return found


def _marked_day(rules: Rulebook, out: Integers, peaks: Integers) -> MarkedDay | None:
    if not peaks.size:
        return None
    missed = out[:, DAY_UNCOLLECTED]
    return MarkedDay(
        collected=float(out[:, DAY_COLLECTED].mean()), collected_error=error_of(out[:, DAY_COLLECTED]),
        peak=float(peaks.mean()), peak_error=error_of(peaks), highest=int(peaks.max()),
        missed=float((missed > 0).mean()), missed_within=wilson(int((missed > 0).sum()), len(missed)),
        uncollected=float(missed.mean()), uncollected_error=error_of(missed), becomes=uncollected_becomes(rules),
    )  # fmt: skip


def _summary(  # noqa: PLR0913, PLR0917
    rules: Rulebook, strategies: Sequence[Strategy], out: Integers, win: Integers, peaks: Integers, rounds: int,
    seed: int, shoes: int,
) -> HouseStudy:  # fmt: skip
    tables, days = win.shape
    flat = win.reshape(-1)
    mean = out.mean(axis=0)
    day = Day(
        rounds=rounds / flat.size, win=float(mean[WIN]), error=error_of(flat), deviation=_deviation(flat),
        staked=float(mean[DAY_STAKED]), staked_error=error_of(out[:, DAY_STAKED]), drop=float(mean[BOUGHT]),
        drop_error=error_of(out[:, BOUGHT]), losing=float((flat < 0).mean()), losing_within=_losing_within(flat),
        vigorish=_marked_day(rules, out, peaks),
    )  # fmt: skip
    (hold, hold_error), (of_staked, of_staked_error) = (ratio_of(flat, out[:, whole]) for whole in (BOUGHT, DAY_STAKED))
    floor = win.sum(axis=0)
    return HouseStudy(
        seed=seed, tables=tables, days=days, shoes=shoes, day=day,
        theoretical=_theoretical(rules, strategies, day.rounds), hold=hold, hold_error=hold_error,
        of_staked=of_staked, of_staked_error=of_staked_error,
        floor_losing=float((floor < 0).mean()), floor_losing_within=_losing_within(floor),
        path={percent: tuple(enumerate(row, start=1)) for percent, row in by_percentile(win.cumsum(axis=1)).items()},
        meters=None, with_progressive=None,
    )  # fmt: skip


def _theoretical(rules: Rulebook, strategies: Sequence[Strategy], rounds: float) -> float | None:
    """The win by the exact edges of fixed stakes, including rounding; None if it depends on more than these."""
    prices, book = odds(rules), open_book(rules)
    total = 0.0
    for each in strategies:
        is_fixed = each.stakes and each.tags is None and each.press == "never"
        if not is_fixed or any(_is_freed(book, on, each.stakes) for on in each.stakes):
            return None
        total += sum(float(prices[on].at(stake).edge) * stake for on, stake in each.stakes.items())
    return total * rounds


def _is_freed(book: Book, on: WagerKind, stakes: Mapping[WagerKind, int]) -> bool:
    """Whether a wager that pays vigorish is exempted from it by the other stakes."""
    pays = any(verdict is not None and verdict.vigorish for verdict in book.table(on))
    return pays and book.exempts(stakes[on], stakes)
