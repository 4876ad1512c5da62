"""The tables of docs/studies.md on deferred vigorish and on House Money that is pressed."""

from __future__ import annotations

from baccarat import BANKER, PLAYER, rulebook
from baccarat.cli.study_out import half_width
from baccarat.odds import odds
from baccarat.odds import press as exact_press
from baccarat.sim.study.house import HouseStudy
from baccarat.sim.study.patrons import PatronStudy
from baccarat.sim.study.seat_sums import Seat
from baccarat.sim.study.vigorish import Difference, VigorishStudy
from studies import kept
from study_figures import money, percent, signed, table, within


def vigorish_parts() -> dict[str, str]:
    """Each table by the name of its part."""
    return {
        "vigorish": _vigorish(kept("vigorish")[0]),
        "vigorish-house": _vigorish_house(*kept("vigorish-house")),
        "press": _press(kept("press")),
    }


def _vigorish(found: VigorishStudy) -> str:
    """Both ways, what deferring changes, and what was owed."""
    rows, changes, owed = [], [], []
    for at_once, later, change in zip(found.at_payout.seats, found.deferred.seats, found.changes, strict=True):
        rows += [
            (_name(seat), way, money(seat.result), percent(seat.ruined, 1), f"{seat.stayed:.0f}", money(seat.staked))
            for seat, way in ((at_once, "at payout"), (later, "deferred"))
        ]
        changes.append((
            _name(later), _change(change.result, 2, unit=0.01), _change(change.ruined, 2, unit=100),
            _change(change.stayed, 1), _change(change.staked, 0, unit=0.01),
        ))  # fmt: skip
        marked = later.vigorish
        assert marked is not None, "it is deferred"
        sums = (money(marked.collected, 2), money(marked.peak, 2), money(marked.uncollected, 2))
        part = marked.uncollected / (marked.collected + marked.uncollected)
        owed.append((_name(later), *sums, percent(part, 1), percent(marked.missed, 1)))
    study, purse = found.deferred, money(found.deferred.seats[0].purse)
    about = f"{study.sessions:,} sessions of {study.shoes} shoes, {purse} each, played both ways:\n\n"
    return "\n".join([
        about + table(("strategy", "vigorish", "won a session", "ruined", "rounds", "staked"), rows),
        table(("deferring changes", "won, $", "ruined, %", "rounds", "staked, $"), changes),
        table(("deferred, a session", "collected", "most owed", "not collected", "of all", "in sessions"), owed),
    ])  # fmt: skip


def _name(seat: Seat) -> str:
    """A flat stake with its size: there are several."""
    return f"{seat.strategy}, {money(seat.staked / seat.stayed)}" if seat.strategy.startswith("flat") else seat.strategy


def _change(found: Difference, places: int, *, unit: float = 1) -> str:
    return f"{signed(found.mean * unit, places)} ± {within(found.error * unit, places)}"


def _vigorish_house(at_once: HouseStudy, later: HouseStudy) -> str:
    owed = later.day.vigorish
    assert owed is not None, "it is deferred"
    pairs = [
        ("staked", [money(each.day.staked) for each in (at_once, later)]),
        ("drop", [money(each.day.drop) for each in (at_once, later)]),
        ("win", [f"{money(each.day.win)} ± {money(half_width(each.day.error))}" for each in (at_once, later)]),
        ("hold", [percent(each.hold) for each in (at_once, later)]),
        ("vigorish collected", ["", money(owed.collected)]),
        ("owed at once, at most", ["", f"{money(owed.peak)}; on one day {money(owed.highest)}"]),
        ("not collected", ["", f"{money(owed.uncollected, 2)}, on {percent(owed.missed, 1)} of days"]),
    ]
    about = f"{later.tables} tables of four patrons over {later.days} days of {later.shoes} shoes:\n\n"
    return about + table(("a table's day", "at payout", "deferred"), [(name, *both) for name, both in pairs])


def _press(found: PatronStudy) -> str:
    """The edge of House Money, from what was won less the exact share of the main wager."""
    rules, stake, rounds, rows = rulebook("ma-midi-4"), 10_000, found.rounds / found.sessions, []
    for onto, seats in ((PLAYER, found.seats[:3]), (BANKER, found.seats[3:])):
        exact, main = exact_press(rules, onto, stake=stake, beside=stake), float(odds(rules)[onto].at(stake).edge)
        for seat, rule in zip(seats, ("never", "always", "best"), strict=True):
            edge, error = -seat.result / rounds / stake - main, seat.error / rounds / stake
            known = float(getattr(exact, rule))
            rows.append((
                onto.word, rule, percent(known, 3), f"{percent(edge, 2)} ± {within(100 * error, 2)} %",
                signed((edge - known) / error, 2),
            ))  # fmt: skip
    about = f"{found.rounds:,} rounds, $100 on the hand and $100 on House Money:\n\n"
    return about + table(("pressed onto", "rule", "house edge of House Money, exact", "found", "z"), rows)
