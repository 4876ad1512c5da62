"""A table that opens later: until then nobody acts there, neither a person, nor two together, nor the program."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

import pytest

from baccarat.client import command_id
from baccarat.house.filed_rules import file_rules
from baccarat.house.house_book import AddPit
from baccarat.house.stream import HOUSE_STREAM, pit_stream, table_stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import rulebook
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.fanout.table_room import Subscriber
from baccarat.serve.job import table_loop
from baccarat.table.actor import Actor, Envelope
from baccarat.table.role import Role
from baccarat.table.table_cards import TableCards
from dealer_house import notices_to
from house_of_roles import Asked, is_problem, production, sign_everybody_on
from later_clock import LaterClock
from served import audited, run_for, served, soon

pytestmark = pytest.mark.slow

NAME = "T 9"
WAIT = 30 * 60
"""After how many seconds the table opens."""
TURNS = 200
"""How many turns of the event loop a dealer without a pause would need at most for a first act."""


@asynccontextmanager
async def house_opening_later(folder: Path, submission: str, cards: TableCards) -> AsyncIterator[Asked]:
    """A house with a table that opens in half an hour, and somebody who watches it."""
    async with served(folder, **production(folder), pace=0.0) as (live, address):
        house, rules = await sign_everybody_on(live, address), rulebook(submission)
        admin = Envelope(actor=Actor(who="founder", role=Role.ADMINISTRATOR))
        boss = Envelope(actor=Actor(who="boss", role=Role.PIT_BOSS))
        opens = live.desk.now // 1_000_000 + WAIT
        opening = OpenTable(table=NAME, filed=file_rules(rules), effective=opens, cards=cards)
        live.house.enter(HOUSE_STREAM, AddPit(name="main"), admin)
        for act in (*notices_to("main", rules), opening):
            kept = live.house.enter(pit_stream("main"), act, boss)
            assert kept.refused is None, kept.refused
        await live.house.writer.wait_until_flushed()
        live.rooms.join(NAME, Subscriber("guest", Role.PUBLIC, Outbox()))
        yield house
        await live.house.writer.wait_until_flushed()
        audited(live, folder)


@pytest.mark.parametrize("cards", [TableCards.AUTOMATED, TableCards.ELECTRONIC])
def test_the_program_does_nothing_at_a_table_before_it_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cards: TableCards
) -> None:
    monkeypatch.setattr(table_loop, "LONGEST_WAIT", 0.01)

    async def work() -> None:
        async with house_opening_later(tmp_path, "ma-midi-4", cards) as house:
            live, stream = house.live, table_stream(NAME)
            opened = live.house.journal.head(stream).seq
            for _ in range(TURNS):
                await asyncio.sleep(0)
                await live.house.writer.wait_until_flushed()
            assert live.house.journal.head(stream).seq == opened, "it acts before its time"
            live.desk._clock = LaterClock(live.desk._clock, WAIT * 1_000_000)
            if cards is TableCards.AUTOMATED:
                await soon(lambda: live.house.journal.head(stream).seq > opened, "it never opens")

    run_for(work())


def test_two_persons_do_nothing_together_at_a_table_before_it_opens(tmp_path: Path) -> None:
    async def work() -> None:
        async with house_opening_later(tmp_path, "ma-midi-4", TableCards.ELECTRONIC) as house:
            asked = {"stream": f"table {NAME}", "command": {"do": "abandon_shoe", "reason": "a test"}}
            headers = {"Idempotency-Key": command_id()}
            made = await house.ask("POST", "/api/proposals", asked, role=Role.CASINO_SUPERVISOR, headers=headers)
            assert made.status == 201, made
            path = f"/api/proposals/{quote(made.json['id'])}/approval"
            found = await house.ask("POST", path, {"seen": made.json["hash"]}, role=Role.PIT_BOSS)
            assert "opens in " in is_problem(found, 409, "too_early")["detail"]

    run_for(work())
