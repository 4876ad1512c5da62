"""A real PostgreSQL server that is restarted, killed or frozen, and a network that drops what is sent: no node ends.

Seconds are bounded by what is promised and by what an idle timer of the same machine is late in the same run. In a
campaign exactly, and all of them count; in a short run, next to which others keep the processors busy, by `BUSY` times
as much, and those count in which the node slept.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from baccarat.client import Client, command_id
from campaign import CAMPAIGN, times
from database_proxy import TO_CLIENT, TO_SERVER, DatabaseProxy, proxied
from lateness import Lateness, Stopwatch
from postgres_server import PostgresServer, serving
from served import run_for
from served_program import QUICK, Program

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"
LEASE, MARGIN = 2.0, 0.25
"""The lease of a node, and how much earlier it stops by its own clock, in seconds."""
MOST_AWAY, MOST_SILENT = 3.0, 1.0
"""How long a table is away once the database is back; how long nothing is answered once the lease has ended."""
FREEZE = 5.0
BUSY = 4.0 if CAMPAIGN == 1 else 1.0
"""How much longer everything may take in a short run, in which others of whom the node waits are late. What is found
there is that somebody waits for a limit of another kind: the watchdog ends a process after 5 s, and the system gives a
connection up after minutes."""


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A server that only these tests use, since they end it."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    made = Path(tempfile.mkdtemp(prefix="baccarat-pg-", dir=memory))
    with serving(made / "data", within=made) as found:
        yield found


def node(address: str, folder: Path) -> Program:
    """A program that serves a house in this database."""
    environment = {
        **QUICK,
        "BACCARAT_SEAL_KEY": str(folder / "seal.key"),
        "BACCARAT_LEASE_SECONDS": str(LEASE),
        "BACCARAT_REQUESTS_A_SECOND": "10000",
        "BACCARAT_REQUESTS_AT_ONCE": "10000",
    }
    return Program("--db", address, "--port", "0", folder=folder, environment=environment)


def report(what: str, seconds: float, late: Lateness, most: float) -> None:
    """Print what was measured, and see that it is within its bound."""
    print(f"{what}: {seconds:.2f} s; an idle timer was late by {late.worst:.3f} s at most")  # noqa: T201
    bound = BUSY * (most + late.worst)
    assert seconds <= bound, f"{what}: {seconds:.2f} s, with a timer that is late by {late.worst:.3f} s"


def stopwatch(program: Program) -> Stopwatch:
    """Started now."""
    return Stopwatch(program.process.pid if CAMPAIGN == 1 else None)


# --------------------------------------------------------------------------------------------- the server


def restart(server: PostgresServer) -> None:
    """Restart the server."""
    server.restart()


def kill(server: PostgresServer) -> None:
    """Kill the server's first process."""
    server.kill()


def freeze(server: PostgresServer) -> None:
    """Stop all its processes, for longer than a lease lasts."""
    with server.frozen():
        time.sleep(FREEZE)


@pytest.mark.parametrize("number", range(times(1)))
@pytest.mark.parametrize("befall", [restart, kill, freeze])
def test_no_node_ends_by_what_befalls_its_database_server_and_its_tables_are_soon_back(
    befall: Callable[[PostgresServer], None], number: int, server: PostgresServer, tmp_path: Path
) -> None:
    with node(server.new(), tmp_path) as program:
        address, given = program.address(), command_id()

        async def work() -> None:
            async with Client(address) as client:
                await client.visit()
                async with client.table(TABLE) as table:
                    assert (await table.do("sit", id=given, seat=2)).is_done
                    with Lateness() as late:
                        happening = asyncio.create_task(asyncio.to_thread(befall, server))
                        await asyncio.sleep(0.1)
                        waiting = asyncio.create_task(table.do("leave", seat=2))
                        await happening
                        back = stopwatch(program)
                        while (await client._http.get(f"/api/tables/{TABLE}/view")).status_code != 200:
                            await asyncio.sleep(0.02)
                        away = back.seconds()
                        assert (await waiting).is_done, "it was sent again under its id"
                    report(f"{befall.__name__}, run {number}: the table was away", away, late, MOST_AWAY)
                    assert (await table.do("sit", id=given, seat=2)).is_repeat, "what was answered is stored"

        run_for(work())
        assert program.stopped() == 0, "no node ends by itself"
    said = [each["event"] for each in program.events]
    assert said.count("cut_off") == said.count("reopened") >= 1
    assert not {"stopped", "hung", "fault"} & set(said)


