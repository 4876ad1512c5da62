"""Pressing: at which openings a patron adds a House Money payout to a main wager, as a precomputed table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from baccarat.cards import Rank
from baccarat.odds.house_money import gains_of_pressing
from baccarat.play.book import Book
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.sim.study.book_arrays import RANKS, Bytes, table_of

TwoCards = tuple[int, int]
"""Two ranks by number."""
Rule = str | Callable[..., Any]

PRESS_RULES = ("never", "always", "ahead", "best")
"""`ahead`: where the hand has the higher count of the two; `best`: where the patron gains, by a full shoe's exact odds.
The filed part of the payout is pressed, or nothing: a patron may not choose less (reading A-40)."""


class PressOpening(NamedTuple):
    """Four cards that pay House Money, by rank, in the order in which they were dealt."""

    dealt: tuple[int, int, int, int]
    player: TwoCards
    banker: TwoCards

    @property
    def pairs(self) -> int:
        """How many of the hands are pairs."""
        return (self.player[0] == self.player[1]) + (self.banker[0] == self.banker[1])


def openings() -> Iterator[PressOpening]:
    """All openings with a pair."""
    for first, second, third, fourth in product(range(len(RANKS)), repeat=4):
        if first == third or second == fourth:
            yield PressOpening((first, second, third, fourth), (first, third), (second, fourth))


def pressed_hands(book: Book, rule: Rule, hands: tuple[WagerKind, ...], stakes: dict[WagerKind, int] | None) -> Bytes:
    """By the ranks of the four cards as dealt: 0, or 1 plus the number of the hand that is pressed.

    `hands` are the main wagers that may be pressed. Exact odds are those at these stakes, or by the unit without them.
    Among several possible hands, the one that gains most is chosen, or the first.
    """
    found = np.zeros((len(RANKS),) * 4, np.uint8)
    wishes = [_press_wish(book, rule, hand, stakes) for hand in hands] if rule != "never" else []
    for opening in openings() if wishes else ():
        gains = [wish(opening) for wish in wishes]
        best = max(gains)
        if best > 0:
            found[opening.dealt] = 1 + gains.index(best)
    return found


def _press_wish(
    book: Book, rule: Rule, hand: WagerKind, stakes: dict[WagerKind, int] | None
) -> Callable[[PressOpening], Fraction | int]:
    """How much a rule prefers a payout on this hand: positive, or not at all."""
    if callable(rule):
        return lambda opening: _answer(rule, opening)
    if rule == "always":
        return lambda _: 1
    worth = table_of(book).worth.tolist()
    if rule == "ahead":
        sign = 1 if book.main[Side.PLAYER] is hand else -1
        return lambda opening: sign * (_count(worth, opening.player) - _count(worth, opening.banker))
    means = _means(book, hand, stakes)
    return lambda opening: means.get((_values(worth, opening.player), _values(worth, opening.banker), opening.pairs), 0)


def _means(
    book: Book, hand: WagerKind, stakes: dict[WagerKind, int] | None
) -> dict[tuple[TwoCards, TwoCards, int], Fraction]:
    """What pressing gains by the values of the cards, for every opening that a full shoe deals."""
    if stakes is None:
        found = gains_of_pressing(book.rules, hand)
    else:
        stake = next(stake for kind, stake in stakes.items() if kind in book.early)
        found = gains_of_pressing(book.rules, hand, stake=stake, beside=stakes[hand])
    return {(each.player, each.banker, each.pairs): mean for each, mean in found}


def _answer(rule: Callable[..., Any], opening: PressOpening) -> int:
    """What a function answers for two hands, of two ranks each as they were dealt: True if the payout is pressed."""
    player, banker = ((RANKS[one], RANKS[two]) for one, two in (opening.player, opening.banker))
    answer = rule(player, banker)
    if not isinstance(answer, bool | np.bool_):
        raise TypeError(f"{_hand(player)} against {_hand(banker)}: the answer is {answer!r}, not True or False")
    return int(answer)


def _hand(ranks: tuple[Rank, Rank]) -> str:
    return "".join(rank.value for rank in ranks)


def _count(worth: list[int], hand: TwoCards) -> int:
    return (worth[hand[0]] + worth[hand[1]]) % 10


def _values(worth: list[int], hand: TwoCards) -> TwoCards:
    one, two = sorted((worth[hand[0]], worth[hand[1]]))
    return one, two
