"""A house's journal that somebody has written anew: `verify` and `audit` find it, and neither ends in a trace."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from baccarat.audit.finding import AuditReport
from baccarat.audit.journal import JournalAudit
from baccarat.audit.table_stream import OTHERWISE_IN_HOUSE
from baccarat.cli import app
from baccarat.engine.entries import opening_of
from baccarat.house.stream import HOUSE_STREAM, Stream
from baccarat.law.rulebook import rulebook
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.entry import NO_HASH, body_of, hash_after
from baccarat.record.journal import BODY_START, write_line, write_note
from baccarat.record.key import KeyKind, Signer
from baccarat.record.origin import origin_of
from bundles import SHORT, short_shoes
from house_journal import form_journal, house_journal
from house_ruled_otherwise import day_closed, raised_by_a_player

HOUSE = Signer("example.org/house", KeyKind.LOG, bytes([1]) * 32)
Record = dict[str, Any]


def records_of(lines: list[bytes]) -> list[Record]:
    """The bodies of a journal's entries."""
    return [json.loads(line[BODY_START:-2]) for line in lines]


def signed(records: list[Record]) -> bytes:
    """A journal of these entries with every hash made anew, and at the end a checkpoint of each stream by the house."""
    heads: dict[Stream, bytes] = {}
    bodies: dict[Stream, list[bytes]] = {}
    lines: list[bytes] = []
    for record in records:
        stream, body = Stream(record["stream"]), msgspec.json.encode(record, order="sorted")
        heads[stream] = hash_after(heads.get(stream, NO_HASH), body)
        bodies.setdefault(stream, []).append(body)
        lines.append(write_line(body, heads[stream]))
    for stream, held in bodies.items():
        origin = origin_of(HOUSE.verifier.name, stream)
        lines.append(write_note(sign_checkpoint(checkpoint_of(origin, held), HOUSE.with_name(origin)), stream))
    return b"".join(lines)


def answer(tmp_path: Path, data: bytes, verb: str) -> tuple[int, str]:
    """The status of a verb for a journal that the house has signed, and what it says; whatever happens, no trace."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(data)
    done = CliRunner().invoke(app, [verb, str(path), "--key", str(HOUSE.verifier)], env={"COLUMNS": "400"})
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, " ".join((done.stdout + done.stderr).split())


def house_opening() -> Record:
    """The opening of a house that plays by the rules of the short shoes."""
    found: Record = json.loads(body_of(opening_of(rulebook("ma-midi-4", cover_card_depth=SHORT), HOUSE_STREAM)))
    return found


def invented_refusal() -> list[Record]:
    """A table's journal in which a wager that was taken is said to have been refused, by a rule of the house."""
    records = records_of(short_shoes().splitlines(keepends=True))
    index = next(at for at, each in enumerate(records) if each.get("command", {}).get("do") == "place_wager")
    count = len(records[index].pop("events"))
    records[index]["refused"] = {"cites": ["ma-midi-4 §8(a)"], "code": "wrong_step", "what": "wrong_step"}
    for each in records[index + 1 :]:
        each["event"] -= count
    return records


# ----------------------------------------------------------------------------- the opening of the house


@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_a_house_that_is_opened_after_a_table_hides_no_refusal(tmp_path: Path, verb: str) -> None:
    status, said = answer(tmp_path, signed([*invented_refusal(), house_opening()]), verb)
    assert status == 1
    assert "it should not be refused" in said
    assert "a house's journal must begin with the opening of its own stream" in said


@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_a_house_that_is_opened_after_a_table_is_wrong_by_itself(tmp_path: Path, verb: str) -> None:
    records = records_of(short_shoes().splitlines(keepends=True))
    assert answer(tmp_path, signed(records), verb)[0] == 0
    status, said = answer(tmp_path, signed([*records, house_opening()]), verb)
    assert status == 1
    assert "a house's journal must begin with the opening of its own stream" in said


