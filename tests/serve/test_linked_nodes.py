"""Linked meters across nodes: tables of one link on two nodes, and everything exact after every record."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.client import Client
from baccarat.house.house_book import LinkTables
from baccarat.house.invariant import broken_invariants
from baccarat.house.link_event import MustHitWon
from baccarat.house.shared_must_hit import SharedMustHit
from baccarat.house.state import Decision, HouseState
from baccarat.house.stream import HOUSE_STREAM, link_stream, table_stream
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.record.entry import ActRecord, read_body
from baccarat.serve.cluster.node import Node
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.recovery import RecoveredHouse, advance, recover
from baccarat.serve.store.base import Batch
from baccarat.table.base import Accepted
from baccarat.table.state import TableState
from baccarat.table.step.must_hit import SealTrigger
from baccarat.table.step.must_hit import seal_of as sealed_trigger
from baccarat.table.table_cards import TableCards
from campaign import CAMPAIGN
from house_books import ADMIN_AND_SUPERVISOR, open_table, opened_house, taken
from linked_floor import LINK_NAME, RANGE
from postgres_server import PostgresServer
from served import audited, run_for, served, soon
from two_nodes import HERE, THERE, AsHouse, owned_by, play, seated, slow_disk, trigger_of

pytestmark = pytest.mark.slow


@asynccontextmanager
async def linked_on_two_nodes(
    rules: Rulebook,
    postgres: PostgresServer,
    folder: Path,
    *,
    fed: int = 20,
    cards: TableCards = TableCards.REAL,
    **more: Any,
) -> AsyncIterator[tuple[HouseServer, str, HouseServer, str]]:
    """Two nodes with a table each, both tables of one link; at the end both have the same house, and it is audited.

    More than so many acts have `fed` the link by then.
    """
    kept: dict[str, Any] = {"db": postgres.new(), "seal_key": str(folder / "seal.key"), **more}
    async with served(folder, **kept) as (one, first):
        house: Any = AsHouse(one)
        opened_house(rules, bankroll=10**11, house=house)
        for name in (HERE, THERE):
            open_table(house, rules, name, cards=cards)
        await one.house.writer.wait_until_flushed()
        for name in (HERE, THERE):
            await owned_by(one, name)
        taken(house.do(LinkTables(name=LINK_NAME, tables=(HERE, THERE)), ADMIN_AND_SUPERVISOR, stream=HOUSE_STREAM))
        await one.house.writer.wait_until_flushed()
        async with served(folder, **kept) as (two, second):
            await owned_by(two, THERE)
            yield one, first, two, second
            await asyncio.gather(one.house.writer.wait_until_flushed(), two.house.writer.wait_until_flushed())
            while one.house.state != two.house.state:
                await asyncio.sleep(0.02)
            checked(two, enough=fed)
            audited(one, folder)


@pytest.mark.parametrize("seed", [1] if CAMPAIGN == 1 else range(1, 11))
def test_meters_that_two_nodes_feed_at_once_are_exact_after_every_record(
    seed: int, postgres: PostgresServer, tmp_path: Path
) -> None:
    rules = rulebook("ma-midi-4-royal9", must_hit=None)

    async def work() -> None:
        async with linked_on_two_nodes(rules, postgres, tmp_path) as (one, _, two, _):
            assert isinstance(one.node, Node)
            assert isinstance(two.node, Node)
            nodes = one.node, two.node
            await play(random.Random(seed), one, two, until=lambda: sum(node.redecided for node in nodes) > 3)

    run_for(work())


def test_a_must_hit_that_is_won_on_one_node_begins_anew_on_the_other(postgres: PostgresServer, tmp_path: Path) -> None:
    rules = rulebook("ma-midi-4-royal9", must_hit=RANGE)

    async def work() -> None:
        async with linked_on_two_nodes(rules, postgres, tmp_path) as (one, _, two, _):
            both = {HERE, THERE}
            await play(random.Random(3), one, two, until=lambda: {event.table for event in must_hit_won(one)} == both)
            won = must_hit_won(one)
            assert shared(one).jackpot == len(won) + 1 > 4
            assert shared(one).is_conserved

    run_for(work())


def test_automated_tables_of_two_nodes_play_on_after_either_has_won_the_must_hit(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    """The trigger of a link is one, whichever node has sealed it: its seed is kept once, and both nodes take that."""
    terms = {"start": 10_000, "ceiling": 10_100, "contribution": 25}
    rules = rulebook("ma-midi-4-royal9", must_hit=terms)

    async def plays(address: str, name: str, live: HouseServer) -> None:
        async with Client(address) as client:
            await client.visit()
            async with client.table(name) as table:
                assert (await table.do("sit", seat=2)).is_done
                await client.buy_in(name, 10_000_000)
                while {event.table for event in must_hit_won(live)} != {HERE, THERE} or shared(live).jackpot < 8:
                    await table.until(lambda view: view["state"]["step"] == "wager")
                    number = table.state["round"]["number"]
                    placed = await asyncio.gather(
                        table.do("place_wager", seat=2, on="banker", stake=2_500),
                        table.do("place_wager", seat=2, on="royal9", stake=500),
                    )
                    late = {each.code for each in placed if not each.is_done}
                    assert late <= {"wagers_closed"}, placed  # on a busy machine a round may close before they come
                    await table.until(lambda view, number=number: view["state"]["round"]["number"] != number)  # type: ignore[misc]

    async def work() -> None:
        async with linked_on_two_nodes(rules, postgres, tmp_path, cards=TableCards.AUTOMATED, betting_seconds=0.1) as (
            one,
            first,
            two,
            second,
        ):
            await asyncio.gather(plays(first, HERE, one), plays(second, THERE, two))
            seals = one.store.read("select name from sealed where stream = ?", (link_stream(LINK_NAME),))
            assert len(seals) >= 8, "each run has its seed"

    run_for(work())


def test_a_trigger_that_was_decided_for_a_run_that_is_over_is_not_sealed_for_the_next(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    """A node that was slow finds, when it decides again, that another has sealed and won that run meanwhile."""
    rules = rulebook("ma-midi-4-royal9", must_hit=RANGE)

    async def work() -> None:
        async with linked_on_two_nodes(rules, postgres, tmp_path) as (one, _, two, _):
            floor = seated(random.Random(4), one, two)
            held, slow = asyncio.Event(), two.house.writer
            append, loop = two.store.append, asyncio.get_running_loop()

            def late(batch: Batch) -> None:
                asyncio.run_coroutine_threadsafe(held.wait(), loop).result()
                append(batch)

            two.store.append = late  # type: ignore[method-assign]
            run = shared(two).jackpot
            old = floor.tables[THERE].do(SealTrigger(seal=seal_of(rules, run)))
            assert isinstance(old, Accepted)
            while shared(one).jackpot < run + 2:
                floor.act(HERE, check=False)
                await one.house.writer.wait_until_flushed()
            held.set()
            await slow.wait_until_flushed()
            two.store.append = append  # type: ignore[method-assign]
            assert shared(two).seal != seal_of(rules, run)
            for _ in range(60):
                for name in (HERE, THERE):
                    floor.act(name, check=False)
                await asyncio.gather(one.house.writer.wait_until_flushed(), two.house.writer.wait_until_flushed())

    run_for(work())


def test_a_node_that_was_second_at_a_link_has_decided_again_before_it_serves_a_table_that_it_takes(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    """Until then it does not know what happened at that table: whoever came would be shown, and told, what is over."""
    rules = rulebook("ma-midi-4-royal9", must_hit=None)

    async def work() -> None:
        unhurried: dict[str, Any] = {
            "pace": 3600.0
        }  # or the dealer of a table that was taken has dealt on before it is looked at
        async with linked_on_two_nodes(rules, postgres, tmp_path, fed=1, **unhurried) as (one, _, two, _):
            assert isinstance(one.node, Node)
            assert isinstance(two.node, Node)
            floor = seated(random.Random(5), one, two)
            await asyncio.gather(one.house.writer.wait_until_flushed(), two.house.writer.wait_until_flushed())
            await soon(lambda: one.house.state == two.house.state)
            with slow_disk(two) as goes_on:
                for live, name in ((two, THERE), (one, HERE)):
                    before = live.house.journal.head(link_stream(LINK_NAME)).seq
                    while live.house.journal.head(link_stream(LINK_NAME)).seq == before:
                        floor.act(name, check=False)
                await one.house.writer.wait_until_flushed()
                await soon(lambda: durable(two, HERE) == one.house.state.tables[HERE])
                assert two.house.state.tables[HERE] != one.house.state.tables[HERE], "it cannot know that yet"
                taking = asyncio.create_task(takes(two, HERE))
                await soon(lambda: one.node is not None and not one.node.owns(HERE))
                await asyncio.sleep(0.2)
                is_served = two.node.owns(HERE)
                goes_on.set()
                await taking
            assert not is_served
            assert two.node.redecided > 0

    run_for(work())


def durable(live: HouseServer, name: str) -> TableState:
    """A table as a node has read it from the log."""
    assert isinstance(live.node, Node)
    return live.node.durable.state.tables[name]


async def takes(live: HouseServer, name: str) -> None:
    """Have a table at a node, and look whether it is served as it is stored."""
    assert isinstance(live.node, Node)
    async with live.node.hold_streams([table_stream(name)]) as is_here:
        assert is_here
        stored = recovered(live).tables[name]
        assert live.house.state.tables[name] == stored
        assert live.rooms[name].state == stored


def recovered(live: HouseServer) -> HouseState:
    """The house as a node that starts now finds it."""
    found = recover(live.store)
    assert found is not None
    return found.state


def seal_of(rules: Rulebook, run: int) -> str:
    """The seal of a run's trigger."""
    terms = rules.elections.must_hit
    assert terms is not None
    opened = trigger_of(terms, run)
    return sealed_trigger(terms, opened.trigger, opened.salt)


