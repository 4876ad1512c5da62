"""Forgeries of a journal as a file: the form of its lines, its chain of hashes, its checkpoints, its records."""

from __future__ import annotations

import re
from collections.abc import Callable

from baccarat.record.journal import write_note
from baccarat.record.note import SignedNote, sign_note
from corpus_base import LOG, PLAIN, STREAM, base, checkpoint, journal, lines_of
from corpus_case import UNREADABLE, Case, Forge, KindMaker, Kinds, Names, forged, of_kind
from remade import Json, canonical, renumbered, sha

WRITING = Names("chain", "chain", "chain")
CHAIN = Names("unreadable", "chain", "chain")
NUMBERED = Names("unreadable", "chain", "entries")
FORM = Names("unreadable", "unreadable", "unreadable")
SHORT = 9
"""How many records most of these files have: enough for acts of several persons."""


def short() -> list[Json]:
    """The first records of an honest table."""
    return base()[:SHORT]


def bodies_journal(bodies: list[bytes]) -> bytes:
    """A journal of bodies, whatever they hold, with the hashes that they should have; unsigned."""
    head, made = bytes(32), []
    for body in bodies:
        head = sha(head + body)
        made.append(b'{"hash":"%s","record":%s}\n' % (head.hex().encode(), body))
    return b"".join(made)


# ------------------------------------------------------------------------------------------------------- form


def forms() -> Kinds:
    """Lines that two readers could read differently are read by nobody."""
    make = of_kind("line-not-in-form", "outsider", "two readers read two journals in one file", FORM)
    lines = lines_of(short())
    yield (
        make.kind,
        [
            make.case(
                name, b"".join(change(list(lines))), keys=PLAIN, status=UNREADABLE, status_without_rules=UNREADABLE
            )
            for name, change in LINES.items()
        ],
    )
    make = of_kind("body-not-canonical", "house", "one entry has two hashes, one for each reader", FORM)
    yield (
        make.kind,
        [
            _of_body(make, name, change, status=UNREADABLE, status_without_rules=UNREADABLE)
            for name, change in BODIES.items()
        ]
        + [make.case("minus-nought", _minus_nought(), keys=PLAIN, status=UNREADABLE, status_without_rules=UNREADABLE)],
    )
    made_by_rules = Names("decided again", "chain", "chain")
    make = of_kind("command-not-in-form", "house", "a stake is one number here and another there", made_by_rules)
    yield make.kind, [_of_body(make, name, change) for name, change in COMMANDS.items()]
    make = of_kind("command-not-canonical", "house", "a command is written otherwise than it is hashed again", WRITING)
    yield make.kind, [_of_body(make, name, change) for name, change in WRITTEN.items()]
    make = of_kind("field-not-in-form", "house", "a field means one thing here and another there", FORM)
    yield (
        make.kind,
        [
            _of_body(make, name, _field(forge), status=UNREADABLE, status_without_rules=UNREADABLE)
            for name, forge in FIELDS.items()
        ],
    )
    make = of_kind(
        "not-an-act", "house", "something happens at the table that nobody did", Names("unreadable", "form", "form")
    )
    yield make.kind, [make.case(name, journal(forged(short(), forge)), keys=PLAIN) for name, forge in NOT_ACTS.items()]
    make = of_kind(
        "not-an-object",
        "house",
        "a command or an event is there for some readers only",
        Names("decided again", "chain", "chain"),
    )
    yield (
        make.kind,
        [
            make.case("command", journal(forged(short(), lambda r: r[3].update(command=7))), keys=PLAIN),
            make.case("event", journal(forged(short(), lambda r: r[3].update(events=["step"]))), keys=PLAIN),
            make.case(
                "event-null", journal(forged(short(), lambda r: r[3]["events"].__setitem__(0, None))), keys=PLAIN
            ),
            make.case("null-after-the-events", journal(renumbered(forged(short(), _one_more))), keys=PLAIN),
        ],
    )


def _one_more(records: list[Json]) -> None:
    records[3]["events"].append(None)


