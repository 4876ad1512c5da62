"""Opening a store on SQLite: what is not ours is refused and left as it is; a new file is created atomically.

A new database is made under another name, synced, and only then renamed, so that a power cut leaves either no store or
a whole one. An existing one is checked before anything is written: its first bytes, its length, the files next to it,
the schema version, and whether the WAL that is waiting to be written back belongs to this store.
"""

from __future__ import annotations

import os
import secrets
from importlib import resources
from pathlib import Path
from struct import Struct

import apsw
from msgspec.structs import replace

from baccarat.record.durable import sync_file, sync_folder
from baccarat.serve.store.base import StoreError
from baccarat.serve.store.content_check import (
    StoredContent,
    check_pages,
    check_tables,
    has_sums,
    large_tables,
    stored_content,
    write_content,
)
from baccarat.serve.store.content_sum import ContentKeys

APPLICATION = 0x62616363
"""The application id in the database's header: a store of ours."""
PAGE_BYTES = 2048
"""A commit writes whole pages, most of them with little that is new: with 4096 it writes half as much more."""
SYNCHRONOUS = "FULL"
"""Every commit waits until its log is on the disk. With less, a power cut loses what was answered."""
WAITS_MS = 5_000
"""How long to wait for another program that reads or copies the database."""
LARGEST_LOG = 16 * 1024 * 1024
"""The size to which the WAL is cut back after a long reader has made it grow."""

BRING_BACK = "restore a backup (baccarat restore)"
MAGIC = b"SQLite format 3\0"
_HEADER = Struct(">16s H 2s 4x I I 28x I 4x I 20x I")
"""Magic, page size, how it is written and read, change counter, pages, schema version, application, and the change at
which pages were counted."""
WAL_MODE = b"\2\2"
"""How a database in WAL mode is written and read."""
_LOG_HEADER = Struct(">8x I 4x 8s 8x")
"""Of a WAL: the page size, and the salt that all of its frames have."""
_FRAME = Struct(">I 4x 8s 8x")
"""Of a frame: the page, and the salt."""


def schema_files() -> list[str]:
    """The numbered files of the schema, 0001.sql first; a store's version is the number of the last one applied."""
    folder = resources.files(__package__) / "schema" / "sqlite"
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".sql"))
    assert names == [f"{number:04}.sql" for number in range(1, len(names) + 1)], "numbered from 0001 without gaps"
    return [(folder / name).read_text(encoding="utf-8") for name in names]


# ------------------------------------------------------------------------------------------------ before


def examine(path: Path) -> bool:
    """Whether there is a store at a path; `StoreError` says why a file there cannot be one. Nothing is written."""
    log, journal = companion_path(path, "-wal"), companion_path(path, "-journal")
    if not path.parent.is_dir():
        raise StoreError(f"{path}: there is no folder {path.parent}; create it first")
    if path.is_dir():
        raise StoreError(f"{path}: is a folder; name the file of the store, such as {path / 'house.db'}")
    if not os.access(path.parent, os.W_OK | os.X_OK) or (path.exists() and not os.access(path, os.R_OK | os.W_OK)):
        what = path.parent if not os.access(path.parent, os.W_OK | os.X_OK) else path
        raise StoreError(f"{what}: cannot be written by this user; a store is a file with others next to it")
    if _length(journal):
        raise StoreError(f"{journal}: was left by another program; move it away if it is not needed")
    if not path.exists():
        if _length(log):
            raise StoreError(f"{path}: is missing, but its log {log.name} exists; restore the file to which it belongs")
        return False
    if not path.is_file():
        raise StoreError(f"{path}: is not a regular file")
    _examine_header(path, has_log=bool(_length(log)))
    return True


