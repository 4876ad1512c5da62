"""Sockets under attack: whatever is sent, the server goes on, tells nothing of its inside, and nothing has changed."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import random
import socket as sockets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import websockets
from websockets.asyncio.client import ClientConnection

from baccarat.client import Client, command_id
from baccarat.house.stream import table_stream
from baccarat.serve.access.budget import ACTING, REFUSED
from baccarat.serve.fanout.message import MOST_MESSAGE
from baccarat.serve.fanout.outbox import MOST_WAITING
from baccarat.serve.http import connection
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.refusal_folds import PACE
from campaign import times
from served import audited, run_for, served, soon

pytestmark = pytest.mark.slow

TABLE = "ma-midi-4"
INSIDE = (
    "Traceback",
    "baccarat.",
    "site-packages",
    ".py",
    "msgspec",
    "litestar",
    "apsw",
    "Error(",
    "0x7f",
    "/work",
    "/tmp",
)
"""What would tell of the program's inside."""
ID = "01890000-0000-7000-8000-000000000000"


def do(command: Any, id_: str = "") -> str:
    """A command as it is sent."""
    return json.dumps({"type": "do", "id": id_ or command_id(), "command": command})


@asynccontextmanager
async def joined(client: Client, table: str = TABLE) -> AsyncIterator[ClientConnection]:
    """A socket that has joined a table."""
    ticket, address = await client.ticket(table)
    async with websockets.connect(address, close_timeout=1, max_size=2**24) as socket:
        await socket.send(json.dumps({"type": "join", "ticket": ticket}))
        assert json.loads(await socket.recv())["type"] == "view"
        yield socket


async def answered(socket: ClientConnection, id_: str) -> tuple[dict[str, Any], list[str]]:
    """The answer to a command, and all that was said until then."""
    texts = list[str]()
    async for text in socket:
        assert isinstance(text, str)
        texts.append(text)
        if id_ in text or "could not be read" in text:
            return json.loads(text), texts
    raise AssertionError(f"never answered: {texts}")


async def said_until_pong(socket: ClientConnection) -> list[str]:
    """All that was said until an own ping was answered, or until the line was closed."""
    found = list[str]()
    with contextlib.suppress(websockets.ConnectionClosed):
        await socket.send('{"type":"ping"}')
        async for text in socket:
            assert isinstance(text, str)
            found.append(text)
            if text == '{"type":"pong"}':
                break
    return found


def is_discreet(texts: list[str]) -> None:
    """Nothing of the program's inside is in an answer, and each is short."""
    for text in texts:
        said = json.loads(text)
        if said["type"] in ("problem", "refused", "bye"):
            assert not [each for each in INSIDE if each in text], text
            assert len(text) < 2_000, text


class Quiet:
    """A house in which nothing happens by itself, so that any change is the attacker's."""

    def __init__(self, live: HouseServer) -> None:
        self.live = live
        self.before = live.house.state

    async def is_unchanged(self) -> None:
        """The state is what it was; refusals may be on record."""
        await self.live.house.writer.wait_until_flushed()
        assert self.live.house.writer.fault is None
        assert self.live.house.state == self.before


@asynccontextmanager
async def attacked(folder: Path, **more: Any) -> AsyncIterator[tuple[HouseServer, Client, ClientConnection]]:
    """A house, an attacker who sits at seat 2, and his socket; afterwards somebody else can still play."""
    setting = {"betting_seconds": 3600.0, "pace": 3600.0, **more}
    async with served(folder, **setting) as (live, address), Client(address) as client, Client(address) as other:
        await client.visit()
        async with joined(client) as socket:
            await socket.send(do({"do": "sit", "seat": 2}))
            while json.loads(await socket.recv())["type"] != "done":
                pass
            await live.jobs.stop_all()  # a table goes on by itself while somebody is there
            await live.house.writer.wait_until_flushed()
            yield live, client, socket
        await other.visit()
        async with other.table(TABLE) as table:
            assert (await asyncio.wait_for(table.do("sit", seat=5), 120)).is_done, "the house goes on for others"
        audited(live, folder)


# ------------------------------------------------------------------------------------ commands nobody may send

