"""Wagers of one seat that may not lie on the table together: the stakes of a function are checked in every round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from baccarat.play.admission import refuse_opposite_wagers, refuse_without_base_wager
from baccarat.play.book import Book
from baccarat.sim.study.strategy import wagers_at, wagers_of


class NotTogether(Exception):  # noqa: N818  caught and reworded by the study
    """A function staked on wagers that the table does not take together: the numbers of two, or of one twice."""


def conflict_refusal(book: Book, seat: int, wagers: tuple[int, int]) -> str:
    """The table's refusal of what `NotTogether` names."""
    known = wagers_of(book.rules)
    placed = wagers_at(seat, {known[wager]: 1 for wager in wagers})
    refused = refuse_without_base_wager(book, placed) or refuse_opposite_wagers(book, placed)
    assert refused is not None, "the table takes them together"
    return str(refused)


def conflict_check(book: Book, function: Callable[..., Any]) -> Any:
    """A compiled function that raises `NotTogether`; the function itself if the table has no such terms."""
    import numba  # noqa: PLC0415

    from baccarat.sim.study.seat_kernel import SIGNATURE  # noqa: PLC0415

    bars = _bars(book)
    needs, frees = _needs(book)
    if not (bars.any() or needs.any()):
        return function

    def asked(table: Any, own: Any, stakes: Any) -> None:
        function(table, own, stakes)
        for wager in range(stakes.size):
            if stakes[wager] > 0:
                is_free = not needs[wager]
                for other in range(stakes.size):
                    if stakes[other] > 0:
                        if bars[wager, other]:
                            raise NotTogether(wager, other)
                        is_free = is_free or frees[wager, other]
                if not is_free:
                    raise NotTogether(wager, wager)

    return numba.njit(SIGNATURE)(asked)


def _bars(book: Book) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """[wager, wager]: whether one bars the other."""
    wagers = wagers_of(book.rules)
    return np.array(
        [[one is not two and refuse_opposite_wagers(book, wagers_at(1, {one: 1, two: 1})) is not None for two in wagers]
         for one in wagers]
    )  # fmt: skip


def _needs(book: Book) -> tuple[np.ndarray[Any, np.dtype[np.bool_]], np.ndarray[Any, np.dtype[np.bool_]]]:
    """Whether each wager needs another; and [wager, wager], whether the second satisfies the first."""
    wagers = wagers_of(book.rules)
    needs = [refuse_without_base_wager(book, wagers_at(1, {one: 1})) is not None for one in wagers]
    laws = [book.rules.edition.wagers[one.word].law.base for one in wagers]
    frees = [[law is not None and two.word in law.wagers for two in wagers] for law in laws]
    return np.array(needs), np.array(frees)
