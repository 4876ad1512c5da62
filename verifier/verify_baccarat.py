#!/usr/bin/env python3
"""Verifies journals and bundles of a baccarat table: python verify_baccarat.py FILE… [--key KEY] [--policy FILE] …

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
import tempfile
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from urllib.parse import quote, unquote

Json = dict[str, Any]
Rule = Callable[[Any], None]

LARGEST = 2**53 - 1
BODY_BYTES = 65_535
BUNDLE_BYTES = 256 * 2**20
FILE_BYTES = 2**30  # more than this is not read at all
NOTE_BYTES = 1_000_000
KEYS_BYTES = 1_000_000  # of a file of keys, or a policy
DECKS = 1000  # as many as a Submission may file; a forger may write any number
MOST_DERIVED = 104_000  # cards of a file that are derived from seeds in any case: two shoes of a thousand decks
BYTES_OF_A_CARD = 10  # this many bytes of records allow one card more
TOO_MANY_CARDS = "was not derived again: the file has too few records for that many cards"
DEPTH = 500  # no form nests more than a dozen levels
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
    coverage: list[Coverage] = field(default_factory=list)
    unused: list[set[Key]] = field(default_factory=list)  # for each stream, the keys given that signed nothing of it

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
                yield f"   longest stretch open to rewriting: {stretch[0]:,} entries, {stretch[1]:,} s"

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
class KeyReach:
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
    signed: list[KeyReach]
    cosigned: list[KeyReach]
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
        if is_too_deep(data):
            raise RecursionError
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
    if b"\\u" in data and has_half_pair(value):
        raise UnreadableError(f"{where}: a text has half a surrogate pair")
    return value


def has_half_pair(value: Json) -> bool:
    """Whether a text in it has half of a surrogate pair."""
    try:
        ENCODER.encode(value).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def is_too_deep(data: bytes) -> bool:
    """Whether objects and lists are nested in more levels than this program reads."""
    if data.count(b"[") + data.count(b"{") <= DEPTH:
        return False
    depth = most = 0
    for found in re.finditer(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', data):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(found[0], 0)
        most = max(most, depth)
    return most > DEPTH


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
            require_part(f"[{index}]", inner, item)

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
            require_part("." + name, known[name], inner)

    return rule


def require_part(path: str, rule: Rule, value: object) -> None:
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
        require_part("." + name, number(), seq)


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
WEEK = 604_800  # seconds: the longest deadline for a seed
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
    {
        "at": number(),
        "cards": choice("automated", "electronic", "real"),
        "witnesses": items(VISIBLE, "a list of at most 16 share keys", 16),
        "reveal_within": number(1, WEEK),
    },
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
        "folded": fields({"who": NAMED, "code": VISIBLE, "count": number(), "first": number(), "last": number()}, {}),
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


def require_form(rule: Rule, value: Json, where: str) -> None:
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


def without_rules(body: bytes) -> bytes | None:
    """A body without what only the rules define, byte for byte; None if that cannot be cut out of it."""
    read, keys, kept, at = json.JSONDecoder().raw_decode, [], [], 0
    try:
        text = body.decode("utf-8")
        while text[at] == "{,"[at > 0]:
            begin = at + 1
            key, at = read(text, begin)
            value = at + 1
            _, at = read(text, value) if text[at] == ":" else (None, -1)
            keys.append(key)
            if key in BY_RULES and text[value:at] in ("{}", "[]"):
                return None  # the default value, which is omitted
            if key == "events" and not is_plain_list(text[value:at]):
                return None
            kept += [] if key in BY_RULES else [text[begin:at]]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return f"{{{','.join(kept)}}}".encode() if text[at:] == "}" and keys == sorted(set(keys)) else None


def is_plain_list(text: str) -> bool:
    """Whether a list has nothing between its items but commas."""
    read, at = json.JSONDecoder().raw_decode, 0
    while text[at] == "[,"[at > 0]:
        _, at = read(text, at + 1)
    return text[at:] == "]"


def act_fault(record: Json) -> str:
    """What is wrong with a record that names no command, no person, or both a refusal and events; empty if nothing."""
    if record["seq"] == 0:
        return ""
    if "refused" in record and record.get("origin", "person") != "person":
        return "only what a person was refused is recorded"
    if "folded" in record:
        alone = set(record) <= {"v", "stream", "seq", "event", "rulebook", "behaviour", "at", "folded"}
        return "" if alone else "a record of folded refusals has nothing else"
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
    for sibling in path:
        if last == 0:
            return None
        if index & 1 or index == last:
            node = sha(b"\1" + sibling + node)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            node = sha(b"\1" + node + sibling)
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


@lru_cache(maxsize=256)  # a file may repeat a signature many times
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
    written: str  # all of it, as it was read


def read_note(note: str) -> Note:
    """Read a C2SP checkpoint, a signed note."""
    expect(len(note.encode("utf-8", "replace")) <= NOTE_BYTES, f"at most {NOTE_BYTES:,} bytes", note)
    expect(not re.search("[\x00-\x09\x0b-\x1f]", note), "no control characters", note)
    body, gap, tail = note.rpartition("\n\n")
    lines, (*signatures, after) = body.split("\n"), tail.split("\n")
    expect(gap and after == "" and signatures, "a text, an empty line, and signatures, each a line", note)
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
    return Note(body + "\n", lines[0], size, root, signed, note)


# ------------------------------------------------------------------------------------------------ what a reader asks

NONE = "none"


@dataclass(frozen=True)
class Policy:
    """Whose signatures a reader requires: which logs, which witnesses, how many of them."""

    logs: Sequence[Key] = ()
    witnesses: Mapping[str, Key] = field(default_factory=dict)
    groups: Mapping[str, tuple[int, Sequence[str]]] = field(default_factory=dict)  # how many of which members
    quorum: str = NONE
    shares: Mapping[str, Key] = field(default_factory=dict)
    is_each_required: bool = False  # whether every log's key must have signed something, as with --key

    @property
    def keys(self) -> list[Key]:
        """Every key that signs or cosigns checkpoints."""
        return [*self.logs, *self.witnesses.values()]

    @property
    def share_keys(self) -> list[Key]:
        """Every key that may have signed shares: of those given one by one, no log's."""
        given = self.logs if self.is_each_required else ()
        return [*(key for key in given if not self.is_of_log(key)), *self.shares.values()]

    def is_of_log(self, key: Key) -> bool:
        """Whether a key is that of a log or a house, by its name or by another log's key that was given too."""
        others = [other for other in self.logs if other != key]
        return names_named_stream(key.name) or any(
            other.public == key.public or other.name.startswith(key.name + "/") for other in others
        )

    def without(self, share_keys: Collection[str]) -> Policy:
        """The same without keys by which witnesses sign their shares: these sign no log."""
        return replace(self, logs=[key for key in self.logs if str(key) not in share_keys])

    def asked_shares(self, named: Collection[str]) -> dict[str, str]:
        """The share keys that each sealed order must name, with the name of each; `named` are those that any has."""
        found = {str(key): name for name, key in self.shares.items()}
        given = self.logs if self.is_each_required else ()
        return {**found, **{str(key): key.name for key in given if str(key) in named}}

    def is_met_by(self, cosigned: Collection[Key]) -> bool:
        """Whether these witnesses are enough."""
        present = {name for name, key in self.witnesses.items() if key in cosigned}
        for name, (least, members) in self.groups.items():  # each after its members
            if sum(member in present for member in members) >= least:
                present.add(name)
        return self.quorum == NONE or self.quorum in present


def policy_of_keys(keys: Sequence[Key]) -> Policy:
    """The policy of a reader who names keys one by one: a log must have signed, and every witness cosigned."""
    logs = [key for key in keys if key.kind == LOG]
    witnesses = {str(key): key for key in keys if key.kind == WITNESS}
    groups = {"all": (len(witnesses), list(witnesses))} if witnesses else {}
    return Policy(logs, witnesses, groups, "all" if witnesses else NONE, is_each_required=True)


def key_of_kind(text: str, kind: int) -> Key:
    """The key of a text, which must be of this kind."""
    key = read_key(text)
    if key.kind != kind:
        raise WrongError(f"the key is not that of a {'log' if kind == LOG else 'witness'}")
    return key


class PolicyReader:
    """Reads a policy (C2SP tlog-policy with lines for share keys), a text of lines in which `#` begins a comment."""

    def __init__(self) -> None:
        self.logs: list[Key] = []
        self.witnesses: dict[str, Key] = {}
        self.groups: dict[str, tuple[int, Sequence[str]]] = {}
        self.shares: dict[str, Key] = {}
        self.quorum = ""

    def read(self, text: str) -> Policy:
        """The policy in a text."""
        for number, line in enumerate(text.splitlines(), start=1):
            words = line.partition("#")[0].split()
            try:
                if words:
                    self.add_line(words)
            except WrongError as error:
                raise UnreadableError(f"line {number}: {error.what}") from None
        if not self.quorum:
            raise UnreadableError("there is no quorum; expected a last line such as quorum none")
        named = [*self.logs, *self.witnesses.values(), *self.shares.values()]
        if len(set(named)) != len(named):
            raise UnreadableError("a key is named twice")
        return Policy(self.logs, self.witnesses, self.groups, self.quorum, self.shares)

    def add_line(self, words: list[str]) -> None:
        """Add a line that is neither empty nor a comment."""
        kind, count = words[0], len(words)
        if self.quorum:
            raise WrongError("quorum is the last line")
        if kind == "log" and count in (2, 3):
            self.logs.append(key_of_kind(words[1], LOG))
        elif kind == "witness" and count in (3, 4):
            self.witnesses[self.free_name(words[1])] = key_of_kind(words[2], WITNESS)
        elif kind == "share" and count == 3:
            if words[1] not in self.witnesses or words[1] in self.shares:
                raise WrongError("a share key is that of a witness that was named before it, one for each")
            self.shares[words[1]] = key_of_kind(words[2], LOG)
        elif kind == "group" and count > 3:
            self.groups[self.free_name(words[1])] = self.threshold(words[2], words[3:]), words[3:]
        elif kind == "quorum" and count == 2:
            if words[1] != NONE and words[1] not in (*self.witnesses, *self.groups):
                raise WrongError(f"no witness and no group is called {words[1][:60]}")
            self.quorum = words[1]
        else:
            expected = "log KEY, witness NAME KEY, share NAME KEY, group NAME K MEMBER… or quorum NAME"
            raise WrongError(f"expected {expected}")

    def free_name(self, name: str) -> str:
        """A name that no witness and no group has yet."""
        if name in (NONE, *self.witnesses, *self.groups):
            raise WrongError(f"the name {name[:60]} is taken")
        return name

    def threshold(self, said: str, members: list[str]) -> int:
        """How many of the members are required."""
        if not {*members} <= {*self.witnesses, *self.groups} or len({*members}) != len(members):
            raise WrongError("a group has members that were named before it, each once")
        number = int(said) if re.fullmatch("[1-9][0-9]{0,5}", said) else 0
        least = {"any": 1, "all": len(members)}.get(said, number)
        if not 1 <= least <= len(members):
            raise WrongError(f"expected any, all or a number from 1 to {len(members)}")
        return least


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
    elif len(parts) == 1 and parts[0] in ("forms", "cage", "coupons", "players", "day", "house"):
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
    """Whether a log's name says that it is of a table, pit or link, but not this stream in its one spelling."""
    return names_named_stream(origin) and not fits_stream(origin, stream)


