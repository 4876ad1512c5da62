"""The tables of docs/studies.md on deferred vigorish and on House Money that is pressed."""

from __future__ import annotations

from baccarat import BANKER, PLAYER, rulebook
from baccarat.odds import odds
from baccarat.odds import press as exact_press
from baccarat.sim.study.house_study import HouseStudy
from baccarat.sim.study.patrons import PatronStudy
from baccarat.sim.study.seat_sums import SeatTotals
from baccarat.sim.study.vigorish import VigorishDifference, VigorishStudy
from studies import kept
from study_figures import money, money_within, percent, percent_within, share, signed, table, within


def vigorish_parts() -> dict[str, str]:
    """Each table by the name of its part."""
    return {
        "vigorish": _vigorish(kept("vigorish")[0]),
        "vigorish-house": _vigorish_house(*kept("vigorish-house")),
        "press": _press(kept("press")),
    }


def _vigorish(found: VigorishStudy) -> str:
    """Both ways of collection, what deferring changes, and what was owed."""
    rows, changes, owed, sessions = [], [], [], found.deferred.sessions
    for at_once, later, change in zip(found.at_payout.seats, found.deferred.seats, found.changes, strict=True):
        rows += [
            (_name(seat), way, money_within(seat.result, seat.error, sessions), share(seat.ruined, seat.ruined_within),
             f"{seat.stayed:.0f} ± {within(seat.stayed_error, 1, sessions)}",
             money_within(seat.staked, seat.staked_error, sessions))
            for seat, way in ((at_once, "at payout"), (later, "deferred"))
        ]  # fmt: skip
        changes.append((
            _name(later), _change(change.result, sessions, 2, unit=0.01),
            _change(change.ruined, sessions, 2, unit=100), _change(change.stayed, sessions, 2),
            _change(change.staked, sessions, 0, unit=0.01),
        ))  # fmt: skip
        marked = later.vigorish
        assert marked is not None, "it is deferred"
        sums = (
            money_within(mean, error, sessions, 2)
            for mean, error in (
                (marked.collected, marked.collected_error), (marked.peak, marked.peak_error),
                (marked.uncollected, marked.uncollected_error),
            )
        )  # fmt: skip
        part = marked.uncollected / (marked.collected + marked.uncollected)
        owed.append((_name(later), *sums, percent(part, 1), share(marked.missed, marked.missed_within)))
    study, purse = found.deferred, money(found.deferred.seats[0].purse)
    about = f"{study.sessions:,} sessions of {study.shoes} shoes, {purse} each, played both ways:\n\n"
    return "\n".join([
        about + table(("strategy", "vigorish", "won per session", "ruined", "rounds", "staked"), rows),
        table(("deferring changes", "won, $", "ruined, %", "rounds", "staked, $"), changes),
        table(("deferred, per session", "collected", "most owed", "not collected", "of all", "in sessions"), owed),
    ])  # fmt: skip


def _name(seat: SeatTotals) -> str:
    """A flat stake with its size: there are several."""
    return f"{seat.strategy}, {money(seat.staked / seat.stayed)}" if seat.strategy.startswith("flat") else seat.strategy


def _change(found: VigorishDifference, sessions: int, places: int, *, unit: float = 1) -> str:
    return f"{signed(found.mean * unit, places)} ± {within(found.error, places, sessions, unit=unit)}"


def _vigorish_house(at_once: HouseStudy, later: HouseStudy) -> str:
    owed = later.day.vigorish
    assert owed is not None, "it is deferred"
    both, number = (at_once, later), later.tables * later.days
    peak = money_within(owed.peak, owed.peak_error, number)
    missed = money_within(owed.uncollected, owed.uncollected_error, number, 2)
    pairs = [
        ("staked", [money_within(each.day.staked, each.day.staked_error, number) for each in both]),
        ("drop", [money_within(each.day.drop, each.day.drop_error, number) for each in both]),
        ("win", [money_within(each.day.win, each.day.error, number) for each in both]),
        ("hold", [percent_within(each.hold, each.hold_error, number) for each in both]),
        ("vigorish collected", ["", money_within(owed.collected, owed.collected_error, number)]),
        ("most owed at one time", ["", f"{peak}; on one day {money(owed.highest)}"]),
        ("not collected", ["", f"{missed}, on {share(owed.missed, owed.missed_within)} of days"]),
    ]
    about = f"{later.tables} tables of four patrons over {later.days} days of {later.shoes} shoes:\n\n"
    return about + table(("a table's day", "at payout", "deferred"), [(name, *both) for name, both in pairs])


def _press(found: PatronStudy) -> str:
    """The edge of House Money, from what was won less the exact share of the main wager."""
    rules, stake, rounds, rows = rulebook("ma-midi-4"), 10_000, found.rounds / found.sessions, []
    for onto, seats in ((PLAYER, found.seats[:3]), (BANKER, found.seats[3:])):
        exact, main = exact_press(rules, onto, stake=stake, beside=stake), float(odds(rules)[onto].at(stake).edge)
        for seat, rule in zip(seats, ("never", "always", "best"), strict=True):
            assert seat.error is not None, "of many sessions"
            edge, error = -seat.result / rounds / stake - main, seat.error / rounds / stake
            known = float(getattr(exact, rule))
            rows.append((
                onto.word, rule, percent(known, 3),
                f"{percent(edge, 2)} ± {within(error, 2, seat.sessions, unit=100)} %",
                signed((edge - known) / error, 2),
            ))  # fmt: skip
    about = f"{found.rounds:,} rounds, $100 on the hand and $100 on House Money:\n\n"
    return about + table(("pressed onto", "rule", "house edge of House Money, exact", "found", "z"), rows)
