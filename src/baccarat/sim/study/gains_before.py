"""What a unit on any wager gains before each round on record, by the exact odds, and what it gained in it."""

from __future__ import annotations

from baccarat.law.rulebook import Rulebook
from baccarat.odds import bulk
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from baccarat.sim.study.book_arrays import Floats, Integers, unit_gains
from baccarat.sim.study.pair_odds import pair_chances, pair_gains, unseen_ranks
from baccarat.sim.study.round_columns import RoundColumns
from baccarat.sim.study.royal9_odds import Royal9Edges


def gains_before(
    rules: Rulebook, on: WagerKind, seed: int, block: RoundColumns, unseen: Integers
) -> tuple[Floats, Floats]:
    """By row of a block that was dealt to the cover card: the exact expectation, and the actual gain.

    unseen: by row, the cards not seen, by value. Wagers on pairs need them by rank and the progressive by suit; these
    are computed here. The progressive is wagered by one chair alone, its meters at their seeds.
    """
    book = open_book(rules)
    if on in book.verdicts:
        return -bulk.edges(rules, unseen, wagers=[on])[on], unit_gains(book, (on,))[0][block.case]
    if on in book.early or on in book.openings:
        chances = pair_chances(unseen_ranks(rules, block)[0])
        return pair_gains(book, on) @ chances, unit_gains(book, (on,))[0][block.case]
    found = Royal9Edges(book).late_rounds(seed, block.first, len(block.burned), 0)
    assert found.rounds == block.rows, "both deal the same shoes to the cover card"
    return -found.edge, found.came
