"""Two nodes serve one house on PostgreSQL: tables are divided, clients follow, shared streams stay exact."""

from __future__ import annotations

import asyncio
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from baccarat.client import Client, TableClient
from baccarat.house.house_book import AddPit
from baccarat.house.stream import HOUSE_STREAM
from baccarat.law.rulebook import shipped_submissions
from baccarat.serve.cluster.node import Node
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.recovery import recover
from baccarat.serve.setting import FORMS_TRAINING, TRAINING
from baccarat.table.actor import Actor, Envelope
from baccarat.table.role import Role
from paths import ROOT
from postgres_server import PostgresServer
from served import audited, run_for, served
from served_program import QUICK, Program

pytestmark = pytest.mark.slow
ADMIN = Envelope(actor=Actor(who="administrator", role=Role.ADMINISTRATOR))


@pytest.fixture
def kept(postgres: PostgresServer, tmp_path: Path) -> dict[str, Any]:
    """Settings of a house in a schema of its own."""
    return {"db": postgres.new(), "seal_key": str(tmp_path / "seal.key")}


async def until(holds: Callable[[], object], seconds: float = 120.0) -> None:
    """Wait until something is true."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come true"
        await asyncio.sleep(0.01)


def tables_of(live: HouseServer) -> set[str]:
    """The tables that a node has."""
    return {stream.partition(" ")[2] for stream in live.house.journal.epochs}


async def play_round(table: TableClient, *, seat: int) -> None:
    """Wager on Banker and wait until the round is over."""
    await table.until(lambda view: view["state"]["step"] == "wager")
    number = table.state["round"]["number"]
    placed = await table.do("place_wager", seat=seat, on="banker", stake=2_500)
    assert placed.is_done, placed.say
    await table.until(lambda view: bool(view["state"]["round"]["number"] != number))


async def sit_and_play(client: Client, name: str, *, seat: int) -> None:
    """Come to a table, wherever it is served, and play a round."""
    await client.visit()
    async with client.table(name) as table:
        assert (await table.do("sit", seat=seat)).is_done
        await client.buy_in(name, 100_000)
        await play_round(table, seat=seat)


def test_tables_are_divided_and_a_client_of_either_node_plays_at_every_table(
    kept: dict[str, Any], tmp_path: Path
) -> None:
    async def work() -> None:
        async with served(tmp_path, **kept) as (one, a), served(tmp_path, **kept) as (two, b):
            names = {*shipped_submissions(), TRAINING, FORMS_TRAINING}
            await until(lambda: len(tables_of(two)) >= len(names) // 2)
            assert tables_of(one) | tables_of(two) == names
            assert not tables_of(one) & tables_of(two)
            async with Client(a) as first, Client(b) as second:
                for live in (one, two):
                    for seat, client in ((2, first), (3, second)):
                        await sit_and_play(client, min(tables_of(live)), seat=seat)
            await until(lambda: one.house.state == two.house.state)
            assert recovered(one) == one.house.state
            audited(two, tmp_path)

    run_for(work())


def recovered(live: HouseServer) -> Any:
    """The house as a node that starts now finds it."""
    found = recover(live.store)
    assert found is not None
    return found.state


def test_what_both_nodes_do_in_a_shared_stream_at_once_is_all_done_once(kept: dict[str, Any], tmp_path: Path) -> None:
    """Each decides on what it knows; whoever was second decides again, and nobody is told in between."""

    async def work() -> None:
        async with served(tmp_path, **kept) as (one, _), served(tmp_path, **kept) as (two, _):
            answers = list[tuple[str, Any]]()
            for number in range(40):
                for live, name in ((one, "a"), (two, "b")):
                    pit = f"{name}{number}" if number % 4 else f"both{number}"
                    live.enter(HOUSE_STREAM, AddPit(name=pit), ADMIN, lambda kept, pit=pit: answers.append((pit, kept)))  # type: ignore[misc]
                if number % 3 == 0:
                    await asyncio.sleep(0.002)
            await until(lambda: len(answers) == 80)
            await until(lambda: one.house.state == two.house.state)
            assert isinstance(one.node, Node)
            assert isinstance(two.node, Node)
            assert one.node.redecided + two.node.redecided > 0, "they were in each other's way"
            done = [pit for pit, kept in answers if kept.refused is None]
            assert len(done) == len(set(done)) == 70, "a pit that both add is added once, and refused once"
            assert all(kept.record is not None or kept.refused is not None for _, kept in answers)
            seqs = [kept.record.seq for _, kept in answers if kept.record is not None]  # many refusals are only counted
            assert len(seqs) == len(set(seqs)), "no record was answered twice"
            pits = [name for name in one.house.state.pits if name[0] in "ab" and name not in shipped_submissions()]
            assert sorted(pits) == sorted(done)
            audited(one, tmp_path)

    run_for(work())


def documented(address: str) -> list[list[str]]:
    """The arguments of the commands that the page for operators gives, for this database and on free ports."""
    lines = (ROOT / "docs" / "nodes.md").read_text(encoding="utf-8").splitlines()
    commands = [line.split()[2:] for line in lines if line.startswith("    baccarat serve ")]
    asked = [[re.sub("^postgresql://.*", address, each) for each in command] for command in commands]
    return [[re.sub(r"^84\d\d$", "0", each) for each in command] for command in asked]


LONG, SHORT = 60, 3
"""Seconds of a lease that nobody waits for, however busy the machine is, and of one that a test waits for."""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_the_documented_commands_serve_two_nodes_and_a_client_follows_a_takeover(
    how: signal.Signals, kept: dict[str, Any], tmp_path: Path
) -> None:
    """A node that was killed is missed long before its lease is over, a frozen one when it is.

    How soon that is, the campaign of kills and freezes measures, and `bench/nodes.py`.
    """
    environment = {**QUICK, "BACCARAT_SEAL_KEY": kept["seal_key"], "BACCARAT_LEASE_SECONDS": str(LONG)}
    lost = {**environment, "BACCARAT_LEASE_SECONDS": str(LONG if how is signal.SIGKILL else SHORT)}
    first, second = documented(kept["db"])
    with (
        Program(*first, folder=tmp_path, environment=environment) as one,
        Program(*second, folder=tmp_path, environment=lost) as two,
    ):
        addresses = {one.address(): one, two.address(): two}

        async def work() -> None:
            a, b = addresses
            async with Client(a, b) as client:
                await client.visit()
                owner = await settled_at(client, b)
                async with client.table(owner) as table:
                    assert (await table.do("sit", seat=2)).is_done
                    await client.buy_in(owner, 100_000)
                    await play_round(table, seat=2)
                    await taken_over(client, owner, b)
                    before = table.joins
                    addresses[b].process.send_signal(how)
                    begun = time.monotonic()
                    await taken_over(client, owner, a)
                    assert time.monotonic() - begun < LONG / 2
                    await play_round(table, seat=2)
                    assert table.joins > before

        run_for(work())
        if how is signal.SIGSTOP:
            two.process.send_signal(signal.SIGCONT)
            reasons = "the lease of this node is over: ", "the connection to the database is lost"
            said = two.until("cut_off")["say"]
            assert any(reason in said for reason in reasons), f"whichever it finds out first: {said}"
            two.until("reopened")
            assert two.stopped() == 0
        assert one.stopped() == 0


async def settled_at(client: Client, address: str) -> str:
    """A table of a node, once each of the two has its share of them and no more are given."""
    names = (*shipped_submissions(), TRAINING, FORMS_TRAINING)
    while True:
        here = list[str]()
        for name in names:
            _, where = await client.ticket(name)
            if f":{address.rpartition(':')[2]}/" in where:
                here.append(name)
        if len(here) in (len(names) // 2, len(names) - len(names) // 2):
            return here[0]
        await asyncio.sleep(0.05)


async def taken_over(client: Client, name: str, by: str) -> None:
    """Wait until a ticket for a table leads to a node."""
    while True:
        _, where = await client.ticket(name)
        if by.rpartition(":")[2] in where:
            return
        await asyncio.sleep(0.02)
