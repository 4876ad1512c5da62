"""What a counter on Dragon 7 wins by the results alone, over enough shoes for it to show; for docs/studies.md."""

from __future__ import annotations

import msgspec
import numpy as np

from baccarat import WagerKind, rulebook
from baccarat.play.book import open_book
from baccarat.sim.study.book_arrays import full_shoe, table_of, unit_gains
from baccarat.sim.study.counter_kernel import counter_view, in_thousandths
from baccarat.sim.study.counts import LinearCount, balance_tags
from baccarat.sim.study.moments import Moments
from baccarat.sim.study.round_columns import records

RULES = "ma-midi-4-ez"


class CountedResults(msgspec.Struct, frozen=True):
    """Results of the rounds in which a counter wagers a unit, to the cover card as elected and one more hand."""

    submission: str
    seed: int
    shoes: int
    index: float
    wagers: float
    """In a shoe."""
    came: float
    """Units won in a shoe."""
    error: float


def study_results(linear: LinearCount, *, index: float, seed: int, shoes: int) -> CountedResults:
    """Deal the shoes to the counter; no odds are computed."""
    rules = rulebook(RULES)
    book, found = open_book(rules), Moments(2)
    worth, whole = table_of(book).worth, full_shoe(book)
    tags, gains = balance_tags(linear.tags), unit_gains(book, (WagerKind.DRAGON7,))[0]
    for block in records(rules, seed=seed, shoes=shoes):
        true = counter_view(block, tags=tags, sort=worth, whole=whole).true
        wagers = (true >= in_thousandths(index)).astype(np.float64)
        number = len(block.starts) - 1
        shoe = np.repeat(np.arange(number), np.diff(block.starts))
        columns = (wagers, wagers * gains[block.case])
        found.add(np.stack([np.bincount(shoe, column, minlength=number) for column in columns]))
    mean, error = found.mean(), found.error()
    return CountedResults(RULES, seed, shoes, index, float(mean[0]), float(mean[1]), float(error[1]))
