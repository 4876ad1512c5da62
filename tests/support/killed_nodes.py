"""Two nodes of one house, killed and frozen in turn while people play; what was answered must still stand."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import time
from collections.abc import AsyncIterator
from http import HTTPStatus
from pathlib import Path

import httpx
import psycopg

from baccarat.client import Client
from killed_house import PACE, Ordeal, Outcome, Player, free_port, judge
from lateness import Lateness
from served_program import Program

LEASE = 3.0
"""How long the lease of a node is, in seconds: no node loses its own where the machine has much else to do."""
FROZEN_SECONDS = LEASE + 0.6
"""So long a node is frozen at least: longer than its lease."""
TAKEN_WITHIN = {"kill": 1.0, "freeze": LEASE + 2.0}
"""In so many seconds another node has the tables of one that was lost, on a machine that has time."""
PATIENCE = 60.0


class Nodes:
    """Two programs on one database, each on a port of its own."""

    def __init__(self, folder: Path, db: str) -> None:
        self.folder, self.db, self.ports = folder, db, (free_port(), free_port())
        self.running: dict[int, Program] = {}
        self.all: list[Program] = []

    async def start(self, port: int) -> None:
        """Start the node of a port, and wait until it serves."""
        environment = {
            **PACE, "BACCARAT_SEAL_KEY": str(self.folder / "seal.key"), "BACCARAT_LEASE_SECONDS": str(LEASE),
        }  # fmt: skip
        program = Program("--db", self.db, "--port", str(port), folder=self.folder, environment=environment)
        self.all.append(program)
        self.running[port] = program
        await asyncio.to_thread(program.until, "serving")

    async def freeze(self, port: int, seconds: float) -> None:
        """Freeze a node for longer than its lease: thawed, it reopens the house as another node."""
        program = self.running[port]
        os.kill(program.process.pid, signal.SIGSTOP)
        await asyncio.sleep(seconds)
        os.kill(program.process.pid, signal.SIGCONT)
        await asyncio.to_thread(program.until, "reopened")

    async def stop(self) -> list[str]:
        """Ask both to end, at once. What is wrong."""
        running = list(self.running.values())
        ended = await asyncio.gather(*(asyncio.to_thread(each.stopped) for each in running))
        found = zip(running, ended, strict=True)
        return [f"a node ended with {status}: {each.lines[-3:]}" for each, status in found if status]

    def close(self) -> None:
        """Leave nothing behind."""
        for each in self.all:
            each.__exit__(None, None, None)

    def tables_of(self, port: int) -> list[str]:
        """The tables that a node has, as the database says."""
        sql = (
            "select substr(stream.name, 7) from head join stream on stream.id = head.stream "
            "join node on node.id = head.owner where not node.ended and node.address like %s order by 1"
        )
        with psycopg.connect(self.db) as connection:
            return [str(name) for (name,) in connection.execute(sql, (f"%:{port}",))]


class Watch:
    """Times how long the tables of a lost node are served by nobody, as a client of the other node sees it."""

    def __init__(self, nodes: Nodes, outcome: Outcome) -> None:
        self._nodes, self._outcome = nodes, outcome

    @contextlib.asynccontextmanager
    async def over(self, what: str, port: int) -> AsyncIterator[None]:
        """While the node of a port is killed or frozen, and until the other has its tables."""
        (other,) = (each for each in self._nodes.ports if each != port)
        tables = await asyncio.to_thread(self._nodes.tables_of, port)
        with Lateness() as machine:
            async with Client(f"http://127.0.0.1:{other}") as client:
                await client.visit()
                watching = asyncio.create_task(self._taken(client, tables))
                yield
                took = await watching
        if tables:
            self._outcome.takeovers.setdefault(what, []).append(took)
            self._outcome.late = max(self._outcome.late, machine.worst)

    async def _taken(self, client: Client, tables: list[str]) -> float:
        """How long it takes until the node that a client asks has all these tables."""
        begun = time.monotonic()
        for name in tables:
            while not await _is_here(client, name):
                assert time.monotonic() < begun + PATIENCE, f"nobody takes {name}"
                await asyncio.sleep(0.02)
        return time.monotonic() - begun


async def _is_here(client: Client, table: str) -> bool:
    """Whether a ticket for a table leads to the node that is asked, at this moment."""
    try:
        found = await client._send_request("POST", f"{client.address}/api/tickets", json={"table": table})
    except httpx.TransportError:
        return False
    return found.status_code == HTTPStatus.CREATED and found.json()["socket"].startswith("/")


async def endure_nodes(folder: Path, db: str, ordeal: Ordeal) -> tuple[Outcome, list[Player]]:
    """Let people play while nodes are killed and frozen; then look at what the database holds."""
    chance, outcome, nodes = random.Random(ordeal.seed), Outcome(), Nodes(folder, db)
    watch = Watch(nodes, outcome)
    try:
        for port in nodes.ports:
            await nodes.start(port)
        addresses = [f"http://127.0.0.1:{port}" for port in nodes.ports]
        players = [
            Player(number, random.Random(chance.getrandbits(64)), *chance.sample(addresses, 2))
            for number in range(ordeal.players)
        ]
        over = asyncio.Event()
        async with contextlib.AsyncExitStack() as stack:
            for player in players:
                await stack.enter_async_context(player.client)
                player.who = await player.client.visit()
                await stack.enter_async_context(player.table)
            playing = [asyncio.create_task(player.play(over)) for player in players]
            acts = ["kill"] * ordeal.kills + ["freeze"] * ordeal.freezes
            chance.shuffle(acts)
            for act in acts:
                await asyncio.sleep(0.5 + chance.random())
                port = chance.choice(nodes.ports)
                async with watch.over(act, port):
                    if act == "kill":
                        nodes.running[port].process.kill()
                    else:
                        await nodes.freeze(port, FROZEN_SECONDS + chance.random())
                if act == "kill":
                    await nodes.start(port)
            await asyncio.sleep(1.0)
            over.set()
            await asyncio.wait_for(asyncio.gather(*playing), 120)
            for player in players:
                for id_ in player.chance.sample(list(player.answers), min(10, len(player.answers))):
                    await asyncio.wait_for(player.again(id_), 120)
                    outcome.repeats += 1
            outcome.wrong += await nodes.stop()
            outcome.starts = len(nodes.all)
            judge(db, folder, players, outcome)
    finally:
        nodes.close()
    return outcome, players
