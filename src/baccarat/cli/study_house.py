"""What `baccarat study house` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from baccarat.cli.out import console, figures, line, put_json, put_table
from baccarat.cli.study_out import count, half_width, money, percents, save_picture, studying, vigorish_notes
from baccarat.cli.study_patrons import read_strategy
from baccarat.law.rulebook import Rulebook
from baccarat.money import MICRO, dollars

if TYPE_CHECKING:
    from baccarat.sim.study.house import HouseStudy
    from baccarat.sim.study.meters import Meters


APART = "staked, win and hold of a table's day are those of the other wagers: the progressive is reckoned by itself"


class Wanted(NamedTuple):
    """What was asked for."""

    seats: tuple[str, ...]
    tables: int
    days: int
    shoes: int
    buy_in: str
    progressive: str
    seed: int


def run(rules: Rulebook, wanted: Wanted, *, svg: Path | None, json: bool) -> None:
    """Let the tables play and show what the house won."""
    with studying(svg, shoes=wanted.tables * wanted.days * wanted.shoes):
        from baccarat.picture.study_plot import house_plot  # noqa: PLC0415
        from baccarat.sim.study.house import study_house  # noqa: PLC0415

        found = study_house(
            rules, [read_strategy(rules, text) for text in wanted.seats], seed=wanted.seed, tables=wanted.tables,
            days=wanted.days, shoes=wanted.shoes, buy_in=int(dollars(wanted.buy_in)),
            progressive=_chairs(wanted.progressive),
        )  # fmt: skip
        save_picture(svg, house_plot(found), quiet=json)
    notes = vigorish_notes(rules)
    if found.meters is not None:
        notes = [*notes, APART]
    if json:
        won = None if found.meters is None else found.meters.won
        put_json({"rulebook": rules.hash, "notes": notes, "progressive_win": won} | msgspec.to_builtins(found))
        return
    _show(found)
    for note in notes:
        console.print(line((note, "yellow")))


def _chairs(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        raise ValueError(f"--progressive {text!r}: expected chairs between commas, such as 1,2,3") from None


def _show(found: HouseStudy) -> None:
    day, is_many = found.day, found.tables * found.days > 1
    table = figures(f"{count(found.tables, 'table')}, {count(found.days, 'day')}", "a table's day")
    table.add_row("rounds", f"{day.rounds:,.1f}")
    table.add_row("staked", money(day.staked))
    table.add_row("drop", money(day.drop))
    table.add_row("win, ± 95 %", f"{money(day.win)} ± {money(half_width(day.error)) if is_many else '–'}")
    if found.theoretical is not None:
        table.add_row("win by the exact edges", money(found.theoretical))
    table.add_row("one deviation", money(day.deviation) if is_many else "–")
    table.add_row("hold: win of the drop", percents(found.hold, 2))
    table.add_row("win of what was staked", percents(found.of_staked, 3))
    table.add_row("days on which the table lost", percents(day.losing, 2))
    table.add_row("days on which all tables together lost", percents(found.floor_losing, 2))
    put_table(table)
    if found.meters is not None:
        _show_meters(found.meters)


def _show_meters(found: Meters) -> None:
    console.print()
    table = figures(f"progressive, {count(found.wagers, 'wager')}", "times", "expected", "± 95 %", "paid")
    for each in found.awarded:
        table.add_row(
            each.row, f"{each.times:,}", f"{each.expected:,.1f}", f"{half_width(each.deviation):,.1f}", money(each.paid)
        )
    put_table(table)
    console.print(
        line(
            f"one table's progressive over {count(found.rounds, 'round')}: the house won {money(found.won)}; "
            f"staked {money(found.staked)}; into the meters {money(found.added_micro / MICRO)} and seeds of "
            f"{money(found.seeds_micro / MICRO)}; they paid {money(found.paid_micro / MICRO)} and hold "
            f"{money(found.left_micro / MICRO)}; reserve {money(found.reserve_micro / MICRO)}"
        )
    )
    hit = found.must_hit
    if hit is not None:
        between = f"{hit.rounds_between:,.1f} rounds between, " if hit.rounds_between is not None else ""
        console.print(
            line(
                f"Must Hit: {count(hit.hits, 'hit') if hit.hits else 'no hit'}, {money(hit.paid)} paid; {between}"
                f"by the exact chances {hit.exact_rounds:,.1f} rounds to a hit"
            )
        )
