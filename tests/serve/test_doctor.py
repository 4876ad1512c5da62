"""The doctor of a house: what it finds, what it says to do, its statuses, and that it writes nothing to the house."""

from __future__ import annotations

import asyncio
import datetime
import json
import os
import shutil
import socket
import sqlite3
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from typer.testing import CliRunner, Result

from baccarat.cli import make_app
from baccarat.cli.status import DONE, FAULT, PARTLY, REFUSED
from baccarat.house.stream import table_stream
from baccarat.record.key import KeyKind, Signer
from baccarat.record.sealed_seed import KeyRing, SealingKey
from baccarat.serve.doctor import machine_check
from baccarat.serve.doctor.diagnosis import Diagnosis, Health
from baccarat.serve.doctor.examination import Doctor, NoHouse, worst_of
from baccarat.serve.doctor.machine_check import HOUR, LEAST_FREE, SOME_FREE, HostMachine, check_clock
from baccarat.serve.runtime.resume_point import STATUS, HistoryFinding, HistoryStatus, status_setting
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store.base import Batch, Statement
from golden_stores import TABLE, copied
from house_journal import form_journal, house_journal
from postgres_server import PostgresServer
from served import run_for, served
from stored_history import store_of
from stored_house import open_house

WELL, ATTENTION, WRONG, UNCHECKED = Health.WELL, Health.ATTENTION, Health.WRONG, Health.UNCHECKED


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A practice house that is not served, whose history was verified: the folder of its files."""
    folder = tmp_path / "house"
    folder.mkdir()
    copied("0.1.0", folder)
    ring = KeyRing(SealingKey.read(folder / "seal.key"))
    with closing(open_house(folder / "house.db")) as store:
        entries = sum(head.seq + 1 for head in store.heads().values())
        status = HistoryStatus(verified=entries, entries=entries, at=int(time.time() * 1e6))
        store.append(Batch(settings=dict(status_setting(ring, status, store=store.id))))
    return folder


def looked(
    folder: Path, machine: HostMachine | None = None, copies: Path | None = None, **more: Any
) -> dict[str, Diagnosis]:
    """What the doctor finds in a house, by name."""
    setting = Setting(**{"db": str(folder / "house.db"), "port": 0, **more})
    return {each.name: each for each in Doctor(setting, copies=copies, machine=machine).run_checks()}


def is_asked_to(found: Diagnosis, health: Health, say: str) -> None:
    """It is in this state, says so, and says what to do wherever somebody has to do something."""
    assert (found.health, say in found.say) == (health, True), found
    assert bool(found.do) is (health in (ATTENTION, WRONG)), found


def files(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file in a folder: its bytes, and when it was written."""
    return {each.name: (each.read_bytes(), each.stat().st_mtime_ns) for each in sorted(folder.iterdir())}


