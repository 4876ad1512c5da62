"""Electronic shoes in orders that a test gives, which note when each card is asked for: until then nobody knows it."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import Any

from baccarat.cards import Card, decks
from baccarat.law.rulebook import Rulebook
from baccarat.serve.job.table_loop import TableTriggers
from baccarat.serve.live import HouseServer
from baccarat.table.machine import Table
from baccarat.table.proof import CardProof, SealedOrder, index_before_cut
from baccarat.table.shoe_state import Commitment
from baccarat.table.source import KeyedCards
from baccarat.table.state import TableState

Place = tuple[str, int, int]
"""A table, a shoe, and an index of its order before the cut."""


class GivenOrders:
    """The orders of all shoes of a house, by a seed; of another one, but for the cards that are `known`."""

    def __init__(
        self, now: Callable[[], float], seed: int, known: frozenset[Place] = frozenset(), other: int = 0
    ) -> None:
        self.now, self._seed, self._known, self._other = now, seed, known, other
        self.asked: list[tuple[float, Place]] = []
        """When each card was asked for first."""
        self._seen: set[Place] = set()

    def note(self, place: Place) -> None:
        """A card is asked for."""
        if place not in self._seen:
            self._seen.add(place)
            self.asked.append((self.now(), place))

    def order(self, table: str, shoe: int, count: int) -> SealedOrder:
        """The order of a shoe, sealed."""
        cards = list(decks(count))
        random.Random(f"{self._seed} {table} {shoe}").shuffle(cards)
        if self._other:
            rest = [card for index, card in enumerate(cards) if (table, shoe, index) not in self._known]
            random.Random(f"{self._other} {table} {shoe}").shuffle(rest)
            cards = [card if (table, shoe, index) in self._known else rest.pop() for index, card in enumerate(cards)]
        salt = f"{self._seed} {self._other} {table} {shoe}"
        return SealedOrder(cards, [random.Random(f"{salt} {index}").randbytes(16) for index in range(len(cards))])

    def source(self, live: HouseServer, name: str, table: Table) -> GivenShoe:
        """What the program asks for the cards of a table; no seed leads to them, and no witness has a share in them."""
        triggers = TableTriggers(live.vault, name, table) if table.rules.elections.must_hit else None
        return GivenShoe(self, table.rules, name, triggers)


class GivenShoe(KeyedCards):
    """The shoes of one table."""

    def __init__(self, orders: GivenOrders, rules: Rulebook, table: str, triggers: Any) -> None:
        super().__init__(lambda _number: (), triggers=triggers)
        self._orders, self._rules, self._table = orders, rules, table
        self._made: dict[int, SealedOrder] = {}

    def _order(self, state: TableState) -> SealedOrder:
        number = state.shoe.number
        if number not in self._made:
            self._made[number] = self._orders.order(self._table, number, self._rules.elections.decks or 8)
        return self._made[number]

    def promise(self, rules: Rulebook, state: TableState) -> Commitment | None:
        """A commitment that nobody will open: the order is given, and no seed leads to it."""
        number = state.shoe.number
        hash_ = hashlib.sha256(self._order(state).root.encode()).hexdigest()
        return Commitment(
            table=self._table,
            shoe=str(number),
            rulebook=rules.hash,
            decks=rules.elections.decks or 8,
            hash=hash_,
            order=2,
        )

    def root(self, state: TableState) -> str:
        """The root of the order."""
        return self._order(state).root

    def card(self, state: TableState, position: int) -> tuple[Card, CardProof | None]:
        """A card with its proof; that it was asked for is noted."""
        index = index_before_cut(state.shoe, position)
        self._orders.note((self._table, state.shoe.number, index))
        order = self._order(state)
        return order.cards[index], order.prove(index)
