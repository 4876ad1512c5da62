"""A house ends in time, whoever holds on: clients that do not read, long reads, a witness that does not answer."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.client import ClientProtocol
from websockets.protocol import State
from websockets.uri import parse_uri

from postgres_server import PostgresServer
from running_witness import RunningWitness, settings
from served_program import QUICK, SECONDS, Program

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"
SMALL = 4096
"""The bytes that a client takes which does not read."""

PROGRAM = """
import asyncio, json, sys
from baccarat.serve import live, run, service
from baccarat.serve.setting import Setting
from baccarat.serve.store.base import StoreUnavailable

FOREVER = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n where i < 0"
how, opened = sys.argv[1], service.Service.open

async def hang(*_):
    await asyncio.Event().wait()

async def open_house(self):
    house = await opened(self)
    loop = asyncio.get_running_loop()
    if how == "a long read":
        self.reading = asyncio.ensure_future(house.reading.ask(lambda reads: reads.read(FOREVER, ())))
    if how == "a store that fails":
        loop.call_later(0.1, house.house.writer.fail, StoreUnavailable("planted"))
    return house

if how == "a drain that hangs":
    run.END_SECONDS, live.HouseServer.drain = 0.5, hang
if how == "a store that fails":
    service.HUNG_SECONDS, live.HouseServer.close = 0.5, hang
service.Service.open = open_house
sys.exit(run.run(Setting(**json.loads(sys.argv[2])), json=True))
"""
"""A server with something in it that holds on."""


@contextmanager
def running(how: str, **setting: Any) -> Iterator[subprocess.Popen[str]]:
    """A server that serves a house, in which something holds on."""
    given = {"port": 0, "company": 0, "verify_share": 0.0, **setting}
    words = [sys.executable, "-c", PROGRAM, how, json.dumps(given)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def said_until_open(process: subprocess.Popen[str]) -> str:
    """Wait until it is open; where it listens. Before that a busy machine's disk may be said to be slow."""
    assert process.stderr is not None, "it is a pipe"
    lines = map(json.loads, process.stderr)
    found = next(line for line in lines if line["event"] != "slow_commit")
    assert found["event"] == "serving"
    return f"http://127.0.0.1:{found['port']}"


def ended(process: subprocess.Popen[str]) -> tuple[int, list[dict[str, Any]]]:
    """Its exit status, and what it said until then."""
    _, said = process.communicate(timeout=SECONDS)
    return process.returncode, [json.loads(line) for line in said.splitlines()]


# ------------------------------------------------------------------------------------------------- clients


def small_socket(opened: ExitStack, address: str) -> socket.socket:
    """A connection that takes little."""
    port = int(address.rpartition(":")[2])
    made = opened.enter_context(socket.socket())
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    made.settimeout(SECONDS)
    made.connect(("127.0.0.1", port))
    return made


def watch_and_not_read(address: str, opened: ExitStack) -> None:
    """Sockets at a table at which people act, none of which reads anything but the handshake."""
    client = opened.enter_context(httpx.Client(base_url=address, timeout=SECONDS))
    client.post("/api/visit", json={})
    for _ in range(10):
        ticket = client.post("/api/tickets", json={"table": TABLE}).json()
        made = small_socket(opened, address)
        protocol = ClientProtocol(parse_uri(f"ws{address.removeprefix('http')}{ticket['socket']}"))
        protocol.send_request(protocol.connect())
        made.sendall(b"".join(protocol.data_to_send()))
        while protocol.state is not State.OPEN:
            protocol.receive_data(made.recv(SMALL))
            protocol.events_received()
        protocol.send_text(json.dumps({"type": "join", "ticket": ticket["ticket"]}).encode())
        made.sendall(b"".join(protocol.data_to_send()))


def ask_and_not_read(address: str, opened: ExitStack) -> None:
    """Many long answers that are never read."""
    for _ in range(10):
        request = b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        small_socket(opened, address).sendall(20 * request)


def ask_in_part(address: str, opened: ExitStack) -> None:
    """Requests whose end never comes."""
    kind = b"Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{"
    for _ in range(10):
        small_socket(opened, address).sendall(b"POST /api/visit HTTP/1.1\r\nHost: localhost\r\n" + kind)
        small_socket(opened, address).sendall(b"GET /api/ta")


@pytest.mark.parametrize("hold_on", [watch_and_not_read, ask_and_not_read, ask_in_part])
def test_clients_that_hold_on_do_not_keep_a_house_from_ending(
    hold_on: Callable[[str, ExitStack], None], tmp_path: Path
) -> None:
    """With status 0, and so within the time after which the watchdog would have ended it with another."""
    with Program("--port", "0", folder=tmp_path, environment=QUICK) as program, ExitStack() as opened:
        hold_on(program.address(), opened)
        assert program.stopped() == 0
        said = [each["event"] for each in program.events]
    assert said[-1] == "closed"
    assert not {"hung", "drained_late", "fault"} & set(said)


# ----------------------------------------------------------------------------------------- reads and witnesses


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_a_long_read_is_aborted_when_the_house_ends(store: str, tmp_path: Path, postgres: PostgresServer) -> None:
    db = str(tmp_path / "house.db") if store == "sqlite" else postgres.new()
    with running("a long read", db=db, seal_key=str(tmp_path / "seal.key") if store == "postgres" else "") as process:
        said_until_open(process)
        process.send_signal(signal.SIGTERM)
        status, said = ended(process)
    assert (status, said[-1]["event"]) == (0, "closed"), said


def test_a_witness_that_does_not_answer_does_not_keep_a_house_from_ending(tmp_path: Path) -> None:
    with ExitStack() as opened:
        silent = opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        silent.settimeout(SECONDS)
        witness = RunningWitness("surveillance", tmp_path / "witness")
        opened.callback(witness.server.server_close)
        witness.address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        given = {**settings(tmp_path, [witness]), "db": str(tmp_path / "house.db")}
        process = opened.enter_context(running("a witness", **given))
        address = said_until_open(process)
        watch_and_not_read(address, opened)
        opened.enter_context(silent.accept()[0])  # it has been asked, and waits
        process.send_signal(signal.SIGTERM)
        status, said = ended(process)
    assert (status, said[-1]["event"]) == (0, "closed"), said


# ------------------------------------------------------------------------------------------------- the limits


def test_a_house_that_is_not_closed_in_time_is_ended(tmp_path: Path) -> None:
    with running("a drain that hangs", db=str(tmp_path / "house.db")) as process:
        said_until_open(process)
        process.send_signal(signal.SIGTERM)
        status, said = ended(process)
    assert (status, said[-1]["event"]) == (3, "hung"), said
    assert said[-1]["say"].startswith("the house was not closed within 0.5 seconds")


def test_a_house_whose_store_has_failed_and_that_is_not_closed_in_time_is_ended(tmp_path: Path) -> None:
    with running("a store that fails", db=str(tmp_path / "house.db")) as process:
        status, said = ended(process)
    assert (status, said[-1]["event"]) == (3, "hung"), said
    assert said[-1]["say"].startswith("its store has failed, and the house was not closed within")
    assert "stopped" in [each["event"] for each in said]
