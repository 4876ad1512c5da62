"""Sessions: one person in one role, identified by a token of 256 bits that is stored as its hash.

A session may be bound to a device, and by it to a table. It ends when it has not been used for some time, when its
whole time is over, or immediately when somebody ends it. A console, which is a session on a device, locks after five
minutes without an act; the person who is signed on unlocks it with the password.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum

import msgspec
from msgspec.structs import replace

from baccarat.serve.access.base import (
    DAY,
    HOUR,
    MINUTE,
    ONE_SECOND,
    SKEW,
    AccessChange,
    Secret,
    is_made_id,
    new_id,
    new_token,
    token_hash,
)
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.access.log import AccessEvent, log_statement
from baccarat.serve.setting import is_for_training
from baccarat.serve.store.base import Statement, Value
from baccarat.serve.store.row import RowReads, as_int, as_text
from baccarat.table.actor import Actor, Approval, Envelope
from baccarat.table.role import Role

LOCKS_AFTER = 5 * MINUTE
NOTED_AFTER = 20 * ONE_SECOND
"""How often the use of a session is stored at most."""
MOST_SESSIONS = 20
"""How many sessions a person may have; one more ends the one that was unused for longest."""
RETENTION = 30 * DAY
"""How long an ended session stays in the table; what happened stays in the log."""


class SessionKind(Enum):
    """Who has a session."""

    PERSON = "person"
    VISITOR = "visitor"
    """A visitor of a practice house, who did not sign on."""


class Lifetimes(msgspec.Struct, frozen=True, kw_only=True):
    """How long a session lives: unused, and in all."""

    idle: int = 30 * MINUTE
    whole: int = 12 * HOUR
    visitor_idle: int = 2 * HOUR
    visitor_whole: int = DAY

    def idle_of(self, kind: SessionKind) -> int:
        """How long it lives unused."""
        return self.idle if kind is SessionKind.PERSON else self.visitor_idle

    def whole_of(self, kind: SessionKind) -> int:
        """How long it lives in all."""
        return self.whole if kind is SessionKind.PERSON else self.visitor_whole


class Workplace(msgspec.Struct, frozen=True, kw_only=True):
    """Where somebody may act: at one table's console, as a visitor at the training tables, or everywhere."""

    table: str = ""
    """The table of a console, or the first training table; empty without such a bound."""
    is_visitor: bool = False

    def reaches(self, place: str) -> bool:
        """Whether somebody may act at a table, or in a pit."""
        if not self.table:
            return True
        return is_for_training(place) if self.is_visitor else place == self.table


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """One person in one role; it holds no secret."""

    id: str
    person: str
    role: Role
    kind: SessionKind = SessionKind.PERSON
    device: str = ""
    table: str = ""
    """The table to which its device is bound; for a visitor who works, the first training table. Empty if neither."""
    made_at: int
    seen_at: int
    acted_at: int
    ends_at: int

    @property
    def workplace(self) -> Workplace:
        """Where it may act."""
        return Workplace(table=self.table, is_visitor=self.kind is SessionKind.VISITOR)

    def actor(self, *approvals: Approval) -> Actor:
        """Who acts, for a command that this session submits."""
        return Actor(who=self.person, role=self.role, approvals=approvals)

    def envelope(self, *approvals: Approval, id_: str, now: int) -> Envelope:
        """The envelope of a command that this session submits."""
        return Envelope(actor=self.actor(*approvals), device=self.device, id=id_, at=now)


class IssuedSession(msgspec.Struct, frozen=True):
    """A new session with its token, which is given out once."""

    session: Session
    token: Secret


# ----------------------------------------------------------------------------------------------- opening


def open_session(  # noqa: PLR0913  what a session is
    reads: RowReads,
    *,
    person: str,
    role: Role,
    now: int,
    lifetimes: Lifetimes,
    kind: SessionKind = SessionKind.PERSON,
    device: str = "",
    table: str = "",
    instead_of: Session | None = None,
) -> AccessChange[IssuedSession]:
    """A new session; the caller has checked that the person may have it.

    If it begins `instead_of` another, that one ends in the same batch: both are stored, or neither is.
    """
    token, ends_at = new_token(), now + lifetimes.whole_of(kind)
    session = Session(
        id=new_id("session"), person=person, role=role, kind=kind, device=device, table=table,
        made_at=now, seen_at=now, acted_at=now, ends_at=ends_at,
    )  # fmt: skip
    insert = Statement(
        "insert into session "
        "(hash, id, person, role, kind, device, at_table, made_at, seen_at, acted_at, ends_at, why) "
        "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '')",
        (token_hash(token.reveal()), session.id, person, role.value, kind.value, device, table, now, now, now, ends_at),
        changes=1,
    )
    by = instead_of.person if instead_of is not None else ""
    note = log_statement(AccessEvent.SIGNED_ON, at=now, person=person, by=by, about=f"{role.value}, {session.id}")
    # Visitors come in crowds, and are logged only when taking another role.
    noted = (note,) if kind is SessionKind.PERSON or instead_of is not None else ()
    before = instead_of.id if instead_of is not None else ""
    exchanged = _exchange_statements(instead_of, now) if instead_of is not None else ()
    crowded, ending = _end_excess_sessions(reads, person, now, but=before)
    return AccessChange(
        answer=IssuedSession(session, token),
        statements=(*exchanged, *ending, insert, *noted),
        ended=((before,) if before else ()) + crowded,
    )