def _of_body(make: KindMaker, name: str, change: Callable[[bytes], bytes], **fields: object) -> Case:
    bodies = [canonical(record) for record in short()]
    bodies[3] = change(bodies[3])
    return make.case(name, bodies_journal(bodies), keys=PLAIN, **fields)


def _field(forge: Forge) -> Callable[[bytes], bytes]:
    def change(_body: bytes) -> bytes:
        record = short()[3]
        forge([record])
        return canonical(record)

    return change


def _noted_line(change: Callable[[bytes], bytes]) -> Callable[[list[bytes]], list[bytes]]:
    """The line of a checkpoint is written otherwise."""
    return lambda lines: [*lines, change(write_note(checkpoint(short()), STREAM))]


def _empty_log(lines: list[bytes]) -> list[bytes]:
    """A checkpoint of no entries with another root than that of no entries."""
    line = write_note(checkpoint(short(), 0), STREAM)
    root = re.search(rb"\\n0\\n([^\\]*)\\n", line)
    assert root is not None
    return [line.replace(root[1], b"A" * 43 + b"="), *lines]


LINES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "checkpoint-with-a-space": _noted_line(lambda line: line.replace(b',"stream"', b', "stream"')),
    "checkpoint-with-more": _noted_line(lambda line: line.replace(b"}", b',"x":1}')),
    "checkpoint-of-no-stream": _noted_line(lambda line: line.replace(b'"table 1"', b"7")),
    "checkpoint-of-no-entries": _empty_log,
    "a-list": lambda lines: [*lines[:3], lines[3][: lines[3].index(b'"record":') + 9] + b"[]}\n", *lines[4:]],
    "a-space": lambda lines: [*lines[:3], lines[3].replace(b'","record"', b'", "record"'), *lines[4:]],
    "record-first": lambda lines: [
        *lines[:3],
        re.sub(rb'\{("hash":"\w+"),("record":.*)\}\n', rb"{\2,\1}\n", lines[3]),
        *lines[4:],
    ],
    "an-empty-line": lambda lines: [*lines[:3], b"\n", *lines[3:]],
    "two-in-a-line": lambda lines: [*lines[:3], lines[3].rstrip(b"\n"), *lines[4:]],
    "half-a-line": lambda lines: [*lines[:-1], lines[-1][:200]],
    "no-line-feed": lambda lines: [*lines[:-1], lines[-1].rstrip(b"\n")],
    "carriage-returns": lambda lines: [line.replace(b"\n", b"\r\n") for line in lines],
    "no-text-under-another-hash": lambda lines: [*lines[:3], lines[3].replace(b"participant", b"\xff", 1), *lines[4:]],
    "half-a-surrogate-in-the-opening": lambda lines: [
        lines[0].replace(b'"program":"', b'"program":"\\ud800', 1),
        *lines[1:],
    ],
    "half-a-surrogate-under-another-hash": lambda lines: [
        *lines[:3],
        lines[3].replace(b"participant", b"\\udfff", 1),
        *lines[4:],
    ],
    "a-comment": lambda lines: [b"# a journal\n", *lines],
    "nothing": lambda _lines: [],
    "only-a-line-feed": lambda _lines: [b"\n"],
    "another-frame": lambda lines: [*lines[:3], lines[3].replace(b'","record":', b'","recorD":'), *lines[4:]],
    "checkpoint-too-long": lambda lines: [*lines, write_note(_long_note(), STREAM)],
    "no-entry": lambda _lines: [write_note(checkpoint(short(), 0), STREAM)],
}
COMMANDS: dict[str, Callable[[bytes], bytes]] = {
    "a-fraction": lambda body: body.replace(b'"seat":3', b'"seat":3.0'),
    "an-exponent": lambda body: body.replace(b'"seat":3', b'"seat":3e0'),
    "a-number-too-large": lambda body: body.replace(b'"seat":3', b'"seat":9007199254740993'),
    "minus-nought": lambda body: body.replace(b'"seat":3', b'"seat":-0'),
}
WRITTEN: dict[str, Callable[[bytes], bytes]] = {
    "a-space": lambda body: body.replace(b'"do":"sit"', b'"do": "sit"'),
    "keys-turned": lambda body: re.sub(rb'("do":"sit"),("person":"[^"]*")', rb"\2,\1", body),
    "escaped-letter": lambda body: body.replace(b'"do":"sit"', b'"do":"s\\u0069t"'),
}
BODIES: dict[str, Callable[[bytes], bytes]] = {
    "a-space": lambda body: body.replace(b'"seq":3', b'"seq": 3'),
    "keys-turned": lambda body: body.replace(b'"seq":3,"stream":"table 1"', b'"stream":"table 1","seq":3'),
    "escaped-letter": lambda body: body.replace(b"table 1", b"t\\u0061ble 1"),
    "a-fraction": lambda body: body.replace(b'"seq":3', b'"seq":3.0'),
    "a-number-too-large": lambda body: re.sub(rb'"at":\d+', b'"at":9007199254740993', body),
    "no-utf-8": lambda body: body.replace(b"participant 3", b"participant \xff"),
    "half-a-surrogate": lambda body: body.replace(b"participant 3", b"participant \\ud800"),
    "a-default": lambda body: body.replace(b'"event"', b'"device":"","event"', 1),
    "no-events": lambda body: re.sub(rb'"events":\[.*?\],"role"', b'"events":[],"role"', body),
}
FIELDS: dict[str, Forge] = {
    "version-2": lambda r: r[0].update(v=2),
    "version-true": lambda r: r[0].update(v=True),
    "unknown-field": lambda r: r[0].update(note="x"),
    "role-unknown": lambda r: r[0].update(role="king"),
    "origin-unknown": lambda r: r[0].update(origin="nowhere"),
    "who-invisible": lambda r: r[0].update(who="par\u200bticipant"),
    "who-empty": lambda r: r[0].update(who=""),
    "who-too-long": lambda r: r[0].update(who="w" * 201),
    "rulebook-short": lambda r: r[0].update(rulebook=r[0]["rulebook"][:-1]),
    "rulebook-upper-case": lambda r: r[0].update(rulebook=r[0]["rulebook"].upper()),
    "joined-a-list": lambda r: r[0].update(joined=["cage"]),
    "joined-a-text": lambda r: r[0].update(joined={"cage": "1"}),
    "at-negative": lambda r: r[0].update(at=-1),
    "approvals-too-many": lambda r: r[0].update(approvals=[{"who": "x", "role": "dealer"}] * 9),
    "body-too-long": lambda r: r[0].update(command={"do": "sit", "person": "x" * 66_000}),
}
NOT_ACTS: dict[str, Forge] = {
    "no-command": lambda r: r[3].pop("command"),
    "nobody": lambda r: r[3].pop("who"),
    "no-role": lambda r: r[3].pop("role"),
    "role-of-the-clock": lambda r: r[3].update(origin="clock"),
    "events-and-refusal": lambda r: r[3].update(refused={"code": "wrong_step", "what": "wrong_step"}),
    "nothing-came-of-it": lambda r: [*r[:3], {k: v for k, v in r[3].items() if k != "events"}],
    "refusal-of-the-program": lambda r: [*r[:3], _refused_to(r[3], "program")],
    "refusal-of-the-clock": lambda r: [*r[:3], _refused_to(r[3], "clock")],
    "cause-and-person": lambda r: r[3].update(cause={"stream": "house", "seq": 1}),
}


