"""A house asks its witness over HTTP by itself: C2SP tlog-witness, between two programs that know only their keys."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from baccarat.client import Client
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.key import KeyKind, Signer, Verifier
from baccarat.record.note import read_note
from baccarat.record.witness import Witness
from baccarat.record.witness_folder import FolderMemory
from baccarat.record.witness_http import MOST_REQUEST, PATH, WitnessServer, WitnessUnreachable, ask_over_http
from baccarat.serve.job.cosigning import ask_for_all
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.signing_key import KnownWitness, known_witnesses
from baccarat.serve.store.base import StoreError
from played import next_round, play_round
from served import run_for, served

pytestmark = pytest.mark.slow

HOUSE = Signer("example.org/house", KeyKind.LOG, bytes(range(32)))
SURVEILLANCE = Signer("example.org/surveillance", KeyKind.WITNESS, bytes(range(1, 33)))
SHARE = Signer("example.org/surveillance", KeyKind.LOG, bytes(range(2, 34))).verifier
OTHER = Signer("example.org/commission", KeyKind.WITNESS, bytes(range(3, 35))).verifier
STREAM = "table ma-midi-4"
LOG = HOUSE.with_name("example.org/house/table/ma-midi-4").verifier


@contextmanager
def witness_at(folder: Path, *logs: Verifier) -> Iterator[str]:
    """A witness that answers over HTTP, with what it remembers in a folder."""
    folder.mkdir(exist_ok=True)
    witness = Witness(SURVEILLANCE, {key.name: [key] for key in logs}, FolderMemory(folder, SURVEILLANCE.verifier))
    server = WitnessServer(("127.0.0.1", 0), witness)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def with_house(folder: Path, work: Any) -> None:
    """A house that signs, at which somebody has played a round."""
    (folder / "sign.key").write_text(HOUSE.secret)
    (folder / "sign.key").chmod(0o600)
    (folder / "witness.pub").write_text(f"{SURVEILLANCE.verifier}\n")

    async def inner() -> None:
        keys: dict[str, Any] = {"sign_key": str(folder / "sign.key"), "witness_keys": str(folder / "witness.pub")}
        async with served(folder, **keys) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table("ma-midi-4") as table:
                await play_round(table, client)

                async def more() -> None:
                    await next_round(table)
                    await live.house.writer.wait_until_flushed()

                await live.house.writer.wait_until_flushed()
                await work(live, more)

    run_for(inner())


def cosigned_size(live: HouseServer) -> int:
    """How many entries of the table's newest cosigned checkpoint; it bears both signatures."""
    rows = live.store.read("select note from cosigned where stream = ?", (STREAM,))
    note = read_note(bytes(rows[0][0]))  # type: ignore[arg-type]
    assert set(note.verified_signatures([LOG, SURVEILLANCE.verifier])) == {LOG, SURVEILLANCE.verifier}
    return read_checkpoint(note).size


def test_the_house_asks_and_keeps_what_is_cosigned_as_it_grows(tmp_path: Path) -> None:
    async def work(live: HouseServer, more: Any) -> None:
        with witness_at(tmp_path / "memory", LOG) as address:
            assert await ask_for_all(live, SURVEILLANCE.verifier, address) == {STREAM: "cosigned"}
            first = cosigned_size(live)
            assert await ask_for_all(live, SURVEILLANCE.verifier, address) == {}, "nothing has grown"
            await more()
            assert await ask_for_all(live, SURVEILLANCE.verifier, address) == {STREAM: "cosigned"}
            assert cosigned_size(live) > first
            await more()
            await live.house.writer.run_exclusive(lambda: live.store.append(_forget()))
            assert await ask_for_all(live, SURVEILLANCE.verifier, address) == {STREAM: "cosigned"}, (
                "the witness says from which size it wants the growth proved"
            )

    with_house(tmp_path, work)


def _forget() -> Any:
    from baccarat.serve.store.base import Batch, Statement  # noqa: PLC0415

    return Batch(statements=[Statement("delete from cosigned")])


def test_a_witness_that_refuses_or_is_not_there_holds_up_nothing(tmp_path: Path) -> None:
    async def work(live: HouseServer, more: Any) -> None:
        with witness_at(tmp_path / "memory") as address:
            refused = await ask_for_all(live, SURVEILLANCE.verifier, address)
        assert "404" in refused[STREAM]
        gone = await ask_for_all(live, SURVEILLANCE.verifier, address)
        assert "reached" in gone[STREAM]
        await more()
        assert live.store.read("select 1 from cosigned") == []

    with_house(tmp_path, work)


def test_a_witness_over_http_answers_what_the_specification_numbers(tmp_path: Path) -> None:
    with witness_at(tmp_path / "memory", LOG) as address:
        assert _status(f"{address}{PATH}", b"what") == (400, "text/plain; charset=utf-8")
        assert _status(f"{address}/elsewhere", b"what")[0] == 404
        assert _status(f"{address}{PATH}", b"x" * (MOST_REQUEST + 1))[0] in (400, 0)
    with pytest.raises(WitnessUnreachable, match="begins with"):
        ask_over_http("file:///etc/passwd", b"")


def _status(url: str, data: bytes) -> tuple[int, str]:
    request = urllib.request.Request(url, data=data, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=60) as found:
            return found.status, found.headers["content-type"]
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["content-type"]
    except OSError:
        return 0, ""


def test_the_file_of_witnesses_says_their_keys_and_where_they_are(tmp_path: Path) -> None:
    path, key = tmp_path / "witness.pub", SURVEILLANCE.verifier
    path.write_text(f"{key} https://witness.example/prefix\n\n")
    assert known_witnesses(str(path)) == {key: KnownWitness("https://witness.example/prefix")}
    path.write_text(f"{key}\n")
    assert known_witnesses(str(path)) == {key: KnownWitness()}
    path.write_text(f"{key} https://witness.example {SHARE}\n")
    assert known_witnesses(str(path)) == {key: KnownWitness("https://witness.example", SHARE)}
    path.write_text(f"{key} https://w.example {SHARE}\n{OTHER} https://v.example {SHARE}\n")
    with pytest.raises(StoreError, match="all different"):
        known_witnesses(str(path))
    for wrong, say in (
        (f"{key} ftp://x", "begins with"),
        (f"{key} https://x{PATH}", "ends before /add-checkpoint"),
        (str(LOG), "key of a log"),
        ("what", "line 1"),
        (f"{key} https://x {key}", "share key"),
    ):
        path.write_text(wrong)
        with pytest.raises(StoreError, match=say):
            known_witnesses(str(path))
