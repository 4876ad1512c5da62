"""A company of patrons: what the table requires of each seat, of all together, and of the chairs of a progressive.

Seats are played one after the other, so what the table requires of several seats together is checked beforehand.
Wagers that are certain to conflict in some round are refused; if they only may, a note says that the table would not
take them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from baccarat.law.rulebook import Rulebook
from baccarat.play.admission import refuse_above_aggregate
from baccarat.play.book import Book, open_book
from baccarat.play.wager import Wager, WagerKind
from baccarat.play.wager.royal9 import progressive
from baccarat.sim.job import book_of
from baccarat.sim.study.compiled_strategy import stakes_allowed
from baccarat.sim.study.strategy import BadStrategy, Strategy, check, steps_of, wagers_at, wagers_of, why_refused
from baccarat.values import as_tuple, expect

MOST_SEATS = 14
"""The seats of a table whose Submission does not number them."""


def company_of(rules: Rulebook, strategies: Any) -> tuple[Strategy, ...]:
    """The patrons, by seat; none, more than the table has seats, and anything but strategies are refused."""
    most = min(MOST_SEATS, book_of(rules).rules.elections.seats or MOST_SEATS)
    given = as_tuple("strategies", strategies)
    if not 1 <= len(given) <= most:
        raise BadStrategy(f"{len(given)} patrons: the table has seats for 1 to {most}")
    return tuple(expect(each, Strategy, "a strategy, as flat() makes one") for each in given)


def admit_company(rules: Rulebook, strategies: Sequence[Strategy]) -> None:
    """Refuse seats whose wagers the table does not take: each by itself, then all together in a first round."""
    for seat, each in enumerate(strategies, 1):
        check(rules, each, seat=seat)
    certain = [(seat, each) for seat, each in enumerate(strategies, 1) if each.function is None and each.tags is None]
    first = [wager for seat, each in certain for wager in wagers_at(seat, steps_of(each)[0])]
    why = why_refused(open_book(rules), first)
    if why is not None:
        raise BadStrategy(f"all seats together: {why}")


def company_notes(rules: Rulebook, strategies: Sequence[Strategy]) -> list[str]:
    """What the table would not take of an admitted company if its seats reached their largest stakes in one round."""
    book, strategies = open_book(rules), company_of(rules, strategies)
    largest = [wager for seat, each in enumerate(strategies, 1) for wager in _largest(book, seat, each)]
    refused = refuse_above_aggregate(book, largest)
    if refused is None:
        return []
    return [
        f"at the largest stakes of all seats in one round, {refused}; the table would not take the last of them, and "
        "this study takes them all"
    ]


def _largest(book: Book, seat: int, strategy: Strategy) -> list[Wager]:
    """The largest stake of a seat on each wager; a function may stake the maximum."""
    found: dict[WagerKind, int] = {}
    if strategy.function is not None:
        found = {on: stakes_allowed(book, on)[1] for on in wagers_of(book.rules)}
    for step in steps_of(strategy):
        for on, stake in step.items():
            found[on] = max(stake, found.get(on, 0))
    return wagers_at(seat, found)


def admit_progressive(rules: Rulebook, strategies: Sequence[Strategy], chairs: Sequence[int]) -> None:
    """Refuse a progressive wager at a seat that does not make the wager that it requires."""
    book, progress = open_book(rules), progressive(rules)
    assert progress is not None, "a progressive that is not offered has been refused"
    for chair in chairs:
        for step in steps_of(strategies[chair - 1]) if chair <= len(strategies) else ():
            why = why_refused(book, wagers_at(chair, {WagerKind.ROYAL9: progress.stake} | step))
            if why is not None:
                raise BadStrategy(f"{strategies[chair - 1].name}: {why}")
