"""Sealed seeds that several nodes may make: the first that is kept counts, for all of them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook
from baccarat.record.sealed_seed import KeyRing, OtherShoe, SealingKey, ShoeName
from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.runtime.lookup import Lookups
from baccarat.serve.runtime.pending_batch import PendingBatch
from baccarat.serve.runtime.seed_vault import SeedVault, shoe_name, trigger_name
from baccarat.serve.store import open_store
from baccarat.serve.store.base import Store
from served import fails, run_for

RULES = rulebook("ma-midi-4-royal9")
RING = KeyRing(SealingKey(b"k" * 32))


def vault(store: Store) -> tuple[SeedVault, GroupCommitter[PendingBatch]]:
    """The vault of one of several nodes."""
    writer: GroupCommitter[PendingBatch] = GroupCommitter(lambda made: store.append(made.batch()), PendingBatch, fails)
    return SeedVault(RING, Lookups(store.reader()), writer, is_shared=True), writer


def test_two_nodes_that_make_one_seed_at_once_have_the_same(tmp_path: Path) -> None:
    async def work() -> None:
        store = open_store(str(tmp_path / "house.db"))
        (one, first), (two, second) = vault(store), vault(store)
        for of in (shoe_name("T1", 0, RULES), trigger_name("main", 3, RULES)):
            with pytest.raises(AssertionError, match="fetched before it is used"):
                one.seed(Stream("link main"), of)
            await asyncio.gather(one.fetch(Stream("link main"), of), two.fetch(Stream("link main"), of))
            assert one.is_at_hand(Stream("link main"), of)
            assert one.seed(Stream("link main"), of) == two.seed(Stream("link main"), of)
            late, third = vault(store)
            await late.fetch(Stream("link main"), of)
            assert late.seed(Stream("link main"), of) == one.seed(Stream("link main"), of), (
                "one that starts now finds it"
            )
            third.close()
        first.close()
        second.close()
        store.close()

    run_for(work())


def test_tables_of_other_rules_share_the_triggers_of_their_link_and_no_shoe(tmp_path: Path) -> None:
    async def work() -> None:
        store = open_store(str(tmp_path / "house.db"))
        (one, first), (two, second) = vault(store), vault(store)
        here, there = (replace(trigger_name("main", 0, RULES), rulebook=each * 64) for each in "ab")
        await one.fetch(Stream("link main"), here)
        await two.fetch(Stream("link main"), there)
        assert one.seed(Stream("link main"), here) == two.seed(Stream("link main"), there)
        of = shoe_name("T1", 0, RULES)
        await one.fetch(Stream("table T1"), of)
        with pytest.raises(OtherShoe):
            await two.fetch(Stream("table T1"), replace(of, rulebook="b" * 64))
        first.close()
        second.close()
        store.close()

    run_for(work())


def test_only_the_last_seeds_are_in_memory_and_the_others_are_read_again(tmp_path: Path) -> None:
    async def work() -> None:
        store = open_store(str(tmp_path / "house.db"))
        writer: GroupCommitter[PendingBatch] = GroupCommitter(
            lambda made: store.append(made.batch()), PendingBatch, fails
        )
        lookups = Lookups(store.reader())
        held, stream = SeedVault(RING, lookups, writer, is_shared=False), Stream("table T1")
        shoes = [shoe_name("T1", number, RULES) for number in range(20)]

        async def seed(of: ShoeName) -> bytes:
            if not held.is_at_hand(stream, of):
                await held.fetch(stream, of)
            return held.seed(stream, of)

        seeds = [await seed(of) for of in shoes]
        await writer.wait_until_flushed()
        assert repr(held) == "<Vault, 8 seeds open>"
        assert [held.is_at_hand(stream, of) for of in shoes] == [False] * 12 + [True] * 8
        assert [await seed(of) for of in shoes] == seeds
        assert repr(held) == "<Vault, 8 seeds open>"
        writer.close()
        store.close()

    run_for(work())
