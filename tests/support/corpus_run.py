"""Forgeries of bundles of a part: what is said to have opened the seed later, and the state before the run."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

from baccarat.audit.bundle.form import Scope, write_bundle
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.law.edition import source_of
from baccarat.record.journal import JournalReader
from corpus_base import STREAM, base, checkpoint, lines_of, twin
from corpus_bundle import ENTRIES, RUN, SECOND, BundleMaker, bundle, proved_again, signed_again
from corpus_case import UNCOVERED, UNREADABLE, Case, Forge, KindMaker, Kinds, Names, of_kind
from remade import Json, canonical

LOST = "lost-seed"
OTHER_SEED = "5a" * 32
ROUND = Scope(kind="round", stream=STREAM, shoe=1, round=1)


@cache
def _lost_round() -> bytes:
    records = base(LOST)
    source = BundleJournal(JournalReader().read(enumerate(lines_of(records), start=1)))
    return write_bundle(make_bundle(source, ROUND, note=checkpoint(records)))


# ------------------------------------------------------------------------------------------------------- late records


def late(change: Forge, of: str = "order-2") -> Json:
    """A bundle of a round whose last record, which came later, is told otherwise; the house has signed that."""
    made: Json = json.loads(_lost_round()) if of == LOST else bundle("round")
    records = base(of)
    last = made["entries"][-1]
    change(last["record"])
    records[last["index"]] = last["record"]
    made["checkpoint"] = bytes(checkpoint(records)).decode()
    proved_again(made, records)
    return made


def _two_events(record: Json) -> None:
    record["events"].append(twin(record["events"][0]))


def _by_a_dealer(record: Json) -> None:
    del record["origin"]
    record.update(role="dealer", who="dan")


def _approved_by(*, who: str) -> Forge:
    def change(record: Json) -> None:
        record["approvals"][0]["who"] = record["events"][0]["approver"] = who

    return change


SEEDS: dict[str, Forge] = {
    "shows-a-meter": lambda r: r.update(shown={"do": "show_meters", "meters": {}}),
    "in-the-cage-too": lambda r: r.update(joined={"cage": 7}),
    "two-events": _two_events,
    "another-seed-was-asked-for": lambda r: r["command"].update(seed=OTHER_SEED),
    "by-a-dealer": _by_a_dealer,
    "with-an-approval": lambda r: r.update(approvals=[{"role": "dealer", "what": "reveal_seed", "who": "dan"}]),
    "no-such-command": lambda r: r["command"].update(do="open_seed"),
}
LOSSES: dict[str, Forge] = {
    "another-reason": lambda r: r["events"][0].update(reason="nobody knows"),
    "another-requester": lambda r: r["events"][0].update(requester="sue"),
    "by-a-dealer": lambda r: r.update(role="dealer"),
    "approved-by-himself": _approved_by(who="fay"),
    "approved-by-nobody": lambda r: r.pop("approvals"),
    "approved-for-no-act": lambda r: r["approvals"][0].pop("what"),
}


def late_records() -> Kinds:
    """Records after the run, which nobody can decide again: their form decides."""
    aim = "something else is done where only the seed is opened"
    make = of_kind("seed-opened-otherwise", "house", aim, ENTRIES)
    yield make.kind, [_made(make, name, late(change)) for name, change in SEEDS.items()] + [_opened_twice(make)]
    make = of_kind("loss-reported-otherwise", "house", "a seed is lost by one person, or for another reason", ENTRIES)
    yield make.kind, [_made(make, name, late(change, LOST)) for name, change in LOSSES.items()]


def _opened_twice(make: KindMaker) -> Case:
    """The seed is opened a second time, after the run."""
    made, records = bundle("round"), base()
    first = made["entries"][-1]
    second = twin(records[first["index"]])
    second.update(seq=first["index"] + 1, event=second["event"] + len(second["events"]), at=second["at"] + 1)
    records[first["index"] + 1 :] = [second]
    made["entries"].append({"index": second["seq"], "record": second})
    made["checkpoint"] = bytes(checkpoint(records)).decode()
    proved_again(made, records)
    return _made(make, "twice", made)


def _made(make: KindMaker, name: str, made: Json, **fields: object) -> Case:
    return make.case(name, canonical(made), is_bundle=True, **fields)


# ------------------------------------------------------------------------------------------------------- states


def states() -> Kinds:
    """States before a run in which no shoe begins, or which no table can have."""
    names = Names("decided again", "", "")
    make = of_kind("shoe-begun-before", "house", "the cards that a shoe begins with are not shown", names)
    case = BundleMaker(make, status_without_rules=UNCOVERED)
    yield (
        make.kind,
        [
            case("cards-dealt", lambda b: b["before"]["state"]["shoe"].update(next=1), SECOND),
            case("committed", _committed_before, SECOND),
            case("impossible", lambda b: b["before"]["state"].update(step="none"), SECOND),
        ],
    )
    names = Names("decided again", "entries", "entries")
    make = of_kind("rounds-before", "house", "rounds of the shoe are said to have been played before", names)
    yield make.kind, [BundleMaker(make)("one", _round_before, SECOND)]
    make = of_kind("opening-left-out", "house", "nobody sees as what a table was opened, and under which rules", RUN)
    case = BundleMaker(make)
    yield make.kind, [case("no-hash", lambda b: b["entries"][0].pop("hash"), SECOND), case("no-opening", _unopened)]


def _committed_before(made: Json) -> None:
    """The commitment of the shoe is said to have been made before."""
    event = next(
        e for each in made["entries"] for e in each["record"].get("events", ()) if e["event"] == "shoe_committed"
    )
    fields = {name: value for name, value in event.items() if name not in ("event", "cites")}
    made["before"]["state"]["shoe"]["commitment"] = fields


def _round_before(made: Json) -> None:
    """The first round of the shoe is shown as its second."""
    made["before"]["state"]["round"]["number"] = made["scope"]["round"] = 2


def _unopened(made: Json) -> None:
    """The first record stands where the opening should, and a state is stated after it."""
    first = made["entries"].pop(0)
    state = twin(bundle(SECOND)["before"]["state"])
    made["before"] = {
        "seq": 1, "events": len(made["entries"][0]["record"]["events"]), "hash": made["entries"][0]["hash"],
        "rulebook": first["record"]["rulebook"], "state": state,
    }  # fmt: skip
    proof = made["entries"]
    proved_again(made)
    for entry, was in zip(proof, bundle("round")["entries"][1:], strict=True):
        entry.update({"hash": was["hash"]} if "hash" in was else {})


# ------------------------------------------------------------------------------------------------------- rules


def rules() -> Kinds:
    """What was filed is another in the opening than in the bundle, or cannot be filed."""
    names = Names("rules", "rulebooks", "rulebooks")
    make = of_kind("submission-of-the-opening", "house", "a table is opened under another Submission", names)
    yield make.kind, [BundleMaker(make)("another", _other_in_the_opening, "all")]
    make = of_kind("submission-not-valid", "house", "what was filed is no Submission", Names("rules", "", ""))
    case = BundleMaker(make, status_without_rules=UNCOVERED)
    yield make.kind, [case("no-such-field", _submitted(of_the_house="anything"), "all")]
    names = Names("coverage", "coverage", "coverage")
    make = of_kind("edition-under-another-name", "house", "an edition is brought under the name of another", names)
    case = BundleMaker(make, status=UNCOVERED, status_without_rules=UNCOVERED)
    yield make.kind, [case("shipped", _edition_of_another_name, "all", gap="edition")]


def _submitted(**fields: object) -> Forge:
    def forge(made: Json) -> None:
        for submission in (made["rulebooks"][0]["submission"], made["entries"][0]["record"]["submission"]):
            submission.update(fields)
        del made["entries"][5:]
        signed_again(made)

    return forge


def _other_in_the_opening(made: Json) -> None:
    made["entries"][0]["record"]["submission"]["decks"] = 6
    del made["entries"][5:]
    signed_again(made)


def _edition_of_another_name(made: Json) -> None:
    _submitted(ruleset="our-own")(made)
    made["rulebooks"][0]["edition"] = source_of("ma-midi-4")


# ------------------------------------------------------------------------------------------------------- form


UNREAD: dict[str, Callable[[bytes], bytes]] = {
    "nested-deeply": lambda data: data.replace(b'"proof":[', b'"proof":[' + b"[" * 5_000 + b"]" * 5_000 + b",", 1),
    "number-of-5000-digits": lambda data: data.replace(b'"bundle":1', b'"bundle":' + b"1" * 5_000, 1),
    "root-not-base64": lambda data: canonical(_unsigned(json.loads(data))),
}


def _unsigned(made: Json) -> Json:
    del made["checkpoint"]
    return made | {"tree_head": {"size": len(made["entries"]), "root": "A" * 42 + "B="}}


def forms() -> Kinds:
    """Bundles that cannot be read."""
    names = Names("unreadable", "unreadable", "unreadable")
    make = of_kind("bundle-read-by-nobody", "outsider", "a file ends a reader before he has read it", names)
    unread = {"status": UNREADABLE, "status_without_rules": UNREADABLE, "is_bundle": True}
    data = canonical(bundle("short"))
    yield make.kind, [make.case(name, change(data), **unread) for name, change in UNREAD.items()]


def cases() -> Kinds:
    """All of them."""
    yield from late_records()
    yield from states()
    yield from rules()
    yield from forms()
