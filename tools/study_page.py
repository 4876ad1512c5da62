"""The tables and pictures of docs/studies.md, from what the studies found (docs/studies/)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from baccarat.cli.study_out import half_width
from baccarat.picture.study_plot import counts_plot, hands_plot, house_plot, meters_plot, patrons_plot, wagers_plot
from baccarat.picture.svg import Markup
from baccarat.sim.study.counts import CountStudy, Gain
from baccarat.sim.study.hands import Hands
from baccarat.sim.study.house import HouseStudy
from baccarat.sim.study.patrons import PatronStudy
from baccarat.sim.study.wagers import WagerStudy
from studies import kept


def study_pictures() -> dict[str, Markup]:
    """Every picture of the page by its name."""
    house: HouseStudy = kept("house")
    assert house.meters is not None, "the house has been studied with its progressive"
    return {
        "study-hands": hands_plot(kept("hands")),
        "study-counts": counts_plot(kept("counts")[0]),
        "study-patrons": patrons_plot(kept("patrons"), 0),
        "study-martingale": patrons_plot(kept("patrons"), 3),
        "study-house": house_plot(house),
        "study-meter": meters_plot(house.meters, "spade"),
        "study-wagers": wagers_plot(kept("wagers")),
    }


def study_parts() -> dict[str, str]:
    """Every table of the page."""
    return {
        "hands": _hands(kept("hands")),
        "counts": _counts(kept("counts")),
        "others": _others(kept("other-counts")),
        "patrons": _patrons(kept("patrons")),
        "house": _house(kept("house")),
        "wagers": _wagers(kept("wagers")),
    }


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]).replace("-0.", "−0.")


def _signed(value: float, places: int) -> str:
    """With its sign; nought has none."""
    rounded = round(value, places)
    return f"{rounded:+.{places}f}".replace("-", "−") if rounded else f"{0:.{places}f}"


def _within(error: float, places: int) -> str:
    """What stands after ±: half of the 95 % interval."""
    return f"{half_width(error):.{places}f}"


def _percent(value: float, places: int = 2) -> str:
    return f"{100 * value:.{places}f} %".replace("-", "−")


def _money(cents: float, places: int = 0) -> str:
    return f"{'−' if cents < 0 else ''}${abs(cents) / 100:,.{places}f}"


def _hands(found: list[Hands]) -> str:
    rows = []
    for each in found:
        tracker = each.tracker
        assert tracker is not None
        assert tracker.error is not None
        gains = f"{_signed(tracker.gain, 4)} ± {_within(tracker.error, 4)}"
        rows.append((_steps(each.steps), _percent(each.next), f"{each.bits:.3f}", f"{each.region:.3f}", gains))
    heads = (
        "steps",
        "next card is the old next",
        "bits told about a card",
        "unevenness of regions",
        "a tracker gains a shoe",
    )
    return _table(heads, rows)


def _steps(steps: Sequence[str]) -> str:
    """The steps, those that are repeated once with their number."""
    return ", ".join(f"{step} ×{number}" if (number := len(list(same))) > 1 else step for step, same in groupby(steps))


def _gain(gain: Gain) -> tuple[str, str, str]:
    return _percent(gain.share), _percent(gain.edge), f"{_signed(gain.per_shoe, 4)} ± {_within(gain.error, 4)}"


def _counts(found: list[CountStudy]) -> str:
    rows = []
    for each, name in zip(found, ("", ", no last hand", ", count with tags up to 8"), strict=True):
        for at in each.depths:
            who = f"{at.depth}{name}"
            rows += [(who, f"{at.rounds:.1f}", "counter", *_gain(at.counter)), (who, "", "perfect", *_gain(at.perfect))]
    return _table(("cards behind", "rounds", "who", "wagers in", "gains a wager", "units a shoe"), rows)


def _others(found: list[CountStudy]) -> str:
    rows = []
    for each in found:
        linear, at = each.linear, each.depths[0]
        tags = " ".join(f"{rank.value}{_signed(tag, 0)}" for rank, tag in linear.tags.items() if tag)
        counter, perfect = (f"{_signed(g.per_shoe, 4)} ± {_within(g.error, 4)}" for g in (at.counter, at.perfect))
        rows.append((linear.on.word, tags, f"{linear.correlation:.3f}", f"{linear.index:.1f}", counter, perfect))
    return _table(("wager", "count", "correlation", "gains from", "counter, units a shoe", "perfect"), rows)


def _patrons(found: PatronStudy) -> str:
    rows = [
        (
            seat.strategy, f"{_money(seat.result)} ± {_money(half_width(seat.error))}", _money(seat.deviation),
            _money(seat.staked),
            _percent(seat.result / seat.staked), _percent(seat.ruined, 1), f"{seat.stayed:.0f}",
        )
        for seat in found.seats
    ]  # fmt: skip
    heads = ("strategy", "won a session", "deviation", "staked", "won of that", "ruined", "rounds stayed")
    about = (
        f"{found.sessions:,} sessions of {found.shoes} shoes, {_money(found.seats[0].purse)} each; stakes from $25, "
        "in the last row $100:\n\n"
    )
    return about + _table(heads, rows)


def _house(found: HouseStudy) -> str:
    day, meters = found.day, found.meters
    assert meters is not None
    assert found.theoretical is not None
    rows = [
        ("rounds", f"{day.rounds:,.1f}"), ("staked", _money(day.staked)), ("drop", _money(day.drop)),
        ("win", f"{_money(day.win)} ± {_money(half_width(day.error))}; by the exact edges {_money(found.theoretical)}"),
        ("one deviation", _money(day.deviation)), ("hold", _percent(found.hold)),
        ("win of what was staked", _percent(found.of_staked, 3)), ("days lost by a table", _percent(day.losing, 1)),
        ("days lost by all tables together", _percent(found.floor_losing, 1)),
    ]  # fmt: skip
    awards = [
        (each.row, f"{each.times:,}", f"{each.expected:,.1f} ± {_within(each.deviation, 1)}", _money(each.paid))
        for each in meters.awarded
    ]
    about = f"{found.tables} tables over {found.days} days, a table's day of {found.shoes} shoes:\n\n"
    between = f"\nThe progressive of one table over the same rounds, {meters.wagers:,} wagers:\n\n"
    hit = meters.must_hit
    assert hit is not None
    assert hit.rounds_between is not None
    last = (
        f"\nThe house won {_money(meters.won)} with it at this table, which is not in the win above.\n\n"
        f"Must Hit: {hit.hits} hits, {hit.rounds_between:.1f} rounds between, exactly {hit.exact_rounds:.1f}.\n"
    )
    heads = ("row", "times", "expected", "paid")
    return about + _table(("a table's day", "mean"), rows) + between + _table(heads, awards) + last


def _wagers(found: WagerStudy) -> str:
    rows = []
    for each in found.wagers:
        effect = "–"
        if each.effect is not None and each.effect_error is not None:
            effect = f"{_signed(100 * each.effect, 5)} ± {_within(100 * each.effect_error, 5)} %"
        rows.append(
            (each.name, _percent(each.exact, 5), _percent(each.fixed, 4), _signed(each.fixed_z or 0.0, 2),
             _percent(each.to_cover, 4), _signed(each.to_cover_z or 0.0, 2), effect)
        )  # fmt: skip
    heads = (
        "house edge",
        "exact",
        f"{found.fixed_rounds} rounds a shoe",
        "z",
        "to the cover card",
        "z",
        "cut-card effect",
    )
    about = (
        f"{found.shoes:,} shoes: {found.rounds_at_fixed:,} rounds at {found.fixed_rounds} a shoe, "
        f"{found.rounds_to_cover:,} to the cover card; the effect from exact odds in {found.effect_shoes:,} shoes:\n\n"
    )
    return about + _table(heads, rows)
