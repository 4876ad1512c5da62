"""Bundles: one JSON file with entries of a journal and all that is needed to check them; see docs/bundle.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Raw
from msgspec.inspect import type_info

from baccarat.law.typed_value import Wording
from baccarat.record.entry import IN_ENTRIES, HexHash, Number, StreamName
from baccarat.record.misread import why_not_json, why_unread
from baccarat.table.bounds import ShortText

FORM = 1
"""The version of this form."""
MOST_BYTES = 256 * 1024 * 1024
"""How long a bundle may be."""
MOST_NUMBER = 2**53 - 1

ROUND: Final = "round"
SHOE: Final = "shoe"
DAY: Final = "day"
ALL: Final = "all"
BASE64_HASH = Meta(pattern=r"^[A-Za-z0-9+/]{43}=\Z")
Base64Hash = Annotated[str, BASE64_HASH, Meta(description="32 bytes in base64")]
IN_BUNDLES = Wording(
    "object", named=(*IN_ENTRIES.named, (type_info(Annotated[str, BASE64_HASH]), "32 bytes in base64"))
)
"""The words for a fault in a bundle."""
Counted = Annotated[int, Meta(ge=1, lt=2**53)]


class UnreadableBundle(ValueError):  # noqa: N818
    """Bytes that are not a bundle, and why."""


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a bundle: unknown fields are an error, and absent values are omitted."""


class Scope(_Part, frozen=True, kw_only=True):
    """What a bundle is about; shoes are counted from 1, and rounds from 1 within their shoe."""

    kind: Literal["round", "shoe", "day", "all"]
    stream: StreamName
    shoe: Counted | None = None
    round: Counted | None = None
    day: Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")] | None = None

    def __str__(self) -> str:
        match self.kind:
            case "round":
                return f"{self.stream}, shoe {self.shoe}, round {self.round}"
            case "shoe":
                return f"{self.stream}, shoe {self.shoe}"
            case "day":
                return f"{self.stream}, {self.day}"
            case _:
                return f"{self.stream}, from its opening to its end"


class TreeHead(_Part, frozen=True, kw_only=True):
    """How many entries a log has, and their root, unsigned."""

    size: Number
    root: Base64Hash


class BundleRulebook(_Part, frozen=True, kw_only=True):
    """A rulebook: its hash, what was filed, and the text of the edition if the program does not ship it."""

    hash: HexHash
    submission: dict[str, Any]
    edition: Annotated[str, Meta(min_length=1)] | None = None


class StatedState(_Part, frozen=True, kw_only=True):
    """The state of the table before the first record of the run, which is stated and not proved."""

    seq: Number
    """The last record before the run."""
    events: Number
    """How many events there were up to it."""
    hash: HexHash
    """Its hash in the chain, from which that of the first record of the run is made."""
    rulebook: HexHash
    state: Raw


class BundleEntry(_Part, frozen=True, kw_only=True):
    """An entry: its index in the stream's log, its hash in the stream's chain, and its body.

    A late record has no hash: nothing in the bundle leads to it.
    """

    index: Number
    hash: HexHash | None = None
    record: Raw


class Bundle(_Part, frozen=True, kw_only=True):
    """One file about a round, a shoe, a day or the whole of a journal."""

    bundle: int
    program: ShortText
    scope: Scope
    checkpoint: Annotated[str, Meta(max_length=1_000_000)] | None = None
    tree_head: TreeHead | None = None
    keys: Annotated[tuple[Annotated[str, Meta(max_length=1000)], ...], Meta(max_length=100)] = ()
    proof: tuple[Base64Hash, ...] = ()
    rulebooks: Annotated[tuple[BundleRulebook, ...], Meta(min_length=1, max_length=1000)]
    before: StatedState | None = None
    entries: Annotated[tuple[BundleEntry, ...], Meta(min_length=1)]


_read = msgspec.json.Decoder(Bundle).decode


class _BundleVersion(msgspec.Struct):
    bundle: int


_read_version = msgspec.json.Decoder(_BundleVersion).decode


