"""Forgeries of who has signed: other keys, other names of logs, changed checkpoints; ids; records of other streams."""

from __future__ import annotations

from collections.abc import Callable

from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.journal import write_note
from baccarat.record.key import Signer
from baccarat.record.log import EMPTY_ROOT
from baccarat.record.note import Signature, SignedNote
from corpus_base import (
    LOG,
    NOON,
    OUTSIDER,
    PLAIN,
    SECOND_WITNESS,
    SHARE,
    STREAM,
    WITNESS,
    act,
    base,
    checkpoint,
    event,
    journal,
    lines_of,
    successor,
    twin,
)
from corpus_case import UNCOVERED, Forge, Kinds, Names, forged, of_kind
from remade import Json, renumbered

SIGNED = Names("signature", "signatures", "signatures")
SHORT = 9


def short() -> list[Json]:
    """The first records of an honest table."""
    return base()[:SHORT]


def signatures() -> Kinds:
    """Checkpoints whose signatures are wrong."""
    make = of_kind("signature-wrong", "outsider", "a checkpoint bears the name of the log's own key", SIGNED)
    yield make.kind, [make.case(name, journal(short(), note()), keys=PLAIN) for name, note in WRONG_SIGNATURES.items()]
    make = of_kind("cosignature-wrong", "house", "a witness is said to have cosigned that did not", SIGNED)
    yield (
        make.kind,
        [make.case(name, journal(short(), note()), keys=PLAIN) for name, note in WRONG_COSIGNATURES.items()],
    )
    make = of_kind(
        "signed-by-another-key", "outsider", "a forger signs under the name of the log with a key of his own", SIGNED
    )
    yield (
        make.kind,
        [
            make.case("outsider", journal(short(), checkpoint(short(), signer=OUTSIDER)), keys=PLAIN),
            make.case("nobody", journal(short(), _only_cosigned()), keys=PLAIN),
            make.case(
                "of-the-house", journal(short(), checkpoint(short(), signer=OUTSIDER)), keys=("house", "witness")
            ),
            make.case("by-a-witness", journal(short(), _signed_by_share_key()), keys=PLAIN),
            make.case(
                "rewritten", journal(_told_otherwise(), checkpoint(_told_otherwise(), signer=OUTSIDER)), keys=PLAIN
            ),
        ],
    )
    make = of_kind(
        "log-of-another-stream", "house", "two histories of one table under two names, each cosigned", SIGNED
    )
    yield (
        make.kind,
        [
            make.case(
                name,
                journal(short()[:5], checkpoint(short(), 5, origin=f"example.org/house/{end}")),
                keys=("house", "witness"),
            )
            for name, end in OTHER_LOGS.items()
        ]
        + [make.case("known-to-a-witness-alone", _cosigned_elsewhere(), keys=("witness",))],
    )
    make = of_kind(
        "shoe-of-a-later-log",
        "house",
        "a closing that was lost is told again under the first log",
        Names("proofs of cards", "shoes", "shoes"),
    )
    yield make.kind, [make.case("successor-2", _of_successor(), keys=("house", "witness"))]
    aim, names = "lost entries are denied: a successor says less of its log, or something else", Names(*["memory"] * 3)
    make = of_kind("successor-says-otherwise", "house", aim, names)
    yield (
        make.kind,
        [make.case(name, continued(*notes()), keys=("house", "witness")) for name, notes in DENIED.items()],
    )


def _broken(note: SignedNote, signer: Signer, data: bytes) -> SignedNote:
    """A checkpoint under which a key's signature is replaced by other bytes."""
    key = signer.verifier
    others = [each for each in note.signatures if each.name != key.name]
    return SignedNote(note.text, (*others, Signature(key.name, key.id, data)))


def _only_cosigned() -> SignedNote:
    note = checkpoint(short())
    return SignedNote(note.text, tuple(each for each in note.signatures if each.name == WITNESS.verifier.name))


def _signed_by_share_key() -> SignedNote:
    note = _only_cosigned()
    key = SHARE[0].verifier
    return note.with_signatures(Signature(key.name, key.id, SHARE[0].sign(note.text)))


def _told_otherwise() -> list[Json]:
    records = short()
    records[4]["at"] += 1
    return records


def _of_other_text() -> SignedNote:
    """The signatures of one checkpoint under the text of another."""
    return SignedNote(checkpoint(short()).text, checkpoint(_told_otherwise()).signatures)


def _cosigned_otherwise() -> SignedNote:
    note, old = checkpoint(short(), witnessed=False), checkpoint(short(), 5)
    key = WITNESS.verifier
    data = next(each.data for each in old.signatures if each.name == key.name)
    return note.with_signatures(Signature(key.name, key.id, data))


