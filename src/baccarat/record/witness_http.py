"""A witness over HTTP: `POST /add-checkpoint` (C2SP tlog-witness), its shares, and the log's side of both.

The shares of a witness in the order of shoes are at `/baccarat/v1/`: `POST promise`, `POST share` and `GET answered`.

Each connection has a thread, so that a client that sends nothing delays nobody, until it is disconnected after some
seconds; one request is answered at a time, so that each cosignature is stored before the next request is looked at. The
client sends one request, and reads no more than an answer can have.
"""

from __future__ import annotations

import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

from baccarat.record.encoding import from_base64
from baccarat.record.log import HASH
from baccarat.record.note import MOST_BYTES, SignedNote, UnreadableNote, read_note
from baccarat.record.share import read_share
from baccarat.record.witness import CONFLICT, OK, REASONS, UNREADABLE, Witness, WitnessAnswer, WitnessStopped
from baccarat.record.witness_share import ShareRequest, ShareWitness

PATH = "/add-checkpoint"
PROMISE_PATH, SHARE_PATH = "/baccarat/v1/promise", "/baccarat/v1/share"
ANSWERED_PATH = "/baccarat/v1/answered"
SIZE_TYPE, TEXT_TYPE, JSON_TYPE = "text/x.tlog.size", "text/plain; charset=utf-8", "application/json"
MOST_REQUEST = MOST_BYTES + 100_000
"""A checkpoint, and before it the hashes of a proof and the body of a record."""
SECONDS = 10


class WitnessUnreachable(Exception):  # noqa: N818
    """Why a witness could not be asked."""


class ShareRefused(Exception):  # noqa: N818
    """Why a witness does not promise or open a share: its status, and what it says; for 409, the evidence."""

    def __init__(self, status: int, say: str) -> None:
        super().__init__(f"it refuses ({status}): {say.strip()[:200]}")
        self.status, self.say = status, say


class WitnessServer(ThreadingHTTPServer):
    """Answers the requests of logs to a witness, and of houses for its shares if it has any."""

    def __init__(self, address: tuple[str, int], witness: Witness, shares: ShareWitness | None = None) -> None:
        super().__init__(address, _WitnessHandler)
        self.witness, self.shares = witness, shares
        self.answering = threading.Lock()
        self.stopped: Exception | None = None
        """Why it stopped answering: a witness that cannot remember cosigns nothing."""

    def serve(self) -> None:
        """Answer until interrupted, or until its memory cannot be read or written."""
        self.timeout = 1
        while self.stopped is None:
            self.handle_request()
        with self.answering:
            raise self.stopped

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no concern of the operator; anything else is a bug, and is printed."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _WitnessHandler(BaseHTTPRequestHandler):
    server: WitnessServer
    server_version, sys_version, protocol_version = "baccarat", "", "HTTP/1.0"
    timeout = SECONDS

    def do_POST(self) -> None:
        """A request to cosign, to promise a share, or to open one."""
        shares = self.server.shares
        answers: dict[str, Callable[[bytes], WitnessAnswer]] = {
            PATH: lambda data: self.server.witness.answer(data, now=int(time.time()))
        }
        if shares is not None:
            answers |= {PROMISE_PATH: shares.promise, SHARE_PATH: shares.share}
        if self.path not in answers:
            self._say(404, f"there is only {', '.join(answers)} here\n")
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or int(length) > MOST_REQUEST:
            self._say(UNREADABLE, f"a request needs a Content-Length of at most {MOST_REQUEST:,} bytes\n")
            return
        data = self.rfile.read(int(length))
        self._answer(lambda: answers[self.path](data))

    def do_GET(self) -> None:
        """The shares of a log that were opened."""
        (path, _, query), shares = self.path.partition("?"), self.server.shares
        if path != ANSWERED_PATH or shares is None:
            self._say(404, "there is nothing to read here\n")
            return
        origins = parse_qs(query, keep_blank_values=True).get("origin", [])
        if len(origins) != 1:
            self._say(UNREADABLE, "expected the name of one log: ?origin=…\n")
            return
        self._answer(lambda: shares.answered(origins[0]))

    def _answer(self, ask: Callable[[], WitnessAnswer]) -> None:
        """Say the answer of the witness, unless it has stopped."""
        with self.server.answering:
            if self.server.stopped is None:
                try:
                    answer = ask()
                except (WitnessStopped, OSError) as error:  # its memory failed: it must not answer anything more
                    self.server.stopped = error
            if self.server.stopped is not None:
                self._say(500, "the witness has stopped\n")  # before `serve` can end the process
                return
        kind = JSON_TYPE if answer.status == CONFLICT else TEXT_TYPE
        self._say(answer.status, answer.body, SIZE_TYPE if answer.known_size is not None else kind)

    def _say(self, status: int, body: str, kind: str = TEXT_TYPE) -> None:
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  as the library calls it
        """Requests are not logged."""