def _refused_to(record: Json, origin: str) -> Json:
    """What is recorded of persons only: a refusal, here of somebody else."""
    kept = {name: part for name, part in record.items() if name not in ("events", "role")}
    return {**kept, "origin": origin, "refused": {"code": "wrong_step", "what": "wrong_step"}}


def _minus_nought() -> bytes:
    """The first record of a table, whose first event has the number −0."""
    opening, first, *others = map(canonical, short())
    return bodies_journal([opening, first.replace(b'"event":0', b'"event":-0', 1), *others])


# ------------------------------------------------------------------------------------------------------- chain


def chains() -> Kinds:
    """Records that were changed, removed, repeated or exchanged."""
    make = of_kind("changed-under-its-hash", "outsider", "another amount, person or time", CHAIN)
    yield (
        make.kind,
        [
            make.case("time", _under_old_hashes(lambda r: r[3].update(at=r[3]["at"] + 1)), keys=PLAIN),
            make.case("person", _under_old_hashes(lambda r: r[3].update(who="participant 4")), keys=PLAIN),
            make.case("event", _under_old_hashes(lambda r: r[3]["events"][0].update(seat=4)), keys=PLAIN),
            make.case("first-entry", _under_old_hashes(lambda r: r[0].update(program="x")), keys=PLAIN),
        ],
    )
    make = of_kind("entries-missing", "outsider", "an act is hidden, or told twice", NUMBERED)
    yield make.kind, [make.case(name, journal(forge(short())), keys=PLAIN) for name, forge in NUMBERS.items()]
    make = of_kind("version-goes-back", "house", "acts are decided by an older version, which allowed more", NUMBERED)
    yield (
        make.kind,
        [
            make.case("one-record", journal(forged(short(), lambda r: r[5].update(behaviour=1))), keys=PLAIN),
            make.case("after-the-opening", journal(forged(short(), _older_records)), keys=PLAIN),
            make.case("version-0", journal(forged(short(), lambda r: r[5].update(behaviour=0))), keys=PLAIN),
        ],
    )
    make = of_kind("events-misnumbered", "house", "a correction names another event", NUMBERED)
    yield (
        make.kind,
        [
            make.case("one-more", journal(forged(short(), lambda r: r[5].update(event=r[5]["event"] + 1))), keys=PLAIN),
            make.case("all-later", journal(forged(short(), _events_later)), keys=PLAIN),
        ],
    )