HOSTILE: list[Any] = [
    {"do": "show_meters", "meters": {}, "must_hit": 10**12},
    {"do": "seal_order", "root": "0" * 64},
    {"do": "reveal_seed", "seed": "0" * 64},
    {"do": "give_up_cut", "seat": 2},
    {"do": "call_no_more_bets"},
    {"do": "turn_card", "position": 0, "card": "AS"},
    {"do": "buy_in", "seat": 2, "amount": 10**6},
    {"do": "sit", "seat": 3, "person": "somebody else"},
    {"do": "place_wager", "seat": 3, "on": "banker", "stake": 2500},
    {"do": "place_wager", "seat": 2, "on": "banker", "stake": 10**20},
    {"do": "place_wager", "seat": 2, "on": "banker", "stake": -(10**20)},
    {"do": "place_wager", "seat": 2, "on": "banker", "stake": 2**63},
    {"do": "place_wager", "seat": 2, "on": "banker", "stake": 2500.5},
    {"do": "place_wager", "seat": 2, "on": "banker", "stake": "2500"},
    {"do": "place_wager", "seat": 10**30, "on": "banker", "stake": 2500},
    {"do": "place_wager", "seat": True, "on": "banker", "stake": 2500},
    {"do": "correct_card", "event": 10**6, "card": "AS", "reason": "x"},
    {"do": "correct_payment", "event": 10**6, "seat": 2, "amount": 10**9, "reason": "x"},
    {"do": "leave", "seat": 3},
    {"do": "leave", "seat": 2, "by": "dealer"},
    {"do": "leave", "seat": 2, "role": "administrator"},
    {"do": "leave", "seat": 2, "who": "administrator", "approvals": [{"who": "me", "role": "pit_boss"}]},
    {"do": "contribute", "seat": 2, "value": "\u202e\u200b\u2066evil\u2069"},
    {"do": "contribute", "seat": 2, "value": "\ud800"},
    {"do": "contribute", "seat": 2, "value": "\x00" * 100},
    {"do": "no such thing"},
    {"do": ["sit"]},
    {"do": None},
    {},
    [],
    None,
    "sit",
    10**400,
]


def test_nothing_that_a_participant_may_not_do_changes_anything(tmp_path: Path) -> None:
    async def work() -> None:
        async with attacked(tmp_path) as (live, client, socket):
            quiet = Quiet(live)
            for command in HOSTILE:
                given = command_id()
                await socket.send(do(command, given))
                said, texts = await asyncio.wait_for(answered(socket, given), 120)
                is_discreet(texts)
                assert said["type"] in ("refused", "problem"), (command, texts)
                by_request = await client._http.post(
                    f"/api/tables/{TABLE}/acts", content=json.dumps(command), headers={"Idempotency-Key": command_id()}
                )
                assert 400 <= by_request.status_code < 500, (command, by_request.text)
                assert not [each for each in INSIDE if each in by_request.text], by_request.text
                await quiet.is_unchanged()

    run_for(work())


# ------------------------------------------------------------------------------------------ frames of all kinds


def raw(command: str, id_: str = ID) -> str:
    """A command as it is sent, whatever its text is."""
    return f'{{"type":"do","id":"{id_}","command":{command}}}'


LEAVE = '{"do":"leave","seat":2}'
FRAMES: list[str | bytes] = [
    "", " ", "{", "}", "null", "1", "[]", '"do"', "{}", '{"type":null}', '{"type":"nobody knows"}', '{"type":"do"}',
    raw("{}", "1"), f'{{"type":"do","id":"{ID}"}}', raw(""), raw("NaN"), raw('{"do":"leave","seat":Infinity}'),
    f'{{"type":"do","type":"ping","id":"{ID}","command":{LEAVE}}}',
    f'{{"type":"do","id":"{ID}","id":"{ID}","command":{{"do":"leave","seat":3}},"command":{{"do":"leave","seat":9}}}}',
    raw('{"do":"leave","seat":3,"seat":2}'), f'{{"type":"do","id":"{ID}","role":"administrator","command":{LEAVE}}}',
    raw(LEAVE, ID + "\\n"), raw(LEAVE, ID.upper().replace("0189", "ABCD")),
    raw("[" * 8_000), raw('{"a":' * 3_000), raw(f'{{"do":"leave","seat":{"[" * 4_000}2{"]" * 4_000}}}'),
    "[" * 16_000, '{"type":' * 2_000, '{"type":"seen","seq":-1}', '{"type":"seen","seq":1e999}',
    '{"type":"seen","seq":"1"}', f'{{"type":"seen","seq":{10**30}}}', '{"type":"join","ticket":"x"}',
    '{"type":"join","ticket":"x","after":-1}', "\u202e\ud7ff\U0010ffff", '{"type":"ping","more":1}',
    b"", b"\x00", b"\xff\xfe", b'{"type":"ping"}', os.urandom(1000),
]  # fmt: skip


