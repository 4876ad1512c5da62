"""The journal: whatever is changed, taken out or put in is found at its place; all that was done is decided again."""

from __future__ import annotations

import io
import os
import random
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

import baccarat.record.journal_file
import table_driver
from baccarat.cards import Card
from baccarat.engine.journaled_table import JournaledTable
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.record.entry import MOST_BYTES, ActRecord, StreamOpening
from baccarat.record.journal import JournalFault, JournalLine, JournalReader, journal_lines
from baccarat.record.journal_file import JournalFile, JournalStopped, TooLong, read_journal
from baccarat.table.actor import Actor, Envelope, Origin
from baccarat.table.machine import replay
from baccarat.table.meters import JoinLink
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.step.revealing import RevealSeed
from baccarat.table.step.turning import TurnCard
from baccarat.table.table_kind import AdoptKind
from baccarat.table.witness_change import AdoptWitnesses
from campaign import times
from kept import first_fault, kept_table, lines_of, play_rounds, rehashed, short_journal
from table_stories import STORIES, Story
from table_walk import COMMANDS, Walk, keyed, sealed

ACTOR = Actor(who="p1", role=Role.PARTICIPANT)


# ---------------------------------------------------------------------------------- what a table did


@pytest.mark.parametrize("submission", shipped_submissions())
def test_a_journal_is_decided_again_to_the_last_byte(submission: str) -> None:
    data = short_journal(submission)
    assert first_fault(data) is None
    records = [line.entry for line in JournalReader().read(lines_of(data)) if isinstance(line, JournalLine)]
    assert isinstance(records[0], StreamOpening)
    assert records[0].program.startswith("baccarat ")
    refused = [record for record in records[1:] if isinstance(record, ActRecord) and bytes(record.refused)]
    assert refused, "refusals are kept too"
    assert all(b" the " not in bytes(record.refused) for record in refused), "no sentence is in a record"


