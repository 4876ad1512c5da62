"""A table that is opened while the house is in service is shown as it stands on the disk, and is dealt at once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from baccarat.house.filed_rules import file_rules
from baccarat.house.stream import pit_stream, table_stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import rulebook
from baccarat.serve import founding
from baccarat.serve.opening import open_server
from baccarat.serve.setting import Setting
from baccarat.table.actor import Actor, Envelope
from baccarat.table.role import Role
from baccarat.table.seating_acts import Sit
from baccarat.table.table_cards import TableCards
from virtual_loop import VirtualLoop, run_virtually

NAME, SECOND = "ma-midi-4", "second"
ANN = "person-" + "a" * 32


def test_a_new_table_is_shown_as_it_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(founding, "shipped_submissions", lambda: (NAME,))

    async def work() -> None:
        live = await open_server(Setting(db=str(tmp_path / "house.db"), port=0), stopped=lambda _error: None)
        boss = Envelope(actor=Actor(who="boss", role=Role.PIT_BOSS))
        opened = OpenTable(table=SECOND, filed=file_rules(rulebook(NAME)), effective=0, cards=TableCards.REAL)
        assert live.enter(pit_stream(NAME), opened, boss).refused is None
        await asyncio.sleep(0.1)  # the commit that opens it is on its way, and takes a second
        ann = Envelope(actor=Actor(who=ANN, role=Role.PARTICIPANT))
        assert live.enter(table_stream(SECOND), Sit(seat=3, person=ANN), ann).refused is None
        while SECOND not in live.rooms:
            await asyncio.sleep(0.01)
        assert live.rooms[SECOND].state.at(3) is None, "that somebody sits there is not on the disk yet"
        await live.house.writer.wait_until_flushed()
        assert live.rooms[SECOND].state.at(3) is not None
        names = [task.get_name() for task in live.jobs.tasks if SECOND in task.get_name()]
        assert len(names) == 1, "one dealer deals there"
        live.rooms.reopen(SECOND, live.house.state)
        names = [task.get_name() for task in live.jobs.tasks if SECOND in task.get_name()]
        assert len(names) == 2, "and one more where it was taken over anew"
        await live.drain()
        await live.close()

    run_virtually(VirtualLoop(lambda: (0.5, 0.5)), work())
