"""Two nodes of one house, killed and frozen in turn while people play; what was answered must still stand."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
from pathlib import Path

from killed_house import PACE, Ordeal, Outcome, Player, free_port, judge
from served_program import Program

FROZEN_SECONDS = 2.6
"""So long a node is frozen at least: longer than its lease."""


class Nodes:
    """Two programs on one database, each on a port of its own."""

    def __init__(self, folder: Path, db: str) -> None:
        self.folder, self.db, self.ports = folder, db, (free_port(), free_port())
        self.running: dict[int, Program] = {}
        self.all: list[Program] = []

    async def start(self, port: int) -> None:
        """Start the node of a port, and wait until it serves."""
        environment = {**PACE, "BACCARAT_SEAL_KEY": str(self.folder / "seal.key")}
        program = Program("--db", self.db, "--port", str(port), folder=self.folder, environment=environment)
        self.all.append(program)
        self.running[port] = program
        await asyncio.to_thread(program.until, "serving")

    async def kill(self, port: int) -> None:
        """Kill a node; another is started in its place."""
        self.running[port].process.kill()
        await self.start(port)

    async def freeze(self, port: int, seconds: float) -> list[str]:
        """Freeze a node for longer than its lease: thawed, it must end with status 3. What is wrong."""
        program = self.running[port]
        os.kill(program.process.pid, signal.SIGSTOP)
        await asyncio.sleep(seconds)
        os.kill(program.process.pid, signal.SIGCONT)
        status = await asyncio.to_thread(program.ended)
        await self.start(port)
        return [] if status == 3 else [f"a node whose lease has lapsed ended with {status}"]

    async def stop(self) -> list[str]:
        """Ask both to end, at once. What is wrong."""
        ended = await asyncio.gather(*(asyncio.to_thread(each.stopped) for each in self.running.values()))
        return [f"a node ended with {status}" for status in ended if status]

    def close(self) -> None:
        """Leave nothing behind."""
        for each in self.all:
            each.__exit__(None, None, None)


async def endure_nodes(folder: Path, db: str, ordeal: Ordeal) -> tuple[Outcome, list[Player]]:
    """Let people play while nodes are killed and frozen; then look at what the database holds."""
    chance, outcome, nodes = random.Random(ordeal.seed), Outcome(), Nodes(folder, db)
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
                if act == "kill":
                    await nodes.kill(port)
                else:
                    outcome.wrong += await nodes.freeze(port, FROZEN_SECONDS + chance.random())
            await asyncio.sleep(1.0)
            over.set()
            await asyncio.wait_for(asyncio.gather(*playing), 60)
            for player in players:
                for id_ in player.chance.sample(list(player.answers), min(10, len(player.answers))):
                    await asyncio.wait_for(player.again(id_), 60)
                    outcome.repeats += 1
            outcome.wrong += await nodes.stop()
            outcome.starts = len(nodes.all)
            judge(db, folder, players, outcome)
    finally:
        nodes.close()
    return outcome, players