@pytest.mark.parametrize("is_first", [True, False], ids=["before joining", "after joining"])
def test_no_frame_changes_anything_or_tells_of_the_inside(is_first: bool, tmp_path: Path) -> None:
    async def work() -> None:
        async with attacked(tmp_path) as (live, client, _):
            quiet = Quiet(live)
            for frame in FRAMES:
                ticket, address = await client.ticket(TABLE)
                async with websockets.connect(address, close_timeout=1) as socket:
                    if not is_first:
                        await socket.send(json.dumps({"type": "join", "ticket": ticket}))
                    await socket.send(frame)
                    texts = await asyncio.wait_for(said_until_pong(socket), 120)
                    assert texts, "it is answered, or told why the line ends"
                    is_discreet(texts)
                    assert (texts[-1] == '{"type":"pong"}') is not is_first, "one message ends no line that was joined"
                    assert socket.close_code in (None, 1000), (frame[:60], socket.close_code, socket.close_reason)
            await quiet.is_unchanged()

    run_for(work())


def test_frames_that_are_mangled_by_chance_change_nothing(tmp_path: Path) -> None:
    whole = [
        do({"do": "leave", "seat": 3}, ID), do({"do": "place_wager", "seat": 3, "on": "tie", "stake": 2500}, ID),
        '{"type":"seen","seq":12}', '{"type":"ping"}', '{"type":"join","ticket":"abc","run":"x","after":3}',
    ]  # fmt: skip

    def mangled(chance: random.Random) -> str | bytes:
        data = bytearray(chance.choice(whole).encode())
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(data) + 1)
            kind = chance.randrange(4)
            if kind == 0:
                data[at:at] = chance.randbytes(chance.randrange(1, 4))
            elif kind == 1:
                del data[at : at + chance.randrange(1, 8)]
            elif kind == 2:
                data[at:at] = chance.choice((b'"', b"{", b"]", b"\\u0000", b"1e5", b",", b"null", b"\x7f"))
            else:
                data += data[at:]
        text = data.decode("utf-8", "replace")
        return bytes(data) if chance.random() < 0.1 else text

    async def work() -> None:
        async with attacked(tmp_path) as (live, client, _):
            quiet, chance, sent = Quiet(live), random.Random(11), 0
            while sent < times(600):
                async with joined(client) as socket:
                    with contextlib.suppress(websockets.ConnectionClosed):
                        for _ in range(15):
                            sent += 1
                            await socket.send(mangled(chance))
                    is_discreet(await asyncio.wait_for(said_until_pong(socket), 120))
            await quiet.is_unchanged()

    run_for(work(), 300.0 * times(1))


def test_a_message_of_a_megabyte_ends_the_line_and_nothing_else(tmp_path: Path) -> None:
    async def work() -> None:
        async with attacked(tmp_path) as (live, client, _):
            quiet = Quiet(live)
            for text in ("\u200b" * 350_000, "x" * 2**20, "[" * 2**20):
                async with joined(client) as socket:
                    with contextlib.suppress(websockets.ConnectionClosed):
                        await socket.send(do({"do": "contribute", "seat": 2, "value": text}))
                        await asyncio.wait_for(said_until_pong(socket), 120)
                    assert socket.close_code == 1009, "too big"
                async with joined(client) as socket:
                    longest = "y" * (MOST_MESSAGE - 200)
                    await socket.send(do({"do": "contribute", "seat": 2, "value": longest}))
                    is_discreet(await asyncio.wait_for(said_until_pong(socket), 120))
            await quiet.is_unchanged()

    run_for(work())


