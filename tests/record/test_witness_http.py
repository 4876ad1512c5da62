"""The shares of a witness over HTTP, on the loopback."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import msgspec
import pytest

from baccarat.chain import leaf_hash
from baccarat.record import witness_http
from baccarat.record.note import SignedNote
from baccarat.record.share import read_share
from baccarat.record.tlog_proof import EntryProof
from baccarat.record.witness import OK, AddCheckpointRequest, Evidence, WitnessAnswer
from baccarat.record.witness_folder import FolderMemory, UnreadableMemory
from baccarat.record.witness_http import (
    ANSWERED_PATH,
    PATH,
    PROMISE_PATH,
    SECONDS,
    SHARE_PATH,
    ShareRefused,
    WitnessServer,
    WitnessUnreachable,
    ask_over_http,
    ask_promise,
    ask_share,
)
from baccarat.record.witness_share import ShareRequest, ShareWitness
from running_witness import answered_shares
from shared_shoe import (
    ORIGIN,
    SHARES,
    closing_body,
    closing_event,
    cosign,
    log_with,
    promised,
    share_witness,
    signed,
    with_note,
)
from witnessed import WITNESS

pytestmark = pytest.mark.slow
BODY = closing_body()


@contextmanager
def listening(memory: FolderMemory, *, shares: bool = True) -> Iterator[tuple[str, WitnessServer]]:
    witness, with_shares = share_witness(memory)
    server = WitnessServer(("127.0.0.1", 0), witness, with_shares if shares else None)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def send(address: str, method: str, path: str, data: bytes | None = None) -> tuple[int, str, bytes]:
    line = http.client.HTTPConnection(address.removeprefix("http://"), timeout=30)
    try:
        line.request(method, path, body=data)
        found = line.getresponse()
        return found.status, found.headers["content-type"], found.read()
    finally:
        line.close()


def cosigned_over_http(address: str, size: int = 9, *, old: int = 0, body: bytes = BODY) -> SignedNote:
    log = log_with(body)
    note = signed(log, size)
    answer = ask_over_http(address, bytes(AddCheckpointRequest(old, log.prove_consistency(old, size), note)))
    assert answer.status == OK
    return note.with_signatures(*answer.cosignatures)


def closing(address: str) -> ShareRequest:
    return ShareRequest(BODY, EntryProof(8, log_with(BODY).prove_inclusion(8), cosigned_over_http(address)))


def test_a_house_asks_for_promise_and_share(memory: FolderMemory) -> None:
    with listening(memory) as (address, _):
        assert ask_promise(address, origin=ORIGIN, shoe="17").hex() == promised()["promise"]
        asked = closing(address)
        note = ask_share(address, asked)
        note.verified_signatures([SHARES.verifier])
        assert read_share(note).leaf == leaf_hash(BODY)
        assert ask_share(address, asked) == note
        assert answered_shares(address, ORIGIN) == {"17": leaf_hash(BODY)}
        assert answered_shares(address, "example.org/house/table/2") == {}
    with listening(FolderMemory(memory._folder, WITNESS.verifier)) as (address, _):
        assert ask_share(address, asked) == note, "after a start it is the same"
        assert send(address, "POST", SHARE_PATH, bytes(asked))[:2] == (200, "text/plain; charset=utf-8")


def test_every_status(memory: FolderMemory) -> None:
    with listening(memory) as (address, _):
        asked = closing(address)
        for data in (b"", b"x", b"x\n", bytes(asked)[1:], bytes(asked)[:-1], bytes(asked.proof)):
            assert send(address, "POST", SHARE_PATH, data)[0] == 400
        assert send(address, "POST", PROMISE_PATH, b"x")[0] == 400
        unsigned = with_note(asked, SignedNote(asked.proof.note.text, asked.proof.note.signatures[:1]))
        other = "example.org/other/table/1"
        for status, request in (
            (403, unsigned),
            (404, with_note(asked, signed(log_with(BODY), 9, origin=other))),
            (422, ShareRequest(closing_body(closing_event(shoe="18")), asked.proof)),
        ):
            with pytest.raises(ShareRefused) as refused:
                ask_share(address, request)
            assert refused.value.status == status
        with pytest.raises(ShareRefused, match="404"):
            ask_promise(address, origin=other, shoe="17")
        for query, status in (("", 400), ("?origin=a&origin=b", 400), ("?origin=", 404), (f"?origin={ORIGIN}", 200)):
            assert send(address, "GET", f"{ANSWERED_PATH}{query}")[0] == status
        assert send(address, "GET", "//[x?origin=a")[0] == 404
        assert send(address, "GET", PATH)[0] == 404
        assert send(address, "POST", ANSWERED_PATH, b"x")[0] == 404


def test_a_second_closing_is_answered_with_the_evidence(memory: FolderMemory) -> None:
    with listening(memory) as (address, server):
        asked = closing(address)
        ask_share(address, asked)
        body = closing_body(closing_event(inputs="cd" * 32), seq=9)
        log = log_with(BODY)
        log.append(body)
        note = cosign(server.witness, log, 10, old=9)
        second = ShareRequest(body, EntryProof(9, log.prove_inclusion(9), note))
        status, kind, data = send(address, "POST", SHARE_PATH, bytes(second))
        assert (status, kind) == (409, "application/json")
        assert msgspec.json.decode(data, type=Evidence).cosigned == bytes(asked).decode()
        with pytest.raises(ShareRefused) as refused:
            ask_share(address, second)
        assert refused.value.status == 409


def test_a_witness_that_was_rolled_back_answers_nothing_more(memory: FolderMemory) -> None:
    with listening(memory) as (address, server):
        asked = closing(address)
        for stored in memory._folder.glob("*.checkpoint"):
            stored.unlink()
        assert send(address, "POST", SHARE_PATH, bytes(asked))[0] == 500
        assert "rolled back" in str(server.stopped)
        for method, path, data in (
            ("POST", PATH, b"x"),
            ("POST", PROMISE_PATH, f"{ORIGIN}\n17\n".encode()),
            ("GET", f"{ANSWERED_PATH}?origin={ORIGIN}", None),
        ):
            assert send(address, method, path, data)[0] == 500
        with pytest.raises(WitnessUnreachable, match="500"):
            ask_promise(address, origin=ORIGIN, shoe="17")


@pytest.mark.parametrize("error", [ValueError, KeyError, RecursionError])
def test_a_bug_that_a_client_finds_does_not_stop_the_witness(
    memory: FolderMemory, error: type[Exception], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_shares: ShareWitness, _data: bytes) -> WitnessAnswer:
        raise error("a bug in reading it")

    with listening(memory) as (address, server):
        with monkeypatch.context() as patched:
            patched.setattr(ShareWitness, "promise", fail)
            with pytest.raises(WitnessUnreachable):
                ask_promise(address, origin=ORIGIN, shoe="17")
        assert server.stopped is None
        assert ask_promise(address, origin=ORIGIN, shoe="17").hex() == promised()["promise"]
    assert "a bug in reading it" in capsys.readouterr().err, "its operator is told"


@pytest.mark.parametrize("damage", [b'"request":"x', b'"shoe":"18', b'"surprise":1,"note":"'])
def test_an_opened_share_that_was_damaged_stops_the_witness(memory: FolderMemory, damage: bytes) -> None:
    with listening(memory) as (address, server):
        asked = closing(address)
        ask_share(address, asked)
        (stored,) = memory._folder.glob("*.share")
        name = damage.partition(b'"')[2].partition(b'"')[0]
        old = b'"%b":"' % (b"note" if name == b"surprise" else name)
        stored.write_bytes(stored.read_bytes().replace(old, damage, 1))
        assert send(address, "POST", SHARE_PATH, bytes(asked))[0] == 500
        assert isinstance(server.stopped, UnreadableMemory)


def test_a_client_that_sends_nothing_delays_nobody(memory: FolderMemory) -> None:
    with listening(memory) as (address, server):
        lines = [socket.create_connection(("127.0.0.1", server.server_port)) for _ in range(5)]
        lines[0].sendall(b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: 10\r\n\r\nhalf")
        began = time.monotonic()
        assert ask_promise(address, origin=ORIGIN, shoe="17").hex() == promised()["promise"]
        assert time.monotonic() - began < SECONDS / 2
        for line in lines:
            line.close()


def test_a_plain_witness_has_no_shares(memory: FolderMemory) -> None:
    with listening(memory, shares=False) as (address, _):
        assert send(address, "POST", PROMISE_PATH, b"x")[0] == 404
        assert send(address, "GET", f"{ANSWERED_PATH}?origin={ORIGIN}")[0] == 404
        cosigned_over_http(address)


@pytest.mark.parametrize("body", [b"", b"x\n", b"AAAA\n", b"\xff", b"1\n2\n\n"])
def test_an_answer_that_is_none_is_not_taken(
    memory: FolderMemory, monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    with listening(memory) as (address, server):
        asked = closing(address)
        said = body.decode("latin-1")
        monkeypatch.setattr(type(server.shares), "promise", lambda *_: _Said(200, said))
        monkeypatch.setattr(type(server.shares), "share", lambda *_: _Said(200, said))
        with pytest.raises(WitnessUnreachable):
            ask_promise(address, origin=ORIGIN, shoe="17")
        with pytest.raises(WitnessUnreachable):
            ask_share(address, asked)


@contextmanager
def answering(parts: Iterable[bytes]) -> Iterator[str]:
    """The address of something that reads a request, says these bytes one after another, and hangs up."""

    def answer() -> None:
        line, _ = listener.accept()
        with line, suppress(OSError):  # the other side may have gone
            line.recv(100_000)
            for part in parts:
                line.sendall(part)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread.join()


@pytest.mark.parametrize(
    "said",
    [b"", b"HT", b"no\r\n", b"HTTP/1.0 200 OK\r\n", b"HTTP/1.0 200 OK\r\nContent-Length: 45\r\n\r\nAAAA",
     b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"HTTP/1.0 200 OK\r\n" + b"a" * 70_000,
     b"HTTP/1.0 404 no\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"HTTP/1.0 200 OK\r\n" + b"a: b\r\n" * 200,
     b"HTTP/1.0 302 no\r\nLocation: http://127.0.0.1:1/\r\n\r\n"],
)  # fmt: skip
def test_a_witness_that_dies_in_its_answer_or_says_something_else_was_not_reached(said: bytes) -> None:
    with answering([said]) as address, pytest.raises(WitnessUnreachable):
        ask_promise(address, origin=ORIGIN, shoe="17")


@pytest.mark.parametrize("head", [b"", b"HTTP/1.0 200 OK\r\n\r\n", b"HTTP/1.0 404 no\r\n\r\n"])
def test_a_witness_that_answers_drop_by_drop_has_the_time_of_one_answer(
    monkeypatch: pytest.MonkeyPatch, head: bytes
) -> None:
    """Each byte comes within the time for one, so only a limit for the whole answer ends it."""
    monkeypatch.setattr(witness_http, "SECONDS", 0.5)

    def drops() -> Iterator[bytes]:
        yield head
        for _ in range(25):
            time.sleep(0.1)
            yield b"H"

    began = time.monotonic()
    with answering(drops()) as address:
        with pytest.raises(WitnessUnreachable, match="cannot be reached"):
            ask_promise(address, origin=ORIGIN, shoe="17")
        assert time.monotonic() - began < 3


@pytest.mark.parametrize(
    "address", ["http://", "http://[::1", "http://127.0.0.1:x", "http://127.0.0.1:99999", "ftp://x"]
)
def test_an_address_that_is_none_cannot_be_reached(address: str) -> None:
    with pytest.raises(WitnessUnreachable):
        ask_promise(address, origin=ORIGIN, shoe="17")


class _Said(msgspec.Struct):
    status: int
    body: str
    known_size: int | None = None