def _under_old_hashes(change: Forge) -> bytes:
    """Records changed, hashes as they were."""
    records = short()
    heads = [line[9:73] for line in lines_of(records)]
    made = forged(records, change)
    lines = [b'{"hash":"%s","record":%s}\n' % (h, canonical(r)) for h, r in zip(heads, made, strict=True)]
    return b"".join(lines)


def _older_records(records: list[Json]) -> None:
    for record in records[1:]:
        record["behaviour"] = 1


def _events_later(records: list[Json]) -> None:
    for record in records[4:]:
        record["event"] += 1


NUMBERS: dict[str, Callable[[list[Json]], list[Json]]] = {
    "one-left-out": lambda r: [*r[:3], *r[4:]],
    "one-twice": lambda r: [*r[:4], *r[3:]],
    "two-exchanged": lambda r: [*r[:3], r[4], r[3], *r[5:]],
    "no-opening": lambda r: r[1:],
    "opened-twice": lambda r: [*r[:3], r[0], *r[3:]],
    "opened-late": lambda r: [r[1], r[0], *r[2:]],
}


# ------------------------------------------------------------------------------------------------------- checkpoints


def checkpoints() -> Kinds:
    """Checkpoints that do not fit the entries."""
    checked = Names("unreadable", "checkpoints", "checkpoints")
    make = of_kind(
        "rewritten-after-its-checkpoint",
        "outsider with the disk",
        "history is told otherwise under an honest checkpoint",
        checked,
    )
    yield (
        make.kind,
        [
            make.case("time", _rewritten(lambda r: r[3].update(at=r[3]["at"] + 1)), keys=PLAIN),
            make.case("person", _rewritten(lambda r: r[3].update(who="participant 4")), keys=PLAIN),
            make.case("opening", _rewritten(lambda r: r[0].update(program="x")), keys=PLAIN),
            make.case("whole-table", journal(_later(base(), -5), checkpoint(base()))),
        ],
    )
    make = of_kind(
        "cut-off-before-its-checkpoint",
        "outsider with the disk",
        "acts are removed before a checkpoint, or added",
        checked,
    )
    yield (
        make.kind,
        [
            make.case("removed", journal(short()[:-1], checkpoint(short())), keys=PLAIN),
            make.case("added", journal(short(), checkpoint(short(), SHORT - 1)), keys=PLAIN),
        ],
    )
    make = of_kind(
        "checkpoint-beside-it",
        "outsider with the disk",
        "the journal is rewritten, its stored checkpoint is not",
        Names("tree", "checkpoint", "tree"),
    )
    yield (
        make.kind,
        [
            _beside(make, "changed", _later(short()), ".checkpoint"),
            _beside(make, "cosigned", _later(short()), ".cosigned"),
            _beside(make, "of-its-stream", _later(short()), ".table%201.checkpoint"),
            _beside(make, "shorter", short()[:-1], ".checkpoint"),
        ],
    )
    make = of_kind("checkpoint-not-in-form", "house", "two readers read two checkpoints in one note", FORM)
    unread = {"keys": PLAIN, "status": UNREADABLE, "status_without_rules": UNREADABLE}
    yield (
        make.kind,
        [make.case(name, _noted(change), **unread) for name, change in NOTES.items()]
        + [
            make.case(name, b"".join(lines_of(short())), beside={f"{name}.jsonl.checkpoint": note}, **unread)
            for name, note in {"beside-it-no-note": b"none", "beside-it-no-utf-8": b"\xff"}.items()
        ],
    )