def changed(path: Path, sql: str, *params: object) -> None:
    """Change a store behind its back."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute(sql, params).rowcount > 0
        connection.commit()


def copy_of(house: Path, name: str = "copy.db") -> Path:
    """A folder with a copy of a house."""
    copies = house.parent / "copies"
    copies.mkdir(exist_ok=True)
    shutil.copyfile(house / "house.db", copies / name)
    return copies


# ------------------------------------------------------------------------------------------- a house at rest


def test_a_house_at_rest_is_well_and_is_left_as_it_was(house: Path) -> None:
    before = files(house)
    found = looked(house, copies=copy_of(house))
    assert [each for each in found.values() if each.health not in (WELL, UNCHECKED)] == []
    assert found["history"].say.startswith("verified to entry 164 of 164, at ")
    assert files(house) == before


def test_a_house_that_was_killed_is_left_as_it_was_with_its_log(house: Path) -> None:
    killed = house.parent / "killed"
    killed.mkdir()
    with closing(open_house(house / "house.db")) as store:
        store.append(Batch(settings={"one": "more"}))
        for name in ("house.db", "house.db-wal", "seal.key"):
            shutil.copyfile(house / name, killed / name)
    (killed / "seal.key").chmod(0o600)
    before = files(killed)
    assert before["house.db-wal"][0]
    is_asked_to(looked(killed)["database"], WELL, "164 entries in 12 streams")
    assert files(killed) == before


def test_there_must_be_a_house_to_look_at(tmp_path: Path) -> None:
    with pytest.raises(NoHouse, match="there is no house"):
        looked(tmp_path)


def test_a_database_that_is_gone_or_damaged_is_wrong(house: Path) -> None:
    path = house / "house.db"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    is_asked_to(looked(house)["database"], WRONG, "is cut off")
    path.write_bytes(b"nothing of ours" * 100)
    is_asked_to(looked(house)["database"], WRONG, "is not a store of a house")
    path.unlink()
    assert (house / "house.db.lock").exists(), "it was open once"
    is_asked_to(looked(house)["database"], WRONG, "there is no such file")


def test_what_verification_found_or_did_not_do_is_said(house: Path) -> None:
    path, ring = house / "house.db", KeyRing(SealingKey.read(house / "seal.key"))

    def store_status(status: HistoryStatus | None) -> None:
        with closing(open_house(path)) as store:
            settings = {STATUS: "{}"} if status is None else dict(status_setting(ring, status, store=store.id))
            store.append(Batch(settings=settings))

    finding = HistoryFinding(say="something else", stream=table_stream(TABLE), seq=7)
    store_status(HistoryStatus(verified=7, entries=164, at=1, findings=(finding,)))
    is_asked_to(looked(house)["history"], WRONG, f"entry 7 of table {TABLE}: something else")
    store_status(None)
    is_asked_to(looked(house)["history"], WRONG, "changed by someone without the sealing key")
    with closing(open_house(path)) as store:
        store.append(Batch(statements=[Statement("delete from setting where key = ?", (STATUS,), changes=1)]))
    is_asked_to(looked(house)["history"], ATTENTION, "none verified yet")
    store_status(HistoryStatus(verified=100, entries=164, at=int((time.time() - 3 * HOUR) * 1e6)))
    is_asked_to(looked(house)["history"], WELL, "64 newer entries")
    with closing(open_house(path)):  # it runs, and should have verified meanwhile
        is_asked_to(looked(house)["history"], ATTENTION, "last verified 3 hours ago")


# ------------------------------------------------------------------------------------------------------ copies


def test_copies_are_restored_on_trial(house: Path) -> None:
    copies = copy_of(house)
    is_asked_to(looked(house, copies=copies)["copy"], WELL, "copy.db, ")
    old = time.time() - 30 * HOUR
    os.utime(copies / "copy.db", (old, old))
    is_asked_to(looked(house, copies=copies)["copy"], ATTENTION, "copy.db, 30 hours old, was restored on trial")
    changed(copies / "copy.db", "update entry set body = zeroblob(9) where position = 150")
    is_asked_to(looked(house, copies=copies)["copy"], WRONG, "the last copy cannot be restored")
    assert sorted(each.name for each in copies.iterdir()) == ["copy.db"]
    is_asked_to(looked(house, copies=house)["copy"], ATTENTION, "has no copy of a house")
    is_asked_to(looked(house, copies=house / "none")["copy"], ATTENTION, "cannot be read")
    is_asked_to(looked(house)["copy"], UNCHECKED, "--copies")


def test_a_copy_must_be_an_earlier_state_of_this_very_house(house: Path) -> None:
    copies = copy_of(house)
    changed(copies / "copy.db", "delete from content_sum")  # of a version that had none
    changed(copies / "copy.db", "update identity set id = zeroblob(16)")
    changed(copies / "copy.db", "update head set store = zeroblob(16)")
    is_asked_to(looked(house, copies=copies)["copy"], WRONG, "is a copy of another house")
    longer, other = store_of(copies / "longer.db", house_journal()), copies / "other.db"
    shorter = store_of(house / "shorter.db", house_journal(), first=100)
    shutil.copyfile(store_of(copies / "forms.db", form_journal()), other)
    with closing(sqlite3.connect(shorter)) as connection:
        ((identity,),) = connection.execute("select id from identity")
    for path in (longer, other):
        changed(path, "update identity set id = ?", identity)
        changed(path, "update head set store = ?", identity)
    for last, say in ((longer, "ahead of the house"), (other, "have different histories of ")):
        os.utime(last, (time.time() + 60, time.time() + 60))
        is_asked_to(looked(house, copies=copies, db=str(shorter))["copy"], WRONG, say)
        last.unlink()


class Little(HostMachine):
    """A machine with little room."""

    def __init__(self, free: int) -> None:
        self.free = free

    def free_bytes(self, _folder: Path, /) -> int:
        """So much."""
        return self.free


def test_space_is_needed_for_what_comes_and_for_a_copy(house: Path) -> None:
    is_asked_to(looked(house, Little(2 * SOME_FREE))["space"], WELL, "2.0 GB free")
    is_asked_to(looked(house, Little(SOME_FREE - 1))["space"], ATTENTION, "MB free")
    is_asked_to(looked(house, Little(LEAST_FREE - 1))["space"], WRONG, "MB free")
    is_asked_to(looked(house, Little(1000), copies=copy_of(house))["copy"], ATTENTION, "not restored on trial")


# ------------------------------------------------------------------------------------------------- clock, keys


class Clock(HostMachine):
    """A machine with a clock of its own."""

    def __init__(self, ahead: float, *, synchronized: bool | None = True) -> None:
        self.ahead, self.synchronized = ahead, synchronized

    def current_time(self) -> float:
        """The time."""
        return time.time() + self.ahead

    def is_synchronized(self) -> bool | None:
        """Whether a service sets it."""
        return self.synchronized


def test_the_clock_must_not_be_behind_what_is_on_record(house: Path) -> None:
    assert looked(house, Clock(0))["clock"].say == "it agrees with the times on record, and a service sets it"
    is_asked_to(looked(house, Clock(-1e9))["clock"], WRONG, "behind the last act on record")
    is_asked_to(looked(house, Clock(0, synchronized=False))["clock"], WELL, "no service sets it")
    is_asked_to(check_clock(Clock(0, synchronized=False), 0, 0, is_real=True), ATTENTION, "no service sets it")
    is_asked_to(check_clock(Clock(0), 0, 2, is_real=False), ATTENTION, "stepped back 2 times")
    assert check_clock(Clock(0, synchronized=None), 0, 0, is_real=True).health is WELL
    assert HostMachine().is_synchronized() in (True, False, None)


def test_a_step_back_of_the_clock_is_read_from_the_entries(house: Path) -> None:
    with closing(sqlite3.connect(house / "house.db")) as connection:
        ((position, body),) = connection.execute(
            "select position, body from entry where instr(body, cast('\"at\":' as blob)) > 0 "
            "order by position desc limit 1 offset 3"
        )  # fmt: skip
        later = body.replace(b'"at":1', b'"at":2', 1)
        assert later != body
        connection.execute("update entry set body = ? where position = ?", (later, position))
        connection.commit()
    found = looked(house, Clock(2e9))["clock"]
    is_asked_to(found, ATTENTION, "stepped back once")


def test_keys_are_for_their_owner_alone_and_not_next_to_a_real_database(house: Path) -> None:
    key = house / "seal.key"
    is_asked_to(looked(house)["keys"], WELL, "only protects against accidents")
    key.chmod(0o644)
    found = looked(house)
    is_asked_to(found["keys"], WRONG, "others may read the sealing key")
    is_asked_to(found["history"], UNCHECKED, "without the sealing key")
    key.chmod(0o600)
    real: dict[str, Any] = {"mode": Mode.PRODUCTION, "seal_key": str(key)}
    is_asked_to(looked(house, **real)["keys"], WRONG, "in the folder of the database")
    elsewhere = house.parent / "keys"
    elsewhere.mkdir()
    shutil.move(key, elsewhere / "seal.key")
    is_asked_to(looked(house)["keys"], WRONG, "is missing")
    assert looked(house, **real | {"seal_key": str(elsewhere / "seal.key")})["keys"].health is WELL
    SealingKey.create(elsewhere / "other.key")
    found = looked(house, **real | {"seal_key": str(elsewhere / "other.key")})
    is_asked_to(found["seeds"], WRONG, "a key that is not configured")
    sign = elsewhere / "sign.key"
    sign.write_text(Signer("example.org/house", KeyKind.LOG, bytes(32)).secret, encoding="ascii")
    sign.chmod(0o640)
    is_asked_to(
        looked(house, sign_key=str(sign), seal_key=str(elsewhere / "seal.key"))["keys"], WRONG, "others may read"
    )


# -------------------------------------------------------------------------------------------- other programs


@contextmanager
def listening(answer: Any = None) -> Iterator[int]:
    """A program that listens, and answers each connection; its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        done = threading.Event()

        def serve() -> None:
            server.settimeout(0.05)
            while not done.is_set():
                try:
                    line = server.accept()[0]
                except TimeoutError:
                    continue
                with line:
                    if answer is not None:
                        answer(line)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            done.set()
            thread.join()