@pytest.mark.parametrize("verb", ["verify", "audit"])
@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("shown", {"do": "show_meters", "meters": {}}, "the stream of the link"),
        ("joined", {"forms": 3}, "other streams that it was entered in"),
        ("cause", {"seq": 1, "stream": "house"}, "without a command a table has no record but link_joined"),
    ],
)
def test_a_late_house_vouches_for_nothing_that_a_table_had_before_it(
    tmp_path: Path, verb: str, field: str, value: Record, why: str
) -> None:
    records = records_of(short_shoes().splitlines(keepends=True))
    act = next(each for each in records if each.get("command", {}).get("do") == "buy_in")
    if field == "cause":
        for name in ("command", "who", "role", "origin", "device", "id", "approvals"):
            act.pop(name, None)
    act[field] = value
    status, said = answer(tmp_path, signed([*records, house_opening()]), verb)
    assert (status, why in said) == (1, True), said


@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_only_what_was_decided_and_agreed_is_counted(tmp_path: Path, verb: str) -> None:
    """One wrong record, and everything after it in a house that cannot be followed any further."""
    records = records_of(house_journal(100))
    streams = {each["stream"]: sum(other["stream"] == each["stream"] for other in records) for each in records}
    _, said = answer(tmp_path, signed(records), verb)
    assert all(f"{name}: {count} entries · decided again {count} ·" in said for name, count in streams.items())
    wrong = next(at for at, each in enumerate(records) if each["stream"] == "cage" and each["seq"] == 1)
    records[wrong]["command"]["amount"] += 1
    status, said = answer(tmp_path, signed(records), verb)
    assert status == 1
    assert f"cage: {streams['cage']} entries · decided again 1 ·" in said
    behind = sum(each["stream"] == "link main" for each in records[:wrong])
    assert f"link main: {streams['link main']} entries · decided again {behind} ·" in said


@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_a_record_that_was_found_wrong_is_not_counted_as_decided(tmp_path: Path, verb: str) -> None:
    count = len(invented_refusal())
    _, said = answer(tmp_path, signed(invented_refusal()), verb)
    assert int(said.rpartition("decided again ")[2].split()[0].replace(",", "")) < count


@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_an_id_that_takes_effect_in_two_streams_of_a_house_is_wrong(tmp_path: Path, verb: str) -> None:
    records = records_of(form_journal())
    acts = [each for each in records if "command" in each]
    first = acts[0]
    other = next(each for each in acts if each["stream"] != first["stream"])
    first["id"] = other["id"] = "the same"
    other["who"] = first["who"]
    status, said = answer(tmp_path, signed(records), verb)
    assert (status, "is already used" in said) == (1, True), said


@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_a_book_is_opened_under_the_submission_of_its_rulebook(tmp_path: Path, verb: str) -> None:
    records = records_of(form_journal())
    opening = next(each for each in records if each["stream"].startswith("pit") and each["seq"] == 0)
    opening["submission"] = house_opening()["submission"]
    status, said = answer(tmp_path, signed(records), verb)
    assert status in (1, 2)
    assert "Submission" in said


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["verify", "audit"])
@pytest.mark.parametrize(("version", "is_seated", "status"), [(2, True, 3), (2, False, 0), (3, False, 0), (3, True, 1)])
def test_a_house_does_not_choose_laxer_rules_by_naming_an_older_version(
    tmp_path: Path, verb: str, version: int, is_seated: bool, status: int
) -> None:
    """Two people who sit at a table fill its tray, which version 2 of the deciding functions let pass."""
    records = records_of(house_journal(100))
    cage = [each for each in records if each["stream"] == "cage"]
    by = ("p1", "p4") if is_seated else ("floor", "cage")
    for each in cage:
        each["behaviour"] = version
    last = cage[-1]
    slip = sum(event["event"].startswith("tray_") for each in cage for event in each.get("events", [])) + 1
    chips = {"chips": {"100": 1000}}
    filled = {"event": "tray_filled", "approver": by[1], "requester": by[0], "slip": slip, "table": "T1"}
    records.append(
        {name: last[name] for name in ("v", "stream", "rulebook", "behaviour")}
        | {"seq": last["seq"] + 1, "event": last["event"] + len(last["events"]), "who": by[0], "role": "floorperson"}
        | {"approvals": [{"who": by[1], "role": "cage cashier", "what": "fill_tray"}]}
        | {"command": {"do": "fill_tray", "table": "T1", "chips": chips}}
        | {"events": [filled | {"chips": chips, "cites": ["house §two-persons"]}]}
    )
    found, said = answer(tmp_path, signed(records), verb)
    assert found == status, said
    gap = "1 act in the books would be decided differently by this version: first cage"
    assert (gap in said) is (status == 3), said


