"""What a flood does to somebody at another table, and what it writes: acts in quiet and under flood, in turns.

Run: make bench, or .venv/bin/python bench/flood.py [limited] [unlimited] [disk] (without names: all of them).

Twenty sockets of one visitor, at another address than the patron, send commands that are refused, as fast as they can.
The patron wagers and withdraws at another table, forty times a second. `limited` is a house as it is set by default:
the visitor's budget ends the flood. `unlimited` has no budgets, as if each socket were of another person: what helps
there is that tables take turns.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import uvloop
from websockets.asyncio.client import ClientConnection, connect

from baccarat.client import Client, command_id
from baccarat.house.stream import table_stream
from baccarat.serve.access.base import HOUR, new_id
from baccarat.serve.access.denial import Denial, make_denial
from baccarat.serve.access.session import Session
from baccarat.serve.live import HouseServer
from baccarat.serve.opening import open_server
from baccarat.serve.run import tune
from baccarat.serve.runtime.refusal_folds import write_folds
from baccarat.serve.setting import Setting
from baccarat.table.actor import Actor, Envelope
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave
from serve import NO_LIMITS, bare_fdatasync, end_process, say, serving

FLOODED, QUIET = "ma-midi-4", "ma-midi-3"
SOCKETS, UNREAD, FLOOD_ADDRESS = 20, 50, "127.0.0.2"
TURNS, ACTS, PAUSE = 5, 100, 0.025
REFUSALS = 10_000


# ------------------------------------------------------------------------------------------ the attacker


async def attack(address: str) -> None:
    """Flood one table until this process is ended."""
    async with Client(address) as client:
        await client.visit()
        await asyncio.gather(*[_flood_one(client) for _ in range(SOCKETS)])


async def _flood_one(client: Client) -> None:
    """Send without waiting, but no more than are read: a client that does not read is disconnected."""
    ticket, where = await client.ticket(FLOODED)
    async with connect(where, ping_interval=None, compression=None, local_addr=(FLOOD_ADDRESS, 0)) as socket:
        await socket.send(json.dumps({"type": "join", "ticket": ticket}))
        unread = asyncio.Semaphore(UNREAD)
        reading = asyncio.create_task(_drain(socket, unread))
        while not reading.done():
            await unread.acquire()
            command = {"do": "leave", "seat": 9}
            await socket.send(json.dumps({"type": "do", "id": command_id(), "command": command}))


async def _drain(socket: ClientConnection, unread: asyncio.Semaphore) -> None:
    async for message in socket:
        if '"refused"' in str(message):
            unread.release()


# -------------------------------------------------------------------------------------------- the patron


async def patronise(address: str) -> None:
    """Wager at the quiet table: for each line on standard input, time some acts and print how long each took."""
    loop, lines = asyncio.get_running_loop(), asyncio.Queue[str]()
    loop.add_reader(sys.stdin, lambda: lines.put_nowait(sys.stdin.readline()))
    async with Client(address) as client:
        await client.visit()
        async with client.table(QUIET) as table:
            assert (await table.do("sit", seat=1)).is_done
            await client.buy_in(QUIET, 1_000_000)
            await table.until(lambda view: view["state"]["step"] == "wager")
            while await lines.get():
                print(json.dumps([await _timed_act(table, number) for number in range(ACTS)]), flush=True)


async def _timed_act(table: Any, number: int) -> float:
    begun = time.perf_counter()
    if number % 2:
        found = await table.do("withdraw_wager", seat=1, on="banker")
    else:
        found = await table.do("place_wager", seat=1, on="banker", stake=2_500)
    took = time.perf_counter() - begun
    assert found.is_done, found
    await asyncio.sleep(max(0.0, PAUSE - took))
    return took


# --------------------------------------------------------------------------------------------- the house


async def limited(folder: Path) -> None:
    """A house as it is set by default."""
    await _compare(folder, "budgets as by default", {})


async def unlimited(folder: Path) -> None:
    """A house in which nobody waits for a budget."""
    await _compare(folder, "no budgets", NO_LIMITS)


async def _compare(folder: Path, title: str, limits: dict[str, Any]) -> None:
    """The patron's acts in quiet and under flood, in turns."""
    setting = Setting(db=str(folder / "house.db"), company=0, pace=0.0, betting_seconds=3600.0, **limits)
    live = await open_server(setting, stopped=end_process)
    server, task, address, listening = await serving(live)
    patron = await _child("--patron", address)
    quiet, flooded, refused = list[float](), list[float](), list[float]()
    commands = live.metrics.counts.commands
    for _ in range(TURNS):
        quiet += await _turn(patron)
        flood = await _child("--attack", address)
        before = commands["refused"]
        while commands["refused"] < before + SOCKETS:
            await asyncio.sleep(0.05)
        before, begun = commands["refused"], time.perf_counter()
        flooded += await _turn(patron)
        refused.append((commands["refused"] - before) / (time.perf_counter() - begun))
        flood.kill()
        await flood.wait()
        while sum(len(room.guests) for room in live.rooms.values()) > 1:
            await asyncio.sleep(0.05)
    patron.kill()
    await patron.wait()
    for share, name in ((0.5, "p50"), (0.99, "p99")):
        one, other = (statistics.quantiles(each, n=1000)[int(share * 1000) - 1] * 1e3 for each in (quiet, flooded))
        goal = "; asked for: 3 at most" if name == "p99" else ""
        say(
            f"{title}: an act at another table, {name}", f"{one:.1f} → {other:.1f} ms", f"{other / one:.1f} times{goal}"
        )
    say("  refusals of the flood, a second", f"{statistics.median(refused):,.0f}", f"{SOCKETS} sockets of one visitor")
    server.should_exit = True
    await live.drain()
    await task
    listening.close()
    await live.close()


