"""Authentication of what a store holds: a sum over the rows of each table, under a key that is not in the store.

Each row is mapped to a number of 256 bits by a keyed hash of its table and its columns, and the sum of a table is the
sum of these numbers. Nobody without the key can change, remove, double or replace a row so that the sum stays the same;
an old row that was stored here once does not fit either, because the sum has lost it. The order of rows does not
matter, so a sum is brought up to date by adding what is inserted and subtracting what is deleted; nothing is read.

SQLite reports every row that it changes, whatever the statement was (`ContentSums.note`), and the sums are written in
the same transaction as the rows. They are encrypted, and with them the number of rows and the version of the schema.
The definitions of tables, indexes and triggers are summed like a table.

What this cannot show: that a whole older file was put in place, which fits its own sums. A witness can
(`docs/witness.md`), or a verifier that remembers a checkpoint.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from baccarat.record.sealed_seed import KeyRing, SealingKey

if TYPE_CHECKING:
    import apsw

OWN_TABLE = "content_sum"
"""The table of the sums, which is not summed itself."""
SCHEMA = "sqlite_schema"
"""The name under which the definitions are summed."""
NONCE_BYTES = 12
_MODULUS = 1 << 256
_encode = msgspec.msgpack.Encoder().encode


class ContentKeys(msgspec.Struct, frozen=True, kw_only=True):
    """The keys with which a store may be opened, and which stores must not be opened without their sums."""

    ring: KeyRing
    lost: Collection[str] = ()
    """The ids of sealing keys that are lost: what they authenticated is taken as found."""
    known: Collection[bytes] = ()
    """The ids of stores that had sums under one of these keys: one of them without sums was tampered with."""
    known_in: str = ""
    """Where these ids are stored."""


class TableSum(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """How many rows a table has, and their sum."""

    rows: int = 0
    total: bytes = bytes(32)


class StoredSums(msgspec.Struct, frozen=True, array_like=True):
    """The sums as they are encrypted."""

    version: int
    """Of the schema."""
    tables: dict[str, TableSum]


class ContentKey:
    """The key of one store's sums, derived from a sealing key."""

    def __init__(self, sealing: SealingKey, store: bytes) -> None:
        self.id = sealing.id
        self._sums = SealingKey(sealing.derive(f"content sums of {store.hex()}")).cipher()
        self._rows = sealing.derive(f"content rows of {store.hex()}")

    def add_up(self, table: str, rows: Iterable[tuple[Any, ...] | None]) -> tuple[int, int]:
        """How many rows these are, and the sum of their numbers; None is no row."""
        encode, blake2b, number, key = _encode, hashlib.blake2b, int.from_bytes, self._rows
        count = total = 0
        for row in rows:
            if row is not None:
                count += 1
                total += number(blake2b(encode((table, row)), key=key, digest_size=32).digest(), "little")
        return count, total

    def encrypt(self, version: int, tables: Mapping[str, TableSum]) -> bytes:
        """The sums as they are stored."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._sums.encrypt(nonce, _encode((version, tables)), None)

    def decrypt(self, stored: bytes) -> StoredSums | None:
        """The sums that are stored; None if this key did not write them, or they were changed."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415

        try:
            text = self._sums.decrypt(stored[:NONCE_BYTES], stored[NONCE_BYTES:], None)
        except (InvalidTag, ValueError):  # changed, or cut off
            return None
        return msgspec.msgpack.decode(text, type=StoredSums)


class ContentSums:
    """The sums of an open store: what its connection changes is added to them, transaction by transaction."""

    def __init__(self, key: ContentKey, version: int, tables: Mapping[str, TableSum], stored: bytes) -> None:
        self._key, self._version, self._stored = key, version, stored
        self._tables = dict(tables)
        self._old: dict[str, list[tuple[Any, ...] | None]] = {}
        self._new: dict[str, list[tuple[Any, ...] | None]] = {}
        """The rows of each table as the transaction in progress found them, and as it leaves them."""
        self._written = self._tables, stored
        """The sums as the transaction in progress has written them."""

    def note(self, change: apsw.PreUpdate) -> None:
        """Note a row that SQLite is about to change."""
        table = change.table_name
        try:
            self._old[table].append(change.old)
            self._new[table].append(change.new)
        except KeyError:
            self._old[table], self._new[table] = [change.old], [change.new]

    def discard(self) -> None:
        """Forget what a transaction that was rolled back has changed."""
        self._old.clear()
        self._new.clear()

    def write(self, connection: apsw.Connection) -> bool:
        """Write the sums as they are after the transaction in progress; False if they are not those it began with."""
        if not self._new:
            return True
        tables = self._tables | {table: self._after(table) for table in self._new}
        stored = self._key.encrypt(self._version, tables)
        before = connection.total_changes()
        connection.execute(f"update {OWN_TABLE} set sums = ? where sums = ?", (stored, self._stored))  # noqa: S608
        self._written = tables, stored
        return connection.total_changes() == before + 1

    def accept(self) -> None:
        """The transaction that was written last is durable."""
        if self._new:
            self._tables, self._stored = self._written
            self.discard()

    def _after(self, table: str) -> TableSum:
        known = self._tables[table]
        gone, left = self._key.add_up(table, self._old[table])
        come, more = self._key.add_up(table, self._new[table])
        total = (int.from_bytes(known.total, "little") + more - left) % _MODULUS
        return TableSum(known.rows + come - gone, total.to_bytes(32, "little"))


def sum_rows(key: ContentKey, table: str, rows: Iterable[tuple[Any, ...]]) -> TableSum:
    """The sum of a table's rows."""
    count, total = key.add_up(table, rows)
    return TableSum(count, (total % _MODULUS).to_bytes(32, "little"))
