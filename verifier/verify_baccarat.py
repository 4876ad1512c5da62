#!/usr/bin/env python3
"""Verifies journals and bundles of a baccarat table: python verify_baccarat.py FILE… [--json]

Written from the published pages about the journal, the log, the bundle and the shuffle alone. It shares no code with
the program that writes these files, needs nothing but Python 3.9 or later, and reads nothing but the files that it is
given (and the checkpoints next to a journal).

It derives again: canonical bytes, chain, tree, commitment, order of the cards, card tree, proofs, cut, every card that
was turned. It does NOT check signatures, the hash of a rulebook, or whether the rules were followed, and says so each
time.

Exit status: 0 nothing is wrong in what was checked · 1 something is wrong · 2 a file is not readable, or wrong usage.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import glob
import hashlib
import hmac
import json
import os
import re
import struct
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NoReturn

Json = dict[str, Any]
Rule = Callable[[Any], None]

LARGEST = 2**53 - 1
BODY_BYTES = 65_535
BUNDLE_BYTES = 256 * 2**20
FILE_BYTES = 2**30  # more than this is not read at all
NOTE_BYTES = 1_000_000
DECKS = 1_000  # a shoe of more is not derived: it would only take time
ZERO = "0" * 64


class UnreadableError(Exception):
    """The file is not in the published form, so there is nothing to check."""


class WrongError(Exception):
    """A value is not what it should be; `path` leads to it from outside."""

    def __init__(self, what: str, expected: str = "", found: str = "") -> None:
        super().__init__(what)
        self.what, self.expected, self.found, self.path = what, expected, found, ""


# ------------------------------------------------------------------------------------------------ what is reported


@dataclass
class Fault:
    """One fault: where it is, what it is, what was expected and what was found."""

    where: str
    what: str
    expected: str = ""
    found: str = ""

    def __str__(self) -> str:
        values = [f"expected {self.expected}"] * bool(self.expected) + [f"found {self.found}"] * bool(self.found)
        return f"{self.where}: {self.what}" + (": " if values else "") + ", ".join(values)


@dataclass
class Check:
    """One check. It holds (✓) unless there are faults (✗); `skipped` is why it was not made (–)."""

    name: str
    text: str = ""
    skipped: str = ""
    faults: list[Fault] = field(default_factory=list)

    @property
    def sign(self) -> str:
        """✗ if something is wrong, – if nothing was checked, ✓ otherwise."""
        return "✗" if self.faults else "–" if self.skipped else "✓"

    def wrong(self, where: str, what: str, expected: object = "", found: object = "") -> None:
        """Note a fault."""
        self.faults.append(Fault(where, what, str(expected), str(found)))

    def same(self, where: str, what: str, expected: object, found: object) -> bool:
        """Whether the two are equal; a fault is noted if they are not."""
        if expected != found:
            self.wrong(where, what, expected, found)
        return expected == found


@dataclass
class Report:
    """What was found about one file."""

    kind: str = ""
    unreadable: str = ""
    checks: list[Check] = field(default_factory=list)
    is_signed: bool = False

    @property
    def status(self) -> int:
        """0 nothing is wrong in what was checked, 1 something is, 2 the file is not readable."""
        return 2 if self.unreadable else int(any(check.faults for check in self.checks))

    def check(self, name: str, text: str = "", skipped: str = "") -> Check:
        """Begin one more check."""
        self.checks.append(Check(name, text, skipped))
        return self.checks[-1]

    def lines(self) -> Iterator[str]:
        """The report as text: one line per check, and one for each fault."""
        if self.unreadable:
            yield f" ✗ not readable: {self.unreadable}"
        for check in self.checks:
            count = f"{len(check.faults):,} fault{'s' * (len(check.faults) != 1)}"
            yield f" {check.sign} {check.name:<14} {count if check.faults else check.skipped or check.text}"
            yield from (f"     {fault}" for fault in check.faults)

    def as_json(self) -> Json:
        """The report for programs."""
        words = {"✓": "holds", "✗": "wrong", "–": "not checked"}
        return {
            "kind": self.kind,
            "status": self.status,
            "unreadable": self.unreadable,
            "checks": [
                {
                    "check": check.name,
                    "answer": words[check.sign],
                    "text": check.skipped or check.text,
                    "faults": [vars(fault) for fault in check.faults],
                }
                for check in self.checks
            ],
        }


ANSWERS = (
    "Nothing is wrong in what was checked.",
    "Something is wrong.",
    "Not everything is readable.",
)
"""The last line, by the exit status; of several files the highest counts."""
UNSIGNED = "Nothing is wrong in what was checked; signatures were not."
"""The same if a file has signatures, which this program never checks."""


# ------------------------------------------------------------------------------------------------ JSON, read strictly


def short(value: object) -> str:
    """A value from a file as ASCII, truncated, so that nothing in a file reaches the terminal unchanged."""
    text = json.dumps(value)
    return text if len(text) <= 100 else text[:97] + "..."


def shoe_name(shoe: str) -> str:
    """A shoe as people count them, from 1: its id is how many came before it at the table. Another id unchanged."""
    return str(int(shoe) + 1) if shoe.isascii() and shoe.isdigit() and len(shoe) <= 15 else short(shoe)


def whole_number(digits: str) -> int:
    """A number of a file, which is whole and not too large."""
    if len(digits) > 17 or abs(int(digits)) > LARGEST:
        raise UnreadableError(f"a number above 2^53 − 1: {digits[:40]}")
    return int(digits)


def no_number(digits: str) -> NoReturn:
    """Refuse floats, NaN and Infinity."""
    raise UnreadableError(f"a number that is not whole: {digits[:40]}")


def object_once(pairs: list[tuple[str, Any]]) -> Json:
    """An object, none of whose keys occurs twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        raise UnreadableError(
            "a key that occurs twice in an object: " + short(next(k for k in keys if keys.count(k) > 1))
        )
    return made


def object_ascii(pairs: list[tuple[str, Any]]) -> Json:
    """The same, with keys that are ASCII: the canonical order of others is not defined here."""
    made = object_once(pairs)
    if not "".join(made).isascii():
        raise UnreadableError("a key that is not ASCII: " + short(next(key for key in made if not key.isascii())))
    return made


def decoder(hook: Callable[[list[tuple[str, Any]]], Json]) -> json.JSONDecoder:
    """A reader of JSON whose numbers are whole and not too large."""
    return json.JSONDecoder(
        object_pairs_hook=hook, parse_int=whole_number, parse_float=no_number, parse_constant=no_number
    )


