"""Opening a store on PostgreSQL: what is not ours is refused and left as it is; a new one is created atomically.

The tables are in the schema that the address selects (`?options=-csearch_path%3Dhouse`; usually `public`). They are
created and migrated in one transaction that one node at a time may run.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from importlib import resources
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql
from psycopg.abc import Buffer
from psycopg.adapt import Loader

from baccarat.serve.store.base import StoreError, StoreUnreachable
from baccarat.serve.store.connection_group import ConnectionGroup

Connection = psycopg.Connection[tuple[Any, ...]]

WAITS_SECONDS = 10
"""How long to wait for the server to answer a statement."""
CONNECT_SECONDS = 3
"""How long to wait for the server to accept a connection."""
SESSION = {
    "synchronous_commit": "on",  # a commit is answered when it is on the disk
    "statement_timeout": f"{WAITS_SECONDS}s",
    "idle_in_transaction_session_timeout": f"{WAITS_SECONDS}s",
    "client_encoding": "UTF8",
    "timezone": "UTC",
}
"""The settings of every connection."""
MUST_BE_ON = ("fsync", "full_page_writes")
"""Settings of the server without which a power cut loses what was answered."""


class _WholeLoader(Loader):
    """Reads sums of whole numbers, which PostgreSQL returns as numeric."""

    def load(self, data: Buffer) -> int:
        """The number."""
        return int(bytes(data))


def redacted_address(address: str) -> str:
    """An address without its password, as messages name it."""
    parts = urlsplit(address)
    user, at, host = parts.netloc.rpartition("@")
    return urlunsplit((parts.scheme, f"{user.partition(':')[0]}{at}{host}", parts.path, "", ""))


def connect(address: str, *, to_write: bool, group: ConnectionGroup) -> Connection:
    """A connection on which every statement is a transaction of its own; `StoreUnreachable` if there is none."""
    group.check()
    connection: Connection | None = None
    try:
        connection = psycopg.connect(
            address,
            autocommit=True,
            connect_timeout=CONNECT_SECONDS,
            application_name="baccarat",
            keepalives_idle=5,
            keepalives_interval=2,
            keepalives_count=3,
            tcp_user_timeout=1000 * WAITS_SECONDS,
        )
        group.add(connection)
        connection.adapters.register_loader("numeric", _WholeLoader)
        connection.execute(settings_sql(to_write=to_write))
    except BaseException as error:
        if connection is not None:
            connection.close()
        if not isinstance(error, psycopg.Error):
            raise
        said = " ".join(str(error).split())
        raise StoreUnreachable(f"{redacted_address(address)}: cannot be reached: {said}") from None
    return connection


def settings_sql(*, to_write: bool) -> bytes:
    """The statement that sets up a connection."""
    settings = SESSION | ({} if to_write else {"default_transaction_read_only": "on"})
    return "".join(f"set {name} = '{value}';" for name, value in settings.items()).encode()


def schema_files() -> list[str]:
    """The numbered files of the schema, 0001.sql first."""
    folder = resources.files(__package__) / "schema" / "postgres"
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".sql"))
    assert names == [f"{number:04}.sql" for number in range(1, len(names) + 1)], "numbered from 0001 without gaps"
    return [(folder / name).read_text(encoding="utf-8") for name in names]


def prepare(connection: Connection, name: str) -> bytes:
    """Create or migrate the store as needed; returns its id. `StoreError` says why that is impossible."""
    try:
        _check_server(connection, name)
        with connection.transaction():
            connection.execute("select pg_advisory_xact_lock(hashtextextended('schema of ' || current_schema(), 0))")
            version = _version(connection, name)
            if version is None:
                connection.execute(schema_files()[0].encode())
                connection.execute("insert into identity (id, version) values (%s, 1)", (secrets.token_bytes(16),))
                version = 1
            known = len(schema_files())
            if version > known:
                raise StoreError(
                    f"{name}: was written by a later version of this program (schema {version}; this one knows "
                    f"{known}); run that version, or restore an earlier backup"
                )
            for number, text in enumerate(schema_files()[version:], start=version + 1):
                connection.execute(text.encode())
                connection.execute("update identity set version = %s", (number,))
        _check_contents(connection, name)
    except psycopg.Error as error:
        said = str(error).strip()
        if connection.closed:
            raise StoreUnreachable(f"{name}: the connection was lost while the store was opened: {said}") from None
        raise StoreError(f"{name}: the store cannot be created: {said}") from None
    found = connection.execute("select id from identity").fetchall()
    if len(found) != 1:
        raise StoreError(f"{name}: is damaged: it has {len(found)} ids; restore a backup")
    return bytes(found[0][0])


def read_system_id(connection: Connection) -> str:
    """The system identifier of the server, which its standbys have too; empty if it keeps that to itself."""
    try:
        row = connection.execute("select system_identifier::text from pg_control_system()").fetchone()
    except psycopg.Error as error:
        if connection.closed:
            raise StoreUnreachable(f"the connection was lost while the store was opened: {error}") from None
        return ""  # not every hosted server allows the question
    return row[0] if row is not None else ""


def _check_server(connection: Connection, name: str) -> None:
    row = connection.execute("select pg_is_in_recovery(), current_schema(), pg_encoding_to_char(encoding) from "
                             "pg_database where datname = current_database()").fetchone()  # fmt: skip
    assert row is not None, "a connection is to a database"
    standby, schema, encoding = row
    if standby:
        raise StoreError(f"{name}: is a read-only standby; name the primary server")
    if schema is None:
        raise StoreError(f"{name}: the schema that the address names does not exist; create it first")
    if encoding != "UTF8":
        raise StoreError(f"{name}: the database is in {encoding}; a house needs the encoding UTF8")
    for setting in MUST_BE_ON:
        found = connection.execute("select current_setting(%s)", (setting,)).fetchone()
        if found != ("on",):
            raise StoreError(
                f"{name}: the server runs with {setting} = off, and a power cut would lose what was answered"
            )


def _version(connection: Connection, name: str) -> int | None:
    """The schema version of a store; None if there is no store yet."""
    query = "select tablename from pg_tables where schemaname = current_schema()"
    tables = {row[0] for row in connection.execute(query).fetchall()}
    if "identity" in tables:
        with suppress(psycopg.errors.UndefinedColumn):
            row = connection.execute("select version from identity").fetchone()
            return int(row[0]) if row else None
    if tables:
        raise StoreError(
            f"{name}: holds tables of another program, such as {min(tables)}; a house needs a schema of its own"
        )
    return None


def _check_contents(connection: Connection, name: str) -> None:
    wrong = connection.execute(
        "select stream.name from head join stream on stream.id = head.stream "
        "left join entry on entry.position = head.position where log_seq <= head.seq "
        "and (entry.stream, entry.seq, entry.hash) is distinct from (head.stream, head.seq, head.hash) limit 1"
    ).fetchall()
    if wrong:
        raise StoreError(f"{name}: is damaged: the last entry of {wrong[0][0]} is missing; restore a backup")


def compose_sql(text: str) -> sql.SQL:
    """A statement of this program, with `?` for each parameter, in the form of psycopg."""
    return sql.SQL(text.replace("%", "%%").replace("?", "%s"))
