"""Sources: where the values of cards come from, outside the machine; a sealed order, or a dealer's keys."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from baccarat.cards import Card, decks
from baccarat.law.rulebook import Rulebook
from baccarat.law.submission import MustHit
from baccarat.shuffle import header_of, order, pick
from baccarat.table.proof import Proof, prove, seal
from baccarat.table.state import State

SALT_BYTES = 16
"""Long enough that nobody tries all of them."""


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


class Triggers(Protocol):
    """Where the Must Hit's chance comes from: nothing that a shoe opens tells anything of it."""

    def opened(self, state: State) -> Opened:
        """The trigger of the run that the meter is in, and the lot of this round."""


class SealedTriggers:
    """A sealed seed of its own for every run of a meter, whichever tables of a link it is won at."""

    def __init__(self, terms: MustHit, seeds: Callable[[int], bytes], *, link: str) -> None:
        self._terms = terms
        self._seeds = seeds
        self._link = link

    def opened(self, state: State) -> Opened:
        """A trigger uniform over the meter's range, one for each run; a lot uniform over who takes part."""
        terms, run = self._terms, state.meters.must_hit_run
        seed, what = self._seeds(run), f"{self._link} {run}"
        trigger = terms.start + pick(seed, terms.ceiling - terms.start + 1, what=f"must hit {what}")
        playing = len(state.round.royal9_seats)
        moment = f"lot {what} {state.shoe.number} {state.round.number}"
        lot = pick(seed, playing, what=moment) if playing else 0
        salt = hmac.new(seed, f"baccarat/must-hit/salt {what}".encode(), hashlib.sha256).digest()[:SALT_BYTES]
        return Opened(trigger, lot, salt=salt.hex())


class KeyedCards:
    """Real cards: an order that only the outside knows, told on the dealer's word."""

    def __init__(
        self,
        stacks: Callable[[int], Sequence[Card]],
        *,
        in_front: int | None = None,
        triggers: Triggers | None = None,
    ) -> None:
        self._stacks = stacks
        self._in_front = in_front
        self._triggers = triggers
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
        """The trigger of this run, and a lot, from the Must Hit's own chance."""
        assert self._triggers is not None, "a table with the Must Hit has triggers"
        return self._triggers.opened(state)


class SealedShoe(KeyedCards):
    """An electronic shoe: its order comes from a seed, and every card from it carries its proof."""

    def __init__(
        self,
        rules: Rulebook,
        seeds: Callable[[int], bytes],
        *,
        table: str,
        in_front: int | None = None,
        triggers: Triggers | None = None,
    ) -> None:
        super().__init__(self._order, in_front=in_front, triggers=triggers)
        self._rules = rules
        self._seeds = seeds
        self._table = table
        self._sealed: dict[int, tuple[str, list[bytes], list[bytes]]] = {}

    def _order(self, number: int) -> tuple[Card, ...]:
        count = self._rules.elections.decks or 8
        cards, shoe = decks(count), str(number)
        header = header_of(table=self._table, shoe=shoe, rulebook_hash=self._rules.hash, decks=count)
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


def salt_of(seed: bytes, index: int) -> bytes:
    """The salt of one card of an order, so that no hash can be guessed from the few cards there are."""
    return hmac.new(seed, b"baccarat/salt" + index.to_bytes(8, "big"), hashlib.sha256).digest()[:SALT_BYTES]