LINE_DECODER, BUNDLE_DECODER = decoder(object_ascii), decoder(object_once)
ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def parse(data: bytes, where: str, reader: json.JSONDecoder = LINE_DECODER) -> Json:
    """The JSON object in these bytes; anything else is unreadable."""
    try:
        value = reader.decode(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{where}: not UTF-8 text, at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise UnreadableError(f"{where}: not JSON, at character {error.pos}: {error.msg}") from None
    except RecursionError:
        raise UnreadableError(f"{where}: objects or lists are nested too deeply") from None
    except UnreadableError as error:
        raise UnreadableError(f"{where}: {error}") from None
    if not isinstance(value, dict):
        raise UnreadableError(f"{where}: expected a JSON object, found {short(value)}")
    return value


def canonical(record: Json) -> bytes:
    """The canonical bytes of a body (RFC 8785), whose keys are ASCII and whose numbers are whole."""
    try:
        return ENCODER.encode(record).encode("utf-8")
    except UnicodeEncodeError:
        raise WrongError("a text has half a surrogate pair") from None


def ascii_keys(value: object) -> None:
    """Refuse keys of a record in a bundle that are not ASCII."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not key.isascii():
                raise WrongError("a key that is not ASCII", found=short(key))
            ascii_keys(inner)
    elif isinstance(value, list):
        for inner in value:
            ascii_keys(inner)


# ------------------------------------------------------------------------------------------------ the form of values


def expect(holds: object, expected: str, found: object) -> None:
    """Refuse a value that is not in the form expected."""
    if not holds:
        raise WrongError("", expected, short(found))


def number(low: int = 0, high: int = LARGEST) -> Rule:
    """A whole number within these bounds; true and false are not numbers."""

    def rule(value: Any) -> None:
        expect(type(value) is int and low <= value <= high, f"a whole number from {low} to {high}", value)

    return rule


def text(pattern: str, expected: str, most: int = LARGEST, least: int = 0) -> Rule:
    """A text of this pattern and length."""
    matches = re.compile(pattern).fullmatch

    def rule(value: Any) -> None:
        expect(isinstance(value, str) and least <= len(value) <= most and matches(value), expected, value)

    return rule


def choice(*words: str) -> Rule:
    """One of these words."""

    def rule(value: Any) -> None:
        expect(isinstance(value, str) and value in words, "one of " + ", ".join(words), value)

    return rule


def items(inner: Rule, expected: str, most: int = LARGEST, least: int = 0) -> Rule:
    """A list of such values."""

    def rule(value: Any) -> None:
        expect(isinstance(value, list) and least <= len(value) <= most, expected, value)
        for index, item in enumerate(value):
            below(f"[{index}]", inner, item)

    return rule


def fields(needed: Mapping[str, Rule], others: Mapping[str, Rule]) -> Rule:
    """An object with the fields needed, perhaps others, and none besides."""
    known = {**needed, **others}

    def rule(value: Any) -> None:
        expect(isinstance(value, dict), "an object", value)
        for name in needed:
            if name not in value:
                raise WrongError(f"the field `{name}` is missing")
        for name, inner in value.items():
            if name not in known:
                raise WrongError("an unknown field", found=short(name))
            below("." + name, known[name], inner)

    return rule


def below(path: str, rule: Rule, value: object) -> None:
    """Apply a rule to a part, and add the path of the part to what is refused."""
    try:
        rule(value)
    except WrongError as error:
        error.path = path + error.path
        raise


def an_object(value: Any) -> None:
    """Any object."""
    expect(isinstance(value, dict), "an object", value)


def joined_streams(value: Any) -> None:
    """Sequence numbers by the names of streams."""
    expect(isinstance(value, dict), "an object", value)
    for name, seq in value.items():
        STREAM(name)
        below("." + name, number(), seq)


VISIBLE_PATTERN = "[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*"
VISIBLE = text(VISIBLE_PATTERN, "a text of at most 200 characters without control characters", 200)
NAMED = text(VISIBLE_PATTERN, "a text of 1 to 200 characters without control characters", 200, 1)
STREAM = text("[a-z]+( [!-~][ -~]*)?", "the name of a stream, such as `table 3`", 200)
HEX32 = text("[0-9a-f]{64}", "64 lower-case hexadecimal digits")
HEX16 = text("[0-9a-f]{32}", "32 lower-case hexadecimal digits")
BASE32 = text("[A-Za-z0-9+/]{43}=", "32 bytes in base64")
ROLE = choice(
    "administrator",
    "cage cashier",
    "casino supervisor",
    "dealer",
    "floorperson",
    "participant",
    "pit boss",
    "pit clerk",
    "public",
    "regulator",
    "surveillance",
)
APPROVAL = fields({"who": NAMED, "role": ROLE}, {"what": VISIBLE})
OPENING = fields(
    {
        "v": number(1, 1),
        "stream": STREAM,
        "seq": number(0, 0),
        "rulebook": HEX32,
        "submission": an_object,
        "program": VISIBLE,
        "behaviour": number(),
    },
    {"at": number()},
)
RECORD = fields(
    {
        "v": number(1, 1),
        "stream": STREAM,
        "seq": number(1),
        "event": number(),
        "rulebook": HEX32,
        "behaviour": number(),
    },
    {
        "at": number(),
        "who": NAMED,
        "role": ROLE,
        "origin": choice("card source", "clock", "link", "person"),
        "device": VISIBLE,
        "approvals": items(APPROVAL, "a list of at most 8 approvals", 8),
        "id": VISIBLE,
        "shown": an_object,
        "command": an_object,
        "events": items(an_object, "a list of events"),
        "refused": an_object,
        "joined": joined_streams,
        "cause": fields({"stream": STREAM, "seq": number()}, {}),
    },
)
USUAL: Json = {
    "at": 0, "origin": "person", "device": "", "approvals": [], "id": "", "shown": {}, "command": {}, "events": [],
    "refused": {}, "joined": {},
}  # fmt: skip
SCOPE = fields(
    {"kind": choice("all", "day", "round", "shoe"), "stream": STREAM},
    {
        "shoe": number(1),
        "round": number(1),
        "day": text("[0-9]{4}-[0-9]{2}-[0-9]{2}", "a day such as 2026-11-15"),
    },
)
BUNDLE = fields(
    {
        "bundle": number(1, 1),
        "program": VISIBLE,
        "scope": SCOPE,
        "rulebooks": items(
            fields({"hash": HEX32, "submission": an_object}, {"edition": text("(?s).+", "the text of an edition")}),
            "a list of 1 to 1,000 rulebooks",
            1_000,
            1,
        ),
        "entries": items(
            fields({"index": number(), "record": an_object}, {"hash": HEX32}), "a list of at least one entry", least=1
        ),
    },
    {
        "checkpoint": text("(?s).*", "a checkpoint of at most 1,000,000 characters", NOTE_BYTES),
        "tree_head": fields({"size": number(), "root": BASE32}, {}),
        "keys": items(text("(?s).*", "a text of at most 1,000 characters", 1_000), "a list of at most 100 keys", 100),
        "proof": items(BASE32, "a list of hashes"),
        "before": fields(
            {"seq": number(), "events": number(), "hash": HEX32, "rulebook": HEX32, "state": an_object}, {}
        ),
    },
)


def readable(rule: Rule, value: Json, where: str) -> None:
    """Check a value against its form; what does not match is unreadable."""
    try:
        rule(value)
    except WrongError as error:
        raise unreadable(where, error) from None


def unreadable(where: str, error: WrongError) -> UnreadableError:
    """The same fault as one that ends reading."""
    path = error.path.lstrip(".")
    fault = Fault(f"{where}, {path}" if path else where, error.what or "wrong form", error.expected, error.found)
    return UnreadableError(str(fault))


def readable_body(record: Json, where: str) -> None:
    """Check a body against its form: an opening if `seq` is 0, otherwise a record."""
    if record.get("v") != 1 or type(record.get("v")) is not int:
        raise UnreadableError(f"{where}: the version `v` of the form is {short(record.get('v'))}; only 1 is known")
    readable(OPENING if record.get("seq") == 0 else RECORD, record, where)


# ------------------------------------------------------------------------------------------------ trees and notes


def sha(data: bytes) -> bytes:
    """SHA-256."""
    return hashlib.sha256(data).digest()


class Tree:
    """An RFC 6962 tree that grows: `levels[k]` has the hashes of the complete subtrees over 2^k entries."""

    def __init__(self) -> None:
        self.levels: list[list[bytes]] = [[]]

    def add(self, entry: bytes) -> None:
        """Add an entry."""
        node, level = sha(b"\0" + entry), 0
        self.levels[0].append(node)
        while len(self.levels[level]) % 2 == 0:
            node = sha(b"\1" + self.levels[level][-2] + node)
            level += 1
            if level == len(self.levels):
                self.levels.append([])
            self.levels[level].append(node)

    def root(self, size: int) -> bytes:
        """The root over the first `size` entries."""
        root = b""
        for level in range(size.bit_length()):
            if size >> level & 1:
                node = self.levels[level][(size >> level) - 1]
                root = sha(b"\1" + node + root) if root else node
        return root or sha(b"")


def root_by_path(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes | None:
    """The root to which an inclusion proof leads (RFC 9162, 2.1.3.2); None if its length does not match."""
    node, last = leaf, size - 1
    for beside in path:
        if last == 0:
            return None
        if index & 1 or index == last:
            node = sha(b"\1" + beside + node)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            node = sha(b"\1" + node + beside)
        index, last = index >> 1, last >> 1
    return node if last == 0 else None


@dataclass
class Note:
    """A checkpoint: name of the log, size, root; and by whom it is signed, each with the id of the key."""

    origin: str
    size: int
    root: bytes
    signed: list[tuple[str, str]]


def from_base64(value: str) -> bytes:
    """Bytes from base64 in its only valid spelling."""
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    expect(data and base64.b64encode(data).decode() == value, "base64", value)
    return data


def read_note(note: str) -> Note:
    """Read a C2SP checkpoint, a signed note."""
    body, gap, tail = note.rpartition("\n\n")
    lines, signatures = body.split("\n"), tail.split("\n")
    expect(gap and signatures.pop() == "" and signatures, "a text, an empty line, and signatures, each a line", note)
    expect(len(lines) >= 3 and all(lines), "name, size and root, each on a line of its own", body)
    expect(re.fullmatch("0|[1-9][0-9]{0,15}", lines[1]) and int(lines[1]) <= LARGEST, "a size", lines[1])
    BASE32(lines[2])
    signed = []
    for line in signatures:
        match = re.fullmatch("— ([^ +]+) ([^ ]+)", line)
        if match is None:
            raise WrongError("", "a signature: `— name base64`", short(line))
        data = from_base64(match[2])
        expect(len(data) > 4, "the id of a key and a signature", line)
        signed.append((match[1], data[:4].hex()))
    return Note(lines[0], int(lines[1]), from_base64(lines[2]), signed)


def read_key(key: str) -> tuple[str, str]:
    """Name and id of a public key, `name+id+base64`; the id must follow from name and key."""
    parts = key.split("+", 2)
    expect(len(parts) == 3 and parts[0], "a public key, `name+id+base64`", key)
    made = sha(parts[0].encode("utf-8", "replace") + b"\n" + from_base64(parts[2]))[:4].hex()
    expect(parts[1] == made, f"the id {made}, which follows from name and key", parts[1])
    return parts[0], parts[1]


# ------------------------------------------------------------------------------------------------ the shuffle

DECK = [rank + suit for suit in "shdc" for rank in "A23456789TJQK"]


def u64(value: int) -> bytes:
    """8 bytes, big-endian."""
    return struct.pack(">Q", value)


def with_length(value: bytes) -> bytes:
    """The length, then the bytes."""
    return u64(len(value)) + value


def mac(key: bytes, data: bytes) -> bytes:
    """HMAC-SHA256."""
    return hmac.digest(key, data, "sha256")


def words_of(seeding: bytes) -> Iterator[int]:
    """The words of 4 bytes that HMAC_DRBG gives, 2048 bytes per request, endlessly."""
    key, value = bytes(32), b"\1" * 32
    for mark in (b"\0", b"\1"):
        key = mac(key, value + mark + seeding)
        value = mac(key, value)
    while True:
        values = []
        for _ in range(64):
            value = mac(key, value)
            values.append(value)
        yield from struct.unpack(">512I", b"".join(values))
        key = mac(key, value + b"\0")
        value = mac(key, value)


def order_of(seeding: bytes, size: int) -> list[int]:
    """The numbers 0 to `size` − 1, shuffled: Fisher–Yates from the end, each index by rejection."""
    order, words = list(range(size)), words_of(seeding)
    for i in range(size - 1, 0, -1):
        limit = 2**32 - 2**32 % (i + 1)
        j = next(word for word in words if word < limit) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


@dataclass
class Derived:
    """What follows from a seed: the commitment, the cards from the top before the cut, and the root over them."""

    commitment: bytes
    cards: list[str]
    root: bytes


def leaf_of(index: int, card: str, salt: bytes) -> bytes:
    """An entry of the card tree."""
    return struct.pack(">I", index) + card.encode("ascii") + salt


def derive(seed: bytes, header: bytes, shoe: bytes, decks: int, contributions: list[bytes]) -> Derived:
    """Derive a shoe again."""
    personal = b"baccarat/order" + with_length(header) + u64(len(contributions))
    personal += b"".join(map(with_length, contributions))
    cards = [DECK[card % 52] for card in order_of(seed + with_length(shoe) + personal, 52 * decks)]
    tree = Tree()
    for index, card in enumerate(cards):
        tree.add(leaf_of(index, card, mac(seed, b"baccarat/salt" + u64(index))[:16]))
    return Derived(sha(b"baccarat/commit" + header + seed), cards, tree.root(len(cards)))


# ------------------------------------------------------------------------------------------------ shoes, event by event

SMALL = number(0)
CARD = fields({"rank": choice(*"A23456789TJQK"), "suit": choice(*"shdc")}, {})
PROOF = fields({"salt": HEX16, "path": items(HEX32, "a list of at most 64 hashes", 64)}, {})
ANY_TEXT = text("(?s).*", "a text")
EVENTS: dict[str, Mapping[str, Rule]] = {
    "shoe_committed": {
        "table": ANY_TEXT,
        "shoe": ANY_TEXT,
        "rulebook": HEX32,
        "decks": number(1, DECKS),
        "commitment": HEX32,
    },
    "contribution_made": {"value": text("(?s).+", "1 to 64 characters", 64)},
    "order_sealed": {"root": HEX32},
    "cards_cut": {"in_front": SMALL},
    "seed_revealed": {"seed": HEX32},
    "order_disproved": {"seed": HEX32},
    "seed_lost": {},
    "shoe_closed": {},
}


@dataclass
class Seen:
    """A card that was seen: where in the file, and at which position of the cut shoe."""

    where: str
    position: int
    card: str


@dataclass
class Shoe:
    """An electronic shoe, as far as it has come."""

    id: str
    header: bytes
    decks: int
    commitment: str
    contributions: list[str] = field(default_factory=list)
    root: str = ""
    in_front: int = 0
    seen: dict[int, Seen] = field(default_factory=dict)  # by entry of the order, before the cut
    seed: str = ""
    derived: Derived | None = None
    lost: bool = False
    disproved: bool = False


class Shoes:
    """The electronic shoes of one stream: every event in its order."""

    def __init__(self, stream: str, checks: dict[str, Check], counts: dict[str, int], *, begun: bool) -> None:
        self.table = stream.partition(" ")[2]
        self.acts, self.proofs, self.seeds = checks["shoes"], checks["card proofs"], checks["seeds"]
        self.counts = counts
        self.shoe: Shoe | None = None
        self.all: list[Shoe] = []
        self.last_seed = ""
        self.closing = False
        self.number: int | None = 0 if begun else None  # of the shoe in play; None if the beginning is not here

    def record(self, where: str, record: Json) -> None:
        """One record: its events, then the proof in its command; a shoe that it closes is over after that."""
        events: list[Json] = record.get("events", [])
        for number_of_event, event in enumerate(events):
            try:
                self.event(f"{where}, event {record['event'] + number_of_event}", event)
            except WrongError as error:
                path = f"`{error.path.lstrip('.')}` " if error.path else ""
                what = f"{path}of {short(event.get('event'))}: {error.what or 'wrong form'}"
                self.acts.wrong(where, what, error.expected, error.found)
        if events:
            try:
                self.shown_card(where, record.get("command", {}), events[0])
            except WrongError as error:
                what = f"`{error.path.lstrip('.')}` of the command: {error.what or 'wrong form'}"
                self.proofs.wrong(where, what, error.expected, error.found)
        if self.closing:
            self.shoe, self.closing = None, False

    def event(self, where: str, event: Json) -> None:
        """One event."""
        name = event.get("event")
        expect(isinstance(name, str), "the name of an event", name)
        if name == "shoe_closed" and self.number is not None:
            self.number += 1
        for needed, rule in EVENTS.get(str(name), {}).items():
            below("." + needed, rule, event.get(needed))
        if name == "shoe_committed":
            self.commit(where, event)
        elif name in EVENTS and self.shoe is not None:
            getattr(self, str(name))(where, event, self.shoe)
        elif name in {"contribution_made", "order_sealed", "seed_revealed", "order_disproved", "seed_lost"}:
            raise WrongError("no shoe has committed to a seed")
        if "position" in event and event.get("card") is not None and name != "shoe_fouled" and self.shoe is not None:
            below(".position", SMALL, event["position"])
            below(".card", CARD, event["card"])
            if self.shoe.root:
                self.card(where, event["position"], event["card"], self.shoe)

    def commit(self, where: str, event: Json) -> None:
        """A new shoe."""
        if self.shoe is not None:
            self.acts.wrong(where, f"a shoe commits before shoe {shoe_name(self.shoe.id)} was closed")
        self.acts.same(where, "the table for which a shoe commits", short(self.table), short(event["table"]))
        if self.number is not None:
            expected = short(str(self.number))
            self.acts.same(where, "the id of a shoe, which is its number", expected, short(event["shoe"]))
        table, shoe, rulebook = (event[name].encode("utf-8") for name in ("table", "shoe", "rulebook"))
        header = with_length(table) + with_length(shoe) + with_length(rulebook) + u64(event["decks"])
        self.shoe = Shoe(event["shoe"], header, event["decks"], event["commitment"])
        self.all.append(self.shoe)

    def contribution_made(self, where: str, event: Json, shoe: Shoe) -> None:
        """A contribution, which comes before the order is sealed."""
        if shoe.root or shoe.seed:
            self.acts.wrong(where, "a contribution comes after the order was sealed")
        shoe.contributions.append(event["value"])

    def order_sealed(self, where: str, event: Json, shoe: Shoe) -> None:
        """The root of the card tree, known once and before the cut."""
        if shoe.root:
            self.acts.wrong(where, "an order is sealed a second time", shoe.root, event["root"])
        if shoe.seed:
            self.acts.wrong(where, "an order is sealed after its seed was revealed")
        shoe.root = event["root"]

    def cards_cut(self, where: str, event: Json, shoe: Shoe) -> None:
        """The cut; a later one replaces it."""
        if not shoe.root:
            self.acts.wrong(where, "the cards are cut before their order was sealed")
        if event["in_front"] > 52 * shoe.decks:
            self.acts.wrong(
                where, "more cards in front than there are", f"at most {52 * shoe.decks}", event["in_front"]
            )
        shoe.in_front = event["in_front"]

    def seed_lost(self, where: str, _event: Json, shoe: Shoe) -> None:
        """Nothing more can be derived."""
        if shoe.seed:
            self.acts.wrong(where, "a seed is lost that was revealed before")
        shoe.lost = True

    def shoe_closed(self, where: str, event: Json, shoe: Shoe) -> None:
        """The shoe is over; its seed is known by now, or reported lost."""
        opened = "disproved" if shoe.disproved else "revealed"
        state = opened if shoe.seed else "lost" if shoe.lost else ""
        if not state:
            self.acts.wrong(where, f"shoe {shoe_name(shoe.id)} is closed, but its seed was neither revealed nor lost")
        elif "seed" in event and event["seed"] != state:
            self.acts.wrong(where, "what became of the seed", short(state), short(event["seed"]))
        self.last_seed = shoe.seed
        self.closing = True

    def order_disproved(self, where: str, event: Json, shoe: Shoe) -> None:
        """The seed, opened at a table that has itself found that another order was sealed: the shoe is wrong."""
        shoe.disproved = True
        self.seed_revealed(where, event, shoe)
        if shoe.derived is None or shoe.derived.root.hex() == shoe.root:
            self.seeds.wrong(where, "a sealed order is called disproved that is not")

    def seed_revealed(self, where: str, event: Json, shoe: Shoe) -> None:
        """The seed: derive commitment, order and root, and compare every card that was seen."""
        if shoe.seed or shoe.lost:
            self.seeds.wrong(where, "the seed of this shoe was revealed or lost before")
        if event["seed"] == self.last_seed:
            self.seeds.wrong(where, "the seed is that of the shoe before")
        shoe.seed = event["seed"]
        contributions = [value.encode("utf-8") for value in shoe.contributions]
        made = derive(bytes.fromhex(shoe.seed), shoe.header, shoe.id.encode("utf-8"), shoe.decks, contributions)
        if not self.seeds.same(where, "the commitment to this seed", shoe.commitment, made.commitment.hex()):
            return  # with another seed no card can be right
        self.counts["seeds"] += 1
        if not shoe.root:
            return
        self.seeds.same(where, "the sealed root of the order", made.root.hex(), shoe.root)
        shoe.derived = made
        for index, seen in shoe.seen.items():
            self.compare(seen, made.cards[index])

    def compare(self, seen: Seen, derived: str) -> None:
        """A card that was seen against the derived one."""
        if self.seeds.same(seen.where, f"the card at position {seen.position}", derived, seen.card):
            self.counts["derived"] += 1

    def index_of(self, position: int, shoe: Shoe) -> int:
        """The entry of the order at this position of the cut shoe."""
        size = 52 * shoe.decks
        expect(position < size, f"a position below {size}", position)
        return (position + shoe.in_front) % size

    def card(self, where: str, position: int, card: Json, shoe: Shoe) -> None:
        """A card that was seen; the same one each time it is seen."""
        index, name = self.index_of(position, shoe), card["rank"] + card["suit"]
        first = shoe.seen.setdefault(index, Seen(where, position, name))
        if first.card != name:
            self.acts.wrong(where, f"another card at position {position} than {first.where}", first.card, name)
        elif first.where == where and shoe.derived is not None:
            self.compare(first, shoe.derived.cards[index])

    def shown_card(self, where: str, command: Json, first: Json) -> None:
        """The proof in a command, which leads from its card to the sealed root."""
        shoe = self.shoe
        if command.get("do") == "confirm_card":
            return
        if shoe is None or not shoe.root:
            self.counts["passed over"] += command.get("proof") is not None
            return
        if command.get("proof") is None or command.get("card") is None:
            if command.get("do") == "turn_card":
                self.proofs.wrong(where, "a card is turned without a proof, though its order is sealed")
            return
        position: Any = command["position"] if "position" in command else first.get("position")
        for name, rule, value in (
            ("position", SMALL, position),
            ("card", CARD, command["card"]),
            ("proof", PROOF, command["proof"]),
        ):
            below("." + name, rule, value)
        index = self.index_of(position, shoe)
        leaf = leaf_of(
            index, command["card"]["rank"] + command["card"]["suit"], bytes.fromhex(command["proof"]["salt"])
        )
        path = [bytes.fromhex(node) for node in command["proof"]["path"]]
        root = root_by_path(sha(b"\0" + leaf), index, 52 * shoe.decks, path)
        found = root.hex() if root else "a path of the wrong length"
        if self.proofs.same(where, f"the root to which the proof of position {position} leads", shoe.root, found):
            self.counts["proofs"] += 1
        self.card(f"{where}, command", position, command["card"], shoe)


# ------------------------------------------------------------------------------------------------ entries and chains


@dataclass
class Entry:
    """An entry of a journal: where it is in the file, its recorded hash, its canonical body."""

    where: str
    index: int
    hash: str | None
    body: bytes
    record: Json

    @property
    def names(self) -> list[Any]:
        """The names of its events."""
        return [event.get("event") for event in self.record.get("events", [])]


@dataclass
class Head:
    """How far a stream has come."""

    hash: str
    seq: int
    events: int


def check_form(check: Check, entry: Entry) -> None:
    """What the form requires of a body beyond its fields."""
    record = entry.record
    if len(entry.body) > BODY_BYTES:
        check.wrong(entry.where, "the body is too large", f"at most {BODY_BYTES} bytes", len(entry.body))
    for name, usual in USUAL.items():
        if name in record and record[name] == usual:
            check.wrong(entry.where, f"`{name}` has its default value and should be omitted", "", short(usual))
    if record.get("events") and record.get("refused"):
        check.wrong(entry.where, "a record has events, but it was refused")


def check_chain(check: Check, entry: Entry, heads: dict[str, Head]) -> None:
    """Number, first event and hash of an entry, after those before it in its stream."""
    record, stream = entry.record, entry.record["stream"]
    head = heads.get(stream) or Head(ZERO, -1, 0)
    seq, events = record["seq"], len(record.get("events", []))
    check.same(entry.where, f"`seq` in the stream `{stream}`", head.seq + 1, seq)
    if seq:
        check.same(entry.where, f"`event` in the stream `{stream}`", head.events, record["event"])
        events += record["event"]
    made = sha(bytes.fromhex(head.hash) + entry.body).hex()
    if entry.hash is None:
        check.wrong(entry.where, "the hash is missing", made)
    else:
        check.same(entry.where, "the hash", made, entry.hash)
    heads[stream] = Head(entry.hash or made, seq, events)


def check_ids(report: Report, entries: list[Entry], *, whole: bool) -> None:
    """Under one id of a person something is done once; a refusal for an id names an earlier use of it."""
    check = report.check("ids")
    given: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        record = entry.record
        who, id_, refused = record.get("who", ""), record.get("id", ""), record.get("refused", {})
        if refused.get("code") == "repeated_id":
            named = refused.get("params")
            named = named if isinstance(named, dict) else {}
            said = named.get("id")
            first = given.get((who, said)) if isinstance(said, str) else None
            found = [named.get("stream"), named.get("record")]
            if id_:
                check.wrong(
                    entry.where, "a command that is refused for its id must be entered without one", "", short(id_)
                )
            elif first:
                expected = [first.record["stream"], first.record["seq"]]
                check.same(entry.where, f"the record with the id {short(said)}", expected, found)
            elif whole:
                check.wrong(entry.where, "no record has the id for which it is refused", "", short(said))
        elif id_:
            first = given.setdefault((who, id_), entry)
            if first is not entry:
                check.wrong(entry.where, f"the id {short(id_)} is used for two commands", "", first.where)
    check.text = f"{len(given):,} of commands, each of them once"
    if not given:
        check.skipped = "no record has an id"


def check_shoes(report: Report, entries: list[Entry], *, begun: bool) -> None:
    """Every electronic shoe of every table; `begun` if every stream is complete from its beginning."""
    checks = {name: report.check(name) for name in ("shoes", "card proofs", "seeds")}
    counts = {"proofs": 0, "seeds": 0, "derived": 0, "passed over": 0}
    tables: dict[str, Shoes] = {}
    for entry in entries:
        stream = entry.record["stream"]
        if stream.split(" ")[0] == "table":
            if stream not in tables:
                tables[stream] = Shoes(stream, checks, counts, begun=begun)
            tables[stream].record(entry.where, entry.record)
    shoes = [shoe for table in tables.values() for shoe in table.all]
    sealed = sum(bool(shoe.root) for shoe in shoes)
    checks["shoes"].text = f"{len(shoes):,} electronic, {sealed:,} with a sealed order, each act in order"
    checks["card proofs"].text = f"{counts['proofs']:,} cards, each by its proof under the sealed root"
    checks[
        "seeds"
    ].text = f"{counts['seeds']:,} of {len(shoes):,}: commitment, order and root; {counts['derived']:,} cards"
    if counts["passed over"]:
        passed = (
            f"{counts['passed over']:,} cards have a proof, although no order was sealed: such a proof shows nothing"
        )
        report.check("no seal", skipped=passed)
    if not shoes:
        for check in checks.values():
            check.skipped = "no electronic shoe is in this file: nothing can be derived"
        return
    hidden = [shoe_name(shoe.id) for shoe in shoes if not shoe.seed]
    if hidden:
        text = "no seed is in this file for shoe " + ", ".join(hidden[:20])
        if counts["seeds"]:
            report.check("seeds missing", skipped=text)
        else:
            checks["seeds"].skipped = text
    if sealed and not counts["proofs"]:
        checks["card proofs"].skipped = "no card is shown with a proof"
    alone = [shoe_name(shoe.id) for shoe in shoes if not shoe.contributions]
    if alone:
        text = "nobody but the operator contributed to the order of shoe " + ", ".join(alone[:20])
        report.check("contributions", skipped=text)


def not_checked(report: Report, signatures: str, *, is_signed: bool) -> None:
    """List what this program leaves unchecked."""
    report.is_signed = is_signed
    report.check("signatures", skipped=signatures)
    report.check("rules", skipped="that a rulebook's hash follows from its content is not checked here")
    report.check(
        "decided again", skipped="whether wagers, draws, results and payments follow the rules is not checked here"
    )
    report.check("other streams", skipped="that `joined` and `cause` name the right records is not checked here")


# ------------------------------------------------------------------------------------------------ a journal


def journal_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines of a journal with their numbers, without their line feeds."""
    begin, line = 0, 0
    while begin < len(data):
        line += 1
        end = data.find(b"\n", begin)
        if end < 0:
            raise UnreadableError(f"line {line}: no line feed at its end: the line is half-written")
        yield line, data[begin:end]
        begin = end + 1


ENTRY_LINE = fields({"hash": HEX32, "record": an_object}, {})


def read_entry(line: int, data: bytes, index: int, form: Check) -> Entry:
    """An entry of a journal."""
    where = f"line {line}"
    if len(data) > BODY_BYTES + 85:
        raise UnreadableError(f"{where}: {len(data):,} bytes; a body has at most {BODY_BYTES:,}")
    value = parse(data, where)
    readable(ENTRY_LINE, value, where)
    readable_body(value["record"], where)
    try:
        body = canonical(value["record"])
    except WrongError as error:
        raise unreadable(where, error) from None
    exact = b'{"hash":"%s","record":%s}' % (value["hash"].encode(), body)
    if data != exact:
        at = next((i for i, (a, b) in enumerate(zip(exact, data)) if a != b), min(len(exact), len(data)))
        expected, found = (short(line[at : at + 30].decode("utf-8", "replace")) for line in (exact, data))
        form.wrong(where, f"not canonical, from byte {at} on", expected, found)
    return Entry(where, index, value["hash"], body, value["record"])


NOTE_LINE = fields({"checkpoint": text("(?s).*", "a checkpoint", NOTE_BYTES), "stream": STREAM}, {})


def check_note_line(check: Check, line: int, data: bytes, trees: dict[str, Tree]) -> None:
    """A checkpoint between the entries: its root is that of its stream so far."""
    where = f"line {line}"
    if len(data) > 2 * NOTE_BYTES:
        raise UnreadableError(f"{where}: {len(data):,} bytes; a checkpoint is shorter")
    value = parse(data, where)
    readable(NOTE_LINE, value, where)
    try:
        note = read_note(value["checkpoint"])
    except WrongError as error:
        check.wrong(where, "the checkpoint", error.expected, error.found)
        return
    tree = trees.get(value["stream"], Tree())
    have = len(tree.levels[0])
    if note.size > have:
        check.wrong(where, "the checkpoint covers more entries than come before it", f"at most {have}", note.size)
    else:
        check_root(check, where, note, tree)


def check_root(check: Check, where: str, note: Note, tree: Tree) -> None:
    """The root of a checkpoint."""
    made, found = (base64.b64encode(root).decode() for root in (tree.root(note.size), note.root))
    check.same(where, f"the root over {note.size} entries", made, found)


def check_beside(report: Report, trees: list[Tree], beside: Mapping[str, bytes]) -> None:
    """Checkpoints in files next to the journal: each is over one of its streams, and does not say which."""
    for name, data in beside.items():
        check = report.check("checkpoint", f"the root of {name} is that of the journal")
        try:
            note = read_note(data.decode("utf-8", "replace"))
        except WrongError as error:
            check.wrong(name, "the checkpoint", error.expected, error.found)
            continue
        fitting = [tree for tree in trees if len(tree.levels[0]) >= note.size]
        if not fitting:
            check.wrong(name, "the checkpoint covers more entries than any stream has", "", note.size)
        elif not any(tree.root(note.size) == note.root for tree in fitting):
            check_root(check, name, note, fitting[0])


def verify_journal(report: Report, data: bytes, beside: Mapping[str, bytes]) -> None:
    """Every check of a journal."""
    form, chain = report.check("form"), report.check("chain")
    notes = report.check("checkpoints", skipped="none between the entries")
    entries: list[Entry] = []
    heads: dict[str, Head] = {}
    trees: dict[str, Tree] = {}
    count = 0
    for line, raw in journal_lines(data):
        if raw.startswith(b'{"checkpoint":'):
            check_note_line(notes, line, raw, trees)
            count += 1
            continue
        entry = read_entry(line, raw, len(entries), form)
        check_form(form, entry)
        check_chain(chain, entry, heads)
        trees.setdefault(entry.record["stream"], Tree()).add(entry.body)
        entries.append(entry)
    form.text = f"{len(entries):,} entries in canonical form"
    chain.text = f"{len(entries):,} entries of {', '.join(sorted(heads))} by number and hash"
    if count:
        notes.text, notes.skipped = f"{count:,} between the entries, each with the root of its stream", ""
    check_beside(report, list(trees.values()), beside)
    for stream, tree in trees.items():
        size = len(tree.levels[0])
        root = base64.b64encode(tree.root(size)).decode()
        report.check("tree", f"{stream}: {size:,} entries, root {root}; compare it with a checkpoint that you trust")
    check_ids(report, entries, whole=True)
    check_shoes(report, entries, begun=True)
    signed = count + len(beside)
    say = "of the checkpoints are not checked here" if signed else "this file is not signed"
    not_checked(report, say, is_signed=signed > 0)


# ------------------------------------------------------------------------------------------------ a bundle


def bundle_entries(bundle: Json) -> list[Entry]:
    """The entries of a bundle, each with its canonical body."""
    entries = []
    for number_in_list, entry in enumerate(bundle["entries"]):
        where = f"entries[{number_in_list}] (index {entry['index']})"
        readable_body(entry["record"], where)
        try:
            body = canonical(entry["record"])
            ascii_keys(entry["record"])
        except WrongError as error:
            raise unreadable(where, error) from None
        entries.append(Entry(where, entry["index"], entry.get("hash"), body, entry["record"]))
    return entries


def check_scope(check: Check, bundle: Json) -> None:
    """That the scope has the fields of its kind and no others, and the day exists."""
    scope = bundle["scope"]
    wanted = {
        "all": "kind stream",
        "round": "kind round shoe stream",
        "shoe": "kind shoe stream",
        "day": "day kind stream",
    }
    check.same("scope", f"the fields of the kind `{scope['kind']}`", wanted[scope["kind"]], " ".join(sorted(scope)))
    if "day" in scope:
        try:
            datetime.strptime(scope["day"], "%Y-%m-%d")  # noqa: DTZ007
        except ValueError:
            check.wrong("scope", "the calendar has no such day", "", short(scope["day"]))
    if "before" in bundle:
        if scope["kind"] == "all":
            check.wrong("before", "a bundle of everything has no state before it")
        if bundle["before"]["seq"] == 0:
            check.wrong("before", "before `seq` 1 there is nothing to state", "1 or more", 0)


def is_rising(check: Check, scope: Json, entries: list[Entry]) -> bool:
    """Whether the entries are in ascending order; all are of one stream, in which the index is `seq`."""
    rising, last = True, -1
    for entry in entries:
        check.same(entry.where, "the stream", scope["stream"], entry.record["stream"])
        check.same(entry.where, "the index, which is `seq`", entry.record["seq"], entry.index)
        if entry.index <= last:
            check.wrong(entry.where, "the index does not rise", f"above {last}", entry.index)
            rising = False
        last = entry.index
    return rising


def check_whole(check: Check, entries: list[Entry], size: int) -> None:
    """A bundle of everything has every entry of the log."""
    check.same("entries", "how many entries the log has", size, len(entries))
    for index, entry in enumerate(entries):
        if not check.same(entry.where, "the index", index, entry.index):
            return


def check_late(check: Check, late: Entry, head: Head | None) -> None:
    """The last entry, if it does not follow the run: it may only open the seed or report it lost."""
    if not {"seed_revealed", "order_disproved", "seed_lost"} & set(map(str, late.names)):
        check.wrong(late.where, "an entry has no hash, but does not open a seed or report it lost")
    if head is not None:
        if late.record["seq"] <= head.seq:
            check.wrong(late.where, "`seq` of a late record", f"above {head.seq}", late.record["seq"])
        if late.record.get("event", 0) < head.events:
            check.wrong(late.where, "`event` of a late record", f"{head.events} or more", late.record.get("event"))


def check_run(check: Check, scope: Json, run: list[Entry], *, begun: bool) -> None:
    """That the run ends where its scope says; `begun` if it begins at `seq` 1."""
    if not run:
        check.wrong("entries", "there is no record")
        return
    ends = [index for index, entry in enumerate(run[:-1]) if "shoe_closed" in entry.names]
    last = run[-1]
    if "shoe" in scope:
        fits = scope["shoe"] == len(ends) + 1 if begun else scope["shoe"] >= len(ends) + 2
        expected = f"{len(ends) + 1}" if begun else f"{len(ends) + 2} or more"
        if not fits:
            check.wrong("scope", "`shoe`, by where the run begins and ends", expected, scope["shoe"])
    if scope["kind"] == "round":
        in_shoe = run[ends[-1] + 1 :] if ends else run
        rounds = sum("table_cleared" in entry.names for entry in in_shoe)
        check.same("scope", "`round`, by the rounds of the run", rounds, scope.get("round"))
        if "table_cleared" not in last.names:
            check.wrong(
                last.where, "the run does not end with the end of a round", '"table_cleared"', short(last.names)
            )
    if scope["kind"] == "day":
        at = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=last.record.get("at", 0))
        check.same(last.where, "the day of the last record", scope.get("day"), at.strftime("%Y-%m-%d"))