def ask_over_http(prefix: str, request: bytes) -> WitnessAnswer:
    """The answer of the witness at an address to a request; or `WitnessUnreachable`."""
    made = _exchange(prefix, PATH, request)
    if made.status == CONFLICT and made.known_size is None:
        raise WitnessUnreachable("it does not say which size it knows")
    return made


def ask_promise(prefix: str, *, origin: str, shoe: str) -> bytes:
    """The promise of the witness at an address for a shoe; or `WitnessUnreachable`, or `ShareRefused`."""
    made = _exchange(prefix, PROMISE_PATH, f"{origin}\n{shoe}\n".encode())
    if made.status != OK:
        raise ShareRefused(made.status, made.body)
    promise = from_base64(made.body.removesuffix("\n"))
    if promise is None or len(promise) != HASH:
        raise WitnessUnreachable(f"its promise is not {HASH} bytes in base64")
    return promise


def ask_share(prefix: str, request: ShareRequest) -> SignedNote:
    """The note with which the witness at an address opens its share; or `WitnessUnreachable`, or `ShareRefused`.

    The note is one of a share, but neither its signature nor what it says is checked here.
    """
    made = _exchange(prefix, SHARE_PATH, bytes(request))
    if made.status != OK:
        raise ShareRefused(made.status, made.body)
    try:
        note = read_note(made.body.encode())
        read_share(note)
    except UnreadableNote as error:
        raise WitnessUnreachable(f"its share cannot be read: {error}") from None
    return note


def _exchange(prefix: str, path: str, request: bytes) -> WitnessAnswer:
    """Send a request to a witness. No redirect is followed: a witness answers itself."""
    url = prefix.rstrip("/") + path
    if not url.startswith(("https://", "http://")):
        raise WitnessUnreachable("the address of a witness begins with https:// or http://")
    began = time.monotonic()
    try:
        status, data = _answer_at(urlsplit(url), request)
    except (OSError, ValueError, HTTPException) as error:
        why = str(error) or type(error).__name__
    else:
        why = ""
    if time.monotonic() - began >= SECONDS:  # whatever came of it was cut off
        why = f"it has not answered within {SECONDS} seconds"
    if why:
        raise WitnessUnreachable(f"it cannot be reached: {why}")
    if status not in REASONS or len(data) > MOST_BYTES:
        raise WitnessUnreachable(f"it answers {status}, which no witness does")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise WitnessUnreachable("its answer is not UTF-8") from None
    return WitnessAnswer(status, text if text.endswith("\n") else f"{text}\n")


def _answer_at(url: SplitResult, request: bytes) -> tuple[int, bytes]:
    """The status and the first bytes of the answer; the whole of it has the time that a single read has otherwise."""
    if not url.hostname:
        raise ValueError("the address names no machine")
    kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
    line = kind(url.hostname, url.port, timeout=SECONDS)
    with closing(line):
        line.connect()
        limit = threading.Timer(SECONDS, _close_connection, [line.sock])
        limit.daemon = True
        limit.start()
        try:
            where = f"{url.path}?{url.query}" if url.query else url.path
            line.request("POST", where, request, {"Content-Type": TEXT_TYPE})
            with line.getresponse() as found:
                data = found.read(MOST_BYTES + 1)
                if found.length and len(data) <= MOST_BYTES:
                    raise HTTPException("its answer breaks off")
                return found.status, data
        finally:
            limit.cancel()


def _close_connection(line: socket.socket) -> None:
    with suppress(OSError):  # it has ended in the meantime
        line.shutdown(socket.SHUT_RDWR)