def test_joining_twice_or_with_what_is_no_ticket_of_this_line(tmp_path: Path) -> None:
    async def work() -> None:
        async with attacked(tmp_path) as (live, client, _):
            quiet = Quiet(live)
            ticket, address = await client.ticket(TABLE)
            other, _ = await client.ticket("nj-punto-banco")
            async with websockets.connect(address, close_timeout=1) as socket:
                await socket.send(json.dumps({"type": "join", "ticket": ticket}))
                await socket.send(json.dumps({"type": "join", "ticket": other}))
                texts = await said_until_pong(socket)
                views = [json.loads(text) for text in texts if '"view"' in text[:20]]
                assert [each["table"] for each in views] == [TABLE], "who has joined one table is at that one"
                assert any("joined already" in text for text in texts)
            for first in (
                do({"do": "leave", "seat": 2}),
                '{"type":"ping"}',
                json.dumps({"type": "join", "ticket": ticket}),
            ):
                async with websockets.connect(address, close_timeout=1) as socket:
                    await socket.send(first)
                    with contextlib.suppress(websockets.ConnectionClosed):
                        await socket.send(do({"do": "leave", "seat": 2}))
                    texts = [str(text) async for text in socket]
                    assert [json.loads(text)["type"] for text in texts] == ["bye"]
            await quiet.is_unchanged()

    run_for(work())


# -------------------------------------------------------------------------------------------------- too much


def resident() -> int:
    """The memory of this process in bytes."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_floods_end_and_memory_stays_flat(tmp_path: Path) -> None:
    async def work() -> None:
        async with attacked(tmp_path) as (live, client, _):
            quiet, after = Quiet(live), list[int]()
            for _ in range(3):
                async with joined(client) as socket:
                    reading = asyncio.create_task(_drain(socket))
                    with contextlib.suppress(websockets.ConnectionClosed):
                        for number in range(times(3_000)):
                            await socket.send(
                                '{"type":"ping"}' if number % 10 else "junk" if number % 1000 == 0 else do(7)
                            )
                    reading.cancel()
                after.append(resident())
            assert after[2] - after[1] < 8 * 2**20, after
            await quiet.is_unchanged()

    run_for(work(), 300.0 * times(1))


EACH = ACTING + REFUSED
"""What an act costs that is refused."""


def test_who_sends_too_much_is_read_later_and_fills_no_disk(tmp_path: Path) -> None:
    async def work() -> None:
        limits = {"requests_a_second": 2_000.0, "requests_at_once": int(30 * EACH)}
        async with attacked(tmp_path, **limits) as (live, _, socket):
            commands = live.metrics.counts.commands
            before = live.house.journal.head(table_stream(TABLE)).seq
            started = asyncio.get_running_loop().time()
            last = ""
            for _ in range(90):
                last = command_id()
                await socket.send(do({"do": "leave", "seat": 9}, last))
            await asyncio.sleep(0.3)
            at_first = commands["refused"]
            assert at_first < 30 + 2_000 / EACH * (asyncio.get_running_loop().time() - started) + 5
            while json.loads(await asyncio.wait_for(socket.recv(), 120)).get("id") != last:
                pass
            assert commands["refused"] == 90, "nothing of it is lost"
            assert live.house.journal.head(table_stream(TABLE)).seq - before == PACE.at_once, "the others are counted"
            assert asyncio.get_running_loop().time() - started > 0.6

    run_for(work())


async def _drain(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


def test_a_reader_that_has_stalled_is_let_go_and_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listen(self: sockets.socket, backlog: int) -> None:
        self.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 4096)  # so that it is seen after some hundred messages
        super(sockets.socket, self).listen(backlog)

    monkeypatch.setattr(sockets.socket, "listen", listen)
    monkeypatch.setattr(connection, "READ_SECONDS", 600.0)  # the connection alone would be cut off, much later

    async def work() -> None:
        async with attacked(tmp_path) as (live, client, _):
            ticket, address = await client.ticket(TABLE)
            host, port = address.removeprefix("ws://").partition("/")[0].split(":")
            raw = sockets.socket()
            raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
            raw.connect((host, int(port)))
            async with websockets.connect(address, sock=raw, close_timeout=0.1, max_queue=1) as socket:
                await socket.send(json.dumps({"type": "join", "ticket": ticket}))
                await socket.recv()
                socket.transport.pause_reading()
                slow = live.metrics.counts.too_slow
                guest = list(live.rooms[TABLE].guests)[-1]
                for _ in range(20 * MOST_WAITING):
                    guest.line.put(
                        json.dumps({"type": "pong", "say": os.urandom(200).hex()})
                    )  # as patches come, one after another
                    await asyncio.sleep(0)
                    if guest.line.is_ended:
                        break
                assert guest.line.is_too_slow
                await soon(lambda: live.metrics.counts.too_slow > slow, within=30.0)
                assert guest not in live.rooms[TABLE].guests, "who does not read is let go, and need not say a word"

    run_for(work())