def check_part(entries_check: Check, chain: Check, bundle: Json, entries: list[Entry]) -> None:
    """A bundle of one stream: the opening, the run, optionally a late record."""
    scope, before = bundle["scope"], bundle.get("before")
    late = entries[-1] if entries[-1].hash is None and len(entries) > 1 else None
    run = entries[1:-1] if late else entries[1:]
    heads: dict[str, Head] = {}
    check_chain(chain, entries[0], heads)
    if before:
        heads[entries[0].record["stream"]] = Head(before["hash"], before["seq"], before["events"])
    for entry in run:
        check_chain(chain, entry, heads)
    check_run(entries_check, scope, run, begun=not before)
    if late:
        check_late(entries_check, late, heads.get(late.record["stream"]))
    ran = f"records {run[0].record['seq']:,} to {run[-1].record['seq']:,}" if run else "no record"
    entries_check.text = f"the opening, {ran}" + (f", late record {late.record['seq']:,}" if late else "")
    chain.text = f"{len(run) + 1:,} entries by number and hash"
    if before:
        chain.text += "; the first record from a hash that the bundle states"


def root_of_part(entries: list[Entry], size: int, proof: Iterator[bytes]) -> bytes:
    """The root that entries and proof give together, from the top down."""
    indexes = [entry.index for entry in entries]

    def root(low: int, high: int) -> bytes:
        at = bisect_left(indexes, low)
        if at == len(indexes) or indexes[at] >= high:
            return next(proof)
        if high - low == 1:
            return sha(b"\0" + entries[at].body)
        half = 1 << ((high - low - 1).bit_length() - 1)
        left = root(low, low + half)
        return sha(b"\1" + left + root(low + half, high))

    return root(0, size)


