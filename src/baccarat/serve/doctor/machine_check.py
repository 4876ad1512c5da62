"""What a house needs around it: a server that answers, the right time, space, witnesses, a certificate that lasts."""

from __future__ import annotations

import ctypes
import shutil
import socket
import ssl
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

from baccarat.record.key import Verifier
from baccarat.serve.doctor.diagnosis import (
    Diagnosis,
    age_text,
    faulty,
    healthy,
    needs_attention,
    not_checked,
    size_text,
)
from baccarat.serve.runtime.signing_key import KnownWitness, known_witnesses
from baccarat.serve.setting import Setting
from baccarat.serve.store.base import StoreError
from baccarat.values import first_text

TIMEOUT_SECONDS = 3.0
"""How long to wait for an answer of another program."""
LEAST_FREE, SOME_FREE = 100_000_000, 1_000_000_000
"""Free bytes below which a house is about to stop, and below which somebody should make room."""
MOST_AHEAD = 2.0
"""How many seconds the last act may lie ahead of the clock."""
LEAST_CERTIFICATE_DAYS = 14.0
HOUR, DAY = 3600.0, 86_400.0
_NOT_SYNCHRONIZED = 5
"""What `adjtimex` returns where no service sets the clock."""


class HostMachine:
    """What the machine says; tests say something else."""

    def current_time(self) -> float:
        """The time of day, in seconds UTC."""
        return time.time()

    def is_synchronized(self) -> bool | None:
        """Whether a service sets the clock; None if the system does not say."""
        if not sys.platform.startswith("linux"):
            return None
        try:
            found = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(1024))  # reads only
        except (OSError, AttributeError):
            return None
        return None if found < 0 else found != _NOT_SYNCHRONIZED

    def free_bytes(self, folder: Path, /) -> int:
        """How much may still be written in a folder."""
        return shutil.disk_usage(folder).free

    def ready_lines(self, host: str, port: int) -> list[str] | None:
        """What the server of the house says of itself; None if none answers."""
        try:
            with closing(HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)) as line:
                line.request("GET", "/readyz")
                return line.getresponse().read(100_000).decode().splitlines()
        except (OSError, HTTPException, ValueError):
            return None

    def is_listening(self, host: str, port: int) -> str:
        """Why nothing can be reached at an address; empty if something can."""
        try:
            socket.create_connection((host, port), timeout=TIMEOUT_SECONDS).close()
        except OSError as error:
            return str(error.strerror or error)
        return ""

    def certificate_end(self, host: str, port: int) -> float:
        """When the certificate of a server ends, in seconds UTC; `OSError` if it cannot be had, or is not valid."""
        plain = socket.create_connection((host, port), timeout=TIMEOUT_SECONDS)
        with ssl.create_default_context().wrap_socket(plain, server_hostname=host) as line:
            found = line.getpeercert() or {}
            return float(ssl.cert_time_to_seconds(str(found["notAfter"])))


def check_server(setting: Setting, machine: HostMachine, *, is_open: bool) -> Diagnosis:
    """Whether the house is served, and what it says of itself."""
    host = setting.host if setting.host not in ("0.0.0.0", "::") else "127.0.0.1"  # noqa: S104  it is not bound here
    lines = machine.ready_lines(host, setting.port) if setting.port else None
    where = f"{host}:{setting.port}"
    if lines is None and is_open and setting.port:
        do = "See its log. If it hangs, end it: nothing that was answered is lost; then start it again."
        return faulty("server", f"a process has the database open, but does not answer at {where}", do)
    if lines is None:
        kind = healthy if not setting.is_postgres else not_checked
        return kind("server", "the house is not served" if not setting.is_postgres else f"no node answers at {where}")
    if not is_open and not setting.is_postgres:
        return not_checked("server", f"the database is not open; a different house answers at {where}")
    first, *others = lines or [""]
    if first != "ok":
        return faulty("server", f"it accepts no commands: {first}", "See its log.")
    unwell = [line.removeprefix("not well: ") for line in others if line.startswith("not well: ")]
    if unwell:
        do = "See its log; “Faults of the program” in docs/operations.md says what stops and what starts again."
        return needs_attention("server", f"it accepts commands, but not all is well: {first_text(unwell)}", do)
    return healthy("server", f"it accepts commands at {where}")


