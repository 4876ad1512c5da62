"""The picture of each study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from baccarat.picture.study import FAN_HEIGHT, bar_plot, fan_plot, line_plot, stack_plots
from baccarat.picture.svg import Markup
from baccarat.sim.study.counts import CountStudy
from baccarat.sim.study.hands import HandsStudy
from baccarat.sim.study.house_study import HouseStudy
from baccarat.sim.study.meters import MeterStudy
from baccarat.sim.study.patrons import PatronStudy

MILLION = 100_000_000
"""Cents of a million dollars."""


def hands_plot(found: Sequence[HandsStudy]) -> Markup:
    """How often the next card is the old next card, for one or more procedures."""
    bars = []
    for each in found:
        riffles = each.steps.count("riffle")
        named = [step for step in dict.fromkeys(each.steps) if step not in ("riffle", "turn", "cut", "plug")]
        parts = [*([f"{riffles} riffle{'s'[: riffles != 1]}"] if riffles else []), *named] or ["cut only"]
        bars.append((", ".join(parts), each.next, f"{100 * each.next:.2f} %"))
    said = "; ".join(f"{name}: {figure}" for name, _, figure in bars)
    fair = found[0].fair_next
    title = f"How often the next card is the old next card (fair, dashed: {100 * fair:.2f} %)"
    return bar_plot(title, bars, said=f"{said}.", fair=fair)


def counts_plot(found: CountStudy) -> Markup:
    """What a unit gains by the true count: the exact odds found there, and the straight line that the count predicts.

    Two counts are marked: the one at which the line begins to gain, and the one at which wagering starts.
    """
    often = min(0.002, 0.2 * max(share for share, _ in found.by_count.values()))  # large tags spread the counts out
    seen = {count: gain for count, (share, gain) in found.by_count.items() if share >= often}
    linear, foretold = found.linear, "by the effects of removal alone, %"
    lines = {"exact odds, mean, %": [(count + 0.5, 100 * gain) for count, gain in seen.items()]}
    said, marks = "No count of ranks predicts it.", []
    if linear.index is not None:
        start = linear.slope * -linear.index
        lines[foretold] = [(count + 0.5, 100 * (start + linear.slope * (count + 0.5))) for count in seen]
        said = f"The line crosses zero at a true count of {linear.index:.1f}; wagered from {found.index:g} on."
        marks = [(linear.index, f"gains from {linear.index:.1f}"), (found.index, f"wagered from {found.index:g}")]
        marks = marks if abs(linear.index - found.index) >= 0.05 else marks[1:]
    title = f"What a unit on {linear.name} gains, by the true count"
    return line_plot(title, lines, across="true count", said=said, dashed=foretold, marks=marks)


def patrons_plot(found: PatronStudy) -> Markup:
    """The purses of all seats, one below another."""
    plots = [patron_plot(found, seat) for seat in range(len(found.seats))]
    if len(plots) == 1:
        return plots[0]
    names = "; ".join(seat.strategy for seat in found.seats)
    return stack_plots(plots, height=FAN_HEIGHT, label=f"Purses, dollars, by rounds: {names}")


def patron_plot(found: PatronStudy, seat: int) -> Markup:
    """The purse of one seat during a session: half of all sessions, and nine of ten."""
    one = found.seats[seat]
    fan = {percent: [(rounds, cents / 100) for rounds, cents in line] for percent, line in one.fan.items()}
    note = f"the median, and where 50 and 90 of 100 sessions lie; ruined {100 * one.ruined:.1f} %"
    said = f"After the session the median purse is ${fan[50][-1][1]:,.0f}, from ${fan[50][0][1]:,.0f}."
    title = f"{one.strategy}: the purse, dollars, by rounds"
    return fan_plot(title, fan, across="rounds", note=note, said=said)


def house_plot(found: HouseStudy) -> Markup:
    """What tables have won so far, day by day: the median, and half and nine of ten of them."""
    fan = {percent: [(0.0, 0.0), *((day, cents / 100) for day, cents in line)] for percent, line in found.path.items()}
    note = f"the median table, and where 50 and 90 of 100 lie; {100 * found.day.losing:.1f} % of days are lost"
    said = f"After {found.days} days the median table has won ${fan[50][-1][1]:,.0f}."
    return fan_plot("Win of a table so far, dollars, by day", fan, across="days", note=note, said=said)


def floor_plot(found: Mapping[str, HouseStudy]) -> Markup:
    """What all tables together have won so far with the progressive, day by day, for studies with names."""
    lines, ends = {}, []
    for name, study in found.items():
        assert study.with_progressive is not None, "studied with the progressive"
        lines[name] = [(0.0, 0.0), *((day, cents / MILLION) for day, cents in study.with_progressive.floor_path)]
        ends.append(f"{name}: ${lines[name][-1][1]:,.1f} million")
    title = "Win of all tables so far, the progressive included, million dollars"
    return line_plot(title, lines, across="days", said=f"At the end, {'; '.join(ends)}.")


def meters_plot(found: MeterStudy, name: str) -> Markup:
    """The path of one meter: of the median table and where most of them lie, or of a link or a lone table."""
    meter = next(each for each in found.meters if each.name == name)
    fan = {percent: [(day, cents / 100) for day, cents in line] for percent, line in meter.path.items()}
    middle = fan[50]
    said = (
        f"From ${middle[0][1]:,.0f} to ${middle[-1][1]:,.0f} over {middle[-1][0]:,} days, after {meter.awards} awards."
    )
    if len(fan) > 1:
        note = f"the median of {found.tables} tables, and where 50 and 90 of 100 lie"
        return fan_plot(f"The meter {name}, dollars, by day", fan, across="days", note=note, said=said)
    whose = f"shared by {found.tables} tables" if found.is_linked else "of one table"
    return line_plot(f"The meter {name}, dollars, by day", {whose: middle}, across="days", said=said)