def _exchange_statements(held: Session, now: int) -> tuple[Statement, ...]:
    """Ends a session that is exchanged for another: it must be alive, so that it is exchanged only once."""
    sql = "update session set ended_at = ?, why = ? where id = ? and ended_at is null"
    note = log_statement(AccessEvent.SESSION_ENDED, at=now, person=held.person, about=f"exchanged, {held.id}")
    return Statement(sql, (now, "exchanged", held.id), changes=1), note


def _end_excess_sessions(
    reads: RowReads, person: str, now: int, *, but: str = ""
) -> tuple[tuple[str, ...], tuple[Statement, ...]]:
    live = reads.read(
        "select id from session where person = ? and id <> ? and ended_at is null and ends_at > ? order by seen_at, id",
        (person, but, now),
    )
    ids = tuple(as_text(row[0]) for row in live[: max(0, len(live) + 1 - MOST_SESSIONS)])
    return ids, tuple(_end_statement(id_, "one session too many", now) for id_ in ids)


# ----------------------------------------------------------------------------------------------- finding

_COLUMNS = "id, person, role, kind, device, at_table, made_at, seen_at, acted_at, ends_at, ended_at"


def find_session(reads: RowReads, token: str, *, now: int, lifetimes: Lifetimes) -> Session | Denied:
    """The session of a token, if it is alive."""
    hashed = token_hash(token)
    rows = [] if hashed is None else reads.read(f"select {_COLUMNS} from session where hash = ?", (hashed,))  # noqa: S608
    return _live_session(rows, now, lifetimes)


def person_of_token(reads: RowReads, token: str) -> str:
    """Whose session has or had this token; empty if there was none. It lets nobody in."""
    hashed = token_hash(token)
    sql = "select person from session where hash = ? and kind = ?"
    rows = [] if hashed is None else reads.read(sql, (hashed, SessionKind.PERSON.value))
    return as_text(rows[0][0]) if rows else ""


def session_by_id(reads: RowReads, id_: str, *, now: int, lifetimes: Lifetimes) -> Session | Denied:
    """The session of an id, if it is alive; an id is not a secret, and lets nobody in."""
    if not is_made_id("session", id_):
        return make_denial(Denial.NO_SESSION)
    rows = reads.read(f"select {_COLUMNS} from session where id = ?", (id_,))  # noqa: S608  no text from outside
    return _live_session(rows, now, lifetimes)


def sessions_of(reads: RowReads, person: str, *, now: int, lifetimes: Lifetimes) -> list[Session]:
    """The live sessions of a person."""
    rows = reads.read(f"select {_COLUMNS} from session where person = ? order by made_at, id", (person,))  # noqa: S608
    found = [_live_session([row], now, lifetimes) for row in rows]
    return [each for each in found if isinstance(each, Session)]


def _live_session(rows: list[tuple[Value, ...]], now: int, lifetimes: Lifetimes) -> Session | Denied:
    if not rows:
        return make_denial(Denial.NO_SESSION)
    id_, person, role, kind, device, table, made_at, seen_at, acted_at, ends_at, ended_at = rows[0]
    if ended_at is not None:
        return make_denial(Denial.REVOKED)
    session = Session(
        id=as_text(id_), person=as_text(person), role=Role(role), kind=SessionKind(kind), device=as_text(device),
        table=as_text(table), made_at=as_int(made_at), seen_at=as_int(seen_at), acted_at=as_int(acted_at),
        ends_at=as_int(ends_at),
    )  # fmt: skip
    return expiry_denial(session, now=now, lifetimes=lifetimes) or session


def expiry_denial(session: Session, *, now: int, lifetimes: Lifetimes) -> Denied | None:
    """Why a session has expired; a holder of one, such as a socket, checks from time to time."""
    is_from_the_future = max(session.made_at, session.seen_at) > now + SKEW
    is_idle = now - session.seen_at >= lifetimes.idle_of(session.kind)
    return make_denial(Denial.EXPIRED) if is_from_the_future or is_idle or now >= session.ends_at else None


