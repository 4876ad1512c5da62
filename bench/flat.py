"""A house whose rounds grow into the hundred thousands: memory, disk, latency, start, search, replay and backup.

All of it should be flat: none of it should grow with what was played before, except the disk and what reads the whole
of it. Run: .venv/bin/python bench/flat.py [--rounds 1000,10000,100000] [--tables 200] [--spectators 2000]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import uvloop

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from baccarat.record.sealed_seed import SealingKey
from baccarat.serve.fanout.outbox import Outbox
from baccarat.serve.fanout.table_room import Subscriber
from baccarat.serve.job.verification_process import MODULE, VerificationOrder, write_frame
from baccarat.serve.live import HouseServer
from baccarat.serve.opening import open_server
from baccarat.serve.run import tune
from baccarat.serve.setting import Mode, Setting
from baccarat.table.role import Role
from house_of_roles import Asked, sign_everybody_on
from serve import NO_LIMITS, Play, end_process, paced_commands, percentile, say, serving, with_tables

RATE, TURNS = 500, 6
"""How many commands a second measure the latency, and for how many seconds each way."""
SEARCHES = 20
"""How many rounds are searched for and replayed, each in another shoe."""
WATCHES = (Role.PARTICIPANT, Role.DEALER, Role.FLOORPERSON, Role.SURVEILLANCE)


def setting_of(folder: Path) -> Setting:
    """A house for real tables, which drops nothing, in a folder; its key is next to it, because nobody else is here."""
    key = folder / "seal.key"
    if not key.exists():
        SealingKey.create(key)
    db, origin = str(folder / "house.db"), "https://example.org"
    return Setting(
        db=db,
        mode=Mode.PRODUCTION,
        house="example.org/house",
        origin=origin,
        seal_key=str(key),
        verify_share=0.0,
        **NO_LIMITS,
    )


async def opened(folder: Path) -> HouseServer:
    """The house, with its upkeep."""
    return await open_server(setting_of(folder), stopped=end_process)


def memory_of(pid: int | str = "self") -> float:
    """How many megabytes a process has in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


# ------------------------------------------------------------------------------------------------ growing


class GrowingHouse:
    """A house at whose tables rounds are played, and which people watch."""

    def __init__(self, live: HouseServer, plays: list[Play]) -> None:
        self.live, self.plays, self.rounds = live, plays, 0
        self.sending = list[asyncio.Task[None]]()
        """What sends frames to those who watch."""

    @classmethod
    async def opened(cls, folder: Path, *, tables: int, spectators: int) -> GrowingHouse:
        """A new house with tables that are ready for wagers, and people who watch them."""
        live = await opened(folder)
        names = await with_tables(live, tables)
        made = cls(live, [Play(live, name) for name in names])

        async def send(_text: str) -> None:
            return

        for number in range(spectators):
            guest = Subscriber(f"s{number}", WATCHES[number % len(WATCHES)], Outbox())
            made.sending.append(asyncio.create_task(guest.line.run(send)))
            live.rooms[names[number % tables]].join(guest)
        await asyncio.gather(*(play.until_wagers() for play in made.plays))
        return made

    async def grow(self, rounds: int) -> None:
        """Play until there are this many rounds, at all tables in turn; upkeep compresses the shoes that are over."""
        while self.rounds < rounds:
            await asyncio.gather(*(play.round() for play in self.plays))
            self.rounds += len(self.plays)
        await self.live.house.writer.wait_until_flushed()


# --------------------------------------------------------------------------------------------- measuring


