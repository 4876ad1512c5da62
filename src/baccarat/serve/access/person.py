"""People: an opaque id, a name to sign on with, a password, and the roles that each may take.

No name is in the tables of access: the directory has it, with the id, and can erase it. What is looked up when a person
signs on is a keyed hash of the name.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from baccarat.record.directory import DirectoryEntry, new_entry
from baccarat.serve.access.base import AccessChange, is_made_id
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.access.log import AccessEvent, log_statement
from baccarat.serve.access.name import sign_on_key, sign_on_name
from baccarat.serve.access.session import Lifetimes, SessionKind, end_person_sessions, sessions_of
from baccarat.serve.store.base import NameRow, Statement, Value
from baccarat.serve.store.row import RowReads, as_int, as_text
from baccarat.table.bounds import Words
from baccarat.table.role import OBSERVERS, Role


class Person(msgspec.Struct, frozen=True):
    """Somebody who may sign on; the name is in the directory."""

    id: str
    roles: frozenset[Role]
    is_active: bool
    has_password: bool
    made_at: int


class Credentials(msgspec.Struct, frozen=True):
    """A person with the hash of the password."""

    person: Person
    password: str | None

    def __repr__(self) -> str:
        return f"<Credentials of {self.person.id}>"


def encode_roles(roles: Collection[Role]) -> str:
    """Roles as they are stored."""
    return ",".join(sorted(role.value for role in roles))


def roles_denial(roles: Collection[Role]) -> Denied | None:
    """Why a person cannot have these roles together."""
    if not roles:
        return make_denial(Denial.BAD_ROLES, what="there must be at least one")
    if Role.PUBLIC in roles:
        return make_denial(Denial.BAD_ROLES, what="the public does not sign on")
    if set(roles) & OBSERVERS and len(roles) > 1:  # those who act do not watch themselves
        return make_denial(Denial.BAD_ROLES, what="surveillance and the regulator cannot have another role")
    return None


# ----------------------------------------------------------------------------------------------- reading

_COLUMNS = "id, roles, active, password, made_at"


def _credentials(row: tuple[Value, ...]) -> Credentials:
    id_, roles, active, password, made_at = row
    held = frozenset(map(Role, filter(None, as_text(roles).split(","))))
    stored = None if password is None else as_text(password)
    person = Person(as_text(id_), held, bool(as_int(active)), stored is not None, as_int(made_at))
    return Credentials(person, stored)


def credentials_of(reads: RowReads, key: bytes, typed: str) -> Credentials | None:
    """The person who signs on with a name, active or not; None if there is none."""
    name = sign_on_name(typed)
    if isinstance(name, Denied):
        return None
    rows = reads.read(f"select {_COLUMNS} from person where sign_on = ?", (sign_on_key(key, name),))  # noqa: S608
    return _credentials(rows[0]) if rows else None


def credentials_by_id(reads: RowReads, id_: str) -> Credentials | None:
    """The person of an id; None if there is none, as for a visitor."""
    if not is_made_id("person", id_):
        return None
    rows = reads.read(f"select {_COLUMNS} from person where id = ?", (id_,))  # noqa: S608  no text from outside
    return _credentials(rows[0]) if rows else None


def why_denied_by_now(reads: RowReads, found: Credentials, role: Role) -> Denied | None:
    """Why somebody whose password was right a moment ago may not act in a role now."""
    now = credentials_by_id(reads, found.person.id)
    if now is None or not now.person.is_active or now.password != found.password:
        return make_denial(Denial.BUSY)  # it is being changed at this moment
    return None if role in now.person.roles else make_denial(Denial.NOT_YOUR_ROLE, role=role.value)


def find_person(reads: RowReads, id_: str) -> Person | None:
    """The same without the password's hash."""
    found = credentials_by_id(reads, id_)
    return None if found is None else found.person


def people(reads: RowReads, *, after: str = "", limit: int = 100) -> list[Person]:
    """The next people, by their ids."""
    rows = reads.read(f"select {_COLUMNS} from person where id > ? order by id limit ?", (after, limit))  # noqa: S608
    return [_credentials(row).person for row in rows]


def may_act_as(reads: RowReads, id_: str, role: Role, *, now: int, visitors: Lifetimes | None = None) -> bool:
    """Whether a person is active and has a role now; a visitor has the role of the visit, as long as it lasts.

    `visitors` says how long sessions live in a house that lets visitors in; in another house visitors have no role.
    """
    found = find_person(reads, id_)
    if found is not None:
        return found.is_active and role in found.roles
    if visitors is None or not is_made_id("person", id_):
        return False
    here = sessions_of(reads, id_, now=now, lifetimes=visitors)
    return any(each.kind is SessionKind.VISITOR and each.role is role for each in here)


# ---------------------------------------------------------------------------------------------- changing


