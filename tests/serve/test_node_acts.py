"""Acts of the house over several nodes: tables of two nodes in one act, two persons at two nodes, trays that are paid
out of elsewhere. Everything is done once, and no node stops."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.client import Client, command_id
from baccarat.house.cage import tray_of
from baccarat.house.cage_act import CashOut, CountTray
from baccarat.house.gaming_day import CloseDay
from baccarat.house.house_book import LinkTables
from baccarat.house.inventory import Inventory
from baccarat.house.stream import CAGE_STREAM, DAY_STREAM, HOUSE_STREAM, Stream, table_stream
from baccarat.serve.cluster.node import Node
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.read_set import read_set
from baccarat.serve.store.base import StaleRow, Statement
from baccarat.table.actor import Actor
from baccarat.table.base import Accepted
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from house_books import DEALER_AND_FLOOR, open_table, opened_house, taken
from house_of_roles import Asked
from postgres_server import PostgresServer
from served import run_for, served, soon
from two_nodes import HERE, RULES, THERE, AsHouse, owned_by, two_nodes

pytestmark = pytest.mark.slow


async def proposed(house: Asked, stream: Stream, command: Any, role: Role) -> tuple[str, dict[str, str]]:
    """A proposal: the path by which it is decided on, and what was seen of it."""
    body = {"stream": stream, "command": command}
    made = await house.ask("POST", "/api/proposals", body, role=role, headers={"Idempotency-Key": command_id()})
    assert made.status == 201, made
    return f"/api/proposals/{made.json['id']}", {"seen": made.json["hash"]}


LINKS = {"do": "link_tables", "name": "main", "tables": [HERE, THERE]}
BRINGS = {"do": "bring_bankroll", "amount": 50_000}


def test_tables_of_two_nodes_are_linked_by_whichever_node_is_asked(postgres: PostgresServer, tmp_path: Path) -> None:
    async def work() -> None:
        async with two_nodes(postgres, tmp_path) as ((one, _), (two, there)):
            async with Client(there.address) as client:
                await client.visit()
                async with client.table(HERE) as table:
                    path, seen = await proposed(there, Stream("house"), LINKS, Role.ADMINISTRATOR)
                    done = await there.ask("POST", f"{path}/approval", seen, role=Role.CASINO_SUPERVISOR)
                    assert done.status == 200, done
                    assert set(done.json["joined"]) == {table_stream(HERE), table_stream(THERE)}
                    assert (await table.do("sit", seat=2)).is_done, "the table plays on, wherever it is served now"
            for live in (one, two):
                while "main" not in live.house.state.links:
                    await asyncio.sleep(0.01)
            assert one.store.read("select stream from wanted") == []
            while len(one.house.journal.epochs) < len(one.house.state.tables) // 2:
                await asyncio.sleep(0.02)  # afterwards each node has its share again

    run_for(work())


def test_an_act_whose_tables_do_not_come_is_not_done_and_says_so(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with two_nodes(postgres, tmp_path) as ((one, _), (two, there)):
            assert isinstance(one.node, Node)
            peers = one.node.lease.peers
            monkeypatch.setattr(  # this node hears nobody
                one.node.lease, "peers", lambda: [replace(each, asked=()) for each in peers()]
            )
            monkeypatch.setattr(two.node, "hand_over_seconds", 0.5)
            path, seen = await proposed(there, Stream("house"), LINKS, Role.ADMINISTRATOR)
            found = await there.ask("POST", f"{path}/approval", seen, role=Role.CASINO_SUPERVISOR)
            assert found.status == 503, found
            assert found.json["code"] == "not_handed_over"
            assert HERE in found.json["detail"]
            assert found.headers["retry-after"] == "1"
            assert two.house.state.links == {}
            monkeypatch.undo()
            again = await there.ask("POST", f"{path}/approval", seen, role=Role.CASINO_SUPERVISOR)
            assert again.status == 200, again

    run_for(work())


def test_notices_and_options_of_a_pit_with_tables_on_two_nodes_are_taken_by_either(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    async def work() -> None:
        async with two_nodes(postgres, tmp_path) as ((one, here), (two, there)):
            for number, house in enumerate((here, there)):
                notice = {"to": "commission", "pit": "A", "option": "decks", "value": 6 + 2 * number}
                act = {"do": "give_notice", "notice": notice}
                headers = {"Idempotency-Key": command_id()}
                found = await house.ask("POST", "/api/books/pit%20A/acts", act, role=Role.PIT_BOSS, headers=headers)
                assert found.status == 200, found
            del one, two

    run_for(work())


@pytest.mark.parametrize("other", ["approval", "refusal"])
def test_two_persons_who_decide_on_one_proposal_at_two_nodes_at_once_have_one_effect(
    other: str, postgres: PostgresServer, tmp_path: Path
) -> None:
    """Whoever is second gets the same answer, or is told what was decided; no node stops."""

    async def work() -> None:
        async with two_nodes(postgres, tmp_path) as ((one, here), (two, there)):
            entered = 0
            for _ in range(12):
                path, seen = await proposed(here, Stream("cage"), BRINGS, Role.ADMINISTRATOR)
                before = one.house.state.ledger
                first, second = await asyncio.gather(
                    here.ask("POST", f"{path}/approval", seen, role=Role.CAGE_CASHIER),
                    there.ask("POST", f"{path}/{other}", seen, role=Role.CAGE_CASHIER),
                )
                assert {first.status, second.status} <= {200, 409}, (first, second)
                state = (await here.get(path, role=Role.ADMINISTRATOR)).json["state"]
                if other == "approval":
                    assert first.status == second.status == 200, (first, second)
                    assert first.json["seq"] == second.json["seq"], "one record"
                    assert first.json["repeat"] != second.json["repeat"]
                else:
                    assert (first.status == 200) == (state == "approved")
                    assert (second.status == 200) == (state == "declined")
                entered += state == "approved"
                while one.house.state != two.house.state:
                    await asyncio.sleep(0.01)
                assert (one.house.state.ledger != before) == (state == "approved")
            ((count,),) = one.store.read("select count(*) from proposal where state = 'approved'")
            assert count == entered

    run_for(work())


def test_a_proposal_that_was_declined_elsewhere_a_moment_ago_is_not_entered(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    """The plan to approve was made before the refusal was on the disk, and is stored after it."""

    async def work() -> None:
        async with two_nodes(postgres, tmp_path) as ((one, here), (two, there)):
            path, seen = await proposed(here, Stream("cage"), BRINGS, Role.ADMINISTRATOR)
            append, loop, held = one.store.append, asyncio.get_running_loop(), asyncio.Event()
            begun = asyncio.Event()

            def late(batch: Any) -> None:
                if any("update proposal" in each.sql for each in batch.statements):
                    loop.call_soon_threadsafe(begun.set)
                    asyncio.run_coroutine_threadsafe(held.wait(), loop).result()
                append(batch)

            one.store.append = late  # type: ignore[method-assign]
            approving = asyncio.create_task(here.ask("POST", f"{path}/approval", seen, role=Role.CAGE_CASHIER))
            await begun.wait()
            declined = await there.ask("POST", f"{path}/refusal", seen, role=Role.CAGE_CASHIER)
            assert declined.status == 200, declined
            held.set()
            found = await approving
            assert found.status == 409, found
            assert found.json["code"] == "declined"
            assert one.house.state.cage == two.house.state.cage

    run_for(work())


def test_a_tray_is_counted_on_what_its_table_has_paid_at_another_node(postgres: PostgresServer, tmp_path: Path) -> None:
    """What is over or short is reckoned on the tray as it is: a node that has not read that yet decides again."""

    async def work() -> None:
        async with two_nodes(postgres, tmp_path) as ((one, _), (two, _)):
            assert isinstance(two.node, Node)
            there = two.house.state.ledger.cents(tray_of(HERE))
            async with two.node.follower._one_at_a_time:  # it hears of nothing
                table = one.house.table(HERE)
                table.do(Sit(seat=3, person="p3"))
                assert isinstance(table.do(BuyIn(seat=3, amount=70_000)), Accepted)
                await one.house.writer.wait_until_flushed()
                count = CountTray(table=HERE, counted=Inventory({10_000_000: there // 10_000_000}))
                assert not two.house.writer.tasks.running
                taken(AsHouse(two).do(count, DEALER_AND_FLOOR, stream=CAGE_STREAM))
                assert not two.house.state.cage.over_short.get(HERE), "by what it knows, all is there"
                await soon(lambda: bool(two.house.writer.tasks.running), "nothing is decided again")
            await two.house.writer.wait_until_flushed()
            assert two.node.redecided > 0
            assert two.house.state.cage.over_short[HERE] == 70_000

    run_for(work())


def test_what_an_act_in_the_books_looks_at_at_tables_is_compared() -> None:
    house = opened_house(RULES, bankroll=10**11)
    for name in (HERE, THERE):
        open_table(house, RULES, name)
    state, tables = house.state, {table_stream(HERE), table_stream(THERE)}

    def looked_at(stream: Stream, command: Any, *, is_refused: bool = False) -> set[str]:
        found = read_set(state, stream, command, Actor(who="admin"), is_refused=is_refused)
        return {each for each in found if each.startswith("table ")}

    assert looked_at(DAY_STREAM, CloseDay()) == tables
    assert looked_at(CAGE_STREAM, CountTray(table=HERE, counted=Inventory({}))) == {table_stream(HERE)}
    assert looked_at(CAGE_STREAM, CashOut(amount=5)) == set(), "chips come from tables and go to none"
    assert looked_at(CAGE_STREAM, CashOut(amount=5), is_refused=True) == tables
    assert looked_at(HOUSE_STREAM, LinkTables(name="main", tables=(HERE, THERE))) == set(), "it writes there"


def test_a_table_that_is_given_away_while_its_acts_are_decided_again_stops_no_node(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    """Tables move while both nodes meet at the meters of their link."""

    async def work() -> None:
        async with two_nodes(postgres, tmp_path) as ((one, here), (two, _)):
            path, seen = await proposed(here, Stream("house"), LINKS, Role.ADMINISTRATOR)
            assert (await here.ask("POST", f"{path}/approval", seen, role=Role.CASINO_SUPERVISOR)).status == 200
            await owned_by(two, THERE)
            assert one.node is not None
            assert two.node is not None
            playing = asyncio.create_task(play_where_it_is(one, two))
            for _ in range(6):
                async with one.node.hold_streams([table_stream(THERE)]) as is_here:
                    assert is_here
                await asyncio.sleep(0.05)
                async with two.node.hold_streams([table_stream(HERE)]) as is_here:
                    assert is_here
                await asyncio.sleep(0.05)
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)

    run_for(work())


def test_a_statement_that_nobody_planned_and_that_does_not_hold_ends_the_node(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    """There is nobody to plan again: deciding again would give the same batch, for ever."""
    seen = list[BaseException]()

    async def work() -> None:
        kept: dict[str, Any] = {"db": postgres.new(), "seal_key": str(tmp_path / "seal.key")}
        async with served(tmp_path, stopped=seen.append, **kept) as (live, _):
            wrong = Statement("update setting set value = '' where key = 'no such key'", changes=1)
            live.house.writer.batch.statements.append(wrong)
            live.house.writer.stage()
            while not seen:
                await asyncio.sleep(0.01)
            assert isinstance(seen[0], StaleRow)

    run_for(work())


async def play_where_it_is(one: HouseServer, two: HouseServer) -> None:
    """Visitors at both tables, whichever node serves them."""

    async def plays(name: str, seat: int) -> None:
        async with Client(one.address, two.address) as client:
            await client.visit()
            async with client.table(name) as table:
                assert (await table.do("sit", seat=seat)).is_done
                await client.buy_in(name, 10_000_000)
                while True:
                    await table.until(lambda view: view["state"]["step"] == "wager")
                    await table.do("place_wager", seat=seat, on="banker", stake=2_500)
                    await table.do("place_wager", seat=seat, on="royal9", stake=500)
                    await asyncio.sleep(0.01)

    await asyncio.gather(plays(HERE, 2), plays(THERE, 3))
