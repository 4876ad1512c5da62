"""Tables of a house that share their meters, played by chance, with everything checked after every act."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import partial

from baccarat.cards import Card, decks
from baccarat.house.house import House, HouseTable
from baccarat.house.house_book import LinkTables
from baccarat.house.invariant import broken_invariants
from baccarat.house.link import LinkState
from baccarat.house.stream import HOUSE_STREAM
from baccarat.law.rulebook import Rulebook
from baccarat.play.wager import WagerKind
from baccarat.table.automation import command_for, next_due
from baccarat.table.base import Accepted, Command
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import KeyedCards, OpenedTrigger
from baccarat.table.state import TableState
from baccarat.table.step.wagering import PlaceWager
from house_books import ADMIN_AND_SUPERVISOR, open_table, opened_house, taken

RANGE = {"start": 10_000, "ceiling": 10_400, "contribution": 25}
NAMES = ("T1", "T2", "T3")
LINK_NAME = "main"


def royal_nines(seed: str, shoe: int) -> list[Card]:
    """A shoe full of nines and court cards, so that meters are won."""
    chance = random.Random(f"{seed} {shoe}")
    cards = chance.sample(decks(8), 416)
    rich = [card for card in cards if card.rank.value in "9K"]
    return [*rich, *(card for card in cards if card.rank.value not in "9K")] if chance.random() < 0.8 else cards


@dataclass
class Floor:
    """Tables of a house that share their meters, played by chance; everything is checked after every act."""

    rules: Rulebook
    chance: random.Random
    house: House
    tables: dict[str, HouseTable] = field(default_factory=dict)
    sources: dict[str, KeyedCards] = field(default_factory=dict)

    @classmethod
    def opened(cls, rules: Rulebook, seed: int, house: House | None = None) -> Floor:
        """Three tables with three people each."""
        house = opened_house(rules, bankroll=10**11, house=house)
        floor = cls(rules, random.Random(seed), house)
        for name in NAMES:
            floor.tables[name] = open_table(house, rules, name)
        taken(house.do(LinkTables(name=LINK_NAME, tables=NAMES), ADMIN_AND_SUPERVISOR, stream=HOUSE_STREAM))
        for name in NAMES:
            for seat in (1, 4, 6):
                floor.tables[name].do(Sit(seat=seat, person=f"p{seat}"))
                floor.tables[name].do(BuyIn(seat=seat, amount=10**7))
            floor.sources[name] = source = KeyedCards(partial(royal_nines, f"{seed} {name}"))
            source.must_hit = floor.chance_of  # type: ignore[method-assign]
        assert broken_invariants(house.state) == []
        return floor

    @property
    def linked(self) -> LinkState:
        """The link as it stands."""
        return self.house.state.links[LINK_NAME]

    def chance_of(self, state: TableState) -> OpenedTrigger:
        """One trigger for each run of the shared meter."""
        del state
        assert self.linked.must_hit is not None
        run = self.linked.must_hit.jackpot
        terms = self.linked.must_hit.terms
        return OpenedTrigger(terms.start + run * 37 % (terms.ceiling - terms.start + 1), 0, f"salt {run}")

    def wager(self, name: str) -> None:
        """The company wagers, mostly on Royal 9 too."""
        table = self.tables[name]
        if table.state.step == "wager" and not table.state.round.wagers:
            for seat in (1, 4, 6):
                table.do(PlaceWager(seat=seat, on=WagerKind.TIE, stake=1000))
                if self.chance.random() < 0.8:
                    table.do(PlaceWager(seat=seat, on=WagerKind.ROYAL9, stake=500))

    def next_command(self, name: str) -> Command:
        """What is due at a table, as somebody who sees the link would do it."""
        table, source = self.tables[name], self.sources[name]
        return command_for(table, next_due(table, source), source)

    def act(self, name: str, *, check: bool = True) -> None:
        """One act that is due at a table, decided with the link."""
        self.wager(name)
        outcome = self.tables[name].do(self.next_command(name))
        assert isinstance(outcome, Accepted), outcome
        if check:
            assert broken_invariants(self.house.state) == []
