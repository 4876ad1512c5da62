"""A practice house: a person comes in, sits down and plays, over real sockets and a store on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from baccarat.client import Client, command_id
from baccarat.house.stream import Stream
from baccarat.law.rulebook import shipped_submissions
from played import next_round, play_round
from served import audited, run_for, served

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("submission", shipped_submissions())
def test_a_visitor_plays_a_round_at_every_table(submission: str, tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(submission) as table:
                played = await play_round(table, client)
            assert played["cites"]
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())


def test_a_table_whose_wagers_feed_a_must_hit_deals_on(tmp_path: Path) -> None:
    """The trigger has a sealed seed of its own, which is made when the first wager feeds the meter."""

    async def work() -> None:
        async with served(tmp_path, betting_seconds=0.3) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table("ma-midi-4-royal9") as table:
                assert (await table.do("sit", seat=2)).is_done
                await client.buy_in("ma-midi-4-royal9", 100_000)
                for _ in range(2):
                    await table.until(lambda view: view["state"]["step"] == "wager")
                    number = table.state["round"]["number"]
                    for on, stake in (("banker", 2_500), ("royal9", 500)):
                        assert (await table.do("place_wager", seat=2, on=on, stake=stake)).is_done
                    await table.until(lambda view, number=number: view["state"]["round"]["number"] != number)  # type: ignore[misc]
            assert live.store.sealed_secret(Stream("table ma-midi-4-royal9"), "trigger 0") is not None
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())


def test_a_command_sent_again_is_done_once_also_after_a_restart(tmp_path: Path) -> None:
    given = command_id()

    async def first(work: Any) -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await work(live, client)

    async def before(live: Any, client: Client) -> None:
        await client.visit()
        async with client.table("ma-midi-4") as table:
            once = await table.do("sit", id=given, seat=2)
            again = await table.do("sit", id=given, seat=2)
            other = await table.do("sit", id=given, seat=3)
        assert once.is_done
        assert not once.is_repeat
        assert again.is_repeat
        assert again.seq == once.seq
        assert other.code == "repeated_id"
        await live.house.writer.wait_until_flushed()
        audited(live, tmp_path)

    run_for(first(before))


def test_the_house_goes_on_after_a_restart_where_it_stood(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await play_round(table, client)
                await next_round(table)
            await live.drain()
            before = live.house.state
        async with served(tmp_path) as (live, address):
            assert live.house.state == before
            audited(live, tmp_path)

    run_for(work())


def test_an_old_id_is_found_in_the_store_when_it_is_not_at_hand_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("baccarat.serve.runtime.idempotency.MOST_ANSWERS", 3)

    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table("ma-midi-4") as table:
                ids = [command_id() for _ in range(20)]
                first = [await table.do("sit", id=given, seat=2) for given in ids]
                again = [await table.do("sit", id=given, seat=2) for given in ids]
            assert [each.seq for each in again] == [each.seq for each in first]
            assert all(each.is_repeat for each in again)
            await live.house.answers.load("nobody", ids[0], live.lookups)
            assert live.house.find("nobody", ids[0]) is None
            audited(live, tmp_path)

    run_for(work())


def test_a_page_under_a_name_that_was_pointed_here_reads_nothing_and_joins_no_table(tmp_path: Path) -> None:
    """DNS rebinding: the name is another site's, and the address is this machine's."""

    async def work() -> None:
        async with served(tmp_path) as (_live, address), Client(address) as client:
            await client.visit()
            _, where = await client.ticket("ma-midi-4")
            rebound = {"Host": "evil.example"}
            async with httpx.AsyncClient(base_url=address) as http:
                for path in ("/", "/api/tables", "/api/journal", "/page/js/house.js", "/metrics"):
                    found = await http.get(path, headers=rebound)
                    assert (found.status_code, found.json()["code"]) == (400, "unknown_host"), path
                came = await http.post("/api/visit", json={}, headers={**rebound, "Origin": "http://evil.example"})
                assert came.status_code == 400
                assert (await http.get("/api/tables", headers={"Host": "localhost:1"})).status_code == 200
            with pytest.raises(websockets.InvalidStatus):
                async with websockets.connect(where, additional_headers=rebound):
                    pass

    run_for(work())
