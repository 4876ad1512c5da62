"""The vault: seeds of shoes and of triggers, sealed in the store under a key that is not in the store.

A seed is made when it is first needed and goes into the same batch as the commitment to it, or an earlier one: no
commitment is ever published whose seed is not stored. While a shoe is in play its seed is in memory.

A seed is fetched before it is used (`fetch`): a fresh one is stored unless there is one already. If several nodes serve
the house, two of them may make the same seed: tables of one link on two nodes, or a node that was taken over and writes
late. The first that is stored counts, so what is used is read back.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from baccarat.house.stream import Stream
from baccarat.law.rulebook import Rulebook
from baccarat.record.sealed_seed import KeyNotAtHand, KeyRing, SealedSeed, ShoeName, seal, unseal
from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.lookup import Lookups
from baccarat.serve.runtime.pending_batch import PendingBatch
from baccarat.serve.store.base import SealedRow, Statement
from baccarat.shuffle import SEED_BYTES

NewSeed = Callable[[], bytes]
MOST_OPEN = 8
"""How many seeds of a stream are in memory: those of the shoe and the trigger in play are among the last."""
TRIGGER = "trigger "
"""The prefix of the names of triggers' seeds; shoes are named by their numbers alone."""


def seed_from_system() -> bytes:
    """A fresh seed from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


class SeedVault:
    """Sealed seeds, by stream and name."""

    def __init__(
        self,
        ring: KeyRing,
        lookups: Lookups,
        writer: GroupCommitter[PendingBatch],
        *,
        is_shared: bool,
        fresh: NewSeed = seed_from_system,
    ) -> None:
        """`is_shared` where other nodes make seeds, too."""
        self._ring, self._lookups, self._writer, self._fresh = ring, lookups, writer, fresh
        self._open: dict[Stream, OrderedDict[str, bytes | KeyNotAtHand]] = {}
        """The seeds in memory, by stream and name; or why one cannot be opened."""
        self.is_shared = is_shared

    def __repr__(self) -> str:
        return f"<Vault, {sum(map(len, self._open.values()))} seeds open>"

    def derive(self, purpose: str) -> bytes:
        """A key for another purpose, from which no seed can be found; another one once the sealing key is changed."""
        return self._ring.current.derive(purpose)

    def seed(self, stream: Stream, of: ShoeName) -> bytes:
        """The seed of a shoe, which was fetched; `KeyNotAtHand` if the key under which it is sealed is lost."""
        assert self.is_at_hand(stream, of), f"the seed of {of} must be fetched before it is used"
        seed = self._open[stream][of.shoe]
        if isinstance(seed, KeyNotAtHand):
            raise seed
        return seed

    def _hold(self, stream: Stream, of: ShoeName, seed: bytes | KeyNotAtHand) -> None:
        """Hold a seed in memory instead of the oldest one of its stream, whose shoe is long over."""
        held = self._open.setdefault(stream, OrderedDict())
        held[of.shoe] = seed
        if len(held) > MOST_OPEN:
            held.popitem(last=False)

    def is_at_hand(self, stream: Stream, of: ShoeName) -> bool:
        """Whether a seed can be used without fetching it."""
        return stream in self._open and of.shoe in self._open[stream]

    async def fetch(self, stream: Stream, of: ShoeName) -> None:
        """Load a seed from the store; a fresh one, unless this node or another has stored one before."""
        kept = await self._stored_seed(stream, of)
        if self.is_at_hand(stream, of):
            return  # another table of a link has fetched it meanwhile
        if kept is None and not self.is_shared:
            kept = self._fresh()  # it is stored before what is decided with it, or in the same batch
            self._writer.batch.seals.append(SealedRow(stream, of.shoe, self._seal_seed(of, kept)))
            self._writer.stage()
        elif kept is None:
            fresh = self._seal_seed(of, self._fresh())
            sql = "insert into sealed (stream, name, sealed) values (?, ?, ?) on conflict (stream, name) do nothing"
            self._writer.batch.statements.append(Statement(sql, (stream, of.shoe, fresh)))
            self._writer.stage()
            await self._writer.wait_until_flushed()
            kept = await self._stored_seed(stream, of)
            assert kept is not None, f"the seed of {of} has just been stored"
        self._hold(stream, of, kept)

    def _seal_seed(self, of: ShoeName, seed: bytes) -> bytes:
        return msgspec.json.encode(seal(self._ring, of, seed))

    async def _stored_seed(self, stream: Stream, of: ShoeName) -> bytes | KeyNotAtHand | None:
        """The seed that is in the store; None if there is none yet."""
        kept = await self._lookups.ask(lambda reads: reads.sealed_secret(stream, of.shoe))
        try:
            return self._unsealed(kept, of) if kept is not None else None
        except KeyNotAtHand as error:
            return error

    def _unsealed(self, kept: bytes, of: ShoeName) -> bytes:
        """A stored seed, opened. Tables of a link may have different rulebooks, and share its triggers."""
        sealed = msgspec.json.decode(kept, type=SealedSeed)
        is_trigger = of.shoe.startswith(TRIGGER) and (sealed.of.table, sealed.of.shoe) == (of.table, of.shoe)
        return unseal(self._ring, sealed, sealed.of if is_trigger else of)

    def seeds_of(self, stream: Stream, table: str, rules: Callable[[], Rulebook]) -> Callable[[int], bytes]:
        """The seeds of a table's shoes by number, as a card source asks for them."""

        def seed(number: int) -> bytes:
            try:
                return self.seed(stream, shoe_name(table, number, rules()))
            except KeyNotAtHand:
                return b""  # the settings say that its key is lost: the shoe is abandoned, and the loss reported

        return seed

    def triggers_of(self, stream: Stream, link: str, rules: Rulebook) -> Callable[[int], bytes]:
        """The seeds of a meter's runs by number: nothing that a shoe reveals says anything about them."""
        return lambda run: self.seed(stream, trigger_name(link, run, rules))


def shoe_name(table: str, number: int, rules: Rulebook) -> ShoeName:
    """What the seed of a table's shoe is for."""
    return ShoeName(table=table, shoe=str(number), rulebook=rules.hash, decks=rules.elections.decks or 0)


def trigger_name(link: str, run: int, rules: Rulebook) -> ShoeName:
    """What the seed of a trigger is for: one run of the meter of a link, or of a table that has none."""
    return ShoeName(table=link, shoe=f"{TRIGGER}{run}", rulebook=rules.hash, decks=1)  # a header needs decks
