"""Running a server: bind, open, recover, serve, drain; a failure is one sentence and an exit status."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import uvicorn

from baccarat import __version__
from baccarat.serve.app import make_app, serve_house
from baccarat.serve.fanout.message import MOST_MESSAGE
from baccarat.serve.http.connection import Connections, most_connections, protocols
from baccarat.serve.http.shield import EdgeMiddleware
from baccarat.serve.live import HouseServer
from baccarat.serve.ops.log import ServerLog
from baccarat.serve.ops.metrics_token import read_metrics_token
from baccarat.serve.ops.owned_tasks import OwnedTasks
from baccarat.serve.ops.watchdog import Watchdog, WatchdogProcess, exit_by_signal
from baccarat.serve.production import missing_for_production
from baccarat.serve.runtime.seal_key import is_key_next_to_store
from baccarat.serve.service import Service
from baccarat.serve.setting import Mode, Setting
from baccarat.serve.store.base import StoreError, StoreUnavailable

DONE, CANNOT_START, STOPPED = 0, 2, 3
"""Exit statuses: ended when asked to; could not start; stopped by a fault of the store."""
DRAIN_SECONDS = 10
END_SECONDS = 15.0
"""How long closing may take in all; after that the process is ended."""
GC_THRESHOLDS = (50_000, 20, 100)
"""When Python collects cyclic garbage: frozen values have none, and collecting took a sixth of all time."""
HANDS_OVER = 0.0005
"""After how many seconds a busy thread lets another run. A commit waits for the interpreter at every statement: at the
default of five milliseconds it takes twice as long while the house is busy."""


def tune() -> None:
    """Tune Python for serving, once all modules are loaded."""
    gc.freeze()  # what is loaded so far stays, and need not be scanned at every collection
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(HANDS_OVER)


def run(setting: Setting, *, json: bool = False) -> int:
    """Serve until asked to stop; returns the exit status."""
    is_real = setting.mode is Mode.PRODUCTION
    if is_real and (lacks := missing_for_production(setting)):
        text = "a house for real tables cannot start yet; it lacks\n" + "\n".join(f"  - {each}" for each in lacks)
        ServerLog(json=json).say("lacks", text, level="error", lacks=lacks)  # a list, for programs
        return CANNOT_START
    log = ServerLog(json=json or is_real, level=setting.log_level)
    log.take_over()
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a client that disconnects must not end the house
    try:
        read_metrics_token(setting)
    except StoreError as error:
        log.say("metrics_token", str(error), level="error")
        return CANNOT_START
    try:
        listening = _bind(setting)
    except (OSError, UnicodeError) as error:
        log.say("cannot_listen", _bind_fault(setting, error), level="error")
        return CANNOT_START
    exit_by_signal(STOPPED)
    behind = WatchdogProcess(is_json=json or is_real, on_lost=partial(_say_lost, log))
    # The watchdog is closed last: the loop waits for threads when it is closed.
    with listening, Watchdog(partial(_end_process, log), behind=behind) as watchdog:
        try:
            with asyncio.Runner(loop_factory=_loop_factory()) as runner:
                return runner.run(_serve(setting, listening, log, watchdog))
        except StoreError as error:
            log.say("store", str(error), level="error")
            return CANNOT_START
        except StoreUnavailable as error:
            log.say("stopped", f"the store cannot be written: {error}", level="error")
            return STOPPED


def _loop_factory() -> Any:
    try:
        import uvloop  # noqa: PLC0415
    except ImportError:
        return None
    return uvloop.new_event_loop


def _bind(setting: Setting) -> socket.socket:
    family = socket.AF_INET6 if ":" in setting.host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((setting.host, setting.port))
        made.listen(1024)
    except OSError:
        made.close()
        raise
    return made


def _bind_fault(setting: Setting, error: OSError | UnicodeError) -> str:
    where = f"{setting.host}:{setting.port}"
    if isinstance(error, UnicodeError):
        return f"cannot listen on {where}: this is not the name of a machine"
    if error.errno == errno.EADDRINUSE:
        return f"cannot listen on {where}: another program does already; choose another port with --port"
    if error.errno == errno.EACCES:
        return f"cannot listen on {where}: permission denied; choose a --port above 1023"
    return f"cannot listen on {where}: {error.strerror or error}"


class Server(uvicorn.Server):
    """A server that leaves signals to its caller, and leaves no connection behind."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let every client have its answer, for some seconds; then cut the connections that are left."""
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()  # its client does not read, and would be waited for
        await asyncio.sleep(0)


