"""Sources: where the values of cards come from, outside the machine; a sealed order, or a dealer's keys."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple, Protocol

from msgspec import UNSET
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.law.rulebook import Rulebook
from baccarat.law.submission import MustHit
from baccarat.shuffle import pick
from baccarat.table.gate import GateFault, gate_fault
from baccarat.table.proof import SALT_BYTES, CardProof, SealedOrder, commitment_for, index_before_cut, order_from
from baccarat.table.shoe_state import Commitment, WitnessPromise
from baccarat.table.state import TableState


class OpenedTrigger(NamedTuple):
    """What opens the Must Hit: the trigger, the lot, and the salt of its seal."""

    trigger: int
    lot: int = 0
    salt: str = ""


class CardSource(Protocol):
    """What comes from outside: values of cards, an electronic shoe's promises, the cut, and the Must Hit's chance."""

    def promise(self, rules: Rulebook, state: TableState) -> Commitment | None:
        """What an electronic shoe commits to under the rules that hold; nothing for real cards."""

    def awaits(self, state: TableState) -> bool:
        """Whether the shoe cannot go on before somebody outside has answered."""

    def share(self, state: TableState) -> tuple[str, tuple[str, ...]] | None:
        """The key of a witness that has opened its share since the closing, and its note; none where none is here."""

    def gate(self, state: TableState) -> GateFault | None:
        """What is wrong with the order that is about to be sealed."""

    def root(self, state: TableState) -> str:
        """The root under which the order is sealed; nothing for real cards."""

    def seed(self, state: TableState) -> str:
        """The seed of the shoe that is over, in hexadecimal digits; nothing where nobody has it."""

    def card(self, state: TableState, position: int) -> tuple[Card, CardProof | None]:
        """The card at a position of the cut shoe, with its proof if it has one."""

    def cut(self, state: TableState) -> int:
        """Where the cut goes."""

    def must_hit(self, state: TableState) -> OpenedTrigger:
        """The sealed trigger of the Must Hit, and a lot."""


class Triggers(Protocol):
    """Where the Must Hit's chance comes from: nothing that a shoe reveals gives any of it away."""

    def open_trigger(self, state: TableState) -> OpenedTrigger:
        """The trigger of the run that the meter is in, and the lot of this round."""


class SealedTriggers:
    """A sealed seed of its own for every run of a meter, whichever tables of a link it is won at."""

    def __init__(self, terms: MustHit, seeds: Callable[[int], bytes], *, link: str) -> None:
        self._terms = terms
        self._seeds = seeds
        self._link = link

    def open_trigger(self, state: TableState) -> OpenedTrigger:
        """A trigger uniform over the meter's range, one for each run; a lot uniform over those who take part."""
        terms, run = self._terms, state.meters.must_hit_run
        seed, what = self._seeds(run), f"{self._link} {run}"
        trigger = terms.start + pick(seed, terms.ceiling - terms.start + 1, what=f"must hit {what}")
        playing = len(state.round.royal9_seats)
        moment = f"lot {what} {state.shoe.number} {state.round.number}"
        lot = pick(seed, playing, what=moment) if playing else 0
        salt = hmac.new(seed, f"baccarat/must-hit/salt {what}".encode(), hashlib.sha256).digest()[:SALT_BYTES]
        return OpenedTrigger(trigger, lot, salt=salt.hex())


class KeyedCards:
    """Real cards: an order known only outside the machine, taken on the dealer's word."""

    def __init__(
        self, stacks: Callable[[int], Sequence[Card]], *, in_front: int | None = None, triggers: Triggers | None = None
    ) -> None:
        self._stacks = stacks
        self._in_front = in_front
        self._triggers = triggers
        self._shoe: tuple[int, tuple[Card, ...]] | None = None

    def stack(self, state: TableState) -> tuple[Card, ...]:
        """The order before the cut of the shoe in play."""
        number = state.shoe.number
        if self._shoe is None or self._shoe[0] != number:
            self._shoe = number, tuple(self._stacks(number))
        return self._shoe[1]

    def promise(self, rules: Rulebook, state: TableState) -> Commitment | None:
        """Real cards promise nothing."""
        del rules, state
        return None

    def awaits(self, state: TableState) -> bool:
        """Real cards wait for nobody."""
        del state
        return False

    def share(self, state: TableState) -> tuple[str, tuple[str, ...]] | None:
        """Nobody has a share in the order of real cards."""
        del state
        return None

    def gate(self, state: TableState) -> GateFault | None:
        """Real cards are inspected by people."""
        del state
        return None

    def root(self, state: TableState) -> str:
        """Real cards are not sealed."""
        del state
        return ""

    def seed(self, state: TableState) -> str:
        """Real cards have no seed."""
        del state
        return ""

    def card(self, state: TableState, position: int) -> tuple[Card, CardProof | None]:
        """The card that the dealer sees."""
        return self.stack(state)[index_before_cut(state.shoe, position)], None

    def cut(self, state: TableState) -> int:
        """Where it was asked for, or in the middle."""
        return state.shoe.cards // 2 if self._in_front is None else self._in_front

    def must_hit(self, state: TableState) -> OpenedTrigger:
        """The trigger of this run, and a lot, from the Must Hit's own chance."""
        assert self._triggers is not None, "a table with the Must Hit has triggers"
        return self._triggers.open_trigger(state)


