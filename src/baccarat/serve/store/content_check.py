"""Comparing a store on SQLite with its content sums: before a house opens, in the background, and in every copy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import Any

import apsw
import msgspec

from baccarat.serve.store.base import StoreError
from baccarat.serve.store.content_sum import (
    OWN_TABLE,
    SCHEMA,
    ContentKey,
    ContentKeys,
    ContentSums,
    TableSum,
    sum_rows,
)

BEFORE_OPENING = 50_000
"""Up to how many rows a table is checked before the house opens; larger ones are checked right after that."""
BEFORE_OPENING_IN_LARGE = 2_000
"""The same in a large file, where rows of the archive may have a hundred kilobytes each."""
LARGE_FILE = 64 * 1024 * 1024
"""From how many bytes on a file is large."""
ROWS_AT_ONCE = 500
"""How many rows are read between two pauses."""
RESTORE = "restore a backup (baccarat restore)"
_SCHEMA_ROWS = f"select type, name, tbl_name, sql from {SCHEMA}"  # noqa: S608  without the pages, which vacuum moves
_TABLES = f"select name from {SCHEMA} where type = 'table' and name not like 'sqlite_%' and name <> '{OWN_TABLE}'"  # noqa: S608


class StoredContent(msgspec.Struct, frozen=True):
    """The sums of a store as they are stored, and the key that authenticates them."""

    key: ContentKey
    tables: dict[str, TableSum]
    stored: bytes
    is_taken_as_found: bool = False
    """Whether the store had rows before it had sums, or its sums were under a lost key."""
    unchecked: tuple[str, ...] = ()
    """The tables that were not checked when the store was opened, because they are large."""


def large_tables(connection: apsw.Connection, held: StoredContent) -> tuple[str, ...]:
    """The tables that are checked after the house was opened."""
    file_bytes = int(connection.pragma("page_count")) * int(connection.pragma("page_size"))
    most = BEFORE_OPENING if file_bytes < LARGE_FILE else BEFORE_OPENING_IN_LARGE
    return tuple(name for name, each in held.tables.items() if each.rows > most)


# ----------------------------------------------------------------------------------------------- reading


def stored_content(connection: apsw.Connection, name: str, keys: ContentKeys) -> StoredContent | None:
    """The sums of a store; None if it has none and may be without. `StoreError` if they are missing or were changed."""
    store = _store_id(connection, name)
    rows = _stored_rows(connection, name)
    if not rows:
        if store in keys.known:
            raise StoreError(
                f"{name}: its content sums are missing, but this store had them: it was changed outside the program; "
                f"{RESTORE}. To accept a copy made before it had them unchecked, remove {store.hex()} from "
                f"{keys.known_in}"
            )
        return None
    key_id, stored = rows[0]
    if not keys.ring.has(key_id):
        if key_id in keys.lost:
            return None
        raise StoreError(
            f"{name}: the house seals under the key {key_id}, and seal_key has another, {keys.ring.current.id}: "
            "every node needs the same key; provide that file, add it after a comma to change keys, or report it "
            "lost: lost_keys"
        )
    key = ContentKey(keys.ring.find(key_id), store)
    found = key.decrypt(stored)
    if found is None or found.version != connection.pragma("user_version"):
        raise StoreError(f"{name}: its content sums were changed outside the program; {RESTORE}")
    return StoredContent(key, found.tables, stored)


def has_sums(connection: apsw.Connection, name: str) -> bool:
    """Whether a store has content sums."""
    return bool(_stored_rows(connection, name))


def _stored_rows(connection: apsw.Connection, name: str) -> list[tuple[str, bytes]]:
    """The key and the sums as they are stored; older stores have no table for them."""
    sql = f"select 1 from {SCHEMA} where type = 'table' and name = ?"  # noqa: S608
    if not connection.execute(sql, (OWN_TABLE,)).fetchall():
        return []
    found = connection.execute(f"select key, sums from {OWN_TABLE}").fetchall()  # noqa: S608
    try:
        return msgspec.convert(found, list[tuple[str, bytes]])
    except msgspec.ValidationError:
        raise StoreError(f"{name}: its content sums were changed outside the program; {RESTORE}") from None


def _store_id(connection: apsw.Connection, name: str) -> bytes:
    try:
        ((found,),) = msgspec.convert(connection.execute("select id from identity").fetchall(), list[tuple[bytes]])
    except ValueError:  # of `convert` as well
        raise StoreError(f"{name}: is damaged: it has no id; {RESTORE}") from None
    return found


# ---------------------------------------------------------------------------------------------- checking


def check_pages(connection: apsw.Connection, name: str, table: str = "") -> None:
    """`StoreError` if SQLite finds a fault in the pages of a table and its indexes, or of the whole file."""
    about = f'("{table}")' if table else ""
    found = connection.execute(f"pragma integrity_check{about}").fetchall()
    if found != [("ok",)]:
        raise StoreError(f"{name}: is damaged; SQLite reports: {found[0][0]}; {RESTORE}")


def check_tables(
    connection: apsw.Connection,
    name: str,
    held: StoredContent,
    tables: Collection[str],
    *,
    pause: Callable[[], None] = lambda: None,
) -> None:
    """`StoreError` if rows or indexes of these tables are not what the house wrote; it names the tables.

    Call it within one transaction, so that rows and sums are of the same moment. `pause` is called from time to time.
    """
    wrong = list[str]()
    for table in sorted(tables, key=lambda each: (each != SCHEMA, each)):
        found = _sum(connection, name, held.key, table, pause)
        if found == held.tables[table]:
            check_pages(connection, name, table)
        elif table == SCHEMA:
            wrong.append("the definitions of its tables")
            break
        else:
            rows, known = found.rows, held.tables[table].rows
            wrong.append(f"the table {table}" + (f" ({rows:,} rows, and the house left {known:,})" * (rows != known)))
    if wrong:
        raise StoreError(f"{name}: was changed outside the program: {', '.join(wrong)}; {RESTORE}")


def _sum(
    connection: apsw.Connection, name: str, key: ContentKey, table: str, pause: Callable[[], None] = lambda: None
) -> TableSum:
    try:
        sql = _SCHEMA_ROWS if table == SCHEMA else f'select * from "{table}"'  # noqa: S608  our own tables
        return sum_rows(key, table, _with_pauses(connection.execute(sql), pause))
    except (apsw.SQLError, apsw.CorruptError, UnicodeDecodeError) as error:
        raise StoreError(f"{name}: is damaged: the table {table} cannot be read: {error}; {RESTORE}") from None


def _with_pauses(rows: Iterable[tuple[Any, ...]], pause: Callable[[], None]) -> Iterator[tuple[Any, ...]]:
    left = iter(rows)
    while some := tuple(islice(left, ROWS_AT_ONCE)):
        yield from some
        pause()


# --------------------------------------------------------------------------------------------- computing


def write_content(connection: apsw.Connection, name: str, keys: ContentKeys) -> StoredContent:
    """Compute all sums from what the store holds, and write them within the transaction in progress.

    `StoreError` if it has triggers or views: none of ours has, and theirs would change rows in our name.
    """
    foreign = connection.execute(f"select name from {SCHEMA} where type in ('trigger', 'view')").fetchall()  # noqa: S608
    if foreign:
        raise StoreError(f"{name}: was changed outside the program: {foreign[0][0]} is not ours; {RESTORE}")
    key = ContentKey(keys.ring.current, _store_id(connection, name))
    names = [SCHEMA, *(row[0] for row in connection.execute(_TABLES))]
    tables = {each: _sum(connection, name, key, each) for each in names}
    stored = key.encrypt(int(connection.pragma("user_version")), tables)
    connection.execute(f"insert or replace into {OWN_TABLE} (one, key, sums) values (1, ?, ?)", (key.id, stored))  # noqa: S608
    return StoredContent(key, tables, stored)


def sums_of(connection: apsw.Connection, name: str, held: StoredContent) -> ContentSums:
    """The sums of a connection that writes: it notes every row that it changes from now on."""
    if not hasattr(connection, "preupdate_hook"):
        raise StoreError(f"{name}: apsw was built without SQLITE_ENABLE_PREUPDATE_HOOK; install it from its wheel")
    sums = ContentSums(held.key, int(connection.pragma("user_version")), held.tables, held.stored)
    connection.preupdate_hook(sums.note)
    return sums
