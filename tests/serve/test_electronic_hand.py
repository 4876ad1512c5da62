"""Cards of an electronic shoe under a dealer's hand: a person does every act, the shoe commits, seals and proves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.client import Client, command_id
from baccarat.house.stream import table_stream
from baccarat.record.entry import ActRecord, read_body
from baccarat.table.actor import Origin
from baccarat.table.role import Role
from baccarat.table.table_cards import TableCards
from dealer_house import SEAT, DealerHouse, dealer_house
from house_of_roles import Answer, is_problem
from served import run_for

pytestmark = pytest.mark.slow


def at_the_table(tmp_path: Path, work: Callable[[DealerHouse], Awaitable[None]]) -> None:
    """A dealer looks at a table whose shoe is electronic; the shoe is ready."""

    async def inner() -> None:
        async with dealer_house(tmp_path, cards=TableCards.ELECTRONIC) as house, Client(house.house.address) as client:
            client._http.headers["Authorization"] = f"Bearer {house.house.tokens[Role.DEALER]}"
            async with client.table(house.name):
                await open_shoe(house)
                await work(house)

    run_for(inner())


async def open_shoe(house: DealerHouse) -> None:
    """The shoe has committed before the first act, and is sealed before the cut."""
    while house.house.live.house.state.tables[house.name].shoe.commitment is None:
        await asyncio.sleep(0.01)
    await house.open_shoe()


async def turn(house: DealerHouse, position: int, role: Role = Role.DEALER, key: str = "") -> Answer:
    """Turn a card without saying which it is."""
    command, headers = {"do": "turn_card", "position": position}, {"Idempotency-Key": key or command_id()}
    return await house.house.ask("POST", f"{house.path}/acts", command, role=role, headers=headers)


def records(house: DealerHouse) -> list[ActRecord]:
    """What the table's journal holds."""
    live = house.house.live
    found = [read_body(each.body) for each in live.store.entries(table_stream(house.name))]
    return [record for record in found if isinstance(record, ActRecord)]


def command_of(record: ActRecord) -> dict[str, Any]:
    """The command of a record."""
    raw = bytes(record.command)
    return dict(msgspec.json.decode(raw)) if raw else {}


def test_a_person_deals_and_every_card_has_its_proof(tmp_path: Path) -> None:
    async def work(house: DealerHouse) -> None:
        for _ in range(3):
            await house.wager(banker=2500)
            await house.play_to("clear_table")
            assert not [each for each in (await house.work())["irregularities"] if each["what"] == "face_up"]
            await house.press()
        await house.house.live.house.writer.wait_until_flushed()
        turned = [record for record in records(house) if command_of(record).get("do") == "turn_card"]
        assert len(turned) > 12
        for record in turned:
            assert command_of(record)["proof"]["salt"]
            assert (record.role, record.origin) == (Role.DEALER, Origin.PERSON), "a person turns it"
            assert record.who == house.house.people[Role.DEALER]
        by_shoe = {command_of(record)["do"] for record in records(house) if record.origin is Origin.CARD_SOURCE}
        assert by_shoe == {"commit_shoe", "close_inputs", "seal_order"}, "the shoe does nothing else by itself"

    at_the_table(tmp_path, work)


def test_a_card_is_told_to_nobody_before_it_is_turned_for_everybody(tmp_path: Path) -> None:
    async def work(house: DealerHouse) -> None:
        await house.wager(banker=2500)
        await house.play_to("turn_card")
        live = house.house.live.house
        await live.writer.wait_until_flushed()
        before = len(records(house))
        ready = (await house.work())["acts"][0]
        assert (ready["fields"], ready["follows"], ready["calls"]) == ([], "", [])
        due = ready["position"]
        for position, role in ((due + 1, Role.DEALER), (due, Role.FLOORPERSON), (due, Role.PARTICIPANT)):
            is_problem(await turn(house, position, role), 400, "unreadable")
        path = f"{house.path}/outlook"
        tried = await house.house.ask("POST", path, {"do": "turn_card", "position": due}, role=Role.DEALER)
        is_problem(tried, 400, "unreadable")
        guessed = {"do": "turn_card", "position": due, "card": "9s"}
        told = (await house.house.ask("POST", path, guessed, role=Role.DEALER)).json
        assert "not proved" in told["refused"]["say"]
        await live.writer.wait_until_flushed()
        assert len(records(house)) == before, "nothing of it is kept, so that no record holds a card"
        assert (await turn(house, due)).status == 200

    at_the_table(tmp_path, work)


def test_the_same_turn_sent_again_has_the_same_answer(tmp_path: Path) -> None:
    async def work(house: DealerHouse) -> None:
        await house.wager(banker=2500)
        await house.play_to("turn_card")
        position, key = (await house.work())["acts"][0]["position"], command_id()
        first = (await turn(house, position, key=key)).json
        again = (await turn(house, position, key=key)).json
        assert again == {**first, "repeat": True}
        assert (await turn(house, position)).status == 400, "under another id it is another act, and not due"
        assert SEAT

    at_the_table(tmp_path, work)