@pytest.mark.slow
@pytest.mark.parametrize("story", [pytest.param(story, id=f"{story.edition}-{story.name}") for story in STORIES])
def test_every_story_is_decided_again(story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.jsonl"
    monkeypatch.setattr(table_driver, "Table", lambda rules: kept_table(path, rules))
    game = story.tell(story.edition, story.elections)
    game.table.file.close()  # type: ignore[attr-defined]
    if not game.skipped:
        assert first_fault(path.read_bytes()) is None


BY_COMMAND = [each for each in COMMANDS if each not in (JoinLink, AdoptWitnesses, AdoptKind)]
"""What a table on record does by a command: the others only follow acts of the house or of a pit."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(len(shipped_submissions())))
def test_what_a_table_did_with_any_commands_is_decided_again(seed: int, tmp_path: Path) -> None:
    chance, rules = random.Random(seed), rulebook(shipped_submissions()[seed])
    walk = Walk(rules, (keyed if seed % 3 else sealed)(rules, seed))
    kept = kept_table(tmp_path / "journal.jsonl", rules)
    plain = Walk.do

    def both(command: object, actor: Actor | None = None) -> object:
        actor = actor or walk.usual_actor(command)  # type: ignore[arg-type]
        outcome, again = plain(walk, command, actor), kept.do(command, actor)  # type: ignore[arg-type]
        assert type(outcome) is type(again)
        return outcome

    walk.do = both  # type: ignore[method-assign,assignment]
    for seat in (1, 3, 5):
        walk.do(Sit(seat=seat, person=f"participant {seat}"))
        walk.do(BuyIn(seat=seat, amount=chance.choice([5_000, 100_000, 10_000_000])))
    for _ in range(300):
        if walk.state.stopped:
            break
        if chance.random() < 0.4:
            walk.try_a(chance.choice(BY_COMMAND), chance)
        elif walk.state.step == "wager" and not walk.state.round.wagers:
            walk.wager(chance)
        elif any(not due.optional for due in walk.expected):
            walk.go_on(short=40)
    assert len(walk.log) > 20
    kept.file.close()
    assert first_fault((tmp_path / "journal.jsonl").read_bytes()) is None


# ------------------------------------------------------------------------------------- what is changed


def _flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


@pytest.mark.slow
def test_every_flipped_bit_of_ten_records_is_found_at_its_line() -> None:
    lines = [line for _, line in lines_of(short_journal())]
    chosen = random.Random(1).sample(range(len(lines)), 10)
    for index in chosen:
        before, after = lines[:index], lines[index + 1 : index + 3]
        reader = JournalReader()
        assert len(list(reader.read(enumerate(before, start=1)))) == index
        heads = dict(reader.heads)
        for bit in range(8 * len(lines[index])):
            reader.heads = dict(heads)
            changed = _flipped(lines[index], bit).splitlines(keepends=True)
            with pytest.raises(JournalFault) as caught:
                list(reader.read(enumerate([*changed, *after], start=index + 1)))
            assert caught.value.line == index + 1, (index, bit)


@pytest.mark.slow
def test_every_truncation_within_a_line_is_found() -> None:
    data, say = short_journal(), "only half of the line has been written"
    *before, (number, last) = lines_of(data)
    assert first_fault(data[:-1]) == (number, say)
    reader = JournalReader()
    assert len(list(reader.read(before))) == len(before)
    heads = dict(reader.heads)
    for end in range(1, len(last)):
        reader.heads = dict(heads)
        with pytest.raises(JournalFault) as caught:
            list(reader.read([(number, last[:end])]))
        assert (caught.value.line, caught.value.say) == (number, say)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_what_is_taken_out_put_in_or_exchanged_is_found(seed: int) -> None:
    chance = random.Random(seed)
    lines = [line for _, line in lines_of(short_journal())]
    for _ in range(times(20)):
        one, other = sorted(chance.sample(range(1, len(lines) - 1), 2))
        without = [*lines[:one], *lines[one + 1 :]]
        twice = [*lines[:other], lines[one], *lines[other:]]
        exchanged = [*lines[:one], lines[other], *lines[one + 1 : other], lines[one], *lines[other + 1 :]]
        for changed, line in ((without, one + 1), (twice, other + 1), (exchanged, one + 1)):
            found = first_fault(b"".join(changed))
            assert found is not None
            assert found[0] == line
            again = first_fault(b"".join(rehashed(changed)))
            assert again is not None, "numbers tell it even when every hash has been made anew"
            assert again[0] == line


def test_a_sum_that_is_changed_with_all_hashes_made_anew_is_decided_otherwise() -> None:
    lines = [line for _, line in lines_of(short_journal())]
    index = next(at for at, line in enumerate(lines) if b'"event":"paid"' in line)
    forged = lines[index].replace(b'"win":', b'"win":1')
    assert first_fault(b"".join(rehashed([*lines[:index], forged, *lines[index + 1 :]]))) is not None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b'"v":1', b'"v":2', "newer than this program can read"),
        (b'"v":1', b'"v":0', "is not known"),
        (b'"stream":"table 1"', b'"stream":"Table 1"', "is in the place of"),
        (b'"rulebook":"', b'"rulebook":"0', "not an entry of a journal"),
        (b'{"behaviour"', b'{ "behaviour"', "not written in canonical form"),
        (b'"behaviour":3', b'"behaviour":3,"extra":2', "not an entry of a journal"),
        (b'"seq":3', b'"seq":3.0', "not an entry of a journal"),
        (b'"who":"p1"', b'"who":"\\u0070\\u0031"', "not written in canonical form"),
    ],
)
def test_an_entry_of_another_form_is_named(old: bytes, new: bytes, said: str) -> None:
    lines = [line for _, line in lines_of(short_journal())]
    index = next((at for at, line in enumerate(lines) if at and old in line), None)
    assert index is not None, f"no line holds {old!r}"
    forged = rehashed([*lines[:index], lines[index].replace(old, new, 1), *lines[index + 1 :]])
    found = first_fault(b"".join(forged))
    assert found is not None
    assert found[0] == index + 1
    assert said in found[1]


def test_a_line_of_any_length_is_read_no_further_than_an_entry_may_be(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(1 << 32)  # four gigabytes of nothing, without a line end
    with pytest.raises(JournalFault, match="longer than"):
        list(read_journal(path))
    with path.open("rb") as file:
        assert sum(len(line) for _, line in journal_lines(file)) < 2 * MOST_BYTES


# -------------------------------------------------------------------------------------------- on disk


def test_a_table_goes_on_where_its_journal_ends(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    table = kept_table(path, rulebook("ma-midi-4"))
    play_rounds(table, 1)
    table.file.close()
    with JournalFile(path, sync=False) as file:
        again = JournaledTable.resume(file, [line for line in file.open() if isinstance(line, JournalLine)])
        assert (again.state, again.log) == (table.state, table.log)
        again.do(Leave(seat=1))
        assert replay(again.rules, again.log) == again.state
    assert first_fault(path.read_bytes()) is None


def test_a_journal_is_not_read_byte_by_byte_when_it_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, lines, streams = tmp_path / "journal.jsonl", short_journal(), list[object]()

    def watched(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
        streams.append(stream)
        return journal_lines(stream)

    monkeypatch.setattr(baccarat.record.journal_file, "journal_lines", watched)
    path.write_bytes(lines)
    with JournalFile(path, sync=False) as file:
        assert len(list(file.open())) == len(lines.splitlines())
    (stream,) = streams
    assert isinstance(stream, io.BufferedReader)


def test_a_journal_whose_reading_was_given_up_can_be_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(short_journal())
    with JournalFile(path, sync=False) as file:
        given_up = file.open()
        next(given_up)
    with JournalFile(path, sync=False) as file:
        assert len(list(file.open())) > 2, "the first one no longer holds it"
    del given_up


def test_what_a_power_cut_left_half_written_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    data = short_journal()
    path.write_bytes(data + data[:100])
    with JournalFile(path) as file:
        again = JournaledTable.resume(file, [line for line in file.open() if isinstance(line, JournalLine)])
        again.do(Leave(seat=1))
    assert first_fault(path.read_bytes()) is None
    (aside,) = tmp_path.glob("*.half-written-at-*")
    assert aside.read_bytes() == data[:100]


def opened(path: Path) -> None:
    with JournalFile(path) as file:
        list(file.open())


def test_what_was_set_aside_before_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    data = short_journal()
    for length in (100, 50, 9, 3):
        path.write_bytes(data + data[:length])
        opened(path)
        assert path.read_bytes() == data
    name = f"journal.jsonl.half-written-at-{len(data)}"
    found = {each.name: len(each.read_bytes()) for each in tmp_path.iterdir() if each != path}
    assert found == {name: 100, f"{name}.2": 50, f"{name}.3": 9, f"{name}.4": 3}


def test_it_is_on_the_disk_aside_before_it_leaves_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.jsonl"
    data = short_journal()
    path.write_bytes(data + data[:100])
    path.chmod(0o600)
    real, acts = os.fsync, []

    def noted(handle: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else f"{os.fstat(handle).st_size}"
        acts.append((kind, path.stat().st_size - len(data)))
        real(handle)

    monkeypatch.setattr(os, "fsync", noted)
    opened(path)
    assert acts == [("100", 100), ("folder", 100), (str(len(data)), 0)]
    (aside,) = tmp_path.glob("*.half-written-at-*")
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600, "nobody reads more there than in the journal"


@pytest.mark.parametrize("fails_at", [0, 1])
def test_what_cannot_be_set_aside_stays_in_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    path = tmp_path / "journal.jsonl"
    data = short_journal() + short_journal()[:100]
    path.write_bytes(data)
    real, done = os.fsync, 0

    def full(handle: int) -> None:
        nonlocal done
        done += 1
        if done > fails_at:
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device"):
        opened(path)
    assert path.read_bytes() == data
    left = [each.read_bytes() for each in tmp_path.glob("*.half-written-at-*")]
    assert left == [data[-100:]][:fails_at], "no empty file is left"
    monkeypatch.undo()
    opened(path)
    assert path.read_bytes() == short_journal()


@pytest.mark.parametrize(
    "end", [b"my important notes", b'{"hush":"', b'{"checkpoints":', b"\x00" * 40, b'{"name": "a file of somebody"}']
)
@pytest.mark.parametrize("is_alone", [True, False])
def test_what_does_not_begin_like_a_line_of_a_journal_is_refused_and_left(
    tmp_path: Path, end: bytes, is_alone: bool
) -> None:
    path = tmp_path / "notes.txt"
    data = end if is_alone else short_journal() + end
    path.write_bytes(data)
    with pytest.raises(JournalFault, match="expected"):
        opened(path)
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("notes.txt", data)]


@pytest.mark.parametrize("end", [b"{", b'{"h', b'{"hash":"', b'{"check', b'{"checkpoint":', b'{"checkpoint":"x'])
def test_the_beginning_of_either_kind_of_line_is_half_written(tmp_path: Path, end: bytes) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(short_journal() + end)
    opened(path)
    assert path.read_bytes() == short_journal()
    (aside,) = tmp_path.glob("*.half-written-at-*")
    assert aside.read_bytes() == end


@pytest.mark.parametrize("begins", [b'{"hash":"', b'{"checkpoint":"'])
def test_an_endless_last_line_is_not_half_of_one(tmp_path: Path, begins: bytes) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(begins + b"0" * 200_000)
    with pytest.raises(JournalFault, match="longer than"):
        opened(path)
    assert [each.stat().st_size for each in tmp_path.iterdir()] == [200_000 + len(begins)]


def test_a_second_writer_is_kept_out(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    table = kept_table(path, rulebook("ma-midi-4"))
    with pytest.raises(BlockingIOError):
        list(JournalFile(path).open())
    table.file.close()


def test_what_is_not_on_the_disk_has_not_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.jsonl"
    file = JournalFile(path)
    assert not list(file.open())
    table = JournaledTable.begin(rulebook("ma-midi-4"), file, Stream("table 1"))
    table.do(Sit(seat=1, person="p1"))
    before = table.state

    def fails(_number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(JournalStopped, match="No space left on device"):
        table.do(BuyIn(seat=1, amount=500))
    assert (table.state, len(table.log)) == (before, 1)
    monkeypatch.undo()
    with pytest.raises(JournalStopped, match="not open"):
        table.do(BuyIn(seat=1, amount=500))
    assert table.state is before


def test_an_id_takes_effect_once_and_a_repeat_gets_the_same_answer(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    table = kept_table(path, rulebook("ma-midi-4"))
    envelope = Envelope(actor=ACTOR, id="0197-1")
    first = table.enter(Sit(seat=1), envelope)
    assert first.events
    repeat = table.enter(Sit(seat=1), envelope)
    assert (repeat.is_repeat, repeat.events, repeat.record) == (True, first.events, first.record)
    assert not repeat.refused
    refused = table.enter(Sit(seat=1), Envelope(actor=ACTOR, id="0197-2"))
    assert refused.refused is not None
    table.file.close()
    with JournalFile(path, sync=False) as file:
        again = JournaledTable.resume(file, [line for line in file.open() if isinstance(line, JournalLine)])
        assert again.enter(Sit(seat=1), envelope).is_repeat, "after a restart too"
        assert again.enter(Sit(seat=1), Envelope(actor=ACTOR, id="0197-2")).refused == refused.refused
        other = Envelope(actor=Actor(who="p2", role=Role.PARTICIPANT), id="0197-1")
        assert not again.enter(Sit(seat=2), other).is_repeat, "an id belongs to a person"


def test_what_no_entry_can_hold_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    table = kept_table(tmp_path / "journal.jsonl", rulebook("ma-midi-4"))
    before = table.file.path.read_bytes()
    envelope = Envelope(actor=ACTOR, device="x" * MOST_BYTES)
    with pytest.raises(TooLong):
        table.enter(Sit(seat=1), envelope)
    assert table.file.path.read_bytes() == before
    assert not table.log
    table.file.close()


def test_a_secret_that_comes_too_early_does_not_reach_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    table = kept_table(path, rulebook("ma-midi-4"))
    play_rounds(table, 1)
    before = path.read_bytes()
    source = Actor(who="shoe", origin=Origin.CARD_SOURCE)
    seed = "5e" * 32
    for command in (RevealSeed(seed=seed), TurnCard(position=300, card=Card.parse("9s"), proof=None)):
        kept = table.enter(command, Envelope(actor=source, id="too early"))
        assert kept.refused is not None
        assert kept.record is None
    assert path.read_bytes() == before
    dealer = Actor(who="d1", role=Role.DEALER)
    assert table.enter(Sit(seat=1, person="x"), Envelope(actor=dealer)).record is not None, "a person's refusal is kept"
    table.file.close()
