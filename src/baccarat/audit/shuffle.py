"""The shuffles of a table's electronic shoes: what was promised, contributed, sealed, revealed, or lost.

That every turned card was proved, and that a revealed seed leads to the commitment, the order and the root, has been
decided again with the commands; so have the closing of the inputs and the shares of witnesses. What remains: a share
that was opened for another record than the closing, a fault that a shoe reported and its order did not have, an order
that its own seed has disproved; and over several shoes a seed used twice, a header that names another table, a shoe
whose seed was never revealed, and shoes whose order the house alone could have known beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec

from baccarat.audit.bundle.published_shoe import order_in_words
from baccarat.chain import leaf_hash
from baccarat.law.submission import MOST_DECKS
from baccarat.record.key import Verifier
from baccarat.record.origin import is_same_log
from baccarat.record.policy import Policy
from baccarat.table.base import Event
from baccarat.table.foul_card import ShoeFouled
from baccarat.table.gate import GateFault, gate_fault
from baccarat.table.proof import cards_from
from baccarat.table.share_note import ShareNote, read_share_note
from baccarat.table.shoe_state import Commitment, shoe_in_words
from baccarat.table.step.abandoning import ShoeAbandoned
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.closing import ShoeClosed
from baccarat.table.step.revealing import OrderDisproved, SeedLost, SeedRevealed
from baccarat.table.step.sealing import (
    ContributionMade,
    InputsClosed,
    OrderSealed,
    ShareGiven,
    ShoeCommitted,
    ShoeFailed,
)
from baccarat.values import count_text

SEALED_EVENTS = {ShoeCommitted, ContributionMade, OrderSealed, SeedRevealed, OrderDisproved, SeedLost}
SHUFFLE_EVENTS = frozenset(
    SEALED_EVENTS | {InputsClosed, ShareGiven, TableCleared, ShoeClosed, ShoeAbandoned, ShoeFailed, ShoeFouled}
)
"""The events of an electronic shoe."""
OTHER_TABLE, SEED_REUSED, NOT_REVEALED = "other_table", "seed_reused", "seed_not_revealed"
NOT_THE_SEEDS, OTHER_RECORD, FALSE_FAULT = "order_not_the_seeds", "share_for_another_record", "false_gate_fault"
FALSE_FOUL = "false_foul"
SHUFFLE_FAULTS = (OTHER_TABLE, SEED_REUSED, NOT_REVEALED, NOT_THE_SEEDS, OTHER_RECORD, FALSE_FAULT, FALSE_FOUL)
"""Every kind of fault that is found here."""
REAL_CARDS = "real cards: order not shown"
"""What is said of a table that was dealt from shoes whose order nobody had sealed."""
MOST_NAMED = 20
"""The most shoes whose witnesses are listed one by one."""


class RevealedShoe(NamedTuple):
    """A shoe whose seed was revealed: in words, and the chain hash of the record that revealed it."""

    say: str
    hash: bytes


class ShoeShares(msgspec.Struct, kw_only=True):
    """The witnesses of an electronic shoe: who is named, which notes are on record, and what became of the shoe."""

    shoe: str
    named: tuple[str, ...]
    """The share keys that the commitment names."""
    notes: dict[str, ShareNote] = {}
    """The note of each that has opened its share."""
    is_closed: bool = False
    is_sealed: bool = False
    is_over: bool = False
    rounds: int = 0
    """How many rounds were completed."""

    def __str__(self) -> str:
        return order_in_words(
            self.shoe, named=len(self.named), shown=len(self.notes), is_closed=self.is_closed,
            is_sealed=self.is_sealed, is_over=self.is_over, rounds=self.rounds,
        )  # fmt: skip


class Shuffles:
    """What has been seen of a table's electronic shoes."""

    def __init__(self, table: str, seeds: dict[str, RevealedShoe]) -> None:
        self.table = table
        self.committed = self.revealed = self.lost = self.known_to_house = self.contributed = self.abandoned = 0
        self.shares: list[ShoeShares] = []
        """Of each electronic shoe, who had a share in its order; nobody had one in order 1."""
        self.origins: dict[str, str] = {}
        """The log under which each shoe of order 2 was committed to."""
        self._seeds = seeds
        """Every revealed seed, at any table, with its shoe."""
        self._open: ShoeCommitted | None = None
        self._leaf = b""
        """The hash of the record that closed the inputs."""
        self.has_real_cards = False
        self._is_sealed = False
        self._fouls: list[int] = []
        """The positions of cards that are said not to be the sealed ones."""
        self._failed: GateFault | None = None
        self._former: tuple[Commitment, bytes] | None = None
        """The last shoe whose order can be derived, with its seed."""

    @property
    def is_open(self) -> bool:
        """Whether a shoe still owes its seed."""
        return self._open is not None

    def remarks(self) -> Iterator[str]:
        """Who had a part in the orders, by name or by seat; anybody may sit there. And how many were abandoned."""
        if self.known_to_house:
            shoes = count_text(self.known_to_house, "shoe")
            yield f"the house alone could have known the order of {shoes} beforehand"
        listed = [
            each for each in self.shares if (each.is_sealed and each.named) or (each.is_closed and not each.rounds)
        ]
        yield from map(str, listed[:MOST_NAMED])
        if len(listed) > MOST_NAMED:
            yield f"the same of {count_text(len(listed) - MOST_NAMED, 'more shoe')}"
        if self.has_real_cards:
            yield REAL_CARDS
        if self.committed and not self.contributed:
            yield "no seat contributed to the order of an electronic shoe"
        if self.abandoned:
            were, shoes = "was" if self.abandoned == 1 else "were", count_text(self.committed, "electronic shoe")
            why = "abandoning a known order is a way to choose among orders"
            yield f"{self.abandoned:,} of {shoes} {were} abandoned: {why}"

    @property
    def share_keys(self) -> frozenset[str]:
        """The share keys that any order names."""
        return frozenset(key for each in self.shares for key in each.named)

    def gaps(self, policy: Policy) -> Iterator[str]:
        """What of the orders is not covered: seeds that are not shown, closings that came to nothing, shares."""
        if self.lost:
            what = "seed of 1 shoe is" if self.lost == 1 else f"seeds of {self.lost:,} shoes are"
            yield f"the {what} reported lost"
        if self.is_open:
            yield "the seed of the last shoe is not revealed yet"
        unused = sum(each.is_closed and not (each.is_sealed and each.rounds) for each in self.shares)
        if unused:
            yield f"{count_text(unused, 'shoe')} closed, and not sealed or without a completed round"
        keys = {str(key) for key in policy.share_keys}
        unknown = {key: None for each in self.shares for key in each.notes if key not in keys}
        if unknown:
            names = ", ".join(key.partition("+")[0] for key in unknown)
            yield f"the signatures of the shares of {names} were not checked: their share keys were not given"
        asked = policy.asked_shares(self.share_keys)
        for key, name in asked.items():
            without = [each.shoe for each in self.shares if each.is_sealed and key not in each.named]
            if without:
                yield not_named(name, without)
        if self.has_real_cards:
            yield from map(not_in_real_cards, asked.values())

    def wrong_shares(self, known: Sequence[Verifier]) -> Iterator[str]:
        """Shares that bear the name of a known share key, and not its signature."""
        by_text = {str(key): key for key in known}
        for each in self.shares:
            for text, note in each.notes.items():
                key = by_text.get(text)
                if key is not None and not key.verifies(note.text, note.signature):
                    yield f"the share of {key.name} in shoe {shoe_in_words(each.shoe)} is not signed by its key"

    def other_logs(self, origins: Sequence[str]) -> Iterator[str]:
        """Shoes that were committed to under another log than those that have signed the table."""
        for shoe, origin in self.origins.items():
            if origin and not all(is_same_log(origin, each) for each in origins):
                yield f"shoe {shoe_in_words(shoe)} is committed to under {origin}, which is another log"

    def check_event(
        self, event: Event, *, body: bytes = b"", hash_: bytes = b"", held: Commitment | None = None
    ) -> Iterator[tuple[str, str]]:
        """Faults of the shuffles that an event shows: the kind of fault, and a sentence.

        `body` are the bytes of its record and `hash_` its chain hash, `held` is what the shoe has published up to it.
        """
        match event:
            case InputsClosed() | ShareGiven() | TableCleared():
                yield from self._check_share(event, body)
            case ShoeCommitted():
                yield from self._commit(event)
            case ContributionMade():
                self.contributed += 1
            case OrderSealed():
                self._seal()
            case SeedRevealed(seed=seed):
                yield from self._check_gate(held, seed)
                yield from self._check_fouls()
                yield from self._reveal(seed, hash_)
            case OrderDisproved():
                shoe = shoe_in_words(self._open.shoe) if self._open is not None else "another"
                say = f"shoe {shoe} sealed an order that is not its seed's: root {event.sealed}, not {event.derived}"
                yield NOT_THE_SEEDS, say
                yield from self._reveal(event.seed, hash_)
            case ShoeAbandoned() | ShoeFailed() if self._open is not None:
                self.abandoned += 1
                self._failed = event.why if isinstance(event, ShoeFailed) else self._failed
            case ShoeFouled() if self._is_sealed:
                self._fouls.append(event.position)
            case SeedLost():
                self.lost += 1
                self._open = None
            case ShoeClosed():
                yield from self._close()

    def _commit(self, event: ShoeCommitted) -> Iterator[tuple[str, str]]:
        """A new electronic shoe."""
        self.committed += 1
        self._open, self._leaf, self._failed, self._is_sealed, self._fouls = event, b"", None, False, []
        named = tuple(each.key for each in event.witnesses)
        self.shares.append(ShoeShares(shoe=event.shoe, named=named))
        if event.order > 1:
            self.origins[event.shoe] = event.origin
        if event.table != self.table:
            yield OTHER_TABLE, f"the commitment is for table {event.table}, not for {self.table}"

    def _seal(self) -> None:
        self._is_sealed = True
        self.known_to_house += self._open is None or not self._open.witnesses
        if self._open is not None:
            self.shares[-1].is_sealed = True

    def _close(self) -> Iterator[tuple[str, str]]:
        """The shoe is over; one that has committed owes its seed."""
        if self.shares:
            self.shares[-1].is_over = True
        if self._open is not None:
            shoe = shoe_in_words(self._open.shoe)
            yield NOT_REVEALED, f"shoe {shoe} was closed, but its seed was neither revealed nor reported lost"
            self._open = None

    def _check_share(self, event: InputsClosed | ShareGiven | TableCleared, body: bytes) -> Iterator[tuple[str, str]]:
        """A closing, whose record the witnesses answer; the answer of one; or a round that was completed."""
        if not self.shares or self._open is None or self._open.order == 1:
            return
        now = self.shares[-1]
        match event:
            case InputsClosed():
                now.is_closed, self._leaf = True, leaf_hash(body)
            case TableCleared():
                now.rounds += 1
            case ShareGiven():
                note = read_share_note(event.note)
                if note is None:
                    return  # decided again, it is refused
                now.notes = {**now.notes, event.key: note}
                if note.leaf != self._leaf:
                    name, shoe = event.key.partition("+")[0], shoe_in_words(now.shoe)
                    yield OTHER_RECORD, f"{name} opened its share in shoe {shoe} for another record than the closing"

    def _check_fouls(self) -> Iterator[tuple[str, str]]:
        """A shoe whose seed gives the sealed order has a card with a proof at each position: none was foul."""
        shoe = shoe_in_words(self._open.shoe) if self._open is not None else "another"
        for position in self._fouls:
            yield FALSE_FOUL, f"shoe {shoe} was called foul at position {position}, where it has its sealed card"

    def _check_gate(self, held: Commitment | None, seed: str) -> Iterator[tuple[str, str]]:
        """The gate of an order 2 is decided again when its seed is known: a false fault is a way to drop an order."""
        if held is None or held.decks > MOST_DECKS or not held.is_derivable:
            return
        # Where a seed or a share is not in form, its own act is decided otherwise, and nothing can be derived here.
        with suppress(ValueError):
            opened = bytes.fromhex(seed)
            if self._failed is not None and held.order > 1:
                former = None if self._former is None else cards_from(self._former[0], self._former[1])
                fault = gate_fault(held, opened, cards_from(held, opened), former=former)
                if fault is not self._failed:
                    shoe = shoe_in_words(held.shoe)
                    yield FALSE_FAULT, f"shoe {shoe} reported a fault of its order that it did not have"
            self._former = held, opened

    def _reveal(self, seed: str, hash_: bytes) -> Iterator[tuple[str, str]]:
        self.revealed += 1
        held = self._open
        shoe = f"shoe {shoe_in_words(held.shoe)} of table {held.table}" if held is not None else "another shoe"
        before = self._seeds.get(seed)
        if before is not None and not (hash_ and before.hash == hash_):  # a copy in another file shows the same record
            yield SEED_REUSED, f"the seed of {shoe} was revealed before, as that of {before.say}"
        self._seeds.setdefault(seed, RevealedShoe(shoe, hash_))
        self._open = None


def not_named(name: str, shoes: Sequence[str]) -> str:
    """A witness that was asked for has no part in the orders of these shoes."""
    which = f"shoe {shoe_in_words(shoes[0])}" if len(shoes) == 1 else f"{len(shoes):,} shoes"
    return f"{name}, whose share was asked for, is not named in the order of {which}"


def not_in_real_cards(name: str) -> str:
    """A witness that was asked for has no part in an order that nobody shows."""
    return f"{name}, whose share was asked for, has no part in the order of real cards"
