"""Hands that shuffle: what order a shuffle by hand leaves from shoe to shoe, and what a tracker could gain by it."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, log2, sqrt
from typing import Any

import msgspec
import numpy as np

from baccarat.law.rulebook import Rulebook
from baccarat.play.book import open_book
from baccarat.play.shoe import shows_burned
from baccarat.sim.job import book_of, seed_within
from baccarat.sim.stream import source_of
from baccarat.sim.study.book_arrays import CASES, RANKS, Floats, Integers, first_cards_gains, table_of, unit_gains
from baccarat.sim.study.moments import Moments
from baccarat.sim.study.round_columns import DEALT
from baccarat.table.base import table_rules
from baccarat.table.step.by_hand import fault, usual_steps
from baccarat.values import as_tuple, expect, whole_number, whole_within

STEPS = ("plug", "riffle", "turn", "strip", "lace", "wash", "cut", "fair")
"""The motions, in the order of their numbers in `hand_motion`; `fair` is a perfect shuffle, for comparison."""
NEAR_DISTANCE = 4
"""Up to how far behind the last card, in the old order, a card counts as near it."""
GROUPS = 20
"""The most groups of sets of cards: each is left out once, to see how much the figures vary without it."""
AT_ONCE = 256
"""Shoes of a block."""
SHOWN_DISTANCE = 20
"""Distances in the old order up to this are stored for the picture."""
MOST_RIFFLES = 50
MOST_SHOES = 1_000_000_000
"""The most shoes: to shuffle these takes days."""


class Model(msgspec.Struct, frozen=True, kw_only=True):
    """The hands: how many cards they grab, and how coarse their packets are."""

    grab: int = 52
    """Cards taken from each half to be riffled together."""
    packet: int = 8
    """The mean packet of a strip."""
    plugs: int = 6
    """Packets in which undealt cards are plugged into the discards."""
    laced: int = 52
    """Cards that are laced into the others: about one deck."""
    clump: int = 3
    """The mean number of cards that stick together in a wash."""
    renew: int = 10
    """Shoes after which another set of cards, fairly shuffled, is put in play."""


class Tracker(msgspec.Struct, frozen=True, kw_only=True):
    """The gains of somebody who knows the order of the previous shoe and distinguishes every card from its copies."""

    shoes: int
    rounds: int
    wagers: int
    expected: float
    """Units per shoe, by the tracker's own estimate."""
    gain: float
    """Units per shoe, as it happened."""
    error: float | None
    """One standard error of it; None if fewer than two sets of cards were played, or all had the same result."""
    sets: int
    """The whole sets of cards from which the error is computed."""


class HandsStudy(msgspec.Struct, frozen=True, kw_only=True):
    """What a procedure leaves of the order of the previous shoe.

    Errors are one standard error, by the jackknife over `groups` of sets of cards, because shoes of one set depend on
    each other; None if there are fewer than two sets.
    """

    steps: tuple[str, ...]
    model: Model
    seed: int
    shoes: int
    cards: int
    groups: int
    next: float
    """How often the next card is the one that came next in the old order."""
    next_error: float | None
    fair_next: float
    near: float
    """How often the next card lay within four behind the last one."""
    near_error: float | None
    fair_near: float
    bits: float
    """What the distance in the old order reveals about the next card, in bits; a fair shuffle reveals nothing."""
    bits_error: float | None
    region: float
    """How unevenly the cards of a thirteenth of the shoe are spread afterwards: Cramér's V, zero for a fair shuffle."""
    region_error: float | None
    gaps: dict[int, float]
    """By the distance in the old order, how often the next card has it."""
    tracker: Tracker | None = None


