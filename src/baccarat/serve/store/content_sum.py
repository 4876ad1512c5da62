"""Authentication of what a store holds: a sum over the rows of each table, under a key that is not in the store.

Each row is mapped to a number of 256 bits by a keyed hash of its table and its columns, and the sum of a table is the
sum of these numbers. Nobody without the key can change, remove, double or replace a row so that the sum stays the same;
an old row that was stored here once does not fit either, because the sum has lost it. The order of rows does not
matter, so a sum is brought up to date by adding what is inserted and subtracting what is deleted; nothing is read.

SQLite reports every row that it changes, whatever the statement was (`ContentSums.note`); what each commit writes in
bulk is noted without that, which takes less time (`note_rows`). The sums are written in the same transaction as the
rows. They are encrypted, and with them the number of rows and the version of the schema. The definitions of tables,
indexes and triggers are summed like a table.

What this cannot show: that a whole older file was put in place, which fits its own sums. A witness can
(`docs/log.md`), or a verifier that remembers a checkpoint.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
ContentRow = tuple[Any, ...]
"""The columns of a row."""
MOST_RECENT = 4_096
"""How many numbers of updated rows are remembered."""
_MODULUS = 1 << 256
_encode = msgspec.msgpack.Encoder().encode


class ContentKeys(msgspec.Struct, frozen=True, kw_only=True):
    """The keys with which a store may be opened, and which stores must not be opened without their sums."""

    ring: KeyRing
    lost: Collection[str] = ()
    """The ids of sealing keys that are lost: what they authenticated is accepted unchecked."""
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
        self._begun: dict[str, hashlib.blake2b] = {}
        """The keyed hash of each table, once it has taken the table's name."""

    def numbers(self, table: str, rows: Iterable[ContentRow]) -> Iterator[int]:
        """The number of each row."""
        begun, encode, number = self._begun.get(table), _encode, int.from_bytes
        if begun is None:
            begun = self._begun[table] = hashlib.blake2b(encode(table), key=self._rows, digest_size=32)
        for row in rows:
            hashed = begun.copy()
            hashed.update(encode(row))
            yield number(hashed.digest(), "little")

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
        self._old: dict[str, list[ContentRow]] = {}
        self._new: dict[str, list[ContentRow]] = {}
        """The rows of each table as the transaction in progress found them, and as it leaves them."""
        self._recent: dict[str, dict[ContentRow, int]] = {}
        """The numbers of rows as their last update left them; the next one needs them again: the heads of streams."""
        self._written = self._tables, stored
        """The sums as the transaction in progress has written them."""

    def note(self, change: apsw.PreUpdate) -> None:
        """Note a row that SQLite is about to change."""
        table, old, new = change.table_name, change.old, change.new
        if old is not None:
            self._old.setdefault(table, []).append(old)
        if new is not None:
            self._new.setdefault(table, []).append(new)

    def note_rows(self, table: str, new: Sequence[ContentRow], old: Sequence[ContentRow] = ()) -> None:
        """Note rows that were written while SQLite did not report them."""
        if new:
            self._new.setdefault(table, []).extend(new)
        if old:
            self._old.setdefault(table, []).extend(old)

    def discard(self) -> None:
        """Forget what a transaction that was rolled back has changed."""
        self._old.clear()
        self._new.clear()

    def write(self, connection: apsw.Connection) -> bool:
        """Write the sums as they are after the transaction in progress; False if they are not those it began with."""
        touched = self._old.keys() | self._new.keys()
        if not touched:
            return True
        tables = self._tables | {table: self._after(table) for table in touched}
        stored = self._key.encrypt(self._version, tables)
        before = connection.total_changes()
        connection.execute(f"update {OWN_TABLE} set sums = ? where sums = ?", (stored, self._stored))  # noqa: S608
        self._written = tables, stored
        return connection.total_changes() == before + 1

    def accept(self) -> None:
        """The transaction that was written last is durable."""
        if self._old or self._new:
            self._tables, self._stored = self._written
            self.discard()

    def _after(self, table: str) -> TableSum:
        """The sum of a table after the transaction in progress."""
        known, old, new = self._tables[table], self._old.get(table, ()), self._new.get(table, ())
        total = int.from_bytes(known.total, "little")
        come = list(self._key.numbers(table, new))
        total += sum(come)
        if old:
            # a replaced row is taken out, because it cannot be replaced again: otherwise memory would grow
            recent = self._recent.setdefault(table, {})
            known_numbers = [recent.pop(row, None) for row in old]
            unknown = [row for row, number in zip(old, known_numbers, strict=True) if number is None]
            total -= sum(number for number in known_numbers if number is not None)
            total -= sum(self._key.numbers(table, unknown))
            if len(recent) > MOST_RECENT:
                recent.clear()
            recent.update(zip(new, come, strict=True))
        return TableSum(known.rows + len(new) - len(old), (total % _MODULUS).to_bytes(32, "little"))


def sum_rows(key: ContentKey, table: str, rows: Iterable[ContentRow]) -> TableSum:
    """The sum of a table's rows."""
    count = total = 0
    for number in key.numbers(table, rows):
        count += 1
        total += number
    return TableSum(count, (total % _MODULUS).to_bytes(32, "little"))
