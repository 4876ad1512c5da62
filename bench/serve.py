"""Speed of a served house, compared with a bare fdatasync and a bare socket loop in the same run.

Run: make bench, or .venv/bin/python bench/serve.py [rounds] [latency] [verify] [frames] [idle] [restart] [start]
(without names: all of them). A busy machine makes every figure worse; the ratios less so.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvloop
from websockets.asyncio.client import connect

from baccarat.client import Client, command_id
from baccarat.engine.entries import EnteredAct
from baccarat.house.filed_rules import file_rules
from baccarat.house.house_book import AddPit
from baccarat.house.stream import HOUSE_STREAM, pit_stream, table_stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import rulebook
from baccarat.play.wager import WagerKind
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.fanout.table_room import Subscriber
from baccarat.serve.job.table_loop import fetch_seeds
from baccarat.serve.job.verification_process import MODULE, VerificationOrder, write_frame
from baccarat.serve.live import HouseServer
from baccarat.serve.opening import open_server
from baccarat.serve.run import Server, server_config, tune
from baccarat.serve.setting import Setting
from baccarat.table.actor import Actor, Envelope
from baccarat.table.automation import actor_for, command_for, next_due
from baccarat.table.base import Command
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.wagering import ChangeWager, PlaceWager
from baccarat.table.table_cards import TableCards

SUBMISSION, SEATS = "ma-midi-4", 9
TABLES, ROUNDS = 100, 10
RATE, SECONDS = 500, 6
IDLE = 10_000
HISTORY_ROUNDS = 400
"""How many rounds are in the history that is verified."""


NO_LIMITS: dict[str, Any] = {"requests_a_second": 1e6, "requests_at_once": 10**6, "connections_at_once": 10**6}
"""Limits that no benchmark reaches."""


def say(what: str, figure: str, beside: str = "") -> None:
    """One line of the table."""
    print(f"{what:<58} {figure:>22}  {beside}")


def percentile(values: list[float], share: float) -> float:
    """The value below which this share of them lies."""
    return statistics.quantiles(values, n=1000)[int(share * 1000) - 1]


def bare_fdatasync(folder: Path, count: int = 400) -> list[float]:
    """How long a write of a kilobyte takes to be on disk, repeatedly."""
    found: list[float] = []
    with (folder / "bare").open("wb", buffering=0) as file:
        for _ in range(count):
            begun = time.perf_counter()
            file.write(bytes(1024))
            os.fdatasync(file.fileno())
            found.append(time.perf_counter() - begun)
    return found


# ------------------------------------------------------------------------------------------- a house


async def opened(folder: Path, **settings: Any) -> HouseServer:
    """A practice house whose automated dealers are paused."""
    setting = Setting(db=str(folder / "house.db"), company=0, **NO_LIMITS, **settings)
    live = await open_server(setting, stopped=end_process)
    await live.jobs.stop_all()  # and none is started for the tables that are opened from here on
    return live


def end_process(error: BaseException) -> None:
    """The store has failed: what is measured from here on would mean nothing."""
    print("the store stopped:", error, file=sys.stderr)
    os._exit(3)


async def with_tables(live: HouseServer, count: int) -> list[str]:
    """Tables of one kind, in a pit of their own."""
    admin = Envelope(actor=Actor(who="a", role=Role.ADMINISTRATOR))
    boss = Envelope(actor=Actor(who="b", role=Role.PIT_BOSS))
    live.enter(HOUSE_STREAM, AddPit(name="bench"), admin)
    names = [f"T{number}" for number in range(count)]
    filed = file_rules(rulebook(SUBMISSION))
    for name in names:
        kept = live.enter(
            pit_stream("bench"), OpenTable(table=name, filed=filed, effective=0, cards=TableCards.ELECTRONIC), boss
        )
        assert kept.refused is None, kept.refused
    await live.house.writer.wait_until_flushed()
    return names


class Play:
    """Rounds at one table: nine participants wager, a dealer does what is due; each act waits for its answer."""

    def __init__(self, live: HouseServer, name: str) -> None:
        self.live, self.name, self.stream = live, name, table_stream(name)
        self.table = live.house.table(name)
        self.source = SealedShoe(
            self.table.rules, live.vault.seeds_of(self.stream, name, lambda: self.table.rules), table=name
        )
        self.commands = 0
        self.thinking = 0.0
        """How long the automated dealer thought about what comes next."""
        for seat in range(1, SEATS + 1):
            self.table.do(Sit(seat=seat, person=f"p{seat}"))
            self.table.do(BuyIn(seat=seat, amount=10**9))

    async def until_wagers(self) -> None:
        """Everything that comes before a round."""
        while self.table.state.step != "wager":
            await self._next()

    async def round(self) -> None:
        """One round, to the next wagers."""
        loop, last = asyncio.get_running_loop(), None
        number = self.table.state.round.number
        for seat in range(1, SEATS + 1):
            last = loop.create_future()
            wager = PlaceWager(seat=seat, on=WagerKind.BANKER if seat % 2 else WagerKind.PLAYER, stake=2_500)
            self._enter(wager, Actor(who=f"p{seat}", role=Role.PARTICIPANT), last.set_result, id_=command_id())
        if last is not None:
            await last
        while self.table.state.round.number == number or self.table.state.step != "wager":
            await self._next()

    async def _next(self) -> None:
        await fetch_seeds(self.live, self.name, self.table, self.source)
        begun = time.perf_counter()
        due = next_due(self.table, self.source)
        command = command_for(self.table, due, self.source)
        actor = actor_for(self.table, command)
        self.thinking += time.perf_counter() - begun
        done = asyncio.get_running_loop().create_future()
        self._enter(command, actor, done.set_result)
        kept: EnteredAct = await done
        assert kept.refused is None, kept.refused

    def _enter(self, command: Command, actor: Actor, then: Callable[[EnteredAct], None], id_: str = "") -> None:
        self.commands += 1
        self.live.enter(self.stream, command, Envelope(actor=actor, id=id_), then)
        self.table.rules = self.live.house.state.rules(self.name)


async def rounds(folder: Path) -> None:
    """Durable rounds, many tables in parallel, in one process."""
    live = await opened(folder)
    plays = [Play(live, name) for name in await with_tables(live, TABLES)]
    await asyncio.gather(*(play.until_wagers() for play in plays))
    before, thought = sum(play.commands for play in plays), sum(play.thinking for play in plays)
    wall, used = time.perf_counter(), time.process_time()
    for _ in range(ROUNDS):
        await asyncio.gather(*(play.round() for play in plays))
    wall, used = time.perf_counter() - wall, time.process_time() - used
    thought = sum(play.thinking for play in plays) - thought
    commands, played = sum(play.commands for play in plays) - before, TABLES * ROUNDS
    say(
        "durable rounds of nine seats, a second of one core",
        f"{played / used:,.0f}",
        f"asked for: 300; {TABLES} tables",
    )
    say("  if someone else is the dealer", f"{played / (used - thought):,.0f}", "without what automation thinks")
    say("  by wall clock, disk included", f"{played / wall:,.0f}")
    say("  a command, all of it", f"{used / commands * 1e6:,.0f} µs", f"{commands / played:.0f} commands a round")
    await live.drain()
    say("  on disk", f"{(folder / 'house.db').stat().st_size / played / 1024:,.1f} kB a round")
    await live.close()


# ----------------------------------------------------------------------------------------- the wire


async def serving(live: HouseServer) -> tuple[Server, asyncio.Task[None], str, socket.socket]:
    """The house on a free port."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(4096)
    server = Server(server_config(live, live.setting))
    task = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0.002)
    return server, task, f"http://127.0.0.1:{listening.getsockname()[1]}", listening


