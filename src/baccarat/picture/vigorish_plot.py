"""Pictures of vigorish at the payout and deferred."""

from __future__ import annotations

from collections.abc import Sequence

from baccarat.picture.study import bar_plot, line_plot
from baccarat.picture.svg import Markup
from baccarat.sim.study.vigorish import VigorishStudy


def ruin_plot(found: VigorishStudy) -> Markup:
    """How many sessions of each patron end in ruin, both ways."""
    bars = []
    for pair in zip(found.at_payout.seats, found.deferred.seats, strict=True):
        for seat, way in zip(pair, ("at payout", "deferred"), strict=True):
            bars.append((f"{seat.strategy}, {way}", seat.ruined, f"{100 * seat.ruined:.1f} %"))
    said = "; ".join(f"{name}: {figure}" for name, _, figure in bars)
    return bar_plot("Sessions that end in ruin, vigorish taken at the payout and deferred", bars, said=f"{said}.")


def uncollected_plot(found: Sequence[VigorishStudy], seat: int, *, stake: int) -> Markup:
    """By purse, in stakes: the part of deferred vigorish that is never collected, and what deferring adds."""
    missed, more = [], []
    for each in found:
        at_once, later = each.at_payout.seats[seat], each.deferred.seats[seat]
        owed = later.vigorish
        assert owed is not None, "it is deferred"
        stakes = later.purse / stake
        missed.append((stakes, 100 * owed.uncollected / (owed.collected + owed.uncollected)))
        more.append((stakes, 100 * (later.staked / at_once.staked - 1)))
    lines = {"vigorish never collected, % of it": missed, "staked more than with vigorish at the payout, %": more}
    said = (
        f"With {missed[0][0]:.0f} stakes {missed[0][1]:.0f} % is never collected, with {missed[-1][0]:.0f} hardly any."
    )
    title = f"Deferred vigorish: {found[0].deferred.seats[seat].strategy}, by purse"
    return line_plot(title, lines, across="purse, in stakes", said=said, dashed=list(lines)[1])
