"""What a table is, in its journal: audit, bundles and both small verifiers find a record that goes against it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from baccarat.audit.bundle.form import Scope
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.audit.bundle.verdict import UNCOVERED, BundleVerdict
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.audit.finding import AuditReport
from baccarat.audit.journal import audit_journals
from baccarat.engine.journaled_table import JournaledTable
from baccarat.house.filed_rules import file_rules
from baccarat.house.stream import Stream, pit_stream
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.record.journal_file import JournalFile, read_journal
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted
from baccarat.table.machine import Table
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import KeyedCards
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import TableCards
from house_books import BOSS, PIT_NAME, opened_house
from journaled_house import JournaledHouse
from kept import TABLE, play_rounds, rehashed
from table_walk import stack
from two_verifiers import both

RULES = rulebook("ma-midi-4")


def journal_of(path: Path, cards: Any, *, keyed: bool = False) -> list[bytes]:
    """The lines of a journal with a round, or two: of an electronic shoe, or of cards that a dealer keyed."""
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        table = JournaledTable.begin(RULES, file, TABLE, cards=cards)
        if keyed:
            play_keyed(table)
        else:
            play_rounds(table, 1)
    return path.read_bytes().splitlines(keepends=True)


def play_keyed(table: Table) -> None:
    """One round of real cards."""
    table.do(Sit(seat=1, person="p1"))
    table.do(BuyIn(seat=1, amount=5_000_000))
    source = KeyedCards(lambda number: stack(number, 8))

    def wager(table: Table) -> None:
        table.do(PlaceWager(seat=1, on=WagerKind.BANKER, stake=10_000))

    run_until(table, source, stop=lambda table: table.state.round.number > 1, wagers=wager)


def audited(path: Path) -> AuditReport:
    """What an audit says to a file."""
    return audit_journals([path])


def verified(path: Path) -> BundleVerdict:
    """What is said to a bundle of the whole table."""
    return verify_bundle(make_bundle(BundleJournal(read_journal(path)), Scope(kind="all", stream=TABLE)))


def is_found_by_all(path: Path, lines: list[bytes], first: int) -> None:
    """A forged file that audit, bundle and both small verifiers refuse, from a line on."""
    path.write_bytes(b"".join(rehashed(lines)))
    report = audited(path)
    assert report.findings
    assert report.findings[0].line == first
    wrong = {check.name for check in verified(path).checks if check.state == "wrong"}
    assert wrong
    for answer in both([path])[0]:
        assert (answer.status, answer.checks["shoes"], answer.first_line) == (1, "wrong", first)


@pytest.mark.slow
@pytest.mark.parametrize("cards", [*TableCards, UNSET])
def test_an_honest_table_of_each_kind_passes_everywhere(tmp_path: Path, cards: Any) -> None:
    path = tmp_path / "journal.jsonl"
    lines = journal_of(path, cards, keyed=cards is TableCards.REAL)
    stated = b"" if cards is UNSET else f'"cards":"{cards.value}"'.encode()
    assert (b'"cards":"' in lines[0]) is (cards is not UNSET)
    assert stated in lines[0]
    assert (b'"origin":"program"' in b"".join(lines)) is (cards is TableCards.AUTOMATED)
    assert audited(path).is_clean
    assert not [check for check in verified(path).checks if check.state == "wrong"]
    assert {answer.status for answer in both([path])[0]} == {UNCOVERED}, "no key is given"
    with JournalFile(path, sync=False) as file:
        resumed = JournaledTable.resume(file, [line for line in file.open() if hasattr(line, "entry")])  # type: ignore[misc]
        assert resumed.state.cards is cards


@pytest.mark.slow
@pytest.mark.parametrize("cards", [TableCards.ELECTRONIC, TableCards.AUTOMATED])
def test_keyed_cards_at_a_table_that_is_said_to_be_electronic_are_found(tmp_path: Path, cards: TableCards) -> None:
    path = tmp_path / "journal.jsonl"
    lines = journal_of(path, UNSET, keyed=True)
    head = lines[0].replace(b'"program":', f'"cards":"{cards.value}","program":'.encode())
    path.write_bytes(b"".join(rehashed([head, *lines[1:]])))
    report = audited(path)
    assert report.findings
    assert {check.name for check in verified(path).checks if check.state == "wrong"} >= {"proofs of cards"}
    for answer in both([path])[0]:
        assert (answer.status, answer.checks["shoes"]) == (1, "wrong")


def test_a_commitment_at_a_table_of_real_cards_is_found(tmp_path: Path) -> None:
    lines = journal_of(tmp_path / "journal.jsonl", TableCards.ELECTRONIC)
    head = lines[0].replace(b'"cards":"electronic"', b'"cards":"real"')
    first = next(at for at, line in enumerate(lines, 1) if b'"event":"shoe_committed"' in line)
    is_found_by_all(tmp_path / "forged.jsonl", [head, *lines[1:]], first)


def test_a_person_who_deals_at_an_automated_table_is_found(tmp_path: Path) -> None:
    lines = journal_of(tmp_path / "journal.jsonl", TableCards.AUTOMATED)
    at = next(at for at, line in enumerate(lines) if b'"do":"announce_result"' in line)
    by_hand = lines[at].replace(b'"origin":"program",', b"").replace(b'"rulebook":', b'"role":"dealer","rulebook":')
    assert by_hand != lines[at]
    is_found_by_all(tmp_path / "forged.jsonl", [*lines[:at], by_hand, *lines[at + 1 :]], at + 1)


def test_the_program_at_a_table_that_a_person_deals_is_found(tmp_path: Path) -> None:
    lines = journal_of(tmp_path / "journal.jsonl", TableCards.ELECTRONIC)
    at = next(at for at, line in enumerate(lines) if b'"do":"announce_result"' in line)
    by_it = lines[at].replace(b'"role":"dealer",', b"").replace(b'"rulebook":', b'"origin":"program","rulebook":')
    assert by_it != lines[at]
    is_found_by_all(tmp_path / "forged.jsonl", [*lines[:at], by_it, *lines[at + 1 :]], at + 1)


def test_the_opening_of_a_table_says_what_its_pit_opened_it_as(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        house = opened_house(RULES, house=JournaledHouse.begin(RULES, file))
        opening = OpenTable(table="1", filed=file_rules(RULES), effective=0, cards=TableCards.ELECTRONIC)
        assert not isinstance(house.do(opening, BOSS, stream=pit_stream(PIT_NAME)), Refused)
        assert isinstance(house.table("1").do(Sit(seat=1, person="p1")), Accepted)
    assert audited(path).is_clean
    lines = path.read_bytes().splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if b'"stream":"table 1"' in line)
    assert b'"cards":"electronic"' in lines[at]
    for other in (b'"cards":"real",', b""):
        changed = lines[at].replace(b'"cards":"electronic",', other)
        path.write_bytes(b"".join(rehashed([*lines[:at], changed, *lines[at + 1 :]])))
        (finding, *_) = audited(path).findings
        assert (finding.kind, finding.line) == ("other_cards", at + 1)
        assert "its pit opened it as electronic" in finding.say
    assert Stream("table 1") == TABLE