def names_named_stream(origin: str) -> bool:
    """Whether a name says that it is that of the log of a table, pit or link."""
    parts = [name.rsplit("/", 2) for name in (origin, first_name(origin))]
    return any(len(each) == 3 and each[0] != "" and each[1] in ("table", "pit", "link") for each in parts)


def name_by(key: str, stream: str) -> str:
    """The name under which a key signs a stream; `example.org/house` is a house, not the log `house` of example.org."""
    return key if " " in stream and fits_stream(key, stream) else key + name_ending(stream)


# ------------------------------------------------------------------------------------------------ who has signed


@dataclass
class Signers:
    """Who has signed a checkpoint, as far as known keys show it."""

    logs: list[Key] = field(default_factory=list)
    witnesses: list[tuple[Key, int]] = field(default_factory=list)  # each with the time at which it cosigned
    wrong: str = ""
    unchecked: str = ""
    misnamed: str = ""
    continues: str = ""
    expected: list[Key] = field(default_factory=list)  # every key of the log or its house that was given


class Predecessor(NamedTuple):
    """The log that a successor says it continues: how many of its entries were signed, and their root."""

    origin: str
    size: int
    root: bytes


def predecessor(note: Note) -> Predecessor | None:
    """Which log a successor continues, by the lines of its checkpoint, and from where; None if none says it."""
    earlier = earlier_logs(note.origin)
    for line in note.text.split("\n")[3:]:
        found = re.fullmatch(r"baccarat/successor-of/v1 (\S+) (0|[1-9][0-9]{0,15}) (\S+)", line)
        if found is not None and found[1] in earlier and int(found[2]) <= LARGEST and is_base32(found[3]):
            return Predecessor(found[1], int(found[2]), from_base64(found[3]))
    return None


def earlier_logs(origin: str) -> list[str]:
    """The names of all logs that a successor may continue, the first of them first."""
    first = first_name(origin)
    if origin == first:
        return []
    return [first, *(f"{first}/{number}" for number in range(2, int(origin[len(first) + 1 :])))]


def contradiction(note: Note, earlier: Note) -> str:
    """How the checkpoint of an earlier log contradicts what its successor says of it; empty if it does not."""
    stated, names = predecessor(note), earlier_logs(note.origin)
    if stated is None or earlier.origin not in names:
        return ""
    before, size = stated.origin, f"{stated.size:,}"
    if names.index(earlier.origin) > names.index(before):
        return f"{note.origin} claims to continue {before}, but {earlier.origin} was signed later"
    if earlier.origin == before and earlier.size > stated.size:
        return f"{note.origin} says that {size} entries of {before} were signed, but {earlier.size:,} were"
    if earlier.origin == before and earlier.size == stated.size and earlier.root != stated.root:
        return f"{note.origin} states another root for {size} entries of {before} than was signed"
    return ""


def continued_text(note: Note, stream: str) -> str:
    """Which log of the stream a checkpoint says it continues; empty if it is of the first log, or does not say it."""
    stated = None if note.origin.endswith(name_ending(stream)) else predecessor(note)
    if stated is None:
        return ""
    return f"{note.origin} continues {stated.origin}, of which {stated.size:,} entries were signed"


def is_base32(value: str) -> bool:
    """Whether a text is 32 bytes in base64."""
    try:
        base32(value)
    except WrongError:
        return False
    return True


def utc(seconds: int) -> str:
    """A time in UTC, or the number if no calendar has it."""
    try:
        return f"{datetime.fromtimestamp(seconds, timezone.utc):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return str(seconds)


def signers_of(note: Note, known: Sequence[Key], stream: str) -> Signers:
    """Who has signed a checkpoint of a stream."""
    origin, misnamed, before = note.origin, "", continued_text(note, stream)
    if names_another(origin, stream):
        return Signers(wrong=f"the checkpoint is of the log {origin}, not of {stream}")
    if not fits_stream(origin, stream):
        misnamed = f"the log is called {origin}, which does not say that it is of {stream}: "
        misnamed += f"expected NAME{name_ending(stream)}"
    elif not origin.endswith(name_ending(stream)) and not before:
        misnamed = f"the log {origin} is a successor, but its checkpoint does not name its predecessor"
    if not known:
        return Signers(unchecked="no key was given", misnamed=misnamed)
    # A house signs each stream with one secret key under the stream's own name.
    names = (origin, first_name(origin))
    own = [k for k in known if k.kind == LOG and (k.name == origin or name_by(k.name, stream) in names)]
    for key in known:
        if not own and key.kind == LOG and origin.startswith(key.name + "/"):
            as_ = name_by(key.name, stream)
            return Signers(wrong=f"the checkpoint is of the log {origin}, but {key.name} signs {stream} as {as_}")
    given = {Key(origin, LOG, k.public) if k in own else k: k for k in known}
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
        return Signers(logs, witnesses, misnamed=misnamed, continues=before, expected=own)
    if own:
        return Signers(wrong=f"no known key of the log {origin} has signed it")
    # A cosignature says nothing of a stream unless a known key of its log has signed as well.
    return Signers(unchecked=f"the key of the log {origin} was not given", misnamed=misnamed)


def logs_signed(notes: Sequence[Note], policy: Policy, stream: str) -> list[str]:
    """The logs whose checkpoints a given key has signed, or all if it signed none; of successors only the last."""
    signed = [note.origin for note in notes if signers_of(note, policy.keys, stream).logs]
    names = dict.fromkeys(signed or [note.origin for note in notes])
    return [each for each in names if not any(one != each and continues(one, each) for one in names)]


LATE_HOUSE = "a house's journal must begin with the opening of its own stream; earlier entries belong to no house"
NOT_DECIDED = "nothing was decided again: this verifier does not know the rules"