def test_a_witness_must_be_reachable(house: Path) -> None:
    key = Signer("example.org/surveillance", KeyKind.WITNESS, bytes(32)).verifier
    keys = house.parent / "witnesses.pub"
    with listening() as port:
        keys.write_text(f"{key} http://127.0.0.1:{port}\n", encoding="utf-8")
        is_asked_to(looked(house, witness_keys=str(keys))["witness"], WELL, "can be reached")
    is_asked_to(looked(house, witness_keys=str(keys))["witness"], WRONG, "example.org/surveillance cannot be reached")
    keys.write_text(f"{key}\n", encoding="utf-8")
    is_asked_to(looked(house, witness_keys=str(keys))["witness"], UNCHECKED, "has no address")
    keys.write_text("nonsense\n", encoding="utf-8")
    is_asked_to(looked(house, witness_keys=str(keys))["witness"], WRONG, "line 1")


def certificate(folder: Path, *, days: float) -> Path:
    """A certificate of localhost with its key, which ends so many days from now."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=100))
        .not_valid_after(now + datetime.timedelta(days=days, minutes=5))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{days}.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.mark.parametrize(
    ("days", "health", "say"),
    [(60, WELL, "ends in 60 days"), (5, ATTENTION, "ends in 5 days"), (-1, WRONG, "certificate has expired")],
)
def test_the_certificate_of_the_proxy_is_looked_at_in_time(
    house: Path, monkeypatch: pytest.MonkeyPatch, days: float, health: Health, say: str
) -> None:
    path = certificate(house.parent, days=days)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)

    def shake(line: socket.socket) -> None:
        try:
            context.wrap_socket(line, server_side=True).close()
        except OSError:
            return

    with listening(shake) as port:
        origin = f"https://localhost:{port}"
        is_asked_to(looked(house, origin=origin)["tls"], WRONG, "is not valid: self-signed certificate")
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        is_asked_to(looked(house, origin=origin)["tls"], health, say)
    is_asked_to(looked(house, origin=origin)["tls"], ATTENTION, "cannot be reached from here")


def test_a_server_says_of_itself_whether_it_is_well(house: Path) -> None:
    def answering(*lines: str) -> Any:
        body = "".join(f"{line}\n" for line in lines)

        def answer(line: socket.socket) -> None:
            line.recv(1000)
            line.sendall(f"HTTP/1.0 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())

        return answer

    with closing(open_house(house / "house.db")):
        with listening(answering("ok", "not well: table 1: stopped", "history verified")) as port:
            is_asked_to(looked(house, port=port)["server"], ATTENTION, "not all is well: table 1: stopped")
        with listening(answering("the disk does not answer")) as port:
            is_asked_to(looked(house, port=port)["server"], WRONG, "it accepts no commands: the disk does not answer")
        is_asked_to(looked(house, port=port)["server"], WRONG, "but does not answer")
    is_asked_to(looked(house, port=port)["server"], WELL, "the house is not served")
    with listening(answering("ok")) as port:
        is_asked_to(looked(house, port=port)["server"], UNCHECKED, "a different house")


@pytest.mark.slow
def test_a_served_house_is_looked_at_and_so_is_the_file_that_it_has_open(tmp_path: Path) -> None:
    copied("0.1.0", tmp_path)

    async def work() -> None:
        async with served(tmp_path, stopped=lambda _error: None) as (_, address):
            port = int(address.rpartition(":")[2])
            found = await asyncio.to_thread(looked, tmp_path, port=port)
            is_asked_to(found["server"], WELL, "it accepts commands")
            is_asked_to(found["database"], WELL, f"process {os.getpid()} has this file open")
            assert worst_of(each for name, each in found.items() if name != "history") is WELL
            other = tmp_path / "other"
            other.mkdir()
            copied("0.1.0", other)
            (tmp_path / "house.db").rename(tmp_path / "moved.db")
            shutil.move(other / "house.db", tmp_path / "house.db")
            command = [sys.executable, "-m", "baccarat", "doctor", "--db", str(tmp_path / "house.db")]
            seen = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
            assert seen.returncode == REFUSED
            assert f"process {os.getpid()} has a different file open" in " ".join(seen.stdout.split())
            (tmp_path / "house.db").unlink()
            (tmp_path / "moved.db").rename(tmp_path / "house.db")

    run_for(work())


def test_a_house_on_postgresql_is_looked_at_too(postgres: PostgresServer, tmp_path: Path) -> None:
    address = postgres.new()
    from baccarat.serve.store import open_store  # noqa: PLC0415

    open_store(address).close()
    key = tmp_path / "seal.key"
    SealingKey.create(key)
    found = looked(tmp_path, db=address, seal_key=str(key))
    is_asked_to(found["database"], WELL, "PostgreSQL answers: 0 entries")
    for name in ("copy", "space"):
        assert found[name].health is UNCHECKED
    gone = looked(tmp_path, db="postgresql://nobody@127.0.0.1:1/none", seal_key=str(key))
    is_asked_to(gone["database"], WRONG, "cannot be reached")


# ------------------------------------------------------------------------------------------------- the program


def program(*arguments: str | Path) -> Result:
    """The verb, on a terminal of 80 columns."""
    return CliRunner().invoke(make_app("doctor"), ["doctor", *map(str, arguments)], env={"COLUMNS": "80"})


def test_its_statuses_tell_cron_what_to_do(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_check.HostMachine, "is_synchronized", lambda _self: True)
    db, copies = house / "house.db", copy_of(house)
    found = program("--db", db, "--copies", copies)
    assert found.exit_code == DONE, found.output
    lines = found.stdout.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines[1:])) <= 80, "only a path may be longer"
    assert lines[-1] == "9 well · 2 not checked"
    old = time.time() - 30 * HOUR
    os.utime(copies / "copy.db", (old, old))
    found = program("--db", db, "--copies", copies)
    assert found.exit_code == PARTLY
    assert "→ Make another: baccarat backup" in found.stdout
    assert program("--db", db, "--copies", copies, "--hours", "48").exit_code == DONE
    assert program("--db", db, "--hours", "0").exit_code == FAULT
    changed(copies / "copy.db", "update entry set body = zeroblob(9) where position = 150")
    found = program("--db", db, "--copies", copies, "--json")
    assert found.exit_code == REFUSED
    said = json.loads(found.stdout)
    assert said["health"] == "wrong"
    assert {each["name"] for each in said["found"] if each["health"] == "wrong"} == {"copy"}
    missing = program("--db", house / "none.db")
    assert (missing.exit_code, "there is no house" in missing.stderr) == (FAULT, True)
    assert program("--db", db, "--config", house / "none.toml").exit_code == FAULT


def test_a_row_that_was_changed_outside_the_program_is_named_in_the_house_and_in_its_copy(house: Path) -> None:
    is_asked_to(looked(house)["tables"], WELL, "every row matches its content sum")
    copies = copy_of(house)
    for path in (house / "house.db", copies / "copy.db"):
        with sqlite3.connect(path) as other:
            assert other.execute("update setting set value = 'production' where key = 'mode'").rowcount == 1
        other.close()
        found = looked(house, copies=copies)
        what = "tables" if path.parent == house else "copy"
        is_asked_to(found[what], WRONG, "was changed outside the program: the table setting")


def test_tables_that_are_not_authenticated_yet_ask_for_a_start(tmp_path: Path) -> None:
    copied("0.1.0", tmp_path)
    is_asked_to(looked(tmp_path)["tables"], ATTENTION, "not authenticated yet")