def add_person(  # noqa: PLR0913  what a person is
    reads: RowReads,
    key: bytes,
    *,
    name: str,
    roles: Collection[Role],
    now: int,
    by: str = "",
    password: str | None = None,
    entry: DirectoryEntry | None = None,
) -> AccessChange[Person] | Denied:
    """Add a person; `password` is a hash. `entry` is the name's in the directory, if there is one already."""
    plain = sign_on_name(name)
    refused = plain if isinstance(plain, Denied) else roles_denial(roles)
    if refused is not None:
        return refused
    assert isinstance(plain, str), "checked just before"
    hashed = sign_on_key(key, plain)
    made = entry or new_entry(Words.PERSON, name)
    taken = "select 1 from person where sign_on = ? or id = ?"
    if reads.read(taken, (hashed, made.id)):
        return make_denial(Denial.NAME_TAKEN)
    sql = "insert into person (id, sign_on, password, roles, active, made_at) values (?, ?, ?, ?, 1, ?)"
    insert = Statement(sql, (made.id, hashed, password, encode_roles(roles), now), changes=1)
    note = log_statement(AccessEvent.PERSON_ADDED, at=now, person=made.id, by=by, about=encode_roles(roles))
    return AccessChange(
        answer=Person(made.id, frozenset(roles), is_active=True, has_password=password is not None, made_at=now),
        statements=(insert, note),
        names=() if entry else (NameRow(made.id, bytes.fromhex(made.salt), made.text),),
    )


def set_roles(
    reads: RowReads, id_: str, roles: Collection[Role], *, now: int, by: str
) -> AccessChange[Person] | Denied:
    """Change the roles of a person; sessions in a role that is removed end."""
    found, refused = find_person(reads, id_), roles_denial(roles)
    if found is None or refused is not None:
        return refused or make_denial(Denial.NO_SUCH_PERSON)
    if Role.ADMINISTRATOR not in roles and _is_last_administrator(reads, found):
        return make_denial(Denial.LAST_ADMINISTRATOR)
    sql = "update person set roles = ? where id = ? and roles = ?"
    change = Statement(sql, (encode_roles(roles), id_, encode_roles(found.roles)), changes=1)
    ended, statements = end_person_sessions(reads, id_, "roles changed", now=now, keep=frozenset(roles))
    note = log_statement(AccessEvent.ROLES_CHANGED, at=now, person=id_, by=by, about=encode_roles(roles))
    answer = msgspec.structs.replace(found, roles=frozenset(roles))
    return AccessChange(answer=answer, statements=(change, *statements, note), ended=ended)


def set_active(reads: RowReads, id_: str, *, active: bool, now: int, by: str) -> AccessChange[Person] | Denied:
    """Activate a person, or deactivate: then all sessions end immediately."""
    found = find_person(reads, id_)
    if found is None:
        return make_denial(Denial.NO_SUCH_PERSON)
    if not active and _is_last_administrator(reads, found):
        return make_denial(Denial.LAST_ADMINISTRATOR)
    change = Statement("update person set active = ? where id = ?", (int(active), id_), changes=1)
    ended, statements = ((), ()) if active else end_person_sessions(reads, id_, "deactivated", now=now)
    note = log_statement(AccessEvent.ACTIVATED if active else AccessEvent.DEACTIVATED, at=now, person=id_, by=by)
    answer = msgspec.structs.replace(found, is_active=active)
    return AccessChange(answer=answer, statements=(change, *statements, note), ended=ended)


def set_password(reads: RowReads, id_: str, password: str, *, now: int, by: str) -> AccessChange[Person] | Denied:
    """Set another password, by its hash; all sessions of the person end."""
    found = find_person(reads, id_)
    if found is None:
        return make_denial(Denial.NO_SUCH_PERSON)
    change = Statement("update person set password = ? where id = ?", (password, id_), changes=1)
    ended, statements = end_person_sessions(reads, id_, "password changed", now=now)
    note = log_statement(AccessEvent.PASSWORD_SET, at=now, person=id_, by=by)
    answer = msgspec.structs.replace(found, has_password=True)
    return AccessChange(answer=answer, statements=(change, *statements, note), ended=ended)


def erase_person(reads: RowReads, id_: str, *, now: int, by: str) -> AccessChange[str] | Denied:
    """Erase how a person signs on. The id stays; the caller erases its name from the directory."""
    found = find_person(reads, id_)
    if found is None:
        return make_denial(Denial.NO_SUCH_PERSON)
    if _is_last_administrator(reads, found):
        return make_denial(Denial.LAST_ADMINISTRATOR)
    sql = "update person set sign_on = null, password = null, roles = '', active = 0 where id = ?"
    ended, statements = end_person_sessions(reads, id_, "erased", now=now)
    note = log_statement(AccessEvent.ERASED, at=now, person=id_, by=by)
    return AccessChange(answer=id_, statements=(Statement(sql, (id_,), changes=1), *statements, note), ended=ended)


def unchanged_person_guard(reads: RowReads, id_: str) -> Statement:
    """Ensures, when something is stored that depends on a person, that the person has not changed meanwhile.

    It changes nothing, and so waits only for a concurrent change of the same person.
    """
    found = credentials_by_id(reads, id_)
    assert found is not None, "the person exists"
    sql = "update person set active = 1 where id = ? and active = 1 and roles = ? and password = ?"
    return Statement(sql, (id_, encode_roles(found.person.roles), found.password), changes=1)


def rehash_statement(found: Credentials, rehashed: str) -> Statement:
    """The same password under the current parameters."""
    sql = "update person set password = ? where id = ? and password = ?"
    return Statement(sql, (rehashed, found.person.id, found.password))


def has_administrator(reads: RowReads) -> bool:
    """Whether somebody can sign on as administrator."""
    return bool(_administrators(reads))


def _administrators(reads: RowReads) -> set[str]:
    rows = reads.read("select id, roles from person where active = 1 and password is not null")
    return {as_text(id_) for id_, roles in rows if Role.ADMINISTRATOR.value in as_text(roles).split(",")}


def _is_last_administrator(reads: RowReads, person: Person) -> bool:
    return _administrators(reads) == {person.id}
