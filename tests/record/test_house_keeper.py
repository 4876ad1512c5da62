"""A house that keeps a journal: ids over all its streams, going on after a restart, checkpoints, preparing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from baccarat.audit.journal import JournalAudit
from baccarat.engine.entries import MemoryJournal, Submitted, UnnamableStream, opening_of, prepare_entries, records_of
from baccarat.engine.idempotency_index import Answers
from baccarat.engine.redecide import RecordDifference, command_of, house_command_of
from baccarat.house.book import HouseCommand
from baccarat.house.cage_act import BringBankroll
from baccarat.house.house_book import AddPit, LinkTables
from baccarat.house.state import Decision, HouseState, apply_decision
from baccarat.house.stream import CAGE_STREAM, HOUSE_STREAM, Stream, pit_stream, table_stream
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import RefusalCode
from baccarat.record.entry import ActRecord, Entry, body_of
from baccarat.record.journal import BODY_START, JournalFault, JournalLine, NoteLine, write_line
from baccarat.record.journal_file import JournalFile, JournalStopped, read_journal
from baccarat.record.key import KeyKind, Signer
from baccarat.table.actor import Actor, Envelope, Origin
from baccarat.table.base import Accepted, Command
from baccarat.table.correctable_event import no_event
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave, Sit
from baccarat.table.step.revealing import RevealSeed
from house_books import ADMIN, ADMIN_AND_CASHIER, open_table, opened_house
from journaled_house import JournaledHouse, JournaledHouseTable
from kept import lines_of, rehashed
from linked_floor import NAMES, RANGE, Floor

RULES = rulebook("ma-midi-4-royal9", must_hit=RANGE)
SIMPLE = rulebook("ma-midi-4")
ANN = Actor(who="p9", role=Role.PARTICIPANT)


def signer_of(stream: Stream) -> Signer | None:
    """A key of its own for every stream but the pits."""
    name = stream.replace(" ", "-").lower()
    return (
        None if stream.startswith("pit") else Signer(f"example.org/{name}", KeyKind.LOG, stream.encode().ljust(32)[:32])
    )


def begun(path: Path, **options: object) -> JournaledHouse[JournalFile]:
    """A house with one table, whose journal is begun."""
    file = JournalFile(path, sync=False)
    assert not list(file.open())
    house = JournaledHouse.begin(SIMPLE, file, **options)  # type: ignore[arg-type]
    open_table(opened_house(SIMPLE, house=house), SIMPLE)
    return house


def resumed(path: Path, **options: object) -> JournaledHouse[JournalFile]:
    """The house that goes on from a journal."""
    file = JournalFile(path, sync=False)
    try:
        lines = [line for line in file.open() if isinstance(line, JournalLine)]
        return JournaledHouse.resume(file, lines, **options)  # type: ignore[arg-type]
    except JournalFault:
        file.close()
        raise


def command_in(record: ActRecord) -> Command | HouseCommand:
    """The command of a record."""
    data = bytes(record.command)
    found = command_of(data) if record.stream.startswith("table ") else house_command_of(record.stream, data)
    assert not isinstance(found, RecordDifference)
    return found


def is_clean(path: Path) -> bool:
    """Whether an audit finds nothing in a journal."""
    audit = JournalAudit()
    audit.lines(lines_of(path.read_bytes()), file="journal")
    return audit.report().is_clean


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, HouseState]:
    """Three linked tables, played by chance until rounds have ended, and the house as it then was."""
    path = tmp_path_factory.mktemp("house") / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        floor = Floor.opened(RULES, 3, JournaledHouse.begin(RULES, file, signers=signer_of))
        for act in range(150):
            floor.act(NAMES[act * 7 % 5 % 3], check=False)
        return path, floor.house.state


@pytest.fixture
def copy(played: tuple[Path, HouseState], tmp_path: Path) -> Path:
    """The journal of that house, to be changed."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(played[0].read_bytes())
    return path


# --------------------------------------------------------------------------------------------- ids