def check_tree(check: Check, bundle: Json, entries: list[Entry], size: int, expected: bytes) -> None:
    """The root over the whole log."""
    for entry in entries:
        if entry.index >= size:
            check.wrong(entry.where, "the log has no such entry", f"an index below {size}", entry.index)
    if check.faults:
        return
    hashes = [base64.b64decode(node) for node in bundle.get("proof", [])]
    proof = iter(hashes)
    try:
        made = root_of_part(entries, size, proof)
    except StopIteration:
        check.wrong("proof", "hashes are missing", "", f"{len(hashes)} hashes")
        return
    left_over = len(list(proof))
    if left_over:
        check.wrong("proof", "hashes are left over", f"{len(hashes) - left_over} hashes", f"{len(hashes)} hashes")
    check.same("entries", "the root", base64.b64encode(expected).decode(), base64.b64encode(made).decode())
    check.text = f"every entry is in the log of {size:,} entries under its root"


def tree_head(check: Check, bundle: Json) -> tuple[int, bytes, list[tuple[str, str]]]:
    """Size and root of the log, and by whom they are signed."""
    if "tree_head" in bundle:
        root = base64.b64decode(bundle["tree_head"]["root"])
        return bundle["tree_head"]["size"], root, []
    try:
        note = read_note(bundle["checkpoint"])
    except WrongError as error:
        raise unreadable("checkpoint", error) from None
    check.text = f"the log {note.origin}"
    return note.size, note.root, note.signed


