"""Access over real sockets: tickets once, sessions that end with their sockets, and nothing that no person brings."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from access_house import CHEAP, PASSWORD, SetClock, allowed
from baccarat.client import Client, command_id
from baccarat.house.stream import table_stream
from baccarat.serve.access.base import MINUTE, SystemClock
from baccarat.serve.access.log import AccessEvent, read_log
from baccarat.serve.access.person import add_person
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.refusal_folds import write_folds
from baccarat.table.role import Role
from served import run_for, served

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"
INTERNAL: list[dict[str, Any]] = [
    {"do": "show_meters", "meters": {}, "must_hit": 10**12},
    {"do": "seal_order", "root": "0" * 64},
    {"do": "commit_shoe", "table": TABLE, "shoe": "1", "commitment": "0" * 64},
    {"do": "fail_shoe", "why": "other cards"},
    {"do": "reveal_seed", "seed": "0" * 64},
    {"do": "seal_trigger", "seal": "0" * 64},
    {"do": "join_link", "link": "L"},
]


@asynccontextmanager
async def joined(client: Client, table: str = TABLE) -> AsyncIterator[ClientConnection]:
    """A socket that has joined a table."""
    ticket, address = await client.ticket(table)
    async with websockets.connect(address, close_timeout=1) as socket:
        await socket.send(json.dumps({"type": "join", "ticket": ticket}))
        assert json.loads(await socket.recv())["type"] == "view"
        yield socket


async def answer(socket: ClientConnection, command: dict[str, Any]) -> dict[str, Any]:
    """What is answered to a command."""
    given = command_id()
    await socket.send(json.dumps({"type": "do", "id": given, "command": command}))
    return await heard(socket, lambda said: said.get("id") == given)


async def heard(socket: ClientConnection, is_it: Any) -> dict[str, Any]:
    """The next message of a kind."""
    said: dict[str, Any] = {}
    async for message in socket:
        said = json.loads(message)
        if is_it(said):
            return said
    raise AssertionError(f"the socket was closed before, after {said}")


async def staff(live: HouseServer, address: str, role: Role) -> Client:
    """Somebody who is signed on in a role."""
    name, hashed = f"name of {role.value}", CHEAP.hash(PASSWORD)
    allowed(await live.desk.change(
        lambda reads, now: add_person(reads, live.store.id, name=name, roles={role}, now=now, password=hashed)
    ))  # fmt: skip
    async with httpx.AsyncClient(base_url=address) as http:
        found = await http.post("/api/session", json={"name": name, "password": PASSWORD, "role": role.value})
        assert found.status_code == 201, found.text
        return Client(address, token=found.cookies["baccarat"])


def test_a_ticket_lets_one_socket_in(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_, address), Client(address) as client:
            await client.visit()
            ticket, where = await client.ticket(TABLE)
            for given, kind in ((ticket, "view"), (ticket, "bye"), (ticket[:-1], "bye"), ("x" * 43, "bye")):
                async with websockets.connect(where, close_timeout=1) as socket:
                    await socket.send(json.dumps({"type": "join", "ticket": given}))
                    said = json.loads(await socket.recv())
                    assert said["type"] == kind
                    assert kind == "view" or said["why"] == "no_ticket"

    run_for(work())


def test_whoever_is_signed_off_is_cut_off_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_, address), Client(address) as client, Client(address) as other:
            await client.visit()
            await other.visit()
            async with joined(client) as socket, joined(client) as second, joined(other) as stays:
                signed_off = await client._http.delete("/api/session")
                assert signed_off.status_code == 204
                for each in (socket, second):
                    said = await asyncio.wait_for(heard(each, lambda said: said["type"] == "bye"), 120)
                    assert said["why"] == "signed_off"
                sat = await answer(stays, {"do": "sit", "seat": 4})
                assert sat["type"] == "done"
            headers = {"Idempotency-Key": command_id()}
            late = await client._http.post(f"/api/tables/{TABLE}/chips", json={"amount": 100}, headers=headers)
            assert late.status_code == 401

    run_for(work())


def test_whoever_goes_on_in_another_role_is_cut_off_in_the_old_one_and_leaves_the_seat_as_it_was(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client, Client(address) as other:
            first = await client.visit()
            await other.visit()
            async with joined(client) as socket, joined(client) as second, joined(other) as stays:
                assert (await answer(socket, {"do": "sit", "seat": 4}))["type"] == "done"
                ticket, where = await client.ticket(TABLE)
                old = client._http.cookies["baccarat"]
                changed = await client.take_role(Role.DEALER)
                assert changed not in ("", first)
                for each in (socket, second):
                    said = await asyncio.wait_for(heard(each, lambda said: said["type"] == "bye"), 120)
                    assert said["why"] == "signed_off"
                assert (await answer(stays, {"do": "sit", "seat": 5}))["type"] == "done"
            async with websockets.connect(where, close_timeout=1) as late:
                await late.send(json.dumps({"type": "join", "ticket": ticket}))
                assert json.loads(await late.recv())["why"] == "no_ticket", "a ticket of the old session"
            here = (await client._http.get("/api/session")).json()
            assert (here["who"], here["role"], here["table"]) == (changed, "dealer", "training")
            async with httpx.AsyncClient(base_url=address, headers={"Authorization": f"Bearer {old}"}) as dead:
                found = [await dead.get("/api/session"), await dead.put("/api/session/role", json={"role": "dealer"})]
            assert [each.status_code for each in found] == [401, 401], "the old token is dead"
            held = live.house.state.tables[TABLE].at(4)
            assert held is not None
            assert held.who == first, "the seat is left as it was"

    run_for(work())


def test_the_role_that_one_has_already_changes_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_, address), Client(address) as client:
            first = await client.visit(Role.DEALER)
            async with joined(client, "training") as socket:
                for _ in range(3):
                    assert await client.take_role(Role.DEALER) == first
                refused = await client._http.put("/api/session/role", json={"role": "administrator"})
                assert (refused.status_code, refused.json()["code"]) == (403, "not_visited")
                assert "baccarat" not in refused.cookies
                await socket.send(json.dumps({"type": "ping"}))
                await asyncio.wait_for(heard(socket, lambda said: said["type"] == "pong"), 120)

    run_for(work())


def test_two_tabs_that_go_on_in_another_role_at_once_are_one_visitor(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), httpx.AsyncClient(base_url=address) as http:
            await http.post("/api/visit")
            token = http.cookies["baccarat"]
            headers = {"Authorization": f"Bearer {token}"}
            roles = ("dealer", "floorperson", "surveillance", "dealer")
            asked = [http.put("/api/session/role", json={"role": role}, headers=headers) for role in roles]
            found = await asyncio.gather(*asked)
            assert sorted(each.status_code for each in found) == [200, 401, 401, 401], [each.text for each in found]
            (won,) = (each for each in found if each.status_code == 200)
            assert {each.json()["code"] for each in found if each is not won} <= {"revoked", "no_session"}
            assert (await http.get("/api/session")).json() == won.json(), "the browser has the cookie of the one"
            assert len(live.store.read("select id from session where ended_at is null")) == 1

    run_for(work())


def test_whoever_is_signed_off_does_not_act_once_more_and_the_line_is_closed(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            async with joined(client) as socket, joined(client) as silent:
                assert (await client._http.delete("/api/session")).status_code == 204
                given = command_id()
                with contextlib.suppress(websockets.ConnectionClosed):
                    await socket.send(json.dumps({"type": "do", "id": given, "command": {"do": "sit", "seat": 4}}))
                for each in (socket, silent):
                    said = [json.loads(message) async for message in each]
                    assert said[-1]["type"] == "bye", "and then the line is closed, whatever the client does"
                    assert not [message for message in said if message["type"] in ("done", "refused")]
            await live.house.writer.wait_until_flushed()
            assert live.house.state.tables[TABLE].at(4) is None
            assert not live.rooms[TABLE].guests

    run_for(work())


def test_whoever_looks_on_stays_and_whoever_is_gone_for_long_is_signed_off(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address):
            clock = SetClock(SystemClock().wall(), SystemClock().steady())
            live.desk._clock = live.desk.recognition.clock = clock
            watcher, silent = await staff(live, address, Role.SURVEILLANCE), await staff(live, address, Role.REGULATOR)
            async with watcher, silent, joined(watcher) as looks_on, joined(silent) as sleeps:
                for _ in range(3):
                    clock.go(20 * MINUTE)
                    await looks_on.send('{"type": "ping"}')
                    await heard(looks_on, lambda said: said["type"] == "pong")
                    await live.house.writer.wait_until_flushed()
                    await live.desk.tidy()
                said = await asyncio.wait_for(heard(sleeps, lambda said: said["type"] == "bye"), 120)
                assert said["why"] == "signed_off"
                await looks_on.send('{"type": "ping"}')
                await asyncio.wait_for(heard(looks_on, lambda said: said["type"] == "pong"), 120)

    run_for(work())


ROLES = [role for role in Role if role not in (Role.PUBLIC, Role.PARTICIPANT)]


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.value)
def test_nobody_brings_what_the_house_does_by_itself(role: Role, tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), await staff(live, address, role) as client:
            async with joined(client) as socket:
                for command in INTERNAL:
                    said = await answer(socket, command)
                    assert said["type"] in ("refused", "problem"), (command, said)
                    assert said["say"]
                forged = await answer(socket, {"do": "call_no_more_bets", "by": "dealer", "who": "dealer"})
                assert forged["type"] == "problem", "who acts is not said by a client"
                own = {"do": "place_wager", "seat": 1, "on": "banker", "stake": 2500}
                assert (await answer(socket, own))["type"] in ("refused", "problem")
            write_folds(live.house, all_in=lambda _stream: True)
            await live.house.writer.wait_until_flushed()
            events = [json.loads(each.body) for each in live.store.entries(table_stream(TABLE))]
            by_person = [each for each in events if each.get("who", "").startswith("person-")]
            assert all("refused" in each for each in by_person)
            denied = [line for line in read_log(live.store, limit=1000) if line.what is AccessEvent.DENIED]
            counted = sum(each["folded"]["count"] for each in events if "folded" in each)
            found = len(denied) + len(by_person) + counted
            assert found == len(INTERNAL) + 1, "every denial to a known person is recorded, or counted"

    run_for(work())


def test_a_visitor_acts_for_no_seat_but_his_own(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as ana, Client(address) as bob:
            await ana.visit()
            who = await bob.visit()
            async with joined(ana) as one, joined(bob) as other:
                assert (await answer(one, {"do": "sit", "seat": 2}))["type"] == "done"
                assert (await answer(other, {"do": "sit", "seat": 5}))["type"] == "done"
                for seat in (0, 2, 3, 9, -1, 10**6):
                    for command in (
                        {"do": "place_wager", "seat": seat, "on": "banker", "stake": 2500},
                        {"do": "leave", "seat": seat},
                        {"do": "contribute", "seat": seat, "value": "mine"},
                    ):
                        said = await answer(other, command)
                        assert said["type"] in ("refused", "problem"), (command, said)
                said = await answer(other, {"do": "sit", "seat": 6, "person": ana.who})
                assert said["type"] in ("refused", "problem")
                said = await answer(other, {"do": "buy_in", "seat": 5, "amount": 10**9})
                assert said["type"] in ("refused", "problem"), "chips come from the dealer"
            state = live.house.state.tables[TABLE]
            sitting = {seat: person.who for seat in (2, 5) if (person := state.at(seat)) is not None}
            assert sitting == {2: ana.who, 5: who}

    run_for(work())
