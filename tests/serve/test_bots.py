"""Bots over the wire: fourteen at one table, and the house afterwards."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from baccarat.client.bot import Bot, BotTally
from served import audited, run_for, served

pytestmark = pytest.mark.slow


def test_fourteen_bots_play_at_one_table_and_the_journal_passes_the_audit(tmp_path: Path) -> None:
    async def work() -> None:
        tally = BotTally()
        patience = 5.0  # no bot is passed over as absent
        async with served(tmp_path, betting_seconds=0.3, answer_seconds=patience, squeeze_seconds=patience) as (
            live,
            address,
        ):
            bots = [Bot(address, "nj-punto-banco", tally, seed=seed).run(3) for seed in range(15)]
            await asyncio.gather(*bots)
            await live.house.writer.wait_until_flushed()
            seats = live.house.state.tables["nj-punto-banco"].seats.participants
            assert sum(person is not None for person in seats) == len(seats) == 14
            assert tally.rounds == 14 * 3, "the fifteenth found no seat and went home"
            assert set(tally.refusals) <= {"seat_taken", "wagers_closed", "wrong_step", "out_of_order"}, tally.refusals
            audited(live, tmp_path)

    run_for(work())
