"""A takeover: how long it takes, and what it costs people at tables of the surviving nodes.

Run: make bench, or .venv/bin/python bench/nodes.py [--runs N] [kill] [freeze] (without names: both)

Three nodes serve a practice house on PostgreSQL, each a separate process, all on this machine. At every table
a participant acts at a fixed rate, whether or not the last act was answered; each act is durable before it is
answered. Then one node is killed, or frozen for longer than its lease. It reports the times of answers at the tables of
the other two nodes before that, until all tables are served again, and in the second after; how soon a client that
requests tickets finds all tables of the lost node at others (the limit is 1 s after a kill, the lease and 2 s after a
freeze); and the longest answer at a table that moved.

All this is done twice: with people at the tables of the lost node, who reconnect and resend what was not answered,
and with nobody there. The difference is the cost of those people; the rest is that of the takeover itself. It also
shows how late this machine woke a thread at worst: no figure is more precise than that. With several runs it prints
the median of each figure, and in parentheses the range.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median, quantiles

import httpx
import msgspec
import uvloop

from baccarat.client import Client, TableClient
from baccarat.serve.setting import TRAINING, Setting

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from lateness import Lateness
from postgres_server import serving
from served_program import Program

NODES, RATE = 3, 20
"""How many processes; and how many acts per second at each table."""
BEFORE, AFTER, LONGEST = 6.0, 1.0, 20.0
"""Seconds: how long answers are timed before a node is lost and after recovery; the longest wait."""
BARS = {"kill": 1.0, "freeze": Setting().lease_seconds + 2.0}
"""Within how many seconds another node has all tables of a lost one, on an idle machine."""
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
    """A participant who acts at a fixed rate."""

    def __init__(self, table: TableClient) -> None:
        self.table = table
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
    """A participant seated at a table, with chips, once wagers are accepted there."""
    client = await stack.enter_async_context(Client(*addresses))
    await client.visit()
    table = await stack.enter_async_context(client.table(name))
    assert (await table.do("sit", seat=2)).is_done
    await client.buy_in(name, 100_000)
    await table.until(lambda view: view["state"]["step"] == "wager")
    return Sitter(table)


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


class Run(msgspec.Struct):
    """The results of one run: figures in milliseconds, by their names."""

    stay: int
    move: int
    figures: dict[str, float] = {}

    def time(self, what: str, took: list[float]) -> None:
        """Note how long answers took."""
        spread = quantiles(took, n=1000)
        for name, value in (("p50", spread[499]), ("p99", spread[989]), ("longest", max(took))):
            self.figures[f"{what}, {name}"] = value * 1e3


async def taken(client: Client, tables: list[str], lost: str) -> float:
    """How long it takes until tickets for all these tables lead to nodes other than the lost one."""
    begun = time.perf_counter()
    for name in tables:
        while time.perf_counter() < begun + LONGEST:
            found = await client._send_request("POST", f"{client.address}/api/tickets", json={"table": name})
            if found.status_code == httpx.codes.CREATED and lost not in found.json()["socket"]:
                break
            await asyncio.sleep(0.01)
    return time.perf_counter() - begun


async def lose_one(programs: dict[str, Program], what: str, *, with_people: bool) -> Run:
    """Sit down, lose one node, and note how long answers took; with nobody at the tables that move, or with people."""
    *_, gone = addresses = list(programs)
    async with httpx.AsyncClient() as asking:
        found = (await asking.get(f"{addresses[0]}/api/tables")).json()["tables"]
    names = [each["table"] for each in found if each["table"] != TRAINING]
    await settled(addresses, names)
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(Client(addresses[0]))
        await client.visit()
        away = f":{gone.rpartition(':')[2]}/"
        moving = [name for name in names if away in (await client.ticket(name))[1]]
        sitters = {name: await seated(stack, addresses, name) for name in names if with_people or name not in moving}
        lost = [each for name, each in sitters.items() if name in moving]
        stay = [each for name, each in sitters.items() if name not in moving]
        over = asyncio.Event()
        acting = [asyncio.create_task(each.act(over)) for each in sitters.values()]
        await asyncio.sleep(BEFORE)
        machine = stack.enter_context(Lateness())
        at = time.perf_counter()
        programs[gone].process.send_signal(signal.SIGKILL if what == "kill" else signal.SIGSTOP)
        try:
            took = await taken(client, moving, away)
        except httpx.TransportError:
            said = programs[addresses[0]].lines
            sys.exit(
                f"a node that should have survived is gone, too; was this machine busy with other work? {said[-3:]}"
            )
        while time.perf_counter() < at + LONGEST and not all(answered_since(each, at) for each in lost):
            await asyncio.sleep(0.02)
        back = time.perf_counter()
        await asyncio.sleep(AFTER)
        over.set()
        await asyncio.gather(*acting)
    run = Run(stay=len(stay), move=len(moving))
    answers = [answer for each in stay for answer in each.answers]
    run.time("tables that stay, before", [took for sent, took in answers if at - BEFORE + 1 < sent < at - 0.1])
    run.time("tables that stay, until all are served", [took for sent, took in answers if at <= sent <= back])
    run.time("tables that stay, the second after", [took for sent, took in answers if back < sent <= back + AFTER])
    run.figures["all tables that move are at other nodes after"] = took * 1e3
    if lost:
        moved = [took for each in lost for sent, took in each.answers if at - 0.2 <= sent <= at + 0.5]
        run.figures["tables that move, longest answer"] = max(moved) * 1e3
    run.figures["this machine was late by"] = machine.worst * 1e3
    return run


def answered_since(sitter: Sitter, at: float) -> bool:
    """Whether an act that was sent after a moment has been answered."""
    return any(sent > at for sent, _ in sitter.answers[-50:])


def say(what: str, runs: list[Run], *, with_people: bool) -> None:
    """The figures of some runs."""
    word, who = "killed" if what == "kill" else "frozen", "people" if with_people else "nobody"
    first = runs[0]
    print(f"\none of {NODES} nodes is {word}; {first.stay} tables stay, {RATE} acts a second at each;")
    print(f"{first.move} tables move, with {who} at them, and the bar is {BARS[what]:g} s; runs: {len(runs)}")
    for name in first.figures:
        values = [run.figures[name] for run in runs]
        span = f"   ({min(values):,.0f} to {max(values):,.0f})" if len(values) > 1 else ""
        print(f"{name:<50}{median(values):>10,.1f} ms{span}")


def one_run(folder: Path, what: str, *, with_people: bool) -> Run:
    """A house of its own, in which one node is lost."""
    with tempfile.TemporaryDirectory(dir=folder) as made, serving(Path(made) / "postgres") as server:
        environment = {**PACE, "BACCARAT_SEAL_KEY": str(Path(made) / "seal.key")}
        address, programs = server.new(), dict[str, Program]()
        try:
            for _ in range(NODES):
                program = Program("--db", address, "--port", "0", folder=Path(made), environment=environment)
                programs[program.address()] = program
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                return runner.run(lose_one(programs, what, with_people=with_people))
        finally:
            for program in programs.values():
                program.__exit__(None, None, None)


def main() -> None:
    """Run the requested kinds of loss, each run in a house of its own."""
    reading = argparse.ArgumentParser(description="What a takeover costs.")
    reading.add_argument("--runs", type=int, default=1)
    reading.add_argument("what", nargs="*", metavar="kill|freeze", help="without: both")
    asked = reading.parse_args()
    folder = Path(os.environ.get("BACCARAT_BENCH_FOLDER", "."))
    if set(asked.what) - set(BARS) or asked.runs < 1:
        reading.error("expected kill or freeze, and at least one run")
    for what in asked.what or list(BARS):
        for with_people in (True, False):
            runs = [one_run(folder, what, with_people=with_people) for _ in range(asked.runs)]
            say(what, runs, with_people=with_people)


if __name__ == "__main__":
    main()
