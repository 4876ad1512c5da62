"""The cut-card effect by itself: what the exact odds before each round say, without the noise of results.

Whether a round is dealt depends on cards seen before it, so what a wager gains is, in the mean, the sum of its exact
odds before each round. Over a number of rounds that all shoes hold these are in the mean the odds of a full shoe; so
only what lies between that round and the cover card is summed, with a minus before it. What must be known of the cards
that are left depends on the wager: their values, their ranks where pairs decide, or the suits of nines and court cards.
"""

from __future__ import annotations

from contextlib import suppress
from math import sqrt

import numpy as np

from baccarat.cards import Rank
from baccarat.law.rulebook import Rulebook
from baccarat.odds import bulk
from baccarat.odds.gain import unit_gain
from baccarat.odds.joint import joint_table
from baccarat.odds.price import odds
from baccarat.play.book import Book, open_book
from baccarat.play.wager import Kind
from baccarat.sim.plan import NoFastPath
from baccarat.sim.study.moments import Moments
from baccarat.sim.study.record import AT_ONCE, Records, block_of
from baccarat.sim.study.royal9_odds import Royal9Edges
from baccarat.sim.study.table import Bytes, Floats, Integers, table_of

TO_THE_END = 1_000
"""More rounds than any shoe of the documents holds."""
RANKS = len(Rank)
VALUES = 10

Effect = tuple[float, float]
"""How much more of a unit the house wins to the cover card than the exact edge says, and the error of that."""