# ----------------------------------------------------------------------------------------- the way to it


class Waiting:
    """Requests that are sent one after the other, from threads of their own, until one is told to try again; and a
    socket at a table, with an act on it that can never be answered."""

    PATHS = ("/healthz", "/readyz", "/api/tables", "/api/session", "/api/welcome", f"/api/tables/{TABLE}/view")
    ACT, SOCKET = "an act by request", "an act by socket"

    def __init__(self, address: str, opened: ExitStack) -> None:
        """`opened` closes what it has opened."""
        self.told = set[str]()
        """Who was answered 503, with `Retry-After`, or whose socket was closed."""
        self._faults: list[Exception] = []
        self._address = address
        self._client = opened.enter_context(httpx.Client(base_url=address, timeout=60.0))
        self._client.post("/api/visit", json={})
        self._socket = self._joined(opened)
        asked = [partial(self._ask, path, partial(self._client.get, path)) for path in self.PATHS]
        self._threads = [
            threading.Thread(target=self._noting_fault, args=(each,), daemon=True)
            for each in (*asked, partial(self._ask, self.ACT, self._act), self._act_by_socket)
        ]

    def _joined(self, opened: ExitStack) -> ClientConnection:
        """A socket at the table, after its first view."""
        found = self._client.post("/api/tickets", json={"table": TABLE}).json()
        where = f"ws{self._address.removeprefix('http')}{found['socket']}"
        socket = opened.enter_context(connect(where, open_timeout=60, close_timeout=1))
        socket.send(json.dumps({"type": "join", "ticket": found["ticket"]}))
        assert json.loads(socket.recv(60))["type"] == "view"
        return socket

    def start(self) -> None:
        """Begin to ask."""
        for each in self._threads:
            each.start()

    def _noting_fault(self, ask: Callable[[], None]) -> None:
        try:
            ask()
        except Exception as error:  # noqa: BLE001  whatever it is, the test fails by it
            self._faults.append(error)

    def _act(self) -> httpx.Response:
        headers = {"Idempotency-Key": command_id()}
        return self._client.post(f"/api/tables/{TABLE}/acts", json={"do": "sit", "seat": 2}, headers=headers)

    def _ask(self, what: str, ask: Callable[[], httpx.Response]) -> None:
        while True:
            try:
                found = ask()
            except httpx.RemoteProtocolError:
                continue  # the answer had begun when the lease ended
            if found.status_code == 503:
                assert found.headers["content-type"] == "application/problem+json"
                assert int(found.headers["retry-after"]) > 0
                assert found.json()["code"] == "not_now"
                self.told.add(what)
                return
            assert found.status_code < 500, f"{what}: {found.status_code} {found.text}"
            time.sleep(0.02)

    def _act_by_socket(self) -> None:
        given = command_id()
        self._socket.send(json.dumps({"type": "do", "id": given, "command": {"do": "sit", "seat": 3}}))
        frames = [json.loads(text) for text in self._socket]  # until it is closed
        answers = [each["type"] for each in frames if each.get("id") == given]
        assert set(answers) <= {"problem"}, f"nobody knows whether it is stored, and it was answered: {answers}"
        self.told.add(self.SOCKET)

    def all_told(self) -> None:
        """Wait until the last of them was told so."""
        for each in self._threads:
            each.join(120.0)
        if self._faults:
            raise self._faults[0]
        missing = {*self.PATHS, self.ACT, self.SOCKET} - self.told
        assert not missing, f"never told to try again: {missing}"