def read_bundle(data: bytes) -> Bundle:
    """The bundle encoded in bytes; only its form is checked."""
    if len(data) > MOST_BYTES:
        raise UnreadableBundle(f"longer than {MOST_BYTES:,} bytes")
    try:
        version = _read_version(data).bundle
        if version != FORM:
            newer = "newer than this program can read" if version > FORM else "not known"
            raise UnreadableBundle(f"version {version} of a bundle is {newer}; expected {FORM}")
        found = _read(data)
        json.loads(
            data, object_pairs_hook=_refuse_repeated_key, parse_int=_refuse_large_number, parse_float=_no_float,
            parse_constant=_no_float,
        )  # fmt: skip
        _check_nulls(msgspec.json.decode(data))
    except msgspec.ValidationError as error:
        raise UnreadableBundle(f"no bundle: {why_unread(data, Bundle, error, words=IN_BUNDLES)}") from None
    except msgspec.DecodeError as error:
        raise UnreadableBundle(why_not_json(error)) from None
    except RecursionError:
        raise UnreadableBundle("nested deeper than any bundle") from None
    except UnicodeDecodeError:
        raise UnreadableBundle("not UTF-8") from None
    if len({each.hash for each in found.rulebooks}) != len(found.rulebooks):
        raise UnreadableBundle("rulebooks: a rulebook is listed twice")
    if (found.checkpoint is None) == (found.tree_head is None):
        raise UnreadableBundle("expected either a checkpoint or a tree_head")
    _check_scope(found.scope)
    return found


def _check_nulls(whole: dict[str, Any]) -> None:
    """Refuse null in place of an absent field; only records, Submissions and states may hold it."""
    within = [("scope", whole["scope"]), ("before", whole.get("before", {})), ("tree_head", whole.get("tree_head", {}))]
    within += [("rulebooks", each) for each in whole["rulebooks"]] + [("entries", each) for each in whole["entries"]]
    for where, part in (("", whole), *within):
        empty = [name for name, value in part.items() if value is None] if part is not None else []
        if empty:
            place = f"{where}.{empty[0]}" if where else empty[0]
            raise UnreadableBundle(f"{place}: null; expected a value, or no such field")


def _refuse_repeated_key(pairs: Sequence[tuple[str, Any]]) -> None:
    """Refuse JSON that two readers could read differently; nothing of it is stored."""
    if len({key for key, _ in pairs}) != len(pairs):
        raise UnreadableBundle("a key occurs twice in an object")


def _refuse_large_number(text: str) -> None:
    if len(text) > 17 or abs(int(text)) > MOST_NUMBER:
        raise UnreadableBundle(f"{text[:40]} is larger than some readers of JSON can read")


def _no_float(text: str) -> None:
    raise UnreadableBundle(f"{text[:40]} is not a whole number")


def _check_scope(scope: Scope) -> None:
    wanted = {
        ROUND: {"stream", "shoe", "round"}, SHOE: {"stream", "shoe"}, DAY: {"stream", "day"}, ALL: {"stream"},
    }[scope.kind]  # fmt: skip
    named = {name for name in ("stream", "shoe", "round", "day") if getattr(scope, name) is not None}
    if named != wanted:
        raise UnreadableBundle(f"the scope of a {scope.kind} names {', '.join(sorted(wanted))}")


def day_of(at: int) -> str:
    """The day, in UTC, of a time in microseconds."""
    try:
        return datetime.fromtimestamp(at // 1_000_000, UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):
        return ""


_encode = msgspec.json.Encoder(order="sorted").encode


def canonical_bytes(raw: bytes) -> bytes:
    """The canonical bytes (RFC 8785) of JSON that may be written with spaces or in another order."""
    return _encode(msgspec.json.decode(raw))


def write_bundle(bundle: Bundle) -> bytes:
    """A bundle as a file: one entry per line, so that a person can read it."""
    head = {name: getattr(bundle, name) for name in Bundle.__struct_fields__ if name != "entries"}
    rows = [f"{json.dumps(name)}:".encode() + msgspec.json.encode(part) for name, part in head.items() if part != ()]
    shown = [row for row in rows if not row.endswith(b":null")]
    entries = b",\n".join(map(msgspec.json.encode, bundle.entries))
    return b"{" + b",\n".join([*shown, b'"entries":[\n' + entries + b"\n]"]) + b"}\n"