class SignatureReach:
    """Collects who has signed the checkpoints of a stream, and up to which entry."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.logs: dict[Key, int] = {}
        self.witnesses: dict[Key, tuple[int, int]] = {}
        self.cosigned: list[tuple[int, int, Key]] = []  # time, size and witness of each cosignature
        self.expected: dict[Key, None] = {}
        self.unchecked: dict[str, None] = {}
        self.misnamed: dict[str, None] = {}
        self.continued: dict[str, None] = {}
        self.known: list[Note] = []  # the checkpoints that a known key of the log has signed

    def add(self, note: Note, stream: str) -> str:
        """A checkpoint that fits the entries; what is wrong with its signatures."""
        found = signers_of(note, self.policy.keys, stream)
        if found.logs:
            self.known.append(note)
        for key in found.logs:
            self.logs[key] = max(self.logs.get(key, 0), note.size)
        for key, at in found.witnesses:
            self.witnesses[key] = max(self.witnesses.get(key, (0, 0)), (note.size, at))
            self.cosigned.append((at, note.size, key))
        self.expected.update(dict.fromkeys(found.expected))
        if found.unchecked:
            self.unchecked[found.unchecked] = None
        if found.misnamed:
            self.misnamed[found.misnamed] = None
        if found.continues:
            self.continued[found.continues] = None
        return found.wrong

    def coverage(self, stream: str, entries: int, size: int, times: tuple[int, int], gaps: list[str]) -> Coverage:
        """How far the stream is covered; `size` entries must be signed, the first and the last made at `times`."""
        signed = [KeyReach(key, to) for key, to in self.logs.items()]
        cosigned = [KeyReach(key, to, at) for key, (to, at) in self.witnesses.items()]
        stretch = self.longest_open(size, *times)
        return Coverage(
            stream, entries, signed, cosigned, len(self.policy.witnesses), stretch, [*gaps, *self.gaps(size)]
        )  # fmt: skip

    def gaps(self, size: int) -> Iterator[str]:
        """What the keys do not cover."""
        reach = max(self.logs.values(), default=0)
        if not self.policy.keys:
            yield "no key was given: whose signatures it bears was not checked"
        elif not self.logs:
            yield f"no key that was given has signed it: {'; '.join(self.unchecked) or 'there is no checkpoint'}"
        elif reach < size:
            yield f"{last_text(size - reach, size)} not signed: nobody signed after entry {reach:,}"
        for key in self.expected:
            to = self.logs.get(key, 0)
            if to < reach:
                yield f"{key.name} {f'has signed it to entry {to:,} only' if to else 'signed none of it'}"
        yield from self.misnamed
        yield from (f"{each}: some entries were lost and may have been replaced" for each in self.continued)
        if self.policy.quorum == NONE:
            return
        enough, asked = self.reach_of({key: to for key, (to, _) in self.witnesses.items()}), len(self.policy.witnesses)
        if enough < size:
            yield f"{last_text(size - enough, size)} not cosigned by the witnesses that were asked for ({asked})"

    def unused(self) -> set[Key]:
        """The keys of logs that were given one by one and have signed nothing of it."""
        return {key for key in self.policy.logs if key not in self.logs} if self.policy.is_each_required else set()

    def reach_of(self, cosigned: Mapping[Key, int]) -> int:
        """Up to which entry enough witnesses have cosigned; without a quorum any of them is enough."""
        if self.policy.quorum == NONE:
            return max(cosigned.values(), default=0)
        sizes = sorted(set(cosigned.values()), reverse=True)
        return next((to for to in sizes if self.policy.is_met_by({k for k in cosigned if cosigned[k] >= to})), 0)

    def longest_open(self, size: int, first_at: int, last_at: int) -> tuple[int, int] | None:
        """The most entries that were open until enough witnesses had cosigned them, and for how many seconds."""
        if not self.policy.witnesses:
            return None
        stretches: list[tuple[int, int]] = []
        cosigned: dict[Key, int] = {}
        reach, since = 0, first_at
        for at, to, key in sorted(self.cosigned, key=lambda each: each[:2]):
            cosigned[key] = max(cosigned.get(key, 0), to)
            enough = self.reach_of(cosigned)
            if enough > reach:
                stretches.append((enough - reach, max(0, at - since) if since else 0))
                reach, since = enough, at
        return max([*stretches, (size - reach, max(0, last_at - since) if since else 0)])


def last_text(count: int, size: int) -> str:
    """How many entries a gap is about."""
    return f"all {size:,} entries are" if count == size else f"the last {count:,} of {size:,} entries are"


# ------------------------------------------------------------------------------------------------ what was seen before

MEMORY_BYTES = 64 * 2**20
MEMORY_FILE = fields({"checkpoints": an_object}, {})


class Memory:
    """The last checkpoint of each log that a reader has seen under a known key: every later one must agree with it."""

    def __init__(self, notes: dict[str, Note] | None = None, *, is_stored: bool = True) -> None:
        """`is_stored` if the reader has it in a file; otherwise it holds what the files of one reading show."""
        self.notes: dict[str, Note] = {}
        self.successors: dict[str, Note] = {}  # those of them that say which log they continue
        self.logs: dict[str, tuple[int, Tree]] = {}  # what files showed whole, with the size up to which it was signed
        self.is_stored = is_stored
        for note in (notes or {}).values():
            self.keep(note)

    @classmethod
    def read(cls, path: Path) -> Memory:
        """The memory in a file; an empty one if there is no file yet."""
        try:
            with path.open("rb") as file:
                data = file.read(MEMORY_BYTES + 1)
        except FileNotFoundError:
            return cls()
        if len(data) > MEMORY_BYTES:
            raise UnreadableError(f"more than {MEMORY_BYTES:,} bytes")
        found = parse(data, "the memory", BUNDLE_DECODER)
        require_form(MEMORY_FILE, found, "the memory")
        notes: dict[str, Note] = {}
        for origin, note in found["checkpoints"].items():
            try:
                ANY_TEXT(note)
                notes[origin] = read_note(note)
            except WrongError as error:
                raise unreadable("a checkpoint in it cannot be read", error) from None
        if any(origin != note.origin for origin, note in notes.items()):
            raise UnreadableError("a checkpoint in it is of another log than it says")
        return cls(notes)

    def write(self, path: Path) -> None:
        """Replace the file: whatever happens, it is the old one or the new one, and whole."""
        texts = {origin: note.written for origin, note in sorted(self.notes.items())}
        data = json.dumps({"checkpoints": texts}, indent=2, ensure_ascii=False) + "\n"
        number, name = tempfile.mkstemp(dir=path.resolve().parent, prefix=path.name + ".")
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path.resolve())
        except BaseException:
            Path(name).unlink()
            raise

    def compare(self, note: Note, tree: Tree | None) -> tuple[str, str]:
        """What is wrong with a signed checkpoint, and what cannot be told; the larger of the two is remembered.

        `tree` holds the whole log, where it is at hand; without it only the roots can be compared.
        """
        wrong = self.contradiction(note)
        if wrong:
            return wrong, ""
        seen = self.notes.get(note.origin)
        wrong, unknown = ("", "") if seen is None else compare_notes(note, seen, tree)
        size, whole = self.logs.get(note.origin, (0, None))
        if unknown and whole is not None and note.size <= size:  # another file shows it whole
            wrong, unknown = "" if whole.root(note.size) == note.root else other_entries(note.origin, note.size), ""
        if wrong or unknown:
            return wrong, unknown
        if seen is None or note.size > seen.size:
            self.keep(note)
        if tree is not None and note.size > size:
            self.logs[note.origin] = note.size, tree
        return "", ""

    def contradiction(self, note: Note) -> str:
        """How a checkpoint contradicts those of a log that it continues, or that continues it."""
        names = earlier_logs(note.origin) if predecessor(note) is not None else []
        found = [contradiction(note, self.notes[name]) for name in names if name in self.notes]
        found += [contradiction(each, note) for each in self.successors.values()]
        return next(filter(None, found), "")

    def keep(self, note: Note) -> None:
        """Remember a checkpoint as the last of its log."""
        self.notes[note.origin] = note
        self.successors.pop(note.origin, None)
        if predecessor(note) is not None:
            self.successors[note.origin] = note


def compare_notes(note: Note, seen: Note, tree: Tree | None) -> tuple[str, str]:
    """What is wrong with a checkpoint by one of the same log that was seen before, and what cannot be told."""
    name, many = note.origin, f"{seen.size:,}"
    if note.size == seen.size:
        forked = f"{name} signed another root for {many} entries before: it signed two different histories"
        return "" if note.root == seen.root else forked, ""
    if tree is not None and len(tree.levels[0]) >= seen.size:
        is_same = tree.root(seen.size) == seen.root
        return "" if is_same else other_entries(name, seen.size), ""
    if note.size < seen.size:
        return "", f"{many} entries of {name} were seen before, and this has {note.size:,}"
    say = f"nothing shows whether it continues the {many} entries of {name} seen before"
    return "", f"{say}: verify the whole journal"


def other_entries(name: str, size: int) -> str:
    """What is wrong where a log has other entries than it signed."""
    return f"the first {size:,} entries of {name} are not those that it signed before"


def remember(report: Report, memory: Memory, known: Mapping[str, list[Note]], trees: Mapping[str, Tree]) -> None:
    """Compare the checkpoints that known keys have signed with the memory, unless something is wrong already."""
    if any(check.faults for check in report.checks):
        return
    check, count = Check("memory"), 0
    for coverage in report.coverage:
        for note in sorted(known.get(coverage.stream, []), key=lambda note: note.size):
            wrong, unknown = memory.compare(note, trees.get(coverage.stream))
            if wrong:
                check.wrong(coverage.stream, wrong)
            if unknown:
                coverage.gaps.append(unknown)
            count += 1
    check.text = f"{count:,} signed checkpoints compared with those that were seen before"
    check.skipped = "" if count else "no key that was given has signed it"
    if memory.is_stored or check.faults:
        report.checks.append(check)


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
class DerivedShoe:
    """What follows from a seed: the commitment, the cards from the top before the cut, and the root over them."""

    commitment: bytes
    cards: list[str]
    root: bytes


def leaf_of(index: int, card: str, salt: bytes) -> bytes:
    """An entry of the card tree."""
    return struct.pack(">I", index) + card.encode("ascii") + salt


def commitment_to(shoe: Shoe, seed: bytes) -> bytes:
    """The commitment of a shoe to a seed."""
    if shoe.order == 1:
        return sha(b"baccarat/commit" + shoe.header + seed)
    return sha(b"baccarat/commit/2" + with_length(shoe.header) + seed)


def derive(shoe: Shoe, seed: bytes) -> DerivedShoe:
    """Derive a shoe again: order 1 from the contributions, order 2 from its closed inputs and the shares."""
    commitment = commitment_to(shoe, seed)
    if shoe.order == 1:
        personal = b"baccarat/order" + with_length(shoe.header) + with_count(shoe.contributions)
        salted = b"baccarat/salt"
    else:
        if not shoe.inputs or len(shoe.shares) < len(shoe.witnesses):
            return DerivedShoe(commitment, [], b"")
        shares = b"".join(shoe.shares[key] for key in shoe.witnesses)
        personal = b"baccarat/order/2" + shoe.inputs + u64(len(shoe.witnesses)) + shares
        salted = b"baccarat/salt/2" + shoe.inputs
    seeding = seed + with_length(shoe.id.encode()) + personal
    cards = [DECK[card % 52] for card in order_of(seeding, 52 * shoe.decks)]
    tree = Tree()
    for index, card in enumerate(cards):
        tree.add(leaf_of(index, card, mac(seed, salted + u64(index))[:16]))
    return DerivedShoe(commitment, cards, tree.root(len(cards)))


def unshuffled_orders(decks: int) -> list[list[str]]:
    """New decks one after the other, sorted by suit and rank, or by rank and suit; each from either end."""
    new = DECK * decks
    by_suit = [card for card in DECK for _ in range(decks)]
    by_rank = [rank + suit for rank in "A23456789TJQK" for suit in "shdc" for _ in range(decks)]
    return [order[::step] for order in (new, by_suit, by_rank) for step in (1, -1)]


def with_count(texts: list[str]) -> bytes:
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
    "kind_adopted": {"cards": choice("automated", "electronic", "real")},
    "witnesses_changed": {"witnesses": items(VISIBLE, "a list of at most 16 share keys", 16)},
    "inputs_closed": {"origin": ANY_TEXT, "shoe": ANY_TEXT, "witnesses": WITNESSES, "inputs": HEX32},
    "share_given": {"key": ANY_TEXT, "note": items(ANY_TEXT, "the lines of a note", 8)},
    "recut_ordered": {},
    "contribution_made": {"value": text(VISIBLE_PATTERN, "1 to 64 visible characters", 64, 1)},
    "shoe_failed": {"why": choice("other cards", "not committed", "not shuffled", "same as last")},
    "order_sealed": {"root": HEX32},
    "cards_cut": {"in_front": SMALL},
    "seed_revealed": {"seed": HEX32},
    "order_disproved": {"seed": HEX32},
    "seed_lost": {},
    "seed_overdue": {"due_for": number(), "within": number(1, WEEK)},
    "shoe_fouled": {"position": SMALL, "card": CARD},
    "shoe_closed": {},
}


NEED_A_SHOE = {
    *("contribution_made", "inputs_closed", "share_given", "order_sealed", "shoe_failed"),
    *("seed_revealed", "order_disproved", "seed_lost", "seed_overdue"),
}


@dataclass
class SeenCard:
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
    seen: dict[int, SeenCard] = field(default_factory=dict)  # by entry of the order, before the cut
    proved: dict[int, str] = field(default_factory=dict)  # cards by their position in the cut shoe
    fouls: list[tuple[str, int]] = field(default_factory=list)  # where, and at which position it is called foul
    rounds: int = 0  # how many were completed
    is_over: bool = False
    failed: tuple[str, str] | None = None  # where it reported that its order failed the gate, and why
    order_of_cards: list[str] = field(default_factory=list)  # before the cut, where the seed is known
    seed: str = ""
    derived: DerivedShoe | None = None
    lost: bool = False
    disproved: bool = False
    due_at: int | None = None  # when its seed was due, in microseconds; None as long as a card of it can still come
    settled_at: int = 0  # when its seed was revealed or reported lost
    is_overdue: bool = False  # whether the clock reported that it was not revealed in time

    @property
    def is_opened(self) -> bool:
        """Whether its seed is known or lost: nothing more is chosen, sealed or reported."""
        return bool(self.seed) or self.lost

    @property
    def is_unused(self) -> bool:
        """Whether its inputs were closed, and no round was completed: somebody may have known what was abandoned."""
        return bool(self.inputs) and not (self.root and self.rounds)


def ends_shoe(event: Json) -> bool:
    """Whether no card of the shoe can come after an event, so that its seed is due."""
    name = event.get("event")
    is_foul = name == "shoe_fouled" and event.get("ends_with_round") is not True
    return name == "shoe_failed" or is_foul or (name == "step" and event.get("step") == "close")


def lateness(shoe: Shoe, within: int) -> str:
    """What is said of a seed that was shown late or not at all, by the times of the records; empty if it was not."""
    seed, by = f"the seed of shoe {shoe_name(shoe.id)}", "by the house's clock"
    if shoe.is_overdue and not shoe.is_opened:
        return f"{seed} was not revealed within {within:,} seconds, {by}, and is not shown"
    took = (shoe.settled_at - shoe.due_at) // 1_000_000 if shoe.due_at and shoe.settled_at else 0
    if took < within and not shoe.is_overdue:
        return ""
    what = "revealed" if shoe.seed else "reported lost"
    after = f" {took:,} seconds after it was due" if took >= within else " after the deadline"
    stop = "" if shoe.is_overdue else ", and the table had not been stopped"
    return f"{seed} was {what}{after}, and the deadline was {within:,}, {by}{stop}"


IN_PERSON = {"sit", "leave", "buy_in", "correct_card", "correct_payment", "correct_meter"}
"""What persons still do in the dealer's capacity at an automated table."""
BY_NO_PERSON = {"come_on", "go_off", "report_error_card", "report_exposed_card", "report_face_up"}
"""What no person does there, in whatever capacity."""


