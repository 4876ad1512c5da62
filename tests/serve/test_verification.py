"""Verification in the background: a process of its own, what it shows people, and that it stops nothing."""

from __future__ import annotations

import asyncio
import io
import json
import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from baccarat.client import Client
from baccarat.house.stream import stream_name, table_stream
from baccarat.record.entry import hash_after
from baccarat.serve.job import verification
from baccarat.serve.job.upkeep import do_upkeep
from baccarat.serve.job.verification import MOVED, Verification, VerificationFault, run_process, run_verification
from baccarat.serve.job.verification_process import (
    MODULE,
    StoreUnreadable,
    VerificationBug,
    VerificationOrder,
    VerificationProgress,
)
from baccarat.serve.live import HouseServer
from baccarat.serve.ops.log import ServerLog
from baccarat.serve.route.watch import find_alerts
from baccarat.serve.runtime.resume_point import POINT, STATUS
from baccarat.serve.store.base import Batch
from baccarat.serve.store.sqlite import SqliteStore
from baccarat.serve.store.sqlite_reads import SqliteReads
from baccarat.serve.watch.alert import AlertKind
from baccarat.table.role import Role
from golden_stores import TABLE, copied
from playing import play_rounds, sit_down
from postgres_server import PostgresServer
from served import run_for, served, soon

pytestmark = pytest.mark.slow
STREAM = table_stream(TABLE)
DROPS = table_stream("ma-midi-4-ez")
"""The table of `play_on`."""


async def said(address: str, path: str) -> list[str]:
    """The lines of an operator's page."""
    async with httpx.AsyncClient(base_url=address) as http:
        answer = await http.get(path)
        assert answer.status_code == 200
        return answer.text.splitlines()


async def verify(live: HouseServer) -> Verification:
    """Verify a house once, as after its start."""
    made = Verification(live, share=1.0)
    await made.run_once()
    return made


async def play_on(address: str) -> None:
    """Play a round: nothing has stopped the house."""
    async with Client(address) as client:
        await client.visit()
        async with client.table("ma-midi-4-ez") as table:
            await sit_down(client, table)
            await play_rounds(table, 1)


def forge_entry(folder: Path) -> None:
    """Put other chips into the last buy-in of the table, and compute all later hashes anew, in entries and head."""
    with closing(sqlite3.connect(folder / "house.db")) as connection:
        ((number, log_seq),) = connection.execute(
            "select id, log_seq from stream join head on head.stream = stream.id where name = ?", (STREAM,)
        )  # fmt: skip
        ((hash_,),) = connection.execute(
            "select last_hash from archive where stream = ? and last_seq = ?", (number, log_seq - 1)
        )  # fmt: skip
        sql = "select position, body from entry where stream = ? order by seq"
        is_forged = False
        for position, body in connection.execute(sql, (number,)).fetchall():
            head, mark, tail = body.partition(b'"events":')
            new = body
            if not is_forged and b'"amount":' in tail:
                new, is_forged = head + mark + tail.replace(b'"amount":', b'"amount":9', 1), True
            hash_ = hash_after(hash_, new)
            sql = "update entry set body = ?, hash = ? where position = ?"
            connection.execute(sql, (new, hash_, position))
        assert is_forged
        connection.execute("update head set hash = ? where stream = ?", (hash_, number))
        connection.execute("delete from snapshot")
        connection.commit()


def test_a_house_says_how_far_its_history_was_verified_and_resumes_there(tmp_path: Path) -> None:
    copied("0.1.0", tmp_path)

    async def work() -> None:
        async with served(tmp_path, verify_share=1.0) as (live, address):
            assert await said(address, "/readyz") == ["ok"]
            await verify(live)
            status = live.history.status
            assert status.verified == status.entries >= 164
            assert status.findings == ()
            assert await said(address, "/readyz") == ["ok", f"history {status}"]
            figures = live.metrics.page().decode()
            assert f"baccarat_verified_entries {status.verified}.0" in figures
            assert "baccarat_history_findings 0.0" in figures
            point = live.store.setting(POINT)
            assert point is not None
            await play_on(address)
        async with served(tmp_path) as (live, _):
            stored = await Verification(live, share=1.0).read_point()
            assert stored, "it was stored, and is this house's own"
            order = VerificationOrder(db=live.setting.db, share=1.0, point=stored, compares_bytes=False)
            found = [report async for report in run_process(order)]
            assert all(isinstance(each, VerificationProgress) and each.verified >= status.verified for each in found)
            await verify(live)
            assert live.history.status.verified > status.verified
            assert live.history.status.findings == ()

    run_for(work())


