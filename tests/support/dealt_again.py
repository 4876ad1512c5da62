"""Shoes of a simulation dealt again, one by one, by the ordinary engine; and what they come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from baccarat.cards import Card
from baccarat.law.fact import FINISHES
from baccarat.law.rulebook import Rulebook
from baccarat.odds.royal9 import HANDS, OTHER
from baccarat.play.book import open_book
from baccarat.play.coup import Coup, deal_by
from baccarat.play.shoe import burn
from baccarat.play.shoe import rounds as dealt
from baccarat.sim.plan import COUNTERS, Detail
from baccarat.sim.stream import shoe
from baccarat.sim.tally import Range, RangeCounts


def coups(rules: Rulebook, seed: int, number: int, rounds: int | None = None) -> Iterator[Coup]:
    """The rounds of one shoe: to the cover card, or so many of them, or until one is void."""
    cards = shoe(rules, seed, number)
    assert set(Counter(cards).values()) == {rules.elections.decks}
    position = len(burn(rules, cards).cards)
    if rounds is None:
        yield from (each.coup for each in dealt(rules, cards, position=position))
        return
    for _ in range(rounds):
        coup = deal_by(open_book(rules), cards[position : position + 6])
        yield coup
        if coup.is_void:
            return
        position += coup.cards_dealt


def counts(
    rules: Rulebook, seed: int, shoes: Range, *, rounds: int | None = None, detail: Detail = "totals"
) -> RangeCounts:
    """What a range of shoes comes to."""
    cells, void = [0] * COUNTERS[detail], 0
    for number in range(shoes.first, shoes.end):
        for coup in coups(rules, seed, number, rounds):
            if coup.is_void:
                void += 1
                continue
            cells[4 * coup.index + coup.opening_index if detail == "pairs" else coup.index] += 1
            if detail == "royal9":
                player, banker = map(_hand, (coup.player, coup.banker))
                cells[FINISHES + player * len(HANDS) + banker] += 1
    return RangeCounts(cells=tuple(cells), void=void)


def _hand(cards: tuple[Card, ...]) -> int:
    hand = frozenset(cards[:2])
    return next((index for index, royal in enumerate(HANDS[:OTHER]) if royal == hand), OTHER)
