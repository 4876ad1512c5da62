"""Honest journals and bundles of every sort, with what is true of each: what a campaign of forgeries starts from.

A history is the entries of a house or of a table. The files made of it are signed to the end, signed in part, cosigned
or not signed at all. Each history has a twin: the same table or house on another evening, signed by the same key.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from baccarat.audit.bundle.form import Scope, write_bundle
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.house.stream import Stream
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.journal import BODY_START, JournalReader, write_note
from baccarat.record.key import KeyKind, Signer, Verifier
from baccarat.record.note import Signature, SignedNote
from baccarat.record.origin import origin_of
from bundles import NOON, short_shoes
from golden_journals import ORDER_2, SignedWitnesses, path_of
from house_journal import form_journal, house_journal
from journal_forgery import rewritten
from kept import lines_of
from paths import DATA

HOUSE = Signer("example.org/house", KeyKind.LOG, bytes([1]) * 32)
WITNESS = Signer("example.org/surveillance", KeyKind.WITNESS, bytes([2]) * 32)
STRANGER = Signer("example.org/house", KeyKind.LOG, bytes([3]) * 32)
"""Somebody else under the house's name."""
SIGNED, COSIGNED, UNSIGNED = "signed", "cosigned", "unsigned"


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The entries of a house or a table, as lines of a journal without checkpoints."""

    name: str
    lines: tuple[bytes, ...]

    def bodies(self) -> dict[str, list[bytes]]:
        """The bodies of each stream, in order."""
        found: dict[str, list[bytes]] = {}
        for line in self.lines:
            body = line[BODY_START:-2]
            found.setdefault(json.loads(body)["stream"], []).append(body)
        return found


class HonestFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file in which nothing is wrong."""

    name: str
    history: History
    data: bytes
    keys: str
    """Whose signatures it bears: `signed`, `cosigned` or `unsigned`; a reader gives those keys."""

    @property
    def is_journal(self) -> bool:
        """Whether it is a journal, not a bundle."""
        return self.data.startswith((b'{"hash"', b'{"checkpoint"'))


@cache
def histories() -> tuple[tuple[History, History], ...]:
    """Tables of order 1 and 2, and houses, each with its twin."""
    return (
        (_short("ma-midi-4", "one"), _short("ma-midi-4", "two")),
        (_short("nj-punto-banco", "one"), _short("nj-punto-banco", "two")),
        (_golden("ma-midi-4"), _golden("ma-midi-4-ez")),
        (_golden(f"ma-midi-4{ORDER_2}"), _golden(f"nj-punto-banco{ORDER_2}")),
        (_house("house", house_journal()), _house("house, shorter", house_journal(120))),
        (_house("house with forms", form_journal()), _retold("house with forms, retold", form_journal())),
    )


def _short(submission: str, words: str) -> History:
    return History(name=f"{submission} {words}", lines=_lines(short_shoes(submission, words=words)))


def _golden(name: str) -> History:
    return History(name=f"golden {name}", lines=_lines(path_of(name).read_bytes()))


def _house(name: str, lines: Sequence[bytes]) -> History:
    return History(name=name, lines=tuple(lines))


def _retold(name: str, lines: list[bytes]) -> History:
    """The same with another person from some act on."""
    return History(name=name, lines=tuple(rewritten(lines, random.Random(1))[0]))


def _lines(data: bytes) -> tuple[bytes, ...]:
    return tuple(data.splitlines(keepends=True))


def checkpoint_note(
    history: History, stream: str, size: int, *, cosigned: bool = False, signer: Signer = HOUSE
) -> SignedNote:
    """A checkpoint of the first entries of a stream, as the house signs it."""
    origin = origin_of(signer.verifier.name, Stream(stream))
    note = sign_checkpoint(checkpoint_of(origin, history.bodies()[stream][:size]), signer.with_name(origin))
    if not cosigned:
        return note
    data = WITNESS.cosign(note.text, time=cosigned_at(size))
    return note.with_signatures(Signature(WITNESS.verifier.name, WITNESS.verifier.id, data))


def cosigned_at(size: int) -> int:
    """When the witness cosigns a checkpoint of so many entries, in seconds since 1970."""
    return NOON // 1_000_000 + size


def journal(history: History, keys: str, *, part: float = 1.0) -> bytes:
    """A journal with checkpoints in the middle and at this part of each stream; without any if it is not signed."""
    bodies = history.bodies()
    ends = {stream: sorted({max(1, int(len(found) * part * share)) for share in (0.5, 1.0)})
            for stream, found in bodies.items()}  # fmt: skip
    made, seen = list[bytes](), dict[str, int]()
    for line in history.lines:
        stream = json.loads(line[BODY_START:-2])["stream"]
        size = seen[stream] = seen.get(stream, 0) + 1
        made.append(line)
        if keys != UNSIGNED and size in ends[stream]:
            note = checkpoint_note(history, stream, size, cosigned=keys == COSIGNED)
            made.append(write_note(note, Stream(stream)))
    return b"".join(made)


def bundle(history: History, scope: Scope, keys: str) -> bytes:
    """A bundle of a table's history."""
    source = BundleJournal(JournalReader().read(lines_of(b"".join(history.lines))))
    stream, size = scope.stream, len(history.bodies()[scope.stream])
    note = None if keys == UNSIGNED else checkpoint_note(history, stream, size, cosigned=keys == COSIGNED)
    brought = () if note is None else (HOUSE.with_name(origin_of(HOUSE.verifier.name, stream)).verifier,)
    return write_bundle(make_bundle(source, scope, note=note, keys=brought))


@cache
def files() -> tuple[tuple[HonestFile, HonestFile], ...]:
    """Every honest file with that of its twin."""
    found = list[tuple[HonestFile, HonestFile]]()
    for one, twin in histories():
        for name, keys, part in (
            ("journal", COSIGNED, 1.0), ("journal signed in part", SIGNED, 0.7), ("journal", SIGNED, 1.0),
            ("journal", UNSIGNED, 1.0),
        ):  # fmt: skip
            both = [
                HonestFile(name=f"{each.name}: {name}, {keys}", history=each, data=journal(each, keys, part=part),
                           keys=keys)
                for each in (one, twin)
            ]  # fmt: skip
            found.append((both[0], both[1]))
        if "house" not in one.name:
            found += _bundles(one, twin)
    return tuple(found)


def _bundles(one: History, twin: History) -> Iterator[tuple[HonestFile, HonestFile]]:
    stream = Stream("table 1")
    for scope, keys in (
        (Scope(kind="all", stream=stream), COSIGNED),
        (Scope(kind="all", stream=stream), UNSIGNED),
        (Scope(kind="shoe", stream=stream, shoe=2), COSIGNED),
        (Scope(kind="round", stream=stream, shoe=2, round=1), SIGNED),
    ):
        both = [
            HonestFile(
                name=f"{each.name}: bundle of {scope}, {keys}", history=each, data=bundle(each, scope, keys), keys=keys
            )
            for each in (one, twin)
        ]
        yield both[0], both[1]


def keys_of(keys: str) -> tuple[str, ...]:
    """The public keys that a reader of such a file gives."""
    shares = tuple(SignedWitnesses(DATA / "journals" / "none").signers)
    given: dict[str, tuple[Verifier, ...]] = {
        SIGNED: (HOUSE.verifier,),
        COSIGNED: (HOUSE.verifier, WITNESS.verifier),
        UNSIGNED: (),
    }
    return (*map(str, given[keys]), *(shares if keys != UNSIGNED else ()))
