"""The shares of a witness over HTTP, on the loopback."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest

from baccarat.chain import leaf_hash
from baccarat.record.note import SignedNote
from baccarat.record.share import read_share
from baccarat.record.tlog_proof import EntryProof
from baccarat.record.witness import COSIGNED, AddCheckpointRequest, Evidence
from baccarat.record.witness_folder import FolderMemory
from baccarat.record.witness_http import (
    ANSWERED_PATH,
    PATH,
    PROMISE_PATH,
    SECONDS,
    SHARE_PATH,
    ShareRefused,
    WitnessServer,
    WitnessUnreachable,
    ask_answered,
    ask_over_http,
    ask_promise,
    ask_share,
)
from baccarat.record.witness_share import ShareRequest
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
    assert answer.status == COSIGNED
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
        assert ask_answered(address, ORIGIN) == {"17": leaf_hash(BODY)}
        assert ask_answered(address, "example.org/house/table/2") == {}
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
        with pytest.raises(ShareRefused, match="404"):
            ask_answered(address, other)
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
        monkeypatch.setattr(type(server.shares), "answered", lambda *_: _Said(200, said or "x y"))
        with pytest.raises(WitnessUnreachable):
            ask_promise(address, origin=ORIGIN, shoe="17")
        with pytest.raises(WitnessUnreachable):
            ask_share(address, asked)
        with pytest.raises(WitnessUnreachable):
            ask_answered(address, ORIGIN)


class _Said(msgspec.Struct):
    status: int
    body: str
    known_size: int | None = None