def _malleable(data: bytes) -> bytes:
    """The same signature with the order of the group added to its scalar: another spelling of it."""
    order = 2**252 + 27742317777372353535851937790883648493
    scalar = int.from_bytes(data[32:], "little") + order
    return data[:32] + scalar.to_bytes(32, "little")


def _at_another_time() -> SignedNote:
    note, key = checkpoint(short(), witnessed=False), WITNESS.verifier
    data = WITNESS.cosign(note.text, time=NOON // 1_000_000)
    later = (NOON // 1_000_000 + 60).to_bytes(8, "big") + data[8:]
    return note.with_signatures(Signature(key.name, key.id, later))


WRONG_SIGNATURES: dict[str, Callable[[], SignedNote]] = {
    "zeros": lambda: _broken(checkpoint(short()), LOG, bytes(64)),
    "of-another-text": _of_other_text,
    "too-short": lambda: _broken(checkpoint(short()), LOG, LOG.sign(checkpoint(short()).text)[:63]),
    "by-another-key": lambda: _broken(checkpoint(short()), LOG, OUTSIDER.sign(checkpoint(short()).text)),
    "another-spelling": lambda: _broken(checkpoint(short()), LOG, _malleable(LOG.sign(checkpoint(short()).text))),
}
WRONG_COSIGNATURES: dict[str, Callable[[], SignedNote]] = {
    "zeros": lambda: _broken(checkpoint(short()), WITNESS, bytes(72)),
    "without-a-time": lambda: _broken(
        checkpoint(short()), WITNESS, WITNESS.cosign(checkpoint(short()).text, time=1)[8:]
    ),
    "of-an-older-checkpoint": _cosigned_otherwise,
    "at-another-time": _at_another_time,
    "by-another-witness": lambda: _broken(
        checkpoint(short()), WITNESS, SECOND_WITNESS.cosign(checkpoint(short()).text, time=NOON // 1_000_000)
    ),
}
OTHER_LOGS = {
    "table-2": "table/2",
    "table-1x": "table/1x",
    "table-01": "table/01",
    "pit": "pit/1",
    "link": "link/1",
    "escaped": "table/%31",
    "escaped-twice": "table/%2531",
    "successor-of-table-2": "table/2/3",
    "elsewhere": "elsewhere",
}


def _cosigned_elsewhere() -> bytes:
    """A checkpoint of another table, whose reader has the key of a witness and none of the house."""
    return journal(short()[:5], checkpoint(short(), 5, origin="example.org/house/table/2"))


def _of_successor() -> bytes:
    """A shoe that was committed to under a successor, in a journal that the first log has signed."""
    records = base("house-alone")
    records = records[: records.index(next(r for r in records if r.get("command", {}).get("do") == "contribute"))]
    for part in (act(records, "commit_shoe")["command"], event(records, "shoe_committed")):
        part["origin"] = "example.org/house/table/1/2"
    return journal(records)


def continued(*notes: SignedNote) -> bytes:
    """A table of real cards whose log was signed to entry 40, with other checkpoints at its end."""
    records = base("real-cards")
    lines, first = lines_of(records), write_note(checkpoint(records, 40), STREAM)
    return b"".join([*lines[:40], first, *lines[40:], *(write_note(note, STREAM) for note in notes)])


def root_at(size: int) -> bytes:
    """The root of that table at a size."""
    return read_checkpoint(checkpoint(base("real-cards"), size)).root


def _second(number: int = 2, *, size: int, root: bytes, of: str = "") -> SignedNote:
    return successor(base("real-cards"), size, root, number=number, of=of)


DENIED: dict[str, Callable[[], tuple[SignedNote, ...]]] = {
    "fewer": lambda: (_second(size=30, root=root_at(30)),),
    "another-root": lambda: (_second(size=40, root=bytes(32)),),
    "before-its-log": lambda: (_second(size=0, root=EMPTY_ROOT),),
    "passed-over": lambda: (
        _second(size=60, root=bytes(32)),
        _second(3, size=60, root=bytes(32)),
    ),
    "fewer-of-the-second": lambda: (
        _second(size=60, root=bytes(32)),
        _second(3, size=44, root=bytes(32), of=f"{LOG.verifier.name}/2"),
    ),
}
"""A successor whose words the checkpoints of the log before it contradict."""


# ------------------------------------------------------------------------------------------------------------- ids


def ids() -> Kinds:
    """Ids of commands, under which something is done once."""
    checked = Names("decided again", "ids", "ids")
    make = of_kind("id-used-twice", "outsider", "one command of a person counts twice", checked)
    yield (
        make.kind,
        [
            make.signed("buy-in", _used_twice("buy_in")),
            make.signed("sit", _used_twice("sit")),
            make.signed("at-once", _same_twice),
        ],
    )
    make = of_kind("id-refused-falsely", "house", "a command is refused for an id that was not used", checked)
    yield (
        make.kind,
        [
            make.case(name, journal(renumbered(forged(short(), forge))), keys=PLAIN)
            for name, forge in REFUSED_IDS.items()
        ],
    )


def _used_twice(name: str) -> Forge:
    def forge(records: list[Json]) -> list[Json]:
        for nth in (0, 1):
            act(records, name, nth).update(id="again", who="ann" if name == "sit" else "dealer")
        return records[:SHORT]

    return forge


def _same_twice(records: list[Json]) -> list[Json]:
    act(records, "buy_in")["id"] = "again"
    records.insert(3, twin(act(records, "buy_in")))
    return records[:SHORT]


def _refused(*, of: str = "again", seq: int = 2, stream: str = "table 1", same: bool = False, own: str = "") -> Forge:
    """The second buy-in is refused, because its id is said to have been used."""

    def forge(records: list[Json]) -> None:
        act(records, "buy_in")["id"] = "again"
        record = act(records, "buy_in", 1)
        del record["events"]
        if same:
            record["command"] = twin(act(records, "buy_in")["command"])
        params = {"id": of, "stream": stream, "record": seq}
        record["refused"] = {"code": "repeated_id", "what": "again", "params": params}
        record.update({"id": own} if own else {})

    return forge


REFUSED_IDS: dict[str, Forge] = {
    "never-used": _refused(of="never"),
    "another-record": _refused(seq=1),
    "a-later-record": _refused(of="never", seq=7),
    "the-same-command": _refused(same=True),
    "entered-with-it": _refused(own="again"),
}


# ----------------------------------------------------------------------------------------------------- other streams


def streams() -> Kinds:
    """Records without a command, which are said to follow from another stream."""
    make = of_kind(
        "record-without-a-command",
        "house",
        "a card, a wager or a payment changes, and nobody did it",
        Names("decided again", "other streams", "other streams"),
    )
    yield (
        make.kind,
        [
            make.signed("wager", _followed("place_wager")),
            make.signed("payment", _followed("announce_result")),
            make.signed("end-of-betting", _followed("call_no_more_bets")),
            make.signed("of-a-link", _followed("clear_table", "link main")),
            make.case("link-joined-by-a-link", journal(_joined("link main")), keys=PLAIN),
            make.case("link-joined-twice", journal(_joined(count=2)), keys=PLAIN),
            make.case("link-joined-and-more", journal(_joined(more={"seat": 1})), keys=PLAIN),
        ],
    )


def _followed(name: str, stream: str = "house") -> Forge:
    def forge(records: list[Json]) -> list[Json]:
        record = act(records, name)
        for field in ("command", "who", "role"):
            record.pop(field)
        record["cause"] = {"stream": stream, "seq": 1}
        return records[: records.index(record) + 1]

    return forge


def _joined(stream: str = "house", *, count: int = 1, more: Json | None = None) -> list[Json]:
    records = short()
    joined = {"event": "link_joined", "link": "main", "requester": "a", "approver": "b", "cites": [], **(more or {})}
    made = {name: records[0][name] for name in ("v", "stream", "rulebook", "behaviour")}
    made |= {"cause": {"stream": stream, "seq": 2}, "events": [joined] * count}
    return renumbered([records[0], made, *records[1:]])


# ------------------------------------------------------------------------------------------------- not covered


def uncovered() -> Kinds:
    """Nothing is wrong, and yet nobody vouches for what was changed: status 3, never 0."""
    make = of_kind(
        "added-after-the-last-signature",
        "outsider with the disk",
        "what came after the last checkpoint is replaced",
        Names("coverage", "coverage", "coverage"),
    )
    fields = {"status": UNCOVERED, "status_without_rules": UNCOVERED, "keys": PLAIN}
    yield (
        make.kind,
        [
            make.case("two-entries", _added(2), gap="the last 2 of 9 entries are not signed", **fields),
            make.case("one-entry", _added(1), gap="the last 1 of 9 entries are not signed", **fields),
        ],
    )


def _added(count: int) -> bytes:
    records = short()
    for record in records[SHORT - count :]:
        record["at"] += 1
    lines = journal(records, checkpoint(records, SHORT - count)).splitlines(keepends=True)
    return b"".join([*lines[: SHORT - count], lines[-1], *lines[SHORT - count : -1]])


def cases() -> Kinds:
    """All of them."""
    yield from signatures()
    yield from ids()
    yield from streams()
    yield from uncovered()