def test_a_forged_entry_alerts_people_and_stops_nothing(tmp_path: Path) -> None:
    copied("0.1.0", tmp_path)
    forge_entry(tmp_path)
    stream = io.StringIO()

    async def work() -> None:
        async with served(tmp_path, log=ServerLog(json=True, file=stream)) as (live, address):
            verification = await verify(live)
            (found,) = live.history.status.findings
            assert found.stream == STREAM
            assert found.seq > 0
            (alert,) = [each for each in await find_alerts(live) if each.kind is AlertKind.HISTORY]
            assert (alert.table, alert.say) == (TABLE, f"{found}.")
            assert [each.id for each in await find_alerts(live, TABLE) if each.kind is AlertKind.HISTORY] == [alert.id]
            assert not [each for each in await find_alerts(live, "ma-midi-1") if each.kind is AlertKind.HISTORY]
            async with Client(address) as client:
                await client.visit(Role.FLOORPERSON)
                assert (await client.ask("GET", "/api/floor"))["history"] == str(found)
            first, wrong, _ = await said(address, "/readyz")
            assert (first, wrong) == ("ok", f"not well: history: {found}")
            assert "baccarat_history_findings 1.0" in live.metrics.page().decode()
            assert live.store.setting(POINT) is None, "no later start begins behind it"
            await play_on(address)
            await verification.run_once()
            assert live.history.status.findings == (found,)
        lines = [json.loads(line) for line in stream.getvalue().splitlines()]
        assert [line["level"] for line in lines if line["event"] == "history_wrong"] == ["error"]

    run_for(work())


def test_a_point_that_was_moved_by_hand_is_reported_and_everything_decided_again(tmp_path: Path) -> None:
    copied("0.1.0", tmp_path)

    async def work() -> None:
        async with served(tmp_path) as (live, _):
            await verify(live)
            text = live.store.setting(POINT)
            assert text is not None
            held = json.loads(text)
            held["mac"] = "0" * 64
            settings = {POINT: json.dumps(held)}
            await live.house.writer.run_exclusive(lambda: live.store.append(Batch(settings=settings)))
            await verify(live)
            assert live.history.status.findings == (MOVED,)
            assert live.history.status.verified == live.history.status.entries
            (alert,) = [each for each in await find_alerts(live) if each.kind is AlertKind.HISTORY]
            assert alert.table == ""
            assert live.store.setting(POINT) != settings[POINT], "it stands where it should again"

    run_for(work())


def test_no_store_is_read_or_written_on_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied("0.1.0", tmp_path)
    calls = list[str]()

    def guarded(kind: type[Any], name: str, loop: int) -> None:
        plain = getattr(kind, name)

        def call(*given: Any, **named: Any) -> Any:
            calls.append(name)
            assert threading.get_ident() != loop, f"{name} is called on the event loop"
            return plain(*given, **named)

        monkeypatch.setattr(kind, name, call)

    async def work() -> None:
        async with served(tmp_path) as (live, _):
            await live.jobs.stop_all()
            with monkeypatch.context():
                guarded(SqliteReads, "_rows", threading.get_ident())
                guarded(SqliteStore, "append", threading.get_ident())
                await verify(live)
            monkeypatch.undo()
            assert {"_rows", "append"} <= set(calls)
            assert live.history.status.verified >= 164

    run_for(work())


# ---------------------------------------------------------------------------------------------- the process


