"""What `baccarat study house` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from baccarat.cli.output import console, figures, put_line, put_table
from baccarat.cli.study_arguments import StudyArguments
from baccarat.cli.study_figures import count, mean_money, money, number, owed_sums, percents, ratio, share, z_text
from baccarat.cli.study_out import put_study, save_picture, study_errors, vigorish_notes, void_notes
from baccarat.cli.study_patrons import read_strategy
from baccarat.cli.whole_number import read_list
from baccarat.law.rulebook import Rulebook
from baccarat.money import MICRO, dollars
from baccarat.sim.interval import half_width

if TYPE_CHECKING:
    from rich.table import Table

    from baccarat.sim.study.house_study import HouseStudy
    from baccarat.sim.study.meters import MeterStudy, MustHitFound
    from baccarat.sim.study.strategy import Strategy


PROGRESSIVE_NOTE = (
    "without the progressive, a table's day covers the other wagers; with it, its stakes are bought for cash, so "
    "they count as drop, and its awards are paid in cash"
)

DEFERRED_NOTE = (
    "patrons who play on buy in again to pay vigorish at the end of a shoe; those who leave that day do not; "
    "win includes all marked vigorish"
)


class HouseStudyRequest(NamedTuple):
    """What was requested."""

    seats: tuple[str, ...]
    tables: int
    days: int
    shoes: int
    buy_in: str
    progressive: str | None
    link: bool
    seed: int


def run(rules: Rulebook, asked: StudyArguments, wanted: HouseStudyRequest, *, svg: Path | None, json: bool) -> None:
    """Let the tables play and show what the house won."""
    shoes = wanted.tables * wanted.days * wanted.shoes
    with study_errors(svg, shoes=2 * shoes if wanted.progressive else shoes):
        from baccarat.picture.study_plot import house_plot  # noqa: PLC0415
        from baccarat.sim.study.house_study import study_house  # noqa: PLC0415
        from baccarat.sim.study.patron_company import company_notes  # noqa: PLC0415

        if wanted.link and not wanted.progressive:
            say = "--link: tables share the meters of a progressive; name its chairs with --progressive"
            raise ValueError(say)
        strategies, chairs = [read_strategy(rules, text) for text in wanted.seats], _chairs(wanted.progressive)
        found = study_house(
            rules, strategies, seed=wanted.seed, tables=wanted.tables, days=wanted.days, shoes=wanted.shoes,
            buy_in=int(dollars(wanted.buy_in)), progressive=chairs, link=wanted.link,
        )  # fmt: skip
        save_picture(svg, house_plot(found), quiet=json)
    notes = [*company_notes(rules, strategies), *vigorish_notes(rules), *void_notes(rules)]
    if found.day.vigorish is not None:
        notes = [*notes, DEFERRED_NOTE]
    if found.meters is not None:
        notes = [*notes, PROGRESSIVE_NOTE, *_chair_notes(strategies, chairs)]
    more = {"progressive_win": None if found.meters is None else found.meters.won}
    put_study(rules, asked, found, notes, lambda: _show(found), json=json, strategies=strategies, more=more)


def _chairs(text: str | None) -> tuple[int, ...]:
    return () if text is None else read_list("--progressive", text, "chairs separated by commas, such as 1,2,3")


def _chair_notes(strategies: list[Strategy], chairs: tuple[int, ...]) -> list[str]:
    """Notes on chairs whose progressive wagers lack a main wager of this study, in some rounds or in all."""
    empty = [chair for chair in chairs if chair > len(strategies)]
    counting = [chair for chair in chairs if chair <= len(strategies) and strategies[chair - 1].tags is not None]
    needed = "the progressive needs a main wager with it (reading A-67)"
    notes = []
    if empty:
        why = f"no --seat is given, and {needed}; the main wagers made there are in no figure"
        notes.append(f"{_chair_names(empty)}: {why}")
    if counting:
        why = f"a seat that counts sits out below its true count, and {needed} in every round"
        notes.append(f"{_chair_names(counting)}: {why}; the main wagers made there in those rounds are in no figure")
    return notes


def _chair_names(chairs: list[int]) -> str:
    return f"chair{'s' if len(chairs) > 1 else ''} {', '.join(map(str, chairs))}"


def _show(found: HouseStudy) -> None:
    put_table(_days(found))
    if found.meters is not None:
        _show_meters(found.meters)


def _days(found: HouseStudy) -> Table:
    """A table's day, without and with the progressive."""
    day, whole, days = found.day, found.with_progressive, found.tables * found.days
    heads = ("a table's day", *(["with the progressive"] if whole is not None else []))
    table = figures(f"{count(found.tables, 'table')}, {count(found.days, 'day')}", *heads)

    def row(name: str, value: str, other: str) -> None:
        table.add_row(name, value, *([other] if whole is not None else []))

    with_it = whole or day
    row("rounds", f"{day.rounds:,.1f}", f"{day.rounds:,.1f}")
    row("staked, ± 95 %", mean_money(day.staked, day.staked_error, days), money(with_it.staked))
    row("drop", mean_money(day.drop, day.drop_error, days), money(with_it.drop))
    row("win", *(mean_money(each.win, each.error, days) for each in (day, with_it)))
    if found.theoretical is not None:
        row("win by the exact edges", money(found.theoretical), "–")
    row("one deviation", *("–" if each.deviation is None else money(each.deviation) for each in (day, with_it)))
    both = (found, whole or found)
    row("hold: win of the drop", *(ratio(each.hold, each.hold_error, days, 2) for each in both))
    row("win of what was staked", *(ratio(each.of_staked, each.of_staked_error, days, 3) for each in both))
    row("days on which the table lost", *(share(each.losing, each.losing_within) for each in (day, with_it)))
    row(
        "days on which all tables together lost", *(share(each.floor_losing, each.floor_losing_within) for each in both)
    )
    for name, value in _owed_rows(found):
        row(name, value, value)
    return table


