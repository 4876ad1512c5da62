"""The independent verifier finds what was forged, though all hashes are made anew."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import verify_baccarat as verifier
from baccarat.record.key import KeyKind, Signer
from remade import (
    Json,
    bundle_of,
    canonical,
    changed,
    edited,
    first_with,
    journal_of,
    kinds_of_field,
    records_of,
    renumbered,
)
from two_verifiers import both
from verifier_run import faulty, of_example

pytestmark = pytest.mark.slow


def sign_of(report: verifier.Report, name: str) -> str:
    """What came of one check."""
    return next(check.sign for check in report.checks if check.name == name)


@pytest.mark.slow
@pytest.mark.usefixtures("derived_once")
def test_any_field_that_is_changed_alone_is_found_at_its_line(folder: Path, records: list[Json]) -> None:
    heads = [json.loads(line) for line in (folder / "round.jsonl").read_bytes().splitlines()]
    hashes = [line["hash"] for line in heads if "record" in line]
    kinds = kinds_of_field(records)
    assert len(kinds) > 60
    lines = [b'{"hash":"%s","record":%s}\n' % (h.encode(), canonical(r)) for h, r in zip(hashes, records, strict=True)]
    for kind, (index, path) in kinds.items():
        forged = b'{"hash":"%s","record":%s}\n' % (hashes[index].encode(), canonical(edited(records[index], path)))
        report = verifier.verify(b"".join([*lines[:index], forged, *lines[index + 1 :]]))
        assert report.status in {1, 2}, kind
        shown = report.unreadable or str(next(c for c in report.checks if c.name == "chain").faults[0])
        assert shown.startswith(f"line {index + 1}"), (kind, shown)


REMADE: dict[str, tuple[str, str, str]] = {
    "table of the header": ("shoe_committed", "table", "seeds"),
    "shoe of the header": ("shoe_committed", "shoe", "shoes"),
    "rulebook of the header": ("shoe_committed", "rulebook", "seeds"),
    "decks of the header": ("shoe_committed", "decks", "seeds"),
    "commitment": ("shoe_committed", "commitment", "seeds"),
    "contribution": ("contribution_made", "value", "seeds"),
    "root": ("order_sealed", "root", "seeds"),
    "cut": ("cards_cut", "in_front", "card proofs"),
    "position of a card": ("burned_card_turned", "position", "seeds"),
    "seed": ("seed_revealed", "seed", "seeds"),
    "what became of the seed": ("shoe_closed", "seed", "shoes"),
}


@pytest.mark.parametrize("what", REMADE)
def test_a_change_of_the_shoe_is_found_though_all_hashes_are_remade(what: str, own: bytes) -> None:
    event, name, check = REMADE[what]
    forged = copy.deepcopy(records_of(own))
    index, found = first_with(forged, event)
    found[name] = changed(found[name])
    for data in (journal_of(forged), canonical(bundle_of(forged))):
        report = verifier.verify(data)
        assert report.status == 1, list(report.lines())
        assert check in faulty(report)
        assert not faulty(report) & {"chain", "tree", "entries", "form"}
    assert index


def in_turned(change: Callable[[Json], None]) -> Callable[[list[Json]], list[Json]]:
    """A forgery of the first record that turns a card with a proof."""

    def forge(records: list[Json]) -> list[Json]:
        change(next(record for record in records if record.get("command", {}).get("do") == "turn_card"))
        return records

    return forge


def other_card(record: Json) -> None:
    """Another card, in the command and the event alike."""
    for card in (record["command"]["card"], record["events"][0]["card"]):
        card["rank"] = "9" if card["rank"] != "9" else "8"


def without(event: str) -> Callable[[list[Json]], list[Json]]:
    """A forgery that leaves out the first record with this event, and numbers the rest anew."""

    def forge(records: list[Json]) -> list[Json]:
        index, _ = first_with(records, event)
        return renumbered([*records[:index], *records[index + 1 :]])

    return forge


def twice(event: str) -> Callable[[list[Json]], list[Json]]:
    """A forgery in which the first record with this event stands there twice, and all are numbered anew."""

    def forge(records: list[Json]) -> list[Json]:
        index, _ = first_with(records, event)
        return renumbered([*records[: index + 1], *copy.deepcopy(records[index:])])

    return forge


def renamed(records: list[Json], event: str, name: str, *, last: bool = False) -> list[Json]:
    """A forgery that gives the first event of a name, or the last one, another name."""
    found = [one for record in records for one in record.get("events", []) if one["event"] == event]
    found[-1 if last else 0]["event"] = name
    return records


def moved(event: str, *, after: str) -> Callable[[list[Json]], list[Json]]:
    """A forgery that puts one record after another, and numbers all anew."""

    def forge(records: list[Json]) -> list[Json]:
        index, _ = first_with(records, event)
        record = records.pop(index)
        at, _ = first_with(records, after)
        return renumbered([*records[: at + 1], record, *records[at + 1 :]])

    return forge


FORGED: dict[str, tuple[Callable[[list[Json]], list[Json]], str]] = {
    "another card": (in_turned(other_card), "card proofs"),
    "another card in the event only": (
        in_turned(lambda record: record["events"][0]["card"].update(suit=changed("x"), rank="2")),
        "shoes",
    ),
    "another salt": (in_turned(lambda record: record["command"]["proof"].update(salt="0" * 32)), "card proofs"),
    "a salt of the wrong type": (in_turned(lambda record: record["command"]["proof"].update(salt=7)), "card proofs"),
    "a path cut short": (in_turned(lambda record: record["command"]["proof"]["path"].pop()), "card proofs"),
    "a path too long": (in_turned(lambda record: record["command"]["proof"]["path"].append("0" * 64)), "card proofs"),
    "a path out of order": (in_turned(lambda record: record["command"]["proof"]["path"].reverse()), "card proofs"),
    "no proof": (in_turned(lambda record: record["command"].pop("proof")), "card proofs"),
    "another position in the command": (in_turned(lambda record: record["command"].update(position=5)), "card proofs"),
    "a position beyond the shoe": (in_turned(lambda record: record["command"].update(position=416)), "card proofs"),
    "a position of the wrong type": (in_turned(lambda record: record["command"].update(position="0")), "card proofs"),
    "no commitment": (without("shoe_committed"), "shoes"),
    "no contribution": (without("contribution_made"), "seeds"),
    "no seal": (without("order_sealed"), "shoes"),
    "no end of a shoe": (without("shoe_closed"), "shoes"),
    "the seed opened twice": (twice("seed_revealed"), "seeds"),
    "lost after it was opened": (
        lambda records: renamed(twice("seed_revealed")(records), "seed_revealed", "seed_lost", last=True), "shoes"),
    "called disproved": (lambda records: renamed(records, "seed_revealed", "order_disproved"), "seeds"),
    "no seed": (without("seed_revealed"), "shoes"),
    "sealed after the cut": (moved("order_sealed", after="cards_cut"), "shoes"),
    "contributed after the seal": (moved("contribution_made", after="order_sealed"), "shoes"),
    "contributions exchanged": (
        moved("contribution_made", after="contribution_made"),
        "seeds",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_shoe_is_found_though_all_hashes_are_remade(what: str, own: bytes) -> None:
    forge, check = FORGED[what]
    report = verifier.verify(journal_of(forge(records_of(own))))
    assert report.status == 1, list(report.lines())
    assert check in faulty(report), list(report.lines())
    assert not faulty(report) & {"chain", "form"}, list(report.lines())


def test_what_this_verifier_finds_in_forged_shoes_the_one_in_javascript_finds_too(own: bytes, tmp_path: Path) -> None:
    journals: dict[str, bytes] = {}
    for what, (forge, _) in FORGED.items():
        journals[what] = journal_of(forge(records_of(own)))
    for what, (event, name, _) in REMADE.items():
        forged = records_of(own)
        found = first_with(forged, event)[1]
        found[name] = changed(found[name])
        journals[what] = journal_of(forged)
    paths = [tmp_path / f"{number}.jsonl" for number in range(len(journals))]
    for path, data in zip(paths, journals.values(), strict=True):
        path.write_bytes(data)
    answers = dict(zip(journals, both(paths), strict=True))
    missed = [
        what for what, (python, javascript) in answers.items() if not {python.status, javascript.status} <= {1, 2}
    ]
    assert missed == []
    apart = {what: pair for what, pair in answers.items() if pair[0].first_line != pair[1].first_line}
    assert apart == {}


def test_a_payment_changed_with_all_hashes_remade_is_said_to_be_unchecked(records: list[Json]) -> None:
    forged = copy.deepcopy(records)
    _, wager = first_with(forged, "wager_placed")
    wager["stake"] += 100
    report = verifier.verify(journal_of(forged))
    assert (report.status, sign_of(report, "decided again"), sign_of(report, "signatures")) == (3, "–", "–")


def test_a_checkpoint_in_the_journal_or_beside_it_shows_what_was_rewritten(folder: Path, records: list[Json]) -> None:
    lines = (folder / "round.jsonl").read_bytes().splitlines(keepends=True)
    *_, last = (index for index, line in enumerate(lines) if line.startswith(b'{"checkpoint"'))
    at = sum(line.startswith(b'{"hash"') for line in lines[:last])
    forged = copy.deepcopy(records)
    _, wager = first_with(forged, "wager_placed")
    wager["stake"] += 100
    remade = journal_of(forged).splitlines(keepends=True)
    report = verifier.verify(b"".join([*remade[:at], lines[last], *remade[at:]]))
    assert faulty(report) == {"checkpoints"}
    beside = {"note": (folder / "round.jsonl.checkpoint").read_bytes()}
    assert faulty(verifier.verify(b"".join(remade), beside)) == {"checkpoint"}
    assert faulty(verifier.verify(b"".join(remade[:-1]), beside)) == {"checkpoint"}


@pytest.mark.slow
@pytest.mark.usefixtures("derived_once")
@pytest.mark.parametrize("name", ["all", "shoe", "round", "day"])
def test_any_field_of_a_bundle_that_is_changed_alone_is_found(name: str, folder: Path) -> None:
    bundle = json.loads((folder / f"{name}.json").read_bytes())
    kinds = kinds_of_field([{key: value for key, value in bundle.items() if key not in {"rulebooks", "program"}}])
    kinds |= {"rulebooks": (0, ("rulebooks", 0, "hash")), "filed": (0, ("rulebooks", 0, "submission", "decks"))}
    assert len(kinds) > 60
    for kind in ("checkpoint", "keys.[]"):  # they begin with a name that only the signature binds
        kinds.pop(kind, None)
    found = {kind: verifier.verify(canonical(edited(bundle, path))).status for kind, (_, path) in kinds.items()}
    assert [kind for kind, status in found.items() if status not in {1, 2}] == []


def swapped(values: list[object]) -> None:
    """Exchange the first two."""
    values[0], values[1] = values[1], values[0]


def with_other_sign(text: str, *, line: int, at: int) -> str:
    """A text with one sign of a line changed to another that base64 may have."""
    lines = text.split("\n")
    sign = "A" if lines[line][at] != "A" else "B"
    lines[line] = lines[line][:at] + sign + lines[line][at + 1 :]
    return "\n".join(lines)


OTHER_KEY = str(Signer("example.org/house/table/1", KeyKind.LOG, bytes(32)).verifier)
BUNDLES: dict[str, tuple[Callable[[Json], object], str]] = {
    "another state before: hash": (lambda b: b["before"].update(hash="0" * 64), "chain"),
    "another state before: seq": (lambda b: b["before"].update(seq=161), "chain"),
    "another state before: events": (lambda b: b["before"].update(events=220), "chain"),
    "no state before": (lambda b: b.pop("before"), "chain"),
    "a record left out": (lambda b: b["entries"].pop(7), "chain"),
    "the last record left out": (lambda b: b["entries"].pop(-2), "tree"),
    "the opening left out": (lambda b: b["entries"].pop(0), "chain"),
    "records exchanged": (lambda b: swapped(b["entries"]), "entries"),
    "a record twice": (lambda b: b["entries"].insert(3, b["entries"][3]), "entries"),
    "an index too high": (lambda b: b["entries"][-1].update(index=387), "tree"),
    "an index that is not `seq`": (lambda b: b["entries"][-1].update(index=384), "entries"),
    "a hash of the proof left out": (lambda b: b["proof"].pop(), "tree"),
    "a hash of the proof too many": (lambda b: b["proof"].append(b["proof"][0]), "tree"),
    "hashes of the proof exchanged": (lambda b: swapped(b["proof"]), "tree"),
    "the size": (lambda b: b.update(checkpoint=b["checkpoint"].replace("\n436\n", "\n400\n")), "tree"),
    "the root": (lambda b: b.update(checkpoint=with_other_sign(b["checkpoint"], line=2, at=4)), "tree"),
    "the round": (lambda b: b["scope"].update(round=3), "entries"),
    "the shoe": (lambda b: b["scope"].update(shoe=1), "entries"),
    "the stream": (lambda b: b["scope"].update(stream="table 2"), "entries"),
    "another kind": (lambda b: b.update(scope={"kind": "shoe", "stream": "table 1", "shoe": 3}), "entries"),
    "a key that has not signed": (lambda b: b["keys"].__setitem__(0, OTHER_KEY), "keys"),
    "a signature": (lambda b: b.update(checkpoint=with_other_sign(b["checkpoint"], line=4, at=60)), "keys"),
    "no such rulebook": (lambda b: b["rulebooks"][0].update(hash="0" * 64), "rulebooks"),
    "another Submission": (lambda b: b["rulebooks"][0]["submission"].update(decks=6), "rulebooks"),
    "a late record with another event": (
        lambda b: b["entries"][-1]["record"]["events"][0].update(event="step"),
        "entries",
    ),
    "a hash missing within the run": (lambda b: b["entries"][9].pop("hash"), "chain"),
}


@pytest.mark.parametrize("what", BUNDLES)
def test_a_forged_bundle_is_found(what: str) -> None:
    change, check = BUNDLES[what]
    report = verifier.verify(of_example(change))
    assert report.status == 1, list(report.lines())
    assert check in faulty(report), list(report.lines())


def test_a_bundle_without_its_late_record_says_that_no_seed_is_there(folder: Path) -> None:
    bundle = json.loads((folder / "round.json").read_bytes())
    records = [entry["record"] for entry in bundle["entries"][:-1]]
    made = bundle_of(records) | {"scope": bundle["scope"]}
    report = verifier.verify(canonical(made))
    assert (report.status, sign_of(report, "seeds"), sign_of(report, "card proofs")) == (3, "–", "✓")


def test_several_streams_in_one_file_are_chains_of_their_own(records: list[Json], own: bytes) -> None:
    mixed = [record for pair in zip(records, records_of(own), strict=False) for record in pair]
    report = verifier.verify(journal_of(mixed))
    assert report.status == 3, list(report.lines())
    assert next(check.text for check in report.checks if check.name == "shoes").startswith("3 electronic")
    exchanged = journal_of(mixed).splitlines(keepends=True)
    exchanged[4], exchanged[6] = exchanged[6], exchanged[4]
    assert faulty(verifier.verify(b"".join(exchanged))) == {"chain"}


def test_records_of_one_table_passed_off_as_those_of_another_are_found(records: list[Json]) -> None:
    report = verifier.verify(journal_of([record | {"stream": "table 2"} for record in records]))
    assert faulty(report) == {"shoes"}
    assert 'the table for which a shoe commits: expected "2", found "terminal"' in "".join(report.lines())