class Shares(Protocol):
    """Where the witnesses of a table's log come from, and what they promise and open."""

    origin: str
    """The name of the log; empty where nobody signs it."""

    def promises(self, shoe: str) -> tuple[WitnessPromise, ...]:
        """What each witness has promised for a shoe, sorted by their keys."""

    def awaits(self, state: TableState) -> bool:
        """Whether the shoe cannot go on before a witness has answered."""

    def open_share(self, state: TableState) -> tuple[str, tuple[str, ...]] | None:
        """The key of a witness whose share is on no record yet, and the note that opens it; none where none is here."""


class NoShares:
    """An electronic shoe in which no witness has a share: the house alone could know its order beforehand."""

    origin = ""

    def promises(self, shoe: str) -> tuple[WitnessPromise, ...]:
        """Nobody promises anything."""
        del shoe
        return ()

    def awaits(self, state: TableState) -> bool:
        """Nobody is waited for."""
        del state
        return False

    def open_share(self, state: TableState) -> tuple[str, tuple[str, ...]] | None:
        """Nobody opens anything."""
        del state
        return None


class SealedShoe(KeyedCards):
    """An electronic shoe: it commits to a seed, seals the order that follows from it, and proves every card.

    `seeds` gives the seed of a shoe by its number, or nothing where it is lost. `rules` are those that the table was
    opened under; a shoe is dealt by those that it was committed under. A shoe that resumes after a restart is given
    the order of the one before (`former`), so that it does not come twice. `shares` are those of the
    witnesses; without it there are none. A shoe that has committed already keeps what it committed to.
    """

    ORDER: ClassVar[int] = 2
    """How the order of a new shoe is derived."""

    def __init__(
        self,
        rules: Rulebook,
        seeds: Callable[[int], bytes],
        *,
        table: str,
        in_front: int | None = None,
        triggers: Triggers | None = None,
        former: Sequence[Card] | None = None,
        shares: Shares | None = None,
    ) -> None:
        super().__init__(lambda _number: (), in_front=in_front, triggers=triggers)
        self.shares = shares or NoShares()
        self._rules = rules
        self._seeds = seeds
        self._table = table
        self._former = former
        self._current: tuple[int, Commitment, SealedOrder] | None = None

    def promise(self, rules: Rulebook, state: TableState) -> Commitment | None:
        """The seed's commitment, with the header that it is about."""
        number = state.shoe.number
        held = Commitment(
            table=self._table, shoe=str(number), rulebook=rules.hash, decks=rules.elections.decks or 0, hash=""
        )
        if self.ORDER > 1:
            now = state.shoe.commitment
            witnesses = self.shares.promises(held.shoe) if now is None else now.witnesses
            held = replace(held, order=self.ORDER, origin=self.shares.origin, witnesses=witnesses)
        return replace(held, hash=commitment_for(held, self._seeds(number)))

    def awaits(self, state: TableState) -> bool:
        """Whether a witness must answer before the shoe goes on."""
        return self.shares.awaits(state)

    def share(self, state: TableState) -> tuple[str, tuple[str, ...]] | None:
        """A share that a witness has opened, and that is on no record yet."""
        return self.shares.open_share(state)

    def sealed_order(self, state: TableState) -> SealedOrder:
        """The order that follows from the seed and from what is on record, derived once and cached."""
        number = state.shoe.number
        held = state.shoe.commitment or self.promise(self._rules, state)
        assert held is not None, "an electronic shoe promises something"
        held = replace(
            held, seated=(), seed="", lost=False, disproved=False, overdue=UNSET
        )  # an order stays the same when its seed is opened
        if self._current is None or self._current[:2] != (number, held):
            if self._current is not None and self._current[0] != number:
                self._former = self._current[2].cards
            self._current = number, held, order_from(held, self._seeds(number))
        return self._current[2]

    def stack(self, state: TableState) -> tuple[Card, ...]:
        """The order before the cut of the shoe in play."""
        return self.sealed_order(state).cards

    def gate(self, state: TableState) -> GateFault | None:
        """What is wrong with the order: other cards, another seed's, not shuffled, or the last shoe's."""
        held, order = state.shoe.commitment, self.sealed_order(state)
        assert held is not None, "an order is sealed after its commitment"
        return gate_fault(held, self._seeds(state.shoe.number), order.cards, former=self._former)

    def root(self, state: TableState) -> str:
        """The root of the sealed order."""
        return self.sealed_order(state).root

    def seed(self, state: TableState) -> str:
        """The seed, when the table says that the shoe is over."""
        return self._seeds(state.shoe.number).hex()

    def card(self, state: TableState, position: int) -> tuple[Card, CardProof | None]:
        """The card with the proof that it stood there when the order was sealed."""
        order, index = self.sealed_order(state), index_before_cut(state.shoe, position)
        return order.cards[index], order.prove(index)