def check_rulebooks(check: Check, bundle: Json, entries: list[Entry]) -> None:
    """That each rulebook that an entry names is there once, with the Submission of the opening."""
    filed: dict[str, Json] = {}
    for index, rulebook in enumerate(bundle["rulebooks"]):
        if rulebook["hash"] in filed:
            check.wrong(f"rulebooks[{index}]", "a rulebook occurs twice", "", rulebook["hash"])
        filed[rulebook["hash"]] = rulebook["submission"]
    for entry in entries:
        name, record = entry.record["rulebook"], entry.record
        if name not in filed:
            check.wrong(entry.where, "the rulebook is not in the bundle", "", name)
        elif "submission" in record and filed[name] != record["submission"]:
            check.wrong(entry.where, "the Submission under this hash is not that of the opening", "", name)
    check.text = f"{len(filed):,}, each named by an entry"


def signatures_of(bundle: Json, signed: list[tuple[str, str]], check: Check) -> str:
    """What to report about the signatures; keys with a wrong id are faults."""
    known = set()
    for index, key in enumerate(bundle.get("keys", [])):
        try:
            known.add(read_key(key))
        except WrongError as error:
            check.wrong(f"keys[{index}]", "a public key", error.expected, error.found)
    if not signed:
        return "it is not signed: it proves nothing to anyone who does not trust its maker"
    names = [short(name) + (" (its key is here)" if (name, key) in known else "") for name, key in signed[:20]]
    return f"not checked here: {', '.join(names)}"