def _examine_header(path: Path, *, has_log: bool) -> None:
    with path.open("rb") as file:
        header = file.read(_HEADER.size)
        size = file.seek(0, os.SEEK_END)
    if not size:
        raise StoreError(f"{path}: is empty; remove it to have a new store created in its place")
    if len(header) < _HEADER.size or not header.startswith(MAGIC):
        raise StoreError(f"{path}: is not a store of a house: it does not begin like an SQLite database")
    _, page_bytes, log_mode, change, pages, version, application, counted = _HEADER.unpack(header)
    if application != APPLICATION:
        raise StoreError(f"{path}: is an SQLite database of another program, not a store of a house")
    check_version(path, version)
    if log_mode != WAL_MODE:
        raise StoreError(f"{path}: is damaged, or was changed by another program: it is not in WAL mode; {BRING_BACK}")
    expected = pages * page_bytes
    if not has_log and change == counted and size < expected:  # with a log, see `_check_pages`
        raise StoreError(f"{path}: is cut off: it has {size:,} of {expected:,} bytes; {BRING_BACK}")


def _pages_of(log: Path) -> set[int]:
    """The pages in a WAL; some may be missing in the file, if a process was stopped while writing them back."""
    found = set[int]()
    if not _length(log):
        return found
    with log.open("rb") as file:
        header = file.read(_LOG_HEADER.size)
        if len(header) < _LOG_HEADER.size:
            return found
        page_bytes, salt = _LOG_HEADER.unpack(header)
        while len(frame := file.read(_FRAME.size)) == _FRAME.size:
            page, frame_salt = _FRAME.unpack(frame)
            if frame_salt != salt:
                break
            found.add(page)
            file.seek(page_bytes, os.SEEK_CUR)
    return found


def check_version(path: Path, version: int) -> None:
    """`StoreError` if a later program has written the store."""
    known = len(schema_files())
    if version > known:
        raise StoreError(
            f"{path}: was written by a later version of this program (schema {version}; this one knows {known}); "
            "run that version, or restore an earlier backup"
        )


def companion_path(path: Path, ending: str) -> Path:
    """The path of a file that SQLite has next to a database."""
    return path.with_name(path.name + ending)


