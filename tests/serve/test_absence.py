"""Whoever has left a practice table without saying so is seen to have left."""

from __future__ import annotations

from pathlib import Path

import pytest

from baccarat.client import Client
from baccarat.serve.job.absence import AWAY_SECONDS, Absences
from served import audited, run_for, served


@pytest.mark.slow
def test_a_seat_waits_five_minutes_for_whoever_closed_the_page(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path) as (live, address), Client(address) as client, Client(address) as stays:
            await client.visit()
            await stays.visit()
            now = 1000.0
            absences = Absences(live, clock=lambda: now)
            async with stays.table("ma-midi-4") as other:
                assert (await other.do("sit", seat=5)).is_done
                async with client.table("ma-midi-4") as table:
                    assert (await table.do("sit", seat=2)).is_done
                    assert absences.free_absent_seats() == 0
                    now += 10 * AWAY_SECONDS
                    assert absences.free_absent_seats() == 0, "who looks on is not away"
                await other.until(lambda view: view["state"]["seats"]["participants"][1]["taken"])
                while not live.rooms.absent_persons("ma-midi-4", live.house.state.tables["ma-midi-4"]):
                    await other.do("sit", seat=5)  # refused: the person sits there already
                assert absences.free_absent_seats() == 0, "the five minutes begin now"
                now += AWAY_SECONDS - 1
                assert absences.free_absent_seats() == 0
                now += 1
                assert absences.free_absent_seats() == 1
                await other.until(lambda view: not view["state"]["seats"]["participants"][1]["taken"])
                assert other.state["seats"]["participants"][4]["taken"]
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())
