"""Remarks on prices: where the participant has the advantage, as one wrong figure in a pay table can cause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from baccarat.odds.house_money import press
from baccarat.odds.joint_wagers import exempt_pairs
from baccarat.odds.price import Prices
from baccarat.odds.show import advantage, price_title
from baccarat.play.wager import WagerKind


def remarks(prices: Prices, only: Iterable[WagerKind] | None = None, *, alone: bool = False) -> tuple[str, ...]:
    """A sentence for each wager, and each way to play several of them, in which the house edge is below zero.

    `only` names the wagers to look at; without it, all of them. `alone` leaves out what takes a decision or another
    wager with it, which takes longer to price.
    """
    kinds = [kind for kind in prices.wagers if only is None or kind in set(only)]
    found = [(price_title(prices[kind]), prices[kind].edge) for kind in kinds]
    if WagerKind.HOUSE_MONEY in kinds and not alone:
        found += _presses(prices)
    if only is None and not alone:
        found += [(f"{both.name}, free of vigorish", both.edge) for both in exempt_pairs(prices.rules, prices.shoe)]
    return tuple(advantage(name, edge) for name, edge in found if edge < 0)


def _presses(prices: Prices) -> Iterator[tuple[str, Fraction]]:
    law = prices.rules.edition.house_money
    for word in law.press if law is not None else ():
        onto = WagerKind(word)
        yield f"House Money pressed onto {onto.title} at best", press(prices.rules, onto, prices.shoe).best
