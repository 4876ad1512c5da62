"""Sessions of visitors to a practice house, and the tickets with which a socket joins a table."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

import msgspec

from baccarat.table.role import Role

TICKET_SECONDS = 30.0
MOST_SESSIONS = 100_000
MOST_TICKETS = 10_000


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who has come in: an opaque person, in one role, at one terminal."""

    who: str
    role: Role
    device: str = ""


class Sessions:
    """Who has come in, by the hash of a token; and tickets, each for one socket."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sessions: OrderedDict[bytes, Session] = OrderedDict()
        self._tickets: OrderedDict[bytes, tuple[float, Session, str]] = OrderedDict()

    def visitor(self) -> tuple[str, Session]:
        """A new visitor, whom nobody knows: the token, and the session."""
        token = secrets.token_urlsafe(32)
        made = Session(who=f"person-{secrets.token_hex(16)}", role=Role.PARTICIPANT)
        self._sessions[_hash(token)] = made
        if len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return token, made

    def find(self, token: str) -> Session | None:
        """The session of a token."""
        return self._sessions.get(_hash(token))

    def ticket(self, session: Session, table: str) -> str:
        """A ticket for one socket at one table, good for half a minute."""
        made = secrets.token_urlsafe(32)
        self._tickets[_hash(made)] = (self._clock() + TICKET_SECONDS, session, table)
        if len(self._tickets) > MOST_TICKETS:
            self._tickets.popitem(last=False)
        return made

    def redeem(self, ticket: str) -> tuple[Session, str] | None:
        """The session and the table of a ticket, once."""
        found = self._tickets.pop(_hash(ticket), None)
        if found is None or found[0] < self._clock():
            return None
        return found[1], found[2]


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()