def check_space(setting: Setting, machine: HostMachine) -> Diagnosis:
    """Whether there is room for what comes, and for a copy."""
    if setting.is_postgres:
        return not_checked("space", "the database is on its server: look there")
    folder = setting.folder
    try:
        free = machine.free_bytes(folder)
    except OSError as error:
        return needs_attention("space", f"{folder}: {error.strerror}", "Look by hand: df -h")
    size = setting.file.stat().st_size if setting.file.exists() else 0
    say = f"{size_text(free)} free next to a database of {size_text(size)}"
    if free < LEAST_FREE:
        return faulty("space", say, "Make room now: a house whose disk is full ends with status 3.")
    if free < max(SOME_FREE, size):
        return needs_attention("space", say, "Make room: it is less than a gigabyte, or than another copy needs.")
    return healthy("space", say)


def check_clock(machine: HostMachine, last: float, stepped_back: int, *, is_real: bool) -> Diagnosis:
    """Whether the clock agrees with the times on record, and is set by a service."""
    ahead = last - machine.current_time()
    if ahead > MOST_AHEAD:
        say = f"the clock is {age_text(ahead)} behind the last act on record"
        return faulty("clock", say, "Set the clock, or have a service (NTP) set it; records keep the times they have.")
    if stepped_back:
        times = "once" if stepped_back == 1 else f"{stepped_back} times"
        say = f"the clock stepped back {times} among the last entries"
        return needs_attention("clock", say, "Have a service (NTP) slew the clock instead of setting it.")
    if (synchronized := machine.is_synchronized()) is False:
        say = "it agrees with the times on record, but no service sets it"
        if is_real:
            return needs_attention("clock", say, "Start one, such as chrony or systemd-timesyncd.")
        return healthy("clock", say)
    return healthy("clock", "it agrees with the times on record" + (", and a service sets it" if synchronized else ""))


def check_witnesses(setting: Setting, machine: HostMachine) -> Iterator[Diagnosis]:
    """Whether each witness can be reached."""
    try:
        known = known_witnesses(setting.witness_keys)
    except StoreError as error:
        yield faulty("witness", str(error), "Correct the file that witness_keys names.")
        return
    if not known:
        yield not_checked("witness", "none is configured")
    for key, each in known.items():
        yield _check_witness(key, each, machine)


def _check_witness(key: Verifier, each: KnownWitness, machine: HostMachine) -> Diagnosis:
    if not each.address:
        return not_checked("witness", f"{key.name} has no address: its cosignatures are submitted by others")
    parts = urlsplit(each.address)
    why = "its address names no machine"
    if parts.hostname:
        why = machine.is_listening(parts.hostname, parts.port or (443 if parts.scheme == "https" else 80))
    if why:
        waits = "shoes wait for its share" if each.share_key is not None else "nothing is cosigned"
        do = "Ask its operator to start it; do not change the witnesses of tables for a short outage."
        return faulty("witness", f"{key.name} cannot be reached at {each.address} ({why}): {waits}", do)
    return healthy("witness", f"{key.name} can be reached at {each.address}")


def check_tls(setting: Setting, machine: HostMachine) -> Diagnosis:
    """Whether the certificate of the reverse proxy is valid, and for how long."""
    parts = urlsplit(setting.origin)
    if parts.scheme != "https" or not parts.hostname:
        return not_checked("tls", "the house has no origin with https")
    try:
        end = machine.certificate_end(parts.hostname, parts.port or 443)
    except ssl.SSLError as error:
        why = getattr(error, "verify_message", "") or error.reason or error
        return faulty("tls", f"the certificate of {parts.netloc} is not valid: {why}", "Renew it in the reverse proxy.")
    except (OSError, KeyError) as error:
        do = "Look whether the reverse proxy runs, and whether this machine may reach it by its public name."
        return needs_attention("tls", f"{parts.netloc} cannot be reached from here: {error}", do)
    left = end - machine.current_time()
    say = f"the certificate of {parts.netloc} ends in {age_text(left)}"
    if left < LEAST_CERTIFICATE_DAYS * DAY:
        return needs_attention("tls", say, "Renew it in the reverse proxy.")
    return healthy("tls", say)