def _shutdown_signals() -> list[signal.Signals]:
    """The signals that close the house; SIGHUP is one, unless it is ignored, as under nohup."""
    found = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        found.append(signal.SIGHUP)
    return found


async def _serve(setting: Setting, listening: socket.socket, log: ServerLog, watchdog: Watchdog) -> int:
    async with OwnedTasks() as tasks:
        return await _serve_until_stopped(setting, listening, log, tasks, watchdog)


async def _serve_until_stopped(
    setting: Setting, listening: socket.socket, log: ServerLog, tasks: OwnedTasks, watchdog: Watchdog
) -> int:
    loop = asyncio.get_running_loop()
    host, port = listening.getsockname()[:2]
    shown = "localhost" if host in ("127.0.0.1", "::1", "0.0.0.0") else host  # noqa: S104
    address = setting.origin or f"http://{shown}:{port}"
    service = Service(setting, log, address=address, watchdog=watchdog)
    for name in _shutdown_signals():
        loop.add_signal_handler(name, service.stop)
    live = await service.open()
    tune()
    config = await asyncio.to_thread(server_config, live, setting)  # slow, and the lease must be renewed meanwhile
    app: EdgeMiddleware = config.app  # type: ignore[assignment]
    server = Server(config)
    serving = tasks.start(server.serve(sockets=[listening]), name="server")
    while not server.started and not serving.done():
        await asyncio.sleep(0.005)
    log.say(
        "serving",
        f"{live.title} is open: {address}  (Ctrl-C closes it)",
        address=address,
        port=port,
        tables=len(live.rooms),
        entries=live.metrics.recovered,
        seconds=round(live.metrics.recovery_seconds, 3),
        version=__version__,
    )
    log.say("orders", orders_text(live))
    log.say("content", content_text(setting))
    for line in await live.people.greeting(address):
        with contextlib.suppress(OSError):
            print(line, flush=True)  # noqa: T201  a secret for the person at the terminal, never for the log
    await service.serve_until_stopped(
        serve=lambda reopened: serve_house(app, reopened), end_requests=app.end_unanswerable
    )
    watchdog.arm(service, END_SECONDS, f"the house was not closed within {END_SECONDS:g} seconds")
    log.say("draining", "closing: finishing what was begun, accepting nothing new")
    try:
        await asyncio.wait_for(service.drain(), DRAIN_SECONDS)
    except TimeoutError:
        log.say("drained_late", "not all clients were notified in time; nothing answered is lost", level="warning")
    app.close()
    server.should_exit = True
    await serving
    await service.close()
    log.say("closed", f"closed; the house is stored in {setting.place}")
    return STOPPED if service.has_failed else DONE


def _end_process(log: ServerLog, what: str) -> None:
    """In another thread: end the process now, whatever it is doing; nothing that was answered is lost."""
    log.say("hung", f"{what}: the process ends now", level="error")
    os._exit(STOPPED)


def _say_lost(log: ServerLog) -> None:
    text = "the process that ends this one if nothing in it can run was lost; another one is started"
    log.say("watchdog_lost", text, level="warning")


def server_config(live: HouseServer, setting: Setting) -> uvicorn.Config:
    """How the application of a house is served."""
    in_all = most_connections(setting.connections_in_all)
    places = Connections(setting.connections_at_once, in_all=in_all, uncounted=frozenset(setting.proxies))
    requests, sockets = protocols(places)
    return uvicorn.Config(
        make_app(live, setting),
        lifespan="off",
        loop="none",
        log_config=None,
        access_log=False,
        server_header=False,
        http=requests,
        ws=sockets,
        ws_max_size=MOST_MESSAGE,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_graceful_shutdown=3,
        proxy_headers=bool(setting.proxies),
        forwarded_allow_ips=setting.proxies,
    )


def content_text(setting: Setting) -> str:
    """What the authentication of the database's tables protects against."""
    if setting.is_postgres:
        return "snapshots are authenticated under the sealing key; on PostgreSQL no other table is"
    if is_key_next_to_store(setting):
        return (
            "every table is authenticated, but the key is stored next to the database: this detects damage and "
            "mistakes, not tampering by someone who can read both"
        )
    return "every table is authenticated under the sealing key"


def orders_text(live: HouseServer) -> str:
    """Who has a share in the order of electronic shoes, and what that means."""
    count = len(live.share_witnesses) if live.house.signers is not None else 0
    if not count:
        return "no witness has a share in the order of electronic shoes: the house alone could know it beforehand"
    who = "1 witness has" if count == 1 else f"{count} witnesses have"
    return f"{who} a share in the order of every electronic shoe, which the house cannot know beforehand"
