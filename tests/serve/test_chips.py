"""Chips for play money go to whoever asks, also while the disk is slow and somebody else has taken the seat."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from baccarat.client import Client
from baccarat.house.stream import table_stream
from baccarat.table.actor import Actor, Envelope
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave, Sit
from served import run_for, served

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"
BOB = "person-" + "b" * 32


def as_participant(who: str) -> Envelope:
    """Somebody who acts himself."""
    return Envelope(actor=Actor(who=who, role=Role.PARTICIPANT))


def test_nobody_buys_chips_for_the_one_who_sits_there_now(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client:
            ann, stream, append = await client.visit(), table_stream(TABLE), live.store.append
            live.enter(stream, Sit(seat=3, person=ann), as_participant(ann))
            await live.house.writer.wait_until_flushed()

            def slowly(batch: Any) -> None:
                time.sleep(0.3)
                append(batch)

            live.store.append = slowly  # type: ignore[method-assign]
            for command, who in ((Leave(seat=3), ann), (Sit(seat=3, person=BOB), BOB)):
                assert live.enter(stream, command, as_participant(who)).refused is None
            with pytest.raises(httpx.HTTPStatusError, match="409"):
                await client.buy_in(TABLE, 1_000_000)
            assert live.house.writer.is_idle, "that ann does not sit there any more is on the disk when she is told"
            seated = live.house.state.tables[TABLE].at(3)
            assert seated is not None
            assert (seated.who, seated.chips) == (BOB, 0)

    run_for(work())
