"""What a table is cannot be left out: no table opens without it, and two persons say it of those that did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from baccarat.audit.bundle.form import Scope
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.audit.journal import audit_journals
from baccarat.house.filed_rules import file_rules
from baccarat.house.house import House, decide_in_book
from baccarat.house.state import Decision
from baccarat.house.stream import Stream, pit_stream
from baccarat.house.table_opening import OpenTable
from baccarat.house.table_statement import StateTableKind
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.record.journal import JournalLine
from baccarat.record.journal_file import JournalFile, read_journal
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Accepted
from baccarat.table.machine import BEHAVIOUR, Table
from baccarat.table.role import Role
from baccarat.table.seating_acts import Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.sealing import CommitShoe
from baccarat.table.table_cards import TableCards
from baccarat.table.table_kind import AdoptKind
from book_acts import in_pit
from electronic_table import seed_of
from house_books import BOSS, PIT_NAME, TABLE, actor, open_table, opened_house, taken
from journaled_house import JournaledHouse
from kept import rehashed
from two_verifiers import both

RULES = rulebook("ma-midi-4")
BY_TWO = actor(Role.CASINO_SUPERVISOR, "s", ("boss", Role.PIT_BOSS))
STREAM = Stream(f"table {TABLE}")
OPENING = OpenTable(table=TABLE, filed=file_rules(RULES), effective=0)


def old_house() -> House:
    """A house with a table that version 1 opened, and that never said what it is."""
    house = opened_house(RULES)
    open_table(house, RULES, table="T9")  # with every notice that its pit needs
    pit = pit_stream(PIT_NAME)
    taken(house.append_decision(decide_in_book(house.state, RULES, OPENING, BOSS, stream=pit, behaviour=1)))
    assert house.state.tables[TABLE].cards is UNSET
    return house


def state_kind(
    house: House, cards: TableCards = TableCards.ELECTRONIC, by: Any = BY_TWO, *, table: str = TABLE
) -> Decision | Refused:
    return in_pit(house, PIT_NAME, StateTableKind(table=table, cards=cards), by)


def refused(outcome: Any) -> str:
    assert isinstance(outcome, Refused), outcome
    assert outcome.say
    return outcome.what


def commit(house: House) -> Refused | None:
    """The next shoe commits to a seed; the refusal if it may not."""
    table = house.table(TABLE)
    held = SealedShoe(RULES, seed_of, table=TABLE).promise(RULES, table.state)
    assert held is not None
    outcome = table.do(CommitShoe(table=TABLE, shoe=held.shoe, commitment=held.hash, order=held.order))
    return outcome if isinstance(outcome, Refused) else None


def test_a_pit_opens_no_table_that_does_not_say_what_it_is() -> None:
    house = opened_house(RULES)
    open_table(house, RULES, table="T9")
    assert refused(in_pit(house, PIT_NAME, OPENING, BOSS)) == "table_states_no_kind"
    assert TABLE not in house.state.tables


@pytest.mark.parametrize("cards", TableCards)
def test_two_persons_say_once_what_an_old_table_is(cards: TableCards) -> None:
    house = old_house()
    assert refused(state_kind(house, cards, BOSS)) == "act_takes_two_persons"
    alone = actor(Role.PIT_BOSS, "boss", ("boss", Role.PIT_BOSS))
    assert refused(state_kind(house, cards, alone)) == "nobody_approves_his_own_act"
    assert refused(state_kind(house, cards, table="T7")) == "pit_has_no_such_table"
    assert refused(house.table(TABLE).do(AdoptKind(cards=cards), BY_TWO)) == "pit_states_the_kind"
    decision = taken(state_kind(house, cards))
    assert [each.stream for each in decision.appended] == [f"pit {PIT_NAME}", STREAM]
    assert house.state.tables[TABLE].cards is cards
    assert refused(state_kind(house, TableCards.AUTOMATED)) == "table_kind_on_record_already"
    assert refused(state_kind(house, table="T9")) == "table_kind_on_record_already", "it said so when it opened"
    found = commit(house)
    assert (found is None) is (cards is not TableCards.REAL), "what it is holds from now on"


def test_what_a_table_is_is_not_said_while_a_shoe_is_in_play() -> None:
    house = old_house()
    assert commit(house) is None
    assert refused(state_kind(house)) == "kind_is_stated_between_shoes"
    assert house.state.tables[TABLE].cards is UNSET


def test_no_table_is_said_to_have_an_electronic_shoe_where_none_is_filed() -> None:
    table = Table(rulebook("ma-midi-4", electronic_cut="not_used"))
    second = Approval("boss", Role.PIT_BOSS, "adopt_kind")
    by_two = Actor(who="s", role=Role.CASINO_SUPERVISOR, approvals=(second,))
    for cards in (TableCards.ELECTRONIC, TableCards.AUTOMATED):
        assert refused(table.do(AdoptKind(cards=cards), by_two)) == "electronic_shoes_not_used"
    assert isinstance(table.do(AdoptKind(cards=TableCards.REAL), by_two), Accepted)


# ------------------------------------------------------------------------------------------------------ on record


def as_version_1(lines: list[bytes]) -> list[bytes]:
    """The same journal as version 1 would have written it, when nobody asked what a table is."""
    old, new = f'"behaviour":{BEHAVIOUR}'.encode(), b'"behaviour":1'
    return rehashed([line.replace(old, new).replace(b'"cards":"real",', b"") for line in lines])


@pytest.fixture
def old_journal(tmp_path: Path) -> Path:
    """The journal of a house in which version 1 opened a table that did not say what it is."""
    path = tmp_path / "house.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        table = open_table(opened_house(RULES, house=JournaledHouse.begin(RULES, file)), RULES)
        assert isinstance(table.do(Sit(seat=1, person="p1")), Accepted), "its stream is begun"
    path.write_bytes(b"".join(as_version_1(path.read_bytes().splitlines(keepends=True))))
    assert b'"cards"' not in path.read_bytes()
    return path


def stated_later(path: Path, cards: TableCards = TableCards.ELECTRONIC) -> None:
    """Today's program goes on with the journal: two persons say what the table is, and a shoe commits."""
    with JournalFile(path, sync=False) as file:
        house = JournaledHouse.resume(file, [each for each in file.open() if isinstance(each, JournalLine)])
        taken(state_kind(house, cards))
        assert commit(house) is None