def _rewritten(forge: Forge) -> bytes:
    return journal(forged(short(), forge), checkpoint(short()))


def _later(records: list[Json], since: int = 3) -> list[Json]:
    """The same, a second later from some record on: nothing but a signature shows that."""
    for record in records[since:]:
        record["at"] += 1_000_000
    return records


def _beside(make: KindMaker, name: str, records: list[Json], ending: str) -> Case:
    note = bytes(checkpoint(short()))
    return make.case(name, b"".join(lines_of(records)), keys=PLAIN, beside={f"{name}.jsonl{ending}": note})


def _noted(change: Callable[[str], str]) -> bytes:
    note = change(bytes(checkpoint(short())).decode())
    line = canonical({"checkpoint": note, "stream": "table 1"})
    return b"".join([*lines_of(short()), line + b"\n"])


def _loose(note: str) -> str:
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    root = note.split("\n")[2]
    return note.replace(root, root[:42] + digits[digits.index(root[42]) + 1] + "=", 1)


def _long_note() -> SignedNote:
    """A checkpoint with a line that is longer than any entry may be."""
    text = checkpoint(short()).text
    return sign_note(f"{text}{'x' * 66_000}\n", LOG)


def _blank_line(note: str) -> str:
    """A checkpoint whose text has an empty line after the root; the log has signed that."""
    return bytes(sign_note(note.partition("\n\n")[0] + "\n\nmore\n", LOG)).decode()


def _many(note: str) -> str:
    """A checkpoint under which its two signatures stand 51 times more."""
    return note + note.rpartition("\n\n")[2] * 51


NOTES: dict[str, Callable[[str], str]] = {
    "a-hundred-signatures-and-more": _many,
    "two-lines": lambda note: note.partition("\n")[2],
    "an-empty-line-after-the-root": _blank_line,
    "no-line-feed-at-its-end": lambda note: note[:-1],
    "an-empty-line": lambda note: note.replace("\n", "\n\n", 1),
    "signature-of-four-bytes": lambda note: note + "— x AAAAAA==\n",
    "size-with-noughts": lambda note: note.replace(f"\n{SHORT}\n", f"\n0{SHORT}\n", 1),
    "size-too-large": lambda note: note.replace(f"\n{SHORT}\n", "\n9007199254740992\n", 1),
    "size-negative": lambda note: note.replace(f"\n{SHORT}\n", "\n-1\n", 1),
    "no-signature": lambda note: note.partition("\n\n")[0] + "\n\n",
    "no-empty-line": lambda note: note.replace("\n\n", "\n"),
    "a-tab": lambda note: note.replace("example.org", "example\t.org", 1),
    "root-too-short": lambda note: re.sub(r"\n[^\n]{44}\n", "\nAAAA\n", note, count=1),
    "root-with-loose-bits": _loose,
    "signature-not-base64": lambda note: note[:-8] + "!!!!!!!\n",
    "another-dash": lambda note: note.replace("— ", "- "),
}


def cases() -> Kinds:
    """All of them."""
    yield from forms()
    yield from chains()
    yield from checkpoints()
