"""Where the verification of a house's history stands: the point from which it resumes, and what it has found.

Both are settings in the store, under a MAC whose key is derived from the sealing key, which is never in the database.
So someone who has only the database cannot move verification forward, past a changed entry. Restoring an older point
with its MAC only makes verification repeat work, and a missing point makes it start from the beginning.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import zlib
from collections.abc import Mapping

import msgspec

from baccarat.house.stream import Stream
from baccarat.record.sealed_seed import KeyNotAtHand, KeyRing
from baccarat.record.utc import utc_text
from baccarat.serve.store.base import StoredHead, StoredSnapshot

POINT, STATUS = "history_point", "history_status"
"""The settings that hold them."""
PURPOSE = "verification of history"
"""What the key of their MACs is for."""
MOST_FINDINGS = 20
MOST_BYTES = 1 << 30
"""How large a point may be once it is uncompressed: it comes from the database."""


class HistoryFinding(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with the history of a house, and where."""

    say: str
    stream: Stream = Stream("")
    """Empty if it concerns no single stream."""
    seq: int = -1
    """The entry; -1 if it concerns no single one."""
    clauses: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f"entry {self.seq:,} of {self.stream}: " if self.seq >= 0 else f"{self.stream}: " if self.stream else ""
        return f"{where}{self.say}"


class HistoryStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How far the history of a house was decided again, and which faults were found."""

    verified: int = 0
    """How many entries, counted over all streams, those that were skipped included."""
    entries: int = 0
    """How many there were when it was counted."""
    skipped: int = 0
    """How many of them could not be decided again, because a practice house had dropped earlier ones."""
    at: int = 0
    """When it reached that point, in microseconds UTC; 0 before anything was verified."""
    findings: tuple[HistoryFinding, ...] = ()

    def __str__(self) -> str:
        if not self.at:
            return "not verified yet"
        skipped = f" ({self.skipped:,} of them dropped before they were)" if self.skipped else ""
        return f"verified to entry {self.verified:,} of {self.entries:,}{skipped}, at {utc_text(self.at // 1_000_000)}"


class ResumePoint(msgspec.Struct, frozen=True, kw_only=True):
    """A house as history leads to it, up to certain heads, from where verification goes on."""

    form: str
    """Which program can read it (`recovery.FORM`): another one decides everything again."""
    heads: dict[Stream, StoredHead]
    skipped: int = 0
    body: bytes = b""
    """The house there, in the form of a snapshot."""

    @property
    def snapshot(self) -> StoredSnapshot:
        """The same as a snapshot."""
        return StoredSnapshot(0, self.form, self.heads, self.body)

    def encode(self) -> bytes:
        """The bytes that are stored."""
        return zlib.compress(msgspec.msgpack.encode(self))

    @classmethod
    def decode(cls, data: bytes) -> ResumePoint | None:
        """The point in stored bytes; None if this program cannot read it."""
        try:
            return msgspec.msgpack.decode(zlib.decompressobj().decompress(data, MOST_BYTES), type=cls)
        except (zlib.error, msgspec.MsgspecError):
            return None


# ----------------------------------------------------------------------------------------------- the MAC


class TamperedSetting(Exception):  # noqa: N818
    """A stored point or status is not what this house has stored: somebody has written to its database."""


class _Sealed(msgspec.Struct, frozen=True):
    """A setting with its MAC."""

    key: str
    """The id of the sealing key."""
    mac: str
    data: str
    """The bytes in Base64."""


def _mac(ring: KeyRing, key: str, name: str, store: bytes, data: bytes) -> str:
    message = b"".join(len(part).to_bytes(8, "big") + part for part in (name.encode(), store, data))
    return hmac.digest(ring.find(key).derive(PURPOSE), message, "sha256").hex()


def sealed_setting(ring: KeyRing, name: str, data: bytes, *, store: bytes) -> dict[str, str]:
    """A setting with this content, under a MAC that is good for this setting of this store alone."""
    key = ring.current.id
    made = _Sealed(key, _mac(ring, key, name, store, data), base64.b64encode(data).decode())
    return {name: msgspec.json.encode(made).decode()}


def open_setting(ring: KeyRing, name: str, text: str | None, *, store: bytes) -> bytes | None:
    """The content of a setting; None if there is none, or if its key is not on the ring any more.

    `TamperedSetting` if the MAC is wrong.
    """
    if text is None:
        return None
    try:
        held = msgspec.json.decode(text, type=_Sealed)
        data = base64.b64decode(held.data, validate=True)
        expected = _mac(ring, held.key, name, store, data)
    except KeyNotAtHand:
        return None
    except (msgspec.MsgspecError, binascii.Error):
        raise TamperedSetting(name) from None
    if not hmac.compare_digest(held.mac.encode(), expected.encode()):
        raise TamperedSetting(name)
    return data


def status_setting(ring: KeyRing, status: HistoryStatus, *, store: bytes) -> Mapping[str, str]:
    """A status as a setting."""
    return sealed_setting(ring, STATUS, msgspec.json.encode(status), store=store)


def read_status(ring: KeyRing, text: str | None, *, store: bytes) -> HistoryStatus | None:
    """The status in a setting; None if there is none that can be read. `TamperedSetting` if it was changed."""
    data = open_setting(ring, STATUS, text, store=store)
    try:
        return None if data is None else msgspec.json.decode(data, type=HistoryStatus)
    except msgspec.MsgspecError:
        return None
