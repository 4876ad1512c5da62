"""What `baccarat study patrons` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from baccarat.cli.output import console, figures, put_line, put_table
from baccarat.cli.price_arguments import kind_of
from baccarat.cli.study_arguments import StudyArguments
from baccarat.cli.study_counts import read_tags
from baccarat.cli.study_figures import count, margin, mean_money, money, number, owed_sums, share
from baccarat.cli.study_out import deferred_note, put_study, save_picture, study_errors, vigorish_notes, void_notes
from baccarat.law.rulebook import Rulebook
from baccarat.money import dollars

if TYPE_CHECKING:
    from baccarat.sim.study.patrons import PatronStudy
    from baccarat.sim.study.seat_sums import SeatTotals
    from baccarat.sim.study.strategy import Strategy
    from baccarat.sim.study.vigorish import VigorishDifference, VigorishStudy

PRESSES = ("press", "onto")


class PatronsRequest(NamedTuple):
    """What was requested."""

    seats: tuple[str, ...]
    purse: str
    goal: str | None
    sessions: int
    shoes: int
    seed: int
    compare_vigorish: bool = False

    @property
    def patrons(self) -> list[str]:
        """What each seat plays, as typed, which distinguishes the same strategy at two stakes."""
        return [" ".join(text.split()) for text in self.seats]


def run(rules: Rulebook, asked: StudyArguments, wanted: PatronsRequest, *, svg: Path | None, json: bool) -> None:
    """Let the patrons play and show the results; or the same sessions with vigorish at the payout and deferred."""
    with study_errors(svg, shoes=wanted.sessions * wanted.shoes):
        from baccarat.picture.study_plot import patrons_plot  # noqa: PLC0415
        from baccarat.picture.vigorish_plot import ruin_plot  # noqa: PLC0415
        from baccarat.sim.study.patron_company import company_notes  # noqa: PLC0415
        from baccarat.sim.study.patrons import study_patrons  # noqa: PLC0415
        from baccarat.sim.study.vigorish import VigorishStudy, study_vigorish  # noqa: PLC0415

        strategies = [read_strategy(rules, text) for text in wanted.seats]
        goal = None if wanted.goal is None else int(dollars(wanted.goal))
        found = (study_vigorish if wanted.compare_vigorish else study_patrons)(
            rules, strategies, purse=int(dollars(wanted.purse)), goal=goal, seed=wanted.seed,
            sessions=wanted.sessions, shoes=wanted.shoes,
        )  # fmt: skip
        save_picture(svg, ruin_plot(found) if isinstance(found, VigorishStudy) else patrons_plot(found), quiet=json)
    collected = [f"deferred: {deferred_note(rules)}"] if wanted.compare_vigorish else vigorish_notes(rules)
    notes = [*company_notes(rules, strategies), *collected, *void_notes(rules)]

    def show() -> None:
        if isinstance(found, VigorishStudy):
            _show_both_ways(found, wanted.patrons)
        else:
            _show(found, wanted.patrons)

    put_study(rules, asked, found, notes, show, json=json, strategies=strategies)


def _say_played(found: PatronStudy) -> None:
    put_line(
        f"{count(found.sessions, 'session')} of {count(found.shoes, 'shoe')}, {count(found.rounds, 'round')}, "
        f"seed {found.seed}"
    )


def read_strategy(rules: Rulebook, text: str) -> Strategy:
    """A strategy as typed in the terminal."""
    from baccarat.sim.study import strategy  # noqa: PLC0415

    words = text.split()
    if not words:
        raise ValueError("--seat '': expected a strategy, such as 'banker=$25' or 'martingale banker $25'")
    if "=" in words[0]:
        return _read_mix(rules, text)
    name = words[0].lower()
    if name == "count" and len(words) == 5:
        _, on, stake, index, tags = words
        try:
            true_count = float(index)
        except ValueError:
            raise ValueError(f"--seat {text!r}: {index!r} is not a true count; expected a number, such as 4") from None
        return strategy.stake_from_count(kind_of(rules, on), int(dollars(stake)), read_tags(tags), true_count)
    if name in strategy.LADDERS and len(words) in (3, 4):
        if len(words) == 4 and not (words[3].isascii() and words[3].isdecimal()):
            raise ValueError(f"--seat {text!r}: {words[3]!r} is not a number of steps")
        steps = [int(words[3])] if len(words) == 4 else []
        return strategy.LADDERS[name](kind_of(rules, words[1]), int(dollars(words[2])), *steps)
    known = ", ".join(strategy.LADDERS)
    raise ValueError(
        f"--seat {text!r}: expected stakes such as 'banker=$25,tie=$5', or {known} with a wager, a stake and maybe "
        "steps, or count with a wager, a stake, a true count and tags"
    )


def _read_mix(rules: Rulebook, text: str) -> Strategy:
    """Stakes separated by commas, optionally followed by how House Money is pressed."""
    from baccarat.sim.study import strategy  # noqa: PLC0415

    words = text.split()
    pairs = [word.split("=", 1) for word in words if word.startswith(tuple(f"{name}=" for name in PRESSES))]
    pressing: dict[str, str] = {}
    for name, value in pairs:
        if name in pressing:
            raise ValueError(f"--seat {text!r}: {name}= is given twice; expected it once")
        pressing[name] = value
    rest = "".join(word for word in words if word.partition("=")[0] not in PRESSES)
    if not rest:
        raise ValueError(f"--seat {text!r}: expected stakes first, such as 'banker=$100,house_money=$10 press=best'")
    parts = [part.partition("=") for part in rest.split(",")]
    stakes = [(kind_of(rules, name), int(dollars(stake))) for name, _, stake in parts]
    if len(dict(stakes)) < len(stakes):
        raise ValueError(f"--seat {text!r}: two stakes on one wager; expected one for each")
    onto = pressing.get("onto")
    return strategy.mix(
        dict(stakes), press=pressing.get("press", "never"), onto=None if onto is None else kind_of(rules, onto)
    )


def _show(found: PatronStudy, patrons: list[str]) -> None:
    table = figures("patron", "won per session", "± 95 %", "deviation", "ruined", "goal", "rounds", "staked")
    for patron, seat in zip(patrons, found.seats, strict=True):
        deviation = "–" if seat.deviation is None else money(seat.deviation)
        sums = (money(seat.result), margin(seat.error, seat.sessions, money), deviation)
        table.add_row(patron, *sums, *_ends(seat))
    put_table(table)
    _show_owed(found, patrons)
    _say_played(found)


def _ends(seat: SeatTotals) -> tuple[str, str, str, str]:
    """How sessions of a seat end, and how long they are."""
    goal = "–" if seat.reached_within is None else share(seat.reached, seat.reached_within)
    stayed = f"{seat.stayed:.1f} ± {margin(seat.stayed_error, seat.sessions, lambda half: number(half, 1))}"
    staked = mean_money(seat.staked, seat.staked_error, seat.sessions)
    return share(seat.ruined, seat.ruined_within), goal, stayed, staked


def _show_owed(found: PatronStudy, patrons: list[str]) -> None:
    """The sums of deferred vigorish, per session."""
    if all(seat.vigorish is None for seat in found.seats):
        return
    console.print()
    table = figures("vigorish per session", "collected", "most owed", "not collected", "in sessions")
    for patron, seat in zip(patrons, found.seats, strict=True):
        owed = seat.vigorish
        if owed is not None:
            table.add_row(patron, *owed_sums(owed, seat.sessions), share(owed.missed, owed.missed_within))
    put_table(table)


def _show_both_ways(found: VigorishStudy, patrons: list[str]) -> None:
    """Both ways of collection, what deferring changes over the same shoes, and what was owed."""
    table = figures("patron, vigorish", "won per session", "ruined", "goal", "rounds", "staked")
    for patron, *pair in zip(patrons, found.at_payout.seats, found.deferred.seats, strict=True):
        for seat, way in zip(pair, ("at payout", "deferred"), strict=True):
            won = mean_money(seat.result, seat.error, seat.sessions)
            table.add_row(f"{patron}, {way}", won, *_ends(seat))
    put_table(table)
    console.print()
    sessions = found.deferred.sessions
    table = figures("deferring changes", "won, $", "ruined, %", "rounds", "staked, $")
    for patron, each in zip(patrons, found.changes, strict=True):
        table.add_row(
            patron, *(
                _change(difference, sessions, places, unit=unit)
                for difference, places, unit in (
                    (each.result, 2, 0.01), (each.ruined, 2, 100), (each.stayed, 2, 1), (each.staked, 0, 0.01),
                )
            )
        )  # fmt: skip
    put_table(table)
    _show_owed(found.deferred, patrons)
    _say_played(found.deferred)


def _change(found: VigorishDifference, sessions: int, places: int, *, unit: float) -> str:
    """A difference with its sign, and half of its 95 % interval."""
    half = margin(found.error, sessions, lambda width: number(width * unit, places))
    return f"{number(found.mean * unit, places, sign='+')} ± {half}"
