"""Forgeries of the books of a house: their signatures, their counts and rules, and ids over several streams."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from baccarat.house.stream import Stream
from baccarat.record.journal import write_note
from baccarat.record.key import cosigned_text
from baccarat.record.note import Signature, SignedNote
from baccarat.record.origin import origin_of
from corpus_base import HOUSE, OUTSIDER, PLAIN, WITNESS, base, checkpoint, journal, lines_of, twin
from corpus_case import UNCOVERED, UNREADABLE, Case, Forge, KindMaker, Kinds, Names, of_kind
from corpus_chain import short
from corpus_house import KEYS, house, house_journal_of, record_of
from remade import Json

SIGNATURES = Names("signature", "signatures", "signatures")
IDS = Names("ids", "ids", "ids")
COUNTS = Names("refusals", "refusals", "refusals")
CAGE = Stream("cage")
WITNESS_SEED = bytes([2]) * 32
"""The secret of `WITNESS`."""


def _notes(records: list[Json], **signers: object) -> bytes:
    """A house whose cage has a checkpoint of its own, and whose other streams are signed as ever."""
    lines = house_journal_of(records).splitlines(keepends=True)
    own = [record for record in records if record["stream"] == CAGE]
    note = checkpoint(own, origin=origin_of("example.org/house", CAGE), **{"signer": HOUSE, **signers})  # type: ignore[arg-type]
    kept = [line for line in lines if not (line.startswith(b'{"checkpoint"') and b'"stream":"cage"' in line)]
    return b"".join([*kept, write_note(note, CAGE)])


def signatures() -> Kinds:
    """Checkpoints of a book."""
    aim = "the book of the cage is shown under a checkpoint that is not its own"
    make = of_kind("checkpoint-of-a-book", "outsider", aim, SIGNATURES)
    stranger = OUTSIDER.with_name(HOUSE.verifier.name)
    yield make.kind, [make.case("by-a-stranger", _notes(house(), signer=stranger), keys=KEYS)]
    make = of_kind("cosigned-at-no-time", "outsider", "a cosignature has a time that no calendar has", SIGNATURES)
    yield make.kind, [make.case("too-late", journal(short(), _cosigned_at(2**63)), keys=PLAIN)]
    names = Names("tree", "checkpoint", "tree")
    make = of_kind(
        "book-rewritten", "outsider with the disk", "a book is rewritten, its stored checkpoint is not", names
    )
    yield make.kind, [_rewritten(make)]


def _cosigned_at(time: int) -> SignedNote:
    """A checkpoint that the witness has really signed with this time."""
    note, key = checkpoint(short(), witnessed=False), WITNESS.verifier
    signed = Ed25519PrivateKey.from_private_bytes(WITNESS_SEED).sign(cosigned_text(note.text, time))
    return note.with_signatures(Signature(key.name, key.id, time.to_bytes(8, "big") + signed))


def _rewritten(make: KindMaker) -> Case:
    records = house()
    note = checkpoint(
        [each for each in records if each["stream"] == CAGE], signer=HOUSE, origin="example.org/house/cage"
    )
    record_of(records, "bankroll_brought")["at"] = 7
    data = b"".join(lines_of(records))
    return make.case("cage", data, keys=KEYS, beside={"cage.jsonl.cage.checkpoint": bytes(note)})


# ------------------------------------------------------------------------------------------------------- counts


def _counted(**fields: object) -> bytes:
    """Refusals at the cage are only counted, which nobody was ever refused."""
    records = house()
    own = [record for record in records if record["stream"] == CAGE]
    made = {name: own[-1][name] for name in ("v", "stream", "rulebook", "behaviour")}
    folded = {"who": "cashier", "code": "wrong_step", "count": 5, "first": 0, "last": 0, **fields}
    made |= {"seq": own[-1]["seq"] + 1, "event": own[-1]["event"] + len(own[-1]["events"]), "folded": folded}
    return house_journal_of([*records, made])


def _used_twice(records: list[Json]) -> list[Json]:
    """Somebody sits down at two tables under one id."""
    for table in ("table T1", "table T2"):
        sat = next(each for each in records if each["stream"] == table and each.get("command", {}).get("do") == "sit")
        sat["id"] = "again"
    return records


def counts() -> Kinds:
    """Counts and ids over the streams of a house."""
    make = of_kind("counted-in-a-book", "house", "lawful acts in a book are counted as refusals", COUNTS)
    yield make.kind, [make.case("of-nobody", _counted(), keys=KEYS)]
    make = of_kind("id-used-at-two-tables", "house", "one command of a person counts at two tables", IDS)
    yield make.kind, [make.case("sit", house_journal_of(_used_twice(house())), keys=KEYS)]


# ------------------------------------------------------------------------------------------------------- rules


def _later_version(stream: str) -> list[Json]:
    """A stream is opened last, by a version of the deciding functions that there is not."""
    records = house()
    opening = twin(next(each for each in records if each["stream"] == "cage"))
    return [*records, opening | {"stream": stream, "behaviour": 99}]


def _opening(**fields: object) -> list[Json]:
    made = base("real-cards")[:1]
    made[0].update(fields)
    return made


def _submission(**fields: object) -> Forge:
    return lambda records: records[0]["submission"].update(fields)


RULES: dict[str, Forge] = {
    "not-valid": _submission(decks="eight"),
    "unknown-option": _submission(of_the_house="anything"),
    "another": _submission(decks=6),
    "another-hash": lambda records: [each.update(rulebook="0" * 64) for each in records],
}


def rules() -> Kinds:
    """Rules and versions that a stream is opened under."""
    names = Names("rules", "", "")
    make = of_kind("submission-otherwise", "house", "a table is opened under rules that were not filed", names)
    fields: Json = {"keys": PLAIN, "status_without_rules": UNCOVERED}
    yield make.kind, [_under(make, name, forge, **fields) for name, forge in RULES.items()]
    aim = "a table is played by rules that the reader does not know"
    make = of_kind("edition-of-a-journal", "house", aim, Names("coverage", "coverage", "coverage"))
    fields |= {"status": UNCOVERED, "gap": "nothing was decided again"}
    yield make.kind, [_under(make, "unknown", _submission(ruleset="our-own"), **fields)]
    make = of_kind("submission-of-a-book", "house", "a book has rules that were not filed", Names("unreadable", "", ""))
    data = house_journal_of(_book_otherwise())
    fields = {"status": UNREADABLE, "status_without_rules": UNCOVERED}
    yield make.kind, [make.case("cage", data, keys=KEYS, **fields)]
    names = Names("decided again", "", "")
    make = of_kind("opened-by-a-later-version", "house", "a stream is decided by functions that nobody has", names)
    data = house_journal_of(_later_version("forms"))
    fields = {"status_without_rules": UNCOVERED}
    yield (
        make.kind,
        [
            make.case("book", data, keys=KEYS, **fields),
            make.case("table", journal(_opening(behaviour=99)), keys=PLAIN, **fields),
        ],
    )


def _book_otherwise() -> list[Json]:
    records = house()
    next(each for each in records if each["stream"] == CAGE)["submission"]["decks"] = 6
    return records


def _under(make: KindMaker, name: str, forge: Forge, **fields: object) -> Case:
    records = short()
    forge(records)
    return make.case(name, journal(records), **fields)


def cases() -> Kinds:
    """All of them."""
    yield from signatures()
    yield from counts()
    yield from rules()
