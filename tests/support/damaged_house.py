"""A store with rows in every table and pages of every kind, damaged in one place at a time, and what notices it.

A *flip* inverts one bit of the database file. A *row* change deletes a row, doubles one, or puts an older row or
another one in its place, with the means of SQLite, so that the file itself stays sound. Each is then opened as a start
does, copied (`back_up`) and restored: everything that does not refuse it must have the same content as before.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import apsw
import msgspec

from baccarat.house.stream import Stream
from baccarat.serve.runtime.backup import back_up, restore
from baccarat.serve.runtime.recovery import recover
from baccarat.serve.runtime.seal_key import remember_store
from baccarat.serve.store.base import Batch, CheckpointRow, NameRow, SealedRow, Statement, StoreError, Value
from baccarat.serve.store.content_sum import ContentKeys
from baccarat.serve.store.sqlite import SqliteStore
from golden_stores import HOUSE, copied, versions
from stored_house import keys_of

MANY = 400
"""How many rows some tables get, so that they have internal pages."""
FIXED = ("entry", "landmark", "head", "stream", "identity", "archive", "snapshot", "content_sum")
"""The tables that only the store itself writes: the base is not changed there, so that its journal stays sound."""
TEXT, BLOB, WHOLE = "text", "blob", "integer"


Damage = Callable[[Path], None]
"""Damages the store in a file."""


class Damaged(msgspec.Struct, frozen=True):
    """What was done to a store, and what each way to use it said of it; '' if it accepted the store."""

    what: str
    said: dict[str, str]
    fault: str = ""
    """Why this is a failure of the program; '' if it is none."""

    @property
    def is_refused(self) -> bool:
        """Whether no way to use it accepted it."""
        return all(self.said.values())


class Base(msgspec.Struct, frozen=True):
    """The store before anything is done to it."""

    path: Path
    earlier: Path
    """The same store some changes before."""
    keys: ContentKeys
    content: dict[str, list[tuple[Any, ...]]]
    pages: dict[tuple[str, str], list[int]]
    """The pages of each table or index, and kind."""
    page_bytes: int


# ------------------------------------------------------------------------------------------------ the base


def make_base(folder: Path) -> Base:
    """The golden store of this version, authenticated, with rows in every table and pages of every kind."""
    folder.mkdir(parents=True, exist_ok=True)
    copied(versions()[-1], folder)
    path, earlier = folder / HOUSE, folder / "earlier.db"
    store = SqliteStore.open(path, keys=keys_of(path))
    remember_store(keys_of(path), store.id)
    fill(store)
    store.close()
    shutil.copyfile(path, earlier)
    with_keys = keys_of(path)
    store = SqliteStore.open(path, keys=with_keys)
    change_some(store)
    store.close()
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        base = Base(
            path, earlier, with_keys, content_of(connection), _pages(connection), int(connection.pragma("page_size"))
        )
    finally:
        connection.close()
    empty = [name for name, rows in base.content.items() if not rows]
    assert not empty, f"no rows to damage in {', '.join(empty)}"
    kinds = {kind for _, kind in base.pages}
    assert kinds == {"internal", "leaf", "overflow", "free"}, f"the pages are only {', '.join(sorted(kinds))}"
    return base


def fill(store: SqliteStore) -> None:
    """Rows in every table that has none, and many in some."""
    stream = Stream("table ma-midi-4")
    made = list[Statement]()
    for table, columns in columns_of(store).items():
        if table in FIXED:
            continue
        count = MANY if table in ("done", "access_log", "session", "played") else 3
        for number in range(count):
            names, values = zip(*[(name, _value(name, kind, number)) for name, kind, _ in columns], strict=True)
            marks = ", ".join("?" * len(names))
            made.append(Statement(f"insert into {table} ({', '.join(names)}) values ({marks})", values))
    store.append(Batch(statements=made))
    big = bytes(range(256)) * 40
    store.append(
        Batch(
            checkpoints=[CheckpointRow(Stream("cage 9"), 7, big, b"edge")],
            seals=[SealedRow(stream, "99", big)],
            names=[NameRow(f"erased {number}", bytes(500), "x" * 900) for number in range(40)],
            settings={"long": "y" * 5_000},
        )
    )
    store.erase([f"erased {number}" for number in range(40)])


def _value(name: str, kind: str, number: int) -> int | str | bytes | None:
    if kind == WHOLE:
        return number + 1_000_000
    return f"{name} {number} of the campaign" if kind == TEXT else f"{name} {number} of the campaign".encode()


def change_some(store: SqliteStore) -> None:
    """Change a row in every table that has a column for it, so that there is an older row to put back."""
    made = list[Statement]()
    for table, columns in columns_of(store).items():
        plain = [(name, kind) for name, kind, is_key in columns if not is_key]
        if table in FIXED or not plain:
            continue
        name, kind = plain[-1]
        value: Value = {WHOLE: 7_777_777, TEXT: "changed later", BLOB: b"changed later"}[kind]  # type: ignore[assignment]
        key = next(each for each, _, is_key in columns if is_key)
        sql = f"update {table} set {name} = ? where {key} = (select max({key}) from {table})"
        made.append(Statement(sql, (value,), changes=None))
    store.append(Batch(statements=made))


def columns_of(store: SqliteStore) -> dict[str, list[tuple[str, str, bool]]]:
    """The columns of each table: name, kind, and whether it is in the key."""
    found = defaultdict[str, list[tuple[str, str, bool]]](list)
    sql = (
        "select t.name, c.name, c.type, c.pk from sqlite_schema as t, pragma_table_info(t.name) as c "
        "where t.type = 'table' order by t.name, c.cid"
    )
    for table, name, kind, key in store.read(sql):
        found[str(table)].append((str(name), str(kind).lower(), bool(key)))
    return dict(found)


def _pages(connection: apsw.Connection) -> dict[tuple[str, str], list[int]]:
    found = defaultdict[tuple[str, str], list[int]](list)
    used = set[int]()
    for name, page, kind in connection.execute("select name, pageno, pagetype from dbstat"):
        found[str(name), str(kind)].append(int(str(page)))
        used.add(int(str(page)))
    found["free pages", "free"] = sorted(set(range(1, int(connection.pragma("page_count")) + 1)) - used)
    return {key: pages for key, pages in found.items() if pages}


def content_of(connection: apsw.Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that a store holds, by table, in an order that the pages do not decide."""
    names = [row[0] for row in connection.execute("select name from sqlite_schema where type = 'table'")]
    found = {str(name): sorted(connection.execute(f'select * from "{name}"').fetchall(), key=repr) for name in names}
    found["sqlite_schema"] = connection.execute(
        "select type, name, tbl_name, sql from sqlite_schema order by name"
    ).fetchall()
    return found


