#!/usr/bin/env python3
"""Verifies journals and bundles of a baccarat table: python verify_baccarat.py FILE… [--key KEY] [--json]

Written from the published pages about the journal, the log, the bundle and the shuffle alone. It shares no code with
the program that writes these files, needs nothing but Python 3.9 or later, and reads nothing but the files that it is
given (and the checkpoints next to a journal).

It derives again: canonical bytes, chain, tree, commitment, order of the cards, card tree, proofs, cut, every card that
was turned; and it checks the signatures of logs and witnesses under the keys that it is given. It does NOT check the
hash of a rulebook, or whether the rules were followed, and says so each time.

Exit status: 3 nothing is wrong, but not everything is covered (always, since it does not know the rules) · 1 something
is wrong · 2 a file is not readable, or wrong usage.
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
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote, unquote

Json = dict[str, Any]
Rule = Callable[[Any], None]

LARGEST = 2**53 - 1
BODY_BYTES = 65_535
BUNDLE_BYTES = 256 * 2**20
FILE_BYTES = 2**30  # more than this is not read at all
NOTE_BYTES = 1_000_000
DECKS = 52  # more than any shoe holds; a forger may write any number
ZERO = "0" * 64


class UnreadableError(Exception):
    """The file is not in the published form, so there is nothing to check."""


class LooseError(UnreadableError):
    """JSON that two readers could read differently: a number that is not whole or too large, a key twice."""


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
    coverage: list[Coverage] = field(default_factory=list)

    @property
    def status(self) -> int:
        """1 something is wrong, 2 the file is not readable, 3 nothing is wrong, but not everything is covered."""
        if self.unreadable:
            return 2
        return 1 if any(check.faults for check in self.checks) else 3

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
        for coverage in self.coverage:
            yield str(coverage)
            yield from (f" – not covered: {gap}" for gap in coverage.gaps)
            stretch = coverage.longest_open
            if stretch is not None and stretch[0]:
                yield f"   open to rewriting at most {stretch[0]:,} entries, for {stretch[1]:,} s"

    def as_json(self) -> Json:
        """The report for programs."""
        words = {"✓": "holds", "✗": "wrong", "–": "not checked"}
        return {
            "kind": self.kind,
            "status": self.status,
            "unreadable": self.unreadable,
            "coverage": [each.as_json() for each in self.coverage],
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


@dataclass
class Reach:
    """How many entries a key has signed, counted from the first; and when a witness cosigned last."""

    key: Key
    to: int
    at: int = 0

    def as_json(self) -> Json:
        """The same for programs."""
        made: Json = {"name": self.key.name, "key": self.key.id, "to": self.to}
        return {**made, "at": self.at} if self.at else made


@dataclass
class Coverage:
    """How far a stream is covered, and by whom; `gaps` are sentences about everything that is not."""

    stream: str
    entries: int
    signed: list[Reach]
    cosigned: list[Reach]
    witnesses: int
    longest_open: tuple[int, int] | None
    gaps: list[str]

    def __str__(self) -> str:
        parts = [f"{self.stream}: {self.entries:,} {'entry' if self.entries == 1 else 'entries'}", "decided again 0"]
        parts += [f"signed to {each.to:,} by {each.key.name}" for each in self.signed] or [
            "signed by no key that was given"
        ]
        parts += [f"cosigned to {each.to:,} by {each.key.name}" for each in self.cosigned]
        if self.witnesses and self.cosigned:
            parts[-1] += f" ({len(self.cosigned)} of {self.witnesses})"
        elif self.witnesses:
            parts.append(f"cosigned by none of {self.witnesses}")
        return " · ".join(parts)

    def as_json(self) -> Json:
        """The same for programs, as `baccarat verify --json` has it."""
        stretch = self.longest_open
        return {
            "stream": self.stream,
            "entries": self.entries,
            "decided": 0,
            "signed": [each.as_json() for each in self.signed],
            "cosigned": [each.as_json() for each in self.cosigned],
            "witnesses": self.witnesses,
            "longest_open": None if stretch is None else {"entries": stretch[0], "seconds": stretch[1]},
            "gaps": self.gaps,
        }


WORST_FIRST = (1, 2, 3)
"""Which status counts of several files."""
ANSWERS = {
    1: "Something is wrong.",
    2: "Not everything is readable.",
    3: "Nothing is wrong in what was checked; not all of it is covered.",
}
"""The last line, by the exit status."""


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
        raise LooseError(f"a number above 2^53 − 1: {digits[:40]}")
    return int(digits)


def no_number(digits: str) -> NoReturn:
    """Refuse floats, NaN and Infinity."""
    raise LooseError(f"a number that is not whole: {digits[:40]}")


def object_once(pairs: list[tuple[str, Any]]) -> Json:
    """An object, none of whose keys occurs twice."""
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        raise LooseError("a key that occurs twice in an object: " + short(next(k for k in keys if keys.count(k) > 1)))
    return made


def object_ascii(pairs: list[tuple[str, Any]]) -> Json:
    """The same, with keys that are ASCII: the canonical order of others is not defined here."""
    made = object_once(pairs)
    if not "".join(made).isascii():
        raise LooseError("a key that is not ASCII: " + short(next(key for key in made if not key.isascii())))
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
        raise type(error)(f"{where}: {error}") from None
    if not isinstance(value, dict):
        raise UnreadableError(f"{where}: expected a JSON object, found {short(value)}")
    if b"\\u" in data:
        try:
            ENCODER.encode(value).encode("utf-8")
        except UnicodeEncodeError:
            raise UnreadableError(f"{where}: a text has half a surrogate pair") from None
        except RecursionError:
            raise UnreadableError(f"{where}: objects or lists are nested too deeply") from None
    return value


def canonical(record: object) -> bytes:
    """The canonical bytes of a body (RFC 8785), whose keys are ASCII and whose numbers are whole."""
    return ENCODER.encode(record).encode("utf-8")


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


def anything(_value: Any) -> None:
    """Any value: what the rules make of it is another question."""


def not_null(value: Any) -> None:
    """Anything but null, which does not stand for an absent field."""
    expect(value is not None, "a value", value)


def joined_streams(value: Any) -> None:
    """Sequence numbers by the names of streams."""
    expect(isinstance(value, dict), "an object", value)
    for name, seq in value.items():
        STREAM(name)
        below("." + name, number(), seq)


VISIBLE_PATTERN = (
    "[^\\x00-\\x1f\\x7f-\\x9f\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b\\u200e\\u200f"
    "\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\U000110bd\\U000110cd\\U00013430-\\U0001345f"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0001\\U000e0020-\\U000e007f]*"
)
VISIBLE = text(VISIBLE_PATTERN, "a text of at most 200 visible characters", 200)
NAMED = text(VISIBLE_PATTERN, "a text of 1 to 200 visible characters", 200, 1)
ANY_TEXT = text("(?s).*", "a text")
STREAM = text("[a-z]+( [!-~][ -~]*)?", "the name of a stream, such as `table 3`", 200)
HEX32 = text("[0-9a-f]{64}", "64 lower-case hexadecimal digits")
HEX16 = text("[0-9a-f]{32}", "32 lower-case hexadecimal digits")


def base32(value: Any) -> None:
    """32 bytes in base64, in its only valid spelling."""
    expect(isinstance(value, str) and len(from_base64(value)) == 32, "32 bytes in base64", value)


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
    {"at": number(), "cards": choice("automated", "electronic", "real")},
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
        "origin": choice("card source", "clock", "link", "person", "program"),
        "device": VISIBLE,
        "approvals": items(APPROVAL, "a list of at most 8 approvals", 8),
        "id": VISIBLE,
        "shown": anything,
        "command": anything,
        "events": items(anything, "a list of events"),
        "refused": anything,
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
            fields({"index": number(), "record": not_null}, {"hash": HEX32}), "a list of at least one entry", least=1
        ),
    },
    {
        "checkpoint": text("(?s).*", "a checkpoint of at most 1,000,000 characters", NOTE_BYTES),
        "tree_head": fields({"size": number(), "root": base32}, {}),
        "keys": items(text("(?s).*", "a text of at most 1,000 characters", 1_000), "a list of at most 100 keys", 100),
        "proof": items(base32, "a list of hashes"),
        "before": fields(
            {"seq": number(), "events": number(), "hash": HEX32, "rulebook": HEX32, "state": not_null}, {}
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


def form_fault(record: Any, body: bytes) -> str:
    """What is wrong with the form of a body, an opening if `seq` is 0, otherwise a record; empty if nothing is."""
    try:
        an_object(record)
        if record.get("v") != 1 or type(record["v"]) is not int:
            return f"the version `v` of the form is {short(record.get('v'))}; only 1 is known"
        (OPENING if record.get("seq") == 0 else RECORD)(record)
        ascii_keys(record)
    except WrongError as error:
        return str(Fault(error.path.lstrip(".") or "the body", error.what or "wrong form", error.expected, error.found))
    if len(body) > BODY_BYTES:
        return f"the body has {len(body):,} bytes; at most {BODY_BYTES:,} are allowed"
    for name, usual in USUAL.items():
        if name in record and record[name] == usual:
            return f"`{name}` has its default value and should be omitted"
    return ""


BY_RULES = ("command", "shown", "refused", "events")


def content_fault(record: Json) -> str:
    """What is wrong with the parts of a record that only the rules define: each is an object; empty if nothing is."""
    parts = [record[name] for name in ("command", "shown", "refused") if name in record] + record.get("events", [])
    return "" if all(isinstance(part, dict) for part in parts) else "commands, events and refusals are objects"


def act_fault(record: Json) -> str:
    """What is wrong with a record that names no command, no person, or both a refusal and events; empty if nothing."""
    if record["seq"] == 0:
        return ""
    is_act = any(name in record for name in (*USUAL, "who", "role") if name not in {"at", "events", "refused"})
    if "cause" in record:
        is_whole = not is_act and "refused" not in record
    else:
        is_person = record.get("origin", "person") == "person"
        is_whole = "command" in record and "who" in record and ("role" in record) is is_person
    if is_whole and ("events" in record) is not ("refused" in record):
        return ""
    return "a record has a command, and who gave it in what role, or a cause; and then events or a refusal"


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


def from_base64(value: str) -> bytes:
    """Bytes from base64 in its only valid spelling."""
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    expect(data and base64.b64encode(data).decode() == value, "base64", value)
    return data


# ------------------------------------------------------------------------------------------------ signatures

FIELD = 2**255 - 19
GROUP = 2**252 + 27742317777372353535851937790883648493
CURVE = -121665 * pow(121666, -1, FIELD) % FIELD
ROOT_OF_MINUS_ONE = pow(2, (FIELD - 1) // 4, FIELD)
ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
SMALL_ORDER = (0, 1, FIELD - 1, ORDER_8, FIELD - ORDER_8)  # y of the points of order 1, 2, 4 and 8
Point = tuple[int, int, int, int]  # extended coordinates: X, Y, Z and T, where x = X/Z, y = Y/Z, xy = T/Z
NEUTRAL: Point = (0, 1, 1, 0)


def point_of(data: bytes) -> Point | None:
    """The point that 32 bytes encode (RFC 8032, 5.1.3); None if they encode none, or not in its only spelling."""
    y, odd = int.from_bytes(data, "little") % 2**255, data[31] >> 7
    if y >= FIELD:
        return None
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, FIELD) % FIELD
    x = pow(square, (FIELD + 3) // 8, FIELD)
    if x * x % FIELD != square:
        x = x * ROOT_OF_MINUS_ONE % FIELD
    if x * x % FIELD != square or (x == 0 and odd):
        return None
    x = FIELD - x if x % 2 != odd else x
    return x, y, 1, x * y % FIELD


def point_sum(one: Point, other: Point) -> Point:
    """The sum of two points (RFC 8032, 5.1.4)."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % FIELD
    b = (one[1] + one[0]) * (other[1] + other[0]) % FIELD
    c = 2 * one[3] * other[3] * CURVE % FIELD
    d = 2 * one[2] * other[2] % FIELD
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % FIELD, g * h % FIELD, f * g % FIELD, e * h % FIELD


