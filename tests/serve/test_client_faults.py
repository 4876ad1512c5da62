"""The client: one answer for one id, and nobody waits for ever for a house that does not let him in any more."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from baccarat.client import Client, Lost, command_id
from baccarat.client import client as client_module
from served import run_for, served

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"


def test_the_same_command_under_one_id_has_one_answer_and_another_is_not_sent(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                given = command_id()
                first, second = await asyncio.wait_for(
                    asyncio.gather(table.do("sit", id=given, seat=2), table.do("sit", id=given, seat=2)), 120
                )
                assert first.is_done
                assert first.seq == second.seq
                other = command_id()
                waiting = asyncio.ensure_future(table.do("leave", id=other, seat=2))
                await asyncio.sleep(0)
                with pytest.raises(ValueError, match="waits for the answer to another command"):
                    await table.do("sit", id=other, seat=3)
                assert (await asyncio.wait_for(waiting, 120)).is_done

    run_for(work())


def test_who_is_not_let_in_any_more_is_told_and_does_not_wait_for_ever(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_, address), Client(address) as client:
            await client.visit()
            with pytest.raises(Lost, match="404"):
                async with client.table("nowhere"):
                    pass
            async with client.table(TABLE) as table:
                table._ticket_for = lambda _name: client.ticket("nowhere")  # as if the table were gone
                waiting = [
                    asyncio.ensure_future(table.do("leave", seat=2)),
                    asyncio.ensure_future(table.until(lambda _view: False)),
                    asyncio.ensure_future(table.later_than(table.seq)),
                ]
                assert table._socket is not None
                table._socket.transport.abort()
                found = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 120)
                assert all(isinstance(each, Lost) or not isinstance(each, Exception) for each in found)
                for waits in (table.do("sit", seat=2), table.until(lambda _view: False)):
                    with pytest.raises(Lost, match="404"):
                        await asyncio.wait_for(waits, 120)

    run_for(work())


def test_a_node_that_names_one_that_is_gone_is_asked_again_until_it_has_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After a kill the others name the lost node for some moments: all tries are left for those who are there."""
    monkeypatch.setattr(client_module, "FIRST_WAIT", 0.001)
    asked = list[str]()

    def answered(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.host)
        if request.url.host == "gone":
            raise httpx.ConnectError("All connection attempts failed")
        if asked.count("one") < client_module.TRIES:
            return httpx.Response(421, headers={"Location": f"http://gone{request.url.path}"})
        return httpx.Response(200, json={"seq": 7})

    async def work() -> None:
        async with Client("http://one", "http://gone") as client:
            await client._http.aclose()
            client._http = httpx.AsyncClient(transport=httpx.MockTransport(answered))
            assert await client.ask("POST", "/api/tables/t/acts") == {"seq": 7}
            assert client.address == "http://one"
        assert asked == ["one", "gone"] * (client_module.TRIES - 1) + ["one"]

    run_for(work())
