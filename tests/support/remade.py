"""Journals and bundles changed and made whole again, as somebody would who holds every copy: hashes, numbers, roots."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]


def sha(data: bytes) -> bytes:
    """SHA-256."""
    return hashlib.sha256(data).digest()


def canonical(value: object) -> bytes:
    """Canonical JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def records_of(journal: bytes) -> list[Json]:
    """The bodies of a journal, without its checkpoints."""
    lines = [json.loads(line) for line in journal.splitlines()]
    return [line["record"] for line in lines if "record" in line]


def chained(records: list[Json]) -> list[tuple[str, Json]]:
    """Records with the hashes that they should have, each after the one before it in its stream."""
    heads: dict[str, bytes] = {}
    made = []
    for record in records:
        stream = str(record["stream"])  # it may have been forged to be anything
        head = heads[stream] = sha(heads.get(stream, bytes(32)) + canonical(record))
        made.append((head.hex(), record))
    return made


def journal_of(records: list[Json]) -> bytes:
    """A journal of these records, with hashes."""
    return b"".join(
        b'{"hash":"%s","record":%s}\n' % (head.encode(), canonical(body)) for head, body in chained(records)
    )


def renumbered(records: list[Json]) -> list[Json]:
    """The records of one stream, numbered anew without a gap."""
    events = 0
    made = []
    for seq, record in enumerate(copy.deepcopy(records)):
        record["seq"] = seq
        if seq:
            record["event"] = events
            events += len(record.get("events", []))
        made.append(record)
    return made


def tree_root(leaves: list[bytes]) -> bytes:
    """The RFC 6962 root over hashes of leaves, by its recursive definition."""
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << ((len(leaves) - 1).bit_length() - 1)
    return sha(b"\1" + tree_root(leaves[:half]) + tree_root(leaves[half:]))


def tree_path(leaves: list[bytes], index: int) -> list[bytes]:
    """The RFC 6962 inclusion proof of a leaf, by its recursive definition."""
    if len(leaves) == 1:
        return []
    half = 1 << ((len(leaves) - 1).bit_length() - 1)
    if index < half:
        return [*tree_path(leaves[:half], index), tree_root(leaves[half:])]
    return [*tree_path(leaves[half:], index - half), tree_root(leaves[:half])]


def bundle_of(records: list[Json]) -> Json:
    """An unsigned bundle of everything, made of records alone."""
    root = tree_root([sha(b"\0" + canonical(record)) for record in records])
    submissions = {record["rulebook"]: records[0]["submission"] for record in records}
    return {
        "bundle": 1,
        "program": "a forger's",
        "scope": {"kind": "all", "stream": records[0]["stream"]},
        "tree_head": {"size": len(records), "root": base64.b64encode(root).decode()},
        "rulebooks": [{"hash": name, "submission": filed} for name, filed in submissions.items()],
        "entries": [
            {"index": index, "hash": head, "record": body} for index, (head, body) in enumerate(chained(records))
        ],
    }


def first_with(records: list[Json], event: str) -> tuple[int, Json]:
    """Index of the first record with this event, and the event itself."""
    return next(
        (index, found)
        for index, record in enumerate(records)
        for found in record.get("events", [])
        if found["event"] == event
    )


def changed(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if value:
            return ("b" if value[0] == "a" else "a") + value[1:]
        case _:
            return "a"


def leaves_of(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every value in this one that holds no other values."""
    match value:
        case dict() if value:
            for key, inner in value.items():
                yield from leaves_of(inner, (*path, key))
        case list() if value:
            for index, inner in enumerate(value):
                yield from leaves_of(inner, (*path, index))
        case _:
            yield path


def edited(value: Any, path: tuple[str | int, ...], change: Callable[[Any], Any] = changed) -> Any:
    """A copy in which what stands at the path is changed; what lies beside the path is shared with the original."""
    step, *rest = path
    made = copy.copy(value)
    made[step] = edited(value[step], tuple(rest), change) if rest else change(value[step])
    return made


def kinds_of_field(values: list[Json]) -> dict[str, tuple[int, tuple[str | int, ...]]]:
    """One place of each kind of field: which value, and the path in it; places in lists are all of one kind."""
    found: dict[str, tuple[int, tuple[str | int, ...]]] = {}
    for index, value in enumerate(values):
        for path in leaves_of(value):
            kind = ".".join("[]" if isinstance(step, int) else step for step in path)
            found.setdefault(kind, (index, path))
    return found