def of_table(path: Path, to: Path) -> Path:
    """The stream of the table alone."""
    lines = path.read_bytes().splitlines(keepends=True)
    lines = [line for line in lines if msgspec.json.decode(line)["record"]["stream"] == STREAM]
    to.write_bytes(b"".join(rehashed(lines)))
    return to


def statuses(path: Path) -> list[int]:
    return [answer.status for answer in both([path])[0]]


def test_a_house_of_version_1_is_decided_again_as_it_was(old_journal: Path) -> None:
    report = audit_journals([old_journal])
    assert report.findings == ()
    lines = old_journal.read_bytes().splitlines(keepends=True)
    now = [line.replace(b'"behaviour":1', f'"behaviour":{BEHAVIOUR}'.encode()) for line in lines]
    old_journal.write_bytes(b"".join(rehashed(now)))
    found = audit_journals([old_journal]).findings
    assert found, "today it is refused, and no such record can be honest"
    assert "it should be refused: give the kind of the table when it opens" in found[0].say


@pytest.mark.slow
def test_what_is_said_later_is_bound_to_the_act_of_the_pit(old_journal: Path, tmp_path: Path) -> None:
    stated_later(old_journal)
    lines = old_journal.read_bytes().splitlines(keepends=True)
    (adopted,) = [msgspec.json.decode(line)["record"] for line in lines if b'"kind_adopted"' in line]
    assert adopted["cause"]["stream"] == f"pit {PIT_NAME}"
    assert audit_journals([old_journal]).findings == ()
    assert statuses(old_journal) == [3, 3]
    alone = of_table(old_journal, tmp_path / "table.jsonl")
    assert audit_journals([alone]).findings == ()
    assert statuses(alone) == [3, 3], "who said it is not in the file"
    verdict = verify_bundle(make_bundle(BundleJournal(read_journal(alone)), Scope(kind="all", stream=STREAM)))
    assert not [check for check in verdict.checks if check.state == "wrong"]


FORGERIES = {
    "another cause": (b'"stream":"pit A"}', b'"stream":"house"}'),
    "another kind": (b'"cards":"electronic"', b'"cards":"real"'),
    "no kind": (b'"cards":"electronic"', b'"cards":"paper"'),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_kind_is_wrong_everywhere(old_journal: Path, tmp_path: Path, name: str) -> None:
    stated_later(old_journal)
    old, new = FORGERIES[name]
    lines = old_journal.read_bytes().splitlines(keepends=True)
    forged = [line.replace(old, new) if b'"kind_adopted"' in line else line for line in lines]
    assert forged != lines
    old_journal.write_bytes(b"".join(rehashed(forged)))
    assert audit_journals([old_journal]).findings
    assert statuses(old_journal) == [1, 1]
    alone = of_table(old_journal, tmp_path / "table.jsonl")
    assert audit_journals([alone]).findings
    assert statuses(alone) == [1, 1]


@pytest.mark.slow
def test_a_kind_that_is_said_twice_or_in_a_shoe_is_wrong_everywhere(old_journal: Path, tmp_path: Path) -> None:
    stated_later(old_journal)
    lines = of_table(old_journal, tmp_path / "table.jsonl").read_bytes().splitlines(keepends=True)
    adopted = next(at for at, line in enumerate(lines) if b'"kind_adopted"' in line)
    for at in (adopted + 1, len(lines)):
        made = [msgspec.json.decode(line) for line in [*lines[:at], lines[adopted], *lines[at:]]]
        events = 0
        for seq, each in enumerate(made):
            each["record"] |= {"seq": seq} | ({"event": events} if seq else {})
            events += len(each["record"].get("events", []))
        path = tmp_path / f"forged-{at}.jsonl"
        path.write_bytes(b"".join(rehashed([msgspec.json.encode(each, order="sorted") + b"\n" for each in made])))
        assert audit_journals([path]).findings
        assert statuses(path) == [1, 1]
