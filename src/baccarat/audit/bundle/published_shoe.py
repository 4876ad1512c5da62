"""An electronic shoe, as its published events show it: commitment, contributions, root, cut, cards and seed.

Nothing is decided here and no rule is known: only what anyone can derive again, as docs/shuffle.md describes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from baccarat.cards import Card
from baccarat.law.typed_value import convert_to
from baccarat.record.entry import IN_ENTRIES, HexHash
from baccarat.record.text import visible
from baccarat.shuffle import commitment
from baccarat.table.bounds import Contributed, Count, Position, ShortText
from baccarat.table.proof import CardProof, header_for, index_before_cut, is_proved, order_from
from baccarat.table.state import Commitment, SeedContribution, Shoe

MOST_DECKS = 52
"""More decks than any shoe holds; a forger may write any number."""


class ShoeFault(msgspec.Struct, frozen=True):
    """What is wrong with a shoe, and in which record."""

    seq: int
    say: str


class _Committed(msgspec.Struct, frozen=True, kw_only=True):
    table: ShortText
    shoe: ShortText
    rulebook: HexHash
    decks: Count
    commitment: HexHash


class _Contributed(msgspec.Struct, frozen=True, kw_only=True):
    value: Contributed
    seat: int = 0


class _Sealed(msgspec.Struct, frozen=True):
    root: HexHash


class _Cut(msgspec.Struct, frozen=True):
    in_front: Count


class _Shown(msgspec.Struct, frozen=True):
    position: Position
    card: Card


class _Revealed(msgspec.Struct, frozen=True):
    seed: HexHash


class _Brought(msgspec.Struct, frozen=True, kw_only=True):
    card: Card
    proof: CardProof
    position: Position | None = None


class PublishedShoe:
    """One electronic shoe: what was published of it, and what did not match."""

    def __init__(self, committed: _Committed) -> None:
        self.held = Commitment(
            table=committed.table,
            shoe=committed.shoe,
            rulebook=committed.rulebook,
            decks=committed.decks,
            hash=committed.commitment,
        )
        self.root = ""
        self.in_front: int | None = None
        self.cards: list[tuple[int, int, Card]] = []
        """The record, the entry of the order before the cut, and the card of each that was shown."""
        self.proved = 0
        self.seed = ""
        self.is_lost = False
        self.derived = 0
        """How many of the cards that were shown have been derived from the seed."""
        self.faults: list[ShoeFault] = []

    @property
    def contributions(self) -> int:
        """How many others contributed to the order."""
        return len(self.held.contributions)

    def shoe(self) -> Shoe:
        """The shoe as a proof is checked against it."""
        return Shoe(decks=self.held.decks, in_front=self.in_front, root=self.root)

    def contribute(self, given: _Contributed) -> None:
        """Add a contribution."""
        made = (*self.held.contributions, SeedContribution(given.seat, given.value))
        self.held = msgspec.structs.replace(self.held, contributions=made)

    def show(self, seq: int, position: int, card: Card) -> None:
        """A card that was seen at a position of the cut shoe."""
        shoe = self.shoe()
        if position >= shoe.cards:
            self.faults.append(ShoeFault(seq, f"position {position} of a shoe of {shoe.cards} cards"))
        else:
            self.cards.append((seq, index_before_cut(shoe, position), card))

    def prove(self, seq: int, brought: _Brought, position: int) -> None:
        """A card that came with its proof."""
        if position < self.shoe().cards and is_proved(self.shoe(), position, brought.card, brought.proof):
            self.proved += 1
        else:
            say = f"the proof of {brought.card} at position {position} does not lead to the sealed root"
            self.faults.append(ShoeFault(seq, say))

    def reveal(self, seq: int, seed: str) -> None:
        """The seed: commitment, root and every card that was shown must follow from it."""
        self.seed = seed
        found = commitment(bytes.fromhex(seed), header_for(self.held)).hex()
        if found != self.held.hash:
            say = f"the seed gives the commitment {found}, but {self.held.hash} was published"
            self.faults.append(ShoeFault(seq, say))
            return
        if not self.root:
            return
        order = order_from(self.held, bytes.fromhex(seed))
        if order.root != self.root:
            self.faults.append(ShoeFault(seq, f"the seed gives the root {order.root}, but {self.root} was sealed"))
        for of, index, card in self.cards:
            if card == order.cards[index]:
                self.derived += 1
            else:
                say = f"entry {index} of the order is {order.cards[index]} by the seed, but {card} was shown"
                self.faults.append(ShoeFault(of, say))


class PublishedShoes:
    """The electronic shoes of one table, followed through its records."""

    def __init__(self) -> None:
        self.shoes: list[PublishedShoe] = []
        self.faults: list[ShoeFault] = []
        """Faults that belong to no shoe."""
        self._now: PublishedShoe | None = None

    def add_record(self, seq: int, command: Any, events: list[Any]) -> None:
        """Add one record with its events; a refused one shows nothing."""
        try:
            self._check_command_proof(seq, command, events)
            for event in events:
                self._event(seq, event)
        except ValueError as error:
            self.faults.append(ShoeFault(seq, f"not an event of an electronic shoe: {visible(str(error))}"))

    def _check_command_proof(self, seq: int, command: Any, events: list[Any]) -> None:
        """Check that the proof in a command is of its card, or of the card in the first event."""
        now = self._now
        if now is None or not now.root or not isinstance(command, dict) or not events:
            return
        name = command.get("do")
        if name == "confirm_card":
            return  # it reports a card that is not the sealed one
        if command.get("proof") is None:
            if name == "turn_card":
                now.faults.append(ShoeFault(seq, "a card was turned without its proof"))
            return
        brought = convert_to(command, _Brought, "", words=IN_ENTRIES)
        position = brought.position
        if position is None:
            position = convert_to(events[0], _Shown, "", words=IN_ENTRIES).position
        now.prove(seq, brought, position)

    def _event(self, seq: int, event: Any) -> None:
        if not isinstance(event, dict):
            raise ValueError("an event is an object")
        name = event.get("event")
        if name == "shoe_committed":
            committed = convert_to(event, _Committed, "", words=IN_ENTRIES)
            if not 1 <= committed.decks <= MOST_DECKS:
                raise ValueError(f"a shoe of {committed.decks} decks")
            self._now = PublishedShoe(committed)
            self.shoes.append(self._now)
            return
        now = self._now
        if now is None:
            return
        match name:
            case "contribution_made":
                now.contribute(convert_to(event, _Contributed, "", words=IN_ENTRIES))
            case "order_sealed":
                now.root = convert_to(event, _Sealed, "", words=IN_ENTRIES).root
            case "cards_cut":
                now.in_front = convert_to(event, _Cut, "", words=IN_ENTRIES).in_front
            case "seed_revealed" | "order_disproved":
                now.reveal(seq, convert_to(event, _Revealed, "", words=IN_ENTRIES).seed)
            case "seed_lost":
                now.is_lost = True
            case "shoe_closed":
                self._now = None
            case "shoe_fouled":
                pass
            case _ if isinstance(event.get("card"), dict) and "position" in event:
                shown = convert_to(event, _Shown, "", words=IN_ENTRIES)
                now.show(seq, shown.position, shown.card)

    def all_faults(self) -> Iterator[ShoeFault]:
        """Everything that did not match, shoe by shoe."""
        for shoe in self.shoes:
            yield from shoe.faults
        yield from self.faults
