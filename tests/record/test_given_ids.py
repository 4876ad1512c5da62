"""Ids of commands: one effect for ever, the same answer again, and nothing else under the same id."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from baccarat.audit.finding import AuditReport
from baccarat.audit.journal import JournalAudit
from baccarat.engine.idempotency_index import IdempotencyIndex, denial
from baccarat.engine.journaled_table import JournaledTable
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import RefusalCode
from baccarat.record.entry import ActRecord, written_refusal
from baccarat.record.journal import BODY_START, JournalFault, JournalLine, write_line
from baccarat.record.journal_file import JournalFile, read_journal
from baccarat.table.actor import Actor, Envelope, Origin
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave, Sit
from baccarat.table.step.revealing import RevealSeed
from kept import kept_table, lines_of, rehashed

ANN = Actor(who="p1", role=Role.PARTICIPANT)
GIVEN = Envelope(actor=ANN, id="0197-1")


def sent(path: Path) -> JournaledTable[JournalFile]:
    """A table at which an id was given to a first command, and then to another."""
    table = kept_table(path, rulebook("ma-midi-4"))
    assert table.enter(Sit(seat=1), GIVEN).events
    assert table.enter(Sit(seat=2), GIVEN).refused is not None
    return table


def resumed(path: Path) -> JournaledTable[JournalFile]:
    """The table that goes on from a journal."""
    file = JournalFile(path, sync=False)
    try:
        return JournaledTable.resume(file, [line for line in file.open() if isinstance(line, JournalLine)])
    except JournalFault:
        file.close()
        raise


def audited(data: bytes) -> AuditReport:
    """What an audit says to a journal."""
    audit = JournalAudit()
    audit.lines(lines_of(data), file="journal")
    return audit.report()


def test_another_command_under_the_same_id_is_refused_and_that_is_entered(tmp_path: Path) -> None:
    table = sent(tmp_path / "journal.jsonl")
    before = table.state
    kept = table.enter(Sit(seat=3), GIVEN)
    assert kept.refused is not None
    assert kept.refused.code is RefusalCode.REPEATED_ID
    say = "sit at seat 3: the id 0197-1 was given to another command before: table 1, record 1"
    assert kept.refused.say == say
    assert [str(cite) for cite in kept.refused.cites] == ["house §one-effect"]
    assert isinstance(kept.record, ActRecord)
    assert (kept.record.seq, kept.record.id, kept.record.events) == (3, "", ())
    assert table.state is before
    table.file.close()
    last = [line.entry for line in read_journal(table.file.path) if isinstance(line, JournalLine)][-1]
    assert last == kept.record
    assert audited(table.file.path.read_bytes()).is_clean


@pytest.mark.parametrize(
    "other",
    [
        Actor(who="p1", role=Role.DEALER),
        Actor(who="p1", role=Role.PARTICIPANT, origin=Origin.CLOCK),
    ],
)
def test_the_same_command_in_another_capacity_is_another(tmp_path: Path, other: Actor) -> None:
    table = sent(tmp_path / "journal.jsonl")
    refused = table.enter(Sit(seat=1), Envelope(actor=other, id=GIVEN.id)).refused
    assert refused is not None
    assert refused.code is RefusalCode.REPEATED_ID
    table.file.close()


def test_a_repeat_from_another_terminal_at_another_time_is_the_same(tmp_path: Path) -> None:
    table = sent(tmp_path / "journal.jsonl")
    size = table.file.path.stat().st_size
    repeat = table.enter(Sit(seat=1), Envelope(actor=ANN, id=GIVEN.id, device="felt 2", at=5))
    assert repeat.is_repeat
    assert repeat.record is not None
    assert repeat.record.seq == 1
    assert table.file.path.stat().st_size == size
    table.file.close()


def test_a_secret_under_a_repeated_id_does_not_reach_the_disk(tmp_path: Path) -> None:
    table = sent(tmp_path / "journal.jsonl")
    before = table.file.path.read_bytes()
    source = Actor(who="p1", origin=Origin.CARD_SOURCE)
    kept = table.enter(RevealSeed(seed="5e" * 32), Envelope(actor=source, id=GIVEN.id))
    assert kept.refused is not None
    assert kept.refused.code is RefusalCode.REPEATED_ID
    assert kept.record is None
    assert table.file.path.read_bytes() == before
    table.file.close()


def test_after_a_restart_ids_are_known_and_so_are_refusals_for_them(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    table = sent(path)
    refused = table.enter(Sit(seat=2), GIVEN).refused
    table.file.close()
    again = resumed(path)
    assert again.enter(Sit(seat=1), GIVEN).is_repeat
    kept = again.enter(Sit(seat=2), GIVEN)
    assert (kept.refused, kept.is_repeat) == (refused, False)
    assert again.enter(Leave(seat=1), Envelope(actor=ANN, id="0197-2")).events
    again.file.close()
    assert audited(path.read_bytes()).is_clean


def changed(data: bytes, index: int, change: Callable[[bytes], bytes]) -> bytes:
    """A journal in which one line is another, every hash made anew."""
    lines = [line for _, line in lines_of(data)]
    body = change(lines[index][BODY_START:-2])
    lines[index] = write_line(body, bytes(32))
    return b"".join(rehashed(lines))


def with_fields(**fields: object) -> Callable[[bytes], bytes]:
    """A change of a body: fields that stand there then."""

    def change(body: bytes) -> bytes:
        value = msgspec.json.decode(body)
        for name, field in fields.items():
            value[name] = field if not isinstance(field, dict) else {**value[name], **field}
        return msgspec.json.Encoder(order="sorted").encode(value)

    return change


@pytest.mark.parametrize(
    ("change", "say"),
    [
        (with_fields(id="0197-1"), "is entered without one"),
        (with_fields(who="p2"), "p2 has not used the id 0197-1 before"),
        (with_fields(refused={"params": {"id": "0197-9", "record": 1, "stream": "table 1"}}), "has not used the id"),
        (with_fields(refused={"params": {"id": "0197-1", "record": 2, "stream": "table 1"}}), "in record 1 of table 1"),
        (with_fields(refused={"params": {"id": "0197-1", "record": "1", "stream": "table 1"}}), "names the id"),
        (with_fields(refused={"params": {}}), "names the id"),
        (with_fields(refused={"cites": []}), "expected that"),
        (with_fields(command={"seat": 1}), "was used for the same command"),
        (with_fields(command={"seat": "x"}), "not a command"),
    ],
)
def test_a_refusal_for_an_id_is_believed_only_where_that_id_was_given_to_something_else(
    tmp_path: Path, change: Callable[[bytes], bytes], say: str
) -> None:
    path = tmp_path / "journal.jsonl"
    sent(path).file.close()
    path.write_bytes(changed(path.read_bytes(), 2, change))
    report = audited(path.read_bytes())
    assert [finding.line for finding in report.findings][:1] == [3]
    assert any(say in finding.say for finding in report.findings), report.findings
    with pytest.raises(JournalFault, match=f"line 3: .*{say}"):
        resumed(path)


def test_two_effects_under_one_id_are_found(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    table = kept_table(path, rulebook("ma-midi-4"))
    table.enter(Sit(seat=1), GIVEN)
    table.enter(Leave(seat=1), Envelope(actor=ANN, id="0197-2"))
    table.file.close()
    path.write_bytes(changed(path.read_bytes(), 2, with_fields(id="0197-1")))
    (found,) = audited(path.read_bytes()).findings
    assert (found.kind, found.line, found.promise) == ("repeated_id", 3, "J3")
    with pytest.raises(JournalFault, match="line 3: the id 0197-1 of p1 is already used in record 1"):
        resumed(path)


def test_another_refusal_is_not_taken_for_one_for_an_id() -> None:
    """A house could say in its parameters that it is one: a part of a journal may lack the record that it names."""
    refusal = msgspec.json.decode(written_refusal(denial("1", Stream("table 1"), 3)))
    other = refusal | {"code": "wrong_step", "params": refusal["params"] | {"code": "repeated_id"}}
    found = []
    for refused in (refusal, other):
        raw = msgspec.Raw(msgspec.json.encode(refused, order="sorted"))
        record = ActRecord(
            v=1, stream=Stream("table 1"), seq=90, event=200, rulebook="00" * 32, behaviour=3, who="p1",
            role=Role.PARTICIPANT, command=msgspec.Raw(b"{}"), refused=raw,
        )  # fmt: skip
        found.append(IdempotencyIndex(whole=False).check(record))
    assert found[0] is None
    assert found[1] is not None
    assert "says something else as well" in found[1].say