# ----------------------------------------------------------------------------- never a trace


@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_a_table_that_the_house_never_opened_is_no_trace(tmp_path: Path, verb: str) -> None:
    records = [house_opening(), *records_of(short_shoes().splitlines(keepends=True))]
    for version in (1, 2):
        for each in records:
            each["behaviour"] = version
        assert answer(tmp_path, signed(records), verb)[0] == 1


def audited(data: bytes) -> AuditReport:
    """What an audit says to a journal, with the report of discretion."""
    audit = JournalAudit(discretion=True)
    audit.lines(enumerate(data.splitlines(keepends=True), start=1), file="journal")
    return audit.report()


def spoil(record: Record, chance: random.Random) -> None:
    """Some value somewhere in a record is another."""
    found: list[tuple[Any, Any]] = []

    def walk(value: Any) -> None:
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            if key not in ("v", "seq", "stream", "event") or value is not record:
                found.append((value, key))
            if isinstance(part, dict | list):
                walk(part)

    walk(record)
    holder, key = chance.choice(found)
    old = holder[key]
    holder[key] = chance.choice([7, -1, "x", None, [], {}, [1], True, old + 1 if type(old) is int else f"{old}x"])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_no_forged_house_brings_the_audit_down(seed: int, tmp_path: Path) -> None:
    """Fields of several streams are others, lines are left out or exchanged, tables get the records of books."""
    chance = random.Random(seed)
    whole = [house_journal(100), form_journal()][seed % 2]
    for count in range(60):
        records = records_of(whole)
        for _ in range(1 + chance.randrange(3)):
            spoil(chance.choice(records), chance)
        if count % 5 == 0:
            chance.choice(records[1:])["behaviour"] = 1
        if count % 7 == 0:
            records = [each for each in records if each["stream"] != chance.choice(records)["stream"]] or records
        data = signed(records)
        audited(data)
        for verb in ("verify", "audit") if count % 10 == 0 else ():
            assert answer(tmp_path, data, verb)[0] in (0, 1, 2, 3)


# ----------------------------------------------------------------------------- rules of the house at a table


def older(records: list[Record]) -> bytes:
    """A journal all of whose entries name an older version, signed by the house."""
    for each in records:
        each["behaviour"] = 2
    return signed(records)


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["verify", "audit"])
@pytest.mark.parametrize("is_last", [True, False])
def test_a_house_lets_nobody_raise_his_own_meter_by_naming_an_older_version(
    tmp_path: Path, verb: str, is_last: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one more act after it, nothing said that a rule of the house refuses it now: 0."""
    data = raised_by_a_player(monkeypatch, is_last=is_last)
    assert answer(tmp_path, signed(records_of(data)), verb)[0] == 1
    status, said = answer(tmp_path, older(records_of(data)), verb)
    assert status == 3, said
    assert OTHERWISE_IN_HOUSE in said


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_no_version_of_a_house_lets_a_table_play_on_after_the_day(tmp_path: Path, verb: str) -> None:
    """The table alone accepts it, and accepted it in version 2; the house refused it then as it does now."""
    records = records_of(day_closed())
    table = [each for each in records if each["stream"] == "table T1"]
    last = table[-1]
    assert last["refused"]["what"] == "table_waits_for_the_next_day"
    del last["refused"]
    seated = next(event for each in table for event in each.get("events", []) if event["event"] == "sat")
    last["events"] = [seated | {"seat": 2, "who": "late"}]
    status, said = answer(tmp_path, older(records), verb)
    assert status == 1, said
    assert "refused" in said