async def paced_fdatasync(folder: Path, seconds: float) -> list[float]:
    """The same bare write, at the rate at which commands come.

    A disk and a processor that idle between two writes take longer for each than in a tight loop, in any program.
    """
    found: list[float] = []
    with (folder / "paced").open("wb", buffering=0) as file:
        begun = time.perf_counter()
        for number in range(int(RATE * seconds)):
            await asyncio.sleep(max(0.0, begun + number / RATE - time.perf_counter()))
            asked = time.perf_counter()
            file.write(bytes(1024))
            os.fdatasync(file.fileno())
            found.append(time.perf_counter() - asked)
    return found


async def paced_commands(live: HouseServer, plays: list[Play], first: int, count: int) -> list[float]:
    """Commands at a fixed rate, whether or not the last was answered: how long each answer took."""
    found: list[float] = []
    loop, pending = asyncio.get_running_loop(), list[asyncio.Future[None]]()
    begun = time.perf_counter()
    for number in range(first, first + count):
        await asyncio.sleep(max(0.0, begun + (number - first) / RATE - time.perf_counter()))
        play, seat = plays[number % min(10, len(plays))], number // 10 % SEATS + 1
        held = next((wager.stake for wager in play.table.state.round.wagers if wager.seat == seat), 0)
        stake = 2_500 if held != 2_500 else 5_000
        done, asked = loop.create_future(), time.perf_counter()
        pending.append(done)

        def answered(kept: EnteredAct, done: asyncio.Future[None] = done, asked: float = asked) -> None:
            found.append(time.perf_counter() - asked)
            assert kept.refused is None, kept.refused
            done.set_result(None)

        actor = Actor(who=f"p{seat}", role=Role.PARTICIPANT)
        on = WagerKind.BANKER  # what is refused again and again is counted, and not written each time
        wager = ChangeWager(seat=seat, on=on, stake=stake) if held else PlaceWager(seat=seat, on=on, stake=stake)
        live.enter(play.stream, wager, Envelope(actor=actor, id=command_id()), answered)
    await asyncio.gather(*pending)
    return found


