"""What `baccarat study patrons` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from baccarat.cli.out import console, figures, line, put_json, put_table
from baccarat.cli.price_ask import kind_of
from baccarat.cli.study_counts import read_tags
from baccarat.cli.study_out import count, half_width, money, percents, save_picture, studying, vigorish_notes
from baccarat.law.rulebook import Rulebook
from baccarat.money import dollars

if TYPE_CHECKING:
    from baccarat.sim.study.patrons import PatronStudy
    from baccarat.sim.study.strategy import Strategy


class Wanted(NamedTuple):
    """What was asked for."""

    seats: tuple[str, ...]
    purse: str
    goal: str | None
    sessions: int
    shoes: int
    seed: int


def run(rules: Rulebook, wanted: Wanted, *, svg: Path | None, json: bool) -> None:
    """Let the patrons play and show what became of them."""
    with studying(svg, shoes=wanted.sessions * wanted.shoes):
        from baccarat.picture.study_plot import patrons_plot  # noqa: PLC0415
        from baccarat.sim.study.patrons import study_patrons  # noqa: PLC0415

        strategies = [read_strategy(rules, text) for text in wanted.seats]
        goal = dollars(wanted.goal) if wanted.goal is not None else None
        found = study_patrons(
            rules, strategies, purse=int(dollars(wanted.purse)), goal=None if goal is None else int(goal),
            seed=wanted.seed, sessions=wanted.sessions, shoes=wanted.shoes,
        )  # fmt: skip
        save_picture(svg, patrons_plot(found, 0), quiet=json)
    notes = vigorish_notes(rules)
    if json:
        put_json({"rulebook": rules.hash, "notes": notes} | msgspec.to_builtins(found))
        return
    _show(found)
    for note in notes:
        console.print(line((note, "yellow")))


def read_strategy(rules: Rulebook, text: str) -> Strategy:
    """A strategy as it is written in the terminal."""
    from baccarat.sim.study import strategy  # noqa: PLC0415

    words = text.split()
    if not words:
        raise ValueError("--seat '': expected a strategy, such as 'banker=$25' or 'martingale banker $25'")
    if "=" in words[0]:
        parts = [part.partition("=") for part in text.replace(" ", "").split(",")]
        stakes = [(kind_of(rules, name), int(dollars(stake))) for name, _, stake in parts]
        if len(dict(stakes)) < len(stakes):
            raise ValueError(f"--seat {text!r}: two stakes on one wager; expected one for each")
        return strategy.mix(dict(stakes))
    name = words[0].lower()
    if name == "count" and len(words) == 5:
        _, on, stake, index, tags = words
        try:
            true_count = float(index)
        except ValueError:
            raise ValueError(f"--seat {text!r}: {index!r} is no true count; expected a number, such as 4") from None
        return strategy.counted(kind_of(rules, on), int(dollars(stake)), read_tags(tags), true_count)
    if name in strategy.LADDERS and len(words) in (3, 4):
        if len(words) == 4 and not words[3].isdecimal():
            raise ValueError(f"--seat {text!r}: {words[3]!r} is no number of steps")
        steps = [int(words[3])] if len(words) == 4 else []
        return strategy.LADDERS[name](kind_of(rules, words[1]), int(dollars(words[2])), *steps)
    known = ", ".join(strategy.LADDERS)
    raise ValueError(
        f"--seat {text!r}: expected stakes such as 'banker=$25,tie=$5', or {known} with a wager, a stake and perhaps "
        "steps, or count with a wager, a stake, a true count and tags"
    )


def _show(found: PatronStudy) -> None:
    table = figures("patron", "won a session", "± 95 %", "deviation", "ruined", "goal", "rounds", "staked")
    for seat in found.seats:
        spread = [money(half_width(seat.error)), money(seat.deviation)] if seat.sessions > 1 else ["–", "–"]
        goal = percents(seat.reached, 2) if seat.goal is not None else "–"
        sums = (money(seat.result), *spread)
        table.add_row(seat.strategy, *sums, percents(seat.ruined, 2), goal, f"{seat.stayed:.1f}", money(seat.staked))
    put_table(table)
    console.print(
        line(
            f"{count(found.sessions, 'session')} of {count(found.shoes, 'shoe')}, {count(found.rounds, 'round')}, "
            f"seed {found.seed}"
        )
    )