def shared(live: HouseServer) -> SharedMustHit:
    """The Must Hit of the link, as a node has it."""
    found = live.house.state.links[LINK_NAME].must_hit
    assert found is not None
    return found


def must_hit_won(live: HouseServer) -> list[MustHitWon]:
    """How often the Must Hit was won, as it is on the disk."""
    found = list[MustHitWon]()
    for entry in live.store.entries(link_stream(LINK_NAME), limit=100_000):
        record = read_body(entry.body)
        if isinstance(record, ActRecord):
            found += [event for event in map(read_link_event, record.events) if isinstance(event, MustHitWon)]
    return found


def read_link_event(raw: Any) -> Any:
    """An event of a link; those that a test does not ask for are left unread."""
    return msgspec.json.decode(raw, type=MustHitWon) if b'"must_hit_won"' in bytes(raw) else None


def checked(live: HouseServer, *, enough: int) -> None:
    """Replay the log act by act: the books balance and the meters are those of the link after every one."""
    acts, fed = 0, 0
    empty = RecoveredHouse(rules=live.house.rules, state=HouseState(), heads={}, logs={})

    def each(decision: Decision | None, entries: Any, after: RecoveredHouse) -> None:
        nonlocal acts, fed
        if decision is not None and any(part.stream.startswith("link ") for part in decision.appended):
            fed += 1
            assert broken_invariants(after.state) == [], entries
        acts += 1

    advance(empty, live.store.tail({}), {}, each)
    assert empty.state == live.house.state
    assert fed > enough
    assert acts > 15 * enough