def stated_number(state: Json) -> int | None:
    """How many shoes were closed before, as the state of a table says it."""
    shoe = state.get("shoe")
    found = shoe.get("number") if isinstance(shoe, dict) else None
    return found if type(found) is int else None


def former_seed(state: Json) -> str:
    """The seed of the shoe before, as the state of a table says it."""
    shoe = state.get("shoe")
    found = shoe.get("former_seed") if isinstance(shoe, dict) else None
    return found if isinstance(found, str) else ""


class Shoes:
    """The electronic shoes of one stream: every event in its order."""

    def __init__(
        self, stream: str, logs: list[str], checks: dict[str, Check], counts: dict[str, int], *, before: Json | None
    ) -> None:
        """`logs` are the names of the logs by its checkpoints.

        `before` is the state of the table before the records, if they do not begin with it.
        """
        self.table, self.logs = stream.partition(" ")[2], logs
        self.acts, self.proofs, self.seeds = checks["shoes"], checks["card proofs"], checks["seeds"]
        self.counts = counts
        self.shoe: Shoe | None = None
        self.all: list[Shoe] = []
        self.seeds_shown: set[str] = set()  # at any table of the file
        self.former_seed = "" if before is None else former_seed(before)
        self.names: set[str] = set()  # of the events of the record
        self.is_late = False  # whether the record stands after the run, so that what is between is not known
        self.closing = False
        self.leaf = b""  # the hash of the record, if it has one event alone
        self.before = before
        self.number = 0 if before is None else stated_number(before)  # of the shoe; None if nothing states it
        self.witnesses: list[str] | None = None  # the share keys on record; None if the opening states none
        self.within: int | None = None  # within how many seconds a seed is revealed; None if the opening states none
        self.at = 0  # when the record was made, in microseconds
        self.cards = ""  # what the table is, by its opening; empty if that does not say
        self.behaviour = BEHAVIOUR  # the version of the deciding functions that the record names
        self.older_gaps: list[str] = []  # what only an older version lets pass, or nobody derived again
        self.has_real_cards = False  # whether a card was shown of which nobody had sealed the order

    def check_dealer(self, where: str, record: Json) -> None:
        """At an automated table the program is the dealer, and at no other."""
        command: Json = record.get("command", {})
        origin, act = record.get("origin", "person"), command.get("do")
        if origin == "program" and self.cards != "automated":
            self.acts.wrong(where, "the program deals at a table that is not automated")
        if self.cards != "automated" or origin != "person" or "who" not in record:
            return
        act = act if isinstance(act, str) else ""  # the rules say what is no command
        is_lost = act == "end_round" and bool(command.get("lost"))  # a seal that the program cannot open
        if act in BY_NO_PERSON or (record.get("role") == "dealer" and act not in IN_PERSON and not is_lost):
            self.acts.wrong(where, "a person deals at an automated table", "the program", short(command.get("do")))

    def opening(self, where: str, record: Json) -> None:
        """What the table is, and who its witnesses are, where the records begin."""
        state = record if self.before is None else self.before
        self.cards, self.witnesses = record.get("cards") or state.get("cards", ""), state.get("witnesses")
        if "cards" in record and state.get("cards") != record["cards"]:
            self.acts.wrong(where, "what the table is, in the state before", record["cards"], short(state.get("cards")))
        self.within = record.get("reveal_within")
        if state.get("reveal_within") != self.within:
            found = short(state.get("reveal_within"))
            self.acts.wrong(where, "the deadline for seeds, in the state before", short(self.within), found)
        if self.within is not None and record.get("cards") not in ("automated", "electronic"):
            self.acts.wrong(where, "a table states a deadline for seeds, and was not opened with an electronic shoe")
        if "witnesses" in record and self.witnesses is None:
            self.acts.wrong(where, "the state before does not state the witnesses of the table")

    def record(self, where: str, record: Json, body: bytes, *, is_late: bool = False) -> None:
        """One record: the proof in its command, then its events; a shoe that it closes is over after that."""
        if record["seq"] == 0:
            self.opening(where, record)
        elif not record.get("refused"):
            self.check_dealer(where, record)
        events: list[Json] = record.get("events", [])
        self.names, self.is_late = {str(event.get("event")) for event in events}, is_late
        self.leaf = sha(b"\0" + body) if len(events) == 1 else b""
        self.at, self.behaviour = record.get("at", 0), record["behaviour"]
        if events:
            try:
                self.check_proof(where, record.get("command", {}), events[0])
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
            require_part("." + needed, rule, event.get(needed))
        if self.shoe is not None and self.shoe.due_at is None and ends_shoe(event):
            self.shoe.due_at = self.at
        if name == "witnesses_changed":
            self.witnesses = event["witnesses"]
        elif name == "kind_adopted":
            if self.cards or self.shoe is not None:
                self.acts.wrong(where, "what a table is, is stated once, and between two shoes", "", self.cards)
            self.cards = event["cards"]
        elif name == "shoe_committed":
            self.commit(where, event)
        elif name in EVENTS and self.shoe is not None:
            getattr(self, str(name))(where, event, self.shoe)
        elif name in NEED_A_SHOE:
            raise WrongError("no shoe has committed to a seed")
        if "position" in event and event.get("card") is not None and name != "shoe_fouled":
            self.card_event(where, event)

    def card_event(self, where: str, event: Json) -> None:
        """An event that shows a card: of a sealed order, or a real one."""
        if not (self.shoe and self.shoe.root):
            self.has_real_cards |= self.shoe is None
            if self.cards in ("automated", "electronic") or self.shoe is not None:
                self.acts.wrong(where, "a card is shown, and no order is sealed")
        require_part(".card", CARD, event["card"])
        if self.shoe is not None and self.shoe.is_overdue and not self.shoe.is_opened:
            self.acts.wrong(where, "a card is shown while the seed of its shoe is overdue")
        if self.shoe is not None and self.shoe.root:
            require_part(".position", SMALL, event["position"])
            if not self.shoe.is_cut:
                self.acts.wrong(where, "a card is shown before the last cut")
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
        if event["table"] != self.table:
            self.acts.wrong(where, "the table for which a shoe commits", short(self.table), short(event["table"]))
        if self.number is not None and event["shoe"] != str(self.number):
            expected = short(str(self.number))
            self.acts.wrong(where, "the id of a shoe, which is its number", expected, short(event["shoe"]))
        table, shoe, rulebook = (event[name].encode("utf-8") for name in ("table", "shoe", "rulebook"))
        header = with_length(table) + with_length(shoe) + with_length(rulebook) + u64(event["decks"])
        self.shoe = Shoe(event["shoe"], header, event["decks"], event["commitment"])
        self.all.append(self.shoe)
        order, origin, witnesses = event.get("order", 1), event.get("origin", ""), event.get("witnesses", [])
        require_part(".order", number(1, 2), order)
        require_part(".origin", ANY_TEXT, origin)
        require_part(".witnesses", WITNESSES, witnesses)
        if self.witnesses is not None and [each["key"] for each in witnesses] != self.witnesses:
            self.acts.wrong(where, "a shoe names the witnesses on record", short(self.witnesses), short(witnesses))
        if order == 1:
            if origin or witnesses:
                self.acts.wrong(where, "order 1 names no log and no witnesses")
            self.commit_order_1(where, event["shoe"])
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
        if origin and not all(continues(each, origin) for each in self.logs):
            self.acts.wrong(where, "the log of a shoe is that of the checkpoint", short(self.logs), short(origin))
        named = b"".join(with_length(key.encode()) + bytes.fromhex(self.shoe.witnesses[key]) for key in keys)
        first = with_length(b"baccarat/header/2") + with_length(origin.encode())
        self.shoe.header = first + header + u64(len(keys)) + named

    def commit_order_1(self, where: str, shoe: str) -> None:
        """A shoe whose order the house alone could know: not at a table that says that it is electronic."""
        if self.cards not in ("automated", "electronic"):
            return
        if self.behaviour >= ORDER_2_SINCE:
            self.acts.wrong(where, "a shoe of order 1 at an electronic table", "order 2", "order 1")
        else:
            say = f"shoe {shoe_name(shoe)} has order 1 at an electronic table"
            self.older_gaps.append(say + by_version(self.behaviour))

    def contribution_made(self, where: str, event: Json, shoe: Shoe) -> None:
        """A contribution, which comes before the inputs are closed; of order 1, before it is sealed."""
        if shoe.root or shoe.is_opened or shoe.inputs:
            self.acts.wrong(where, "a contribution comes after the inputs were closed, or the order was sealed")
        shoe.contributions.append(event["value"])

    def inputs_closed(self, where: str, event: Json, shoe: Shoe) -> None:
        """Everything but the shares is fixed: once, after the cut, in a record of its own, as it was committed to."""
        if shoe.order == 1 or shoe.inputs or shoe.is_opened or not shoe.is_cut or not self.leaf:
            self.acts.wrong(
                where, "inputs are closed once, after the cut of an order 2, in a record with no other event"
            )
            return
        said = (event["origin"], event["shoe"], [(each["key"], each["promise"]) for each in event["witnesses"]])
        if said != (shoe.origin, shoe.id, list(shoe.witnesses.items())):
            self.acts.wrong(where, "the closing names another log, shoe or witness than the commitment")
        made = b"baccarat/inputs/2" + with_length(shoe.header) + bytes.fromhex(shoe.commitment)
        made = sha(made + with_count(shoe.contributions) + u64(shoe.in_front))
        self.acts.same(where, "the hash of the inputs", made.hex(), event["inputs"])
        shoe.inputs, shoe.closing = made, self.leaf

    def share_given(self, where: str, event: Json, shoe: Shoe) -> None:
        """A witness opens the share that it promised, in a note for this log, this shoe and this closing."""
        key, note = event["key"], event["note"]
        promise = shoe.witnesses.get(key)
        if not shoe.inputs or shoe.root or shoe.is_opened or promise is None or key in shoe.shares:
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

    def recut_ordered(self, where: str, _event: Json, shoe: Shoe) -> None:
        """The stack is cut again; after the closing the shoe is abandoned instead."""
        if shoe.inputs and "shoe_abandoned" not in self.names:
            self.acts.wrong(where, "a new cut is ordered after the closing, and the shoe is not abandoned with it")
        shoe.is_cut = shoe.is_cut and bool(shoe.inputs)

    def order_sealed(self, where: str, event: Json, shoe: Shoe) -> None:
        """The root of the card tree, known once: of order 1 before the cut, of order 2 after the last share."""
        if shoe.root:
            self.acts.wrong(where, "an order is sealed a second time", shoe.root, event["root"])
        if shoe.is_opened:
            self.acts.wrong(where, "an order is sealed after its seed was revealed or lost")
        if shoe.failed:
            self.acts.wrong(where, "an order is sealed that has failed the gate")
        if shoe.order == 2 and (not shoe.inputs or len(shoe.shares) < len(shoe.witnesses)):
            self.acts.wrong(where, "an order is sealed before its inputs are closed and every share is open")
        shoe.root = event["root"]

    def cards_cut(self, where: str, event: Json, shoe: Shoe) -> None:
        """The cut; a later one replaces it."""
        if shoe.order == 1 and not shoe.root:
            self.acts.wrong(where, "the cards are cut before their order was sealed")
        if shoe.inputs or shoe.seen or shoe.is_opened:
            self.acts.wrong(where, "the cards are cut after the inputs were closed, a card was shown or the seed known")
            return
        if event["in_front"] > 52 * shoe.decks:
            self.acts.wrong(
                where, "more cards in front than there are", f"at most {52 * shoe.decks}", event["in_front"]
            )
        shoe.in_front, shoe.is_cut = event["in_front"], True

    def seed_lost(self, where: str, _event: Json, shoe: Shoe) -> None:
        """Nothing more can be derived."""
        if shoe.is_opened:
            self.acts.wrong(where, "a seed is lost that was revealed or lost before")
        shoe.lost, shoe.settled_at = True, self.at

    def seed_overdue(self, where: str, event: Json, shoe: Shoe) -> None:
        """The deadline on record has passed, and the seed is neither revealed nor lost: said once of a shoe."""
        if event["within"] != self.within:
            self.acts.wrong(where, "the deadline for seeds on record", short(self.within), event["within"])
        if event["due_for"] < event["within"]:
            self.acts.wrong(where, "a seed is overdue before the deadline", f"{event['within']}", event["due_for"])
        if shoe.due_at is None or shoe.is_opened or shoe.is_overdue:
            self.acts.wrong(where, "a seed is overdue once, when its shoe is over, and not when it is known or lost")
        shoe.is_overdue = True

    def shoe_closed(self, where: str, event: Json, shoe: Shoe) -> None:
        """The shoe is over; its seed is known by now, or reported lost."""
        opened = "disproved" if shoe.disproved else "revealed"
        state = opened if shoe.seed else "lost" if shoe.lost else ""
        if not state:
            self.acts.wrong(where, f"shoe {shoe_name(shoe.id)} is closed, but its seed was neither revealed nor lost")
        elif event.get("seed") != state:
            self.acts.wrong(where, "what became of the seed", short(state), short(event.get("seed")))
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
        if shoe.seed:
            return  # to derive an order takes long, and the first is enough
        sealed: object = shoe.root if event["event"] == "order_disproved" else bool(shoe.root)
        if event.get("sealed") != sealed and not (self.is_late and not shoe.root):
            self.seeds.wrong(where, "what the opening says of the seal", short(sealed), short(event.get("sealed")))
        if event["seed"] in {*self.seeds_shown, self.former_seed}:
            self.seeds.wrong(where, "the seed is that of another shoe")
        self.seeds_shown.add(event["seed"])
        shoe.seed, shoe.settled_at = event["seed"], self.at
        commitment = commitment_to(shoe, bytes.fromhex(shoe.seed)).hex()
        if not self.seeds.same(where, "the commitment to this seed", shoe.commitment, commitment):
            return  # with another seed no card can be right
        self.counts["seeds"] += 1
        if 52 * shoe.decks > self.counts["cards left"]:
            self.older_gaps.append(f"the order of shoe {shoe_name(shoe.id)} {TOO_MANY_CARDS}")
            return
        self.counts["cards left"] -= 52 * shoe.decks
        made = derive(shoe, bytes.fromhex(shoe.seed))
        shoe.order_of_cards = made.cards
        self.gate(shoe)
        if not shoe.root or not made.cards:
            return
        if self.seeds.same(where, "the sealed root of the order", made.root.hex(), shoe.root):
            for of, position in shoe.fouls:
                card = made.cards[self.index_of(position, shoe)]
                self.seeds.wrong(
                    of, f"the shoe is called foul at position {position}, where it has a sealed card", card
                )
        shoe.derived = made
        for index, seen in shoe.seen.items():
            self.compare(seen, made.cards[index])

    def shoe_fouled(self, where: str, event: Json, shoe: Shoe) -> None:
        """A card is said not to be the sealed one; the seed shows whether the shoe had one there."""
        if shoe.is_opened:
            self.acts.wrong(where, "a card is called foul after the seed was revealed or lost")
        if shoe.root:
            self.index_of(event["position"], shoe)
            shoe.fouls.append((where, event["position"]))

    def shoe_failed(self, where: str, event: Json, shoe: Shoe) -> None:
        """The shoe reports that its order failed the gate: once it can be derived, and before it is sealed."""
        is_early = shoe.order == 2 and (not shoe.inputs or len(shoe.shares) < len(shoe.witnesses))
        if shoe.root or shoe.is_opened or is_early:
            self.acts.wrong(where, "an order fails the gate after it can be derived, and before it is sealed")
        shoe.failed = where, event["why"]

    def gate(self, shoe: Shoe) -> None:
        """A fault that an order 2 reported, decided again: a false one is a way to drop an order."""
        if shoe.order == 1 or shoe.failed is None or not shoe.order_of_cards:
            return
        where, said = shoe.failed
        before = self.all[self.all.index(shoe) - 1].order_of_cards if self.all[0] is not shoe else []
        found = "none"
        if shoe.order_of_cards in unshuffled_orders(shoe.decks):
            found = "not shuffled"
        elif shoe.order_of_cards == before:
            found = "same as last"
        self.seeds.same(where, "the fault of the order, which failed the gate", found, said)

    def compare(self, seen: SeenCard, derived: str) -> None:
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
        first = shoe.seen.setdefault(index, SeenCard(where, position, name))
        if first.card != name:
            self.acts.wrong(where, f"another card at position {position} than {first.where}", first.card, name)
        elif first.where == where and shoe.derived is not None:
            self.compare(first, shoe.derived.cards[index])

    def check_proof(self, where: str, command: Json, first: Json) -> None:
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
            require_part("." + name, rule, value)
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
    behaviour: int = 0


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
    if record["behaviour"] < head.behaviour:
        check.wrong(entry.where, "`behaviour`, which never goes back", f"{head.behaviour} or more", record["behaviour"])
    made = sha(bytes.fromhex(head.hash) + entry.body).hex()
    if entry.hash is None:
        check.wrong(entry.where, "the hash is missing", made)
    else:
        check.same(entry.where, "the hash", made, entry.hash)
    is_hash = entry.hash is not None and re.fullmatch("[0-9a-f]{64}", entry.hash)
    heads[stream] = Head(entry.hash if entry.hash and is_hash else made, seq, events, record["behaviour"])