def surely(rules: Rulebook) -> int:
    """So many rounds every shoe has before its cover card, whatever its cards."""
    book = open_book(rules)
    cards, depth = 52 * int(rules.elects("decks")), rules.elections.cover_card_depth or 0
    return max(1, (cards - 1 - int(table_of(book).burn.max()) - depth) // 6 + 1)


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


def cut_card_effect(rules: Rulebook, *, seed: int, shoes: int) -> dict[Kind, Effect]:
    """The effect by wager; a progressive's where the kernel deals its shoes, for nothing else knows the suits so fast.

    Shoes are dealt to their last card, but those of a progressive to the cover card.
    """
    if shoes < 2:
        raise ValueError(f"{shoes} shoes: an effect needs two at least, to say how much they differ")
    book = open_book(rules)
    found = _by_values_and_ranks(rules, seed, shoes)
    if Kind.ROYAL9 in book.kinds:
        with suppress(NoFastPath):
            found[Kind.ROYAL9] = _by_suits(rules, seed, shoes)
    return found


def _by_values_and_ranks(rules: Rulebook, seed: int, shoes: int) -> dict[Kind, Effect]:
    """The wagers that the finish decides, and those that pairs decide."""
    book = open_book(rules)
    by_finish = [kind for kind in book.kinds if kind in book.verdicts]
    by_pairs = [kind for kind in book.kinds if kind in book.early or kind in book.openings]
    kinds = [*by_finish, *by_pairs]
    exact = np.array([float(odds(rules)[kind].edge) for kind in kinds])
    base, rounds, sums = held(rules), 0, Moments(len(kinds))
    for start in range(0, shoes, AT_ONCE):
        block = block_of(book, seed, start, min(AT_ONCE, shoes - start), TO_THE_END)
        unseen, left = _unseen_ranks(rules, block)
        here, lengths = _to_cover(rules, block, left), np.diff(block.starts)
        assert lengths.min() >= base, "a shoe holds fewer rounds than all but one in ten million do"
        number = np.arange(block.rows) - np.repeat(block.starts[:-1], lengths)
        sign = here.astype(np.int64) - (number < base)
        late = np.flatnonzero(sign)
        edges = _edges(rules, unseen[late], by_finish, by_pairs) if len(late) else np.zeros((len(kinds), 0))
        sums.add(
            _by_shoe(edges - exact[:, None], sign[late], np.repeat(np.arange(len(lengths)), lengths)[late], lengths)
        )
        rounds += int(here.sum())
    effects, errors = sums.mean() / (rounds / shoes), sums.error() / (rounds / shoes)
    return {kind: (float(effects[k]), float(errors[k])) for k, kind in enumerate(kinds)}


def _by_shoe(above: Floats, sign: Integers, shoe: Integers, lengths: Integers) -> Floats:
    """[wager, shoe]: the sum of what stands in the rows of a shoe, each with its sign."""
    return np.array([np.bincount(shoe, sign * row, minlength=len(lengths)) for row in above])


def _edges(rules: Rulebook, unseen: Integers, by_finish: list[Kind], by_pairs: list[Kind]) -> Floats:
    """[wager, row]: the exact house edge, from the cards not seen by rank."""
    book, worth = open_book(rules), table_of(open_book(rules)).worth
    values = np.zeros((len(unseen), VALUES), np.int64)
    for rank in range(RANKS):
        values[:, worth[rank]] += unseen[:, rank]
    found = bulk.edges(rules, values, wagers=by_finish)
    chances = pair_chances(unseen)
    return np.array([*(found[kind] for kind in by_finish), *(-pair_gains(book, kind) @ chances for kind in by_pairs)])


def pair_chances(unseen: Integers) -> Floats:
    """[opening, row]: the chances of no pair, the Banker's, the Player's and both, from the cards left by rank."""
    left = unseen.astype(np.float64)
    size, pairs = left.sum(axis=1), left * (left - 1)
    one = pairs.sum(axis=1)
    both = (pairs * (one[:, None] - pairs + (left - 2) * (left - 3))).sum(axis=1)
    both /= size * (size - 1) * (size - 2) * (size - 3)
    alone = one / (size * (size - 1)) - both
    return np.array([1 - both - 2 * alone, alone, alone, both])


def pair_gains(book: Book, kind: Kind) -> Floats:
    """What a unit gains with no pair, the Banker's, the Player's and both."""
    if kind in book.openings:
        return np.array([float(unit_gain(book, verdict)) for verdict in book.openings[kind]])
    none, one, two = (float(unit_gain(book, verdict)) for verdict in book.early[kind])
    return np.array([none, one, one, two])


def _unseen_ranks(rules: Rulebook, block: Records) -> tuple[Integers, Integers]:
    """By row, before the round: the cards not seen, by rank, and how many cards are left to be dealt."""
    copies = np.full(RANKS, 4 * int(rules.elects("decks")))
    order = np.arange(RANKS, dtype=np.uint8)
    first, left = _before(block, order, copies)
    # compiled code tells ten sorts of cards apart: the other three ranks come first in a second turn
    last, _ = _before(block, (order + np.uint8(RANKS - VALUES)) % np.uint8(RANKS), copies)
    return np.concatenate([first, last[:, : RANKS - VALUES]], axis=1), left


def _before(block: Records, sort: Bytes, whole: Integers) -> tuple[Integers, Integers]:
    """By row, before the round: the cards not seen of the first ten sorts, and how many cards are left to be dealt."""
    from baccarat.sim.study.counting import before_rounds  # noqa: PLC0415  numba takes up to a second to import

    no_tags = np.zeros(RANKS, np.int64)
    true, left = np.empty(block.rows, np.int64), np.empty(block.rows, np.int64)
    unseen = np.empty((block.rows, VALUES), np.int64)
    before_rounds(
        block.starts, block.shown, block.hidden, block.cards, no_tags, sort, whole, true, left, unseen
    )  # fmt: skip
    return unseen, left


def _to_cover(rules: Rulebook, block: Records, left: Integers) -> Bytes:
    """By row: whether the round comes before the cover card's end."""
    from baccarat.sim.study.counting import played  # noqa: PLC0415

    here = np.empty(block.rows, np.uint8)
    played(block.starts, left, rules.elections.cover_card_depth or 0, 1, here)
    return here


def _by_suits(rules: Rulebook, seed: int, shoes: int) -> Effect:
    """The progressive's: from the round that every shoe has before its cover card, which is the sooner one."""
    book, base, rounds, sums = open_book(rules), surely(rules), 0, Moments(1)
    price, exact = Royal9Edges(book), float(odds(rules)[Kind.ROYAL9].edge)
    for start in range(0, shoes, AT_ONCE):
        number = min(AT_ONCE, shoes - start)
        found = price.late_rounds(seed, start, number, base)
        by_shoe = np.zeros((1, number))
        by_shoe[0] = np.bincount(found.shoe, found.edge - exact, minlength=number)
        sums.add(by_shoe)
        rounds += found.rounds
    return float(sums.mean()[0] / (rounds / shoes)), float(sums.error()[0] / (rounds / shoes))
