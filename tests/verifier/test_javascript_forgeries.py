"""Forged and unreadable files: the verifier in JavaScript refuses each, says where, and never loses its footing."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from bundles import short_shoes
from javascript import call_verifier, failed, play, reports_of
from paths import ROOT
from two_verifiers import both

pytestmark = pytest.mark.slow

Json = Any
EXAMPLE = ROOT / "docs" / "examples" / "round.bundle.json"


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("journal"), "ma-midi-4", "one")


# ------------------------------------------------------------------------------------------------------------ forgeries


def leaves(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inner is None:
        yield path
    else:
        for key, one in inner:
            yield from leaves(one, (*path, key))


def changed(value: Json) -> Json:
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    return ("1" if value[:1] != "1" else "2") + value[1:]


def with_change(value: Json, path: tuple[str | int, ...]) -> Json:
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = changed(inner[path[-1]])
    return copy


def is_bound(path: tuple[str | int, ...]) -> bool:
    """Whether this verifier can see a change there: not in what is only stated, signed, or nothing hangs on."""
    stated = path[:2] == ("before", "state") or path == ("scope", "shoe")
    return not (stated or path[0] in {"program", "keys"} or path == ("checkpoint",))


@pytest.mark.slow
def test_a_bundle_with_any_one_field_changed_is_refused() -> None:
    bundle = json.loads(EXAMPLE.read_bytes())
    paths = [path for path in leaves(bundle) if is_bound(path)]
    chosen = random.Random(4).sample(paths, 250) + [path for path in paths if path[0] != "entries"]
    texts = [json.dumps(with_change(bundle, path), ensure_ascii=False) for path in chosen]
    assert call_verifier([["verify", json.dumps(bundle, indent=2)]])[0]["status"] == 3
    for path, report in zip(chosen, call_verifier([["verify", text] for text in texts]), strict=True):
        assert report["status"] in {1, 2}, path
        assert report["status"] == 1 or report["message"], path


def test_a_changed_checkpoint_is_refused() -> None:
    bundle = json.loads(EXAMPLE.read_bytes())
    name, size, root, *rest = bundle["checkpoint"].split("\n")
    others = [
        [name, "385", root],
        [name, str(int(size) + 512), root],
        [name, size, "A" + root[1:]],
        [name, "0", root],
        [name, "x", root],
        [name, size, "?"],
    ]
    texts = [json.dumps(bundle | {"checkpoint": "\n".join([*other, *rest])}) for other in others]
    assert [report["status"] for report in call_verifier([["verify", text] for text in texts])] == [1, 1, 1, 2, 2, 2]


Records = list[dict[str, Json]]


def rewritten(records: Records) -> str:
    """A journal of these records with every hash made anew, as whoever holds all copies of it could forge it."""
    before, lines = bytes(32), []
    for record in records:
        body = rfc8785.dumps(record)
        before = hashlib.sha256(before + body).digest()
        lines.append(f'{{"hash":"{before.hex()}","record":{body.decode()}}}\n')
    return "".join(lines)


def bodies(path: Path) -> Records:
    return [json.loads(line)["record"] for line in path.read_bytes().splitlines()]


def event_of(records: Records, name: str, number: int = 0) -> Json:
    found = [event for record in records for event in record.get("events", ()) if event["event"] == name]
    return found[number]


def command_of(records: Records, name: str) -> Json:
    return next(record["command"] for record in records if record.get("command", {}).get("do") == name)


def without_seed(records: Records) -> None:
    first = next(
        i for i, record in enumerate(records) if record.get("command", {}).get("do") in {"reveal_seed", "abandon_shoe"}
    )
    del records[first:]


def change_suit(card: Json) -> None:
    card["suit"] = "s" if card["suit"] != "s" else "h"


def other_card_in_event(records: Records) -> None:
    change_suit(event_of(records, "card_turned", 2)["card"])


def other_card_in_command(records: Records) -> None:
    change_suit(command_of(records, "turn_card")["card"])


def other_card_in_event_without_seed(records: Records) -> None:
    without_seed(records)
    other_card_in_event(records)


def other_salt_without_seed(records: Records) -> None:
    without_seed(records)
    command_of(records, "turn_card")["proof"]["salt"] = "00" * 16


def contribution_after_seal(records: Records) -> None:
    at = next(i for i, record in enumerate(records) if record.get("command", {}).get("do") == "cut_cards")
    records[at]["events"][0] = {"event": "contribution_made", "seat": 1, "value": "late", "cites": []}


def closed_without_seed(records: Records) -> None:
    event_of(records, "seed_revealed")["event"] = "step"


FORGERIES: dict[str, tuple[Callable[[Records], Json], set[str]]] = {
    "another card in an event": (other_card_in_event, {"proofs of cards", "seeds"}),
    "no card in an event": (lambda r: event_of(r, "card_turned")["card"].update(suit="x"), {"shoes", "seeds"}),
    "another position in an event": (lambda r: event_of(r, "card_turned").update(position=400), {"seeds"}),
    "a position beyond the shoe": (lambda r: event_of(r, "card_turned").update(position=416), {"shoes"}),
    "another seed": (lambda r: event_of(r, "seed_revealed").update(seed="11" * 32), {"seeds"}),
    "no seed": (lambda r: event_of(r, "seed_revealed").update(seed="none"), {"seeds"}),
    "closed without its seed": (closed_without_seed, {"seeds"}),
    "another commitment": (lambda r: event_of(r, "shoe_committed").update(commitment="11" * 32), {"seeds"}),
    "another table": (lambda r: event_of(r, "shoe_committed").update(table="2"), {"seeds"}),
    "another shoe": (lambda r: event_of(r, "shoe_committed").update(shoe="9"), {"seeds"}),
    "another rulebook": (lambda r: event_of(r, "shoe_committed").update(rulebook="22" * 32), {"seeds"}),
    "other decks": (lambda r: event_of(r, "shoe_committed").update(decks=7), {"seeds"}),
    "no number of decks": (lambda r: event_of(r, "shoe_committed").update(decks=2**50), {"shoes"}),
    "another root": (lambda r: event_of(r, "order_sealed").update(root="33" * 32), {"seeds", "proofs of cards"}),
    "no root": (lambda r: event_of(r, "order_sealed").update(root=7), {"shoes"}),
    "another cut": (lambda r: event_of(r, "cards_cut").update(in_front=11), {"seeds", "proofs of cards"}),
    "no cut": (lambda r: event_of(r, "cards_cut").update(in_front=-1), {"shoes"}),
    "no proof": (lambda r: command_of(r, "turn_card").pop("proof"), {"proofs of cards"}),
    "a proof of another form": (lambda r: command_of(r, "turn_card").update(proof=[]), {"proofs of cards"}),
    "a shorter path": (lambda r: command_of(r, "turn_card")["proof"]["path"].pop(), {"proofs of cards"}),
    "another card in a command": (other_card_in_command, {"proofs of cards"}),
    "a contribution after the seal": (contribution_after_seal, {"shoes"}),
    "another salt, no seed yet": (other_salt_without_seed, {"proofs of cards"}),
    "another card in an event, no seed yet": (other_card_in_event_without_seed, {"proofs of cards"}),
    "a record taken out": (lambda r: r.pop(9), {"entries"}),
    "a record twice": (lambda r: r.insert(9, r[9]), {"entries"}),
    "the opening taken out": (lambda r: r.pop(0), {"entries", "chain"}),
    "another number of an event": (lambda r: r[9].update(event=99), {"entries"}),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_with_every_hash_made_anew_is_found_where_it_stands(journal: Path, tmp_path: Path, name: str) -> None:
    forge, expected = FORGERIES[name]
    records = bodies(journal)
    forged = tmp_path / "forged.jsonl"
    forge(records)
    forged.write_text(rewritten(records))
    (report,) = reports_of([forged])
    assert report["status"] == 1
    assert failed(report) >= expected, report
    assert all(
        fault["where"] and fault["expected"] != fault["found"]
        for check in report["checks"]
        for fault in check["faults"]
    )


def test_what_this_verifier_finds_the_one_in_python_finds_too(journal: Path, tmp_path: Path) -> None:
    paths = []
    for number, (forge, _) in enumerate(FORGERIES.values()):
        records = bodies(journal)
        forge(records)
        paths.append(tmp_path / f"{number}.jsonl")
        paths[-1].write_text(rewritten(records))
    answers = dict(zip(FORGERIES, both(paths), strict=True))
    missed = [
        name for name, (python, javascript) in answers.items() if not {python.status, javascript.status} <= {1, 2}
    ]
    assert missed == []
    apart = {name: pair for name, pair in answers.items() if pair[0].first_line != pair[1].first_line}
    assert apart == {}


def test_an_honest_journal_written_anew_is_the_same(journal: Path) -> None:
    assert rewritten(bodies(journal)) == journal.read_text()


NOT_CANONICAL: dict[str, tuple[str, str]] = {
    "a space": ('"seq":1,', '"seq": 1,'),
    "keys in another order": ('"seq":1,"stream":"table terminal"', '"stream":"table terminal","seq":1'),
    "an escape that is not needed": ('"stream":"table', '"stream":"\\u0074able'),
}


@pytest.mark.parametrize("name", NOT_CANONICAL)
def test_a_body_that_is_not_canonical_is_refused_though_its_hash_is_right(
    journal: Path, tmp_path: Path, name: str
) -> None:
    opening, record = journal.read_text().splitlines(keepends=True)[:2]
    body = record[record.index('"record":') + 9 : -2]
    loose = body.replace(*NOT_CANONICAL[name])
    assert loose != body
    right = hashlib.sha256(bytes.fromhex(opening[9:73]) + loose.encode()).hexdigest()
    path = tmp_path / "loose.jsonl"
    path.write_text(f'{opening}{{"hash":"{right}","record":{loose}}}\n')
    (report,) = reports_of([path])
    assert (report["status"], report["message"]) == (2, "line 2: the body is not canonical")


def test_two_streams_of_one_journal_are_chained_each_by_itself(journal: Path, tmp_path: Path) -> None:
    lines = [data.splitlines(keepends=True) for data in (journal.read_bytes(), short_shoes(shoes=1))]
    path = tmp_path / "two.jsonl"
    path.write_bytes(b"".join(line for pair in zip_longest(*lines, fillvalue=b"") for line in pair))
    (report,) = reports_of([path])
    assert report["status"] == 3, report
    sizes = [(log["stream"], log["size"]) for log in report["logs"]]
    assert sizes == [("table terminal", len(lines[0])), ("table 1", len(lines[1]))]


def test_records_of_one_table_passed_off_as_those_of_another_are_found(journal: Path, tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(rewritten([record | {"stream": "table 2"} for record in bodies(journal)]))
    (report,) = reports_of([path])
    assert failed(report) == {"shoes"}
    faults = [fault for check in report["checks"] for fault in check["faults"]]
    assert [(fault["expected"], fault["found"]) for fault in faults] == [('"2"', '"terminal"')]


def test_a_changed_byte_of_a_journal_is_found_at_its_line(journal: Path, tmp_path: Path) -> None:
    lines = journal.read_bytes().splitlines(keepends=True)
    chance, paths, numbers = random.Random(5), [], []
    for case in range(60):
        number = chance.randrange(len(lines))
        at = chance.randrange(len(lines[number]) - 1)
        line = bytearray(lines[number])
        line[at] = chance.choice([byte for byte in range(0x20, 0x7F) if byte != line[at]])
        path = tmp_path / f"{case}.jsonl"
        path.write_bytes(b"".join([*lines[:number], bytes(line), *lines[number + 1 :]]))
        paths.append(path)
        numbers.append(number + 1)
    for report, number in zip(reports_of(paths), numbers, strict=True):
        found = {fault["where"].split(" (")[0] for check in report["checks"] for fault in check["faults"]}
        at_line = (
            f"line {number}" in found if report["status"] == 1 else report["message"].startswith(f"line {number}:")
        )
        # the first bytes also say that this is a journal at all
        assert at_line or (number == 1 and "neither a journal nor a bundle" in report["message"]), (number, report)


# ---------------------------------------------------------------------------------------------------- unreadable inputs

LINE = json.dumps({"hash": "0" * 64, "record": {}}, separators=(",", ":"))
BUNDLE = json.dumps({"bundle": 1})
UNREADABLE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "empty"),
    "binary": (bytes(range(256)) * 9, "not UTF-8"),
    "zero bytes": (bytes(100), "no JSON"),
    "a list": (b"[]", "neither a journal nor a bundle"),
    "a number": (b"7", "neither a journal nor a bundle"),
    "half a bundle": (BUNDLE[:-1].encode(), "half"),
    "half a text": (b'{"bundle', "half"),
    "half an escape": (b'{"a":"\\u00', "half"),
    "a line without its line feed": (LINE.encode(), "line 1: only half of the line has been written"),
    "a line of another form": (LINE.replace(":{", ": {").encode() + b"\n", "line 1: record: expected the field v"),
    "a space in a line": (LINE.replace(',"', ', "').encode() + b"\n", 'line 1: expected {"hash"'),
    "an empty body": (LINE.encode() + b"\n", "line 1: record: expected the field v"),
    "only a checkpoint": (b'{"checkpoint":"x"}\n', "checkpoint: expected the field stream"),
    "version 2": (b'{"bundle":2,"new":1}', "version 2; this verifier reads version 1 only"),
    "version true": (b'{"bundle":true}', "bundle: expected a version, found true"),
    "fields missing": (b'{"bundle":1}', "bundle: expected the field program"),
    "a field that is not known": (b'{"bundle":1,"__proto__":{}}', "bundle"),
    "a key twice": (b'{"bundle":1,"bundle":1}', 'the key "bundle" occurs twice'),
    "a key twice, once escaped": (b'{"bundle":1,"\\u0062undle":1}', 'the key "bundle" occurs twice'),
    "a float": (b'{"bundle":1.0}', "not written as a whole number"),
    "an exponent": (b'{"bundle":1e0}', "not written as a whole number"),
    "a leading zero": (b'{"bundle":01}', "begins with 0"),
    "a large number": (b'{"bundle":9007199254740992}', "above 2^53"),
    "a large negative number": (b'{"bundle":-9007199254740992}', "above 2^53"),
    "NaN": (b'{"bundle":NaN}', "no JSON"),
    "half a surrogate pair": (b'{"a":"\\ud800"}', "surrogate"),
    "a control character": (b'{"a":"\x01"}', "control character"),
    "a byte order mark": (b"\xef\xbb\xbf" + BUNDLE.encode(), "no JSON"),
    "something behind it": (b'{"bundle":1}{}', "something follows"),
    "nested too deep": (b"[" * 100_000, "nested more than"),
}


def test_unreadable_files_get_a_clear_message_and_status_2(tmp_path: Path) -> None:
    paths = []
    for name, (data, _) in UNREADABLE.items():
        paths.append(tmp_path / name)
        paths[-1].write_bytes(data)
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(2**40)  # takes no room: nothing is written
    reports = reports_of([*paths, huge, tmp_path, tmp_path / "missing"])
    for (name, (_, message)), report in zip(UNREADABLE.items(), reports, strict=False):
        assert report["status"] == 2, name
        assert message in report["message"], (name, report["message"])
        assert "could not finish" not in report["message"], name
    last = ["too large: more than 1 GiB", "cannot be read (EISDIR)", "there is no such file"]
    assert [report["message"] for report in reports[-3:]] == last


WRONG_VALUES: tuple[Json, ...] = (None, True, -1, 2**53 - 1, "", "x\u009b", [], [[]], {}, {"__proto__": 1}, "0" * 64)


def test_values_of_any_wrong_kind_anywhere_in_a_bundle_never_confuse_it() -> None:
    bundle = json.loads(EXAMPLE.read_bytes())
    bundle["entries"] = bundle["entries"][:30] + bundle["entries"][-1:]
    chance, texts = random.Random(6), []
    paths = list(leaves(bundle))
    inner = sorted({path[:end] for path in paths for end in range(1, len(path))}, key=repr)
    for path in chance.sample(paths, 150) + chance.sample(inner, 100):
        copy = json.loads(json.dumps(bundle))
        parent = copy
        for key in path[:-1]:
            parent = parent[key]
        parent[path[-1]] = chance.choice(WRONG_VALUES)
        texts.append(json.dumps(copy))
    for text, report in zip(texts, call_verifier([["verify", text] for text in texts]), strict=True):
        assert report["status"] in {1, 2}
        assert "could not finish" not in report["message"], (report["message"], text)