def lock_denial(session: Session, *, now: int) -> Denied | None:
    """Why a console is locked: nobody has acted there for five minutes."""
    if session.device and now - session.acted_at >= LOCKS_AFTER:
        return make_denial(Denial.LOCKED, minutes=LOCKS_AFTER // MINUTE)
    return None


def ended_sessions(reads: RowReads, ids: Sequence[str]) -> list[str]:
    """Which of these sessions were ended, on this node or another; a holder of sockets checks from time to time."""
    found = list[str]()
    for start in range(0, len(ids), 500):
        some = ids[start : start + 500]
        marks = ", ".join("?" * len(some))
        sql = f"select id from session where ended_at is null and id in ({marks})"  # noqa: S608  question marks
        live = {as_text(row[0]) for row in reads.read(sql, some)}
        found += [id_ for id_ in some if id_ not in live]
    return found


# ----------------------------------------------------------------------------------------- using, ending


def note_use(session: Session, *, now: int, acted: bool) -> tuple[Session, tuple[Statement, ...]]:
    """A session after a use, and what is to be stored of that, which nobody has to wait for.

    A clock that was set back has no effect: the times of a session never go back.
    """
    seen, done = max(now, session.seen_at), max(now, session.acted_at) if acted else session.acted_at
    if seen - session.seen_at < NOTED_AFTER and done - session.acted_at < NOTED_AFTER:
        return session, ()
    after = replace(session, seen_at=seen, acted_at=done)
    sql = "update session set seen_at = ?, acted_at = ? where id = ? and seen_at <= ? and ended_at is null"
    return after, (Statement(sql, (seen, done, session.id, seen)),)


def plan_unlock(session: Session, *, now: int) -> AccessChange[Session]:
    """Unlock a console; the caller has checked the password of the person."""
    after = replace(session, seen_at=max(now, session.seen_at), acted_at=max(now, session.acted_at))
    sql = "update session set seen_at = ?, acted_at = ? where id = ? and ended_at is null"
    note = log_statement(AccessEvent.UNLOCKED, at=now, person=session.person, about=session.id)
    unlocked = Statement(sql, (after.seen_at, after.acted_at, session.id), changes=1)
    return AccessChange(answer=after, statements=(unlocked, note))


def end_session(reads: RowReads, id_: str, why: str, *, now: int, by: str = "") -> AccessChange[str] | Denied:
    """End a session immediately."""
    is_one = is_made_id("session", id_)
    rows = reads.read("select person, ended_at from session where id = ?", (id_,)) if is_one else []
    if not rows or rows[0][1] is not None:
        return make_denial(Denial.NO_SESSION)
    note = log_statement(AccessEvent.SESSION_ENDED, at=now, person=as_text(rows[0][0]), by=by, about=f"{why}, {id_}")
    return AccessChange(answer=id_, statements=(_end_statement(id_, why, now), note), ended=(id_,))


def expire(reads: RowReads, now: int, lifetimes: Lifetimes, *, limit: int = 1000) -> AccessChange[int]:
    """End what has expired, so that a clock set back does not revive it, and delete what has been over for long."""
    rows = reads.read(
        "select id from session where ended_at is null and (ends_at <= ? or seen_at <= ? or "
        "(kind = 'person' and seen_at <= ?) or made_at > ? or seen_at > ?) limit ?",
        (now, now - lifetimes.visitor_idle, now - lifetimes.idle, now + SKEW, now + SKEW, limit),
    )
    ids = tuple(as_text(row[0]) for row in rows)
    statements = [_end_statement(id_, "over", now) for id_ in ids]
    if reads.read("select 1 from session where ended_at < ? limit 1", (now - RETENTION,)):
        statements.append(Statement("delete from session where ended_at < ?", (now - RETENTION,)))
    return AccessChange(answer=len(ids), statements=tuple(statements), ended=ids)


def end_person_sessions(
    reads: RowReads, person: str, why: str, *, now: int, keep: Collection[Role] = ()
) -> tuple[tuple[str, ...], tuple[Statement, ...]]:
    """Ends every session of a person, except those in some roles."""
    rows = reads.read("select id, role from session where person = ? and ended_at is null", (person,))
    ids = tuple(as_text(id_) for id_, role in rows if Role(role) not in keep)
    if not keep:
        sql = "update session set ended_at = ?, why = ? where person = ? and ended_at is null"
        return ids, (Statement(sql, (now, why, person)),)
    return ids, tuple(_end_statement(id_, why, now) for id_ in ids)


def end_device_sessions(
    reads: RowReads, device: str, why: str, *, now: int
) -> tuple[tuple[str, ...], tuple[Statement, ...]]:
    """Ends every session on a device."""
    rows = reads.read("select id from session where device = ? and ended_at is null", (device,))
    sql = "update session set ended_at = ?, why = ? where device = ? and ended_at is null"
    return tuple(as_text(row[0]) for row in rows), (Statement(sql, (now, why, device)),)


def _end_statement(id_: str, why: str, now: int) -> Statement:
    return Statement("update session set ended_at = ?, why = ? where id = ? and ended_at is null", (now, why, id_))
