"""Forgeries of bundles: what belongs to them, in which order, under which tree, and what they bring themselves."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

from msgspec.structs import replace

from baccarat.audit.bundle.form import Scope, write_bundle
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.record.encoding import to_base64
from baccarat.record.journal import JournalReader
from baccarat.record.key import KeyKind, Verifier
from baccarat.record.log import Log
from baccarat.record.subset_proof import prove_subset
from corpus_base import ALL, LOG, OUTSIDER, STREAM, base, checkpoint, journal, lines_of, own_witness, twin
from corpus_case import UNCOVERED, UNREADABLE, Case, Forge, KindMaker, Kinds, Names, of_kind
from remade import Json, canonical, chained, sha, tree_root

FORM = Names("unreadable", "unreadable", "unreadable")
COVERAGE = Names("coverage", "coverage", "coverage")
TREE = Names("tree", "tree", "tree")
ENTRIES = Names("entries", "entries", "entries")
RUN = Names("entries", "chain", "entries")
HASHES = Names("chain", "chain", "chain")
STATED = Names("decided again", "shoes", "shoes")
STATED_SHOES = Names("proofs of cards", "shoes", "shoes")
STATED_SEEDS = Names("decided again", "seeds", "seeds")
STATED_RUN = Names("decided again", "entries", "entries")
STATED_RULES = Names("rules", "rulebooks", "rulebooks")
SECOND = "left-out"
"""The table of two shoes; a bundle of this kind is of the first round of its second one."""
SCOPES = {
    "all": Scope(kind="all", stream=STREAM),
    "shoe": Scope(kind="shoe", stream=STREAM, shoe=1),
    "round": Scope(kind="round", stream=STREAM, shoe=1, round=1),
    "day": Scope(kind="day", stream=STREAM, day="2026-11-15"),
    "short": Scope(kind="all", stream=STREAM),
    "left-out": Scope(kind="round", stream=STREAM, shoe=2, round=1),
}
SHORT = 9
"""How many entries a short bundle has; of a log that has one more."""


@cache
def _bundle(kind: str) -> bytes:
    records = base()[: SHORT + 1] if kind == "short" else base(SECOND if kind == SECOND else "order-2")
    source = BundleJournal(JournalReader().read(enumerate(lines_of(records), start=1)))
    made = make_bundle(source, SCOPES[kind], note=checkpoint(records))
    if kind == "short":
        log = source.log(STREAM)
        proof = tuple(map(to_base64, prove_subset(log, range(SHORT), log.size)))
        made = replace(made, scope=SCOPES["shoe"], entries=made.entries[:SHORT], proof=proof)
    return write_bundle(made)


def bundle(kind: str = "round") -> Json:
    """An honest bundle, to be forged."""
    made: Json = json.loads(_bundle(kind))
    return made


class BundleMaker:
    """Makes cases of bundles."""

    def __init__(self, make: KindMaker, **fields: object) -> None:
        self.make, self.fields = make, fields

    def __call__(self, name: str, forge: Forge, kind: str = "round", **fields: object) -> Case:
        """A bundle that somebody changed after it was made."""
        made = bundle(kind)
        forge(made)
        return self.make.case(name, canonical(made), **{"is_bundle": True, **self.fields, **fields})


def signed_again(made: Json) -> None:
    """A whole bundle whose house has made chain, tree and checkpoint anew, and had it cosigned."""
    records = [entry["record"] for entry in made["entries"]]
    for index, (entry, (head, _)) in enumerate(zip(made["entries"], chained(records), strict=True)):
        entry.update(index=index, hash=head)
    made["checkpoint"] = bytes(checkpoint(records)).decode()


def proved_again(made: Json, records: list[Json] | None = None) -> None:
    """The house chains the entries as they are now, and proves that they are in its log."""
    log, before = Log(canonical(record) for record in records or base()), bytes(32)
    for entry in made["entries"]:
        before = sha(before + canonical(entry["record"]))
        entry.update({"hash": before.hex()} if "hash" in entry else {})
    made["proof"] = [*map(to_base64, prove_subset(log, [entry["index"] for entry in made["entries"]], log.size))]


def trees() -> Kinds:
    """Entries and the tree that they are in."""
    make = of_kind("entry-not-in-the-tree", "outsider", "an entry of a bundle is told otherwise, or made up", TREE)
    case = BundleMaker(make)
    yield (
        make.kind,
        [
            case("late-record", lambda b: b["entries"][-1]["record"].update(at=1)),
            case("last-of-the-run", _rehashed_last),
            case("another-root", _other_root, "all"),
            case("proof-hash", lambda b: b["proof"].__setitem__(0, "A" * 43 + "=")),
            case("proof-too-long", lambda b: b["proof"].append("A" * 43 + "=")),
            case("proof-too-short", lambda b: b["proof"].pop()),
            case("larger-log", lambda b: _resized(b, 1)),
            case("beyond-the-log", _beyond),
        ],
    )
    make = of_kind("hash-of-an-entry", "outsider", "entries of two histories are put together", HASHES)
    case = BundleMaker(make)
    yield (
        make.kind,
        [
            case("zeros", lambda b: b["entries"][5].update(hash="0" * 64)),
            case("opening", lambda b: b["entries"][0].update(hash="0" * 64)),
            case("exchanged", _exchanged_hashes),
            case("whole", lambda b: b["entries"][-1].update(hash="0" * 64), "all"),
        ],
    )


def _rehashed_last(made: Json) -> None:
    """The last record of the run is told otherwise; the forger makes its hash anew, but has no key."""
    last = made["entries"][-2]
    last["record"]["at"] += 1
    before = bytes.fromhex(made["entries"][-3]["hash"])
    last["hash"] = sha(before + canonical(last["record"])).hex()


def _other_root(made: Json) -> None:
    del made["checkpoint"]
    made["tree_head"] = {"size": len(made["entries"]), "root": "A" * 43 + "="}


def _resized(made: Json, more: int) -> None:
    records = base()
    made["checkpoint"] = bytes(checkpoint([*records, *records[1 : more + 1]])).decode()


def _beyond(made: Json) -> None:
    """The record that opens the seed stands behind all that the house has signed."""
    records = base()[: made["entries"][-1]["index"]]
    log = Log(canonical(record) for record in records)
    made["checkpoint"] = bytes(checkpoint(records)).decode()
    made["proof"] = [*map(to_base64, prove_subset(log, [entry["index"] for entry in made["entries"][:-1]], log.size))]


def _exchanged_hashes(made: Json) -> None:
    one, two = made["entries"][4], made["entries"][5]
    one["hash"], two["hash"] = two["hash"], one["hash"]


# ------------------------------------------------------------------------------------------------------- entries


def entries() -> Kinds:
    """Which entries a bundle has."""
    make = of_kind("entry-left-out", "house", "an act of the round is not shown", RUN)
    case = BundleMaker(make)
    yield (
        make.kind,
        [
            case("one", _left_out(36)),
            case("the-first", _left_out(1)),
            case("the-event-numbers-of-one", _event_number),
            case("the-opening", _left_out(0)),
        ],
    )
    make = of_kind("entry-misplaced", "outsider", "an act counts twice, or at another place", ENTRIES)
    case = BundleMaker(make)
    yield (
        make.kind,
        [
            case("twice", lambda b: b["entries"].insert(20, b["entries"][20])),
            case("exchanged", lambda b: b["entries"].insert(20, b["entries"].pop(21))),
            case("index", lambda b: b["entries"][20].update(index=19)),
            case("another-stream", _other_stream, "all"),
            case("number-of-another", _other_index),
        ],
    )
    make = of_kind(
        "scope-otherwise", "house", "one round is shown in place of another", Names("scope", "entries", "entries")
    )
    case = BundleMaker(make)
    yield (
        make.kind,
        [
            case("round-2", lambda b: b["scope"].update(round=2)),
            case("shoe-2-of-a-round", lambda b: b["scope"].update(shoe=2)),
            case("shoe-2", lambda b: b["scope"].update(shoe=2), "shoe"),
            case("another-day", lambda b: b["scope"].update(day="2026-11-14"), "day"),
            case("no-day", lambda b: b["scope"].update(day="2026-02-30"), "day"),
            case("two-shoes-as-one", _two_shoes),
        ],
    )
    make = of_kind("bundle-of-no-table", "house", "what is shown of a table has the rules of a book", ENTRIES)
    yield make.kind, [BundleMaker(make)("pit", _of_no_table, "all")]
    make = of_kind("late-record-otherwise", "house", "something that came later counts in the round", ENTRIES)
    case = BundleMaker(make)
    yield (
        make.kind,
        [
            case("not-a-seed", _late),
            case("an-older-version", _late_with(behaviour=1)),
            case("events-counted-again", _late_with(event=1)),
        ],
    )
    make = of_kind("act-of-nobody", "house", "a bundle has an act of nobody", Names("entries", "form", "form"))
    case = BundleMaker(make)
    yield (
        make.kind,
        [
            case("no-role", _of_nobody("role"), "all"),
            case("no-role-of-a-dealer", _of_nobody("role", 2), "all"),
            case("no-command", _of_nobody("command"), "all"),
        ],
    )
    make = of_kind("end-left-out", "house", "a bundle of everything ends early", Names("tree", "entries", "entries"))
    case = BundleMaker(make)
    yield make.kind, [case("the-last", _left_out(-1), "all"), case("the-last-ten", _end_left_out, "all")]
    make = of_kind("state-where-none-is", "house", "chips are stated that nobody bought", ENTRIES)
    case = BundleMaker(make)
    yield (
        make.kind,
        [
            case("before-everything", _stated, "all"),
            case("before-a-whole-table", lambda b: _stated(b, 1), "all"),
        ],
    )
    make = of_kind("nothing-of-the-round", "house", "a bundle shows that there was a table, and no more", ENTRIES)
    case = BundleMaker(make)
    yield make.kind, [case("the-opening-alone", _opening_alone), case("shoe", _opening_alone, "shoe")]
    make = of_kind("hash-left-out", "house", "an entry of the run stands beside the chain", RUN)
    case = BundleMaker(make)
    yield (
        make.kind,
        [
            case("within-the-run", lambda b: b["entries"][36].pop("hash")),
            case("last-of-everything", lambda b: b["entries"][-1].pop("hash"), "all"),
        ],
    )
    make = of_kind(
        "rulebook-otherwise",
        "house",
        "the rules of a round are others than those it was played by",
        Names("rules", "rulebooks", "rulebooks"),
    )
    case = BundleMaker(make)
    yield (
        make.kind,
        [
            case("another-hash", lambda b: b["rulebooks"][0].update(hash="1" * 64)),
            case("no-rules-for-the-opening", lambda b: b["rulebooks"][0].update(hash="0" * 64), "all"),
            case("another-submission", lambda b: b["rulebooks"][0]["submission"].update(decks=6)),
        ],
    )


def states() -> Kinds:
    """The state before a run that begins later than the table."""
    make = of_kind("state-before-otherwise", "house", "a table has another state than it had", STATED)
    case = BundleMaker(make)
    yield (
        make.kind,
        [
            case("real-cards", lambda b: b["before"]["state"].update(cards="real"), SECOND),
            case("no-cards", lambda b: b["before"]["state"].pop("cards"), SECOND),
            case("witnesses-not-stated", _witnesses_not_stated, SECOND),
            case("another-deadline", lambda b: b["before"]["state"].update(reveal_within=600), SECOND),
        ],
    )
    make = of_kind("witnesses-before", "house", "a witness is dropped by a state that is not proved", STATED_SHOES)
    other = [str(OUTSIDER.verifier)]
    yield make.kind, [BundleMaker(make)("others", lambda b: b["before"]["state"].update(witnesses=other), SECOND)]
    make = of_kind("seed-of-the-shoe-before", "house", "an order that was dealt comes again", STATED_SEEDS)
    yield make.kind, [BundleMaker(make)("stated", _seed_again, SECOND)]
    make = of_kind("run-otherwise", "house", "the run of a bundle begins where it does not", STATED_RUN)
    yield (
        make.kind,
        [
            BundleMaker(make)("number", lambda b: b["before"]["state"]["shoe"].update(number=5), SECOND),
            BundleMaker(make)("no-number", lambda b: b["before"]["state"]["shoe"].pop("number"), SECOND),
            BundleMaker(make)("before-its-first-record", _stated_before_the_first),
            BundleMaker(make)("no-state", lambda b: b["before"].update(state=[]), SECOND),
        ],
    )
    make = of_kind("numbers-before", "house", "acts are left out between the state and the run", RUN)
    yield (
        make.kind,
        [
            BundleMaker(make)("seq", lambda b: b["before"].update(seq=b["before"]["seq"] - 1), SECOND),
            BundleMaker(make)("events", lambda b: b["before"].update(events=b["before"]["events"] - 1), SECOND),
            BundleMaker(make)("nothing-before", lambda b: b.pop("before"), SECOND),
        ],
    )
    make = of_kind("hash-before", "outsider", "a run is put behind another history", HASHES)
    yield make.kind, [BundleMaker(make)("zeros", lambda b: b["before"].update(hash="0" * 64), SECOND)]
    make = of_kind("rulebook-before", "house", "a run begins under rules that are not shown", STATED_RULES)
    yield make.kind, [BundleMaker(make)("not-there", lambda b: b["before"].update(rulebook="1" * 64), SECOND)]


def _witnesses_not_stated(made: Json) -> None:
    """The opening states that there are none, and the state does not say who they are."""
    records = base(SECOND)
    records[0]["witnesses"] = made["entries"][0]["record"]["witnesses"] = []
    made["checkpoint"] = bytes(checkpoint(records)).decode()
    log = Log(map(canonical, records))
    made["entries"][0]["hash"] = sha(bytes(32) + canonical(records[0])).hex()
    made["proof"] = [*map(to_base64, prove_subset(log, [entry["index"] for entry in made["entries"]], log.size))]


def _seed_again(made: Json) -> None:
    """The shoe before is said to have had the seed of this one."""
    made["before"]["state"]["shoe"]["former_seed"] = made["entries"][-1]["record"]["command"]["seed"]


def _left_out(index: int) -> Forge:
    def forge(made: Json) -> None:
        del made["entries"][index]
        proved_again(made)

    return forge


def _event_number(made: Json) -> None:
    """The events of the last record of the run are numbered as if there had been one more; the house signs that."""
    records = base()
    last = made["entries"][-2]
    last["record"]["event"] = records[last["index"]]["event"] = last["record"]["event"] + 1
    made["checkpoint"] = bytes(checkpoint(records)).decode()
    proved_again(made, records)


def _of_nobody(field: str, index: int = 3) -> Forge:
    def forge(made: Json) -> None:
        del made["entries"][index]["record"][field]
        del made["entries"][5:]
        signed_again(made)

    return forge


def _end_left_out(made: Json) -> None:
    del made["entries"][-10:]
    proved_again(made)


def _stated(made: Json, seq: int = 0) -> None:
    rulebook = made["rulebooks"][0]["hash"]
    state = twin(bundle(SECOND)["before"]["state"])
    state["shoe"]["number"] = 0
    del state["shoe"]["former_seed"]
    state["witnesses"] = made["entries"][0]["record"]["witnesses"]
    before = {"seq": seq, "events": 0, "hash": made["entries"][0]["hash"], "rulebook": rulebook, "state": state}
    made["before"] = before


def _stated_before_the_first(made: Json) -> None:
    """A state is stated where the opening of the table leaves nothing to state."""
    _stated(made)


def _two_shoes(made: Json) -> None:
    """Two shoes are shown as the second of them."""
    records = base(SECOND)
    source = BundleJournal(JournalReader().read(enumerate(lines_of(records), start=1)))
    whole = make_bundle(source, SCOPES["all"], note=checkpoint(records))
    made.clear()
    made.update(json.loads(write_bundle(whole)))
    made["scope"] = {"kind": "shoe", "shoe": 2, "stream": STREAM}


def _of_no_table(made: Json) -> None:
    """The entries of a table are shown as those of a pit."""
    del made["entries"][5:]
    for entry in made["entries"]:
        entry["record"]["stream"] = "pit 1"
    made["scope"]["stream"] = "pit 1"
    signed_again(made)
    records = [entry["record"] for entry in made["entries"]]
    made["checkpoint"] = bytes(checkpoint(records, origin="example.org/house/pit/1")).decode()


def _late(made: Json) -> None:
    """The record that ended the round is shown as one that came after it."""
    made["entries"].pop()
    proved_again(made)
    del made["entries"][-1]["hash"]


def _late_with(**fields: object) -> Forge:
    """The record that opens the seed says something else of itself; the house has signed that."""

    def forge(made: Json) -> None:
        records = base()
        late = made["entries"][-1]
        for record in (late["record"], records[late["index"]]):
            record.update(fields)
        made["checkpoint"] = bytes(checkpoint(records)).decode()
        proved_again(made, records)

    return forge


def _opening_alone(made: Json) -> None:
    del made["entries"][1:]
    proved_again(made)


def _other_hash(made: Json) -> None:
    for part in [*made["rulebooks"]]:
        part["hash"] = "0" * 64
    for entry in made["entries"]:
        entry["record"]["rulebook"] = "0" * 64
    del made["entries"][5:]
    signed_again(made)


def _other_submission(made: Json) -> None:
    for submission in (made["rulebooks"][0]["submission"], made["entries"][0]["record"]["submission"]):
        submission["decks"] = 6
    del made["entries"][5:]
    signed_again(made)


def _unknown_edition(made: Json) -> None:
    for submission in (made["rulebooks"][0]["submission"], made["entries"][0]["record"]["submission"]):
        submission["ruleset"] = "our-own"
    del made["entries"][5:]
    signed_again(made)


def _other_stream(made: Json) -> None:
    for entry in made["entries"]:
        entry["record"]["stream"] = "table 2"
    del made["entries"][5:]
    signed_again(made)


def _other_index(made: Json) -> None:
    """The log has an entry that is not numbered; all after it stand one place later than their numbers say."""
    records = base()
    records.insert(-2, records[-3])
    made["checkpoint"] = bytes(checkpoint(records)).decode()
    made["entries"][-1]["index"] += 1
    log = Log(canonical(record) for record in records)
    made["proof"] = [*map(to_base64, prove_subset(log, [entry["index"] for entry in made["entries"]], log.size))]


def rules() -> Kinds:
    """Rules that are not those that were filed."""
    make = of_kind("rules-not-filed", "house", "the rulebook is not what was filed", Names("rules", "", ""))
    case = BundleMaker(make, status_without_rules=UNCOVERED)
    yield make.kind, [case("another-hash", _other_hash, "all"), case("another-submission", _other_submission, "all")]
    make = of_kind("edition-of-its-own", "house", "a table is played by rules that the reader does not know", COVERAGE)
    case = BundleMaker(make, status=UNCOVERED, status_without_rules=UNCOVERED)
    yield make.kind, [case("unknown", _unknown_edition, "all"), case("junk", _junk_edition, gap="edition")]


def _junk_edition(made: Json) -> None:
    made["rulebooks"][0]["edition"] = "junk"


# ------------------------------------------------------------------------------------------------ malformed, and keys


def malformed() -> Kinds:
    """Bundles that two readers could read differently."""
    make = of_kind("bundle-not-in-form", "outsider", "two readers read two bundles in one file", FORM)
    unread = {"status": UNREADABLE, "status_without_rules": UNREADABLE, "is_bundle": True}
    case = BundleMaker(make, **unread)
    found = [case(name, forge, "short") for name, forge in MALFORMED.items()]
    found += [make.case(name, change(_bundle("short")), **unread) for name, change in BYTES.items()]
    found += [make.case(name, _with_state(part), **unread) for name, part in STATES.items()]
    yield make.kind, found
    make = of_kind(
        "entry-not-of-a-journal",
        "outsider",
        "something in a bundle is no record at all",
        Names("entries", "form", "form"),
    )
    case = BundleMaker(make)
    yield (
        make.kind,
        [
            case("a-number", lambda b: b["entries"][5].update(record=7)),
            case("nothing", lambda b: b["entries"][5].update(record={"v": 1})),
            case("unknown-field", lambda b: b["entries"][5]["record"].update(x=1)),
        ],
    )
    make = of_kind(
        "command-read-otherwise",
        "house",
        "two readers read two commands in one entry of a bundle",
        Names("decided again", "form", "form"),
    )
    case = BundleMaker(make)
    yield make.kind, [case(name, _commanded(command), "all") for name, command in COMMANDS.items()]
    make = of_kind(
        "nested-too-deeply",
        "outsider",
        "a file ends a reader before he has read it",
        Names("decided again", "unreadable", "unreadable"),
    )
    deep = _with_state(b"[" * 600 + b"]" * 600)
    yield make.kind, [make.case("state", deep, is_bundle=True, status_without_rules=UNREADABLE)]
    make = of_kind(
        "keys-brought",
        "outsider",
        "a bundle brings the keys by which it is to be believed",
        Names("signature", "keys", "keys"),
    )
    case = BundleMaker(make)
    yield (
        make.kind,
        [case("that-did-not-sign", lambda b: b.update(keys=[str(OUTSIDER.verifier)]))],
    )


COMMANDS: dict[str, object] = {
    "key-not-ascii": {"do": "sit", "pers\u00f6n": 1},
    "key-not-ascii-within": {"do": "sit", "person": {"\u00e9": 1}},
    "key-not-ascii-in-a-list": {"do": "sit", "person": [{"\u00e9": 1}]},
    "a-number": 7,
    "too-long": {"do": "sit", "person": "x" * 66_000},
}


def _commanded(command: object) -> Forge:
    """An act has a command that is none; the house has signed it."""

    def forge(made: Json) -> None:
        made["entries"][3]["record"]["command"] = command
        del made["entries"][5:]
        signed_again(made)

    return forge


def _named_key(name: str) -> str:
    """A key under a name that no key can have, with the id that it would have."""
    data = bytes([KeyKind.LOG]) + LOG.verifier.public
    key_id = sha(f"{name}\n".encode() + data)[:4].hex()
    return f"{name}+{key_id}+{to_base64(data)}"


def _key_of_small_order(made: Json) -> None:
    made["keys"] = [str(Verifier(LOG.verifier.name, KeyKind.LOG, bytes(32)))]


MALFORMED: dict[str, Forge] = {
    "record-null": lambda b: b["entries"][5].update(record=None),
    "submission-a-list": lambda b: b["rulebooks"][0].update(submission=[]),
    "entries-an-object": lambda b: b.update(entries={}),
    "scope-a-text": lambda b: b.update(scope="all"),
    "secret-key": lambda b: b.update(keys=["PRIVATE+KEY+x"]),
    "key-too-short": lambda b: b.update(keys=["x+00000000+AQ=="]),
    "tree-head-null": lambda b: b.update(tree_head=None),
    "proof-null": lambda b: b.update(proof=None),
    "hash-null": lambda b: b["entries"][-2].update(hash=None),
    "day-null": lambda b: b["scope"].update(day=None),
    "checkpoint-and-tree-head": lambda b: b.update(tree_head={"size": 1, "root": "A" * 43 + "="}),
    "no-tree-head": lambda b: b.pop("checkpoint"),
    "base64-without-padding": lambda b: b["proof"].__setitem__(0, b["proof"][0].rstrip("=")),
    "base64-with-loose-bits": lambda b: b["proof"].__setitem__(0, "A" * 42 + "B="),
    "rulebook-twice": lambda b: b["rulebooks"].append(b["rulebooks"][0]),
    "no-rulebook": lambda b: b.update(rulebooks=[]),
    "no-entry": lambda b: b.update(entries=[]),
    "scope-with-too-much": lambda b: b["scope"].update(day="2026-11-15"),
    "scope-without-its-shoe": lambda b: b["scope"].pop("shoe"),
    "key-of-small-order": _key_of_small_order,
    "no-key": lambda b: b.update(keys=["x"]),
    "key-not-base64": lambda b: b.update(keys=["x+00000000+!!!!"]),
    "key-with-a-space-in-its-name": lambda b: b.update(keys=[_named_key("a house")]),
    "checkpoint-no-note": lambda b: b.update(checkpoint="none"),
    "version-2": lambda b: b.update(bundle=2),
    "version-true": lambda b: b.update(bundle=True),
    "record-of-version-2": lambda b: b["entries"][5]["record"].update(v=2),
    "unknown-field": lambda b: b.update(x=1),
}
STATES = {
    "a-fraction-in-the-state": b"1.5",
    "a-number-too-large-in-the-state": b"9007199254740993",
    "a-key-twice-in-the-state": b'{"a":1,"a":1}',
}


def _with_state(part: bytes) -> bytes:
    """A bundle in whose state something stands that two readers could read differently."""
    return canonical(bundle(SECOND)).replace(b'"state":{', b'"state":{"a":' + part + b",", 1)


BYTES: dict[str, Callable[[bytes], bytes]] = {
    "half-a-surrogate": lambda data: data.replace(b'"program":"', b'"program":"\\ud800', 1),
    "no-utf-8": lambda data: data.replace(b'"program":"', b'"program":"\xff', 1),
    "a-key-twice": lambda data: data.replace(b'"bundle":1', b'"bundle":1,"bundle":1', 1),
    "a-fraction": lambda data: data.replace(b'"bundle":1', b'"bundle":1.0', 1),
    "something-behind-it": lambda data: data.rstrip() + b"{}",
    "cut-off": lambda data: data[: len(data) // 2],
    "a-byte-order-mark": lambda data: b"\xef\xbb\xbf" + data,
}


# ------------------------------------------------------------------------------------------------- not covered


def uncovered() -> Kinds:
    """What a bundle brings or leaves out; nothing is wrong, and yet it is never 0."""
    fields = {"status": UNCOVERED, "status_without_rules": UNCOVERED}
    make = of_kind("own-keys", "outsider", "somebody who is not the house signs a history of his own", COVERAGE)
    case = BundleMaker(make, **fields)
    yield (
        make.kind,
        [
            case("no-other-key", _own_key, "all", keys=ALL[2:], gap="no key"),
            case("unsigned", _unsigned, "all", gap="there is no checkpoint"),
        ],
    )
    make = of_kind("own-witness", "house", "a house is the witness of its own orders", COVERAGE)
    data, keys = journal(own_witness()), ("log", "house", "witness")
    gap = "1 witness named, 1 shown, 0 of 1 checked"
    yield make.kind, [make.case("key-of-the-house", data, keys=keys, **fields, gap=gap)]
    make = of_kind("seed-withheld", "house", "a bundle leaves out the seed that would show another order", COVERAGE)
    yield make.kind, [BundleMaker(make, **fields)("round", _withheld, gap="the seed of shoe 1 is not shown")]


def _own_key(made: Json) -> None:
    records = [entry["record"] for entry in made["entries"]]
    made["checkpoint"] = bytes(checkpoint(records, signer=OUTSIDER)).decode()
    made["keys"] = [str(OUTSIDER.verifier)]


def _unsigned(made: Json) -> None:
    del made["checkpoint"]
    leaves = [sha(b"\0" + canonical(entry["record"])) for entry in made["entries"]]
    made["tree_head"] = {"size": len(leaves), "root": to_base64(tree_root(leaves))}


def _withheld(made: Json) -> None:
    made["entries"].pop()
    proved_again(made)


def cases() -> Kinds:
    """All of them."""
    yield from trees()
    yield from entries()
    yield from states()
    yield from rules()
    yield from malformed()
    yield from uncovered()
