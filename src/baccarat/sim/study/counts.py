"""Counts: from the effect of removal to a linear count, and what counters gain on a wager, by cut-card depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from numbers import Real
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from baccarat.cards import DECK_SIZE, Rank
from baccarat.law.cached_value import cached_on_value
from baccarat.law.rulebook import Rulebook
from baccarat.odds.price import odds
from baccarat.odds.removal import Removal, effect_of_removal
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from baccarat.sim.job import book_of, seed_within
from baccarat.sim.stream import source_of
from baccarat.sim.study.book_arrays import RANKS, Floats, full_shoe, table_of
from baccarat.sim.study.gains_before import gains_before
from baccarat.sim.study.moments import Moments
from baccarat.sim.study.round_columns import RoundColumns, records
from baccarat.values import as_tuple, brief_repr, expect, whole_number, whole_within

LEVEL = 4
"""The largest tag of a count that is made here, unless another is requested."""
MOST_TAG = 100
"""The largest tag allowed: sums over a shoe stay far within 64 bits, even in thousandths."""
MOST_SHOES = 1_000_000_000
"""The most shoes: the exact odds before every round of these take days."""
MOST_INDEX = 10_000
"""No true count is larger: 52 cards of the largest tag for each unseen deck add up to less."""
LEAST_DEPTH = 12
"""Behind a cover card of this depth there are cards for the round in which it comes out and for one more."""


class LinearCount(msgspec.Struct, frozen=True, kw_only=True):
    """A linear count: what each rank adds to it when it is seen, and how well it predicts a wager's gain.

    The true count is what was seen beyond what a whole shoe would show, for each unseen deck: if the tags do not add up
    to zero, what the cards seen would count on average is subtracted first.
    """

    on: WagerKind
    name: str
    """What the wager is called at the table."""
    tags: dict[Rank, int]
    """All zero if every rank affects the wager alike, so that no count of ranks predicts it."""
    correlation: float
    """The betting correlation: of the tags with the effects of removal, over the cards of the shoe."""
    slope: float
    """What a unit gains more for each point of the true count."""
    index: float | None
    """The true count at which the wager begins to gain, by the slope alone; None if it never does."""


class Gain(msgspec.Struct, frozen=True, kw_only=True):
    """The gains of somebody who wagers a unit in some rounds only."""

    share: float
    """The share of rounds with a wager."""
    edge: float | None
    """Units gained in such a round on average, by the exact odds before it; None if there was none."""
    per_shoe: float
    """Units per shoe, by the exact odds before each round."""
    error: float | None
    """One standard error of it; None if all shoes were alike, as without a wager: then it is not known."""
    came: float
    """Units per shoe, as the rounds came."""
    came_error: float | None
    share_error: float | None = None
    edge_error: float | None = None


class AtDepth(msgspec.Struct, frozen=True, kw_only=True):
    """What is gained with the cover card at this depth."""

    depth: int
    rounds: float
    """Rounds per shoe."""
    counter: Gain
    """The counter, who wagers from the index on."""
    perfect: Gain
    """The perfect player, who knows the exact odds before every round."""


class CountStudy(msgspec.Struct, frozen=True, kw_only=True):
    """A count on one wager, tried in many shoes."""

    linear: LinearCount
    index: float
    """The true count from which the counter wagers, to the thousandth; none reaches `MOST_INDEX`."""
    seed: int
    shoes: int
    last_hand: bool
    depths: tuple[AtDepth, ...]
    by_count: dict[int, tuple[float, float]]
    """By the true count rounded down: the share of the rounds that are played at the depth elected, and what a unit
    gains there by the exact odds."""


@cached_on_value
def _removal_from_full_shoe(rules: Rulebook) -> Removal:
    """The effects of removal on all wagers of a rulebook: a study of several wagers asks for each of them."""
    return effect_of_removal(rules)


def effects_on_gain(rules: Rulebook, on: WagerKind) -> Floats:
    """By rank, how much more a unit gains after one card of it has left the full shoe."""
    admit_wager(rules, on)
    removal = _removal_from_full_shoe(rules)[on]
    return np.array([-float(removal[rank] or 0) for rank in RANKS])


def linear_count(
    rules: Rulebook, on: WagerKind, *, tags: Mapping[Rank, int] | None = None, level: int = LEVEL
) -> LinearCount:
    """The count with these tags; without them, the whole numbers up to `level` that predict the wager best."""
    admit_wager(rules, on)
    level = whole_within("level", level, least=1, most=MOST_TAG)
    given = None if tags is None else admit_tags(tags)
    effects = effects_on_gain(rules, on)
    chosen = _best(effects, level) if given is None else np.array([given.get(rank, 0) for rank in RANKS])
    if tags is not None and not chosen.any():
        raise ValueError("a count needs a rank that counts something")
    price = odds(rules)[on]
    cards, edge = source_of(open_book(rules)).size, float(price.edge)
    centred = chosen - chosen.mean()
    tells = centred.any() and not are_alike(effects)
    slope = float(effects @ centred / (centred @ centred)) * (cards - 1) / DECK_SIZE if tells else 0.0
    return LinearCount(
        on=on, name=price.name, tags={rank: int(tag) for rank, tag in zip(RANKS, chosen, strict=True)},
        correlation=_correlation(effects, chosen), slope=slope, index=edge / slope if slope > 0 else None,
    )  # fmt: skip


def admit_wager(rules: Rulebook, on: Any) -> None:
    """Refuse a wager that is not offered, and anything that is not a wager."""
    kinds = book_of(rules).kinds
    if expect(on, WagerKind, "a wager, such as BANKER") not in kinds:
        raise ValueError(f"{on.word} is no wager here; offered are {', '.join(kind.word for kind in kinds)}")


def admit_tags(tags: Any) -> dict[Rank, int]:
    """Tags by rank, small whole numbers; anything else is refused."""
    if not isinstance(tags, Mapping):
        raise TypeError(f"expected tags by rank, such as {{Rank.NINE: 2}}, not {brief_repr(tags)}")
    return {expect(rank, Rank, "a rank for each tag, such as Rank.NINE"): _tag(rank, tag) for rank, tag in tags.items()}


def _tag(rank: Rank, tag: Any) -> int:
    try:
        return whole_within("tag", tag, least=-MOST_TAG, most=MOST_TAG)
    except ValueError:
        allowed = f"tags are whole numbers from -{MOST_TAG} to {MOST_TAG}"
        raise ValueError(f"rank {rank.value} counts {brief_repr(tag)}: {allowed}") from None


def admit_index(index: Any) -> float:
    """The true count from which the counter wagers; one that no true count could reach or miss is refused."""
    if isinstance(index, bool) or not isinstance(index, Real):
        raise TypeError(f"expected a true count as a number, such as 4.0, not {brief_repr(index)}")
    try:
        number = float(index)
    except OverflowError:
        number = inf
    if not abs(number) <= MOST_INDEX:  # in this form it also refuses NaN
        raise ValueError(f"a true count of {number:g}: an index is a number from -{MOST_INDEX:,} to {MOST_INDEX:,}")
    return number


def balance_tags(tags: Mapping[Rank, int]) -> NDArray[np.int64]:
    """Thirteen times the tags, less their sum: a whole shoe counts zero, so only deviations from it count."""
    known = admit_tags(tags)
    found = np.array([known.get(rank, 0) for rank in RANKS])
    return len(RANKS) * found - int(found.sum())


def _correlation(effects: Floats, tags: NDArray[np.int64]) -> float:
    if are_alike(effects) or not tags.std():
        return 0.0
    return float(((effects - effects.mean()) * (tags - tags.mean())).mean() / (effects.std() * tags.std()))


def are_alike(effects: Floats) -> bool:
    """Whether every rank has the same effect, apart from rounding, as for pairs, which any rank makes equally."""
    return float(np.ptp(effects)) <= 1e-12


def _best(effects: Floats, level: int) -> NDArray[np.int64]:
    """Among roundings of the effects to whole numbers up to a level, the best correlated; the smallest of these."""
    if are_alike(effects):
        return np.zeros(len(effects), np.int64)
    top = np.abs(effects).max()
    found = [np.rint(effects / top * size).astype(np.int64) for size in np.arange(0.55, level + 0.5, 0.05)]
    found = [tags for tags in found if tags.any() and np.abs(tags).max() <= level]
    return max(found, key=lambda tags: (round(_correlation(effects, tags), 9), -int(np.abs(tags).sum())))


def study_counts(
    rules: Rulebook,
    linear: LinearCount,
    *,
    seed: int,
    shoes: int,
    index: float | None = None,
    depths: Sequence[int] = (),
    last_hand: bool = True,
) -> CountStudy:
    """Deal shoes to a counter and to a player who computes every round exactly.

    Without the last hand a shoe ends with the round in which the cover card came out.
    """
    seed, wanted = seed_within(seed), _depths(rules, depths)
    shoes = whole_number("shoes", shoes)
    if not 2 <= shoes <= MOST_SHOES:
        least = "a study needs at least two, to say how much they differ"
        raise ValueError(f"{shoes:,} shoes: {least}; it takes {MOST_SHOES:,} at most")
    expect(last_hand, bool, "True or False for the last hand")
    admit_wager(rules, expect(linear, LinearCount, "a count, as linear_count() makes one").on)
    from baccarat.sim.study.counter_kernel import ONE, in_thousandths  # noqa: PLC0415  numba takes up to a second to import

    gains_from = MOST_INDEX if linear.index is None else linear.index
    from_count = max(min(gains_from, MOST_INDEX), -MOST_INDEX) if index is None else index
    threshold = in_thousandths(admit_index(from_count))
    asked, sums = _CountSetup(rules, linear, threshold, seed, wanted, last_hand), _Sums(len(wanted))
    for block in records(rules, seed=seed, shoes=shoes):
        _add(asked, block, sums)
    parts = [_at_depth(depth, sums.by_depth[k]) for k, depth in enumerate(wanted)]
    all_rounds = sum(number for number, _ in sums.by_count.values())
    by_count = {count: (number / all_rounds, gain / number) for count, (number, gain) in sorted(sums.by_count.items())}
    return CountStudy(
        linear=linear, index=threshold / ONE, seed=seed, shoes=shoes, last_hand=last_hand,
        depths=tuple(parts), by_count=by_count,
    )  # fmt: skip


def _depths(rules: Rulebook, depths: Any) -> list[int]:
    """The elected depth and the others to compare, which lie before it; what cannot be studied is refused."""
    source = source_of(book_of(rules))
    least = source.depth
    if least < LEAST_DEPTH:
        say = f"a cover card depth of {least}, as elected: the last round may lack cards"
        raise ValueError(f"{say}; counts are studied from {LEAST_DEPTH} on")
    wanted = sorted({least, *(whole_number("depth", each) for each in as_tuple("depths", depths))})
    if wanted[0] < least:
        say = f"a cover card depth of {wanted[0]}: {least} cards lie behind the cover card, as elected"
        raise ValueError(f"{say}; other depths to compare are {least} at least")
    if wanted[-1] >= source.size:
        raise ValueError(f"a cover card depth of {wanted[-1]:,}: the shoe has {source.size} cards")
    return wanted


class _CountSetup(NamedTuple):
    """What is studied."""

    rules: Rulebook
    linear: LinearCount
    threshold: int
    """In thousandths."""
    seed: int
    depths: Sequence[int]
    last_hand: bool


class _Sums:
    """Sums by depth: rounds; then, for the counter and the perfect player, wagers, expected and actual gains.

    Only sums and sums of squares over shoes are stored, so that memory does not grow with their number.
    """

    def __init__(self, depths: int) -> None:
        pairs = [(1, 0), (4, 0), (2, 1), (5, 4)]
        """Wagers by rounds, and what was expected by wagers."""
        self.by_depth = [Moments(7, pairs=pairs) for _ in range(depths)]
        self.by_count: dict[int, tuple[int, float]] = {}


def _add(asked: _CountSetup, block: RoundColumns, sums: _Sums) -> None:
    from baccarat.sim.study.counter_kernel import ONE, counter_view, mark_played  # noqa: PLC0415

    rules, linear, rows = asked.rules, asked.linear, block.rows
    book, tags = open_book(rules), balance_tags(linear.tags)
    true, left, unseen = counter_view(block, tags=tags, sort=table_of(book).worth, whole=full_shoe(book))
    exact, came = gains_before(rules, linear.on, asked.seed, block, unseen)
    counter, perfect = true >= asked.threshold, exact > 0
    shoes = len(block.starts) - 1
    shoe = np.repeat(np.arange(shoes), np.diff(block.starts))
    is_played = np.empty((len(asked.depths), rows), np.uint8)
    for k, depth in enumerate(asked.depths):
        here = is_played[k]
        mark_played(block.starts, left, depth, int(asked.last_hand), here)
        columns = [here, *(here * who * gain for who in (counter, perfect) for gain in (1.0, exact, came))]
        sums.by_depth[k].add(np.stack([np.bincount(shoe, column, minlength=shoes) for column in columns]))
    as_elected = is_played[0] == 1  # the other depths to compare lie before it
    steps, gains = true[as_elected] // ONE, exact[as_elected]
    for step in np.unique(steps).tolist():
        number, gain = sums.by_count.get(step, (0, 0.0))
        sums.by_count[step] = number + int((steps == step).sum()), gain + float(gains[steps == step].sum())


def _at_depth(depth: int, found: Moments) -> AtDepth:
    return AtDepth(
        depth=depth, rounds=float(found.mean()[0]), counter=_gain(found, range(1, 4)),
        perfect=_gain(found, range(4, 7)),
    )  # fmt: skip


def _gain(found: Moments, rows: range) -> Gain:
    """What one of the two gains: the rows of wagers, of what was expected and of what happened."""
    mean, errors = found.mean(), found.errors()
    wagers, expected, came = rows
    (_, share_error), (edge, edge_error) = found.ratio(wagers, 0), found.ratio(expected, wagers)
    return Gain(
        share=float(mean[wagers] / mean[0]), edge=edge, per_shoe=float(mean[expected]), error=errors[expected],
        came=float(mean[came]), came_error=errors[came], share_error=share_error, edge_error=edge_error,
    )  # fmt: skip
