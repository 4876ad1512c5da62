"""A house for tests of access: a store in memory with the shipped schema, clocks that a test sets, and a desk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from importlib import resources
from typing import Any, TypeVar

import apsw
from argon2 import PasswordHasher

from baccarat.record.directory import Directory, DirectoryEntry
from baccarat.serve.access.base import DAY, AccessChange, Secret
from baccarat.serve.access.change_queue import Plan
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.desk import AccessControl
from baccarat.serve.access.password import Passwords
from baccarat.serve.access.person import Person, add_person
from baccarat.serve.access.session import IssuedSession, Session
from baccarat.serve.store.base import Batch, NameRow, StaleRow, Value
from baccarat.serve.store.row import RowReads
from baccarat.table.role import Role

T = TypeVar("T")

NOON = 20_000 * DAY + DAY // 2
PASSWORD = "correct horse battery"
ADDRESS = "192.0.2.7"
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""So cheap that a test can hash thousands; the parameters of the product are its own default."""


class SetClock:
    """Clocks that a test sets."""

    def __init__(self, wall: int = NOON, steady: int = 0) -> None:
        self.wall_now, self.steady_now = wall, steady

    def wall(self) -> int:
        """Microseconds UTC."""
        return self.wall_now

    def steady(self) -> int:
        """Microseconds that only go on."""
        return self.steady_now

    def go(self, micro: int) -> None:
        """Time passes."""
        self.wall_now += micro
        self.steady_now += micro


class MemoryStore:
    """The tables of the shipped schema in memory; what statements promise is checked as the store does it."""

    def __init__(self) -> None:
        self.connection = apsw.Connection(":memory:")
        folder = resources.files("baccarat.serve.store") / "schema" / "sqlite"
        for name in ("0001.sql", "0002.sql", "0003.sql", "0007.sql"):
            self.connection.execute((folder / name).read_text(encoding="utf-8"))
        self.commits = 0

    async def ask(self, question: Callable[[RowReads], T]) -> T:
        """The answer to a question, after others had a turn."""
        await asyncio.sleep(0)
        found = question(self)
        await asyncio.sleep(0)
        return found

    def read(self, sql: str, params: Sequence[Value] = ()) -> list[tuple[Value, ...]]:
        """The rows of a question; what is looked up could be looked up in every database."""
        for value in params:
            assert value is not None, "nothing is equal to null"
            if isinstance(value, str):
                assert "\0" not in value, "no text of PostgreSQL has it"
                assert len(value.encode()) < 1000, "nothing huge is looked up"
        return self.connection.execute(sql, tuple(params)).fetchall()

    def append(self, batch: Batch) -> None:
        """Store a batch whole, or raise `StaleRow`."""
        with self.connection:
            for name in batch.names:
                sql = "insert into name (id, salt, text) values (?, ?, ?)"
                self.connection.execute(sql, (name.id, name.salt, name.text))
            for statement in batch.statements:
                before = self.connection.total_changes()
                try:
                    self.connection.execute(statement.sql, tuple(statement.params))
                except apsw.ConstraintError as error:
                    raise StaleRow(str(error)) from None
                changes = self.connection.total_changes() - before
                if statement.changes is not None and changes != statement.changes:
                    raise StaleRow(f"{changes} rows changed, not {statement.changes}")
        self.commits += 1

    async def commit(self, batch: Batch) -> None:
        """Store a batch, after others had a turn."""
        await asyncio.sleep(0)
        self.append(batch)

    def add(self, batch: Batch) -> None:
        """Store a batch without anybody waiting."""
        self.append(batch)

    def everything(self, *, names: bool = False) -> str:
        """All that is stored, as text; the directory only if asked for."""
        tables = [row[0] for row in self.read("select name from sqlite_schema where type = 'table'")]
        rows = [self.read(f"select * from {table}") for table in map(str, tables) if names or table != "name"]
        return repr(rows)


class AccessHouse:
    """A desk over a store, and what a test does at it."""

    def __init__(
        self,
        store: MemoryStore | None = None,
        *,
        house: bytes = b"h" * 16,
        clock: SetClock | None = None,
        is_practice: bool = False,
        passwords: Passwords | None = None,
    ) -> None:
        self.store, self.clock, self.key = store or MemoryStore(), clock or SetClock(), house
        self.ended: list[str] = []
        self.names = Directory()
        self._runner = asyncio.Runner()
        self.desk = AccessControl(
            self.store,
            house=house,
            clock=self.clock,
            is_practice=is_practice,
            passwords=passwords or Passwords(CHEAP),
            on_ended=self.ended.extend,
            on_named=self._learn,
        )

    def _learn(self, rows: Sequence[NameRow]) -> None:
        for row in rows:
            self.names.add_known(DirectoryEntry(id=row.id, salt=row.salt.hex(), text=row.text))

    def close(self) -> None:
        """Let threads and loop go."""
        self.desk.close()
        self._runner.close()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for something."""
        return self._runner.run(work)

    def change(self, plan: Plan[T]) -> T | Denied:
        """Make a change at the desk."""
        found: T | Denied = self.run(self.desk.change(plan))
        return found

    def done(self, plan: Plan[T]) -> T:
        """Make a change that is not denied."""
        found: T | Denied = self.change(plan)
        return allowed(found)

    def add(self, name: str, *roles: Role, password: str | None = PASSWORD) -> Person:
        """Somebody who may sign on."""
        hashed = None if password is None else CHEAP.hash(password)
        return self.done(
            lambda reads, now: add_person(reads, self.key, name=name, roles=set(roles), now=now, password=hashed)
        )

    def try_sign_on(
        self, name: str, role: Role = Role.DEALER, *, password: str = PASSWORD, address: str = ADDRESS
    ) -> IssuedSession | Denied:
        """Try to sign on."""
        return self.run(self.desk.sign_on(name, Secret(password), role, address=address))

    def sign_on(self, name: str, role: Role = Role.DEALER) -> Session:
        """Sign on."""
        return allowed(self.try_sign_on(name, role)).session


def count(store: MemoryStore, table: str) -> int:
    """How many rows a table has."""
    (number,) = store.read(f"select count(*) from {table}")[0]
    assert isinstance(number, int)
    return number


def allowed(found: T | Denied) -> T:
    """What was not denied."""
    assert not isinstance(found, Denied), found
    return found


def code_of(found: object) -> str:
    """The code of what was denied."""
    assert isinstance(found, Denied), found
    assert found.say.endswith("."), "a denial is a sentence"
    assert "{" not in found.say
    return found.code


def applied(store: MemoryStore, change: AccessChange[T] | Denied) -> T:
    """A change that is not denied, stored."""
    made = allowed(change)
    store.append(made.batch)
    return made.answer
