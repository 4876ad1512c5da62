"""A recorded shoe: every wager's edge before every round, from the cards that had been seen by then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

import msgspec

from baccarat.cards import Card, parse_cards
from baccarat.law.rulebook import Rulebook
from baccarat.odds.price import odds
from baccarat.odds.shoe import CARDS_NEEDED, ShoeCounts, shoe_of
from baccarat.play.wager import WagerKind

Cards = str | Iterable[Card | str]


class SeriesMoment(msgspec.Struct, frozen=True, kw_only=True):
    """The moment before a round: what is unseen, and the house edge of every wager from it.

    A card that was burned face down is unseen, so it counts as if it were in the shoe: it could be any. There are no
    edges if fewer cards are unseen than a round may take.
    """

    round: int
    unseen: ShoeCounts
    edges: dict[WagerKind, Fraction]


def before_each_round(
    rules: Rulebook,
    rounds: Iterable[Cards],
    *,
    burned: Cards = (),
    shoe: ShoeCounts | None = None,
    meters: Mapping[str, int] | None = None,
) -> Iterator[SeriesMoment]:
    """Every wager's edge before each round, given its cards in the order in which they were seen.

    `burned` are the burned cards that were seen before the first round; `shoe` is what was loaded, a full one unless
    given. A round may hold more cards than its hands: everything that was seen in it.
    """
    unseen = shoe_of(rules, shoe)
    unseen = _remove_seen(unseen, burned, "burned")
    for number, cards in enumerate(rounds, start=1):
        yield SeriesMoment(round=number, unseen=unseen, edges=edges_from(rules, unseen, meters))
        unseen = _remove_seen(unseen, cards, f"round {number}")


def edges_from(rules: Rulebook, unseen: ShoeCounts, meters: Mapping[str, int] | None) -> dict[WagerKind, Fraction]:
    """The house edge of every wager; none if fewer cards are unseen than a round may take."""
    if unseen.size < CARDS_NEEDED:
        return {}
    return {price.on: price.edge for price in odds(rules, unseen, meters=meters)}


def _remove_seen(unseen: ShoeCounts, cards: Cards, when: str) -> ShoeCounts:
    try:
        return unseen.without(parse_cards(cards) if isinstance(cards, str) else cards)
    except ValueError as error:
        raise ValueError(f"{when}: {error}") from None
