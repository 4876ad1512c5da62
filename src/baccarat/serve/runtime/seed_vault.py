"""The vault: seeds of shoes and of triggers, sealed in the store under a key that is not in the store.

A seed is made when it is first needed and goes into the same batch as the commitment to it, or an earlier one: no
commitment is ever published whose seed is not stored. While a shoe is in play its seed is in memory.

If several nodes serve the house, two of them may make the same seed: tables of one link on two nodes, or a node that
was taken over and writes late. The first that is stored counts. So a node fetches a seed before it is used (`fetch`):
it stores a fresh one unless there is one already, and uses the stored one.
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
from baccarat.serve.runtime.pending_batch import PendingBatch
from baccarat.serve.store.base import Reads, SealedRow, Statement
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
        reads: Reads,
        writer: GroupCommitter[PendingBatch],
        *,
        is_shared: bool,
        fresh: NewSeed = seed_from_system,
    ) -> None:
        """`is_shared` where other nodes make seeds, too: then each is fetched before it is used."""
        self._ring, self._reads, self._writer, self._fresh = ring, reads, writer, fresh
        self._open: dict[Stream, OrderedDict[str, bytes]] = {}
        """The seeds in memory, by stream and name."""
        self.is_shared = is_shared

    def __repr__(self) -> str:
        return f"<Vault, {sum(map(len, self._open.values()))} seeds at hand>"

    def seed(self, stream: Stream, of: ShoeName) -> bytes:
        """The seed of a shoe: a fresh one if it has none yet."""
        if self.is_at_hand(stream, of):
            return self._open[stream][of.shoe]
        seed = self._stored_seed(stream, of)
        if seed is None:
            assert not self.is_shared, f"the seed of {of} must be fetched before it is used"
            seed = self._fresh()
            self._writer.batch.seals.append(SealedRow(stream, of.shoe, self._seal_seed(of, seed)))
            self._writer.stage()
        self._hold(stream, of, seed)
        return seed

    def _hold(self, stream: Stream, of: ShoeName, seed: bytes) -> None:
        """Hold a seed in memory instead of the oldest one of its stream, whose shoe is long over."""
        held = self._open.setdefault(stream, OrderedDict())
        held[of.shoe] = seed
        if len(held) > MOST_OPEN:
            held.popitem(last=False)

    def is_at_hand(self, stream: Stream, of: ShoeName) -> bool:
        """Whether a seed can be used without fetching it."""
        return stream in self._open and of.shoe in self._open[stream]

    async def fetch(self, stream: Stream, of: ShoeName) -> None:
        """Load a stored seed: a fresh one, unless this node or another has stored one before."""
        if self._stored_seed(stream, of) is None:
            fresh = self._seal_seed(of, self._fresh())
            sql = "insert into sealed (stream, name, sealed) values (?, ?, ?) on conflict (stream, name) do nothing"
            self._writer.batch.statements.append(Statement(sql, (stream, of.shoe, fresh)))
            self._writer.stage()
            await self._writer.wait_until_flushed()
        kept = self._stored_seed(stream, of)
        assert kept is not None, f"the seed of {of} has just been stored"
        self._hold(stream, of, kept)

    def _seal_seed(self, of: ShoeName, seed: bytes) -> bytes:
        return msgspec.json.encode(seal(self._ring, of, seed))

    def _stored_seed(self, stream: Stream, of: ShoeName) -> bytes | None:
        """The seed that is in the store. Tables of a link may have different rulebooks, and share its triggers."""
        kept = self._reads.sealed_secret(stream, of.shoe)
        if kept is None:
            return None
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