async def latency(folder: Path) -> None:
    """How long an answer takes at a fixed rate, compared with bare writes at that rate; a second of each in turn."""
    tight = bare_fdatasync(folder)
    live = await opened(folder)
    plays = [Play(live, name) for name in await with_tables(live, 10)]
    await asyncio.gather(*(play.until_wagers() for play in plays))
    found, paced = list[float](), list[float]()
    for turn in range(SECONDS):
        paced += await paced_fdatasync(folder, 1.0)
        found += await paced_commands(live, plays, turn * RATE, RATE)
    for share in (0.5, 0.99):
        mine, disk, hot = (percentile(each, share) * 1e3 for each in (found, paced, tight))
        say(f"{RATE} commands a second, answered and durable, p{share * 100:.0f}", f"{mine:.2f} ms",
            f"{mine / disk:.1f} times a bare fdatasync at that rate ({disk:.2f} ms), "
            f"{mine / hot:.1f} times one in a tight loop ({hot:.2f} ms); asked for: 3 at p99")  # fmt: skip
    await live.drain()
    await live.close()


class Verifying:
    """The process that decides the history of a house again; stopped and continued, it is there in turns."""

    def __init__(self, live: HouseServer) -> None:
        self._order = VerificationOrder(db=live.setting.db, share=live.setting.verify_share)
        self.runs = 0
        self._process: subprocess.Popen[bytes] | None = None

    def go_on(self) -> None:
        """Continue, or begin again once it has come to the end."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)
            return
        command = [sys.executable, "-P", "-m", MODULE]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        assert self._process.stdin is not None
        write_frame(self._process.stdin, self._order)
        self.runs += 1

    def halt(self) -> None:
        """Do nothing for now."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGSTOP)

    def end(self) -> float:
        """End it; how many seconds of processor time it and its predecessors have used."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime


async def verify(folder: Path) -> None:
    """How long an answer takes while history is decided again in the background, and while it is not, in turns."""
    live = await opened(folder)
    plays = [Play(live, name) for name in await with_tables(live, 10)]
    await asyncio.gather(*(play.until_wagers() for play in plays))
    for _ in range(HISTORY_ROUNDS // len(plays)):
        await asyncio.gather(*(play.round() for play in plays))
    await live.house.writer.wait_until_flushed()
    verifying, found = Verifying(live), {True: list[list[float]](), False: list[list[float]]()}
    verifying.go_on()
    await asyncio.sleep(3.0)  # so long it takes to start
    for turn in range(4 * SECONDS):
        is_there = turn % 2 == 1
        (verifying.go_on if is_there else verifying.halt)()
        found[is_there].append(await paced_commands(live, plays, turn * RATE, RATE))
    used = verifying.end()
    for share in (0.5, 0.99):  # the median over the seconds: one stall of a busy machine is not that of verification
        quiet, beside = (
            statistics.median(percentile(second, share) for second in found[each]) * 1e3 for each in (False, True)
        )
        say(f"{RATE} commands a second while history is verified, p{share * 100:.0f}", f"{beside:.2f} ms",
            f"{beside / quiet:.2f} times that without ({quiet:.2f} ms); asked for: 1.5 at p99")  # fmt: skip
    say("  processor time of verification", f"{used:.1f} s", f"in {2 * SECONDS} seconds, {verifying.runs} runs")
    await live.drain()
    await live.close()


async def frames(folder: Path) -> None:
    """Frames to many spectators, compared with the same texts put straight into queues."""
    live = await opened(folder)
    name = (await with_tables(live, 1))[0]
    play, room = Play(live, name), live.rooms[name]
    sent = 0

    async def send(_text: str) -> None:
        nonlocal sent
        sent += 1

    roles = [(f"p{seat}", Role.PARTICIPANT) for seat in range(1, SEATS + 1)]
    roles += [("d", Role.DEALER), ("f", Role.FLOORPERSON), ("s", Role.SURVEILLANCE)]
    guests = [Subscriber(*roles[number % 12], Outbox()) for number in range(300)]
    sending = [asyncio.create_task(guest.line.run(send)) for guest in guests]
    for guest in guests:
        room.join(guest)
    await play.until_wagers()
    sent, used = 0, time.process_time()
    for _ in range(20):
        await play.round()
    used = time.process_time() - used
    say("frames to 300 spectators, a second of one core", f"{sent / used:,.0f}", "asked for: 30,000; deciding and all")
    for guest in guests:
        guest.line.end()
    await asyncio.gather(*sending)
    await live.drain()
    await live.close()


async def idle(folder: Path) -> None:
    """Sockets that only watch, and the memory of each."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(IDLE, (hard - 200) // 2)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * wanted + 200), hard))
    live = await opened(folder)
    server, task, address, listening = await serving(live)
    child = os.fork()
    if child == 0:  # the clients' memory is not the server's
        os.execv(sys.executable, [sys.executable, __file__, "--look-on", address, str(wanted)])
    before = _memory()
    while sum(len(room.guests) for room in live.rooms.values()) < wanted:
        if os.waitpid(child, os.WNOHANG)[0]:
            break
        await asyncio.sleep(0.2)
    here = sum(len(room.guests) for room in live.rooms.values())
    say("sockets that watch", f"{here:,}", "asked for: 10,000")
    if here:
        say("  memory of each, in the server", f"{(_memory() - before) / here / 1024:.1f} KiB")
    subprocess.run(["kill", str(child)], check=False)
    server.should_exit = True
    await live.drain()
    await task
    listening.close()
    await live.close()