def test_its_process_lets_every_other_go_first() -> None:
    code = (
        "import os; from baccarat.serve.runtime.bounded_share import lower_priority as lower; lower(); "
        "print(os.nice(0), os.sched_getscheduler(0) == os.SCHED_IDLE)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["19", "True"]


def test_a_process_that_is_killed_or_cannot_read_is_no_verified_history(tmp_path: Path) -> None:
    copied("0.1.0", tmp_path)

    async def work() -> None:
        order = VerificationOrder(db=str(tmp_path / "none.db"), share=1.0)
        (report,) = [each async for each in run_process(order)]
        assert report == StoreUnreadable(f"{tmp_path / 'none.db'}: there is no such file")
        async with served(tmp_path, verify_share=1.0) as (live, address):
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(verification, "MODULE", "baccarat.no_such_module")
                with pytest.raises(VerificationFault, match="was ended"):
                    await verify(live)
                patched.setattr(verification, "FIRST_SECONDS", 0)
                live.jobs.start("history", lambda: run_verification(live))
                await soon(lambda: any(each.name == "history" for each in live.jobs.unwell))
            assert live.history.status.at == 0
            lines = await said(address, "/readyz")
            assert lines[0] == "ok"
            assert lines[1].startswith("not well: history: failed once")

    run_for(work())


def test_a_history_that_cannot_be_read_is_not_well_until_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied("0.1.0", tmp_path)
    monkeypatch.setattr(verification, "FIRST_SECONDS", 0)
    monkeypatch.setattr(verification, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(verification, "AGAIN_SECONDS", 0)

    async def work() -> None:
        async with served(tmp_path) as (live, address):
            db = str(tmp_path / "moved.db")
            monkeypatch.setattr(live, "setting", msgspec.structs.replace(live.setting, db=db, verify_share=1.0))
            live.jobs.start("history", lambda: run_verification(live))
            await soon(lambda: live.history.is_unreadable)
            ok, *lines = await said(address, "/readyz")
            assert ok == "ok"
            say = "it is not verified, because the process that verifies it cannot read the database; see the log"
            assert lines == [f"not well: history: {say}"], "and not where it is"
            (tmp_path / "moved.db").symlink_to(tmp_path / "house.db")
            await soon(lambda: live.history.status.at > 0)
            assert await said(address, "/readyz") == ["ok", f"history {live.history.status}"]

    run_for(work())


def test_a_process_that_ends_before_it_has_read_its_order_reports_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = VerificationOrder(db=str(tmp_path / "none.db"), share=1.0)
    started = verification._Reports._started

    def ended() -> subprocess.Popen[bytes]:
        process = started()
        process.wait()
        return process

    async def work() -> None:
        assert [each async for each in run_process(order)] == []

    monkeypatch.setattr(verification, "MODULE", "baccarat.no_such_module")
    monkeypatch.setattr(verification._Reports, "_started", staticmethod(ended))
    run_for(work())


def test_a_bug_in_its_process_is_named_by_kind_and_place(tmp_path: Path) -> None:
    copied("0.1.0", tmp_path)
    with closing(sqlite3.connect(tmp_path / "house.db")) as connection:
        connection.execute("alter table done rename to gone")
        connection.commit()

    async def work() -> None:
        order = VerificationOrder(db=str(tmp_path / "house.db"), share=1.0)
        found = [each async for each in run_process(order)]
        assert isinstance(found[-1], VerificationBug)
        assert "sqlite_reads.py" in found[-1].place

    run_for(work())


def processes() -> list[str]:
    """The processes that verify for this one."""
    found = subprocess.run(
        ["ps", "-o", "args=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=False
    )
    return [line for line in found.stdout.splitlines() if MODULE in line and "defunct" not in line]


def test_a_house_verifies_by_itself_and_the_process_ends_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied("0.1.0", tmp_path)
    monkeypatch.setattr(verification, "FIRST_SECONDS", 0)

    async def work() -> None:
        async with served(tmp_path, verify_share=1.0) as (live, _):
            await soon(lambda: live.history.status.verified >= 164)
        async with served(tmp_path, verify_share=0.001):
            await soon(lambda: bool(processes()))
        assert not processes()

    run_for(work())


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, verify_share=0.0) as (live, _):
            assert "verification of history" not in {task.get_name() for task in live.jobs.tasks}
            assert live.store.setting(STATUS) is None

    run_for(work())


def test_one_of_several_nodes_verifies_and_the_others_show_what_it_found(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "FIRST_SECONDS", 0)
    monkeypatch.setattr(verification, "LOOK_SECONDS", 0.05)
    begun = list[HouseServer]()
    plain = Verification.run_once

    async def run_once(self: Verification) -> None:
        begun.append(self._live)
        await plain(self)

    monkeypatch.setattr(Verification, "run_once", run_once)

    async def work() -> None:
        settings: dict[str, Any] = {"db": postgres.new(), "seal_key": str(tmp_path / "seal.key"), "verify_share": 1.0}
        async with AsyncExitStack() as first, AsyncExitStack() as second:
            one, _ = await first.enter_async_context(served(tmp_path, **settings))
            await soon(lambda: one.history.status.verified > 0)
            two, address = await second.enter_async_context(served(tmp_path, **settings))
            await soon(lambda: two.history.status == one.history.status)
            assert set(begun) == {one}
            assert two.history.status.findings == ()
            assert await said(address, "/readyz") == ["ok", f"history {two.history.status}"]
            await first.aclose()
            await soon(lambda: two in begun)

    run_for(work())


def test_a_practice_house_that_drops_its_shoes_stays_verified(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address):
            await play_on(address)
            await live.house.writer.wait_until_flushed()
            await verify(live)
            head = (await asyncio.to_thread(live.store.heads))[DROPS].seq
            await do_upkeep(live, stream_name(DROPS), [head // 3, head // 2])
            await verify(live)  # entries are missing that had been verified
            assert (live.history.status.skipped, live.history.status.findings) == (0, ())
        async with served(tmp_path) as (live, _):
            await verify(live)
            assert (live.history.status.skipped, live.history.status.findings) == (0, ())
            await live.house.writer.run_exclusive(lambda: live.store.append(Batch(settings={POINT: ""})))
            await verify(live)
            status = live.history.status
            assert status.findings == (MOVED,)
            assert 0 < status.skipped <= status.verified == status.entries
            assert "dropped before they were" in str(status)

    run_for(work())
