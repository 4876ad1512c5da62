"""Starting and stopping `baccarat serve` as a process: what stands in the way is one sentence and an exit status."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import json
import re
import resource
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import httpx
import pytest
import websockets

from baccarat.client import Client
from baccarat.client.identity import command_id
from baccarat.law.rulebook import shipped_submissions
from baccarat.serve.store.sqlite import SqliteStore
from paths import ROOT
from served import run_for
from served_program import QUICK, Program, ended
from stored_house import open_house

pytestmark = pytest.mark.slow


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        status, said = ended("--port", str(port), folder=tmp_path)
    assert (status, said["event"]) == (2, "cannot_listen")
    assert said["say"] == (
        f"cannot listen on 127.0.0.1:{port}: another program does already; choose another port with --port"
    )
    assert not list(tmp_path.iterdir()), "nothing is made by a house that cannot open"


def test_an_address_that_is_not_this_machines(tmp_path: Path) -> None:
    status, said = ended("--host", "192.0.2.1", folder=tmp_path)
    assert (status, said["event"]) == (2, "cannot_listen")
    assert said["say"].startswith("cannot listen on 192.0.2.1:8414: ")


def test_a_port_that_needs_rights_is_told_so() -> None:
    from baccarat.serve.run import _bind_fault  # noqa: PLC0415
    from baccarat.serve.setting import Setting  # noqa: PLC0415

    say = _bind_fault(Setting(port=80), PermissionError(13, "Permission denied"))
    assert say == "cannot listen on 127.0.0.1:80: permission denied; choose a --port above 1023"


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    shut = tmp_path / "shut"
    shut.mkdir(mode=0o500)
    status, said = ended("--port", "0", "--db", str(shut / "house.db"), folder=tmp_path, is_humble=True)
    assert (status, said["event"]) == (2, "store")
    assert str(shut) in said["say"]


def test_a_folder_whose_place_is_taken_by_a_file(tmp_path: Path) -> None:
    (tmp_path / "club").write_text("not a folder")
    status, said = ended("--port", "0", "--db", "club/house.db", folder=tmp_path)
    assert (status, said["event"]) == (2, "store")
    assert said["say"].endswith("the folder of the house cannot be made: File exists")


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    status, said = ended("--port", "0", "--db", "/proc/club/house.db", folder=tmp_path)
    assert (status, said["event"]) == (2, "store")
    assert said["say"].startswith("/proc/club: the folder of the house cannot be made: ")


def test_a_second_start_on_the_same_store(tmp_path: Path) -> None:
    with Program("--port", "0", folder=tmp_path) as first:
        first.address()
        status, said = ended("--port", "0", folder=tmp_path)
        assert (status, said["event"]) == (2, "store")
        assert said["say"].endswith(f"house.db: is in use by process {first.process.pid}; a store has one server")
        assert first.stopped() == 0


def test_a_database_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("create table song (title text)")
    other.close()
    before = path.read_bytes()
    status, said = ended("--port", "0", "--db", "other.db", folder=tmp_path)
    assert (status, said["event"]) == (2, "store")
    assert "is an SQLite database of another program, not a store of a house" in said["say"]
    assert path.read_bytes() == before


def test_a_store_of_a_later_version(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    SqliteStore.open(path).close()
    data = bytearray(path.read_bytes())
    data[60:64] = struct.pack(">I", 9999)
    path.write_bytes(data)
    status, said = ended("--port", "0", "--db", "house.db", folder=tmp_path)
    assert (status, said["event"]) == (2, "store")
    assert "was written by a later version of this program (schema 9999;" in said["say"]


def test_wrong_settings_are_said_all_at_once(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text('port = "high"\ntable = 3\npace = 99\n')
    environment = {"BACCARAT_MODE": "festive", "BACCARAT_COMPANY": "40"}
    status, said = ended("--config", "house.toml", folder=tmp_path, environment=environment)
    assert (status, said["event"]) == (2, "settings")
    assert [line.partition(": ")[0] for line in said["faults"]] == [
        "house.toml", "BACCARAT_MODE", "house.toml", "BACCARAT_COMPANY", "house.toml",
    ]  # fmt: skip
    assert "there is no setting 'table'" in said["say"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"port = = 3", "not valid TOML: "),
        (b"\xff\xfe", "expected text in UTF-8"),
    ],
    ids=["missing", "not TOML", "not text"],
)
def test_a_config_file_that_is_none(text: bytes | None, why: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "house.toml").write_bytes(text)
    status, said = ended("--config", "house.toml", folder=tmp_path)
    assert (status, said["event"]) == (2, "settings")
    assert said["say"].startswith(f"house.toml: {why}")


def test_a_config_file_that_may_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "house.toml").touch(mode=0o000)
    status, said = ended("--config", "house.toml", folder=tmp_path, is_humble=True)
    assert (status, said["say"]) == (2, "house.toml: cannot be read: Permission denied")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_asked_to_end_it_answers_what_was_begun_and_tells_everybody(how: signal.Signals, tmp_path: Path) -> None:
    """What is answered is stored, what is stored is answered; what was not read is neither, and is sent again later."""
    ids = [command_id() for _ in range(20)]
    people: list[str] = []
    answered: set[str] = set()
    with Program("--port", "0", "--db", "house.db", folder=tmp_path, environment=QUICK) as program:
        address = program.address()

        async def work() -> None:
            async with Client(address) as client:
                people.append(await client.visit())
                async with client.table("ma-midi-4") as table:
                    acts = ("sit", "leave") * 10
                    sent = [
                        asyncio.create_task(table.do(act, seat=2, id=id_)) for act, id_ in zip(acts, ids, strict=True)
                    ]
                    await sent[0]
                    program.process.send_signal(how)
                    assert await asyncio.to_thread(program.ended) == 0
                    answered.update(
                        id_ for id_, each in zip(ids, sent, strict=True) if each.done() and each.result().is_done
                    )
                    for each in sent:
                        each.cancel()

        run_for(work())
    store = open_house(tmp_path / "house.db")
    with contextlib.closing(store), contextlib.closing(store.reader()) as reads:
        stored = {id_ for id_ in ids if reads.answer(id_, people[0]) is not None}
    assert ids[0] in answered
    assert stored == answered
    said = [each["event"] for each in program.events if each["level"] != "debug"]
    assert said == ["serving", "orders", "content", "draining", "closed"]
    with Program("--port", "0", folder=tmp_path, environment=QUICK) as again:
        assert again.until("serving")["entries"] == 0, "the last snapshot has everything"
        assert again.stopped() == 0


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux can take a running process's right to write")
def test_everybody_who_waits_when_the_store_fails_is_answered_with_a_problem_and_told_to_try_again(
    tmp_path: Path,
) -> None:
    """The database cannot be written, so that no visit is ever stored; the log has no template in it."""
    with Program("--port", "0", folder=tmp_path, environment=QUICK) as program:
        address = program.address()

        async def visit(client: httpx.AsyncClient) -> httpx.Response | None:
            with contextlib.suppress(httpx.TransportError):  # it came when nobody listened any more
                return await client.post(f"{address}/api/visit", json={})
            return None

        async def work() -> None:
            async with httpx.AsyncClient(timeout=60) as client:
                resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
                answers = [found for found in await asyncio.gather(*(visit(client) for _ in range(20))) if found]
            assert answers, "the first of them made the store fail, and was answered"
            for each in answers:
                assert (each.status_code, each.json()["code"]) == (503, "not_now")
                assert each.json()["detail"] == (
                    "The house cannot answer at the moment: the store has failed, and the house is closing. Try again."
                )
                assert each.headers["retry-after"] == "1"

        run_for(work())
        assert program.ended() == 3
    assert [each["event"] for each in program.events] == [
        "serving",
        "orders",
        "content",
        "stopped",
        "draining",
        "closed",
    ]


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux can take a running process's right to write")
def test_a_store_that_fails_while_it_runs_ends_it_and_nothing_is_answered(tmp_path: Path) -> None:
    with Program("--port", "0", folder=tmp_path, environment=QUICK) as program:
        address = program.address()

        async def work() -> None:
            async with Client(address) as client:
                await client.visit()
                async with client.table("ma-midi-4") as table:
                    assert (await table.do("sit", seat=2)).is_done
                    resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
                    lost = asyncio.create_task(table.do("leave", seat=2))
                    assert await asyncio.to_thread(program.process.wait, 60) == 3
                    await asyncio.sleep(0.1)
                    if lost.done():  # the table's own acts met the fault before: nothing new was taken
                        assert lost.result().code == "problem"
                        assert lost.result().say.startswith("The house is closing")
                    lost.cancel()

        run_for(work())
        assert program.ended() == 3
    assert [each["event"] for each in program.events] == [
        "serving",
        "orders",
        "content",
        "stopped",
        "draining",
        "closed",
    ]
    assert program.events[3]["say"].startswith("the store cannot be written: ")
    with Program("--port", "0", folder=tmp_path, environment=QUICK) as again:
        tables = httpx.get(f"{again.address()}/api/tables").json()["tables"]
        seats = {each["table"]: each["free"] for each in tables}
        assert 2 not in seats["ma-midi-4"], "what was answered is there"
        assert again.stopped() == 0


def test_whoever_looks_on_is_told_that_the_house_closes(tmp_path: Path) -> None:
    with Program("--port", "0", folder=tmp_path, environment=QUICK) as program:
        address = program.address()

        async def work() -> None:
            async with Client(address) as client:
                ticket, where = await client.ticket("ma-midi-4")
                async with websockets.connect(where) as socket:
                    await socket.send(json.dumps({"type": "join", "ticket": ticket}))
                    assert json.loads(await socket.recv())["type"] == "view"
                    program.process.send_signal(signal.SIGTERM)
                    last = [json.loads(text) async for text in socket][-1]
            assert (last["type"], last["why"]) == ("bye", "closing")

        run_for(work())
        assert program.ended() == 0


def test_ctrl_c_while_it_recovers_ends_it(tmp_path: Path) -> None:
    with Program("--port", "0", folder=tmp_path) as program:
        assert program.stopped(signal.SIGTERM) in (0, -signal.SIGTERM)


def test_a_client_that_hangs_up_while_it_is_answered_does_not_end_the_house(tmp_path: Path) -> None:
    with Program("--port", "0", folder=tmp_path) as program:
        address = program.address()
        port = int(address.rpartition(":")[2])
        for _ in range(50):
            with socket.create_connection(("127.0.0.1", port)) as rude:
                rude.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                rude.sendall(b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
        assert httpx.get(f"{address}/healthz").text == "ok\n"
        assert program.stopped() == 0


def test_standard_error_that_nobody_reads_does_not_end_the_house(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "baccarat", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as program:
        assert program.stderr is not None
        assert "The practice house, " in program.stderr.readline()
        program.stderr.close()
        program.send_signal(signal.SIGINT)
        assert program.wait(60) == 0


def test_people_are_told_in_sentences(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "baccarat", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as program:
        assert program.stderr is not None
        first = program.stderr.readline()
        program.send_signal(signal.SIGINT)
        rest = program.stderr.read()
        assert program.wait(60) == 0
    assert first.startswith(f"The practice house, {len(shipped_submissions()) + 2} tables, is open: http://localhost:")
    assert rest.splitlines() == [
        "no witness has a share in the order of electronic shoes: the house alone could know it beforehand",
        "every table is authenticated, but the key is stored next to the database: this detects damage and "
        "mistakes, not tampering by someone who can read both",
        "closing: finishing what was begun, accepting nothing new",
        "closed; the house is stored in baccarat-house/house.db",
    ]


def test_what_serving_imports_needs_neither_numpy_nor_numba_nor_altair() -> None:
    program = (
        "import sys, baccarat.serve.run, baccarat.cli.serve\n"
        "print([name for name in ('numpy', 'numba', 'altair', 'pandas', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_what_serving_imports_is_all_in_its_extra() -> None:
    program = (
        "import sys, baccarat.serve.run, baccarat.cli.serve\n"
        "print(*(module.__file__ for name, module in sys.modules.items() if name.startswith('baccarat.')), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    paths = [Path(line) for line in done.stdout.splitlines()]
    assert len(paths) > 50
    named = {name for path in paths for name in imported(path)} - sys.stdlib_module_names - {"baccarat"}
    homes = packages_distributions()
    missing = {name for name in named if not {plain(home) for home in homes[name]} & needed("serve")}
    assert not missing
    assert {"litestar", "argon2", "structlog"} <= named
    assert not needed("serve") & {"numpy", "numba", "altair", "pandas", "pyarrow"}


def imported(path: Path) -> set[str]:
    """The packages that a module imports when it is imported itself."""
    found = set[str]()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def plain(requirement: str) -> str:
    """The name of a package, as all ways to write it become one."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def needed(extra: str) -> set[str]:
    """Every package that an extra of this project brings along, by what is written in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    waiting, found = [*project["dependencies"], *extras[extra]], set[str]()
    while waiting:
        each = waiting.pop()
        ours = re.match(r"baccarat\[([a-z,]+)\]", each)
        if ours is not None:
            waiting += [more for name in ours[1].split(",") for more in extras[name]]
        elif plain(each) not in found:
            found.add(plain(each))
            with contextlib.suppress(PackageNotFoundError):
                waiting += [more for more in requires(plain(each)) or () if "extra ==" not in more]
    return found
