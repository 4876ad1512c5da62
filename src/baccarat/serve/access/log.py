"""The access log: who signed on in which role, who gave whom which rights, and what was denied to a known person.

It holds ids and codes: no name, no password, no token, nothing that somebody typed.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from baccarat.serve.ops.flood import FloodCount
from baccarat.serve.store.base import Statement, Value
from baccarat.serve.store.row import RowReads, as_int, as_text


class AccessEvent(Enum):
    """What is logged."""

    SIGNED_ON = "signed on"
    SIGN_ON_FAILED = "sign-on failed"
    SESSION_ENDED = "session ended"
    UNLOCKED = "unlocked"
    PERSON_ADDED = "person added"
    ROLES_CHANGED = "roles changed"
    DEACTIVATED = "deactivated"
    ACTIVATED = "activated"
    ERASED = "erased"
    PASSWORD_SET = "password set"  # noqa: S105  the name of an act
    CODE_MADE = "code made"
    CODE_USED = "code used"
    DEVICE_ENROLLED = "device enrolled"
    DEVICE_REVOKED = "device revoked"
    PROPOSED = "proposed"
    APPROVED = "approved"
    STEPPED_UP = "stepped up"
    DECLINED = "declined"
    DENIED = "denied"


class AccessLogEntry(msgspec.Struct, frozen=True):
    """One line of the log."""

    number: int
    at: int
    what: AccessEvent
    person: str
    """Whom it is about."""
    by: str
    """Who did it; the same person if nobody else did."""
    about: str
    """A role, a code, the id of a session, device or proposal: never a typed text."""
    times: int = 1
    """How often it happened: a flood of denials is counted in one line."""
    first_at: int = 0
    """When it happened first; without a count this is `at`."""
    last_at: int = 0
    """When it happened last."""


def log_statement(what: AccessEvent, *, at: int, person: str = "", by: str = "", about: str = "") -> Statement:
    """The statement that adds a line."""
    sql = "insert into access_log (at, what, person, done_by, about) values (?, ?, ?, ?, ?)"
    return Statement(sql, (at, what.value, person, by or person, about))


def count_statement(what: AccessEvent, found: FloodCount, *, at: int, person: str, about: str = "") -> Statement:
    """The statement that adds a line for what was only counted."""
    columns = "(at, what, person, done_by, about, times, first_at, last_at)"
    sql = f"insert into access_log {columns} values (?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608  ours
    values = (what.value, person, person, about, found.count, found.first, found.last)
    return Statement(sql, (max(at, found.last), *values))


COLUMNS = "number, at, what, person, done_by, about, times, first_at, last_at"


def read_log(reads: RowReads, *, after: int = 0, limit: int = 100) -> list[AccessLogEntry]:
    """The next lines after a number."""
    sql = f"select {COLUMNS} from access_log where number > ? order by number limit ?"  # noqa: S608
    rows = reads.read(sql, (after, limit))
    return [_line(row) for row in rows]


def read_log_back(reads: RowReads, *, before: int | None = None, limit: int = 100) -> list[AccessLogEntry]:
    """The last lines before a number, newest first; without a number, the very last."""
    sql = f"select {COLUMNS} from access_log where number < ? order by number desc limit ?"  # noqa: S608
    rows = reads.read(sql, (2**53 if before is None else before, limit))
    return [_line(row) for row in rows]


def _line(row: tuple[Value, ...]) -> AccessLogEntry:
    number, at, what, person, by, about, times, first, last = row
    return AccessLogEntry(
        as_int(number), as_int(at), AccessEvent(what), as_text(person), as_text(by), as_text(about),
        times=1 if times is None else as_int(times),
        first_at=as_int(at if first is None else first),
        last_at=as_int(at if last is None else last),
    )  # fmt: skip
