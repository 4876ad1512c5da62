"""The bulk float path: joint tables, exact up to eight decks, and edges of many remaining shoes in one call.

Which engine counts is chosen in `baccarat.odds.engine`. Tableau and pay tables come from the book alone.

Every count is a sum of whole numbers below 2^53, and so exact, while 416·415·…·411 holds: up to eight decks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

import numpy as np
from numpy.typing import ArrayLike

from baccarat.cards import Rank
from baccarat.law.fact import COUNTS
from baccarat.law.rulebook import Rulebook
from baccarat.odds.engine import EngineChoice, EngineName, choose, run_engine
from baccarat.odds.groups import Floats
from baccarat.odds.shoe import CARDS_NEEDED
from baccarat.play.book import Book, open_book
from baccarat.play.wager import WagerKind
from baccarat.values import expect

MOST_OF_A_KIND = 1_000_000
"""More cards of a kind than any shoe holds; far below where a product of six would lose its digits."""


def joint(rules: Rulebook, shoes: ArrayLike, *, engine: EngineName = "auto") -> Floats:
    """The ordered deals of six cards that end in each finish, [shoe, finish], from [shoe, value or rank]."""
    book = open_book(rules)
    return run_engine(book, None, engine, _by_value(book, shoes)).T


def edges(
    rules: Rulebook, shoes: ArrayLike, *, wagers: Iterable[WagerKind] | None = None, engine: EngineName = "auto"
) -> dict[WagerKind, Floats]:
    """The house edge of each wager from each shoe, as `Price.edge`; without `wagers`, of all that finishes decide.

    Vigorish is the exact percentage, without rounding, and nobody is exempt from it.
    """
    book = open_book(rules)
    counts = _by_value(book, shoes)
    kinds = bulk_wagers(book, wagers)
    return dict(zip(kinds, run_engine(book, kinds, engine, counts), strict=True)) if kinds else {}


def engine_for(rules: Rulebook, shoes: ArrayLike, *, wagers: Iterable[WagerKind] | None = None) -> EngineChoice:
    """The engine that `auto` takes for the edges of these shoes, and why."""
    book = open_book(rules)
    return choose(book, bulk_wagers(book, wagers), _by_value(book, shoes))


# what comes in


def _by_value(book: Book, shoes: ArrayLike) -> Floats:
    """The shoes as [value, shoe]; anything that is not a shoe is refused, by the place of its row."""
    given = np.asarray(shoes)
    if given.ndim != 2 or given.shape[1] not in (len(COUNTS), len(Rank)):
        raise ValueError(f"shoes are rows of 10 counts by value or 13 by rank, not an array of shape {given.shape}")
    if given.dtype.kind not in "iuf":
        raise ValueError(f"counts are numbers, not {given.dtype}")
    counts = np.array(given.T, np.float64, order="C")
    if not ((counts >= 0) & (counts <= MOST_OF_A_KIND) & (np.floor(counts) == counts)).all():
        _refuse(counts.T)
    size = counts.sum(axis=0)
    for row in np.flatnonzero(size < CARDS_NEEDED)[:1]:
        needed = f"a price needs {CARDS_NEEDED}, because a round may take as many"
        raise ValueError(f"shoe {row}: {size[row]:g} cards are left; {needed}")
    if given.shape[1] == len(Rank):
        worth = {card.rank: value for card, value in book.value.items()}
        counts = np.eye(10)[:, [worth[rank] for rank in Rank]] @ counts
    return counts


def _refuse(counts: Floats) -> NoReturn:
    """Say which count of [shoe, value or rank] is invalid, and why."""
    for bad, why in (
        (~(np.isfinite(counts) & (np.floor(counts) == counts)), "a count is a whole number"),
        (counts < 0, "a count is not negative"),
        (counts > MOST_OF_A_KIND, f"no shoe holds more than {MOST_OF_A_KIND:,} of a kind"),
    ):
        for row, column in np.argwhere(bad)[:1]:
            of = f"value {column}" if counts.shape[1] == len(COUNTS) else f"rank {list(Rank)[column].value}"
            raise ValueError(f"shoe {row}: {counts[row, column]:g} cards of {of}; {why}")
    raise AssertionError("one of these is the case")


def bulk_wagers(book: Book, wagers: Iterable[WagerKind] | None) -> tuple[WagerKind, ...]:
    """The wagers asked for, all of which the finish decides."""
    known = [kind for kind in book.verdicts if kind in book.offered]
    asked = tuple(known if wagers is None else dict.fromkeys(wagers))
    for kind in asked:
        if expect(kind, WagerKind, "a wager, such as BANKER") not in known:
            raise ValueError(f"{kind.word} is not priced in bulk here; these are: {', '.join(k.word for k in known)}")
    return asked