def verify_bundle(report: Report, data: bytes) -> None:
    """Every check of a bundle."""
    if len(data) > BUNDLE_BYTES:
        raise UnreadableError(f"{len(data):,} bytes; a bundle has at most {BUNDLE_BYTES:,}")
    bundle = parse(data, "the bundle", BUNDLE_DECODER)
    version = bundle.get("bundle")
    if type(version) is not int or version != 1:
        raise UnreadableError(f"version {short(version)} of a bundle; only 1 is known")
    readable(BUNDLE, bundle, "the bundle")
    if ("checkpoint" in bundle) == ("tree_head" in bundle):
        raise UnreadableError("exactly one of `checkpoint` and `tree_head` must be present")
    form, entries_check = report.check("form"), report.check("entries")
    chain, tree, rulebooks = report.check("chain"), report.check("tree"), report.check("rulebooks")
    keys = report.check("keys", f"{len(bundle.get('keys', [])):,}, each with the id that follows from it")
    size, root, signed = tree_head(tree, bundle)
    entries = bundle_entries(bundle)
    for entry in entries:
        check_form(form, entry)
    form.text = f"{len(entries):,} entries in the form of version 1"
    check_scope(entries_check, bundle)
    rising = is_rising(entries_check, bundle["scope"], entries)
    if bundle["scope"]["kind"] == "all":
        check_whole(entries_check, entries, size)
        heads: dict[str, Head] = {}
        for entry in entries:
            check_chain(chain, entry, heads)
        entries_check.text, chain.text = f"all {len(entries):,}", f"{len(entries):,} entries by number and hash"
    else:
        check_part(entries_check, chain, bundle, entries)
    if rising:
        check_tree(tree, bundle, entries, size, root)
    else:
        tree.skipped = "the entries are not in order"
    check_rulebooks(rulebooks, bundle, entries)
    signatures = signatures_of(bundle, signed, keys)
    check_ids(report, entries, whole=False)
    check_shoes(report, entries, begun="before" not in bundle)
    if "before" in bundle:
        seq = bundle["before"]["seq"]
        report.check("state before", skipped=f"the state of the table after record {seq:,} is stated, not proved")
    not_checked(report, signatures, is_signed=bool(signed))


