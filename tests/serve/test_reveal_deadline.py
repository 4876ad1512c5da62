"""A served house stops a table whose seed is overdue, tells everybody, and goes on when the seed is revealed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import UNSET

from baccarat.audit.journal import audit_journals
from baccarat.client import Client
from baccarat.house.filed_rules import file_rules
from baccarat.house.stream import table_stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import rulebook
from baccarat.serve import founding
from baccarat.serve.act.book_intake import with_usual_terms
from baccarat.serve.automation import attendant, dealer
from baccarat.serve.automation.dealer import Wait
from baccarat.serve.automation.reveal_timer import overdue_report
from baccarat.serve.job.reveal_watch import due_since
from baccarat.serve.live import HouseServer
from baccarat.serve.route.watch import find_alerts
from baccarat.serve.store.journal_export import signed_journal
from baccarat.table.actor import Actor, Approval
from baccarat.table.role import Role
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.overdue import SeedOverdue
from baccarat.table.table_cards import TableCards
from playing import sit_down
from served import audited, run_for, served, soon

NAME = "ma-midi-4"


class Withheld:
    """A house whose shoes keep their seeds while this is on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_on = True
        usual = dealer.next_act

        def next_act(table: Any, *args: Any, **kwargs: Any) -> Any:
            if self.is_on and table.state.step == "close":
                return Wait()
            return usual(table, *args, **kwargs)

        monkeypatch.setattr(attendant, "next_act", next_act)
        monkeypatch.setattr(founding, "shipped_submissions", lambda: (NAME,))


async def end_shoe(live: HouseServer, client: Client) -> None:
    """Somebody sits until the shoe is in play, and leaves; then the shoe is given up."""
    async with client.table(NAME) as table:
        await sit_down(client, table)
        await soon(lambda: live.house.state.tables[NAME].step == "wager", "the shoe does not begin")
        assert (await table.do("leave", seat=2)).is_done
    house, by = (
        live.house.table(NAME),
        Actor(who="Flo", role=Role.FLOORPERSON, approvals=(Approval("Sue", Role.CASINO_SUPERVISOR, "abandon_shoe"),)),
    )
    outcome = house.do(AbandonShoe(reason="the table closes"), by)
    assert live.house.state.tables[NAME].step == "close", outcome
    await live.house.writer.wait_until_flushed()


def test_an_overdue_seed_stops_the_table_and_everybody_is_told_until_it_is_revealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    withheld = Withheld(monkeypatch)

    async def work() -> None:
        async with served(tmp_path, reveal_seconds=1) as (live, address), Client(address) as client:
            await client.visit()
            await end_shoe(live, client)
            # Nobody watches the table: the deadline runs all the same.
            await soon(lambda: bool(live.rooms[NAME].state.stopped), "the table does not stop, or nobody is told")
            assert "baccarat_overdue_seeds 1.0" in live.metrics.page().decode()
            async with httpx.AsyncClient(base_url=address) as guest:
                ready = (await guest.get("/readyz")).text
                assert f"not well: table {NAME}: the seed of its electronic shoe was not revealed in time" in ready
                said = (await guest.get(f"/api/tables/{NAME}/moment")).json()
                assert said["then"]["say"].endswith("the seed of its electronic shoe was not revealed in time.")
                assert said["at"]["stopped"] is True
            alerts = [each.kind.value for each in await find_alerts(live, NAME)]
            assert alerts.count("overdue") == 1, alerts
            async with client.table(NAME) as table:
                assert table.view["state"]["shoe"]["commitment"]["overdue"] is True
                refused = await table.do("sit", seat=3)
                assert not refused.is_done
            withheld.is_on = False
            live.rooms.table_changed(NAME).set()
            await soon(lambda: not live.rooms[NAME].state.stopped, "the seed is not revealed")
            assert "baccarat_overdue_seeds 0.0" in live.metrics.page().decode()
            audited(live, tmp_path)
            path = tmp_path / "late.jsonl"
            path.write_bytes(b"".join(signed_journal(live.store)))
            remarks = " ".join(audit_journals([path], discretion=True).remarks)
            assert "and the deadline was 1, by the house's clock" in remarks, remarks

    run_for(work())


def test_the_deadline_counts_from_the_record_that_ended_the_shoe_even_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Withheld(monkeypatch)
    found = list[int]()

    async def work() -> None:
        async with served(tmp_path, reveal_seconds=3600) as (live, address), Client(address) as client:
            await client.visit()
            await end_shoe(live, client)
            found.extend(await since(live))
            head = live.store.heads()[table_stream(NAME)].seq
        async with served(tmp_path, reveal_seconds=7) as (live, _):
            assert live.house.state.tables[NAME].reveal_within == 3600, "an open table keeps its deadline"
            assert await since(live) == found
            assert live.store.heads()[table_stream(NAME)].seq >= head
            state, (due,) = live.house.state.tables[NAME], found
            assert overdue_report(state, since=due, now=due + 3_599_999_999) is None
            report = overdue_report(state, since=due, now=due + 3_600_000_000)
            assert report is not None
            assert report.due_for == 3_600
            assert not any(isinstance(each, SeedOverdue) for each in live.house.table(NAME).log)

    run_for(work())


async def since(live: HouseServer) -> list[int]:
    """From when the seed of the first shoe is due, by the records."""

    def read(reads: Any) -> int | None:
        return due_since(live.states, reads, table=NAME, shoe=0, now=0)

    at = await live.reading.ask(read)
    assert at
    return [at]


@pytest.mark.parametrize(
    ("cards", "stated", "expected"),
    [
        (TableCards.ELECTRONIC, UNSET, 600),
        (TableCards.AUTOMATED, 30, 30),
        (TableCards.REAL, UNSET, UNSET),
    ],
)
def test_an_electronic_table_opens_with_the_deadline_of_the_settings(cards: Any, stated: Any, expected: Any) -> None:
    filed = file_rules(rulebook(NAME))
    command = OpenTable(table="1", filed=filed, effective=0, cards=cards, reveal_within=stated)
    assert with_usual_terms(command, (), 600).reveal_within == expected  # type: ignore[union-attr]
