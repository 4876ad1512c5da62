"""Forged bundles: every single value that one vouches for, changed, with the hashes that a forger can make anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from baccarat.audit.bundle.form import UnreadableBundle, read_bundle
from baccarat.audit.bundle.verdict import WRONG, BundleVerdict
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.record.encoding import to_base64
from baccarat.record.entry import NO_HASH, hash_after
from baccarat.record.log import Log
from baccarat.record.policy import policy_of_keys
from baccarat.record.subset_proof import prove_subset
from bundles import LOG, WITNESS

Way = tuple[str | int, ...]


def leaves(value: Any, way: Way = ()) -> Iterator[Way]:
    """The way to each single value within JSON."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, (*way, name))
    elif isinstance(value, list) and value:
        for index, part in enumerate(value):
            yield from leaves(part, (*way, index))
    else:
        yield way


def at(value: Any, way: Way) -> Any:
    """What stands at the end of a way."""
    for step in way:
        value = value[step]
    return value


def other(value: Any) -> Any:
    """Another value of the same sort."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case None:
            return 1
        case str():
            digits = "0123456789abcdef"
            if value and all(sign in digits for sign in value):
                return value[:-1] + ("0" if value[-1] != "0" else "1")
            return f"{value}x"
        case list():
            return ["x"]
        case _:
            return {"x": 1}


JUNK: tuple[Any, ...] = (
    None, [], {}, "", "x", -1, 0, 2**53 - 1, True, [[]], {"a": 1}, ["x"], "9" * 64, "— ", {"rank": "9", "suit": "s"},
)  # fmt: skip


def parts(value: Any, way: Way = ()) -> Iterator[Way]:
    """The way to every part of JSON, whole objects and lists included."""
    if way:
        yield way
    named = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in named:
        yield from parts(part, (*way, name))


def forged_at(bundle: dict[str, Any], way: Way) -> dict[str, Any]:
    """A bundle in which one value is another."""
    made: dict[str, Any] = json.loads(json.dumps(bundle))
    at(made, way[:-1])[way[-1]] = other(at(made, way))
    return made


def remade(forged: dict[str, Any], *, tree: bool) -> dict[str, Any]:
    """A forgery with every hash made anew that its forger can make: the chain's, and the tree's where he signs."""
    before = NO_HASH
    for entry in forged["entries"]:
        body = msgspec.json.encode(entry["record"], order="sorted")
        before = hash_after(before, body)
        if "hash" in entry:
            entry["hash"] = before.hex()
        if entry["record"].get("seq") == 0 and "before" in forged:
            before = bytes.fromhex(forged["before"]["hash"])
    if tree:
        bodies = [msgspec.json.encode(entry["record"], order="sorted") for entry in forged["entries"]]
        log = Log(bodies)
        forged.pop("checkpoint", None)
        forged["tree_head"] = {"size": log.size, "root": to_base64(log.root())}
        forged["proof"] = list(map(to_base64, prove_subset(log, range(log.size))))
        for index, entry in enumerate(forged["entries"]):
            entry["index"] = index
    return forged


def is_refused(forged: dict[str, Any]) -> bool:
    """Whether a forgery is found wrong, or is no bundle at all."""
    try:
        return checked(forged).status == WRONG
    except UnreadableBundle:
        return True


FREE = ("program", "keys", "before")
"""What a bundle only states: who wrote it, keys beside the reader's own, the state before."""


def ways(bundle: dict[str, Any]) -> list[Way]:
    """Every single value that a bundle vouches for."""
    return [way for way in leaves(bundle) if way[0] not in FREE]


def sampled(found: list[Way], count: int) -> list[Way]:
    """So many of them, spread over all."""
    return found[:: max(1, len(found) // count)]


def checked(forged: dict[str, Any]) -> BundleVerdict:
    """What the verifier says of a forged bundle, trusting the house's keys."""
    data = json.dumps(forged, ensure_ascii=False).encode()
    return verify_bundle(read_bundle(data), policy=policy_of_keys((LOG.verifier, WITNESS.verifier)))


DECIDED = ("events", "rulebook", "seq", "event", "v", "stream")
"""What the rules decide of a record. Whoever holds every copy, signs anew and has no witness may tell another story
that could have happened: another time, device or id, or a command that leads to the very same events."""


def signable(bundle: dict[str, Any]) -> list[Way]:
    """What is found even if everything is signed anew: all that the rules decide of acts that were taken."""
    entries = bundle["entries"]
    found = [way for way in ways(bundle) if way[:1] == ("entries",) and way[2:3] == ("record",) and way[3] in DECIDED]
    return [way for way in found if entries[way[1]]["record"].get("events")]
