"""What random forgeries are made with: parts of records changed, and lines numbered and hashed again."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import Any

from baccarat.record.entry import NO_HASH, hash_after
from baccarat.record.journal import BODY_START, CHECKPOINT, write_line
from bundle_forgery import JUNK, at, other, parts
from honest_files import HonestFile
from remade import canonical

Chance = random.Random
STREAM = re.compile(rb'"stream":"([^"]*)"')


def honest_lines(honest: HonestFile) -> list[bytes]:
    """The lines of an honest journal."""
    return honest.data.splitlines(keepends=True)


def rehashed_lines(lines: list[bytes]) -> list[bytes]:
    """Entries with the hashes of every stream recomputed; checkpoints stay as they are."""
    heads: dict[bytes, bytes] = {}
    made = []
    for line in lines:
        if not line.startswith(CHECKPOINT):
            body = line[BODY_START:-2]
            named = STREAM.findall(body)  # the text of a forged body need not be JSON
            stream = named[-1] if named else b""
            heads[stream] = hash_after(heads.get(stream, NO_HASH), body)
            line = write_line(body, heads[stream])  # noqa: PLW2901
        made.append(line)
    return made


def renumbered_lines(lines: list[bytes]) -> list[bytes]:
    """Entries numbered again without a gap, with their events, and rehashed."""
    seqs, events = dict[str, int](), dict[str, int]()
    made = []
    for line in lines:
        if line.startswith(CHECKPOINT):
            made.append(line)
            continue
        record = json.loads(line[BODY_START:-2])
        stream = record["stream"]
        record["seq"] = seqs[stream] = seqs.get(stream, -1) + 1
        if "event" in record:
            record["event"] = events.get(stream, 0)
            events[stream] = record["event"] + len(record.get("events", ()))
        made.append(line[:BODY_START] + canonical(record) + b"}\n")
    return rehashed_lines(made)


def _way(value: Any, chance: Chance) -> tuple[str | int, ...]:
    """A part of a value at random: a kind of field first, so that the hashes of a proof do not hide the rest."""
    found: dict[str, list[tuple[str | int, ...]]] = {}
    for way in parts(value):
        found.setdefault(_kind(way), []).append(way)
    return chance.choice(found[chance.choice(sorted(found))])


def _kind(way: Sequence[str | int]) -> str:
    return ".".join("[]" if isinstance(step, int) else step for step in way)


def edited(value: Any, chance: Chance) -> tuple[str, Any]:
    """One part of a value changed: another value of its sort, junk, left out, or something added next to it."""
    made = json.loads(json.dumps(value))
    way = _way(made, chance)
    place, name = at(made, way[:-1]), way[-1]
    how = chance.randrange(10)
    if how < 5:
        place[name], did = other(place[name]), "another value"
    elif how < 8:
        place[name] = junk = chance.choice(JUNK)
        did = f"junk {junk!r}"
    elif how == 8:
        del place[name]
        did = "left out"
    else:
        added = chance.choice(JUNK)
        did = f"next to it {added!r}"
        if isinstance(place, dict):
            place[chance.choice(("x", "card", "who", "approvals", "cause", "id", "proof", "refused"))] = added
        else:
            place.append(added)
    return f"{_kind(way)} {did}", made
