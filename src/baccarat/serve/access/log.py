"""The access log: who signed on in which role, who gave whom which rights, and what was denied to a known person.

It holds ids and codes: no name, no password, no token, nothing that somebody typed.
"""

from __future__ import annotations

from enum import Enum

import msgspec

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


def log_statement(what: AccessEvent, *, at: int, person: str = "", by: str = "", about: str = "") -> Statement:
    """The statement that adds a line."""
    sql = "insert into access_log (at, what, person, done_by, about) values (?, ?, ?, ?, ?)"
    return Statement(sql, (at, what.value, person, by or person, about))


def read_log(reads: RowReads, *, after: int = 0, limit: int = 100) -> list[AccessLogEntry]:
    """The next lines after a number."""
    sql = "select number, at, what, person, done_by, about from access_log where number > ? order by number limit ?"
    rows = reads.read(sql, (after, limit))
    return [_line(row) for row in rows]


def read_log_back(reads: RowReads, *, before: int | None = None, limit: int = 100) -> list[AccessLogEntry]:
    """The last lines before a number, newest first; without a number, the very last."""
    rows = reads.read(
        "select number, at, what, person, done_by, about from access_log where number < ? order by number desc limit ?",
        (2**53 if before is None else before, limit),
    )
    return [_line(row) for row in rows]


def _line(row: tuple[Value, ...]) -> AccessLogEntry:
    number, at, what, person, by, about = row
    return AccessLogEntry(as_int(number), as_int(at), AccessEvent(what), as_text(person), as_text(by), as_text(about))