def _memory() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


async def look_on(address: str, count: int) -> None:
    """Many sockets at one table, until this is ended."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    open_: list[Any] = []
    async with Client(address) as client:
        while len(open_) < count:
            ticket, where = await client.ticket(SUBMISSION)
            made = await connect(where, ping_interval=None, open_timeout=60, compression=None)
            await made.send(f'{{"type":"join","ticket":"{ticket}"}}')
            open_.append(made)
        await asyncio.sleep(3600)


# -------------------------------------------------------------------------------------- starting again


async def restart(folder: Path) -> None:
    """Reopen a house with a hundred tables, one of which has played for long."""
    live = await opened(folder)
    names = await with_tables(live, TABLES)
    plays = [Play(live, name) for name in names]
    await asyncio.gather(*(play.until_wagers() for play in plays))
    many = int(os.environ.get("BACCARAT_BENCH_ROUNDS", "300"))
    for _ in range(many):
        await plays[0].round()
    await live.house.writer.wait_until_flushed()
    await live.close()  # without a last snapshot, as after a kill
    begun = time.perf_counter()
    again = await opened(folder)
    say(
        f"opened again: {TABLES} tables, one with {many:,} rounds",
        f"{time.perf_counter() - begun:.2f} s",
        "asked for: 3 s",
    )
    await again.drain()
    await again.close()


async def start(folder: Path) -> None:
    """From the command to the first page."""
    port = _free_port()
    command = [sys.executable, "-m", "baccarat", "serve", "--port", str(port), "--db", str(folder / "house.db")]
    begun = time.perf_counter()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as there:
                there.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                if there.recv(15).startswith(b"HTTP/1.1 200"):
                    break
        except OSError:
            await asyncio.sleep(0.01)
    say("from the command to the first page", f"{time.perf_counter() - begun:.2f} s", "asked for: 2 s")
    process.terminate()
    process.wait()


def _free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


SECTIONS = {
    "rounds": rounds, "latency": latency, "verify": verify, "frames": frames, "idle": idle, "restart": restart,
    "start": start,
}  # fmt: skip


def main() -> None:
    """Run the requested sections, each in a folder of its own; Python is set up as for serving."""
    tune()
    if "--look-on" in sys.argv:
        asyncio.run(look_on(sys.argv[2], int(sys.argv[3])))
        return
    for name in sys.argv[1:] or list(SECTIONS):
        with (
            tempfile.TemporaryDirectory(dir=os.environ.get("BACCARAT_BENCH_FOLDER", ".")) as folder,
            asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        ):
            runner.run(SECTIONS[name](Path(folder)))


if __name__ == "__main__":
    main()
