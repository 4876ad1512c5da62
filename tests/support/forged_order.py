"""A golden journal with a shoe of order 2, to be forged: its records, changed, with every hash made again."""

from __future__ import annotations

import base64
import json
from functools import cache
from typing import Any

from baccarat.chain import leaf_hash
from golden_journals import path_of
from kept import rehashed
from remade import canonical

Acts = list[dict[str, Any]]


@cache
def golden_order_2() -> bytes:
    """The journal as it is kept."""
    return path_of("ma-midi-4-order-2").read_bytes()


def acts() -> Acts:
    """The records of a journal with a shoe of order 2, to be forged."""
    return [json.loads(line)["record"] for line in golden_order_2().splitlines()]


def written(records: Acts) -> bytes:
    """The same as a journal, with every hash made again; numbers as they stand now."""
    events = 0
    for seq, record in enumerate(records):
        record["seq"] = seq
        if seq:
            record["event"] = events
        events += len(record.get("events", []))
    lines = [b'{"hash":"' + b"0" * 64 + b'","record":' + canonical(record) + b"}\n" for record in records]
    return b"".join(rehashed(lines))


def with_event(records: Acts, name: str, nth: int = 0) -> dict[str, Any]:
    """A record that has an event of this name."""
    return [each for each in records if any(event["event"] == name for event in each.get("events", []))][nth]


def event_of(records: Acts, name: str, nth: int = 0) -> dict[str, Any]:
    """An event of this name."""
    found: dict[str, Any] = next(e for e in with_event(records, name, nth)["events"] if e["event"] == name)
    return found


def closed_again(records: Acts) -> None:
    """The notes name the closing as it stands now; their signatures are then wrong, which only a key shows."""
    leaf = base64.b64encode(leaf_hash(canonical(with_event(records, "inputs_closed")))).decode()
    for record in records:
        for part in (record.get("command", {}), *record.get("events", [])):
            if "note" in part:
                part["note"][3] = leaf