def stall(proxy: DatabaseProxy) -> None:
    """Acknowledge everything, and forward nothing yet."""
    proxy.stall()


def drop_all(proxy: DatabaseProxy) -> None:
    """Drop everything."""
    proxy.drop(TO_SERVER, TO_CLIENT)


def drop_questions(proxy: DatabaseProxy) -> None:
    """Drop what is sent to the server."""
    proxy.drop(TO_SERVER)


def drop_answers(proxy: DatabaseProxy) -> None:
    """Drop what the server answers."""
    proxy.drop(TO_CLIENT)


@pytest.mark.parametrize("number", range(times(2)))
def test_a_node_whose_database_stalls_answers_503_once_its_lease_has_ended_and_is_well_again(
    number: int, postgres: PostgresServer, tmp_path: Path
) -> None:
    is_silent_and_well_again(stall, number, postgres, tmp_path)


REOPENINGS = 4
"""How often the database goes again while the house is opened again: with leases of two seconds, for longer than the
five seconds in which a house must be closed after the first of them."""


def test_a_database_that_goes_again_and_again_while_the_house_is_opened_again_ends_no_node(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    database = postgres.new()
    schema = database.rpartition("%3D")[2]
    with proxied(database) as proxy, node(proxy.address, tmp_path) as program:
        address = program.address()
        proxy.stall()
        program.until("cut_off")
        for _ in range(REOPENINGS):
            proxy.stall_at(b"take_streams")  # a new lease has begun then
            assert proxy.has_stalled.wait(60)
            last = f"select until > clock_timestamp() from {schema}.node order by id desc limit 1"
            while postgres.run(last)[0][0]:  # until it is over
                time.sleep(0.05)
        proxy.resume()
        program.until("reopened")
        assert httpx.get(f"{address}/readyz", timeout=60.0).text.startswith("ok\n")
        assert program.stopped() == 0
    said = [each["event"] for each in program.events]
    assert said.count("cut_off") == said.count("reopened") == 1
    assert not {"stopped", "hung", "fault"} & set(said)


@pytest.mark.parametrize("number", range(times(1)))
@pytest.mark.parametrize("befall", [drop_all, drop_questions, drop_answers])
def test_a_node_whose_packets_are_dropped_answers_503_once_its_lease_has_ended_and_is_well_again(
    befall: Callable[[DatabaseProxy], None], number: int, postgres: PostgresServer, tmp_path: Path
) -> None:
    is_silent_and_well_again(befall, number, postgres, tmp_path)


def is_silent_and_well_again(
    befall: Callable[[DatabaseProxy], None], number: int, postgres: PostgresServer, folder: Path
) -> None:
    """What befalls the way to the database is answered with 503 by everybody, until it is over."""
    with proxied(postgres.new()) as proxy, node(proxy.address, folder) as program, ExitStack() as opened:
        address = program.address()
        waiting = Waiting(address, opened)
        with Lateness() as late:
            begun = stopwatch(program)
            befall(proxy)
            waiting.start()
            waiting.all_told()
            silent = begun.seconds() - (LEASE - MARGIN)
            program.until("cut_off")
            report(f"{befall.__name__}, run {number}: 503 after the lease's end", silent, late, MOST_SILENT)
        with Lateness() as late:
            proxy.drop()
            proxy.resume()
            back = stopwatch(program)
            program.until("reopened")
            report(f"{befall.__name__}, run {number}: reopened", back.seconds(), late, MOST_AWAY)
        assert httpx.get(f"{address}/readyz", timeout=60.0).text.startswith("ok\n")
        assert program.stopped() == 0
    said = [each["event"] for each in program.events]
    assert said.count("cut_off") == said.count("reopened") == 1
    assert not {"stopped", "hung", "fault"} & set(said)
