"""Effect of removal: how the edge of each wager changes when one card of a rank leaves the shoe."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import msgspec

from baccarat.cards import DECK, Card, Rank
from baccarat.law.rulebook import Rulebook
from baccarat.odds.price import odds
from baccarat.odds.shoe import CARDS_NEEDED, RANKS, ShoeCounts, ShoeGrain, points_of, shoe_of
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind


class Removal(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """By wager and rank, the edge after one card of the rank is gone less the edge before; None if none is left."""

    shoe: ShoeCounts
    effects: dict[WagerKind, dict[Rank, Fraction | None]]

    def __getitem__(self, on: WagerKind) -> dict[Rank, Fraction | None]:
        if on not in self.effects:
            priced = ", ".join(kind.word for kind in self.effects)
            raise ValueError(f"{on.word} is not priced from this shoe; priced: {priced}")
        return self.effects[on]

    def __iter__(self) -> Iterator[WagerKind]:
        return iter(self.effects)


def effect_of_removal(rules: Rulebook, shoe: ShoeCounts | None = None) -> Removal:
    """The effect of the removal of one card of each rank on each wager.

    Where suits matter, the card that leaves is equally likely any of its rank: the mean over those that are left.
    """
    shoe = shoe_of(rules, shoe)
    if shoe.size == CARDS_NEEDED:
        raise ValueError(f"{CARDS_NEEDED} cards are left; with one removed no price could be given")
    before = {price.on: price.edge for price in odds(rules, shoe)}
    by_rank = {rank: _edges_without(rules, shoe, rank) for rank in RANKS}
    if shoe.grain is ShoeGrain.VALUES:
        priced = {on for after in by_rank.values() if after is not None for on in after}
        before = {on: edge for on, edge in before.items() if on in priced}
    effects = {
        on: {rank: after[on] - edge if after is not None else None for rank, after in by_rank.items()}
        for on, edge in before.items()
    }
    return Removal(shoe=shoe, effects=effects)


def _edges_without(rules: Rulebook, shoe: ShoeCounts, rank: Rank) -> dict[WagerKind, Fraction] | None:
    """The edges after a card of a rank has left; None if there is none."""
    book, place = open_book(rules), RANKS.index(rank)
    points = points_of(book)
    if shoe.grain is ShoeGrain.CARDS:
        cards = [(card, left) for card, left in zip(DECK, shoe.left, strict=True) if card.rank is rank and left]
    else:
        left = shoe.by_rank[place] if shoe.grain is ShoeGrain.RANKS else shoe.worth(points)[points[place]]
        cards = [(DECK[place], left)] if left else []
    if not cards:
        return None
    suits_matter = shoe.grain is ShoeGrain.CARDS and WagerKind.ROYAL9 in book.offered
    return _mean(rules, shoe, cards if suits_matter else [(cards[0][0], 1)])


def _mean(rules: Rulebook, shoe: ShoeCounts, cards: list[tuple[Card, int]]) -> dict[WagerKind, Fraction]:
    whole = sum(left for _, left in cards)
    total: dict[WagerKind, Fraction] = {}
    for card, left in cards:
        for price in odds(rules, shoe.without([card])):
            total[price.on] = total.get(price.on, Fraction(0)) + left * price.edge
    return {on: each / whole for on, each in total.items()}
