"""An electronic shoe, as its published events show it: commitment, contributions, cut, shares, root, cards and seed.

Nothing is decided here and no rule is known: only what anyone can derive again, as docs/shuffle.md describes.
"""

from __future__ import annotations

import msgspec

from baccarat.audit.bundle.derivation import DerivationBudget
from baccarat.audit.bundle.shoe_event_form import (
    ClosingForm,
    CommitmentForm,
    ContributionForm,
    ProvedCardForm,
    ShareForm,
)
from baccarat.cards import Card
from baccarat.chain import leaf_hash
from baccarat.table.gate import GateFault, gate_fault
from baccarat.table.proof import (
    cards_from,
    commitment_for,
    index_before_cut,
    inputs_for,
    is_proved,
    order_from,
)
from baccarat.table.share_note import ShareNote, read_share_key, read_share_note
from baccarat.table.shoe_state import Commitment, SeedContribution, Shoe, WitnessPromise, WitnessShare, shoe_in_words
from baccarat.values import count_text

UNUSED = ", no round of it completed"
"""What is added to the words about an order that was sealed and not used."""


class ShoeFault(msgspec.Struct, frozen=True):
    """What is wrong with a shoe, and in which record."""

    seq: int
    say: str


def _pairs(held: Commitment) -> tuple[tuple[str, str], ...]:
    return tuple((each.key, each.promise) for each in held.witnesses)


def order_in_words(
    shoe: str, *, named: int, shown: int, is_closed: bool, is_sealed: bool, is_over: bool, rounds: int
) -> str:
    """Who had a part in the order of a shoe that the house could not know."""
    order = f"order of shoe {shoe_in_words(shoe)}"
    if not is_sealed:
        stage = "given up after closing" if is_over else "closed, not sealed yet"
        return f"{order}: {stage if is_closed else 'never closed'}"
    unused = UNUSED if is_closed and not rounds else ""
    if not named:
        return f"{order}: the house alone could have known this order beforehand{unused}"
    return f"{order}: {count_text(named, 'witness', 'witnesses')} named, {shown} shown{unused}"


