"""Forgeries of a hostile house at random: what it changed has its hashes, its tree, its signature and its witness's.

Then only the rules, and what other records say, can show that something is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from baccarat.house.stream import Stream
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.encoding import to_base64
from baccarat.record.journal import BODY_START, CHECKPOINT
from baccarat.record.log import Log
from baccarat.record.note import Signature, SignedNote
from baccarat.record.origin import origin_of
from baccarat.record.subset_proof import prove_subset
from bundle_forgery import other, remade
from forgery_parts import Chance, edited, honest_lines, rehashed_lines, renumbered_lines
from honest_files import COSIGNED, HOUSE, UNSIGNED, WITNESS, History, HonestFile, cosigned_at, journal
from remade import canonical

FIELD_OF_HOUSE, TOLD, ORDER_OF_HOUSE = (
    "a field, signed by the house", "command and events alike, signed by the house", "the order, signed by the house"
)  # fmt: skip
BY_HOUSE = frozenset({FIELD_OF_HOUSE, TOLD, ORDER_OF_HOUSE})
RULED = ("command", "events", "refused", "shown", "joined", "cause", "approvals", "who", "role", "origin", "folded")
"""What of a record is decided; the rest is its place and its time."""
Forgery = tuple[str, bytes]


def _signed(lines: Sequence[bytes], keys: str) -> bytes:
    """Entries with the checkpoints that the house signs for them, cosigned if the honest file was."""
    return journal(History(name="forged", lines=tuple(lines)), keys)


def _entries(honest: HonestFile) -> list[bytes]:
    return [line for line in honest_lines(honest) if not line.startswith(CHECKPOINT)]


def _with_record(line: bytes, record: Any) -> bytes:
    return line[:BODY_START] + canonical(record) + b"}\n"


def _ruled_part(record: dict[str, Any], chance: Chance) -> tuple[str, dict[str, Any]]:
    """One part of what is decided of a record, changed."""
    field = chance.choice([name for name in RULED if name in record])
    what, part = edited({field: record[field]}, chance)
    return what, {name: value for name, value in record.items() if name != field} | part


def _told_alike(record: dict[str, Any], chance: Chance) -> tuple[str, dict[str, Any]] | None:
    """A field that the command and an event of it have in common, changed in both; none if there is no such field."""
    command, events = record.get("command", {}), record.get("events", [])
    shared = [(name, event) for event in events for name in command if name in event and command[name] == event[name]]
    if not shared:
        return None
    name, event = chance.choice(shared)
    command[name] = event[name] = other(command[name])
    return f"{name} of {command.get('do')} and its event", record


def _changed(record: dict[str, Any], chance: Chance, *, alike: bool) -> tuple[str, dict[str, Any]] | None:
    return _told_alike(record, chance) if alike else _ruled_part(record, chance)


def _journal_change(honest: HonestFile, chance: Chance, *, alike: bool) -> Forgery:
    while True:
        lines = _entries(honest)
        index = chance.randrange(len(lines))
        record = json.loads(lines[index][BODY_START:-2])
        if "command" not in record and "events" not in record:
            continue
        made = _changed(record, chance, alike=alike)
        if made is not None:
            lines[index] = _with_record(lines[index], made[1])
            is_countable = isinstance(made[1].get("events", []), list)
            lines = renumbered_lines(lines) if is_countable else rehashed_lines(lines)
            return f"line {index + 1}: {made[0]}", _signed(lines, honest.keys)


def _journal_order(honest: HonestFile, chance: Chance) -> Forgery:
    lines = _entries(honest)
    one, two = sorted(chance.sample(range(1, len(lines)), 2))
    match chance.randrange(4):
        case 0:
            what, made = "left out", [*lines[:one], *lines[one + 1 :]]
        case 1:
            what, made = "twice", [*lines[:two], lines[one], *lines[two:]]
        case 2:
            what, made = "moved", [*lines[:one], *lines[one + 1 : two], lines[one], *lines[two:]]
        case _:
            what, made = "run left out", [*lines[:one], *lines[two:]]
    return f"lines {one + 1} and {two + 1} {what}", _signed(renumbered_lines(made), honest.keys)


# ------------------------------------------------------------------------------------------------------------- bundles


def _bundle_change(honest: HonestFile, chance: Chance, *, alike: bool) -> Forgery:
    """A record of a bundle told otherwise; the house signs a log that has it so."""
    while True:
        made = json.loads(honest.data)
        entry = chance.choice(made["entries"][1:])
        changed = _changed(entry["record"], chance, alike=alike)
        if changed is not None:
            entry["record"] = changed[1]
            return f"entry {entry['index']}: {changed[0]}", _signed_bundle(made, honest)


def _signed_bundle(made: dict[str, Any], honest: HonestFile) -> bytes:
    stream = made["scope"]["stream"]
    bodies = list(honest.history.bodies()[stream])
    for entry in made["entries"]:
        bodies[entry["index"]] = canonical(entry["record"])
    made = remade(made, tree=False)
    log = Log(bodies)
    made["proof"] = [*map(to_base64, prove_subset(log, [entry["index"] for entry in made["entries"]], log.size))]
    if honest.keys == UNSIGNED:
        made["tree_head"] = {"size": log.size, "root": to_base64(log.root())}
    else:
        made["checkpoint"] = bytes(_note(bodies, stream, is_cosigned=honest.keys == COSIGNED)).decode()
    return json.dumps(made, ensure_ascii=False).encode(errors="surrogatepass")


def _note(bodies: Sequence[bytes], stream: str, *, is_cosigned: bool) -> SignedNote:
    origin = origin_of(HOUSE.verifier.name, Stream(stream))
    note = sign_checkpoint(checkpoint_of(origin, bodies), HOUSE.with_name(origin))
    if not is_cosigned:
        return note
    data = WITNESS.cosign(note.text, time=cosigned_at(len(bodies)))
    return note.with_signatures(Signature(WITNESS.verifier.name, WITNESS.verifier.id, data))


ByHouse = dict[str, Callable[[HonestFile, HonestFile, Chance], Forgery]]
JOURNALS_BY_HOUSE: ByHouse = {
    FIELD_OF_HOUSE: lambda honest, _, chance: _journal_change(honest, chance, alike=False),
    TOLD: lambda honest, _, chance: _journal_change(honest, chance, alike=True),
    ORDER_OF_HOUSE: lambda honest, _, chance: _journal_order(honest, chance),
}
BUNDLES_BY_HOUSE: ByHouse = {
    FIELD_OF_HOUSE: lambda honest, _, chance: _bundle_change(honest, chance, alike=False),
    TOLD: lambda honest, _, chance: _bundle_change(honest, chance, alike=True),
}


# ---------------------------------------------------------------------------------------------------- what is told


def untrue_of_house(kind: str, told: dict[str, dict[int, Any]], honest: dict[str, list[bytes]]) -> Iterator[str]:
    """What came of acts in a file by a house that was not refused, though its rules were known: as it honestly was.

    Where command and events were changed alike, another honest evening may have been as it is told.
    """
    if kind == TOLD:
        return
    for stream, records in told.items():
        known = [_outcome(json.loads(body)) for body in honest.get(stream, [])]
        for index, record in records.items():
            is_there = (
                _outcome(record) in known if kind == ORDER_OF_HOUSE else known[index : index + 1] == [_outcome(record)]
            )
            if not is_there:
                yield f"{stream} {index}: something else came of it, the house has signed it, and nothing is wrong"


def _outcome(record: dict[str, Any]) -> bytes:
    return canonical({name: record[name] for name in ("events", "refused") if name in record})