# ----------------------------------------------------------------------------------------------- changes


def flips(base: Base, seed: int, count: int) -> Iterator[tuple[str, Damage]]:
    """Places for flipped bits: every table or index and kind of page in turn, and there by chance."""
    chance = Random(seed)
    kinds = sorted(base.pages)
    for number in range(count):
        name, kind = kinds[number % len(kinds)]
        page = chance.choice(base.pages[name, kind])
        offset = (page - 1) * base.page_bytes + chance.randrange(base.page_bytes)
        if number % (2 * len(kinds)) == 0:  # the header of the file is on a page of its own kind
            name, kind, offset = "the header", "leaf", chance.randrange(100)
        bit = chance.randrange(8)

        def flip(path: Path, offset: int = offset, bit: int = bit) -> None:
            with path.open("r+b") as file:
                file.seek(offset)
                (byte,) = file.read(1)
                file.seek(offset)
                file.write(bytes([byte ^ 1 << bit]))

        yield f"{name} ({kind}), byte {offset}, bit {bit}", flip


def row_changes(base: Base, seed: int, count: int) -> Iterator[tuple[str, Damage]]:
    """Rows to delete, to double and to replace by older ones: every table in turn."""
    chance = Random(seed)
    tables = sorted(name for name in base.content if name not in ("sqlite_schema", "content_sum"))
    ways = (delete_row, double_row, put_back_row)
    for number in range(count):
        table, way = tables[number % len(tables)], ways[number // len(tables) % len(ways)]
        row = chance.randrange(len(base.content[table]))

        def change(path: Path, way: Any = way, table: str = table, row: int = row) -> None:
            connection = apsw.Connection(str(path))
            try:
                connection.config(apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0)
                way(connection, base, table, row)
            finally:
                connection.close()

        yield f"{way.__name__} {row} of {table}", change


def _condition(connection: apsw.Connection, table: str) -> tuple[list[str], list[int]]:
    """The columns of a table, and which of them name a row."""
    info = connection.execute("select name, pk from pragma_table_info(?) order by cid", (table,)).fetchall()
    keys = [number for number, (_, key) in enumerate(info) if key] or list(range(len(info)))
    return [str(name) for name, _ in info], keys


def _where(names: list[str], keys: list[int], row: tuple[Any, ...]) -> tuple[str, list[Any]]:
    return " and ".join(f'"{names[key]}" is ?' for key in keys), [row[key] for key in keys]


def delete_row(connection: apsw.Connection, base: Base, table: str, number: int) -> None:
    """Delete a row."""
    names, keys = _condition(connection, table)
    where, values = _where(names, keys, base.content[table][number])
    connection.execute(f'delete from "{table}" where {where}', values)
    assert connection.changes() == 1, "there is one such row"


def double_row(connection: apsw.Connection, base: Base, table: str, number: int) -> None:
    """Add the same row once more, under the nearest key that is free."""
    row = list(base.content[table][number])
    names, keys = _condition(connection, table)
    marks = ", ".join("?" * len(row))
    for more in range(1, 1_000):
        for key in range(len(row)):
            value = base.content[table][number][key]
            row[key] = _next(value, more) if key in keys or _is_unique(connection, table, names[key]) else value
        with suppress(apsw.ConstraintError):
            connection.execute(f'insert into "{table}" values ({marks})', row)
            return
    raise AssertionError(f"no key of {table} is free")


def _next(value: Any, more: int) -> Any:
    if isinstance(value, int):
        return value + more
    return value + "x" * more if isinstance(value, str) else value and value + b"x" * more


def _is_unique(connection: apsw.Connection, table: str, column: str) -> bool:
    sql = 'select 1 from pragma_index_list(?) as i, pragma_index_info(i.name) as c where i."unique" and c.name = ?'
    return bool(connection.execute(sql, (table, column)).fetchall())


def put_back_row(connection: apsw.Connection, base: Base, table: str, number: int) -> None:
    """Put a row back as it was earlier; in a table where none has changed, give one the values of another."""
    names, keys = _condition(connection, table)
    earlier = apsw.Connection(str(base.earlier), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        now = set(base.content[table])
        older = [row for row in earlier.execute(f'select * from "{table}"').fetchall() if row not in now]
    finally:
        earlier.close()
    row = older[0] if older else base.content[table][number]
    where, values = _where(names, keys, row)
    if not older:
        other = base.content[table][number - 1]
        row = tuple(row[key] if key in keys else other[key] for key in range(len(row)))
    plain = [key for key in range(len(names)) if key not in keys]
    if row in now or not plain:
        delete_row(connection, base, table, number)  # all of its rows are alike but for their keys
        return
    sets = ", ".join(f'"{names[key]}" = ?' for key in plain)
    try:
        connection.execute(f'update "{table}" set {sets} where {where}', [*(row[key] for key in plain), *values])
    except apsw.ConstraintError:  # only one row may have these values
        delete_row(connection, base, table, number)
        return
    assert connection.changes() == 1, "the row is there in its newer form"


# ------------------------------------------------------------------------------------------- what notices


def try_damage(base: Base, what: str, damage: Damage, folder: Path, *, with_key: bool = True) -> Damaged:
    """Damage a copy of the base in one place, and use it in each way."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    path = folder / HOUSE
    shutil.copyfile(base.path, path)
    damage(path)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    said = dict[str, str]()
    fault = ""
    kept, keys = path.read_bytes(), base.keys if with_key else None
    ways = [("backup", _back_up), ("restore", _restore)] + [("start", _start)] * with_key
    for way, use in ways:
        try:
            found = use(path, folder, keys)
        except StoreError as error:
            said[way] = str(error)
            if not said[way].startswith(str(folder)) or len(said[way].split()) < 5:
                fault = fault or f"{way} says too little: {error}"
        else:
            said[way] = ""
            if found != base.content:
                which = [name for name in base.content if found.get(name) != base.content[name]]
                fault = fault or f"{way} accepts other content: {', '.join(which) or 'more tables'}"
        path.write_bytes(kept)
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
    return Damaged(what, said, fault)


def _start(path: Path, _folder: Path, keys: ContentKeys | None) -> dict[str, list[tuple[Any, ...]]]:
    store = SqliteStore.open(path, keys=keys)
    try:
        recover(store)
    finally:
        store.close()
    return _content_in(path)


def _back_up(path: Path, folder: Path, keys: ContentKeys | None) -> dict[str, list[tuple[Any, ...]]]:
    back_up(path, folder / "copy.db", keys=keys)
    return _content_in(folder / "copy.db")


def _restore(path: Path, folder: Path, keys: ContentKeys | None) -> dict[str, list[tuple[Any, ...]]]:
    restore(path, folder / "restored.db", keys=keys)
    return _content_in(folder / "restored.db")


def _content_in(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return content_of(connection)
    finally:
        connection.close()