async def _child(what: str, address: str) -> asyncio.subprocess.Process:
    pipe = asyncio.subprocess.PIPE
    words = (sys.executable, __file__, what, address)
    return await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe)


async def _turn(patron: asyncio.subprocess.Process) -> list[float]:
    assert patron.stdin is not None
    assert patron.stdout is not None
    patron.stdin.write(b"go\n")
    found: list[float] = json.loads(await patron.stdout.readline())
    return found


# ------------------------------------------------------------------------------------------------ the disk


async def disk(folder: Path) -> None:
    """What refusals and denials write, twenty at a time, up to their count."""
    live = await open_server(
        Setting(db=str(folder / "house.db"), company=0, betting_seconds=3600.0), stopped=end_process
    )
    await live.house.writer.wait_until_flushed()
    before, begun = _written(folder), time.perf_counter()
    actor = Actor(who="person-" + "0" * 32, role=Role.PARTICIPANT)
    for number in range(REFUSALS):
        live.enter(table_stream(FLOODED), Leave(seat=9), Envelope(actor=actor, id=command_id()))
        if number % SOCKETS == 0:
            await live.house.writer.wait_until_flushed()
    write_folds(live.house, all_in=lambda _stream: True)
    await live.house.writer.wait_until_flushed()
    took = time.perf_counter() - begun
    say(
        f"{REFUSALS:,} refusals, written to disk",
        f"{(_written(folder) - before) / 1000:.1f} kB",
        "asked for: 100 kB at most",
    )
    say("  a refusal, all of it", f"{took / REFUSALS * 1e6:,.0f} µs", f"a bare fdatasync: {_fdatasync(folder):.2f} ms")
    await _deny(live, folder)
    await live.drain()
    await live.close()


async def _deny(live: HouseServer, folder: Path) -> None:
    """The same for acts that somebody who is signed on may not do."""
    before, now = _written(folder), live.desk.now
    held = Session(
        id=new_id("session"), person=new_id("person"), role=Role.PARTICIPANT,
        made_at=now, seen_at=now, acted_at=now, ends_at=now + HOUR,
    )  # fmt: skip
    for number in range(REFUSALS):
        live.desk.deny(held, make_denial(Denial.OTHER_PERSON), about=f"sit {table_stream(FLOODED)}")
        if number % SOCKETS == 0:
            await live.house.writer.wait_until_flushed()
    live.desk.denials.write_counts(is_closing=True)
    await live.house.writer.wait_until_flushed()
    written = f"{(_written(folder) - before) / 1000:.1f} kB"
    say(f"{REFUSALS:,} denials to a signed-on person, written to disk", written, "asked for: 100 kB at most")


def _written(folder: Path) -> int:
    """The size of the database and of its log, which is not written back meanwhile."""
    return sum(each.stat().st_size for each in folder.glob("house.db*"))


def _fdatasync(folder: Path) -> float:
    return statistics.median(bare_fdatasync(folder, 100)) * 1e3


SECTIONS = {"limited": limited, "unlimited": unlimited, "disk": disk}
CHILDREN = {"--attack": attack, "--patron": patronise}


def main() -> None:
    """Run the requested sections, each in a folder of its own; Python is set up as for serving."""
    tune()
    if len(sys.argv) > 1 and sys.argv[1] in CHILDREN:
        asyncio.run(CHILDREN[sys.argv[1]](sys.argv[2]))
        return
    for name in sys.argv[1:] or list(SECTIONS):
        with (
            tempfile.TemporaryDirectory(dir=os.environ.get("BACCARAT_BENCH_FOLDER", ".")) as folder,
            asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        ):
            runner.run(SECTIONS[name](Path(folder)))


if __name__ == "__main__":
    main()
