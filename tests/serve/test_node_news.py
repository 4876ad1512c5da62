"""What one node is told, the others know: sessions that end, people who are entered, names that are erased, keys."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from baccarat.client import Client
from baccarat.record.sealed_seed import SealingKey
from baccarat.serve.access.throttle import BY_ADDRESS, BY_NAME
from baccarat.serve.store.base import StoreError
from baccarat.table.role import Role
from house_of_roles import Asked, sign_everybody_on
from postgres_server import PostgresServer
from served import run_for, served, soon

pytestmark = pytest.mark.slow


@pytest.fixture
def kept(postgres: PostgresServer, tmp_path: Path) -> dict[str, Any]:
    """Settings of a house in a schema of its own."""
    return {"db": postgres.new(), "seal_key": str(tmp_path / "seal.key")}


async def on_second_node(live: Any) -> str:
    """A table that the node has, once it has some."""
    while not live.house.journal.epochs:
        await asyncio.sleep(0.02)
    return str(min(live.house.journal.epochs)).partition(" ")[2]


def test_whose_session_is_ended_at_one_node_loses_the_socket_at_the_other(kept: dict[str, Any], tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **kept) as (one, first), served(tmp_path, **kept) as (two, second):
            house = await sign_everybody_on(one, first)
            name = await on_second_node(two)
            async with Client(second, token=house.tokens[Role.SURVEILLANCE]) as client, client.table(name):
                (guest,) = two.rooms[name].guests
                person = house.people[Role.SURVEILLANCE]
                listed = await house.get(f"/api/people/{person}/sessions", role=Role.ADMINISTRATOR)
                (session,) = (each["id"] for each in listed.json["sessions"])
                found = await house.ask("DELETE", f"/api/sessions/{session}", role=Role.ADMINISTRATOR)
                assert found.status == 204, found
                await soon(lambda: guest not in two.rooms[name].guests, "the socket is still there", within=21.0)

    run_for(work())


def test_whoever_goes_on_in_another_role_at_one_node_loses_the_old_socket_at_the_other(
    kept: dict[str, Any], tmp_path: Path
) -> None:
    """And of two nodes that are asked at one moment one gives the new session, which both know."""

    async def work() -> None:
        async with served(tmp_path, **kept) as (one, first), served(tmp_path, **kept) as (two, second):
            name = await on_second_node(two)
            async with Client(second) as client:
                await client.visit()
                async with client.table(name):
                    (guest,) = two.rooms[name].guests
                    nodes = [Asked(one, first, {}, {}), Asked(two, second, {}, {})]
                    body, token = {"role": "surveillance"}, client._token
                    asked = (each.ask("PUT", "/api/session/role", body, token=token) for each in nodes)
                    found = await asyncio.gather(*asked)
                    assert sorted(each.status for each in found) == [200, 401], found
                    await soon(lambda: guest not in two.rooms[name].guests, "the socket is still there", within=21.0)
            (won,) = (each for each in found if each.status == 200)
            new = won.headers["set-cookie"].split("baccarat=")[1].split(";")[0]
            for each in nodes:
                assert (await each.get("/api/session", token=new)).json == won.json
                assert (await each.get("/api/session", token=token)).status == 401

    run_for(work())


def test_people_who_are_entered_or_erased_at_one_node_are_at_the_other(kept: dict[str, Any], tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **kept) as (one, first), served(tmp_path, **kept) as (two, second):
            house = await sign_everybody_on(one, first)
            there = Asked(two, second, house.tokens, house.people)
            body = {"name": "Ada Lovelace", "roles": ["dealer"]}
            made = await house.ask("POST", "/api/people", body, role=Role.ADMINISTRATOR)
            assert made.status == 201, made
            person = made.json["id"]
            await until_named(two, person, "Ada Lovelace")
            twice = await there.ask("POST", "/api/people", body, role=Role.ADMINISTRATOR)
            assert twice.status == 409, twice
            gone = await house.ask("DELETE", f"/api/people/{person}", role=Role.ADMINISTRATOR)
            assert gone.status == 204, gone
            await until_named(two, person, "")
            assert two.house.names is not None
            assert "Ada Lovelace" not in {entry.text for entry in two.house.names.entries}

    run_for(work())


async def until_named(live: Any, person: str, name: str) -> None:
    """Wait until a node knows a person by a name, or by none."""
    await soon(lambda: live.people.name_of(person) == name)


def test_one_name_that_two_nodes_enter_at_once_is_one_person(kept: dict[str, Any], tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **kept) as (one, first), served(tmp_path, **kept) as (two, second):
            house = await sign_everybody_on(one, first)
            there = Asked(two, second, house.tokens, house.people)
            for number in range(8):
                body = {"name": f"Person {number} of two", "roles": ["dealer"]}
                asked = (each.ask("POST", "/api/people", body, role=Role.ADMINISTRATOR) for each in (house, there))
                found = await asyncio.gather(*asked)
                assert sorted(each.status for each in found) == [201, 409], found
            assert one.house.writer.fault is None
            assert two.house.writer.fault is None

    run_for(work())


def test_one_ticket_opens_one_socket_whichever_node_is_asked(kept: dict[str, Any], tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, **kept) as (one, first),
            served(tmp_path, **kept) as (two, _),
            Client(first) as client,
        ):
            await client.visit()
            name = await on_second_node(two)
            while f":{two.address.rpartition(':')[2]}/" not in (await client.ticket(name))[1]:
                await asyncio.sleep(0.02)
            ticket, _ = await client.ticket(name)
            taken = await asyncio.gather(
                *(live.desk.take_stored_ticket(ticket, address=two.address) for live in (one, two, one, two))
            )
            assert sum(isinstance(each, tuple) for each in taken) == 1, taken

    run_for(work())


def test_each_node_counts_tries_for_itself(kept: dict[str, Any], tmp_path: Path) -> None:
    """As `docs/access.md` says: with N nodes there are N times as many free tries, and each waits as long."""

    async def work() -> None:
        async with served(tmp_path, **kept) as (one, first), served(tmp_path, **kept) as (two, second):
            house = await sign_everybody_on(one, first)
            there = Asked(two, second, house.tokens, house.people)
            let_in = 0
            wrong = {"name": "dealer one", "password": "not the password", "role": "dealer"}
            for asked in (house, there):
                for _ in range(BY_NAME.free + 3):
                    found = await asked.ask("POST", "/api/session", wrong)
                    let_in += found.status == 401
                assert found.status == 429, found
            assert let_in == 2 * BY_NAME.free < BY_ADDRESS.free

    run_for(work())


def test_a_node_with_another_seal_key_than_the_others_does_not_start(kept: dict[str, Any], tmp_path: Path) -> None:
    """Though nothing is sealed yet: the store knows which key the house has, by a value that tells nothing of it."""
    other = tmp_path / "other.key"
    SealingKey.create(other)

    async def work() -> None:
        async with served(tmp_path, **kept) as (one, _):
            assert one.store.all_sealed() == []
            with pytest.raises(StoreError, match="and seal_key has another"):
                async with served(tmp_path, **{**kept, "seal_key": str(other)}):
                    pass
            async with served(tmp_path, **kept) as (two, _):
                assert two.node is not None

    run_for(work())


def test_keys_are_changed_while_one_node_serves_alone(kept: dict[str, Any], tmp_path: Path) -> None:
    """The others could not open what is sealed under the new key."""
    new = tmp_path / "new.key"
    made = SealingKey.create(new)
    changed = {**kept, "seal_key": f"{new},{kept['seal_key']}"}

    async def work() -> None:
        async with served(tmp_path, **kept):
            with pytest.raises(StoreError, match="stop the other nodes"):
                async with served(tmp_path, **changed):
                    pass
        async with served(tmp_path, **changed) as (one, _), served(tmp_path, **changed):
            assert one.store.setting("seal_key") == made.id

    run_for(work())
