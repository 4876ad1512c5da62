"""A denial tells how the table stands: it waits for the disk like any other answer."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import msgspec
import pytest

from baccarat.client import command_id
from baccarat.house.stream import table_stream
from baccarat.serve import founding
from baccarat.serve.access.session import Session, SessionKind
from baccarat.serve.fanout.message import Do
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.http.socket import handle_do
from baccarat.serve.opening import open_server
from baccarat.serve.setting import Setting
from baccarat.table.actor import Actor, Envelope
from baccarat.table.role import Role
from baccarat.table.seating_acts import Sit
from virtual_loop import VirtualLoop, run_virtually

NAME = "ma-midi-4"
ANN, BOB = "person-" + "a" * 32, "person-" + "b" * 32


def test_a_denial_waits_until_what_it_rests_on_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(founding, "shipped_submissions", lambda: (NAME,))

    async def work() -> None:
        live = await open_server(Setting(db=str(tmp_path / "house.db"), port=0), stopped=lambda _error: None)
        live.enter(table_stream(NAME), Sit(seat=3, person=ANN), Envelope(actor=Actor(who=ANN, role=Role.PARTICIPANT)))
        await asyncio.sleep(0.1)  # the commit is on its way, and takes a second
        now = live.desk._clock.wall()
        bob = Session(
            id="session-" + "0" * 32, person=BOB, role=Role.PARTICIPANT, kind=SessionKind.VISITOR, made_at=now,
            seen_at=now, acted_at=now, ends_at=now + 10**9,
        )  # fmt: skip
        line, given = Outbox(), command_id()
        command = json.dumps({"do": "sit", "seat": 4, "person": ANN})
        text = f'{{"type":"do","id":"{given}","command":{command}}}'
        handle_do(live, line, bob, NAME, msgspec.json.decode(text, type=Do))
        assert line.drain() == [], "whether the table would have taken it may not be known yet"
        await live.house.writer.wait_until_flushed()
        await asyncio.sleep(0)
        said = [json.loads(text) for text in line.drain()]
        assert [each["id"] for each in said] == [given]
        await live.drain()
        await live.close()

    run_virtually(VirtualLoop(lambda: (0.5, 0.5)), work())
