"""What was played, by REST: pages, one round, roads, journals and bundles, all from what is on the disk."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.audit.bundle.make import BundleJournal
from baccarat.audit.journal import audit_journals
from baccarat.client import Client
from baccarat.house.stream import Stream
from baccarat.play.road import Outcome
from baccarat.record.journal_file import read_journal
from baccarat.serve.job.upkeep import do_upkeep
from baccarat.serve.live import HouseServer
from baccarat.serve.route.cached import tag_of
from baccarat.serve.route.round import tag_of_round
from baccarat.serve.runtime.round_index import rounds_of_shoe
from baccarat.table.role import Role
from baccarat.table.view import Viewer
from house_of_roles import Asked, is_problem, sign_everybody_on
from paths import ROOT
from played import next_round, play_round
from served import run_for, served

pytestmark = pytest.mark.slow

TABLE = "/api/tables/ma-midi-4"
ROUNDS = 5


def after_rounds(work: Any, tmp_path: Path, rounds: int = ROUNDS) -> None:
    """Ask a house in which a visitor has played some rounds."""

    async def inner() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            house = await sign_everybody_on(live, address)
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await play_round(table, client)
                for _ in range(rounds - 1):
                    await next_round(table)
            await live.house.writer.wait_until_flushed()
            await work(house)

    run_for(inner())


def recorded(live: HouseServer, folder: Path) -> BundleJournal:
    """The table's journal, read as a file."""
    from baccarat.serve.store.journal_export import stream_journal  # noqa: PLC0415

    path = folder / "table.jsonl"
    path.write_bytes(b"".join(stream_journal(live.store, Stream("table ma-midi-4"))))
    return BundleJournal(read_journal(path))


