"""The deadline for seeds in what is audited and verified: shoes that were shown late or never are said to be, by the
times of the records, and an honest file stays right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from baccarat.audit.bundle.form import Scope
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.audit.discretion import OVERDUE_SEED, THE_HOUSE
from baccarat.audit.finding import AuditReport
from baccarat.audit.journal import audit_journals
from baccarat.audit.reveal_time import RevealTimes
from baccarat.house.filed_rules import file_rules
from baccarat.house.house import House
from baccarat.house.notice import Notice
from baccarat.house.pit_book import GiveNotice
from baccarat.house.table_opening import OpenTable
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.record.journal import JournalReader
from baccarat.record.journal_file import JournalFile
from baccarat.table.seating_acts import Sit
from baccarat.table.table_cards import TableCards
from book_acts import in_pit
from corpus_base import DEADLINE, STREAM, base, journal, lines_of, with_event
from house_books import BOSS, PIT_NAME, TABLE, opened_house, taken
from javascript import reports_of
from journaled_house import JournaledHouse
from kept import rehashed
from remade import Json
from two_verifiers import python_reports

RULES = rulebook("ma-midi-4")
LATE = "62 seconds after it was due, and the deadline was 60, by the house's clock"
SAID = {
    "overdue": f"the seed of shoe 1 was revealed {LATE}",
    "shown-late": (
        "the seed of shoe 1 was revealed 121 seconds after it was due, and the deadline was 60, by the house's clock, "
        "and the table had not been stopped"
    ),
    "overdue-and-lost": f"the seed of shoe 1 was reported lost {LATE}",
}


def audit(tmp_path: Path, records: list[Json]) -> AuditReport:
    path = tmp_path / "table.jsonl"
    path.write_bytes(journal(records))
    return audit_journals([path], discretion=True)


def late_in(report: AuditReport) -> list[str]:
    return [each for each in report.remarks if "by the house's clock" in each]


def cut_off(records: list[Json]) -> list[Json]:
    """The same up to the record in which the clock reports the seed."""
    return records[: records.index(with_event(records, "seed_overdue")) + 1]


@pytest.mark.parametrize("name", SAID)
def test_an_audit_says_which_shoes_were_shown_late(tmp_path: Path, name: str) -> None:
    report = audit(tmp_path, base(name))
    assert report.is_clean
    (said,) = late_in(report)
    assert SAID[name] in said
    assert report.discretion is not UNSET
    (act,) = (each for each in report.discretion.acts if each.act == OVERDUE_SEED)
    assert (act.who, act.shoe) == (THE_HOUSE, 1)
    assert "the deadline was 60" in act.what
    assert ("had not been stopped" in act.what) is (name == "shown-late")


def test_a_seed_that_is_not_shown_at_all_is_said_and_not_covered(tmp_path: Path) -> None:
    report = audit(tmp_path, cut_off(base("overdue")))
    assert report.is_clean
    assert not report.is_covered
    (said,) = late_in(report)
    assert "the seed of shoe 1 was not revealed within 60 seconds, by the house's clock, and is not shown" in said


def test_nothing_is_said_of_a_seed_in_time_or_where_no_deadline_or_time_stands(tmp_path: Path) -> None:
    assert late_in(audit(tmp_path, base())) == []
    records = base("shown-late")
    records[0]["reveal_within"] = 600
    assert late_in(audit(tmp_path, records)) == []
    del records[0]["reveal_within"]
    assert late_in(audit(tmp_path, records)) == []
    timeless = RevealTimes(DEADLINE)
    timeless.begin("0", 0)
    timeless.settle("0", "revealed", 10**15)
    assert list(timeless.remarks()) == []


@pytest.mark.parametrize("name", SAID)
def test_bundles_and_both_small_verifiers_say_the_same(tmp_path: Path, name: str) -> None:
    source = BundleJournal(JournalReader().read(enumerate(lines_of(base(name)), start=1)))
    verdict = verify_bundle(make_bundle(source, Scope(kind="all", stream=STREAM)))
    assert any(SAID[name] in check.say for check in verdict.checks)
    assert not any(check.state == "wrong" for check in verdict.checks)
    path = tmp_path / "table.jsonl"
    path.write_bytes(journal(base(name)))
    for report in (*python_reports([path]), *reports_of([path])):
        assert "late seeds" in str(report["checks"])
        assert SAID[name] in str(report["checks"]).replace("\\'", "'")


# --------------------------------------------------------------------------------------------- on record


def opened(house: House | None = None, cards: TableCards = TableCards.ELECTRONIC, within: Any = DEADLINE) -> Any:
    """A house, and what it says to a table that states a deadline."""
    house = opened_house(RULES, house=house)
    for law in RULES.edition.notices:
        for option in law.options:
            for whom in law.to:
                notice = Notice(to=whom, pit=PIT_NAME, option=option, value=RULES.elects(option), sent=-999_999)
                in_pit(house, PIT_NAME, GiveNotice(notice=notice), BOSS)
    command = OpenTable(table=TABLE, filed=file_rules(RULES), effective=0, cards=cards, reveal_within=within)
    return house, in_pit(house, PIT_NAME, command, BOSS)


def test_a_pit_opens_a_table_with_a_deadline_that_stands_in_its_stream(tmp_path: Path) -> None:
    path = tmp_path / "house.jsonl"
    file = JournalFile(path, sync=False)
    assert not list(file.open())
    house, outcome = opened(JournaledHouse.begin(RULES, file))
    taken(outcome)
    assert house.state.tables[TABLE].reveal_within == DEADLINE
    assert not isinstance(house.table(TABLE).do(Sit(seat=1, person="ann")), Refused)
    file.close()
    lines = path.read_bytes().splitlines(keepends=True)
    assert audit_journals([path]).is_clean
    stated = b'"reveal_within":60'
    (at,) = (
        index
        for index, line in enumerate(lines)
        if stated in line and b'"stream":"table' in line and b'"seq":0' in line
    )
    for other in (b'"reveal_within":61', b""):
        forged = lines[at].replace(stated, other).replace(b",,", b",").replace(b",}", b"}")
        path.write_bytes(b"".join(rehashed([*lines[:at], forged, *lines[at + 1 :]])))
        said = [each.say for each in audit_journals([path]).findings]
        assert any("its pit stated 60 seconds" in each for each in said), said


def test_real_cards_have_no_deadline() -> None:
    _, outcome = opened(cards=TableCards.REAL)
    assert isinstance(outcome, Refused)
    assert outcome.what == "real_cards_have_no_seed"
    assert [str(cite) for cite in outcome.cites] == ["house §reveal-deadline"]
