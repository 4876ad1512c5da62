"""What cannot be read is told in our words, with the field and what may stand there; never in those of a library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.audit.bundle.form import Scope, UnreadableBundle, read_bundle, write_bundle
from baccarat.audit.journal import JournalAudit
from baccarat.audit.program import read_manifest
from baccarat.engine.redecide import RecordDifference, command_of, house_command_of
from baccarat.engine.table_snapshot import StaleSnapshot, restore_table, take_snapshot
from baccarat.house.stream import Stream
from baccarat.record.directory import Directory, UnreadableDirectory
from baccarat.record.entry import read_body
from baccarat.record.journal import BODY_START, JournalFault, JournalReader
from baccarat.record.wire import KINDS
from bundles import bundle_of, short_shoes
from kept import first_fault, kept_table, lines_of, rehashed, short_journal

LIBRARY = ("Expected `", "Object ", "$.", "`$`", "malformed", "JSONDecodeError", "truncated", "Input data")
"""Words of those who read JSON, which are not ours."""
GARBAGE: tuple[Any, ...] = (
    None, True, 1.5, -1, 2**60, 10**25, "", "x", "\x1b[2J", "9" * 300, [], [7], [[]], [{}], {}, {"x": 7}, {"x": {}},
)  # fmt: skip


def in_our_words(said: str) -> str:
    assert not any(word in said for word in LIBRARY), said
    assert said.isprintable(), said
    return said


def bodies() -> list[dict[str, Any]]:
    return [msgspec.json.decode(line[BODY_START:-2]) for _, line in lines_of(short_journal())]


def canonical_json(value: Any) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def why_no_entry(body: bytes) -> str:
    """What is said of a body that is no entry."""
    try:
        read_body(body)
    except ValueError as error:
        return in_our_words(str(error))
    raise AssertionError(f"{body[:200]!r} is taken for an entry")


# ------------------------------------------------------------------------------------------ entries


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rulebook": "0" * 63}, f"rulebook: '{'0' * 56}… is not 64 hexadecimal digits"),
        ({"stream": "Table 1"}, "stream: 'Table 1' is not the name of a stream, such as \"table 3\""),
        ({"seq": "3"}, "seq: '3' is not a whole number from 1 to 9007199254740991"),
        ({"who": ""}, "who: '' is not a text of 1 to 200 visible characters"),
        ({"who": "\x1b[2J"}, r"who: '\x1b[2J' is not a text of 1 to 200 visible characters"),
        ({"id": "x" * 201}, f"id: '{'x' * 56}… is not a text of at most 200 visible characters"),
        ({"id": "a\n"}, r"id: 'a\n' is not a text of at most 200 visible characters"),
        ({"device": "\u202e"}, "device: "),
        ({"device": "x" * 201, "id": "y"}, "device: "),
        ({"role": "dealr"}, "role: 'dealr' is not allowed; expected one of"),
        ({"extra": 2}, "extra: no such key here"),
        ({"approvals": [{"who": "p1"}]}, "approvals[0]: 'role' is missing"),
        ({"v": "1"}, "v: '1' is not a whole number"),
        (
            {"v": 2, "surplus": "of a later version"},
            "version 2 of the journal's form is newer",
        ),
    ],
)
def test_a_record_that_is_none_is_told_with_the_field(change: dict[str, Any], said: str) -> None:
    why = why_no_entry(canonical_json(bodies()[3] | change))
    assert why.startswith(said), why


@pytest.mark.parametrize("field", ["v", "stream", "seq", "event", "rulebook", "behaviour"])
def test_a_field_that_is_missing_is_named(field: str) -> None:
    body = bodies()[3]
    del body[field]
    assert f"'{field}' is missing" in why_no_entry(canonical_json(body))


@pytest.mark.parametrize("index", [0, 3])
def test_whatever_stands_in_a_field_of_an_entry_is_told_in_our_words(index: int) -> None:
    body = bodies()[index]
    for field in (*body, "device", "id", "approvals", "joined", "cause", "origin", "at", "shown", "surplus"):
        for garbage in GARBAGE:
            try:
                read_body(canonical_json(body | {field: garbage}))
            except ValueError as error:
                said = in_our_words(str(error))
                assert field in said or "canonical" in said or "version" in said


def test_texts_within_their_bounds_are_read_whatever_their_letters() -> None:
    change = {"id": "ä" * 200, "device": "卓 3", "who": "Ω"}
    entry = read_body(canonical_json(bodies()[3] | change))
    assert msgspec.structs.asdict(entry).items() >= change.items()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "not JSON: it ends half-way"),
        (b'{"v":1,', "not JSON: it ends half-way"),
        (b'{"v":x}', "not JSON: its byte 6 is not allowed there"),
        (b'{"stream":"\xff"}', "not UTF-8"),
        (b"[" * 60_000, "nested too deeply"),
        (b'{"v":1e999}', "a number is larger than every reader of JSON can read"),
        (b"[]", "an empty list is not an object with v, stream, seq, event, rulebook, behaviour"),
    ],
)
def test_what_is_no_json_is_told_in_our_words(body: bytes, said: str) -> None:
    assert why_no_entry(body) == said


def test_an_audit_tells_it_so_too() -> None:
    lines = [line for _, line in lines_of(short_journal())]
    forged = rehashed([*lines[:3], lines[3].replace(b'"event":', b'"event":"",   "events_before":'), *lines[4:]])
    audit = JournalAudit()
    audit.lines(enumerate(forged, start=1), file="journal")
    (finding,) = audit.report().findings
    assert (finding.line, finding.kind) == (4, "unreadable")
    assert "events_before: no such key here; did you mean" in in_our_words(finding.say)


def test_a_checkpoint_that_is_none_is_told_in_our_words() -> None:
    for line, said in (
        (b'{"checkpoint":3,"stream":"table 1"}\n', "not a checkpoint: checkpoint: 3 is not a text"),
        (b'{"checkpoint":"x"}\n', "not a checkpoint: 'stream' is missing: a text"),
        (b'{"checkpoint":"x","stream":"x"\n', "not a checkpoint: not JSON: it ends half-way"),
        (b'{"checkpoint":' + b"[" * 50_000 + b"\n", "not a checkpoint: nested too deeply"),
    ):
        with pytest.raises(JournalFault) as raised:
            JournalReader().line(1, line)
        assert in_our_words(raised.value.say) == said


# ----------------------------------------------------------------------------------------- commands


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ({"do": "place_wagr"}, "not a command: there is no command 'place_wagr'; did you mean 'place_wager'?"),
        ({"seat": 1}, "not a command: expected an object with the name of the command as 'do'"),
        ([], "not a command: expected an object with the name of the command as 'do'"),
        ({"do": "place_wager", "seat": 1, "on": "tie"}, "not a command: place_wager: 'stake' is missing: a sum"),
        ({"do": "sit", "seat": 10**6, "person": "p"}, "not a command: sit: seat: 1000000 is not a whole number from 0"),
        ({"do": "show_meters", "meters": {"star": "1", "heart": "much"}}, "not a command: show_meters: meters.heart: "),
        ({"do": "show_meters", "meters": 7}, "not a command: show_meters: meters: 7 is not an object"),
    ],
)
def test_a_command_that_is_none_is_told_with_its_name_and_the_field(command: Any, said: str) -> None:
    found = command_of(canonical_json(command))
    assert isinstance(found, RecordDifference)
    assert in_our_words(found.say).startswith(said)


@pytest.mark.parametrize("name", KINDS)
def test_whatever_stands_in_a_field_of_a_command_is_told_in_our_words(name: str) -> None:
    for field in (*KINDS[name].__struct_fields__, "surplus"):
        for garbage in GARBAGE:
            found = command_of(canonical_json({"do": name, field: garbage}))
            if isinstance(found, RecordDifference):
                in_our_words(found.say)


def test_a_command_of_the_house_that_is_none_is_told_in_our_words() -> None:
    found = house_command_of(Stream("cage"), b'{"do":"count_cage"}')
    assert isinstance(found, RecordDifference)
    assert in_our_words(found.say).startswith("not a command: there is no command 'count_cage'")
    found = house_command_of(Stream("cage"), b'{"do":')
    assert isinstance(found, RecordDifference)
    assert in_our_words(found.say) == "not a command: not JSON: it ends half-way"


def test_a_journal_with_such_a_command_is_told_so() -> None:
    lines = [line for _, line in lines_of(short_journal())]
    index = next(at for at, line in enumerate(lines) if b'"do":"place_wager"' in line)
    forged = lines[index].replace(b'"stake":', b'"stake":-', 1)
    found = first_fault(b"".join(rehashed([*lines[:index], forged, *lines[index + 1 :]])))
    assert found is not None
    in_our_words(found[1])


# -------------------------------------------------------------------------------------- other files


def _snapshot(tmp_path: Path) -> dict[str, Any]:
    from baccarat.law.rulebook import rulebook  # noqa: PLC0415

    table = kept_table(tmp_path / "journal.jsonl", rulebook("ma-midi-4-royal9"))
    data = take_snapshot(table, stream=Stream("table 1"), seq=0, events=0, hash_=bytes(32))
    table.file.close()
    found: dict[str, Any] = msgspec.json.decode(data)
    return found


def test_a_snapshot_that_is_none_is_told_in_our_words(tmp_path: Path) -> None:
    whole = _snapshot(tmp_path)
    state = whole["state"]
    cases: list[tuple[dict[str, Any], str]] = [
        ({"hash": "x"}, "not a snapshot of a table: hash: 'x' is not 64 hexadecimal digits"),
        ({"state": []}, "not a snapshot of a table: state: an empty list is not an object"),
        ({"state": state | {"step": 3}}, "not a snapshot of a table: state: step: 3 is not a text"),
        ({"state": state | {"meters": []}}, "not a snapshot of a table: state: meters: an empty list is not an object"),
        (
            {"state": state | {"meters": state["meters"] | {"amounts": 7}}},
            "not a snapshot of a table: state: meters.amounts: 7",
        ),
    ]
    for change, said in cases:
        with pytest.raises(StaleSnapshot) as raised:
            restore_table(msgspec.json.encode(whole | change), event_at=lambda _number: None)
        assert in_our_words(str(raised.value)).startswith(said)


def test_a_directory_is_told_in_our_words(tmp_path: Path) -> None:
    path = tmp_path / "names"
    path.write_bytes(b'{"names":1}\n{"id":7}\n')
    with pytest.raises(UnreadableDirectory) as raised:
        Directory.load(path)
    assert in_our_words(str(raised.value)).startswith("line 2: not an entry of a directory: ")


def test_a_manifest_is_told_in_our_words() -> None:
    for data in (b"", b"[]", b'{"files":3}', b"\xff", b"[" * 50_000):
        with pytest.raises(ValueError, match="not a manifest: ") as raised:
            read_manifest(data)
        in_our_words(str(raised.value))


@pytest.mark.slow
def test_whatever_stands_in_a_field_of_a_bundle_is_told_in_our_words() -> None:
    bundle = bundle_of(short_shoes(), Scope(kind="shoe", stream=Stream("table 1"), shoe=2))
    whole: dict[str, Any] = msgspec.json.decode(write_bundle(bundle))
    for field in (*whole, "tree_head", "surplus"):
        for garbage in GARBAGE:
            try:
                read_bundle(msgspec.json.encode(whole | {field: garbage}))
            except UnreadableBundle as error:
                said = in_our_words(str(error))
                assert field in said or "whole number" in said
    for part in ("scope", "before"):
        for field in whole[part].keys() - {"state"}:
            with pytest.raises(UnreadableBundle) as raised:
                read_bundle(msgspec.json.encode(whole | {part: whole[part] | {field: [7]}}))
            assert f"no bundle: {part}.{field}: a list is not" in in_our_words(str(raised.value))
    with pytest.raises(UnreadableBundle, match=r"no bundle: proof\[0\]: 'x' is not 32 bytes in base64"):
        read_bundle(msgspec.json.encode(whole | {"proof": ["x"]}))
