"""A moment of a table in words, what the table waits for, and the cards that somebody holds: each for whom it is."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import websockets

from baccarat.client import Client, TableClient
from baccarat.serve.live import HouseServer
from baccarat.table.base import table_rules
from baccarat.table.explanation import explain
from baccarat.table.state import TableState
from baccarat.table.step.turning_right import held_positions
from house_of_roles import ROLES, sign_everybody_on
from served import run_for, served

pytestmark = pytest.mark.slow
NAME = "ma-midi-4"
TABLE = f"/api/tables/{NAME}"


async def settle_in(client: Client, table: TableClient, *, seat: int) -> None:
    """Sit down with chips, and wait until wagers are open."""
    assert (await table.do("sit", seat=seat)).is_done
    await client.buy_in(NAME, 100_000)
    await table.until(lambda view: bool(view["state"]["step"] == "wager"))


async def placed(table: TableClient, seat: int, on: str, stake: int) -> None:
    """Wager; it must be taken."""
    answer = await table.do("place_wager", seat=seat, on=on, stake=stake)
    assert answer.is_done, answer.say


async def until_held(live: HouseServer, seat: int) -> TableState:
    """The table once cards are with a seat."""
    room = live.rooms[NAME]
    while not held_positions(table_rules(room.rules), room.state, seat):
        await asyncio.sleep(0.01)
    return room.state


def test_only_who_holds_the_cards_sees_them_before_they_are_turned(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, squeeze_seconds=15.0, betting_seconds=2.5) as (live, address),
            Client(address) as holder,
            Client(address) as other,
        ):
            house = await sign_everybody_on(live, address)
            await holder.visit()
            await other.visit()
            async with holder.table(NAME) as mine, other.table(NAME) as theirs:
                await settle_in(holder, mine, seat=3)
                await settle_in(other, theirs, seat=5)
                assert (await holder.ask("GET", f"{TABLE}/held"))["cards"] == [], "nobody holds anything yet"
                await placed(mine, 3, "player", 10_000)
                await placed(theirs, 5, "player", 2_500)
                state = await until_held(live, 3)
                held = (await holder.ask("GET", f"{TABLE}/held"))["cards"]
                assert [card["position"] for card in held] == list(state.round.player)
                assert (await other.ask("GET", f"{TABLE}/held"))["cards"] == []
                for role in (*ROLES, None):
                    found = await house.get(f"{TABLE}/held", role=role)
                    assert found.status in (200, 401, 423), role
                    assert found.status != 200 or found.json["cards"] == [], role
                await mine.do("return_cards", seat=3)
                turned = dict[int, str]()
                while not turned.keys() >= {card["position"] for card in held}:
                    for event in mine.events():
                        if event["event"] == "card_turned":
                            turned[event["position"]] = event["card"]["rank"] + event["card"]["suit"]
                    await asyncio.sleep(0.01)
                assert all(turned[card["position"]] == card["card"] for card in held), "what was seen is what is turned"

    run_for(work())


def test_those_at_the_table_are_told_how_long_it_waits_and_the_public_is_not(tmp_path: Path) -> None:
    async def listened(address: str, ticket: dict[str, Any], into: list[dict[str, Any]]) -> None:
        async with websockets.connect(address.replace("http", "ws") + "/socket") as socket:
            await socket.send(json.dumps({"type": "join", "ticket": ticket["ticket"]}))
            while True:
                into.append(json.loads(await socket.recv()))

    async def work() -> None:
        async with (
            served(tmp_path, betting_seconds=60.0) as (_live, address),
            Client(address) as client,
            Client(address) as public,
        ):
            await client.visit()
            mine, seen = list[dict[str, Any]](), list[dict[str, Any]]()
            async with client.table(NAME) as table:
                await settle_in(client, table, seat=3)
                tasks = [
                    asyncio.create_task(
                        listened(address, await client.ask("POST", "/api/tickets", json={"table": NAME}), mine)
                    ),
                    asyncio.create_task(
                        listened(address, await public.ask("POST", "/api/tickets", json={"table": NAME}), seen)
                    ),
                ]
                await placed(table, 3, "banker", 2_500)
                while not (waits := [each for each in mine if each["type"] == "waits" and each["waits"]]):
                    await asyncio.sleep(0.01)
                betting = waits[-1]["waits"][0]
                assert betting["what"] == "betting"
                assert betting["seat"] == 0
                assert betting["of"] == pytest.approx(60.0)
                assert 30.0 < betting["left"] <= 60.0
                late = list[dict[str, Any]]()
                ticket = await client.ask("POST", "/api/tickets", json={"table": NAME})
                tasks.append(asyncio.create_task(listened(address, ticket, late)))
                while len(late) < 2:
                    await asyncio.sleep(0.01)
                assert [each["type"] for each in late[:2]] == ["view", "waits"], "who comes back is told at once"
                assert seen
                assert all(each["type"] != "waits" for each in seen), "a wager lies there: not for the public"
                for task in tasks:
                    task.cancel()

    run_for(work())


def test_every_moment_of_a_round_has_words_with_clauses_that_resolve(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, pace=0.1, betting_seconds=0.2) as (_live, address), Client(address) as client:
            await client.visit()
            questions, calls = set[str](), set[str]()

            def missing() -> list[str]:
                """What has not been met yet: on a busy machine a moment may pass between two questions."""
                met = {
                    "why the Banker drew or stayed": any("Banker" in each for each in questions),
                    "no more bets": "“no more bets”" in calls,
                    "the result": any(call.startswith("“Player ") and "," in call for call in calls),
                }
                return [what for what, is_met in met.items() if not is_met]

            async with client.table(NAME) as table:
                await settle_in(client, table, seat=3)
                for _ in range(12):
                    await table.until(lambda view: bool(view["state"]["step"] == "wager"))
                    await placed(table, 3, "banker", 2_500)
                    number = table.state["round"]["number"]
                    while table.state["round"]["number"] == number:
                        found = await client.ask("GET", f"{TABLE}/moment")
                        questions.add(found["question"])
                        calls.add(found["call"]["say"])
                        assert found["at"]["closed"] == bool(found["closed_by"]), "the words are of the same moment"
                        said = [found["call"], found["then"], *found["rulings"]]
                        for cite in (cite for each in said for cite in each["cites"]):
                            assert found["clauses"][cite]["say"], cite
                    if not missing():
                        break
            assert missing() == []

    run_for(work())


def test_the_public_is_told_nothing_that_follows_from_a_wager(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            served(tmp_path, squeeze_seconds=15.0, betting_seconds=0.3) as (live, address),
            Client(address) as client,
        ):
            await client.visit()
            async with client.table(NAME) as table:
                await settle_in(client, table, seat=3)
                await placed(table, 3, "player", 10_000)
                await until_held(live, 3)
                room = live.rooms[NAME]
                at_table = explain(room.rules, room.state, room.now.due)
                outside = explain(room.rules, room.state, room.now.due, at_table=False)
                assert "seat 3" in at_table.question
                assert outside.then.say == ""
                assert "3" not in outside.question

    run_for(work())
