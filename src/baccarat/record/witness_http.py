"""A witness over HTTP (C2SP tlog-witness): `POST /add-checkpoint`, one request after another, and the log's side of it.

The server is as small as a witness: no threads, so that what it keeps is kept before anything else is asked; whoever
sends nothing for some seconds is left. The client carries one request, and reads no more than an answer can have.
"""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

from baccarat.record.note import MOST_BYTES
from baccarat.record.witness import CONFLICT, REASONS, UNREADABLE, Witness, WitnessAnswer

PATH = "/add-checkpoint"
SIZE_TYPE, TEXT_TYPE = "text/x.tlog.size", "text/plain; charset=utf-8"
MOST_REQUEST = MOST_BYTES + 10_000
"""A checkpoint, and the hashes of a proof before it."""
SECONDS = 10


class WitnessUnreachable(Exception):  # noqa: N818
    """A witness that could not be asked: why."""


class WitnessServer(HTTPServer):
    """Answers whatever logs ask of a witness."""

    def __init__(self, address: tuple[str, int], witness: Witness) -> None:
        super().__init__(address, _WitnessHandler)
        self.witness = witness
        self.stopped: Exception | None = None
        """Why it stopped answering: a witness that cannot remember cosigns nothing."""

    def serve(self) -> None:
        """Answer until somebody interrupts it, or what it keeps cannot be read or written."""
        self.timeout = 1
        while self.stopped is None:
            self.handle_request()
        raise self.stopped


class _WitnessHandler(BaseHTTPRequestHandler):
    server: WitnessServer
    server_version, sys_version, protocol_version = "baccarat", "", "HTTP/1.0"
    timeout = SECONDS

    def do_POST(self) -> None:
        """A request to cosign."""
        if self.path != PATH:
            self._say(404, f"there is {PATH} here, and nothing else\n")
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or int(length) > MOST_REQUEST:
            self._say(UNREADABLE, f"a request has a Content-Length, of {MOST_REQUEST:,} bytes at most\n")
            return
        data = self.rfile.read(int(length))
        try:
            answer = self.server.witness.answer(data, now=int(time.time()))
        except (ValueError, OSError) as error:  # its memory: then it must not say anything more
            self.server.stopped = error
            self._say(500, "the witness has stopped\n")
            return
        self._say(answer.status, answer.body, SIZE_TYPE if answer.known_size is not None else TEXT_TYPE)

    def _say(self, status: int, body: str, kind: str = TEXT_TYPE) -> None:
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  as the library calls it
        """Nothing is written of requests."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A witness answers itself: nobody is sent on to somewhere else."""

    def redirect_request(self, *_args: object, **_more: object) -> None:
        """Not followed."""


_opener = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))


def ask_over_http(prefix: str, request: bytes) -> WitnessAnswer:
    """What the witness at an address answers to a request; `WitnessUnreachable`."""
    url = prefix.rstrip("/") + PATH
    if not url.startswith(("https://", "http://")):
        raise WitnessUnreachable("the address of a witness begins with https:// or http://")
    sent = urllib.request.Request(url, data=request, method="POST", headers={"Content-Type": TEXT_TYPE})  # noqa: S310
    try:
        with _opener.open(sent, timeout=SECONDS) as found:
            status, data = found.status, found.read(MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        status, data = error.code, error.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise WitnessUnreachable(f"it cannot be reached: {getattr(error, 'reason', error)}") from None
    if status not in REASONS or len(data) > MOST_BYTES:
        raise WitnessUnreachable(f"it answers {status}, which is no answer of a witness")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise WitnessUnreachable("its answer is not UTF-8") from None
    made = WitnessAnswer(status, text if text.endswith("\n") else f"{text}\n")
    if status == CONFLICT and made.known_size is None:
        raise WitnessUnreachable("it does not say which size it knows")
    return made