def _length(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


# ------------------------------------------------------------------------------------------------ making


def make_private(path: Path) -> None:
    """Create a file that only its owner may read; SQLite gives the files next to it the same mode."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def create(path: Path) -> None:
    """Create an empty store; the file gets its name only when it is complete and on the disk."""
    made = path.with_name(f".{path.name}.new")
    for old in (made, companion_path(made, "-wal"), companion_path(made, "-shm"), companion_path(made, "-journal")):
        old.unlink(missing_ok=True)  # left by a start that was killed, and never used
    try:
        make_private(made)
        connection = apsw.Connection(str(made))
        connection.pragma("page_size", PAGE_BYTES)
        connection.pragma("application_id", APPLICATION)
        connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", "full")
        connection.execute("begin immediate")
        upgrade(connection, made)
        connection.execute("insert into identity (id) values (?)", (secrets.token_bytes(16),))
        connection.execute("commit")
        connection.close()
        sync_file(made)
        made.rename(path)
        sync_folder(path.resolve().parent)
    except (apsw.Error, OSError) as error:
        made.unlink(missing_ok=True)
        raise StoreError(f"{path}: cannot be created: {error}") from error


def upgrade(connection: apsw.Connection, path: Path) -> None:
    """Apply the files of the schema that are new to a store, within the transaction in progress."""
    version = int(connection.pragma("user_version"))
    check_version(path, version)
    for number, sql in enumerate(schema_files()[version:], start=version + 1):
        connection.execute(sql)
        connection.execute(f"pragma user_version = {number}")


def open_content(
    connection: apsw.Connection, path: Path, keys: ContentKeys | None, *, is_new: bool
) -> StoredContent | None:
    """Upgrade a store, and check or begin its content sums; None without a key. `StoreError` if it was changed."""
    name, version = str(path), int(connection.pragma("user_version"))
    if keys is None and has_sums(connection, name):
        raise StoreError(f"{path}: its content is authenticated; it is opened with the sealing key of its house")
    held = stored_content(connection, name, keys) if keys is not None else None
    is_whole = version == len(schema_files())
    if is_whole and (keys is None or (held is not None and held.key.id == keys.ring.current.id)):
        if held is None:
            return None
        later = large_tables(connection, held)
        check_tables(connection, name, held, [each for each in held.tables if each not in later])
        return replace(held, unchecked=later)
    # Everything is summed again, for another schema or under another key, so it must first match the old sums.
    if held is not None:
        check_tables(connection, name, held, held.tables)
    elif not is_new:
        check_pages(connection, name)  # the content is accepted unchecked, but not what cannot be read
    connection.execute("begin immediate")
    upgrade(connection, path)
    made = write_content(connection, name, keys) if keys is not None else None
    connection.execute("commit")
    is_found = held is None and not is_new
    return replace(made, is_taken_as_found=is_found) if made is not None else None


def connect(path: Path, *, vfs: str | None = None, to_write: bool, is_immutable: bool = False) -> apsw.Connection:
    """A connection to an existing store, with all settings that durability depends on."""
    flags = apsw.SQLITE_OPEN_READWRITE if to_write else apsw.SQLITE_OPEN_READONLY
    name = str(path)
    if is_immutable:
        flags, name = flags | apsw.SQLITE_OPEN_URI, f"{path.resolve().as_uri()}?immutable=1"
    connection = apsw.Connection(name, flags=flags, vfs=vfs)
    connection.set_busy_timeout(WAITS_MS)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)  # after a storage error nothing may be written back
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.pragma("trusted_schema", 0)
    if to_write:
        connection.pragma("synchronous", SYNCHRONOUS)
        connection.pragma("fullfsync", 1)  # on some systems a plain fsync returns before the data is on the disk
        connection.pragma("checkpoint_fullfsync", 1)
        connection.pragma("secure_delete", "fast")  # erased names leave no trace in the pages that held them
        connection.pragma("journal_size_limit", LARGEST_LOG)
        mode = connection.pragma("journal_mode")
        assert mode == "wal", f"a store must be in WAL mode, and this one is in {mode}"
    return connection


def connect_to_read(path: Path, *, is_immutable: bool = False) -> apsw.Connection:
    """A connection that only reads an existing store; `StoreError` says why that is impossible.

    One that is not open anywhere, and has no log, `is_immutable`: then SQLite puts no file next to it.
    """
    if not path.exists():
        raise StoreError(f"{path}: there is no such file")
    examine(path)
    try:
        return connect(path, to_write=False, is_immutable=is_immutable)
    except apsw.Error as error:
        raise StoreError(f"{path}: cannot be read: {error}") from None


def _check_pages(connection: apsw.Connection, path: Path) -> None:
    """`StoreError` if a page is neither in the file nor in the WAL: the file is cut off, or older than the WAL."""
    pages, page_bytes = (int(str(connection.pragma(name))) for name in ("page_count", "page_size"))
    there = path.stat().st_size // page_bytes
    missing = set(range(there + 1, pages + 1)) - _pages_of(companion_path(path, "-wal")) if there < pages else set()
    if missing:
        raise StoreError(
            f"{path}: is cut off, or older than the log next to it, {path.name}-wal: {len(missing):,} of "
            f"{pages:,} pages are in neither; {BRING_BACK}, and move that log away"
        )


def check_contents(connection: apsw.Connection, path: Path) -> None:
    """`StoreError` if the heads belong to another store, or the entries that they name are missing.

    The WAL of another store has pages that would replace this one's; nothing has been written back yet.
    """
    _check_pages(connection, path)
    identity = connection.execute("select id from identity").fetchall()
    if len(identity) != 1:
        raise StoreError(f"{path}: is damaged: it has {len(identity)} ids; {BRING_BACK}")
    if connection.execute("select 1 from head where store <> ? limit 1", identity[0]).fetchall():
        raise StoreError(f"{path}: the log next to it, {path.name}-wal, belongs to another store; move it away")
    wrong = connection.execute(
        "select name from head join stream on stream.id = head.stream "
        "left join entry on entry.position = head.position "
        "where log_seq <= head.seq and (entry.stream, entry.seq, entry.hash) is not (head.stream, head.seq, head.hash)"
    ).fetchall()
    ahead = "select 1 from entry where position > (select coalesce(max(position), 0) from head) limit 1"
    if connection.execute(ahead).fetchall():
        raise StoreError(f"{path}: is damaged: it has entries after all heads; {BRING_BACK}")
    if wrong:
        raise StoreError(f"{path}: is damaged: the last entry of {wrong[0][0]} is missing; {BRING_BACK}")
