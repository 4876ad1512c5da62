"""Bundles made up with every hash right: the verifier in JavaScript sees what does not belong together."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from javascript import call_verifier, failed, play

pytestmark = pytest.mark.slow

Json = Any
Bundle = dict[str, Json]


def tree_root(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b"\x01" + tree_root(leaves[:half]) + tree_root(leaves[half:])).digest()


def sealed(bundle: Bundle) -> Bundle:
    """The bundle with chain and tree made anew over its entries, as the whole of an unsigned log."""
    before = bytes(32)
    leaves = []
    for index, entry in enumerate(bundle["entries"]):
        body = rfc8785.dumps(entry["record"])
        if entry["record"]["seq"] == 0:
            before = bytes(32)
        before = hashlib.sha256(before + body).digest()
        entry |= {"index": index, "hash": before.hex()}
        leaves.append(hashlib.sha256(b"\0" + body).digest())
    bundle["tree_head"] = {"size": len(leaves), "root": base64.b64encode(tree_root(leaves)).decode()}
    return bundle


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Json]:
    journal: Path = play(tmp_path_factory.mktemp("journal"), "ma-midi-4", "two")
    return [json.loads(line)["record"] for line in journal.read_bytes().splitlines()]


def round_bundle(records: list[Json]) -> Bundle:
    """The first round of the table, as a log that ends there."""
    end = next(
        i for i, record in enumerate(records) if any(e["event"] == "table_cleared" for e in record.get("events", ()))
    )
    opening = json.loads(json.dumps(records[0]))
    return {
        "bundle": 1,
        "program": "a test",
        "scope": {"kind": "round", "stream": opening["stream"], "shoe": 1, "round": 1},
        "rulebooks": [{"hash": opening["rulebook"], "submission": opening["submission"]}],
        "entries": [{"record": record} for record in json.loads(json.dumps(records[: end + 1]))],
    }


def stated(bundle: Bundle, **fields: Json) -> Json:
    return bundle.update(before={"seq": 7, "events": 3, "hash": "00" * 32, "rulebook": "00" * 32, "state": {}} | fields)


def other_stream(bundle: Bundle) -> None:
    for entry in bundle["entries"]:
        entry["record"]["stream"] = "table 2"


def other_events(bundle: Bundle) -> None:
    for entry in bundle["entries"][5:]:
        entry["record"]["event"] += 1


def closed_on_the_way(bundle: Bundle) -> None:
    bundle["entries"][3]["record"]["events"][0]["event"] = "shoe_closed"


# what somebody changes before all hashes are made anew
MADE_UP: dict[str, tuple[Callable[[Bundle], Json], set[str]]] = {
    "another round": (lambda b: b["scope"].update(round=2), {"entries"}),
    "the second shoe without a state": (lambda b: b["scope"].update(shoe=2), {"entries"}),
    "the first shoe with a state": (stated, {"entries", "rulebooks"}),
    "a state before the first record": (lambda b: stated(b, seq=0, events=0), {"entries", "chain"}),
    "a record of the run left out": (lambda b: b["entries"].pop(20), {"entries"}),
    "the opening left out": (lambda b: b["entries"].pop(0), {"entries"}),
    "only the opening": (lambda b: b.update(entries=b["entries"][:1]), {"entries"}),
    "another stream": (other_stream, {"entries"}),
    "other numbers of events": (other_events, {"entries"}),
    "beyond the shoe's end": (closed_on_the_way, {"entries"}),
    "a day on which nothing was done": (
        lambda b: b.update(scope={"kind": "day", "stream": b["scope"]["stream"], "day": "1999-12-31"}),
        {"entries"},
    ),
    "everything, with a state before it": (
        lambda b: (stated(b), b.update(scope={"kind": "all", "stream": b["scope"]["stream"]})),
        {"entries"},
    ),
    "a rulebook that is not there": (lambda b: b["rulebooks"][0].update(hash="11" * 32), {"rulebooks"}),
    "another Submission": (lambda b: b["rulebooks"][0]["submission"].update(decks=6), {"rulebooks"}),
    "a hash too many in the proof": (lambda b: b.update(proof=[base64.b64encode(bytes(32)).decode()]), {"tree"}),
}


def test_a_bundle_with_every_hash_made_anew_is_refused_for_what_does_not_belong_together(records: list[Json]) -> None:
    bundles = [sealed(round_bundle(records))]
    for change, _ in MADE_UP.values():
        bundle = round_bundle(records)
        change(bundle)
        bundles.append(sealed(bundle))
    honest, *reports = call_verifier([["verify", json.dumps(bundle)] for bundle in bundles])
    assert honest["status"] == 3, [check["faults"] for check in honest["checks"]]
    for (name, (_, expected)), report in zip(MADE_UP.items(), reports, strict=True):
        assert report["status"] == 1, (name, report["message"])
        assert failed(report) >= expected, (name, report)


# what somebody changes afterwards
CHANGED: dict[str, tuple[Callable[[Bundle], Json], set[str]]] = {
    "a hash left out": (lambda b: b["entries"][4].pop("hash"), {"entries"}),
    "an index that is not its seq": (lambda b: b["entries"][-1].update(index=400), {"entries", "tree"}),
    "an index twice": (lambda b: b["entries"][4].update(index=3), {"entries", "tree"}),
    "a shorter log": (lambda b: b["tree_head"].update(size=9), {"entries", "tree"}),
    "a longer log": (lambda b: b["tree_head"].update(size=5000), {"tree"}),
    "no log": (lambda b: b["tree_head"].update(size=0), {"entries", "tree"}),
    "two entries exchanged": (lambda b: b["entries"].insert(3, b["entries"].pop(4)), {"entries", "chain", "tree"}),
    "an entry twice": (lambda b: b["entries"].insert(3, b["entries"][3]), {"entries", "tree"}),
    "a hash missing in the proof": (lambda b: b["entries"].pop(), {"tree"}),
}


def test_a_bundle_that_was_changed_afterwards_is_refused(records: list[Json]) -> None:
    bundles = [sealed(round_bundle(records)) for _ in CHANGED]
    for bundle, (change, _) in zip(bundles, CHANGED.values(), strict=True):
        change(bundle)
    reports = call_verifier([["verify", json.dumps(bundle)] for bundle in bundles])
    for (name, (_, expected)), report in zip(CHANGED.items(), reports, strict=True):
        assert report["status"] == 1, (name, report["message"])
        assert failed(report) >= expected, (name, report)


def test_a_bundle_needs_exactly_one_of_checkpoint_and_tree_head(records: list[Json]) -> None:
    bundle = sealed(round_bundle(records))
    both = bundle | {"checkpoint": "a\n1\n" + "A" * 43 + "=\n\n— a AAAA\n"}
    neither = {name: value for name, value in bundle.items() if name != "tree_head"}
    for report in call_verifier([["verify", json.dumps(one)] for one in (both, neither)]):
        assert report["status"] == 2
        assert "exactly one of checkpoint and tree_head" in report["message"]