def usual_procedure(rules: Rulebook, *, riffles: int | None = None) -> tuple[str, ...]:
    """A shuffle by hand as the rulebook's document lists its elements, at the end of a shoe.

    Where the document names elements: those, in a lawful order; otherwise three riffles per pack. Then laced, shuffled
    again if elected, and cut. Where the cards are washed and three dealers shuffle, that instead.
    """
    book_of(rules)
    riffles = None if riffles is None else whole_within("riffles", riffles, least=1, most=MOST_RIFFLES)
    steps = [step for step in usual_steps(table_rules(rules), fresh=False) if step != "cut"]
    if rules.elects("shuffle_method") == 2:
        steps = ["wash", *["riffle"] * (riffles or 3), *["turn", *["riffle"] * (riffles or 3)] * 2]
    elif not steps:
        steps = ["plug", *["riffle"] * (riffles or 3)]
    elif riffles is not None:
        first = steps.index("riffle")
        others = [step for step in steps[first:] if step != "riffle"]
        last = ["riffle"] * (riffles > 1)
        steps = [*steps[:first], *["riffle"] * (riffles - len(last)), *others[:1], *last, *others[1:]]
    laced = any(row.name == "lace" and rules.meets(row.when) for row in rules.edition.steps)
    again = rules.elects("reshuffle_after_lace") in ("some", "all")
    return (*steps, *(("lace",) if laced else ()), *(("turn", "riffle") if again else ()), "cut")


def procedure_fault(rules: Rulebook, steps: tuple[str, ...]) -> str | None:
    """What the document objects to in a shuffle, apart from lacing and what follows it; None if nothing."""
    book_of(rules)
    steps = as_tuple("steps", steps)
    laced = steps.index("lace") if "lace" in steps else None
    kept = steps if laced is None else (*steps[:laced], "cut")
    found = fault(table_rules(rules), kept, fresh=False)
    return None if found is None else f"{found.what.replace('_', ' ')} [{', '.join(found.cite)}]"


def study_hands(
    rules: Rulebook,
    *,
    seed: int,
    shoes: int,
    steps: tuple[str, ...] | None = None,
    model: Model | None = None,
    tracker: bool = True,
) -> HandsStudy:
    """Shuffle shoe after shoe by these steps; count what order is left, and let a tracker play as many."""
    from baccarat.sim.study import hand_motion as motion  # noqa: PLC0415  numba takes up to a second to import
    from baccarat.sim.study.compiled import chance  # noqa: PLC0415

    steps, model = _procedure(rules, steps), Model() if model is None else model
    expect(tracker, bool, "True or False for the tracker")
    cards, dealt = _sizes(rules)
    seed, shoes = seed_within(seed), _shoes_within(shoes)
    codes, numbers = _check_steps(rules, steps, model, cards)
    groups = _groups(shoes, model.renew)
    gaps, regions = np.zeros((len(groups), 2 * cards), np.int64), np.zeros((len(groups), 13, 13), np.int64)
    rates = np.zeros((motion.HEADS + 1, 3, 2), np.int64)
    order, state = np.arange(cards), chance(seed, 0)
    for k, group in enumerate(groups):
        for before, more in _blocks(group.stop, group.start):
            motion.survey(order, before, more, dealt, codes, numbers, state, gaps[k], regions[k], rates)
            DEALT.add(more)
    found = None
    if tracker:
        chances = np.divide(rates[..., 1], rates[..., 0], out=np.zeros(rates.shape[:2]), where=rates[..., 0] > 0)
        found = _track(rules, shoes, codes, numbers, chances, seed)
    return _summary(steps, model, seed, shoes, gaps, regions, found)


def hand_orders(
    rules: Rulebook, *, seed: int, shoes: int, steps: tuple[str, ...] | None = None, model: Model | None = None
) -> Iterator[list[int]]:
    """The orders of `shoes` shoes, each shuffled from the one before, as numbers of the unshuffled cards."""
    from baccarat.sim.study import hand_motion as motion  # noqa: PLC0415
    from baccarat.sim.study.compiled import chance  # noqa: PLC0415

    cards, dealt = _sizes(rules)
    seed, shoes = seed_within(seed), _shoes_within(shoes)
    codes, numbers = _check_steps(rules, _procedure(rules, steps), Model() if model is None else model, cards)
    order, state = np.arange(cards), chance(seed, 0)
    for before, more in _blocks(shoes):
        out = np.empty((more, cards), np.int64)
        motion.orders(order, before, more, dealt, codes, numbers, state, out)
        yield from out.tolist()


