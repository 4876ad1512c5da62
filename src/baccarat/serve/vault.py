"""The vault: seeds of shoes and of triggers, kept sealed in the store under a key that is not there.

A seed is made when it is first asked for and goes into the same batch as the commitment to it, or an earlier one: no
commitment is ever published whose seed is not kept. While a shoe is in play its seed is at hand in memory.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

import msgspec

from baccarat.law.rulebook import Rulebook
from baccarat.record.sealed_seed import KeyNotAtHand, KeyRing, SealedSeed, ShoeName, seal, unseal
from baccarat.serve.gathering import Gathering
from baccarat.serve.store.base import Reads, SealedRow
from baccarat.serve.writer import Writer
from baccarat.shuffle import SEED_BYTES

NewSeed = Callable[[], bytes]


def seed_from_system() -> bytes:
    """A fresh seed from the operating system."""
    return secrets.token_bytes(SEED_BYTES)


class Vault:
    """Sealed seeds, by stream and name."""

    def __init__(
        self, ring: KeyRing, reads: Reads, writer: Writer[Gathering], *, fresh: NewSeed = seed_from_system
    ) -> None:
        self._ring, self._reads, self._writer, self._fresh = ring, reads, writer, fresh
        self._open: dict[tuple[str, str], bytes] = {}

    def __repr__(self) -> str:
        return f"<Vault, {len(self._open)} seeds at hand>"

    def seed(self, stream: str, of: ShoeName) -> bytes:
        """The seed of a shoe: a fresh one if it has none yet."""
        known = self._open.get((stream, of.shoe))
        if known is not None:
            return known
        kept = self._reads.sealed(stream, of.shoe)
        if kept is not None:
            seed = unseal(self._ring, msgspec.json.decode(kept, type=SealedSeed), of)
        else:
            seed = self._fresh()
            sealed = msgspec.json.encode(seal(self._ring, of, seed))
            self._writer.batch.seals.append(SealedRow(stream, of.shoe, sealed))
            self._writer.added()
        self._open[stream, of.shoe] = seed
        return seed

    def forget(self, stream: str, shoe: str) -> None:
        """A shoe is over: its seed has been shown, and is not needed in memory."""
        self._open.pop((stream, shoe), None)

    def seeds_of(self, stream: str, table: str, rules: Callable[[], Rulebook]) -> Callable[[int], bytes]:
        """The seeds of a table's shoes by number, as a card source asks for them."""

        def seed(number: int) -> bytes:
            held = rules()
            of = ShoeName(table=table, shoe=str(number), rulebook=held.hash, decks=held.elections.decks or 0)
            try:
                return self.seed(stream, of)
            except KeyNotAtHand:
                return b""  # its key is lost, as the settings say: the shoe is given up, and the loss reported

        return seed

    def triggers_of(self, stream: str, link: str, rules: Rulebook) -> Callable[[int], bytes]:
        """The seeds of a meter's runs by number: nothing that a shoe opens tells anything of them."""

        def seed(run: int) -> bytes:
            of = ShoeName(table=link, shoe=f"trigger {run}", rulebook=rules.hash, decks=0)
            return self.seed(stream, of)

        return seed
