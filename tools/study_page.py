"""The tables and pictures of docs/studies.md, from what the studies found (docs/studies/)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from baccarat.cli.study_out import half_width
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
from baccarat.play.wager import Kind
from baccarat.sim.study.counts import AtDepth, CountStudy, Gain
from baccarat.sim.study.hands import Hands
from baccarat.sim.study.house import Day, HouseStudy, WithProgressive
from baccarat.sim.study.meters import Meters
from baccarat.sim.study.patrons import PatronStudy
from baccarat.sim.study.wagers import WagerFound, WagerStudy
from counted_study import CountedResults
from studies import kept
from study_figures import money, percent, signed, table, within
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


def _hands(found: list[Hands], passes: list[Hands], tested: list[HandsTested]) -> str:
    rejected = {each.steps: ", ".join(each.rejected_by) or "–" for each in tested}
    rows = []
    for each in (*found[:-1], *passes, found[-1]):
        tracker = each.tracker
        assert tracker is not None
        assert tracker.error is not None
        gains = f"{signed(tracker.gain, 4)} ± {within(tracker.error, 4)}"
        figures = (percent(each.next), f"{each.bits:.3f}", f"{each.region:.3f}", gains)
        rows.append((_steps(each.steps), *figures, rejected[each.steps]))
    heads = (
        "steps",
        "next card is the old next",
        "bits told about a card",
        "unevenness of regions",
        "a tracker gains a shoe",
        f"rejected by, within {tested[0].shoes} shoes",
    )
    return table(heads, rows)


def _steps(steps: Sequence[str]) -> str:
    """The steps, those that are repeated once with their number."""
    return ", ".join(f"{step} ×{number}" if (number := len(list(same))) > 1 else step for step, same in groupby(steps))


def _gain(gain: Gain) -> tuple[str, str, str]:
    return percent(gain.share), percent(gain.edge), f"{signed(gain.per_shoe, 4)} ± {within(gain.error, 4)}"


def _counts(found: list[CountStudy], results: CountedResults) -> str:
    rows = []
    names = ("", ", no last hand", ", count with tags up to 8", ", burned cards shown")
    for each, name in zip(found, names, strict=True):
        for at in each.depths:
            who = f"{at.depth}{name}"
            rows += [(who, f"{at.rounds:.1f}", "counter", *_gain(at.counter)), (who, "", "perfect", *_gain(at.perfect))]
    first = found[0].depths[0]
    won = f"{signed(results.came, 4)} ± {within(results.error, 4)}"
    share, edge = percent(results.wagers / first.rounds), percent(results.came / results.wagers)
    rows.append((f"{first.depth}, results of {results.shoes:,} shoes", "", "counter", share, edge, won))
    return table(("cards behind", "rounds", "who", "wagers in", "gains a wager", "units a shoe"), rows)


JACOBSON = "Eliot Jacobson, *Co-Card Counting the Dragon and Panda Side Bets in EZ Baccarat* (888casino), 14 behind"
TRACKING = "Stephen How, *Baccarat Dragon-7 Tracking Sheet* (Discount Gambling, 4 October 2011)"
UNBALANCED = "Stephen How, *Unbalanced Dragon 7 Count* (Discount Gambling, 24 October 2012), 16 behind"


def _anchors(found: list[CountStudy], published: list[CountStudy]) -> str:
    """Gains that others have published beside those of the studies nearest to them."""
    known, no_last, panda = found[0].depths[0], found[1].depths[-1], published[0].depths[0]
    tags = " ".join(f"{rank.value}{signed(tag, 0)}" for rank, tag in published[0].linear.tags.items() if tag)

    def measured(at: AtDepth) -> tuple[str, str]:
        return f"{_gain(at.counter)[2]}, {at.counter.share * at.rounds:.1f} wagers", f"{at.depth}"

    (dragon, behind), (sooner, less), (other, _) = map(measured, (known, no_last, panda))
    rows = [
        ("Dragon 7, these tags", "0.597", JACOBSON, f"{dragon}, {behind} cards behind"),
        (f"Panda 8, {tags}", "0.237", JACOBSON, f"{other}, {behind} cards behind"),
        ("Dragon 7, these tags on a sheet, without dividing", "0.53, 5.2 wagers", TRACKING, f"with dividing, {dragon}"),
        ("Dragon 7, these tags and A+1, without dividing", "0.52, 6.8 wagers", UNBALANCED,
         f"without A, with dividing, {sooner}, {less} cards behind and no last hand"),
    ]  # fmt: skip
    return table(("count", "published, units a shoe", "by", "measured here"), rows)


def _others(found: list[CountStudy]) -> str:
    rows = []
    for each in found:
        linear, at = each.linear, each.depths[0]
        tags = " ".join(f"{rank.value}{signed(tag, 0)}" for rank, tag in linear.tags.items() if tag)
        counter, perfect = (f"{signed(g.per_shoe, 4)} ± {within(g.error, 4)}" for g in (at.counter, at.perfect))
        begins = "–" if linear.index is None else f"{linear.index:.1f}"
        rows.append((linear.name, tags or "none", f"{linear.correlation:.3f}", begins, counter, perfect))
    return table(("wager", "count", "correlation", "gains from", "counter, units a shoe", "perfect"), rows)


def _patrons(found: PatronStudy) -> str:
    rows = [
        (
            seat.strategy, f"{money(seat.result)} ± {money(half_width(seat.error))}", money(seat.deviation),
            money(seat.staked),
            percent(seat.result / seat.staked), percent(seat.ruined, 1), f"{seat.stayed:.0f}",
        )
        for seat in found.seats
    ]  # fmt: skip
    heads = ("strategy", "won a session", "deviation", "staked", "won of that", "ruined", "rounds stayed")
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
    exact = f"; by the exact edges {money(first.theoretical)}"
    rows = [
        ("rounds", *[f"{day.rounds:,.1f}"] * 3),
        *((name, *(money(getattr(each, name)) for each in (day, whole, linked.with_progressive)))
          for name in ("staked", "drop")),
        ("win", _won(day) + exact, _won(whole), _won(linked.with_progressive)),
        ("one deviation", *(money(each.deviation) for each in (day, whole, linked.with_progressive))),
        ("hold", *(percent(each.hold) for each in (first, whole, linked.with_progressive))),
        ("win of what was staked", *(percent(each.of_staked, 3) for each in (first, whole, linked.with_progressive))),
        ("days lost by a table", *(percent(each.losing, 1) for each in (day, whole, linked.with_progressive))),
        ("days lost by all tables together",
         *(percent(each.floor_losing, 1) for each in (first, whole, linked.with_progressive))),
    ]  # fmt: skip
    about = f"{first.tables} tables over {first.days} days, a table's day of {first.shoes} shoes:\n\n"
    heads = ("a table's day", "mean", "with the progressive, meters of each table", "with shared meters")
    return about + table(heads, rows) + _awards(first, linked)


def _won(day: Day | WithProgressive) -> str:
    return f"{money(day.win)} ± {money(half_width(day.error))}"


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
         signed(meter.z, 2), money(meter.paid / meter.awards) if meter.awards else "–", f"{meter.longest:,}",
         f"{meter.shared:,}")
        for whose, found in (("each table", one), ("shared", other))
        for meter in found.meters
    ]  # fmt: skip
    names = ("meter", "awards", "expected", "z", "mean award", "most rounds without", "shared by tables")
    texts = [_kept(whose, found) for whose, found in (("Meters of each table", one), ("Shared meters", other))]
    return about + table(heads, rows) + "\n" + table(names, meters) + "\n" + "\n\n".join(texts) + "\n"


def _kept(whose: str, found: Meters) -> str:
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
        f"{hit.runs:,} times and needs, runs that are not over included, {hit.mean_rounds:.1f} rounds to a hit, by the "
        f"exact chances {hit.exact_rounds:.1f} ± {within(hit.error, 1)}, z {signed(hit.z, 2)}."
    )


def _wagers(found: WagerStudy, progressive: WagerStudy, totals: WagerStudy) -> str:
    """Every wager of a table without a progressive, the progressive of another, and wagers on the number of cards."""
    cards = [each for each in totals.wagers if each.on in (Kind.TOTAL4, Kind.TOTAL5, Kind.TOTAL6)]
    last = [each for each in progressive.wagers if each.on is Kind.ROYAL9]
    meters = ", ".join(f"{name} {money(cents)}" for name, cents in progressive.meters.items())
    return (
        f"{_about(found)}:\n\n{_wager_table(found.fixed_rounds, found.wagers)}\nRoyal 9 at another table, at one chair "
        f"that wagers alone, its meters at their seeds before every round ({meters}; what the wager itself "
        f"adds is paid with them, reading A-15). {_about(progressive)}:\n\n"
        f"{_wager_table(progressive.fixed_rounds, last)}\nThe wagers of New Jersey on how many cards a round takes. "
        f"{_about(totals)}:\n\n{_wager_table(totals.fixed_rounds, cards)}"
    )


def _about(found: WagerStudy) -> str:
    return (
        f"{found.shoes:,} shoes: {found.rounds_at_fixed:,} rounds at {found.fixed_rounds} a shoe, "
        f"{found.rounds_to_cover:,} to the cover card; the effect from exact odds in {found.effect_shoes:,} shoes"
    )


def _wager_table(fixed_rounds: int, wagers: Sequence[WagerFound]) -> str:
    rows = []
    for each in wagers:
        assert each.effect is not None
        assert each.effect_error is not None
        effect = f"{signed(100 * each.effect, 5)} ± {within(100 * each.effect_error, 5)} %"
        rows.append(
            (each.name, percent(each.exact, 5), percent(each.fixed, 4), signed(each.fixed_z or 0.0, 2),
             percent(each.to_cover, 4), signed(each.to_cover_z or 0.0, 2), effect)
        )  # fmt: skip
    at_fixed = f"{fixed_rounds} rounds a shoe"
    return table(("house edge", "exact", at_fixed, "z", "to the cover card", "z", "cut-card effect"), rows)