def _owed_rows(found: HouseStudy) -> list[tuple[str, str]]:
    """What vigorish was owed, if it is deferred."""
    owed = found.day.vigorish
    if owed is None:
        return []
    collected, peak, uncollected = owed_sums(owed, found.tables * found.days)
    return [
        ("vigorish collected", collected),
        ("most vigorish owed at one time", f"{peak}; on one day {money(owed.highest)}"),
        ("vigorish not collected", uncollected),
        ("days on which some was not", share(owed.missed, owed.missed_within)),
    ]


def _show_meters(found: MeterStudy) -> None:
    console.print()
    table = figures(f"progressive, {count(found.wagers, 'wager')}", "times", "expected", "z", "paid")
    for each in found.awarded:
        table.add_row(
            each.row, f"{each.times:,}", _expected_text(each.expected, each.deviation), number(each.z, 2, sign="+"),
            money(each.paid),
        )  # fmt: skip
    put_table(table)
    console.print()
    whose = "shared meter" if found.is_linked else "meter"
    table = figures(whose, "awards", "expected", "z", "mean award", "most rounds without")
    for meter in found.meters:
        table.add_row(
            meter.name, f"{meter.awards:,}", _expected_text(meter.expected, meter.deviation), z_text(meter.z),
            money(meter.paid / meter.awards) if meter.awards else "–", f"{meter.longest:,}",
        )  # fmt: skip
    put_table(table)
    for text in (_sums(found), *([_must_hit(found.must_hit)] if found.must_hit is not None else [])):
        put_line(text)


def _expected_text(mean: float, deviation: float) -> str:
    return f"{mean:,.1f} ± {half_width(deviation):,.1f}"


def _sums(found: MeterStudy) -> str:
    shared = sum(meter.shared for meter in found.meters)
    exact = ""
    if found.exact_edge is not None and found.edge_error is not None:
        within = percents(half_width(found.edge_error), 2)
        exact = f"; by the exact chances {percents(found.exact_edge, 2)} ± {within}"
    return (
        f"the house won {money(found.won)} with the progressive; staked {money(found.staked)}; into the meters "
        f"{money(found.added_micro / MICRO)} and seeds of {money(found.seeds_micro / MICRO)}; they paid "
        f"{money(found.paid_micro / MICRO)} and hold {money(found.left_micro / MICRO)}; reserve "
        f"{money(found.reserve_micro / MICRO)}"
        + (f"; {count(shared, 'award')} shared by tables that won in the same round" if found.is_linked else "")
        + f". After contributions and new seeds it keeps {percents(found.edge, 2)}{exact}"
    )


def _must_hit(hit: MustHitFound) -> str:
    after = f" after {hit.shortest:,} to {hit.longest:,} rounds" if hit.hits else ""
    return (
        f"Must Hit: {count(hit.hits, 'hit') if hit.hits else 'no hit'}{after}, {money(hit.paid)} paid. It was started "
        f"{hit.runs:,} times and needs, unfinished runs included, {hit.mean_rounds:,.1f} rounds of a table for a "
        f"hit on average; by the exact chances {hit.exact_rounds:,.1f} ± {half_width(hit.error):,.1f}, z "
        f"{z_text(hit.z)}"
    )
