"""A rush: many clients request a ticket and join at the same moment; how long each waits, and how many are turned away.

Run: make bench, or .venv/bin/python bench/rush.py [clients]
The clients run in four processes of their own, and compete with the house for the machine. Exit status: 0 all joined, 1
at least one did not.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import uvloop
from websockets.asyncio.client import connect

from baccarat.client import Client
from baccarat.serve.opening import open_server
from baccarat.serve.run import tune
from baccarat.serve.setting import Setting
from serve import NO_LIMITS, percentile, say, serving

TABLE = "ma-midi-4"
CLIENTS, PROCESSES = 2_000, 4


async def join_all(address: str, count: int) -> None:
    """Let clients join at the same moment, print each one's outcome, and stay until this process is ended."""
    found = await asyncio.gather(*[_join(address) for _ in range(count)])
    print(json.dumps(found), flush=True)
    await asyncio.sleep(3600)


async def _join(address: str) -> tuple[str, float, float]:
    """What became of one client: how it ended, the seconds it took in all, and those since it had its ticket."""
    begun = ticketed = time.perf_counter()
    try:
        async with Client(address, timeout=120) as client:
            ticket, where = await client.ticket(TABLE)
            ticketed = time.perf_counter()
            socket = await connect(where, ping_interval=None, open_timeout=300, compression=None)
            await socket.send(json.dumps({"type": "join", "ticket": ticket}))
            said = json.loads(await socket.recv())
            _OPEN.append(socket)
            outcome = "joined" if said["type"] == "view" else str(said.get("why", said["type"]))
    except Exception as error:  # noqa: BLE001  each way to fail is counted
        outcome = type(error).__name__
    now = time.perf_counter()
    return outcome, now - begun, now - ticketed


_OPEN: list[object] = []
"""Clients that joined stay."""


async def rush(folder: Path, clients: int) -> bool:
    """Open a house, let them come, and report; whether all of them joined."""
    setting = Setting(db=str(folder / "house.db"), company=0, **NO_LIMITS)
    live = await open_server(setting, stopped=lambda _error: os._exit(3))
    server, task, address, listening = await serving(live)
    words = (sys.executable, __file__, "--join", address, str(clients // PROCESSES))
    children = [
        await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE, limit=2**24)
        for _ in range(PROCESSES)
    ]
    outcomes = list[tuple[str, float, float]]()
    for child in children:
        assert child.stdout is not None
        outcomes += json.loads(await child.stdout.readline())
    counted = Counter(outcome for outcome, _, _ in outcomes)
    say(f"{clients:,} clients that arrive at the same moment", f"{counted['joined']:,} joined", str(dict(counted)))
    say("  from the first request to the first view, p50 and p99", _both([took for _, took, _ in outcomes]))
    say("  from the ticket to the first view, p50 and p99", _both([took for _, _, took in outcomes]))
    for child in children:
        child.kill()
        await child.wait()
    server.should_exit = True
    await live.drain()
    await task
    listening.close()
    await live.close()
    return counted["joined"] == len(outcomes)


def _both(found: list[float]) -> str:
    return f"{percentile(found, 0.5):.1f} and {percentile(found, 0.99):.1f} s"


def main() -> None:
    """Run the rush; Python is set up as for serving."""
    tune()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 20_000)), hard))
    if "--join" in sys.argv:
        asyncio.run(join_all(sys.argv[2], int(sys.argv[3])))
        return
    clients = int(sys.argv[1]) if len(sys.argv) > 1 else CLIENTS
    with (
        tempfile.TemporaryDirectory(dir=os.environ.get("BACCARAT_BENCH_FOLDER", ".")) as folder,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        sys.exit(0 if runner.run(rush(Path(folder), clients)) else 1)


if __name__ == "__main__":
    main()
