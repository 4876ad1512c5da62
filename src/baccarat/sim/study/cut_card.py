"""The cut-card effect by itself: what the exact odds before each round say, without the noise of results.

Whether a round is dealt depends on cards seen before it, so what a wager gains is, on average, the sum of its exact
odds before each round. What must be known of the cards that are left depends on the wager: their values, their ranks
where pairs decide, or the suits of nines and court cards.

*Most of the noise is removed.* All orders of the unseen cards are equally likely, whenever one stops to look. So the
exact odds before the next round are on average those of a full shoe, as long as there are cards for it in every case;
and that stays true if a shoe's last such odds stand in for the rounds that it does not have. The sum of these over a
fixed number of rounds, the same in every shoe, has a known mean and is subtracted. Whatever the number, this adds no
bias; near the number of rounds that a shoe has it leaves the least noise: what differs are the rounds beyond it, and
those that a shoe lacks.
"""

from __future__ import annotations

from math import sqrt

import msgspec
import numpy as np

from baccarat.law.rulebook import Rulebook
from baccarat.odds import bulk
from baccarat.odds.joint import joint_table
from baccarat.odds.price import odds
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from baccarat.sim.job import book_of
from baccarat.sim.stream import CARDS_A_ROUND, source_of
from baccarat.sim.study.book_arrays import RANKS, Floats, Integers, full_shoe, table_of, unit_gains
from baccarat.sim.study.moments import Moments
from baccarat.sim.study.pair_odds import pair_chances, pair_gains, unseen_ranks
from baccarat.sim.study.round_columns import AT_ONCE, DEALT, admit, block_of
from baccarat.sim.study.royal9_odds import Royal9Edges
from baccarat.values import whole_number

ROUNDS_BEFORE = 10
"""How many rounds before the usual last one are examined as well, to see where the odds begin to differ."""
MOST_SHOES = 1_000_000_000
"""The most shoes: the exact odds before every late round of these take days."""
FEWEST_CARDS = 4
"""The fewest cards that a round takes."""


class LateRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round that not every shoe has before its cover card."""

    number: int
    """The number of the round in its shoe, from 1."""
    share: float
    """The share of shoes that have it."""
    above: float
    """How far the exact house edge before it, on average over these shoes, lies above that of a full shoe."""
    error: float
    """One standard error of it."""


class CutCardEffect(msgspec.Struct, frozen=True, kw_only=True):
    """How much more of a unit the house wins to the cover card than the exact edge says, and where that comes from."""

    mean: float
    error: float
    """One standard error of it."""
    late: tuple[LateRound, ...]


def sure_rounds(rules: Rulebook) -> int:
    """How many rounds every shoe has before its cover card, whatever its cards."""
    source = source_of(book_of(rules))
    return max(1, (source.size - 1 - max(source.burnt) - source.depth) // CARDS_A_ROUND + 1)


def usual_rounds(rules: Rulebook) -> int:
    """How many rounds a shoe has to its cover card on average, by the exact odds of a full one, to a round or so."""
    book, source = open_book(rules), source_of(open_book(rules))
    ways = np.array(joint_table(full_shoe(book).tolist(), book), np.float64)
    mean = float(ways @ np.tile([4, 5, 5, 6], 100) / ways.sum())
    # the cover card comes out in the middle of a round, and one more is dealt
    cards = source.size - 1 - float(table_of(book).burn.mean()) - source.depth
    return max(sure_rounds(rules), round(cards / mean + 1.5))


def cut_card_effect(rules: Rulebook, *, seed: int, shoes: int) -> dict[WagerKind, CutCardEffect]:
    """The effect by wager; for a progressive only if the cover card lies so deep that no round can lack cards."""
    seed, shoes = admit_effect(rules, seed, shoes)
    book = open_book(rules)
    found = _by_values_and_ranks(rules, seed, shoes)
    if WagerKind.ROYAL9 in book.kinds and source_of(book).never_lacks_cards:
        found[WagerKind.ROYAL9] = _by_suits(rules, seed, shoes)
    return found


def admit_effect(rules: Rulebook, seed: int, shoes: int) -> tuple[int, int]:
    """Seed and shoes as Python integers; what cannot be measured is refused."""
    book, number = book_of(rules), whole_number("shoes", shoes)
    if not 2 <= number <= MOST_SHOES:
        least = "a cut-card effect needs at least two, to say how much they differ"
        raise ValueError(f"{number:,} shoes: {least}; it takes {MOST_SHOES:,} at most")
    return admit(book, seed, 0, number, None).seed, number


def _by_values_and_ranks(rules: Rulebook, seed: int, shoes: int) -> dict[WagerKind, CutCardEffect]:
    """The wagers that the finish decides, and those that pairs decide."""
    book = open_book(rules)
    by_finish = [kind for kind in book.kinds if kind in book.verdicts]
    by_pairs = [kind for kind in book.kinds if kind in book.early or kind in book.openings]
    kinds = (*by_finish, *by_pairs)
    exact = np.array([float(odds(rules)[kind].edge) for kind in kinds])
    base, rounds, sums = usual_rounds(rules), 0, Moments(len(kinds))
    late = _ByRound(rules, len(kinds), base - ROUNDS_BEFORE)
    gains = unit_gains(book, kinds)
    for start in range(0, shoes, AT_ONCE):
        block = block_of(book, seed, start, min(AT_ONCE, shoes - start), 0)
        unseen, left = unseen_ranks(rules, block)
        shoe = np.repeat(np.arange(len(block.burned)), np.diff(block.starts))
        number = np.arange(block.rows) - block.starts[shoe]
        weight = 1 - full_shoe_weights(number, last_sure_rows(block.starts, left)[shoe], base)
        rows = np.flatnonzero((weight != 0) | (number >= base - ROUNDS_BEFORE))
        # where the cards might not have sufficed for the round, its being played is informative: only results count
        edges, sure = -gains[:, block.case[rows]], left[rows] >= CARDS_A_ROUND
        edges[:, sure] = _edges(rules, unseen[rows[sure]], by_finish, by_pairs)
        above = edges - exact[:, None]
        sums.add(_by_shoe(above, weight[rows], shoe[rows], len(block.burned)))
        late.add(number[rows], above)
        rounds += block.rows
    mean, error = sums.mean() * shoes / rounds, sums.error() * shoes / rounds
    return {
        kind: CutCardEffect(mean=float(mean[k]), error=float(error[k]), late=late.rounds_in_two_shoes(k, shoes))
        for k, kind in enumerate(kinds)
    }


def last_sure_rows(starts: Integers, left: Integers) -> Integers:
    """By shoe, the row of its last round; or earlier, of the first after which the cards may not suffice for another.

    Known before that round is dealt, and there are cards for it in every case.
    """
    enough = np.add.reduceat((left >= 2 * CARDS_A_ROUND).astype(np.int64), starts[:-1])
    return np.minimum(starts[:-1] + enough, starts[1:] - 1)


def full_shoe_weights(number: Integers, last: Integers, base: int) -> Integers:
    """By row: how often its odds are used, `base` times in every shoe, so that on average they are a full shoe's.

    number: of the round in its shoe, from zero. last: by row, the row that stands in for the rest of its shoe.
    """
    row = np.arange(len(number))
    taken = ((number < base) & (row <= last)).astype(np.int64)
    return taken + np.where(row == last, np.maximum(0, base - 1 - number), 0)


class _ByRound:
    """Sums by the number of the round, of several wagers; from the round `first` on, counted from zero."""

    def __init__(self, rules: Rulebook, wagers: int, first: int) -> None:
        self.first = max(0, first)
        self.most = source_of(open_book(rules)).size // FEWEST_CARDS  # no shoe has more rounds
        self.shoes = np.zeros(self.most, np.int64)
        self.sums, self.squares = np.zeros((wagers, self.most)), np.zeros((wagers, self.most))

    def add(self, number: Integers, above: Floats) -> None:
        """Add rounds by number, from zero, and [wager, round] how far the odds before them lie above the first."""
        self.shoes += np.bincount(number, minlength=self.most)
        for wager, row in enumerate(above):
            self.sums[wager] += np.bincount(number, row, minlength=self.most)
            self.squares[wager] += np.bincount(number, row**2, minlength=self.most)

    def rounds_in_two_shoes(self, wager: int, shoes: int) -> tuple[LateRound, ...]:
        """The rounds that at least two shoes have, so that an error can be computed."""
        rounds = []
        for number in np.flatnonzero(self.shoes >= 2).tolist():
            if number < self.first:  # only some of the shoes that have it were added
                continue
            have = int(self.shoes[number])
            mean = float(self.sums[wager, number]) / have
            spread = max(0.0, float(self.squares[wager, number]) / have - mean**2)
            rounds.append(LateRound(number=number + 1, share=have / shoes, above=mean, error=sqrt(spread / (have - 1))))
        return tuple(rounds)


def _by_shoe(above: Floats, weight: Integers, shoe: Integers, shoes: int) -> Floats:
    """[wager, shoe]: the weighted sum over the rows of a shoe."""
    return np.array([np.bincount(shoe, weight * row, minlength=shoes) for row in above])


def _edges(rules: Rulebook, unseen: Integers, by_finish: list[WagerKind], by_pairs: list[WagerKind]) -> Floats:
    """[wager, row]: the exact house edge, from the cards not seen by rank."""
    book, worth = open_book(rules), table_of(open_book(rules)).worth
    values = np.zeros((len(unseen), 10), np.int64)
    for rank in range(len(RANKS)):
        values[:, worth[rank]] += unseen[:, rank]
    found = bulk.edges(rules, values, wagers=by_finish)
    chances = pair_chances(unseen)
    return np.array([*(found[kind] for kind in by_finish), *(-pair_gains(book, kind) @ chances for kind in by_pairs)])


def _by_suits(rules: Rulebook, seed: int, shoes: int) -> CutCardEffect:
    """The progressive's, from the last round that every shoe has, and those after it."""
    book, base, rounds, sums = open_book(rules), usual_rounds(rules), 0, Moments(1)
    late = _ByRound(rules, 1, base - ROUNDS_BEFORE)
    price, exact = Royal9Edges(book), float(odds(rules)[WagerKind.ROYAL9].edge)
    for start in range(0, shoes, AT_ONCE):
        number = min(AT_ONCE, shoes - start)
        found = price.late_rounds(seed, start, number, min(sure_rounds(rules) - 1, base - ROUNDS_BEFORE))
        above = found.edge[None] - exact
        last = np.searchsorted(found.shoe, found.shoe, side="right") - 1
        sums.add(_by_shoe(above, 1 - full_shoe_weights(found.number, last, base), found.shoe, number))
        late.add(found.number, above)
        rounds += found.rounds
        DEALT.add(number)
    mean, error = sums.mean()[0] * shoes / rounds, sums.error()[0] * shoes / rounds
    return CutCardEffect(mean=float(mean), error=float(error), late=late.rounds_in_two_shoes(0, shoes))
