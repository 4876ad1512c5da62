"""Keys that are none, in a reader's policy; and receipts that are none, or that say nothing of what is read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

from baccarat.record.checkpoint import Checkpoint, sign_checkpoint
from baccarat.record.encoding import to_base64
from baccarat.record.key import KeyKind
from baccarat.record.log import Log
from baccarat.record.receipt import Receipt
from baccarat.record.tlog_proof import EntryProof
from corpus_base import LOG, OUTSIDER, PLAIN, STREAM, base, checkpoint, journal
from corpus_case import UNCOVERED, Case, Kinds, Names, of_kind
from corpus_reader import ORDER_2, READER, SHARES, UNREAD, of_wager, policy_of, receipt_of
from remade import Json, canonical

COVERAGE = Names(*["coverage"] * 3)


def key_text(name: str, data: bytes) -> str:
    """A text that has the form of a key, under the id that belongs to it."""
    key_id = hashlib.sha256(f"{name}\n".encode() + data).digest()[:4].hex()
    return f"{name}+{key_id}+{to_base64(data)}"


PUBLIC = OUTSIDER.verifier.public
HONEST = key_text("example.org/other", bytes([KeyKind.LOG]) + PUBLIC)
NO_KEYS: dict[str, str] = {
    "of-31-bytes": key_text("example.org/other", bytes([KeyKind.LOG]) + PUBLIC[:31]),
    "of-33-bytes": key_text("example.org/other", bytes([KeyKind.LOG]) + PUBLIC + b"\0"),
    "of-no-byte": key_text("example.org/other", b""),
    "of-another-kind": key_text("example.org/other", bytes([2]) + PUBLIC),
    "without-a-name": key_text("", bytes([KeyKind.LOG]) + PUBLIC),
    "with-a-control-character": key_text("example.org/\x01other", bytes([KeyKind.LOG]) + PUBLIC),
    "another-id": HONEST.replace(HONEST.split("+")[1], "00000000"),
    "id-in-capitals": HONEST.replace(HONEST.split("+")[1], "ABCDEF01"),
    "another-name": HONEST.replace("other", "house"),
    "not-base64": HONEST[:-1] + "!",
    "with-padding-too-much": f"{HONEST}=",
    "of-small-order": key_text("example.org/other", bytes([KeyKind.LOG]) + bytes(32)),
    "above-the-prime": key_text("example.org/other", bytes([KeyKind.LOG]) + b"\xf0" + b"\xff" * 31),
    "secret": OUTSIDER.secret,
}


def keys() -> Kinds:
    """A policy that names, besides the keys that it takes, a text that is no key."""
    aim = "one reader takes a text for a key, under which anybody can sign, and another does not"
    make = of_kind("key-not-in-form", "outsider with the disk", aim, UNREAD)
    data = journal(base())
    found = []
    for name, text in NO_KEYS.items():
        policy = policy_of(*SHARES, f"log {text}", quorum="either")
        found.append(make.given(name, data, path=ORDER_2, policy=policy, keys=(), **READER))
    not_text = policy_of(*SHARES, quorum="either").replace(b"any of them", b"any of th\xffm")
    yield make.kind, [*found, make.given("policy-not-utf-8", data, path=ORDER_2, policy=not_text, keys=(), **READER)]


# ------------------------------------------------------------------------------------------------------- receipts


def _long_entry() -> bytes:
    """An entry that is longer than any may be; the house has signed it."""
    records: list[Json] = [*base()[:4]]
    records[3]["command"]["person"] = "x" * 66_000
    return receipt_of(records, 3, checkpoint(records))


def _written_otherwise(old: bytes, new: bytes) -> Callable[[], bytes]:
    """An entry that has the same meaning, and other bytes; the house has signed it."""

    def forge() -> bytes:
        records = base()[:4]
        bodies = [canonical(record) for record in records]
        bodies[3] = bodies[3].replace(old, new)
        log = Log(bodies)
        note = sign_checkpoint(Checkpoint(origin=LOG.verifier.name, size=log.size, root=log.root()), LOG)
        proof = EntryProof(3, log.prove_inclusion(3, log.size), note)
        return bytes(Receipt(body=bodies[3], proof=proof, stream=STREAM))

    return forge


def _lines(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[], bytes]:
    return lambda: b"\n".join(change(of_wager().split(b"\n")))


NO_RECEIPTS: dict[str, Callable[[], bytes]] = {
    "entry-too-long": _long_entry,
    "entry-with-a-space": _written_otherwise(b'"seq":3', b'"seq": 3'),
    "entry-with-a-default": _written_otherwise(b'"event"', b'"device":"","event"'),
    "command-with-a-space": _written_otherwise(b'"do":', b'"do": '),
    "entry-of-no-form": _written_otherwise(b'"seq":3', b'"seq":3,"zzz":1'),
    "extra-twice": _lines(lambda lines: [*lines[:2], b"extra AAAA", b"extra AAAA", *lines[2:]]),
    "extra-after-the-number": _lines(lambda lines: [*lines[:3], b"extra AAAA", *lines[3:]]),
    "extra-not-base64": _lines(lambda lines: [*lines[:2], b"extra !!!", *lines[2:]]),
    "form-alone": _lines(lambda lines: [*lines[:2], b"", *lines[lines.index(b"") + 1 :]]),
    "no-checkpoint": _lines(lambda lines: lines[: lines.index(b"")]),
    "proof-not-utf-8": _lines(lambda lines: [*lines[:3], b"\xff", *lines[4:]]),
    "sixty-four-hashes": _lines(lambda lines: [*lines[:3], *([lines[3]] * 64), *lines[lines.index(b"") :]]),
}


def receipts() -> Kinds:
    """Receipts that are not in form."""
    make = of_kind("receipt-not-in-form", "patron", "two readers read two receipts in one file", UNREAD)
    data = journal(base())
    yield (
        make.kind,
        [make.given(name, data, path=ORDER_2, receipts=forge(), **READER) for name, forge in NO_RECEIPTS.items()],
    )
    make = of_kind("receipt-of-nobody", "patron", "somebody shows a receipt that nobody known has signed", COVERAGE)
    fields: Json = {"status": UNCOVERED, "status_without_rules": UNCOVERED, "receipts": of_wager()}
    keys = ("second witness",)
    yield (
        make.kind,
        [make.given("unknown-key", data, path=ORDER_2, keys=keys, gap="no key that was given has signed it", **fields)],
    )


EXTRA = {"honest/extra.receipt": b"extra AAAA", "honest/extra-of-nothing.receipt": b"extra "}
"""Receipts with a line of extra data, which nobody signs, by their paths."""


def honest() -> Iterator[Case]:
    """Receipts that say nothing wrong: of a log of another house, of more than is there, with a line of extra data."""
    fields: Json = {"status": UNCOVERED, "status_without_rules": UNCOVERED}
    other = OUTSIDER.with_name("example.org/other/table/1")
    yield Case(
        path="honest/another-house.jsonl",
        data=journal(base("house-alone"), checkpoint(base("house-alone"), signer=other)),
        keys=PLAIN, receipts={"wager.receipt": of_wager()},
        gap=f"the key of the log {other.verifier.name} was not given", **fields,
    )  # fmt: skip
    lines = of_wager().split(b"\n")
    extra = {name: b"\n".join([*lines[:2], line, *lines[2:]]) for name, line in EXTRA.items()}
    yield Case(path=ORDER_2, data=journal(base()), status=0, status_without_rules=UNCOVERED, receipts=extra)


def cases() -> Kinds:
    """All of them."""
    yield from keys()
    yield from receipts()
