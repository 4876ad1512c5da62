"""The tables and pictures of docs/studies.md, from what the studies found (docs/studies/)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from baccarat.money import MICRO
from baccarat.picture.study_plot import (
    counts_plot,
    floor_plot,
    hands_plot,
    house_plot,
    meters_plot,
    patron_plot,
)
from baccarat.picture.svg import Markup
from baccarat.picture.vigorish_plot import uncollected_plot
from baccarat.picture.wagers_plot import wagers_plot
from baccarat.play.wager import WagerKind
from baccarat.sim.interval import half_width
from baccarat.sim.study.counts import CountStudy, Gain
from baccarat.sim.study.hands import HandsStudy
from baccarat.sim.study.house_study import Day, HouseStudy, WithProgressive
from baccarat.sim.study.meters import MeterStudy
from baccarat.sim.study.patrons import PatronStudy
from baccarat.sim.study.wagers import WagerFound, WagerStudy
from counted_study import CountedResults
from studies import kept
from study_figures import money, money_within, percent, percent_within, share, signed, table, within
from tested_hands import HandsTested
from vigorish_page import vigorish_parts


def study_pictures() -> dict[str, Markup]:
    """Every picture of the page by its name."""
    house: HouseStudy = kept("house")
    linked: HouseStudy = kept("house-linked")
    assert house.meters is not None, "the house has been studied with its progressive"
    assert linked.meters is not None, "so have linked tables"
    return {
        "study-hands": hands_plot(kept("hands")),
        "study-counts": counts_plot(kept("counts")[0]),
        "study-patrons": patron_plot(kept("patrons"), 0),
        "study-martingale": patron_plot(kept("patrons"), 3),
        "study-vigorish": uncollected_plot(kept("vigorish")[1:], 0, stake=10_000),
        "study-house": house_plot(house),
        "study-floor": floor_plot({"meters of each table": house, "shared meters": linked}),
        "study-meter": meters_plot(house.meters, "star"),
        "study-meter-linked": meters_plot(linked.meters, "star"),
        "study-wagers": wagers_plot(kept("wagers")),
        "study-totals": wagers_plot(kept("wagers-totals")),
    }


def study_parts() -> dict[str, str]:
    """Every table of the page."""
    return {
        "hands": _hands(kept("hands"), kept("passes"), kept("hands-tested")),
        "counts": _counts(kept("counts"), kept("counted-results")),
        "anchors": _anchors(kept("counts"), kept("published-counts")),
        "others": _others(kept("other-counts")),
        "patrons": _patrons(kept("patrons")),
        **vigorish_parts(),
        "house": _house(kept("house"), kept("house-linked")),
        "wagers": _wagers(kept("wagers"), kept("wagers-royal9"), kept("wagers-totals")),
    }


def _hands(found: list[HandsStudy], passes: list[HandsStudy], tested: list[HandsTested]) -> str:
    rejected = {each.steps: ", ".join(each.rejected_by) or "–" for each in tested}
    rows = []
    for each in (*found[:-1], *passes, found[-1]):
        tracker = each.tracker
        assert tracker is not None
        gains = f"{signed(tracker.gain, 4)} ± {within(tracker.error, 4, tracker.sets)}"
        order = (f"{value:.4f} ± {within(error, 4, each.groups)}"
                 for value, error in ((each.bits, each.bits_error), (each.region, each.region_error)))  # fmt: skip
        figures = (percent_within(each.next, each.next_error, each.groups, 3), *order, gains)
        rows.append((_steps(each.steps), *figures, rejected[each.steps]))
    heads = (
        "steps",
        "next card is the old next",
        "bits revealed about a card",
        "unevenness of regions",
        "a tracker gains per shoe",
        f"rejected by, within {tested[0].shoes} shoes",
    )
    return table(heads, rows)


def _steps(steps: Sequence[str]) -> str:
    """The steps; a repeated one is written once with its number."""
    return ", ".join(f"{step} ×{number}" if (number := len(list(same))) > 1 else step for step, same in groupby(steps))


def _gain(gain: Gain, shoes: int) -> tuple[str, str, str]:
    """How often a person wagers, the gain per wager, and both together; with ± if known."""
    share, edge = (
        percent_within(value, error, shoes) if error is not None or value is None else percent(value)
        for value, error in ((gain.share, gain.share_error), (gain.edge, gain.edge_error))
    )
    return share, edge, _per_shoe(gain, shoes)


def _per_shoe(gain: Gain, shoes: int) -> str:
    return f"{signed(gain.per_shoe, 4)} ± {within(gain.error, 4, shoes)}"


def _counts(found: list[CountStudy], results: CountedResults) -> str:
    rows = []
    names = ("", ", no last hand", ", count with tags up to 8", ", burned cards shown")
    for each, name in zip(found, names, strict=True):
        for at in each.depths:
            who = f"{at.depth}{name}"
            rows += [
                (who, f"{at.rounds:.1f}", "counter", *_gain(at.counter, each.shoes)),
                (who, "", "perfect", *_gain(at.perfect, each.shoes)),
            ]
    first = found[0].depths[0]
    won = f"{signed(results.came, 4)} ± {within(results.error, 4, results.shoes)}"
    share, edge = percent(results.wagers / first.rounds), percent(results.came / results.wagers)
    rows.append((f"{first.depth}, results of {results.shoes:,} shoes", "", "counter", share, edge, won))
    return table(("cards behind", "rounds", "who", "wagers in", "gain per wager", "units per shoe"), rows)


JACOBSON = "Eliot Jacobson, *Co-Card Counting the Dragon and Panda Side Bets in EZ Baccarat* (888casino), 14 behind"
TRACKING = "Stephen How, *Baccarat Dragon-7 Tracking Sheet* (Discount Gambling, 4 October 2011)"
UNBALANCED = "Stephen How, *Unbalanced Dragon 7 Count* (Discount Gambling, 24 October 2012), 16 behind"


def _anchors(found: list[CountStudy], published: list[CountStudy]) -> str:
    """Gains that others have published, next to those of the most similar studies."""
    known, no_last, panda = (found[0], 0), (found[1], -1), (published[0], 0)
    tags = " ".join(f"{rank.value}{signed(tag, 0)}" for rank, tag in published[0].linear.tags.items() if tag)

    def measured(study: CountStudy, which: int) -> tuple[str, str]:
        at = study.depths[which]
        return f"{_per_shoe(at.counter, study.shoes)}, {at.counter.share * at.rounds:.1f} wagers", f"{at.depth}"

    (dragon, behind), (sooner, less), (other, _) = (measured(*each) for each in (known, no_last, panda))
    rows = [
        ("Dragon 7, these tags", "0.597", JACOBSON, f"{dragon}, {behind} cards behind"),
        (f"Panda 8, {tags}", "0.237", JACOBSON, f"{other}, {behind} cards behind"),
        ("Dragon 7, these tags on a sheet, without dividing", "0.53, 5.2 wagers", TRACKING, f"with dividing, {dragon}"),
        ("Dragon 7, these tags and A+1, without dividing", "0.52, 6.8 wagers", UNBALANCED,
         f"without A, with dividing, {sooner}, {less} cards behind and no last hand"),
    ]  # fmt: skip
    return table(("count", "published, units per shoe", "by", "measured here"), rows)


def _others(found: list[CountStudy]) -> str:
    rows = []
    for each in found:
        linear, at = each.linear, each.depths[0]
        tags = " ".join(f"{rank.value}{signed(tag, 0)}" for rank, tag in linear.tags.items() if tag)
        counter, perfect = (_per_shoe(gain, each.shoes) for gain in (at.counter, at.perfect))
        begins = "–" if linear.index is None else f"{linear.index:.1f}"
        rows.append((linear.name, tags or "none", f"{linear.correlation:.3f}", begins, counter, perfect))
    return table(("wager", "count", "correlation", "gains from", "counter, units per shoe", "perfect"), rows)


def _patrons(found: PatronStudy) -> str:
    rows = [
        (
            seat.strategy, money_within(seat.result, seat.error, seat.sessions), money(seat.deviation or 0.0),
            money_within(seat.staked, seat.staked_error, seat.sessions),
            percent_within(seat.of_staked, seat.of_staked_error, seat.sessions),
            share(seat.ruined, seat.ruined_within),
            f"{seat.stayed:.0f} ± {within(seat.stayed_error, 1, seat.sessions)}",
        )
        for seat in found.seats
    ]  # fmt: skip
    heads = ("strategy", "won per session", "deviation", "staked", "won of that", "ruined", "rounds stayed")
    about = (
        f"{found.sessions:,} sessions of {found.shoes} shoes, {money(found.seats[0].purse)} each; stakes from $25, "
        "in the last row $100:\n\n"
    )
    return about + table(heads, rows)


def _house(first: HouseStudy, linked: HouseStudy) -> str:
    day, whole = first.day, first.with_progressive
    assert whole is not None
    assert linked.with_progressive is not None
    assert first.theoretical is not None
    exact, days = f"; by the exact edges {money(first.theoretical)}", first.tables * first.days
    both = (whole, linked.with_progressive)
    rows = [
        ("rounds", *[f"{day.rounds:,.1f}"] * 3),
        ("staked", money_within(day.staked, day.staked_error, days), *(money(each.staked) for each in both)),
        ("drop", money_within(day.drop, day.drop_error, days), *(money(each.drop) for each in both)),
        ("win", _won(day, days) + exact, *(_won(each, days) for each in both)),
        ("one deviation", *(money(each.deviation or 0.0) for each in (day, *both))),
        ("hold", *(percent_within(each.hold, each.hold_error, days) for each in (first, *both))),
        ("win of what was staked",
         *(percent_within(each.of_staked, each.of_staked_error, days, 3) for each in (first, *both))),
        ("days lost by a table", *(share(each.losing, each.losing_within) for each in (day, *both))),
        ("days lost by all tables together",
         *(share(each.floor_losing, each.floor_losing_within) for each in (first, *both))),
    ]  # fmt: skip
    about = f"{first.tables} tables over {first.days} days, a table's day of {first.shoes} shoes:\n\n"
    heads = ("a table's day", "mean", "with the progressive, meters of each table", "with shared meters")
    return about + table(heads, rows) + _awards(first, linked)


def _won(day: Day | WithProgressive, days: int) -> str:
    return money_within(day.win, day.error, days)


def _awards(first: HouseStudy, linked: HouseStudy) -> str:
    """What the progressive awarded, with meters of each table and with shared ones."""
    one, other = first.meters, linked.meters
    assert one is not None
    assert other is not None
    rows = [
        (own.row, f"{own.times:,}", f"{own.expected:,.1f} ± {half_width(own.deviation):,.1f}", signed(own.z, 2),
         money(own.paid), money(shared.paid))
        for own, shared in zip(one.awarded, other.awarded, strict=True)
    ]  # fmt: skip
    heads = ("row", "times", "expected", "z", "paid, meters of each table", "shared meters")
    about = f"\nThe progressive, {one.wagers:,} wagers of the same rounds:\n\n"
    meters = [
        (f"{meter.name}, {whose}", f"{meter.awards:,}", f"{meter.expected:,.1f} ± {half_width(meter.deviation):,.1f}",
         signed(meter.z or 0.0, 2), money(meter.paid / meter.awards) if meter.awards else "–", f"{meter.longest:,}",
         f"{meter.shared:,}")
        for whose, found in (("each table", one), ("shared", other))
        for meter in found.meters
    ]  # fmt: skip
    names = ("meter", "awards", "expected", "z", "mean award", "most rounds without", "shared by tables")
    texts = [_kept(whose, found) for whose, found in (("Meters of each table", one), ("Shared meters", other))]
    return about + table(heads, rows) + "\n" + table(names, meters) + "\n" + "\n\n".join(texts) + "\n"


def _kept(whose: str, found: MeterStudy) -> str:
    hit = found.must_hit
    assert hit is not None
    assert hit.z is not None
    assert found.exact_edge is not None
    assert found.edge_error is not None
    return (
        f"*{whose}*: {found.wagers:,} wagers of {money(found.staked / found.wagers)} are {money(found.staked)}. Out of "
        f"that awards of {money(found.paid)} were paid and {money(hit.paid)} by the Must Hit, so the house won "
        f"{money(found.won)} with the progressive; the meters hold {money(found.left_micro / MICRO)}, the Must Hit "
        f"{money(hit.left)}. After contributions and new seeds the house keeps {percent(found.edge)} of the stakes, "
        f"by the exact chances {percent(found.exact_edge)} ± {percent(half_width(found.edge_error))}, before the Must "
        f"Hit. That was hit {hit.hits:,} times, after {hit.shortest:,} to {hit.longest:,} rounds. It was started "
        f"{hit.runs:,} times and needs, unfinished runs included, {hit.mean_rounds:.1f} rounds for a hit, by the "
        f"exact chances {hit.exact_rounds:.1f} ± {within(hit.error, 1)}, z {signed(hit.z, 2)}."
    )


def _wagers(found: WagerStudy, progressive: WagerStudy, totals: WagerStudy) -> str:
    """Every wager of a table without a progressive, the progressive of another, and wagers on the number of cards."""
    cards = [each for each in totals.wagers if each.on in (WagerKind.TOTAL4, WagerKind.TOTAL5, WagerKind.TOTAL6)]
    last = [each for each in progressive.wagers if each.on is WagerKind.ROYAL9]
    meters = ", ".join(f"{name} {money(cents)}" for name, cents in progressive.meters.items())
    return (
        f"{_about(found)}:\n\n{_wager_table(found, found.wagers)}\nRoyal 9 at another table, at one chair "
        f"that wagers alone, its meters at their seeds before every round ({meters}; what the wager itself "
        f"adds is paid with them, reading A-15). {_about(progressive)}:\n\n"
        f"{_wager_table(progressive, last)}\nThe wagers of New Jersey on how many cards a round takes. "
        f"{_about(totals)}:\n\n{_wager_table(totals, cards)}"
    )


def _about(found: WagerStudy) -> str:
    return (
        f"{found.shoes:,} shoes: {found.rounds_at_fixed:,} rounds at {found.fixed_rounds} per shoe, "
        f"{found.rounds_to_cover:,} to the cover card; the effect from exact odds in {found.effect_shoes:,} shoes"
    )


def _wager_table(study: WagerStudy, wagers: Sequence[WagerFound]) -> str:
    rows, shoes = [], study.effect_shoes
    for each in wagers:
        assert each.effect is not None
        assert each.effect_error is not None
        effect = f"{signed(100 * each.effect, 5)} ± {within(each.effect_error, 5, shoes, unit=100)} %"
        rows.append(
            (each.name, percent(each.exact, 5), percent(each.fixed, 4), signed(each.fixed_z or 0.0, 2),
             percent(each.to_cover, 4), signed(each.to_cover_z or 0.0, 2), effect)
        )  # fmt: skip
    at_fixed = f"{study.fixed_rounds} rounds per shoe"
    return table(("house edge", "exact", at_fixed, "z", "to the cover card", "z", "cut-card effect"), rows)
