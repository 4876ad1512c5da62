"""Sources: where the values of cards come from, outside the machine; a sealed order, or a dealer's keys."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from baccarat.cards import Card, decks
from baccarat.law.rulebook import Rulebook
from baccarat.shuffle import header_of, order, pick
from baccarat.table.proof import Proof, prove, seal
from baccarat.table.state import State


class Opened(NamedTuple):
    """What opens the Must Hit: the trigger, the lot, and the salt of its seal."""

    trigger: int
    lot: int = 0
    salt: str = ""


class Source(Protocol):
    """What the door brings: values, the seal, the place of a cut, and the Must Hit's chance."""

    def root(self, state: State) -> str:
        """The root under which the order was sealed; nothing for real cards."""

    def card(self, state: State, position: int) -> tuple[Card, Proof | None]:
        """The card at a position of the cut shoe, with its proof if it has one."""

    def cut(self, state: State) -> int:
        """Where the cut goes."""

    def must_hit(self, state: State) -> Opened:
        """The sealed trigger of the Must Hit, and a lot."""


class KeyedCards:
    """Real cards: an order that only the door knows, told on the dealer's word."""

    def __init__(self, stacks: Callable[[int], Sequence[Card]], *, in_front: int | None = None) -> None:
        self._stacks = stacks
        self._in_front = in_front
        self._shoe: tuple[int, tuple[Card, ...]] | None = None

    def stack(self, state: State) -> tuple[Card, ...]:
        """The order before the cut of the shoe in play."""
        number = state.shoe.number
        if self._shoe is None or self._shoe[0] != number:
            self._shoe = number, tuple(self._stacks(number))
        return self._shoe[1]

    def root(self, state: State) -> str:
        """Real cards are not sealed."""
        del state
        return ""

    def place(self, state: State, position: int) -> int:
        """The place before the cut of a position after it."""
        return (position + (state.shoe.in_front or 0)) % state.shoe.cards

    def card(self, state: State, position: int) -> tuple[Card, Proof | None]:
        """The card that the dealer sees."""
        return self.stack(state)[self.place(state, position)], None

    def cut(self, state: State) -> int:
        """Where it was asked for, or in the middle."""
        return state.shoe.cards // 2 if self._in_front is None else self._in_front

    def must_hit(self, state: State) -> Opened:
        """The start itself, sealed when the meter shows nothing else: a hit in the first round that feeds it."""
        return Opened(state.meters.must_hit)


class SealedShoe(KeyedCards):
    """An electronic shoe: its order comes from a seed, and every card from it carries its proof."""

    def __init__(self, rules: Rulebook, seeds: Callable[[int], bytes], *, in_front: int | None = None) -> None:
        super().__init__(self._order, in_front=in_front)
        self._rules = rules
        self._seeds = seeds
        self._sealed: dict[int, tuple[str, list[bytes], list[bytes]]] = {}

    def _order(self, number: int) -> tuple[Card, ...]:
        count = self._rules.elections.decks or 8
        cards, shoe = decks(count), str(number)
        header = header_of(table="table", shoe=shoe, rulebook_hash=self._rules.hash, decks=count)
        places = order(self._seeds(number), size=len(cards), shoe=shoe, header=header, contributions=())
        stack = tuple(cards[place] for place in places)
        salts = [salt_of(self._seeds(number), place) for place in range(len(stack))]
        root, leaves = seal(stack, salts)
        self._sealed = {number: (root, leaves, salts)}
        return stack

    def root(self, state: State) -> str:
        """The root of the sealed order."""
        self.stack(state)
        return self._sealed[state.shoe.number][0]

    def card(self, state: State, position: int) -> tuple[Card, Proof | None]:
        """The card with the proof that it stood there when the order was sealed."""
        card, place = self.stack(state)[self.place(state, position)], self.place(state, position)
        _, leaves, salts = self._sealed[state.shoe.number]
        return card, prove(leaves, place, salts[place])

    def must_hit(self, state: State) -> Opened:
        """A trigger uniform over the meter's range, one for each of its runs; a lot uniform over who takes part."""
        elected = self._rules.elections.must_hit
        assert elected is not None, "only asked where the licensee has it"
        seed, run = self._seeds(0), state.meters.must_hit_flow.seeded
        trigger = elected.start + pick(seed, elected.ceiling - elected.start + 1, what=f"must hit {run}")
        playing = len(state.round.royal9_seats)
        moment = f"lot {run} {state.shoe.number} {state.round.number}"
        lot = pick(seed, playing, what=moment) if playing else 0
        return Opened(trigger, lot, salt=salt_of(seed, run).hex())


def salt_of(seed: bytes, place: int) -> bytes:
    """The salt of one place of an order, so that no hash can be guessed from the few cards there are."""
    return hmac.new(seed, b"baccarat/salt" + place.to_bytes(8, "big"), hashlib.sha256).digest()[:16]
