"""A witness over HTTP (C2SP tlog-witness): `POST /add-checkpoint`, one request after another, and the log's side of it.

The server has no threads, so that each cosignature is stored before the next request is read; a client that sends
nothing for some seconds is disconnected. The client sends one request, and reads no more than an answer can have.
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
    """Why a witness could not be asked."""


class WitnessServer(HTTPServer):
    """Answers the requests of logs to a witness."""

    def __init__(self, address: tuple[str, int], witness: Witness) -> None:
        super().__init__(address, _WitnessHandler)
        self.witness = witness
        self.stopped: Exception | None = None
        """Why it stopped answering: a witness that cannot remember cosigns nothing."""

    def serve(self) -> None:
        """Answer until interrupted, or until its memory cannot be read or written."""
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
            self._say(404, f"there is only {PATH} here\n")
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or int(length) > MOST_REQUEST:
            self._say(UNREADABLE, f"a request needs a Content-Length of at most {MOST_REQUEST:,} bytes\n")
            return
        data = self.rfile.read(int(length))
        try:
            answer = self.server.witness.answer(data, now=int(time.time()))
        except (ValueError, OSError) as error:  # its memory failed: it must not answer anything more
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
        """Requests are not logged."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: a witness answers itself."""

    def redirect_request(self, *_args: object, **_more: object) -> None:
        """Not followed."""


_opener = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))


def ask_over_http(prefix: str, request: bytes) -> WitnessAnswer:
    """The answer of the witness at an address to a request; or `WitnessUnreachable`."""
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
        raise WitnessUnreachable(f"it answers {status}, which no witness does")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise WitnessUnreachable("its answer is not UTF-8") from None
    made = WitnessAnswer(status, text if text.endswith("\n") else f"{text}\n")
    if status == CONFLICT and made.known_size is None:
        raise WitnessUnreachable("it does not say which size it knows")
    return made