# ------------------------------------------------------------------------------------------------ the program


def is_journal(data: bytes) -> bool:
    """Whether a file is a journal: its first line is an entry, or a checkpoint with the name of a stream."""
    if data.startswith(b'{"hash":'):
        return True
    return (
        data.startswith(b'{"checkpoint":')
        and b'"stream":' in data.split(b"\n", 1)[0]
        and b'"bundle":' not in data[:NOTE_BYTES]
    )


def verify(data: bytes, beside: Mapping[str, bytes] | None = None) -> Report:
    """Verify a journal or a bundle; `beside` has the checkpoints next to a journal, by file name."""
    report = Report()
    try:
        if is_journal(data):
            report.kind = "journal"
            verify_journal(report, data, beside or {})
        elif data.lstrip(b" \t\r\n").startswith(b"{"):
            report.kind = "bundle"
            verify_bundle(report, data)
        else:
            raise UnreadableError("the file is neither a journal nor a bundle" if data else "the file is empty")
    except UnreadableError as error:
        report.unreadable = str(error)
    except RecursionError:
        report.unreadable = "objects or lists are nested too deeply"
    if report.unreadable:
        report.checks.clear()
    return report


def read(path: Path) -> bytes:
    """The bytes of a file, if they are not too many."""
    with path.open("rb") as file:
        data = file.read(FILE_BYTES + 1)
    if len(data) > FILE_BYTES:
        raise UnreadableError(f"more than {FILE_BYTES:,} bytes; this program reads no larger file")
    return data