def test_rounds_come_in_pages_newest_first_and_all_of_them(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        found, cursor = list[tuple[int, int]](), ""
        while True:
            page = (await house.get(f"{TABLE}/rounds?limit=2&cursor={cursor}")).json
            assert 0 < len(page["rounds"]) <= 2
            found += [(each["shoe"], each["round"]) for each in page["rounds"]]
            cursor = page["next"]
            if not cursor:
                break
        assert found == [(1, number) for number in range(ROUNDS, 0, -1)]
        shoes = (await house.get(f"{TABLE}/shoes")).json["shoes"]
        assert shoes[0]["rounds"] == ROUNDS
        assert (await house.get(TABLE)).json["shoe"] == shoes[0]["shoe"] == 1, "a shoe has one number everywhere"
        other = (await house.get("/api/tables/nj-punto-banco/rounds")).json
        assert other["rounds"] == []

    after_rounds(work, tmp_path)


def test_the_index_says_what_the_journal_says(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        listed = (await house.get(f"{TABLE}/rounds")).json["rounds"]
        results = list[dict[str, Any]]()
        for number in range(1, ROUNDS + 1):
            events = (await house.get(f"{TABLE}/shoes/1/rounds/{number}")).json["events"]
            kinds = [each["event"]["event"] for each in events]
            assert kinds.count("result_announced") == 1
            assert kinds[-1] in ("table_cleared", "step"), "the round ends where it is cleared"
            results.append(next(each["event"] for each in events if each["event"]["event"] == "result_announced"))
        for row, told in zip(reversed(listed), results, strict=True):
            assert row["result"]["outcome"] == told["outcome"]
            assert row["result"]["player"]["count"] == told["player"]
            assert row["result"]["banker"]["count"] == told["banker"]
        roads = (await house.get(f"{TABLE}/roads")).json
        assert roads["results"] == "".join(Outcome(each["outcome"]).letter for each in results)
        assert recorded(house.live, tmp_path).history(Stream("table ma-midi-4")).rounds() == {1: ROUNDS}

    after_rounds(work, tmp_path)


def test_a_decision_comes_with_its_clauses_and_a_sentence(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        for role in (None, Role.PARTICIPANT, Role.DEALER, Role.SURVEILLANCE):
            told = (await house.get(f"{TABLE}/shoes/1/rounds/1", role=role)).json
            announced = next(each for each in told["events"] if each["event"]["event"] == "result_announced")
            assert announced["event"]["cites"]
            assert announced["say"]
            assert ("acts" in announced["event"]) is (role is not None), (
                "payments lie on the felt for those at the table"
            )
        seen = [each["say"] for each in told["events"]]
        assert all(seen), "whoever sees everything is told everything"

    after_rounds(work, tmp_path, 1)


def test_a_round_that_is_over_never_changes_and_need_not_be_sent_again(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        path = f"{TABLE}/shoes/1/rounds/1"
        first = await house.get(path)
        assert "immutable" in first.headers["cache-control"]
        again = await house.ask("GET", path, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status, again.body) == (304, b"")
        staff = await house.ask("GET", path, role=Role.DEALER, headers={"If-None-Match": first.headers["etag"]})
        assert staff.status == 200, "another role sees another answer"
        road = await house.get(f"{TABLE}/roads")
        assert (await house.ask("GET", f"{TABLE}/roads", headers={"If-None-Match": road.headers["etag"]})).status == 304
        assert (await house.get(f"{TABLE}/roads.txt")).text.startswith("Bead plate")

    after_rounds(work, tmp_path, 1)


def test_nobody_finds_out_by_trying_from_the_tag_of_a_round_how_much_happened_that_is_hidden(tmp_path: Path) -> None:
    """The house's id is no secret: a device is given it with its challenge. The rest of a tag can be tried."""

    async def work(house: Asked) -> None:
        live = house.live
        known = (await house.ask("POST", "/api/devices/any/challenge")).json["house"]
        assert known == live.store.id.hex()
        played = next(each for each in rounds_of_shoe(live.store, Stream("table ma-midi-4"), 1) if each.round == 1)
        tag = (await house.get(f"{TABLE}/shoes/1/rounds/1")).headers["etag"]
        viewers = [Viewer(Role.PUBLIC)]
        parts = known, "ma-midi-4", played.shoe, played.round
        assert tag not in {tag_of(*parts, number, sorted(map(repr, viewers))) for number in range(5_000)}
        told = (await house.get(f"{TABLE}/rounds")).json["rounds"]
        assert {"shoe", "round", "at"} <= set(told[0]), "everybody is told these"
        others = [msgspec.structs.replace(played, last_seq=number) for number in range(20)]
        assert {tag_of_round(known, "ma-midi-4", each, viewers) for each in others} == {tag}

    after_rounds(work, tmp_path)


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        for shoe, number in ((1, 3), (2, 1), (0, 1), (1, 0), (10**15, 1), (1, 10**18)):
            is_problem(await house.get(f"{TABLE}/shoes/{shoe}/rounds/{number}"), 404, "no_such_round")
            is_problem(await house.get(f"{TABLE}/shoes/{shoe}/rounds/{number}/bundle"), 404, "no_such_round")
        is_problem(await house.get(f"{TABLE}/roads?shoe=7"), 404, "no_such_shoe")
        is_problem(await house.get("/api/streams/table%20nowhere/journal"), 404, "no_such_stream")

    after_rounds(work, tmp_path, 1)


def test_journals_that_are_fetched_pass_the_audit(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        whole = await house.get("/api/journal")
        assert whole.headers["content-type"].startswith("application/x-ndjson")
        path = tmp_path / "fetched.jsonl"
        path.write_bytes(whole.body)
        report = audit_journals([path])
        assert not report.findings
        names = [each["name"] for each in (await house.get("/api/streams")).json["streams"]]
        assert {"house", "table ma-midi-4", "pit ma-midi-4"} <= set(names)

    after_rounds(work, tmp_path, 2)


def test_a_bundle_that_is_fetched_is_verified_by_somebody_else(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        for name, path in (("round", f"{TABLE}/shoes/1/rounds/2/bundle"), ("shoe", f"{TABLE}/shoes/1/bundle")):
            found = await house.get(path)
            assert found.status == 200
            file = tmp_path / f"{name}.json"
            file.write_bytes(found.body)
            words = [sys.executable, str(ROOT / "verifier" / "verify_baccarat.py"), str(file)]
            run = subprocess.run(words, capture_output=True, text=True, check=False)
            assert run.returncode == 3, run.stdout + run.stderr
            file.write_bytes(
                found.body.replace(b'"outcome":"banker"', b'"outcome":"player"', 1).replace(b"2500", b"9900", 1)
            )
            run = subprocess.run(words, capture_output=True, text=True, check=False)
            assert run.returncode in (1, 2), "a bundle that was changed is found out"

    after_rounds(work, tmp_path, 2)


def test_the_index_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await play_round(table, client)
        async with served(tmp_path) as (live, address), Client(address) as client:
            house = await sign_everybody_on(live, address)
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await play_round(table, client, seat=4)
            await live.house.writer.wait_until_flushed()
            listed = (await house.get(f"{TABLE}/rounds")).json["rounds"]
            numbers = [(each["shoe"], each["round"]) for each in listed]
            assert numbers == sorted(set(numbers), reverse=True)
            assert numbers[-1] == (1, 1)
            assert len(numbers) >= 2

    run_for(work())


def test_what_a_practice_table_has_dropped_is_gone_and_the_rest_is_there(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        live = house.live
        await live.table_jobs.stop_at("ma-midi-4")
        rows = rounds_of_shoe(live.store, Stream("table ma-midi-4"), 1)
        before = (await house.get(f"{TABLE}/shoes/1/rounds/4")).json
        await do_upkeep(live, "ma-midi-4", [rows[2].last_seq, live.house.journal.head(Stream("table ma-midi-4")).seq])
        listed = (await house.get(f"{TABLE}/rounds")).json["rounds"]
        assert [each["round"] for each in listed] == [5, 4]
        assert (await house.get(f"{TABLE}/shoes/1/rounds/4")).json == before
        is_problem(await house.get(f"{TABLE}/shoes/1/rounds/3"), 410)
        is_problem(await house.get(f"{TABLE}/shoes/1/rounds/1"), 404, "no_such_round")
        is_problem(await house.get(f"{TABLE}/shoes/1/rounds/4/bundle"), 410, "dropped")
        is_problem(await house.get(f"{TABLE}/shoes/1/proof"), 410)
        is_problem(await house.get("/api/journal"), 410, "dropped")
        assert (await house.get("/api/streams/table%20ma-midi-4/journal")).status == 200

    after_rounds(work, tmp_path)


def test_exports_hold_the_same_rounds(tmp_path: Path) -> None:
    async def work(house: Asked) -> None:
        rows = (await house.get("/api/exports/tables/ma-midi-4/rounds.csv")).text.splitlines()
        lines = (await house.get("/api/exports/tables/ma-midi-4/rounds.jsonl")).text.splitlines()
        assert len(rows) == 1 + ROUNDS
        assert len(lines) == ROUNDS
        assert rows[0].startswith("shoe,round,at,kind,outcome")
        figures = (await house.get("/api/exports/day.csv")).text.splitlines()
        assert figures[0].startswith("table,rounds,drop,win,hold")
        assert figures[-1].startswith("all tables,")

    after_rounds(work, tmp_path)