BASE = point_of((4 * pow(5, -1, FIELD) % FIELD).to_bytes(32, "little"))


def is_signature(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature is Ed25519 (RFC 8032, 5.1.7) of the message by the key; one of several spellings only."""
    point, scalar = point_of(public), int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or point is None or BASE is None or scalar >= GROUP:
        return False
    factor = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % GROUP
    minus = (FIELD - point[0], point[1], point[2], FIELD - point[3])
    choices = (NEUTRAL, BASE, minus, point_sum(BASE, minus))
    made = NEUTRAL
    for bit in range(max(scalar, factor).bit_length() - 1, -1, -1):
        made = point_sum(made, made)
        made = point_sum(made, choices[(scalar >> bit & 1) + 2 * (factor >> bit & 1)])
    inverse = pow(made[2], -1, FIELD)
    x, y = made[0] * inverse % FIELD, made[1] * inverse % FIELD
    return (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32]


# ------------------------------------------------------------------------------------------------ keys and notes

LOG, WITNESS = 1, 4
PRIVATE_KEY = "PRIVATE+KEY+"


@dataclass(frozen=True)
class Key:
    """A public key: of a log or a house (type 0x01), or of a witness (0x04)."""

    name: str
    kind: int
    public: bytes

    @property
    def id(self) -> str:
        """The 4 bytes by which a signature names its key, in hexadecimal digits."""
        return sha(self.name.encode() + b"\n" + bytes([self.kind]) + self.public)[:4].hex()

    def __str__(self) -> str:
        data = bytes([self.kind]) + self.public
        return f"{self.name}+{self.id}+{base64.b64encode(data).decode()}"

    def verifies(self, text: str, data: bytes) -> bool:
        """Whether these bytes are the key's signature of a text; a witness's begin with the time."""
        if self.kind == LOG:
            return is_signature(self.public, text.encode(), data)
        time = int.from_bytes(data[:8], "big")
        signed = f"cosignature/v1\ntime {time}\n{text}".encode()
        return len(data) == 72 and time < 2**63 and is_signature(self.public, signed, data[8:])


def is_key_name(name: str) -> bool:
    """Whether a key may have this name: other programs could not tell where another one ends."""
    return bool(name) and not re.search(r"[\s+\x00-\x1f\ud800-\udfff]", name)


def read_key(said: str, *, is_share: bool = False) -> Key:
    """A public key, `name+id+base64`; messages never repeat the text, which may be a secret key by mistake."""
    if said.startswith(PRIVATE_KEY):
        raise WrongError("a secret key; expected the public one that belongs to it")
    parts = said.split("+", 2)
    if len(parts) < 3 or not is_key_name(parts[0]) or not re.fullmatch("[0-9a-f]{8}", parts[1]):
        raise WrongError("not a public key; expected name+id+base64, the id as 8 hexadecimal digits")
    try:
        data = from_base64(parts[2])
    except WrongError:
        raise WrongError("not a public key: its last part is not base64") from None
    if len(data) != 33 or data[0] not in ((LOG,) if is_share else (LOG, WITNESS)):
        raise WrongError("not a public key of a log or a witness: a byte for its type and 32 bytes are expected")
    key = Key(parts[0], data[0], data[1:])
    if key.id != parts[1]:
        raise WrongError("the id of a public key does not follow from its name and bytes")
    y = int.from_bytes(key.public, "little") % 2**255
    if not is_share and (y >= FIELD or y in SMALL_ORDER):
        raise WrongError("not a public key: a point of small order, or not written as a point is")
    return key


@dataclass
class Note:
    """A checkpoint: name of the log, size, root; its signatures are not checked yet."""

    text: str
    origin: str
    size: int
    root: bytes
    signatures: list[tuple[str, str, bytes]]  # the name and the id of the key, and the bytes


def read_note(note: str) -> Note:
    """Read a C2SP checkpoint, a signed note."""
    expect(len(note.encode("utf-8", "replace")) <= NOTE_BYTES, f"at most {NOTE_BYTES:,} bytes", note)
    expect(not re.search("[\x00-\x09\x0b-\x1f]", note), "no control characters", note)
    body, gap, tail = note.rpartition("\n\n")
    lines, signatures = body.split("\n"), tail.split("\n")
    expect(gap and signatures.pop() == "" and signatures, "a text, an empty line, and signatures, each a line", note)
    expect(len(signatures) <= 100, "at most 100 signatures", len(signatures))
    expect(len(lines) >= 3 and all(lines), "name, size and root, each on a line of its own", body)
    expect(re.fullmatch("0|[1-9][0-9]{0,15}", lines[1]) and int(lines[1]) <= LARGEST, "a size", lines[1])
    base32(lines[2])
    signed = []
    for line in signatures:
        dash, _, rest = line.partition(" ")
        name, space, encoded = rest.partition(" ")
        expect(dash == "—" and space and is_key_name(name), "a signature: `— name base64`", line)
        data = from_base64(encoded)
        expect(len(data) > 4, "the id of a key and a signature", line)
        signed.append((name, data[:4].hex(), data[4:]))
    size, root = int(lines[1]), from_base64(lines[2])
    expect(size or root == sha(b""), "the root of a log without entries", lines[2])
    return Note(body + "\n", lines[0], size, root, signed)


# ------------------------------------------------------------------------------------------------ names of logs


def name_ending(stream: str) -> str:
    """How the name of a stream's log ends: `/table/1` for `table 1`."""
    kind, _, name = stream.partition(" ")
    return "/" + quote(kind, safe="-._~") + ("/" + quote(name, safe="-._~") if name else "")


def first_name(origin: str) -> str:
    """The name of the log without the number of a successor."""
    return re.sub(r"(?s)(?<=.)/([2-9]|[1-9][0-9]{1,3})\Z", "", origin)


def continues(origin: str, before: str) -> bool:
    """Whether a log is that of a name before, or its successor, or a later successor of the same log."""
    first = first_name(origin)
    if (origin + "/").startswith(before + "/"):
        return True
    return first_name(before) == first != before and int(before[len(first) + 1 :]) < int("0" + origin[len(first) + 1 :])


def stream_named(origin: str, house: str) -> str:
    """The stream of a house that has a log of exactly this name; empty if there is none."""
    if not house or not origin.startswith(house + "/"):
        return ""
    parts = origin[len(house) + 1 :].split("/")
    if len(parts) == 2 and parts[0] in ("table", "pit", "link"):
        stream = f"{parts[0]} {unquote(parts[1])}"
    elif len(parts) == 1 and parts[0] in ("forms", "cage", "day", "house"):
        stream = parts[0]
    else:
        return ""
    return stream if house + name_ending(stream) == origin else ""


def fits_stream(origin: str, stream: str) -> bool:
    """Whether a log of this name may hold this stream, as its first log or as a successor."""
    ending = name_ending(stream)
    return any(
        name.endswith(ending) and stream_named(name, name[: -len(ending)]) == stream
        for name in (origin, first_name(origin))
    )


def names_another(origin: str, stream: str) -> bool:
    """Whether a log's name says that it is the log of a table, pit or link, but not of this stream."""
    names = (origin, first_name(origin))
    return any(stream_named(name, name.rsplit("/", 2)[0]) for name in names) and not fits_stream(origin, stream)


# ------------------------------------------------------------------------------------------------ who has signed


@dataclass
class Signers:
    """Who has signed a checkpoint, as far as known keys show it."""

    logs: list[Key] = field(default_factory=list)
    witnesses: list[tuple[Key, int]] = field(default_factory=list)  # each with the time at which it cosigned
    wrong: str = ""
    unchecked: str = ""
    misnamed: str = ""


def signers_of(note: Note, known: Sequence[Key], stream: str) -> Signers:
    """Who has signed a checkpoint of a stream."""
    origin, misnamed = note.origin, ""
    if names_another(origin, stream):
        return Signers(wrong=f"the checkpoint is of the log {origin}, not of {stream}")
    if not fits_stream(origin, stream):
        misnamed = f"the log is called {origin}, which does not say that it is of {stream}: "
        misnamed += f"expected NAME{name_ending(stream)}"
    if not known:
        return Signers(unchecked="no key was given", misnamed=misnamed)
    # A house signs each stream with one secret key under the stream's own name.
    given = {Key(origin, LOG, k.public) if k.kind == LOG and origin.startswith(k.name + "/") else k: k for k in known}
    found: dict[Key, bytes] = {}
    for name, id_, data in note.signatures:
        for key in given:
            if (name, id_) != (key.name, key.id):
                continue
            if not key.verifies(note.text, data):
                return Signers(
                    wrong=f"the signature by {key.name} is wrong: the text was changed, or another key made it"
                )
            found.setdefault(key, data)
    logs = [given[key] for key in found if key.kind == LOG and key.name == origin]
    witnesses = [(key, int.from_bytes(data[:8], "big")) for key, data in found.items() if key.kind == WITNESS]
    if logs:
        return Signers(logs, witnesses, misnamed=misnamed)
    if any(key.kind == LOG and (origin == key.name or origin.startswith(key.name + "/")) for key in known):
        return Signers([], witnesses, wrong=f"no known key of the log {origin} has signed it")
    return Signers([], witnesses, unchecked=f"the key of the log {origin} was not given", misnamed=misnamed)


NOT_DECIDED = "nothing was decided again: this verifier does not know the rules"


class SignatureReach:
    """Collects who has signed the checkpoints of a stream, and up to which entry."""

    def __init__(self, keys: Sequence[Key], share_keys: Collection[str]) -> None:
        """`share_keys` are keys by which witnesses sign their shares: these sign no log."""
        self.keys = [key for key in keys if key.kind == LOG and str(key) not in share_keys]
        self.asked = {str(key): key for key in keys if key.kind == WITNESS}
        self.keys += self.asked.values()
        self.logs: dict[Key, int] = {}
        self.witnesses: dict[Key, tuple[int, int]] = {}
        self.cosigned: list[tuple[int, int]] = []
        self.unchecked: dict[str, None] = {}
        self.misnamed: dict[str, None] = {}

    def add(self, note: Note, stream: str) -> str:
        """A checkpoint that fits the entries; what is wrong with its signatures."""
        found = signers_of(note, self.keys, stream)
        for key in found.logs:
            self.logs[key] = max(self.logs.get(key, 0), note.size)
        for key, at in found.witnesses:
            self.witnesses[key] = max(self.witnesses.get(key, (0, 0)), (note.size, at))
            self.cosigned.append((note.size, at))
        if found.unchecked:
            self.unchecked[found.unchecked] = None
        if found.misnamed:
            self.misnamed[found.misnamed] = None
        return found.wrong

    def coverage(self, stream: str, entries: int, size: int, last_at: int, gaps: list[str]) -> Coverage:
        """How far the stream is covered; `size` entries must be signed, the last of them made at `last_at`."""
        signed = [Reach(key, to) for key, to in self.logs.items()]
        cosigned = [Reach(key, to, at) for key, (to, at) in self.witnesses.items()]
        stretch = self.longest_open(size, last_at)
        return Coverage(
            stream, entries, signed, cosigned, len(self.asked), stretch, [*gaps, *self.gaps(size)]
        )  # fmt: skip

    def gaps(self, size: int) -> Iterator[str]:
        """What the keys do not cover."""
        reach = max(self.logs.values(), default=0)
        if not self.keys:
            yield "no key was given: whose signatures it bears was not checked"
        elif not self.logs:
            yield f"no key that was given has signed it: {'; '.join(self.unchecked) or 'there is no checkpoint'}"
        elif reach < size:
            yield f"{the_last(size - reach, size)} not signed: nobody signed after entry {reach:,}"
        yield from self.misnamed
        # Every witness that was named must have cosigned everything.
        least = min((self.witnesses.get(key, (0, 0))[0] for key in self.asked.values()), default=size)
        if least < size:
            asked = len(self.asked)
            yield f"{the_last(size - least, size)} not cosigned by the witnesses that were asked for ({asked})"

    def longest_open(self, size: int, last_at: int) -> tuple[int, int] | None:
        """The most entries between two cosignatures or after the last, and the seconds that this took."""
        if not self.cosigned:
            return None
        done = sorted(self.cosigned)
        ends = [*done[1:], (size, max(last_at, done[-1][1]))]
        stretches = [(to - since, max(0, at - before)) for (since, before), (to, at) in zip(done, ends)]
        return max([(done[0][0], 0), *stretches])


def the_last(count: int, size: int) -> str:
    """How many entries a gap is about."""
    return f"all {size:,} entries are" if count == size else f"the last {count:,} of {size:,} entries are"


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


def derive(shoe: Shoe, seed: bytes) -> Derived:
    """Derive a shoe again: order 1 from the contributions, order 2 from its closed inputs and the shares."""
    if shoe.order == 1:
        commitment = sha(b"baccarat/commit" + shoe.header + seed)
        personal = b"baccarat/order" + with_length(shoe.header) + joined(shoe.contributions)
        salted = b"baccarat/salt"
    else:
        commitment = sha(b"baccarat/commit/2" + with_length(shoe.header) + seed)
        if not shoe.inputs or len(shoe.shares) < len(shoe.witnesses):
            return Derived(commitment, [], b"")
        shares = b"".join(shoe.shares[key] for key in shoe.witnesses)
        personal = b"baccarat/order/2" + shoe.inputs + u64(len(shoe.witnesses)) + shares
        salted = b"baccarat/salt/2" + shoe.inputs
    seeding = seed + with_length(shoe.id.encode()) + personal
    cards = [DECK[card % 52] for card in order_of(seeding, 52 * shoe.decks)]
    tree = Tree()
    for index, card in enumerate(cards):
        tree.add(leaf_of(index, card, mac(seed, salted + u64(index))[:16]))
    return Derived(commitment, cards, tree.root(len(cards)))


def joined(texts: list[str]) -> bytes:
    """How many texts there are, then each with its length."""
    return u64(len(texts)) + b"".join(with_length(each.encode()) for each in texts)


def names_table(origin: str, table: str) -> bool:
    """Whether a log is that of a table: `HOUSE/table/NAME`, or one that continues it, `HOUSE/table/NAME/2`."""
    path = re.escape("/table/" + quote(table, safe="-._~"))
    return re.fullmatch(rf"[^\s+]+{path}(/[2-9]|/[1-9][0-9]{{1,3}})?", origin) is not None


# ------------------------------------------------------------------------------------------------ shoes, event by event

SMALL = number(0)
CARD = fields({"rank": choice(*"A23456789TJQK"), "suit": choice(*"shdc")}, {})
PROOF = fields({"salt": HEX16, "path": items(HEX32, "a list of at most 64 hashes", 64)}, {})
WITNESSES = items(fields({"key": ANY_TEXT, "promise": HEX32}, {}), "a list of at most 16 witnesses", 16)
EVENTS: dict[str, Mapping[str, Rule]] = {
    "shoe_committed": {
        "table": ANY_TEXT,
        "shoe": ANY_TEXT,
        "rulebook": HEX32,
        "decks": number(1, DECKS),
        "commitment": HEX32,
    },
    "inputs_closed": {"origin": ANY_TEXT, "shoe": ANY_TEXT, "witnesses": WITNESSES, "inputs": HEX32},
    "share_given": {"key": ANY_TEXT, "note": items(ANY_TEXT, "the lines of a note", 8)},
    "recut_ordered": {},
    "contribution_made": {"value": text("(?s).+", "1 to 64 characters", 64)},
    "order_sealed": {"root": HEX32},
    "cards_cut": {"in_front": SMALL},
    "seed_revealed": {"seed": HEX32},
    "order_disproved": {"seed": HEX32},
    "seed_lost": {},
    "shoe_closed": {},
}


NEED_A_SHOE = {
    *("contribution_made", "inputs_closed", "share_given", "order_sealed"),
    *("seed_revealed", "order_disproved", "seed_lost"),
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
    order: int = 1
    origin: str = ""
    witnesses: dict[str, str] = field(default_factory=dict)  # each named share key with its promise, in order
    inputs: bytes = b""
    closing: bytes = b""  # the hash of the record that closed the inputs
    shares: dict[str, bytes] = field(default_factory=dict)  # the shares that were opened, by share key
    notes: dict[str, list[str]] = field(default_factory=dict)  # the lines of their notes
    contributions: list[str] = field(default_factory=list)
    root: str = ""
    in_front: int = 0
    is_cut: bool = False
    seen: dict[int, Seen] = field(default_factory=dict)  # by entry of the order, before the cut
    proved: dict[int, str] = field(default_factory=dict)  # cards by their position in the cut shoe
    rounds: int = 0  # how many were completed
    is_over: bool = False
    seed: str = ""
    derived: Derived | None = None
    lost: bool = False
    disproved: bool = False


IN_PERSON = {"sit", "leave", "buy_in", "correct_card", "correct_payment", "correct_meter"}
"""What persons still do in the dealer's capacity at an automated table."""
BY_NO_PERSON = {"come_on", "go_off", "report_error_card", "report_exposed_card", "report_face_up"}
"""What no person does there, in whatever capacity."""


class Shoes:
    """The electronic shoes of one stream: every event in its order."""

    def __init__(
        self, stream: str, origin: str, checks: dict[str, Check], counts: dict[str, int], *, begun: bool
    ) -> None:
        """`origin` is the name of the log by its checkpoint; empty if there is none."""
        self.table, self.origin = stream.partition(" ")[2], origin
        self.acts, self.proofs, self.seeds = checks["shoes"], checks["card proofs"], checks["seeds"]
        self.counts = counts
        self.shoe: Shoe | None = None
        self.all: list[Shoe] = []
        self.last_seed = ""
        self.closing = False
        self.leaf = b""  # the hash of the record, if it has one event alone
        self.number: int | None = 0 if begun else None  # of the shoe in play; None if the beginning is not here
        self.cards = ""  # what the table is, by its opening; empty if that does not say

    def dealt_by(self, where: str, record: Json) -> None:
        """At an automated table the program is the dealer, and at no other."""
        command: Json = record.get("command", {})
        origin, act = record.get("origin", "person"), command.get("do")
        if origin == "program" and self.cards != "automated":
            self.acts.wrong(where, "the program deals at a table that is not automated")
        if self.cards != "automated" or origin != "person" or "who" not in record:
            return
        is_lost = act == "end_round" and bool(command.get("lost"))  # a seal that the program cannot open
        if act in BY_NO_PERSON or (record.get("role") == "dealer" and act not in IN_PERSON and not is_lost):
            self.acts.wrong(where, "a person deals at an automated table", "the program", short(act))

    def record(self, where: str, record: Json, body: bytes) -> None:
        """One record: the proof in its command, then its events; a shoe that it closes is over after that."""
        if record["seq"] == 0:
            self.cards = record.get("cards", "")
        elif not record.get("refused"):
            self.dealt_by(where, record)
        events: list[Json] = record.get("events", [])
        self.leaf = sha(b"\0" + body) if len(events) == 1 else b""
        if events:
            try:
                self.shown_card(where, record.get("command", {}), events[0])
            except WrongError as error:
                what = f"`{error.path.lstrip('.')}` of the command: {error.what or 'wrong form'}"
                self.proofs.wrong(where, what, error.expected, error.found)
        for number_of_event, event in enumerate(events):
            try:
                self.event(f"{where}, event {record['event'] + number_of_event}", event)
            except WrongError as error:
                path = f"`{error.path.lstrip('.')}` " if error.path else ""
                what = f"{path}of {short(event.get('event'))}: {error.what or 'wrong form'}"
                self.acts.wrong(where, what, error.expected, error.found)
        if self.closing:
            self.shoe, self.closing = None, False

    def event(self, where: str, event: Json) -> None:
        """One event."""
        name = event.get("event")
        expect(isinstance(name, str), "the name of an event", name)
        if name == "shoe_closed" and self.number is not None:
            self.number += 1
        if name == "table_cleared" and self.shoe is not None:
            self.shoe.rounds += 1
        for needed, rule in EVENTS.get(str(name), {}).items():
            below("." + needed, rule, event.get(needed))
        if name == "shoe_committed":
            self.commit(where, event)
        elif name in EVENTS and self.shoe is not None:
            getattr(self, str(name))(where, event, self.shoe)
        elif name in NEED_A_SHOE:
            raise WrongError("no shoe has committed to a seed")
        is_card = "position" in event and event.get("card") is not None and name != "shoe_fouled"
        if is_card and self.cards in ("automated", "electronic") and not (self.shoe and self.shoe.root):
            self.acts.wrong(where, "a card is shown at an electronic table, and no order is sealed")
        if is_card and self.shoe is not None:
            below(".position", SMALL, event["position"])
            below(".card", CARD, event["card"])
            if self.shoe.root:
                self.card(where, event["position"], event["card"], self.shoe)
                card, proved = event["card"]["rank"] + event["card"]["suit"], self.shoe.proved.get(event["position"])
                if card != proved:
                    self.proofs.wrong(where, f"the card at position {event['position']}", proved or "a proof", card)

    def commit(self, where: str, event: Json) -> None:
        """A new shoe."""
        if self.cards == "real":
            self.acts.wrong(where, "a shoe commits at a table of real cards")
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
        order, origin, witnesses = event.get("order", 1), event.get("origin", ""), event.get("witnesses", [])
        below(".order", number(1, 2), order)
        below(".origin", ANY_TEXT, origin)
        below(".witnesses", WITNESSES, witnesses)
        if order == 1:
            if origin or witnesses:
                self.acts.wrong(where, "order 1 names no log and no witnesses")
            return
        self.shoe.order, self.shoe.origin = order, origin
        self.shoe.witnesses = {each["key"]: each["promise"] for each in witnesses}
        keys = [each["key"] for each in witnesses]
        public = {key.split("+", 2)[-1] for key in keys}
        for key in keys:
            read_key(key, is_share=True)
        if keys != sorted(keys) or len(public) < len(keys) or (keys and not origin):
            self.acts.wrong(where, "witnesses are of a named log, sorted by their keys, and each key is another")
        if origin and not names_table(origin, self.table):
            self.acts.wrong(where, "the log of a shoe is that of its table", f"…/table/{self.table}", short(origin))
        if origin and self.origin and not continues(self.origin, origin):
            self.acts.wrong(where, "the log of a shoe is that of the checkpoint", short(self.origin), short(origin))
        named = b"".join(with_length(key.encode()) + bytes.fromhex(self.shoe.witnesses[key]) for key in keys)
        first = with_length(b"baccarat/header/2") + with_length(origin.encode())
        self.shoe.header = first + header + u64(len(keys)) + named

    def contribution_made(self, where: str, event: Json, shoe: Shoe) -> None:
        """A contribution, which comes before the inputs are closed; of order 1, before it is sealed."""
        if shoe.root or shoe.seed or shoe.inputs:
            self.acts.wrong(where, "a contribution comes after the inputs were closed, or the order was sealed")
        shoe.contributions.append(event["value"])

    def inputs_closed(self, where: str, event: Json, shoe: Shoe) -> None:
        """Everything but the shares is fixed: once, after the cut, in a record of its own, as it was committed to."""
        if shoe.order == 1 or shoe.inputs or not shoe.is_cut or not self.leaf:
            self.acts.wrong(
                where, "inputs are closed once, after the cut of an order 2, in a record with no other event"
            )
            return
        said = (event["origin"], event["shoe"], [(each["key"], each["promise"]) for each in event["witnesses"]])
        if said != (shoe.origin, shoe.id, list(shoe.witnesses.items())):
            self.acts.wrong(where, "the closing names another log, shoe or witness than the commitment")
        made = b"baccarat/inputs/2" + with_length(shoe.header) + bytes.fromhex(shoe.commitment)
        made = sha(made + joined(shoe.contributions) + u64(shoe.in_front))
        self.acts.same(where, "the hash of the inputs", made.hex(), event["inputs"])
        shoe.inputs, shoe.closing = made, self.leaf

    def share_given(self, where: str, event: Json, shoe: Shoe) -> None:
        """A witness opens the share that it promised, in a note for this log, this shoe and this closing."""
        key, note = event["key"], event["note"]
        promise = shoe.witnesses.get(key)
        if not shoe.inputs or shoe.root or promise is None or key in shoe.shares:
            self.acts.wrong(where, "a share that no named witness still owes after the closing", "", short(key))
            return
        by = read_key(key, is_share=True)
        name, id_ = by.name, by.id
        closing = base64.b64encode(shoe.closing).decode()
        exact = ["baccarat/share/v1", shoe.origin, shoe.id, closing]
        expect(len(note) == 7 and note[:4] == exact and note[5] == "", f"a note that begins with {exact}", note)
        share, last = from_base64(note[4]), note[6].split(" ")
        expect(len(share) == 32, "a share of 32 bytes", note[4])
        expect(len(last) == 3 and last[:2] == ["—", name], f"one signature by {name}", note[6])
        signature = from_base64(last[2])
        expect(signature[:4].hex() == id_ and len(signature) == 68, f"a signature by the key {id_}", note[6])
        made = sha(
            b"baccarat/share/1"
            + with_length(key.encode())
            + with_length(shoe.origin.encode())
            + with_length(shoe.id.encode())
            + share
        )
        if self.acts.same(where, f"the promise of {name}", promise, made.hex()):
            shoe.shares[key], shoe.notes[key] = share, note

    def recut_ordered(self, _where: str, _event: Json, shoe: Shoe) -> None:
        """The stack is cut again; after the closing the shoe is given up instead."""
        shoe.is_cut = shoe.is_cut and bool(shoe.inputs)

    def order_sealed(self, where: str, event: Json, shoe: Shoe) -> None:
        """The root of the card tree, known once: of order 1 before the cut, of order 2 after the last share."""
        if shoe.root:
            self.acts.wrong(where, "an order is sealed a second time", shoe.root, event["root"])
        if shoe.seed:
            self.acts.wrong(where, "an order is sealed after its seed was revealed")
        if shoe.order == 2 and (not shoe.inputs or len(shoe.shares) < len(shoe.witnesses)):
            self.acts.wrong(where, "an order is sealed before its inputs are closed and every share is open")
        shoe.root = event["root"]

    def cards_cut(self, where: str, event: Json, shoe: Shoe) -> None:
        """The cut; a later one replaces it."""
        if shoe.order == 1 and not shoe.root:
            self.acts.wrong(where, "the cards are cut before their order was sealed")
        if shoe.inputs:
            self.acts.wrong(where, "the cards are cut after the inputs were closed")
            return
        if event["in_front"] > 52 * shoe.decks:
            self.acts.wrong(
                where, "more cards in front than there are", f"at most {52 * shoe.decks}", event["in_front"]
            )
        shoe.in_front, shoe.is_cut = event["in_front"], True

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
        self.closing = shoe.is_over = True

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
        made = derive(shoe, bytes.fromhex(shoe.seed))
        if not self.seeds.same(where, "the commitment to this seed", shoe.commitment, made.commitment.hex()):
            return  # with another seed no card can be right
        self.counts["seeds"] += 1
        if not shoe.root or not made.cards:
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
        position: Any = command.get("position")
        position = first.get("position") if position is None else position
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
            shoe.proved[position] = command["card"]["rank"] + command["card"]["suit"]
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


def check_act(check: Check, entry: Entry) -> None:
    """That a record is one of an act, or of what follows from an act elsewhere."""
    fault = act_fault(entry.record)
    if fault:
        check.wrong(entry.where, fault)


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
    heads[stream] = Head(entry.hash if entry.hash and re.fullmatch("[0-9a-f]{64}", entry.hash) else made, seq, events)


def asked_for(record: Json) -> str:
    """What identifies a person's command: the stream, the command itself, and in what capacity it was given."""
    names = ("stream", "command", "role", "origin", "approvals")
    return canonical([record.get(name) for name in names]).decode()


def check_ids(report: Report, entries: list[Entry]) -> None:
    """Under one id of a person something is done once; a refusal for an id names an earlier use of it."""
    check = report.check("ids")
    given: dict[tuple[str, str], Entry] = {}
    first_seq: dict[str, int] = {}
    has_house = any(entry.record["stream"] == "house" for entry in entries)
    for entry in entries:
        record = entry.record
        if record["seq"]:
            first_seq.setdefault(record["stream"], record["seq"])
        who, id_, refused = record.get("who", ""), record.get("id", ""), record.get("refused", {})
        if refused.get("code") != "repeated_id":
            if id_ and given.setdefault((who, id_), entry) is not entry:
                where = given[who, id_].where
                check.wrong(entry.where, f"the id {short(id_)} is used for two commands", "", where)
            continue
        named = refused.get("params")
        said, stream, seq = (named.get(n) if isinstance(named, dict) else None for n in ("id", "stream", "record"))
        if id_ or not isinstance(said, str) or not isinstance(stream, str) or type(seq) is not int:
            say = "a command that is refused for its id must be entered without one, and the refusal names the id"
            check.wrong(entry.where, say, "", short(id_ or named))
            continue
        first = given.get((who, said))
        if first is not None:
            found, expected = [stream, seq], [first.record["stream"], first.record["seq"]]
            is_same = check.same(entry.where, f"the record with the id {short(said)}", expected, found)
            if is_same and asked_for(first.record) == asked_for(record):
                check.wrong(entry.where, f"the id {short(said)} was used for the same command", "", first.where)
        elif has_house or (stream == record["stream"] and first_seq.get(stream, seq + 1) <= seq):
            # In a part of a journal, or in one of several streams, the record that it names may be missing.
            check.wrong(entry.where, "no record has the id for which it is refused", "", short(said))
    check.text = f"{len(given):,} of commands, each of them once"
    if not given:
        check.skipped = "no record has an id"


# ------------------------------------------------------------------------------------------------ other streams


def check_streams(report: Report, entries: list[Entry]) -> dict[str, list[str]]:
    """Records that depend on other streams: what is wrong with them, and by stream, what is not in the file."""
    check = report.check("other streams", skipped="no record depends on another stream")
    records = {(entry.record["stream"], entry.record["seq"]): entry.record for entry in entries}
    has_house = any(entry.record["stream"] == "house" for entry in entries)
    missing: dict[str, dict[str, list[int]]] = {}
    count = 0
    for entry in entries:
        record, stream = entry.record, entry.record["stream"]
        cause, is_table = record.get("cause"), stream.startswith("table ")
        if cause and is_table and (cause["stream"] != "house" or not is_link_joined(record)):
            say = "without a command a table has no record but link_joined, which follows an act of the house"
            check.wrong(entry.where, say, "", short([cause["stream"], *entry.names]))
        if has_house:
            count += bool(cause) + len(record.get("joined", {}))
            if cause:
                joined = records.get((cause["stream"], cause["seq"]), {}).get("joined", {})
                expected = f"a record that joined {stream} {record['seq']}"
                if joined.get(stream) != record["seq"]:
                    check.wrong(entry.where, "the record that it follows", expected, short(cause))
            for name, seq in record.get("joined", {}).items():
                found = records.get((name, seq), {}).get("cause")
                if found != {"stream": stream, "seq": record["seq"]}:
                    check.wrong(entry.where, f"{name} {seq}, in which it was entered too", "a record with this cause")
        elif is_table:
            for why in missing_streams(record):
                missing.setdefault(stream, {}).setdefault(why, []).append(record["seq"])
    if has_house:
        check.skipped, check.text = "", f"{count:,} records that are entered in several streams, each in all of them"
    return {
        stream: [
            f"record {seqs[0]:,}: {why}" if len(seqs) == 1 else f"{len(seqs):,} records, first {seqs[0]:,}: {why}"
            for why, seqs in found.items()
        ]
        for stream, found in missing.items()
    }


def is_link_joined(record: Json) -> bool:
    """Whether a record has the one event that may follow an act of the house."""
    events = record.get("events", [])
    names = {"event", "link", "requester", "approver", "cites"}
    return (
        len(events) == 1
        and events[0].get("event") == "link_joined"
        and set(events[0]) <= names
        and all(isinstance(events[0].get(name), str) for name in names - {"cites"})
    )


def missing_streams(record: Json) -> Iterator[str]:
    """What a record depends on, in words, where only its own stream is given."""
    refused = record.get("refused", {})
    if "cause" in record:
        yield f"the act of the {record['cause']['stream']} that it follows is not in the file"
    if "shown" in record:
        yield "the stream of the link, whose meters it shows, is not in the file"
    if "joined" in record:
        yield "other streams that it was entered in are not in the file"
    if refused.get("code") == "repeated_id":
        params = refused.get("params")
        if not isinstance(params, dict) or params.get("stream") != record["stream"]:
            yield "the stream in which its id was used before is not in the file"
    elif any(isinstance(cite, str) and cite.startswith("house ") for cite in refused.get("cites") or ()):
        yield "it was refused by a rule of the house, whose streams are not in the file"


# ------------------------------------------------------------------------------------------------ all electronic shoes


@dataclass
class ShoesFound:
    """The electronic shoes of a stream, as far as the signatures concern them."""

    gaps: list[str] = field(default_factory=list)
    share_keys: set[str] = field(default_factory=set)


def check_shoes(
    report: Report, entries: list[Entry], origins: Mapping[str, str], keys: Sequence[Key], *, begun: bool
) -> dict[str, ShoesFound]:
    """Every electronic shoe of every table; `begun` if every stream is complete from its beginning."""
    checks = {name: report.check(name) for name in ("shoes", "card proofs", "seeds")}
    counts = {"proofs": 0, "seeds": 0, "derived": 0, "passed over": 0}
    tables: dict[str, Shoes] = {}
    for entry in entries:
        stream = entry.record["stream"]
        if stream.startswith("table "):
            if stream not in tables:
                tables[stream] = Shoes(stream, origins.get(stream, ""), checks, counts, begun=begun)
            tables[stream].record(entry.where, entry.record, entry.body)
    shoes_texts(report, checks, counts, [shoe for table in tables.values() for shoe in table.all])
    found: dict[str, ShoesFound] = {}
    for stream, table in tables.items():
        made = found[stream] = ShoesFound()
        made.share_keys = {key for shoe in table.all for key in shoe.witnesses}
        for shoe in table.all:
            if not shoe.seed:
                why = "is reported lost" if shoe.lost else "is not shown: the shoe was not over, or it was left out"
                made.gaps.append(f"the seed of shoe {shoe_name(shoe.id)} {why}")
        for shoe in table.all:
            if (shoe.root and shoe.witnesses) or (shoe.inputs and not shoe.root):
                made.gaps += order_gaps(shoe, keys, checks["shoes"])
    return found


def order_gaps(shoe: Shoe, keys: Sequence[Key], check: Check) -> Iterator[str]:
    """What is not covered of an order of which witnesses had a share: their signatures, or that it was used."""
    known, checked = {str(key): key for key in keys}, 0
    for text, note in shoe.notes.items():
        key = known.get(text)
        if key is not None:
            checked += 1
            signed, data = "".join(f"{line}\n" for line in note[:5]), from_base64(note[6].split(" ")[2])[4:]
            if not key.verifies(signed, data):
                check.wrong(f"shoe {shoe_name(shoe.id)}", f"the signature of {key.name} under its share is wrong")
    say, named = f"order of shoe {shoe_name(shoe.id)}: {order_words(shoe)}", len(shoe.witnesses)
    if shoe.root and checked < named:
        say += f", {checked} of {named} checked: name the share keys of the others with --key"
    if not (shoe.root and shoe.rounds) or checked < named:
        yield say


def shoes_texts(report: Report, checks: dict[str, Check], counts: dict[str, int], shoes: list[Shoe]) -> None:
    """Say how far the shoes were checked."""
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
    orders = [f"shoe {shoe_name(shoe.id)}: {order_words(shoe)}" for shoe in shoes if shoe.root or shoe.inputs]
    if orders:
        report.check("orders", skipped="; ".join(orders[:20]))
    given = sum(len(shoe.contributions) for shoe in shoes)
    report.check("contributions", skipped=f"{given:,} by seats, whoever sat there")


def order_words(shoe: Shoe) -> str:
    """Who had a part in an order that the house could not know."""
    if not shoe.root:
        stage = "given up after closing" if shoe.is_over else "closed, not sealed yet"
        return stage if shoe.inputs else "never closed"
    if not shoe.witnesses:
        return "the house alone could have known this order beforehand"
    return f"{len(shoe.witnesses)} witness{'es' * (len(shoe.witnesses) != 1)} named, {len(shoe.notes)} shown"


def cover(
    report: Report, found: ShoesFound, keys: Sequence[Key], stream: str, notes: list[tuple[str, Note]], **counts: int
) -> None:
    """Say who has signed a stream whose `notes` fit it, and how far it is covered; `found.gaps` are not."""
    reach = SignatureReach(keys, found.share_keys)
    check = report.check("signatures")
    for where, note in notes:
        wrong = reach.add(note, stream)
        if wrong:
            check.wrong(where, wrong)
    said = [f"signed to {to:,} by {key.name}+{key.id}" for key, to in reach.logs.items()]
    said += [f"cosigned to {to:,} by {key.name}+{key.id} at {at}" for key, (to, at) in reach.witnesses.items()]
    check.text = ", ".join(said)
    if not said:
        check.skipped = "whose signature it bears was not checked" if notes else "it is not signed"
    report.coverage.append(reach.coverage(stream, gaps=found.gaps, **counts))


def not_checked(report: Report) -> None:
    """List what this program leaves unchecked."""
    report.check("rules", skipped="that a rulebook's hash follows from its content is not checked here")
    report.check(
        "decided again", skipped="whether wagers, draws, results and payments follow the rules is not checked here"
    )


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


BEFORE_HASH, BEFORE_BODY = b'{"hash":"', b'","record":'
BODY_AT = len(BEFORE_HASH) + 64 + len(BEFORE_BODY)


def read_entry(line: int, data: bytes, index: int, heads: dict[str, Head]) -> Entry:
    """An entry of a journal; `ChainError` if it cannot be read and does not follow from those before it either."""
    where = f"line {line}"
    if len(data) > BODY_BYTES + BODY_AT + 1:
        raise UnreadableError(f"{where}: {len(data):,} bytes; a body has at most {BODY_BYTES:,}")
    is_framed = data.startswith(BEFORE_HASH) and data.startswith(BEFORE_BODY, BODY_AT - len(BEFORE_BODY))
    if not is_framed or not data.endswith(b"}"):
        shown = short(data[:120].decode("utf-8", "replace"))
        raise UnreadableError(f'{where}: expected {{"hash":"…","record":{{…}}}} without spaces, found {shown}')
    stated, body = data[len(BEFORE_HASH) : BODY_AT - len(BEFORE_BODY)].decode("utf-8", "replace"), data[BODY_AT:-1]
    record: Json = {}
    is_loose = False
    try:
        record = parse(body, where)
        fault = form_fault(record, body)
        if not fault and canonical(record) != body:
            fault = "the body is not canonical"
    except UnreadableError as error:
        fault, is_loose = str(error)[len(where) + 2 :], isinstance(error, LooseError)
    if fault:
        # A changed entry is wrong rather than unreadable: its number or its hash shows it.
        try:
            record = record or json.loads(body)
            head = heads.get(record["stream"]) or Head(ZERO, -1, 0)
            is_next = record["seq"] == head.seq + 1 and sha(bytes.fromhex(head.hash) + body).hex() == stated
            follows = is_next or type(record["seq"]) is not int or not isinstance(record["stream"], str)
            if is_loose:
                # What only the rules define is wrong rather than unreadable, as long as all else can be read.
                rest = canonical({name: part for name, part in record.items() if name not in BY_RULES})
                follows = follows and bool(form_fault(parse(rest, where), rest))
        except UnreadableError:
            pass
        except (ValueError, TypeError, LookupError, RecursionError):
            follows = True
        raise (UnreadableError if follows else ChainError)(f"{where}: {fault}")
    if content_fault(record):
        raise ChainError(f"{where}: {content_fault(record)}")
    return Entry(where, index, stated, body, record)


class ChainError(UnreadableError):
    """A line that is wrong, though it cannot be read: it does not follow from the lines before it, or is no act."""


NOTE_LINE = fields({"checkpoint": ANY_TEXT, "stream": ANY_TEXT}, {})


def read_note_line(line: int, data: bytes) -> tuple[str, Note]:
    """A checkpoint between the entries, and the stream that it is of."""
    where = f"line {line}"
    if len(data) > BODY_BYTES + BODY_AT + 1:
        raise UnreadableError(f"{where}: {len(data):,} bytes; a checkpoint is shorter")
    value = parse(data, where)
    readable(NOTE_LINE, value, where)
    if canonical(value) != data:
        raise UnreadableError(f"{where}: the checkpoint is not in canonical form")
    try:
        return value["stream"], read_note(value["checkpoint"])
    except WrongError as error:
        raise unreadable(f"{where}, the checkpoint", error) from None


def check_root(check: Check, where: str, note: Note, tree: Tree) -> bool:
    """Whether the root of a checkpoint is that of the tree."""
    have = len(tree.levels[0])
    if note.size > have:
        check.wrong(where, "the checkpoint covers more entries than there are", f"at most {have}", note.size)
        return False
    made, found = (base64.b64encode(root).decode() for root in (tree.root(note.size), note.root))
    return check.same(where, f"the root over {note.size} entries", made, found)


def check_beside(report: Report, trees: dict[str, Tree], beside: Mapping[str, bytes]) -> dict[str, list[Any]]:
    """Checkpoints in files next to the journal: of the stream in the file's name, or of the only one."""
    found: dict[str, list[Any]] = {}
    for name, data in sorted(beside.items(), key=lambda item: (not item[0].endswith(".cosigned"), item[0].count("."))):
        check = report.check("checkpoint", f"the root of {name} is that of the journal")
        try:
            note = read_note(data.decode("utf-8"))
        except UnicodeDecodeError:
            raise UnreadableError(f"{name}: not UTF-8 text") from None
        except WrongError as error:
            raise unreadable(name, error) from None
        named = [stream for stream in trees if f".{quote(stream, safe='')}." in name] or list(trees)
        if len(named) == 1:
            if check_root(check, name, note, trees[named[0]]):
                found.setdefault(named[0], []).append((name, note))
        elif not any(check_root(Check(""), name, note, tree) for tree in trees.values()):
            check.wrong(name, "the checkpoint fits no stream of the journal", "", note.size)
    return found


@dataclass
class JournalRead:
    """What was read of a journal, by stream: heads of chains, trees, and the checkpoints that fit."""

    form: Check
    chain: Check
    checkpoints: Check
    entries: list[Entry] = field(default_factory=list)
    heads: dict[str, Head] = field(default_factory=dict)
    trees: dict[str, Tree] = field(default_factory=dict)
    notes: dict[str, list[tuple[str, Note]]] = field(default_factory=dict)
    count: int = 0  # of checkpoints

    def read(self, data: bytes) -> None:
        """Read all lines; the first that is wrong decides whether the journal is wrong or unreadable."""
        try:
            for line, raw in journal_lines(data):
                self.line(line, raw)
        except UnreadableError as error:
            if not isinstance(error, ChainError) and not any(
                check.faults for check in (self.form, self.chain, self.checkpoints)
            ):
                raise
            where, _, what = str(error).partition(": ")
            self.chain.wrong(where, f"not readable, and nothing after it was read: {what}")
        if not self.entries and not self.chain.faults:
            raise UnreadableError("a journal without any entry")

    def line(self, line: int, raw: bytes) -> None:
        """One line."""
        if not raw.startswith(b'{"checkpoint":'):
            entry = read_entry(line, raw, len(self.entries), self.heads)
            check_act(self.form, entry)
            check_chain(self.chain, entry, self.heads)
            self.trees.setdefault(entry.record["stream"], Tree()).add(entry.body)
            self.entries.append(entry)
            return
        self.count += 1
        stream, note = read_note_line(line, raw)
        tree, where = self.trees.get(stream, Tree()), f"line {line}"
        what, size = f"how many entries of {short(stream)} the checkpoint covers", len(tree.levels[0])
        if self.checkpoints.same(where, what, size, note.size) and check_root(self.checkpoints, where, note, tree):
            self.notes.setdefault(stream, []).append((where, note))


def verify_journal(report: Report, data: bytes, beside: Mapping[str, bytes], keys: Sequence[Key]) -> None:
    """Every check of a journal."""
    form, chain = report.check("form"), report.check("chain")
    check = report.check("checkpoints", skipped="none between the entries")
    journal = JournalRead(form, chain, check)
    journal.read(data)
    entries, heads, trees, notes = journal.entries, journal.heads, journal.trees, journal.notes
    form.text = f"{len(entries):,} entries in canonical form"
    chain.text = f"{len(entries):,} entries of {', '.join(sorted(heads))} by number and hash"
    if journal.count:
        check.text, check.skipped = f"{journal.count:,} between the entries, each with the root of its stream", ""
    stored = check_beside(report, trees, beside)
    for stream, tree in trees.items():
        size = len(tree.levels[0])
        root = base64.b64encode(tree.root(size)).decode()
        report.check("tree", f"{stream}: {size:,} entries, root {root}; compare it with a checkpoint that you trust")
        notes[stream] = [*stored.get(stream, []), *notes.get(stream, [])]
    check_ids(report, entries)
    missing = check_streams(report, entries)
    origins = {stream: found[-1][1].origin for stream, found in notes.items() if found}
    shoes = check_shoes(report, entries, origins, keys, begun=True)
    for stream, tree in trees.items():
        found = shoes.get(stream, ShoesFound())
        found.gaps[:0] = [NOT_DECIDED, *missing.get(stream, [])]
        if not stream.startswith("table ") and "house" not in trees:
            found.gaps.append("nothing of it was decided again: the house's own stream is not in the same file")
        size = len(tree.levels[0])
        at = max(entry.record.get("at", 0) for entry in entries if entry.record["stream"] == stream) // 1_000_000
        cover(report, found, keys, stream, notes[stream], entries=size, size=size, last_at=at)
    not_checked(report)


# ------------------------------------------------------------------------------------------------ a bundle


def bundle_entries(bundle: Json, form: Check) -> list[Entry]:
    """The entries of a bundle, each with its canonical body; what is no entry of a journal is a fault."""
    entries = []
    for number_in_list, entry in enumerate(bundle["entries"]):
        where, record = f"entries[{number_in_list}] (index {entry['index']})", entry["record"]
        version = record.get("v") if isinstance(record, dict) else None
        if type(version) is int and version != 1:
            raise UnreadableError(f"{where}: the version `v` of the form is {version}; only 1 is known")
        body = canonical(record)
        fault = form_fault(record, body) or content_fault(record)
        if fault:
            form.wrong(where, fault)
            continue
        entries.append(Entry(where, entry["index"], entry.get("hash"), body, record))
        check_act(form, entries[-1])
    return entries


SCOPE_FIELDS = {
    "all": "kind stream",
    "round": "kind round shoe stream",
    "shoe": "kind shoe stream",
    "day": "day kind stream",
}


def check_scope(check: Check, bundle: Json) -> None:
    """That the scope is of a table, the day exists, and a state is stated only where one is needed."""
    scope = bundle["scope"]
    if not scope["stream"].startswith("table "):
        check.wrong("scope", "a bundle is of a table's stream", "`table NAME`", scope["stream"])
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


def check_run(check: Check, bundle: Json, run: list[Entry]) -> Iterator[str]:
    """That the run is of its scope; and what is not known of the end of it."""
    scope, before = bundle["scope"], bundle.get("before")
    if not run:
        check.wrong("entries", "there is no record")
        return
    first = 1  # the number of the shoe in which the run begins
    if before:
        state = before["state"]
        number_stated = (
            state["shoe"].get("number") if isinstance(state, dict) and isinstance(state.get("shoe"), dict) else None
        )
        if type(number_stated) is not int or number_stated < 0:
            check.wrong("before", "the state before is not the state of a table", "`shoe.number`", short(number_stated))
            return
        first = number_stated + 1
    ends = [index for index, entry in enumerate(run[:-1]) if "shoe_closed" in entry.names]
    last, kind = run[-1], scope["kind"]
    is_shoe_over = "shoe_closed" in last.names
    if kind == "shoe" and ends:
        check.wrong(run[ends[0]].where, "the run goes beyond the end of its shoe")
    if "shoe" in scope:
        check.same("scope", "`shoe`, by where the run begins and ends", first + len(ends), scope["shoe"])
    if kind == "shoe" and not is_shoe_over:
        yield "the shoe was not over at its last record"
    if kind == "round":
        in_shoe = run[ends[-1] + 1 : -1] if ends else run[:-1]
        rounds = 1 + sum("table_cleared" in entry.names for entry in in_shoe)
        check.same("scope", "`round`, by the rounds of the run", rounds, scope["round"])
        if "table_cleared" not in last.names and not is_shoe_over:
            yield "the round was not over at its last record"
    if kind == "day":
        at = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=last.record.get("at", 0))
        check.same(last.where, "the day of the last record", scope["day"], at.strftime("%Y-%m-%d"))
        yield "it is not known whether more was done on that day, before the first record or after the last"


def check_part(entries_check: Check, chain: Check, bundle: Json, entries: list[Entry]) -> list[str]:
    """A bundle of a part: the opening, the run, optionally a late record; and what is not known of the run's end."""
    before = bundle.get("before")
    late = entries[-1] if entries[-1].hash is None and len(entries) > 1 else None
    run = entries[1:-1] if late else entries[1:]
    heads: dict[str, Head] = {}
    check_chain(chain, entries[0], heads)
    if before:
        heads[entries[0].record["stream"]] = Head(before["hash"], before["seq"], before["events"])
    for entry in run:
        check_chain(chain, entry, heads)
    gaps = list(check_run(entries_check, bundle, run))
    if late:
        check_late(entries_check, late, heads.get(late.record["stream"]))
    ran = f"records {run[0].record['seq']:,} to {run[-1].record['seq']:,}" if run else "no record"
    entries_check.text = f"the opening, {ran}" + (f", late record {late.record['seq']:,}" if late else "")
    chain.text = f"{len(run) + 1:,} entries by number and hash"
    if before:
        chain.text += "; the first record from a hash that the bundle states"
    return gaps


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
    hashes = [from_base64(node) for node in bundle.get("proof", [])]
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


def tree_head(bundle: Json) -> tuple[int, bytes, Note | None]:
    """Size and root of the log, and the checkpoint if there is one."""
    if "tree_head" in bundle:
        return bundle["tree_head"]["size"], from_base64(bundle["tree_head"]["root"]), None
    try:
        note = read_note(bundle["checkpoint"])
    except WrongError as error:
        raise unreadable("checkpoint", error) from None
    return note.size, note.root, note


def check_rulebooks(check: Check, bundle: Json, entries: list[Entry]) -> None:
    """That each rulebook that an entry names is there, with the Submission of the opening."""
    filed = {rulebook["hash"]: rulebook["submission"] for rulebook in bundle["rulebooks"]}
    if "before" in bundle and bundle["before"]["rulebook"] not in filed:
        check.wrong("before", "the rulebook is not in the bundle", "", bundle["before"]["rulebook"])
    for entry in entries:
        name, record = entry.record["rulebook"], entry.record
        if name not in filed:
            check.wrong(entry.where, "the rulebook is not in the bundle", "", name)
        elif "submission" in record and filed[name] != record["submission"]:
            check.wrong(entry.where, "the Submission under this hash is not that of the opening", "", name)
    check.text = f"{len(filed):,}, each named by an entry"


def bundle_keys(bundle: Json) -> list[Key]:
    """The keys that a bundle brings; they show that they belong to its checkpoint, not whose they are."""
    keys = []
    for index, key in enumerate(bundle.get("keys", [])):
        try:
            keys.append(read_key(key))
        except WrongError as error:
            raise unreadable(f"keys[{index}]", error) from None
    return keys


def brought_editions(bundle: Json) -> Iterator[str]:
    """What a bundle brings in place of an edition that the reader knows."""
    named: dict[str, None] = {}
    for rulebook in bundle["rulebooks"]:
        if "edition" in rulebook:
            named[short(rulebook["submission"].get("ruleset"))] = None
    for name in named:
        yield f"the bundle brings the edition {name}: whether it is one that was filed or shipped was not checked"


def read_bundle(data: bytes) -> Json:
    """The bundle in these bytes, in its form."""
    if len(data) > BUNDLE_BYTES:
        raise UnreadableError(f"{len(data):,} bytes; a bundle has at most {BUNDLE_BYTES:,}")
    bundle = parse(data, "the bundle", BUNDLE_DECODER)
    version = bundle.get("bundle")
    if type(version) is not int or version != 1:
        raise UnreadableError(f"version {short(version)} of a bundle; only 1 is known")
    readable(BUNDLE, bundle, "the bundle")
    if ("checkpoint" in bundle) == ("tree_head" in bundle):
        raise UnreadableError("exactly one of `checkpoint` and `tree_head` must be present")
    if len({rulebook["hash"] for rulebook in bundle["rulebooks"]}) < len(bundle["rulebooks"]):
        raise UnreadableError("rulebooks: a rulebook is listed twice")
    scope = bundle["scope"]
    if " ".join(sorted(scope)) != SCOPE_FIELDS[scope["kind"]]:
        raise UnreadableError(f"scope: the kind {scope['kind']} has the fields {SCOPE_FIELDS[scope['kind']]}")
    return bundle


def verify_bundle(report: Report, data: bytes, keys: Sequence[Key]) -> None:
    """Every check of a bundle."""
    bundle = read_bundle(data)
    own = bundle_keys(bundle)
    size, root, note = tree_head(bundle)
    stream = bundle["scope"]["stream"]
    form, entries_check = report.check("form"), report.check("entries")
    chain, tree, rulebooks = report.check("chain"), report.check("tree"), report.check("rulebooks")
    entries = bundle_entries(bundle, form)
    form.text = f"{len(entries):,} entries in the form of version 1"
    found, gaps = ShoesFound(), list(brought_editions(bundle))
    if len(entries) == len(bundle["entries"]):
        gaps.append(NOT_DECIDED)
        ended = check_entries(report, bundle, entries, size, root)
        check_rulebooks(rulebooks, bundle, entries)
        check_ids(report, entries)
        gaps += check_streams(report, [entry for entry in entries if entry.record["stream"] != "house"]).get(stream, [])
        origins = {} if note is None else {stream: note.origin}
        shoes = check_shoes(report, entries, origins, keys, begun="before" not in bundle)
        found = shoes.get(stream, found)
        if "before" in bundle:
            first = bundle["before"]["seq"] + 1
            gaps.append(f"the state of the table before record {first:,} is stated by the bundle, not proved")
        gaps += ended
    else:
        for check in (entries_check, chain, tree, rulebooks):
            check.skipped = "not every entry is an entry of a journal"
    found.gaps[:0] = gaps
    at = max((entry.record.get("at", 0) for entry in entries), default=0) // 1_000_000
    notes = [] if note is None else [("checkpoint", note)]
    cover(report, found, keys, stream, notes, entries=len(bundle["entries"]), size=size, last_at=at)
    wrong = "" if note is None else signers_of(note, own, stream).wrong
    brought = report.check("keys", f"{len(own):,} that the bundle brings, which cover nothing")
    if wrong:
        brought.wrong("checkpoint", wrong)
    not_checked(report)


def check_entries(report: Report, bundle: Json, entries: list[Entry], size: int, root: bytes) -> list[str]:
    """Scope, chain and tree; and what is not known of the run's end."""
    entries_check, chain, tree = (check for check in report.checks if check.name in ("entries", "chain", "tree"))
    check_scope(entries_check, bundle)
    rising = is_rising(entries_check, bundle["scope"], entries)
    gaps: list[str] = []
    if bundle["scope"]["kind"] == "all":
        check_whole(entries_check, entries, size)
        heads: dict[str, Head] = {}
        for entry in entries:
            check_chain(chain, entry, heads)
        entries_check.text, chain.text = f"all {len(entries):,}", f"{len(entries):,} entries by number and hash"
    else:
        gaps = check_part(entries_check, chain, bundle, entries)
    if rising:
        check_tree(tree, bundle, entries, size, root)
    else:
        tree.skipped = "the entries are not in order"
    return gaps


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


def verify(data: bytes, beside: Mapping[str, bytes] | None = None, keys: Sequence[Key] = ()) -> Report:
    """Verify a journal or a bundle under these keys; `beside` has the checkpoints next to a journal, by file name."""
    report = Report()
    try:
        if is_journal(data):
            report.kind = "journal"
            verify_journal(report, data, beside or {}, keys)
        elif data.lstrip(b" \t\r\n").startswith(b"{"):
            report.kind = "bundle"
            verify_bundle(report, data, keys)
        else:
            raise UnreadableError("the file is neither a journal nor a bundle" if data else "the file is empty")
    except UnreadableError as error:
        report.unreadable = str(error)
    except RecursionError:
        report.unreadable = "objects or lists are nested too deeply"
    if report.unreadable:
        report.checks.clear()
        report.coverage.clear()
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


def verify_file(path: Path, keys: Sequence[Key]) -> Report:
    """Verify a file under these keys, a journal with the checkpoints next to it."""
    try:
        data = read(path)
        return verify(data, notes_beside(path, data) if is_journal(data) else {}, keys)
    except OSError as error:
        return Report(unreadable=error.strerror or "the file cannot be read")
    except (UnreadableError, ValueError) as error:
        return Report(unreadable=str(error))
    except MemoryError:
        return Report(unreadable="too large for the memory of this machine")


def given_keys(said: Sequence[str]) -> Iterator[Key]:
    """Public keys as given: each as its text, or as a file that holds some, one per line."""
    for each in said:
        rows = [each]
        if "+" not in each or (len(each) < 1000 and Path(each).is_file()):
            rows = [row for row in read(Path(each)).decode("utf-8").splitlines() if not row.startswith("#")]
        yield from (read_key(row.strip()) for row in rows if row.strip())


def main() -> int:
    """Verify the files named on the command line."""
    parser = argparse.ArgumentParser(description="Verify journals and bundles of a baccarat table.")
    parser.add_argument("file", nargs="+", help="a journal (JSON lines) or a bundle (one JSON object)")
    parser.add_argument("--key", action="append", default=[], help="a public key, or a file of them; may be repeated")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    arguments = parser.parse_args()
    try:
        keys = list(given_keys(arguments.key))
    except (OSError, ValueError, UnreadableError, WrongError) as error:
        parser.error(f"--key: {error.strerror if isinstance(error, OSError) else error}")
    reports = [(path, verify_file(Path(path), keys)) for path in arguments.file]
    status = min((report.status for _, report in reports), key=WORST_FIRST.index)
    if arguments.json:
        files = [{"file": path, **report.as_json()} for path, report in reports]
        lines = [json.dumps({"status": status, "files": files}, indent=1)]
    else:
        lines = [line for path, report in reports for line in (f"{path}: {report.kind or '?'}", *report.lines())]
        lines = [re.sub("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", "�", line) for line in lines]
        lines.append(ANSWERS[status])
    try:
        sys.stdout.buffer.write(("\n".join(lines) + "\n").encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has stopped; nothing more is to be written at the end either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


if __name__ == "__main__":
    sys.exit(main())