def notes_beside(path: Path, data: bytes) -> dict[str, bytes]:
    """The checkpoints next to a journal: of its only stream, or with the name of one of its streams."""
    found = {}
    for note in sorted(path.parent.glob(glob.escape(path.name) + ".*")):
        middle = note.name[len(path.name) : -len(note.suffix)]
        named = re.sub(rb"%([0-9A-F]{2})", lambda found: bytes.fromhex(found[1].decode()), os.fsencode(middle[1:]))
        stream = json.dumps(named.decode("utf-8", "replace"), ensure_ascii=False).encode()
        is_its_own = not middle or b'"stream":' + stream in data
        if note.suffix in (".checkpoint", ".cosigned") and is_its_own and note.is_file():
            found[note.name] = read(note)
    return found


def verify_file(path: Path) -> Report:
    """Verify a file, a journal with the checkpoints next to it."""
    try:
        data = read(path)
        return verify(data, notes_beside(path, data) if is_journal(data) else {})
    except OSError as error:
        return Report(unreadable=error.strerror or "the file cannot be read")
    except (UnreadableError, ValueError) as error:
        return Report(unreadable=str(error))
    except MemoryError:
        return Report(unreadable="too large for the memory of this machine")


def main() -> int:
    """Verify the files named on the command line."""
    parser = argparse.ArgumentParser(description="Verify journals and bundles of a baccarat table.")
    parser.add_argument("file", nargs="+", help="a journal (JSON lines) or a bundle (one JSON object)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    arguments = parser.parse_args()
    reports = [(path, verify_file(Path(path))) for path in arguments.file]
    status = max(report.status for _, report in reports)
    if arguments.json:
        files = [{"file": path, **report.as_json()} for path, report in reports]
        lines = [json.dumps({"status": status, "files": files}, indent=1)]
    else:
        lines = [line for path, report in reports for line in (f"{path}: {report.kind or '?'}", *report.lines())]
        lines.append(UNSIGNED if not status and any(report.is_signed for _, report in reports) else ANSWERS[status])
    try:
        sys.stdout.buffer.write(("\n".join(lines) + "\n").encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has stopped; nothing more is to be written at the end either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


if __name__ == "__main__":
    sys.exit(main())
