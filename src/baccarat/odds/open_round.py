"""A round under way: what its wagers are worth, given the cards that are turned and those that nobody has seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from baccarat.cards import Card
from baccarat.law.fact import finish_index
from baccarat.law.rulebook import Rulebook
from baccarat.odds.gain import unit_gain
from baccarat.odds.joint import banker_draws, player_draws
from baccarat.odds.price import odds
from baccarat.odds.shoe import RANKS, ShoeCounts, points_of, shoe_of
from baccarat.play.book import NO_CARD, Book, WagerVerdict, open_book
from baccarat.play.wager import Wager, WagerKind

Slots = Sequence[Card | None]
"""The cards of a hand in their order; None for one that is not turned."""


def expected_gain(
    rules: Rulebook, wagers: Iterable[Wager], unseen: ShoeCounts, *, player: Slots = (), banker: Slots = ()
) -> Fraction:
    """What wagers gain on average, in cents, before the round or in the middle of it: every stake times its odds.

    Vigorish is its exact percentage. Royal 9, which awards what meters show, is left out. A third card that is turned
    counts where the tableau draws one.
    """
    book, unseen = open_book(rules), shoe_of(rules, unseen)
    stakes: dict[WagerKind, int] = {}
    for wager in wagers:
        if book.table(wager.on):
            stakes[wager.on] = stakes.get(wager.on, 0) + wager.stake
    if not stakes:
        return Fraction(0)
    if not any((*player, *banker)):
        prices = odds(rules, unseen)
        return sum((stake * prices[on].expected for on, stake in stakes.items()), Fraction(0))
    return _RoundUnderWay(book, stakes, unseen, player, banker).mean()


class _RoundUnderWay:
    """The same, over all cards that may come: the first four by rank, on which pairs depend, the others by value."""

    def __init__(
        self, book: Book, stakes: dict[WagerKind, int], unseen: ShoeCounts, player: Slots, banker: Slots
    ) -> None:
        self._book, self._points, self._left = book, points_of(book), list(unseen.by_rank)
        self._first = [_rank(hand, place) for place in (0, 1) for hand in (player, banker)]
        self._thirds = [_value(book, hand) for hand in (player, banker)]
        self._by_finish = _gains(book, {on: book.verdicts[on] for on in stakes if on in book.verdicts}, stakes)
        """What all stakes gain by each finish of the round."""
        opening = {on: book.openings[on] for on in stakes if on in book.openings}
        early = {on: tuple(book.early[on][pairs] for pairs in (0, 1, 1, 2)) for on in stakes if on in book.early}
        self._by_opening = _gains(book, {**opening, **early}, stakes) or [Fraction(0)] * 4
        """What they gain by each opening: no pair, Banker's, Player's, both."""

    def mean(self) -> Fraction:
        """The mean over all openings, and over the third cards that may follow each."""
        return sum((chance * self._after(ranks) for ranks, chance in self._openings((), Fraction(1))), Fraction(0))

    def _openings(self, ranks: tuple[int, ...], chance: Fraction) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        if len(ranks) == 4:
            yield ranks, chance
            return
        known = self._first[len(ranks)]
        if known is not None:
            yield from self._openings((*ranks, known), chance)
            return
        for rank, left in enumerate(self._left):
            if left:
                size = sum(self._left)
                self._left[rank] -= 1
                yield from self._openings((*ranks, rank), chance * Fraction(left, size))
                self._left[rank] += 1

    def _after(self, ranks: tuple[int, ...]) -> Fraction:
        """What the wagers gain on average after an opening, while `_left` is what is left after it."""
        one, two, three, four = ranks
        points = self._points
        player, banker = (points[one] + points[three]) % 10, (points[two] + points[four]) % 10
        values = [0] * 10
        for rank, left in enumerate(self._left):
            values[points[rank]] += left
        total = self._by_opening[2 * (one == three) + (two == four)]
        if not player_draws(self._book, player, banker):
            return total + self._banker(values, player, banker, NO_CARD)
        thirds = self._third(values, self._thirds[0])
        return total + sum(
            (chance * self._banker(rest, player, banker, card) for card, chance, rest in thirds), Fraction(0)
        )

    def _banker(self, values: list[int], player: int, banker: int, third: int) -> Fraction:
        count, cards = (player, 2) if third == NO_CARD else ((player + third) % 10, 3)
        finish = self._by_finish
        if not finish or not banker_draws(self._book, player, banker, third):
            return finish[finish_index(count, banker, cards, 2)] if finish else Fraction(0)
        drawn = self._third(values, self._thirds[1])
        return sum(
            (chance * finish[finish_index(count, (banker + card) % 10, cards, 3)] for card, chance, _ in drawn),
            Fraction(0),
        )

    @staticmethod
    def _third(values: list[int], known: int | None) -> Iterator[tuple[int, Fraction, list[int]]]:
        """A third card by its value, its chance, and what is left after it."""
        if known is not None:
            yield known, Fraction(1), values
            return
        size = sum(values)
        for value, left in enumerate(values):
            if left:
                yield value, Fraction(left, size), [each - (value == place) for place, each in enumerate(values)]


def _gains(
    book: Book, tables: dict[WagerKind, tuple[WagerVerdict | None, ...]], stakes: dict[WagerKind, int]
) -> list[Fraction]:
    """What all stakes together gain in each case of these tables; empty if there are none."""
    return [
        sum((stakes[on] * unit_gain(book, each) for on, each in zip(tables, case, strict=True) if each), Fraction(0))
        for case in zip(*tables.values(), strict=True)
    ]


def _rank(hand: Slots, place: int) -> int | None:
    card = hand[place] if place < len(hand) else None
    return None if card is None else RANKS.index(card.rank)


def _value(book: Book, hand: Slots) -> int | None:
    card = hand[2] if len(hand) > 2 else None
    return None if card is None else book.value[card]
