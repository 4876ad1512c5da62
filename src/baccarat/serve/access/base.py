"""What every part of access shares: time, secrets, and changes that are planned first and stored as one batch.

A part of access is a set of functions. One that changes something reads what is stored, and returns an `AccessChange`:
the answer, and the statements that make it so. Statements say how many rows they must change. So a plan that was
overtaken, because somebody else has used the same code or approved the same proposal meanwhile, is refused whole by the
store, and is made again (`desk.py`). Nothing that another node would need is held in memory here.

Time is in microseconds UTC, and is an argument.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Callable
from typing import Generic, NoReturn, Protocol, TypeVar

import msgspec

from baccarat.serve.store.base import Batch, NameRow, Statement
from baccarat.serve.store.row import RowReads

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

ONE_SECOND = 1_000_000
MINUTE = 60 * ONE_SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
SKEW = MINUTE
"""How far a clock may be set back without effect. What was made later than that is from a clock that was wrong then, or
is wrong now: nobody can say when it ends, so it has ended."""

TOKEN_BYTES = 32
_is_token = re.compile(r"[A-Za-z0-9_-]{43}\Z").match


class Secret:
    """A text that nothing prints: a token, a code or a password. It is not encoded, compared or copied by accident."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text itself; the caller is responsible for where it goes."""
        return self._text

    def __repr__(self) -> str:
        return "<secret>"

    __str__ = __repr__

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not stored")


class Clock(Protocol):
    """The time of day, which may be set, and a monotonic time."""

    def wall(self) -> int:
        """Microseconds UTC."""

    def steady(self) -> int:
        """Microseconds since some moment; it is never set."""


class SystemClock:
    """The machine's own clocks."""

    def wall(self) -> int:
        """Microseconds UTC."""
        return time.time_ns() // 1000

    def steady(self) -> int:
        """Microseconds since the machine started."""
        return time.monotonic_ns() // 1000


class AccessChange(msgspec.Struct, Generic[T_co], frozen=True, kw_only=True):
    """What is to be stored together, and the answer once it is stored."""

    answer: T_co
    statements: tuple[Statement, ...] = ()
    names: tuple[NameRow, ...] = ()
    ended: tuple[str, ...] = ()
    """The ids of sessions that it ends: their sockets are closed."""

    @property
    def batch(self) -> Batch:
        """The batch for the store."""
        return Batch(statements=self.statements, names=self.names)


class AccessStore(Protocol):
    """What access needs of the house's store."""

    async def ask(self, question: Callable[[RowReads], T]) -> T:
        """The answer to a query of what is durable; another thread runs it."""

    async def commit(self, batch: Batch) -> None:
        """Store a batch; it is durable when this returns. `NotAppended` if it contradicts what is stored."""

    def add(self, batch: Batch) -> None:
        """Store a batch soon, without waiting. It contradicts nothing, and no plan depends on what it changes."""


def new_token() -> Secret:
    """256 bits that nobody can guess."""
    return Secret(secrets.token_urlsafe(TOKEN_BYTES))


def token_hash(text: str) -> bytes | None:
    """What is stored of a token; None if a text is not a token, however long it is."""
    return hashlib.sha256(text.encode()).digest() if _is_token(text) else None


def new_id(kind: str) -> str:
    """An opaque id: `session-` and 32 hexadecimal digits."""
    return f"{kind}-{secrets.token_hex(16)}"


_is_made_id = re.compile(r"[a-z]+-[0-9a-f]{32}\Z").match


def is_made_id(kind: str, text: str) -> bool:
    """Whether a text has the form of such an id; no other text from outside is looked up."""
    return bool(_is_made_id(text)) and text.startswith(f"{kind}-")
