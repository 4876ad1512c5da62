"""Looking back in a house in service: events by their numbers, and ids whose records were dropped long ago."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from baccarat.engine.redecide import read_events
from baccarat.house.filed_rules import file_rules
from baccarat.house.house_book import LinkTables
from baccarat.house.stream import HOUSE_STREAM, Stream, pit_stream, table_stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import RefusalCode
from baccarat.record.entry import ActRecord, read_body
from baccarat.serve import founding
from baccarat.serve.live import HouseServer
from baccarat.serve.opening import open_server
from baccarat.serve.setting import Setting
from baccarat.table.actor import Actor, Envelope
from baccarat.table.role import Role
from baccarat.table.seating_acts import Sit
from baccarat.table.table_cards import TableCards
from house_books import ADMIN_AND_SUPERVISOR
from virtual_loop import VirtualLoop, run_virtually

NAME, SECOND = "ma-midi-4-royal9", "second"
ANN = "person-" + "a" * 32


async def opened(folder: Path) -> HouseServer:
    """A practice house without automation."""
    live = await open_server(Setting(db=str(folder / "house.db"), port=0), stopped=lambda _error: None)
    await live.jobs.stop_all()  # no table that is opened later is dealt either
    return live


async def closed(live: HouseServer) -> None:
    """Close it."""
    await live.drain()
    await live.close()


def stored_events(live: HouseServer, stream: Stream) -> list[Any]:
    """The events of a stream as they are stored."""
    entries = [read_body(stored.body) for stored in live.store.entries(stream, limit=10**6)]
    return [event for entry in entries if isinstance(entry, ActRecord) for event in read_events(entry) or ()]


def looked_at(live: HouseServer, stream: Stream, count: int) -> list[Any]:
    """The events of a table by their numbers, and what is before and after them."""
    return [live.house.event_at(stream)(number) for number in range(-1, count + 1)]


def test_events_keep_their_numbers_where_an_act_elsewhere_came_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(founding, "shipped_submissions", lambda: (NAME,))

    async def work() -> None:
        live = await opened(tmp_path)
        boss = Envelope(actor=Actor(who="boss", role=Role.PIT_BOSS))
        made = OpenTable(table=SECOND, filed=file_rules(rulebook(NAME)), effective=0, cards=TableCards.REAL)
        assert live.enter(pit_stream(NAME), made, boss).refused is None
        for table in (NAME, SECOND):
            ann = Envelope(actor=Actor(who=ANN, role=Role.PARTICIPANT))
            assert live.enter(table_stream(table), Sit(seat=3, person=ANN), ann).refused is None
        await closed(live)
        live = await opened(tmp_path)
        linked = LinkTables(name="L", tables=(NAME, SECOND))
        assert live.enter(HOUSE_STREAM, linked, Envelope(actor=ADMIN_AND_SUPERVISOR)).refused is None
        await live.house.writer.wait_until_flushed()
        for table in (NAME, SECOND):
            stream = table_stream(table)
            events = stored_events(live, stream)
            assert len(events) > 1
            found = await live.house.with_events(partial(looked_at, live, stream, len(events)))
            assert found == [None, *events, None]
        await closed(live)

    run_virtually(VirtualLoop(lambda: (0.01, 0.01)), work())


def test_an_id_whose_record_was_dropped_is_refused_and_done_no_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Practice tables let go of old shoes; the ids of their commands stay for ever."""
    monkeypatch.setattr(founding, "shipped_submissions", lambda: (NAME,))

    async def work() -> None:
        live = await opened(tmp_path)
        stream, given = table_stream(NAME), "01890000-0000-7000-8000-000000000000"
        ann = Envelope(actor=Actor(who=ANN, role=Role.PARTICIPANT), id=given)
        first = live.enter(stream, Sit(seat=3, person=ANN), ann)
        assert first.record is not None
        live.enter(stream, Sit(seat=4, person=ANN), Envelope(actor=Actor(who=ANN, role=Role.PARTICIPANT)))
        live.keep_snapshot(after=1)
        await live.house.writer.wait_until_flushed()
        assert live.store.drop_before(stream, first.record.seq + 1)
        await closed(live)
        live = await opened(tmp_path)
        await live.house.load_for(stream, Sit(seat=3, person=ANN), ann)
        again = live.enter(stream, Sit(seat=3, person=ANN), ann)
        assert again.refused is not None
        assert again.refused.code is RefusalCode.REPEATED_ID
        await live.house.writer.wait_until_flushed()
        assert live.house.writer.fault is None
        await closed(live)

    run_virtually(VirtualLoop(lambda: (0.01, 0.01)), work())
