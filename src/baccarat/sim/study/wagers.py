"""Every wager over many shoes: to the cover card and at fixed rounds a shoe, beside its exact price.

*The cut-card effect.* At a fixed number of rounds every round is, to whoever has seen nothing, like the first of a full
shoe: the means are those of the exact odds. To the cover card they are not, for how many rounds a shoe has depends on
its cards. A round takes four cards where nobody draws, five or six otherwise. A shoe that begins with many short rounds
has more rounds, and the additional ones come from what is left: fewer of the cards that made rounds short.

It is measured here without the noise of results. Whether a round is dealt depends on cards seen before it, so what a
wager gains is, in the mean, the sum of its exact odds before each round. The effect is how far these odds, summed to
the cover card, lie from those of a full shoe. Rounds that all shoes hold add nothing but noise, and are left out.
"""

from __future__ import annotations

from contextlib import closing
from math import sqrt

import msgspec
import numpy as np
from numpy.typing import NDArray

from baccarat.law.rulebook import Rulebook
from baccarat.odds import bulk
from baccarat.odds.joint import joint_table
from baccarat.odds.price import odds
from baccarat.play.book import open_book
from baccarat.play.wager import Kind
from baccarat.sim.engine import grow, make_engine
from baccarat.sim.estimate import Estimate, detail_needed, estimate
from baccarat.sim.job import Job, make_job
from baccarat.sim.plan import Detail
from baccarat.sim.stream import source_of
from baccarat.sim.study.moments import Moments
from baccarat.sim.study.record import AT_ONCE, DEALT, Records, block_of
from baccarat.sim.study.table import Integers, table_of
from baccarat.sim.tally import Tally

TO_THE_END = 1_000
"""More rounds than any shoe of the documents holds."""
FIXED = 60
"""Rounds a shoe for the comparison with the exact odds, if the shoe surely holds them."""


class WagerFound(msgspec.Struct, frozen=True, kw_only=True):
    """The house edge of a wager: exact, at fixed rounds, to the cover card, and the cut-card effect by itself."""

    on: Kind
    name: str
    exact: float
    fixed: float
    fixed_error: float
    fixed_z: float | None
    """How many standard errors the house edge that was found lies above the exact one."""
    to_cover: float
    to_cover_error: float
    to_cover_z: float | None
    effect: float | None
    """How much more the house wins of a unit to the cover card than the exact edge says; None where pairs decide."""
    effect_error: float | None


class WagerStudy(msgspec.Struct, frozen=True, kw_only=True):
    """All wagers of a rulebook over many shoes."""

    seed: int
    shoes: int
    fixed_rounds: int
    rounds_at_fixed: int
    rounds_to_cover: int
    effect_shoes: int
    wagers: tuple[WagerFound, ...]


def study_wagers(
    rules: Rulebook, *, seed: int, shoes: int, effect_shoes: int = 20_000, rounds: int | None = None
) -> WagerStudy:
    """Deal so many shoes twice: to the cover card, and so many rounds of each."""
    book = open_book(rules)
    kinds = [kind for kind in book.kinds if book.table(kind)]
    detail: Detail = "pairs" if any(detail_needed(book, kind) == "pairs" for kind in kinds) else "totals"
    most = source_of(book).most_rounds
    if rounds is not None and not 1 <= rounds <= most:
        raise ValueError(f"{rounds:,} rounds a shoe: not every shoe has cards for them; 1 to {most} can be compared")
    fixed_rounds = rounds or min(FIXED, surely(rules))
    fixed = _tally(make_job(rules, seed=seed, shoes=shoes, rounds=fixed_rounds, detail=detail))
    cover = _tally(make_job(rules, seed=seed, shoes=shoes, detail=detail))
    effects = cut_card_effect(rules, seed=seed, shoes=effect_shoes)
    found = [_found(estimate(fixed, kind), estimate(cover, kind), effects.get(kind)) for kind in kinds]
    return WagerStudy(
        seed=seed, shoes=shoes, fixed_rounds=fixed_rounds, rounds_at_fixed=fixed.rounds, rounds_to_cover=cover.rounds,
        effect_shoes=effect_shoes, wagers=tuple(found),
    )  # fmt: skip


def _tally(job: Job) -> Tally:
    """Simulate, and say on the way how far it is."""
    tally = job.nothing()
    with closing(make_engine(job)) as engine:
        for grown in grow(job, engine):
            DEALT.add(grown.shoes - tally.shoes)
            tally = grown
    return tally


