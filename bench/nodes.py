"""What a takeover costs those who are not concerned: answers at tables of nodes that live on, while another is gone.

Run: make bench, or .venv/bin/python bench/nodes.py [kill] [freeze] (without names: both)

Three nodes serve a practice house on PostgreSQL, each a program of its own, all on this machine. At every table
somebody sits and acts at a fixed rate, whether or not the last act was answered; each act is durable before it is
answered. Then one node is killed, or frozen for longer than its lease. Told are the times of answers at the tables of
the other two nodes before that and until all tables are served again, and how long those of the lost node were away.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import quantiles

import httpx
import uvloop

from baccarat.client import Client, TableClient
from baccarat.serve.setting import TRAINING

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from postgres_server import serving
from served_program import Program

NODES, RATE = 3, 20
"""So many programs; and so many acts a second at each table."""
BEFORE, LONGEST = 6.0, 12.0
PACE = {
    "BACCARAT_PACE": "0",
    "BACCARAT_BETTING_SECONDS": "3600",
    "BACCARAT_ANSWER_SECONDS": "0.05",
    "BACCARAT_COMPANY": "0",
    "BACCARAT_REQUESTS_A_SECOND": "10000",
    "BACCARAT_REQUESTS_AT_ONCE": "10000",
}
STAKES = (2_500, 5_000)


class Sitter:
    """Somebody at a table who acts at a fixed rate."""

    def __init__(self, table: TableClient, owner: str) -> None:
        self.table, self.owner = table, owner
        self.answers: list[tuple[float, float]] = []
        """When each act was sent, and how long its answer took."""
        self._waiting = set[asyncio.Task[None]]()

    async def act(self, over: asyncio.Event) -> None:
        """Act until it is over, and wait for the last answers."""
        begun, number = time.perf_counter(), 0
        while not over.is_set():
            await asyncio.sleep(max(0.0, begun + number / RATE - time.perf_counter()))
            task = asyncio.create_task(self._one(number))
            self._waiting.add(task)
            task.add_done_callback(self._waiting.discard)
            number += 1
        await asyncio.gather(*self._waiting)

    async def _one(self, number: int) -> None:
        sent = time.perf_counter()
        if number % 2:
            await self.table.do("withdraw_wager", seat=2, on="banker")
        else:
            await self.table.do("place_wager", seat=2, on="banker", stake=STAKES[number // 2 % 2])
        self.answers.append((sent, time.perf_counter() - sent))


async def seated(stack: AsyncExitStack, addresses: list[str], name: str) -> Sitter:
    """Somebody who sits at a table, with chips, once wagers are taken there."""
    client = await stack.enter_async_context(Client(*addresses))
    await client.visit()
    table = await stack.enter_async_context(client.table(name))
    assert (await table.do("sit", seat=2)).is_done
    await client.buy_in(name, 100_000)
    await table.until(lambda view: view["state"]["step"] == "wager")
    _, where = await client.ticket(name)
    return Sitter(table, where.partition("://")[2].partition("/")[0])


async def settled(addresses: list[str], names: list[str]) -> None:
    """Wait until every node has its share of the tables."""
    async with Client(*addresses) as client:
        await client.visit()
        while True:
            owners = [(await client.ticket(name))[1] for name in names]
            counts = [owners.count(each) for each in set(owners)]
            if len(counts) == NODES and max(counts) <= -(-(len(names) + 1) // NODES):
                return
            await asyncio.sleep(0.1)


def say(what: str, took: list[float]) -> None:
    """One line of the table."""
    spread = quantiles(took, n=1000)
    figures = (spread[499], spread[989], max(took))
    print(f"{what:<52}" + "".join(f"{each * 1e3:>10.1f} ms" for each in figures) + f"{len(took):>8} answers")


async def lose_one(programs: dict[str, Program], how: signal.Signals) -> None:
    """Sit down everywhere, lose one node, and tell how long answers took."""
    addresses = list(programs)
    async with httpx.AsyncClient() as asking:
        found = (await asking.get(f"{addresses[0]}/api/tables")).json()["tables"]
    names = [each["table"] for each in found if each["table"] != TRAINING]
    await settled(addresses, names)
    async with AsyncExitStack() as stack:
        sitters = [await seated(stack, addresses, name) for name in names]
        gone = addresses[-1].rpartition(":")[2]
        lost = [each for each in sitters if each.owner.endswith(f":{gone}")]
        stay = [each for each in sitters if each not in lost]
        over = asyncio.Event()
        acting = [asyncio.create_task(each.act(over)) for each in sitters]
        await asyncio.sleep(BEFORE)
        at = time.perf_counter()
        programs[addresses[-1]].process.send_signal(how)
        while time.perf_counter() < at + LONGEST and not all(answered_since(each, at) for each in lost):
            await asyncio.sleep(0.02)
        back = time.perf_counter()
        await asyncio.sleep(0.5)
        over.set()
        await asyncio.gather(*acting)
    before = [took for each in stay for sent, took in each.answers if at - BEFORE + 1 < sent < at - 0.1]
    during = [took for each in stay for sent, took in each.answers if at <= sent <= back]
    away = max(took for each in lost for sent, took in each.answers if at - 0.2 <= sent <= at + 0.5)
    word = "killed" if how is signal.SIGKILL else "frozen"
    print(f"one of {NODES} nodes is {word}; {len(stay)} tables stay, {len(lost)} move; {RATE} acts a second at each")
    print(f"{'':<52}{'p50':>13}{'p99':>13}{'longest':>13}")
    say("tables of the other nodes, before", before)
    say("tables of the other nodes, until all are served", during)
    print(f"{'tables of the lost node, longest answer':<52}{away * 1e3:>10.0f} ms")


def answered_since(sitter: Sitter, at: float) -> bool:
    """Whether an act that was sent after a moment has been answered."""
    return any(sent > at for sent, _ in sitter.answers[-50:])


def main() -> None:
    """The sorts of loss that were asked for, each in a house of its own."""
    chosen = {"kill": signal.SIGKILL, "freeze": signal.SIGSTOP}
    folder = os.environ.get("BACCARAT_BENCH_FOLDER", ".")
    for name in sys.argv[1:] or list(chosen):
        with tempfile.TemporaryDirectory(dir=folder) as made, serving(Path(made) / "postgres") as server:
            environment = {**PACE, "BACCARAT_SEAL_KEY": str(Path(made) / "seal.key")}
            address = server.new()
            programs = dict[str, Program]()
            try:
                for _ in range(NODES):
                    program = Program("--db", address, "--port", "0", folder=Path(made), environment=environment)
                    programs[program.address()] = program
                with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                    runner.run(lose_one(programs, chosen[name]))
            finally:
                for program in programs.values():
                    program.__exit__(None, None, None)


if __name__ == "__main__":
    main()
