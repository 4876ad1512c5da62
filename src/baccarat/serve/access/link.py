"""One-time links and codes, and visitors: how people get in who have no password yet.

The administrator of a production house is made by a link whose secret is printed once on the terminal. A new person
sets the first password by a link too, so that nobody else ever knows it. A device is enrolled by a code that a person
types (`device.py`). All of them work once, expire, and are stored as hashes.

A practice house lets visitors in without signing on: each is a new, anonymous participant, who plays with play money.
A visitor may also try the work of the house, in every role but the administrator's; then the session is bound to the
training tables, so that no visitor disturbs what others play.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from enum import Enum

import msgspec

from baccarat.serve.access.base import HOUR, MINUTE, SKEW, AccessChange, Secret, new_id, new_token, token_hash
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.access.log import AccessEvent, log_statement
from baccarat.serve.access.person import Person, add_person, find_person, set_password
from baccarat.serve.access.session import IssuedSession, Lifetimes, Session, SessionKind, open_session
from baccarat.serve.setting import TRAINING
from baccarat.serve.store.base import Statement
from baccarat.serve.store.row import RowReads, as_int, as_text
from baccarat.table.role import ROAMING_VISITORS, VISITORS, Role

LINK_LASTS = 24 * HOUR
CODE_LASTS = 10 * MINUTE
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits and letters that are not mistaken for each other (Crockford's base 32)."""
CODE_SIGNS = 16
_READ_AS = str.maketrans("OIL", "011", "- ")
_is_code = re.compile(rf"[{ALPHABET}]{{{CODE_SIGNS}}}\Z").match


class Purpose(Enum):
    """What a code is for."""

    ADMINISTRATOR = "administrator"
    PASSWORD = "password"  # noqa: S105  what it is for
    DEVICE = "device"


class CodePurpose(msgspec.Struct, frozen=True):
    """What a code is for: its purpose, and whose password or which table it is about."""

    purpose: Purpose
    about: str
    made_by: str


def new_code() -> Secret:
    """80 bits to be typed: four groups of four signs."""
    signs = "".join(secrets.choice(ALPHABET) for _ in range(CODE_SIGNS))
    return Secret("-".join(signs[start : start + 4] for start in range(0, CODE_SIGNS, 4)))


def code_hash(typed: str) -> bytes | None:
    """What is stored of a code, however it was typed, or of a link's token; None if a text is neither."""
    if len(typed) > 100:
        return None
    signs = typed.upper().translate(_READ_AS)
    return hashlib.sha256(signs.encode()).digest() if _is_code(signs) else token_hash(typed)


def make_code(purpose: Purpose, secret: Secret, *, about: str, by: str, now: int, lasts: int) -> AccessChange[Secret]:
    """Store a secret that can be used once; it replaces an earlier one for the same purpose and subject."""
    hashed = code_hash(secret.reveal())
    assert hashed is not None, "a new secret is a code or a token"
    sql = "delete from one_time_code where (purpose = ? and about = ?) or lapses_at < ?"
    void = Statement(sql, (purpose.value, about, now - SKEW))
    sql = "insert into one_time_code (hash, purpose, about, made_by, made_at, lapses_at) values (?, ?, ?, ?, ?, ?)"
    insert = Statement(sql, (hashed, purpose.value, about, by, now, now + lasts), changes=1)
    note = log_statement(AccessEvent.CODE_MADE, at=now, by=by, about=f"{purpose.value} {about}".strip())
    return AccessChange(answer=secret, statements=(void, insert, note))


def find_code(reads: RowReads, typed: str, purpose: Purpose, *, now: int) -> CodePurpose | Denied:
    """What a secret is for, if it can be used now; it stays usable."""
    hashed = code_hash(typed)
    sql = "select about, made_by, made_at, lapses_at from one_time_code where hash = ? and purpose = ?"
    rows = [] if hashed is None else reads.read(sql, (hashed, purpose.value))
    if not rows:
        return make_denial(Denial.NO_CODE)
    about, made_by, made_at, lapses_at = rows[0]
    if not as_int(made_at) - SKEW <= now < as_int(lapses_at):
        return make_denial(Denial.NO_CODE)
    return CodePurpose(purpose, as_text(about), as_text(made_by))


