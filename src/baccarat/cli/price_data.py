"""Prices for programs: JSON with exact fractions, CSV with every line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from baccarat.cli.output import put_csv
from baccarat.cli.submission_name import shipped_name
from baccarat.law.rulebook import Rulebook
from baccarat.law.wager_name import in_order
from baccarat.odds.advantage import remarks
from baccarat.odds.house_money import press
from baccarat.odds.joint_wagers import exempt_pairs
from baccarat.odds.measure import Price, PriceDistribution
from baccarat.odds.must_hit import kept_with_royal9, must_hit, must_hit_seat
from baccarat.odds.price import Prices
from baccarat.odds.royal9 import royal9
from baccarat.odds.shoe import ShoeCounts
from baccarat.odds.show import percent
from baccarat.play.wager import WagerKind

HEADS = (
    "wager", "stake_cents", "row", "result", "pays", "vigorish", "award_cents", "combinations", "deals", "gain",
    "return",
)  # fmt: skip
"""The columns of CSV."""


def signed_percent(value: Fraction) -> str:
    """A change of an edge in percentage points, with its sign."""
    return percent(value) if value < 0 else "0" if value == 0 else f"+{percent(value)}"


def fraction(value: Fraction | None) -> dict[str, Any] | None:
    """A fraction for a program: exactly, and as a decimal."""
    if value is None:
        return None
    return {"exact": f"{value.numerator}/{value.denominator}", "decimal": float(value)}


def rulebook_data(rules: Rulebook) -> dict[str, str | None]:
    """The rulebook that a price belongs to; its Submission if that is a shipped one."""
    submission = shipped_name(rules.edition.name, rules.hash)
    return {"submission": submission, "edition": rules.edition.name, "hash": rules.hash}


def prices_as_data(prices: Prices, meters: Mapping[str, int] | None) -> dict[str, Any]:
    """All prices of a rulebook, and the extras of some."""
    return {
        **rulebook_data(prices.rules),
        "cards": prices.shoe.size,
        "deals": prices.shoe.deals,
        "wagers": {each.on.word: price_as_data(each) for each in prices},
        **extra_prices(prices.rules, prices.shoe, prices.wagers, meters),
        "remarks": remarks(prices),
        "missing": {kind.word: why for kind, why in prices.missing.items()},
        "notes": prices.notes,
    }


def price_as_data(each: PriceDistribution) -> dict[str, Any]:
    """One price."""
    return {
        "name": each.name,
        "stake": None if each.stake is None else int(each.stake),
        "edge": fraction(each.edge),
        "edge_resolved": fraction(each.edge_resolved),
        "variance": fraction(each.variance),
        "deviation": float(each.deviation),
        "hit": fraction(each.hit),
        "push": fraction(each.push),
        "lines": [
            {
                "row": one.row, "result": one.result.word, "pays": None if one.pays is None else str(one.pays),
                "vigorish": one.vigorish, "award": None if one.award is None else int(one.award),
                "combinations": one.combinations, "probability": fraction(one.probability), "gain": fraction(one.gain),
                "return": fraction(one.returns),
            }
            for one in each.lines
        ],
        "bands": [
            {"rounds": band.rounds, "percent": band.percent, "low": fraction(band.low), "high": fraction(band.high)}
            for band in each.bands
        ],
    }  # fmt: skip


def extra_prices(
    rules: Rulebook,
    shoe: ShoeCounts,
    wagers: Iterable[WagerKind],
    meters: Mapping[str, int] | None,
    *,
    stake: int | None = None,
    beside: int | None = None,
) -> dict[str, Any]:
    """The press of House Money, the exemption, Royal 9 by chair, the Must Hit, if the rulebook has them."""
    made: dict[str, Any] = {}
    offered = set(wagers)
    if WagerKind.HOUSE_MONEY in offered:
        made["press"] = {onto.word: _press(rules, onto, shoe, stake, beside) for onto in press_targets(rules)}
    pairs = [each for each in exempt_pairs(rules, shoe) if next(iter(each.units)) in offered]
    if pairs:
        made["exempt_beside"] = {list(each.units)[-1].word: fraction(each.edge) for each in pairs}
    if WagerKind.ROYAL9 in offered:
        made["royal9"] = _royal9(rules, shoe, meters)
    if rules.elections.must_hit is not None:
        whole = must_hit(rules)
        made["must_hit"] = {name: fraction(getattr(whole, name)) for name in ("cost", "rounds", "award")}
        nines = royal9(rules, shoe, meters=royal9_meters(meters)) if WagerKind.ROYAL9 in offered else None
        kept = None if nines is None else kept_with_royal9(nines, whole)
        if kept is not None:
            made["must_hit"]["kept_with_royal9"] = fraction(kept)
        at = (meters or {}).get("must_hit")
        if at is not None:
            seat = must_hit_seat(rules, meter=at)
            made["must_hit"]["seat"] = {"meter": at, "chance": fraction(seat.chance), "value": fraction(seat.value)}
    return made


def press_targets(rules: Rulebook) -> list[WagerKind]:
    """The wagers onto which a payout of House Money may be pressed, in the order in which they are shown."""
    law = rules.edition.house_money
    return [WagerKind(word) for word in in_order(law.press if law is not None else ())]


def _press(rules: Rulebook, onto: WagerKind, shoe: ShoeCounts, stake: int | None, beside: int | None) -> dict[str, Any]:
    made = press(rules, onto, shoe, stake=stake if beside is not None else None, beside=beside)
    told_ = {name: fraction(getattr(made, name)) for name in ("never", "always", "best", "pressed")}
    sums = {"stake": made.stake, "beside": made.beside}
    return {**told_, **{name: None if cents is None else int(cents) for name, cents in sums.items()}}


def _royal9(rules: Rulebook, shoe: ShoeCounts, meters: Mapping[str, int] | None) -> dict[str, Any]:
    found = royal9(rules, shoe, meters=royal9_meters(meters))
    chairs = {}
    for seat, each in found.chairs.items():
        even = {name: found.break_even(seat, name) for name in found.meters}
        run = found.has_long_run(seat)
        chairs[str(seat)] = {
            **price_as_data(each),
            "long_run": fraction(found.long_run_edge(seat)) if run else None,
            "seeding": fraction(found.seeding_cost(seat)) if run else None,
            "break_even": {name: None if cents is None else int(cents) for name, cents in even.items()},
        }
    shown = {name: int(cents) for name, cents in found.meters.items()}
    return {"meters": shown, "adds": {n: fraction(v) for n, v in found.contribution.items()}, "chairs": chairs}


def royal9_meters(meters: Mapping[str, int] | None) -> dict[str, int] | None:
    """What the Royal 9 meters show, without the Must Hit's."""
    left = {name: cents for name, cents in (meters or {}).items() if name != "must_hit"}
    return left or None


def write_csv(prices: Iterable[Price]) -> None:
    """Every line of every pay table, one per row."""
    put_csv(HEADS, (
        (
            each.on.word, "" if each.stake is None else int(each.stake), one.row, one.result.word,
            "" if one.pays is None else str(one.pays), int(one.vigorish),
            "" if one.award is None else int(one.award), one.combinations, each.deals, one.gain, one.returns,
        )
        for each in prices
        for one in each.lines
    ))  # fmt: skip