def _blocks(shoes: int, first: int = 0) -> Iterator[tuple[int, int]]:
    """How many shoes came before each block, and how many it has: between blocks Ctrl-C takes effect."""
    for before in range(first, shoes, AT_ONCE):
        yield before, min(AT_ONCE, shoes - before)


def _groups(shoes: int, renew: int) -> list[range]:
    """The shoes in groups of whole sets of cards; the last may be incomplete."""
    sets = -(-shoes // renew)
    groups = min(GROUPS, sets)
    starts = [renew * (group * sets // groups) for group in range(groups)]
    return [range(start, end) for start, end in zip(starts, [*starts[1:], shoes], strict=True)]


def _procedure(rules: Rulebook, steps: Any) -> tuple[str, ...]:
    """The steps of a shuffle: those that are given, or the usual ones."""
    return usual_procedure(rules) if steps is None else as_tuple("steps", steps)


def _sizes(rules: Rulebook) -> tuple[int, int]:
    """The cards of a shoe, and how many are dealt: to the cover card, and about one hand more."""
    source = source_of(book_of(rules))
    return source.size, source.size - max(0, source.depth - 5)


def _shoes_within(shoes: int) -> int:
    return whole_within("shoes", shoes, least=1, most=MOST_SHOES)


def _check_steps(rules: Rulebook, steps: tuple[str, ...], model: Model, cards: int) -> tuple[Integers, Integers]:
    """The steps and the model as numbers; what hands cannot do is refused."""
    unknown = [step for step in steps if step not in STEPS]
    if unknown:
        raise ValueError(f"no step {unknown[0]!r} of a shuffle; there are {', '.join(STEPS)}")
    if not steps:
        raise ValueError("a shuffle has at least one step")
    expect(model, Model, "a Model of hands")
    for name in ("grab", "packet", "plugs", "laced", "clump", "renew"):
        most = {"laced": cards // 2, "renew": MOST_SHOES}.get(name, cards)
        value = whole_number(f"the model's {name}", getattr(model, name))
        if not 1 <= value <= most:
            raise ValueError(f"the model's {name} is 1 to {most}, not {value}")
    values = (model.grab, model.packet, model.plugs, model.laced, model.clump, model.renew, rules.edition.cut.at_least)
    return np.array([STEPS.index(step) for step in steps]), np.array(values)


def _track(rules: Rulebook, shoes: int, steps: Integers, numbers: Integers, chances: Floats, seed: int) -> Tracker:
    from baccarat.sim.study import hand_motion as motion  # noqa: PLC0415
    from baccarat.sim.study.compiled import chance  # noqa: PLC0415

    book, (cards, dealt), depth = open_book(rules), _sizes(rules), source_of(open_book(rules)).depth
    kinds = tuple(kind for kind in book.kinds if kind in book.verdicts)
    (gains, _), table = first_cards_gains(book, kinds), table_of(book)
    faces, cases = np.arange(cards) % len(RANKS), unit_gains(book, kinds)
    assert cases.shape == (len(kinds), CASES)
    order, state, total, sets = np.arange(cards), chance(seed, 1), np.zeros(4), _Sets(int(numbers[motion.RENEW]))
    for before, more in _blocks(shoes):
        won = np.zeros((more, 4))
        motion.track(
            order, before, more, dealt, steps, numbers, state, chances, gains, cases, faces,
            (table.worth, table.player, table.banker), (table.burn, shows_burned(rules), depth), won,
        )  # fmt: skip
        total += won.sum(axis=0)
        sets.add(before, won[:, 3])
        DEALT.add(more)
    rounds, wagers, expected, gain = total
    return Tracker(
        shoes=shoes, rounds=int(rounds), wagers=int(wagers), expected=float(expected / shoes),
        gain=float(gain / shoes), error=sets.done.errors()[0], sets=sets.done.samples,
    )  # fmt: skip


class _Sets:
    """What shoes gained, by sets of cards: shoes of one set depend on each other, so whole sets are compared."""

    def __init__(self, renew: int) -> None:
        self.renew, self.begun, self.done = renew, 0.0, Moments(1)

    def add(self, before: int, won: Floats) -> None:
        """Add the gains of the shoes that follow the first `before`."""
        number = (before + np.arange(len(won))) // self.renew
        by_set = np.bincount(number - number[0], won)
        by_set[0] += self.begun
        is_whole = (before + len(won)) % self.renew == 0
        self.begun = 0.0 if is_whole else float(by_set[-1])
        whole = by_set if is_whole else by_set[:-1]
        self.done.add(whole[None] / self.renew)


def fair_gap(cards: int, distance: int) -> float:
    """How often two neighbours of a fair shoe lie this far apart in another order."""
    return (cards - abs(distance)) / (cards * (cards - 1)) if 0 < abs(distance) < cards else 0.0


def _summary(
    steps: tuple[str, ...],
    model: Model,
    seed: int,
    shoes: int,
    gaps: Integers,
    regions: Integers,
    tracker: Tracker | None,
) -> HandsStudy:
    """What was found; gaps and regions by group."""
    cards, groups = gaps.shape[1] // 2, len(gaps)
    all_gaps, all_regions = gaps.sum(axis=0), regions.sum(axis=0)
    (following, near, bits, region), share = _order_left(all_gaps, all_regions)
    without = [
        _order_left(all_gaps - own, all_regions - moved)[0]
        for own, moved in zip(gaps, regions, strict=True) if groups > 1
    ]  # fmt: skip
    next_error, near_error, bits_error, region_error = _jackknife(without)
    return HandsStudy(
        steps=steps, model=model, seed=seed, shoes=shoes, cards=cards, groups=groups,
        next=following, next_error=next_error, fair_next=fair_gap(cards, 1),
        near=near, near_error=near_error, fair_near=sum(fair_gap(cards, d) for d in range(1, NEAR_DISTANCE + 1)),
        bits=max(0.0, bits), bits_error=bits_error, region=region, region_error=region_error,
        gaps={d: float(share[cards + d]) for d in range(-SHOWN_DISTANCE, SHOWN_DISTANCE + 1) if d}, tracker=tracker,
    )  # fmt: skip


def _jackknife(without: list[tuple[float, float, float, float]]) -> list[float | None]:
    """One standard error of each figure, from its values without one group at a time."""
    found, groups = np.array(without).reshape(-1, 4), len(without)
    if groups < 2:
        return [None] * 4
    return [float(spread) * sqrt(groups - 1) or None for spread in found.std(axis=0)]


def _order_left(gaps: Integers, regions: Integers) -> tuple[tuple[float, float, float, float], Floats]:
    """How often the next card is the old next and near it, bits and unevenness; and the share of every gap."""
    cards = len(gaps) // 2
    share = gaps / gaps.sum()
    even = np.outer(regions.sum(axis=1), regions.sum(axis=0)) / regions.sum()
    chi = float(((regions - even) ** 2 / even).sum() - 12 * 12)  # minus what chance alone gives
    bits = sum(
        float(share[cards + d]) * log2(share[cards + d] / fair_gap(cards, d))
        for d in range(1 - cards, cards)
        if share[cards + d]
    ) - (2 * cards - 3) / (2 * float(gaps.sum()) * log(2))
    near = float(share[cards + 1 : cards + 1 + NEAR_DISTANCE].sum())
    return (float(share[cards + 1]), near, bits, sqrt(max(0.0, chi) / (float(regions.sum()) * 12))), share
