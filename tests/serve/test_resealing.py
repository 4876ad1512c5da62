"""Another sealing key: everything is sealed anew at once; a wrong key does not open a house; a lost one is named."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from baccarat.client import Client
from baccarat.house.stream import table_stream
from baccarat.record.sealed_seed import SealedSeed, SealingKey
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.seed_vault import shoe_name
from baccarat.serve.store.base import StoreError
from playing import play_rounds, sit_down
from served import audited, run_for, served

pytestmark = pytest.mark.slow
TABLE = "ma-midi-4"


def keys_in(live: HouseServer) -> set[str]:
    """Under which keys the seeds of a store are sealed."""
    return {msgspec.json.decode(row.sealed, type=SealedSeed).key for row in live.store.all_sealed()}


async def begun(folder: Path) -> str:
    """A house with a shoe in play; the id of its key."""
    async with served(folder) as (live, address), Client(address) as client:
        await client.visit()
        async with client.table(TABLE) as table:
            await sit_down(client, table)
            await play_rounds(table, 1)
        (key,) = keys_in(live)
        return key


def test_a_new_key_takes_over_and_the_shoe_in_play_goes_on(tmp_path: Path) -> None:
    old, new = tmp_path / "seal.key", tmp_path / "new.key"

    async def work() -> None:
        await begun(tmp_path)
        made = SealingKey.create(new)
        async with served(tmp_path, seal_key=f"{new}, {old}") as (live, _):
            assert keys_in(live) == {made.id}
        old.unlink()
        async with served(tmp_path, seal_key=str(new)) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                assert (await table.do("sit", seat=3)).is_done
                await table.until(lambda view: view["state"]["step"] == "wager")
            assert keys_in(live) == {made.id}
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())


def test_a_wrong_key_does_not_open_a_house_and_changes_nothing(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.key"

    async def work() -> None:
        key = await begun(tmp_path)
        SealingKey.create(wrong)
        with pytest.raises(StoreError, match=f"the house seals under the key {key}, and seal_key has another"):
            async with served(tmp_path, seal_key=str(wrong)):
                pass
        async with served(tmp_path) as (live, _):
            assert keys_in(live) == {key}

    run_for(work())


def test_a_house_whose_key_is_lost_opens_when_that_is_said(tmp_path: Path) -> None:
    other = tmp_path / "other.key"

    async def work() -> None:
        key = await begun(tmp_path)
        (tmp_path / "seal.key").unlink()
        SealingKey.create(other)
        async with served(tmp_path, seal_key=str(other), lost_keys=key) as (live, _):
            assert keys_in(live) == {key}
            stream, seeds = table_stream(TABLE), live.vault.seeds_of
            await live.vault.fetch(stream, shoe_name(TABLE, 0, live.house.state.rules(TABLE)))
            assert seeds(stream, TABLE, lambda: live.house.state.rules(TABLE))(0) == b""

    run_for(work())