class PublishedShoe:
    """One electronic shoe: what was published of it, and what did not match."""

    def __init__(self, committed: CommitmentForm, budget: DerivationBudget) -> None:
        self._budget = budget
        witnesses = tuple(WitnessPromise(key=each.key, promise=each.promise) for each in committed.witnesses)
        self.held = Commitment(
            order=committed.order,
            origin=committed.origin,
            witnesses=witnesses,
            table=committed.table,
            shoe=committed.shoe,
            rulebook=committed.rulebook,
            decks=committed.decks,
            hash=committed.commitment,
        )
        self.leaf = b""
        """The hash of the record that closed the inputs; empty if it is not available."""
        self.notes: dict[str, ShareNote] = {}
        """The note of each witness that has opened its share, by the text of its share key."""
        self.rounds = 0
        """How many rounds were completed."""
        self.is_over = False
        self.failed: tuple[int, GateFault] | None = None
        """The record in which the shoe reported that its order failed the gate, and why."""
        self.former: tuple[Card, ...] | None = None
        """The order of the shoe before, where its seed is known."""
        self.order: tuple[Card, ...] | None = None
        """Its own order before the cut, once the seed has given it."""
        self.root = ""
        self.in_front: int | None = None
        self.cards: list[tuple[int, int, Card]] = []
        """The record, the entry of the order before the cut, and the card of each that was shown."""
        self.fouls: list[tuple[int, int]] = []
        """The record and the position of each card that is said not to be the sealed one."""
        self.proved_cards: dict[int, Card] = {}
        """The cards that were proved, by their position in the cut shoe."""
        self.seed = ""
        self.is_lost = False
        self.is_underived = False
        """Whether its order was not derived again, because the file has too few records for that many cards."""
        self.derived = 0
        """How many of the cards that were shown have been derived from the seed."""
        self.faults: list[ShoeFault] = []

    @property
    def contributions(self) -> int:
        """How many seats contributed to the order."""
        return len(self.held.contributions)

    @property
    def proved(self) -> int:
        """How many cards were proved."""
        return len(self.proved_cards)

    @property
    def has_no_witness(self) -> bool:
        """Whether its sealed order names no witness: the house, which has the seed, could have known it beforehand."""
        return bool(self.root) and not self.held.witnesses

    @property
    def order_words(self) -> str:
        """Who had a part in the order that the house could not know."""
        return order_in_words(
            self.held.shoe, named=len(self.held.witnesses), shown=len(self.notes), is_closed=bool(self.held.inputs),
            is_sealed=bool(self.root), is_over=self.is_over, rounds=self.rounds,
        )  # fmt: skip

    @property
    def is_unused(self) -> bool:
        """Whether its inputs were closed, and no round was completed: somebody may have known what was abandoned."""
        return bool(self.held.inputs) and not (self.root and self.rounds)

    def fault(self, seq: int, say: str) -> None:
        """Something that does not match."""
        self.faults.append(ShoeFault(seq, say))

    def shoe(self) -> Shoe:
        """The shoe as a proof is checked against it."""
        return Shoe(decks=self.held.decks, in_front=self.in_front, root=self.root)

    def contribute(self, seq: int, given: ContributionForm) -> None:
        """Add a contribution; none comes after the inputs are closed."""
        if self.held.inputs:
            self.fault(seq, "a contribution after the inputs were closed")
            return
        made = (*self.held.contributions, SeedContribution(given.seat, given.value))
        self.held = msgspec.structs.replace(self.held, contributions=made)

    def cut(self, seq: int, in_front: int | None) -> None:
        """The stack is cut, or to be cut again: not after the inputs are closed."""
        if in_front is not None and (self.held.inputs or not 0 <= in_front <= self.shoe().cards):
            self.fault(seq, "a cut after the inputs were closed, or outside the shoe")
        elif not self.held.inputs:
            self.in_front = in_front

    def close(self, seq: int, closed: ClosingForm, *, body: bytes | None) -> None:
        """The inputs are closed: once, after the cut, in a record of its own, and as they were committed to."""
        held = self.held
        named = tuple((each.key, each.promise) for each in closed.witnesses)
        if held.order == 1 or held.inputs or self.in_front is None or body is None:
            self.fault(seq, "inputs are closed once, after the cut of an order 2, in a record with this event alone")
        elif (closed.origin, closed.shoe) != (held.origin, held.shoe) or named != _pairs(held):
            self.fault(seq, "the closing names another log, shoe or witness than the commitment")
        elif closed.inputs != (found := inputs_for(held, self.in_front)):
            self.fault(seq, f"the inputs give {found}, but {closed.inputs} was closed")
        else:
            self.held = msgspec.structs.replace(held, inputs=closed.inputs)
            self.leaf = leaf_hash(body) if body else b""

    def give(self, seq: int, given: ShareForm) -> None:
        """A witness opens its share: a note for this log, this shoe and this closing, with the promised share."""
        held, key, note = self.held, read_share_key(given.key), read_share_note(given.note)
        promise = next((each.promise for each in held.witnesses if each.key == given.key), None)
        if not held.inputs or self.root or promise is None or given.key in self.notes:
            self.fault(seq, "a share that no named witness still owes after the closing")
        elif key is None or note is None or not note.is_by(key) or (note.origin, note.shoe) != (held.origin, held.shoe):
            self.fault(seq, f"the note of {given.key.partition('+')[0]} is not for this log and this shoe")
        elif self.leaf and note.leaf != self.leaf:
            self.fault(seq, f"{given.key.partition('+')[0]} opened its share for another record than the closing")
        elif not note.opens(bytes.fromhex(promise), key=given.key):
            self.fault(seq, f"the share of {given.key.partition('+')[0]} is not the promised one")
        else:
            self.notes[given.key] = note
            share = WitnessShare(key=given.key, share=note.share.hex(), leaf=note.leaf.hex())
            self.held = msgspec.structs.replace(held, shares=(*held.shares, share))

    def seal(self, seq: int, root: str) -> None:
        """The order is sealed: order 2 only when its inputs are closed and every named share is open."""
        if self.held.order > 1 and (not self.held.inputs or self.held.missing_shares):
            missing = ", ".join(key.partition("+")[0] for key in self.held.missing_shares) or "the closing"
            self.fault(seq, f"the order was sealed without {missing}")
            return
        if self.cards:
            self.fault(seq, "the order was sealed after a card of the shoe was shown")
        self.root = root

    def show(self, seq: int, position: int, card: Card) -> None:
        """A card that was seen at a position of the cut shoe."""
        shoe = self.shoe()
        if position >= shoe.cards:
            self.faults.append(ShoeFault(seq, f"position {position} of a shoe of {shoe.cards} cards"))
        elif self.root and self.proved_cards.get(position) != card:
            self.faults.append(ShoeFault(seq, f"{card} at position {position} was shown without its proof"))
        else:
            self.cards.append((seq, index_before_cut(shoe, position), card))

    def prove(self, seq: int, proved: ProvedCardForm, position: int) -> None:
        """A card that came with its proof."""
        if position < self.shoe().cards and is_proved(self.shoe(), position, proved.card, proved.proof):
            self.proved_cards[position] = proved.card
        else:
            say = f"the proof of {proved.card} at position {position} does not lead to the sealed root"
            self.faults.append(ShoeFault(seq, say))

    def reveal(self, seq: int, seed: str) -> None:
        """The seed: commitment, root and every card that was shown must follow from it."""
        if self.seed:  # to derive an order takes long, and the first is enough
            self.faults.append(ShoeFault(seq, "the seed of this shoe was revealed before"))
            return
        self.seed = seed
        found = commitment_for(self.held, bytes.fromhex(seed))
        if found != self.held.hash:
            say = f"the seed gives the commitment {found}, but {self.held.hash} was published"
            self.faults.append(ShoeFault(seq, say))
            return
        if not self._budget.take(52 * self.held.decks):
            self.is_underived = True
            return
        self._check_gate(bytes.fromhex(seed))
        if not self.root:
            return
        order = order_from(self.held, bytes.fromhex(seed))
        if order.root != self.root:
            self.faults.append(ShoeFault(seq, f"the seed gives the root {order.root}, but {self.root} was sealed"))
        else:
            self._check_fouls(order.cards)
        for of, index, card in self.cards:
            if card == order.cards[index]:
                self.derived += 1
            else:
                say = f"entry {index} of the order is {order.cards[index]} by the seed, but {card} was shown"
                self.faults.append(ShoeFault(of, say))

    def _check_fouls(self, cards: tuple[Card, ...]) -> None:
        """A shoe whose seed gives the sealed order has a card with a proof at each position: none was foul."""
        for seq, position in self.fouls:
            if position < self.shoe().cards:
                card = cards[index_before_cut(self.shoe(), position)]
                self.fault(seq, f"the shoe was called foul at position {position}, where it has the sealed card {card}")

    def _check_gate(self, seed: bytes) -> None:
        """Derive the order, sealed or not; a fault that an order 2 reported is decided again."""
        held = self.held
        if not held.is_derivable:
            return
        self.order = cards_from(held, seed)
        if self.failed is None or held.order == 1:
            return
        if gate_fault(held, seed, self.order, former=self.former) is not self.failed[1]:
            self.fault(self.failed[0], "the shoe reported a fault of its order that it did not have")
