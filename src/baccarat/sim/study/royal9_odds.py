"""The exact edge of the progressive from many remaining shoes at once: by the suits of nines and court cards.

One chair wagers alone, the meters standing at their seeds: the price of `odds.royal9` from each shoe.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from baccarat.cards import Card, Rank
from baccarat.odds.price import lowest_chair
from baccarat.odds.royal9 import HANDS, OTHER
from baccarat.play.book import Book
from baccarat.play.wager.royal9 import COURTS, award, progressive
from baccarat.sim.plain import burned_cards
from baccarat.sim.plan import plan_by
from baccarat.sim.stream import SUITS, source_of
from baccarat.sim.study.opening import hands_dealt
from baccarat.sim.study.table import Floats, Integers

SORTS = tuple(Card(rank, suit) for rank in (*COURTS, Rank.NINE) for suit in SUITS)
"""The cards that are told apart; all others are of one more sort."""
_SORT = {card: sort for sort, card in enumerate(SORTS)}
_COURT = np.array([next(_SORT[card] for card in hand if card.rank is not Rank.NINE) for hand in HANDS[:OTHER]])
_NINE = np.array([next(_SORT[card] for card in hand if card.rank is Rank.NINE) for hand in HANDS[:OTHER]])
"""By Royal 9: the sorts of its two cards."""


class Late(NamedTuple):
    """The later rounds of some shoes."""

    rounds: int
    """Of these shoes in all, to the cover card."""
    shoe: Integers
    number: Integers
    """By row: the shoe, and the number of the round in it, both from nought."""
    edge: Floats
    """By row: the exact edge before the round."""
    came: Floats
    """By row: what a unit gained in it."""


class Royal9Edges:
    """The gains of one chair by opening hands, made ready for many shoes."""

    def __init__(self, book: Book) -> None:
        progress = progressive(book.rules)
        assert progress is not None, "only asked where it is offered"
        self.book, self.source, chair = book, source_of(book), lowest_chair(book.rules)
        seeds = {meter.name: meter.seed for meter in progress.meters}
        gain = np.empty((len(HANDS), len(HANDS)))
        for p, player in enumerate(HANDS):
            for b, banker in enumerate(HANDS):
                won = award(progress, seeds, [chair], player=player, banker=banker)
                gain[p, b] = progress.net(won.rows[chair], won.awards[chair]) / progress.stake
        self.gain = gain
        """[Player's hand, Banker's hand]: what a unit gains."""
        self.neither = gain[OTHER, OTHER]
        self.one = gain[:OTHER, OTHER] + gain[OTHER, :OTHER] - 2 * self.neither
        """By Royal 9: what it adds as the Player's hand and as the Banker's, whatever the other hand is."""
        self.two = gain[:OTHER, :OTHER] - gain[:OTHER, OTHER, None] - gain[OTHER, :OTHER] + self.neither
        """What two Royal 9s add beyond that."""
        court, nine = (np.eye(len(SORTS))[each] for each in (_COURT, _NINE))
        self.same_card = ((self.two * (court @ court.T)) @ nine + (self.two * (nine @ nine.T)) @ court).T
        """[sort, Royal 9]: what is lost for each card of a sort, where the first hand has its partner in the second."""

    def edges(self, left: Integers, size: Integers) -> Floats:
        """By row: the house edge, from the cards left by sort and how many cards there are in all."""
        cards, n = left.astype(np.float64), size.astype(np.float64)
        hands = cards[:, _COURT] * cards[:, _NINE]
        # the second hand lacks the cards of the first: (court - same) (nine - same), multiplied out
        both = ((hands @ self.two) * hands - hands * (cards @ self.same_card)).sum(axis=1)
        both += hands @ np.diagonal(self.two)
        one = 2 * (hands @ self.one) / (n * (n - 1))
        edge: Floats = -(self.neither + one + 4 * both / (n * (n - 1) * (n - 2) * (n - 3)))
        return edge

    def late_rounds(self, seed: int, first: int, shoes: int, base: int) -> Late:
        """The edges before the rounds of some shoes from number `base` on, counted from nought, to the cover card."""
        from baccarat.sim.record import records  # noqa: PLC0415  numba takes up to a second to import

        plan, sorts = plan_by(self.book, "royal9"), len(SORTS) + 2  # all other cards; no card
        rows = records(plan, seed, first, shoes)
        sort_of = np.full(256, sorts - 1)
        sort_of[: len(plan.classes)] = [_SORT.get(cards[0], len(SORTS)) for cards in plan.classes]
        shoe, is_late = rows.shoe - first, rows.number > base
        early = sort_of[rows.cards[~is_late]] + sorts * shoe[~is_late, None]
        seen_early = np.bincount(early.reshape(-1), minlength=sorts * shoes).reshape(shoes, sorts)
        shoe, late = shoe[is_late], sort_of[rows.cards[is_late]] + sorts * np.arange(is_late.sum())[:, None]
        dealt = np.bincount(late.reshape(-1), minlength=sorts * len(shoe)).reshape(len(shoe), sorts)
        before = np.cumsum(dealt, axis=0) - dealt
        seen = seen_early[shoe] + before - before[np.searchsorted(shoe, shoe)]
        size = self.source.size - 1 - seen[:, :-1].sum(axis=1)
        left = self.source.decks - seen[:, : len(SORTS)] - self._burned(seed, first, shoes)[shoe]
        came = self.gain[hands_dealt(plan, rows.cards[is_late])]
        number = rows.number[is_late].astype(np.int64) - 1
        return Late(len(rows.shoe), shoe, number, self.edges(left, size), came)

    def _burned(self, seed: int, first: int, shoes: int) -> Integers:
        """[shoe, sort]: one where the card burned first is of this sort.

        Where the cards burned after it are shown too, this leaves them out: their suits are known only once a shoe is
        dealt to its end with all suits, for they are what is left of it then, and that takes some milliseconds a shoe.
        """
        found = np.zeros((shoes, len(SORTS)), np.int64)
        for shoe, card in enumerate(burned_cards(self.book, "royal9", seed, first, shoes)):
            if card in _SORT:
                found[shoe, _SORT[card]] = 1
        return found
