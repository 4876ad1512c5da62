"""The exact edge of the progressive from many remaining shoes, by the suits of nines and court cards.

One chair wagers alone, with the meters at their seeds: the price of `odds.royal9` from each shoe.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from baccarat.cards import Card, Rank
from baccarat.odds.price import lowest_chair
from baccarat.odds.royal9 import HANDS, OTHER, hand_number
from baccarat.play.book import Book
from baccarat.play.wager.royal9 import COURTS, award, progressive
from baccarat.sim.stream import SUITS, source_of
from baccarat.sim.study.book_arrays import RANKS, Floats, Integers
from baccarat.sim.study.round_columns import with_suits

SORTS = tuple(Card(rank, suit) for rank in (*COURTS, Rank.NINE) for suit in SUITS)
"""The cards that are distinguished; all others are of one more sort."""
_SORT = {card: sort for sort, card in enumerate(SORTS)}
_COURT = np.array([next(_SORT[card] for card in hand if card.rank is not Rank.NINE) for hand in HANDS[:OTHER]])
_NINE = np.array([next(_SORT[card] for card in hand if card.rank is Rank.NINE) for hand in HANDS[:OTHER]])
"""By Royal 9: the sorts of its two cards."""
_CARDS = tuple(Card(rank, suit) for rank in RANKS for suit in SUITS)
"""Cards by their numbers in `round_kernel.Suits`."""
_SORT_OF = np.full(256, len(SORTS) + 1)
_SORT_OF[: len(_CARDS)] = [_SORT.get(card, len(SORTS)) for card in _CARDS]
"""By card: its sort, or that of all others; if there is no card, one more."""
_HAND = np.array([[hand_number(one, two) for two in _CARDS] for one in _CARDS])
"""[card, card]: the number of the hand in `odds.royal9.HANDS`."""


class LaterRounds(NamedTuple):
    """The later rounds of some shoes."""

    rounds: int
    """Of these shoes in all, to the cover card."""
    shoe: Integers
    number: Integers
    """By row: the shoe, and the number of the round in it, both from zero."""
    edge: Floats
    """By row: the exact edge before the round."""
    came: Floats
    """By row: what a unit gained in it."""


class Royal9Edges:
    """The gains of one chair by opening hands, prepared for many shoes."""

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
        """[sort, Royal 9]: what to subtract per card of a sort, since the second hand lacks the cards of the first."""

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

    def late_rounds(self, seed: int, first: int, shoes: int, base: int) -> LaterRounds:
        """The edges before the rounds of some shoes from number `base` on, counted from zero, to the cover card.

        They account for every card that the table was shown, with its suit: those dealt and, of the burned ones, the
        first or all. Those burned face down are among the cards that may come.
        """
        block, suits = with_suits(self.book, seed, first, shoes)
        sorts = len(SORTS) + 2  # all other cards; no card
        shoe = np.repeat(np.arange(shoes), np.diff(block.starts))
        number = np.arange(block.rows) - block.starts[shoe]
        is_late = number >= base
        early = _SORT_OF[suits.cards[~is_late]] + sorts * shoe[~is_late, None]
        seen_early = np.bincount(early.reshape(-1), minlength=sorts * shoes).reshape(shoes, sorts)
        seen_early += suits.shown @ np.eye(sorts, dtype=np.int64)[_SORT_OF[: len(_CARDS)]]
        shoe, number, cards = shoe[is_late], number[is_late], suits.cards[is_late]
        late = _SORT_OF[cards] + sorts * np.arange(len(cards))[:, None]
        dealt = np.bincount(late.reshape(-1), minlength=sorts * len(cards)).reshape(len(cards), sorts)
        before = np.cumsum(dealt, axis=0) - dealt
        seen = seen_early[shoe] + before - before[np.searchsorted(shoe, shoe)]
        edge = self.edges(self.source.decks - seen[:, : len(SORTS)], self.source.size - seen[:, :-1].sum(axis=1))
        came = self.gain[_HAND[cards[:, 0], cards[:, 2]], _HAND[cards[:, 1], cards[:, 3]]]
        return LaterRounds(block.rows, shoe, number, edge, came)
