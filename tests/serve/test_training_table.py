"""The training table of a practice house: a visitor deals real cards; company plays, and the program is the floor."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import msgspec
import pytest

from baccarat.cards import decks
from baccarat.client import Client, command_id
from baccarat.serve.access.link import VISITOR_ROLES
from baccarat.serve.setting import TRAINING
from baccarat.serve.store.row import as_text
from baccarat.table.automation import command_for
from baccarat.table.role import Role
from baccarat.table.source import KeyedCards
from served import audited, run_for, served
from triggers import FirstWager

pytestmark = pytest.mark.slow


async def _correct_by_two(dealer: Client, floor: Client) -> None:
    """The dealer proposes a correction of a card, and the floorperson approves it; both only visit."""
    entries = (await dealer.ask("GET", f"/api/tables/{TRAINING}/rounds/1/corrigible"))["entries"]
    entry = next(each for each in entries if each["command"]["do"] == "correct_card")
    command = {**entry["command"], "card": {"rank": "7", "suit": "h"}, "reason": "misread"}
    key = {"Idempotency-Key": command_id()}
    body = {"stream": f"table {TRAINING}", "command": command}
    await dealer.ask("POST", "/api/proposals", json=body, headers=key)
    (seen,) = (await floor.ask("GET", "/api/proposals"))["proposals"]
    assert seen["may_approve"]
    assert seen["refused"] is None
    await floor.ask("POST", f"/api/proposals/{seen['id']}/approval", json={"seen": seen["hash"]})
    assert (await floor.ask("GET", "/api/proposals"))["proposals"] == []


def test_a_visiting_dealer_deals_a_round_of_real_cards_to_the_company(tmp_path: Path) -> None:
    """And a card of it is corrected by two visitors."""

    async def work() -> None:
        async with served(tmp_path, company=3) as (live, address), Client(address) as client:
            await client.visit(Role.DEALER)
            table = live.house.table(TRAINING)
            size = table.rules.elections.decks or 0
            source = KeyedCards(lambda _: tuple(decks(size)), in_front=26 * size, triggers=FirstWager(table.rules))
            async with client.table(TRAINING) as seen:
                assert (await seen.do("come_on", instead_of="dealer")).is_done
                while table.state.step != "clear":
                    due = next((each for each in table.expected if not each.optional), None)
                    if due is None or due.by is not Role.DEALER:
                        await asyncio.sleep(0.02)
                        continue
                    fields = msgspec.to_builtins(command_for(table, due, source))
                    answer = await seen.do(fields.pop("do"), **fields)
                    assert answer.is_done, (due, answer)
            assert any(each is not None for each in table.state.seats.participants), "company sits there"
            async with Client(address) as floor:
                await floor.visit(Role.FLOORPERSON)
                await _correct_by_two(client, floor)
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())


def test_a_participant_who_holds_real_cards_is_told_nothing_of_them(tmp_path: Path) -> None:
    """The house does not know what lies face down on a real table, and says so without a fault."""

    async def work() -> None:
        async with (
            served(tmp_path, betting_seconds=60.0, squeeze_seconds=60.0) as (live, address),
            Client(address) as client,
            Client(address) as person,
        ):
            await client.visit(Role.DEALER)
            await person.visit()
            table = live.house.table(TRAINING)
            size = table.rules.elections.decks or 0
            source = KeyedCards(lambda _: tuple(decks(size)), in_front=26 * size, triggers=FirstWager(table.rules))
            async with client.table(TRAINING) as seen, person.table(TRAINING) as seat:
                assert (await seat.do("sit", seat=3)).is_done
                await person.buy_in(TRAINING, 100_000)
                assert (await seen.do("come_on", instead_of="dealer")).is_done
                while not any(due.act == "return_cards" for due in table.expected):
                    if table.state.step == "wager" and not table.state.round.wagers:
                        assert (await seat.do("place_wager", seat=3, on="player", stake=2_500)).is_done
                    due = next((each for each in table.expected if not each.optional), None)
                    if due is not None and due.act == "answer_cut":
                        assert (await seat.do("answer_cut", seat=3, accept=False)).is_done
                        continue
                    if due is None or due.by is not Role.DEALER:
                        await asyncio.sleep(0.02)
                        continue
                    fields = msgspec.to_builtins(command_for(table, due, source))
                    answer = await seen.do(fields.pop("do"), **fields)
                    assert answer.is_done, (due, answer)
                assert (await person.ask("GET", f"/api/tables/{TRAINING}/held"))["cards"] == []

    run_for(work())


def test_who_visits_to_work_works_at_the_training_table_alone(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), Client(address) as client:
            await client.visit(Role.DEALER)
            with pytest.raises(httpx.HTTPStatusError) as elsewhere:
                await client.ask("POST", "/api/tickets", json={"table": "ma-midi-4"})
            assert "training" in elsewhere.value.response.json()["detail"]
            with pytest.raises(httpx.HTTPStatusError) as people:
                await client.ask("GET", "/api/people")
            assert people.value.response.status_code == 403

    run_for(work())


def test_only_a_dealer_who_is_on_the_game_deals(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), Client(address) as first, Client(address) as second:
            await first.visit(Role.DEALER)
            await second.visit(Role.DEALER)
            async with first.table(TRAINING) as mine, second.table(TRAINING) as other:
                assert (await other.do("receive_cards", set_id="a", decks=8)).is_done, "nobody has come on the game yet"
                assert (await mine.do("come_on", instead_of="dealer")).is_done
                told = await other.do("prepare_cards", act="inspect")
                assert not told.is_done
                assert "come on the game first" in told.say
                assert (await other.do("come_on", instead_of=first.who)).is_done
                again = await mine.do("go_off")
                assert "come on the game first" in again.say

    run_for(work())


def test_a_participant_has_one_seat_at_a_table(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), Client(address) as client:
            await client.visit()
            async with client.table("ma-midi-4") as table:
                given = command_id()
                assert (await table.do("sit", id=given, seat=2)).is_done
                told = await table.do("sit", seat=3)
                assert not told.is_done
                assert "already sit at seat 2" in told.say
                assert (await table.do("leave", seat=2)).is_done
                assert (await table.do("sit", seat=3)).is_done
                again = await table.do("sit", id=given, seat=2)
                assert again.is_repeat, "what was done before is answered alike"

    run_for(work())


@pytest.mark.parametrize("role", [Role.ADMINISTRATOR, Role.PUBLIC])
def test_nobody_visits_as_somebody_who_lets_others_in(role: Role, tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), Client(address) as client:
            with pytest.raises(httpx.HTTPStatusError) as found:
                await client.visit(role)
            assert found.value.response.json()["code"] == "not_visited"

    assert role not in VISITOR_ROLES
    run_for(work())


STRANGERS_SESSION = "session-" + "0" * 32
MANAGING = [
    ("DELETE", f"/api/sessions/{STRANGERS_SESSION}", None),
    ("GET", "/api/devices", None),
    ("POST", "/api/devices/code", {"table": TRAINING}),
    ("DELETE", "/api/devices/device-" + "0" * 32, None),
    ("GET", "/api/access-log", None),
    ("GET", "/api/people", None),
]


async def status_of(client: Client, method: str, path: str, body: object = None) -> tuple[int, str]:
    """How a request is answered: the status, and the code of a problem."""
    headers = {"Authorization": f"Bearer {client._token}"}
    found = await client._http.request(method, path, json=body, headers=headers)
    return found.status_code, found.json().get("code", "") if found.content else ""


@pytest.mark.parametrize("role", [role for role in VISITOR_ROLES if role is not Role.PARTICIPANT], ids=str)
def test_a_visitor_manages_neither_sessions_nor_devices_in_any_role(role: Role, tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (_live, address), Client(address) as client:
            await client.visit(role)
            for method, path, body in MANAGING:
                status, code = await status_of(client, method, path, body)
                assert status == 403, (method, path)
                assert code in ("wrong_role", "only_visits")
            shown = (await client.ask("GET", "/api/welcome"))["can"]
            assert not {"office_people", "office_devices", "office_log"} & set(shown)

    run_for(work())


def test_no_visitor_ends_the_session_of_somebody_who_plays(tmp_path: Path) -> None:
    """Ids of sessions are no secrets: they stand in the access log."""

    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as player, Client(address) as other:
            await player.visit(Role.DEALER)
            await player.take_role(Role.PARTICIPANT)
            async with player.table("ma-midi-4") as table:
                assert (await table.do("sit", seat=2)).is_done
                await live.house.writer.wait_until_flushed()
                rows = live.store.read("select id from session where person = ?", (player.who,))
                await other.visit(Role.CASINO_SUPERVISOR)
                ended = await status_of(other, "DELETE", f"/api/sessions/{as_text(rows[0][0])}")
                assert ended == (403, "only_visits")
                assert (await table.do("leave", seat=2)).is_done, "the player is still there"

    run_for(work())


def test_a_visitor_calls_the_floor_to_the_training_table_alone(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as dealer, Client(address) as floor:
            await dealer.visit(Role.DEALER)
            await floor.visit(Role.FLOORPERSON)
            for table, answer in ((TRAINING, (200, "")), ("ma-midi-4", (403, "for_those_who_play"))):
                assert await status_of(dealer, "POST", f"/api/tables/{table}/floor-call") == answer
            live.floor_calls.call("ma-midi-4", by="somebody", now=live.desk.now)
            assert await status_of(floor, "DELETE", "/api/tables/ma-midi-4/floor-call") == (403, "for_those_who_play")
            assert live.floor_calls.open_call("ma-midi-4") is not None
            assert (await status_of(floor, "DELETE", f"/api/tables/{TRAINING}/floor-call"))[0] == 204

    run_for(work())


def test_a_practice_house_of_before_is_given_a_training_table(tmp_path: Path) -> None:
    """Opened again, it has one, and only one."""

    async def work() -> None:
        for _ in range(2):
            async with served(tmp_path) as (live, _address):
                assert TRAINING in live.rooms

    run_for(work())