def command_identity(record: Json) -> str:
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
        if id_ or not isinstance(said, str) or not isinstance(stream, str) or type(seq) is not int or seq < 1:
            say = "a command that is refused for its id must be entered without one, and the refusal names the id"
            check.wrong(entry.where, say, "", short(id_ or named))
            continue
        first = given.get((who, said))
        if first is not None:
            found, expected = [stream, seq], [first.record["stream"], first.record["seq"]]
            is_same = check.same(entry.where, f"the record with the id {short(said)}", expected, found)
            if is_same and command_identity(first.record) == command_identity(record):
                check.wrong(entry.where, f"the id {short(said)} was used for the same command", "", first.where)
        elif has_house or (stream == record["stream"] and first_seq.get(stream, seq + 1) <= seq):
            # In a part of a journal, or in one of several streams, the record that it names may be missing.
            check.wrong(entry.where, "no record has the id for which it is refused", "", short(said))
    check.text = f"{len(given):,} of commands, each of them once"
    if not given:
        check.skipped = "no record has an id"


# ------------------------------------------------------------------------------------------------ folded refusals


def check_refusals(report: Report, entries: list[Entry], *, begun: bool) -> dict[str, str]:
    """Refusals that are only counted follow one that is recorded whole; by stream, how many nobody can decide again.

    `begun` if every stream is complete from its beginning: otherwise the whole one may be missing.
    """
    check = report.check("refusals", skipped="none is only counted")
    whole: dict[tuple[str, str, str], int] = {}
    counted: dict[str, int] = {}
    persons: dict[str, set[str]] = {}
    for entry in entries:
        record, stream = entry.record, entry.record["stream"]
        folded, code = record.get("folded"), record.get("refused", {}).get("code")
        if folded is None:
            if "who" in record and isinstance(code, str):
                whole.setdefault((stream, record["who"], code), record.get("at", 0))
            continue
        counted[stream] = counted.get(stream, 0) + folded["count"]
        persons.setdefault(stream, set()).add(folded["who"])
        first = whole.get((stream, folded["who"], folded["code"]))
        if not folded["count"]:
            check.wrong(entry.where, "it counts no refusal")
        elif not folded["first"] <= folded["last"] <= record.get("at", 0):
            say = "the times of folded refusals are in order, and not after that of their record"
            check.wrong(entry.where, say, "", short([folded["first"], folded["last"], record.get("at", 0)]))
        elif first is None and begun:
            say = "a refusal of this person with this code is recorded whole before"
            check.wrong(entry.where, say, "", short([folded["who"], folded["code"]]))
        elif first is not None and folded["first"] < first:
            say = "a folded refusal is earlier than the one that is recorded whole"
            check.wrong(entry.where, say, f"not before {first}", str(folded["first"]))
    if counted:
        check.skipped, check.text = "", "those that are only counted follow one that is recorded whole"
    return {stream: folded_text(count, len(persons[stream])) for stream, count in counted.items()}


def folded_text(count: int, persons: int) -> str:
    """How many refusals of how many persons nobody can decide again."""
    refusals = "1 refusal" if count == 1 else f"{count:,} refusals"
    people = "1 person" if persons == 1 else f"{persons:,} persons"
    return f"{refusals} of {people} {'was' if count == 1 else 'were'} counted and not decided again"


# ------------------------------------------------------------------------------------------------ other streams


def check_streams(report: Report, entries: list[Entry]) -> dict[str, list[str]]:
    """Records that depend on other streams: what is wrong with them, and by stream, what is not in the file."""
    check = report.check("other streams", skipped="no record depends on another stream")
    records = {(entry.record["stream"], entry.record["seq"]): entry.record for entry in entries}
    first = next((entry for entry in entries if entry.record["stream"] == "house"), None)
    has_house = first is not None and first is entries[0]  # a later one vouches for nothing before it
    if first is not None and not has_house:
        check.wrong(first.where, LATE_HOUSE)
    missing: dict[str, dict[str, list[int]]] = {}
    count = 0
    for entry in entries:
        record, stream = entry.record, entry.record["stream"]
        cause, is_table = record.get("cause"), stream.startswith("table ")
        if cause and is_table and not may_follow(record, cause["stream"]):
            say = "without a command a table has no record but link_joined, after house, and two others, after a pit"
            check.wrong(entry.where, say, "", short([cause["stream"], *entry.names]))
        if is_table and not cause and not ONLY_CAUSED.isdisjoint(map(str, entry.names)):
            check.wrong(entry.where, "what follows an act of the house or a pit is not done by a command at a table")
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
    left_out: dict[str, list[str]] = {}
    if has_house:
        check.skipped, check.text = "", f"{count:,} records that are entered in several streams, each in all of them"
        left_out["house"] = check_left_out(check, entries)
    return left_out | {
        stream: [
            f"record {seqs[0]:,}: {why}" if len(seqs) == 1 else f"{len(seqs):,} records, first {seqs[0]:,}: {why}"
            for why, seqs in found.items()
        ]
        for stream, found in missing.items()
    }


