"""A practice house on PostgreSQL, served by one node: a person plays, and the house goes on after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from baccarat.client import Client, TableClient, command_id
from baccarat.record.sealed_seed import SealingKey
from baccarat.serve.ops.log import ServerLog
from baccarat.serve.runtime.seal_key import mark_of
from baccarat.serve.store.base import StoreError
from baccarat.serve.store.postgres_reads import snapshot_digest
from baccarat.serve.store.snapshot_mac import plain_digest
from postgres_server import PostgresServer
from served import audited, run_for, served
from store_place import PostgresPlace

pytestmark = pytest.mark.slow


@pytest.fixture
def kept(postgres: PostgresServer, tmp_path: Path) -> dict[str, Any]:
    """Settings of a house in a schema of its own."""
    return {"db": postgres.new(), "seal_key": str(tmp_path / "seal.key")}


async def play_round(table: TableClient, *, seat: int) -> dict[str, Any]:
    """Wager on Banker and wait until the round is over; the round as it was announced."""
    await table.until(lambda view: view["state"]["step"] == "wager")
    number = table.state["round"]["number"]
    placed = await table.do("place_wager", seat=seat, on="banker", stake=2_500)
    assert placed.is_done, placed.say
    await table.until(lambda view: bool(view["state"]["round"]["number"] != number))
    return next(event for event in table.events() if event["event"] == "result_announced")


def test_a_visitor_plays_and_the_house_goes_on_after_a_restart(kept: dict[str, Any], tmp_path: Path) -> None:
    given = command_id()

    async def work() -> None:
        async with served(tmp_path, **kept) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table("ma-midi-4") as table:
                assert (await table.do("sit", id=given, seat=2)).is_done
                await client.buy_in("ma-midi-4", 100_000)
                assert (await play_round(table, seat=2))["cites"]
                again = await table.do("sit", id=given, seat=2)
                assert again.is_repeat
            await live.drain()
            before = live.house.state
            audited(live, tmp_path)
        async with served(tmp_path, **kept) as (live, address):
            assert live.house.state == before
            audited(live, tmp_path)

    run_for(work())


def test_a_forged_snapshot_does_not_open_and_one_of_an_earlier_version_is_taken_as_found(
    kept: dict[str, Any], tmp_path: Path
) -> None:
    """Whoever can write the tables can compute the digest, and not its MAC."""
    place, said = PostgresPlace(kept["db"]), list[str]()

    class Heard(ServerLog):
        def say(self, event: str, text: str, **_more: Any) -> None:
            assert text
            said.append(event)

    async def work() -> None:
        async with served(tmp_path, **kept, log=Heard(json=False)) as (live, _):
            live.keep_snapshot(after=1)
        assert "content_taken_as_found" not in said
        rows: list[Any] = place.meddle("select position, form, streams, seqs, body, digest from snapshot")
        forged = dict[int, bytes]()
        for position, form, streams, seqs, body, stored in rows:
            assert isinstance(body, bytes)
            assert len(stored) == 1 + 8 + 32 + 32
            heads = dict(zip(streams, seqs, strict=True))
            assert plain_digest(stored) == snapshot_digest(form, heads, body)
            changed = body + b" "
            forged[position] = snapshot_digest(form, heads, changed)
            within = stored[:9] + forged[position] + stored[41:]
            place.meddle("update snapshot set body = ?, digest = ? where position = ?", (changed, within, position))
        with pytest.raises(StoreError, match="a snapshot was changed outside the program; restore a backup"):
            await opened()

        # Without any MAC it would be one of an earlier version, but the file next to the key says that it is not.
        for position, digest in forged.items():
            place.meddle("update snapshot set digest = ? where position = ?", (digest, position))
        with pytest.raises(StoreError, match="a snapshot is not authenticated, though this store was"):
            await opened()

        for position, form, streams, seqs, body, _ in rows:
            digest = snapshot_digest(form, dict(zip(streams, seqs, strict=True)), body)
            place.meddle("update snapshot set body = ?, digest = ? where position = ?", (body, digest, position))
        mark_of(tmp_path / "seal.key").unlink()
        await opened()
        assert said.count("content_taken_as_found") == 1
        await opened()
        assert said.count("content_taken_as_found") == 1

    async def opened() -> None:
        async with served(tmp_path, **kept, log=Heard(json=False)):
            pass

    run_for(work())


def test_another_key_authenticates_what_the_old_one_did(kept: dict[str, Any], tmp_path: Path) -> None:
    new = tmp_path / "new.key"
    made = SealingKey.create(new)

    async def work() -> None:
        async with served(tmp_path, **kept) as (live, _):
            live.keep_snapshot(after=1)
        old = kept["seal_key"]
        with pytest.raises(StoreError, match=r"the house seals under the key [0-9a-f]{16}, and seal_key has another"):
            async with served(tmp_path, **kept | {"seal_key": str(new)}):
                pass
        async with served(tmp_path, **kept | {"seal_key": f"{new}, {old}"}):
            digests = PostgresPlace(kept["db"]).meddle("select digest from snapshot")
            assert {bytes(digest)[1:9].hex() for (digest,) in digests if isinstance(digest, bytes)} == {made.id}
        async with served(tmp_path, **kept | {"seal_key": str(new)}):
            pass

    run_for(work())