def test_an_id_takes_effect_once_in_the_whole_house(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    house = begun(path)
    envelope = Envelope(actor=ADMIN, id="7")
    first = house.enter(AddPit(name="B"), envelope, stream=HOUSE_STREAM)
    assert first.events
    size = path.stat().st_size
    repeat = house.enter(AddPit(name="B"), envelope, stream=HOUSE_STREAM)
    assert (repeat.is_repeat, repeat.record, repeat.events) == (True, first.record, first.events)
    assert path.stat().st_size == size, "a repeat is not entered"
    elsewhere = Envelope(actor=Actor(who=ADMIN.who, role=Role.PARTICIPANT), id="7")
    table = house.table("T1")
    assert isinstance(table, JournaledHouseTable)
    denied = table.enter(Sit(seat=1), elsewhere)
    assert denied.refused is not None
    assert denied.refused.say == "sit at seat 1: the id 7 was given to another command before: house, record 2"
    in_a_book = house.enter(BringBankroll(amount=500), Envelope(actor=ADMIN_AND_CASHIER, id="7"), stream=CAGE_STREAM)
    assert in_a_book.refused is not None
    assert in_a_book.refused.code is RefusalCode.REPEATED_ID
    assert table.enter(Sit(seat=1), Envelope(actor=ANN, id="7")).events, "an id belongs to a person"
    house.file.close()
    assert is_clean(path)
    again = resumed(path)
    assert again.enter(AddPit(name="B"), envelope, stream=HOUSE_STREAM).events == first.events
    assert again.enter(AddPit(name="C"), envelope, stream=HOUSE_STREAM).refused is not None
    again.file.close()
    assert is_clean(path)


def test_one_body_in_two_streams_is_two_commands(tmp_path: Path) -> None:
    house = begun(tmp_path / "journal.jsonl")
    open_table(house, SIMPLE, "T2")
    envelope = Envelope(actor=ANN, id="1")
    assert house.enter(Sit(seat=1), envelope, stream=Stream("table T1")).events
    assert house.enter(Sit(seat=1), envelope, stream=Stream("table T2")).refused is not None
    house.file.close()


def test_a_repeat_gets_all_that_the_act_led_to_in_other_streams(copy: Path) -> None:
    lines = [line.entry for line in read_journal(copy) if isinstance(line, JournalLine)]
    joined = next(entry for entry in reversed(lines) if isinstance(entry, ActRecord) and entry.joined and entry.shown)
    copy.write_bytes(with_change(copy.read_bytes(), joined, {"id": "call 5"}))
    again = resumed(copy)
    kept = again.enter(command_in(joined), Envelope(actor=joined.actor, id="call 5"), stream=joined.stream)
    assert kept.is_repeat
    assert {each.stream for each in kept.joined} == set(joined.joined)
    assert all(each.events for each in kept.joined)
    assert len(kept.events) == len(joined.events)
    again.file.close()


def test_a_repeat_of_a_refusal_is_answered_alike_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    house = begun(path)
    nobody = Envelope(actor=Actor(who="cashier", role=Role.CAGE_CASHIER), id="1")
    refused = house.enter(AddPit(name="B"), nobody, stream=HOUSE_STREAM).refused
    leaving = Envelope(actor=ANN, id="1")
    not_there = house.enter(Leave(seat=3), leaving, stream=Stream("table T1")).refused
    assert refused is not None
    assert not_there is not None
    house.file.close()
    again = resumed(path)
    for command, envelope, stream, was in (
        (AddPit(name="B"), nobody, HOUSE_STREAM, refused),
        (Leave(seat=3), leaving, Stream("table T1"), not_there),
    ):
        kept = again.enter(command, envelope, stream=stream)
        assert (kept.is_repeat, kept.refused) == (True, was)
    again.file.close()


def test_two_effects_under_one_id_at_two_tables_are_found(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    house = begun(path)
    open_table(house, SIMPLE, "T2")
    for table in ("T1", "T2"):
        assert house.enter(Sit(seat=1), Envelope(actor=ANN, id=table), stream=table_stream(table)).events
    house.file.close()
    last = [line.entry for line in read_journal(path) if isinstance(line, JournalLine)][-1]
    assert isinstance(last, ActRecord)
    path.write_bytes(with_change(path.read_bytes(), last, {"id": "T1"}))
    audit = JournalAudit()
    audit.lines(lines_of(path.read_bytes()), file="journal")
    (found,) = audit.report().findings
    assert (found.kind, found.stream) == ("repeated_id", "table T2")
    assert found.say == "the id T1 of p9 is already used in record 1 of table T1"
    with pytest.raises(JournalFault, match="is already used in record 1 of table T1"):
        resumed(path)


# ------------------------------------------------------------------------------------------- going on


def with_change(data: bytes, record: ActRecord, fields: dict[str, object]) -> bytes:
    """A journal in which fields of one record are others, hashes made anew, checkpoints and empty fields left out."""
    lines = [line for _, line in lines_of(data) if not line.startswith(b'{"checkpoint"')]
    for index, line in enumerate(lines):
        value = msgspec.json.decode(line[BODY_START:-2])
        if (value["stream"], value["seq"]) == (record.stream, record.seq):
            left = {name: field for name, field in {**value, **fields}.items() if field}
            body = msgspec.json.Encoder(order="sorted").encode({**left, "event": value["event"]})
            lines[index] = write_line(body, bytes(32))
    return b"".join(rehashed(lines))


def test_a_house_goes_on_where_its_journal_ends(played: tuple[Path, HouseState], copy: Path) -> None:
    _, state = played
    again = resumed(copy)
    assert again.state == state
    table = again.table("T1")
    for seat in (2, 3):
        assert isinstance(table.do(Sit(seat=seat, person=f"p{seat}")), Accepted)
    after = again.state
    again.file.close()
    assert is_clean(copy)
    once_more = resumed(copy)
    assert once_more.state == after
    once_more.file.close()


def test_an_empty_journal_and_that_of_a_table_are_none_of_a_house(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"")
    with pytest.raises(JournalFault, match="expected the entry that opens the stream house"):
        resumed(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choose", "fields", "say"),
    [
        (lambda entry: entry.stream.startswith("link"), {"events": []}, "expected a command"),
        (lambda entry: entry.joined, {"joined": {"link main": 999}}, "the act should be entered in link main"),
        (lambda entry: entry.joined, {"joined": {}}, "not in no other stream"),
        (lambda entry: entry.shown, {"shown": {}}, "."),
        (lambda entry: entry.cause, {"cause": {"stream": "table T1", "seq": 999}}, "its cause should be"),
        (lambda entry: entry.stream == "cage", {"rulebook": "00" * 32}, "rulebook is"),
        (lambda entry: entry.cause, {"behaviour": 99}, "a version that this program does not know"),
        (lambda entry: entry.stream == "cage", {"who": "somebody"}, "."),
    ],
)
def test_a_house_does_not_go_on_from_a_journal_with_one_forged_field(
    copy: Path, choose: Callable[[ActRecord], object], fields: dict[str, object], say: str
) -> None:
    entries = [line.entry for line in read_journal(copy) if isinstance(line, JournalLine)]
    chosen = next(entry for entry in reversed(entries) if isinstance(entry, ActRecord) and choose(entry))
    copy.write_bytes(with_change(copy.read_bytes(), chosen, fields))
    with pytest.raises(JournalFault, match=say) as fault:
        resumed(copy)
    assert (fault.value.stream, fault.value.seq) == (chosen.stream, chosen.seq)
    assert not is_clean(copy)


def test_a_record_that_is_missing_at_the_end_is_missed(copy: Path) -> None:
    lines = [line for _, line in lines_of(copy.read_bytes())]
    last = max(index for index, line in enumerate(lines) if b'"cause":{' in line)
    copy.write_bytes(b"".join(lines[:last]))
    with pytest.raises(JournalFault, match=r"the last act is also entered in .*, and that record is missing"):
        resumed(copy)


def test_what_is_not_on_the_disk_has_not_happened_in_any_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.jsonl"
    house = begun(path)
    before, logs = house.state, {stream: list(log) for stream, log in house.logs.items()}

    def fails(_number: int, _data: bytes = b"") -> int:
        raise OSError(28, "No space left on device")

    house.file._sync = True
    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(JournalStopped):
        house.enter(Sit(seat=1), Envelope(actor=ANN, id="1"), stream=Stream("table T1"))
    assert house.state is before
    assert house.logs == logs
    with pytest.raises(JournalStopped, match="not open"):
        house.enter(Sit(seat=1), Envelope(actor=ANN, id="1"), stream=Stream("table T1"))


# ---------------------------------------------------------------------------------------- checkpoints


def test_every_stream_that_grew_is_signed_when_a_round_ends(played: tuple[Path, HouseState]) -> None:
    sizes: dict[str, int] = {}
    signed: dict[str, int] = {}
    ends = 0
    for line in read_journal(played[0]):
        if isinstance(line, NoteLine):
            signer = signer_of(line.stream)
            assert signer is not None
            assert line.note.verified_signatures([signer.verifier])
            assert line.checkpoint.size == sizes[line.stream] > signed.get(line.stream, 0)
            signed[line.stream] = line.checkpoint.size
            continue
        sizes[line.entry.stream] = line.entry.seq + 1
        ends += isinstance(line.entry, ActRecord) and any(b'"table_cleared"' in bytes(raw) for raw in line.entry.events)
    assert ends > 1
    assert {"house", "cage", "link main", "table T1"} <= set(signed)
    assert not any(stream.startswith("pit") for stream in signed), "whoever has no key signs nothing"


def test_checkpoints_on_demand_cover_what_grew_since_a_restart_too(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    house = begun(path, signers=signer_of)
    assert {note.text.partition("\n")[0] for note in house.checkpoint()} == {"example.org/house", "example.org/cage"}
    assert house.checkpoint() == []
    house.file.close()
    again = resumed(path, signers=signer_of)
    assert again.checkpoint() == []
    assert again.enter(Sit(seat=1), Envelope(actor=ANN, id="1"), stream=Stream("table T1")).events
    (note,) = again.checkpoint()
    assert note.text.startswith("example.org/table-t1\n2\n")
    again.file.close()
    assert is_clean(path)


# ------------------------------------------------------------------------------------------ preparing


def test_preparing_writes_nothing_and_whoever_writes_the_entries_has_the_same_journal(tmp_path: Path) -> None:
    """A server's way: prepare, write the entries elsewhere, then apply."""
    path = tmp_path / "journal.jsonl"
    house = begun(path)
    house.enter(Sit(seat=1), Envelope(actor=ANN, id="1"), stream=Stream("table T1"))
    house.file.close()
    entries = [line.entry for line in read_journal(path) if isinstance(line, JournalLine)]
    store, answers, state, written = MemoryJournal(), Answers(), HouseState(), list[Entry]()
    for entry in entries:
        if not isinstance(entry, ActRecord) or entry.cause is not None:
            continue
        asked = Submitted(entry.stream, command_in(entry), Envelope(actor=entry.actor, id=entry.id, at=entry.at))
        for _ in range(2):  # decided again where another act came first: nothing has changed meanwhile
            made = prepare_entries(
                state, SIMPLE, asked, heads=store, find=answers.find, event_at=no_event, clock=lambda: 0
            )
        store.append(*made.entries)
        written += made.entries
        record, *joined = records_of(made.entries)
        answers.add(record, tuple(joined))
        if made.decision is not None:
            state = apply_decision(state, made.decision)
    assert [body_of(entry) for entry in written] == [body_of(entry) for entry in entries]
    assert state == house.state
    last = prepare_entries(state, SIMPLE, asked, heads=store, find=answers.find, event_at=no_event, clock=lambda: 0)
    assert last.repeats is not None
    assert not last.entries


def test_the_house_is_opened_first_of_all_wherever_its_first_act_is_done(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        house = JournaledHouse(SIMPLE, file)
        assert isinstance(house.do(BringBankroll(amount=500), ADMIN_AND_CASHIER, stream=CAGE_STREAM), Decision)
    assert [line.entry.stream for line in read_journal(path) if isinstance(line, JournalLine)] == [
        "house",
        "cage",
        "cage",
    ]
    resumed(path).file.close()


def test_what_a_card_source_brings_too_early_is_not_kept_in_a_house_either(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    house = begun(path)
    before = path.read_bytes()
    source = Envelope(actor=Actor(who="shoe", origin=Origin.CARD_SOURCE), id="1")
    kept = house.enter(RevealSeed(seed="5e" * 32), source, stream=Stream("table T1"))
    assert (kept.record, kept.refused is None) == (None, False)
    assert path.read_bytes() == before
    house.file.close()


def test_a_stream_that_no_entry_can_name_is_not_begun(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    house = begun(path)
    before = path.read_bytes()
    with pytest.raises(UnnamableStream, match=r"no stream 'table T\\n1'"):
        house.enter(Sit(seat=1), Envelope(actor=ANN), stream=Stream("table T\n1"))
    assert path.read_bytes() == before
    house.file.close()


@pytest.mark.parametrize("name", ["Zürich", " A", "A\x00", "A" * 200])
def test_no_pit_table_or_link_has_a_name_that_no_stream_can_have(name: str) -> None:
    for kind, command in ((AddPit, {"name": name}), (LinkTables, {"name": name, "tables": []})):
        with pytest.raises(msgspec.ValidationError, match="name"):
            msgspec.convert({"do": kind.__struct_config__.tag, **command}, kind)
    with pytest.raises(UnnamableStream):
        opening_of(SIMPLE, pit_stream(name))


@pytest.mark.parametrize("name", ["A", "A pit", "T-1~", "!" * 190])
def test_every_name_that_a_pit_may_have_names_its_stream(name: str) -> None:
    pit = msgspec.convert({"do": "add_pit", "name": name}, AddPit)
    assert opening_of(SIMPLE, pit_stream(pit.name)).stream == pit_stream(name)