def named_by(entries: list[Entry], kind: str, event: str, name: str) -> dict[str, None]:
    """What the events of one name in streams of a kind call something, each once."""
    events = (
        each
        for entry in entries
        if entry.record["stream"].partition(" ")[0] == kind
        for each in entry.record.get("events", [])
    )
    return {each[name]: None for each in events if each.get("event") == event and isinstance(each.get(name), str)}


def check_left_out(check: Check, entries: list[Entry]) -> list[str]:
    """Whether whole streams of a house are missing: wrong where a record proves it, otherwise they are not covered."""
    streams = {entry.record["stream"] for entry in entries}
    opened = named_by(entries, "pit", "table_opened", "table")
    closed = "table_waits_for_the_next_day"
    acting: set[str] = set()
    for entry in entries:
        kind, _, table = entry.record["stream"].partition(" ")
        if kind == "table" and entry.names and table not in opened and table not in acting:
            acting.add(table)
            check.wrong(entry.where, "the pit that opened the table", "its record", "none")
        if entry.record.get("refused", {}).get("what") == closed and "day" not in streams:
            check.wrong(entry.where, "the day whose end refuses it", "the stream day", "none")
    expected = ["cage"] if opened else []
    expected += [f"pit {name}" for name in named_by(entries, "house", "pit_added", "name")]
    expected += [f"table {name}" for name in opened]
    return [
        f"the stream {stream} is not in the file: nothing was done in it, or it was left out"
        for stream in expected
        if stream not in streams
    ]


ONLY_CAUSED = {"link_joined", "witnesses_changed", "kind_adopted"}


def may_follow(record: Json, stream: str) -> bool:
    """Whether a record has the one event that may follow an act of the house, or of a pit."""
    events = record.get("events", [])
    event = events[0] if len(events) == 1 else {}
    follow = {"link_joined": "link", "witnesses_changed": "witnesses", "kind_adopted": "cards"}
    own = follow.get(str(event.get("event")), "")
    of = {"link": "house", "witnesses": "pit", "cards": "pit"}.get(own)
    texts = {"event", "requester", "approver"} | ({"link"} if own == "link" else set())
    return (
        stream.partition(" ")[0] == of
        and own in event
        and set(event) == texts | {own, "cites"}
        and all(isinstance(event.get(name), str) for name in texts)
    )


def missing_streams(record: Json) -> Iterator[str]:
    """What a record depends on, in words, where only its own stream is given."""
    refused = record.get("refused", {})
    cites = refused.get("cites")
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
    elif any(
        isinstance(cite, str) and cite.startswith("house ") for cite in (cites if isinstance(cites, list) else ())
    ):
        yield "it was refused by a rule of the house, whose streams are not in the file"


# ------------------------------------------------------------------------------------------------ all electronic shoes


@dataclass
class TableShoes:
    """The electronic shoes of a stream, as far as the signatures concern them."""

    gaps: list[str] = field(default_factory=list)
    share_keys: set[str] = field(default_factory=set)


def check_shoes(
    report: Report, entries: list[Entry], logs: Mapping[str, list[str]], policy: Policy, before: Json | None = None
) -> dict[str, TableShoes]:
    """Every electronic shoe of every table; `before` is the stated state if a stream does not begin here."""
    checks = {name: report.check(name) for name in ("shoes", "card proofs", "seeds")}
    left = MOST_DERIVED + sum(len(entry.body) for entry in entries) // BYTES_OF_A_CARD
    counts = {"proofs": 0, "seeds": 0, "derived": 0, "passed over": 0, "cards left": left}
    tables: dict[str, Shoes] = {}
    seeds: set[str] = set()
    for entry in entries:
        stream = entry.record["stream"]
        if stream.startswith("table "):
            if stream not in tables:
                tables[stream] = Shoes(stream, logs.get(stream, []), checks, counts, before=before)
                tables[stream].seeds_shown = seeds
            tables[stream].record(entry.where, entry.record, entry.body, is_late=entry.hash is None)
    describe_shoes(report, checks, counts, list(tables.values()))
    found: dict[str, TableShoes] = {}
    unstated = {entry.record["stream"]: opening_gaps(entry.record) for entry in entries if entry.record["seq"] == 0}
    for stream, table in tables.items():
        made = found[stream] = TableShoes()
        made.gaps += [*unstated.get(stream, []), *table.older_gaps]
        made.share_keys = {key for shoe in table.all for key in shoe.witnesses}
        for shoe in table.all:
            if not shoe.seed:
                why = "is reported lost" if shoe.lost else "is not shown: the shoe was not over, or it was left out"
                made.gaps.append(f"the seed of shoe {shoe_name(shoe.id)} {why}")
        for shoe in table.all:
            if shoe.is_unused or (shoe.root and shoe.witnesses):
                made.gaps += order_gaps(shoe, policy.share_keys, checks["shoes"])
        asked = policy.asked_shares(made.share_keys)
        made.gaps += unnamed_gaps(table.all, asked)
        if table.has_real_cards:
            made.gaps += [
                f"{name}, whose share was asked for, has no part in the order of real cards" for name in asked.values()
            ]
    return found


UNSTATED_CARDS = "the opening does not say what cards the table has: only what its shoes show was checked"
UNSTATED_WITNESSES = "the opening does not say who has a share in the orders of the table: each shoe could name others"
BEHAVIOUR = 3  # the version of the deciding functions that the pages describe
ORDER_2_SINCE = 3  # the first in which a table that says that it is electronic takes no shoe of order 1


def opening_gaps(record: Json) -> list[str]:
    """What is not covered of a table, because its opening does not state it.

    By which version it was written, a house says itself: an older one excuses nothing.
    """
    if "cards" not in record:
        return [UNSTATED_CARDS + by_version(record["behaviour"])]
    if record["cards"] in ("automated", "electronic") and "witnesses" not in record:
        return [UNSTATED_WITNESSES + by_version(record["behaviour"])]
    return []


def by_version(behaviour: int) -> str:
    """By which rules something was decided, if these are not those of the pages."""
    if behaviour >= BEHAVIOUR:
        return ""
    return f" (decided by the rules of version {behaviour}, which the journal itself claims)"


def unnamed_gaps(shoes: Sequence[Shoe], asked: Mapping[str, str]) -> Iterator[str]:
    """Witnesses whose share was asked for, and which have no part in some of the sealed orders."""
    for key, name in asked.items():
        without = [shoe.id for shoe in shoes if shoe.root and key not in shoe.witnesses]
        if without:
            which = f"shoe {shoe_name(without[0])}" if len(without) == 1 else f"{len(without):,} shoes"
            yield f"{name}, whose share was asked for, is not named in the order of {which}"


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
        say += f", {checked} of {named} checked: give the missing share keys with --key"
    if shoe.is_unused or checked < named:
        yield say


def describe_shoes(report: Report, checks: dict[str, Check], counts: dict[str, int], tables: list[Shoes]) -> None:
    """Say how far the shoes were checked."""
    shoes = [shoe for table in tables for shoe in table.all]
    if any(table.has_real_cards for table in tables):
        report.check("real cards", skipped="real cards: order not shown")
    sealed = sum(bool(shoe.root) for shoe in shoes)
    checks["shoes"].text = f"{len(shoes):,} electronic, {sealed:,} with a sealed order, each act in order"
    checks["card proofs"].text = f"{counts['proofs']:,} cards, each by its proof under the sealed root"
    opened, derived = f"{counts['seeds']:,} of {len(shoes):,}", f"{counts['derived']:,} cards"
    checks["seeds"].text = f"{opened}: commitment, order and root; {derived}"
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
    late = [lateness(shoe, table.within) for table in tables if table.within is not None for shoe in table.all]
    if any(late):
        report.check("late seeds", skipped="; ".join([say for say in late if say][:20]))
    given = sum(len(shoe.contributions) for shoe in shoes)
    report.check("contributions", skipped=f"{given:,} by seats; anybody may sit there")


def order_words(shoe: Shoe) -> str:
    """Who had a part in an order that the house could not know."""
    if not shoe.root:
        stage = "given up after closing" if shoe.is_over else "closed, not sealed yet"
        return stage if shoe.inputs else "never closed"
    unused = ", no round of it completed" if shoe.is_unused else ""
    if not shoe.witnesses:
        return f"the house alone could have known this order beforehand{unused}"
    return f"{len(shoe.witnesses)} witness{'es' * (len(shoe.witnesses) != 1)} named, {len(shoe.notes)} shown{unused}"


