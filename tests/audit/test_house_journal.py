"""A house's journal: linked tables, cage and pit in one file, decided again over all streams; forgeries are found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from baccarat.audit.bundle.form import Scope
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.audit.finding import AuditReport
from baccarat.audit.journal import JournalAudit, StoredCheckpoint
from baccarat.audit.resettle.journal_rounds import read_tables
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.journal import BODY_START
from baccarat.record.journal_file import JournalFile, read_journal
from baccarat.record.key import KeyKind, Signer
from baccarat.record.origin import origin_of
from baccarat.table.actor import Actor, Approval, Envelope
from baccarat.table.base import Accepted
from baccarat.table.meters import JoinLink
from baccarat.table.role import Role
from baccarat.table.seating_acts import Sit
from house_books import open_table, opened_house
from house_journal import house_bytes
from journaled_house import JournaledHouse
from kept import lines_of, rehashed
from linked_floor import RANGE

SIMPLE = rulebook("ma-midi-4")
RULES = rulebook("ma-midi-4-royal9", must_hit=RANGE)


@pytest.fixture(scope="module")
def journal() -> bytes:
    """Three linked tables, played by chance, and everything around them."""
    return house_bytes()


def audited(lines: list[bytes]) -> AuditReport:
    """What an audit says to lines."""
    audit = JournalAudit()
    audit.lines(enumerate(lines, start=1), file="journal")
    return audit.report()


def test_every_act_of_a_house_is_decided_again(journal: bytes) -> None:
    report = audited([line for _, line in lines_of(journal)])
    assert report.findings == ()
    assert {remark.partition(": ")[2] for remark in report.remarks} == {"real cards: order not shown"}
    assert [summary.stream for summary in report.streams] == ["table T1", "table T2", "table T3"]
    checks = {check.name: check for check in report.checks}
    assert checks["house"].times > 100
    assert {check.name for check in report.checks if check.left_out} == {"shuffles", "checkpoints", "signatures", "ids"}
    assert b'"shown":{' in journal, "what the link showed stands with the act"
    assert b'"cause":{' in journal


def test_checkpoints_of_its_streams_next_to_it_make_no_house_late(journal: bytes) -> None:
    """They are compared while lines are read ahead, long before the opening of the house is audited."""
    lines, bodies, held = [line for _, line in lines_of(journal)], dict[str, list[bytes]](), []
    for line in lines:
        bodies.setdefault(json.loads(line)["record"]["stream"], []).append(line[BODY_START:-2])
    for stream, entries in bodies.items():
        signer = Signer(origin_of("example.org/house", Stream(stream)), KeyKind.LOG, bytes(32))
        note = sign_checkpoint(checkpoint_of(signer.verifier.name, entries[:1]), signer)
        held.append(StoredCheckpoint(f"journal.{stream}.cosigned", note, Stream(stream)))
    audit = JournalAudit(checkpoints=held)
    audit.lines(enumerate(lines, start=1), file="journal")
    assert audit.report().findings == ()


@pytest.mark.parametrize(
    ("stream", "old", "new"),
    [
        (b"link main", b'"table":"T1"', b'"table":"T2"'),
        (b"table T1", b'"amount":10000000', b'"amount":10000001'),
        (b"cage", b'"requester":"admin"', b'"requester":"nobody"'),
        (b"table T2", b'"must_hit":10000', b'"must_hit":10001'),
        (b"pit", b'"table":"T1"', b'"table":"T4"'),
    ],
)
def test_a_forged_field_is_found_even_with_every_hash_made_anew(
    journal: bytes, stream: bytes, old: bytes, new: bytes
) -> None:
    lines = [line for _, line in lines_of(journal)]
    index = next(
        at
        for at, line in enumerate(lines)
        if b'"stream":"' + stream in line and old in line and b'"program"' not in line
    )
    forged = rehashed([*lines[:index], lines[index].replace(old, new, 1), *lines[index + 1 :]])
    found = audited(forged).findings
    assert found
    assert found[0].line >= index + 1


def test_a_record_of_another_stream_that_is_left_out_is_missed(journal: bytes) -> None:
    lines = [line for _, line in lines_of(journal)]
    last = max(at for at, line in enumerate(lines) if b'"cause":{' in line)
    report = audited(lines[:last])
    assert [finding.kind for finding in report.findings] == ["other_stream"]
    assert "is missing" in report.findings[0].say


# ----------------------------------------------------------------------------------- what only the house refuses


@pytest.fixture
def refused_by_the_house(tmp_path: Path) -> Path:
    """A journal in which the house refuses what its table alone would have taken, or refused otherwise."""
    path = tmp_path / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        house = JournaledHouse.begin(SIMPLE, file)
        table = open_table(opened_house(SIMPLE, house=house), SIMPLE)
        assert isinstance(table.do(Sit(seat=1, person="p1")), Accepted)
        seconded = Actor(who="s", role=Role.CASINO_SUPERVISOR, approvals=(Approval("b", Role.PIT_BOSS, "join_link"),))
        assert isinstance(table.do(JoinLink(link="x"), seconded), Refused)
        sits = Envelope(actor=Actor(who="p2", role=Role.PARTICIPANT))
        assert house.enter(Sit(seat=2), sits, stream=Stream("table nowhere")).refused is not None
    return path


def test_a_table_is_not_blamed_for_what_its_house_refused(refused_by_the_house: Path) -> None:
    path = refused_by_the_house
    assert audited([line for _, line in lines_of(path.read_bytes())]).findings == ()
    assert set(read_tables(path)) == {"table T1", "table nowhere"}
    verdict = verify_bundle(
        make_bundle(BundleJournal(read_journal(path)), Scope(kind="all", stream=Stream("table T1")))
    )
    again = [check for check in verdict.checks if check.name == "decided again"]
    assert {check.state for check in again} == {"holds", "unchecked"}


def test_a_refusal_that_the_house_does_not_give_is_found(refused_by_the_house: Path) -> None:
    data = refused_by_the_house.read_bytes()
    assert data.count(b"house_links_its_tables") == 1
    forged = data.replace(b"house_links_its_tables", b"no_such_table")
    (found,) = audited(rehashed([line for _, line in lines_of(forged)])).findings
    assert (found.kind, found.stream, found.record) == ("other_refusal", "table T1", 2)