def surely(rules: Rulebook) -> int:
    """So many rounds every shoe has before its cover card, whatever its cards."""
    book = open_book(rules)
    cards, depth = 52 * int(rules.elects("decks")), rules.elections.cover_card_depth or 0
    return max(1, (cards - 1 - int(table_of(book).burn.max()) - depth) // 6 + 1)


def _found(fixed: Estimate, cover: Estimate, effect: tuple[float, float] | None) -> WagerFound:
    return WagerFound(
        on=fixed.on, name=fixed.name, exact=float(fixed.exact_edge), fixed=float(fixed.edge),
        fixed_error=fixed.error, fixed_z=fixed.edge_z, to_cover=float(cover.edge), to_cover_error=cover.error,
        to_cover_z=cover.edge_z, effect=effect[0] if effect else None, effect_error=effect[1] if effect else None,
    )  # fmt: skip


def held(rules: Rulebook) -> int:
    """So many rounds a shoe holds to its last card but for a chance below one in ten million, by the exact odds."""
    book, cards = open_book(rules), 52 * int(rules.elects("decks"))
    table = table_of(book)
    counts = np.bincount(np.repeat(table.worth, 4 * int(rules.elects("decks"))), minlength=10)
    ways = np.array(joint_table(counts.tolist(), book), np.float64)
    chances = ways / ways.sum()
    taken = np.tile([4, 5, 5, 6], 100)
    mean = float(chances @ taken)
    deviation = sqrt(float(chances @ taken**2) - mean**2)
    rounds = (cards - 1 - float(table.burn.mean())) / mean
    return max(surely(rules), int(rounds - 5.5 * deviation * sqrt(rounds) / mean))


def cut_card_effect(rules: Rulebook, *, seed: int, shoes: int) -> dict[Kind, tuple[float, float]]:
    """By wager, how much more of a unit the house wins to the cover card than the exact edge says, and its error.

    Shoes are dealt to their last card. Over a number of rounds that all of them hold, the exact odds are in the mean
    those of a full shoe; so only what lies between that round and the cover card is summed, with a minus before it.
    """
    if shoes < 2:
        raise ValueError(f"{shoes} shoes: an effect needs two at least, to say how much they differ")
    book = open_book(rules)
    kinds = [kind for kind in book.kinds if kind in book.verdicts]
    exact = np.array([float(odds(rules)[kind].edge) for kind in kinds])
    base, rounds, sums = held(rules), 0, Moments(len(kinds))
    for start in range(0, shoes, AT_ONCE):
        block = block_of(book, seed, start, min(AT_ONCE, shoes - start), TO_THE_END)
        unseen, here = _to_cover(rules, block)
        lengths = np.diff(block.starts)
        assert lengths.min() >= base, "a shoe holds fewer rounds than all but one in ten million do"
        number = np.arange(block.rows) - np.repeat(block.starts[:-1], lengths)
        sign = here.astype(np.int64) - (number < base)
        late = np.flatnonzero(sign)
        edges = bulk.edges(rules, unseen[late], wagers=kinds) if len(late) else {}
        shoe = np.repeat(np.arange(len(lengths)), lengths)[late]
        by_shoe = np.zeros((len(kinds), len(lengths)))
        for row, kind in enumerate(kinds if len(late) else []):
            by_shoe[row] = np.bincount(shoe, sign[late] * (edges[kind] - exact[row]), minlength=len(lengths))
        sums.add(by_shoe)
        rounds += int(here.sum())
    per_shoe = rounds / shoes
    effects, errors = sums.mean() / per_shoe, sums.error() / per_shoe
    return {kind: (float(effects[k]), float(errors[k])) for k, kind in enumerate(kinds)}


def _to_cover(rules: Rulebook, block: Records) -> tuple[Integers, NDArray[np.uint8]]:
    """By row: the cards not seen before the round, by value, and whether it comes before the cover card's end."""
    from baccarat.sim.study.counting import before_rounds, played  # noqa: PLC0415  numba takes up to a second to import

    table = table_of(open_book(rules))
    whole = np.bincount(np.repeat(table.worth, 4 * int(rules.elects("decks"))), minlength=10)
    true, left = np.empty(block.rows, np.int64), np.empty(block.rows, np.int64)
    unseen, here = np.empty((block.rows, 10), np.int64), np.empty(block.rows, np.uint8)
    before_rounds(
        block.starts, block.shown, block.hidden, block.cards, np.zeros(13, np.int64), table.worth, whole, true, left,
        unseen,
    )  # fmt: skip
    played(block.starts, left, rules.elections.cover_card_depth or 0, 1, here)
    return unseen, here