def times_of(entries: Sequence[Entry]) -> tuple[int, int]:
    """When the first of some entries and the last were made, in seconds since 1970."""
    at = [entry.record.get("at", 0) // 1_000_000 for entry in entries]
    return (at[0], max(at)) if at else (0, 0)


def add_coverage(
    report: Report,
    found: TableShoes,
    policy: Policy,
    stream: str,
    notes: list[tuple[str, Note]],
    times: tuple[int, int],
    **counts: int,
) -> list[Note]:
    """Say who has signed a stream whose `notes` fit it, and how far it is covered; `found.gaps` are not.

    Gives the checkpoints that a known key has signed.
    """
    reach = SignatureReach(policy.without(found.share_keys))
    check = report.check("signatures")
    for where, note in notes:
        wrong = reach.add(note, stream)
        if wrong:
            check.wrong(where, wrong)
    said = [f"signed to {to:,} by {key.name}+{key.id}" for key, to in reach.logs.items()]
    said += [f"cosigned to {to:,} by {key.name}+{key.id} at {utc(at)}" for key, (to, at) in reach.witnesses.items()]
    check.text = ", ".join([*said, *reach.continued])
    if not said:
        check.skipped = "whose signature it bears was not checked" if notes else "it is not signed"
    report.coverage.append(reach.coverage(stream, times=times, gaps=found.gaps, **counts))
    report.unused.append(reach.unused())
    return reach.known


def with_unused_keys(reports: Sequence[Report]) -> None:
    """A key that was given and has signed nothing in any of the files is missing in each that somebody signed."""
    found = [keys for report in reports for keys in report.unused]
    unused = sorted(set.intersection(*found), key=str) if found else []
    for coverage in (each for report in reports for each in report.coverage):
        more = [f"{key.name} signed none of it" for key in unused] if coverage.signed else []
        coverage.gaps[:] = dict.fromkeys([*coverage.gaps, *more])


def list_unchecked(report: Report) -> None:
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
    try:
        record = parse(body, where)
        fault = form_fault(record, body)
        if not fault and canonical(record) != body:
            fault = "the body is not canonical"
    except UnreadableError as error:
        fault = str(error)[len(where) + 2 :]
    if fault:
        # A changed entry is wrong rather than unreadable: its number or its hash shows it.
        try:
            record = record or json.loads(body)
            head = heads.get(record["stream"]) or Head(ZERO, -1, 0)
            is_next = record["seq"] == head.seq + 1 and sha(bytes.fromhex(head.hash) + body).hex() == stated
            is_half = has_half_pair(record)  # which no UTF-8 holds: such a line says nothing of itself
            follows = is_half or is_next or type(record["seq"]) is not int or not isinstance(record["stream"], str)
            # What only the rules define is wrong rather than unreadable, as long as all else is canonical; an opening
            # has none of it.
            rest = None if record["seq"] == 0 else without_rules(body)
            if rest is not None and not is_half:
                kept = parse(rest, where)
                follows = follows and (canonical(kept) != rest or bool(form_fault(kept, rest)))
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
    require_form(NOTE_LINE, value, where)
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


def check_stored(report: Report, trees: dict[str, Tree], stored: Mapping[str, bytes]) -> dict[str, list[Any]]:
    """Checkpoints in files next to the journal: of the stream in the file's name, or of the only one."""
    found: dict[str, list[Any]] = {}
    for name, data in sorted(stored.items(), key=lambda item: (not item[0].endswith(".cosigned"), item[0].count("."))):
        named = [stream for stream in trees if f".{quote(stream, safe='')}." in name] or list(trees)
        if len(named) > 1:
            continue  # it does not say of which stream it is
        check = report.check("checkpoint", f"the root of {name} is that of the journal")
        try:
            note = read_note(data.decode("utf-8"))
        except UnicodeDecodeError:
            raise UnreadableError(f"{name}: not UTF-8 text") from None
        except WrongError as error:
            raise unreadable(name, error) from None
        if named and check_root(check, name, note, trees[named[0]]):
            found.setdefault(named[0], []).append((name, note))
    return found


@dataclass
class JournalReader:
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


def verify_journal(
    report: Report, data: bytes, stored: Mapping[str, bytes], policy: Policy, receipts: Sequence[Receipt] = (),
    memory: Memory | None = None,
) -> None:  # fmt: skip
    """Every check of a journal."""
    form, chain = report.check("form"), report.check("chain")
    check = report.check("checkpoints", skipped="none between the entries")
    journal = JournalReader(form, chain, check)
    journal.read(data)
    entries, heads, trees, notes = journal.entries, journal.heads, journal.trees, journal.notes
    form.text = f"{len(entries):,} entries in canonical form"
    chain.text = f"{len(entries):,} entries of {', '.join(sorted(heads))} by number and hash"
    if journal.count:
        check.text, check.skipped = f"{journal.count:,} between the entries, each with the root of its stream", ""
    # Checkpoints next to the journal, and the root of each stream.
    fitting = check_stored(report, trees, stored)
    for stream, tree in trees.items():
        size = len(tree.levels[0])
        root = base64.b64encode(tree.root(size)).decode()
        report.check("tree", f"{stream}: {size:,} entries, root {root}; compare it with a checkpoint that you trust")
        notes[stream] = [*fitting.get(stream, []), *notes.get(stream, [])]
    check_ids(report, entries)
    missing, folded = check_streams(report, entries), check_refusals(report, entries, begun=True)
    origins = {stream: {first_name(note.origin) for _, note in found} for stream, found in notes.items() if found}
    logs = {stream: logs_signed([note for _, note in found], policy, stream) for stream, found in notes.items()}
    # How far each stream is covered, and by whom.
    shoes, known = check_shoes(report, entries, logs, policy), {}
    for stream, tree in trees.items():
        found = shoes.get(stream, TableShoes())
        found.gaps[:0] = [NOT_DECIDED, *missing.get(stream, []), *filter(None, [folded.get(stream)])]
        if not stream.startswith("table ") and "house" not in trees:
            found.gaps.append("none of it was decided again: the house's own stream is not in the same file")
        size = len(tree.levels[0])
        times = times_of([entry for entry in entries if entry.record["stream"] == stream])
        known[stream] = add_coverage(report, found, policy, stream, notes[stream], times, entries=size, size=size)
    remember(report, memory or Memory(is_stored=False), known, trees)
    if receipts:
        sizes = {stream: len(tree.levels[0]) for stream, tree in trees.items()}
        check_receipts(
            report, receipts, policy.keys, entries,
            lambda stream, size: trees[stream].root(size) if size <= sizes[stream] else None, origins,
        )  # fmt: skip
    list_unchecked(report)


# ------------------------------------------------------------------------------------------------ receipts


@dataclass
class Receipt:
    """An entry that somebody keeps, with the proof that a signed checkpoint of its log covers it."""

    file: str
    index: int
    body: bytes
    stream: str
    note: Note


def read_receipt(data: bytes, name: str) -> Receipt:
    """A receipt: the body in base64 on the first line, then its C2SP tlog-proof. No signature is checked yet."""
    try:
        first, _, rest = data.decode("utf-8").partition("\n")
        head, _, signed = rest.partition("\n\n")
        rows, body = head.split("\n"), from_base64(first)
        extra = rows.pop(1)[6:] if rows[1:] and rows[1].startswith("extra ") else ""
        if extra:
            from_base64(extra)
        record = parse(body, "the body")
        fault = form_fault(record, body) or ("" if canonical(record) == body else "the body is not canonical")
        expect(not fault, "the body of an entry", fault)
        expect(rows[0] == "c2sp.org/tlog-proof@v1" and len(rows) > 1, "a C2SP tlog-proof after the first line", rows[0])
        expect(re.fullmatch("index (0|[1-9][0-9]{0,15})", rows[1]), "the index of the entry", rows[1])
        note, index = read_note(signed), int(rows[1][6:])
        for row in rows[2:]:
            base32(row)
        path = [from_base64(row) for row in rows[2:]]
    except UnicodeDecodeError:
        raise UnreadableError("not UTF-8 text") from None
    except WrongError as error:
        raise unreadable("not a receipt", error) from None
    stream = record.get("stream")
    if record.get("seq") != index or not isinstance(stream, str) or not fits_stream(note.origin, stream):
        raise UnreadableError("the entry is not of the log and the number that the receipt names")
    if index >= note.size or root_by_path(sha(b"\0" + body), index, note.size, path) != note.root:
        raise UnreadableError("its proof does not lead from the entry to the root of its checkpoint")
    return Receipt(name, index, body, stream, note)


def check_receipts(
    report: Report, receipts: Sequence[Receipt], keys: Sequence[Key], entries: list[Entry],
    root_at: Callable[[str, int], bytes | None], origins: Mapping[str, set[str]],
) -> None:  # fmt: skip
    """Compare receipts with a file: a log that lacks what a receipt shows is wrong, if a known key has signed it."""
    bodies = {(entry.record["stream"], entry.index): entry.body for entry in entries}
    streams = {stream for stream, _ in bodies}
    check, met = report.check("receipts"), 0
    for each in receipts:
        first = first_name(each.note.origin)
        other_log = first not in origins.get(each.stream, {first})
        if each.stream not in streams or other_log or not signers_of(each.note, keys, each.stream).logs:
            continue
        found, root = bodies.get((each.stream, each.index)), root_at(each.stream, each.note.size)
        if found is not None and found != each.body:
            check.wrong(each.file, f"entry {each.index} of {each.stream} is not the one that the receipt shows")
        elif root is not None and root != each.note.root:
            check.wrong(
                each.file, f"there are two histories: the first {each.note.size:,} entries were signed otherwise"
            )
        met += found == each.body
    check.text = f"{met:,} of {len(receipts):,} show an entry that is there"
    check.skipped = (
        "" if met else f"none of {len(receipts):,} could be compared: entry not in the file, or key not given"
    )


def contradictory_receipts(receipts: Sequence[Receipt], keys: Sequence[Key]) -> Iterator[tuple[str, Report]]:
    """Receipts that show two histories of one log, whatever is in the files: known keys have signed both."""
    seen: dict[tuple[str, str, int], tuple[bytes, str]] = {}
    for each in receipts:
        if not signers_of(each.note, keys, each.stream).logs:
            continue
        origin, report = each.note.origin, Report(kind="receipt")
        check = report.check("receipts")
        for kind, number_of, shown in (("entry", each.index, each.body), ("root", each.note.size, each.note.root)):
            known, file = seen.setdefault((origin, kind, number_of), (shown, each.file))
            if known != shown:
                what = f"entry {number_of:,}" if kind == "entry" else f"the first {number_of:,} entries"
                check.wrong(each.file, f"there are two histories of {origin}: {file} shows other ones, {what}")
        if check.faults:
            yield each.file, report


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
    """That the scope is of a table, and a state is stated only where one is needed."""
    scope = bundle["scope"]
    if not scope["stream"].startswith("table "):
        check.wrong("scope", "a bundle is of a table's stream", "`table NAME`", scope["stream"])
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


LATE_EVENTS = {
    "seed_revealed": {"seed", "sealed"},
    "order_disproved": {"seed", "sealed", "derived"},
    "seed_lost": {"reason", "requester", "approver"},
}


def opens_seed(record: Json) -> bool:
    """Whether a record does nothing but open a seed or report it lost, by somebody who may, and with that one event."""
    command, events, who = record.get("command"), record.get("events", []), record.get("who")
    if "shown" in record or "joined" in record or len(events) != 1 or not isinstance(command, dict):
        return False
    event, approvals = events[0], record.get("approvals", [])
    name = event.get("event")
    if not isinstance(name, str) or set(event) - {"event", "cites"} != LATE_EVENTS.get(name):
        return False
    if command.get("do") == "reveal_seed" and set(command) == {"do", "seed"}:
        is_its_own = name != "seed_lost" and event["seed"] == command["seed"]
        is_its_own = is_its_own and type(event["sealed"]) is (bool if name == "seed_revealed" else str)
        return is_its_own and record.get("origin") == "card source" and not approvals
    if command.get("do") != "report_lost_seed" or set(command) != {"do", "reason"} or name != "seed_lost":
        return False
    seconds = ("floorperson", "casino supervisor", "pit boss")
    approver = next(
        (each["who"] for each in approvals if each.get("what") == "report_lost_seed" and each["role"] in seconds), ""
    )
    stated = (event["reason"], event["requester"], event["approver"])
    is_by_two = record.get("role") in seconds[:2] and approver not in {"", who}
    return is_by_two and stated == (command["reason"], who, approver)


def check_late(check: Check, late: Entry, head: Head | None) -> None:
    """The last entry, if it does not follow the run: it may only open the seed or report it lost."""
    if not opens_seed(late.record):
        check.wrong(
            late.where, "an entry has no hash, but does not only open a seed or report it lost, by somebody who may"
        )
    if head is not None:
        if late.record["seq"] <= head.seq:
            check.wrong(late.where, "`seq` of a late record", f"above {head.seq}", late.record["seq"])
        if late.record["behaviour"] < head.behaviour:
            check.wrong(late.where, "`behaviour`", f"{head.behaviour} or more", late.record["behaviour"])
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
        opened = entries[0].record
        heads[opened["stream"]] = Head(before["hash"], before["seq"], before["events"], opened["behaviour"])
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
    """The keys that a bundle contains; they show that they belong to its checkpoint, not whose they are."""
    keys = []
    for index, key in enumerate(bundle.get("keys", [])):
        try:
            keys.append(read_key(key))
        except WrongError as error:
            raise unreadable(f"keys[{index}]", error) from None
    return keys


def unknown_editions(bundle: Json) -> Iterator[str]:
    """What a bundle contains in place of an edition that the reader knows."""
    named: dict[str, None] = {}
    for rulebook in bundle["rulebooks"]:
        if "edition" in rulebook:
            named[short(rulebook["submission"].get("ruleset"))] = None
    for name in named:
        yield f"the bundle contains the edition {name}: whether it is one that was filed or shipped was not checked"


def read_bundle(data: bytes) -> Json:
    """The bundle in these bytes, in its form."""
    if len(data) > BUNDLE_BYTES:
        raise UnreadableError(f"{len(data):,} bytes; a bundle has at most {BUNDLE_BYTES:,}")
    bundle = parse(data, "the bundle", BUNDLE_DECODER)
    version = bundle.get("bundle")
    if type(version) is not int or version != 1:
        raise UnreadableError(f"version {short(version)} of a bundle; only 1 is known")
    require_form(BUNDLE, bundle, "the bundle")
    if ("checkpoint" in bundle) == ("tree_head" in bundle):
        raise UnreadableError("exactly one of `checkpoint` and `tree_head` must be present")
    if len({rulebook["hash"] for rulebook in bundle["rulebooks"]}) < len(bundle["rulebooks"]):
        raise UnreadableError("rulebooks: a rulebook is listed twice")
    scope = bundle["scope"]
    if " ".join(sorted(scope)) != SCOPE_FIELDS[scope["kind"]]:
        raise UnreadableError(f"scope: the kind {scope['kind']} has the fields {SCOPE_FIELDS[scope['kind']]}")
    return bundle


def verify_bundle(
    report: Report, data: bytes, policy: Policy, receipts: Sequence[Receipt] = (), memory: Memory | None = None
) -> None:
    """Every check of a bundle."""
    bundle = read_bundle(data)
    own = bundle_keys(bundle)
    size, root, note = tree_head(bundle)
    stream = bundle["scope"]["stream"]
    form, entries_check = report.check("form"), report.check("entries")
    chain, tree, rulebooks = report.check("chain"), report.check("tree"), report.check("rulebooks")
    entries = bundle_entries(bundle, form)
    form.text = f"{len(entries):,} entries in the form of version 1"
    # What the entries show, if all of them can be read.
    found, gaps = TableShoes(), list(unknown_editions(bundle))
    if len(entries) == len(bundle["entries"]):
        gaps.append(NOT_DECIDED)
        ended = check_entries(report, bundle, entries, size, root)
        check_rulebooks(rulebooks, bundle, entries)
        check_ids(report, entries)
        gaps += check_streams(report, [entry for entry in entries if entry.record["stream"] != "house"]).get(stream, [])
        gaps += check_refusals(report, entries, begun="before" not in bundle).values()
        logs = {} if note is None else {stream: [note.origin]}
        state = bundle["before"]["state"] if "before" in bundle else None
        shoes = check_shoes(report, entries, logs, policy, state if state is None or isinstance(state, dict) else {})
        found = shoes.get(stream, found)
        if "before" in bundle:
            first = bundle["before"]["seq"] + 1
            gaps.append(f"the state of the table before record {first:,} is stated by the bundle, not proved")
        gaps += ended
    else:
        for check in (entries_check, chain, tree, rulebooks):
            check.skipped = "not every entry is an entry of a journal"
    # Who vouches for them: keys of the reader count, those that the bundle contains only show that it fits together.
    found.gaps[:0] = gaps
    notes = [] if note is None else [("checkpoint", note)]
    times, count = times_of(entries), len(bundle["entries"])
    known = add_coverage(report, found, policy, stream, notes, times, entries=count, size=size)
    wrong = "" if note is None else signers_of(note, own, stream).wrong
    own_check = report.check("keys", f"{len(own):,} that the bundle contains, which cover nothing")
    if wrong:
        own_check.wrong("checkpoint", wrong)
    remember(report, memory or Memory(is_stored=False), {stream: known}, {})
    if receipts:
        origins = {} if note is None else {stream: {first_name(note.origin)}}
        check_receipts(
            report, receipts, policy.keys, entries, lambda _stream, of: root if of == size else None, origins
        )  # fmt: skip
    list_unchecked(report)


def check_entries(report: Report, bundle: Json, entries: list[Entry], size: int, root: bytes) -> list[str]:
    """Scope, chain and tree; and what is not known of the run's end."""
    entries_check, chain, tree = (check for check in report.checks if check.name in ("entries", "chain", "tree"))
    check_scope(entries_check, bundle)
    rising = is_rising(entries_check, bundle["scope"], entries)
    gaps: list[str] = []
    if bundle["scope"]["kind"] == "all":
        entries_check.same("entries", "how many entries the log has", size, len(entries))
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


def verify(
    data: bytes,
    stored: Mapping[str, bytes] | None = None,
    policy: Policy = Policy(),
    receipts: Sequence[Receipt] = (),
    memory: Memory | None = None,
) -> Report:
    """Verify a journal or a bundle under this policy; `stored` has the checkpoints next to a journal, by file name."""
    report = Report()
    try:
        if is_journal(data):
            report.kind = "journal"
            verify_journal(report, data, stored or {}, policy, receipts, memory)
        elif data.lstrip(b" \t\r\n").startswith(b"{"):
            report.kind = "bundle"
            verify_bundle(report, data, policy, receipts, memory)
        else:
            raise UnreadableError("the file is neither a journal nor a bundle" if data else "the file is empty")
    except UnreadableError as error:
        report.unreadable = str(error)
    except RecursionError:
        report.unreadable = "objects or lists are nested too deeply"
    if report.unreadable:
        report.checks.clear()
        report.coverage.clear()
        report.unused.clear()
    return report


def read(path: Path, most: int = FILE_BYTES) -> bytes:
    """The bytes of a file, if they are not too many."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise UnreadableError(f"more than {most:,} bytes; this program reads no larger file")
    return data


def stored_notes(path: Path, data: bytes) -> dict[str, bytes]:
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


def receipt_of_file(path: str, keys: Sequence[Key]) -> Receipt | Report:
    """The receipt in a file; a report that says why if it is none, or a known key has not signed it."""
    try:
        found = read_receipt(read(Path(path)), path)
    except OSError as error:
        return Report(kind="receipt", unreadable=error.strerror or "the file cannot be read")
    except (UnreadableError, ValueError) as error:
        return Report(kind="receipt", unreadable=str(error))
    wrong = signers_of(found.note, keys, found.stream).wrong
    return Report(kind="receipt", unreadable=wrong) if wrong else found


def verify_file(
    path: Path, policy: Policy, receipts: Sequence[Receipt] = (), memory: Memory | None = None
) -> Report:  # fmt: skip
    """Verify a file under this policy, a journal with the checkpoints next to it."""
    try:
        data = read(path)
        return verify(data, stored_notes(path, data) if is_journal(data) else {}, policy, receipts, memory)
    except OSError as error:
        return Report(unreadable=error.strerror or "the file cannot be read")
    except (UnreadableError, ValueError) as error:
        return Report(unreadable=str(error))
    except MemoryError:
        return Report(unreadable="too large for the memory of this machine")


def keys_of_arguments(said: Sequence[str]) -> Iterator[Key]:
    """Public keys as given: each as its text, or as a file that holds some, one per line."""
    for each in said:
        rows = [each]
        if "+" not in each or (len(each) < 1000 and Path(each).is_file()):
            rows = [row for row in read(Path(each), KEYS_BYTES).decode("utf-8").splitlines() if not row.startswith("#")]
        yield from (read_key(row.strip()) for row in rows if row.strip())


def policy_of_arguments(keys: Sequence[str], policy: str | None) -> Policy:
    """Whose signatures a reader requires: those of the keys given one by one, or what a policy file says."""
    if policy is None:
        return policy_of_keys(list(keys_of_arguments(keys)))
    if keys:
        raise UnreadableError("--policy names the keys; it cannot be combined with --key")
    return PolicyReader().read(read(Path(policy), KEYS_BYTES).decode("utf-8"))


def memory_of_argument(path: str | None, sources: Sequence[str]) -> Memory | None:
    """What the reader remembers; the file, which is written, must not be one of those that are read."""
    if path is None:
        return None
    if os.path.realpath(path) in map(os.path.realpath, sources):
        raise UnreadableError("it would replace a file that is read")
    return Memory.read(Path(path))


def arguments_of(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The words of the command line."""
    parser.add_argument("file", nargs="+", help="a journal (JSON lines) or a bundle (one JSON object)")
    parser.add_argument("--key", action="append", default=[], help="a public key, or a file of them; may be repeated")
    parser.add_argument("--policy", help="which logs and witnesses must have signed, and how many, instead of --key")
    parser.add_argument(
        "--memory", help="remember the last checkpoint of each log in this file; later ones must agree"
    )  # fmt: skip
    parser.add_argument("--receipt", action="append", default=[], help="a receipt of an entry; may be repeated")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    return parser.parse_args()


def main() -> int:
    """Verify the files named on the command line."""
    parser = argparse.ArgumentParser(description="Verify journals and bundles of a baccarat table.")
    arguments, option = arguments_of(parser), "--key"
    try:
        option = "--key" if arguments.policy is None else "--policy"
        policy, option = policy_of_arguments(arguments.key, arguments.policy), "--memory"
        sources = [*arguments.file, *arguments.key, *arguments.receipt, *filter(None, [arguments.policy])]
        memory = memory_of_argument(arguments.memory, sources)
    except (OSError, ValueError, UnreadableError, WrongError) as error:
        parser.error(f"{option}: {error.strerror if isinstance(error, OSError) else error}")
    held = [(path, receipt_of_file(path, policy.keys)) for path in arguments.receipt]
    receipts = [each for _, each in held if isinstance(each, Receipt)]
    seen = memory or Memory(is_stored=False)  # what one file shows of a log must agree with all others
    reports = [(path, verify_file(Path(path), policy, receipts, seen)) for path in arguments.file]
    reports += [(path, each) for path, each in held if isinstance(each, Report)]
    reports += contradictory_receipts(receipts, policy.keys)
    with_unused_keys([report for _, report in reports])
    if memory is not None:
        try:
            memory.write(Path(arguments.memory))
        except OSError as error:
            parser.error(f"--memory: cannot be written: {error.strerror}")
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
