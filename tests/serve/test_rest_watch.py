"""For those who watch: alerts found in what is on the disk, audits on demand, the page about a round, and nudges."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from baccarat.client import command_id
from baccarat.house.stream import Stream, table_stream
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.fanout.table_room import Subscriber
from baccarat.serve.job.upkeep import do_upkeep
from baccarat.serve.store.base import Batch, Statement
from baccarat.serve.watch.alert import AlertKind, DayWin, OpenProposal, correction_alert, is_late, outside_band
from baccarat.table.role import Role
from baccarat.table.shoe_state import Shoe
from baccarat.table.state import TableState
from house_of_roles import Asked, is_problem, sign_everybody_on
from played import next_round, play_round
from served import run_for
from watched_house import TABLE, late_wager, two_shoes_played, visited, watched


def standing(win: int, rounds: int = 100) -> DayWin:
    return DayWin(table="one", day="1", rounds=rounds, win=win, low=-100_00, high=200_00)


def test_a_win_outside_its_band_is_an_alert_once_there_were_some_rounds() -> None:
    assert outside_band(standing(200_00), 7) is None
    assert outside_band(standing(-100_00), 7) is None
    found = outside_band(standing(200_01), 7)
    assert found is not None
    assert found.kind is AlertKind.OUTSIDE_BAND
    assert "$200.01" in found.say
    assert outside_band(standing(-100_01), 7) is not None
    assert outside_band(standing(500_00, rounds=29), 7) is None, "a few rounds say nothing"


def test_only_a_correction_that_waits_is_an_alert() -> None:
    waiting = OpenProposal(id="x", table="one", act="correct_payment", role="dealer", by=("floorperson",), at=5)
    found = correction_alert(waiting)
    assert found is not None
    assert found.say == "The dealer asks to correct a payment; it waits for a floorperson."
    other = OpenProposal(id="x", table="one", act="order_recut", role="dealer", by=("floorperson",), at=5)
    assert correction_alert(other) is None


def test_a_shoe_is_late_with_less_than_a_quarter_before_the_cover_card() -> None:
    shoe = Shoe(decks=8, cover=16)  # 400 cards lie before the cover card
    assert not is_late(TableState(step="wager", shoe=Shoe(decks=8, next=399)))
    assert not is_late(TableState(step="wager", shoe=Shoe(decks=8, cover=16, next=300)))
    assert is_late(TableState(step="wager", shoe=Shoe(decks=8, cover=16, next=301)))
    assert not is_late(TableState(step="wager", shoe=shoe))


@pytest.mark.slow
def test_a_late_wager_that_was_refused_is_an_alert_with_its_clause(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        for role in (Role.SURVEILLANCE, Role.REGULATOR):
            found = (await house.get("/api/alerts", role=role)).json["alerts"]
            late = [each for each in found if each["kind"] == "late_wager"]
            assert late, found
            assert late[0]["table"] == "ma-midi-4"
            assert late[0]["say"] == "Seat 2 tried to wager $5.00 on Tie after “no more bets”."
            assert late[0]["cites"]
            assert late[0]["seq"] > 0
        again = (await house.get("/api/alerts?table=ma-midi-4", role=Role.SURVEILLANCE)).json["alerts"]
        assert [each["id"] for each in again if each["kind"] == "late_wager"] == [each["id"] for each in late]
        assert (await house.get("/api/alerts?table=nj-punto-banco", role=Role.SURVEILLANCE)).json["alerts"] == []
        for other, status in ((None, 401), (Role.PARTICIPANT, 403), (Role.DEALER, 403)):
            assert (await house.get("/api/alerts", role=other)).status == status

    watched(work, tmp_path, rounds=1)


@pytest.mark.slow
def test_an_alert_that_a_correction_is_asked_for_leads_to_the_payment(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        number, entries = 0, list[Any]()
        while not entries:  # in a tie his stake came back, and there is nothing to correct
            number += 1
            entries = (await house.get(f"{TABLE}/rounds/{number}/corrigible", role=Role.FLOORPERSON)).json["entries"]
        command = {**entries[0]["command"], "amount": 500, "reason": "paid too little"}
        body, key = {"stream": "table ma-midi-4", "command": command}, {"Idempotency-Key": command_id()}
        assert (await house.ask("POST", "/api/proposals", body, role=Role.FLOORPERSON, headers=key)).status == 201
        found = (await house.get("/api/alerts", role=Role.SURVEILLANCE)).json["alerts"]
        (asked,) = (each for each in found if each["kind"] == "correction_asked")
        assert (asked["shoe"], asked["round"]) == (1, number), "the round of the payment, which is long over"
        replay = (await house.get(f"{TABLE}/shoes/1/replay?round={number}", role=Role.SURVEILLANCE)).json
        (act,) = (each for each in replay["acts"] if each["seq"] == asked["seq"])
        assert command["corrects"] in [event["number"] for event in act["events"]]

    watched(work, tmp_path, rounds=5)


@pytest.mark.slow
def test_a_maximum_wager_late_in_the_shoe_is_an_alert(tmp_path: Path) -> None:
    async def inner() -> None:
        async with visited(tmp_path) as here:
            live, client, table = here.live, here.client, here.table
            house = await sign_everybody_on(live, here.address)
            assert (await table.do("sit", seat=2)).is_done
            most = (await house.get(TABLE)).json["limits"]["player"]["max"]
            await client.buy_in(table.name, most * 40)
            late = 0
            while live.house.state.tables["ma-midi-4"].shoe.number == 0 and not late:
                await table.until(lambda seen: seen["state"]["step"] == "wager")
                is_now = is_late(live.house.state.tables["ma-midi-4"])
                stake = most if is_now or table.state["round"]["number"] < 3 else 2_500
                placed = await table.do("place_wager", seat=2, on="player", stake=stake)
                late += is_now and placed.is_done
                await asyncio.sleep(0.01)
            found = (await house.get("/api/alerts", role=Role.SURVEILLANCE)).json["alerts"]
            told = [each for each in found if each["kind"] == "maximum_late"]
            assert len(told) == 1, "early in the shoe a maximum is nothing to look at"
            assert "wagers the maximum" in told[0]["say"]

    run_for(inner())


async def audited(house: Asked, stream: Stream) -> dict[str, Any]:
    path = f"/api/streams/{stream.replace(' ', '%20')}/audit"
    begun = await house.ask("POST", path, role=Role.REGULATOR)
    assert begun.status == 202, begun
    while True:
        found: dict[str, Any] = (await house.get(f"/api/audits/{begun.json['id']}", role=Role.SURVEILLANCE)).json
        if found["state"] != "running":
            return found
        await asyncio.sleep(0.02)


@pytest.mark.slow
def test_a_stream_is_audited_on_demand_and_a_changed_record_is_found(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        found = await audited(house, Stream("table ma-midi-4"))
        assert (found["state"], found["clean"], found["findings"]) == ("done", True, [])
        assert found["read"] >= found["entries"]
        checks = {check["name"]: check for check in found["checks"]}
        assert checks["decided again"]["times"] > 20
        assert checks["chain"]["failed"] == 0
        for role, status in ((None, 401), (Role.PARTICIPANT, 403), (Role.DEALER, 403)):
            assert (await house.ask("POST", "/api/streams/table%20ma-midi-4/audit", role=role)).status == status
        is_problem(
            await house.ask("POST", "/api/streams/table%20none/audit", role=Role.SURVEILLANCE), 404, "no_such_stream"
        )
        is_problem(await house.get("/api/audits/none", role=Role.SURVEILLANCE), 404, "no_audit")
        judged = f"/api/audits/{found['id']}/discretion"
        assert found["judged"]
        for role in (Role.SURVEILLANCE, Role.REGULATOR):
            assert set((await house.get(judged, role=role)).json) == {"acts", "persons"}
        for other, status in ((None, 401), (Role.PARTICIPANT, 403), (Role.DEALER, 403)):
            assert (await house.get(judged, role=other)).status == status
        is_problem(await house.get("/api/audits/none/discretion", role=Role.SURVEILLANCE), 404, "no_audit")
        seq = found["entries"] // 2
        entry = house.live.store.entry(Stream("table ma-midi-4"), seq)
        assert entry is not None
        forged = entry.body.replace(b'"who":"', b'"who":"x', 1)
        assert forged != entry.body
        sql = "update entry set body = ? where stream = (select id from stream where name = ?) and seq = ?"
        await house.live.house.writer.wait_until_flushed()
        await house.live.house.writer.run_exclusive(
            lambda: house.live.store.append(
                Batch(statements=[Statement(sql, (forged, "table ma-midi-4", seq), changes=1)])
            )
        )
        wrong = await audited(house, Stream("table ma-midi-4"))
        assert not wrong["clean"]
        assert wrong["findings"][0]["kind"] == "chain"
        assert wrong["findings"][0]["record"] == seq
        told = (await house.get(f"{TABLE}/shoes/1/replay?round=1", role=Role.SURVEILLANCE)).json["acts"]
        later = (await house.get(f"{TABLE}/shoes/1/replay?round=2", role=Role.SURVEILLANCE)).json["acts"]
        assert [act["seq"] for act in (*told, *later) if not act["follows"]] == [seq], "the record panel shows it, too"

    watched(work, tmp_path, rounds=2)


@pytest.mark.slow
def test_shoes_of_a_practice_table_are_audited_after_older_ones_were_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def inner() -> None:
        async with two_shoes_played(tmp_path, monkeypatch) as here:
            live = here.live
            house = await sign_everybody_on(live, here.address)
            await do_upkeep(live, "ma-midi-4", list(live.house.shoe_ends["ma-midi-4"]))
            found = await audited(house, table_stream("ma-midi-4"))
            assert (found["state"], found["clean"]) == ("done", True), found
            checks = {check["name"]: check for check in found["checks"]}
            assert checks["decided again"]["times"] > 100
            assert checks["earlier shoes"]["left_out"]

    run_for(inner())


@pytest.mark.slow
def test_the_dispute_card_of_a_round_is_a_page_under_the_same_policy(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        card = await house.get(f"{TABLE}/shoes/1/rounds/1/card", role=Role.SURVEILLANCE)
        assert card.status == 200
        assert card.headers["content-type"].startswith("text/html")
        assert "Round 1 of shoe 1, table ma-midi-4" in card.text
        assert "Nothing is wrong with this record" in card.text
        assert "<style" not in card.text
        assert 'href="/card.css"' in card.text
        style = await house.get("/card.css")
        assert style.headers["content-type"].startswith("text/css")
        is_problem(await house.get(f"{TABLE}/shoes/1/rounds/99/card", role=Role.SURVEILLANCE), 404)

    watched(work, tmp_path, rounds=1)


@pytest.mark.slow
def test_a_table_where_nothing_was_done_yet_is_watched_like_any_other(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        idle, role = "/api/tables/nj-punto-banco", Role.SURVEILLANCE
        signed = (await house.get("/api/streams/table%20nj-punto-banco/signed", role=role)).json
        assert (signed["entries"], signed["newest"]) == (0, None)
        told = (await house.get(f"{idle}/shoes/1/replay?round=1", role=role)).json
        assert told["acts"] == []
        assert (await house.get(f"{idle}/shoes/1/search?words=seat", role=role)).json["found"] == []
        is_problem(await house.get("/api/streams/table%20none/signed", role=role), 404, "no_such_stream")

    watched(work, tmp_path, rounds=1)


@pytest.mark.slow
def test_who_watches_is_told_how_far_the_journal_has_come_and_nobody_else_is(tmp_path: Path) -> None:
    async def inner() -> None:
        async with visited(tmp_path) as here:
            live, table = here.live, here.table
            lines = dict[Role, list[dict[str, Any]]]()
            for role in Role:
                lines[role] = []
                line = Outbox(most=100_000)
                line.put = lambda text, role=role: lines[role].append(json.loads(text))  # type: ignore[method-assign,misc]
                live.rooms["ma-midi-4"].join(Subscriber("", role, line))
            await play_round(table, here.client)
            await next_round(table)
            await late_wager(table)
            await live.house.writer.wait_until_flushed()
            watching = {Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR}
            assert {role for role in Role if any(said["type"] == "noted" for said in lines[role])} == watching
            told = [said["seq"] for said in lines[Role.SURVEILLANCE] if said["type"] == "noted"]
            assert told == sorted(told)
            assert told[-1] == live.store.heads()[Stream("table ma-midi-4")].seq, "up to the refusal"

    run_for(inner())


@pytest.mark.slow
def test_nobody_is_told_that_the_house_is_watching_a_table(tmp_path: Path) -> None:
    """The number of those who watch counts the public and participants: it would show when surveillance looks."""

    async def inner() -> None:
        async with visited(tmp_path) as here:
            live, before = here.live, len(here.live.rooms["ma-midi-4"].guests)
            for role in Role:
                live.rooms["ma-midi-4"].join(Subscriber("", role, Outbox()))
            for path in ("/api/tables/ma-midi-4", "/api/tables"):
                told = await here.client.ask("GET", path)
                card = next(each for each in told.get("tables", [told]) if each["table"] == "ma-midi-4")
                assert card["watching"] == before + 2, path

    run_for(inner())
