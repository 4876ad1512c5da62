"""A request sent again under its key is answered as it was, though seats, dealers and the clock have changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from baccarat.client import Client, command_id
from baccarat.house.stream import table_stream
from baccarat.law.rulebook import rulebook
from baccarat.serve.setting import TRAINING
from baccarat.table.actor import Actor, Envelope
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave, Sit
from floor_house import open_pit
from house_of_roles import Answer, Asked, is_problem, production, sign_everybody_on
from later_clock import LaterClock
from served import audited, run_for, served

pytestmark = pytest.mark.slow

TABLE, NJ = "ma-midi-4", "nj-punto-banco"
ANOTHER = "person-" + "b" * 32


def as_participant(who: str) -> Envelope:
    """Somebody who acts himself."""
    return Envelope(actor=Actor(who=who, role=Role.PARTICIPANT))


async def buy(client: Client, table: str, key: str, amount: int = 50_000) -> Any:
    """Play money for chips, under a key."""
    headers = {"Idempotency-Key": key}
    return await client.ask("POST", f"/api/tables/{table}/chips", json={"amount": amount}, headers=headers)


def test_chips_are_sold_once_though_the_buyer_has_left_and_somebody_else_sits_there(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            ann, stream, key = await client.visit(), table_stream(TABLE), command_id()
            live.enter(stream, Sit(seat=3, person=ann), as_participant(ann))
            first = await buy(client, TABLE, key)
            live.enter(stream, Leave(seat=3), as_participant(ann))
            assert await buy(client, TABLE, key) == {**first, "repeat": True}
            live.enter(stream, Sit(seat=3, person=ANOTHER), as_participant(ANOTHER))
            live.enter(stream, Sit(seat=5, person=ann), as_participant(ann))
            assert await buy(client, TABLE, key) == {**first, "repeat": True}
            seats = [live.house.state.tables[TABLE].at(seat) for seat in (3, 5)]
            assert [each.chips for each in seats if each is not None] == [0, 0]
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())


def test_chips_are_sold_once_though_a_dealer_comes_on_meanwhile(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as buyer, Client(address) as dealer:
            ann, key = await buyer.visit(), command_id()
            await dealer.visit(Role.DEALER)
            live.enter(table_stream(TRAINING), Sit(seat=1, person=ann), as_participant(ann))
            first = await buy(buyer, TRAINING, key)
            async with dealer.table(TRAINING) as table:
                assert (await table.do("come_on", instead_of="dealer")).is_done
            assert await buy(buyer, TRAINING, key) == {**first, "repeat": True}
            seated = live.house.state.tables[TRAINING].at(1)
            assert seated is not None
            assert seated.chips == 50_000
            assert (await buy(buyer, TRAINING, command_id()))["repeat"] is False
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())


def test_what_was_denied_is_not_done_when_a_copy_of_it_arrives_later(tmp_path: Path) -> None:
    """Its sender was told that it was not done; a proxy, or a connection that broke, may deliver it once more."""

    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                assert (await table.do("sit", seat=3)).is_done
                late = command_id()
                told = await table.do("sit", id=late, seat=2)
                assert (told.code, told.is_done) == ("problem", False)
                assert (await table.do("leave", seat=3)).is_done
                again = await table.do("sit", id=late, seat=2)
                assert (again.code, again.say) == ("problem", told.say)
                assert live.house.state.tables[TABLE].at(2) is None
                assert (await table.do("sit", seat=2)).is_done, "under an id of its own"
                done = command_id()
                assert (await table.do("leave", id=done, seat=2)).is_done
                assert (await table.do("leave", id=done, seat=2)).is_repeat, "what was done is answered as it was"
            audited(live, tmp_path)

    run_for(work())


async def send(house: Asked, role: Role, path: str, body: Any, key: str) -> Answer:
    """A request under a key."""
    return await house.ask("POST", path, body, role=role, headers={"Idempotency-Key": key})


def pass_time(house: Asked, seconds: int) -> None:
    """Move the house's clock on."""
    house.live.desk._clock = LaterClock(house.live.desk._clock, seconds * 1_000_000)


def test_what_the_house_added_to_an_act_is_the_same_when_it_is_sent_again_later(tmp_path: Path) -> None:
    """A table opens now, a notice was sent now, and goodwill is for the one who sits there: now is the first time."""

    async def work() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            rules = rulebook(NJ, goodwill_limit="$100.00")
            await open_pit(live, "main", **{NJ: rules})
            now = live.desk.now // 1_000_000
            (option,), (whom, other) = rules.edition.notices[2].options, rules.edition.notices[2].to
            notice = {"to": whom, "pit": "main", "option": option, "value": rules.elects(option)}
            pit, acts = "/api/books/pit%20main/acts", {
                command_id(): {"do": "give_notice", "notice": notice},
                command_id(): {"do": "give_notice", "notice": {**notice, "to": other, "sent": now}},
            }  # fmt: skip
            before = [await send(house, Role.PIT_BOSS, pit, body, key) for key, body in acts.items()]
            assert [each.status for each in before] == [200, 200], before
            goodwill, guest = command_id(), house.people[Role.PARTICIPANT]
            gift = {"stream": f"table {NJ}", "command": {"do": "pay_goodwill", "seat": 3, "amount": 5, "reason": "r"}}
            live.enter(table_stream(NJ), Sit(seat=3, person=ANOTHER), as_participant(ANOTHER))
            proposed = await send(house, Role.FLOORPERSON, "/api/proposals", gift, goodwill)
            assert proposed.status == 201, proposed
            # Two minutes later somebody else sits there.
            pass_time(house, 120)
            live.enter(table_stream(NJ), Leave(seat=3), as_participant(ANOTHER))
            live.enter(table_stream(NJ), Sit(seat=3, person=guest), as_participant(guest))
            for first, (key, body) in zip(before, acts.items(), strict=True):
                again = await send(house, Role.PIT_BOSS, pit, body, key)
                assert again.status == 200, again
                assert again.json == {**first.json, "repeat": True}
            again = await send(house, Role.FLOORPERSON, "/api/proposals", gift, goodwill)
            assert again.status == 201, again
            assert again.json["command"] == proposed.json["command"]
            another = {"do": "give_notice", "notice": {**notice, "to": "somebody else"}}
            is_problem(await send(house, Role.PIT_BOSS, pit, another, next(iter(acts))), 409, "repeated_id")

    run_for(work())
