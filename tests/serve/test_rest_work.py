"""The work of a table by REST: for the staff alone, without a card that nobody has turned; trying changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from baccarat.client import command_id
from baccarat.table.role import Role
from house_of_roles import Asked, expect, is_problem, open_tables, production, sign_everybody_on
from served import audited, run_for, served
from watched_house import watched

pytestmark = pytest.mark.slow

NAME = "ma-midi-4"
WORK = f"/api/tables/{NAME}/work"


async def act(house: Asked, role: Role, do: str, **fields: Any) -> Any:
    """An act at the table that is taken."""
    headers = {"Idempotency-Key": command_id()}
    return await expect(house, 200, f"/api/tables/{NAME}/acts", {"do": do, **fields}, role, headers)


async def press(house: Asked, role: Role = Role.DEALER, **entered: Any) -> str:
    """Do the act that the console offers, with what somebody enters; its name."""
    offered = (await house.get(WORK, role=role)).json["acts"][0]
    command = dict(offered["command"])
    command.update({field["name"]: entered.get(field["name"], field["value"]) for field in offered["fields"]})
    await act(house, role, command.pop("do"), **command)
    return str(offered["what"])


def in_house(work: Any, tmp_path: Path) -> None:
    """A house for real tables with one table at which nobody has done anything."""

    async def inner() -> None:
        async with served(tmp_path, **production(tmp_path)) as (live, address):
            house = await sign_everybody_on(live, address)
            await open_tables(house, NAME)
            await work(house)
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(inner())


async def opened(house: Asked) -> None:
    """Cards come in, are shuffled, cut and burned; seat 3 has chips."""
    await act(house, Role.DEALER, "come_on", instead_of="dealer")
    await act(house, Role.PARTICIPANT, "sit", seat=3)
    await act(house, Role.DEALER, "buy_in", seat=3, amount=100_000)
    pressed = list[str]()
    while (await house.get(f"/api/tables/{NAME}", role=Role.DEALER)).json["step"] != "wager":
        work = (await house.get(WORK, role=Role.DEALER)).json
        role = Role.FLOORPERSON if not work["acts"] else Role.DEALER
        pressed.append(await press(house, role, set_id="blue 7", in_front=200, card="As"))
    assert pressed[:4] == ["receive_cards", "inspect", "verify", "spread"]
    assert {"shuffle_cards", "lace_cards", "decline_cut", "cut_cards", "burn_cards", "turn_burned"} <= set(pressed)


def test_a_shoe_is_made_ready_and_a_round_dealt_by_what_the_work_offers(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        await opened(house)
        await act(house, Role.PARTICIPANT, "place_wager", seat=3, on="banker", stake=22_500)
        cards, acts = iter(["6h", "7d", "7s", "8h", "8s"]), list[str]()
        while not acts or acts[-1] != "clear_table":
            shown = (await house.get(WORK, role=Role.DEALER)).json
            if not shown["acts"]:
                assert [each["act"] for each in shown["waiting"]] == ["return_cards"]
                await act(house, Role.PARTICIPANT, "return_cards", seat=3)
                continue
            needs = [field["name"] for field in shown["acts"][0]["fields"]]
            acts.append(await press(house, card=next(cards)) if needs else await press(house))
            if acts[-1] == "announce_result":
                line = (await house.get(WORK, role=Role.DEALER)).json["settlement"][0]
                assert (line["seat"], line["vigorish"], line["pay"], line["state"]) == (3, 1125, 22_500, "now")
                offered = (await house.get(WORK, role=Role.DEALER)).json["acts"][0]
                assert offered["what"] == "take_vigorish"
                replayed = f"/api/tables/{NAME}/shoes/1/replay?round=1"
            if acts[-1] == "take_vigorish":
                told = (await house.get(replayed, role=Role.SURVEILLANCE)).json["acts"][-1]["events"][0]
                assert told["event"] == "vigorish_taken"
                assert set(told["cites"]) <= set(offered["cites"]), "the console cites what the journal cites"
        assert acts[0] == "call_no_more_bets"
        assert acts[-4:] == ["announce_result", "take_vigorish", "pay", "clear_table"]

    in_house(work, tmp_path)


def test_what_an_act_would_lead_to_is_told_and_nothing_is_done(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        await opened(house)
        before = (await house.get(f"/api/tables/{NAME}/view", role=Role.DEALER)).json
        heads = dict(house.live.house.journal.heads)
        path, seen = f"/api/tables/{NAME}/outlook", {"do": "report_face_up", "card": "9d"}
        found = (await expect(house, 200, path, seen, Role.DEALER)).json
        assert [each["event"] for each in found["events"]] == ["face_up_found", "round_made_simulated", "step"]
        assert all(each["say"] and each["cites"] for each in found["events"])
        assert any("without wagers" in each["say"] for each in found["ahead"])
        wrong = (await expect(house, 200, path, {"do": "announce_result"}, Role.DEALER)).json["refused"]
        assert wrong["cites"]
        watched = (await expect(house, 200, path, seen, Role.SURVEILLANCE)).json["refused"]
        assert "surveillance" in watched["say"]
        is_problem(await house.ask("POST", path, {"do": "nothing"}, role=Role.DEALER), 400, "unreadable")
        assert (await house.get(f"/api/tables/{NAME}/view", role=Role.DEALER)).json == before
        assert dict(house.live.house.journal.heads) == heads

    in_house(work, tmp_path)


def test_the_floorperson_is_called_and_comes(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        path = f"/api/tables/{NAME}/floor-call"
        first = (await expect(house, 200, path, None, Role.DEALER)).json
        again = (await expect(house, 200, path, None, Role.DEALER)).json
        assert first == again
        assert first["by"] == house.people[Role.DEALER]
        calls = (await house.get("/api/floor-calls", role=Role.FLOORPERSON)).json["calls"]
        assert [each["table"] for each in calls] == [NAME]
        assert (await house.get(WORK, role=Role.DEALER)).json["floor_called"] == first
        assert (await house.ask("DELETE", path, role=Role.FLOORPERSON)).status == 204
        found = (await house.get("/api/floor-calls", role=Role.FLOORPERSON)).json
        assert found["calls"] == []
        assert [(each["name"], each["answered_name"]) for each in found["answered"]] == [
            ("dealer one", "floorperson one")
        ]
        console = (await house.get(WORK, role=Role.DEALER)).json
        assert console["floor_called"] is None
        assert console["floor_answered"]["answered_name"] == "floorperson one", "the dealer is told who comes"
        assert console["floor_answered"]["answered_at"] >= first["since"]
        second = (await expect(house, 200, path, None, Role.DEALER)).json
        assert second["since"] > first["since"], "a new call, whoever answered the last"
        assert (await house.get(WORK, role=Role.DEALER)).json["floor_answered"] is None, "that was another call"
        assert (await house.ask("DELETE", path, role=Role.DEALER)).status == 204
        found = (await house.get("/api/floor-calls", role=Role.FLOORPERSON)).json
        assert (found["calls"], found["answered"]) == ([], [])
        assert [(each["table"], each["name"]) for each in found["withdrawn"]] == [(NAME, "dealer one")]
        assert found["withdrawn"][0]["withdrawn_at"] >= second["since"]
        assert (await house.get(WORK, role=Role.DEALER)).json["floor_called"] is None
        is_problem(await house.ask("POST", path, role=Role.PARTICIPANT), 403)

    in_house(work, tmp_path)


@pytest.mark.parametrize("role", [None, Role.PARTICIPANT, Role.CAGE_CASHIER, Role.ADMINISTRATOR])
def test_the_work_of_a_table_is_for_those_who_work_or_watch_there(role: Role | None, tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        found = await house.get(WORK, role=role)
        is_problem(found, 401 if role is None else 403)

    in_house(work, tmp_path)


def test_what_was_paid_in_any_round_of_the_shoe_is_found_in_words_and_corrected_only_by_what_is_owed(
    tmp_path: Path,
) -> None:
    async def work(house: Asked) -> None:
        table = f"/api/tables/{NAME}"

        async def entries(number: int) -> Any:
            return (await house.get(f"{table}/rounds/{number}/corrigible", role=Role.FLOORPERSON)).json["entries"]

        rounds = range(1, 6)
        of_rounds = [await entries(number) for number in rounds]
        assert any(of_rounds), "somebody was paid, or lost; in a tie his stake came back"
        for found in of_rounds:
            assert all(each["command"]["do"] == "correct_payment" for each in found), (
                "cards of an electronic shoe stand"
            )
            assert all(each["say"] and each["cites"] for each in found)
            assert all(each["seconds"] == ["dealer"] for each in found)
        numbers = [each["number"] for found in of_rounds for each in reversed(found)]
        assert numbers == sorted(numbers)
        command = {**next(filter(None, of_rounds))[0]["command"], "amount": 500, "reason": "paid too little"}
        outlook = (await expect(house, 200, f"{table}/outlook", command, Role.FLOORPERSON)).json
        assert "the cards owe seat 2 nothing" in outlook["refused"]["say"]
        house.live.house._recent.clear()  # as after a restart: events are read from the store
        assert [await entries(number) for number in rounds] == of_rounds
        assert (await expect(house, 200, f"{table}/outlook", command, Role.FLOORPERSON)).json == outlook
        is_problem(await house.get(f"{table}/rounds/999/corrigible", role=Role.FLOORPERSON), 404, "no_such_round")

    watched(work, tmp_path, rounds=5)