def use_code(reads: RowReads, typed: str, purpose: Purpose, *, now: int) -> AccessChange[CodePurpose] | Denied:
    """Use up a code. The caller stores these statements with what it is used for, so that both are done or neither."""
    found = find_code(reads, typed, purpose, now=now)
    if isinstance(found, Denied):
        return found
    used = Statement("delete from one_time_code where hash = ?", (code_hash(typed),), changes=1)
    note = log_statement(
        AccessEvent.CODE_USED, at=now, by=found.made_by, about=f"{purpose.value} {found.about}".strip()
    )
    return AccessChange(answer=found, statements=(used, note))


# --------------------------------------------------------------------------------------------- the links


def administrator_link(*, now: int) -> AccessChange[Secret]:
    """The secret of the link that makes an administrator; the caller prints it once. It replaces an earlier one."""
    return make_code(Purpose.ADMINISTRATOR, new_token(), about="", by="terminal", now=now, lasts=LINK_LASTS)


def make_administrator(
    reads: RowReads, key: bytes, link: str, *, name: str, password: str, now: int
) -> AccessChange[Person] | Denied:
    """Use that link: a new person who is administrator. `password` is a hash."""
    used = use_code(reads, link, Purpose.ADMINISTRATOR, now=now)
    if isinstance(used, Denied):
        return used
    made = add_person(reads, key, name=name, roles={Role.ADMINISTRATOR}, now=now, by="terminal", password=password)
    return made if isinstance(made, Denied) else _merge_changes(used, made)


def password_link(reads: RowReads, person: str, *, by: str, now: int) -> AccessChange[Secret] | Denied:
    """The secret of the link by which a person sets a password."""
    found = find_person(reads, person)
    if found is None or not found.is_active:
        return make_denial(Denial.NO_SUCH_PERSON)
    return make_code(Purpose.PASSWORD, new_token(), about=person, by=by, now=now, lasts=LINK_LASTS)


def password_by_link(reads: RowReads, link: str, *, password: str, now: int) -> AccessChange[Person] | Denied:
    """Use that link; `password` is a hash."""
    used = use_code(reads, link, Purpose.PASSWORD, now=now)
    if isinstance(used, Denied):
        return used
    person = used.answer.about
    made = set_password(reads, person, password, now=now, by=person)
    return made if isinstance(made, Denied) else _merge_changes(used, made)


def _merge_changes(used: AccessChange[CodePurpose], made: AccessChange[Person]) -> AccessChange[Person]:
    return AccessChange(
        answer=made.answer, statements=(*used.statements, *made.statements), names=made.names, ended=made.ended
    )


# ---------------------------------------------------------------------------------------------- visitors


VISITOR_ROLES = tuple(role for role in Role if role in VISITORS)
"""The roles that a visitor of a practice house may take, in their order; not the one that manages people."""


def visit(
    reads: RowReads, *, is_practice: bool, role: Role, now: int, lifetimes: Lifetimes, instead_of: Session | None = None
) -> AccessChange[IssuedSession] | Denied:
    """A session for an anonymous visitor, only in practice; one in a staff role is bound to the training tables."""
    if not is_practice:
        return make_denial(Denial.NOT_PRACTICE)
    if role not in VISITORS:
        return make_denial(Denial.NOT_VISITED, role=role.value)
    return open_session(
        reads,
        person=new_id("person"),
        role=role,
        table="" if role in ROAMING_VISITORS else TRAINING,
        kind=SessionKind.VISITOR,
        now=now,
        lifetimes=lifetimes,
        instead_of=instead_of,
    )