class Beside:
    """Another process that works on the same store, stopped and continued in turns; begun again when it has ended."""

    def __init__(self, command: list[str], order: VerificationOrder | None = None, made: Path | None = None) -> None:
        """`order` is what it gets on standard input; `made` a file that must not exist when it begins."""
        self._command, self._order, self._made = command, order, made
        self._process: subprocess.Popen[bytes] | None = None

    def go_on(self) -> None:
        """Continue, or begin."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)
            return
        if self._made is not None:
            self._made.unlink(missing_ok=True)
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        if self._order is not None and self._process.stdin is not None:
            write_frame(self._process.stdin, self._order)

    def halt(self) -> None:
        """Do nothing for now."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGSTOP)

    def end(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        if self._made is not None:
            self._made.unlink(missing_ok=True)


async def latency(house: GrowingHouse, beside: Beside | None = None) -> tuple[float, float]:
    """The p99 of answers at a fixed rate without another process and with it, in turns, in milliseconds.

    Of each the median over its turns of a second: one stall of a busy machine is not that of the other process.
    """
    found: dict[bool, list[float]] = {False: [], True: []}
    for turn in range(TURNS if beside is None else 2 * TURNS):
        is_beside = beside is not None and turn % 2 == 1
        if beside is not None:
            (beside.go_on if is_beside else beside.halt)()
        times = await paced_commands(house.live, house.plays, turn * RATE, RATE)
        found[is_beside].append(percentile(times, 0.99) * 1e3)
    if beside is not None:
        beside.end()
    await clear_layout(house)
    return median(found[False]), median(found[True] or [0.0])


async def clear_layout(house: GrowingHouse) -> None:
    """Finish the rounds in which the latency was measured."""
    await asyncio.gather(*(play.round() for play in house.plays[:10]))
    house.rounds += 10


async def timed(asked: Asked, path: str) -> float:
    """How many milliseconds of a processor a request takes, that of who asks included: other programs are not in it."""
    begun = time.process_time()
    found = await asked.get(path, role=Role.SURVEILLANCE)
    assert found.status == 200, found
    return (time.process_time() - begun) * 1e3


async def read_back(house: GrowingHouse, asked: Asked) -> tuple[float, float]:
    """What a search in a shoe and the replay of a round take, in milliseconds of a processor: the median of some."""
    searches, replays = list[float](), list[float]()
    for number in range(SEARCHES):
        play = house.plays[number * 7 % len(house.plays)]
        shoe = 1 + number % max(1, play.table.state.shoe.number)  # one that is over, if there is one
        where = f"/api/tables/{play.name}/shoes/{shoe}"
        searches.append(await timed(asked, f"{where}/search?words=natural"))
        house.live.states.forget()
        replays.append(await timed(asked, f"{where}/replay?round=3"))
        house.live.states.forget()
    return median(searches), median(replays)


def start_seconds(folder: Path) -> tuple[float, float]:
    """Processor and wall seconds until a process of its own has opened the house, and how much memory it has then."""
    code = (
        "import asyncio, sys; sys.path[:0] = sys.argv[2:]; import flat; from pathlib import Path; "
        "asyncio.run(flat.open_and_say(Path(sys.argv[1])))"
    )
    command = [sys.executable, "-c", code, str(folder), str(Path(__file__).parent)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(said[0]), float(said[1])


async def open_and_say(folder: Path) -> None:
    """Open a house, and print the processor time of this process and its memory."""
    live = await opened(folder)
    print(time.process_time(), memory_of())
    sys.stdout.flush()
    assert live.rooms
    os._exit(0)


@contextmanager
def stage(what: str) -> Iterator[None]:
    """Say on standard error how long something took."""
    begun = time.perf_counter()
    yield
    print(f"{what}: {time.perf_counter() - begun:.1f} s", file=sys.stderr, flush=True)


async def measured(folder: Path, asked: argparse.Namespace) -> list[list[str]]:
    """A row of the table for each number of rounds."""
    rows = list[list[str]]()
    house = await GrowingHouse.opened(folder, tables=asked.tables, spectators=asked.spectators)
    server, task, address, listening = await serving(house.live)
    people = await sign_everybody_on(house.live, address)
    for rounds in asked.rounds:
        with stage(f"{rounds:,} rounds played"):
            await house.grow(rounds)
            await asyncio.sleep(asked.rest)
        memory, disk = memory_of(), sum(each.stat().st_size for each in folder.iterdir()) / 1e6
        searching, replaying = await read_back(house, people)
        with stage("latency"):
            quiet, _ = await latency(house)
            copy = folder.parent / "copy.db"
            command = [sys.executable, "-m", "baccarat", "backup", "--db", str(folder / "house.db"), str(copy)]
            before, backing = await latency(house, Beside(command, made=copy))
            order = VerificationOrder(db=str(folder / "house.db"), share=0.25)
            alone, verifying = await latency(house, Beside([sys.executable, "-P", "-m", MODULE], order))
        begun = time.perf_counter()
        await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True)
        backup = time.perf_counter() - begun
        copy.unlink()
        ratios = backing / before, verifying / alone
        figures = (memory, disk, quiet, searching, replaying, backup, *ratios)
        rows.append(
            [f"{house.rounds:,}", *(f"{each:,.{digits}f}" for each, digits in zip(figures, DIGITS, strict=True))]
        )
        print(" | ".join(rows[-1]), file=sys.stderr, flush=True)
    server.should_exit = True
    await house.live.house.writer.wait_until_flushed()
    await house.live.jobs.stop_all()
    await task
    listening.close()
    await house.live.close()
    return rows


HEADS = (
    "rounds played", "memory, MB", "disk, MB", "p99, ms", "search, CPU ms", "replay, CPU ms", "backup, s",
    "p99 while backed up", "p99 while verified",
)  # fmt: skip
DIGITS = (0, 0, 1, 0, 0, 1, 2, 2)
"""How many digits each figure has after its point; the last two are ratios to the p99 without, in turns."""


def main() -> None:
    """Measure, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", default="1000,10000,100000", help="numbers of rounds, with commas between")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--spectators", type=int, default=2_000)
    parser.add_argument("--rest", type=float, default=20.0, help="seconds in which upkeep compresses what is over")
    asked = parser.parse_args()
    asked.rounds = [int(each) for each in asked.rounds.split(",")]
    tune()
    with tempfile.TemporaryDirectory(dir=os.environ.get("BACCARAT_BENCH_FOLDER", ".")) as made:
        folder = Path(made) / "house"
        folder.mkdir()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            rows = runner.run(measured(folder, asked))
        used, memory = start_seconds(folder)
    print("| " + " | ".join(HEADS) + " |")
    print("|" + "---|" * len(HEADS))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    say("opened again: processor time", f"{used:.2f} s", f"{memory:,.0f} MB of memory; asked for: 3 s")


if __name__ == "__main__":
    main()
